/* SPDX-License-Identifier: BSD-3-Clause */
/* Worker threads of the CPU backend: a queue of batches, divided into slices that any worker may take. */
#ifndef LDPC_POOL_H
#define LDPC_POOL_H

#include "backend/backend.h"

typedef struct ldpc_pool ldpc_pool;

/* Decodes codewords first .. first + count - 1 of a batch, as worker number `worker` (0 .. threads - 1). */
typedef void ldpc_pool_work(void *context, size_t worker, const ldpc_batch *batch, size_t first,
                            size_t count);

/* Creates a pool. `slice` is the maximum number of codewords that a worker takes at once. Idle workers
 * sleep. */
ldpc_status ldpc_pool_create(size_t threads, size_t slice, ldpc_pool_work *work, void *context,
                             ldpc_pool **pool);
void ldpc_pool_destroy(ldpc_pool *pool);

/* Returns whether a forked child may use the parent's pool: true if the parent has started no worker and was
 * in no call of ldpc_pool_run(). ldpc_pool_free_in_child() frees the memory without touching workers and
 * locks. */
bool ldpc_pool_adopt(ldpc_pool *pool);
void ldpc_pool_free_in_child(ldpc_pool *pool);

/* Decodes a batch and returns when it is done; the calling thread is one of the workers. No job may be in
 * flight. `slice`: number of codewords that a worker takes at once; 0: equal shares. */
void ldpc_pool_run(ldpc_pool *pool, const ldpc_batch *batch, size_t slice);

/* Queues a job; the worker that finishes the job calls ldpc_job_done(). Returns LDPC_ERR_THREAD if the last
 * worker, which the first call starts, cannot be started. */
ldpc_status ldpc_pool_submit(ldpc_pool *pool, ldpc_job *job);

#endif
