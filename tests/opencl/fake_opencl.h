/* SPDX-License-Identifier: BSD-3-Clause */
/* An OpenCL that uses host memory, linked instead of opencl/driver.c. It has one device, executes commands at
 * once, and has a kernel that decides each bit by the sign of its LLR. Calls can be made to fail, and objects
 * that are not released are counted. */
#ifndef LDPC_TEST_FAKE_OPENCL_H
#define LDPC_TEST_FAKE_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "opencl/driver.h"

extern struct fake_opencl {
    unsigned platforms, devices;
    uint64_t type, most_threads; /* type of the device, and largest number of work-items in a work-group */
    size_t kernel_threads;       /* largest number of work-items for a compiled kernel; 0 means
                                  * most_threads */
    unsigned refused_builds;     /* number of builds that fail from now on */
    unsigned capability;         /* compute capability of an NVIDIA device times ten; 0 means a device of
                                  * another vendor */
    atomic_int calls;            /* number of calls, including those that the completion thread makes */
    int fail_at;                 /* 0: never */
    int result;
    bool for_ever; /* if set, all calls from number fail_at on fail */
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    bool hangs;      /* fake_opencl_hang() */
    atomic_int live; /* number of contexts, queues, buffers, programs, kernels and events that have not been
                      * released */
} fake_opencl;

/* Makes the device accept commands without executing them, or makes it complete all of its commands. */
void fake_opencl_hang(bool hangs);

#endif
