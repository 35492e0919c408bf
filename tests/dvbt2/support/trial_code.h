/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random codewords as the cells of a frame, for trials that count codewords. FEC blocks have 8100 cells. */
#ifndef DVBT2_TEST_TRIAL_CODE_H
#define DVBT2_TEST_TRIAL_CODE_H

#include <complex.h>
#include <stdint.h>

#include "ldpc/code.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"

enum { TRIAL_BLOCK = 8100 }; /* cells of a codeword */

typedef struct trial_code {
    ldpc_code *code;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    uint32_t n, k;
    uint8_t plp_fec_type, plp_mod, plp_cod; /* as L1-post has them */
} trial_code;

/* A code and a constellation with 8100 cells for each codeword: "dvbt2:64800:2/3" and "256qam". */
void trial_code_open(trial_code *t, const char *code, const char *modulation);
void trial_code_close(trial_code *t);

/* Cells of `blocks` random codewords, which are spread over the frame as the time interleaver spreads them: cell i of block b
 * is cell i * blocks + b. */
void trial_code_send(const trial_code *t, uint32_t blocks, float complex *cells);

/* How many of these codewords are decoded from cells with their noise, but for as many bits as the outer BCH code corrects. */
uint32_t trial_code_receive(const trial_code *t, uint32_t blocks, const float complex *sent,
                            const float complex *cells, const float *noise_of);

#endif
