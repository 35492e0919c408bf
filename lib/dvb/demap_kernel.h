/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface of the demapping kernels, listed in demapper.c. */
#ifndef LDPC_DEMAP_KERNEL_H
#define LDPC_DEMAP_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/simd/interleave_ops.h"
#include "cpu/cpu_features.h"

typedef enum ldpc_demap_search {
    LDPC_DEMAP_AXES,    /* QAM: I and Q are independent */
    LDPC_DEMAP_LATTICE, /* rotated QAM with different noise of I and Q */
    LDPC_DEMAP_POINTS,  /* for any constellation: all points are tried */
    /* for constellations with two label bits each of which mirrors one coordinate: only points with positive
     * coordinates are tried */
    LDPC_DEMAP_MIRRORED,
} ldpc_demap_search;

typedef struct ldpc_demap_shape {
    ldpc_demap_search search;
    /* true: exact LLRs, computed from all points; false: max-log */
    bool exact;
    uint32_t bits;
    float llr_scale;
    float step;          /* AXES and LATTICE: levels are odd multiples of `step` */
    float cosine, sine;  /* LATTICE: rotation angle */
    const float *points; /* for POINTS: 2^bits points, I and Q alternating */
    /* for MIRRORED: 2^(bits - 2) points with positive coordinates, I and Q alternating; the first two planes are the
     * bits that mirror I and Q, in a constellation where these bits are 0 for positive coordinates (sign 1) or 1 (-1) */
    const float *quadrant;
    float sign[2];
} ldpc_demap_shape;

/* cells: number of cells, a multiple of LDPC_DEMAP_CELLS */
typedef struct ldpc_demap_chunk {
    size_t cells;
    const float *value[2]; /* I, Q; all finite */
    /* 1 / noise power of I and of Q, 0 .. LDPC_DEMAP_MAX_WEIGHT; 0: erasure */
    const float *weight[2];
    int8_t *llr; /* bit b of cell c is llr[b * stride + c] */
    size_t stride;
} ldpc_demap_chunk;

/* Maximum weight, and maximum |I| and |Q|. A larger I or Q is an erasure. */
#define LDPC_DEMAP_MAX_WEIGHT 1e9f
#define LDPC_DEMAP_MAX_VALUE  1e6f

enum {
    LDPC_DEMAP_CELLS = 16,
    LDPC_DEMAP_LEVELS = 64, /* levels per axis */
    LDPC_DEMAP_MOST_POINTS = 256,
    LDPC_DEMAP_TABLE_BITS = 5,
    LDPC_DEMAP_TABLE = 1 << LDPC_DEMAP_TABLE_BITS /* costs that fit in registers */
};

typedef struct ldpc_demap_kernel {
    ldpc_cpu_row row;
    /* I and Q are two floats apart in `iq`. Values that are not finite become erasures (value and weight
     * 0). */
    void (*weigh)(size_t count, const float *iq, const float *noise, float *value, float *weight);
    void (*demap)(const ldpc_demap_shape *shape, const ldpc_demap_chunk *chunk);
    const ldpc_interleave_ops *interleave;
} ldpc_demap_kernel;

#endif
