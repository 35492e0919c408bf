/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests callers that were compiled with older or newer headers. */
#include "base/versioned.h"

#include <stdlib.h>
#include <string.h>

#include "ldpc/ldpc.h"
#include "support.h"

/* Three versions of a struct. */
typedef struct first {
    size_t size;
    uint32_t a;
    uint32_t b;
} first;
typedef struct second {
    size_t size;
    uint32_t a;
    uint32_t b;
    uint64_t c;
} second;
typedef struct third {
    size_t size;
    uint32_t a;
    uint32_t b;
    uint64_t c;
    uint64_t d;
} third;

static const ldpc_layout layout = LDPC_LAYOUT(second, b); /* second version of the struct */

static void test_older_caller(void **state)
{
    (void)state;
    const size_t sizes[] = {0, sizeof(first)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        first *given = malloc(sizeof *given); /* exact size, for sanitizers */
        assert_non_null(given);
        *given = (first){.size = sizes[i], .a = 5, .b = 6};
        second own;
        memset(&own, 'x', sizeof own);
        assert_int_equal(ldpc_read_struct(&layout, &own, given, NULL), LDPC_OK);
        assert_int_equal(own.size, sizes[i]);
        assert_int_equal(own.a, 5);
        assert_int_equal(own.b, 6);
        assert_int_equal(own.c, 0);
        own.b = 7;
        ldpc_write_struct(&layout, given, sizeof *given, &own);
        assert_int_equal(given->b, 7);
        free(given);
    }
}

static void test_newer_caller(void **state)
{
    (void)state;
    third given = {.size = sizeof given, .a = 5, .b = 6, .c = 7};
    second own;
    ldpc_error err = {""};
    assert_int_equal(ldpc_read_struct(&layout, &own, &given, &err), LDPC_OK);
    assert_int_equal(own.c, 7);
    given.d = (uint64_t)1 << 63;
    assert_int_equal(ldpc_read_struct(&layout, &own, &given, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "byte 31 of second"));
    assert_non_null(strstr(err.message, LDPC_VERSION_STRING));
    ldpc_write_struct(&layout, &given, sizeof given, &own);
    assert_int_equal(given.c, 7);
    assert_int_equal(given.d, 0);
}

static void test_impossible_sizes(void **state)
{
    (void)state;
    const size_t sizes[] = {1, sizeof(first) - 1, 4097, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        second given = {.size = sizes[i]}, own;
        ldpc_error err = {""};
        assert_int_equal(ldpc_read_struct(&layout, &own, &given, &err), LDPC_ERR_PARAM);
        assert_non_null(strstr(err.message, "second.size"));
    }
}

/* The parameters of a later library version, which has one more field. */
typedef struct later_params {
    ldpc_decoder_params known;
    uint64_t more;
} later_params;
typedef struct later_batch {
    ldpc_batch known;
    uint64_t more;
} later_batch;

static void test_decoder_parameters(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_decoder *dec;
    ldpc_error err = {""};
    later_params params;
    memset(&params, 'x', sizeof params);
    ldpc_decoder_params_init_sized(&params.known, sizeof params);
    assert_int_equal(params.known.size, sizeof params);
    assert_int_equal(params.more, 0);
    assert_int_equal(ldpc_decoder_create(code, &params.known, &dec, &err), LDPC_OK);
    ldpc_decoder_destroy(dec);
    params.known.size = sizeof params.known - 1; /* smaller than in version 1.0 */
    assert_int_equal(ldpc_decoder_create(code, &params.known, &dec, &err), LDPC_ERR_PARAM);
    params.known.size = sizeof params;
    params.more = 1;
    assert_int_equal(ldpc_decoder_create(code, &params.known, &dec, &err), LDPC_ERR_PARAM);
    assert_null(dec);
    assert_non_null(strstr(err.message, "ldpc_decoder_params"));
    ldpc_code_destroy(code);
}

static void test_batches(void **state)
{
    (void)state;
    enum { N = 648, K = 324 };
    static int8_t llr[N];
    static uint8_t message[K];
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_decoder *dec;
    assert_int_equal(ldpc_decoder_create(code, NULL, &dec, NULL), LDPC_OK);
    later_batch batch = {
        .known = {.size = sizeof batch, .n_codewords = 1, .llr = llr, .message = message}
    };
    assert_int_equal(ldpc_decode(dec, &batch.known), LDPC_OK);
    later_batch done;
    memset(&done, 'x', sizeof done);
    assert_int_equal(ldpc_submit(dec, &batch.known), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, -1, &done.known), LDPC_OK);
    assert_memory_equal(&done, &batch, sizeof done);
    ldpc_decoder_slice_sized(dec, &batch.known, 0, 1, &done.known, sizeof done);
    assert_memory_equal(&done, &batch, sizeof done);
    batch.more = 1;
    assert_int_equal(ldpc_decode(dec, &batch.known), LDPC_ERR_PARAM);
    assert_non_null(strstr(ldpc_decoder_message(dec), "ldpc_batch"));
    assert_int_equal(ldpc_submit(dec, &batch.known), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_decoder_slice(dec, &batch.known, 0, 1).n_codewords, 0);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_simulation_and_demapper(void **state)
{
    (void)state;
    struct {
        ldpc_sim_params known;
        uint64_t more;
    } sim;
    memset(&sim, 'x', sizeof sim);
    ldpc_sim_params_init_sized(&sim.known, sizeof sim);
    assert_int_equal(sim.more, 0);
    ldpc_code *code = make_code("wifi:648:1/2");
    static uint8_t message[324];
    assert_int_equal(ldpc_sim_frame(code, &sim.known, 3, 0, message, NULL, NULL), LDPC_OK);
    sim.more = 1;
    assert_int_equal(ldpc_sim_frame(code, &sim.known, 3, 0, message, NULL, NULL), LDPC_ERR_PARAM);
    ldpc_code_destroy(code);

    static float iq[2 * 8100];
    static int8_t llr[16200];
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = "dvbt2:16200:1/2";
    params.modulation = "qpsk";
    ldpc_demapper *dem;
    ldpc_error err = {""};
    params.size = 3;
    assert_int_equal(ldpc_demapper_create(&params, &dem, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "ldpc_demapper_params.size 3"));
    params.size = 0;
    assert_int_equal(ldpc_demapper_create(&params, &dem, &err), LDPC_OK);
    ldpc_cells cells = {.n_codewords = 1, .iq = iq, .noise = 1};
    float noise;
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
    cells.size = sizeof cells;
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_OK);
    cells.size = 1;
    assert_int_equal(ldpc_demap(dem, &cells, llr), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_demapper_noise(dem, &cells, &noise), LDPC_ERR_PARAM);
    ldpc_demapper_destroy(dem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_older_caller),     cmocka_unit_test(test_newer_caller),
        cmocka_unit_test(test_impossible_sizes), cmocka_unit_test(test_decoder_parameters),
        cmocka_unit_test(test_batches),          cmocka_unit_test(test_simulation_and_demapper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
