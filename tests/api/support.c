/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ldpc_code *make_code(const char *name)
{
    ldpc_code *code;
    ldpc_error err = {""};
    if (ldpc_code_create(name, &code, &err))
        fail_msg("%s", err.message);
    return code;
}

ldpc_code *make_tiny_code(void)
{
    static const uint32_t checks[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    static const uint32_t columns[] = {0, 1, 3, 1, 2, 4, 0, 2, 5};
    ldpc_code *code;
    ldpc_error err = {""};
    if (ldpc_code_create_edges(3, 6, checks, columns, 9, &code, &err))
        fail_msg("%s", err.message);
    return code;
}

ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params)
{
    ldpc_decoder *dec;
    ldpc_error err = {""};
    if (ldpc_decoder_create(code, params, &dec, &err))
        fail_msg("%s", err.message);
    return dec;
}

codewords make_codewords(const ldpc_code *code, double ebn0_db, uint64_t first, size_t count)
{
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    codewords w = {
        .count = count,
        .transmitted = malloc(count * k),
        .llr = malloc(count * n),
        .message = malloc(count * k),
        .codeword = malloc(count * n),
        .posterior = malloc(count * n * sizeof *w.posterior),
        .info = malloc(count * sizeof *w.info),
    };
    ldpc_sim_params params;
    ldpc_sim_params_init(&params);
    params.ebn0_db = ebn0_db;
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ldpc_sim_frame(code, &params, LDPC_DEFAULT_LLR_SCALE, first + i,
                                        w.transmitted + i * k, w.llr + i * n, NULL),
                         LDPC_OK);
    return w;
}

void free_codewords(codewords *w)
{
    free(w->transmitted);
    free(w->llr);
    free(w->message);
    free(w->codeword);
    free(w->posterior);
    free(w->info);
    memset(w, 0, sizeof *w);
}

ldpc_batch batch_of(const codewords *w)
{
    return (ldpc_batch){.n_codewords = w->count,
                        .llr = w->llr,
                        .message = w->message,
                        .codeword = w->codeword,
                        .posterior = w->posterior,
                        .info = w->info};
}

void assert_same_codewords(const ldpc_code *code, const codewords *a, const codewords *b)
{
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->message, b->message, a->count * k);
    assert_memory_equal(a->codeword, b->codeword, a->count * n);
    assert_memory_equal(a->posterior, b->posterior, a->count * n * sizeof *a->posterior);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->info[i].iterations, b->info[i].iterations);
        assert_int_equal(a->info[i].unsatisfied, b->info[i].unsatisfied);
        assert_int_equal(a->info[i].converged, b->info[i].converged);
        assert_int_equal(a->info[i].decoded, b->info[i].decoded);
    }
}

double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}
