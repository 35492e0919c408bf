/* SPDX-License-Identifier: BSD-3-Clause */
/* The backends: one table of functions each. */
#ifndef LDPC_BACKEND_H
#define LDPC_BACKEND_H

#include <time.h>

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A submitted batch. lib/decode owns it, and keeps its address until job->report() is called. */
typedef struct ldpc_job {
    ldpc_batch batch;
    /* The backend must call it once, from any thread. Afterwards the job belongs to lib/decode. The pointer
     * is NULL for a backend's own jobs. */
    void (*report)(struct ldpc_job *job, ldpc_status status);
    void *owner;
    bool done; /* used only by lib/decode */
    ldpc_status status;
    ldpc_error error; /* set before a failure is reported */
    struct ldpc_job *next;
    size_t started, finished;
    size_t slice; /* 0: the backend chooses */
} ldpc_job;

/* A thread of a backend. It decodes codewords of the caller. */
typedef struct ldpc_worker {
    size_t number; /* 0 .. facts.workers - 1 */
    void *state;
    /* Decodes 1 .. facts.most_codewords codewords. */
    void (*decode)(const struct ldpc_worker *worker, const ldpc_batch *batch);
} ldpc_worker;

typedef void ldpc_work(void *context, const ldpc_worker *worker, size_t item);

/* Argument of simulate(), defined in lib/sim. */
struct ldpc_frames;

/* Properties of a decoder in the backend. */
typedef struct ldpc_backend_facts {
    const char *kernel; /* kernel in use, a static string */
    size_t max_batch;   /* maximum batch size in codewords; equals plan->max_batch if that is not 0 */
    size_t good_batch;  /* number of codewords that keep the backend busy, at most max_batch */
    size_t depth;       /* maximum number of jobs in flight, at least 1 */
    size_t lanes;       /* number of codewords that a CPU thread or GPU thread block decodes together */
    bool compiling;     /* see settle() */
    /* why a kernel was replaced, or "" */
    ldpc_error skipped;
    size_t workers;        /* number of threads of fan_out() */
    size_t most_codewords; /* maximum codewords per call of decode() */
} ldpc_backend_facts;

typedef struct ldpc_backend {
    const char *name;
    const struct ldpc_backend *with_cpu;
    ldpc_arithmetic arithmetic; /* arithmetic that LDPC_ARITHMETIC_AUTO selects for min-sum decoders */
    bool nonbinary;             /* whether the backend supports codes over GF(q), q > 2 */
    /* Returns NULL, or why this machine cannot use the backend. */
    const char *(*unusable)(void);
    /* Returns NULL, or why the backend cannot use a GPU of this machine. The pointer is NULL for a backend
     * without GPUs. */
    const char *(*no_gpu)(void);
    /* Kernels are sorted from slow to fast. NULL after the last kernel. */
    const char *(*kernel)(size_t i);
    /* Returns the name of device i. NULL after the last device, or if devices have no names. */
    const char *(*device)(size_t i);
    /* The plan must not move in memory. After LDPC_ERR_UNSUPPORTED, the caller may try another backend. */
    ldpc_status (*create)(const ldpc_plan *plan, void **state, ldpc_backend_facts *facts, ldpc_error *err);
    /* No job may be in flight, except after abandon(). On return, all calls of report() are over. */
    void (*destroy)(void *state);
    /* Ends all waits for the device with LDPC_ERR_DEVICE, from any thread. destroy() then leaks memory that
     * the device may still access. The pointer is NULL for a backend without a device. */
    void (*abandon)(void *state);
    /* For the state of the parent in a forked child:
     *   adopt          creates the locks again; returns false if the state has threads or a device; may be NULL
     *   free_in_child  frees the memory; does not use threads, locks and devices */
    bool (*adopt)(void *state);
    void (*free_in_child)(void *state);
    /* Decodes a batch. No job may be in flight. */
    ldpc_status (*decode)(void *state, const ldpc_batch *batch, ldpc_error *err);
    /* Calls work(context, worker, item) for items 0 .. items - 1 on the backend's threads, in any order. No
     * job may be in flight. May be NULL. */
    void (*fan_out)(void *state, size_t items, ldpc_work *work, void *context);
    /* may be NULL */
    ldpc_status (*decode_device)(void *state, void *stream, const ldpc_batch *batch, ldpc_error *err);
    /* No job may be in flight. If the pointer is NULL or the call returns LDPC_ERR_UNSUPPORTED, the caller
     * generates frames for decode(). */
    ldpc_status (*simulate)(void *state, const struct ldpc_frames *frames, ldpc_error *err);
    /* At most facts.depth jobs are in flight. They finish in any order. If submit() fails, it must not call
     * report(). */
    ldpc_status (*submit)(void *state, ldpc_job *job, ldpc_error *err);
    /* Allocate and free host memory for batches. If both are NULL, malloc() and free() are used. */
    void *(*alloc)(void *state, size_t bytes);
    void (*free)(void *state, void *memory);
    /* Implement ldpc_decoder_register() and ldpc_decoder_unregister(), with checked arguments. May be
     * NULL. */
    ldpc_status (*pin)(void *state, void *memory, size_t bytes, ldpc_error *err);
    ldpc_status (*unpin)(void *state, void *memory, ldpc_error *err);
    /* Waits for the kernel that is being compiled, until `until` (NULL: no limit), then uses it. Returns
     * LDPC_OK, LDPC_AGAIN or the error of the compilation. May be NULL. */
    ldpc_status (*settle)(void *state, const struct timespec *until, ldpc_backend_facts *facts,
                          ldpc_error *err);
    /* Called after a change of max_iterations, early_stop, offset or factor. No job may be in flight. On
     * failure the state is unchanged. May be NULL. */
    ldpc_status (*update)(void *state, ldpc_error *err);
} ldpc_backend;

extern const ldpc_backend ldpc_cpu_backend;
/* only with LDPC_HAVE_CUDA */
extern const ldpc_backend ldpc_cuda_backend, ldpc_opencl_backend;
/* CPU and CUDA combined, with LDPC_HAVE_CUDA; not in the list of backends */
extern const ldpc_backend ldpc_split_backend;

enum { LDPC_CPU_MAX_BATCH = 4096 }; /* codewords per CPU batch if max_batch is 0 */

/* Returns the i-th backend, by ascending preference. NULL after the last backend. */
const ldpc_backend *ldpc_backend_at(size_t i);

/* Finds the backend of ldpc_decoder_params::backend. Returns LDPC_ERR_PARAM (unknown) or LDPC_ERR_BACKEND
 * (not usable). */
ldpc_status ldpc_backend_find(const char *name, const ldpc_backend **backend, ldpc_error *err);

/* Appends to `err` that the CPU is used instead, or that the option `fallback` allows this. */
void ldpc_backend_explain_fallback(ldpc_error *err, bool fallback);

#ifdef __cplusplus
}
#endif
#endif
