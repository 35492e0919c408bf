/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a straight-line kernel: one block of statements per layer, with all shifts, addresses and degrees as
 * constants. Names in the text: t lane, s shared memory of the group, L posterior kept in a register (or the
 * channel of a chain column), r message, q var_msg, n new check_msg, v new posterior; numbers are groups,
 * words, or edges of the layer. */
#include "straight.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_NAME = 160 };

typedef struct emitter {
    const ldpc_straight *s;
    const ldpc_cuda_places *places;
    ldpc_writer w;
} emitter;

#define H(value) ldpc_half2(value)

/* ---- names */

typedef struct name {
    char text[MAX_NAME];
} name;

#define NAME(result, ...) snprintf((result).text, MAX_NAME, __VA_ARGS__)

/* Messages in registers are spread evenly over all words, so that loads are too. */
static bool in_register(const ldpc_straight *s, uint32_t word)
{
    return (word + 1) * s->register_words / s->words != word * s->register_words / s->words;
}

static name word_name(const ldpc_straight *s, uint32_t word)
{
    name n;
    if (in_register(s, word))
        NAME(n, "r%u", word);
    else
        NAME(n, "ms[%u]", (word - word * s->register_words / s->words) * s->groups * s->code->z);
    return n;
}

/* The message of an edge, plus message_bias. */
static name message_name(const ldpc_straight *s, const ldpc_edge *edge)
{
    name word = word_name(s, edge->word), n;
    if (s->packed)
        NAME(n, "hunpack%u(%.100s,0x%xu)", edge->half, word.text,
             s->message_bias < 1024 ? 0x60606060u : 0x64646464u);
    else
        n = word;
    return n;
}

static const ldpc_edge *first_edge(const ldpc_straight *s, uint32_t group)
{
    return &s->edges[s->columns[group].first];
}

static const ldpc_edge *last_edge(const ldpc_straight *s, uint32_t group)
{
    return &s->edges[first_edge(s, group)->before];
}

/* In place: the word of lane t + shift of a column. */
static name placed_name(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    name n;
    if (shift == 0)
        NAME(n, "p[%u]", s->columns[group].base);
    else
        NAME(n, "AT(%u,%u)", s->columns[group].base, shift);
    return n;
}

/* What edge `from` has left in shared memory, at lane t + shift. */
static name left_name(const ldpc_straight *s, const ldpc_edge *from, uint32_t shift)
{
    uint32_t z = s->code->z, far = (shift + z - from->shift) % z;
    name n;
    if (!s->frames)
        return placed_name(s, from->group, shift);
    if (far == 0 || from->above >= far)
        NAME(n, "p[%u]", from->frame + far);
    else if (from->below >= z - far)
        NAME(n, "p[%d]", (int)(from->frame + far) - (int)z);
    else
        NAME(n, "AT(%u,%u)", from->frame, far);
    return n;
}

/* A leaf's posterior; without early stop it takes the place of the channel in the end. */
static name leaf_name(const ldpc_straight *s, uint32_t group)
{
    name n;
    NAME(n, "p[%u]", s->columns[group].base + (s->early_stop ? s->code->z : 0));
    return n;
}

/* Is the posterior in register L between iterations? */
static bool kept_in_register(const ldpc_straight *s, uint32_t group)
{
    return s->columns[group].home == LDPC_HOME_PRIVATE ||
           (s->columns[group].home == LDPC_HOME_SHARED && s->columns[group].degree &&
            last_edge(s, group)->carried);
}

/* Between iterations: the posterior of lane t + shift, plus the column's bias. */
static name value_name(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    name n;
    switch (s->columns[group].home) {
    case LDPC_HOME_CHAIN: {
        name a = message_name(s, first_edge(s, group)), b = message_name(s, last_edge(s, group));
        NAME(n, "hadd(hadd(L%u,%.60s),%.60s)", group, a.text, b.text);
        return n;
    }
    case LDPC_HOME_LEAF:
        return leaf_name(s, group);
    default:
        if (!s->columns[group].degree)
            return placed_name(s, group, shift);
        if (!kept_in_register(s, group))
            return left_name(s, last_edge(s, group), shift);
        NAME(n, "L%u", group);
        return n;
    }
}

