/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call for memory, a thread or a file, counted; one of them fails.
 *
 * The functions take the place of the library's own (memory.c, thread.c) and, by --wrap of the linker, of libc's for files.
 * Calls are counted through all kinds together. A program includes this header once. */
#ifndef LDPC_TEST_FAULTS_H
#define LDPC_TEST_FAULTS_H

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/memory.h"
#include "base/thread.h"

static atomic_size_t fault_calls, fault_at; /* fault_at 0: none fails */
static _Thread_local bool stream_failed;    /* what ferror() says then */

static bool fault(void)
{
    bool fails = atomic_fetch_add(&fault_calls, 1) + 1 == atomic_load(&fault_at);
    if (fails)
        errno = EIO;
    return fails;
}

/* From now on, the call with this number fails. */
static void fault_begin(size_t at)
{
    fault_calls = 0;
    fault_at = at;
    stream_failed = false;
}

/* Has it been made? */
static bool fault_end(void)
{
    bool made = fault_at && fault_calls >= fault_at;
    fault_at = 0;
    return made;
}

/* ---- memory and threads */

void *ldpc_allocate(size_t count, size_t size)
{
    return fault() ? NULL : calloc(count ? count : 1, size ? size : 1);
}

void *ldpc_reallocate(void *old, size_t count, size_t size)
{
    return fault() ? NULL : realloc(old, count && size ? count * size : 1);
}

bool ldpc_thread_start(pthread_t *thread, void *(*body)(void *), void *argument)
{
    return !fault() && pthread_create(thread, NULL, body, argument) == 0;
}

/* ---- files: name, result, what it returns when it fails, arguments with types, arguments */

#define FAULTY(name, type, failed, parameters, arguments)                                                    \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fault() ? (failed) : __real_##name arguments;                                                 \
    }

FAULTY(fopen, FILE *, NULL, (const char *path, const char *mode), (path, mode))
FAULTY(fdopen, FILE *, NULL, (int file, const char *mode), (file, mode))
FAULTY(fread, size_t, (stream_failed = true, (size_t)0), (void *to, size_t size, size_t n, FILE *file),
       (to, size, n, file))
FAULTY(fwrite, size_t, 0, (const void *from, size_t size, size_t n, FILE *file), (from, size, n, file))
FAULTY(fstat, int, -1, (int file, struct stat *facts), (file, facts))
FAULTY(mkdir, int, -1, (const char *path, mode_t mode), (path, mode))
FAULTY(renameat, int, -1, (int from, const char *a, int to, const char *b), (from, a, to, b))

/* ---- memory that a GPU sees */

FAULTY(mmap, void *, MAP_FAILED, (void *at, size_t bytes, int access, int flags, int file, off_t offset),
       (at, bytes, access, flags, file, offset))
FAULTY(madvise, int, -1, (void *at, size_t bytes, int advice), (at, bytes, advice))

/* ---- files with an argument of their own */

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) /* closes it all the same */
{
    bool fails = fault();
    int result = __real_fclose(file);
    return fails ? EOF : result;
}

int __real_ferror(FILE *file);
int __wrap_ferror(FILE *file);
int __wrap_ferror(FILE *file)
{
    return stream_failed || __real_ferror(file);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    return fault() ? -1 : __real_open(path, flags, 0600);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
    return fault() ? -1 : __real_openat(folder, path, flags, 0600);
}

#endif
