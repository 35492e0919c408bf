/* SPDX-License-Identifier: BSD-3-Clause */
/* Words in and out of the lanes of a layered map. Everything is moved as bytes: with wider lanes the
 * posteriors have a byte copy, which is widened after loading and narrowed, signs kept, before bits are
 * stored. Float LLRs go lane by lane.
 *
 *   scratch: [images, one per word][bits before they are packed, all words][byte copy, wider lanes only]
 */
#include "cpu/binary/lane_io.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/cpu_kernel.h"
#include "cpu/binary/numbers.h"

/* What stands in an index where a column has no place in the word. */
#define FROM_PUNCTURED (UINT32_MAX - 1) /* starts at 0 */
#define FROM_KNOWN     UINT32_MAX       /* starts at LDPC_KNOWN_LLR */

/* Fewer groups than this are not worth a transposition. */
#define TURN_LEAST 4

/* A group of more runs than this goes lane by lane. */
#define MOST_RUNS 4

#define MOST_WORDS 64

/* ------------------------------------------------------------------------------------------------ making
 * orders */

typedef struct drafter {
    const ldpc_layered_map *map;
    const uint32_t *index; /* [groups * z] place in the word */
    ldpc_order *order;
    size_t placed; /* entries that have a lane */
} drafter;

/* Lanes whose places go up one by one, or are the same constant, from the first on. */
static uint32_t run_length(const uint32_t *index, uint32_t lanes)
{
    uint32_t step = index[0] < FROM_PUNCTURED, i = 1;
    while (i < lanes && index[i] == index[0] + i * step)
        i++;
    return i;
}

static uint32_t count_runs(const uint32_t *index, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < lanes; count++)
        at += run_length(index + at, lanes - at);
    return count;
}

static uint32_t lane_at(const ldpc_layered_map *map, uint32_t group, uint32_t lane)
{
    uint32_t z = map->code->z, rotation = map->rotation[group];
    uint32_t at = map->code->is_dyadic ? lane ^ rotation : (lane + z - rotation) % z;
    return map->home[group] / map->lane_bytes + at * map->words;
}

/* A segment that goes on where the last one ends is the same one. */
static void add_segment(drafter *d, ldpc_segment segment)
{
    ldpc_order *order = d->order;
    if (order->n_segments) {
        ldpc_segment *last = &order->segments[order->n_segments - 1];
        if (last->at + last->count * d->map->words == segment.at &&
            last->first + last->count == segment.first && last->image == segment.image) {
            last->count += segment.count;
            return;
        }
    }
    order->segments[order->n_segments++] = segment;
}

static void add_constant(drafter *d, uint32_t at, uint32_t count, uint32_t what)
{
    d->order->constants[d->order->n_constants++] =
        (ldpc_constant){at, count, (int8_t)(what == FROM_KNOWN ? LDPC_KNOWN_LLR : 0)};
}

/* Lanes lane .. lane + count - 1 of a group are entries `first` and so on, or constants. The home slot is
 * rotated: they may stand at its end and at its beginning. */
static void add_run(drafter *d, uint32_t group, uint32_t lane, uint32_t count, uint32_t first, bool image)
{
    uint32_t z = d->map->code->z, rotation = d->map->rotation[group];
    uint32_t rest = lane < rotation ? rotation - lane : z - lane, at = lane_at(d->map, group, lane);
    uint32_t now = count < rest ? count : rest;
    if (first >= FROM_PUNCTURED) {
        add_constant(d, at, now, first);
    } else {
        add_segment(d, (ldpc_segment){at, first, now, image});
        d->placed += now;
    }
    if (now < count)
        add_run(d, group, lane + now, count - now, first < FROM_PUNCTURED ? first + now : first, image);
}

