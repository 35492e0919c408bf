/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder with one file per compiled kernel. A file is either complete or absent (it is written under
 * another name and renamed). Damaged files and files of another source are ignored. */
#ifndef LDPC_CUDA_CACHE_H
#define LDPC_CUDA_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LDPC_CUDA_CACHE_MADE_BY = 640 };

/* Identifies a kernel: its source, and the compiler and GPU of its image. The hash of both names the file;
 * the file contains both, so that a hash collision is detected. */
typedef struct ldpc_cuda_cache_key {
    const char *source;                         /* owned by the caller */
    char made_by[LDPC_CUDA_CACHE_MADE_BY + 32]; /* version of the library, then the caller's text */
    uint64_t hash[2];
} ldpc_cuda_cache_key;

/* made_by: text that identifies everything that the image depends on besides the source (compiler, options,
 * device); at most LDPC_CUDA_CACHE_MADE_BY characters. */
void ldpc_cuda_cache_key_make(ldpc_cuda_cache_key *key, const char *source, const char *made_by);

/* Reads the stored image, which the caller must free. Returns false if there is no usable image. */
bool ldpc_cuda_cache_read(const char *folder, const ldpc_cuda_cache_key *key, void **image, size_t *bytes);

/* Creates the folder if it does not exist. A full or read-only disk is not an error: the next decoder
 * compiles the kernel again. Folders that other users can write to are never used (base/private_folder.h). */
void ldpc_cuda_cache_write(const char *folder, const ldpc_cuda_cache_key *key, const void *image,
                           size_t bytes);

/* Acquires the lock of this key, which is held until this process ends. Returns without the lock if there is
 * no folder, if files cannot be locked, and after one minute. */
void ldpc_cuda_cache_lock(const char *folder, const ldpc_cuda_cache_key *key);

#endif
