/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/symbol_source.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/thread.h"
#include "receiver/samples.h"

enum {
    SAMPLES = 1 << 15, /* size of the queue of samples */
    BLOCKS = 64,       /* size of the queue of symbols, in blocks */
    BLOCK = DVBS2_TIMING_BLOCK,
    STEP = 4096,
};

struct dvbs2_front_thread {
    pthread_t thread;
    pthread_mutex_t mutex;  /* guards all members except the items of the queues */
    pthread_cond_t changed; /* signalled after every change of a queue, and for a command */
    bool idle, quit;
    bool woken;
    dvbs2_front_state state;
    /* commands for the front end */
    bool restart;
    double change;
    /* queue of samples: number of the first sample in the ring; number of stored samples */
    uint8_t *samples;
    size_t sample_bytes, first, count;
    double taken;     /* number of samples that were taken from the queue */
    dvbs2_gaps gaps;  /* in samples, as `taken` */
    bool dropped_gap; /* whether a dropped block had a gap */
    /* ring of blocks */
    struct {
        float complex symbols[BLOCK];
        dvbs2_front_state state;
        bool gap;
    } * blocks;
    size_t first_block, n_blocks;
};

static dvbs2_front_state state_of(const dvbs2_front_end *front)
{
    return (dvbs2_front_state){.running = front->running,
                               .power = fmax(dvbs2_front_end_power(front), 1e-20),
                               .delay = dvbs2_front_end_delay(front),
                               .roll_off = front->roll_off,
                               .clock_ppm = front->resampler.clock_ppm,
                               .first_carrier = front->first_carrier,
                               .failures = front->failures};
}

/* ---- thread of the front end */

static void obey(dvbs2_front_thread *t, dvbs2_front_end *front)
{
    if (t->restart)
        dvbs2_front_end_restart(front);
    t->restart = false;
    if (t->change != 0 && dvbs2_front_end_retune(front, t->change))
        t->change = 0;
}

static size_t take_samples(dvbs2_front_thread *t, dvbs2_front_end *front, size_t count)
{
    const size_t left = SAMPLES - t->first, most = count < left ? count : left;
    return dvbs2_front_end_write(front, t->samples + t->first * t->sample_bytes, most < STEP ? most : STEP);
}

/* Reads at most `room` blocks into the queue. Returns their number. */
static size_t add_blocks(dvbs2_front_thread *t, dvbs2_front_end *front, size_t at, size_t room)
{
    size_t made = 0;
    while (made < room && dvbs2_front_end_read(front, t->blocks[(at + made) % BLOCKS].symbols)) {
        t->blocks[(at + made) % BLOCKS].state = state_of(front);
        t->blocks[(at + made) % BLOCKS].gap = front->missing;
        made++;
    }
    return made;
}

/* Drops blocks with the old timing, but keeps the mark of a gap. */
static void drop_blocks(dvbs2_front_thread *t, size_t at, size_t count)
{
    for (size_t i = at; i < at + count; i++)
        t->dropped_gap |= t->blocks[i % BLOCKS].gap;
}

/* Processes some samples. Unlocks the mutex while the front end works. Returns false if idle. */
static bool step(dvbs2_front_thread *t, dvbs2_front_end *front)
{
    const size_t count = t->gaps.count > 0 ? (size_t)(t->gaps.at[0] - t->taken) : t->count,
                 at = t->first_block + t->n_blocks, room = BLOCKS - t->n_blocks;
    if (room == 0)
        return false;
    obey(t, front);
    pthread_mutex_unlock(&t->mutex);
    const size_t taken = take_samples(t, front, count), made = add_blocks(t, front, at, room);
    pthread_mutex_lock(&t->mutex);
    t->state = state_of(front);
    t->first = (t->first + taken) % SAMPLES;
    t->count -= taken;
    t->taken += (double)taken;
    if (t->restart)
        drop_blocks(t, at, made);
    else
        t->n_blocks += made;
    const bool reached = dvbs2_gaps_pass(&t->gaps, t->taken + 1);
    if (reached)
        dvbs2_front_end_gap(front);
    pthread_cond_broadcast(&t->changed);
    return taken > 0 || made > 0 || reached;
}

