/* SPDX-License-Identifier: BSD-3-Clause */
/* One decoder decodes batches in random order, in host memory and on several streams. Results of integer
 * kernels must equal those of the CPU. Results of float kernels must equal those of an idle GPU.
 *
 *     device_calls [--kernel NAME] [--rounds N] [--codewords N] [--seed N]
 *
 * Exit status 77 without a GPU. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/host/driver.h"
#include "cuda/kernels/kernel.h"
#include "ldpc/ldpc.h"

enum {
    INPUTS = 3,
    LANES = 5, /* number of streams, the default stream included */
    CALLS = 2,
    ACTIONS = 12, /* of a round */
    MOST_DEPTH = 8,
    UNTOUCHED = 0xaa,
    SKIPPED = 77
};

static const struct device_case {
    const char *kernel, *code;
    ldpc_arithmetic arithmetic;
    double ebn0_db;
    size_t codewords; /* largest batch */
} cases[] = {
    {"any",      "wifi:648:1/2",       LDPC_ARITHMETIC_I16,   2.0, 700},
    {"any",      "wifi:648:1/2",       LDPC_ARITHMETIC_I8,    2.0, 700},
    {"float",    "wifi:648:1/2",       LDPC_ARITHMETIC_FLOAT, 2.0, 700},
    {"chip",     "nr:bg2:20:770:180",  LDPC_ARITHMETIC_I16,   1.0, 700},
    {"straight", "wifi:648:1/2",       LDPC_ARITHMETIC_I16,   2.0, 700},
    {"dvb",      "dvbs2:64800:9/10",   LDPC_ARITHMETIC_I16,   4.0, 300},
    {"dvb",      "dvbs2:64800:9/10",   LDPC_ARITHMETIC_I8,    4.0, 300},
    {"pairs",    "ccsds:nb:cnbpb:128", LDPC_ARITHMETIC_I8,    3.0, 300},
};

typedef struct results {
    uint8_t *message;
    ldpc_codeword_info *info;
} results;

typedef struct lane {
    cu_stream stream;
    cu_pointer message, info;
    results got[CALLS];
    size_t calls, input[CALLS], codewords[CALLS];
} lane;

typedef struct host_batch {
    results got;
    size_t input, codewords;
} host_batch;

typedef struct trial {
    const struct device_case *is;
    const ldpc_cuda_driver *driver;
    ldpc_code *code;
    ldpc_decoder *dec;
    /* maximum number of codewords in a batch; LLRs per codeword; bytes per message */
    size_t most, n, message_bytes;
    int8_t *llr[INPUTS];
    float *llr_float[INPUTS];
    cu_pointer on_gpu[INPUTS];
    results expected[INPUTS], untouched;
    lane lanes[LANES];
    host_batch flying[MOST_DEPTH];
    size_t first, in_flight;
    unsigned long compared, wrong;
} trial;

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

static void worked(int result)
{
    must(result == 0, "a call of the driver failed");
}

static void accepted(const trial *t, ldpc_status status)
{
    must(status == LDPC_OK, ldpc_decoder_message(t->dec));
}

/* xorshift64* */
static uint64_t state;
static size_t random_below(size_t limit)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717u) >> 33) % limit;
}

/* ---- batches */

static bool is_float(const trial *t)
{
    return t->is->arithmetic == LDPC_ARITHMETIC_FLOAT;
}

static const void *llrs_of(const trial *t, size_t input)
{
    return is_float(t) ? (const void *)t->llr_float[input] : (const void *)t->llr[input];
}

static size_t llr_bytes(const trial *t)
{
    return t->n * (is_float(t) ? sizeof(float) : 1);
}

static ldpc_batch batch_of(const trial *t, size_t codewords, const void *llrs, const results *to)
{
    ldpc_batch batch = {.n_codewords = codewords, .message = to->message, .info = to->info};
    if (is_float(t))
        batch.llr_float = llrs;
    else
        batch.llr = llrs;
    return batch;
}

