/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies LLRs, bits and posteriors between codewords and lanes (interleaver.h). Scratch memory:
 *
 *   scratch:  | transposed copy, codeword by codeword | unpacked bits, codeword by codeword |
 *             | interleaved LLRs | interleaved posteriors | posteriors as bytes, only if lanes are wider |
 */
#include "cpu/binary/interleaver.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cpu/binary/simd_kernels.h"
#include "cpu/binary/llr_conversion.h"

static void find_lanes(const ldpc_simd_map *map, uint32_t *lane_of)
{
    const ldpc_code *code = map->code;
    for (uint32_t g = 0; g < code->groups; g++)
        for (uint32_t lane = 0; lane < code->z; lane++)
            lane_of[code->column_at[(size_t)g * code->z + lane]] = ldpc_home_lane(map, g, lane);
}

/* ---- creation */

static size_t aligned(size_t bytes)
{
    return (bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
}

static size_t transposed_bytes(const ldpc_interleaver *il)
{
    size_t a = il->symbols.transposed_entries, b = il->message.transposed_entries;
    return aligned(a > b ? a : b);
}

static size_t unpacked_bytes(const ldpc_interleaver *il)
{
    return aligned(il->map->code->n > il->map->code->k ? il->map->code->n : il->map->code->k);
}

static size_t interleaved_bytes(const ldpc_interleaver *il)
{
    const uint32_t n = il->map->n_codewords;
    return n == 1 ? 0 : n * (unpacked_bytes(il) + transposed_bytes(il));
}

static size_t home_lanes(const ldpc_simd_map *map)
{
    return (size_t)map->code->groups * map->slot_bytes / map->lane_bytes;
}

static size_t copy_bytes(const ldpc_simd_map *map)
{
    return map->lane_bytes == 1 ? 0 : aligned(map->differences / map->lane_bytes);
}

ldpc_status ldpc_interleaver_create(const ldpc_simd_map *map, const ldpc_interleave_ops *ops,
                                    ldpc_interleaver **made)
{
    ldpc_interleaver *il = ldpc_allocate(1, sizeof *il);
    if (!il)
        return LDPC_ERR_MEMORY;
    il->map = map;
    il->ops = ops;
    il->lane_of = ldpc_allocate(map->code->columns, sizeof *il->lane_of);
    if (!il->lane_of || !ldpc_lane_copies_make(map, &il->symbols, &il->message)) {
        ldpc_interleaver_destroy(il);
        return LDPC_ERR_MEMORY;
    }
    find_lanes(map, il->lane_of);
    ldpc_interleave_shuffles_fill(map->n_codewords, &il->shuffles);
    il->scratch_bytes = map->n_codewords * (transposed_bytes(il) + unpacked_bytes(il)) +
                        2 * interleaved_bytes(il) + copy_bytes(map);
    *made = il;
    return LDPC_OK;
}

void ldpc_interleaver_destroy(ldpc_interleaver *il)
{
    if (!il)
        return;
    ldpc_lane_copies_free(&il->symbols);
    ldpc_lane_copies_free(&il->message);
    free(il->lane_of);
    free(il);
}

/* ---- scratch */

static int8_t *transposed_of(const ldpc_interleaver *il, void *scratch, size_t w)
{
    return (int8_t *)scratch + w * transposed_bytes(il);
}

static uint8_t *unpacked_of(const ldpc_interleaver *il, void *scratch, size_t w)
{
    return (uint8_t *)transposed_of(il, scratch, il->map->n_codewords) + w * unpacked_bytes(il);
}

static int8_t *interleaved_llrs(const ldpc_interleaver *il, void *scratch)
{
    return (int8_t *)unpacked_of(il, scratch, il->map->n_codewords);
}

static int8_t *interleaved_posteriors(const ldpc_interleaver *il, void *scratch)
{
    return interleaved_llrs(il, scratch) + interleaved_bytes(il);
}

static int8_t *byte_copy(const ldpc_interleaver *il, void *scratch)
{
    return interleaved_posteriors(il, scratch) + interleaved_bytes(il);
}

static size_t interleaved_at(const ldpc_interleaver *il, const ldpc_segment *segment)
{
    const size_t before = segment->transposed ? unpacked_bytes(il) : 0;
    return il->map->n_codewords * (before + segment->first);
}

/* ---- loading */

static void transpose_codeword(const ldpc_interleaver *il, const int8_t *llr, int8_t *copy)
{
    uint32_t z = il->map->code->z;
    for (size_t i = 0; i < il->symbols.n_transpositions; i++) {
        const ldpc_transposition *t = &il->symbols.transpositions[i];
        il->ops->transpose(llr + t->first, t->stride, z, t->groups, copy + t->to, z);
    }
}

static const int8_t *llrs_of(const ldpc_interleaver *il, const ldpc_batch *batch, uint32_t codeword)
{
    return batch->llr + (size_t)codeword * il->map->code->n;
}

static void load_single_codeword(const ldpc_interleaver *il, int8_t limit, const int8_t *llr, int8_t *lanes,
                                 void *scratch)
{
    for (size_t i = 0; i < il->symbols.n_segments; i++) {
        const ldpc_segment *segment = &il->symbols.segments[i];
        const int8_t *from = (segment->transposed ? transposed_of(il, scratch, 0) : llr) + segment->first;
        il->ops->interleave(&il->shuffles, limit, &from, segment->count, lanes + segment->at);
    }
}

static void load_segments(const ldpc_interleaver *il, int8_t limit, const ldpc_batch *batch,
                          const uint32_t *codewords, uint64_t wanted, int8_t *lanes, void *scratch)
{
    const ldpc_lane_copies *copies = &il->symbols;
    const uint32_t n = il->map->n_codewords;
    const size_t entries = copies->end_entry - copies->first_entry;
    int8_t *interleaved = interleaved_llrs(il, scratch);
    const int8_t *from[LDPC_MAX_INTERLEAVED], *transposed[LDPC_MAX_INTERLEAVED];
    for (uint32_t w = 0; w < n; w++) {
        const bool is_wanted = wanted >> w & 1;
        from[w] = is_wanted ? llrs_of(il, batch, codewords[w]) + copies->first_entry : NULL;
        transposed[w] = is_wanted ? transposed_of(il, scratch, w) : NULL;
    }
    il->ops->interleave(&il->shuffles, limit, from, entries, interleaved + n * copies->first_entry);
    if (copies->transposed_entries)
        il->ops->interleave(&il->shuffles, limit, transposed, copies->transposed_entries,
                            interleaved + n * unpacked_bytes(il));
    for (size_t i = 0; i < copies->n_segments; i++) {
        const ldpc_segment *segment = &copies->segments[i];
        memcpy(lanes + segment->at, interleaved + interleaved_at(il, segment), (size_t)n * segment->count);
    }
}

static int8_t llr_at(const int8_t *llr, int8_t limit, uint32_t position)
{
    if (position >= LDPC_POSITION_PUNCTURED)
        return position == LDPC_POSITION_KNOWN ? LDPC_KNOWN_LLR : 0;
    return (int8_t)limited_llr(llr[position], limit);
}

static void load_singles(const ldpc_interleaver *il, int8_t limit, const ldpc_batch *batch,
                         const uint32_t *codewords, uint64_t wanted, int8_t *lanes)
{
    const ldpc_simd_map *map = il->map;
    for (size_t i = 0; i < il->symbols.n_constants; i++)
        memset(lanes + il->symbols.constants[i].at, il->symbols.constants[i].llr,
               (size_t)map->n_codewords * il->symbols.constants[i].count);
    for (uint64_t rest = il->symbols.n_singles ? wanted : 0; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        for (size_t i = 0; i < il->symbols.n_singles; i++) {
            ldpc_single_lane single = il->symbols.singles[i];
            lanes[single.at + w] = llr_at(llrs_of(il, batch, codewords[w]), limit, single.position);
        }
    }
}

static void widen(const ldpc_interleaver *il, const ldpc_plan *plan, const int8_t *bytes, void *posteriors)
{
    size_t count = home_lanes(il->map);
    int16_t *i16 = posteriors;
    float *floats = posteriors;
    if (il->map->lane_bytes == 2)
        for (size_t i = 0; i < count; i++)
            i16[i] = bytes[i];
    else
        for (size_t i = 0; i < count; i++)
            floats[i] = (float)bytes[i] / plan->llr_scale;
}

/* Only signs are preserved. */
static void narrow(const ldpc_interleaver *il, const void *posteriors, int8_t *bytes)
{
    size_t count = home_lanes(il->map);
    const int16_t *i16 = posteriors;
    const float *floats = posteriors;
    if (il->map->lane_bytes == 2)
        for (size_t i = 0; i < count; i++)
            bytes[i] = (int8_t)(i16[i] < -128 ? -128 : i16[i] > 127 ? 127 : i16[i]);
    else
        for (size_t i = 0; i < count; i++)
            bytes[i] = floats[i] < 0 ? -1 : 0;
}

static void load_floats(const ldpc_interleaver *il, const ldpc_plan *plan, const ldpc_batch *batch,
                        const uint32_t *codewords, uint64_t wanted, float *lanes)
{
    const ldpc_code *code = il->map->code;
    memset(lanes, 0, home_lanes(il->map) * sizeof *lanes);
    for (uint64_t rest = wanted; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        for (uint32_t i = 0; i < code->n; i++)
            if (code->transmitted[i] != LDPC_NO_COLUMN)
                lanes[il->lane_of[code->transmitted[i]] + w] =
                    float_channel(plan, batch, (size_t)codewords[w] * code->n + i) + 0; /* 0 instead of -0 */
        for (uint32_t i = 0; i < code->shortened; i++)
            lanes[il->lane_of[code->known_zero[i]] + w] = float_known(plan);
    }
}

void ldpc_interleaver_load(const ldpc_interleaver *il, const ldpc_plan *plan, const ldpc_batch *batch,
                           const uint32_t *codewords, uint64_t wanted, void *posteriors, void *scratch)
{
    const ldpc_simd_map *map = il->map;
    int8_t *bytes = map->lane_bytes == 1 ? posteriors : byte_copy(il, scratch);
    const int8_t limit = (int8_t)plan->llr_limit;
    if (batch->llr_float) {
        load_floats(il, plan, batch, codewords, wanted, posteriors);
        return;
    }
    for (uint64_t rest = il->symbols.n_transpositions ? wanted : 0; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        transpose_codeword(il, llrs_of(il, batch, codewords[w]), transposed_of(il, scratch, w));
    }
    if (map->n_codewords == 1)
        load_single_codeword(il, limit, llrs_of(il, batch, codewords[0]), bytes, scratch);
    else
        load_segments(il, limit, batch, codewords, wanted, bytes, scratch);
    load_singles(il, limit, batch, codewords, wanted, bytes);
    if (map->lane_bytes > 1)
        widen(il, plan, bytes, posteriors);
}

/* ---- storing */

static void transpose_bits(const ldpc_interleaver *il, const ldpc_lane_copies *copies, const int8_t *copy,
                           uint8_t *bits)
{
    uint32_t z = il->map->code->z;
    for (size_t i = 0; i < copies->n_transpositions; i++) {
        const ldpc_transposition *t = &copies->transpositions[i];
        il->ops->transpose(copy + t->to, z, t->groups, z, bits + t->first, t->stride);
    }
}

static void store_single_codeword(const ldpc_interleaver *il, const ldpc_lane_copies *copies,
                                  const int8_t *lanes, uint8_t *bits, void *scratch)
{
    for (size_t i = 0; i < copies->n_segments; i++) {
        const ldpc_segment *segment = &copies->segments[i];
        uint8_t *to =
            (segment->transposed ? (uint8_t *)transposed_of(il, scratch, 0) : bits) + segment->first;
        il->ops->deinterleave(&il->shuffles, lanes + segment->at, segment->count, &to);
    }
}

static void store_segments(const ldpc_interleaver *il, const ldpc_lane_copies *copies, const int8_t *lanes,
                           uint8_t *const *bits, void *scratch)
{
    const uint32_t n = il->map->n_codewords;
    int8_t *interleaved = interleaved_posteriors(il, scratch);
    uint8_t *to[LDPC_MAX_INTERLEAVED], *transposed[LDPC_MAX_INTERLEAVED];
    for (uint32_t w = 0; w < n; w++) {
        to[w] = bits[w] ? bits[w] + copies->first_entry : NULL;
        transposed[w] = bits[w] ? (uint8_t *)transposed_of(il, scratch, w) : NULL;
    }
    if (copies->gaps)
        memset(interleaved, 0, n * copies->end_entry);
    for (size_t i = 0; i < copies->n_segments; i++) {
        const ldpc_segment *segment = &copies->segments[i];
        memcpy(interleaved + interleaved_at(il, segment), lanes + segment->at, (size_t)n * segment->count);
    }
    il->ops->deinterleave(&il->shuffles, interleaved + n * copies->first_entry,
                          copies->end_entry - copies->first_entry, to);
    if (copies->transposed_entries)
        il->ops->deinterleave(&il->shuffles, interleaved + n * unpacked_bytes(il), copies->transposed_entries,
                              transposed);
}

static void store_copies(const ldpc_interleaver *il, const ldpc_lane_copies *copies, const int8_t *lanes,
                         uint8_t *const *bits, void *scratch)
{
    const uint32_t n_codewords = il->map->n_codewords;
    if (n_codewords == 1)
        store_single_codeword(il, copies, lanes, bits[0], scratch);
    else
        store_segments(il, copies, lanes, bits, scratch);
    for (uint32_t w = 0; w < n_codewords; w++) {
        if (!bits[w])
            continue;
        transpose_bits(il, copies, transposed_of(il, scratch, w), bits[w]);
        for (size_t i = 0; i < copies->n_singles; i++)
            if (copies->singles[i].position < LDPC_POSITION_PUNCTURED)
                bits[w][copies->singles[i].position] = lanes[copies->singles[i].at + w] < 0;
    }
}

static void store_bits(const ldpc_interleaver *il, const ldpc_lane_copies *copies, size_t entries,
                       bool packed, const int8_t *lanes, const uint32_t *codewords, uint64_t wanted,
                       uint8_t *out, void *scratch)
{
    uint8_t *bits[LDPC_MAX_INTERLEAVED] = {NULL};
    for (uint64_t rest = wanted; rest; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        bits[w] = packed ? unpacked_of(il, scratch, w) : out + codewords[w] * entries;
        if (copies->gaps)
            memset(bits[w], 0, entries);
    }
    store_copies(il, copies, lanes, bits, scratch);
    for (uint64_t rest = packed ? wanted : 0; rest; rest &= rest - 1) {
        unsigned w = (unsigned)__builtin_ctzll(rest);
        il->ops->pack(bits[w], entries, out + codewords[w] * ldpc_packed_bytes(entries));
    }
}

static int16_t posterior_at(const ldpc_interleaver *il, const ldpc_plan *plan, const void *posteriors,
                            size_t lane)
{
    switch (il->map->lane_bytes) {
    case 1:
        return ((const int8_t *)posteriors)[lane];
    case 2:
        return ((const int16_t *)posteriors)[lane];
    default:
        return (int16_t)float_steps(plan, ((const float *)posteriors)[lane]);
    }
}

static void store_posteriors(const ldpc_interleaver *il, const ldpc_plan *plan, const void *posteriors,
                             size_t w, int16_t *out)
{
    const ldpc_code *code = il->map->code;
    for (uint32_t i = 0; i < code->n; i++) {
        uint32_t column = code->transmitted[i];
        out[i] = column == LDPC_NO_COLUMN ? LDPC_KNOWN_LLR
                                          : posterior_at(il, plan, posteriors, il->lane_of[column] + w);
    }
}

uint32_t ldpc_interleaver_groups(const ldpc_interleaver *il, const ldpc_batch *batch)
{
    return batch->codeword || batch->posterior ? il->map->code->groups : il->message.groups;
}

void ldpc_interleaver_store(const ldpc_interleaver *il, const ldpc_plan *plan, const void *posteriors,
                            const uint32_t *codewords, uint64_t wanted, const ldpc_batch *batch,
                            void *scratch)
{
    const ldpc_simd_map *map = il->map;
    const ldpc_code *code = map->code;
    const int8_t *bytes = posteriors;
    if (map->lane_bytes > 1 && (batch->message || batch->codeword)) {
        narrow(il, posteriors, byte_copy(il, scratch));
        bytes = byte_copy(il, scratch);
    }
    if (batch->message)
        store_bits(il, &il->message, code->k, plan->packed, bytes, codewords, wanted, batch->message,
                   scratch);
    if (batch->codeword)
        store_bits(il, &il->symbols, code->n, plan->packed, bytes, codewords, wanted, batch->codeword,
                   scratch);
    for (uint64_t rest = batch->posterior ? wanted : 0; rest; rest &= rest - 1) {
        size_t w = (size_t)__builtin_ctzll(rest);
        store_posteriors(il, plan, posteriors, w, batch->posterior + (size_t)codewords[w] * code->n);
    }
}
