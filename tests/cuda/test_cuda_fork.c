/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks with decoders on a GPU. The child must free its copies without driver calls. All other calls of the
 * child must fail with one message. */
#define _DEFAULT_SOURCE /* mincore */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host_driver.h"
#include "ldpc/ldpc.h"

enum { CODEWORDS = 4, SECONDS = 30 };

/* The results are not used. */
static void launch(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads)
{
    (void)function, (void)args, (void)blocks, (void)threads;
}

static bool refused(const ldpc_decoder *dec, ldpc_status status)
{
    return status == LDPC_ERR_THREAD && strstr(ldpc_decoder_message(dec), "forked");
}

/* Returns true if the page at this address is mapped. */
static bool is_mapped(void *memory)
{
    unsigned char resident;
    return mincore(memory, 1, &resident) == 0;
}

/* The GPU's memory must not be mapped in the child. Otherwise copy-on-write could separate it from the GPU's
 * pages. */
static bool check(ldpc_decoder *dec, const ldpc_batch *batch, void *pinned)
{
    int calls = host_driver.calls;
    bool right = refused(dec, ldpc_decode(dec, batch)) && refused(dec, ldpc_collect(dec, -1, NULL)) &&
                 refused(dec, ldpc_decode_device(dec, NULL, batch)) && !ldpc_decoder_alloc(dec, 1) &&
                 !is_mapped(pinned);
    ldpc_decoder_free(dec, pinned);
    ldpc_decoder_destroy(dec);
    return right && host_driver.calls == calls;
}

static void check_in_child(const ldpc_code *code, const char *backend, size_t min_gpu_batch)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    int8_t *llr = calloc(CODEWORDS, ldpc_code_n(code));
    uint8_t *message = calloc(CODEWORDS, ldpc_code_k(code));
    assert_true(llr && message);
    ldpc_batch batch = {.n_codewords = CODEWORDS, .llr = llr, .message = message};
    ldpc_decoder_params_init(&params);
    params.backend = backend;
    params.min_gpu_batch = min_gpu_batch;
    params.devices = "all";
    if (ldpc_decoder_create(code, &params, &dec, &err))
        fail_msg("%s", err.message);
    void *pinned = ldpc_decoder_alloc(dec, 100);
    assert_true(pinned && is_mapped(pinned));
    assert_int_equal(ldpc_submit(dec, &batch), LDPC_OK);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(check(dec, &batch, pinned) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(ldpc_collect(dec, -1, NULL), LDPC_OK);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_decoder_free(dec, pinned);
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live, 0);
    free(llr);
    free(message);
}

static void test_gpus_stay_with_the_parent(void **state)
{
    (void)state;
    ldpc_code *code;
    assert_int_equal(ldpc_code_create("wifi:648:1/2", &code, NULL), LDPC_OK);
    check_in_child(code, "cuda", 0);
    check_in_child(code, "cuda", 2); /* uses CPU and GPU */
    ldpc_code_destroy(code);
}

int main(void)
{
    host_driver.launch = launch;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpus_stay_with_the_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