static int bias_of(const ldpc_straight *s, uint32_t group)
{
    return s->columns[group].home == LDPC_HOME_LEAF ? s->soft : s->bias;
}

/* ---- loading */

/* Do all lanes of a column have LLRs one after another, and from which index on? */
static bool is_sent(const emitter *e, uint32_t group, uint32_t *first)
{
    uint32_t z = e->s->code->z;
    const int32_t *source = e->places->source + (size_t)group * z;
    for (uint32_t i = 0; i < z; i++)
        if (source[0] < 0 || source[i] != source[0] + (int32_t)i)
            return false;
    *first = (uint32_t)source[0];
    return true;
}

/* Sets i to lane t + shift of a column and v to its channel plus bias. */
static void emit_channel(emitter *e, uint32_t group, uint32_t shift, int bias)
{
    uint32_t first;
    ldpc_write(&e->w, " i=LANE(%u); ", shift);
    if (is_sent(e, group, &first))
        ldpc_write(&e->w, "v=hchannel(la[%u+i],lb[%u+i]);", first, first);
    else
        ldpc_write(&e->w, "at=a.source[%u+i]; v=at>=0?hchannel(la[at],lb[at]):at==%d?0x%xu:0x%xu;",
                   group * e->s->code->z, LDPC_CUDA_KNOWN, H(1152 + LDPC_KNOWN_LLR), H(1152));
    if (bias < 0) /* in two steps that are exact */
        ldpc_write(&e->w, " v=hsub(v,0x%xu);", H(1152));
    if (bias != 1152)
        ldpc_write(&e->w, " v=hsub(v,0x%xu);", H(bias < 0 ? -bias : 1152 - bias));
    ldpc_write(&e->w, "\n");
}

/* Leave `value` where the next edge of the column looks for it. */
static void emit_leave(emitter *e, const ldpc_edge *edge, const char *value)
{
    const ldpc_straight *s = e->s;
    uint32_t z = s->code->z;
    if (s->columns[edge->group].home == LDPC_HOME_PRIVATE || edge->carried) {
        ldpc_write(&e->w, "  L%u=%s;\n", edge->group, value);
        return;
    }
    name to = left_name(s, edge, edge->shift);
    ldpc_write(&e->w, "  %s=%s;", to.text, value);
    if (s->frames && edge->above)
        ldpc_write(&e->w, edge->above < z ? " if(t<%u) p[%u]=%s;" : "%.0u p[%u]=%s;",
                   edge->above < z ? edge->above : 0, edge->frame + z, value);
    if (s->frames && edge->below) /* the word may stand before p[0], which is the thread's own */
        ldpc_write(&e->w, edge->below < z ? " if(t>=%u) p[%d]=%s;" : "%.0u p[%d]=%s;", z - edge->below,
                   (int)edge->frame - (int)z, value);
    ldpc_write(&e->w, "\n");
}

static void emit_load_column(emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    const ldpc_column *c = &s->columns[group];
    if (c->home == LDPC_HOME_CHAIN) { /* messages come with theirs */
        emit_channel(e, group, first_edge(s, group)->shift, s->soft - s->message_bias);
        ldpc_write(&e->w, " u32 L%u=v;\n", group);
    } else if (c->home == LDPC_HOME_LEAF) {
        emit_channel(e, group, first_edge(s, group)->shift, s->soft);
        name posterior = leaf_name(s, group);
        ldpc_write(&e->w, " p[%u]=v; %s=v;\n", c->base, posterior.text);
    } else if (c->degree) {
        emit_channel(e, group, last_edge(s, group)->shift, s->bias);
        ldpc_write(&e->w, " u32 L%u;\n", group);
        emit_leave(e, last_edge(s, group), "v");
    } else {
        emit_channel(e, group, 0, s->bias);
        ldpc_write(&e->w, " p[%u]=v;\n", c->base);
    }
}

