/* SPDX-License-Identifier: BSD-3-Clause */
/* Which slot each block of a memory map reads and writes (layered_map.h). */
#include <string.h>

#include "cpu/binary/layered_builder.h"

/* Owners first, then the repeated blocks, each in table order. In flooding every block owns a row of
 * messages.
 */
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

/* The layer that reads each group after each of its owners: walks backwards over two iterations. */
static void find_readers(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    uint32_t *reader = m->current; /* not in use before slots are chosen */
    for (uint32_t g = 0; g < code->groups; g++)
        m->last_layer[g] = reader[g] = LDPC_NO_LAYER;
    for (int iteration = 2; iteration-- > 0;) {
        for (uint32_t l = code->layers; l-- > 0;) {
            uint32_t first = code->layer_start[l];
            for (uint32_t b = first; b < first + m->owners[l]; b++)
                m->placed[b].reader = reader[m->placed[b].block->group];
            for (uint32_t b = first; b < first + m->owners[l]; b++) {
                uint32_t g = m->placed[b].block->group;
                reader[g] = l + (uint32_t)iteration * code->layers;
                if (m->last_layer[g] == LDPC_NO_LAYER)
                    m->last_layer[g] = l;
            }
        }
    }
}

static bool has_repeats(const ldpc_map_builder *m, uint32_t l, uint32_t group)
{
    for (uint32_t b = m->code->layer_start[l] + m->owners[l]; b < m->code->layer_start[l + 1]; b++)
        if (m->placed[b].block->group == group)
            return true;
    return false;
}

/* May a group be in `slot` until layer `reader` reads it? Slot g is the home slot of group g, which returns
 * there in its last layer. */
static bool slot_lasts(const ldpc_map_builder *m, uint32_t slot, uint32_t reader)
{
    return slot >= m->code->groups || m->last_layer[slot] == LDPC_NO_LAYER || m->last_layer[slot] > reader;
}

/* The most recently freed slot in which a group may be until layer `reader`, or a new one. */
static uint32_t take_slot(ldpc_map_builder *m, uint32_t reader)
{
    for (uint32_t i = m->n_free; i-- > 0;) {
        uint32_t slot = m->free_slots[i];
        if (!slot_lasts(m, slot, reader))
            continue;
        memmove(m->free_slots + i, m->free_slots + i + 1, (--m->n_free - i) * sizeof *m->free_slots);
        return slot;
    }
    return m->slots++;
}

/* For a slot that is used without take_slot(). */
static void remove_free_slot(ldpc_map_builder *m, uint32_t slot)
{
    for (uint32_t i = 0; i < m->n_free; i++)
        if (m->free_slots[i] == slot) {
            memmove(m->free_slots + i, m->free_slots + i + 1, (--m->n_free - i) * sizeof *m->free_slots);
            return;
        }
}

/* The slot that the layer writes an owner's group to. In place only where the block reads without rotation
 * and no repeated block reads other lanes. With z = 1 every group stays in its home slot: rotations are 0,
 * and such codes may have very many groups. */
static uint32_t choose_target(ldpc_map_builder *m, uint32_t l, uint32_t b)
{
    uint32_t g = m->placed[b].block->group, now = m->current[g];
    if (m->code->z == 1)
        return g;
    bool repeated = has_repeats(m, l, g);
    bool in_place = !repeated && m->shift[g] == m->placed[b].block->shift;
    if (m->last_layer[g] == l && !(repeated && now == g)) {
        remove_free_slot(m, g);
        return g;
    }
    if (m->last_layer[g] ==
        l) /* the group's only layer: the last addition of a difference writes the home slot */
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
            m->free_slots[m->n_free++] = m->placed[b].target;
        bool home_again =
            old < code->groups && m->last_layer[old] != LDPC_NO_LAYER && m->last_layer[old] <= l;
        if (old != m->current[g] && !home_again)
            m->free_slots[m->n_free++] = old;
    }
}

void ldpc_builder_place_messages(ldpc_map_builder *m)
{
    for (uint32_t b = 0; b < m->code->layer_start[m->code->layers]; b++) {
        m->placed[b].source = m->placed[b].block->group;
        m->placed[b].target = b;
    }
}

/* Over all layers, the last owner's shift remains. */
void ldpc_builder_start_at_home(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    for (uint32_t g = 0; g < code->groups; g++) {
        m->current[g] = g;
        m->shift[g] = 0;
    }
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l] + m->owners[l]; b++)
            m->shift[m->placed[b].block->group] = m->placed[b].block->shift;
}

void ldpc_builder_order_blocks(ldpc_map_builder *m)
{
    for (uint32_t l = 0; l < m->code->layers; l++)
        order_layer(m, l);
    find_readers(m);
}
