/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses L1-pre and L1-post (EN 302 755, clauses 7.2.2 and 7.2.3). Bits are stored one per byte. */
#ifndef DVBT2_L1_FIELDS_H
#define DVBT2_L1_FIELDS_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_L1_PRE_BITS = 168 }; /* without the CRC */

/* CRC-32 of clause F.2: polynomial 0x04C11DB7, initial value all ones. */
uint32_t dvbt2_crc32(const uint8_t *bits, size_t count);

void dvbt2_l1_pre_parse(const uint8_t bits[DVBT2_L1_PRE_BITS], dvbt2_l1_pre *pre);

/* count: L1_POST_INFO_SIZE. Returns LDPC_ERR_FORMAT and an error message if it is too small; then *post is
 * undefined. */
ldpc_status dvbt2_l1_post_parse(const dvbt2_l1_pre *pre, const uint8_t *bits, size_t count,
                                dvbt2_l1_post *post, ldpc_error *err);

#endif
