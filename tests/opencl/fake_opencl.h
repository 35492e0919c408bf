/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL in host memory, used instead of opencl/driver.c. It has one device, which executes commands at once.
 * The kernel decides bits by the signs of LLRs. Calls can fail. Objects are counted. */
#ifndef LDPC_TEST_FAKE_OPENCL_H
#define LDPC_TEST_FAKE_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "opencl/driver.h"

extern struct fake_opencl {
    unsigned platforms, devices;
    uint64_t type, most_threads; /* device type, and maximum number of work-items per work-group */
    size_t kernel_threads;       /* work-items of a compiled kernel; 0 means most_threads */
    unsigned refused_builds;     /* number of builds that will fail */
    unsigned capability;         /* compute capability of an NVIDIA device times ten; 0 for other vendors */
    atomic_int calls;            /* number of calls, including those of the completion thread */
    int fail_at;                 /* 0: never */
    int result;
    bool for_ever;
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    bool hangs;      /* fake_opencl_hang() */
    atomic_int live; /* number of contexts, queues, buffers, programs, kernels and events */
} fake_opencl;

/* With hangs = true, commands are accepted but not executed. */
void fake_opencl_hang(bool hangs);

#endif
