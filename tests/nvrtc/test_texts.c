/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that compilers accept the kernel sources for random codes (draws.h), rules, arithmetics, schedules and
 * devices, with and without early stop.
 *
 *   test_texts [--seed N] [--count N] [--nvrtc]
 *
 * clang compiles CUDA sources as C++ (tests/emulate) and OpenCL sources, without a GPU. With --nvrtc, NVRTC
 * compiles CUDA sources. Source i of --count depends only on seed + i. To repeat its failure, set --seed to
 * seed + i and --count to 1. The test is skipped without the compiler. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/host/nvrtc.h"
#include "cuda/kernels/kernel.h"
#include "emulate/cxx_text.h"
#include "kernels/draws.h"

enum { SKIPPED = 77, MOST_TRIES = 2000 };

#define NVIDIA(capability_, sms_, kilobytes)                                                                 \
    {                                                                                                        \
        .capability = capability_, .sms = sms_, .most_threads = 1024, .shared_bytes = 1024 * (kilobytes),    \
        .shared_bytes_per_sm = 1024 * ((kilobytes) + 1), .l2_bytes = 50 << 20, .warps = true                 \
    }

#define OPENCL(capability_, sms_, threads, kilobytes)                                                        \
    {                                                                                                        \
        .capability = capability_, .sms = sms_, .most_threads = threads, .shared_bytes = 1024 * (kilobytes), \
        .shared_bytes_per_sm = 1024 * (kilobytes), .warps = capability_ >= LDPC_CUDA_LEAST_CAPABILITY,       \
        .opencl = true                                                                                       \
    }

static const ldpc_cuda_device gpus[] = {NVIDIA(90, 132, 227), NVIDIA(90, 132, 227), NVIDIA(75, 68, 64),
                                        NVIDIA(80, 108, 163), NVIDIA(89, 128, 99)};

/* Devices: NVIDIA's OpenCL on new and old GPUs, a GPU of another vendor, a device with small work-groups. */
static const ldpc_cuda_device opencl_devices[] = {
    OPENCL(90, 132, 1024, 48),
    OPENCL(61, 20, 1024, 48),
    OPENCL(0, 32, 256, 64),
    OPENCL(0, 16, 128, 32),
};

/* Generators and code kinds. The drawn codes of `kind` are divided among all entries, so generators with many
 * variants have several entries. */
typedef struct target {
    const ldpc_cuda_kernel *kernel;
    bool opencl;
    const char *kind; /* of codes */
    unsigned checked;
} target;

static target targets[] = {
    {&ldpc_cuda_straight, false, "qc",        0},
    {&ldpc_cuda_chip,     false, "mixed",     0},
    {&ldpc_cuda_straight, true,  "qc",        0},
    {&ldpc_cuda_dvb,      false, "dvb",       0},
    {&ldpc_cuda_straight, false, "small",     0},
    {&ldpc_cuda_float,    false, "mixed",     0},
    {&ldpc_cuda_nb_pairs, false, "nonbinary", 0},
    {&ldpc_cuda_float,    true,  "mixed",     0},
    {&ldpc_cuda_straight, true,  "small",     0},
    {&ldpc_cuda_nb_pairs, true,  "nonbinary", 0},
    {&ldpc_cuda_straight, false, "qc",        0},
    {&ldpc_cuda_chip,     false, "irregular", 0},
    {&ldpc_cuda_any,      false, "mixed",     0},
    {&ldpc_cuda_any,      true,  "mixed",     0},
};
enum { TARGETS = sizeof targets / sizeof *targets };

typedef struct options {
    uint64_t seed, count;
    bool nvrtc;
} options;

/* Code, plan and device for which a source is generated. */
typedef struct draw {
    ldpc_code *code;
    ldpc_plan plan;
    const ldpc_cuda_device *device;
} draw;

static const ldpc_cuda_device *draw_device(random_state *random, const target *t)
{
    return t->opencl ? &opencl_devices[random_below(random, sizeof opencl_devices / sizeof *opencl_devices)]
                     : &gpus[random_below(random, sizeof gpus / sizeof *gpus)];
}

