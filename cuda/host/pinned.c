/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE /* MADV_DONTFORK */
#include "cuda/host/pinned.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/status_internal.h"

/* A mapping starts with a page that contains its size. */
static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t whole_pages(size_t bytes)
{
    return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

/* A child process does not inherit the mapping. Otherwise, in old Linux kernels, a write after fork() would
 * move the page, and the GPU would read the old page. */
static void *map(size_t bytes)
{
    bytes += page_bytes();
    size_t *length = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (length == MAP_FAILED)
        return NULL;
    *length = bytes;
    if (!madvise(length, bytes, MADV_DONTFORK))
        return (char *)length + page_bytes();
    munmap(length, bytes);
    return NULL;
}

static void unmap(void *memory)
{
    size_t *length = (void *)((char *)memory - page_bytes());
    munmap(length, *length);
}

static int map_and_register(const ldpc_cuda_driver *driver, void **memory, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) /* no overflow below */
        return CU_OUT_OF_MEMORY;
    bytes = whole_pages(bytes);
    void *mapped = map(bytes);
    if (!mapped)
        return CU_OUT_OF_MEMORY;
    int result = driver->host_register(mapped, bytes, CU_HOST_PORTABLE | CU_HOST_MAPPED);
    if (result)
        unmap(mapped);
    else
        *memory = mapped;
    return result;
}

static void unregister_and_unmap(const ldpc_cuda_driver *driver, void *memory)
{
    driver->host_unregister(memory);
    unmap(memory);
}

bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver)
{
    void *memory;
    cu_pointer address;
    if (!driver->host_register || map_and_register(driver, &memory, 1))
        return false;
    bool same = !driver->host_address(&address, memory, 0) && address == (uintptr_t)memory;
    unregister_and_unmap(driver, memory);
    return same;
}

int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes)
{
    const ldpc_cuda_driver *driver = engine->driver;
    return engine->can_register ? map_and_register(driver, memory, bytes)
                                : driver->host_alloc(memory, bytes, CU_HOST_PORTABLE | CU_HOST_MAPPED);
}

void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory)
{
    if (!ldpc_cuda_engine_has_context(engine)) { /* the driver has already released the pinned memory */
        if (engine->can_register)
            unmap(memory);
    } else if (engine->can_register) {
        unregister_and_unmap(engine->driver, memory);
    } else {
        engine->driver->host_free(memory);
    }
}

ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err)
{
    const ldpc_cuda_driver *driver = engine->driver;
    if (!engine->can_register)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "%s: memory of the process cannot be registered",
                         driver->name);
    return ldpc_cuda_check(driver, driver->host_register(memory, bytes, CU_HOST_PORTABLE | CU_HOST_MAPPED),
                           "memory cannot be registered", err);
}

ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err)
{
    return ldpc_cuda_check(engine->driver, engine->driver->host_unregister(memory),
                           "memory cannot be unregistered", err);
}
