/* SPDX-License-Identifier: BSD-3-Clause */
/* Message offsets for flooding (simd_map.h). */
#include "cpu/binary/simd_builder.h"

static void order_groups(const ldpc_map_builder *m, uint32_t *number)
{
    const ldpc_code *code = m->code;
    ldpc_simd_map *map = m->map;
    uint32_t count = 0;
    for (uint32_t g = 0; g < code->groups; g++)
        number[g] = LDPC_NO_LAYER;
    for (uint32_t l = 0; l < code->layers; l++) {
        map->layers[l].group = map->group_memory + count;
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t g = code->blocks[b].group;
            if (m->last_layer[g] != l || number[g] != LDPC_NO_LAYER)
                continue;
            map->group_memory[count].home = map->home[g];
            map->layers[l].n_groups++;
            number[g] = count++;
        }
    }
}

static void write_reads(const ldpc_map_builder *m, uint32_t b, const ldpc_flooding_group *group, uint32_t e)
{
    const ldpc_simd_map *map = m->map;
    const ldpc_block *block = &m->blocks[b];
    uint32_t *from = map->from_memory + (group->from - map->from_memory) + e;
    uint32_t rotation = ldpc_builder_rotation_back(m, block, m->shift[block->group]);
    for (uint32_t j = 0; j < map->registers; j++, from += group->degree)
        *from = b * map->slot_bytes + ldpc_builder_read_offset(m, rotation, j);
}

void ldpc_builder_write_groups(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_simd_map *map = m->map;
    const uint32_t blocks = code->layer_start[code->layers];
    uint32_t *number = m->current, *written = m->older, *from = map->from_memory; /* two scratch arrays */
    order_groups(m, number);
    for (uint32_t b = 0; b < blocks; b++)
        map->group_memory[number[code->blocks[b].group]].degree++;
    for (uint32_t i = 0; i < code->groups; i++) {
        map->group_memory[i].from = from;
        from += (size_t)map->group_memory[i].degree * map->registers;
        written[i] = 0;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t i = number[code->blocks[b].group];
        write_reads(m, b, &map->group_memory[i], written[i]++);
    }
}