static void emit_load(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t nothing = 0x01010101u * (H(s->message_bias) & 0xff);
    for (uint32_t w = 0; w < s->words; w++) {
        name word = word_name(s, w);
        ldpc_write(&e->w, " %s%s=0x%xu;\n", in_register(s, w) ? "u32 " : "", word.text, nothing);
    }
    ldpc_write(&e->w, " u32 i, v; int at;\n");
    for (uint32_t g = 0; g < s->code->groups; g++)
        emit_load_column(e, g);
}

/* ---- one layer */

/* What a layer finds of a column: what was there before the layer, for all its edges. */
static name posterior_name(const ldpc_straight *s, const ldpc_edge *edge)
{
    name n;
    const ldpc_edge *from = edge;
    while (from->occurrence)
        from = &s->edges[from->before];
    from = &s->edges[from->before];
    if (s->columns[edge->group].home == LDPC_HOME_PRIVATE || from->carried)
        NAME(n, "L%u", edge->group);
    else
        n = left_name(s, from, edge->shift);
    return n;
}

/* Q, plus soft; in i8 Q + 128, saturated. */
static name var_msg_name(const ldpc_straight *s, const ldpc_edge *edge, const char *posterior)
{
    name n, message = message_name(s, edge);
    ldpc_home home = s->columns[edge->group].home;
    if (home == LDPC_HOME_LEAF) {
        NAME(n, "p[%u]", s->columns[edge->group].base);
    } else if (home == LDPC_HOME_CHAIN) {
        message = message_name(s, &s->edges[edge->next]);
        NAME(n, "hadd(L%u,%.60s)", edge->group, message.text);
    } else if (s->i8) {
        NAME(n, "hmin(hrelu(%.60s,0x%xu,%.30s),0x%xu)", message.text, H(-1), posterior, H(255));
    } else {
        NAME(n, "hsub(%.30s,%.60s)", posterior, message.text);
    }
    return n;
}

/* Is the posterior loaded into g before what the last layer has left to do? */
static bool loaded_first(const ldpc_straight *s, const ldpc_edge *edge)
{
    return s->most_behind && edge->layer && !edge->early && edge->absent == LDPC_NO_LANE &&
           s->columns[edge->group].home == LDPC_HOME_SHARED;
}

static void emit_loads(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++)
        if (loaded_first(s, &s->edges[i])) {
            name posterior = posterior_name(s, &s->edges[i]);
            ldpc_write(&e->w, "  u32 g%u=%s;\n", i, posterior.text);
        }
}

/* q; in i8 b = Q + 128 as well. */
static void emit_var_msg(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    ldpc_writer *w = &e->w;
    uint32_t i = edge->index;
    size_t number = (size_t)(edge - s->edges);
    name posterior = posterior_name(s, edge), var_msg;
    if (edge->early) {
        ldpc_write(w, s->i8 ? "  u32 q%u=f%zu, b%u=fb%zu;\n" : "  u32 q%u=f%zu;\n", i, number, i, number);
        return;
    }
    if (loaded_first(s, edge))
        NAME(posterior, "g%zu", number);
    if (edge->absent != LDPC_NO_LANE) { /* is to stay as it is there */
        ldpc_write(w, "  u32 l%u=%s;\n", i, posterior.text);
        NAME(posterior, "l%u", i);
    }
    var_msg = var_msg_name(s, edge, posterior.text);
    if (s->i8)
        ldpc_write(w, "  u32 b%u=%s, q%u=hsub(b%u,0x%xu);\n", i, var_msg.text, i, i, H(128 - s->soft));
    else
        ldpc_write(w, "  u32 q%u=%s;\n", i, var_msg.text);
    if (edge->absent != LDPC_NO_LANE) /* larger than any other, so that it is no minimum */
        ldpc_write(w, "  if(t==%u) q%u=0x%xu;\n", edge->absent, i, H(2047));
}

