/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the host driver run the kernels themselves, on the CPU: a kernel's text is compiled as C++ behind
 * emulate.h and loaded. Linked with tests/kernels it compares all CUDA kernels with the reference where there
 * is no GPU. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cuda/host_driver.h"

#ifndef LDPC_TEST_CXX
#define LDPC_TEST_CXX "c++"
#endif

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "emulate: %s %s\n", what, name);
    exit(1);
}

/* The arguments of the kernel's __launch_bounds__ or LDPC_BOUNDS, which emulate.h leaves out of the text: the last of them in
 * it, as comments name them too. */
static void write_bounds(FILE *file, const char *source)
{
    const char *bounds = NULL;
    static const char *const names[] = {"__launch_bounds__(", " LDPC_BOUNDS("};
    for (size_t i = 0; i < 2; i++)
        for (const char *next = source; (next = strstr(next, names[i])); next++)
            bounds = !bounds || next > bounds ? next : bounds;
    const char *end = bounds ? strchr(bounds, ')') : NULL;
    if (!end)
        fail("no __launch_bounds__ in", "the text");
    bounds = strchr(bounds, '(') + 1;
    fprintf(file, "static const unsigned emu_launch_bounds[] = {%.*s};\n", (int)(end - bounds), bounds);
}

/* A part of a text without the declaration of shared memory. */
static void write_text(FILE *file, const char *text, const char *end)
{
    static const char dynamic[] = "extern __shared__ u32 sm[];";
    for (const char *found; (found = strstr(text, dynamic)) && found < end; text = found + strlen(dynamic))
        fwrite(text, 1, (size_t)(found - text), file);
    fwrite(text, 1, (size_t)(end - text), file);
}

/* The text without half.cuh, for which emulate.h has its own functions, and with the shared memory of
 * emulate.h. */
static void write_kernel(FILE *file, const char *source)
{
    const char *half = strstr(source, ldpc_cuda_text_half);
    const char *rest = half ? half + strlen(ldpc_cuda_text_half) : source;
    fprintf(file, "#define EMU_KERNEL %s\n",
            strstr(source, "ldpc_simulate") ? "ldpc_simulate" : "ldpc_decode");
    fprintf(file, "#include \"%s/emulate/emulate.h\"\n", LDPC_TESTS_DIR);
    if (half)
        write_text(file, source, half);
    write_text(file, rest, rest + strlen(rest));
    fprintf(file, "\n");
    write_bounds(file, source);
    fprintf(file, "#include \"%s/emulate/emulate_end.h\"\n", LDPC_TESTS_DIR);
}

/* Texts that have been compiled, and the shared libraries that came out: the "machine code" is their name. */
enum { MOST_TEXTS = 16 };
static struct {
    char *source;
    char name[64];
} known[MOST_TEXTS];
static size_t n_known;

static const char *library_of(const char *source)
{
    for (size_t i = 0; i < n_known; i++)
        if (strcmp(known[i].source, source) == 0)
            return known[i].name;
    return NULL;
}

__attribute__((destructor)) static void forget(void)
{
    for (size_t i = 0; i < n_known; i++) {
        remove(known[i].name);
        free(known[i].source);
    }
}

static void remember(const char *source, const char *name)
{
    if (n_known == MOST_TEXTS)
        fail("too many kernels, one is", name);
    known[n_known].source = ldpc_cuda_join(source, "");
    if (!known[n_known].source)
        fail("no memory for", "the text");
    strcpy(known[n_known++].name, name);
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
    write_kernel(file, source);
    fclose(file);
    snprintf(command, sizeof command, "%s -std=c++17 -Og -w -mf16c -fPIC -shared -o %s %s", LDPC_TEST_CXX,
             name, path);
    if (system(command))
        fail("cannot compile", path);
    remove(path);
    remember(source, name);
    strcpy(image, name);
}

/* Machine code of a GPU is no use here: its text is compiled instead. */
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
