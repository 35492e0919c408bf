/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/host/nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/host/cache.h"
#include "base/memory.h"
#include "base/status_internal.h"

static ldpc_status compile_failure(const ldpc_nvrtc *nvrtc, nvrtc_program program, ldpc_error *err)
{
    size_t bytes = 0;
    char *log = NULL;
    if (!nvrtc->log_size(program, &bytes))
        log = ldpc_allocate(bytes + 1, 1);
    if (log && nvrtc->log(program, log))
        log[0] = 0;
    const char *first = log ? strstr(log, "error") : NULL;
    ldpc_fail(err, LDPC_ERR_DEVICE, "NVRTC cannot compile the kernel: %.300s",
              first           ? first
              : log && log[0] ? log
                              : "no reason given");
    free(log);
    return LDPC_ERR_DEVICE;
}

static ldpc_status take_cubin(const ldpc_nvrtc *nvrtc, nvrtc_program program, void **image, size_t *bytes,
                              ldpc_error *err)
{
    if (nvrtc->cubin_size(program, bytes) || *bytes == 0)
        return ldpc_fail(err, LDPC_ERR_DEVICE, "NVRTC returned no machine code");
    *image = ldpc_allocate(*bytes, 1);
    if (!*image)
        return ldpc_fail_memory(err);
    if (!nvrtc->cubin(program, *image))
        return LDPC_OK;
    free(*image);
    *image = NULL;
    return ldpc_fail(err, LDPC_ERR_DEVICE, "NVRTC returned no machine code");
}

static ldpc_status compile(const ldpc_nvrtc *nvrtc, const char *source, int capability, void **image,
                           size_t *bytes, ldpc_error *err)
{
    nvrtc_program program;
    char arch[40];
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d", capability);
    const char *options[] = {arch, "--std=c++17"};
    if (nvrtc->create(&program, source, "ldpc.cu", 0, NULL, NULL))
        return ldpc_fail(err, LDPC_ERR_DEVICE, "NVRTC cannot create a program: nvrtcCreateProgram failed");
    ldpc_status status = nvrtc->compile(program, 2, options) ? compile_failure(nvrtc, program, err)
                                                             : take_cubin(nvrtc, program, image, bytes, err);
    nvrtc->destroy(&program);
    return status;
}

static ldpc_status make_key(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                            ldpc_cuda_cache_key *key, ldpc_error *err)
{
    int major = 0, minor = 0;
    char made_by[48];
    if (nvrtc->version(&major, &minor))
        return ldpc_fail(err, LDPC_ERR_DEVICE, "NVRTC cannot be used: nvrtcVersion failed");
    snprintf(made_by, sizeof made_by, "sm_%d nvrtc %d.%d", capability, major, minor);
    ldpc_cuda_cache_key_make(key, source, made_by);
    return LDPC_OK;
}

bool ldpc_cuda_is_compiled(const ldpc_nvrtc *nvrtc, const char *source, int capability, const char *cache_dir)
{
    ldpc_cuda_cache_key key;
    void *image = NULL;
    size_t bytes;
    bool is = cache_dir && !make_key(nvrtc, source, capability, &key, NULL) &&
              ldpc_cuda_cache_read(cache_dir, &key, &image, &bytes);
    free(image);
    return is;
}

ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, void **image, size_t *bytes, ldpc_error *err)
{
    ldpc_cuda_cache_key key;
    *image = NULL;
    *bytes = 0;
    ldpc_status status = make_key(nvrtc, source, capability, &key, err);
    if (status || (cache_dir && ldpc_cuda_cache_read(cache_dir, &key, image, bytes)))
        return status;
    status = compile(nvrtc, source, capability, image, bytes, err);
    if (!status && cache_dir)
        ldpc_cuda_cache_write(cache_dir, &key, *image, *bytes);
    return status;
}

void ldpc_cuda_lock_program(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                            const char *cache_dir)
{
    ldpc_cuda_cache_key key;
    if (!make_key(nvrtc, source, capability, &key, NULL))
        ldpc_cuda_cache_lock(cache_dir, &key);
}
