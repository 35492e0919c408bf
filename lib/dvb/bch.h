/* SPDX-License-Identifier: BSD-3-Clause */
/* BCH codes: tables, remainders, error location. */
#ifndef LDPC_BCH_H
#define LDPC_BCH_H

#include "ldpc/dvb_fec.h"

enum {
    LDPC_BCH_MAX_T = 12,
    LDPC_BCH_MAX_BYTES = 58320 / 8, /* longest codeword, bytes */
    LDPC_BCH_WORDS = 3,             /* uint64_t words of a remainder */
    LDPC_BCH_REMAINDER = 64 * LDPC_BCH_WORDS,
    LDPC_BCH_TAPS = 3,
    LDPC_BCH_STEP_BYTES = 4, /* bytes per step of the division */
};

/* The field of the standards: minimal polynomials of alpha, alpha^3, alpha^5 ... Bit i is the coefficient of
 * x^i. */
typedef struct ldpc_bch_field {
    uint32_t m;
    uint32_t polynomials[LDPC_BCH_MAX_T];
} ldpc_bch_field;

typedef struct ldpc_bch_row {
    const char *name; /* name of the LDPC code */
    const ldpc_bch_field *field;
    uint32_t t, n; /* correctable errors; length in bits */
} ldpc_bch_row;

/* Returns the BCH code of an LDPC code, or NULL. */
const ldpc_bch_row *ldpc_bch_find(const char *name);

/* Writes the error message. Returns LDPC_ERR_NAME. */
ldpc_status ldpc_bch_unknown(const char *name, ldpc_error *err);

static inline uint32_t ldpc_bch_row_k(const ldpc_bch_row *row)
{
    return row->n - row->field->m * row->t;
}

/* Remainder of c(x) x^(n-k) divided by g(x). The most significant bit of word[0] is the leading
 * coefficient. */
typedef struct ldpc_bch_remainder {
    uint64_t word[LDPC_BCH_WORDS];
} ldpc_bch_remainder;

struct ldpc_bch {
    const ldpc_bch_row *row;
    uint32_t m, t, n, k;
    uint32_t order;               /* 2^m - 1, the order of alpha */
    uint32_t taps[LDPC_BCH_TAPS]; /* x^m = 1 + sum of x^taps[i] */
    /* steps[i][v]: v(x) x^(d + 8 i) mod g(x) for a byte v */
    ldpc_bch_remainder steps[LDPC_BCH_STEP_BYTES][256];
    /* S1, S3, S5 ... of each remainder bit */
    uint16_t syndromes[LDPC_BCH_REMAINDER][LDPC_BCH_MAX_T];
    /* alpha^i for i < 2 * order; logarithms */
    uint16_t *powers, *logs;
};

/* Fills powers, logs, taps and syndromes. */
ldpc_status ldpc_bch_make_field(ldpc_bch *bch, ldpc_error *err);

/* position[i] is the distance of error i from the last bit. Returns the number of errors, or
 * LDPC_BCH_FAILED. */
int32_t ldpc_bch_locate(const ldpc_bch *bch, const ldpc_bch_remainder *remainder,
                        uint32_t position[LDPC_BCH_MAX_T]);

#endif
