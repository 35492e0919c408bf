/* SPDX-License-Identifier: BSD-3-Clause */
/* Helper functions for decoders that use the driver in host_driver.h and initially run the kernel "any". */
#ifndef LDPC_FIRST_KERNEL_H
#define LDPC_FIRST_KERNEL_H

#include "codewords.h"

/* The program compiled at build time; the program made by the fake compiler; the program launched last. */
extern char first_kernel_any, first_kernel_compiled;
extern void *first_kernel_launched;

/* Prepares a test. Afterwards no compilation is running; new compilations wait until the test releases the
 * compiler. */
int first_kernel_set_up(void **state);

/* Creates a decoder. If params is NULL, it uses codewords_parameters(NULL). */
ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params);

/* Checks that the decoder decodes correctly with this kernel. */
void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel);

/* Destroys the decoder and checks that all of the decoder's resources were freed. */
void first_kernel_destroy(ldpc_decoder *dec, codewords *w);

#endif