static void add_runs(drafter *d, uint32_t group)
{
    uint32_t z = d->map->code->z, length;
    const uint32_t *index = d->index + (size_t)group * z;
    for (uint32_t lane = 0; lane < z; lane += length) {
        length = run_length(index + lane, z - lane);
        add_run(d, group, lane, length, index[lane], false);
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

static uint32_t add_turned(drafter *d, uint32_t group, uint32_t count)
{
    uint32_t z = d->map->code->z;
    const uint32_t *index = d->index + (size_t)group * z;
    ldpc_order *order = d->order;
    order->turned[order->n_turned++] =
        (ldpc_turned){index[0], index[1] - index[0], count, (uint32_t)order->image_entries};
    for (uint32_t i = 0; i < count; i++, order->image_entries += z)
        add_run(d, group + i, 0, z, (uint32_t)order->image_entries, true);
    return count;
}

static void add_loose(drafter *d, uint32_t group)
{
    uint32_t z = d->map->code->z;
    for (uint32_t i = 0; i < z; i++) {
        uint32_t place = d->index[(size_t)group * z + i];
        d->order->loose[d->order->n_loose++] = (ldpc_loose){lane_at(d->map, group, i), place};
        d->placed += place < FROM_PUNCTURED;
    }
}

/* The next group, or groups. */
static uint32_t add_next(drafter *d, uint32_t group)
{
    uint32_t z = d->map->code->z, runs = count_runs(d->index + (size_t)group * z, z);
    if (d->map->code->is_dyadic) { /* neighbours do not stay together */
        add_loose(d, group);
        return 1;
    }
    uint32_t turned = runs > 1 ? turned_groups(d, group) : 0;
    if (turned >= TURN_LEAST)
        return add_turned(d, group, turned);
    if (runs <= MOST_RUNS)
        add_runs(d, group);
    else
        add_loose(d, group);
    return 1;
}

/* index[lane] is the place of a lane in words of `entries` entries. */
static bool make_order(const ldpc_layered_map *map, const uint32_t *index, size_t entries, ldpc_order *order)
{
    const ldpc_code *code = map->code;
    drafter d = {map, index, order, 0};
    order->segments = ldpc_allocate((MOST_RUNS + 1) * (size_t)code->groups, sizeof *order->segments);
    order->turned = ldpc_allocate(code->groups, sizeof *order->turned);
    order->loose = ldpc_allocate((size_t)code->groups * code->z, sizeof *order->loose);
    order->constants = ldpc_allocate((MOST_RUNS + 1) * (size_t)code->groups, sizeof *order->constants);
    if (!order->segments || !order->turned || !order->loose || !order->constants)
        return false;
    for (uint32_t g = 0; g < code->groups;)
        g += add_next(&d, g);
    order->gaps = d.placed < entries;
    return true;
}

static void index_lanes(const ldpc_code *code, const uint32_t *place, uint32_t *index)
{
    for (size_t i = 0; i < (size_t)code->groups * code->z; i++)
        index[i] = place[code->column_at[i]];
}

/* Place of each lane in the symbols of a word. */
static void index_symbols(const ldpc_code *code, uint32_t *place, uint32_t *index)
{
    for (uint32_t c = 0; c < code->columns; c++)
        place[c] = FROM_PUNCTURED;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->transmitted[i] != LDPC_NO_COLUMN)
            place[code->transmitted[i]] = i;
    for (uint32_t i = 0; i < code->shortened; i++)
        place[code->known_zero[i]] = FROM_KNOWN;
    index_lanes(code, place, index);
}

/* Place of each lane in the message. */
static void index_message(const ldpc_code *code, uint32_t *place, uint32_t *index)
{
    for (uint32_t c = 0; c < code->columns; c++)
        place[c] = FROM_PUNCTURED;
    for (uint32_t i = 0; i < code->k; i++)
        place[code->message[i]] = i;
    index_lanes(code, place, index);
}

static bool make_orders(ldpc_lane_io *io, uint32_t *place, uint32_t *index)
{
    const ldpc_code *code = io->map->code;
    index_symbols(code, place, index);
    if (!make_order(io->map, index, code->n, &io->symbols))
        return false;
    index_message(code, place, index);
    return make_order(io->map, index, code->k, &io->message);
}

static void find_lanes(const ldpc_layered_map *map, uint32_t *lane_of)
{
    const ldpc_code *code = map->code;
    for (uint32_t g = 0; g < code->groups; g++)
        for (uint32_t lane = 0; lane < code->z; lane++)
            lane_of[code->column_at[(size_t)g * code->z + lane]] = lane_at(map, g, lane);
}

/* ------------------------------------------------------------------------------------------------ life */

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

static size_t image_bytes(const ldpc_lane_io *io)
{
    size_t a = io->symbols.image_entries, b = io->message.image_entries;
    return aligned(a > b ? a : b);
}

static size_t unpacked_bytes(const ldpc_lane_io *io)
{
    return aligned(io->map->code->n > io->map->code->k ? io->map->code->n : io->map->code->k);
}

/* Of the posteriors between iterations, mirrors included: homes come first. */
static size_t home_lanes(const ldpc_layered_map *map)
{
    return (size_t)map->code->groups * map->slot_bytes / map->lane_bytes;
}

static size_t copy_bytes(const ldpc_layered_map *map)
{
    return map->lane_bytes == 1 ? 0 : aligned(map->changes / map->lane_bytes);
}

ldpc_status ldpc_lane_io_create(const ldpc_layered_map *map, const ldpc_weaver *weaver, ldpc_lane_io **made)
{
    const ldpc_code *code = map->code;
    ldpc_lane_io *io = ldpc_allocate(1, sizeof *io);
    if (!io)
        return LDPC_ERR_MEMORY;
    uint32_t *place = ldpc_allocate(code->columns, sizeof *place);
    uint32_t *index = ldpc_allocate((size_t)code->groups * code->z, sizeof *index);
    io->map = map;
    io->weaver = weaver;
    io->lane_of = ldpc_allocate(code->columns, sizeof *io->lane_of);
    bool enough = place && index && io->lane_of && make_orders(io, place, index);
    free(place);
    free(index);
    if (!enough) {
        ldpc_lane_io_destroy(io);
        return LDPC_ERR_MEMORY;
    }
    find_lanes(map, io->lane_of);
    ldpc_weave_index_fill(map->words, &io->weave_index);
    io->scratch_bytes = map->words * (image_bytes(io) + unpacked_bytes(io)) + copy_bytes(map);
    *made = io;
    return LDPC_OK;
}

static void free_order(ldpc_order *order)
{
    free(order->segments);
    free(order->turned);
    free(order->loose);
    free(order->constants);
}

void ldpc_lane_io_destroy(ldpc_lane_io *io)
{
    if (!io)
        return;
    free_order(&io->symbols);
    free_order(&io->message);
    free(io->lane_of);
    free(io);
}

/* ------------------------------------------------------------------------------------------------ scratch */

static int8_t *image_of(const ldpc_lane_io *io, void *scratch, size_t word)
{
    return (int8_t *)scratch + word * image_bytes(io);
}

static uint8_t *unpacked_of(const ldpc_lane_io *io, void *scratch, size_t word)
{
    return (uint8_t *)image_of(io, scratch, io->map->words) + word * unpacked_bytes(io);
}

static int8_t *byte_copy(const ldpc_lane_io *io, void *scratch)
{
    return (int8_t *)unpacked_of(io, scratch, io->map->words);
}

/* ------------------------------------------------------------------------------------------------ in */

static void make_image(const ldpc_lane_io *io, const int8_t *word, int8_t *image)
{
    uint32_t z = io->map->code->z;
    for (size_t i = 0; i < io->symbols.n_turned; i++) {
        const ldpc_turned *t = &io->symbols.turned[i];
        io->weaver->turn(word + t->first, t->stride, z, t->groups, image + t->to, z);
    }
}

static void load_segments(const ldpc_lane_io *io, const ldpc_batch *batch, int8_t *lanes, void *scratch)
{
    size_t n = io->map->code->n;
    for (size_t i = 0; i < io->symbols.n_segments; i++) {
        const ldpc_segment *segment = &io->symbols.segments[i];
        const int8_t *words[MOST_WORDS];
        for (size_t w = batch->n_codewords; w < io->map->words; w++)
            words[w] = NULL;
        for (size_t w = 0; w < batch->n_codewords; w++)
            words[w] = (segment->image ? image_of(io, scratch, w) : batch->llr + w * n) + segment->first;
        io->weaver->weave(&io->weave_index, words, segment->count, lanes + segment->at);
    }
}

static int8_t loose_llr(const int8_t *word, uint32_t place)
{
    if (place >= FROM_PUNCTURED)
        return place == FROM_KNOWN ? LDPC_KNOWN_LLR : 0;
    return (int8_t)(word[place] < -127 ? -127 : word[place]);
}

static void load_others(const ldpc_lane_io *io, const ldpc_batch *batch, int8_t *lanes)
{
    const ldpc_layered_map *map = io->map;
    for (size_t i = 0; i < io->symbols.n_constants; i++)
        memset(lanes + io->symbols.constants[i].at, io->symbols.constants[i].llr,
               (size_t)map->words * io->symbols.constants[i].count);
    for (size_t w = 0; w < batch->n_codewords; w++)
        for (size_t i = 0; i < io->symbols.n_loose; i++) {
            ldpc_loose loose = io->symbols.loose[i];
            lanes[loose.at + w] = loose_llr(batch->llr + w * map->code->n, loose.place);
        }
}

/* The byte copy to lanes of `io`, all homes. */
static void widen(const ldpc_lane_io *io, const ldpc_plan *plan, const int8_t *bytes, void *posteriors)
{
    size_t count = home_lanes(io->map);
    int16_t *words = posteriors;
    float *floats = posteriors;
    if (io->map->lane_bytes == 2)
        for (size_t i = 0; i < count; i++)
            words[i] = bytes[i];
    else
        for (size_t i = 0; i < count; i++)
            floats[i] = (float)bytes[i] / plan->llr_scale;
}

static void narrow(const ldpc_lane_io *io, const void *posteriors, int8_t *bytes)
{
    size_t count = home_lanes(io->map);
    const int16_t *words = posteriors;
    const float *floats = posteriors;
    if (io->map->lane_bytes == 2)
        for (size_t i = 0; i < count; i++)
            bytes[i] = (int8_t)(words[i] < -128 ? -128 : words[i] > 127 ? 127 : words[i]);
    else
        for (size_t i = 0; i < count; i++)
            bytes[i] = floats[i] < 0 ? -1 : 0;
}

static void load_floats(const ldpc_lane_io *io, const ldpc_plan *plan, const ldpc_batch *batch, float *lanes)
{
    const ldpc_code *code = io->map->code;
    memset(lanes, 0, home_lanes(io->map) * sizeof *lanes);
    for (size_t w = 0; w < batch->n_codewords; w++) {
        for (uint32_t i = 0; i < code->n; i++)
            if (code->transmitted[i] != LDPC_NO_COLUMN)
                lanes[io->lane_of[code->transmitted[i]] + w] =
                    float_channel(plan, batch, w * code->n + i) + 0; /* no -0 */
        for (uint32_t i = 0; i < code->shortened; i++)
            lanes[io->lane_of[code->known_zero[i]] + w] = float_known(plan);
    }
}

void ldpc_lane_load(const ldpc_lane_io *io, const ldpc_plan *plan, const ldpc_batch *batch, void *posteriors,
                    void *scratch)
{
    const ldpc_layered_map *map = io->map;
    int8_t *bytes = map->lane_bytes == 1 ? posteriors : byte_copy(io, scratch);
    if (batch->llr_float) {
        load_floats(io, plan, batch, posteriors);
        return;
    }
    for (size_t w = 0; io->symbols.n_turned && w < batch->n_codewords; w++)
        make_image(io, batch->llr + w * map->code->n, image_of(io, scratch, w));
    load_segments(io, batch, bytes, scratch);
    load_others(io, batch, bytes);
    if (map->lane_bytes > 1)
        widen(io, plan, bytes, posteriors);
}

/* ------------------------------------------------------------------------------------------------ out */

static void store_image(const ldpc_lane_io *io, const ldpc_order *order, const int8_t *image, uint8_t *bits)
{
    uint32_t z = io->map->code->z;
    for (size_t i = 0; i < order->n_turned; i++) {
        const ldpc_turned *t = &order->turned[i];
        io->weaver->turn(image + t->to, z, t->groups, z, bits + t->first, t->stride);
    }
}

/* One byte 0/1 per entry of an order; bits[w] is NULL for words that are not wanted. */
static void store_order(const ldpc_lane_io *io, const ldpc_order *order, const int8_t *lanes,
                        uint8_t *const *bits, void *scratch)
{
    const uint32_t n_codewords = io->map->words;
    for (size_t i = 0; i < order->n_segments; i++) {
        const ldpc_segment *segment = &order->segments[i];
        uint8_t *words[MOST_WORDS];
        for (uint32_t w = 0; w < n_codewords; w++)
            words[w] =
                !bits[w] ? NULL
                         : (segment->image ? (uint8_t *)image_of(io, scratch, w) : bits[w]) + segment->first;
        io->weaver->unweave(&io->weave_index, lanes + segment->at, segment->count, words);
    }
    for (uint32_t w = 0; w < n_codewords; w++) {
        if (!bits[w])
            continue;
        store_image(io, order, image_of(io, scratch, w), bits[w]);
        for (size_t i = 0; i < order->n_loose; i++)
            if (order->loose[i].place < FROM_PUNCTURED)
                bits[w][order->loose[i].place] = lanes[order->loose[i].at + w] < 0;
    }
}

/* The bits of the wanted words, packed or not, `entries` each, to `out`. */
static void store_bits(const ldpc_lane_io *io, const ldpc_order *order, size_t entries, bool packed,
                       const int8_t *lanes, uint64_t wanted, uint8_t *out, void *scratch)
{
    uint8_t *bits[MOST_WORDS] = {NULL};
    for (uint64_t rest = wanted; rest; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        bits[w] = packed ? unpacked_of(io, scratch, w) : out + w * entries;
        if (order->gaps)
            memset(bits[w], 0, entries);
    }
    store_order(io, order, lanes, bits, scratch);
    for (uint64_t rest = packed ? wanted : 0; rest; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        ldpc_cpu_pack(bits[w], entries, out + w * ((entries + 7) / 8));
    }
}

static int16_t posterior_at(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors,
                            size_t lane)
{
    switch (io->map->lane_bytes) {
    case 1:
        return ((const int8_t *)posteriors)[lane];
    case 2:
        return ((const int16_t *)posteriors)[lane];
    default:
        return (int16_t)float_steps(plan, ((const float *)posteriors)[lane]);
    }
}

static void store_posteriors(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors, size_t w,
                             int16_t *out)
{
    const ldpc_code *code = io->map->code;
    for (uint32_t i = 0; i < code->n; i++) {
        uint32_t column = code->transmitted[i];
        out[i] = column == LDPC_NO_COLUMN ? LDPC_KNOWN_LLR
                                          : posterior_at(io, plan, posteriors, io->lane_of[column] + w);
    }
}

void ldpc_lane_store(const ldpc_lane_io *io, const ldpc_plan *plan, const void *posteriors, uint64_t words,
                     const ldpc_batch *batch, void *scratch)
{
    const ldpc_layered_map *map = io->map;
    const ldpc_code *code = map->code;
    const int8_t *bytes = posteriors;
    if (map->lane_bytes > 1 && (batch->message || batch->codeword)) {
        narrow(io, posteriors, byte_copy(io, scratch));
        bytes = byte_copy(io, scratch);
    }
    if (batch->message)
        store_bits(io, &io->message, code->k, plan->packed, bytes, words, batch->message, scratch);
    if (batch->codeword)
        store_bits(io, &io->symbols, code->n, plan->packed, bytes, words, batch->codeword, scratch);
    for (uint64_t rest = batch->posterior ? words : 0; rest; rest &= rest - 1) {
        size_t w = (size_t)__builtin_ctzll(rest);
        store_posteriors(io, plan, posteriors, w, batch->posterior + w * code->n);
    }
}