static void draw_rule(random_state *random, const target *t, const ldpc_code *code,
                      ldpc_decoder_params *params)
{
    static const ldpc_algorithm nonbinary[] = {LDPC_ALGORITHM_MIN_SUM, LDPC_ALGORITHM_MIN_MAX};
    ldpc_decoder_params_init(params);
    if (!t->kernel->nonbinary) {
        draw_decoder(random, code, params);
        return;
    }
    params->algorithm = nonbinary[random_below(random, 2)];
    params->schedule = random_below(random, 2) ? LDPC_SCHEDULE_LAYERED : LDPC_SCHEDULE_FLOODING;
    params->early_stop = random_below(random, 2);
}

/* Returns false if the kernel does not support the drawn parameters. */
static bool draw_once(random_state *random, const target *t, draw *d)
{
    char name[64];
    ldpc_decoder_params params;
    snprintf(name, sizeof name, "drawn:%s:%" PRIu32, t->kind, random_next(random));
    *d = (draw){.code = drawn_code_create(name), .device = draw_device(random, t)};
    if (!d->code)
        return false;
    draw_rule(random, t, d->code, &params);
    if (!ldpc_plan_init(&d->plan, d->code, &params,
                        t->kernel->nonbinary ? LDPC_ARITHMETIC_I8 : LDPC_ARITHMETIC_I16, NULL)) {
        if (ldpc_cuda_supports(t->kernel, &d->plan, d->device))
            return true;
        ldpc_plan_clear(&d->plan);
    }
    ldpc_code_destroy(d->code);
    return false;
}

/* ---- compilers */

static bool run_clang(const char *arguments, const char *text, bool cxx)
{
    char path[] = "/tmp/ldpc_text_XXXXXX", command[600];
    int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    if (!file)
        return false;
    bool ok = cxx ? cxx_text_write(file, text) : fputs(text, file) >= 0;
    ok = !fclose(file) && ok;
    snprintf(command, sizeof command, "clang -fsyntax-only %s %s", arguments, path);
    ok = ok && !system(command);
    if (ok)
        remove(path);
    else
        printf("FAILED: %s\n", command);
    return ok;
}

/* Only NVIDIA's OpenCL C supports `asm` with PTX. */
static bool check_opencl(const char *text, unsigned threads, const ldpc_cuda_device *device)
{
    char arguments[400], machine[80] = "-target spir64 -Xclang -cl-ext=+cl_khr_fp16";
    if (device->warps)
        snprintf(machine, sizeof machine, "-target nvptx64 -Dasm=__asm__ -DLDPC_PTX=%d", device->capability);
    snprintf(arguments, sizeof arguments,
             "-x cl -cl-std=CL1.2 %s -nostdlibinc -Xclang -finclude-default-header -D__OPENCL_VERSION__=120 "
             "-DLDPC_THREADS=%u -Wall -Wextra -Wno-unused -Wno-unused-parameter "
             "-Wno-constant-logical-operand -Werror",
             machine, threads);
    return run_clang(arguments, text, false);
}

static bool check_cuda(const char *text)
{
    return run_clang(
        "-x c++ -std=c++17 -mf16c -Wno-everything -Werror=uninitialized -Werror=conditional-uninitialized",
        text, true);
}

static bool compile(const char *text, const ldpc_cuda_device *device)
{
    void *image = NULL;
    size_t bytes;
    ldpc_error err = {""};
    const bool ok =
        !ldpc_cuda_compile(ldpc_nvrtc_open(), text, device->capability, NULL, &image, &bytes, &err);
    if (!ok)
        printf("FAILED: %s\n", err.message);
    free(image);
    return ok;
}

/* ---- one text */

static bool fits(const ldpc_cuda_program *p, const ldpc_cuda_device *device)
{
    const bool ok = p->threads && p->threads <= device->most_threads &&
                    (device->opencl || p->threads % 32 == 0) && p->codewords &&
                    p->shared_bytes <= device->shared_bytes;
    if (!ok)
        printf("FAILED: %u threads, %u codewords, %zu bytes of shared memory\n", p->threads, p->codewords,
               p->shared_bytes);
    return ok;
}

