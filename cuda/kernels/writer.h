/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing string. ldpc_writer_end() reports a failed allocation. */
#ifndef LDPC_CUDA_WRITER_H
#define LDPC_CUDA_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status_internal.h"

typedef struct ldpc_writer {
    char *text;
    size_t length, room;
    bool failed;
} ldpc_writer;

void ldpc_write(ldpc_writer *writer, const char *format, ...) LDPC_PRINTF(2, 3);

/* Returns the string, which the caller frees, or NULL if an allocation has failed. */
char *ldpc_writer_end(ldpc_writer *writer);

#endif
