/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DVBT2_TEST_TRIAL_CODE_H
#define DVBT2_TEST_TRIAL_CODE_H

#include <complex.h>
#include <stdint.h>

#include "ldpc/code.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"

enum { TRIAL_BLOCK = 8100 }; /* cells of an FEC block */

typedef struct trial_code {
    ldpc_code *code;
    ldpc_demapper *demapper;
    ldpc_decoder *decoder;
    uint32_t n, k;
    uint8_t plp_fec_type, plp_mod, plp_cod; /* as in L1-post */
} trial_code;

/* Creates a code and a demapper with 8100 cells per codeword, e.g. "dvbt2:64800:2/3" and "256qam". */
void trial_code_open(trial_code *t, const char *code, const char *modulation);
void trial_code_close(trial_code *t);

/* Sends random codewords. Cell i of FEC block b is cell i * blocks + b of the frame. */
void trial_code_send(const trial_code *t, uint32_t blocks, float complex *cells);

uint32_t trial_code_receive(const trial_code *t, uint32_t blocks, const float complex *sent,
                            const float complex *cells, const float *noise_of);

#endif
