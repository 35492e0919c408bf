/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL made of host memory, linked instead of opencl/driver.c: one device, commands that are executed at
 * once, a kernel that decides each bit by the sign of its LLR. Calls can be made to fail, and objects that
 * are not released are counted. */
#ifndef LDPC_TEST_FAKE_OPENCL_H
#define LDPC_TEST_FAKE_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "opencl/driver.h"

extern struct fake_opencl {
    unsigned platforms, devices;
    uint64_t type, most_threads; /* type of the device; maximum number of work-items in a work-group */
    size_t kernel_threads;       /* maximum work-items for a compiled kernel; 0: most_threads */
    unsigned refused_builds;     /* number of next builds that fail */
    unsigned capability;         /* compute capability of NVIDIA, times ten; 0: device of another vendor */
    atomic_int calls;            /* number of calls, including those of the completion thread */
    int fail_at;                 /* 0: never */
    int result;
    bool for_ever; /* all calls from number fail_at on fail */
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    bool hangs;      /* fake_opencl_hang() */
    atomic_int live; /* number of contexts, queues, buffers, programs, kernels and events that are not
                      * released */
} fake_opencl;

/* Makes the device accept commands without finishing them, or makes it finish all of its commands. */
void fake_opencl_hang(bool hangs);

#endif
