/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes made of translations: z x z blocks, z a power of two, where check lane r meets column lane r ^ shift.
 * H of a Reed-Solomon based code over GF(z) is so: the checks of a layer and the columns of a group are named
 * by the elements of the field, and to add an element is to xor its bits. */
#ifndef LDPC_TRANSLATE_H
#define LDPC_TRANSLATE_H

#include "code/code_internal.h"

/* Give a code without circulants (z = 1) its translated view: lane r of layer l is check check_at[l * z + r],
 * lane r of group g is column column_at[g * z + r]. The code then owns the view. Layer l is checks l * z to
 * l * z + z - 1 in any order, so that a layered decoder of the view gives the same numbers as one of the
 * code. Other orders, those under which the blocks are no translations, and those under which a group stands
 * twice in a layer, are LDPC_ERR_PARAM. */
ldpc_status ldpc_code_translate(ldpc_code *code, uint32_t z, const uint32_t *check_at,
                                const uint32_t *column_at, ldpc_error *err);

void ldpc_translated_destroy(ldpc_code *view);

#endif
