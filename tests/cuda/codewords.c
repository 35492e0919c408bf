/* SPDX-License-Identifier: BSD-3-Clause */
#include "codewords.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host_driver.h"

static void decide(const ldpc_cuda_args *a, uint32_t w, const uint32_t *at, uint32_t bits, cu_pointer to)
{
    const int8_t *llr = (const int8_t *)(uintptr_t)a->llr + (size_t)w * a->n;
    const int32_t *source = (const int32_t *)(uintptr_t)a->source;
    uint8_t *packed = (uint8_t *)(uintptr_t)to + (size_t)w * ((bits + 7) / 8);
    memset(packed, 0, (bits + 7) / 8);
    for (uint32_t i = 0; i < bits; i++)
        packed[i / 8] |= (uint8_t)((llr[source[at[i]]] < 0) << (7 - i % 8));
}

void decide_by_signs(void *function, const ldpc_cuda_args *a, unsigned blocks, unsigned threads)
{
    (void)function, (void)blocks, (void)threads;
    for (uint32_t w = 0; w < a->n_codewords; w++) {
        if (a->message)
            decide(a, w, (const uint32_t *)(uintptr_t)a->message_at, a->k, a->message);
        if (a->codeword)
            decide(a, w, (const uint32_t *)(uintptr_t)a->codeword_at, a->n, a->codeword);
        if (a->info)
            ((ldpc_codeword_info *)(uintptr_t)a->info)[w] = (ldpc_codeword_info){a->max_iterations, 0, 1, 1};
        for (uint32_t i = 0; a->posterior && i < a->n; i++)
            ((int16_t *)(uintptr_t)a->posterior)[(size_t)w * a->n + i] =
                ((const int8_t *)(uintptr_t)a->llr)[(size_t)w * a->n + i];
    }
}

void codewords_make(codewords *w)
{
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &w->code, NULL), LDPC_OK);
    w->n = ldpc_code_n(w->code);
    w->k = ldpc_code_k(w->code);
    w->llr = malloc((size_t)CODEWORDS * w->n);
    w->message = malloc((size_t)CODEWORDS * w->n);
    w->codeword = malloc((size_t)CODEWORDS * w->n);
    w->posterior = malloc(sizeof(int16_t) * CODEWORDS * w->n);
    assert_true(w->llr && w->message && w->codeword && w->posterior);
    for (size_t i = 0; i < (size_t)CODEWORDS * w->n; i++)
        w->llr[i] = (int8_t)(i * i % 251 % 200 - 99);
    w->batch = (ldpc_batch){.n_codewords = CODEWORDS,
                            .llr = w->llr,
                            .message = w->message,
                            .codeword = w->codeword,
                            .posterior = w->posterior,
                            .info = w->info};
}

void codewords_free(codewords *w)
{
    free(w->llr);
    free(w->message);
    free(w->codeword);
    free(w->posterior);
    ldpc_code_destroy(w->code);
}

void codewords_clear(codewords *w)
{
    memset(w->message, 7, (size_t)CODEWORDS * w->k);
    memset(w->codeword, 7, (size_t)CODEWORDS * w->n);
    memset(w->info, 7, sizeof w->info);
}

size_t codewords_check(const codewords *w)
{
    size_t lost = 0;
    for (size_t i = 0; i < CODEWORDS; i++) {
        lost += !w->info[i].decoded;
        if (!w->info[i].decoded)
            continue;
        assert_int_equal(w->info[i].decoded, 1);
        for (size_t b = 0; b < w->n; b++) {
            assert_int_equal(w->codeword[i * w->n + b], w->llr[i * w->n + b] < 0);
            assert_int_equal(w->posterior[i * w->n + b], w->llr[i * w->n + b]);
        }
        for (size_t b = 0; b < w->k; b++) /* Wi-Fi codes are systematic */
            assert_int_equal(w->message[i * w->k + b], w->llr[i * w->n + b] < 0);
    }
    return lost;
}

ldpc_decoder_params codewords_parameters(const char *kernel)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.kernel = kernel;
    params.max_batch = CODEWORDS;
    return params;
}
