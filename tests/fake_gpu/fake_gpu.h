/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_FAKE_GPU_H
#define LDPC_FAKE_GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/kernels/kernel.h"

/* Returns the number in this environment variable, or 0. */
long fake_gpu_number(const char *variable);

/* Returns an error after the device was lost. */
int fake_gpu_state(void);

void fake_gpu_wait(void);

void fake_gpu_pause(long us);

/* Decodes the batch of a launch. Returns false if the code is unknown. */
bool fake_gpu_decode(const ldpc_cuda_args *args, unsigned blocks);

/* A copy to the GPU begins. */
void fake_gpu_note_copy(const void *from, size_t bytes);

#endif
