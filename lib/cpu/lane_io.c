/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in and out of the lanes of a layered map. Everything is moved as bytes: with 16-bit lanes the
 * posteriors have a byte copy, which is widened after loading and narrowed, signs kept, before bits are
 * stored.
 *
 *   scratch: [images, one per word][bits of 8 words, all columns][byte copy, 16-bit lanes only]
 */
#include "cpu/lane_io.h"

#include <stdlib.h>
#include <string.h>

#include "code/memory.h"
#include "cpu/cpu_kernel.h"
#include "cpu/interleave.h"

#define UNIT 8 /* words that are moved together */

/* What stands in an index where a column has no place in the word. */
#define FROM_PUNCTURED (UINT32_MAX - 1) /* starts at 0 */
#define FROM_KNOWN     UINT32_MAX       /* starts at LDPC_KNOWN_LLR */

/* Fewer groups than this are not worth a transposition. */
#define TURN_LEAST 4

/* ------------------------------------------------------------------------------------------------ making
 * orders */

typedef struct drafter {
    const ldpc_layered_map *map;
    const uint32_t *index;  /* [groups * z] place in the word */
    const bool *is_message; /* [columns] */
    ldpc_order *order;
} drafter;

static bool is_run(const uint32_t *index, uint32_t z)
{
    for (uint32_t i = 0; i < z; i++)
        if (index[i] >= FROM_PUNCTURED || index[i] != index[0] + i)
            return false;
    return true;
}

static bool holds_message(const drafter *d, uint32_t group)
{
    const ldpc_code *code = d->map->code;
    for (uint32_t i = 0; i < code->z; i++)
        if (d->is_message[code->column_at[(size_t)group * code->z + i]])
            return true;
    return false;
}

static void add_segment(drafter *d, ldpc_segment segment)
{
    ldpc_order *order = d->order;
    if (order->n_segments) {
        ldpc_segment *last = &order->segments[order->n_segments - 1];
        if (last->at + last->count * d->map->words == segment.at &&
            last->first + last->count == segment.first && last->image == segment.image &&
            last->message == segment.message) {
            last->count += segment.count;
            return;
        }
    }
    order->segments[order->n_segments++] = segment;
}

/* The lanes of a group, rotated as its home slot is, are entries first .. first + z. */
static void add_group(drafter *d, uint32_t group, uint32_t first, bool image)
{
    const ldpc_layered_map *map = d->map;
    uint32_t z = map->code->z, rotation = map->rotation[group], at = map->home[group] / map->lane_bytes;
    ldpc_segment segment = {at, first + rotation, z - rotation, image, holds_message(d, group)};
    add_segment(d, segment);
    if (rotation) {
        segment.at = at + (z - rotation) * map->words;
        segment.first = first;
        segment.count = rotation;
        add_segment(d, segment);
    }
}

/* Groups from `group` on whose lanes are the columns of a matrix that lies in the word row by row. */
static uint32_t turned_groups(const drafter *d, uint32_t group)
{
    uint32_t z = d->map->code->z, groups = d->map->code->groups, count = 0;
    const uint32_t *index = d->index + (size_t)group * z;
    if (z < 2 || index[0] >= FROM_PUNCTURED || index[1] >= FROM_PUNCTURED || index[1] <= index[0])
        return 0;
    uint32_t stride = index[1] - index[0];
    for (; group + count < groups && count < stride; count++)
        for (uint32_t j = 0; j < z; j++)
            if (index[(size_t)count * z + j] != index[0] + count + j * stride)
                return count;
    return count;
}

static void add_image(drafter *d, uint32_t group, uint32_t count)
{
    ldpc_order *order = d->order;
    uint32_t z = d->map->code->z;
    for (uint32_t i = 0; i < count; i++, order->image_entries += z)
        add_group(d, group + i, (uint32_t)order->image_entries, true);
}

static uint32_t add_turned(drafter *d, uint32_t group, uint32_t count)
{
    const uint32_t *index = d->index + (size_t)group * d->map->code->z;
    ldpc_order *order = d->order;
    order->turned[order->n_turned++] =
        (ldpc_turned){index[0], index[1] - index[0], count, (uint32_t)order->image_entries};
    add_image(d, group, count);
    return count;
}

static uint32_t add_gathered(drafter *d, uint32_t group)
{
    uint32_t z = d->map->code->z;
    ldpc_order *order = d->order;
    for (uint32_t i = 0; i < z; i++)
        order->gathered[order->n_gathered++] =
            (ldpc_gathered){(uint32_t)order->image_entries + i, d->index[(size_t)group * z + i]};
    add_image(d, group, 1);
    return 1;
}

