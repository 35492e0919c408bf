/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests very long layers, and layers with very many circulants. The time to build the memory map must be
 * proportional to the number of blocks, not to its square. Results must equal those of the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

enum { SEED = 1, ITERATIONS = 2 };

typedef struct shape {
    const char *name;
    uint32_t groups, layers, z;
    uint32_t most_shifts; /* circulants in a block, at most */
    uint32_t percent;     /* percentage of nonzero blocks */
} shape;

static const shape shapes[] = {
    {"long circulants",          1,     3,     200003, 3,   100},
    {"long circulants, aligned", 2,     1,     131072, 8,   100},
    {"one wide layer",           90001, 1,     2,      1,   100},
    {"wide layers",              70001, 3,     3,      1,   100},
    {"wide layers with gaps",    70001, 5,     3,      1,   50 },
    {"wide layers, repeated",    50001, 2,     5,      2,   100},
    {"many layers",              3,     30001, 7,      2,   80 },
    {"many in one block",        1,     3,     1024,   700, 100},
};

static uint32_t distinct_shifts(random_state *random, const shape *s, uint32_t *shifts)
{
    const uint32_t count = 1 + random_below(random, s->most_shifts);
    const uint32_t first = random_below(random, s->z), step = s->z / (s->most_shifts + 1) + 1;
    for (uint32_t i = 0; i < count; i++)
        shifts[i] = (uint32_t)((first + (uint64_t)i * step) % s->z);
    return s->z / step < count ? 1 : count;
}

static ldpc_code *code_of(const shape *s)
{
    const size_t room = 64 + (size_t)s->groups * s->layers * (8 * s->most_shifts + 1);
    char *text = malloc(room), *end = text;
    uint32_t shifts[1024];
    random_state random = random_of(SEED, s->name);
    ldpc_code *code;
    ldpc_error err;
    assert_non_null(text);
    end += sprintf(end, "%u %u %u", s->groups, s->layers, s->z);
    for (uint32_t b = 0; b < s->groups * s->layers; b++) {
        *end++ = b % s->groups ? ' ' : '\n';
        const bool zero = random_below(&random, 100) >= s->percent;
        const uint32_t count = zero ? 0 : distinct_shifts(&random, s, shifts);
        end += zero ? sprintf(end, "-1") : 0;
        for (uint32_t i = 0; i < count; i++)
            end += sprintf(end, i ? ",%u" : "%u", shifts[i]);
    }
    assert_true((size_t)(end - text) < room);
    if (ldpc_code_create_qc(text, (size_t)(end - text), &code, &err))
        fail_msg("%s: %s", s->name, err.message);
    free(text);
    return code;
}

/* Returns posteriors, or NULL if the kernel does not support the schedule. */
static int16_t *decode(const ldpc_code *code, const char *kernel, ldpc_schedule schedule, const int8_t *llr)
{
    ldpc_decoder *dec;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.kernel = kernel;
    params.schedule = schedule;
    params.max_iterations = ITERATIONS;
    params.early_stop = false;
    const ldpc_status status = ldpc_decoder_create(code, &params, &dec, NULL);
    if (status == LDPC_ERR_UNSUPPORTED)
        return NULL;
    int16_t *posteriors = calloc(ldpc_code_n(code), sizeof *posteriors);
    const ldpc_batch batch = {.n_codewords = 1, .llr = llr, .posterior = posteriors};
    assert_int_equal(status, LDPC_OK);
    assert_non_null(posteriors);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_destroy(dec);
    return posteriors;
}

static void test_shape(void **state)
{
    const shape *s = *state;
    ldpc_code *code = code_of(s);
    const size_t n = ldpc_code_n(code);
    int8_t *llr = malloc(n);
    random_state random = random_of(SEED, "LLRs");
    assert_non_null(llr);
    for (size_t i = 0; i < n; i++)
        llr[i] = (int8_t)(random_below(&random, 40) - 12);
    for (int schedule = LDPC_SCHEDULE_LAYERED; schedule <= LDPC_SCHEDULE_FLOODING; schedule++) {
        int16_t *expected = decode(code, "ref", schedule, llr);
        const char *kernels[] = {NULL, "scalar"};
        for (int i = 0; i < 2; i++) {
            int16_t *got = decode(code, kernels[i], schedule, llr);
            if (got)
                assert_memory_equal(got, expected, n * sizeof *got);
            else
                assert_int_equal(schedule, LDPC_SCHEDULE_FLOODING);
            free(got);
        }
        free(expected);
    }
    free(llr);
    ldpc_code_destroy(code);
}

/* test_large_layers [PATTERN]: only shapes whose name matches. */
int main(int argc, char **argv)
{
    struct CMUnitTest tests[sizeof shapes / sizeof *shapes];
    printf("seed %d\n", SEED);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        tests[i] = (struct CMUnitTest){
            .name = shapes[i].name, .test_func = test_shape, .initial_state = (void *)(uintptr_t)&shapes[i]};
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
