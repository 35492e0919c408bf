/* SPDX-License-Identifier: BSD-3-Clause */
/* Worker threads of the CPU backend, with a queue of batches. Each batch is divided into slices, which any
 * worker may take. */
#ifndef LDPC_POOL_H
#define LDPC_POOL_H

#include "backend/backend.h"

typedef struct ldpc_pool ldpc_pool;

/* Decodes codewords first .. first + count - 1 of a batch. `worker` is the number of the worker that calls
 * this function, 0 .. threads - 1. */
typedef void ldpc_pool_work(void *context, size_t worker, const ldpc_batch *batch, size_t first,
                            size_t count);

/* Creates a pool. A worker takes at most `slice` codewords at once. Idle workers sleep. */
ldpc_status ldpc_pool_create(size_t threads, size_t slice, ldpc_pool_work *work, void *context,
                             ldpc_pool **pool);
void ldpc_pool_destroy(ldpc_pool *pool);

/* ldpc_pool_adopt() returns whether a forked child may use the parent's pool. It may if the parent has
 * started no worker and was not in ldpc_pool_run(). ldpc_pool_free_in_child() frees the memory without using
 * workers or locks. */
bool ldpc_pool_adopt(ldpc_pool *pool);
void ldpc_pool_free_in_child(ldpc_pool *pool);

/* Decodes a batch and returns when all codewords are done. The calling thread is one of the workers. No job
 * may be in flight. `slice` is the number of codewords that a worker takes at once; 0 means equal shares. */
void ldpc_pool_run(ldpc_pool *pool, const ldpc_batch *batch, size_t slice);

/* Appends a job to the queue. The worker that finishes the job calls job->report(). The first call starts
 * the last worker; returns LDPC_ERR_THREAD if this worker cannot be started. */
ldpc_status ldpc_pool_submit(ldpc_pool *pool, ldpc_job *job);

#endif
