/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the status codes, and the sentences about failures. */
#include <stdarg.h>
#include <stdio.h>

#include "base/status_internal.h"

const char *ldpc_status_string(ldpc_status status)
{
    switch (status) {
    case LDPC_OK:
        return "LDPC_OK";
    case LDPC_AGAIN:
        return "LDPC_AGAIN";
    case LDPC_EMPTY:
        return "LDPC_EMPTY";
    case LDPC_ERR_NULL:
        return "LDPC_ERR_NULL";
    case LDPC_ERR_RANGE:
        return "LDPC_ERR_RANGE";
    case LDPC_ERR_PARAM:
        return "LDPC_ERR_PARAM";
    case LDPC_ERR_NAME:
        return "LDPC_ERR_NAME";
    case LDPC_ERR_FORMAT:
        return "LDPC_ERR_FORMAT";
    case LDPC_ERR_LIMIT:
        return "LDPC_ERR_LIMIT";
    case LDPC_ERR_FILE:
        return "LDPC_ERR_FILE";
    case LDPC_ERR_MEMORY:
        return "LDPC_ERR_MEMORY";
    case LDPC_ERR_THREAD:
        return "LDPC_ERR_THREAD";
    case LDPC_ERR_BACKEND:
        return "LDPC_ERR_BACKEND";
    case LDPC_ERR_UNSUPPORTED:
        return "LDPC_ERR_UNSUPPORTED";
    case LDPC_ERR_DEVICE:
        return "LDPC_ERR_DEVICE";
    }
    return "unknown status";
}

/* A sentence may quote a name or a file: whatever that holds, the sentence stays one line, and a terminal that shows it stays as
 * it is. */
static void replace_control_characters(char *sentence)
{
    for (; *sentence; sentence++)
        if ((unsigned char)*sentence < ' ' || *sentence == 127)
            *sentence = '?';
}

ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        replace_control_characters(err->message);
    }
    return status;
}

ldpc_status ldpc_fail_memory(ldpc_error *err)
{
    return ldpc_fail(err, LDPC_ERR_MEMORY, "out of memory");
}
