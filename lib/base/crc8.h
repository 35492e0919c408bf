/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-8 of baseband headers and packets, g(x) = x^8 + x^7 + x^6 + x^4 + x^2 + 1 (EN 302 307-1, clause 5.1.4). */
#ifndef LDPC_CRC8_H
#define LDPC_CRC8_H

#include <stddef.h>
#include <stdint.h>

uint8_t ldpc_crc8(const uint8_t *bytes, size_t count);

#endif
