/* SPDX-License-Identifier: BSD-3-Clause */
/* Quasi-dyadic codes: H consists of z x z blocks, z a power of two. Each nonzero block is a dyadic
 * permutation: the check in lane r has its edge in column lane r ^ shift.
 *
 *   z = 4, shift = 1:   . 1 . .      shift = 2:   . . 1 .      shift = 3:   . . . 1
 *                       1 . . .                   . . . 1                   . . 1 .
 *                       . . . 1                   1 . . .                   . 1 . .
 *                       . . 1 .                   . 1 . .                   1 . . .
 *
 * Codes from Reed-Solomon codes over GF(z) (IEEE 802.3an) have this form: adding a field element is an
 * XOR.
 */
#ifndef LDPC_DYADIC_H
#define LDPC_DYADIC_H

#include "code/code_internal.h"

/* Adds a dyadic view to a code with z = 1. Lane r of layer l is check check_at[l * z + r], lane r of group g
 * is column column_at[g * z + r]. Layer l must have the checks l * z .. l * z + z - 1. Returns LDPC_ERR_PARAM
 * if a block is not dyadic. */
ldpc_status ldpc_code_add_dyadic_view(ldpc_code *code, uint32_t z, const uint32_t *check_at,
                                      const uint32_t *column_at, ldpc_error *err);

void ldpc_dyadic_view_destroy(ldpc_code *view);

#endif
