/* SPDX-License-Identifier: BSD-3-Clause */
/* Worker threads of the CPU backend. Batches are divided into slices, which any worker may take. */
#ifndef LDPC_POOL_H
#define LDPC_POOL_H

#include "backend/backend.h"

typedef struct ldpc_pool ldpc_pool;

/* Decodes codewords first .. first + count - 1 of a batch on worker 0 .. threads - 1. */
typedef void ldpc_pool_work(void *context, size_t worker, const ldpc_batch *batch, size_t first,
                            size_t count);

/* Creates a pool. A worker takes at most `slice` codewords at once. */
ldpc_status ldpc_pool_create(size_t threads, size_t slice, ldpc_pool_work *work, void *context,
                             ldpc_pool **pool);
void ldpc_pool_destroy(ldpc_pool *pool);

/* Returns whether a forked child may use the parent's pool: no worker was started, and ldpc_pool_run() was
 * not running. ldpc_pool_free_in_child() frees memory without workers or locks. */
bool ldpc_pool_adopt(ldpc_pool *pool);
void ldpc_pool_free_in_child(ldpc_pool *pool);

/* Decodes a batch and returns when it is done. The calling thread is one of the workers. No job may be in
 * flight. `slice`: codewords per slice; 0: equal shares. */
void ldpc_pool_run(ldpc_pool *pool, const ldpc_batch *batch, size_t slice);

/* Appends a job. The worker that finishes it calls job->report(). Returns LDPC_ERR_THREAD if the last worker
 * cannot be started. */
ldpc_status ldpc_pool_submit(ldpc_pool *pool, ldpc_job *job);

#endif
