/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of the layered SIMD kernels (layered.h): which slot each block reads and writes. */
#include "cpu/binary/layered.h"
#include "cpu/binary/layered_turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE UINT32_MAX

/* A block of the layer as the map orders them. */
typedef struct part {
    const ldpc_block *block;
    uint32_t source, target; /* slot numbers */
    uint32_t reader;         /* layer that reads the group next, `layers` or more: next iteration */
    bool mirrored;
} part;

typedef struct builder {
    const ldpc_code *code;
    ldpc_layered_map *map;
    ldpc_block *blocks;   /* the code's, with their layers turned */
    part *parts;          /* as code->blocks, but owners first within each layer */
    uint32_t *owners;     /* [layers] blocks that are the first of their group in the layer */
    uint32_t *last_layer; /* [groups] */
    uint32_t *current;    /* [groups] slot that holds the group now */
    uint32_t *shift;      /* [groups] rotation it is in */
    uint32_t *free_slots; /* a stack: the last one freed is the warmest */
    uint32_t n_free;
    uint32_t slots;
} builder;

static uint32_t layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* Is one of the blocks first .. end of a layer of this group, besides the one that asks? A row of a code
 * without structure has each column once, and may be very long. */
static bool group_stands_in(const ldpc_code *code, uint32_t first, uint32_t end, uint32_t group)
{
    for (uint32_t b = first; b < end && code->z > 1; b++)
        if (code->blocks[b].group == group)
            return true;
    return false;
}

/* Owners first, then the repeats, each in table order. In flooding every block writes, to its own row. */
static void order_layer(builder *m, uint32_t l)
{
    const ldpc_code *code = m->code;
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], at = first;
    for (int repeats = 0; repeats < 2; repeats++) {
        for (uint32_t b = first; b < end; b++) {
            bool again = !m->map->flooding && group_stands_in(code, first, b, code->blocks[b].group);
            if (again == (repeats == 1))
                m->parts[at++] = (part){.block = &m->blocks[b]};
        }
        if (!repeats)
            m->owners[l] = at - first;
    }
}

/* Walk backwards over two iterations: who reads a group after this layer? */
static void find_readers(builder *m)
{
    const ldpc_code *code = m->code;
    uint32_t *reader = m->current; /* borrowed until the slots are given out */
    for (uint32_t g = 0; g < code->groups; g++)
        m->last_layer[g] = reader[g] = NONE;
    for (int iteration = 2; iteration-- > 0;) {
        for (uint32_t l = code->layers; l-- > 0;) {
            uint32_t first = code->layer_start[l];
            for (uint32_t b = first; b < first + m->owners[l]; b++)
                m->parts[b].reader = reader[m->parts[b].block->group];
            for (uint32_t b = first; b < first + m->owners[l]; b++) {
                uint32_t g = m->parts[b].block->group;
                reader[g] = l + (uint32_t)iteration * code->layers;
                if (m->last_layer[g] == NONE)
                    m->last_layer[g] = l;
            }
        }
    }
}

static bool has_repeats(const builder *m, uint32_t l, uint32_t group)
{
    for (uint32_t b = m->code->layer_start[l] + m->owners[l]; b < m->code->layer_start[l + 1]; b++)
        if (m->parts[b].block->group == group)
            return true;
    return false;
}

/* May the group stay in `slot` until layer `reader` has read it? Slot g is home of group g: it must be back
 * there after its last layer. */
static bool slot_lasts(const builder *m, uint32_t slot, uint32_t reader)
{
    return slot >= m->code->groups || m->last_layer[slot] == NONE || m->last_layer[slot] > reader;
}

static uint32_t take_slot(builder *m, uint32_t reader)
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

static void forget_slot(builder *m, uint32_t slot)
{
    for (uint32_t i = 0; i < m->n_free; i++)
        if (m->free_slots[i] == slot) {
            memmove(m->free_slots + i, m->free_slots + i + 1, (--m->n_free - i) * sizeof *m->free_slots);
            return;
        }
}

/* Where the layer puts the group of an owner. In place is allowed only where nobody still reads other lanes;
 * groups of one lane stay at home: a code without structure may have very many. */
