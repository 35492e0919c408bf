/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the SIMD kernels that is compiled once per instruction set and lane width (layered_kernel.h,
 * flooding_kernel.h): an ISA variant. */
#ifndef LDPC_LAYERED_VARIANT_H
#define LDPC_LAYERED_VARIANT_H

#include "cpu/binary/interleave_ops.h"
#include "cpu/binary/layered_map.h"

#define LDPC_MAX_PARITIES 6 /* registers of one call of parities() */

/* One iteration of flooding over all layers; `channel` is a copy of the home slots as they were loaded. */
typedef void ldpc_flood(const ldpc_layered_map *map, const void *prepared, void *posteriors,
                        const void *channel, void *messages);

typedef struct ldpc_layered_variant {
    uint32_t lane_bytes, register_bytes;
    /* The rule's constants in registers and, for the layered schedule, each layer's function: computed once
     * per batch, for one address of the posteriors, in memory that is aligned to a register. */
    size_t (*prepared_bytes)(const ldpc_layered_map *map);
    void (*prepare)(const ldpc_layered_map *map, const ldpc_rule *rule, void *posteriors, void *prepared);
    /* One iteration over all layers. The first one clears the messages. */
    void (*iterate)(const ldpc_layered_map *map, const void *prepared, bool first, void *posteriors,
                    void *messages);
    ldpc_flood *flood; /* with a map for flooding */
    /* Writes the mirrors of all home slots. */
    void (*mirror)(const ldpc_layered_map *map, void *posteriors);
    /* Copies the lanes of the codewords v whose bit of `codewords` is set from the home slots of the first
     * column groups to other slots, without mirrors. */
    void (*copy_lanes)(const ldpc_layered_map *map, uint64_t codewords, uint32_t groups, const void *slots,
                       void *others);
    /* Parities of the posterior signs in `count` <= LDPC_MAX_PARITIES registers, from j on, of layer l: one
     * bit per lane, set where the check is not satisfied. Lanes after the row have any value, and missing
     * edges take part: the caller corrects both. For more than one register the home slots need their mirrors.
     */
    void (*parities)(const ldpc_layered_map *map, uint32_t l, uint32_t j, uint32_t count,
                     const void *posteriors, uint64_t *parities);
    const ldpc_interleave_ops *interleave;
} ldpc_layered_variant;

#define LDPC_LAYERED_VARIANTS(isa)                                                                           \
    extern const ldpc_layered_variant ldpc_layered_i8_##isa, ldpc_layered_i16_##isa, ldpc_layered_f32_##isa; \
    extern ldpc_flood ldpc_flood_i8_##isa, ldpc_flood_i16_##isa, ldpc_flood_f32_##isa;                       \
    extern const ldpc_interleave_ops ldpc_interleave_##isa
LDPC_LAYERED_VARIANTS(scalar);
LDPC_LAYERED_VARIANTS(sse41);
LDPC_LAYERED_VARIANTS(avx2_mask);
LDPC_LAYERED_VARIANTS(avx2);
#define ldpc_layered_f32_avx512_256 ldpc_layered_f32_avx512 /* avx512_256 has none of its own */
#define ldpc_interleave_avx512_256  ldpc_interleave_avx512
LDPC_LAYERED_VARIANTS(avx512_256);
LDPC_LAYERED_VARIANTS(avx512);
LDPC_LAYERED_VARIANTS(neon);

/* The name of what a variant's source defines, from LANE_BITS and LDPC_ISA: ldpc_layered_i8_avx2, ... */
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