/* The early edges of a layer: the declaration of what they have outside of it. */
static void emit_early_names(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    if (layer == s->code->layers)
        return;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++)
        if (s->edges[i].early)
            ldpc_write(&e->w, s->i8 ? " u32 f%u, fb%u;" : " u32 f%u;", i, i);
    ldpc_write(&e->w, " u32 el%u, eh%u;\n", layer, layer);
}

/* Their var_msgs and the minima of those. */
static void emit_early(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    if (layer == s->code->layers)
        return;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++) {
        const ldpc_edge *edge = &s->edges[i];
        name posterior = posterior_name(s, edge), var_msg = var_msg_name(s, edge, posterior.text);
        if (edge->early && s->i8)
            ldpc_write(&e->w, "  fb%u=%s; f%u=hsub(fb%u,0x%xu);\n", i, var_msg.text, i, i, H(128 - s->soft));
        else if (edge->early)
            ldpc_write(&e->w, "  f%u=%s;\n", i, var_msg.text);
    }
    if (!s->extrinsic)
        ldpc_straight_begin_check(&e->w, s, layer);
}

/* A leaf's posterior is looked at in early stop and at the end. */
static void emit_leaf(emitter *e, const ldpc_edge *edge, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    name q, place = leaf_name(s, edge->group);
    NAME(q, "q%u", edge->index);
    ldpc_write(&e->w, " %s{\n", s->early_stop ? "" : "if(last)");
    ldpc_straight_message(&e->w, s, degree, edge->index, q.text);
    ldpc_write(&e->w, "  %s=n%u;\n }\n", place.text, edge->index);
}

static void emit_posterior(emitter *e, const ldpc_edge *edge, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    const ldpc_column *c = &s->columns[edge->group];
    uint32_t i = edge->index;
    if (c->home == LDPC_HOME_LEAF) {
        emit_leaf(e, edge, degree);
        return;
    }
    name bias;
    NAME(bias, "0x%xu", H(s->message_bias));
    ldpc_straight_message(&e->w, s, degree, i, s->packed ? bias.text : NULL);
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) n%u=0x%xu;\n", edge->absent, i, H(s->message_bias));
    if (c->home == LDPC_HOME_CHAIN || edge->occurrence)
        return;
    if (s->i8 && s->packed)
        ldpc_write(&e->w, "  u32 v%u=hlimit(hadd(b%u,n%u));\n", i, i, i);
    else if (s->i8)
        ldpc_write(&e->w, "  u32 v%u=hmin(hrelu(n%u,0x%xu,b%u),0x%xu);\n", i, i, H(1), i, H(255));
    else
        ldpc_write(&e->w, "  u32 v%u=hadd(q%u,n%u);\n", i, i, i);
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) v%u=l%u;\n", edge->absent, i, i);
    name value;
    NAME(value, "v%u", i);
    emit_leave(e, edge, value.text);
}

/* A column that stands in the layer again adds what its further messages have changed. */
static void emit_again(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    name posterior = left_name(s, &s->edges[edge->before], edge->shift), old = message_name(s, edge), value;
    uint32_t i = edge->index;
    ldpc_write(&e->w, "  u32 v%u=%s;\n", i, posterior.text);
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t!=%u)", edge->absent);
    if (s->i8 && s->packed)
        ldpc_write(&e->w, "  v%u=hlimit(hadd(v%u,hsub(n%u,%s)));\n", i, i, i, old.text);
    else if (s->i8)
        ldpc_write(&e->w, "  v%u=hmin(hrelu(hsub(n%u,%s),0x%xu,v%u),0x%xu);\n", i, i, old.text, H(1), i,
                   H(255));
    else
        ldpc_write(&e->w, "  v%u=hadd(v%u,hsub(n%u,%s));\n", i, i, i, old.text);
    NAME(value, "v%u", i);
    emit_leave(e, edge, value.text);
}

