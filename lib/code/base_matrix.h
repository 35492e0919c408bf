/* SPDX-License-Identifier: BSD-3-Clause */
/* Base matrices with one shift per block; -1 is a zero block. */
#ifndef LDPC_BASE_MATRIX_H
#define LDPC_BASE_MATRIX_H

#include "code/builder.h"

typedef struct ldpc_base_matrix {
    uint32_t layers, groups;
    const int8_t *shifts; /* [layers * groups] */
    /* lifting size of the shifts, which are scaled by z / z0; 0: shifts are taken modulo z */
    uint32_t z0;
} ldpc_base_matrix;

/* Replaces every entry by a z x z block. */
ldpc_status ldpc_base_matrix_lift(const ldpc_base_matrix *base, uint32_t z, const char *name,
                                  const char *standard, ldpc_code **code, ldpc_error *err);

#endif
