/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_NOISE_TABLE_SIZE = 56, LDPC_DEMAPPER_CHUNK = 512 };

/* Codeword LLR to + i * to_step is planes[from + i * from_step], i = 0 .. count - 1. */
typedef struct ldpc_llr_run {
    uint32_t to, to_step, from;
    int32_t from_step;
    uint32_t count;
} ldpc_llr_run;

struct ldpc_demapper {
    ldpc_modcod modcod;
    bool rotated, exact;
    const ldpc_demap_kernel *kernel;
    ldpc_demap_shape shape;
    float points[2 * LDPC_MAX_POINTS];   /* points of the constellation as transmitted, I and Q alternating */
    float quadrant[LDPC_MAX_POINTS / 2]; /* points with positive coordinates, for mirrored labels */
    uint8_t plane[12];                   /* plane of each label bit, most significant bit first */
    float cosine, sine;                  /* cosine and sine of the rotation angle */
    uint16_t *order;                     /* [n] position of each codeword bit in the cells */
    uint16_t *bit_at;                    /* [data_cells * bits] codeword bit at each position; padding: n */
    ldpc_llr_run *runs;                  /* [n_runs] all LLRs of a codeword */
    size_t n_runs, n_direct;
    /* [(n - k) / LDPC_RA_GROUP][LDPC_RA_GROUP], transposed parity bits */
    int8_t *parity;
    size_t stride;  /* cells of a codeword, rounded up */
    int8_t *planes; /* LLRs [bits][stride] */
    float *chunk;   /* [4][LDPC_DEMAPPER_CHUNK]: I, Q, weights of I, weights of Q */
    float same_noise[LDPC_DEMAPPER_CHUNK];
    /* table of noise_estimate.c; zero until its first use */
    float distance_for_noise[LDPC_NOISE_TABLE_SIZE];
};

/* Orders the planes of the label bits. If two bits mirror the coordinates, also collects the points with positive
 * coordinates and selects LDPC_DEMAP_MIRRORED. */
void ldpc_demapper_find_mirrors(ldpc_demapper *dem);

/* Converts the caller's struct of any version. */
ldpc_status ldpc_cells_read(ldpc_cells *own, const ldpc_cells *given);

/* Loads derotated cells from `first` into dem->chunk, with weight 1, or 0 for erasures. Returns the number of
 * cells. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
