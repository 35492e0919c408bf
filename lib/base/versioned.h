/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of callers that were compiled with older or newer headers than this library; include/ldpc/version.h has the
 * rules. Each such struct begins with `size_t size`.
 *
 *              first          known
 *     |-- 1.0 --|-- added since --|-- fields of later versions --
 *     |---------- size of an older caller
 *     |-------------------------------------- size of a newer caller: what is past `known` must be zero
 */
#ifndef LDPC_VERSIONED_H
#define LDPC_VERSIONED_H

#include <stddef.h>

#include "base/status_internal.h"

typedef struct ldpc_layout {
    const char *name; /* of the struct */
    size_t first;     /* bytes of version 1.0: up to the end of its last field */
    size_t known;     /* sizeof in this library */
} ldpc_layout;

/* `last` is the last field of version 1.0, whatever has been added behind it. */
#define LDPC_LAYOUT(type, last)                                                                              \
    {                                                                                                        \
#type, offsetof(type, last) + sizeof((type *)0)->last, sizeof(type)                                  \
    }

/* Copy a caller's struct, `size` as given. Fields that the caller does not have become 0.
 * LDPC_ERR_PARAM: the size is impossible, or a field that this library does not know is not 0. */
ldpc_status ldpc_read_struct(const ldpc_layout *layout, void *own, const void *given, ldpc_error *err);

/* Copy a struct into the caller's, which has `size` bytes. Fields that this library does not know become 0. */
void ldpc_write_struct(const ldpc_layout *layout, void *given, size_t size, const void *own);

#endif
