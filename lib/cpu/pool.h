/* SPDX-License-Identifier: BSD-3-Clause */
/* Worker threads of the CPU backend. Any worker may take a slice of a batch. */
#ifndef LDPC_POOL_H
#define LDPC_POOL_H

#include "backend/backend.h"

typedef struct ldpc_pool ldpc_pool;

/* Decodes codewords first .. first + count - 1 of a batch. `worker` is 0 .. threads - 1. */
typedef void ldpc_pool_work(void *context, size_t worker, const ldpc_batch *batch, size_t first,
                            size_t count);

ldpc_status ldpc_pool_create(size_t threads, size_t slice, ldpc_pool_work *work, void *context,
                             ldpc_pool **pool);
void ldpc_pool_destroy(ldpc_pool *pool);

/* For a forked child. ldpc_pool_adopt() returns false if a worker was started or ldpc_pool_run() was running.
 * The child must then not use the pool. ldpc_pool_free_in_child() uses no workers or locks. */
bool ldpc_pool_adopt(ldpc_pool *pool);
void ldpc_pool_free_in_child(ldpc_pool *pool);

/* Decodes a batch; the calling thread is a worker. No job may be in flight. slice: codewords per slice; 0:
 * equal shares. */
void ldpc_pool_run(ldpc_pool *pool, const ldpc_batch *batch, size_t slice);

/* Appends a job. Its last worker calls job->report(). Returns LDPC_ERR_THREAD if a worker cannot be
 * started. */
ldpc_status ldpc_pool_submit(ldpc_pool *pool, ldpc_job *job);

#endif
