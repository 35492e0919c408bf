/* SPDX-License-Identifier: BSD-3-Clause */
/* Program of an engine: generated on the host, compiled or read from the cache, and loaded on the GPU.
 *
 * Compiling takes seconds. If the library has chosen the kernel, the engine starts with the kernel "any",
 * which was compiled when the library was built. Another process compiles the chosen kernel (compilation.h),
 * which is loaded between two batches. In integer arithmetic all kernels give the same results.
 *
 *     ldpc_cuda_build()   now: chosen                                  if already compiled, if named by the caller, or without "any"
 *                         now: "any"   compilation: chosen             otherwise
 *     ldpc_cuda_wait_chosen(), ldpc_cuda_load_chosen(), ldpc_cuda_take_over(), ldpc_cuda_forget_next()
 *                         now: chosen  before: "any"                   batches in flight may still run it */
#ifndef LDPC_CUDA_PROGRAM_H
#define LDPC_CUDA_PROGRAM_H

#include "cuda/host/engine.h"

/* Loads a program for the plan. The GPU's context must be current. */
ldpc_status ldpc_cuda_build(ldpc_cuda_engine *engine, ldpc_error *err);

/* Waits for the compilation. Returns LDPC_AGAIN after `until` (NULL: no limit). This function and the next
 * two require engine->compilation. */
ldpc_status ldpc_cuda_wait_chosen(ldpc_cuda_engine *engine, const struct timespec *until, ldpc_error *err);

/* After a failure, compiles the next slower kernel. If engine->compilation is then NULL, this slower kernel
 * is in use. */
ldpc_status ldpc_cuda_begin_next(ldpc_cuda_engine *engine, ldpc_error *err);

ldpc_status ldpc_cuda_load_chosen(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *next, ldpc_error *err);

void ldpc_cuda_take_over(ldpc_cuda_engine *engine, ldpc_cuda_loaded *next);

/* Cancels the compilation, or frees what remains after ldpc_cuda_take_over(). */
void ldpc_cuda_forget_next(ldpc_cuda_engine *engine);

/* No batch may use the program. */
void ldpc_cuda_unload(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l);

size_t ldpc_cuda_wave_codewords(const ldpc_cuda_engine *engine);

size_t ldpc_cuda_scratch_bytes(const ldpc_cuda_engine *engine, size_t max_codewords, size_t max_bytes);

/* Copies the engine to *next, with a program for a changed plan. The caller drops one of the two engines. */
ldpc_status ldpc_cuda_engine_rebuild(const ldpc_cuda_engine *engine, ldpc_cuda_engine *next, ldpc_error *err);
void ldpc_cuda_engine_drop(ldpc_cuda_engine *engine);

/* Frees only host memory, for a forked child. */
void ldpc_cuda_engine_free_in_child(ldpc_cuda_engine *engine);

/* Loads further device code and data for cuda/sim. The GPU's context must be current. */
ldpc_status ldpc_cuda_load(const ldpc_cuda_engine *engine, const char *source, cu_module *module,
                           ldpc_error *err);
ldpc_status ldpc_cuda_upload(const ldpc_cuda_driver *driver, const void *data, size_t bytes, cu_pointer *to,
                             ldpc_error *err);

#endif
