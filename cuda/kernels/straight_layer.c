/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements of a layer of the kernel "straight" (straight.h). */
#include "cuda/kernels/straight_text.h"

static ldpc_name posterior_name(const ldpc_straight *s, const ldpc_straight_edge *edge)
{
    ldpc_name n;
    const ldpc_straight_edge *from = edge;
    while (from->occurrence)
        from = &s->edges[from->before];
    from = &s->edges[from->before];
    if (s->columns[edge->group].storage == LDPC_STORAGE_REGISTER || from->carried)
        NAME(n, "L%u", edge->group);
    else
        n = ldpc_straight_stored(s, from, edge->shift);
    return n;
}

/* Q + soft_offset; in i8 Q + 128, saturated */
static ldpc_name var_msg_name(const ldpc_straight *s, const ldpc_straight_edge *edge, const char *posterior)
{
    ldpc_name n, message = ldpc_straight_old(s, edge);
    ldpc_straight_storage storage = s->columns[edge->group].storage;
    if (storage == LDPC_STORAGE_LEAF) {
        NAME(n, "p[%u]", s->columns[edge->group].base);
    } else if (storage == LDPC_STORAGE_INPUT) {
        NAME(n, "v"); /* set by emit_input() */
    } else if (storage == LDPC_STORAGE_TWO_EDGES) {
        message = ldpc_straight_old(s, &s->edges[edge->next]);
        NAME(n, "hadd(L%u,%.60s)", edge->group, message.text);
    } else if (s->i8) {
        NAME(n, "var_msg_i8(%.30s,%.60s)", posterior, message.text);
    } else {
        NAME(n, "hsub(%.30s,%.60s)", posterior, message.text);
    }
    return n;
}

static bool loaded_first(const ldpc_straight *s, const ldpc_straight_edge *edge)
{
    return s->most_deferred && edge->layer && !edge->early && edge->missing_lane == LDPC_NO_LANE &&
           s->columns[edge->group].storage == LDPC_STORAGE_SHARED;
}

static void emit_input(ldpc_emitter *e, const ldpc_straight_edge *edge)
{
    if (e->s->columns[edge->group].storage == LDPC_STORAGE_INPUT)
        ldpc_straight_channel(e, edge->group, edge->shift, e->s->soft_offset);
}

static void emit_loads(ldpc_emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++)
        if (loaded_first(s, &s->edges[i])) {
            ldpc_name posterior = posterior_name(s, &s->edges[i]);
            ldpc_write(&e->w, "  u32 g%u=%s;\n", i, posterior.text);
        }
}

static void emit_var_msg(ldpc_emitter *e, const ldpc_straight_edge *edge)
{
    const ldpc_straight *s = e->s;
    ldpc_writer *w = &e->w;
    uint32_t i = edge->index;
    size_t number = (size_t)(edge - s->edges);
    ldpc_name posterior = posterior_name(s, edge), var_msg;
    if (edge->early) {
        ldpc_write(w, s->i8 ? "  u32 q%u=f%zu, b%u=fb%zu;\n" : "  u32 q%u=f%zu;\n", i, number, i, number);
        return;
    }
    if (loaded_first(s, edge))
        NAME(posterior, "g%zu", number);
    if (edge->missing_lane != LDPC_NO_LANE) {
        ldpc_write(w, "  u32 l%u=%s;\n", i, posterior.text);
        NAME(posterior, "l%u", i);
    }
    var_msg = var_msg_name(s, edge, posterior.text);
    emit_input(e, edge);
    if (s->i8)
        ldpc_write(w, "  u32 b%u=%s, q%u=hsub(b%u,BOTH(%d));\n", i, var_msg.text, i, i, 128 - s->soft_offset);
    else
        ldpc_write(w, "  u32 q%u=%s;\n", i, var_msg.text);
    if (edge->missing_lane != LDPC_NO_LANE)
        ldpc_write(w, "  if(t==%u) q%u=BOTH(%d);\n", edge->missing_lane, i, ldpc_half_no_other(s->i8));
}

static void emit_early_names(ldpc_emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    if (layer == s->code->layers)
        return;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++)
        if (s->edges[i].early)
            ldpc_write(&e->w, s->i8 ? " u32 f%u, fb%u;" : " u32 f%u;", i, i);
    ldpc_write(&e->w, " u32 early1_%u, early2_%u;", layer, layer);
    if (s->rule.reads_third)
        ldpc_write(&e->w, " u32 early3_%u;", layer);
    ldpc_write(&e->w, "\n");
}

