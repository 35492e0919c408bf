/* SPDX-License-Identifier: BSD-3-Clause */
/* The demapper inside the library. */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_NOISE_TABLE_SIZE = 56, LDPC_DEMAPPER_CHUNK = 512 };

/* A run: copies planes[from + i * from_step] to codeword LLR to + i * to_step, for i = 0, 1, ... */
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
    float points[2 * LDPC_MAX_POINTS]; /* constellation as transmitted, I and Q alternating */
    float cosine, sine;                /* cosine and sine of the rotation angle */
    uint16_t *order;                   /* [n] position of each codeword bit in the sequence of cells */
    ldpc_llr_run *runs;                /* [n_runs] all LLRs of a codeword */
    size_t n_runs,
        n_direct; /* number of runs; the first n_direct runs write to the codeword, and the remaining runs
                   * write to `parity` */
    int8_t
        *parity;   /* [(n - k) / LDPC_RA_GROUP][LDPC_RA_GROUP] parity LLRs; their transpose is the codeword */
    size_t stride; /* size of a plane: cells of a codeword, rounded up for the kernels */
    int8_t *planes; /* [bits][stride] LLRs: first bits of all cells, second bits of all cells ... */
    float *chunk;   /* [4][LDPC_DEMAPPER_CHUNK] I, Q, weights of I, weights of Q */
    float same_noise[LDPC_DEMAPPER_CHUNK];           /* noise power, if it is the same for all cells */
    float distance_for_noise[LDPC_NOISE_TABLE_SIZE]; /* table of noise_estimate.c; 0 until first use */
};

/* Converts the caller's struct, of any version, to the struct of this library. */
ldpc_status ldpc_cells_read(ldpc_cells *own, const ldpc_cells *given);

/* Loads cells of a codeword from cell `first` on into dem->chunk, with weights 1 or 0 (erasures); derotates
 * rotated constellations. Returns the number of cells loaded. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