/* The edge whose message shares a register with that of edge i, or i. */
static uint32_t word_mate(const ldpc_straight *s, const ldpc_edge *edges, uint32_t degree, uint32_t i)
{
    uint32_t mate = i;
    for (uint32_t j = 0; j < degree && s->packed; j++)
        if (j != i && edges[j].stored && edges[j].word == edges[i].word)
            mate = j;
    return mate;
}

/* Registers with messages of edges that are behind are written there. */
static void emit_keep_messages(emitter *e, const ldpc_edge *edges, uint32_t degree, bool behind)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t second = word_mate(s, edges, degree, i);
        if (!edges[i].stored || edges[i].half || (edges[i].behind || edges[second].behind) != behind)
            continue;
        name word = word_name(s, edges[i].word);
        if (s->packed)
            ldpc_write(&e->w, "  %s=hpack(n%u,n%u);\n", word.text, i, second);
        else
            ldpc_write(&e->w, "  %s=n%u;\n", word.text, i);
    }
}

/* ---- what is done after the threads have met: its names without and with the number of the layer */

static const char *const row_names[] = {"p1", "D", "m1", "T"};

static bool any_behind(const ldpc_edge *edges, uint32_t degree)
{
    for (uint32_t i = 0; i < degree; i++)
        if (edges[i].behind)
            return true;
    return false;
}

/* Names of an edge that are needed there: its var_msg, or its message where it shares the register of one. */
static void emit_edge_names(emitter *e, const ldpc_edge *edges, uint32_t degree, const char *form)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = 0; i < degree; i++) {
        size_t number = (size_t)(&edges[i] - s->edges);
        if (edges[i].behind)
            ldpc_write(&e->w, form, "q", number, "q", i);
        if (edges[i].behind && s->i8)
            ldpc_write(&e->w, form, "b", number, "b", i);
        if (!edges[i].behind && edges[i].stored && edges[word_mate(s, edges, degree, i)].behind)
            ldpc_write(&e->w, form, "n", number, "n", i);
    }
}

static void emit_behind_names(emitter *e, uint32_t layer, const ldpc_edge *edges, uint32_t degree)
{
    if (!any_behind(edges, degree))
        return;
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, " u32 %s_%u;", row_names[i], layer);
    emit_edge_names(e, edges, degree, " u32 k%s%zu;");
    ldpc_write(&e->w, "\n");
}

static void emit_save_behind(emitter *e, uint32_t layer, const ldpc_edge *edges, uint32_t degree)
{
    if (!any_behind(edges, degree))
        return;
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, "  %s_%u=%s;", row_names[i], layer, row_names[i]);
    emit_edge_names(e, edges, degree, " k%s%zu=%s%u;");
    ldpc_write(&e->w, "\n");
}

static void emit_behind(emitter *e, uint32_t layer, const ldpc_edge *edges, uint32_t degree)
{
    if (!any_behind(edges, degree))
        return;
    ldpc_write(&e->w, " {\n");
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, "  u32 %s=%s_%u;", row_names[i], row_names[i], layer);
    for (uint32_t i = 0; i < degree; i++) {
        size_t number = (size_t)(&edges[i] - e->s->edges);
        if (edges[i].behind)
            ldpc_write(&e->w, e->s->i8 ? " u32 q%u=kq%zu, b%u=kb%zu;" : " u32 q%u=kq%zu;", i, number, i,
                       number);
        else if (edges[i].stored && edges[word_mate(e->s, edges, degree, i)].behind)
            ldpc_write(&e->w, " u32 n%u=kn%zu;", i, number);
    }
    ldpc_write(&e->w, "\n");
    for (uint32_t i = 0; i < degree; i++)
        if (edges[i].behind)
            emit_posterior(e, &edges[i], degree);
    emit_keep_messages(e, edges, degree, true);
    ldpc_write(&e->w, " }\n");
}