static void emit_early(ldpc_emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    if (layer == s->code->layers)
        return;
    for (uint32_t i = s->code->layer_start[layer]; i < s->code->layer_start[layer + 1]; i++) {
        const ldpc_straight_edge *edge = &s->edges[i];
        ldpc_name posterior = posterior_name(s, edge), var_msg = var_msg_name(s, edge, posterior.text);
        if (edge->early)
            emit_input(e, edge);
        if (edge->early && s->i8)
            ldpc_write(&e->w, "  fb%u=%s; f%u=hsub(fb%u,BOTH(%d));\n", i, var_msg.text, i, i,
                       128 - s->soft_offset);
        else if (edge->early)
            ldpc_write(&e->w, "  f%u=%s;\n", i, var_msg.text);
    }
    if (!s->extrinsic)
        ldpc_straight_begin_check(&e->w, s, layer);
}

static void emit_leaf(ldpc_emitter *e, const ldpc_straight_edge *edge, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    ldpc_name q, place = ldpc_straight_leaf(s, edge->group);
    NAME(q, "q%u", edge->index);
    ldpc_write(&e->w, " %s{\n", s->early_stop ? "" : "if(last)");
    ldpc_straight_message(&e->w, s, degree, edge->index, q.text);
    if (s->columns[edge->group].storage == LDPC_STORAGE_INPUT) {
        NAME(q, "n%u", edge->index);
        ldpc_straight_finish_input(e, edge->group, edge->shift, q.text);
        ldpc_write(&e->w, " }\n");
    } else {
        ldpc_write(&e->w, "  %s=n%u;\n }\n", place.text, edge->index);
    }
}

static void emit_posterior(ldpc_emitter *e, const ldpc_straight_edge *edge, uint32_t degree)
{
    const ldpc_straight *s = e->s;
    const ldpc_straight_column *c = &s->columns[edge->group];
    uint32_t i = edge->index;
    if (c->storage == LDPC_STORAGE_LEAF || c->storage == LDPC_STORAGE_INPUT) {
        emit_leaf(e, edge, degree);
        return;
    }
    ldpc_name bias;
    NAME(bias, "BOTH(%d)", s->message_bias);
    ldpc_straight_message(&e->w, s, degree, i, s->packed ? bias.text : NULL);
    if (edge->missing_lane != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) n%u=BOTH(%d);\n", edge->missing_lane, i, s->message_bias);
    if (c->storage == LDPC_STORAGE_TWO_EDGES || edge->occurrence)
        return;
    if (s->i8 && s->packed)
        ldpc_write(&e->w, "  u32 v%u=posterior_i8(hadd(b%u,n%u));\n", i, i, i);
    else if (s->i8)
        ldpc_write(&e->w, "  u32 v%u=sum_i8(b%u,n%u);\n", i, i, i);
    else
        ldpc_write(&e->w, "  u32 v%u=hadd(q%u,n%u);\n", i, i, i);
    if (edge->missing_lane != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t==%u) v%u=l%u;\n", edge->missing_lane, i, i);
    ldpc_name value;
    NAME(value, "v%u", i);
    ldpc_straight_store(e, edge, value.text);
}

static void emit_again(ldpc_emitter *e, const ldpc_straight_edge *edge)
{
    const ldpc_straight *s = e->s;
    ldpc_name posterior = ldpc_straight_stored(s, &s->edges[edge->before], edge->shift),
              old = ldpc_straight_old(s, edge), value;
    uint32_t i = edge->index;
    ldpc_write(&e->w, "  u32 v%u=%s;\n", i, posterior.text);
    if (edge->missing_lane != LDPC_NO_LANE)
        ldpc_write(&e->w, "  if(t!=%u)", edge->missing_lane);
    if (s->i8 && s->packed)
        ldpc_write(&e->w, "  v%u=posterior_i8(hadd(v%u,hsub(n%u,%s)));\n", i, i, i, old.text);
    else if (s->i8)
        ldpc_write(&e->w, "  v%u=sum_i8(v%u,hsub(n%u,%s));\n", i, i, i, old.text);
    else
        ldpc_write(&e->w, "  v%u=hadd(v%u,hsub(n%u,%s));\n", i, i, i, old.text);
    NAME(value, "v%u", i);
    ldpc_straight_store(e, edge, value.text);
}

static uint32_t pack_mate(const ldpc_straight *s, const ldpc_straight_edge *edges, uint32_t degree,
                          uint32_t i)
{
    uint32_t mate = i;
    for (uint32_t j = 0; j < degree && s->packed; j++)
        if (j != i && edges[j].has_message && edges[j].pack == edges[i].pack)
            mate = j;
    return mate;
}

static void emit_keep_messages(ldpc_emitter *e, const ldpc_straight_edge *edges, uint32_t degree,
                               bool deferred)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = 0; i < degree; i++) {
        uint32_t second = pack_mate(s, edges, degree, i);
        if (!edges[i].has_message || edges[i].half ||
            (edges[i].deferred || edges[second].deferred) != deferred)
            continue;
        ldpc_name pack = ldpc_straight_pack(s, edges[i].pack);
        if (s->packed)
            ldpc_write(&e->w, "  %s=pack_messages(n%u,n%u);\n", pack.text, i, second);
        else
            ldpc_write(&e->w, "  %s=n%u;\n", pack.text, i);
    }
}

