/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between the source files of the fake GPUs. */
#ifndef LDPC_FAKE_GPU_H
#define LDPC_FAKE_GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "cuda/kernels/kernel.h"

/* Returns the number that an environment variable contains, or 0 if the variable is not set. */
long fake_gpu_number(const char *variable);

/* Returns the result of a driver function: 0, or an error after the loss of the device. */
int fake_gpu_state(void);

/* Waits until all issued commands have ended. */
void fake_gpu_wait(void);

void fake_gpu_pause(long us);

/* Decodes the batch of a launch that has this number of thread blocks. Returns false if the code is
 * unknown. */
bool fake_gpu_decode(const ldpc_cuda_args *args, unsigned blocks);

/* The fake driver calls this function when a copy to the GPU begins. */
void fake_gpu_note_copy(const void *from, size_t bytes);

#endif
