/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL made of host memory, linked instead of opencl/driver.c: one device, commands that run at once, a
 * kernel that decides each bit by the sign of its LLR. Calls can be made to fail, and objects that are not
 * released are counted. */
#ifndef LDPC_TEST_FAKE_OPENCL_H
#define LDPC_TEST_FAKE_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "opencl/driver.h"

extern struct fake_opencl {
    unsigned platforms, devices;
    uint64_t type, most_threads; /* of the device; threads of a work-group */
    size_t kernel_threads;       /* of one of a compiled kernel; 0: as many */
    unsigned refused_builds;     /* the next programs that do not compile */
    unsigned capability;         /* NVIDIA's, times ten; 0: another maker's device */
    atomic_int calls;            /* also from the thread that waits for batches */
    int fail_at;                 /* 0: never */
    int result;
    bool for_ever; /* all calls from fail_at on */
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    bool hangs;      /* fake_opencl_hang() */
    atomic_int live; /* contexts, queues, buffers, programs, kernels and events not given back */
} fake_opencl;

/* Makes the device accept commands without finishing them, or finish all of them. */
void fake_opencl_hang(bool hangs);

#endif