static bool make_order(const ldpc_layered_map *map, const uint32_t *index, const bool *is_message,
                       ldpc_order *order)
{
    const ldpc_code *code = map->code;
    drafter d = {map, index, is_message, order};
    order->segments = ldpc_allocate(2 * (size_t)code->groups, sizeof *order->segments);
    order->turned = ldpc_allocate(code->groups, sizeof *order->turned);
    order->gathered = ldpc_allocate((size_t)code->groups * code->z, sizeof *order->gathered);
    if (!order->segments || !order->turned || !order->gathered)
        return false;
    for (uint32_t g = 0; g < code->groups;) {
        const uint32_t *group = index + (size_t)g * code->z;
        if (is_run(group, code->z)) {
            add_group(&d, g++, group[0], false);
            continue;
        }
        uint32_t count = turned_groups(&d, g);
        g += count >= TURN_LEAST ? add_turned(&d, g, count) : add_gathered(&d, g);
    }
    return true;
}

/* Place of each lane in the LLRs of a word. */
static void index_llrs(const ldpc_code *code, uint32_t *place, uint32_t *index)
{
    for (uint32_t c = 0; c < code->columns; c++)
        place[c] = FROM_PUNCTURED;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->sent[i] != LDPC_NO_COLUMN)
            place[code->sent[i]] = i;
    for (uint32_t i = 0; i < code->shortened; i++)
        place[code->known[i]] = FROM_KNOWN;
    for (size_t i = 0; i < (size_t)code->groups * code->z; i++)
        index[i] = place[code->column_at[i]];
}

static void find_lanes(const ldpc_layered_map *map, uint32_t *lane_of)
{
    const ldpc_code *code = map->code;
    for (uint32_t g = 0; g < code->groups; g++)
        for (uint32_t lane = 0; lane < code->z; lane++)
            lane_of[code->column_at[(size_t)g * code->z + lane]] =
                map->home[g] / map->lane_bytes + (lane + code->z - map->rotation[g]) % code->z * map->words;
}

static bool counts_up(const uint32_t *columns, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (columns[i] != i)
            return false;
    return true;
}

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_INTERLEAVE_SLACK + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

static size_t image_bytes(const ldpc_lane_io *io)
{
    size_t entries =
        io->in.image_entries > io->out.image_entries ? io->in.image_entries : io->out.image_entries;
    return aligned(entries);
}

static size_t copy_bytes(const ldpc_layered_map *map)
{
    return map->lane_bytes == 1 ? 0 : aligned(map->changes / map->lane_bytes);
}

static bool make_orders(ldpc_lane_io *io, uint32_t *place, uint32_t *index, bool *is_message)
{
    const ldpc_code *code = io->map->code;
    for (uint32_t i = 0; i < code->k; i++)
        is_message[code->message[i]] = true;
    index_llrs(code, place, index);
    return make_order(io->map, index, is_message, &io->in) &&
           make_order(io->map, code->column_at, is_message, &io->out);
}

ldpc_status ldpc_lane_io_create(const ldpc_layered_map *map, const ldpc_weaver *weaver, ldpc_lane_io **made)
{
    const ldpc_code *code = map->code;
    ldpc_lane_io *io = ldpc_allocate(1, sizeof *io);
    if (!io)
        return LDPC_ERR_MEMORY;
    uint32_t *place = ldpc_allocate(code->columns, sizeof *place);
    uint32_t *index = ldpc_allocate((size_t)code->groups * code->z, sizeof *index);
    bool *is_message = ldpc_allocate(code->columns, sizeof *is_message);
    io->map = map;
    io->lane_of = ldpc_allocate(code->columns, sizeof *io->lane_of);
    bool enough = place && index && is_message && io->lane_of && make_orders(io, place, index, is_message);
    free(place);
    free(index);
    free(is_message);
    if (!enough) {
        ldpc_lane_io_destroy(io);
        return LDPC_ERR_MEMORY;
    }
    find_lanes(map, io->lane_of);
    io->message_first = counts_up(code->message, code->k);
    io->sent_first = counts_up(code->sent, code->n);
    if (weaver->weave && map->words <= LDPC_WEAVE_WORDS) {
        io->weaver = weaver;
        ldpc_weave_index_fill(map->words, &io->weave_index);
    }
    size_t words = map->words > UNIT ? map->words : UNIT;
    io->scratch_bytes =
        words * image_bytes(io) + UNIT * aligned(code->columns) + copy_bytes(map) + aligned(code->n);
    *made = io;
    return LDPC_OK;
}

static void free_order(ldpc_order *order)
{
    free(order->segments);
    free(order->turned);
    free(order->gathered);
}

