/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the status codes and the sentences about failures. */
#include "code/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "ldpc/version.h"

const char *ldpc_version(void)
{
    return LDPC_VERSION_STRING;
}

const char *ldpc_status_string(ldpc_status status)
{
    switch (status) {
#define NAME(status)                                                                                                   \
    case status:                                                                                                       \
        return #status;
        NAME(LDPC_OK)
        NAME(LDPC_AGAIN)
        NAME(LDPC_EMPTY)
        NAME(LDPC_ERR_NULL)
        NAME(LDPC_ERR_RANGE)
        NAME(LDPC_ERR_PARAM)
        NAME(LDPC_ERR_NAME)
        NAME(LDPC_ERR_FORMAT)
        NAME(LDPC_ERR_LIMIT)
        NAME(LDPC_ERR_FILE)
        NAME(LDPC_ERR_MEMORY)
        NAME(LDPC_ERR_THREAD)
        NAME(LDPC_ERR_BACKEND)
        NAME(LDPC_ERR_UNSUPPORTED)
        NAME(LDPC_ERR_DEVICE)
#undef NAME
    }
    return "unknown ldpc_status";
}

ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...)
{
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

ldpc_status ldpc_fail_memory(ldpc_error *err)
{
    return ldpc_fail(err, LDPC_ERR_MEMORY, "out of memory");
}
