/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder with one file per compiled kernel. Files are complete or absent (written beside and renamed), and
 * what is damaged or was made from something else is not used. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ldpc_cuda_cache_key {
    uint64_t hash[2]; /* of source, GPU and compiler */
} ldpc_cuda_cache_key;

void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, int capability, int compiler);

/* The stored image, the caller's to free; false when there is none that can be used. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Makes the folder if it is not there; a full or read-only disk is no failure, the next decoder compiles
 * again. */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

#endif
