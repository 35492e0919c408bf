/* SPDX-License-Identifier: BSD-3-Clause */
/* The backends of this build, and the public lists of backends and kernels. */
#include "backend/backend.h"

#include <string.h>

static const ldpc_backend *const backends[] = {
#ifdef LDPC_HAVE_CUDA
    &ldpc_opencl_backend,
    &ldpc_cuda_backend,
#endif
    &ldpc_cpu_backend,
};

const ldpc_backend *ldpc_backend_at(size_t i)
{
    return i < sizeof backends / sizeof backends[0] ? backends[i] : NULL;
}

const char *ldpc_backend_list(size_t i, const char **reason)
{
    const ldpc_backend *backend = ldpc_backend_at(i);
    const char *why = backend ? backend->unusable() : NULL;
    if (reason)
        *reason = why ? why : "";
    return backend ? backend->name : NULL;
}

const char *ldpc_kernel_list(const char *backend, size_t i)
{
    const ldpc_backend *b;
    for (size_t j = 0; backend && (b = ldpc_backend_at(j)); j++)
        if (strcmp(b->name, backend) == 0)
            return b->unusable() ? NULL : b->kernel(i);
    return NULL;
}
