/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder with one file per compiled kernel. Files are complete or absent (written under another name and
 * renamed). A file that is damaged, or that belongs to another source, is not used. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDPC_CUDA_CACHE_MADE_BY = 640 };

/* A kernel: its source, and what compiles it for which GPU. The hash of both names the file; the file holds
 * both, so that another kernel with the same hash is not taken for it. */
typedef struct ldpc_cuda_cache_key {
    const char *source;                         /* the caller's */
    char made_by[LDPC_CUDA_CACHE_MADE_BY + 32]; /* version of the library, and the caller's text */
    uint64_t hash[2];
} ldpc_cuda_cache_key;

/* made_by: what else the image depends on, the compiler and its options, the device; at most
 * LDPC_CUDA_CACHE_MADE_BY characters. */
void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by);

/* Reads the stored image, which the caller frees; false when there is none that can be used. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Creates the folder if it does not exist. A full or read-only disk is no failure: the next decoder compiles
 * again. No function uses a folder that other users can write to (base/private_folder.h). */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

/* Wait until no other process has the lock of this key, and have it until this process ends. Without a folder, where files
 * cannot be locked, and after a minute, there is no lock. */
void ldpc_cuda_cache_lock(const char *folder, const ldpc_cuda_cache_key *key);

#endif
