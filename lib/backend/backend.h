/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface between decoders and backends: one table of functions per backend, and a list of backends. */
#ifndef LDPC_BACKEND_H
#define LDPC_BACKEND_H

#include <time.h>

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A submitted batch. It belongs to lib/decode. Its address does not change until the backend has called
 * job->report(). */
typedef struct ldpc_job {
    ldpc_batch batch;
    /* Reports that a started job is finished. Any thread may call this function, exactly once per job;
     * afterwards the backend must not access the job. NULL for a job that a backend has created itself. */
    void (*report)(struct ldpc_job *job, ldpc_status status);
    void *owner; /* used by lib/decode only */
    bool done;   /* used by lib/decode only */
    ldpc_status status;
    ldpc_error error; /* error message; the backend writes it before it reports a failure */
    /* used by the backend for its queue */
    struct ldpc_job *next;
    size_t started, finished; /* number of codewords whose decoding has started; number of codewords that are
                               * finished */
    size_t slice;             /* maximum size of a slice in codewords; 0: the backend chooses */
} ldpc_job;

/* A thread of a backend, for callers that generate codewords on the same thread that decodes them. */
typedef struct ldpc_worker {
    size_t number; /* number of the worker, 0 .. facts.workers - 1 */
    void *state;
    /* Decodes 1 .. facts.most_codewords codewords on this thread. */
    void (*decode)(const struct ldpc_worker *worker, const ldpc_batch *batch);
} ldpc_worker;

typedef void ldpc_work(void *context, const ldpc_worker *worker, size_t item);

/* Argument of simulate(), defined in lib/sim. lib/backend and lib/decode do not access its members. */
struct ldpc_frames;

/* Properties of a decoder's state in the backend, known after its creation. */
typedef struct ldpc_backend_facts {
    const char *kernel; /* name of the kernel in use, a static string */
    size_t max_batch;   /* maximum batch size in codewords; equals plan->max_batch unless that is 0 */
    size_t good_batch;  /* number of codewords that keep the backend busy, at most max_batch */
    size_t depth;       /* maximum number of jobs in flight, at least 1 */
    size_t lanes;       /* number of codewords that a CPU thread or GPU thread block decodes together */
    bool compiling;     /* true: the chosen kernel is still being compiled, see settle() */
    /* message about a kernel that could not be built, and about the kernel that replaces it; "" if nothing
     * has happened since the last query */
    ldpc_error skipped;
    size_t workers;        /* number of threads that fan_out() uses */
    size_t most_codewords; /* maximum number of codewords that a thread of fan_out() decodes at once */
} ldpc_backend_facts;

