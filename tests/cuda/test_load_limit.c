/* SPDX-License-Identifier: BSD-3-Clause */
/* The time limit while a decoder's kernel is loaded, tick by tick: a GPU that hangs has no batch of this decoder then, and its
 * completion thread waits in the driver. Skipped where nvcc was not there to compile "any". */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuda/backend/tick.h"
#include "first_kernel.h"
#include "host_driver.h"
#include "ticking.h"

void ldpc_cuda_await_tick(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us)
{
    ticking_await(wake, mutex, closing, us);
}

static int set_up_compiler(void **state)
{
    return set_up(state) || first_kernel_set_up(state);
}

/* A decoder that has had a batch and whose watchdog rests. Its kernel is compiled, and nobody has asked for it. */
static ldpc_decoder *make_compiled(const char *devices)
{
    ldpc_decoder *dec = make_with(devices, NULL);
    host_driver_hang(0, true);
    submit(dec, 0);
    await_watchdog(0);
    host_driver_hang(0, false);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    begin_tick(0);
    host_driver_release_compiler();
    return dec;
}

/* GPU 0 hangs, and the driver is about to load to it. */
static void begin_load(ldpc_decoder *dec)
{
    const unsigned waits = count_waits(0);
    host_driver_hang(0, true);
    while (count_waits(0) == waits) {
        assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_AGAIN);
        sched_yield();
    }
}

/* GPU 0 answers, of which completion threads hear when they like, and the decoder takes its kernel. */
static void end_load(ldpc_decoder *dec)
{
    ldpc_status status;
    wait_until_usable(dec);
    while ((status = ldpc_decoder_wait_kernel(dec, -1)) == LDPC_ERR_DEVICE)
        sched_yield();
    assert_int_equal(status, LDPC_OK);
    assert_string_equal(ldpc_decoder_kernel(dec), "straight");
}

static void test_the_limit(void **state)
{
    (void)state;
    ldpc_decoder *dec = make_compiled(NULL);
    begin_load(dec);
    tick(0, TICKS);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, 0), LDPC_AGAIN);
    tick(0, 1);
    assert_int_equal(ldpc_decoder_wait_kernel(dec, -1), LDPC_ERR_DEVICE);
    assert_int_equal(ldpc_decoder_set_early_stop(dec, false), LDPC_ERR_DEVICE);
    end_load(dec);
    ldpc_decoder_destroy(dec);
}

/* The batches of another GPU of the decoder end, and are reported. */
static void test_other_gpus_deliver(void **state)
{
    (void)state;
    ldpc_decoder *dec = make_compiled("all");
    begin_load(dec);
    submit(dec, 1); /* GPU 1 */
    tick(0, TICKS);
    assert_int_equal(ldpc_collect(dec, 0, NULL), LDPC_AGAIN);
    tick(0, 1);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    check_results(1);
    end_load(dec);
    ldpc_decoder_destroy(dec);
}

/* Another decoder hears of it: its batches have one tick. */
static void test_known_to_hang(void **state)
{
    (void)state;
    ldpc_decoder *dec = make_compiled(NULL), *other = make("1,0");
    begin_load(dec);
    submit(other, 1); /* GPU 1 */
    assert_int_equal(ldpc_collect(other, -1, NULL), LDPC_OK);
    submit(other, 2); /* GPU 0 */
    tick(0, TICKS + 1);
    tick(1, 1);
    assert_int_equal(ldpc_collect(other, 0, NULL), LDPC_AGAIN);
    tick(1, 1);
    assert_int_equal(ldpc_collect(other, -1, NULL), LDPC_ERR_DEVICE);
    check_lost(2);
    end_load(dec);
    ldpc_decoder_destroy(dec);
    wait_until_usable(other);
    ldpc_decoder_destroy(other);
}

static void *destroy(void *dec)
{
    ldpc_decoder_destroy(dec);
    return NULL;
}

/* It waits for the load as for a batch: until the limit. */
static void test_destroyed_meanwhile(void **state)
{
    pthread_t thread;
    (void)state;
    ldpc_decoder *dec = make_compiled(NULL);
    begin_load(dec);
    assert_int_equal(pthread_create(&thread, NULL, destroy, dec), 0);
    tick(0, TICKS);
    begin_tick(0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(host_driver.live);
    assert_int_equal(tear_down(state), 1); /* what the GPU could use stays */
}

int main(void)
{
    if (!ldpc_cuda_image_any())
        return 77;
    for (size_t i = 0; i < MOST; i++)
        codewords_make(&batches[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_limit, set_up_compiler, tear_down),
        cmocka_unit_test_setup_teardown(test_other_gpus_deliver, set_up_compiler, tear_down),
        cmocka_unit_test_setup_teardown(test_known_to_hang, set_up_compiler, tear_down),
        cmocka_unit_test_setup_teardown(test_destroyed_meanwhile, set_up_compiler, NULL),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < MOST; i++)
        codewords_free(&batches[i]);
    return failed;
}
