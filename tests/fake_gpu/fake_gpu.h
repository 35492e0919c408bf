/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the fake GPUs share. */
#ifndef LDPC_FAKE_GPU_H
#define LDPC_FAKE_GPU_H

#include <stddef.h>

/* The number in an environment variable, 0 without it. */
long fake_gpu_number(const char *variable);

/* What the driver's functions return: 0, or after the loss of the device its error. */
int fake_gpu_state(void);

/* Of the launches that have begun. */
void fake_gpu_wait_for_launches(void);

/* A copy to the GPU begins. */
void fake_gpu_note_copy(const void *from, size_t bytes);

#endif
