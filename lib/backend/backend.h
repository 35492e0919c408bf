/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint between decoders and backends: one table of functions per backend, one list of backends. */
#ifndef LDPC_BACKEND_H
#define LDPC_BACKEND_H

#include "plan/plan.h"

/* A batch on its way. lib/decode owns it; the backend calls ldpc_job_done exactly once per started job, from any thread. */
typedef struct ldpc_job {
    ldpc_batch batch;
    void *owner;         /* lib/decode's */
    ldpc_status status;  /* set by ldpc_job_done */
    bool done;           /* guarded by the owner's mutex */
} ldpc_job;

void ldpc_job_done(ldpc_job *job, ldpc_status status);

/* What a backend tells about itself once it has been created. */
typedef struct ldpc_backend_facts {
    const char *kernel; /* row in use; lives as long as the state */
    size_t max_batch, good_batch, depth;
} ldpc_backend_facts;

typedef struct ldpc_backend {
    const char *name;
    /* NULL when usable on this machine, else a sentence why not. */
    const char *(*unusable)(void);
    /* i-th kernel that this machine can run, slowest first; NULL past the end. */
    const char *(*kernel)(size_t i);
    /* The plan stays valid for the life of the state; max_iterations, early_stop, offset and factor may change between
     * jobs. "Not supported" is an answer (LDPC_ERR_UNSUPPORTED), not a failure. */
    ldpc_status (*create)(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err);
    void (*destroy)(void *state); /* nothing is in flight */
    /* Decode on the caller's thread, or NULL when the backend only works asynchronously. */
    ldpc_status (*decode)(void *state, const ldpc_batch *batch, ldpc_error *err);
    /* Start a job; at most facts.depth are in flight. A failure here means that ldpc_job_done will not be called. */
    ldpc_status (*submit)(void *state, ldpc_job *job, ldpc_error *err);
    /* The rule parameters in the plan have changed; nothing is in flight. */
    ldpc_status (*update)(void *state, ldpc_error *err);
} ldpc_backend;

extern const ldpc_backend ldpc_cpu_backend;
extern const ldpc_backend ldpc_cuda_backend; /* only with LDPC_HAVE_CUDA */

/* i-th backend of this build, best last; NULL past the end. */
const ldpc_backend *ldpc_backend_at(size_t i);

#endif
