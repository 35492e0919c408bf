/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of an engine: made on the host, compiled or taken from the cache, loaded on the GPU.
 *
 * A program that has to be compiled, of a kernel that the library chose itself, lets decoders wait for seconds. So the
 * engine begins with the kernel "any", which was compiled with the library; the chosen one is compiled by another process
 * (compilation.h) and loaded between two batches. In integers all kernels give the same results.
 *
 *     ldpc_cuda_build()   now: chosen                                  compiled already, named by the caller, or no "any"
 *                         now: "any"   compilation: chosen             else
 *     ldpc_cuda_wait_chosen(), ldpc_cuda_load_chosen(), ldpc_cuda_take_over(), ldpc_cuda_forget_next()
 *                         now: chosen  before: "any"                   batches in flight may still run it
 */
#ifndef LDPC_CUDA_PROGRAM_H
#define LDPC_CUDA_PROGRAM_H

#include "cuda/host/engine.h"

/* Load a program for the engine's plan. The GPU's context must be current. After a failure nothing is loaded. */
ldpc_status ldpc_cuda_build(ldpc_cuda_engine *engine, ldpc_error *err);

/* Wait for the compilation of the chosen program. LDPC_AGAIN: it is not there at `until` (NULL: as long as it takes).
 * Not called unless engine->compilation is set, nor are the next two. */
ldpc_status ldpc_cuda_wait_chosen(ldpc_cuda_engine *engine, const struct timespec *until, ldpc_error *err);

/* Begin to compile the kernel that has been chosen in the place of one that cannot be built. LDPC_OK: it may be the one in use, which
 * needs no compilation. The GPU's context need not be current. */
ldpc_status ldpc_cuda_begin_next(ldpc_cuda_engine *engine, ldpc_error *err);

/* Load it beside the one in use. */
ldpc_status ldpc_cuda_load_chosen(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *next, ldpc_error *err);

/* Batches from now on run what was loaded. */
void ldpc_cuda_take_over(ldpc_cuda_engine *engine, ldpc_cuda_loaded *next);

/* The engine no longer wants the chosen program: it has it, or goes on without it. */
void ldpc_cuda_forget_next(ldpc_cuda_engine *engine);

/* Unload a program that no batch runs. */
void ldpc_cuda_unload(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l);

/* Codewords of all thread blocks that will run at the same time with the chosen program: an estimate until it is
 * loaded. */
size_t ldpc_cuda_wave_codewords(const ldpc_cuda_engine *engine);

/* Bytes of scratch memory, at most max_bytes, for batches of so many codewords, whichever program runs; 0: they need
 * none. */
size_t ldpc_cuda_scratch_bytes(const ldpc_cuda_engine *engine, size_t max_codewords, size_t max_bytes);

#endif
