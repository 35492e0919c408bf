/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders of the driver of host_driver.h that begin with the kernel "any". */
#ifndef LDPC_FIRST_KERNEL_H
#define LDPC_FIRST_KERNEL_H

#include "codewords.h"

/* Programs: the one that was compiled with the library, and those that the fake compiler makes; and which one was launched last. */
extern char first_kernel_any, first_kernel_compiled;
extern void *first_kernel_launched;

/* Before each test: nothing is being compiled, and the compiler works until it is released. */
int first_kernel_set_up(void **state);

/* params: NULL for those of codewords_parameters(NULL). */
ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params);

/* The decoder decodes, with this kernel. */
void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel);

/* Nothing of it is left. */
void first_kernel_destroy(ldpc_decoder *dec, codewords *w);

#endif