static uint32_t choose_target(builder *m, uint32_t l, uint32_t b)
{
    uint32_t g = m->parts[b].block->group, now = m->current[g];
    if (m->code->z == 1)
        return g;
    bool repeated = has_repeats(m, l, g);
    bool in_place = !repeated && m->shift[g] == m->parts[b].block->shift;
    if (m->last_layer[g] == l && !(repeated && now == g)) {
        forget_slot(m, g);
        return g;
    }
    if (m->last_layer[g] == l) /* only layer of the group: the repeats bring it home at once */
        return take_slot(m, l);
    if (in_place && slot_lasts(m, now, m->parts[b].reader))
        return now;
    return take_slot(m, m->parts[b].reader);
}

static void place_layer(builder *m, uint32_t l)
{
    const ldpc_code *code = m->code;
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1], owners = first + m->owners[l];
    for (uint32_t b = first; b < end; b++)
        m->parts[b].source = m->current[m->parts[b].block->group];
    for (uint32_t b = first; b < owners; b++)
        m->parts[b].target = choose_target(m, l, b);
    for (uint32_t b = first; b < owners; b++) {
        uint32_t g = m->parts[b].block->group, old = m->current[g];
        m->shift[g] = m->parts[b].block->shift;
        m->current[g] = m->last_layer[g] == l ? g : m->parts[b].target;
        if (m->parts[b].target != m->current[g])
            m->free_slots[m->n_free++] = m->parts[b].target;
        bool taken_home = old < code->groups && m->last_layer[old] != NONE && m->last_layer[old] <= l;
        if (old != m->current[g] && !taken_home)
            m->free_slots[m->n_free++] = old;
    }
}

/* Flooding: groups stay at home, messages have their rows in table order. */
static void place_messages(builder *m)
{
    for (uint32_t b = 0; b < m->code->layer_start[m->code->layers]; b++) {
        m->parts[b].source = m->parts[b].block->group;
        m->parts[b].target = b;
    }
}

static void start_at_home(builder *m)
{
    const ldpc_code *code = m->code;
    for (uint32_t g = 0; g < code->groups; g++) {
        m->current[g] = g;
        m->shift[g] = 0;
    }
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l] + m->owners[l]; b++)
            m->shift[m->parts[b].block->group] = m->parts[b].block->shift;
}

/* ------------------------------------------------------------------------------------------------ offsets */

static uint32_t lane_offset(const builder *m, uint32_t lane)
{
    return lane * m->map->words * m->map->lane_bytes;
}

/* The lane of a group that stands in `shift` which lane 0 of a block meets. */
static uint32_t rotation_of(const builder *m, const ldpc_block *block, uint32_t shift)
{
    return m->code->is_dyadic ? block->shift ^ shift : (block->shift + m->code->z - shift) % m->code->z;
}

/* Offset in its slot at which register j of a row rotated by `rotation` lanes begins. */
static uint32_t read_offset(const builder *m, uint32_t rotation, uint32_t j)
{
    const uint32_t first = lane_offset(m, rotation), more = j * m->map->register_bytes;
    return m->code->is_dyadic ? first ^ more : (first + more) % m->map->row_bytes;
}

/* Reading whole registers, so that those written are whole too. */
static bool reads_mirror(const builder *m, uint32_t rotation)
{
    const ldpc_layered_map *map = m->map;
    for (uint32_t j = 0; j < map->registers; j++)
        if (read_offset(m, rotation, j) > (map->registers - 1) * map->register_bytes)
            return true;
    return false;
}

/* Does one of the layer's blocks read the mirror of this owner's group as it stands now? */
static bool layer_reads_mirror(const builder *m, uint32_t l, const ldpc_block *owner)
{
    const ldpc_code *code = m->code;
    for (uint32_t i = code->layer_start[l]; i < code->layer_start[l + 1]; i++)
        if (code->blocks[i].group == owner->group &&
            reads_mirror(m, rotation_of(m, &m->blocks[i], owner->shift)))
            return true;
    return false;
}

/* The lane of a block that lane 0 of its group, which stands in `shift`, meets. */
static uint32_t rotation_back(const builder *m, const ldpc_block *block, uint32_t shift)
{
    uint32_t rotation = rotation_of(m, block, shift);
    return m->code->is_dyadic || rotation == 0 ? rotation : m->code->z - rotation;
}

static bool has_absents(const builder *m, uint32_t l)
{
    for (uint32_t b = m->code->layer_start[l]; b < m->code->layer_start[l + 1]; b++)
        if (m->blocks[b].missing_lane != LDPC_NO_LANE)
            return true;
    return false;
}

/* Absent lanes are hidden once, and not where the lanes behind the row repeat them: all mirrors repair that.
 * Messages of flooding are read by their group. */
