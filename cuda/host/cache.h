/* SPDX-License-Identifier: BSD-3-Clause */
/* Directory of compiled kernels. Damaged files, and files of another source, are ignored. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDPC_CUDA_CACHE_MADE_BY = 640 };

/* Identifies a compiled kernel by source, compiler and GPU. */
typedef struct ldpc_cuda_cache_key {
    const char *source; /* owned by the caller */
    char made_by[LDPC_CUDA_CACHE_MADE_BY + 32];
    uint64_t hash[2];
} ldpc_cuda_cache_key;

/* `made_by` identifies compiler, options and device. It has at most LDPC_CUDA_CACHE_MADE_BY characters. */
void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by);

/* Reads a stored image, which the caller frees. Returns false if there is no usable image. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Stores an image. A full or read-only disk is not an error. Directories that other users can write to are
 * not used. */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

/* Locks the key until this process ends. Gives up after one minute. */
void ldpc_cuda_cache_lock(const char *folder, const ldpc_cuda_cache_key *key);

#endif
