/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/volterra.h"

#include <stdlib.h>

#include "dvbs2/sync/least_squares.h"
#include "receiver/complex.h"

enum {
    TERMS = DVBS2_VOLTERRA_TERMS,
    SIDE = DVBS2_VOLTERRA_SIDE,
    OWN = 3,       /* terms of the symbol itself */
    REACH = 2,     /* maximum distance of a factor of a product */
    DISTANCES = 3, /* maximum sum of the three distances */
};

static const double regularisation = 1e-4; /* relative to the power of the symbols */

/* Writes the terms of one symbol. */
static void expand(const float complex *symbol, float complex terms[TERMS])
{
    const float complex x = *symbol;
    float complex *next = terms;
    *next++ = x;
    *next++ = x * rx_power(x);
    *next++ = x * rx_power(x) * rx_power(x);
    for (int k = 1; k <= SIDE; k++) {
        *next++ = symbol[-k];
        *next++ = symbol[k];
    }
    for (int k = -REACH; k <= REACH; k++)
        for (int l = k; l <= REACH; l++) {
            const float complex product = rx_mul(symbol[k], symbol[l]);
            for (int m = -REACH; m <= REACH; m++) {
                const int distances = abs(k) + abs(l) + abs(m);
                if (distances > 0 && distances <= DISTANCES)
                    *next++ = rx_mul_conj(product, symbol[m]);
            }
        }
}

void dvbs2_volterra_learn(dvbs2_volterra *s, const float complex *symbols, const float complex *received,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float complex terms[TERMS];
        float re[TERMS], im[TERMS];
        expand(symbols + i, terms);
        for (int k = 0; k < TERMS; k++) {
            re[k] = crealf(terms[k]);
            im[k] = cimagf(terms[k]);
        }
        for (int k = 0; k < TERMS; k++) {
            float *to_re = s->covariance[0][k], *to_im = s->covariance[1][k];
            const float a = re[k], b = im[k];
            for (int l = k; l < TERMS; l++) { /* conj(terms[k]) terms[l] */
                to_re[l] += a * re[l] + b * im[l];
                to_im[l] += a * im[l] - b * re[l];
            }
            s->correlation[k] += (double complex)rx_mul_conj(received[i], terms[k]);
        }
    }
    s->symbols += count;
}

void dvbs2_volterra_solve(dvbs2_volterra *s)
{
    double complex a[TERMS * TERMS], x[TERMS];
    for (int k = 0; k < TERMS; k++) {
        for (int l = k; l < TERMS; l++)
            a[k * TERMS + l] = (double)s->covariance[0][k][l] + (double)s->covariance[1][k][l] * I;
        a[k * TERMS + k] += regularisation * (double)s->symbols + 1e-30;
    }
    dvbs2_solve_hermitian(a, TERMS, s->correlation, x);
    for (int k = 0; k < TERMS; k++)
        s->coefficients[k] = (float complex)x[k];
}

void dvbs2_volterra_estimate(const dvbs2_volterra *s, const float complex *symbols, size_t count,
                             float complex *estimate)
{
    for (size_t i = 0; i < count; i++) {
        float complex terms[TERMS], sum = 0;
        expand(symbols + i, terms);
        for (int k = OWN; k < TERMS; k++)
            sum += rx_mul(s->coefficients[k], terms[k]);
        estimate[i] = sum;
    }
}
