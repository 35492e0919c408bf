/* SPDX-License-Identifier: BSD-3-Clause */
/* User-supplied codes: limits of their size, and codes in files. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "code/code_file.h"

/* Maximum size of a file. Every code within the limits of builder.h fits. */
#define MAX_FILE_BYTES (UINT64_C(1) << 28)

ldpc_status ldpc_code_size_check(uint64_t checks, uint64_t columns, uint64_t edges, ldpc_error *err)
{
    if (checks == 0 || columns == 0)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "%" PRIu64 " checks and %" PRIu64 " columns: expected at least one of each", checks,
                         columns);
    if (checks > LDPC_MAX_CHECKS || columns > LDPC_MAX_COLUMNS || edges > LDPC_MAX_EDGES)
        return ldpc_fail(err, LDPC_ERR_LIMIT,
                         "%" PRIu64 " checks, %" PRIu64 " columns, %" PRIu64
                         " ones: expected at most %" PRIu32 ", %" PRIu32 " and %" PRIu32,
                         checks, columns, edges, LDPC_MAX_CHECKS, LDPC_MAX_COLUMNS, LDPC_MAX_EDGES);
    return LDPC_OK;
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static ldpc_status fail_open(int handle, ldpc_error *err, const char *form, const char *path,
                             const char *reason)
{
    if (handle >= 0)
        close(handle);
    return ldpc_fail(err, LDPC_ERR_FILE, form, path, reason);
}

static ldpc_status read_all(FILE *file, const char *path, char **content, size_t *length, ldpc_error *err)
{
    size_t capacity = 0;
    do {
        capacity = capacity ? 2 * capacity : 1 << 16;
        char *more = ldpc_reallocate(*content, capacity, 1);
        if (!more)
            return ldpc_fail_memory(err);
        *content = more;
        *length += fread(more + *length, 1, capacity - *length, file);
    } while (*length == capacity && capacity < MAX_FILE_BYTES);
    if (ferror(file))
        return ldpc_fail(err, LDPC_ERR_FILE, "cannot read \"%.300s\": %s", path, strerror(errno));
    if (*length == capacity && getc(file) != EOF)
        return ldpc_fail(err, LDPC_ERR_LIMIT, "\"%.300s\": expected at most %" PRIu64 " bytes, found more",
                         path, MAX_FILE_BYTES);
    return LDPC_OK;
}

/* Refuses pipes and devices: a pipe may block, and a device may have no end. */
static ldpc_status open_regular(const char *path, FILE **file, ldpc_error *err)
{
    struct stat facts;
    int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (handle < 0 || fstat(handle, &facts))
        return fail_open(handle, err, "cannot open \"%.300s\": %s", path, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        return fail_open(handle, err, "\"%.300s\": expected a regular file, found %s", path,
                         kind_of(facts.st_mode));
    *file = fdopen(handle, "rb");
    return *file ? LDPC_OK : fail_open(handle, err, "cannot open \"%.300s\": %s", path, strerror(errno));
}

static ldpc_status read_file(const char *path, char **content, size_t *length, ldpc_error *err)
{
    *content = NULL;
    *length = 0;
    FILE *file;
    ldpc_status opened = open_regular(path, &file, err);
    if (opened)
        return opened;
    ldpc_status status = read_all(file, path, content, length, err);
    fclose(file);
    if (status) {
        free(*content);
        *content = NULL;
    }
    return status;
}

ldpc_status ldpc_code_from_file(const char *name, ldpc_text_reader *reader, ldpc_code **code, ldpc_error *err)
{
    const char *path = strchr(name, ':') + 1;
    char *text;
    size_t length;
    ldpc_error reason = {""};
    ldpc_status status = read_file(path, &text, &length, err);
    if (status)
        return status;
    status = reader(text, length, name, code, &reason);
    free(text);
    return status ? ldpc_fail(err, status, "%.200s: %.290s", path, reason.message) : LDPC_OK;
}
