/* SPDX-License-Identifier: BSD-3-Clause */
/* The SIMD kernels consist of three parts. simd_cost.c chooses how many codewords share the lanes,
 * simd_kernels.c makes the tables and lists the kernels, and simd_decode.c decodes. The loops over all edges
 * are in layered_kernel.h and flooding_kernel.h, which are compiled for each ISA variant. */
#ifndef LDPC_SIMD_KERNELS_H
#define LDPC_SIMD_KERNELS_H

#include "cpu/binary/interleaver.h"
#include "cpu/binary/simd_map.h"
#include "cpu/binary/simd_variant.h"
#include "cpu/cpu_kernel.h"

/* The ISA variants of a kernel, one for each arithmetic. They are elements of arrays that are sorted from the
 * slowest to the fastest variant. */
typedef struct ldpc_simd_variants {
    const ldpc_simd_variant *i8, *i16, *f32;
    unsigned features; /* required CPU features */
} ldpc_simd_variants;

/* Assignment of codewords to the lanes of a memory map. */
typedef struct ldpc_lane_layout {
    const ldpc_simd_variant *variant;
    ldpc_simd_map *map;
    ldpc_interleaver *interleaver;
} ldpc_lane_layout;

/* ---- simd_cost.c */

const ldpc_simd_variant *ldpc_simd_variant_of(const ldpc_plan *plan, const ldpc_simd_variants *variants);

/* Returns the number of codewords that a batch decodes side by side. */
uint32_t ldpc_simd_codewords(const ldpc_plan *plan, const ldpc_simd_variant *variant);

/* Return the code and the variant for which the latency of a single codeword is lowest. The code may be the
 * dyadic view of the code, and the variant may have narrower registers. */
const ldpc_code *ldpc_simd_single_code(const ldpc_code *code, const ldpc_simd_variant *variant);
const ldpc_simd_variant *ldpc_simd_single_variant(const ldpc_plan *plan, const ldpc_simd_variants *variants);

/* Returns whether n_codewords codewords are decoded faster side by side in `batch`, with empty lanes, than
 * one by one in `single`. */
bool ldpc_simd_side_by_side(const ldpc_plan *plan, const ldpc_lane_layout *single,
                            const ldpc_lane_layout *batch, size_t n_codewords);

/* ---- simd_decode.c */

/* Returns the size of the scratch memory for a layout in bytes, or 0 if the layout has no map. */
size_t ldpc_simd_scratch_bytes(const ldpc_lane_layout *layout);

/* Returns whether the lanes of a finished codeword are refilled with the next codeword of the batch while
 * other codewords are still being decoded. Otherwise all lanes start at the same time. */
bool ldpc_simd_refills(const ldpc_lane_layout *layout);

/* Decodes a batch of any number of codewords. */
void ldpc_simd_decode(const ldpc_lane_layout *layout, const ldpc_plan *plan, const ldpc_rule *rule,
                      void *scratch, const ldpc_batch *batch);

#endif
