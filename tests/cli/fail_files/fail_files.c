/* SPDX-License-Identifier: BSD-3-Clause */
/* A library for LD_PRELOAD that makes one call for a file in a directory fail.
 *
 *     FAIL_FILES_FOLDER   the directory; calls for other files are not affected
 *     FAIL_FILES_AT       number of the call that fails, 1 = first
 *     FAIL_FILES_MADE     file to create after the failure; its content is the name of the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;

static bool is_there(const char *path)
{
    const char *folder = getenv("FAIL_FILES_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static bool file_is_there(int file)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return false;
    path[length] = 0;
    return is_there(path);
}

/* Returns true and sets errno if this call must fail. */
static bool fails(const char *call, bool counts)
{
    const char *at = getenv("FAIL_FILES_AT"), *made = getenv("FAIL_FILES_MADE");
    if (!counts || !at || atomic_fetch_add(&calls, 1) + 1 != atol(at))
        return false;
    long file = made ? syscall(SYS_openat, AT_FDCWD, made, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        syscall(SYS_write, file, call, strlen(call));
        syscall(SYS_close, file);
    }
    errno = strcmp(call, "write") && strcmp(call, "fsync") ? EIO : ENOSPC;
    return true;
}

/* exported despite -fvisibility=hidden */
#pragma GCC visibility push(default)

#define FAILING(name, type, failed, parameters, arguments, counts)                                           \
    type name parameters                                                                                     \
    {                                                                                                        \
        static type(*real) parameters;                                                                       \
        if (!real)                                                                                           \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                       \
        return fails(#name, counts) ? (failed) : real arguments;                                             \
    }

FAILING(read, ssize_t, -1, (int file, void *to, size_t n), (file, to, n), file_is_there(file))
FAILING(write, ssize_t, -1, (int file, const void *from, size_t n), (file, from, n), file_is_there(file))
FAILING(fsync, int, -1, (int file), (file), file_is_there(file))
FAILING(flock, int, -1, (int file, int operation), (file, operation), file_is_there(file))
FAILING(fchmod, int, -1, (int file, mode_t mode), (file, mode), file_is_there(file))
FAILING(rename, int, -1, (const char *from, const char *to), (from, to), is_there(to))
FAILING(fopen, FILE *, NULL, (const char *path, const char *mode), (path, mode), is_there(path))
FAILING(fopen64, FILE *, NULL, (const char *path, const char *mode), (path, mode), is_there(path))

#define FAILING_OPEN(name)                                                                                   \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        static int (*real)(const char *path, int flags, ...);                                                \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;                         \
        va_end(arguments);                                                                                   \
        if (!real)                                                                                           \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                       \
        return fails(#name, is_there(path)) ? -1 : real(path, flags, mode);                                  \
    }

FAILING_OPEN(open)
FAILING_OPEN(open64)

#pragma GCC visibility pop
