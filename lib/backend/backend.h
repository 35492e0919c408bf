/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint between decoders and backends: one table of functions per backend, one list of backends. */
#ifndef LDPC_BACKEND_H
#define LDPC_BACKEND_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A submitted batch on its way. lib/decode owns it and keeps it in place until the backend has called
 * ldpc_job_done. */
typedef struct ldpc_job {
    ldpc_batch batch;
    void *owner; /* lib/decode's */
    bool done;   /* lib/decode's */
    ldpc_status status;
    ldpc_error error; /* the backend writes a sentence here before it reports a failure */
    /* The backend's, for its queue. */
    struct ldpc_job *next;
    size_t started, finished; /* words */
    size_t slice;             /* most words at once, 0 = the backend's choice */
} ldpc_job;

/* Report a started job as finished: exactly once, from any thread. The job is gone afterwards. */
void ldpc_job_done(ldpc_job *job, ldpc_status status);

/* One of a backend's threads, lent to work of somebody else that decodes words where it makes them. */
typedef struct ldpc_worker {
    size_t number; /* 0 .. facts.workers - 1 */
    void *state;
    void (*decode)(const struct ldpc_worker *worker, const ldpc_batch *batch); /* 1 .. facts.lanes words */
} ldpc_worker;

typedef void ldpc_work(void *context, const ldpc_worker *worker, size_t item);

/* Frames of a simulation (lib/sim) that are made, decoded and counted where the decoder is. */
typedef struct ldpc_frames {
    const struct ldpc_channel *channel;
    bool zero_codeword;
    uint64_t first, count;         /* frames first .. first + count - 1 */
    struct ldpc_sim_block *blocks; /* their counts */
} ldpc_frames;

/* What a backend tells about itself once it has been created. */
typedef struct ldpc_backend_facts {
    const char *kernel; /* row in use; lives as long as the state */
    size_t max_batch;   /* plan->max_batch where that is not 0 */
    size_t good_batch;  /* words that keep it busy; at most max_batch */
    size_t depth;       /* jobs that may be in flight; at least 1 */
    size_t lanes;       /* words that a thread, or a block of a GPU, decodes at once */
    size_t workers;     /* threads that spread() lends */
} ldpc_backend_facts;

typedef struct ldpc_backend {
    const char *name;
    ldpc_arithmetic arithmetic; /* what "auto" means here for min-sum decoders */
    bool nonbinary;             /* takes plans of codes over GF(q), q > 2 */
    /* NULL when usable on this machine, else a sentence why not. */
    const char *(*unusable)(void);
    /* i-th kernel that this machine can run, slowest first; NULL past the end. */
    const char *(*kernel)(size_t i);
    /* The plan stays in place for the life of the state. "Not supported" is an answer (LDPC_ERR_UNSUPPORTED),
     * not a failure. *facts is filled. */
    ldpc_status (*create)(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err);
    /* Nothing is in flight; every ldpc_job_done has returned when this does. */
    void (*destroy)(void *state);
    /* Decode now, nothing is in flight. NULL: lib/decode submits and waits. */
    ldpc_status (*decode)(void *state, const ldpc_batch *batch, ldpc_error *err);
    /* Call work(context, worker, item) for items 0 .. items - 1, in any order, on the backend's threads;
     * nothing is in flight. NULL: there are no threads to lend. */
    void (*spread)(void *state, size_t items, ldpc_work *work, void *context);
    /* As ldpc_decode_device. NULL: not supported. */
    ldpc_status (*decode_device)(void *state, void *stream, const ldpc_batch *batch, ldpc_error *err);
    /* Make, decode and count frames; nothing is in flight. NULL or LDPC_ERR_UNSUPPORTED: not here, lib/sim
     * makes them and calls decode. */
    ldpc_status (*simulate)(void *state, const ldpc_frames *frames, ldpc_error *err);
    /* Start a job; at most facts.depth are in flight. After a failure ldpc_job_done must not be called. Jobs
     * may finish in any order. */
    ldpc_status (*submit)(void *state, ldpc_job *job, ldpc_error *err);
    /* Memory of the host that is best for batches; NULL when there is none. Both NULL: any memory is. */
    void *(*alloc)(void *state, size_t bytes);
    void (*free)(void *state, void *memory);
    /* max_iterations, early_stop, offset or factor of the plan have changed; nothing is running. After a
     * failure the old rule stays. NULL: nothing to do. */
    ldpc_status (*update)(void *state, ldpc_error *err);
} ldpc_backend;

extern const ldpc_backend ldpc_cpu_backend;
extern const ldpc_backend ldpc_cuda_backend;  /* only with LDPC_HAVE_CUDA */
extern const ldpc_backend ldpc_split_backend; /* both of them; not in the list */

/* i-th backend of this build, best last; NULL past the end. */
const ldpc_backend *ldpc_backend_at(size_t i);

#ifdef __cplusplus
}
#endif
#endif
