/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of an engine: made on the host, compiled or taken from the cache, loaded on the GPU.
 *
 * Compiling a kernel takes seconds. If the library chose the kernel itself, the engine therefore starts with
 * the kernel "any", which was compiled with the library. Another process compiles the chosen kernel
 * (compilation.h), which is loaded between two batches. In integer arithmetic all kernels give the same
 * results.
 *
 *     ldpc_cuda_build()   now: chosen                                  already compiled, named by the caller, or "any" not available
 *                         now: "any"   compilation: chosen             else
 *     ldpc_cuda_wait_chosen(), ldpc_cuda_load_chosen(), ldpc_cuda_take_over(), ldpc_cuda_forget_next()
 *                         now: chosen  before: "any"                   batches in flight may still run it
 */
#ifndef LDPC_CUDA_PROGRAM_H
#define LDPC_CUDA_PROGRAM_H

#include "cuda/host/engine.h"

/* Loads a program for the engine's plan. The GPU's context must be current. After a failure nothing is
 * loaded. */
ldpc_status ldpc_cuda_build(ldpc_cuda_engine *engine, ldpc_error *err);

/* Waits for the compilation of the chosen program. LDPC_AGAIN: not ready by `until` (NULL: no time limit).
 * Requires engine->compilation, as do the next two functions. */
ldpc_status ldpc_cuda_wait_chosen(ldpc_cuda_engine *engine, const struct timespec *until, ldpc_error *err);

/* Starts to compile the kernel that was chosen after another one could not be built. LDPC_OK without a
 * compilation: the kernel is already in use. The GPU's context need not be current. */
ldpc_status ldpc_cuda_begin_next(ldpc_cuda_engine *engine, ldpc_error *err);

/* Loads the chosen program. The program in use remains loaded. */
ldpc_status ldpc_cuda_load_chosen(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *next, ldpc_error *err);

/* Switches later batches to the loaded program. */
void ldpc_cuda_take_over(ldpc_cuda_engine *engine, ldpc_cuda_loaded *next);

/* Drops the chosen program after it was taken over, or cancels it. */
void ldpc_cuda_forget_next(ldpc_cuda_engine *engine);

/* Unloads a program that no batch runs. */
void ldpc_cuda_unload(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l);

/* Returns the number of codewords in all thread blocks of the chosen program that run at the same time; this
 * is an estimate until the program is loaded. */
size_t ldpc_cuda_wave_codewords(const ldpc_cuda_engine *engine);

/* Returns the bytes of scratch memory, at most max_bytes, that suffice for batches of max_codewords codewords
 * with each program of the engine; 0 if no scratch memory is needed. */
size_t ldpc_cuda_scratch_bytes(const ldpc_cuda_engine *engine, size_t max_codewords, size_t max_bytes);

#endif
