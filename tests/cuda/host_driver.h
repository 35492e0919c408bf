/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA driver and a compiler that use host memory. They are linked instead of driver.c. A test can make
 * calls fail, and resources that are not freed are counted. The test program defines what its kernels
 * compute. */
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
    bool for_ever;          /* true: all calls from number fail_at on fail; false: only call number fail_at
                             * fails */
    bool ended, made_again; /* set after host_driver_end_context() has destroyed the context */
    int calls_after_end;    /* number of calls that used objects of the destroyed context */
    bool cannot_register;
    unsigned queries; /* number of calls of event_query() */
    unsigned waiting; /* number of calls that are waiting in the driver because a GPU hangs */
    pthread_cond_t changed;
    int live;     /* number of contexts, modules, streams, events and memory blocks not yet freed */
    int contexts; /* number of contexts not yet freed */
    int devices, compiled;
    int blocks;       /* number of thread blocks that run on one multiprocessor */
    int compilations; /* number of background compilations that have not been dropped */
    /* State of background compilations. compiler_works: compilations keep running, without a result, until
     * the test lets them finish. compiler_is_missing: compilations cannot be started. compiler_fails: all
     * compilations fail. */
    bool compiler_works, compiler_is_missing, compiler_fails;
    const char *refused; /* If not NULL, compiling a source that contains this text fails. */
    struct host_memory {
        size_t free_bytes, largest; /* free memory that the GPU reports; size of the largest possible
                                     * allocation */
        bool hangs;                 /* host_driver_hang() */
    } memory[2];
    /* Executes a launch. `function` is the value that load() returned. */
    void (*launch)(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);
    /* If these two functions are NULL, the compiler accepts any source, and the driver loads any bytes as
     * machine code. */
    void (*compile)(const char *source, char image[HOST_DRIVER_IMAGE]);
    void *(*load)(const void *image);
    int load_result;   /* Error that loading a program returns; 0 means success. */
    int launch_result; /* result of a launch */
    void (*unload)(void *module);
} host_driver;

/* Resets the count of driver calls and selects the number of the call that fails; 0: no call fails. */
void host_driver_reset(int fail_at, int result, bool for_ever);

/* The first function makes a GPU accept work without executing it. The second function makes the GPU complete
 * all its work. */
void host_driver_hang(int gpu, bool hangs);

/* Completes the compilations that are running and all compilations that start later. */
void host_driver_release_compiler(void);

/* Simulates another library that destroys the context. All objects of the context are lost, including its
 * memory. If `made_again` is set, the other library then creates a new context. */
void host_driver_end_context(bool made_again);

#endif
