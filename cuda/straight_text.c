/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a straight-line kernel: one block of statements per layer, with all shifts, addresses and degrees as
 * constants. Names in the text: t lane, s shared memory of the group, L posterior kept in a register (or the
 * channel of a chain column), r message, q var_msg, n new check_msg, v new posterior; numbers are groups,
 * words, or edges of the layer. */
#include "straight.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_NAME = 160, MAX_DEGREE = 64 };

typedef struct emitter {
    const ldpc_straight *s;
    const ldpc_cuda_places *places;
    ldpc_writer w;
} emitter;

uint32_t ldpc_half2(double value)
{
    uint32_t sign = value < 0 ? 0x8000 : 0, exponent = 15;
    double m = value < 0 ? -value : value;
    if (m == 0)
        return 0;
    for (; m >= 2; m /= 2)
        exponent++;
    for (; m < 1; m *= 2)
        exponent--;
    uint32_t half = sign | exponent << 10 | (uint32_t)((m - 1) * 1024 + 0.5);
    return half | half << 16;
}

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

/* The message of an edge, plus 1152 when packed. */
static name message_name(const ldpc_straight *s, const ldpc_edge *edge)
{
    name word = word_name(s, edge->word), n;
    if (s->packed)
        NAME(n, "hunpack%u(%.100s)", edge->half, word.text);
    else
        n = word;
    return n;
}

/* Shared-memory word of lane t + shift of a column. */
static name shared_name(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    name n;
    if (shift == 0)
        NAME(n, "s[%u+t]", s->columns[group].base);
    else
        NAME(n, "AT(%u,%u)", s->columns[group].base, shift);
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
        NAME(n, "s[%u+t]", s->columns[group].base + s->code->z);
        return n;
    default:
        if (!kept_in_register(s, group))
            return shared_name(s, group, shift);
        NAME(n, "L%u", group);
        return n;
    }
}

static int bias_of(const ldpc_straight *s, uint32_t group)
{
    return s->columns[group].home == LDPC_HOME_LEAF ? 0 : s->bias;
}

/* ---- loading */

/* Lane i of a column: the LLR's index as text when it is first + i, else through the table. */
static name source_name(const emitter *e, uint32_t group)
{
    uint32_t z = e->s->code->z;
    const int32_t *source = e->places->source + (size_t)group * z;
    name n;
    bool regular = source[0] >= 0;
    for (uint32_t i = 0; i < z; i++)
        regular &= source[i] == source[0] + (int32_t)i;
    if (regular)
        NAME(n, "%d+(int)i", source[0]);
    else
        NAME(n, "a.source[%u+i]", group * z);
    return n;
}

/* Sets v to the channel of lane t + shift of a column, plus bias. */
static void emit_channel(emitter *e, uint32_t group, uint32_t shift, int bias)
{
    name source = source_name(e, group);
    ldpc_write(
        &e->w,
        " i=LANE(%u); at=%s; "
        "v=at>=0?h2(max((int)la[at],-127)+%d,max((int)lb[at],-127)+%d):h2(at==-2?%d:%d,at==-2?%d:%d);\n",
        shift, source.text, bias, bias, LDPC_KNOWN_LLR + bias, bias, LDPC_KNOWN_LLR + bias, bias);
}

static void emit_load_column(emitter *e, uint32_t group)
{
    const ldpc_straight *s = e->s;
    const ldpc_column *c = &s->columns[group];
    bool kept = kept_in_register(s, group);
    if (c->home == LDPC_HOME_CHAIN) { /* with packed messages, which come with 1152 on top */
        emit_channel(e, group, first_edge(s, group)->shift, -s->bias);
        ldpc_write(&e->w, " u32 L%u=v;\n", group);
    } else if (c->home == LDPC_HOME_LEAF) {
        emit_channel(e, group, first_edge(s, group)->shift, 0);
        ldpc_write(&e->w, " s[%u+t]=v; s[%u+t]=v;\n", c->base, c->base + s->code->z);
    } else {
        emit_channel(e, group, kept ? last_edge(s, group)->shift : 0, s->bias);
        if (kept)
            ldpc_write(&e->w, " u32 L%u=v;\n", group);
        else
            ldpc_write(&e->w, " u32 L%u; s[%u+t]=v;\n", group, c->base);
    }
}

