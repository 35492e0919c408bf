/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "cuda/host/unanswered.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/status_internal.h"

enum { MOST_GPUS = 64 }; /* GPUs further on share the records of the first ones */

typedef struct record {
    atomic_uint given_up; /* batches and loads of programs that have not ended */
    atomic_uint timeout_ms;
} record;

/* Of CUDA's GPUs, and of OpenCL's devices. */
static record records[2][MOST_GPUS];

/* Nothing of a forked child is under way. */
static void forget_all(void)
{
    for (int i = 0; i < 2 * MOST_GPUS; i++)
        atomic_store(&records[i / MOST_GPUS][i % MOST_GPUS].given_up, 0);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_all); /* without memory for it, children refuse this GPU */
}

static record *record_of(const ldpc_cuda_engine *engine)
{
    const bool opencl = engine->driver->build != NULL;
    return &records[opencl][engine->number % MOST_GPUS];
}

void ldpc_cuda_count_unanswered(const ldpc_cuda_engine *engine, uint32_t timeout_ms)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    record *r = record_of(engine);
    pthread_once(&once, watch_forks);
    if (!ldpc_cuda_hangs(engine)) /* the limit of the first one counts */
        atomic_store(&r->timeout_ms, timeout_ms);
    atomic_fetch_add(&r->given_up, 1);
}

void ldpc_cuda_count_answered(const ldpc_cuda_engine *engine)
{
    atomic_fetch_sub(&record_of(engine)->given_up, 1);
}

bool ldpc_cuda_hangs(const ldpc_cuda_engine *engine)
{
    return atomic_load(&record_of(engine)->given_up) > 0;
}

ldpc_status ldpc_cuda_fail_hang(const ldpc_cuda_engine *engine, ldpc_error *err)
{
    return ldpc_fail(err, LDPC_ERR_DEVICE,
                     "%s: device %d has not finished its work within %g s, the time limit (gpu_timeout): it "
                     "or its driver hangs",
                     engine->driver->name, engine->number,
                     atomic_load(&record_of(engine)->timeout_ms) / 1000.0);
}

ldpc_status ldpc_cuda_check_hang(const ldpc_cuda_engine *engine, ldpc_error *err)
{
    return ldpc_cuda_hangs(engine) ? ldpc_cuda_fail_hang(engine, err) : LDPC_OK;
}