static void make_results(const trial *t, results *r)
{
    void *message, *info;
    worked(t->driver->host_alloc(&message, t->most * t->message_bytes, 0));
    worked(t->driver->host_alloc(&info, t->most * sizeof *r->info, 0));
    r->message = message;
    r->info = info;
}

static void clear_results(const trial *t, const results *r)
{
    memset(r->message, UNTOUCHED, t->most * t->message_bytes);
    memset(r->info, UNTOUCHED, t->most * sizeof *r->info);
}

static bool same_info(const ldpc_codeword_info *a, const ldpc_codeword_info *b)
{
    return a->iterations == b->iterations && a->unsatisfied == b->unsatisfied &&
           a->converged == b->converged && a->decoded == b->decoded;
}

/* Counts codewords with a wrong byte. Checks that nothing is written past the buffer. */
static void compare(trial *t, const char *call, const results *got, size_t input, size_t codewords)
{
    size_t wrong = 0;
    for (size_t w = 0; w < t->most; w++) {
        const results *want = w < codewords ? &t->expected[input] : &t->untouched;
        wrong += memcmp(got->message + w * t->message_bytes, want->message + w * t->message_bytes,
                        t->message_bytes) != 0 ||
                 !same_info(&got->info[w], &want->info[w]);
    }
    t->compared++;
    t->wrong += wrong > 0;
    if (wrong && t->wrong <= 5)
        fprintf(stderr, "  %s, %zu codewords: %zu wrong\n", call, codewords, wrong);
}

/* ---- calls */

static void call_device(trial *t, lane *l)
{
    const ldpc_cuda_driver *d = t->driver;
    const size_t i = l->calls++, message_bytes = t->most * t->message_bytes,
                 info_bytes = t->most * sizeof(ldpc_codeword_info);
    const results on_gpu = {(uint8_t *)(uintptr_t)l->message, (ldpc_codeword_info *)(uintptr_t)l->info};
    l->input[i] = random_below(INPUTS);
    l->codewords[i] = 1 + random_below(t->most);
    worked(d->copy_in_async(l->message, t->untouched.message, message_bytes, l->stream));
    worked(d->copy_in_async(l->info, t->untouched.info, info_bytes, l->stream));
    ldpc_batch batch = batch_of(t, l->codewords[i], (const void *)(uintptr_t)t->on_gpu[l->input[i]], &on_gpu);
    accepted(t, ldpc_decode_device(t->dec, l->stream, &batch));
    worked(d->copy_out_async(l->got[i].message, l->message, message_bytes, l->stream));
    worked(d->copy_out_async(l->got[i].info, l->info, info_bytes, l->stream));
}

static host_batch *prepare_host(trial *t, size_t i)
{
    host_batch *h = &t->flying[i % MOST_DEPTH];
    h->input = random_below(INPUTS);
    h->codewords = 1 + random_below(t->most);
    clear_results(t, &h->got);
    return h;
}

static void submit(trial *t)
{
    host_batch *h = prepare_host(t, t->first + t->in_flight);
    const ldpc_batch batch = batch_of(t, h->codewords, llrs_of(t, h->input), &h->got);
    accepted(t, ldpc_submit(t->dec, &batch));
    t->in_flight++;
}

static void collect(trial *t)
{
    const host_batch *h = &t->flying[t->first++ % MOST_DEPTH];
    t->in_flight--;
    accepted(t, ldpc_collect(t->dec, -1, NULL));
    compare(t, "submitted", &h->got, h->input, h->codewords);
}

static void decode(trial *t)
{
    host_batch *h = prepare_host(t, t->first);
    const ldpc_batch batch = batch_of(t, h->codewords, llrs_of(t, h->input), &h->got);
    accepted(t, ldpc_decode(t->dec, &batch));
    compare(t, "decoded", &h->got, h->input, h->codewords);
}

static void act(trial *t)
{
    lane *l = &t->lanes[random_below(LANES)];
    const size_t depth = ldpc_decoder_depth(t->dec);
    switch (random_below(5)) {
    case 0:
        if (t->in_flight < depth && t->in_flight < MOST_DEPTH)
            submit(t);
        break;
    case 1:
        if (t->in_flight)
            collect(t);
        break;
    case 2:
        if (!t->in_flight)
            decode(t);
        break;
    default:
        if (l->calls < CALLS)
            call_device(t, l);
    }
}

