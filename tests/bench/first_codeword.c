/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the time to the first codeword of a CUDA decoder whose kernel is not compiled: first_codeword ["CODE RULE" ...]
 *
 * RULE is auto or a name of ldpc_algorithm_parse(). Each time begins with the creation of the decoder or with a setter,
 * and ends with the first codeword or with the compiled kernel. The last column is the time to create a decoder with a
 * named kernel, which waits for the compiler. All kernels must compute equal posteriors. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ldpc/ldpc.h"

static const char *const usual[] = {
    "wimax:2304:1/2 auto",        "wifi:1944:1/2 auto",       "dvbs2:64800:1/2 auto",
    "dvbs2:64800:5/6 auto",       "dvbs2:16200:1/2 auto",     "nr:bg1:384:16896 corrected",
    "nr:bg1:384:16896 three-min", "wimax:2304:1/2 three-min", "dvbs2:64800:1/2 three-min",
};

static void must(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "first_codeword: %s (%d)\n", what, failed);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct codeword {
    ldpc_code *code;
    uint32_t n, k;
    uint8_t *sent, *message;
    int8_t *llr;
    int16_t *posterior, *first; /* values of the first decoder */
    bool again;
} codeword;

static void make_codeword(codeword *w, const char *name)
{
    uint32_t seed = 1;
    ldpc_error err;
    must(ldpc_code_create(name, &w->code, &err), err.message);
    w->n = ldpc_code_n(w->code);
    w->k = ldpc_code_k(w->code);
    w->sent = calloc(w->k, 1);
    w->message = calloc(w->k, 1);
    w->llr = calloc(w->n, 1);
    w->posterior = calloc(w->n, sizeof *w->posterior);
    w->first = calloc(w->n, sizeof *w->first);
    w->again = false;
    uint8_t *bits = calloc(w->n, 1);
    for (uint32_t i = 0; i < w->k; i++)
        w->sent[i] = (seed = seed * 1664525u + 1013904223u) >> 31;
    must(ldpc_encode(w->code, w->sent, 1, bits), "encode");
    for (uint32_t i = 0; i < w->n; i++) {
        int noise = 0;
        for (int j = 0; j < 4; j++)
            noise += (int)((seed = seed * 1664525u + 1013904223u) >> 24) - 128;
        w->llr[i] = (int8_t)((bits[i] ? -14 : 14) + noise / 30);
    }
    free(bits);
}

static void free_codeword(codeword *w)
{
    free(w->sent);
    free(w->message);
    free(w->llr);
    free(w->posterior);
    free(w->first);
    ldpc_code_destroy(w->code);
}

static void decode(ldpc_decoder *dec, codeword *w)
{
    const ldpc_batch batch = {
        .n_codewords = 1, .llr = w->llr, .message = w->message, .posterior = w->posterior};
    memset(w->message, 7, w->k);
    must(ldpc_decode(dec, &batch), ldpc_decoder_message(dec));
    must(memcmp(w->message, w->sent, w->k) != 0, "WRONG: message differs from the transmitted one");
    if (!w->again)
        memcpy(w->first, w->posterior, w->n * sizeof *w->first);
    must(memcmp(w->first, w->posterior, w->n * sizeof *w->first) != 0,
         "WRONG: another kernel, another result");
    w->again = true;
}

static ldpc_decoder *create(const codeword *w, ldpc_decoder_params *params)
{
    ldpc_decoder *dec;
    ldpc_error err = {""};
    must(ldpc_decoder_create(w->code, params, &dec, &err), err.message);
    return dec;
}

static void measure(const char *code_and_rule)
{
    char name[128], rule[32];
    codeword w;
    ldpc_decoder_params params;
    must(sscanf(code_and_rule, "%127s %31s", name, rule) != 2, "expected \"CODE RULE\"");
    make_codeword(&w, name);
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.max_iterations = 20;
    must(ldpc_algorithm_parse(rule, &params.algorithm), "no such rule");
    double t[6];
    t[0] = now();
    ldpc_decoder *dec = create(&w, &params);
    t[1] = now();
    decode(dec, &w);
    t[2] = now();
    const char *first = ldpc_decoder_kernel(dec);
    must(ldpc_decoder_wait_kernel(dec, -1), ldpc_decoder_message(dec));
    t[3] = now();
    decode(dec, &w);
    const char *kernel = ldpc_decoder_kernel(dec);
    w.again = false;
    t[4] = now();
    must(ldpc_decoder_set_early_stop(dec, false), ldpc_decoder_message(dec));
    decode(dec, &w);
    t[5] = now();
    double setter = t[5] - t[4];
    must(ldpc_decoder_wait_kernel(dec, -1), ldpc_decoder_message(dec));
    decode(dec, &w);
    ldpc_decoder_destroy(dec);
    params.kernel = kernel;
    params.early_stop = false;
    t[4] = now();
    dec = create(&w, &params);
    decode(dec, &w);
    t[5] = now();
    ldpc_decoder_destroy(dec);
    printf("%-18s %-10s %-9s %8.3f %8.3f   %-9s %8.2f   %8.3f   %8.2f\n", name, rule, first, t[1] - t[0],
           t[2] - t[0], kernel, t[3] - t[0], setter, t[5] - t[4]);
    fflush(stdout);
    free_codeword(&w);
}

/* Keeps the CUDA context alive. */
static ldpc_decoder *warm(ldpc_code **code)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    ldpc_decoder_params_init(&params);
    params.backend = "cuda";
    params.kernel = "any";
    params.max_batch = 8;
    must(ldpc_code_create("wifi:648:1/2", code, &err), err.message);
    must(ldpc_decoder_create(*code, &params, &dec, &err), err.message);
    return dec;
}

int main(int argc, char **argv)
{
    ldpc_code *code;
    setenv("CUDA_CACHE_DISABLE", "1", 1); /* disables the driver's cache */
    ldpc_decoder *context = warm(&code);
    printf("%-18s %-10s %-9s %8s %8s   %-9s %8s   %8s   %8s\n", "code", "rule", "first", "created", "decoded",
           "kernel", "there", "setter", "named");
    for (int i = 1; i < argc; i++)
        measure(argv[i]);
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        measure(usual[i]);
    ldpc_decoder_destroy(context);
    ldpc_code_destroy(code);
    return 0;
}
