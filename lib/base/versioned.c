/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/versioned.h"

#include <string.h>

#include "ldpc/version.h"

#define MOST 4096 /* a larger struct indicates uninitialised memory */

ldpc_status ldpc_read_struct(const ldpc_layout *layout, void *own, const void *given, ldpc_error *err)
{
    const unsigned char *bytes = given;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size && (size < layout->first || size > MOST))
        return ldpc_fail(
            err, LDPC_ERR_PARAM,
            "%s.size %zu: expected 0 or %zu .. %d; initialise the struct before you set its fields",
            layout->name, size, layout->first, MOST);
    size_t end = size ? size : layout->first;
    for (size_t i = layout->known; i < end; i++)
        if (bytes[i])
            return ldpc_fail(err, LDPC_ERR_PARAM,
                             "version " LDPC_VERSION_STRING
                             " has no field at byte %zu of %s: expected 0, or a newer library",
                             i, layout->name);
    size_t common = end < layout->known ? end : layout->known;
    memcpy(own, given, common);
    memset((unsigned char *)own + common, 0, layout->known - common);
    return LDPC_OK;
}

void ldpc_write_struct(const ldpc_layout *layout, void *given, size_t size, const void *own)
{
    size_t common = size < layout->known ? size : layout->known;
    memcpy(given, own, common);
    memset((unsigned char *)given + common, 0, size - common);
}