static bool check(const target *t, const draw *d, bool nvrtc)
{
    ldpc_cuda_program program = {0};
    const ldpc_status status = t->kernel->make(&d->plan, d->device, &program);
    bool ok = !status && fits(&program, d->device);
    if (status)
        printf("FAILED: no text: %s\n", ldpc_status_string(status));
    if (ok && !program.source) /* the library has this program */
        program.source = ldpc_cuda_join(
            d->plan.algorithm == LDPC_ALGORITHM_THREE_MIN ? "#define THREE_MIN 1\n" : "", ldpc_cuda_text_any);
    ok = ok && program.source &&
         (d->device->opencl ? check_opencl(program.source, program.threads, d->device)
          : nvrtc           ? compile(program.source, d->device)
                            : check_cuda(program.source));
    ldpc_cuda_program_free(&program);
    return ok;
}

static void report(const options *o, uint64_t number, const target *t, const draw *d)
{
    printf("%s, %s, %s: %s, %s, %s, %s, capability %d, %zu bytes of shared memory\nrepeat with: test_texts "
           "--seed %" PRIu64 " --count 1%s\n",
           t->kernel->name, t->opencl ? "OpenCL" : "CUDA", d->code->name,
           ldpc_algorithm_name(d->plan.algorithm), ldpc_arithmetic_name(d->plan.arithmetic),
           ldpc_schedule_name(d->plan.schedule), d->plan.early_stop ? "early stop" : "fixed",
           d->device->capability, d->device->shared_bytes, number, o->nvrtc ? " --nvrtc" : "");
}

/* Returns false if the compiler refuses the source. */
static bool run(const options *o, uint64_t number)
{
    target *t = &targets[number % TARGETS];
    random_state random = random_of(number, "text");
    draw d;
    while (o->nvrtc && t->opencl)
        t = &targets[random_below(&random, TARGETS)];
    unsigned tries = 0;
    while (!draw_once(&random, t, &d))
        if (++tries == MOST_TRIES) {
            printf("FAILED: kernel %s supports none of %d codes of the kind %s\n", t->kernel->name,
                   MOST_TRIES, t->kind);
            return false;
        }
    const bool ok = check(t, &d, o->nvrtc);
    if (!ok)
        report(o, number, t, &d);
    t->checked += ok;
    ldpc_plan_clear(&d.plan);
    ldpc_code_destroy(d.code);
    return ok;
}

static void print_counts(void)
{
    for (size_t i = 0; i < TARGETS; i++) {
        unsigned checked = 0;
        bool first = true;
        for (size_t j = 0; j < TARGETS; j++)
            if (targets[j].kernel == targets[i].kernel && targets[j].opencl == targets[i].opencl) {
                first &= j >= i;
                checked += targets[j].checked;
            }
        if (first)
            printf("%-8s %-6s %4u texts\n", targets[i].kernel->name, targets[i].opencl ? "OpenCL" : "CUDA",
                   checked);
    }
}

static bool parse(int argc, char **argv, options *o)
{
    *o = (options){.seed = 610, .count = 20}; /* some of these sources keep all columns in registers */
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            o->seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            o->count = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--nvrtc") == 0)
            o->nvrtc = true;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    options o;
    uint64_t failed = 0;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: test_texts [--seed N] [--count N] [--nvrtc]\n");
        return 2;
    }
    if (o.nvrtc ? !ldpc_nvrtc_open() : system("command -v clang >/dev/null") != 0) {
        printf("%s not found\n", o.nvrtc ? "libnvrtc" : "clang");
        return SKIPPED;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("seed %" PRIu64 "\n", o.seed);
    for (uint64_t i = 0; i < o.count; i++)
        failed += !run(&o, o.seed + i);
    print_counts();
    if (failed)
        printf("%" PRIu64 " FAILED (seed %" PRIu64 ")\n", failed, o.seed);
    return failed ? 1 : 0;
}
