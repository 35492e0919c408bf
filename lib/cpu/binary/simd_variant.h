/* SPDX-License-Identifier: BSD-3-Clause */
/* The code that is compiled once per instruction set and lane width. */
#ifndef LDPC_SIMD_VARIANT_H
#define LDPC_SIMD_VARIANT_H

#include "cpu/simd/interleave_ops.h"
#include "cpu/binary/simd_map.h"

#define LDPC_MAX_PARITIES 8 /* registers per call of parities() */

typedef void ldpc_flood(const ldpc_simd_map *map, const void *prepared, void *posteriors, const void *channel,
                        void *messages);

static inline uint32_t ldpc_simd_movable(const ldpc_simd_map *map)
{
    const uint32_t n = map->n_codewords, in_block = 16 / map->lane_bytes;
    return n & (n - 1) ? 1 : n < in_block ? n : in_block;
}

/* For each bit v of `lanes`, codeword source[v] moves to the lanes of codeword v. Both codewords must be in
 * one block of ldpc_simd_movable() codewords. */
typedef struct ldpc_lane_moves {
    uint64_t lanes;
    uint8_t source[LDPC_MAX_INTERLEAVED];
} ldpc_lane_moves;

typedef struct ldpc_simd_variant {
    uint32_t lane_bytes, register_bytes;
    /* Prepares rule and layer functions once per batch. `prepared` must be aligned to a register, and is
     * valid only for this address of `posteriors`. */
    size_t (*prepared_bytes)(const ldpc_simd_map *map);
    void (*prepare)(const ldpc_simd_map *map, const ldpc_rule *rule, void *posteriors, void *prepared);
    void (*iterate)(const ldpc_simd_map *map, void *prepared, uint64_t fresh, void *posteriors,
                    void *messages);
    ldpc_flood *flood;
    void (*mirror)(const ldpc_simd_map *map, void *posteriors);
    void (*move_lanes)(const ldpc_simd_map *map, const ldpc_lane_moves *moves, uint32_t groups,
                       const void *slots, void *others);
    /* Copies codewords of `in` to the slots. In the first `out_groups` groups, the replaced codewords are
     * copied to `out`. ldpc_simd_movable() must exceed 1. */
    void (*exchange_lanes)(const ldpc_simd_map *map, const ldpc_lane_moves *in, const ldpc_lane_moves *out,
                           uint32_t out_groups, void *slots, void *others);
    void (*clear_lanes)(const ldpc_simd_map *map, uint64_t lanes, void *messages, size_t bytes);
    /* Sign parities of registers j .. j + count - 1 of layer l, count <= LDPC_MAX_PARITIES. Lanes after the
     * row are undefined. Missing edges are included. If count > 1, home slots need mirrors. */
    void (*parities)(const ldpc_simd_map *map, uint32_t l, uint32_t j, uint32_t count, const void *posteriors,
                     uint64_t *parities);
    /* Returns the lanes with an unsatisfied check in layer l. `last` masks the last register. Codewords must
     * have equal lanes in all registers; home slots need mirrors. Missing edges, dyadic blocks and stages are
     * not supported. */
    uint64_t (*odd_lanes)(const ldpc_simd_map *map, uint32_t l, const void *posteriors, uint64_t last);
    const ldpc_interleave_ops *interleave;
} ldpc_simd_variant;

#define LDPC_SIMD_VARIANTS(isa)                                                                              \
    extern const ldpc_simd_variant ldpc_simd_i8_##isa, ldpc_simd_i16_##isa, ldpc_simd_f32_##isa;             \
    extern ldpc_flood ldpc_flood_i8_##isa, ldpc_flood_i16_##isa, ldpc_flood_f32_##isa;                       \
    extern const ldpc_interleave_ops ldpc_interleave_##isa
LDPC_SIMD_VARIANTS(scalar);
LDPC_SIMD_VARIANTS(sse41);
LDPC_SIMD_VARIANTS(avx2_mask);
LDPC_SIMD_VARIANTS(avx2);
#define ldpc_simd_f32_avx512_256   ldpc_simd_f32_avx512 /* not implemented separately */
#define ldpc_interleave_avx512_256 ldpc_interleave_avx512
LDPC_SIMD_VARIANTS(avx512_256);
LDPC_SIMD_VARIANTS(avx512);
LDPC_SIMD_VARIANTS(neon);

/* Name of a variant, such as ldpc_simd_i8_avx2. */
#if LANE_BITS == 8
#define LDPC_LANES i8
#elif LANE_BITS == 16
#define LDPC_LANES i16
#else
#define LDPC_LANES f32
#endif
#define LDPC_PASTE_NAME(what, lanes, isa) what##_##lanes##_##isa
#define LDPC_NAME_OF(what, lanes, isa)    LDPC_PASTE_NAME(what, lanes, isa)
#define LDPC_VARIANT_NAME(what)           LDPC_NAME_OF(what, LDPC_LANES, LDPC_ISA)

#endif
