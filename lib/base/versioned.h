/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of callers that were compiled with older or newer headers than this library (rules in
 * include/ldpc/version.h). Each such struct begins with `size_t size`.
 *
 *              first          known
 *     |-- 1.0 --|-- added later --|-- fields of newer versions --
 *     |---------- size of an older caller
 *     |-------------------------------------- size of a newer caller: bytes after `known` must be zero
 */
#ifndef LDPC_VERSIONED_H
#define LDPC_VERSIONED_H

#include <stddef.h>

#include "base/status_internal.h"

typedef struct ldpc_layout {
    const char *name; /* name of the struct */
    size_t first;     /* size of the struct in version 1.0, up to the end of its last field */
    size_t known;     /* size of the struct in this library */
} ldpc_layout;

/* Describes a struct whose last field in version 1.0 is `last`. Later versions may have added fields after
 * it. */
#define LDPC_LAYOUT(type, last)                                                                              \
    {                                                                                                        \
#type, offsetof(type, last) + sizeof((type *)0)->last, sizeof(type)                                  \
    }

/* Copies a caller's struct, including its `size`. Fields beyond the caller's size become 0. Returns
 * LDPC_ERR_PARAM if the size is impossible, or if a field that this library does not know is not 0. */
ldpc_status ldpc_read_struct(const ldpc_layout *layout, void *own, const void *given, ldpc_error *err);

/* Copies a struct of this library to the caller's struct of `size` bytes. Fields that this library does not
 * know become 0. */
void ldpc_write_struct(const ldpc_layout *layout, void *given, size_t size, const void *own);

#endif
