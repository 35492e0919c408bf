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

/* The backend of a name, if it is usable on this machine. */
static const ldpc_backend *find_usable(const char *name)
{
    const ldpc_backend *b;
    for (size_t i = 0; name && (b = ldpc_backend_at(i)); i++)
        if (strcmp(b->name, name) == 0)
            return b->unusable() ? NULL : b;
    return NULL;
}

const char *ldpc_kernel_list(const char *backend, size_t i)
{
    const ldpc_backend *b = find_usable(backend);
    return b ? b->kernel(i) : NULL;
}

const char *ldpc_device_list(const char *backend, size_t i)
{
    const ldpc_backend *b = find_usable(backend);
    return b && b->device ? b->device(i) : NULL;
}
