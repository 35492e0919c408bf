/* SPDX-License-Identifier: BSD-3-Clause */
/* Quasi-dyadic codes. H consists of z x z blocks, where z is a power of two. Each nonzero block is a dyadic
 * permutation: the check in lane r has its edge in column lane r ^ shift.
 *
 *   z = 4, shift = 1:   . 1 . .      shift = 2:   . . 1 .      shift = 3:   . . . 1
 *                       1 . . .                   . . . 1                   . . 1 .
 *                       . . . 1                   1 . . .                   . 1 . .
 *                       . . 1 .                   . 1 . .                   1 . . .
 *
 * Codes constructed from Reed-Solomon codes over GF(z) (IEEE 802.3an) are quasi-dyadic if field elements
 * number the checks of a layer and the columns of a group: the addition of a constant in GF(z), where z is a
 * power of two, is an XOR.
 */
#ifndef LDPC_DYADIC_H
#define LDPC_DYADIC_H

#include "code/code_internal.h"

/* Adds a dyadic view to a code without circulants (z = 1). The code owns the view. Lane r of layer l is check
 * check_at[l * z + r], and lane r of group g is column column_at[g * z + r]. Layer l must consist of checks l
 * * z to l * z + z - 1 in any order, because only then layered decoding gives the same result for the view
 * and for the code. Returns LDPC_ERR_PARAM if a layer holds other checks, a block is not a dyadic
 * permutation, or a layer has two blocks in one group. */
ldpc_status ldpc_code_add_dyadic_view(ldpc_code *code, uint32_t z, const uint32_t *check_at,
                                      const uint32_t *column_at, ldpc_error *err);

void ldpc_dyadic_view_destroy(ldpc_code *view);

#endif