static bool needs_mirror(const builder *m, uint32_t l, uint32_t b)
{
    const ldpc_block *block = m->parts[b].block;
    if (!m->map->rotates || has_absents(m, l))
        return m->map->rotates;
    if (m->map->flooding)
        return reads_mirror(m, rotation_back(m, block, m->shift[block->group]));
    return layer_reads_mirror(m, m->parts[b].reader % m->code->layers, block);
}

/* Then by the layer that waits for them: it cannot read across two registers before both are in L1. */
static int mirrored_first(const void *a, const void *b)
{
    const part *x = a, *y = b;
    if (x->mirrored != y->mirrored)
        return x->mirrored ? -1 : 1;
    if (x->reader != y->reader)
        return x->reader < y->reader ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static void sort_mirrored(builder *m, uint32_t l)
{
    uint32_t first = m->code->layer_start[l], owners = m->owners[l], mirrors = 0;
    for (uint32_t b = first; b < first + owners; b++) {
        m->parts[b].mirrored = needs_mirror(m, l, b);
        mirrors += m->parts[b].mirrored;
    }
    qsort(m->parts + first, owners, sizeof *m->parts, mirrored_first);
    m->map->layers[l].mirrors = mirrors;
}

static uint32_t change_offset(const ldpc_layered_map *map, uint32_t repeat)
{
    return (uint32_t)map->changes + repeat * map->slot_bytes;
}

static void write_steps(const builder *m, uint32_t l, ldpc_layered_step *steps)
{
    ldpc_layered_map *map = m->map;
    uint32_t first = m->code->layer_start[l], degree = layer_degree(m->code, l);
    for (uint32_t i = 0; i < degree; i++) {
        const part *p = &m->parts[first + i];
        uint32_t rotation = rotation_of(m, p->block, m->shift[p->block->group]);
        uint32_t to = i < m->owners[l] ? p->target * map->slot_bytes : change_offset(map, i - m->owners[l]);
        for (uint32_t j = 0; j < map->registers; j++)
            steps[(size_t)j * degree + i] = (ldpc_layered_step){
                .from = p->source * map->slot_bytes + read_offset(m, rotation, j),
                .to = to + j * map->register_bytes,
            };
    }
}

/* Every repeat adds to what the owner wrote; the last one of a group that lives in this layer only takes it
 * home. */
static void write_repeats(const builder *m, uint32_t l, ldpc_layered_repeat *repeats)
{
    ldpc_layered_map *map = m->map;
    uint32_t first = m->code->layer_start[l], degree = layer_degree(m->code, l);
    for (uint32_t i = m->owners[l]; i < degree; i++) {
        uint32_t g = m->parts[first + i].block->group, owner = first;
        while (m->parts[owner].block->group != g)
            owner++;
        bool last = true;
        for (uint32_t later = i + 1; later < degree; later++)
            last = last && m->parts[first + later].block->group != g;
        uint32_t slot = m->parts[owner].target, home = m->last_layer[g] == l ? g : slot;
        repeats[i - m->owners[l]] = (ldpc_layered_repeat){
            .block = i,
            .from = slot * map->slot_bytes,
            .to = (last ? home : slot) * map->slot_bytes,
            .rotation =
                lane_offset(m, rotation_of(m, m->parts[owner].block, m->parts[first + i].block->shift)),
        };
    }
}

/* Edge i of layer l lacks one lane: those of all words, lane by lane. */
static void write_absent(const builder *m, uint32_t l, uint32_t i, ldpc_layered_absent *absents)
{
    const ldpc_layered_map *map = m->map;
    const ldpc_block *block = m->parts[m->code->layer_start[l] + i].block;
    const size_t number = (size_t)(block - m->blocks);
    for (uint32_t w = 0; w < map->words; w++) {
        uint32_t at = lane_offset(m, block->missing_lane) + w * map->lane_bytes, j = at / map->register_bytes,
                 in = at % map->register_bytes;
        size_t step = (size_t)j * layer_degree(m->code, l) + i;
        absents[w] = (ldpc_layered_absent){
            .from = map->layers[l].steps[step].from + in,
            .to = map->layers[l].steps[step].to + in,
            .in_first = j == 0,
            .message = step * map->register_bytes + in,
            .home = map->home[block->group] + (map->home_rotation[number] + at) % map->row_bytes,
            .check_register = j,
            .check_lane = in / map->lane_bytes,
        };
    }
}

static uint32_t write_absents(const builder *m, uint32_t l, ldpc_layered_absent *absents)
{
    uint32_t first = m->code->layer_start[l], degree = layer_degree(m->code, l), count = 0;
    for (uint32_t i = 0; i < degree; i++)
        if (m->parts[first + i].block->missing_lane != LDPC_NO_LANE) {
            write_absent(m, l, i, absents + count);
            count += m->map->words;
        }
    return count;
}

/* Does one of the blocks first .. end of a layer lack this lane too? */
static bool lane_is_absent(const ldpc_code *code, uint32_t first, uint32_t end, uint32_t lane)
{
    for (uint32_t b = first; b < end; b++)
        if (code->blocks[b].missing_lane == lane)
            return true;
    return false;
}

/* An absent lane is hidden in its posterior, which no other block of the layer may read, and is the only one
 * of its check: may_be_smallest() looks at one other edge. */
static bool hides_absents(const ldpc_code *code, uint32_t l)
{
    uint32_t first = code->layer_start[l], end = code->layer_start[l + 1];
    for (uint32_t b = first; b < end; b++) {
        uint32_t g = code->blocks[b].group, lane = code->blocks[b].missing_lane;
        if (lane == LDPC_NO_LANE)
            continue;
        if (group_stands_in(code, first, b, g) || group_stands_in(code, b + 1, end, g) ||
            lane_is_absent(code, first, b, lane))
            return false;
    }
    return true;
}

static void write_homes(const builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_layered_map *map = m->map;
    for (uint32_t g = 0; g < code->groups; g++) {
        map->home[g] = g * map->slot_bytes;
        map->rotation[g] = m->shift[g];
    }
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++) {
        const ldpc_block *block = &m->blocks[b];
        map->home_of[b] = map->home[block->group];
        map->home_rotation[b] = lane_offset(m, rotation_of(m, block, m->shift[block->group]));
    }
}

