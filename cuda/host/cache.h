/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory with one file per compiled kernel. Each file is written under another name and then renamed, so
 * that it is either complete or absent. Damaged files and files of other sources are ignored. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDPC_CUDA_CACHE_MADE_BY = 640 };

/* Identifies a kernel by its source, and by the compiler and the GPU of its image. The name of the file is a
 * hash of both. The file also contains both, so that a hash collision is detected. */
typedef struct ldpc_cuda_cache_key {
    const char *source;                         /* owned by the caller */
    char made_by[LDPC_CUDA_CACHE_MADE_BY + 32]; /* version of the library, followed by the caller's text */
    uint64_t hash[2];
} ldpc_cuda_cache_key;

/* Fills in a key. `made_by` is a text that identifies everything except the source on which the image
 * depends: the compiler, its options, the device. It may have at most LDPC_CUDA_CACHE_MADE_BY characters. */
void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by);

/* Reads a stored image, which the caller must free. Returns false if there is no usable image. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Stores an image; creates the directory if it does not exist. A full or read-only disk is not an error,
 * because the next decoder simply compiles the kernel again. Directories that other users can write to are
 * never used (base/private_folder.h). */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

/* Acquires the lock of this key and holds it until this process ends. Returns without the lock if there is no
 * directory, if files cannot be locked, or after one minute. */
void ldpc_cuda_cache_lock(const char *folder, const ldpc_cuda_cache_key *key);

#endif
