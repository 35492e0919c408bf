/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures throughput on a GPU, without Python: bench_gpu [--opencl] CODE KERNEL ARITHMETIC ITERATIONS EARLY_STOP
 * CODEWORDS TRANSFERS [SECONDS [ALGORITHM [SCHEDULE [STREAMS]]]]
 *
 *     --opencl    first device of backend "opencl" instead of "cuda"
 *     CODE        name, or random:N:DV:DC:Q for a random regular code over GF(Q) with seed 1
 *     KERNEL      also one of tests/bench/comparison
 *     TRANSFERS   device   LLRs and bits stay on the GPU
 *                 host     pinned memory, STREAMS batches in flight (default 3)
 *                 latency  one blocking call at a time on STREAMS streams (default 1)
 *                 breadth  like latency, but all input copies before all kernels
 *
 * Prints one line of JSON with the names of ldpc-bench. Frames are random noisy codewords. The first codewords
 * are compared with those of the CPU, byte for byte. In float, a few codewords may differ by rounding. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/backend/cuda_state.h"
#include "bench/comparison/breadth_first.h"
#include "decode/decoder_internal.h"
#include "ldpc/ldpc.h"
#include "opencl/opencl_internal.h"

enum {
    CHECKED = 32,
    CHECKED_NONBINARY = 4,
    MAX_RUNS = 20000,
    FRAMES = 512,
    MAX_DEPTH = 64, /* maximum number of batches in flight for each decoder */
    WINDOW = 64     /* number of runs in a window; the speed of the fastest window is printed */
};

typedef struct bench {
    const ldpc_cuda_driver *driver;
    cu_stream stream; /* stream for data in GPU memory */
    ldpc_code *code;
    ldpc_decoder *dec;
    ldpc_decoder_params params;
    size_t codewords, n, k, message_bytes; /* n and k in bits */
    int8_t *llr;                           /* pinned */
    uint8_t *bits;                         /* pinned */
    cu_pointer llr_gpu, bits_gpu;
    double *runs; /* latency of each run, s */
    double *ends; /* end of each run, s */
    double submitted[MAX_DEPTH];
    size_t count, started;
} bench;

static void must(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "bench_gpu: %s (%d)\n", what, failed);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_frames(bench *b)
{
    uint32_t seed = 1;
    size_t distinct = b->codewords < FRAMES ? b->codewords : FRAMES;
    uint8_t *message = calloc(1, b->k), *codeword = calloc(1, b->n);
    for (size_t w = 0; w < distinct; w++) {
        for (size_t i = 0; i < b->k; i++)
            message[i] = (seed = seed * 1664525u + 1013904223u) >> 31;
        must(ldpc_encode(b->code, message, 1, codeword), "encode");
        for (size_t i = 0; i < b->n; i++) {
            int noise = 0;
            for (int j = 0; j < 4; j++)
                noise += (int)((seed = seed * 1664525u + 1013904223u) >> 24) - 128;
            int llr = (codeword[i] ? -7 : 7) + noise / 30;
            b->llr[w * b->n + i] = (int8_t)llr;
        }
    }
    for (size_t w = distinct; w < b->codewords; w++)
        memcpy(b->llr + w * b->n, b->llr + w % distinct * b->n, b->n);
    free(message);
    free(codeword);
}

/* Returns the number of codewords whose bits or info are wrong. */
static size_t different(const bench *b, size_t codewords, const uint8_t *expected,
                        const ldpc_codeword_info *info)
{
    size_t count = 0;
    for (size_t w = 0; w < codewords; w++)
        count += memcmp(b->bits + w * b->message_bytes, expected + w * b->message_bytes, b->message_bytes) ||
                 memcmp(info + w, info + codewords + w, sizeof *info);
    return count;
}

static double mean_iterations(const ldpc_codeword_info *info, size_t codewords)
{
    double sum = 0;
    for (size_t w = 0; w < codewords; w++)
        sum += info[w].iterations;
    return sum / (double)codewords;
}

static void verify(bench *b)
{
    bool binary = ldpc_code_order(b->code) == 2, exact = b->params.arithmetic != LDPC_ARITHMETIC_FLOAT;
    size_t checked = binary ? CHECKED : CHECKED_NONBINARY;
    size_t codewords = b->codewords < checked ? b->codewords : checked;
    ldpc_decoder_params params = b->params;
    ldpc_decoder *cpu;
    uint8_t *expected = calloc(codewords, b->message_bytes);
    ldpc_codeword_info *info = calloc(2 * codewords, sizeof *info);
    params.backend = "cpu";
    params.kernel = binary ? NULL : "ref";
    params.max_batch = 0;
    must(ldpc_decoder_create(b->code, &params, &cpu, NULL), "no decoder to compare with");
    ldpc_batch batch = {.n_codewords = codewords, .llr = b->llr, .message = b->bits, .info = info};
    must(ldpc_decode(b->dec, &batch), ldpc_decoder_message(b->dec));
    batch.message = expected;
    batch.info = info + codewords;
    must(ldpc_decode(cpu, &batch), ldpc_decoder_message(cpu));
    must(different(b, codewords, expected, info) > (exact ? 0 : codewords / 4),
         "WRONG: not what the CPU gives");
    printf("\"iterations_mean\": %.2f, ", mean_iterations(info, codewords));
    ldpc_decoder_destroy(cpu);
    free(expected);
    free(info);
}