static void write_layers(builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_layered_map *map = m->map;
    ldpc_layered_step *steps = map->step_memory;
    ldpc_layered_repeat *repeats = map->repeat_memory;
    ldpc_layered_absent *absents = map->absent_memory;
    start_at_home(m);
    write_homes(m);
    for (uint32_t l = 0; l < code->layers; l++) {
        ldpc_layered_layer *layer = &map->layers[l];
        uint32_t degree = layer_degree(code, l);
        layer->degree = degree;
        layer->repeats = degree - m->owners[l];
        layer->messages = map->message_bytes;
        layer->steps = steps;
        layer->repeat = repeats;
        write_steps(m, l, steps);
        write_repeats(m, l, repeats);
        layer->absent = absents;
        layer->absents = write_absents(m, l, absents);
        layer->careful =
            map->saturates || layer->absents > LDPC_LAYERED_MOST_ABSENTS || !hides_absents(code, l);
        for (uint32_t b = code->layer_start[l]; !map->flooding && b < code->layer_start[l] + m->owners[l];
             b++)
            m->shift[m->parts[b].block->group] = m->parts[b].block->shift;
        steps += (size_t)degree * map->registers;
        repeats += layer->repeats;
        absents += layer->absents;
        map->message_bytes += map->flooding ? 0 : (size_t)degree * map->registers * map->register_bytes;
    }
}

/* Flooding: the groups that are complete after each layer. number[g] is where group g comes. */
static void order_groups(const builder *m, uint32_t *number)
{
    const ldpc_code *code = m->code;
    ldpc_layered_map *map = m->map;
    uint32_t count = 0;
    for (uint32_t g = 0; g < code->groups; g++)
        number[g] = NONE;
    for (uint32_t l = 0; l < code->layers; l++) {
        map->layers[l].group = map->group_memory + count;
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t g = code->blocks[b].group;
            if (m->last_layer[g] != l || number[g] != NONE)
                continue;
            map->group_memory[count].home = map->home[g];
            map->layers[l].groups++;
            number[g] = count++;
        }
    }
}

/* Where a group reads the messages of block b, which is its e-th. */
static void write_reads(const builder *m, uint32_t b, const ldpc_layered_group *group, uint32_t e)
{
    const ldpc_layered_map *map = m->map;
    const ldpc_block *block = &m->blocks[b];
    uint32_t *from = map->from_memory + (group->from - map->from_memory) + e;
    uint32_t rotation = rotation_back(m, block, m->shift[block->group]);
    for (uint32_t j = 0; j < map->registers; j++, from += group->degree)
        *from = b * map->slot_bytes + read_offset(m, rotation, j);
}

