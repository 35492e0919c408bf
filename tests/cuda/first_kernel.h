/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders that use the driver of host_driver.h. They start with kernel "any" and change to a compiled
 * kernel. */
#ifndef LDPC_FIRST_KERNEL_H
#define LDPC_FIRST_KERNEL_H

#include "codewords.h"

extern char first_kernel_any, first_kernel_compiled;
extern void *first_kernel_launched;

/* Stops compilations until host_driver_release_compiler() is called. */
int first_kernel_set_up(void **state);

/* Creates a decoder. params: NULL for codewords_parameters(NULL). */
ldpc_decoder *first_kernel_make(const codewords *w, const ldpc_decoder_params *params);

/* Checks that the decoder decodes correctly with this kernel. */
void first_kernel_check(ldpc_decoder *dec, codewords *w, const char *kernel);

/* Destroys the decoder. All of its resources must then be free. */
void first_kernel_destroy(ldpc_decoder *dec, codewords *w);

#endif