typedef struct ldpc_backend {
    const char *name;
    /* Backend that combines this backend and the CPU, for decoders with min_gpu_batch; NULL if there is no
     * such backend. */
    const struct ldpc_backend *with_cpu;
    ldpc_arithmetic arithmetic; /* arithmetic that LDPC_ARITHMETIC_AUTO selects for min-sum decoders */
    bool nonbinary;             /* true: the backend supports codes over GF(q), q > 2 */
    /* Returns NULL if this machine can use the backend, otherwise the reason why it cannot. */
    const char *(*unusable)(void);
    /* Does the same as unusable(), but for the GPUs of the backend. NULL if the backend has no GPUs. */
    const char *(*no_gpu)(void);
    /* Returns the name of the i-th kernel that this machine can execute, or NULL after the last kernel. The
     * slowest kernel comes first. */
    const char *(*kernel)(size_t i);
    /* Returns the name of device i, or NULL after the last device. This pointer is NULL if the backend does
     * not name its devices. */
    const char *(*device)(size_t i);
    /* Creates the state of a decoder and fills *facts. The address of the plan does not change until
     * destroy(). Returns LDPC_ERR_UNSUPPORTED if another backend may support the plan. */
    ldpc_status (*create)(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err);
    /* Destroys the state. No job may be in flight, except after abandon(). When this function returns, all
     * calls of report() have returned, and the host no longer accesses batches or memory of
     * lib/decode. */
    void (*destroy)(void *state);
    /* Ends all waits for the device, now and later, with LDPC_ERR_DEVICE. Any thread may call this function,
     * also during other calls. Afterwards, destroy() does not free memory that the device, or a call inside
     * its driver, may still access. NULL if the backend has no device. */
    void (*abandon)(void *state);
    /* These functions are called in a forked child for a state of the parent. adopt: if the child can decode
     * with the state, creates all locks again and returns true; returns false if the state needs threads or a
     * device of the parent. NULL means false. free_in_child: replaces destroy(). Frees the memory, but does
     * not access threads, locks and devices of the parent. */
    bool (*adopt)(void *state);
    void (*free_in_child)(void *state);
    /* Decodes a batch and returns when the batch is decoded. No job may be in flight. */
    ldpc_status (*decode)(void *state, const ldpc_batch *batch, ldpc_error *err);
    /* Calls work(context, worker, item) for the items 0 .. items - 1 on the threads of the backend, in any
     * order. No job may be in flight. NULL if the backend does not support this. */
    void (*fan_out)(void *state, size_t items, ldpc_work *work, void *context);
    /* Implements ldpc_decode_device(). This pointer is NULL if the backend does not support it. */
    ldpc_status (*decode_device)(void *state, void *stream, const ldpc_batch *batch, ldpc_error *err);
    /* Generates, decodes and counts frames. No job may be in flight. If the pointer is NULL or the result is
     * LDPC_ERR_UNSUPPORTED, the caller must generate the frames and call decode(). */
    ldpc_status (*simulate)(void *state, const struct ldpc_frames *frames, ldpc_error *err);
    /* Starts a job. At most facts.depth jobs are in flight, and they may finish in any order. If starting
     * fails, report() must not be called for the job. */
    ldpc_status (*submit)(void *state, ldpc_job *job, ldpc_error *err);
    /* Allocate and free host memory for batches. alloc returns NULL if out of memory. If both pointers are
     * NULL, malloc is used. */
    void *(*alloc)(void *state, size_t bytes);
    void (*free)(void *state, void *memory);
    /* These functions implement ldpc_decoder_register() and ldpc_decoder_unregister(). The caller has checked
     * the arguments. The pointers are NULL if the backend has nothing to do. */
    ldpc_status (*pin)(void *state, void *memory, size_t bytes, ldpc_error *err);
    ldpc_status (*unpin)(void *state, void *memory, ldpc_error *err);
    /* After create() and update(), a backend may use an interim kernel while the chosen kernel is compiled.
     * settle() waits until the compilation ends or the time `until` (NULL: no limit) has come. It then uses
     * the chosen kernel if possible, and always updates *facts. Returns LDPC_OK, LDPC_AGAIN (the kernel is
     * not ready yet), or the failure of the compilation, also in later calls. After a final failure,
     * facts->compiling is false. Jobs may be in flight. NULL if the backend has no interim kernels. */
    ldpc_status (*settle)(void *state, const struct timespec *until, ldpc_backend_facts *facts,
                          ldpc_error *err);
    /* Called when max_iterations, early_stop, offset or factor of the plan have changed. No job may be in
     * flight. On failure the state is unchanged. NULL if the backend reads these parameters from the plan for
     * each batch. */
    ldpc_status (*update)(void *state, ldpc_error *err);
} ldpc_backend;

extern const ldpc_backend ldpc_cpu_backend;
/* these two backends exist only with LDPC_HAVE_CUDA */
extern const ldpc_backend ldpc_cuda_backend, ldpc_opencl_backend;
/* CPU and CUDA as one backend; exists only with LDPC_HAVE_CUDA, and is not in the list */
extern const ldpc_backend ldpc_split_backend;

enum { LDPC_CPU_MAX_BATCH = 4096 }; /* if max_batch is 0: maximum batch size of the CPU in codewords */

/* Returns the i-th backend of this build, or NULL after the last one. Backends are in ascending order of
 * preference. */
const ldpc_backend *ldpc_backend_at(size_t i);

/* Finds the backend that ldpc_decoder_params::backend names. Returns LDPC_ERR_PARAM if the name is unknown,
 * and LDPC_ERR_BACKEND if the backend cannot be used on this machine. */
ldpc_status ldpc_backend_find(const char *name, const ldpc_backend **backend, ldpc_error *err);

/* Appends a sentence to the error message about an unusable GPU. With `fallback`: the CPU decodes instead.
 * Without: `fallback` would make the CPU decode. */
void ldpc_backend_explain_fallback(ldpc_error *err, bool fallback);

#ifdef __cplusplus
}
#endif
#endif
