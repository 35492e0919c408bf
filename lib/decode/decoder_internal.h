/* SPDX-License-Identifier: BSD-3-Clause */
/* The decoder handle, for the files of lib/decode. Where what is done:
 *
 *     create.c     parameters -> backend and plan; destruction
 *     handle.c     the checks, locks and waits that every call shares
 *     queue.c      batches in flight: submit, collect, decode
 *     kernel.c     the kernel: its name, and waiting for it
 *     settings.c   changes of a finished decoder, and what it tells about itself
 *     fan_out.c    the decoder's threads and GPUs, lent to a simulation
 *
 * Batches in flight live in a ring of facts.depth jobs: jobs[first] is the oldest, and the `count` jobs from
 * there on are submitted. The backend finishes jobs in any order; ldpc_collect() hands out the oldest only.
 *
 *     jobs   [ free | done | running | done | free ]      first = 1, count = 3: collect takes jobs[1]
 */
#ifndef LDPC_DECODER_INTERNAL_H
#define LDPC_DECODER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"

struct ldpc_decoder {
    unsigned process; /* ldpc_process_number() of the process that may use the decoder */
    atomic_bool abandoned;
    ldpc_plan plan;
    const ldpc_backend *backend;
    void *state;              /* the backend's */
    ldpc_backend_facts facts; /* as the decoder was created */

    /* Facts that change with the kernel, while any thread may ask. */
    _Atomic(const char *) kernel;
    atomic_size_t good_batch, lanes;
    bool compiling; /* the kernel is not the chosen one yet; only the thread that submits asks */

    pthread_mutex_t mutex;  /* guards what follows */
    pthread_cond_t changed; /* a job is done, a job has been withdrawn, or a notification has returned */
    ldpc_job *jobs;
    size_t first;
    atomic_size_t count; /* also read without the mutex */
    void (*notify)(void *context);
    void *context;
    unsigned notifying; /* calls of notify under way */
    ldpc_error error;   /* of the last failure */
};

/* Every call on a decoder begins with this. LDPC_ERR_NULL; LDPC_ERR_THREAD in a forked child that cannot
 * adopt the decoder; LDPC_ERR_DEVICE after ldpc_decoder_abandon(). */
ldpc_status ldpc_decoder_enter(ldpc_decoder *dec);

/* Make mutex and condition; false when the system refuses. */
bool ldpc_decoder_init_sync(ldpc_decoder *dec);

/* Store what the getters tell about the kernel. */
void ldpc_decoder_tell_kernel(ldpc_decoder *dec, const ldpc_backend_facts *facts);

/* Between two batches: the chosen kernel, if it has been compiled. */
void ldpc_decoder_settle(ldpc_decoder *dec);

/* The decoder has been changed: its kernel may be another one than before, and not the chosen one yet. */
void ldpc_decoder_unsettle(ldpc_decoder *dec);

/* With the mutex held: wait until the backend has no job or the decoder is abandoned, and until no notification is under way. */
void ldpc_decoder_wait_jobs(ldpc_decoder *dec);
void ldpc_decoder_wait_notifications(ldpc_decoder *dec);

/* Stores the error message for ldpc_decoder_message() and returns the status. */
ldpc_status ldpc_decoder_keep(ldpc_decoder *dec, ldpc_status status, const ldpc_error *err);

/* LDPC_ERR_PARAM while submitted batches have not been collected. */
ldpc_status ldpc_decoder_check_idle(ldpc_decoder *dec, ldpc_error *err);

#endif
