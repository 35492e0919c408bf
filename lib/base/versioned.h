/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of callers with older or newer headers (include/ldpc/version.h). Each begins with `size_t size`.
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
    size_t first;     /* size in version 1.0, to the end of its last field */
    size_t known;     /* size of the struct in this library */
} ldpc_layout;

#define LDPC_LAYOUT(type, last)                                                                              \
    {                                                                                                        \
#type, offsetof(type, last) + sizeof((type *)0)->last, sizeof(type)                                  \
    }

/* Copies a caller's struct. Missing fields become 0. Returns LDPC_ERR_PARAM for an impossible size, or an
 * unknown field that is not 0. */
ldpc_status ldpc_read_struct(const ldpc_layout *layout, void *own, const void *given, ldpc_error *err);

/* Copies a struct to the caller's `size` bytes. Unknown fields become 0. */
void ldpc_write_struct(const ldpc_layout *layout, void *given, size_t size, const void *own);

#endif
