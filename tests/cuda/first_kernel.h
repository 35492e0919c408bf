/* SPDX-License-Identifier: BSD-3-Clause */
/* Helper functions for decoders on the driver of host_driver.h that start with the kernel "any". */
#ifndef LDPC_FIRST_KERNEL_H
#define LDPC_FIRST_KERNEL_H

#include "codewords.h"

/* Programs: compiled with the library, made by the fake compiler, and launched last. */
extern char first_kernel_any, first_kernel_compiled;
extern void *first_kernel_launched;

/* Prepares a test. Afterwards no compilation is running, and the compiler blocks until it is released. */
int first_kernel_set_up(void **state);

/* Creates a decoder. If params is NULL, it uses codewords_parameters(NULL). */
ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params);

/* Checks that the decoder decodes correctly with this kernel. */
void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel);

/* Destroys the decoder and checks that all of the decoder's resources were freed. */
void first_kernel_destroy(ldpc_decoder *dec, codewords *w);

#endif
