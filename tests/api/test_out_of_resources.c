/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests calls that get no memory or cannot start a thread. They must return an error message and leak nothing
 * (run with a leak checker). The next call must succeed.
 *
 * ldpc_allocate, ldpc_reallocate and ldpc_thread_start of this program replace the library's. */
#include "support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"

static size_t allocations_left = SIZE_MAX, threads_left = SIZE_MAX;

static bool take(size_t *left)
{
    if (*left == 0)
        return false;
    *left -= *left != SIZE_MAX;
    return true;
}

void *ldpc_allocate(size_t count, size_t size)
{
    return take(&allocations_left) ? calloc(count ? count : 1, size ? size : 1) : NULL;
}

void *ldpc_reallocate(void *old, size_t count, size_t size)
{
    return take(&allocations_left) ? realloc(old, count && size ? count * size : 1) : NULL;
}

bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument)
{
    return take(&threads_left) && pthread_create(thread, NULL, body, argument) == 0;
}

static ldpc_status create_decoder(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_error *err)
{
    ldpc_decoder *dec;
    ldpc_status status = ldpc_decoder_create(code, params, &dec, err);
    assert_true((status == LDPC_OK) == (dec != NULL));
    ldpc_decoder_destroy(dec);
    return status;
}

/* Takes the code. */
static void check_decoder_without_memory(ldpc_code *code, ldpc_schedule schedule)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.schedule = schedule;
    params.threads = 2;
    params.cache_dir = "/nowhere"; /* every string parameter is copied */
    params.devices = "0";
    params.backend = "cpu";
    for (size_t i = 0; (params.kernel = ldpc_kernel_list("cpu", i)); i++) {
        ldpc_error err;
        ldpc_status status = create_decoder(code, &params, NULL);
        if (status == LDPC_ERR_UNSUPPORTED)
            continue;
        assert_int_equal(status, LDPC_OK);
        size_t allowed = 0;
        do {
            err.message[0] = 0;
            allocations_left = allowed++;
            status = create_decoder(code, &params, &err);
            allocations_left = SIZE_MAX;
            if (status) {
                assert_int_equal(status, LDPC_ERR_MEMORY);
                assert_string_equal(err.message, "out of memory");
            }
        } while (status);
        assert_true(allowed > 5);
    }
    ldpc_code_destroy(code);
}

static void test_decoder_without_memory(void **state)
{
    (void)state;
    ldpc_code *without_structure; /* decoded in stages */
    assert_int_equal(ldpc_code_create_random(240, 3, 6, 2, 1, &without_structure, NULL), LDPC_OK);
    check_decoder_without_memory(make_code("wimax:576:1/2"), LDPC_SCHEDULE_LAYERED);
    check_decoder_without_memory(make_code("wimax:576:1/2"), LDPC_SCHEDULE_FLOODING);
    check_decoder_without_memory(without_structure, LDPC_SCHEDULE_LAYERED);
    check_decoder_without_memory(make_code("bds:b1c:88"), LDPC_SCHEDULE_AUTO);
}

/* A setter of the CPU backend allocates no memory. */
static void test_setter_without_memory(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = LDPC_ALGORITHM_OFFSET_MIN_SUM;
    params.backend = "cpu";
    ldpc_decoder *dec = make_decoder(code, &params);
    allocations_left = 0;
    ldpc_status status = ldpc_decoder_set_offset(dec, 9);
    allocations_left = SIZE_MAX;
    assert_int_equal(status, LDPC_OK);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_simulation_without_memory(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_decoder *dec = make_decoder(code, NULL);
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 3;
    ldpc_sim_result result;
    ldpc_error err = {""};
    ldpc_status status;
    size_t allowed = 0;
    do {
        allocations_left = allowed++;
        status = ldpc_sim_run(dec, &sim, &result, &err);
        allocations_left = SIZE_MAX;
        if (status) {
            assert_int_equal(status, LDPC_ERR_MEMORY);
            assert_string_equal(err.message, "out of memory");
        }
    } while (status);
    assert_true(allowed > 5);
    assert_int_equal(result.frames, 3);
    uint8_t message[288];
    allocations_left = 0;
    status = ldpc_sim_frame(code, &sim, 3, 0, message, NULL, NULL);
    allocations_left = SIZE_MAX;
    assert_int_equal(status, LDPC_ERR_MEMORY);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_decoder_without_threads(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.threads = 5;
    ldpc_error err = {""};
    for (threads_left = 0; threads_left < 4;) {
        size_t allowed = threads_left;
        assert_int_equal(create_decoder(code, &params, &err), LDPC_ERR_THREAD);
        assert_string_equal(err.message, "a thread cannot be started");
        threads_left = allowed + 1;
    }
    assert_int_equal(create_decoder(code, &params, &err), LDPC_OK);
    threads_left = SIZE_MAX;
    ldpc_code_destroy(code);
}

/* The first call of submit cannot start a thread. ldpc_decode() must still decode. */
static void test_submit_without_threads(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    codewords w = make_codewords(code, 5, 0, 2);
    ldpc_decoder *dec = make_decoder(code, NULL);
    ldpc_batch batch = batch_of(&w);
    threads_left = 0;
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_ERR_THREAD);
    assert_string_equal(ldpc_decoder_message(dec), "a thread cannot be started");
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_EMPTY);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    assert_memory_equal(w.message, w.transmitted, 2 * ldpc_code_k(code));
    threads_left = SIZE_MAX;
    memset(w.message, 2, 2 * ldpc_code_k(code));
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_memory_equal(w.message, w.transmitted, 2 * ldpc_code_k(code));
    ldpc_decoder_destroy(dec);
    free_codewords(&w);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoder_without_memory),    cmocka_unit_test(test_setter_without_memory),
        cmocka_unit_test(test_simulation_without_memory), cmocka_unit_test(test_decoder_without_threads),
        cmocka_unit_test(test_submit_without_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
