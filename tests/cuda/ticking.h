/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders with a time limit whose clocks (cuda/backend/tick.h) stand still until the program moves them, so it knows what a watchdog
 * has seen when; and batches for them. */
#ifndef LDPC_TEST_CUDA_TICKING_H
#define LDPC_TEST_CUDA_TICKING_H

#include <pthread.h>
#include <stdatomic.h>

#include "codewords.h"

enum {
    TICKS = 8,     /* of a limit */
    LIMIT_MS = 40, /* of a clock that stands still */
    MOST = 6       /* clocks, and batches */
};

extern codewords batches[MOST]; /* each with results of its own */

/* ---- clocks: that of decoder i, in the order in which decoders had their first batch in flight */

/* For a program that defines ldpc_cuda_await_tick(). */
void ticking_await(pthread_cond_t *wake, pthread_mutex_t *mutex, const bool *closing, uint64_t us);
/* No decoder has had one. */
void ticking_reset(void);
/* The watchdog waits for a tick, as many times as this so far. */
void await_watchdog(size_t i);
unsigned count_waits(size_t i);
/* The watchdog has seen a tick, and may be about to report. */
void begin_tick(size_t i);
/* The watchdog has seen so many ticks and waits for another one: while batches are in flight. */
void tick(size_t i, int times);

/* ---- decoders and batches */

int set_up(void **state);
int tear_down(void **state);
/* With its kernel from the beginning. */
ldpc_decoder *make(const char *devices);
/* kernel: NULL for the library's choice, which "any" stands in for until it has been compiled. */
ldpc_decoder *make_with(const char *devices, const char *kernel);

/* Batch i without posteriors, whose buffers are allocated on first use. */
ldpc_batch plain(size_t i);
void submit(ldpc_decoder *dec, size_t i);
ldpc_status decode(ldpc_decoder *dec, size_t i);
void check_results(size_t i);
void check_lost(size_t i);
size_t count_decoded(size_t i);

/* The completion thread hears of the answer of GPU 0 when it likes. */
void wait_until_usable(ldpc_decoder *dec);
/* GPU 0 hangs because of this decoder, the first one. */
void hang(ldpc_decoder *dec);

/* ---- a blocking call with batch 1, on a thread of its own */

typedef struct call {
    ldpc_decoder *dec;
    pthread_t thread;
    ldpc_status status;
    atomic_bool returned;
} call;

void start_call(call *c, ldpc_decoder *dec);
/* It asks the GPU again, or returns. */
void let_it_ask(call *c);
ldpc_status end_call(call *c);

#endif
