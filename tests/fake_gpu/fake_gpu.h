/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface of the fake GPUs' sources. */
#ifndef LDPC_FAKE_GPU_H
#define LDPC_FAKE_GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/kernels/kernel.h"

/* Returns the number in an environment variable, or 0. */
long fake_gpu_number(const char *variable);

/* Returns 0, or an error after the loss of the device. */
int fake_gpu_state(void);

void fake_gpu_wait(void);

void fake_gpu_pause(long us);

/* Decodes the batch of a launch. Returns false for an unknown code. */
bool fake_gpu_decode(const ldpc_cuda_args *args, unsigned blocks);

/* Called when a copy to the GPU begins. */
void fake_gpu_note_copy(const void *from, size_t bytes);

#endif
