/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_SIMD_PARITIES_H
#define LDPC_SIMD_PARITIES_H

#include "base/bits.h"
#include "cpu/binary/layer_generic.h"
#include "cpu/binary/simd_variant.h"

FORCE_INLINE vec around_end(const ldpc_simd_map *map, const char *row, uint32_t at)
{
    static const uint8_t end[2 * REGISTER_BYTES] = {[0 ... REGISTER_BYTES - 1] = 0xff};
    vec here = v_loadu(row + at);
    if (at <= (map->registers - 1) * REGISTER_BYTES)
        return here;
    vec from_start = v_loadu(row + at - map->row_bytes);
    return v_blend(v_loadu(end + REGISTER_BYTES - (map->row_bytes - at)), from_start, here);
}

FORCE_INLINE uint32_t offset_of(const uint32_t *at, unsigned i, const unsigned count)
{
    const unsigned pair = i - i % 2;
    if (pair + 1 == count)
        return at[i];
    uint64_t two;
    memcpy(&two, at + pair, sizeof two);
    return (uint32_t)(i % 2 ? two >> 32 : two);
}

FORCE_INLINE void xor_posteriors(const unsigned count, const bool dyadic, const bool mirrored,
                                 const ldpc_simd_map *map, uint32_t l, uint32_t j, const char *L, vec *sum)
{
    const uint32_t first = map->code->layer_start[l], degree = map->code->layer_start[l + 1] - first;
    const uint32_t *at = map->home_at + (size_t)first * map->registers + j;
    UNROLL
    for (unsigned i = 0; i < count; i++)
        sum[i] = v_zero();
    for (uint32_t e = 0; e < degree; e++, at += map->registers) {
        const uint32_t home = map->home_of[first + e];
        UNROLL
        for (unsigned i = 0; i < count; i++) {
            const uint32_t from = offset_of(at, i, count);
            sum[i] = v_xor(sum[i], mirrored || dyadic ? posteriors_at(dyadic, L, from)
                                                      : around_end(map, L + home, from - home));
        }
    }
}

/* If count > 1, home slots need mirrors. */
FORCE_INLINE void parities_of(const unsigned count, const bool dyadic, const ldpc_simd_map *map, uint32_t l,
                              uint32_t j, const char *L, uint64_t *parities)
{
    vec sum[LDPC_MAX_PARITIES];
    xor_posteriors(count, dyadic, count > 1, map, l, j, L, sum);
    UNROLL
    for (unsigned i = 0; i < count; i++)
        parities[i] = v_signs(sum[i]);
}

/* `last` masks the last register. */
FORCE_INLINE uint64_t odd_of(const unsigned count, const ldpc_simd_map *map, uint32_t l, uint32_t j,
                             const char *L, uint64_t last)
{
    vec sum[LDPC_MAX_PARITIES], odd = v_zero();
    xor_posteriors(count, false, true, map, l, j, L, sum);
    UNROLL
    for (unsigned i = 0; i + 1 < count; i++)
        odd = v_or(odd, sum[i]);
    return v_signs(odd) | (v_signs(sum[count - 1]) & last);
}

static uint64_t odd_lanes(const ldpc_simd_map *map, uint32_t l, const void *posteriors, uint64_t last)
{
    uint64_t odd = 0;
    uint32_t j = 0;
    for (; map->registers - j > LDPC_MAX_PARITIES; j += LDPC_MAX_PARITIES)
        odd |= odd_of(LDPC_MAX_PARITIES, map, l, j, posteriors, UINT64_MAX);
    switch (map->registers - j) {
#define ODD(n)                                                                                               \
    case n:                                                                                                  \
        return odd | odd_of(n, map, l, j, posteriors, last);
        ODD(1)
        ODD(2)
        ODD(3)
        ODD(4)
        ODD(5)
        ODD(6)
        ODD(7)
    default:
        return odd | odd_of(LDPC_MAX_PARITIES, map, l, j, posteriors, last);
    }
}

static uint64_t parities_of_part(const ldpc_simd_map *map, uint32_t l, const void *posteriors)
{
    const ldpc_simd_layer *part = &map->layers[l];
    const uint32_t *columns = part->columns;
    const lane_t *posterior = posteriors;
    lane_t sum[REGISTER_BYTES / sizeof(lane_t)] = {0};
    for (uint32_t e = 0; e < part->degree; e++, columns += part->checks)
        for (uint32_t i = 0; i < part->checks; i++)
            sum[i] ^= posterior[columns[i]];
    return v_signs(v_loadu(sum));
}

static void parities(const ldpc_simd_map *map, uint32_t l, uint32_t j, uint32_t count, const void *posteriors,
                     uint64_t *found)
{
    if (map->column_memory) {
        *found = parities_of_part(map, l, posteriors);
        return;
    }
    if (map->code->is_dyadic) {
        for (uint32_t i = 0; i < count; i++)
            parities_of(1, true, map, l, j + i, posteriors, found + i);
        return;
    }
    switch (count) {
#define PARITIES(n)                                                                                          \
    case n:                                                                                                  \
        parities_of(n, false, map, l, j, posteriors, found);                                                 \
        break;
        PARITIES(1)
        PARITIES(2)
        PARITIES(3)
        PARITIES(4)
        PARITIES(5)
        PARITIES(6)
        PARITIES(7)
    default:
        parities_of(LDPC_MAX_PARITIES, false, map, l, j, posteriors, found);
    }
}

#endif
