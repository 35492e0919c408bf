/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the demapper and its kernels: one row per kernel in demapper.c. */
#ifndef LDPC_DEMAP_KERNEL_H
#define LDPC_DEMAP_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/simd/interleave_ops.h"
#include "cpu/cpu_features.h"

/* Which points a cell is compared with. */
typedef enum ldpc_demap_search {
    LDPC_DEMAP_AXES,    /* QAM: I and Q each have half of the bits */
    LDPC_DEMAP_LATTICE, /* rotated QAM with different noise of I and Q */
    LDPC_DEMAP_POINTS,  /* rings, point by point */
} ldpc_demap_search;

typedef struct ldpc_demap_shape {
    ldpc_demap_search search;
    bool exact; /* LLRs from all points, else max-log: from the nearest ones */
    uint32_t bits;
    float llr_scale;
    float step;          /* AXES and LATTICE: levels are odd multiples of it */
    float cosine, sine;  /* LATTICE: of the angle of rotation */
    const float *points; /* POINTS: 2^bits of them, I and Q alternating */
} ldpc_demap_shape;

/* Cells that are demapped together, a multiple of LDPC_DEMAP_CELLS. */
typedef struct ldpc_demap_chunk {
    size_t cells;
    const float *value[2];  /* I, Q; finite */
    const float *weight[2]; /* 1 / noise of I and of Q; 0: an erasure; at most LDPC_DEMAP_MAX_WEIGHT */
    int8_t *llr;            /* bit b of cell c at llr[b * stride + c] */
    size_t stride;
} ldpc_demap_chunk;

/* Larger weights count as this; larger magnitudes of I and Q are treated as erasures. */
#define LDPC_DEMAP_MAX_WEIGHT 1e9f
#define LDPC_DEMAP_MAX_VALUE  1e6f

enum {
    LDPC_DEMAP_CELLS = 16,
    LDPC_DEMAP_LEVELS = 64, /* of an axis */
    LDPC_DEMAP_MOST_POINTS = 256,
    LDPC_DEMAP_TABLE_BITS = 5,
    LDPC_DEMAP_TABLE = 1 << LDPC_DEMAP_TABLE_BITS /* costs that straight-line code keeps in registers */
};

typedef struct ldpc_demap_kernel {
    ldpc_cpu_row row;
    /* Weights `count` parts (I or Q) of cells by their noise; iq points to the first, the others follow two floats
     * apart. Parts that are not finite, or whose noise is not, are erasures: value and weight 0. */
    void (*weigh)(size_t count, const float *iq, const float *noise, float *value, float *weight);
    void (*demap)(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk);
    const ldpc_interleave_ops *interleave;
} ldpc_demap_kernel;

extern const ldpc_demap_kernel ldpc_demap_scalar, ldpc_demap_sse41, ldpc_demap_avx2, ldpc_demap_avx512,
    ldpc_demap_neon;

#endif
