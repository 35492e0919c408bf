/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory with one file per compiled kernel. Each file is written under a temporary name and then
 * renamed, so that it is either complete or absent. Files that are damaged or made from another source are
 * ignored. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDPC_CUDA_CACHE_MADE_BY = 640 };

/* Identifies a compiled kernel by its source, its compiler and its GPU. The name of the file is a hash of
 * this key. The file also contains the key itself, so that a hash collision is detected. */
typedef struct ldpc_cuda_cache_key {
    const char *source;                         /* owned by the caller */
    char made_by[LDPC_CUDA_CACHE_MADE_BY + 32]; /* version of the library, followed by the caller's text */
    uint64_t hash[2];
} ldpc_cuda_cache_key;

/* Fills in a key. `made_by` identifies everything on which the image depends except the source: the compiler,
 * its options and the device. It may have at most LDPC_CUDA_CACHE_MADE_BY characters. */
void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by);

/* Reads a stored image, which the caller must free. Returns false if there is no usable image. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Stores an image. Creates the directory if it does not exist. A full or read-only disk is not an error: the
 * next decoder then compiles the kernel again. Directories that other users can write to are never used
 * (base/private_folder.h). */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

/* Locks this key until this process ends. Returns without the lock if there is no directory, if files cannot
 * be locked, or after one minute. */
void ldpc_cuda_cache_lock(const char *folder, const ldpc_cuda_cache_key *key);

#endif
