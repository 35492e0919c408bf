/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DVBS2_BYTES_H
#define DVBS2_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array of bytes that grows as needed. */
typedef struct dvbs2_bytes {
    uint8_t *bytes;
    size_t count, room;
} dvbs2_bytes;

/* Returns false if there is not enough memory. */
bool dvbs2_bytes_append(dvbs2_bytes *to, const uint8_t *bytes, size_t count);

/* Appends the length of a PDU in two bytes. Returns false if there is not enough memory. */
bool dvbs2_bytes_append_length(dvbs2_bytes *to, size_t length);

#endif