static void emit_load(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t nothing = s->packed ? 0x80808080u : 0;
    for (uint32_t w = 0; w < s->words; w++) {
        name word = word_name(s, w);
        ldpc_write(&e->w, " %s%s=0x%xu;\n", in_register(s, w) ? "u32 " : "", word.text, nothing);
    }
    ldpc_write(&e->w, " u32 i, v; int at;\n");
    for (uint32_t g = 0; g < s->code->groups; g++)
        emit_load_column(e, g);
}

/* ---- the check node */

/* Magnitudes m1, m2 of the messages from the smallest u and the next v; the same integers as lib/cpu/ref.c.
 */
void ldpc_straight_rule(ldpc_writer *w, const ldpc_rule *r)
{
    double factor = r->factor / 16.0;
    int enough = (16 * (r->max_message + 1) + r->factor - 1) / (r->factor ? r->factor : 1);
    switch (r->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        ldpc_write(w, "  u32 m1=hrelu(u,0x%xu,0x%xu), m2=hrelu(hi,0x%xu,0x%xu);\n", H(1), H(-r->offset), H(1),
                   H(-r->offset));
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM: /* sixteenths, moved by less than one, rounded by 1536 to the
                                               integer below */
        for (int i = 1; i <= 2; i++)
            ldpc_write(w, "  u32 m%d=hsub(hadd(hfma(hmin(%s,0x%xu),0x%xu,0x%xu),0x%xu),0x%xu);\n", i,
                       i == 1 ? "u" : "hi", H(enough), H(factor), H(-15.0 / 32), H(1536), H(1536));
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM: /* u/2 + 1/4 rounds to (u + 1)/2 */
        ldpc_write(w,
                   "  u32 m2=hrelu(hi,0x%xu,0x%xu), m1=hfma(hsubsat(0x%xu,hsub(hi,u)),0x%xu,hadd(u,0x%xu));\n"
                   "  m1=hsub(hadd(hmax(m1,hfma(u,0x%xu,0x%xu)),0x%xu),0x%xu);\n",
                   H(1), H(-r->offset), H(r->threshold), H(-r->step), H(-r->offset), H(0.5), H(0.25), H(1536),
                   H(1536));
        break;
    default:
        ldpc_write(w, "  u32 m1=u, m2=hi;\n");
    }
    ldpc_write(w, "  m1=hmin(m1,0x%xu); m2=hmin(m2,0x%xu);\n", H(r->max_message), H(r->max_message));
}

/* Pairs, pairs of pairs ...: the smallest magnitude with the product of all signs, and the next one. A leaf
 * has no next one. */
static void emit_minima(emitter *e, uint32_t degree)
{
    int node[MAX_DEGREE], count = 0, made = 0; /* >= 0: lo, hi of that number; else q of -1 - node */
    for (uint32_t i = 0; i < degree; i++)
        node[count++] = -1 - (int)i;
    while (count > 1) {
        int kept = 0;
        for (int i = 0; i + 1 < count; i += 2) {
            name a, b;
            NAME(a, node[i] < 0 ? "q%d" : "lo%d", node[i] < 0 ? -1 - node[i] : node[i]);
            NAME(b, node[i + 1] < 0 ? "q%d" : "lo%d", node[i + 1] < 0 ? -1 - node[i + 1] : node[i + 1]);
            ldpc_write(&e->w, "  u32 lo%d=hminx(%s,%s), hi%d=", made, a.text, b.text, made);
            if (node[i] < 0 && node[i + 1] < 0)
                ldpc_write(&e->w, "hmaxa(%s,%s);\n", a.text, b.text);
            else if (node[i] >= 0 && node[i + 1] >= 0)
                ldpc_write(&e->w, "hmin3(hmaxa(%s,%s),hi%d,hi%d);\n", a.text, b.text, node[i], node[i + 1]);
            else
                ldpc_write(&e->w, "hmin(hmaxa(%s,%s),hi%d);\n", a.text, b.text,
                           node[i] >= 0 ? node[i] : node[i + 1]);
            node[kept++] = made++;
        }
        if (count % 2)
            node[kept++] = node[count - 1];
        count = kept;
    }
    ldpc_write(&e->w, "  u32 lo=lo%d, hi=hi%d;\n", node[0], node[0]);
}

