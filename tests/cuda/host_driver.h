/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA driver and compiler in host memory, linked instead of driver.c. Calls can fail, and resources are
 * counted. The test program defines the kernels. */
#ifndef LDPC_TEST_HOST_DRIVER_H
#define LDPC_TEST_HOST_DRIVER_H

#include <pthread.h>

#include "cuda/host/driver.h"
#include "cuda/kernels/kernel.h"

enum { HOST_DRIVER_IMAGE = 256 };

extern struct host_driver {
    pthread_mutex_t mutex;
    int calls, fail_at; /* 0: never */
    int result;
    bool for_ever; /* true: call fail_at and all later calls fail. false: only call fail_at fails. */
    bool ended, made_again;
    int calls_after_end; /* number of calls that use objects of the destroyed context */
    bool cannot_register;
    unsigned queries; /* number of calls of event_query() */
    unsigned waiting; /* number of calls that wait for a hanging GPU */
    pthread_cond_t changed;
    int live;     /* number of contexts, modules, streams, events and memory blocks */
    int contexts; /* existing contexts */
    int devices, compiled;
    int blocks;       /* number of thread blocks per multiprocessor */
    int compilations; /* number of background compilations */
    /* compiler_works: compilations run until the test ends them. compiler_is_missing: compilations cannot
     * start. compiler_fails: all compilations fail. */
    bool compiler_works, compiler_is_missing, compiler_fails;
    const char *refused; /* sources with this text cannot be compiled; NULL: all sources can be compiled */
    struct host_memory {
        size_t free_bytes, largest; /* free memory; largest allocation */
        bool hangs;                 /* host_driver_hang() */
    } memory[2];
    /* `function`: result of load(). */
    void (*launch)(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);
    /* NULL: accepts any source and any program */
    void (*compile)(const char *source, char image[HOST_DRIVER_IMAGE]);
    void *(*load)(const void *image);
    int load_result;
    int launch_result; /* result of a launch */
    void (*unload)(void *module);
} host_driver;

void host_driver_reset(int fail_at, int result, bool for_ever);

/* With hangs = true, the GPU accepts work without executing it. */
void host_driver_hang(int gpu, bool hangs);

/* Completes running and later compilations. */
void host_driver_release_compiler(void);

/* Destroys the context and its objects, as another library may do. If `made_again` is set, creates a new
 * context. */
void host_driver_end_context(bool made_again);

#endif
