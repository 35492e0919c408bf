/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "base/private_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ldpc/decoder.h"

static bool is_private(const struct stat *facts)
{
    return (facts->st_uid == geteuid() || facts->st_uid == 0) && !(facts->st_mode & (S_IWGRP | S_IWOTH));
}

int ldpc_private_folder_open(const char *path, ldpc_error *err)
{
    struct stat facts;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        ldpc_fail(err, LDPC_ERR_FILE, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(folder, &facts) == 0 && is_private(&facts))
        return folder;
    ldpc_fail(err, LDPC_ERR_FILE,
              "%s is not used, because other users can write to it: expected a folder owned by this user, "
              "with mode 755 or stricter",
              path);
    close(folder);
    return -1;
}

int ldpc_private_folder_make(const char *path, ldpc_error *err)
{
    mkdir(path, S_IRWXU);
    return ldpc_private_folder_open(path, err);
}

static FILE *stream_of(int file, const char *mode)
{
    FILE *stream = file < 0 ? NULL : fdopen(file, mode);
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

FILE *ldpc_private_file_open(int folder, const char *name)
{
    struct stat facts;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && (fstat(file, &facts) || !S_ISREG(facts.st_mode) || !is_private(&facts))) {
        close(file);
        file = -1;
    }
    return stream_of(file, "rb");
}

FILE *ldpc_private_file_make(int folder, const char *name)
{
    return stream_of(
        openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR), "wb");
}

ldpc_status ldpc_cache_dir_check(const char *cache_dir, ldpc_error *err)
{
    struct stat facts;
    if (!cache_dir || (stat(cache_dir, &facts) && errno == ENOENT))
        return LDPC_OK;
    int folder = ldpc_private_folder_open(cache_dir, err);
    if (folder < 0)
        return LDPC_ERR_FILE;
    close(folder);
    return LDPC_OK;
}