static void take(bench *b, double begin)
{
    b->ends[b->count] = now();
    b->runs[b->count] = b->ends[b->count] - begin;
    b->count++;
}

static void run_device(bench *b)
{
    double begin = now();
    ldpc_batch batch = {.n_codewords = b->codewords,
                        .llr = (const int8_t *)(uintptr_t)b->llr_gpu,
                        .message = (uint8_t *)(uintptr_t)b->bits_gpu};
    ldpc_error err = {""};
    must(ldpc_cuda_decode_device(b->dec->state, b->stream, &batch, &err), err.message);
    must(b->driver->stream_synchronize(b->stream), "stream");
    take(b, begin);
}

static void run_latency(bench *b)
{
    double begin = now();
    ldpc_batch batch = {.n_codewords = b->codewords, .llr = b->llr, .message = b->bits};
    must(ldpc_decode(b->dec, &batch), ldpc_decoder_message(b->dec));
    take(b, begin);
}

static void run_breadth(bench *b)
{
    double begin = now();
    ldpc_error err = {""};
    ldpc_batch batch = {.n_codewords = b->codewords, .llr = b->llr, .message = b->bits};
    must(ldpc_cuda_decode_breadth_first(b->dec->state, &batch, &err), err.message);
    take(b, begin);
}

/* A full pipeline collects the oldest batch first. */
static void run_host(bench *b)
{
    size_t depth = ldpc_decoder_depth(b->dec);
    ldpc_batch batch = {.n_codewords = b->codewords, .llr = b->llr, .message = b->bits};
    if (b->started >= depth) {
        must(ldpc_collect(b->dec, -1, NULL), ldpc_decoder_message(b->dec));
        take(b, b->submitted[b->started % depth]);
    }
    b->submitted[b->started++ % depth] = now();
    must(ldpc_submit(b->dec, &batch), ldpc_decoder_message(b->dec));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the mean time of a run in seconds. *best: mean time of a run in the fastest window. */
static double seconds_of_run(const bench *b, double *best)
{
    size_t window = b->count / 8 > WINDOW ? b->count / 8 : WINDOW;
    window = window < b->count ? window : b->count - 1;
    double mean = (b->ends[b->count - 1] - b->ends[0]) / (double)(b->count - 1);
    *best = mean;
    for (size_t i = window; i < b->count; i++) {
        double seconds = (b->ends[i] - b->ends[i - window]) / (double)window;
        *best = seconds < *best ? seconds : *best;
    }
    return mean;
}

static void measure(bench *b, void (*run)(bench *), double seconds)
{
    for (int i = 0; i < 10; i++)
        run(b);
    b->count = 0;
    double start = now();
    while (b->count < MAX_RUNS && (b->count < 2 || now() - start < seconds))
        run(b);
    double best, rate = seconds_of_run(b, &best), bits = (double)b->codewords * (double)b->n;
    qsort(b->runs, b->count, sizeof *b->runs, ascending);
    double median = b->runs[b->count / 2];
    if (run != run_host) { /* only one batch in flight */
        rate = median;
        best = b->runs[0];
    }
    printf("\"coded_mbps\": %.0f, \"coded_mbps_best\": %.0f, \"latency_us_p50\": %.1f, \"latency_us_p99\": "
           "%.1f, \"runs\": %zu}\n",
           bits / rate / 1e6, bits / best / 1e6, median * 1e6, b->runs[b->count * 99 / 100] * 1e6, b->count);
}

static ldpc_status make_code(const char *name, ldpc_code **code, ldpc_error *err)
{
    unsigned n, dv, dc, order;
    if (sscanf(name, "random:%u:%u:%u:%u", &n, &dv, &dc, &order) == 4)
        return ldpc_code_create_random(n, dv, dc, order, 1, code, err);
    return ldpc_code_create(name, code, err);
}

static void open_all(bench *b, bool opencl, char **argv, const char *algorithm, const char *schedule,
                     uint32_t streams)
{
    const char *why;
    cu_context context;
    ldpc_error err = {""};
    b->driver = opencl ? ldpc_opencl_driver_open(&why) : ldpc_cuda_open(&why);
    must(!b->driver, why ? why : "");
    must(b->driver->context_retain(&context, 0) || b->driver->context_push(context), "context");
    must(b->driver->stream_create(&b->stream, CU_STREAM_NON_BLOCKING), "stream");
    must(make_code(argv[1], &b->code, &err), err.message);
    ldpc_decoder_params_init(&b->params);
    must(ldpc_arithmetic_parse(argv[3], &b->params.arithmetic), "arithmetic");
    must(ldpc_decoder_params_set_algorithm(&b->params, algorithm, NULL), "algorithm");
    must(ldpc_schedule_parse(schedule, &b->params.schedule), "schedule");
    b->params.backend = b->driver->backend;
    b->params.kernel = strcmp(argv[2], "auto") == 0 ? NULL : argv[2];
    b->params.max_iterations = (uint32_t)atoi(argv[4]);
    b->params.early_stop = atoi(argv[5]);
    b->params.max_batch = b->codewords = (size_t)atoi(argv[6]);
    b->params.packed = true;
    b->params.streams = streams ? streams : strcmp(argv[7], "host") == 0 ? 3 : 1;
    b->params.cache_dir = "/tmp/libldpc-bench-cache";
    double start = now();
    must(ldpc_decoder_create(b->code, &b->params, &b->dec, &err), err.message);
    must(ldpc_decoder_wait_kernel(b->dec, -1), ldpc_decoder_message(b->dec));
    b->n = (size_t)ldpc_code_n(b->code) * ldpc_code_symbol_bits(b->code);
    b->k = (size_t)ldpc_code_k(b->code) * ldpc_code_symbol_bits(b->code);
    b->message_bytes = (b->k + 7) / 8;
    size_t lanes = ldpc_decoder_lanes(b->dec);
    char name[256] = "";
    must(b->driver->device_name(name, sizeof name, 0), "name");
    printf("{\"backend\": \"%s\", \"code\": \"%s\", \"kernel\": \"%s\", \"algorithm\": \"%s\", \"schedule\": "
           "\"%s\", "
           "\"arithmetic\": \"%s\", \"iterations\": %s, "
           "\"early_stop\": %s, "
           "\"batch\": %zu, \"n_cw\": %zu, \"n_mcw\": %zu, \"transfers\": \"%s\", \"streams\": %u, "
           "\"device\": \"%s\", \"create_s\": %.2f, ",
           b->driver->backend, argv[1], ldpc_decoder_kernel(b->dec),
           ldpc_algorithm_name(ldpc_decoder_algorithm(b->dec)), schedule, argv[3], argv[4],
           b->params.early_stop ? "true" : "false", b->codewords, lanes, (b->codewords + lanes - 1) / lanes,
           argv[7], b->params.streams, name, now() - start);
    printf("\"edges\": %zu, ", ldpc_code_edges(b->code));
    fflush(stdout);
}

static void open_buffers(bench *b)
{
    size_t bytes = b->codewords * b->n, out = b->codewords * b->message_bytes;
    b->llr = ldpc_decoder_alloc(b->dec, bytes);
    b->bits = ldpc_decoder_alloc(b->dec, out);
    must(!b->llr || !b->bits, "pinned memory");
    b->runs = calloc(MAX_RUNS, sizeof *b->runs);
    b->ends = calloc(MAX_RUNS, sizeof *b->ends);
    must(!b->runs || !b->ends, "memory");
    make_frames(b);
    must(b->driver->memory_alloc(&b->llr_gpu, bytes) || b->driver->memory_alloc(&b->bits_gpu, out), "memory");
    must(b->driver->copy_in(b->llr_gpu, b->llr, bytes), "copy");
}

static void (*run_of(const char *transfers))(bench *)
{
    return strcmp(transfers, "device") == 0    ? run_device
           : strcmp(transfers, "host") == 0    ? run_host
           : strcmp(transfers, "breadth") == 0 ? run_breadth
                                               : run_latency;
}

int main(int argc, char **argv)
{
    bench b = {0};
    bool opencl = argc > 1 && strcmp(argv[1], "--opencl") == 0;
    argc -= opencl;
    argv += opencl;
    if (argc < 8) {
        fprintf(stderr, "usage: bench_gpu [--opencl] CODE KERNEL ARITHMETIC ITERATIONS EARLY_STOP CODEWORDS "
                        "device|host|latency|breadth [SECONDS [ALGORITHM [SCHEDULE [STREAMS]]]]\n");
        return 2;
    }
    open_all(&b, opencl, argv, argc > 9 ? argv[9] : "auto", argc > 10 ? argv[10] : "auto",
             argc > 11 ? (uint32_t)atoi(argv[11]) : 0);
    open_buffers(&b);
    verify(&b);
    void (*run)(bench *) = run_of(argv[7]);
    measure(&b, run, argc > 8 ? atof(argv[8]) : 1);
    while (ldpc_collect(b.dec, -1, NULL) == LDPC_OK)
        ;
    ldpc_decoder_free(b.dec, b.llr);
    ldpc_decoder_free(b.dec, b.bits);
    ldpc_decoder_destroy(b.dec);
    return 0;
}
