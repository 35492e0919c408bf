/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions for messages and posteriors in the source of the kernel "straight". */
#include "cuda/kernels/straight_text.h"

bool ldpc_straight_in_register(const ldpc_straight *s, uint32_t pack)
{
    return (pack + 1) * s->register_packs / s->packs != pack * s->register_packs / s->packs;
}

ldpc_name ldpc_straight_pack(const ldpc_straight *s, uint32_t pack)
{
    ldpc_name n;
    if (ldpc_straight_in_register(s, pack))
        NAME(n, "r%u", pack);
    else
        NAME(n, "ms[%u]", (pack - pack * s->register_packs / s->packs) * s->pairs * s->code->z);
    return n;
}

ldpc_name ldpc_straight_old(const ldpc_straight *s, const ldpc_straight_edge *edge)
{
    ldpc_name pack = ldpc_straight_pack(s, edge->pack), n;
    if (s->packed)
        NAME(n, "unpack_%s(%.100s,%s)", edge->half ? "second" : "first", pack.text,
             s->message_bias < 1024 ? "HIGH_512" : "HIGH_1024");
    else
        n = pack;
    return n;
}

const ldpc_straight_edge *ldpc_straight_first(const ldpc_straight *s, uint32_t group)
{
    return &s->edges[s->columns[group].first];
}

const ldpc_straight_edge *ldpc_straight_last(const ldpc_straight *s, uint32_t group)
{
    return &s->edges[ldpc_straight_first(s, group)->before];
}

ldpc_name ldpc_straight_lane_i(const ldpc_straight *s, uint32_t first)
{
    ldpc_name n;
    if (s->parts == 1)
        NAME(n, "%u+i", first);
    else
        NAME(n, "%u+%u*i", first, s->parts);
    return n;
}

static ldpc_name placed_name(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    ldpc_name n;
    if (shift == 0)
        NAME(n, "p[%u]", s->columns[group].base);
    else
        NAME(n, "AT(%u,%u)", s->columns[group].base, shift);
    return n;
}

ldpc_name ldpc_straight_stored(const ldpc_straight *s, const ldpc_straight_edge *from, uint32_t shift)
{
    uint32_t z = s->code->z, d = (shift + z - from->shift) % z;
    ldpc_name n;
    if (!s->frames)
        return placed_name(s, from->group, shift);
    if (d == 0 || from->above >= d)
        NAME(n, "p[%u]", from->frame + d);
    else if (from->below >= z - d)
        NAME(n, "p[%d]", (int)(from->frame + d) - (int)z);
    else
        NAME(n, "AT(%u,%u)", from->frame, d);
    return n;
}

ldpc_name ldpc_straight_leaf(const ldpc_straight *s, uint32_t group)
{
    ldpc_name n;
    NAME(n, "p[%u]", s->columns[group].base + (s->early_stop ? s->code->z : 0));
    return n;
}

static bool kept_in_register(const ldpc_straight *s, uint32_t group)
{
    return s->columns[group].storage == LDPC_STORAGE_REGISTER ||
           (s->columns[group].storage == LDPC_STORAGE_SHARED && s->columns[group].degree &&
            ldpc_straight_last(s, group)->carried);
}

bool ldpc_straight_is_framed(const ldpc_straight *s, uint32_t group)
{
    return s->frames && (s->columns[group].storage == LDPC_STORAGE_LEAF ||
                         (s->columns[group].storage == LDPC_STORAGE_SHARED && !kept_in_register(s, group)));
}

static ldpc_name biased_posterior(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    ldpc_name n;
    switch (s->columns[group].storage) {
    case LDPC_STORAGE_TWO_EDGES: {
        ldpc_name a = ldpc_straight_old(s, ldpc_straight_first(s, group)),
                  b = ldpc_straight_old(s, ldpc_straight_last(s, group));
        NAME(n, "hadd(hadd(L%u,%.60s),%.60s)", group, a.text, b.text);
        return n;
    }
    case LDPC_STORAGE_LEAF:
        return ldpc_straight_leaf(s, group);
    default:
        if (!s->columns[group].degree)
            return placed_name(s, group, shift);
        if (!kept_in_register(s, group))
            return ldpc_straight_stored(s, ldpc_straight_last(s, group), shift);
        NAME(n, "L%u", group);
        return n;
    }
}

ldpc_name ldpc_straight_posterior(const ldpc_straight *s, uint32_t group, uint32_t shift)
{
    int bias = s->columns[group].storage == LDPC_STORAGE_LEAF ? s->soft_offset : s->bias;
    ldpc_name value = biased_posterior(s, group, shift), n;
    if (bias == 0)
        return value;
    NAME(n, "hsub(%.140s,BOTH(%d))", value.text, bias);
    return n;
}

void ldpc_straight_store(ldpc_emitter *e, const ldpc_straight_edge *edge, const char *value)
{
    const ldpc_straight *s = e->s;
    uint32_t z = s->code->z;
    if (s->columns[edge->group].storage == LDPC_STORAGE_REGISTER || edge->carried) {
        ldpc_write(&e->w, "  L%u=%s;\n", edge->group, value);
        return;
    }
    ldpc_name to = ldpc_straight_stored(s, edge, edge->shift);
    ldpc_write(&e->w, "  %s=%s;", to.text, value);
    if (s->frames && edge->above)
        ldpc_write(&e->w, edge->above < z ? " if(t<%u) p[%u]=%s;" : "%.0u p[%u]=%s;",
                   edge->above < z ? edge->above : 0, edge->frame + z, value);
    if (s->frames && edge->below)
        ldpc_write(&e->w, edge->below < z ? " if(t>=%u) p[%d]=%s;" : "%.0u p[%d]=%s;", z - edge->below,
                   (int)edge->frame - (int)z, value);
    ldpc_write(&e->w, "\n");
}
