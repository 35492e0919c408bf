/* SPDX-License-Identifier: BSD-3-Clause */
/* GF(2^p) with logarithm tables. */
#include "code/nonbinary.h"

#include "base/status_internal.h"

static const uint16_t usual_polynomial[LDPC_NB_MAX_BITS + 1] = {0,    0,    0x7,  0xb,  0x13,
                                                                0x25, 0x43, 0x89, 0x11d};

uint32_t ldpc_field_bits(uint32_t order)
{
    for (uint32_t p = LDPC_NB_MIN_BITS; p <= LDPC_NB_MAX_BITS; p++)
        if (order == UINT32_C(1) << p)
            return p;
    return 0;
}

uint32_t ldpc_field_usual_polynomial(uint32_t p)
{
    return usual_polynomial[p];
}

ldpc_status ldpc_field_init(ldpc_field *field, uint32_t p, uint32_t polynomial, ldpc_error *err)
{
    if (p < LDPC_NB_MIN_BITS || p > LDPC_NB_MAX_BITS)
        return ldpc_fail(err, LDPC_ERR_PARAM, "field order 2^%u: expected 4, 8, 16, 32, 64, 128 or 256", p);
    if (polynomial == 0)
        polynomial = ldpc_field_usual_polynomial(p);
    if (polynomial >> p != 1)
        return ldpc_fail(err, LDPC_ERR_PARAM, "polynomial 0x%x: expected degree %u", polynomial, p);
    *field = (ldpc_field){.p = p, .q = 1u << p, .polynomial = polynomial};
    uint32_t value = 1;
    for (uint32_t i = 0; i < 2 * (field->q - 1); i++) {
        field->exp[i] = (uint8_t)value;
        if (i < field->q - 1)
            field->log[value] = (uint8_t)i;
        value <<= 1;
        if (value & field->q)
            value ^= polynomial;
        if (value == 1 && (i + 1) % (field->q - 1) != 0)
            return ldpc_fail(err, LDPC_ERR_PARAM, "polynomial 0x%x is not primitive", polynomial);
    }
    if (value != 1)
        return ldpc_fail(err, LDPC_ERR_PARAM, "polynomial 0x%x is not primitive", polynomial);
    return LDPC_OK;
}

uint8_t ldpc_field_mul(const ldpc_field *field, uint8_t a, uint8_t b)
{
    return a && b ? field->exp[field->log[a] + field->log[b]] : 0;
}

uint8_t ldpc_field_inv(const ldpc_field *field, uint8_t a)
{
    return field->exp[field->q - 1 - field->log[a]];
}

void ldpc_field_add_scaled(const ldpc_field *field, uint8_t *target, const uint8_t *source, uint8_t factor,
                           size_t count)
{
    uint8_t image[LDPC_NB_MAX_BITS] = {0};
    for (uint32_t b = 0; b < field->p; b++)
        image[b] = ldpc_field_mul(field, factor, (uint8_t)(1u << b));
    for (size_t i = 0; i < count; i++) {
        uint8_t sum = 0;
        for (uint32_t b = 0; b < LDPC_NB_MAX_BITS; b++)
            sum ^= (uint8_t)(-((source[i] >> b) & 1) & image[b]);
        target[i] ^= sum;
    }
}
