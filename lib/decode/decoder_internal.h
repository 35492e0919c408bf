/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal struct of a decoder. Files:
 *
 *     create.c     parameters -> backend and plan; destruction
 *     handle.c     checks, locks and waits of every call
 *     queue.c      batches in flight: submit, collect, decode
 *     kernel.c     the kernel: its name, and waiting for it
 *     settings.c   setters, getters, memory for batches
 *     fan_out.c    threads and GPUs for a simulation
 *
 * Batches in flight are in a ring of facts.depth jobs: jobs[first] is the oldest of `count` jobs. The backend
 * finishes jobs in any order; ldpc_collect() returns them in order.
 *
 *     jobs   [ free | done | running | done | free ]      first = 1, count = 3: collect takes jobs[1]
 */
#ifndef LDPC_DECODER_INTERNAL_H
#define LDPC_DECODER_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"

struct ldpc_decoder {
    unsigned process;
    atomic_bool abandoned;
    ldpc_plan plan;
    const ldpc_backend *backend;
    void *state;              /* state of the backend */
    ldpc_backend_facts facts; /* facts at creation */

    /* atomic, because any thread may call getters */
    _Atomic(const char *) kernel;
    atomic_size_t good_batch, lanes;
    /* used only by the thread that submits batches */
    bool compiling;

    pthread_mutex_t mutex; /* protects the following members */
    pthread_cond_t changed;
    ldpc_job *jobs;
    size_t first;
    atomic_size_t count; /* also read without the mutex */
    void (*notify)(void *context);
    void *context;
    unsigned notifying; /* calls of `notify` in progress */
    ldpc_error error;
};

/* Every call must begin with this check. Returns LDPC_ERR_NULL, LDPC_ERR_THREAD (forked child) or
 * LDPC_ERR_DEVICE (abandoned). */
ldpc_status ldpc_decoder_enter(ldpc_decoder *dec);

bool ldpc_decoder_init_sync(ldpc_decoder *dec);

void ldpc_decoder_tell_kernel(ldpc_decoder *dec, const ldpc_backend_facts *facts);

void ldpc_decoder_settle(ldpc_decoder *dec);

/* Call this after a setter, because the kernel for the new value may not be compiled yet. */
void ldpc_decoder_unsettle(ldpc_decoder *dec);

/* The mutex must be held. ldpc_decoder_wait_jobs() also returns if the decoder is abandoned. */
void ldpc_decoder_wait_jobs(ldpc_decoder *dec);
void ldpc_decoder_wait_notifications(ldpc_decoder *dec);

ldpc_status ldpc_decoder_keep(ldpc_decoder *dec, ldpc_status status, const ldpc_error *err);

/* Returns LDPC_ERR_PARAM if submitted batches are not collected. */
ldpc_status ldpc_decoder_check_idle(ldpc_decoder *dec, ldpc_error *err);

#endif