static void emit_layer(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    const ldpc_edge *edges = s->edges + s->code->layer_start[layer];
    uint32_t degree = s->code->layer_start[layer + 1] - s->code->layer_start[layer], most = 0;
    emit_early_names(e, layer + 1);
    emit_behind_names(e, layer, edges, degree);
    ldpc_write(&e->w, " { // layer %u\n", layer);
    for (uint32_t i = 0; i < degree; i++) {
        emit_var_msg(e, &edges[i]);
        most = edges[i].occurrence > most ? edges[i].occurrence : most;
    }
    ldpc_straight_check(&e->w, s, layer);
    emit_early(e, layer + 1);
    if (most && !s->frames) /* other threads read the same lanes */
        ldpc_write(&e->w, "  __syncthreads();\n");
    for (uint32_t i = 0; i < degree; i++)
        if (!edges[i].behind)
            emit_posterior(e, &edges[i], degree);
    for (uint32_t again = 1; again <= most; again++) {
        ldpc_write(&e->w, "  __syncthreads();\n");
        for (uint32_t i = 0; i < degree; i++)
            if (edges[i].occurrence == again)
                emit_again(e, &edges[i]);
    }
    emit_keep_messages(e, edges, degree, false);
    emit_save_behind(e, layer, edges, degree);
    ldpc_write(&e->w, " }\n%s", s->barrier[layer] ? " __syncthreads();\n" : "");
    if (layer + 1 < s->code->layers)
        emit_loads(e, layer + 1);
    emit_behind(e, layer, edges, degree);
}

/* ---- the end of a word */

/* Sets v to the posteriors of lane t + its last shift and i to that lane. */
static void emit_value(emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    uint32_t shift = s->columns[group].degree ? last_edge(s, group)->shift : 0;
    name value = value_name(s, group, shift);
    ldpc_write(&e->w, " i=LANE(%u); v=hsub(%s,0x%xu);", shift, value.text, H(bias_of(s, group)));
}

static void emit_posteriors(emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, " if(a.posterior){\n");
    for (uint32_t g = 0; g < s->code->groups; g++) {
        uint32_t first;
        emit_value(e, g);
        if (is_sent(e, g, &first))
            ldpc_write(&e->w, " at=%u+i; POSTERIOR\n", first);
        else
            ldpc_write(&e->w, " at=a.source[%u+i]; POSTERIOR\n", g * s->code->z);
    }
    ldpc_write(&e->w, " }\n");
}

/* The bits of both words as bytes of 16-bit numbers. Where they stand in the place of the working memory, in
 * two steps, so that all of that has been read before. */
static void emit_stage(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t groups = s->code->groups, z = s->code->z;
    bool over = s->stage_at == 0;
    for (uint32_t i = 0; over && i * 16 < groups; i++)
        ldpc_write(&e->w, " u32 h%u=0;\n", i);
    for (uint32_t g = 0; g < groups; g++) {
        emit_value(e, g);
        if (over)
            ldpc_write(&e->w, " h%u|=v>>%u&0x%xu;\n", g / 16, g % 16, 0x80008000u >> g % 16);
        else
            ldpc_write(&e->w, " st[%u+i]=(u16)hflags(v);\n", g * z);
    }
    for (uint32_t g = 0; g < groups && over; g++) {
        uint32_t shift = s->columns[g].degree ? last_edge(s, g)->shift : 0;
        ldpc_write(&e->w, "%s i=LANE(%u); st[%u+i]=(u16)hflags(h%u<<%u);\n", g ? "" : " __syncthreads();\n",
                   shift, g * z, g / 16, g % 16);
    }
    ldpc_write(&e->w, " __syncthreads();\n");
}

/* Where `count` bits are one after another in the stage, from a place that the copy can begin at. */
static bool is_run(const uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (at[i] != at[0] + i)
            return false;
    return count && at[0] % 8 == 0;
}

