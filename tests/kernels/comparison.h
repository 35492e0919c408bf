/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares batches of binary codes. */
#ifndef LDPC_TEST_COMPARISON_H
#define LDPC_TEST_COMPARISON_H

#include <stdlib.h>
#include <string.h>

#include "guarded.h"
#include "ldpc/ldpc.h"

typedef struct combination {
    const char *code_name;
    const ldpc_code *code;
    ldpc_decoder_params params;
    unsigned left_out; /* bit mask of outputs that are not requested */
} combination;

/* Bits of combination.left_out. */
enum {
    LEFT_OUT_MESSAGE = 1,
    LEFT_OUT_CODEWORD = 2,
    LEFT_OUT_POSTERIOR = 4,
    LEFT_OUT_INFO = 8,
    LEFT_OUT_ALL = 15
};

/* A batch and its buffers. */
typedef struct arena {
    guarded llr, message, codeword, posterior, info;
    ldpc_batch batch;
} arena;

static inline void arena_make(arena *a, const ldpc_code *code, size_t n_codewords, bool packed,
                              const int8_t *llr)
{
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    int8_t *input = guarded_make(&a->llr, n_codewords * n);
    memcpy(input, llr, n_codewords * n);
    a->batch = (ldpc_batch){
        .n_codewords = n_codewords,
        .llr = input,
        .message = guarded_make(&a->message, n_codewords * row_bytes(k, packed)),
        .codeword = guarded_make(&a->codeword, n_codewords * row_bytes(n, packed)),
        .posterior = guarded_make(&a->posterior, n_codewords * n * sizeof(int16_t)),
        .info = guarded_make(&a->info, n_codewords * sizeof(ldpc_codeword_info)),
    };
}

static inline void arena_leave_out(arena *a, unsigned outputs)
{
    a->batch.message = outputs & LEFT_OUT_MESSAGE ? NULL : a->batch.message;
    a->batch.codeword = outputs & LEFT_OUT_CODEWORD ? NULL : a->batch.codeword;
    a->batch.posterior = outputs & LEFT_OUT_POSTERIOR ? NULL : a->batch.posterior;
    a->batch.info = outputs & LEFT_OUT_INFO ? NULL : a->batch.info;
}

static inline void arena_free(arena *a)
{
    free(a->llr.memory);
    free(a->message.memory);
    free(a->codeword.memory);
    free(a->posterior.memory);
    free(a->info.memory);
}

static inline bool guards_intact(const arena *a, const int8_t *llr)
{
    return guarded_intact(&a->llr) && guarded_intact(&a->message) && guarded_intact(&a->codeword) &&
           guarded_intact(&a->posterior) && guarded_intact(&a->info) &&
           memcmp(a->batch.llr, llr, a->llr.bytes) == 0;
}

static inline bool same_info(const ldpc_codeword_info *a, const ldpc_codeword_info *b)
{
    return a->iterations == b->iterations && a->unsatisfied == b->unsatisfied &&
           a->converged == b->converged && a->decoded == b->decoded;
}

/* Compares results with the first codewords of the reference's batch. Returns the name of the output that
 * differs, or NULL. *where: index of the codeword that differs. */
typedef const char *difference_fn(const combination *c, const arena *got, const arena *expected,
                                  size_t *where);

static inline const char *difference(const combination *c, const arena *got, const arena *expected,
                                     size_t *where)
{
    const bool packed = c->params.packed;
    size_t n = ldpc_code_n(c->code), message = row_bytes(ldpc_code_k(c->code), packed),
           codeword = row_bytes(n, packed);
    for (size_t w = 0; w < got->batch.n_codewords; w++) {
        *where = w;
        if (got->batch.info && !same_info(&got->batch.info[w], &expected->batch.info[w]))
            return "info";
        if (got->batch.posterior &&
            memcmp(got->batch.posterior + w * n, expected->batch.posterior + w * n, n * sizeof(int16_t)) != 0)
            return "posterior";
        if (got->batch.codeword && memcmp(got->batch.codeword + w * codeword,
                                          expected->batch.codeword + w * codeword, codeword) != 0)
            return "codeword";
        if (got->batch.message &&
            memcmp(got->batch.message + w * message, expected->batch.message + w * message, message) != 0)
            return "message";
    }
    return NULL;
}

/* Maximum difference of posteriors between float kernels, in steps. Rounding may change which message is the
 * minimum. This changes a message by up to 0.8 nat. */
static inline float posterior_tolerance(const combination *c, int posterior)
{
    return 1 + 0.8f * c->params.llr_scale + (float)(abs(posterior) / 50);
}

/* Float kernels round differently. Codewords that converge in both kernels must be equal, and their
 * posteriors similar. */
static inline const char *float_difference(const combination *c, const arena *got, const arena *expected,
                                           size_t *where)
{
    size_t n = ldpc_code_n(c->code), apart = 0;
    for (size_t w = 0; w < got->batch.n_codewords && got->batch.info; w++) {
        const ldpc_codeword_info *a = &got->batch.info[w], *b = &expected->batch.info[w];
        *where = w;
        apart += a->converged != b->converged;
        if (!a->decoded || (a->converged != 0) != (a->unsatisfied == 0))
            return "info";
        if (!a->converged || !b->converged || a->iterations != b->iterations)
            continue;
        for (size_t i = 0; i < n && got->batch.posterior; i++) {
            int p = got->batch.posterior[w * n + i], q = expected->batch.posterior[w * n + i];
            if ((float)abs(p - q) > posterior_tolerance(c, q))
                return "posterior";
        }
    }
    return apart > 1 + got->batch.n_codewords / 10 ? "number of converged codewords" : NULL;
}

/* Compares erased bits. Bits that the reference cannot resolve must be 0. Packed bits are not compared. */
static inline const char *erasures_difference(const combination *c, const arena *got, const arena *expected,
                                              size_t *where)
{
    size_t n = ldpc_code_n(c->code);
    for (size_t i = 0; i < got->batch.n_codewords * n; i++) {
        *where = i / n;
        if (expected->batch.posterior[i] == 0 &&
            (got->batch.posterior[i] != 0 || got->batch.codeword[i] != 0))
            return "a bit that nothing is known about";
    }
    return NULL;
}

#endif
