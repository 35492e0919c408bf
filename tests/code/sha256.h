/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits. */
#ifndef LDPC_TESTS_SHA256_H
#define LDPC_TESTS_SHA256_H

#include <stddef.h>
#include <stdint.h>

void sha256(const uint8_t *data, size_t length, char hex[65]);

#endif
