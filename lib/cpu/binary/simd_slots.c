/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots of blocks (simd_map.h). */
#include <assert.h>

#include "cpu/binary/simd_builder.h"

#define MOST_TRIED 256

static void order_layer(ldpc_map_builder *m, uint32_t l)
{
    const ldpc_code *code = m->code;
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], at = first;
    for (int repeats = 0; repeats < 2; repeats++) {
        for (uint32_t b = first; b < end; b++) {
            bool again = !m->map->flooding && code->blocks[b].occurrence > 0;
            if (again == (repeats == 1))
                m->placed[at++] = (ldpc_placed_block){.block = &m->blocks[b]};
        }
        if (!repeats)
            m->owners[l] = at - first;
    }
}

static void find_repeats(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    uint32_t *later = m->current; /* reused */
    for (uint32_t g = 0; g < code->groups; g++)
        later[g] = LDPC_NO_BLOCK;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l + 1]; b-- > code->layer_start[l];) {
            const uint32_t g = code->blocks[b].group;
            m->again[b] = later[g];
            later[g] = code->blocks[b].occurrence > 0 ? b : LDPC_NO_BLOCK;
        }
}

/* Two iterations, backwards. */
static void find_readers(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    uint32_t *reader = m->current, *first_read = m->shift;
    for (uint32_t g = 0; g < code->groups; g++)
        m->last_layer[g] = reader[g] = LDPC_NO_LAYER;
    for (int iteration = 2; iteration-- > 0;) {
        for (uint32_t l = code->layers; l-- > 0;) {
            uint32_t first = code->layer_start[l];
            for (uint32_t b = first; b < first + m->owners[l]; b++) {
                m->placed[b].reader = reader[m->placed[b].block->group];
                m->placed[b].first_read = first_read[m->placed[b].block->group];
            }
            for (uint32_t b = first; b < first + m->owners[l]; b++) {
                uint32_t g = m->placed[b].block->group;
                reader[g] = l + (uint32_t)iteration * code->layers;
                first_read[g] = (uint32_t)(m->placed[b].block - m->blocks);
                if (m->last_layer[g] == LDPC_NO_LAYER)
                    m->last_layer[g] = l;
            }
        }
    }
}

static bool slot_lasts(const ldpc_map_builder *m, uint32_t slot, uint32_t reader)
{
    return slot >= m->code->groups || m->last_layer[slot] == LDPC_NO_LAYER || m->last_layer[slot] > reader;
}

/* ---- free slots: a doubly linked list from newest to oldest */

static bool is_free(const ldpc_map_builder *m, uint32_t slot)
{
    return m->newer[slot] != LDPC_NO_SLOT || m->newest_free == slot;
}

static void free_slot(ldpc_map_builder *m, uint32_t slot)
{
    assert(!is_free(m, slot));
    m->older[slot] = m->newest_free;
    if (m->newest_free != LDPC_NO_SLOT)
        m->newer[m->newest_free] = slot;
    m->newest_free = slot;
}

static void remove_free_slot(ldpc_map_builder *m, uint32_t slot)
{
    const uint32_t older = m->older[slot], newer = m->newer[slot];
    m->newer[slot] = LDPC_NO_SLOT;
    if (older != LDPC_NO_SLOT)
        m->newer[older] = newer;
    if (newer != LDPC_NO_SLOT)
        m->older[newer] = older;
    else
        m->newest_free = older;
}

static uint32_t take_slot(ldpc_map_builder *m, uint32_t reader)
{
    uint32_t slot = m->newest_free;
    for (int i = 0; i < MOST_TRIED && slot != LDPC_NO_SLOT; i++, slot = m->older[slot])
        if (slot_lasts(m, slot, reader)) {
            remove_free_slot(m, slot);
            return slot;
        }
    m->newer[m->slots] = LDPC_NO_SLOT;
    return m->slots++;
}

static uint32_t choose_target(ldpc_map_builder *m, uint32_t l, uint32_t b)
{
    uint32_t g = m->placed[b].block->group, now = m->current[g];
    if (m->code->z == 1)
        return g;
    bool repeated = m->again[m->placed[b].block - m->blocks] != LDPC_NO_BLOCK;
    bool in_place = !repeated && m->shift[g] == m->placed[b].block->shift;
    if (m->last_layer[g] == l && !(repeated && now == g)) {
        if (is_free(m, g))
            remove_free_slot(m, g);
        return g;
    }
    if (m->last_layer[g] == l)
        return take_slot(m, l);
    if (in_place && slot_lasts(m, now, m->placed[b].reader))
        return now;
    return take_slot(m, m->placed[b].reader);
}

void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l)
{
    const ldpc_code *code = m->code;
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], owners = first + m->owners[l];
    for (uint32_t b = first; b < end; b++)
        m->placed[b].source = m->current[m->placed[b].block->group];
    for (uint32_t b = first; b < owners; b++)
        m->placed[b].target = choose_target(m, l, b);
    for (uint32_t b = first; b < owners; b++) {
        uint32_t g = m->placed[b].block->group, old = m->current[g];
        m->shift[g] = m->placed[b].block->shift;
        m->current[g] = m->last_layer[g] == l ? g : m->placed[b].target;
        if (m->placed[b].target != m->current[g])
            free_slot(m, m->placed[b].target);
        bool home_again =
            old < code->groups && m->last_layer[old] != LDPC_NO_LAYER && m->last_layer[old] <= l;
        if (old != m->current[g] && !home_again)
            free_slot(m, old);
    }
}

void ldpc_builder_place_messages(ldpc_map_builder *m)
{
    for (uint32_t b = 0; b < m->code->layer_start[m->code->layers]; b++) {
        m->placed[b].source = m->placed[b].block->group;
        m->placed[b].target = b;
    }
}

void ldpc_builder_start_at_home(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    for (uint32_t g = 0; g < code->groups; g++) {
        m->current[g] = g;
        m->shift[g] = 0;
        m->newer[g] = LDPC_NO_SLOT;
    }
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l] + m->owners[l]; b++)
            m->shift[m->placed[b].block->group] = m->placed[b].block->shift;
}

void ldpc_builder_order_blocks(ldpc_map_builder *m)
{
    for (uint32_t l = 0; l < m->code->layers; l++)
        order_layer(m, l);
    find_repeats(m);
    find_readers(m);
}
