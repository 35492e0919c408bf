/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the rings of an APSK constellation. A nonlinear amplifier compresses
 * and rotates the outer rings more than the inner ones, and the noise around each ring differs. */
#ifndef DVBS2_RINGS_H
#define DVBS2_RINGS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DVBS2_MOST_RINGS = 16, DVBS2_RING_POINTS = 256 };

typedef struct dvbs2_rings {
    const float *points;                /* of the constellation: the index is the label */
    uint32_t count;                     /* number of rings */
    uint8_t ring_of[DVBS2_RING_POINTS]; /* the ring of each point */
    float radius[DVBS2_MOST_RINGS];     /* nominal radii, ascending */
    /* averages over frames, relative to the nominal points */
    float complex gain[DVBS2_MOST_RINGS];
    float noise[DVBS2_MOST_RINGS], share[DVBS2_MOST_RINGS];
    uint32_t frames; /* number of frames in the averages */
    bool active;     /* whether the distortion is significant */
} dvbs2_rings;

/* Finds the rings of 2^bits points. The points must remain valid. */
void dvbs2_rings_init(dvbs2_rings *rings, const float *points, uint32_t bits);

/* Discards the averages. */
void dvbs2_rings_forget(dvbs2_rings *rings);

/* Adds a frame of cells with known labels to the averages. */
void dvbs2_rings_learn(dvbs2_rings *rings, const float complex *cells, const uint8_t *labels, size_t count);

/* Writes the 2^bits points with the measured gains, I and Q alternating. Returns their mean power. */
float dvbs2_rings_points(const dvbs2_rings *rings, uint32_t bits, float *points);

/* Writes the noise power of each cell. Between two rings, it is interpolated by the magnitude of the cell. */
void dvbs2_rings_noise(const dvbs2_rings *rings, const float complex *cells, size_t count, float *cell_noise);

#endif
