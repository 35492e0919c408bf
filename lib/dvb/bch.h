/* SPDX-License-Identifier: BSD-3-Clause */
/* BCH codes inside the library: tables, remainders, error location. */
#ifndef LDPC_BCH_H
#define LDPC_BCH_H

#include "ldpc/dvb_fec.h"

enum {
    LDPC_BCH_MAX_T = 12,
    LDPC_BCH_MAX_BYTES = 58320 / 8, /* bytes of the longest codeword */
    LDPC_BCH_WORDS = 3,             /* uint64_t words of a remainder */
    LDPC_BCH_REMAINDER = 64 * LDPC_BCH_WORDS,
    LDPC_BCH_TAPS = 3,
    LDPC_BCH_STEP_BYTES = 4, /* bytes per step of the division */
};

/* GF(2^m) as in the standards, given by the minimal polynomials of alpha, alpha^3, alpha^5 ... The first
 * polynomial is the primitive one. Bit i is the coefficient of x^i. */
typedef struct ldpc_bch_field {
    uint32_t m;
    uint32_t polynomials[LDPC_BCH_MAX_T];
} ldpc_bch_field;

typedef struct ldpc_bch_row {
    const char *name; /* name of the LDPC code */
    const ldpc_bch_field *field;
    uint32_t t, n; /* number of correctable errors; length in bits */
} ldpc_bch_row;

/* Returns the BCH code of an LDPC code, or NULL. */
const ldpc_bch_row *ldpc_bch_find(const char *name);

/* Writes the message of LDPC_ERR_NAME and returns that status. */
ldpc_status ldpc_bch_unknown(const char *name, ldpc_error *err);

static inline uint32_t ldpc_bch_row_k(const ldpc_bch_row *row)
{
    return row->n - row->field->m * row->t;
}

/* The remainder c(x) x^d mod g(x), where d = n - k is the degree of g. The leading coefficient is the top bit
 * of word[0]. */
typedef struct ldpc_bch_remainder {
    uint64_t word[LDPC_BCH_WORDS];
} ldpc_bch_remainder;

struct ldpc_bch {
    const ldpc_bch_row *row;
    uint32_t m, t, n, k;
    uint32_t order;               /* 2^m - 1, the order of alpha */
    uint32_t taps[LDPC_BCH_TAPS]; /* x^m = 1 + sum of x^taps[i] */
    /* [i][v]: v(x) x^(d + 8 i) mod g(x) for a byte v */
    ldpc_bch_remainder steps[LDPC_BCH_STEP_BYTES][256];
    uint16_t syndromes[LDPC_BCH_REMAINDER][LDPC_BCH_MAX_T]; /* S1, S3, S5 ... of each bit of a remainder */
    uint16_t *powers, *logs;                                /* alpha^i for i < 2 * order; logarithms */
};

/* Fills powers, logs, taps and syndromes from the other members. */
ldpc_status ldpc_bch_make_field(ldpc_bch *bch, ldpc_error *err);

/* Finds the errors of a codeword with this remainder. position[i] is the distance of error i from the last
 * bit. Returns the number of errors, or LDPC_BCH_FAILED. */
int32_t ldpc_bch_locate(const ldpc_bch *bch, const ldpc_bch_remainder *remainder,
                        uint32_t position[LDPC_BCH_MAX_T]);

#endif
