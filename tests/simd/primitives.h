/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the primitives of lib/cpu/simd/simd.h available as functions. isa_primitives.c is compiled for each
 * instruction set and has a function for each row of primitive_list.inc. */
#ifndef SIMD_PRIMITIVES_H
#define SIMD_PRIMITIVES_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu_features.h"

enum { MAX_REGISTER_BYTES = 64, OPERANDS = 5 };

/* Each register is followed by guard bytes. */
typedef struct operands {
    uint8_t reg[OPERANDS][2 * MAX_REGISTER_BYTES] __attribute__((aligned(MAX_REGISTER_BYTES)));
    unsigned k;
} operands;

/* times: number of repetitions */
typedef void primitive_run(const operands *in, uint8_t *out, size_t times);

typedef struct primitive_set {
    ldpc_cpu_row row;
    size_t register_bytes;
    primitive_run *const *run;
} primitive_set;

#if defined(SIMD_SETS)
#define X(isa) extern const primitive_set simd_primitives_##isa;
SIMD_SETS
#undef X
#endif

#endif
