/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders on host_driver.h that begin with the kernel "any". */
#ifndef LDPC_FIRST_KERNEL_H
#define LDPC_FIRST_KERNEL_H

#include "codewords.h"

/* Programs: compiled at build time; from the fake compiler; launched last. */
extern char first_kernel_any, first_kernel_compiled;
extern void *first_kernel_launched;

/* Afterwards no compilation is running. New ones wait until the test releases the compiler. */
int first_kernel_set_up(void **state);

/* params: NULL for codewords_parameters(NULL). */
ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params);

/* The decoder must decode correctly with this kernel. */
void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel);

/* Destroys the decoder. All of its resources must be free. */
void first_kernel_destroy(ldpc_decoder *dec, codewords *w);

#endif
