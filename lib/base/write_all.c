/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "base/write_all.h"

#include <unistd.h>

bool ldpc_write_all(int file, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        ssize_t written = write(file, at, bytes);
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}
