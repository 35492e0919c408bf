/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA driver and compiler made of host memory, linked instead of driver.c. Calls can be made to fail, and
 * resources that are not freed are counted. A test program defines what its kernels compute. */
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
    bool for_ever;          /* all calls from fail_at on fail */
    bool ended, made_again; /* the context was destroyed, by host_driver_end_context() */
    int calls_after_end;    /* calls that use objects of the context */
    bool cannot_register;
    unsigned queries; /* number of calls of event_query() */
    unsigned waiting; /* number of calls that wait in the driver for a GPU that hangs */
    pthread_cond_t changed;
    int live;     /* contexts, modules, streams, events and memory not given back */
    int contexts; /* of these */
    int devices, compiled;
    int blocks;       /* thread blocks per multiprocessor */
    int compilations; /* in the background, not dropped */
    /* Compilations in the background have no result until the compiler is released, or cannot begin; all fail. */
    bool compiler_works, compiler_is_missing, compiler_fails;
    const char *refused; /* compilations of texts that contain this fail; NULL: none */
    struct host_memory {
        size_t free_bytes, largest; /* free memory that the GPU reports, and the largest allocation so far */
        bool hangs;                 /* host_driver_hang() */
    } memory[2];
    /* Runs a launch; `function` is the return value of load(). */
    void (*launch)(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);
    /* NULL: any source is valid, and any bytes are machine code. */
    void (*compile)(const char *source, char image[HOST_DRIVER_IMAGE]);
    void *(*load)(const void *image);
    int load_result;   /* result of loading a program; 0: loads it */
    int launch_result; /* result of a launch */
    void (*unload)(void *module);
} host_driver;

/* Sets the call that fails from now on, 0: none. */
void host_driver_reset(int fail_at, int result, bool for_ever);

/* Makes a GPU accept work without finishing it, or finish all of it. */
void host_driver_hang(int gpu, bool hangs);

/* Completes all compilations, present and later ones. */
void host_driver_release_compiler(void);

/* Another library destroys the context: all its objects are gone, including memory. `made_again`: and creates
 * a new one. */
void host_driver_end_context(bool made_again);

#endif
