/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a demapper. */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_NOISE_TABLE_SIZE = 56, LDPC_DEMAPPER_CHUNK = 512 };

/* LLRs to, to + to_step, to + 2 to_step ... of a codeword, which are at `from`, from + from_step ... in the planes. */
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
    float points[2 * LDPC_MAX_POINTS]; /* as transmitted: rotated where params say so */
    float cosine, sine;                /* of the angle of rotation */
    uint16_t *order;                   /* [n] position of each codeword bit in the sequence of cells */
    ldpc_llr_run *runs;                /* all LLRs of a codeword */
    size_t n_runs, n_direct; /* runs; the first n_direct go to the codeword, the others to `parity` */
    int8_t *parity; /* [(n - k) / LDPC_RA_GROUP][LDPC_RA_GROUP], which is transposed to the codeword */
    size_t stride;  /* of a plane: cells of a codeword, rounded up for the kernels */
    int8_t *planes; /* [bits][stride] LLRs: all first bits of the cells, all second bits ... */
    float *chunk;   /* [4][LDPC_DEMAPPER_CHUNK] I, Q and their weights */
    float same_noise[LDPC_DEMAPPER_CHUNK];           /* of cells that all have the same noise */
    float distance_for_noise[LDPC_NOISE_TABLE_SIZE]; /* 0 until noise_estimate.c needs it */
};

/* The caller's cells as this library's struct. */
ldpc_status ldpc_cells_read(ldpc_cells *own, const ldpc_cells *given);

/* Loads the next cells of a codeword into dem->chunk, with weights 1 or 0 and rotated constellations
 * derotated; returns their number. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
