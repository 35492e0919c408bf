/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the gold code of the PL scrambling from pilots and dummy frames: their symbols are equal before the
 * scrambling, so they add up in phase after descrambling with the right code. */
#ifndef DVBS2_GOLD_SEARCH_H
#define DVBS2_GOLD_SEARCH_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvbs2/standard/pl_header.h"

enum { DVBS2_GOLD_BLOCKS = 128 };

typedef struct dvbs2_gold_search {
    float complex symbols[DVBS2_GOLD_BLOCKS][DVBS2_PILOTS]; /* blocks of scrambled pilots */
    uint32_t at[DVBS2_GOLD_BLOCKS]; /* position of each block in the scrambling sequence */
    size_t count;
    double energy;
    uint8_t *x, *y; /* one period of each */
} dvbs2_gold_search;

/* Returns false if there is not enough memory. */
bool dvbs2_gold_search_init(dvbs2_gold_search *search);
void dvbs2_gold_search_free(dvbs2_gold_search *search);

/* Returns whether no more blocks are needed. */
bool dvbs2_gold_search_full(const dvbs2_gold_search *search);

/* Adds the pilots of a frame, or all symbols of a dummy frame. symbols: the frame with its header, without carrier
 * offset. */
void dvbs2_gold_search_add(dvbs2_gold_search *search, const float complex *symbols,
                           const dvbs2_frame_format *format);

/* Returns the gold code, or -1 if no code fits. likely: `n` codes that are tried first. */
int32_t dvbs2_gold_search_run(const dvbs2_gold_search *search, const uint32_t *likely, size_t n);

#endif