static void emit_put(emitter *e, const char *what, const uint32_t *at, uint32_t n)
{
    bool run = is_run(at, n);
    ldpc_write(&e->w, " if(a.%s) ldpc_put_bits(st,", what);
    if (run)
        ldpc_write(&e->w, "nullptr,%u", at[0]);
    else
        ldpc_write(&e->w, "a.%s_at,0", what);
    ldpc_write(&e->w, ",%u,a.%s+(size_t)c0*%u,a.%s+(size_t)c1*%u,ok,t,%u);\n", n, what, (n + 7) / 8, what,
               (n + 7) / 8, e->s->code->z);
}

/* The words of the pair that are set in ok. */
static void emit_store(emitter *e)
{
    const ldpc_code *code = e->s->code;
    emit_posteriors(e);
    emit_stage(e);
    emit_put(e, "message", e->places->message_at, code->k);
    emit_put(e, "codeword", e->places->codeword_at, code->n);
}

/* Unsatisfied checks of both words, from the staged bits, into the flag of the group. */
static void emit_count(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t z = s->code->z;
    ldpc_write(&e->w, " if(a.info){ u32 c=0, x; if(t==0) *fl=0; __syncthreads();\n");
    for (uint32_t l = 0; l < s->code->layers; l++) {
        ldpc_write(&e->w, " x=0;");
        for (uint32_t b = s->code->layer_start[l]; b < s->code->layer_start[l + 1]; b++) {
            const ldpc_edge *edge = &s->edges[b];
            if (edge->absent != LDPC_NO_LANE)
                ldpc_write(&e->w, " if(t!=%u)", edge->absent);
            ldpc_write(&e->w, " x^=BITS(%u,%u);", edge->group * z, edge->shift);
        }
        ldpc_write(&e->w, " c+=(x&1)|(x&0x100)<<8;\n");
    }
    ldpc_write(&e->w, " if(c) atomicAdd(fl,c); __syncthreads();\n"
                      " if(t==0&&(ok&1)) ldpc_store_info(a,c0,a.max_iterations,*fl&0xffff);\n"
                      " if(t==0&&(ok&2)) ldpc_store_info(a,c1,a.max_iterations,*fl>>16); }\n");
}

/* ---- early stop */

static void emit_parity(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    ldpc_write(&e->w, "  x=0;");
    for (uint32_t b = s->code->layer_start[layer]; b < s->code->layer_start[layer + 1]; b++) {
        const ldpc_edge *edge = &s->edges[b];
        name value = value_name(s, edge->group, edge->shift);
        if (edge->absent != LDPC_NO_LANE)
            ldpc_write(&e->w, " if(t!=%u)", edge->absent);
        ldpc_write(&e->w, " x^=hsub(%s,0x%xu);", value.text, H(bias_of(s, edge->group)));
    }
    ldpc_write(&e->w, "\n");
}

/* First layer 0 alone, which most words that go on fail; all layers, and their count, when a word of the
 * block passes it or at the end. Words that are done are stored at once and never looked at again. */
static void emit_early_stop(emitter *e)
{
    const ldpc_straight *s = e->s;
    ldpc_writer *w = &e->w;
    ldpc_write(
        w, " u32 ok=0, x, bad; bool last=it==a.max_iterations, all=last;\n if(!last){\n  if(t==0) *fl=0;\n");
    emit_parity(e, 0);
    ldpc_write(
        w,
        "  __syncthreads(); if(x&0x80008000u) atomicOr(fl,(x>>15&1)|(x>>30&2)); __syncthreads(); bad=*fl;\n"
        "  all=__syncthreads_or(active&~bad);\n }\n"
        " if(all){\n  u32 c=0; if(t==0) *fl=0;\n");
    for (uint32_t l = 0; l < s->code->layers; l++) {
        emit_parity(e, l);
        ldpc_write(w, "  c+=x>>15&0x10001u;\n");
    }
    ldpc_write(w, "  __syncthreads(); if(c) atomicAdd(fl,c); __syncthreads(); u32 uns=*fl;\n"
                  "  bad=(uns&0xffff?1:0)|(uns>>16?2:0); ok=last?active:active&~bad;\n"
                  "  if(a.info&&t==0&&(ok&1)) ldpc_store_info(a,c0,it,uns&0xffff);\n"
                  "  if(a.info&&t==0&&(ok&2)) ldpc_store_info(a,c1,it,uns>>16);\n }\n"
                  " if(__syncthreads_or(ok)){\n");
    emit_store(e);
    ldpc_write(w, "  active&=~ok; if(!__syncthreads_or(active)) break;\n }\n");
}

