/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a CUDA kernel to C++. emulate.h replaces half.cuh. */
#ifndef LDPC_TEST_CXX_TEXT_H
#define LDPC_TEST_CXX_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Returns false if the source has no __launch_bounds__. */
bool cxx_text_write(FILE *file, const char *source);

#endif