void ldpc_lane_io_destroy(ldpc_lane_io *io)
{
    if (!io)
        return;
    free_order(&io->in);
    free_order(&io->out);
    free(io->lane_of);
    free(io);
}

/* ------------------------------------------------------------------------------------------------ scratch */

static int8_t *image_of(const ldpc_lane_io *io, void *scratch, size_t word)
{
    return (int8_t *)scratch + word * image_bytes(io);
}

static int8_t *columns_of(const ldpc_lane_io *io, void *scratch, size_t word)
{
    size_t words = io->map->words > UNIT ? io->map->words : UNIT;
    return image_of(io, scratch, words) + word * aligned(io->map->code->columns);
}

static int8_t *byte_copy(const ldpc_lane_io *io, void *scratch)
{
    return columns_of(io, scratch, UNIT);
}

/* Bits of one word, gathered before they are packed. */
static uint8_t *bits_of(const ldpc_lane_io *io, void *scratch)
{
    return (uint8_t *)byte_copy(io, scratch) + copy_bytes(io->map);
}

/* ------------------------------------------------------------------------------------------------ in */

static void make_image(const ldpc_order *order, uint32_t z, const int8_t *word, int8_t *image)
{
    for (size_t i = 0; i < order->n_turned; i++) {
        const ldpc_turned *t = &order->turned[i];
        ldpc_transpose(word + t->first, t->stride, z, t->groups, image + t->to, z);
    }
    for (size_t i = 0; i < order->n_gathered; i++) {
        uint32_t from = order->gathered[i].word;
        image[order->gathered[i].image] = from == FROM_PUNCTURED ? 0
                                          : from == FROM_KNOWN   ? LDPC_KNOWN_LLR
                                                                 : word[from];
    }
}

/* -128 is read as -127. */
static void clamp_lowest(int8_t *lanes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lanes[i] = lanes[i] < -127 ? -127 : lanes[i];
}

static bool by_shuffles(const ldpc_lane_io *io, const ldpc_segment *segment)
{
    return io->weaver && segment->count >= LDPC_WEAVE_ROWS;
}

static void load_segment(const ldpc_lane_io *io, const ldpc_segment *segment, const ldpc_batch *batch,
                         int8_t *lanes, void *scratch)
{
    const ldpc_layered_map *map = io->map;
    for (size_t first = 0; first < map->words; first += UNIT) {
        const int8_t *words[UNIT] = {NULL};
        uint32_t in_unit = (uint32_t)(map->words - first < UNIT ? map->words - first : UNIT);
        for (uint32_t w = 0; w < in_unit && first + w < batch->n_words; w++)
            words[w] = (segment->image ? image_of(io, scratch, first + w)
                                       : batch->llr + (first + w) * map->code->n) +
                       segment->first;
        if (by_shuffles(io, segment)) {
            io->weaver->weave(&io->weave_index, words, segment->count, lanes + segment->at);
            return;
        }
        ldpc_interleave(words, in_unit, segment->count, lanes + segment->at + first, map->words);
    }
    clamp_lowest(lanes + segment->at, (size_t)segment->count * map->words);
}

static void widen(const int8_t *bytes, size_t count, int16_t *lanes)
{
    for (size_t i = 0; i < count; i++)
        lanes[i] = bytes[i];
}

static void narrow(const int16_t *lanes, size_t count, int8_t *bytes)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (int8_t)(lanes[i] < -128 ? -128 : lanes[i] > 127 ? 127 : lanes[i]);
}

void ldpc_lane_load(const ldpc_lane_io *io, const ldpc_batch *batch, void *posteriors, void *scratch)
{
    const ldpc_layered_map *map = io->map;
    const ldpc_code *code = map->code;
    size_t lanes = (size_t)code->groups * map->slot_bytes / map->lane_bytes; /* the home slots come first */
    int8_t *bytes = map->lane_bytes == 1 ? posteriors : byte_copy(io, scratch);
    for (size_t w = 0; io->in.image_entries && w < batch->n_words; w++)
        make_image(&io->in, code->z, batch->llr + w * code->n, image_of(io, scratch, w));
    for (size_t i = 0; i < io->in.n_segments; i++)
        load_segment(io, &io->in.segments[i], batch, bytes, scratch);
    if (map->lane_bytes == 2)
        widen(bytes, lanes, posteriors);
}

/* ------------------------------------------------------------------------------------------------ out */

