/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/least_squares.h"

/* L D L': a[k][l] becomes D[k] conj(L[l][k]). */
void dvbs2_solve_hermitian(double complex *a, size_t n, const double complex *b, double complex *x)
{
    for (size_t k = 0; k < n; k++) {
        double complex *row = a + k * n;
        x[k] = b[k];
        for (size_t j = 0; j < k; j++) {
            const double complex *above = a + j * n, factor = conj(above[k]) / creal(above[j]);
            x[k] -= factor * x[j];
            for (size_t l = k; l < n; l++)
                row[l] -= factor * above[l];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t l = k + 1; l < n; l++)
            x[k] -= a[k * n + l] * x[l];
        x[k] /= creal(a[k * n + k]);
    }
}
