/* SPDX-License-Identifier: BSD-3-Clause */
/* GF(2^p). Bit b of an element 0 .. q-1 is the coefficient of alpha^b. Addition is XOR. */
#ifndef LDPC_GALOIS_FIELD_H
#define LDPC_GALOIS_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LDPC_NB_MIN_BITS  2
#define LDPC_NB_MAX_BITS  8
#define LDPC_NB_MAX_ORDER 256

/* alpha is a root of `polynomial`. Bit i is the coefficient of x^i. */
typedef struct ldpc_field {
    uint32_t p, q, polynomial;
    uint8_t exp[2 * LDPC_NB_MAX_ORDER];
    uint8_t log[LDPC_NB_MAX_ORDER]; /* log[0] is unused */
} ldpc_field;

/* Polynomial 0 selects the default. Returns LDPC_ERR_PARAM for a wrong p or a polynomial that is not
 * primitive. */
ldpc_status ldpc_field_init(ldpc_field *field, uint32_t p, uint32_t polynomial, ldpc_error *err);

uint32_t ldpc_field_bits(uint32_t order);
uint32_t ldpc_field_usual_polynomial(uint32_t p);
uint8_t ldpc_field_mul(const ldpc_field *field, uint8_t a, uint8_t b);
uint8_t ldpc_field_inv(const ldpc_field *field, uint8_t a); /* a != 0 */

/* Computes target[i] += factor * source[i]. */
void ldpc_field_add_scaled(const ldpc_field *field, uint8_t *target, const uint8_t *source, uint8_t factor,
                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
