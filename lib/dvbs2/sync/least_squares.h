/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves Hermitian systems of linear equations. */
#ifndef DVBS2_LEAST_SQUARES_H
#define DVBS2_LEAST_SQUARES_H

#include <complex.h>
#include <stddef.h>

/* Solves a * x = b for a positive definite matrix a[n][n], of which only the elements [k][l] with k <= l are used.
 * Overwrites a. */
void dvbs2_solve_hermitian(double complex *a, size_t n, const double complex *b, double complex *x);

#endif