static void *run(void *argument)
{
    dvbs2_symbol_source *source = argument;
    dvbs2_front_thread *t = source->thread;
    pthread_mutex_lock(&t->mutex);
    while (!t->quit) {
        t->woken = false;
        t->idle = !step(t, &source->front) && !t->woken;
        if (t->idle)
            pthread_cond_broadcast(&t->changed);
        while (t->idle && !t->quit)
            pthread_cond_wait(&t->changed, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

static void free_thread(dvbs2_front_thread *t)
{
    free(t->samples);
    free(t->blocks);
    free(t);
}

static ldpc_status start_thread(dvbs2_symbol_source *source)
{
    dvbs2_front_thread *t = ldpc_allocate(1, sizeof *t);
    if (!t)
        return LDPC_ERR_MEMORY;
    t->sample_bytes = rx_format_bytes(source->front.params.format);
    t->samples = ldpc_allocate(SAMPLES, t->sample_bytes);
    t->blocks = ldpc_allocate(BLOCKS, sizeof *t->blocks);
    ldpc_status status = t->samples && t->blocks ? LDPC_OK : LDPC_ERR_MEMORY;
    if (!status && pthread_mutex_init(&t->mutex, NULL))
        status = LDPC_ERR_THREAD;
    else if (!status && pthread_cond_init(&t->changed, NULL)) {
        pthread_mutex_destroy(&t->mutex);
        status = LDPC_ERR_THREAD;
    }
    source->thread = status ? NULL : t;
    if (!status && !ldpc_thread_start(&t->thread, run, source)) {
        pthread_cond_destroy(&t->changed);
        pthread_mutex_destroy(&t->mutex);
        source->thread = NULL;
        status = LDPC_ERR_THREAD;
    }
    if (status)
        free_thread(t);
    return status;
}

static void stop_thread(dvbs2_front_thread *t)
{
    pthread_mutex_lock(&t->mutex);
    t->quit = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
    free_thread(t);
}

/* ---- thread of the caller */

static void wake(dvbs2_front_thread *t)
{
    t->idle = false;
    t->woken = true;
    pthread_cond_broadcast(&t->changed);
}

ldpc_status dvbs2_symbol_source_init(dvbs2_symbol_source *source, const dvbs2_front_end_params *params,
                                     uint32_t threads)
{
    *source = (dvbs2_symbol_source){.thread = NULL};
    if (!dvbs2_front_end_init(&source->front, params))
        return LDPC_ERR_MEMORY;
    return threads > 1 ? start_thread(source) : LDPC_OK;
}

void dvbs2_symbol_source_free(dvbs2_symbol_source *source)
{
    if (source->thread)
        stop_thread(source->thread);
    dvbs2_front_end_free(&source->front);
}

static size_t queue_samples(dvbs2_front_thread *t, const void *samples, size_t count)
{
    pthread_mutex_lock(&t->mutex);
    const size_t room = SAMPLES - t->count, all = count < room ? count : room;
    for (size_t done = 0, n; done < all; done += n) {
        const size_t at = (t->first + t->count) % SAMPLES, left = SAMPLES - at;
        n = all - done < left ? all - done : left;
        memcpy(t->samples + at * t->sample_bytes, (const uint8_t *)samples + done * t->sample_bytes,
               n * t->sample_bytes);
        t->count += n;
    }
    wake(t);
    pthread_mutex_unlock(&t->mutex);
    return all;
}

size_t dvbs2_symbol_source_write(dvbs2_symbol_source *source, const void *samples, size_t count)
{
    if (source->thread)
        return queue_samples(source->thread, samples, count);
    const size_t taken = dvbs2_front_end_write(&source->front, samples, count);
    source->state = state_of(&source->front);
    return taken;
}

static bool must_wait(const dvbs2_front_thread *t, bool last)
{
    return t->n_blocks == 0 && !t->idle && (last || t->count >= SAMPLES / 2);
}

static bool take_block(dvbs2_symbol_source *source, bool last, float complex *symbols, bool *gap)
{
    dvbs2_front_thread *t = source->thread;
    pthread_mutex_lock(&t->mutex);
    while (must_wait(t, last))
        pthread_cond_wait(&t->changed, &t->mutex);
    const bool got = t->n_blocks > 0;
    source->state = got ? t->blocks[t->first_block].state : t->state;
    if (got) {
        memcpy(symbols, t->blocks[t->first_block].symbols, BLOCK * sizeof *symbols);
        *gap = t->blocks[t->first_block].gap || t->dropped_gap;
        t->dropped_gap = false;
        t->first_block = (t->first_block + 1) % BLOCKS;
        t->n_blocks--;
        wake(t);
    }
    pthread_mutex_unlock(&t->mutex);
    return got;
}

bool dvbs2_symbol_source_read(dvbs2_symbol_source *source, bool last, float complex *symbols, bool *gap)
{
    *gap = false;
    if (source->thread)
        return take_block(source, last, symbols, gap);
    const bool got = dvbs2_front_end_read(&source->front, symbols);
    *gap = got && source->front.missing;
    source->state = state_of(&source->front);
    return got;
}

void dvbs2_symbol_source_gap(dvbs2_symbol_source *source)
{
    dvbs2_front_thread *t = source->thread;
    if (!t) {
        dvbs2_front_end_gap(&source->front);
        return;
    }
    pthread_mutex_lock(&t->mutex);
    dvbs2_gaps_add(&t->gaps, t->taken + (double)t->count);
    wake(t);
    pthread_mutex_unlock(&t->mutex);
}

double dvbs2_symbol_source_pending(dvbs2_symbol_source *source)
{
    dvbs2_front_thread *t = source->thread;
    if (!t) {
        source->state = state_of(&source->front);
        return dvbs2_front_end_pending(&source->front);
    }
    pthread_mutex_lock(&t->mutex);
    /* Waits until the measurements include all samples, or the queue of symbols is full. */
    while (!t->idle)
        pthread_cond_wait(&t->changed, &t->mutex);
    source->state = state_of(&source->front);
    const double pending = dvbs2_front_end_pending(&source->front) + (double)t->n_blocks * BLOCK +
                           (double)t->count / source->front.factor / source->front.resampler.step / 2;
    pthread_mutex_unlock(&t->mutex);
    return pending;
}

void dvbs2_symbol_source_restart(dvbs2_symbol_source *source)
{
    dvbs2_front_thread *t = source->thread;
    source->corrected = 0;
    if (!t) {
        dvbs2_front_end_restart(&source->front);
        return;
    }
    pthread_mutex_lock(&t->mutex);
    t->restart = true;
    t->change = 0;
    drop_blocks(t, t->first_block, t->n_blocks);
    t->n_blocks = 0;
    wake(t);
    pthread_mutex_unlock(&t->mutex);
}

void dvbs2_symbol_source_retune(dvbs2_symbol_source *source, double change)
{
    dvbs2_front_thread *t = source->thread;
    if (!t) {
        source->corrected += dvbs2_front_end_retune(&source->front, change) ? change : 0;
        return;
    }
    pthread_mutex_lock(&t->mutex);
    if (t->change == 0) {
        t->change = change;
        source->corrected += change;
    }
    pthread_mutex_unlock(&t->mutex);
}
