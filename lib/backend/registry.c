/* SPDX-License-Identifier: BSD-3-Clause */
/* The backends of this build, and the public lists of backends and kernels. */
#include "backend/backend.h"

#include <stdio.h>
#include <string.h>

#include "base/status_internal.h"

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

/* Finds the preferred backend with a GPU. */
static ldpc_status find_gpu(const ldpc_backend **found, ldpc_error *err)
{
    char reasons[sizeof err->message] = "";
    for (size_t i = sizeof backends / sizeof backends[0]; i-- > 0;) {
        const char *reason = backends[i]->no_gpu ? backends[i]->no_gpu() : "";
        if (!reason) {
            *found = backends[i];
            return LDPC_OK;
        }
        size_t length = strlen(reasons);
        if (reason[0])
            snprintf(reasons + length, sizeof reasons - length, "%s%s: %s", length ? "; " : "",
                     backends[i]->name, reason);
    }
    return ldpc_fail(err, LDPC_ERR_BACKEND, "backend \"gpu\" is not usable (%s)",
                     reasons[0] ? reasons : "this build has no GPU backend");
}

ldpc_status ldpc_backend_find(const char *name, const ldpc_backend **found, ldpc_error *err)
{
    if (strcmp(name, "gpu") == 0)
        return find_gpu(found, err);
    for (size_t i = 0; (*found = ldpc_backend_at(i)); i++) {
        if (strcmp((*found)->name, name) != 0)
            continue;
        const char *reason = (*found)->unusable();
        return reason ? ldpc_fail(err, LDPC_ERR_BACKEND, "backend \"%s\": %s", name, reason) : LDPC_OK;
    }
    if (strcmp(name, "cuda") == 0 || strcmp(name, "opencl") == 0)
        return ldpc_fail(err, LDPC_ERR_BACKEND, "backend \"%s\" is not in this build", name);
    return ldpc_fail(err, LDPC_ERR_PARAM, "no backend \"%.64s\": expected cpu, gpu, cuda or opencl", name);
}

void ldpc_backend_explain_fallback(ldpc_error *err, bool fallback)
{
    size_t length = strlen(err->message);
    snprintf(err->message + length, sizeof err->message - length, "%s",
             fallback ? "; the CPU decodes instead" : "; with fallback the CPU decodes");
}

ldpc_status ldpc_backend_choose(const char *backend, bool fallback, const char **chosen, ldpc_error *err)
{
    ldpc_error reason = {""};
    const ldpc_backend *found = NULL;
    if (!chosen)
        return ldpc_fail(err, LDPC_ERR_NULL, "chosen must not be NULL");
    ldpc_status status = ldpc_backend_find(backend ? backend : "cpu", &found, &reason);
    if (status == LDPC_ERR_BACKEND)
        ldpc_backend_explain_fallback(&reason, fallback);
    if (status == LDPC_ERR_BACKEND && fallback) {
        found = &ldpc_cpu_backend;
        status = LDPC_OK;
    }
    *chosen = status ? NULL : found->name;
    if (err)
        *err = reason;
    return status;
}

/* Returns the backend with this name if it is usable, or NULL. */
static const ldpc_backend *find_usable(const char *name)
{
    const ldpc_backend *backend = NULL;
    return name && !ldpc_backend_find(name, &backend, NULL) ? backend : NULL;
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
