/* SPDX-License-Identifier: BSD-3-Clause */
/* Quasi-dyadic codes: H consists of z x z blocks, z a power of two, and each nonzero block is a dyadic
 * permutation: the check in lane r has its edge in column lane r ^ shift.
 *
 *   z = 4, shift = 1:   . 1 . .      shift = 2:   . . 1 .      shift = 3:   . . . 1
 *                       1 . . .                   . . . 1                   . . 1 .
 *                       . . . 1                   1 . . .                   . 1 . .
 *                       . . 1 .                   . 1 . .                   1 . . .
 *
 * Codes from Reed-Solomon codes over GF(z) (IEEE 802.3an) become quasi-dyadic when the checks of a layer and
 * the columns of a group are numbered by the elements of the field: adding a constant to an element is an
 * xor.
 */
#ifndef LDPC_DYADIC_H
#define LDPC_DYADIC_H

#include "code/code_internal.h"

/* Adds the dyadic view to a code without circulants (z = 1), which then owns it: lane r of layer l is check
 * check_at[l * z + r], lane r of group g is column column_at[g * z + r]. Layer l must hold checks l * z to
 * l * z + z - 1 in any order, so that layered decoding of the view gives the same numbers as of the code.
 * LDPC_ERR_PARAM for other orders, where a block is not a dyadic permutation, and where a layer has a group
 * twice. */
ldpc_status ldpc_code_add_dyadic_view(ldpc_code *code, uint32_t z, const uint32_t *check_at,
                                      const uint32_t *column_at, ldpc_error *err);

void ldpc_dyadic_view_destroy(ldpc_code *view);

#endif
