/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "cuda/host/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/private_folder.h"
#include "ldpc/version.h"

/* A cache file: header, made_by, source, image. */
typedef struct header {
    char magic[16];
    uint64_t key[2];
    uint64_t made_by_bytes, source_bytes, image_bytes;
    uint64_t checksum; /* checksum of the image */
} header;

enum { MAX_IMAGE = 64 << 20, MAX_NAME = 96, LOCK_MOMENT_MS = 20, LOCK_MOMENTS = 3000 };

static const char magic[16] = "ldpc kernel 2\n";

/* FNV-1a */
static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = 14695981039346656037u ^ seed;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by)
{
    const uint64_t seeds[2] = {0, 0x9e3779b97f4a7c15u};
    key->source = source;
    snprintf(key->made_by, sizeof key->made_by, "%s %s", LDPC_VERSION_STRING, made_by);
    for (int i = 0; i < 2; i++)
        key->hash[i] = hash(hash(seeds[i], source, strlen(source)), key->made_by, strlen(key->made_by));
}

static header header_of(const ldpc_cuda_cache_key *key, const void *image, size_t bytes)
{
    header h = {
        .key = {key->hash[0], key->hash[1]},
        .made_by_bytes = strlen(key->made_by),
        .source_bytes = strlen(key->source),
        .image_bytes = bytes,
        .checksum = hash(0, image, bytes)
    };
    memcpy(h.magic, magic, sizeof magic);
    return h;
}

static void name_of(char name[MAX_NAME], const ldpc_cuda_cache_key *key, const char *suffix)
{
    snprintf(name, MAX_NAME, "%016" PRIx64 "%016" PRIx64 ".cubin%s", key->hash[0], key->hash[1], suffix);
}

static bool next_is(FILE *file, const char *text)
{
    for (; *text; text++)
        if (fgetc(file) != (unsigned char)*text)
            return false;
    return true;
}

static void *read_image(FILE *file, const ldpc_cuda_cache_key *key, size_t *bytes)
{
    header h;
    if (fread(&h, sizeof h, 1, file) != 1 || h.image_bytes == 0 || h.image_bytes > MAX_IMAGE ||
        !next_is(file, key->made_by) || !next_is(file, key->source))
        return NULL;
    void *image = ldpc_allocate(h.image_bytes, 1);
    if (!image)
        return NULL;
    if (fread(image, h.image_bytes, 1, file) == 1 && fgetc(file) == EOF) {
        header expected = header_of(key, image, h.image_bytes);
        if (memcmp(&h, &expected, sizeof h) == 0) {
            *bytes = h.image_bytes;
            return image;
        }
    }
    free(image);
    return NULL;
}

bool ldpc_cuda_cache_read(const char *path, const ldpc_cuda_cache_key *key, void **image, size_t *bytes)
{
    *image = NULL;
    int folder = ldpc_private_folder_open(path, NULL);
    if (folder < 0)
        return false;
    char name[MAX_NAME];
    name_of(name, key, "");
    FILE *file = ldpc_private_file_open(folder, name);
    if (file) {
        *image = read_image(file, key, bytes);
        fclose(file);
    }
    close(folder);
    return *image != NULL;
}

static bool write_image(FILE *file, const ldpc_cuda_cache_key *key, const void *image, size_t bytes)
{
    const header h = header_of(key, image, bytes);
    bool ok = fwrite(&h, sizeof h, 1, file) == 1 && fputs(key->made_by, file) >= 0 &&
              fputs(key->source, file) >= 0 && fwrite(image, bytes, 1, file) == 1;
    return (fclose(file) == 0) && ok;
}

void ldpc_cuda_cache_write(const char *path, const ldpc_cuda_cache_key *key, const void *image, size_t bytes)
{
    int folder = ldpc_private_folder_make(path, NULL);
    if (folder < 0)
        return;
    char name[MAX_NAME], beside[MAX_NAME], suffix[48];
    snprintf(suffix, sizeof suffix, ".%ld.%" PRIxPTR, (long)getpid(),
             (uintptr_t)image); /* Each call gives a new name, so that two writers never share a file. */
    name_of(name, key, "");
    name_of(beside, key, suffix);
    FILE *file = ldpc_private_file_make(folder, beside);
    if (!file || !write_image(file, key, image, bytes) || renameat(folder, beside, folder, name))
        unlinkat(folder, beside, 0); /* removes an incomplete file */
    close(folder);
}

void ldpc_cuda_cache_lock(const char *path, const ldpc_cuda_cache_key *key)
{
    const struct timespec moment = {.tv_nsec = LOCK_MOMENT_MS * 1000000};
    struct flock byte = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(key->hash[0] & INT32_MAX), .l_len = 1};
    int folder = ldpc_private_folder_make(path, NULL);
    if (folder < 0)
        return;
    int file = openat(folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    close(folder);
    for (int i = 0; file >= 0 && i < LOCK_MOMENTS && fcntl(file, F_SETLK, &byte); i++) {
        if (errno != EACCES && errno != EAGAIN)
            break;
        nanosleep(&moment, NULL);
    }
    /* Closing the file would release the lock. */
}
