/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal struct of a decoder, for lib/decode. Files:
 *
 *     create.c     parameters -> backend and plan; destruction
 *     handle.c     the checks, locks and waits that every call shares
 *     queue.c      batches in flight: submit, collect, decode
 *     kernel.c     the kernel: its name, and waiting for it
 *     settings.c   setters, getters, memory for batches
 *     fan_out.c    use of the decoder's threads and GPUs by a simulation
 *
 * Batches in flight are in a ring of facts.depth jobs: jobs[first] is the oldest of `count` submitted jobs.
 * The backend may finish jobs in any order, but ldpc_collect() returns them in the order of submission.
 *
 *     jobs   [ free | done | running | done | free ]      first = 1, count = 3: collect takes jobs[1]
 */
#ifndef LDPC_DECODER_INTERNAL_H
#define LDPC_DECODER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"

struct ldpc_decoder {
    unsigned process; /* ldpc_process_number() of the process to which the decoder belongs */
    atomic_bool abandoned;
    ldpc_plan plan;
    const ldpc_backend *backend;
    void *state;              /* state of the backend */
    ldpc_backend_facts facts; /* facts at creation */

    /* Properties that change when the kernel changes. They are atomic because any thread may call getters. */
    _Atomic(const char *) kernel;
    atomic_size_t good_batch, lanes;
    /* true: the chosen kernel is still being compiled; used only by the thread that submits batches */
    bool compiling;

    pthread_mutex_t mutex; /* protects the following members */
    /* signalled when a job is done, when a job has been withdrawn, or when a notification has returned */
    pthread_cond_t changed;
    ldpc_job *jobs;
    size_t first;
    atomic_size_t count; /* this count is also read without holding the mutex */
    void (*notify)(void *context);
    void *context;
    unsigned notifying; /* number of calls of `notify` that are in progress */
    ldpc_error error;   /* error message of the last failure */
};

/* Every call on a decoder must call this function first. Returns LDPC_ERR_NULL if the handle is NULL,
 * LDPC_ERR_THREAD if a forked child cannot use the decoder, and LDPC_ERR_DEVICE if the decoder was
 * abandoned. */
ldpc_status ldpc_decoder_enter(ldpc_decoder *dec);

/* Initialises mutex and condition variable. Returns false if the system cannot create them. */
bool ldpc_decoder_init_sync(ldpc_decoder *dec);

/* Stores the properties of the kernel that getters return. */
void ldpc_decoder_tell_kernel(ldpc_decoder *dec, const ldpc_backend_facts *facts);

/* Switches to the chosen kernel if its compilation is finished. Called between two batches. */
void ldpc_decoder_settle(ldpc_decoder *dec);

/* Called after a setter. The setter may have changed the kernel, and the new kernel may still be compiled. */
void ldpc_decoder_unsettle(ldpc_decoder *dec);

/* Wait; the caller must hold the mutex. The first function waits until the backend has no job or the decoder
 * is abandoned. The second function waits until no call of `notify` is in progress. */
void ldpc_decoder_wait_jobs(ldpc_decoder *dec);
void ldpc_decoder_wait_notifications(ldpc_decoder *dec);

/* Stores the error message for ldpc_decoder_message(). Returns the status. */
ldpc_status ldpc_decoder_keep(ldpc_decoder *dec, ldpc_status status, const ldpc_error *err);

/* Returns LDPC_ERR_PARAM if submitted batches have not been collected. */
ldpc_status ldpc_decoder_check_idle(ldpc_decoder *dec, ldpc_error *err);

#endif
