/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_WRITE_ALL_H
#define LDPC_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Calls write() until all bytes are written. Returns false on an error. */
bool ldpc_write_all(int file, const void *data, size_t bytes);

#endif
