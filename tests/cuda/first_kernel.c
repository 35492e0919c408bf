/* SPDX-License-Identifier: BSD-3-Clause */
#include "first_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host_driver.h"

char first_kernel_any, first_kernel_compiled;
void *first_kernel_launched;

static void *load(const void *image)
{
    return image == ldpc_cuda_image_any() ? &first_kernel_any : &first_kernel_compiled;
}

static void launch(void *function, const ldpc_cuda_args *a, unsigned blocks, unsigned threads)
{
    first_kernel_launched = function;
    decide_by_signs(function, a, blocks, threads);
}

int first_kernel_set_up(void **state)
{
    (void)state;
    host_driver_reset(0, 0, false);
    host_driver.launch = launch;
    host_driver.load = load;
    host_driver.compiled = 0;
    host_driver.compiler_works = true;
    host_driver.compiler_fails = host_driver.compiler_is_missing = false;
    host_driver.refused = NULL;
    host_driver.blocks = 1;
    return 0;
}

ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params)
{
    const ldpc_decoder_params usual = codewords_parameters(NULL);
    ldpc_decoder *dec;
    ldpc_error err = {""};
    if (ldpc_decoder_create(w->code, params ? params : &usual, &dec, &err))
        fail_msg("%s", err.message);
    return dec;
}

void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel)
{
    codewords_clear(w);
    assert_int_equal(ldpc_decode(dec, &w->batch), LDPC_OK);
    assert_int_equal(codewords_check(w), 0);
    assert_string_equal(ldpc_decoder_kernel(dec), kernel);
    assert_ptr_equal(first_kernel_launched,
                     strcmp(kernel, "any") ? &first_kernel_compiled : &first_kernel_any);
}

void first_kernel_destroy(ldpc_decoder *dec, codewords *w)
{
    ldpc_decoder_destroy(dec);
    assert_int_equal(host_driver.live + host_driver.compilations, 0);
    codewords_free(w);
}
