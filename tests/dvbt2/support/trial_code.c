/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/trial_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/plp/cell_mapper.h"
#include "dvbt2/support/synthetic.h"
#include "ldpc/dvbt2_l1.h"

enum {
    MAX_BITS = 64800,
    BCH_CORRECTS = 10 /* BCH_CORRECTS: number of bit errors that can be corrected in a codeword */
};

void trial_code_open(trial_code *t, const char *code, const char *modulation)
{
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = code;
    params.modulation = modulation;
    assert_int_equal(ldpc_demapper_create(&params, &t->demapper, NULL), LDPC_OK);
    assert_int_equal(ldpc_demapper_cells(t->demapper), TRIAL_BLOCK);
    assert_int_equal(ldpc_code_create(code, &t->code, NULL), LDPC_OK);
    assert_int_equal(ldpc_decoder_create(t->code, NULL, &t->decoder, NULL), LDPC_OK);
    t->n = ldpc_code_n(t->code);
    t->k = ldpc_code_k(t->code);
    t->plp_fec_type = t->n == MAX_BITS;
    t->plp_mod = (uint8_t)(ldpc_demapper_bits(t->demapper) / 2 - 1);
    t->plp_cod = 0;
    while (strcmp(dvbt2_rate_name(t->plp_cod), strrchr(code, ':') + 1) != 0)
        t->plp_cod++;
}

void trial_code_close(trial_code *t)
{
    ldpc_decoder_destroy(t->decoder);
    ldpc_code_destroy(t->code);
    ldpc_demapper_destroy(t->demapper);
}

void trial_code_send(const trial_code *t, uint32_t blocks, float complex *cells)
{
    static uint8_t message[MAX_BITS], codeword[MAX_BITS], packed[MAX_BITS / 8], index[TRIAL_BLOCK];
    static float complex block[TRIAL_BLOCK];
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t i = 0; i < t->k; i++)
            message[i] = uniform() < 0.5;
        assert_int_equal(ldpc_encode(t->code, message, 1, codeword), LDPC_OK);
        memset(packed, 0, sizeof packed);
        for (uint32_t i = 0; i < t->n; i++)
            packed[i / 8] |= (uint8_t)(codeword[i] << (7 - i % 8));
        dvbt2_map_codeword(t->demapper, false, packed, index, block);
        for (uint32_t i = 0; i < TRIAL_BLOCK; i++)
            cells[i * blocks + b] = block[i];
    }
}

/* Computes the LLRs of FEC block b. noise_of: noise of each cell, or NULL if there is none. */
static void demap(const trial_code *t, uint32_t blocks, uint32_t b, const float complex *cells,
                  const float *noise_of, int8_t *llr)
{
    static float complex block[TRIAL_BLOCK];
    static float noise_of_block[TRIAL_BLOCK];
    for (uint32_t i = 0; i < TRIAL_BLOCK; i++) {
        block[i] = cells[i * blocks + b];
        noise_of_block[i] = noise_of ? noise_of[i * blocks + b] : 0.001F;
    }
    const ldpc_cells in = {.n_codewords = 1, .iq = (const float *)block, .cell_noise = noise_of_block};
    assert_int_equal(ldpc_demap(t->demapper, &in, llr), LDPC_OK);
}

uint32_t trial_code_receive(const trial_code *t, uint32_t blocks, const float complex *sent,
                            const float complex *cells, const float *noise_of)
{
    static int8_t llr[MAX_BITS], exact[MAX_BITS];
    static uint8_t bits[MAX_BITS];
    uint32_t right = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        demap(t, blocks, b, cells, noise_of, llr);
        demap(t, blocks, b, sent, NULL, exact);
        const ldpc_batch batch = {.n_codewords = 1, .llr = llr, .message = bits};
        assert_int_equal(ldpc_decode(t->decoder, &batch), LDPC_OK);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < t->k; i++)
            wrong += bits[i] != (exact[i] < 0);
        right += wrong <= BCH_CORRECTS;
    }
    return right;
}