static void write_groups(const builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_layered_map *map = m->map;
    const uint32_t blocks = code->layer_start[code->layers];
    uint32_t *number = m->current, *written = m->free_slots, *from = map->from_memory; /* two are borrowed */
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

/* ------------------------------------------------------------------------------------------------ life */

static void free_builder(builder *m)
{
    free(m->blocks);
    free(m->parts);
    free(m->owners);
    free(m->last_layer);
    free(m->current);
    free(m->shift);
    free(m->free_slots);
}

static bool allocate_builder(builder *m)
{
    const ldpc_code *code = m->code;
    size_t blocks = code->layer_start[code->layers];
    m->blocks = ldpc_allocate(blocks, sizeof *m->blocks);
    m->parts = ldpc_allocate(blocks, sizeof *m->parts);
    m->owners = ldpc_allocate(code->layers, sizeof *m->owners);
    m->last_layer = ldpc_allocate(code->groups, sizeof *m->last_layer);
    m->current = ldpc_allocate(code->groups, sizeof *m->current);
    m->shift = ldpc_allocate(code->groups, sizeof *m->shift);
    m->free_slots = ldpc_allocate(code->groups + blocks, sizeof *m->free_slots);
    return m->blocks && m->parts && m->owners && m->last_layer && m->current && m->shift && m->free_slots;
}

static size_t absents_of(const ldpc_code *code)
{
    size_t count = 0;
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++)
        count += code->blocks[b].missing_lane != LDPC_NO_LANE;
    return count;
}

/* Reading a row costs a load of two cache lines for each register that does not begin with one, and of a row
 * that needs its mirror two stores. */
#define MIRROR_COST 2

/* Flooding has no choice: all layers read groups at home. */
static bool turn_layers(builder *m)
{
    const ldpc_code *code = m->code;
    const ldpc_layered_map *map = m->map;
    memcpy(m->blocks, code->blocks, code->layer_start[code->layers] * sizeof *m->blocks);
    if (!map->rotates || map->flooding)
        return true;
    uint32_t *cost = ldpc_allocate(code->z, sizeof *cost);
    for (uint32_t r = 0; cost && r < code->z; r++) {
        cost[r] = reads_mirror(m, r) ? MIRROR_COST : 0;
        for (uint32_t j = 0; j < map->registers; j++)
            cost[r] += read_offset(m, r, j) % map->register_bytes != 0;
    }
    const bool enough = cost && !ldpc_layered_turn(code, cost, m->blocks);
    free(cost);
    return enough;
}

static bool allocate_map(ldpc_layered_map *map)
{
    const ldpc_code *code = map->code;
    size_t blocks = code->layer_start[code->layers];
    map->layers = ldpc_allocate(code->layers, sizeof *map->layers);
    map->home = ldpc_allocate(code->groups, sizeof *map->home);
    map->rotation = ldpc_allocate(code->groups, sizeof *map->rotation);
    map->home_of = ldpc_allocate(blocks, sizeof *map->home_of);
    map->home_rotation = ldpc_allocate(blocks, sizeof *map->home_rotation);
    map->step_memory =
        ldpc_allocate(blocks * map->registers + LDPC_LAYERED_SPARE_STEPS, sizeof *map->step_memory);
    map->repeat_memory = ldpc_allocate(blocks, sizeof *map->repeat_memory);
    map->absent_memory = ldpc_allocate(absents_of(code) * map->words + 1, sizeof *map->absent_memory);
    if (map->flooding) {
        map->group_memory = ldpc_allocate(code->groups, sizeof *map->group_memory);
        map->from_memory = ldpc_allocate(blocks * map->registers, sizeof *map->from_memory);
    }
    return map->absent_memory && map->layers && map->home && map->rotation && map->home_of &&
           map->home_rotation && map->step_memory && map->repeat_memory &&
           (!map->flooding || (map->group_memory && map->from_memory));
}

/* Translations read whole registers, and a single check has nothing to rotate. */
static bool rotates(const ldpc_code *code)
{
    return code->z > 1 && !code->is_dyadic;
}

static uint64_t slot_bytes(const ldpc_code *code, uint64_t row_bytes, uint32_t register_bytes)
{
    return ((row_bytes + register_bytes - 1) / register_bytes + rotates(code)) * register_bytes;
}

static void size_rows(ldpc_layered_map *map)
{
    map->lanes = map->register_bytes / map->lane_bytes;
    map->row_lanes = map->words * map->code->z;
    map->row_bytes = map->row_lanes * map->lane_bytes;
    map->registers = (map->row_bytes + map->register_bytes - 1) / map->register_bytes;
    map->rotates = rotates(map->code);
    map->slot_bytes = (uint32_t)slot_bytes(map->code, map->row_bytes, map->register_bytes);
}

