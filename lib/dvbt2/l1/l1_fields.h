/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parser of the L1-pre and L1-post fields from bits stored one per byte (EN 302 755, clauses 7.2.2 and
 * 7.2.3). */
#ifndef DVBT2_L1_FIELDS_H
#define DVBT2_L1_FIELDS_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_L1_PRE_BITS = 168 }; /* without the CRC */

/* CRC-32 of clause F.2 over `count` bits: polynomial 0x04C11DB7, initial value all ones. */
uint32_t dvbt2_crc32(const uint8_t *bits, size_t count);

void dvbt2_l1_pre_parse(const uint8_t bits[DVBT2_L1_PRE_BITS], dvbt2_l1_pre *pre);

/* Parse the `count` = L1_POST_INFO_SIZE bits. Returns LDPC_ERR_FORMAT, with a message, if the loops need more
 * bits; *post is undefined then. */
ldpc_status dvbt2_l1_post_parse(const dvbt2_l1_pre *pre, const uint8_t *bits, size_t count,
                                dvbt2_l1_post *post, ldpc_error *err);

#endif
