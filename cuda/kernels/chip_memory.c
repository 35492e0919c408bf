/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory layout of the kernel "chip" (chip.h). */
#include "cuda/kernels/chip.h"

enum {
    MOST_AHEAD = 4,
    PASSES_AHEAD = 4,
};

static uint32_t packs_of(const ldpc_chip_pass *pass)
{
    return (pass->degree + 1) / 2 + (pass->twin_degree + 1) / 2;
}

static uint32_t listed_entries(const ldpc_chip_pass *pass)
{
    return (pass->degree - pass->leaf + 3) / 4;
}

static void place_messages(ldpc_chip *c, size_t available)
{
    uint32_t most = (uint32_t)((available - 4 * (size_t)c->places * c->pairs) / (4 * (size_t)c->threads));
    for (uint32_t degree = c->most_degree, used = 0; degree > 0; degree--)
        for (ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++)
            if (pass->degree == degree && used + packs_of(pass) <= most) {
                pass->shared_messages = true;
                used += packs_of(pass);
            }
    for (ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++) {
        uint32_t *packs = pass->shared_messages ? &c->shared_packs : &c->global_packs;
        pass->packs = *packs;
        *packs += packs_of(pass);
    }
}

static uint32_t edge_entries(const ldpc_chip_pass *pass)
{
    return pass->degree - pass->leaf + pass->missing_edge + (pass->twin_degree ? pass->twin_degree - 1 : 0);
}

static void place_edges(ldpc_chip *c)
{
    uint32_t edges = 0;
    for (ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++) {
        pass->at = c->circulants ? edges : c->listed * c->pass_checks;
        edges += edge_entries(pass);
        c->listed += c->circulants ? 0 : listed_entries(pass);
        pass->plane = pass->leaf ? c->planes : CHIP_NONE;
        c->planes += pass->leaf + (pass->twin_degree > 0);
    }
}

static uint32_t packs_ahead(const ldpc_chip *c, bool twins)
{
    uint32_t most = 1, limit = twins ? 2 * MOST_AHEAD : MOST_AHEAD;
    for (const ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++)
        if (!pass->shared_messages && (pass->twin_degree > 0) == twins && packs_of(pass) <= limit &&
            packs_of(pass) > most)
            most = packs_of(pass);
    return most;
}

static uint32_t listed_ahead(const ldpc_chip *c)
{
    uint32_t most = 1;
    for (const ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++)
        if (listed_entries(pass) <= MOST_AHEAD && listed_entries(pass) > most)
            most = listed_entries(pass);
    return most;
}

static void look_ahead(ldpc_chip *c)
{
    c->places_ahead = c->circulants ? 0 : 2 * listed_ahead(c);
    if (!c->global_packs)
        return;
    c->messages_ahead = packs_ahead(c, false);
    c->twins_messages_ahead = packs_ahead(c, true);
    for (ldpc_chip_pass *pass = c->passes; pass < c->passes + c->n_passes; pass++)
        pass->ahead =
            pass->shared_messages ? 0 : (pass->packs + PASSES_AHEAD * c->messages_ahead) % c->global_packs;
}

size_t ldpc_chip_leaves_at(const ldpc_chip *c)
{
    return (2 * (size_t)c->listed + c->places_ahead) * c->pass_checks;
}

size_t ldpc_chip_locations_at(const ldpc_chip *c)
{
    return ldpc_chip_leaves_at(c) + (size_t)c->planes * c->pass_checks;
}

uint32_t ldpc_chip_planes_at(const ldpc_chip *c)
{
    uint32_t most = c->global_packs > c->shared_packs ? c->global_packs : c->shared_packs;
    return most + LDPC_CHIP_MAX_DEGREE;
}

uint32_t ldpc_chip_scratch_u32(const ldpc_chip *c)
{
    return ldpc_chip_planes_at(c) + c->planes;
}

static bool same_kind(const ldpc_chip_pass *a, const ldpc_chip_pass *b)
{
    return a->degree == b->degree && a->leaf == b->leaf && a->shared_messages == b->shared_messages &&
           a->missing_edge == b->missing_edge && a->twin_degree == b->twin_degree;
}

static bool number_kinds(ldpc_chip *c)
{
    for (uint32_t i = 0; i < c->n_passes; i++) {
        ldpc_chip_pass *pass = &c->passes[i];
        for (pass->kind = 0; pass->kind < c->kinds && !same_kind(&c->passes[c->kind[pass->kind]], pass);)
            pass->kind++;
        if (pass->kind == LDPC_CHIP_MAX_KINDS)
            return false;
        if (pass->kind == c->kinds)
            c->kind[c->kinds++] = i;
    }
    return true;
}

bool ldpc_chip_place_messages(ldpc_chip *c, size_t shared_bytes)
{
    place_messages(c, shared_bytes);
    place_edges(c);
    look_ahead(c);
    return number_kinds(c);
}
