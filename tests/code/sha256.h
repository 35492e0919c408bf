/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the SHA-256 digest (FIPS 180-4) of a byte string. The digest is written as 64 lower-case
 * hexadecimal digits and a terminating zero byte. */
#ifndef LDPC_TESTS_SHA256_H
#define LDPC_TESTS_SHA256_H

#include <stddef.h>
#include <stdint.h>

void sha256(const uint8_t *data, size_t length, char hex[65]);

#endif
