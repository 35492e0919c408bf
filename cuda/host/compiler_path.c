/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* dladdr */
#include "cuda/host/compiler_path.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ldpc/version.h"

bool ldpc_cuda_compiler_path(char *path, size_t size)
{
    static const char in_this_library = 0;
    Dl_info info;
    /* A relative path may name another file after chdir(). */
    if (!dladdr(&in_this_library, &info) || !info.dli_fname || info.dli_fname[0] != '/')
        return false;
    const int length = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    const int printed =
        snprintf(path, size, "%.*s/libldpc-%d/compile_kernel", length, info.dli_fname, LDPC_VERSION_MAJOR);
    return printed > 0 && (size_t)printed < size;
}
