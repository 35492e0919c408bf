/* SPDX-License-Identifier: BSD-3-Clause */
/* A driver on the host that runs kernels on the CPU, compiled as C++ (cxx_text.h). With this driver,
 * tests/kernels compares all CUDA kernels without a GPU. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/host_driver.h"
#include "cxx_text.h"

#ifndef LDPC_TEST_CXX
#define LDPC_TEST_CXX "c++"
#endif

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "emulate: %s %s\n", what, name);
    exit(1);
}

/* Compiled sources, and the names of their shared libraries. */
enum { MOST_TEXTS = 16 };
static struct {
    char *source;
    char name[64];
} known[MOST_TEXTS];
static size_t n_known; /* source i is known[i % MOST_TEXTS] */

static const char *library_of(const char *source)
{
    for (size_t i = 0; i < MOST_TEXTS && i < n_known; i++)
        if (strcmp(known[i].source, source) == 0)
            return known[i].name;
    return NULL;
}

static void forget(size_t i)
{
    remove(known[i].name);
    free(known[i].source);
}

__attribute__((destructor)) static void forget_all(void)
{
    for (size_t i = 0; i < MOST_TEXTS && i < n_known; i++)
        forget(i);
}

static void remember(const char *source, const char *name)
{
    const size_t i = n_known % MOST_TEXTS;
    if (n_known++ >= MOST_TEXTS)
        forget(i);
    known[i].source = ldpc_cuda_join(source, "");
    if (!known[i].source)
        fail("no memory for", "the text");
    strcpy(known[i].name, name);
}

static void compile(const char *source, char image[HOST_DRIVER_IMAGE])
{
    char name[64] = "/tmp/ldpc_emulate_XXXXXX", path[80], command[400];
    const char *before = library_of(source);
    if (before) {
        strcpy(image, before);
        return;
    }
    int handle = mkstemp(name);
    if (handle < 0)
        fail("cannot make", name);
    close(handle);
    snprintf(path, sizeof path, "%s.cpp", name);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write", path);
    if (!cxx_text_write(file, source))
        fail("no __launch_bounds__ in", "the text");
    fclose(file);
    snprintf(command, sizeof command, "%s -std=c++17 -Og -w -mf16c -fPIC -shared -o %s %s", LDPC_TEST_CXX,
             name, path);
    if (system(command))
        fail("cannot compile", path);
    remove(path);
    remember(source, name);
    strcpy(image, name);
}

/* Compiles the source for the CPU, because this machine cannot run GPU code. */
static void *load(const void *image)
{
    char name[HOST_DRIVER_IMAGE];
    bool three_min = image == ldpc_cuda_image_any_three_min();
    if (three_min || image == ldpc_cuda_image_any()) {
        char *source = ldpc_cuda_join(three_min ? "#define THREE_MIN 1\n" : "", ldpc_cuda_text_any);
        if (!source)
            fail("no memory for", "the text");
        compile(source, name);
        free(source);
        image = name;
    }
    void *library = dlopen(image, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail("cannot load", dlerror());
    return library;
}

static void unload(void *library)
{
    dlclose(library);
}

static void launch(void *function, const ldpc_cuda_args *args, unsigned blocks, unsigned threads)
{
    void (*emulate)(const void *, unsigned, unsigned);
    void *found = dlsym(function, "emulate");
    if (!found)
        fail("no kernel in", "the library");
    memcpy(&emulate, &found, sizeof emulate);
    emulate(args, blocks, threads);
}

__attribute__((constructor)) static void hook(void)
{
    host_driver.launch = launch;
    host_driver.compile = compile;
    host_driver.load = load;
    host_driver.unload = unload;
}