static void end_lanes(trial *t)
{
    for (size_t i = 0; i < LANES; i++) {
        lane *l = &t->lanes[i];
        worked(t->driver->stream_synchronize(l->stream));
        for (size_t c = 0; c < l->calls; c++)
            compare(t, "in the GPU's memory", &l->got[c], l->input[c], l->codewords[c]);
        l->calls = 0;
    }
}

static void play_round(trial *t)
{
    for (size_t i = 0; i < ACTIONS; i++)
        act(t);
    while (t->in_flight)
        collect(t);
    end_lanes(t);
}

/* ---- a trial */

static ldpc_decoder *make_decoder(const trial *t, const char *backend, const char *kernel)
{
    ldpc_decoder *dec;
    ldpc_error err = {""};
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = backend;
    params.kernel = kernel;
    params.arithmetic = t->is->arithmetic;
    params.max_iterations = 20;
    params.max_batch = t->most;
    params.packed = true;
    must(!ldpc_decoder_create(t->code, &params, &dec, &err), err.message);
    return dec;
}

static void make_input(trial *t, size_t input)
{
    ldpc_sim_params params;
    ldpc_error err = {""};
    ldpc_sim_params_init(&params);
    params.ebn0_db = t->is->ebn0_db;
    params.first_frame = input * t->most;
    t->llr[input] = malloc(t->most * t->n);
    t->llr_float[input] = malloc(t->most * t->n * sizeof(float));
    must(t->llr[input] && t->llr_float[input], "out of memory");
    must(!ldpc_sim_frames(t->code, &params, LDPC_DEFAULT_LLR_SCALE, t->most, NULL, t->llr[input],
                          t->llr_float[input], &err),
         err.message);
    worked(t->driver->memory_alloc(&t->on_gpu[input], t->most * llr_bytes(t)));
    worked(t->driver->copy_in(t->on_gpu[input], llrs_of(t, input), t->most * llr_bytes(t)));
    make_results(t, &t->expected[input]);
}

/* The expected results come from the CPU. For float arithmetic, they come from an idle GPU. */
static void find_expected(trial *t)
{
    ldpc_decoder *reference =
        is_float(t) ? make_decoder(t, "cuda", t->is->kernel) : make_decoder(t, "cpu", NULL);
    for (size_t i = 0; i < INPUTS; i++) {
        const ldpc_batch batch = batch_of(t, t->most, llrs_of(t, i), &t->expected[i]);
        must(!ldpc_decode(reference, &batch), ldpc_decoder_message(reference));
    }
    ldpc_decoder_destroy(reference);
}

static void make_lane(trial *t, size_t i)
{
    lane *l = &t->lanes[i];
    if (i + 1 < LANES)
        worked(t->driver->stream_create(&l->stream, i ? CU_STREAM_NON_BLOCKING : 0));
    worked(t->driver->memory_alloc(&l->message, t->most * t->message_bytes));
    worked(t->driver->memory_alloc(&l->info, t->most * sizeof(ldpc_codeword_info)));
    for (size_t c = 0; c < CALLS; c++)
        make_results(t, &l->got[c]);
}

static void make_trial(trial *t, size_t codewords)
{
    t->most = codewords && codewords < t->is->codewords ? codewords : t->is->codewords;
    must(!ldpc_code_create(t->is->code, &t->code, NULL), "no such code");
    const size_t bits = ldpc_code_symbol_bits(t->code);
    t->n = ldpc_code_n(t->code) * bits;
    t->message_bytes = (ldpc_code_k(t->code) * bits + 7) / 8;
    make_results(t, &t->untouched);
    clear_results(t, &t->untouched);
    for (size_t i = 0; i < INPUTS; i++)
        make_input(t, i);
    for (size_t i = 0; i < LANES; i++)
        make_lane(t, i);
    for (size_t i = 0; i < MOST_DEPTH; i++)
        make_results(t, &t->flying[i].got);
    worked(t->driver->stream_synchronize(NULL));
    find_expected(t);
    t->dec = make_decoder(t, "cuda", t->is->kernel);
}