static void scatter_image(const ldpc_order *order, uint32_t z, const int8_t *image, int8_t *columns)
{
    for (size_t i = 0; i < order->n_turned; i++) {
        const ldpc_turned *t = &order->turned[i];
        ldpc_transpose(image + t->to, z, t->groups, z, columns + t->first, t->stride);
    }
    for (size_t i = 0; i < order->n_gathered; i++)
        columns[order->gathered[i].word] = image[order->gathered[i].image];
}

/* The posteriors, as bytes, of the words `wanted` (bits) of a unit in the order of the columns. */
static void collect_unit(const ldpc_lane_io *io, const int8_t *lanes, unsigned wanted, bool message_only,
                         void *scratch)
{
    const ldpc_layered_map *map = io->map;
    uint32_t in_unit = map->words < UNIT ? map->words : UNIT;
    bool through_image = false;
    for (size_t i = 0; i < io->out.n_segments; i++) {
        const ldpc_segment *segment = &io->out.segments[i];
        int8_t *words[UNIT] = {NULL};
        if (message_only && !segment->message)
            continue;
        for (uint32_t w = 0; w < in_unit; w++)
            if (wanted >> w & 1)
                words[w] =
                    (segment->image ? image_of(io, scratch, w) : columns_of(io, scratch, w)) + segment->first;
        if (by_shuffles(io, segment))
            io->weaver->unweave(&io->weave_index, lanes + segment->at, segment->count, words);
        else
            ldpc_deinterleave(lanes + segment->at, map->words, segment->count, words, in_unit);
        through_image |= segment->image;
    }
    for (uint32_t w = 0; through_image && w < in_unit; w++)
        if (wanted >> w & 1)
            scatter_image(&io->out, map->code->z, image_of(io, scratch, w), columns_of(io, scratch, w));
}

/* The bits of n symbols at `columns`, packed or not. */
static void store_bits(const int8_t *posteriors, const uint32_t *columns, bool in_order, size_t n,
                       bool packed, uint8_t *bits, uint8_t *out)
{
    uint8_t *to = packed ? bits : out;
    if (in_order)
        for (size_t i = 0; i < n; i++)
            to[i] = posteriors[i] < 0;
    else
        for (size_t i = 0; i < n; i++)
            to[i] = columns[i] != LDPC_NO_COLUMN && posteriors[columns[i]] < 0;
    if (packed)
        ldpc_cpu_pack(bits, n, out);
}

static void store_word(const ldpc_lane_io *io, bool packed, const int8_t *posteriors, size_t w,
                       const ldpc_batch *batch, uint8_t *bits)
{
    const ldpc_code *code = io->map->code;
    size_t k = packed ? (code->k + 7) / 8 : code->k, n = packed ? (code->n + 7) / 8 : code->n;
    if (batch->message)
        store_bits(posteriors, code->message, io->message_first, code->k, packed, bits,
                   batch->message + w * k);
    if (batch->codeword)
        store_bits(posteriors, code->sent, io->sent_first, code->n, packed, bits, batch->codeword + w * n);
}

static void store_posteriors(const ldpc_lane_io *io, const void *posteriors, size_t w, int16_t *out)
{
    const ldpc_code *code = io->map->code;
    const int8_t *bytes = (const int8_t *)posteriors + w;
    const int16_t *lanes = (const int16_t *)posteriors + w;
    for (uint32_t i = 0; i < code->n; i++) {
        uint32_t column = code->sent[i];
        if (column == LDPC_NO_COLUMN)
            out[i] = LDPC_KNOWN_LLR;
        else
            out[i] = io->map->lane_bytes == 1 ? bytes[io->lane_of[column]] : lanes[io->lane_of[column]];
    }
}

void ldpc_lane_store(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors, uint64_t words,
                     const ldpc_batch *batch, void *scratch)
{
    const ldpc_layered_map *map = io->map;
    const int8_t *bytes = posteriors;
    if (map->lane_bytes == 2 && (batch->message || batch->codeword)) {
        narrow(posteriors, (size_t)map->code->groups * map->slot_bytes / 2, byte_copy(io, scratch));
        bytes = byte_copy(io, scratch);
    }
    for (uint32_t first = 0; first < map->words; first += UNIT) {
        unsigned wanted = words >> first & 0xff;
        if (!wanted)
            continue;
        if (batch->message || batch->codeword)
            collect_unit(io, bytes + first, wanted, !batch->codeword, scratch);
        for (uint32_t w = 0; w < UNIT; w++) {
            if (!(wanted >> w & 1))
                continue;
            store_word(io, plan->packed, columns_of(io, scratch, w), first + w, batch, bits_of(io, scratch));
            if (batch->posterior)
                store_posteriors(io, posteriors, first + w, batch->posterior + (first + w) * map->code->n);
        }
    }
}