/* ---- deferred edges use copies of the layer's values, named <name>_<layer> */

static const char *const value_names[] = {"min1_plus_1", "holder_delta", "msg_others", "sign"};

static bool any_deferred(const ldpc_straight_edge *edges, uint32_t degree)
{
    for (uint32_t i = 0; i < degree; i++)
        if (edges[i].deferred)
            return true;
    return false;
}

static void emit_edge_names(ldpc_emitter *e, const ldpc_straight_edge *edges, uint32_t degree,
                            const char *form)
{
    const ldpc_straight *s = e->s;
    for (uint32_t i = 0; i < degree; i++) {
        size_t number = (size_t)(&edges[i] - s->edges);
        if (edges[i].deferred)
            ldpc_write(&e->w, form, "q", number, "q", i);
        if (edges[i].deferred && s->i8)
            ldpc_write(&e->w, form, "b", number, "b", i);
        if (!edges[i].deferred && edges[i].has_message && edges[pack_mate(s, edges, degree, i)].deferred)
            ldpc_write(&e->w, form, "n", number, "n", i);
    }
}

static void emit_deferred_names(ldpc_emitter *e, uint32_t layer, const ldpc_straight_edge *edges,
                                uint32_t degree)
{
    if (!any_deferred(edges, degree))
        return;
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, " u32 %s_%u;", value_names[i], layer);
    emit_edge_names(e, edges, degree, " u32 k%s%zu;");
    ldpc_write(&e->w, "\n");
}

static void emit_save_deferred(ldpc_emitter *e, uint32_t layer, const ldpc_straight_edge *edges,
                               uint32_t degree)
{
    if (!any_deferred(edges, degree))
        return;
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, "  %s_%u=%s;", value_names[i], layer, value_names[i]);
    emit_edge_names(e, edges, degree, " k%s%zu=%s%u;");
    ldpc_write(&e->w, "\n");
}

static void emit_deferred(ldpc_emitter *e, uint32_t layer, const ldpc_straight_edge *edges, uint32_t degree)
{
    if (!any_deferred(edges, degree))
        return;
    ldpc_write(&e->w, " {\n");
    for (size_t i = 0; i < 3 + (size_t)e->s->packed; i++)
        ldpc_write(&e->w, "  u32 %s=%s_%u;", value_names[i], value_names[i], layer);
    for (uint32_t i = 0; i < degree; i++) {
        size_t number = (size_t)(&edges[i] - e->s->edges);
        if (edges[i].deferred)
            ldpc_write(&e->w, e->s->i8 ? " u32 q%u=kq%zu, b%u=kb%zu;" : " u32 q%u=kq%zu;", i, number, i,
                       number);
        else if (edges[i].has_message && edges[pack_mate(e->s, edges, degree, i)].deferred)
            ldpc_write(&e->w, " u32 n%u=kn%zu;", i, number);
    }
    ldpc_write(&e->w, "\n");
    for (uint32_t i = 0; i < degree; i++)
        if (edges[i].deferred)
            emit_posterior(e, &edges[i], degree);
    emit_keep_messages(e, edges, degree, true);
    ldpc_write(&e->w, " }\n");
}

void ldpc_straight_layer(ldpc_emitter *e, uint32_t layer)
{
    const ldpc_straight *s = e->s;
    const ldpc_straight_edge *edges = s->edges + s->code->layer_start[layer];
    uint32_t degree = s->code->layer_start[layer + 1] - s->code->layer_start[layer], most = 0;
    emit_early_names(e, layer + 1);
    emit_deferred_names(e, layer, edges, degree);
    ldpc_write(&e->w, " { // layer %u\n", layer);
    for (uint32_t i = 0; i < degree; i++) {
        emit_var_msg(e, &edges[i]);
        most = edges[i].occurrence > most ? edges[i].occurrence : most;
    }
    ldpc_straight_check(&e->w, s, layer);
    emit_early(e, layer + 1);
    if (most && !s->frames)
        ldpc_write(&e->w, "  __syncthreads();\n");
    for (uint32_t i = 0; i < degree; i++)
        if (!edges[i].deferred)
            emit_posterior(e, &edges[i], degree);
    for (uint32_t again = 1; again <= most; again++) {
        ldpc_write(&e->w, "  __syncthreads();\n");
        for (uint32_t i = 0; i < degree; i++)
            if (edges[i].occurrence == again)
                emit_again(e, &edges[i]);
    }
    emit_keep_messages(e, edges, degree, false);
    emit_save_deferred(e, layer, edges, degree);
    ldpc_write(&e->w, " }\n%s", s->barrier[layer] ? " __syncthreads();\n" : "");
    if (layer + 1 < s->code->layers)
        emit_loads(e, layer + 1);
    emit_deferred(e, layer, edges, degree);
}
