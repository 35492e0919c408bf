/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/interference.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/sync/volterra.h"
#include "receiver/complex.h"

enum {
    SIDE = DVBS2_VOLTERRA_SIDE,
    SENT = DVBS2_MOST_SYMBOLS + 2 * SIDE,
    LEARNT = 4096, /* minimum number of cells from which the interference is estimated */
};

static bool reserve(dvbs2_interference *s)
{
    if (!s->sent)
        s->sent = ldpc_allocate(SENT, sizeof *s->sent);
    if (!s->clear)
        s->clear = ldpc_allocate(DVBS2_MOST_SYMBOLS, sizeof *s->clear);
    return s->sent && s->clear;
}

void dvbs2_interference_free(dvbs2_interference *s)
{
    free(s->sent);
    free(s->clear);
    *s = (dvbs2_interference){0};
}

/* Scrambles the decided points and the pilots. */
static void scramble(dvbs2_interference *s, const dvbs2_frame_format *format, const float complex *turns,
                     const float complex *points)
{
    const float complex pilot = rx_cplx(0.70710678f, 0.70710678f);
    memset(s->sent, 0, SENT * sizeof *s->sent);
    for (dvbs2_section part = {0}; dvbs2_next_section(format, &part);)
        for (uint32_t i = 0; i < part.count + part.pilots; i++)
            s->sent[SIDE + part.first + i] =
                rx_mul_conj(i < part.count ? points[part.done + i] : pilot, turns[part.first + i]);
}

const float complex *dvbs2_interference_remove(dvbs2_interference *s, const dvbs2_frame_format *format,
                                               const float complex *turns, const float complex *cells,
                                               const float complex *points)
{
    dvbs2_volterra series = {0};
    if (!reserve(s))
        return NULL;
    scramble(s, format, turns, points);
    const float complex *sent = s->sent + SIDE;
    for (dvbs2_section part = {0}; dvbs2_next_section(format, &part) && part.done < LEARNT;) {
        float complex *received = s->clear + part.done;
        for (uint32_t i = 0; i < part.count; i++)
            received[i] = rx_mul_conj(cells[part.done + i], turns[part.first + i]);
        const uint32_t left = 2 * LEARNT - part.done; /* without pilots, there is one section */
        dvbs2_volterra_learn(&series, sent + part.first, received, part.count < left ? part.count : left);
    }
    dvbs2_volterra_solve(&series);
    for (dvbs2_section part = {0}; dvbs2_next_section(format, &part);) {
        float complex *clear = s->clear + part.done;
        dvbs2_volterra_estimate(&series, sent + part.first, part.count, clear);
        for (uint32_t i = 0; i < part.count; i++)
            clear[i] = cells[part.done + i] - rx_mul(clear[i], turns[part.first + i]);
    }
    return s->clear;
}