/* Changes the kernel and destroys the decoder while batches are in flight on the caller's streams. */
static void end_trial(trial *t)
{
    for (size_t i = 0; i < LANES; i++)
        call_device(t, &t->lanes[i]);
    accepted(t, ldpc_decoder_set_early_stop(t->dec, false));
    end_lanes(t);
    accepted(t, ldpc_decoder_set_early_stop(t->dec, true));
    for (size_t i = 0; i < LANES; i++)
        call_device(t, &t->lanes[i]);
    ldpc_decoder_destroy(t->dec);
    end_lanes(t);
}

static void free_results(const trial *t, const results *r)
{
    worked(t->driver->host_free(r->message));
    worked(t->driver->host_free(r->info));
}

static void free_trial(trial *t)
{
    for (size_t i = 0; i < LANES; i++) {
        lane *l = &t->lanes[i];
        if (l->stream)
            worked(t->driver->stream_destroy(l->stream));
        worked(t->driver->memory_free(l->message));
        worked(t->driver->memory_free(l->info));
        for (size_t c = 0; c < CALLS; c++)
            free_results(t, &l->got[c]);
    }
    for (size_t i = 0; i < INPUTS; i++) {
        worked(t->driver->memory_free(t->on_gpu[i]));
        free_results(t, &t->expected[i]);
        free(t->llr[i]);
        free(t->llr_float[i]);
    }
    for (size_t i = 0; i < MOST_DEPTH; i++)
        free_results(t, &t->flying[i].got);
    free_results(t, &t->untouched);
    ldpc_code_destroy(t->code);
}

static unsigned long run(const ldpc_cuda_driver *driver, const struct device_case *is, unsigned long rounds,
                         size_t codewords)
{
    trial *t = calloc(1, sizeof *t);
    must(t != NULL, "out of memory");
    t->is = is;
    t->driver = driver;
    make_trial(t, codewords);
    for (unsigned long r = 0; r < rounds; r++)
        play_round(t);
    end_trial(t);
    free_trial(t);
    printf("%-8s %-5s %-20s %lu rounds, %lu batches compared, %lu wrong\n", is->kernel,
           ldpc_arithmetic_name(is->arithmetic), is->code, rounds, t->compared, t->wrong);
    fflush(stdout);
    const unsigned long wrong = t->wrong;
    free(t);
    return wrong;
}

/* ---- the program */

static const char *option(int count, char **given, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < count; i += 2)
        if (strcmp(given[i], name) == 0)
            return given[i + 1];
    return otherwise;
}

static bool has_case(const char *kernel)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].kernel, kernel) == 0)
            return true;
    return false;
}

int main(int count, char **given)
{
    const char *why, *kernel = option(count, given, "--kernel", "");
    const unsigned long rounds = strtoul(option(count, given, "--rounds", "200"), NULL, 10);
    const size_t codewords = strtoul(option(count, given, "--codewords", "0"), NULL, 10);
    const uint64_t seed = strtoull(option(count, given, "--seed", "0"), NULL, 10);
    unsigned long wrong = 0;
    int gpus = 0;
    cu_context context;
    const ldpc_cuda_driver *driver = ldpc_cuda_open(&why);
    if (!driver || driver->device_count(&gpus) || !gpus) {
        printf("no GPU: %s\n", driver ? "the driver has none" : why);
        return SKIPPED;
    }
    for (size_t i = 0; ldpc_cuda_kernel_at(i); i++)
        must(has_case(ldpc_cuda_kernel_at(i)->name), "a kernel has no case");
    state = seed ? seed : (uint64_t)time(NULL);
    printf("--seed %llu\n", (unsigned long long)state);
    worked(driver->context_retain(&context, 0));
    worked(driver->context_push(context));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!kernel[0] || strcmp(cases[i].kernel, kernel) == 0)
            wrong += run(driver, &cases[i], rounds, codewords);
    driver->context_pop(&context);
    driver->context_release(0);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
