/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts calls for memory, a thread, a lock or a file, and makes one call fail.
 *
 * The linker's --wrap replaces the functions for files, locks and mmap(). A program includes this header
 * once. */
#ifndef LDPC_TEST_FAULTS_H
#define LDPC_TEST_FAULTS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "faults/memory.h"

/* number of the failing call if it was fread(), otherwise 0 */
static _Thread_local size_t failed_read;

/* ---- file functions */

#define FAULTY(name, type, failed, parameters, arguments)                                                    \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fault() ? (failed) : __real_##name arguments;                                                 \
    }

FAULTY(fopen, FILE *, NULL, (const char *path, const char *mode), (path, mode))
FAULTY(fdopen, FILE *, NULL, (int file, const char *mode), (file, mode))
FAULTY(fread, size_t, (failed_read = fault_at, (size_t)0), (void *to, size_t size, size_t n, FILE *file),
       (to, size, n, file))
FAULTY(fwrite, size_t, 0, (const void *from, size_t size, size_t n, FILE *file), (from, size, n, file))
FAULTY(stat, int, -1, (const char *path, struct stat *facts), (path, facts))
FAULTY(fstat, int, -1, (int file, struct stat *facts), (file, facts))
FAULTY(mkdir, int, -1, (const char *path, mode_t mode), (path, mode))
FAULTY(renameat, int, -1, (int from, const char *a, int to, const char *b), (from, a, to, b))

/* ---- locks */

FAULTY(pthread_mutex_init, int, EAGAIN, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),
       (mutex, attributes))
FAULTY(pthread_condattr_init, int, ENOMEM, (pthread_condattr_t * attributes), (attributes))
FAULTY(pthread_condattr_setclock, int, EINVAL, (pthread_condattr_t * attributes, clockid_t clock),
       (attributes, clock))
FAULTY(pthread_cond_init, int, EAGAIN, (pthread_cond_t * condition, const pthread_condattr_t *attributes),
       (condition, attributes))

/* ---- memory that a GPU accesses */

FAULTY(mmap, void *, MAP_FAILED, (void *at, size_t bytes, int access, int flags, int file, off_t offset),
       (at, bytes, access, flags, file, offset))
FAULTY(madvise, int, -1, (void *at, size_t bytes, int advice), (at, bytes, advice))

/* ---- other file functions */

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) /* closes the file even if the call fails */
{
    bool fails = fault();
    int result = __real_fclose(file);
    return fails ? EOF : result;
}

int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file) /* even a failing call closes the file */
{
    bool fails = fault();
    int result = __real_close(file);
    return fails ? -1 : result;
}

int __real_ferror(FILE *file);
int __wrap_ferror(FILE *file);
int __wrap_ferror(FILE *file)
{
    return (failed_read && failed_read == fault_at) || __real_ferror(file);
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
