/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "cuda/host/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "ldpc/version.h"

/* A file: this, then the image. */
typedef struct header {
    char magic[16];
    uint64_t key[2];
    uint64_t bytes, checksum;
} header;

enum { MAX_IMAGE = 64 << 20 };

static const char magic[16] = "ldpc kernel 1\n";

/* FNV-1a, started anew for each of the two halves of a key. */
static uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t h = 14695981039346656037u ^ seed;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, int capability, int compiler)
{
    const uint64_t seeds[2] = {0, 0x9e3779b97f4a7c15u};
    char made_by[80];
    int length =
        snprintf(made_by, sizeof made_by, "%s sm_%d nvrtc %d", LDPC_VERSION_STRING, capability, compiler);
    for (int i = 0; i < 2; i++)
        key->hash[i] = hash(hash(seeds[i], source, strlen(source)), made_by, (size_t)length);
}

static header header_of(const ldpc_cuda_cache_key *key, const void *image, size_t bytes)
{
    header h = {
        .key = {key->hash[0], key->hash[1]},
          .bytes = bytes, .checksum = hash(0, image, bytes)
    };
    memcpy(h.magic, magic, sizeof magic);
    return h;
}

/* "<folder>/<key>.cubin<suffix>", or NULL when memory is short. */
static char *path_of(const char *folder, const ldpc_cuda_cache_key *key, const char *suffix)
{
    size_t room = strlen(folder) + strlen(suffix) + 48;
    char *path = ldpc_allocate(room, 1);
    if (path)
        snprintf(path, room, "%s/%016" PRIx64 "%016" PRIx64 ".cubin%s", folder, key->hash[0], key->hash[1],
                 suffix);
    return path;
}

static void *read_image(FILE *file, const ldpc_cuda_cache_key *key, size_t *bytes)
{
    header h;
    if (fread(&h, sizeof h, 1, file) != 1 || h.bytes == 0 || h.bytes > MAX_IMAGE)
        return NULL;
    void *image = ldpc_allocate(h.bytes, 1);
    if (!image)
        return NULL;
    if (fread(image, h.bytes, 1, file) == 1 && fgetc(file) == EOF) {
        header expected = header_of(key, image, h.bytes);
        if (memcmp(&h, &expected, sizeof h) == 0) {
            *bytes = h.bytes;
            return image;
        }
    }
    free(image);
    return NULL;
}

bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes)
{
    char *path = path_of(folder, key, "");
    FILE *file = path ? fopen(path, "rb") : NULL;
    *image = file ? read_image(file, key, bytes) : NULL;
    if (file)
        fclose(file);
    free(path);
    return *image != NULL;
}

static bool write_image(const char *path, const ldpc_cuda_cache_key *key, const void *image, size_t bytes)
{
    FILE *file = fopen(path, "wbx"); /* x: two processes never write into one file */
    if (!file)
        return false;
    header h = header_of(key, image, bytes);
    bool ok = fwrite(&h, sizeof h, 1, file) == 1 && fwrite(image, bytes, 1, file) == 1;
    ok &= fclose(file) == 0;
    if (!ok)
        remove(path);
    return ok;
}

void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes)
{
    char suffix[48];
    snprintf(suffix, sizeof suffix, ".%ld.%" PRIxPTR, (long)getpid(),
             (uintptr_t)image); /* of this call alone */
    char *path = path_of(folder, key, ""), *beside = path_of(folder, key, suffix);
    mkdir(folder, 0777);
    if (path && beside && write_image(beside, key, image, bytes) && rename(beside, path))
        remove(beside);
    free(path);
    free(beside);
}
