/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the cells of a frame from random codewords, for tests that count codewords. An FEC block has 8100
 * cells. */
#ifndef DVBT2_TEST_TRIAL_CODE_H
#define DVBT2_TEST_TRIAL_CODE_H

#include <complex.h>
#include <stdint.h>

#include "ldpc/code.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"

enum { TRIAL_BLOCK = 8100 }; /* number of cells in an FEC block */

typedef struct trial_code {
    ldpc_code *code;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    uint32_t n, k;
    uint8_t plp_fec_type, plp_mod, plp_cod; /* as in L1-post */
} trial_code;

/* Opens a code and a constellation that give 8100 cells per codeword, for example "dvbt2:64800:2/3" and
 * "256qam". */
void trial_code_open(trial_code *t, const char *code, const char *modulation);
void trial_code_close(trial_code *t);

/* Sends `blocks` random codewords. They are interleaved over the frame: cell i of block b is cell i * blocks
 * + b. */
void trial_code_send(const trial_code *t, uint32_t blocks, float complex *cells);

/* Decodes the codewords from the cells and their noise, and returns the number of decoded codewords. A
 * codeword with at most BCH_CORRECTS bit errors counts as decoded. */
uint32_t trial_code_receive(const trial_code *t, uint32_t blocks, const float complex *sent,
                            const float complex *cells, const float *noise_of);

#endif