/* ---- the whole */

static void emit_head(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t z = s->code->z, nt = s->groups * z;
    ldpc_write(&e->w,
               "%s%s%s#define AT(b,shift) (*(u32*)((char*)(s+(b))+hwrap(4*t,4*(shift)-4*%u,4*t+4*(shift))))\n"
               "#define LANE(shift) ((shift)?min(t+(shift)-%u,t+(shift)):t)\n"
               "#define BITS(c,shift) st[(c)+LANE(shift)]\n"
               "#define POSTERIOR if(at>=0){ if(ok&1) a.posterior[(size_t)c0*a.n+at]=(short)hlow(v); "
               "if(ok&2) a.posterior[(size_t)c1*a.n+at]=(short)hhigh(v); }\n"
               "extern \"C\" __global__ void __launch_bounds__(%u,%u) ldpc_decode(const __grid_constant__ "
               "ldpc_args a)\n{\n"
               " extern __shared__ u32 sm[];\n u32 tid=threadIdx.x; if(tid>=%u) return;\n",
               ldpc_cuda_text_args, ldpc_cuda_text_half, ldpc_cuda_text_lanes, z, z, s->threads,
               s->min_blocks, nt);
    if (s->groups > 1)
        ldpc_write(&e->w, " const u32 g=tid/%u, t=tid-g*%u;\n", z, z);
    else
        ldpc_write(&e->w, " const u32 g=0, t=tid;\n");
    ldpc_write(&e->w,
               " u32 *const s=sm+g*%u, *const p=s+t, *const ms=sm+%u+tid;\n"
               " u16*st=(u16*)((u8*)sm+%zu)+g*%zu; u32*fl=(u32*)((u8*)sm+%zu)+g;\n"
               " const u32 w0=2*(blockIdx.x*%u+g), c0=min(w0,a.words-1), c1=min(w0+1,a.words-1);\n"
               " const u8*la=(const u8*)a.llr+(size_t)c0*%u, *lb=(const u8*)a.llr+(size_t)c1*%u;\n"
               " u32 active=(w0<a.words?1:0)|(w0+1<a.words?2:0);\n",
               s->group_words, s->group_words * s->groups, s->stage_at, s->stage_bytes, s->flags_at,
               s->groups, s->code->n, s->code->n);
}

char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_places *places)
{
    emitter e = {.s = s, .places = places};
    emit_head(&e);
    if (s->min_blocks == 1) /* nothing else runs while LLRs are waited for */
        ldpc_write(&e.w, " ldpc_prefetch_words(a,2*blockIdx.x*%u+%u,%u,tid,%u);\n", s->groups, s->wave_words,
                   2 * s->groups, s->groups * s->code->z);
    emit_load(&e);
    ldpc_write(&e.w, " __syncthreads();\n#pragma unroll 1\n for(u32 it=0;%s;it++){\n",
               s->early_stop ? "" : "it<a.max_iterations");
    if (s->early_stop)
        emit_early_stop(&e);
    else
        ldpc_write(&e.w, " bool last=it+1==a.max_iterations;\n");
    for (uint32_t l = 0; l < s->code->layers; l++)
        emit_layer(&e, l);
    ldpc_write(&e.w, " }\n");
    if (!s->early_stop) {
        ldpc_write(&e.w, " u32 ok=active;\n");
        emit_store(&e);
        emit_count(&e);
    }
    ldpc_write(&e.w, "}\n");
    return ldpc_writer_end(&e.w);
}
