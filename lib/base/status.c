/* SPDX-License-Identifier: BSD-3-Clause */
/* Status codes and error messages. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* Returns the length of the UTF-8 character at `text`, or 0 if it is invalid. */
static size_t utf8_length(const char *text, uint32_t *character)
{
    static const uint8_t lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1,
                                        /* length of a UTF-8 character, indexed by the upper half of its first
                                         * byte */
                                        0, 0, 0, 0, 2, 2, 3, 4};
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text;
    size_t length = lengths[first >> 4];
    *character = length > 1 ? first & (0xFFu >> length) : first;
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | (byte & 0x3Fu);
    }
    bool surrogate = *character >= 0xD800 && *character < 0xE000;
    return *character < smallest[length] || surrogate || *character > 0x10FFFF ? 0 : length;
}

void ldpc_make_printable(char *sentence)
{
    while (*sentence) {
        uint32_t character;
        size_t length = utf8_length(sentence, &character);
        size_t step = length ? length : 1;
        if (length == 0 || character < ' ' || (character >= 0x7F && character < 0xA0))
            memset(sentence, '?', step);
        sentence += step;
    }
}

ldpc_status ldpc_fail(ldpc_error *err, ldpc_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        ldpc_make_printable(err->message);
    }
    return status;
}

ldpc_status ldpc_fail_memory(ldpc_error *err)
{
    return ldpc_fail(err, LDPC_ERR_MEMORY, "out of memory");
}

ldpc_status ldpc_fail_abandoned(ldpc_error *err)
{
    return ldpc_fail(err, LDPC_ERR_DEVICE, "this decoder was abandoned: create another decoder");
}
