/* SPDX-License-Identifier: BSD-3-Clause */
/* A CUDA driver and compiler made of host memory, in the place of driver.c: calls can be made to fail, and
 * what is not given back is counted. A program says what its kernels do. */
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
    bool for_ever;          /* all calls from fail_at on */
    bool ended, made_again; /* the context was destroyed, by host_driver_end_context() */
    int calls_after_end;    /* that use what was made in the context */
    bool cannot_register;
    unsigned queries; /* calls of event_query() */
    unsigned waiting; /* calls inside the driver that wait for a GPU that hangs */
    pthread_cond_t changed;
    int live;     /* contexts, modules, streams, events and memory not given back */
    int contexts; /* of these */
    int devices, compiled;
    int blocks;       /* thread blocks that a multiprocessor takes */
    int compilations; /* in the background, not dropped */
    /* Compilations in the background have no result until the compiler is released, or cannot begin; all fail. */
    bool compiler_works, compiler_is_missing, compiler_fails;
    const char *refused; /* compilations of texts that contain this fail; NULL: none */
    struct host_memory {
        size_t free_bytes, largest; /* what a GPU says, and the largest piece of it that was taken */
        bool hangs;                 /* host_driver_hang() */
    } memory[2];
    /* Run a launch; `function` is what load() has returned. */
    void (*launch)(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads);
    /* NULL: any text is good, any bytes are machine code. */
    void (*compile)(const char *source, char image[HOST_DRIVER_IMAGE]);
    void *(*load)(const void *image);
    int load_result;   /* what the driver returns where it is to load a program; 0: loads it */
    int launch_result; /* the same for a launch */
    void (*unload)(void *module);
} host_driver;

/* From now on this call fails, 0: none. */
void host_driver_reset(int fail_at, int result, bool for_ever);

/* A GPU takes work and never ends it, or ends all of it after all. */
void host_driver_hang(int gpu, bool hangs);

/* Compilations have their results, later ones at once. */
void host_driver_release_compiler(void);

/* Another library destroys the context: all that was made in it is gone, memory too. `made_again`: and makes a new one. */
void host_driver_end_context(bool made_again);

#endif
