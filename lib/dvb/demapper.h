/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal interface of the demapper. */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_NOISE_TABLE_SIZE = 56, LDPC_DEMAPPER_CHUNK = 512 };

/* A run copies planes[from + i * from_step] to codeword LLR to + i * to_step, for i = 0, 1 ... */
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
    float points[2 * LDPC_MAX_POINTS]; /* points of the constellation as transmitted, I and Q alternating */
    float cosine, sine;                /* cosine and sine of the rotation angle */
    uint16_t *order;    /* for each of the n codeword bits, its position in the sequence of cells */
    uint16_t *bit_at;   /* for each of data_cells * bits positions, its codeword bit; n = padding */
    ldpc_llr_run *runs; /* n_runs runs, which together give all LLRs of a codeword */
    size_t n_runs,
        /* number of all runs; number of the first runs, which write to the codeword (all other runs write to
         * `parity`) */
        n_direct;
    /* parity LLRs [(n - k) / LDPC_RA_GROUP][LDPC_RA_GROUP]; the codeword contains their transpose */
    int8_t *parity;
    size_t stride;  /* size of a plane: the number of cells of a codeword, rounded up to a multiple that the
                     * kernels need */
    int8_t *planes; /* LLRs [bits][stride]: the first bits of all cells, then the second bits of all cells,
                     * and so on */
    float *chunk;   /* four rows of LDPC_DEMAPPER_CHUNK values: I, Q, weights of I, weights of Q */
    /* noise power of each cell, filled if all cells have the same noise power */
    float same_noise[LDPC_DEMAPPER_CHUNK];
    /* table of noise_estimate.c; all zero until its first use */
    float distance_for_noise[LDPC_NOISE_TABLE_SIZE];
};

/* Converts the caller's struct, which may have any version, to the struct of this library. */
ldpc_status ldpc_cells_read(ldpc_cells *own, const ldpc_cells *given);

/* Loads cells of a codeword, starting with cell `first`, into dem->chunk, with weight 1, or 0 for erasures.
 * Derotates the cells of a rotated constellation. Returns the number of loaded cells. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