static void emit_check_node(emitter *e, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    emit_minima(e, degree);
    ldpc_write(&e->w, "  u32 u=habs(lo);\n");
    ldpc_straight_rule(&e->w, &s->rule);
    if (s->packed) /* sign as +-1.0, so that one operation gives the message plus 1152 */
        ldpc_write(&e->w, "  u32 D=hsub(m2,m1), p1=hadd(u,0x%xu), T=(lo&0x80008000u)|0x3c003c00u;\n", H(1));
    else
        ldpc_write(&e->w, "  m1^=lo&0x80008000u; m2^=lo&0x80008000u; u32 D=hsub(m2,m1), p1=hadd(u,0x%xu);\n",
                   H(1));
    for (uint32_t i = 0; i < degree; i++) {
        ldpc_write(&e->w, "  u32 x%u=hfma(hsubsat(p1,habsf(q%u)),D,m1);", i, i);
        if (s->packed)
            ldpc_write(&e->w, " u32 n%u=hfma(x%u,(q%u&0x80008000u)^T,0x%xu);\n", i, i, i, H(1152));
        else
            ldpc_write(&e->w, " u32 n%u=x%u^(q%u&0x80008000u);\n", i, i, i);
    }
}

/* ---- one layer */

static name posterior_name(const ldpc_straight *s, const ldpc_edge *edge)
{
    name n;
    const ldpc_edge *from = edge;
    while (from->occurrence) /* all of a layer read what was there before it */
        from = &s->edges[from->before];
    if (s->columns[edge->group].home == LDPC_HOME_PRIVATE || s->edges[from->before].carried)
        NAME(n, "L%u", edge->group);
    else
        n = shared_name(s, edge->group, edge->shift);
    return n;
}

static void emit_var_msg(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    ldpc_writer *w = &e->w;
    uint32_t i = edge->index;
    ldpc_home home = s->columns[edge->group].home;
    if (home == LDPC_HOME_LEAF) {
        ldpc_write(w, "  u32 q%u=s[%u+t];\n", i, s->columns[edge->group].base);
        return;
    }
    if (home == LDPC_HOME_CHAIN) {
        name other = message_name(s, &s->edges[edge->next]);
        ldpc_write(w, "  u32 q%u=hadd(L%u,%s);\n", i, edge->group, other.text);
        return;
    }
    name message = message_name(s, edge), posterior = posterior_name(s, edge);
    ldpc_write(w, "  u32 l%u=%s;\n", i, posterior.text);
    if (s->i8) /* saturated: b = Q + 128 */
        ldpc_write(w, "  u32 b%u=hmin(hrelu(%s,0x%xu,l%u),0x%xu), q%u=hsub(b%u,0x%xu);\n", i, message.text,
                   H(-1), i, H(255), i, i, H(128));
    else
        ldpc_write(w, "  u32 q%u=hsub(l%u,%s);\n", i, i, message.text);
    if (edge->absent != LDPC_NO_LANE) /* larger than any other, so that it is no minimum */
        ldpc_write(w, "  if(t==%u) q%u=0x%xu;\n", edge->absent, i, H(2047));
}

static void emit_write_back(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    if (s->columns[edge->group].home == LDPC_HOME_PRIVATE || edge->carried) {
        ldpc_write(&e->w, "  L%u=v%u;\n", edge->group, edge->index);
    } else {
        name to = shared_name(s, edge->group, edge->shift);
        ldpc_write(&e->w, "  %s=v%u;\n", to.text, edge->index);
    }
}