static void build_flooding(builder *m)
{
    ldpc_layered_map *map = m->map;
    const ldpc_code *code = m->code;
    place_messages(m);
    for (uint32_t l = 0; l < code->layers; l++)
        sort_mirrored(m, l);
    map->slots = code->groups;
    map->changes = map->posterior_bytes = map->channel_bytes = (size_t)map->slots * map->slot_bytes;
    map->message_bytes = (size_t)code->layer_start[code->layers] * map->slot_bytes;
    write_layers(m);
    write_groups(m);
}

static void build_layered(builder *m)
{
    ldpc_layered_map *map = m->map;
    m->slots = m->code->groups;
    for (uint32_t l = 0; l < m->code->layers; l++) {
        place_layer(m, l);
        sort_mirrored(m, l);
        uint32_t repeats = layer_degree(m->code, l) - m->owners[l];
        if (repeats > map->max_repeats)
            map->max_repeats = repeats;
    }
    map->slots = m->slots;
    map->changes = (size_t)map->slots * map->slot_bytes;
    map->posterior_bytes = map->changes + (size_t)map->max_repeats * map->slot_bytes;
    write_layers(m);
}

static void build(builder *m)
{
    for (uint32_t l = 0; l < m->code->layers; l++)
        order_layer(m, l);
    find_readers(m);
    start_at_home(m);
    if (m->map->flooding)
        build_flooding(m);
    else
        build_layered(m);
    ldpc_layered_map_add_spare(m->map);
}

void ldpc_layered_map_add_spare(ldpc_layered_map *map)
{
    size_t most = 0;
    for (uint32_t l = 0; l < map->n_layers; l++)
        if (map->layers[l].degree > most)
            most = map->layers[l].degree;
    map->spare = map->posterior_bytes;
    map->posterior_bytes += map->lane_bytes == 4 ? LDPC_LAYERED_KEPT * most * map->register_bytes : 0;
}

bool ldpc_layered_map_fits(const ldpc_code *code, uint32_t words, uint32_t lane_bytes,
                           uint32_t register_bytes)
{
    uint64_t row = (uint64_t)words * code->z * lane_bytes;
    uint64_t blocks = code->layer_start[code->layers];
    if (code->is_dyadic && (row % register_bytes || (words & (words - 1))))
        return false;
    /* as many slots as groups, and at worst one more per block; a spare one per repeat */
    return slot_bytes(code, row, register_bytes) * (code->groups + 2 * blocks) < UINT32_MAX;
}

ldpc_layered_map *ldpc_layered_map_open(const ldpc_code *code, uint32_t words, uint32_t lane_bytes,
                                        uint32_t register_bytes)
{
    ldpc_layered_map *map = ldpc_allocate(1, sizeof *map);
    if (!map)
        return NULL;
    map->code = code;
    map->n_layers = code->layers;
    map->words = words;
    map->lane_bytes = lane_bytes;
    map->register_bytes = register_bytes;
    map->saturates =
        lane_bytes == 2 &&
        LDPC_KNOWN_LLR + (uint64_t)code->max_variable_degree * LDPC_MESSAGE_LIMIT > LDPC_I16_LIMIT;
    size_rows(map);
    return map;
}

ldpc_status ldpc_layered_map_create(const ldpc_code *code, bool flooding, uint32_t words, uint32_t lane_bytes,
                                    uint32_t register_bytes, ldpc_layered_map **made)
{
    ldpc_layered_map *map = ldpc_layered_map_open(code, words, lane_bytes, register_bytes);
    if (!map)
        return LDPC_ERR_MEMORY;
    map->flooding = flooding;
    builder m = {.code = code, .map = map};
    bool enough = allocate_map(map) && allocate_builder(&m) && turn_layers(&m);
    if (enough)
        build(&m);
    free_builder(&m);
    if (!enough) {
        ldpc_layered_map_destroy(map);
        return LDPC_ERR_MEMORY;
    }
    *made = map;
    return LDPC_OK;
}

void ldpc_layered_map_destroy(ldpc_layered_map *map)
{
    if (!map)
        return;
    free(map->layers);
    free(map->home);
    free(map->rotation);
    free(map->home_of);
    free(map->home_rotation);
    free(map->step_memory);
    free(map->repeat_memory);
    free(map->absent_memory);
    free(map->group_memory);
    free(map->from_memory);
    free(map->place_memory);
    free(map);
}
