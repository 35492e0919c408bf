/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the rings of an APSK constellation, which a nonlinear amplifier compresses and rotates. */
#ifndef DVBS2_RINGS_H
#define DVBS2_RINGS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DVBS2_MOST_RINGS = 16, DVBS2_RING_POINTS = 256 };

typedef struct dvbs2_rings {
    const float *points;                /* index: label */
    uint32_t count;                     /* number of rings */
    uint8_t ring_of[DVBS2_RING_POINTS]; /* the ring of each point */
    float radius[DVBS2_MOST_RINGS];     /* nominal radii, ascending */
    float complex gain[DVBS2_MOST_RINGS];
    float noise[DVBS2_MOST_RINGS], share[DVBS2_MOST_RINGS];
    uint32_t frames;
    bool active; /* whether the distortion is significant */
} dvbs2_rings;

/* Finds the rings of 2^bits points. The points must remain valid. */
void dvbs2_rings_init(dvbs2_rings *rings, const float *points, uint32_t bits);

/* Discards the averages. */
void dvbs2_rings_forget(dvbs2_rings *rings);

/* Updates the averages with a frame of cells whose labels are known. */
void dvbs2_rings_learn(dvbs2_rings *rings, const float complex *cells, const uint8_t *labels, size_t count);

/* Returns the power of the distortion relative to the carrier: sum w[k] |g[k] - g|^2 / sum w[k] |g|^2, with the power w[k]
 * of the points of ring k, its gain g[k] and the mean gain g. */
float dvbs2_rings_distortion(const dvbs2_rings *rings);

/* Writes the 2^bits points with the measured gains, I and Q alternating. Returns their mean power. */
float dvbs2_rings_points(const dvbs2_rings *rings, uint32_t bits, float *points);

/* Interpolates between two rings by the magnitude of the cell. */
void dvbs2_rings_noise(const dvbs2_rings *rings, const float complex *cells, size_t count, float *cell_noise);

#endif