static void emit_posterior(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    const ldpc_column *c = &s->columns[edge->group];
    uint32_t i = edge->index;
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) n%u=0x%xu;\n", edge->absent, i, H(s->packed ? 1152 : 0));
    if (c->home == LDPC_HOME_LEAF)
        ldpc_write(&e->w, "  %ss[%u+t]=hsub(hadd(q%u,n%u),0x%xu);\n", s->early_stop ? "" : "if(last) ",
                   c->base + s->code->z, i, i, H(s->packed ? 1152 : 0));
    if (c->home == LDPC_HOME_LEAF || c->home == LDPC_HOME_CHAIN || edge->occurrence)
        return;
    if (s->i8)
        ldpc_write(&e->w, "  u32 v%u=hmin(hrelu(n%u,0x%xu,b%u),0x%xu);\n", i, i, H(1), i, H(255));
    else
        ldpc_write(&e->w, "  u32 v%u=hadd(q%u,n%u);\n", i, i, i);
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) v%u=l%u;\n", edge->absent, i, i);
    emit_write_back(e, edge);
}

/* A column that stands in the layer again adds what its further messages have changed. */
static void emit_again(emitter *e, const ldpc_edge *edge)
{
    const ldpc_straight *s = e->s;
    name posterior = shared_name(s, edge->group, edge->shift), old = message_name(s, edge);
    uint32_t i = edge->index;
    ldpc_write(&e->w, "  u32 v%u=%s;\n", i, posterior.text);
    if (edge->absent != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t!=%u)", edge->absent);
    if (s->i8)
        ldpc_write(&e->w, "  v%u=hmin(hrelu(hsub(n%u,%s),0x%xu,v%u),0x%xu);\n", i, i, old.text, H(1), i,
                   H(255));
    else
        ldpc_write(&e->w, "  v%u=hadd(v%u,hsub(n%u,%s));\n", i, i, i, old.text);
    ldpc_write(&e->w, "  %s=v%u;\n", posterior.text, i);
}

static void emit_keep_messages(emitter *e, const ldpc_edge *edges, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = 0; i < degree; i++) {
        if (!edges[i].stored || edges[i].half)
            continue;
        name word = word_name(s, edges[i].word);
        uint32_t second = i;
        for (uint32_t j = i + 1; j < degree && s->packed; j++)
            if (edges[j].stored && edges[j].word == edges[i].word)
                second = j;
        if (s->packed)
            ldpc_write(&e->w, "  %s=hpack(n%u,n%u);\n", word.text, i, second);
        else
            ldpc_write(&e->w, "  %s=n%u;\n", word.text, i);
    }
}

