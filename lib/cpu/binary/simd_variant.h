/* SPDX-License-Identifier: BSD-3-Clause */
/* An ISA variant is the part of the SIMD kernels that is compiled once for each instruction set and lane
 * width (layered_kernel.h, flooding_kernel.h). */
#ifndef LDPC_SIMD_VARIANT_H
#define LDPC_SIMD_VARIANT_H

#include "cpu/simd/interleave_ops.h"
#include "cpu/binary/simd_map.h"

#define LDPC_MAX_PARITIES 8 /* maximum number of registers per call of parities() */

/* Performs one iteration of flooding over all layers. `channel` is a copy of the home slots that was made
 * after loading. */
typedef void ldpc_flood(const ldpc_simd_map *map, const void *prepared, void *posteriors, const void *channel,
                        void *messages);

/* Returns the number of adjacent codewords that can exchange lanes: the number of codewords in 16 bytes of a
 * register, or 1. */
static inline uint32_t ldpc_simd_movable(const ldpc_simd_map *map)
{
    const uint32_t n = map->n_codewords, in_block = 16 / map->lane_bytes;
    return n & (n - 1) ? 1 : n < in_block ? n : in_block;
}

/* Moves of codewords to other lanes. If the bit of codeword v is set in `lanes`, v receives the lanes of
 * codeword source[v]. Both codewords must be in the same block of ldpc_simd_movable(map) adjacent
 * codewords. */
typedef struct ldpc_lane_moves {
    uint64_t lanes;
    uint8_t source[LDPC_MAX_INTERLEAVED];
} ldpc_lane_moves;

typedef struct ldpc_simd_variant {
    uint32_t lane_bytes, register_bytes;
    /* Prepares the constants of the rule in registers and, for the layered schedule, the function of each
     * layer. Called once per batch. The prepared data must be aligned to a register. It is valid only while
     * the posteriors stay at the same address. */
    size_t (*prepared_bytes)(const ldpc_simd_map *map);
    void (*prepare)(const ldpc_simd_map *map, const ldpc_rule *rule, void *posteriors, void *prepared);
    /* Performs one iteration over all layers. The messages of a codeword whose bit in `fresh` is set are read
     * as 0. If V is not a power of two, the bits of `fresh` must be all set or all clear. */
    void (*iterate)(const ldpc_simd_map *map, void *prepared, uint64_t fresh, void *posteriors,
                    void *messages);
    ldpc_flood *flood; /* performs one iteration of the flooding schedule; the map must be one for flooding */
    /* Writes the mirrors of all home slots. */
    void (*mirror)(const ldpc_simd_map *map, void *posteriors);
    /* Copies codewords from the home slots of the first `groups` column groups to other slots. Mirrors are
     * not copied. */
    void (*move_lanes)(const ldpc_simd_map *map, const ldpc_lane_moves *moves, uint32_t groups,
                       const void *slots, void *others);
    /* Exchanges codewords. Copies the codewords of `in` to the slots of all column groups. Copies the
     * previous content of the first `out_groups` groups to the codewords of `out`. ldpc_simd_movable(map)
     * must be greater than 1. */
    void (*exchange_lanes)(const ldpc_simd_map *map, const ldpc_lane_moves *in, const ldpc_lane_moves *out,
                           uint32_t out_groups, void *slots, void *others);
    /* Clears the messages of some codewords in complete rows of `bytes` bytes. `lanes` has the same meaning
     * as `fresh` in iterate(). */
    void (*clear_lanes)(const ldpc_simd_map *map, uint64_t lanes, void *messages, size_t bytes);
    /* Computes the parities of the signs of the posteriors for registers j .. j + count - 1 of layer l, where
     * count <= LDPC_MAX_PARITIES. In each lane, one bit is set if its parity check is not satisfied. The
     * caller must correct the result in two cases: lanes after the end of the row are undefined, and missing
     * edges are included. If count > 1, the home slots must have mirrors. */
    void (*parities)(const ldpc_simd_map *map, uint32_t l, uint32_t j, uint32_t count, const void *posteriors,
                     uint64_t *parities);
    /* Returns the lanes in which at least one register of layer l has an unsatisfied check. Only the lanes in
     * `last` of the last register are valid. Each codeword must have the same lanes in all registers of a
     * row. There must be no missing edges, dyadic blocks or stages, and the home slots must have mirrors. */
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

/* The name of the object that a variant's source defines. It consists of LANE_BITS and LDPC_ISA, as in
 * ldpc_simd_i8_avx2. */
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
