/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/kernels/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static bool make_room(ldpc_writer *writer, size_t more)
{
    if (writer->length + more + 1 <= writer->room)
        return true;
    size_t room = 2 * (writer->length + more) + 1024;
    char *text = ldpc_reallocate(writer->text, room, 1);
    if (!text) {
        writer->failed = true;
        return false;
    }
    writer->text = text;
    writer->room = room;
    return true;
}

void ldpc_write(ldpc_writer *writer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && !writer->failed && make_room(writer, (size_t)length)) {
        vsnprintf(writer->text + writer->length, (size_t)length + 1, format, again);
        writer->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

char *ldpc_writer_end(ldpc_writer *writer)
{
    char *text = writer->failed ? NULL : writer->text;
    if (writer->failed)
        free(writer->text);
    *writer = (ldpc_writer){0};
    return text;
}
