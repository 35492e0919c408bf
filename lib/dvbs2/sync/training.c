/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/training.h"

#include <math.h>

#include "dvbs2/standard/pl_header.h"
#include "receiver/complex.h"
#include "receiver/kernels.h"

enum { RUN = DVBS2_HEADER }; /* maximum number of symbols for one phase */

/* phase: phase at the first symbol. */
static void learn(dvbs2_equaliser *equaliser, const float complex *received, float complex *known,
                  uint32_t count, double phase, const dvbs2_carrier *carrier)
{
    rx_kernels_best()->straighten(known, count, phase, carrier->frequency);
    dvbs2_equaliser_learn(equaliser, received, known, count, (float)carrier->amplitude);
}

void dvbs2_train_with_references(dvbs2_equaliser *equaliser, const float complex *frame,
                                 const dvbs2_reference *references, size_t count,
                                 const dvbs2_carrier *carrier)
{
    for (const dvbs2_reference *r = references; r + 1 < references + count; r++) {
        float complex known[RUN];
        const double middle = (r->count - 1) / 2.0;
        const float complex *received = frame + (size_t)(r->at - middle);
        if (r->count > RUN)
            continue;
        for (uint32_t i = 0; i < r->count; i++)
            known[i] = rx_mul_conj(received[i], r->clean[i]) / fmaxf(rx_power(received[i]), 1e-30f);
        learn(equaliser, received, known, r->count, r->phase - carrier->frequency * middle, carrier);
    }
    dvbs2_equaliser_solve(equaliser);
}

void dvbs2_train_with_cells(dvbs2_equaliser *equaliser, const float complex *received,
                            const float complex *points, const float complex *turns, size_t count,
                            const dvbs2_carrier *carrier)
{
    for (size_t at = 0; at + RUN <= count; at += RUN) {
        float complex known[RUN], clean[RUN], sum = 0;
        for (size_t i = 0; i < RUN; i++) {
            known[i] = rx_mul_conj(points[at + i], turns[at + i]);
            clean[i] = rx_mul_conj(received[at + i], known[i]);
        }
        rx_kernels_best()->straighten(clean, RUN, 0, -carrier->frequency);
        for (size_t i = 0; i < RUN; i++)
            sum += clean[i];
        learn(equaliser, received + at, known, RUN, (double)cargf(sum), carrier);
    }
}
