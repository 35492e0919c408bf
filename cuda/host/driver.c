/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libcuda and libnvrtc with dlopen(). Both stay loaded, because the driver has threads. */
#define _GNU_SOURCE /* dladdr */
#include "cuda/host/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static ldpc_cuda_driver driver = {.name = "CUDA", .backend = "cuda"};
static ldpc_nvrtc nvrtc;
static const char *driver_trouble;
static bool nvrtc_found;
static pthread_once_t driver_once = PTHREAD_ONCE_INIT, nvrtc_once = PTHREAD_ONCE_INIT;

/* ISO C forbids a cast from void * to a function pointer. */
static bool look_up(void *library, const char *symbol, void *member)
{
    void *found = dlsym(library, symbol);
    memcpy(member, &found, sizeof found);
    return found != NULL;
}

static void *open_first(const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

static const char *load_driver(void)
{
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    void *library = open_first(names);
    if (!library)
        return "no NVIDIA driver on this machine (libcuda.so.1 not found)";
    bool complete = true;
#define LOOK_UP(member, symbol, arguments) complete &= look_up(library, #symbol, &driver.member);
    LDPC_CUDA_FUNCTIONS(LOOK_UP)
    if (!complete)
        return "the NVIDIA driver is too old: it lacks functions of CUDA 11";
    look_up(library, "cuCtxGetId", &driver.context_id);
    int devices = 0;
    if (driver.init(0) || driver.device_count(&devices) || devices < 1)
        return "the NVIDIA driver finds no usable GPU";
    return NULL;
}

static void load_driver_once(void)
{
    driver_trouble = load_driver();
}

static bool load_nvrtc(const char *const *names, ldpc_nvrtc *found)
{
    Dl_info info;
    void *library = open_first(names), *version = NULL;
    bool complete = library != NULL;
#define LOOK_UP_NVRTC(member, symbol, arguments)                                                             \
    complete = complete && look_up(library, #symbol, &found->member);
    LDPC_NVRTC_FUNCTIONS(LOOK_UP_NVRTC)
    complete = complete && look_up(library, "nvrtcVersion", &version) && dladdr(version, &info);
    if (complete)
        found->path = info.dli_fname;
    return complete;
}

bool ldpc_nvrtc_load(const char *path, ldpc_nvrtc *found)
{
    return load_nvrtc((const char *const[]){path, NULL}, found);
}

/* Loads NVRTC. Also tries /usr/local/cuda, which the dynamic linker may not search. */
static void load_nvrtc_once(void)
{
    static const char *const names[] = {"libnvrtc.so.13",
                                        "libnvrtc.so.12",
                                        "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so.13",
                                        "/usr/local/cuda/lib64/libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        NULL};
    nvrtc_found = load_nvrtc(names, &nvrtc);
}

const ldpc_cuda_driver *ldpc_cuda_open(const char **why)
{
    pthread_once(&driver_once, load_driver_once);
    *why = driver_trouble;
    return driver_trouble ? NULL : &driver;
}

const ldpc_nvrtc *ldpc_nvrtc_open(void)
{
    pthread_once(&nvrtc_once, load_nvrtc_once);
    return nvrtc_found ? &nvrtc : NULL;
}
