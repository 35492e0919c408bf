/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the noise of each instruction set and of the GPU with that of plain C, bit by bit. Exit status 1 after a
 * difference.
 *
 *     noise [samples]        default 1e8
 *     noise samples gpu      exit status 77 without a GPU */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/host/nvrtc.h"
#include "cuda/kernels/kernel.h"
#include "cpu/cpu_kernel.h"
#include "sim/channel.h"

enum { FRAME = 1 << 20, THREADS = 256, SEED = 20, SKIPPED = 77 };

static const char kernel[] =
    "extern \"C\" __global__ void make_noise(unsigned long long seed, unsigned long long frame, float *to)\n"
    "{\n"
    "    unsigned block = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    philox_block b = philox(seed, frame, SIM_NOISE, block);\n"
    "    two_samples(b.word[0], b.word[1], to + 4 * block, to + 4 * block + 1);\n"
    "    two_samples(b.word[2], b.word[3], to + 4 * block + 2, to + 4 * block + 3);\n"
    "}\n";

typedef struct gpu {
    const ldpc_cuda_driver *driver;
    cu_function function;
    cu_stream stream;
    cu_pointer memory;
} gpu;

static void need(int failed, const char *what)
{
    if (!failed)
        return;
    fprintf(stderr, "noise: %s\n", what);
    exit(1);
}

static bool open_gpu(gpu *g)
{
    const char *why;
    const ldpc_nvrtc *nvrtc = ldpc_nvrtc_open();
    int device, major, minor;
    cu_context context;
    cu_module module;
    void *image = NULL;
    size_t bytes;
    ldpc_error err = {""};
    g->driver = ldpc_cuda_open(&why);
    if (!g->driver || !nvrtc) {
        printf("GPU: %s\n", g->driver ? "libnvrtc was not found" : why);
        return false;
    }
    need(g->driver->device_get(&device, 0) || g->driver->context_retain(&context, device) ||
             g->driver->context_push(context) ||
             g->driver->device_attribute(&major, CU_CAPABILITY_MAJOR, device) ||
             g->driver->device_attribute(&minor, CU_CAPABILITY_MINOR, device),
         "the GPU cannot be used");
    char *source = ldpc_cuda_join(ldpc_cuda_text_channel_math, kernel);
    need(!source || ldpc_cuda_compile(nvrtc, source, 10 * major + minor, NULL, &image, &bytes, &err),
         err.message);
    need(g->driver->module_load(&module, image) ||
             g->driver->module_function(&g->function, module, "make_noise") ||
             g->driver->stream_create(&g->stream, CU_STREAM_NON_BLOCKING) ||
             g->driver->memory_alloc(&g->memory, FRAME * sizeof(float)),
         "the kernel cannot be loaded");
    free(source);
    free(image);
    return true;
}

static void noise_of_gpu(const gpu *g, uint64_t frame, float *samples)
{
    uint64_t seed = SEED;
    void *parameters[] = {&seed, &frame, (void *)&g->memory};
    need(g->driver->launch(g->function, FRAME / 4 / THREADS, 1, 1, THREADS, 1, 1, 0, g->stream, parameters,
                           NULL) ||
             g->driver->copy_out_async(samples, g->memory, FRAME * sizeof(float), g->stream) ||
             g->driver->stream_synchronize(g->stream),
         "the kernel failed");
}

/* Returns the number of samples that differ. */
static size_t differing(const float *a, const float *b)
{
    size_t count = 0;
    for (size_t i = 0; i < FRAME; i++)
        count += memcmp(a + i, b + i, sizeof *a) != 0;
    return count;
}

int main(int argc, char **argv)
{
    size_t frames = (size_t)((argc > 1 ? strtod(argv[1], NULL) : 1e8) / FRAME) + 1, wrong = 0;
    const ldpc_channel_row *row, *plain = ldpc_channel_row_at(0);
    gpu g;
    bool has_gpu = open_gpu(&g);
    if (!has_gpu && argc > 2 && strcmp(argv[2], "gpu") == 0)
        return SKIPPED;
    float *expected = malloc(FRAME * sizeof *expected), *samples = malloc(FRAME * sizeof *samples);
    need(!expected || !samples, "no memory");
    size_t rows = 0;
    for (size_t f = 0; f < frames; f++) {
        plain->noise(SEED, f << 20, 0, FRAME, expected);
        rows = 0;
        for (size_t r = 1; (row = ldpc_channel_row_at(r)); r++) {
            if (!ldpc_cpu_runs(row->row.features))
                continue;
            row->noise(SEED, f << 20, 0, FRAME, samples);
            wrong += differing(samples, expected);
            rows++;
        }
        if (has_gpu) {
            noise_of_gpu(&g, f << 20, samples);
            wrong += differing(samples, expected);
        }
    }
    printf("%zu samples, plain C against %zu instruction sets%s: %zu differ\n", frames * (size_t)FRAME, rows,
           has_gpu ? " and a GPU" : "", wrong);
    free(expected);
    free(samples);
    return wrong > 0;
}
