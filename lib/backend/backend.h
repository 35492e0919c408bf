/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between decoders and backends: one table of functions per backend, one list of backends. */
#ifndef LDPC_BACKEND_H
#define LDPC_BACKEND_H

#include <time.h>

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A submitted batch. lib/decode owns it and does not move it until the backend has called ldpc_job_done(). */
typedef struct ldpc_job {
    ldpc_batch batch;
    void *owner; /* lib/decode's */
    bool done;   /* lib/decode's */
    ldpc_status status;
    ldpc_error error; /* the backend writes its error message here before it reports a failure */
    /* The backend's, for its queue. */
    struct ldpc_job *next;
    size_t started, finished; /* codewords */
    size_t slice;             /* largest slice, in codewords; 0 = the backend's choice */
} ldpc_job;

/* Reports a started job as finished: exactly once, from any thread. The backend must not touch it
 * afterwards. */
void ldpc_job_done(ldpc_job *job, ldpc_status status);

/* One of a backend's threads, for a caller that makes codewords on the thread that decodes them. */
typedef struct ldpc_worker {
    size_t number; /* 0 .. facts.workers - 1 */
    void *state;
    /* Decodes 1 .. facts.most_codewords codewords on this thread. */
    void (*decode)(const struct ldpc_worker *worker, const ldpc_batch *batch);
} ldpc_worker;

typedef void ldpc_work(void *context, const ldpc_worker *worker, size_t item);

/* What simulate() receives. The caller (lib/sim) defines it; lib/backend and lib/decode pass it on. */
struct ldpc_frames;

/* Facts about a backend's state once it has been created. */
typedef struct ldpc_backend_facts {
    const char *kernel; /* row in use; a static string */
    size_t max_batch;   /* largest batch in codewords: plan->max_batch where that is not 0 */
    size_t good_batch;  /* codewords that keep the backend busy; at most max_batch */
    size_t depth;       /* jobs that may be in flight; at least 1 */
    size_t lanes;       /* codewords that a CPU thread, or a thread block of a GPU, decodes at once */
    bool compiling;     /* the kernel is not the chosen one yet: settle() */
    ldpc_error
        skipped; /* a kernel that the backend chose and could not build, and what takes its place; "": none since the
                              backend was last asked */
    size_t workers;        /* threads that fan_out() lends */
    size_t most_codewords; /* codewords that such a thread takes at once */
} ldpc_backend_facts;

typedef struct ldpc_backend {
    const char *name;
    /* This backend and the CPU as one, for decoders with min_gpu_batch. NULL: there is none. */
    const struct ldpc_backend *with_cpu;
    ldpc_arithmetic arithmetic; /* the arithmetic that "auto" means on this backend for min-sum decoders */
    bool nonbinary;             /* takes plans of codes over GF(q), q > 2 */
    /* NULL when usable on this machine, else a sentence that says why it is not. */
    const char *(*unusable)(void);
    /* The same for its GPUs. NULL: it has none. */
    const char *(*no_gpu)(void);
    /* i-th kernel that this machine can run, slowest first; NULL past the end. */
    const char *(*kernel)(size_t i);
    /* Name of device i, NULL past the end. NULL: the backend does not name its devices. */
    const char *(*device)(size_t i);
    /* Makes the state of a decoder and fills *facts. The plan does not move during the life of the state.
     * LDPC_ERR_UNSUPPORTED: another backend may support the plan. */
    ldpc_status (*create)(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err);
    /* No job is in flight, or abandon() was called. When this returns, every call of ldpc_job_done() has returned too, and neither
     * lib/decode's memory nor the batches' is accessed by the host any more. */
    void (*destroy)(void *state);
    /* From any thread, also while others are inside of calls: ends all waiting for the device, now and later, with
     * LDPC_ERR_DEVICE. destroy() then frees nothing that the device, or a call inside its driver, may still use. NULL: the
     * backend waits for no device. */
    void (*abandon)(void *state);
    /* In a forked child, for a state of the parent. adopt: makes all locks anew and returns true if the
     * child may decode with it; false (also if NULL) when it needs threads or a device of the parent.
     * free_in_child: frees the memory, instead of destroy, and leaves threads, locks and devices to the parent. */
    bool (*adopt)(void *state);
    void (*free_in_child)(void *state);
    /* Decode a batch and return when it is done; no job is in flight. */
    ldpc_status (*decode)(void *state, const ldpc_batch *batch, ldpc_error *err);
    /* Call work(context, worker, item) for items 0 .. items - 1, in any order, on the backend's threads; no
     * job is in flight. NULL: the backend has no threads to lend. */
    void (*fan_out)(void *state, size_t items, ldpc_work *work, void *context);
    /* As ldpc_decode_device(). NULL: not supported. */
    ldpc_status (*decode_device)(void *state, void *stream, const ldpc_batch *batch, ldpc_error *err);
    /* Make, decode and count frames; no job is in flight. NULL or LDPC_ERR_UNSUPPORTED: the caller makes the
     * frames and calls decode. */
    ldpc_status (*simulate)(void *state, const struct ldpc_frames *frames, ldpc_error *err);
    /* Start a job; at most facts.depth are in flight, and they may finish in any order. After a failure
     * ldpc_job_done() must not be called. */
    ldpc_status (*submit)(void *state, ldpc_job *job, ldpc_error *err);
    /* Host memory for batches; NULL when there is none left. Both NULL: malloc is as good. */
    void *(*alloc)(void *state, size_t bytes);
    void (*free)(void *state, void *memory);
    /* As ldpc_decoder_register() and _unregister(), with arguments that are right. NULL: nothing to do. */
    ldpc_status (*pin)(void *state, void *memory, size_t bytes, ldpc_error *err);
    ldpc_status (*unpin)(void *state, void *memory, ldpc_error *err);
    /* A backend may begin, after create and update, with a kernel that is there while the chosen one is compiled.
     * Takes the chosen one when that is done at `until` (NULL: waits as long as it takes), and fills *facts anew, whatever
     * it returns: LDPC_OK, LDPC_AGAIN, or the failure, also when asked again; after one that is final facts->compiling is false.
     * Jobs may be in flight. NULL: the kernel is the chosen one always. */
    ldpc_status (*settle)(void *state, const struct timespec *until, ldpc_backend_facts *facts,
                          ldpc_error *err);
    /* max_iterations, early_stop, offset or factor of the plan have changed; no job is in flight. After a
     * failure the state is as it was. NULL: the backend reads them from the plan at each batch. */
    ldpc_status (*update)(void *state, ldpc_error *err);
} ldpc_backend;

extern const ldpc_backend ldpc_cpu_backend;
extern const ldpc_backend ldpc_cuda_backend, ldpc_opencl_backend; /* only with LDPC_HAVE_CUDA */
extern const ldpc_backend ldpc_split_backend; /* CPU and CUDA, with LDPC_HAVE_CUDA too; not in the list */

enum { LDPC_CPU_MAX_BATCH = 4096 }; /* codewords, where max_batch is 0 */

/* i-th backend of this build, best last; NULL past the end. */
const ldpc_backend *ldpc_backend_at(size_t i);

/* The backend of ldpc_decoder_params::backend, usable on this machine. LDPC_ERR_PARAM, LDPC_ERR_BACKEND. */
ldpc_status ldpc_backend_find(const char *name, const ldpc_backend **backend, ldpc_error *err);

/* Completes the sentence about a GPU that cannot be used: what `fallback` does, or would do. */
void ldpc_backend_explain_fallback(ldpc_error *err, bool fallback);

#ifdef __cplusplus
}
#endif
#endif
