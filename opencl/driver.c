/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libOpenCL with dlopen(). It stays loaded, because drivers have threads. */
#include "opencl/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static ldpc_opencl opencl;
static const char *trouble;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ISO C forbids a cast from void * to a function pointer. */
static bool look_up(void *library, const char *symbol, void *member)
{
    void *found = dlsym(library, symbol);
    memcpy(member, &found, sizeof found);
    return found != NULL;
}

static void load_once(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    bool complete = true;
    if (!library)
        library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        trouble = "no OpenCL on this machine (libOpenCL.so.1 not found)";
        return;
    }
#define LOOK_UP(type, member, symbol, arguments) complete &= look_up(library, #symbol, &opencl.member);
    LDPC_OPENCL_FUNCTIONS(LOOK_UP)
    if (!complete)
        trouble = "libOpenCL.so.1 is too old: it lacks functions of OpenCL 1.2";
}

const ldpc_opencl *ldpc_opencl_open(const char **why)
{
    pthread_once(&once, load_once);
    *why = trouble;
    return trouble ? NULL : &opencl;
}
