/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts samples at any rate to symbols: spectral centring, matched filter and interpolator, timing
 * recovery.
 *
 * If the carrier is known to be in a narrow part of the band, the sample rate is first divided by a power of two.
 *
 *     samples ──> oscillator ──> matched filter, two samples per symbol ──> every second one: symbols
 *                     │                    │                └── timing line ──┐
 *                centre of the spectrum    └──────────── clock, timing <──────┘
 *
 * Frequency, clock and timing are measured first. Then the same samples are filtered again. */
#ifndef DVBS2_FRONT_END_H
#define DVBS2_FRONT_END_H

#include "receiver/decimator.h"
#include "receiver/resampler.h"

enum {
    DVBS2_TIMING_BLOCK = 256,       /* symbols per read */
    DVBS2_MOST_TIMING_BLOCKS = 512, /* maximum number of blocks for the first measurement */
};

typedef struct dvbs2_front_end_params {
    ldpc_sample_format format;
    double sample_rate, symbol_rate; /* in Hz */
    double roll_off;                 /* 0: unknown */
    double offset,
        offset_range; /* expected carrier offset and its maximum error, Hz; range 0: the whole band */
} dvbs2_front_end_params;

/* Positions of missing samples, in ascending order. If there are too many, a new position replaces the last. */
typedef struct dvbs2_gaps {
    double at[16];
    size_t count;
} dvbs2_gaps;

void dvbs2_gaps_add(dvbs2_gaps *gaps, double at);

/* Removes the gaps before `position`. Returns whether there were any. */
bool dvbs2_gaps_pass(dvbs2_gaps *gaps, double position);

typedef struct dvbs2_front_end {
    dvbs2_front_end_params params;
    rx_decimator decimator; /* if offset_range allows a lower sample rate */
    uint32_t factor;        /* by which the decimator divides the sample rate; 1: it is not used */
    const float *decimated; /* outputs of the decimator that the resampler has not taken */
    size_t n_decimated;
    rx_resampler resampler;
    bool running;                 /* whether frequency and timing have been measured */
    uint32_t blocks, most_blocks; /* number of blocks of the first measurement; its maximum */
    double complex *lines;        /* timing line of each of these blocks */
    double complex line;          /* average timing line */
    double complex recent;        /* as `line`, averaged over fewer blocks */
    double line_power;            /* average |line of a block|^2 */
    double roll_off;              /* roll-off of the matched filter */
    float complex *pairs;         /* samples of a block, two samples per symbol */
    double first_carrier;         /* first measured carrier offset, Hz */
    double turned, phase;
    double change;
    double change_in;  /* symbols until `change` takes effect */
    double read;       /* number of symbols that were read */
    dvbs2_gaps gaps;   /* in symbols, as `read` */
    uint32_t failures; /* number of measurements for which there was not enough memory */
    bool missing;      /* whether a gap was before or within the last block */
} dvbs2_front_end;

/* Returns how many times the decimator halves the sample rate. */
uint32_t dvbs2_front_end_stages(const dvbs2_front_end_params *params);

/* Returns false if there is not enough memory. */
bool dvbs2_front_end_init(dvbs2_front_end *front, const dvbs2_front_end_params *params);
void dvbs2_front_end_free(dvbs2_front_end *front);

void dvbs2_front_end_restart(dvbs2_front_end *front);

/* Marks that samples are missing before the next sample. */
void dvbs2_front_end_gap(dvbs2_front_end *front);

/* Writes samples. Returns how many samples were accepted. If this is less than `count`, symbols must be read
 * first. */
size_t dvbs2_front_end_write(dvbs2_front_end *front, const void *samples, size_t count);

/* Reads DVBS2_TIMING_BLOCK symbols and sets front->missing. Returns false if more samples are needed. */
bool dvbs2_front_end_read(dvbs2_front_end *front, float complex *symbols);

/* Returns the mean power of the samples; full scale is 1. */
double dvbs2_front_end_power(const dvbs2_front_end *front);

/* Returns the number of samples by which a symbol is delayed. */
size_t dvbs2_front_end_delay(const dvbs2_front_end *front);

/* Returns the number of symbols that were written as samples and not yet read. */
double dvbs2_front_end_pending(const dvbs2_front_end *front);

/* Changes the oscillator frequency, radians per symbol. The symbols keep their carrier offset. Returns false,
 * without effect, while a previous change is pending. */
bool dvbs2_front_end_retune(dvbs2_front_end *front, double change);

#endif
