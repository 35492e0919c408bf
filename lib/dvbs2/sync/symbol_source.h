/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the front end, in the caller's thread or in its own thread.
 *
 *     one thread:   samples ──> front end ──> symbols
 *     two threads:  samples ──> queue ──> front end ──> queue ──> symbols
 *
 * One thread calls all functions. With two threads, the symbols differ slightly, because samples are
 * processed in other pieces. */
#ifndef DVBS2_SYMBOL_SOURCE_H
#define DVBS2_SYMBOL_SOURCE_H

#include "dvbs2/sync/front_end.h"
#include "ldpc/status.h"

/* Measurements of the front end. */
typedef struct dvbs2_front_state {
    bool running;         /* whether frequency and timing have been measured */
    double power;         /* at least 1e-20; 0 before the first measurement */
    size_t delay;         /* of the filters, in samples */
    double roll_off;      /* of the matched filter */
    double clock_ppm;     /* offset of the sampling clock */
    double first_carrier; /* carrier offset of the first measurement, in Hz */
    uint32_t failures;    /* number of measurements for which there was not enough memory */
} dvbs2_front_state;

typedef struct dvbs2_front_thread dvbs2_front_thread;

typedef struct dvbs2_symbol_source {
    dvbs2_front_end front;
    dvbs2_front_thread *thread; /* NULL: the front end runs in the caller's thread */
    dvbs2_front_state state;    /* at the last symbols read */
    double corrected;           /* sum of the changes of the oscillator, in radians per symbol */
} dvbs2_symbol_source;

/* Initialises a source with one thread or two. Returns LDPC_OK, LDPC_ERR_MEMORY or LDPC_ERR_THREAD. */
ldpc_status dvbs2_symbol_source_init(dvbs2_symbol_source *source, const dvbs2_front_end_params *params,
                                     uint32_t threads);
void dvbs2_symbol_source_free(dvbs2_symbol_source *source);

/* Writes samples. Returns how many samples were accepted. If this is less than `count`, symbols must be read
 * first. */
size_t dvbs2_symbol_source_write(dvbs2_symbol_source *source, const void *samples, size_t count);

/* Reads DVBS2_TIMING_BLOCK symbols. Returns false if more samples are needed. If `last` is false, waits for
 * the thread only if half of the sample queue is full. Sets *gap if samples are missing before or within the
 * symbols. */
bool dvbs2_symbol_source_read(dvbs2_symbol_source *source, bool last, float complex *symbols, bool *gap);

/* Marks that samples are missing before the next sample. */
void dvbs2_symbol_source_gap(dvbs2_symbol_source *source);

/* Returns the number of symbols that were written as samples and not yet read. Also updates source->state. */
double dvbs2_symbol_source_pending(dvbs2_symbol_source *source);

/* See dvbs2_front_end_restart() and dvbs2_front_end_retune(). */
void dvbs2_symbol_source_restart(dvbs2_symbol_source *source);
void dvbs2_symbol_source_retune(dvbs2_symbol_source *source, double change);

#endif