static void emit_layer(emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    const ldpc_edge *edges = s->edges + s->code->layer_start[layer];
    uint32_t degree = s->code->layer_start[layer + 1] - s->code->layer_start[layer], most = 0;
    ldpc_write(&e->w, " { // layer %u\n", layer);
    for (uint32_t i = 0; i < degree; i++) {
        emit_var_msg(e, &edges[i]);
        most = edges[i].occurrence > most ? edges[i].occurrence : most;
    }
    emit_check_node(e, degree);
    if (most) /* other threads read the same lanes */
        ldpc_write(&e->w, "  __syncthreads();\n");
    for (uint32_t i = 0; i < degree; i++)
        emit_posterior(e, &edges[i]);
    for (uint32_t again = 1; again <= most; again++) {
        ldpc_write(&e->w, "  __syncthreads();\n");
        for (uint32_t i = 0; i < degree; i++)
            if (edges[i].occurrence == again)
                emit_again(e, &edges[i]);
    }
    emit_keep_messages(e, edges, degree);
    ldpc_write(&e->w, " }\n%s", s->barrier[layer] ? " __syncthreads();\n" : "");
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

/* Signs into registers and posteriors to the caller; then, as the memory may be used for it, bits into the
 * stage. */
static void emit_stage(emitter *e)
{
    const ldpc_straight *s = e->s;
    uint32_t groups = s->code->groups, z = s->code->z;
    for (uint32_t i = 0; i * 16 < groups; i++)
        ldpc_write(&e->w, " u32 h%u=0;\n", i);
    for (uint32_t g = 0; g < groups; g++) {
        name source = source_name(e, g);
        emit_value(e, g);
        ldpc_write(&e->w, " h%u|=(v&0x80008000u)>>%u; if(a.posterior){ at=%s; POSTERIOR }\n", g / 16,
                   15 - g % 16, source.text);
    }
    ldpc_write(&e->w, " __syncthreads();\n");
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t shift = s->columns[g].degree ? last_edge(s, g)->shift : 0;
        ldpc_write(&e->w, " i=LANE(%u)+%u; st[i]=h%u>>%u&1; st[%zu+i]=h%u>>%u&1;\n", shift, g * z, g / 16,
                   g % 16, s->stage_bytes, g / 16, 16 + g % 16);
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

static void emit_put(emitter *e, const char *what, const char *count, const uint32_t *at, uint32_t n)
{
    bool run = is_run(at, n);
    ldpc_write(&e->w, " if(a.%s) for(u32 w=0;w<2;w++) if(ok>>w&1) ldpc_put_bits(st+w*%zu,", what,
               e->s->stage_bytes);
    if (run)
        ldpc_write(&e->w, "nullptr,%u", at[0]);
    else
        ldpc_write(&e->w, "a.%s_at,0", what);
    ldpc_write(&e->w, ",%s,a.%s+(size_t)(w?c1:c0)*((%s+7)/8),t,%u);\n", count, what, count, e->s->code->z);
}

/* The words of the pair that are set in ok. */
static void emit_store(emitter *e)
{
    const ldpc_code *code = e->s->code;
    emit_stage(e);
    emit_put(e, "message", "a.k", e->places->message_at, code->k);
    emit_put(e, "codeword", "a.n", e->places->codeword_at, code->n);
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
        ldpc_write(&e->w, " c+=x;\n");
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
               "#define LANE(shift) (t+(shift)>=%u?t+(shift)-%u:t+(shift))\n"
               "#define BITS(c,shift) (st[(c)+LANE(shift)]|(u32)st[%zu+(c)+LANE(shift)]<<16)\n"
               "#define POSTERIOR if(at>=0){ if(ok&1) a.posterior[(size_t)c0*a.n+at]=(short)hlow(v); "
               "if(ok&2) a.posterior[(size_t)c1*a.n+at]=(short)hhigh(v); }\n"
               "extern \"C\" __global__ void __launch_bounds__(%u,%u) ldpc_decode(const __grid_constant__ "
               "ldpc_args a)\n{\n"
               " extern __shared__ u32 sm[];\n u32 tid=threadIdx.x; if(tid>=%u) return;\n"
               " const u32 g=tid/%u, t=tid-g*%u; u32*s=sm+g*%u, *ms=sm+%u+tid; u8*st=(u8*)sm+%zu+g*%zu; "
               "u32*fl=(u32*)((u8*)sm+%zu)+g;\n"
               " u32 w0=2*(blockIdx.x*%u+g), c0=min(w0,a.words-1), c1=min(w0+1,a.words-1);\n"
               " const s8*la=a.llr+(size_t)c0*a.n, *lb=a.llr+(size_t)c1*a.n;\n"
               " u32 active=(w0<a.words?1:0)|(w0+1<a.words?2:0);\n",
               ldpc_cuda_text_args, ldpc_cuda_text_half, ldpc_cuda_text_lanes, z, z, z, s->stage_bytes,
               s->threads, s->min_blocks, nt, z, z, s->group_words, s->group_words * s->groups, s->stage_at,
               2 * s->stage_bytes, s->flags_at, s->groups);
}

char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_places *places)
{
    emitter e = {.s = s, .places = places};
    emit_head(&e);
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
