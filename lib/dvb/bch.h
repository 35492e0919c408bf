/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a BCH code: tables, remainders, and the search for errors. */
#ifndef LDPC_BCH_H
#define LDPC_BCH_H

#include "ldpc/dvb_fec.h"

enum {
    LDPC_BCH_MAX_T = 12,
    LDPC_BCH_MAX_BYTES = 58320 / 8, /* of a codeword */
    LDPC_BCH_WORDS = 3,             /* uint64_t of a remainder */
    LDPC_BCH_REMAINDER = 64 * LDPC_BCH_WORDS,
    LDPC_BCH_TAPS = 3,
    LDPC_BCH_STEP_BYTES = 4, /* bytes that a step of the division takes */
};

/* GF(2^m) as the standards define it: minimal polynomials of alpha, alpha^3, alpha^5 ...; bit i is the
 * coefficient of x^i. The first one is the primitive polynomial. */
typedef struct ldpc_bch_field {
    uint32_t m;
    uint32_t polynomials[LDPC_BCH_MAX_T];
} ldpc_bch_field;

typedef struct ldpc_bch_row {
    const char *name; /* of the LDPC code */
    const ldpc_bch_field *field;
    uint32_t t, n; /* errors that it corrects, bits of a codeword */
} ldpc_bch_row;

/* The BCH code of an LDPC code, NULL if it has none. */
const ldpc_bch_row *ldpc_bch_find(const char *name);

/* LDPC_ERR_NAME with its sentence. */
ldpc_status ldpc_bch_unknown(const char *name, ldpc_error *err);

static inline uint32_t ldpc_bch_row_k(const ldpc_bch_row *row)
{
    return row->n - row->field->m * row->t;
}

/* c(x) x^d mod g(x), where d = n - k is the degree of g; the highest coefficient is the top bit of word[0].
 */
typedef struct ldpc_bch_remainder {
    uint64_t word[LDPC_BCH_WORDS];
} ldpc_bch_remainder;

struct ldpc_bch {
    const ldpc_bch_row *row;
    uint32_t m, t, n, k;
    uint32_t order;               /* 2^m - 1, number of powers of alpha */
    uint32_t taps[LDPC_BCH_TAPS]; /* x^m = 1 + the sum of x^taps */
    /* [i][v]: v(x) x^(d + 8 i) mod g(x) of a byte v */
    ldpc_bch_remainder steps[LDPC_BCH_STEP_BYTES][256];
    uint16_t syndromes[LDPC_BCH_REMAINDER][LDPC_BCH_MAX_T]; /* of each bit of a remainder: S1, S3, S5 ... */
    uint16_t *powers, *logs;                                /* alpha^i for i < 2 order, and logarithms */
};

/* Fills powers, logs, taps and syndromes; all other members are set. */
ldpc_status ldpc_bch_make_field(ldpc_bch *bch, ldpc_error *err);

/* Finds the errors of the codeword with this remainder: position[i] is the distance of an error from the last
 * bit. Returns their number, or LDPC_BCH_FAILED. */
int32_t ldpc_bch_locate(const ldpc_bch *bch, const ldpc_bch_remainder *remainder,
                        uint32_t position[LDPC_BCH_MAX_T]);

#endif
