/* SPDX-License-Identifier: BSD-3-Clause */
/* What a demapper is made of. */
#ifndef LDPC_DEMAPPER_H
#define LDPC_DEMAPPER_H

#include "dvb/demap_kernel.h"
#include "dvb/modcod.h"
#include "ldpc/dvb_cells.h"

enum { LDPC_SPREADS = 56, LDPC_DEMAPPER_CHUNK = 512 };

struct ldpc_demapper {
    ldpc_modcod modcod;
    bool rotated, exact;
    const ldpc_demap_kernel *kernel;
    ldpc_demap_shape shape;
    float points[2 * LDPC_MOST_POINTS]; /* as sent: rotated where that is asked for */
    float cosine, sine;                 /* of the angle of rotation */
    uint16_t *order;                    /* place of each codeword bit in the order of the cells */
    uint16_t *places;                   /* place of each LLR of a word in the planes */
    size_t stride;                      /* of the planes: cells of a word and some more */
    int8_t *planes;                     /* bits * stride */
    float *chunk;                       /* I, Q and their weights: LDPC_DEMAPPER_CHUNK of each */
    float spread[LDPC_SPREADS];         /* blind.c */
};

/* Fill dem->spread; everything else is there already. */
void ldpc_spread_make(ldpc_demapper *dem);

/* The next cells of a word to dem->chunk, weights 1 or 0, rotated constellations turned back; how many they
 * are. */
size_t ldpc_demapper_load(ldpc_demapper *dem, const float *iq, size_t first);

#endif
