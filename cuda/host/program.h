/* SPDX-License-Identifier: BSD-3-Clause */
/* The program of an engine. Its source is generated on the host. Then the program is compiled or read from
 * the cache, and loaded on the GPU.
 *
 * Compiling a kernel takes seconds. Therefore, if the library has chosen the kernel itself, the engine starts with
 * the kernel "any", which was compiled when the library was built. Another process compiles the chosen kernel
 * (compilation.h), and the program is loaded between two batches. In integer arithmetic all kernels give the same
 * results.
 *
 *     ldpc_cuda_build()   now: chosen                                  if already compiled, if named by the caller, or without "any"
 *                         now: "any"   compilation: chosen             otherwise
 *     ldpc_cuda_wait_chosen(), ldpc_cuda_load_chosen(), ldpc_cuda_take_over(), ldpc_cuda_forget_next()
 *                         now: chosen  before: "any"                   batches in flight may still run it
 */
#ifndef LDPC_CUDA_PROGRAM_H
#define LDPC_CUDA_PROGRAM_H

#include "cuda/host/engine.h"

/* Loads a program for the engine's plan. The GPU's context must be current. After a failure no program is
 * loaded. */
ldpc_status ldpc_cuda_build(ldpc_cuda_engine *engine, ldpc_error *err);

/* Waits for the compilation of the chosen program. Returns LDPC_AGAIN if it has not ended by the time `until`
 * (NULL: no time limit). This function and the next two require that engine->compilation is not NULL. */
ldpc_status ldpc_cuda_wait_chosen(ldpc_cuda_engine *engine, const struct timespec *until, ldpc_error *err);

/* Starts to compile another kernel, which was chosen because the previous one could not be built. If the
 * result is LDPC_OK and engine->compilation is NULL, this kernel is already in use. The GPU's context need
 * not be current. */
ldpc_status ldpc_cuda_begin_next(ldpc_cuda_engine *engine, ldpc_error *err);

/* Loads the chosen program. The program in use stays loaded. */
ldpc_status ldpc_cuda_load_chosen(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *next, ldpc_error *err);

/* Makes the loaded program the one that all later batches use. */
void ldpc_cuda_take_over(ldpc_cuda_engine *engine, ldpc_cuda_loaded *next);

/* Cleans up after the chosen program was taken over, or cancels its compilation. */
void ldpc_cuda_forget_next(ldpc_cuda_engine *engine);

/* Unloads a program. No batch may be using it. */
void ldpc_cuda_unload(const ldpc_cuda_engine *engine, ldpc_cuda_loaded *l);

/* Returns how many codewords the thread blocks of the chosen program decode at the same time. Until the
 * program is loaded, this is an estimate. */
size_t ldpc_cuda_wave_codewords(const ldpc_cuda_engine *engine);

/* Returns how many bytes of scratch memory a batch of max_codewords codewords needs with any program of the
 * engine, but at most max_bytes. Returns 0 if no scratch memory is needed. */
size_t ldpc_cuda_scratch_bytes(const ldpc_cuda_engine *engine, size_t max_codewords, size_t max_bytes);

/* Prepares for a changed plan: copies the engine to *next and gives the copy a new program. The caller keeps
 * one of the two engines and drops the programs of the other. If this fails, there is no new program. */
ldpc_status ldpc_cuda_engine_rebuild(const ldpc_cuda_engine *engine, ldpc_cuda_engine *next, ldpc_error *err);
void ldpc_cuda_engine_drop(ldpc_cuda_engine *engine);

/* For a forked child: frees host memory, but leaves the GPU and the compilation to the parent. */
void ldpc_cuda_engine_free_in_child(ldpc_cuda_engine *engine);

/* Loads additional device code and data for cuda/sim. The GPU's context must be current. */
ldpc_status ldpc_cuda_load(const ldpc_cuda_engine *engine, const char *source, cu_module *module,
                           ldpc_error *err);
ldpc_status ldpc_cuda_upload(const ldpc_cuda_driver *driver, const void *data, size_t bytes, cu_pointer *to,
                             ldpc_error *err);

#endif
