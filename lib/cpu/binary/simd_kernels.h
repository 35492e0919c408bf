/* SPDX-License-Identifier: BSD-3-Clause */
/* The SIMD kernels: choice of codewords (simd_cost.c), tables (simd_kernels.c), decoding (simd_decode.c).
 * layered_kernel.h and flooding_kernel.h are compiled for each ISA variant. */
#ifndef LDPC_SIMD_KERNELS_H
#define LDPC_SIMD_KERNELS_H

#include "cpu/binary/interleaver.h"
#include "cpu/binary/simd_map.h"
#include "cpu/binary/simd_variant.h"
#include "cpu/cpu_kernel.h"

typedef struct ldpc_simd_variants {
    const ldpc_simd_variant *i8, *i16, *f32;
    unsigned features; /* required CPU features */
} ldpc_simd_variants;

/* Assignment of codewords to lanes. */
typedef struct ldpc_lane_layout {
    const ldpc_simd_variant *variant;
    ldpc_simd_map *map;
    ldpc_interleaver *interleaver;
} ldpc_lane_layout;

/* ---- simd_cost.c */

const ldpc_simd_variant *ldpc_simd_variant_of(const ldpc_plan *plan, const ldpc_simd_variants *variants);

uint32_t ldpc_simd_codewords(const ldpc_plan *plan, const ldpc_simd_variant *variant);

const ldpc_code *ldpc_simd_single_code(const ldpc_code *code, const ldpc_simd_variant *variant);
const ldpc_simd_variant *ldpc_simd_single_variant(const ldpc_plan *plan, const ldpc_simd_variants *variants);

bool ldpc_simd_side_by_side(const ldpc_plan *plan, const ldpc_lane_layout *single,
                            const ldpc_lane_layout *batch, size_t n_codewords);

/* ---- simd_decode.c */

/* Returns the size of the scratch memory in bytes, 0 without a map. */
size_t ldpc_simd_scratch_bytes(const ldpc_lane_layout *layout);

bool ldpc_simd_refills(const ldpc_lane_layout *layout);

void ldpc_simd_decode(const ldpc_lane_layout *layout, const ldpc_plan *plan, const ldpc_rule *rule,
                      void *scratch, const ldpc_batch *batch);

#endif
