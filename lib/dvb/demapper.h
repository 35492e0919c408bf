/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a demapper. */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_NOISE_TABLE_SIZE = 56, LDPC_DEMAPPER_CHUNK = 512 };

struct ldpc_demapper {
    ldpc_modcod modcod;
    bool rotated, exact;
    const ldpc_demap_kernel *kernel;
    ldpc_demap_shape shape;
    float points[2 * LDPC_MAX_POINTS]; /* as transmitted: rotated where params say so */
    float cosine, sine;                /* of the angle of rotation */
    uint16_t *order;                   /* [n] position of each codeword bit in the sequence of cells */
    uint16_t *positions;               /* [n] position of each LLR in the planes */
    size_t stride;                     /* of a plane: cells of a codeword, rounded up for the kernels */
    int8_t *planes; /* [bits][stride] LLRs: all first bits of the cells, all second bits ... */
    float *chunk;   /* [4][LDPC_DEMAPPER_CHUNK] I, Q and their weights */
    float distance_for_noise[LDPC_NOISE_TABLE_SIZE]; /* noise_estimate.c */
};

/* Fills dem->distance_for_noise; all other members are set. */
void ldpc_noise_table_make(ldpc_demapper *dem);

/* Loads the next cells of a codeword into dem->chunk, with weights 1 or 0 and rotated constellations
 * derotated; returns their number. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
