/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kernel of every usable backend against the reference, byte for byte: bits, posteriors, iterations,
 * unsatisfied checks, and guard bytes around each buffer. A new kernel is proved by being listed in its
 * backend's table.
 *
 *   test_kernels [--list] [--seed N] [--backend NAME] [--needs DEVICES] [--kernel NAME] [--code NAME]
 *                [--algorithm NAME] [--rounds N] [--part I/N]
 *
 * Float arithmetic is compared by tolerance, on codewords that converge. What a kernel does not support is
 * listed. The reference is compared with itself only when --kernel names it.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_kernel.h"
#include "guarded.h"
#include "plan/algorithms.h"
#include "samples.h"

enum {
    MAX_CODEWORDS = 131,
    LONG_CODEWORDS = 21,
    ERASED_CODEWORDS = 5,
    NOTHING_COMPARED = 3,
    SKIPPED_ALL = 77
};

typedef struct options {
    uint64_t seed;
    const char *backend, *needs, *kernel, *code, *algorithm;
    unsigned rounds;      /* batches per combination */
    unsigned part, parts; /* part 1 .. parts of the codes */
    bool list;
} options;

typedef struct totals {
    unsigned compared, failed, unsupported;
} totals;

/* ---- buffers */

/* One batch with all its buffers. */
typedef struct arena {
    guarded llr, message, codeword, posterior, info;
    ldpc_batch batch;
} arena;

static int8_t *llrs_make(size_t count)
{
    int8_t *llrs = malloc(count);
    if (!llrs) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return llrs;
}

static void arena_make(arena *a, const ldpc_code *code, size_t n_codewords, bool packed, const int8_t *llr)
{
    size_t n = ldpc_code_n(code), k = ldpc_code_k(code);
    int8_t *input = guarded_make(&a->llr, n_codewords * n);
    memcpy(input, llr, n_codewords * n);
    a->batch = (ldpc_batch){
        .n_codewords = n_codewords,
        .llr = input,
        .message = guarded_make(&a->message, n_codewords * row_bytes(k, packed)),
        .codeword = guarded_make(&a->codeword, n_codewords * row_bytes(n, packed)),
        .posterior = guarded_make(&a->posterior, n_codewords * n * sizeof(int16_t)),
        .info = guarded_make(&a->info, n_codewords * sizeof(ldpc_codeword_info)),
    };
}

static void arena_free(arena *a)
{
    free(a->llr.memory);
    free(a->message.memory);
    free(a->codeword.memory);
    free(a->posterior.memory);
    free(a->info.memory);
}

/* ---- comparing */

static bool guards_intact(const arena *a, const int8_t *llr)
{
    return guarded_intact(&a->llr) && guarded_intact(&a->message) && guarded_intact(&a->codeword) &&
           guarded_intact(&a->posterior) && guarded_intact(&a->info) &&
           memcmp(a->batch.llr, llr, a->llr.bytes) == 0;
}

static bool same_info(const ldpc_codeword_info *a, const ldpc_codeword_info *b)
{
    return a->iterations == b->iterations && a->unsatisfied == b->unsatisfied &&
           a->converged == b->converged && a->decoded == b->decoded;
}

/* What differs between the kernel's batch and the reference's, or NULL. *where receives the codeword. */
static const char *difference(const ldpc_code *code, const arena *got, const arena *expected, bool packed,
                              size_t *where)
{
    size_t n = ldpc_code_n(code), message = row_bytes(ldpc_code_k(code), packed),
           codeword = row_bytes(n, packed);
    for (size_t w = 0; w < got->batch.n_codewords; w++) {
        *where = w;
        if (!same_info(&got->batch.info[w], &expected->batch.info[w]))
            return "info";
        if (memcmp(got->batch.posterior + w * n, expected->batch.posterior + w * n, n * sizeof(int16_t)) != 0)
            return "posterior";
        if (memcmp(got->batch.codeword + w * codeword, expected->batch.codeword + w * codeword, codeword) !=
            0)
            return "codeword";
        if (memcmp(got->batch.message + w * message, expected->batch.message + w * message, message) != 0)
            return "message";
    }
    return NULL;
}

/* Float: rounding differs between kernels, so codewords that have not converged may differ. One that
 * converged in both must have the same codeword and posteriors of the same size: where rounding decides
 * between two equal minima a message changes by up to 0.8 nat, 2.4 steps (three-min). */
static const char *float_difference(const ldpc_code *code, const arena *got, const arena *expected,
                                    size_t *where)
{
    size_t n = ldpc_code_n(code), apart = 0;
    for (size_t w = 0; w < got->batch.n_codewords; w++) {
        const ldpc_codeword_info *a = &got->batch.info[w], *b = &expected->batch.info[w];
        *where = w;
        apart += a->converged != b->converged;
        if (!a->decoded || (a->converged != 0) != (a->unsatisfied == 0))
            return "info";
        if (!a->converged || !b->converged || a->iterations != b->iterations)
            continue;
        for (size_t i = 0; i < n; i++) {
            int p = got->batch.posterior[w * n + i], q = expected->batch.posterior[w * n + i];
            if (abs(p - q) > 3 + abs(q) / 50)
                return "posterior";
        }
    }
    return apart > 1 + got->batch.n_codewords / 10 ? "number of converged codewords" : NULL;
}

/* Erasures, no bits packed: one that no check has resolved, by the reference beside certain bits, is 0 beside
 * any others. */
static const char *erasures_difference(const ldpc_code *code, const arena *got, const arena *expected,
                                       size_t *where)
{
    size_t n = ldpc_code_n(code);
    for (size_t i = 0; i < got->batch.n_codewords * n; i++) {
        *where = i / n;
        if (expected->batch.posterior[i] == 0 &&
            (got->batch.posterior[i] != 0 || got->batch.codeword[i] != 0))
            return "a bit that nothing is known about";
    }
    return NULL;
}

/* ---- one combination */

static bool wanted(const char *filter, const char *name)
{
    return !filter || strcmp(filter, name) == 0;
}

typedef struct combination {
    const char *code_name;
    const ldpc_code *code;
    ldpc_decoder_params params;
} combination;

static void print_combination(const combination *c, const char *backend, const char *kernel,
                              size_t n_codewords)
{
    printf("%s/%s %s %s %s %s, %s, %u iterations, %s, %zu codewords", backend, kernel, c->code_name,
           ldpc_algorithm_name(c->params.algorithm), ldpc_arithmetic_name(c->params.arithmetic),
           ldpc_schedule_name(c->params.schedule), c->params.early_stop ? "early stop" : "fixed",
           c->params.max_iterations, c->params.packed ? "packed" : "unpacked", n_codewords);
}

static ldpc_decoder *open_decoder(const combination *c, const char *backend, const char *kernel, totals *t)
{
    ldpc_decoder_params params = c->params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    params.backend = backend;
    params.kernel = kernel;
    params.max_batch =
        strcmp(backend, "cpu") == 0 ? 0 : MAX_CODEWORDS; /* pinned memory for more takes its time */
    ldpc_status status = ldpc_decoder_create(c->code, &params, &dec, &err);
    if (status && status != LDPC_ERR_UNSUPPORTED) {
        print_combination(c, backend, kernel, 0);
        printf(": FAILED to create: %s\n", err.message);
        t->failed++;
    }
    t->unsupported += status == LDPC_ERR_UNSUPPORTED;
    return dec;
}

/* `what` differs in codeword w, or NULL. */
static void report(const combination *c, const ldpc_decoder *dec, const char *what, size_t n_codewords,
                   size_t w, totals *t)
{
    t->compared++;
    if (what) {
        t->failed++;
        print_combination(c, ldpc_decoder_backend(dec), ldpc_decoder_kernel(dec), n_codewords);
        printf(": FAILED: %s differs in codeword %zu\n", what, w);
    }
}

/* Decode n_codewords of `llr` with both decoders and compare. */
static void compare(const combination *c, ldpc_decoder *dec, ldpc_decoder *ref, const int8_t *llr,
                    size_t n_codewords, totals *t)
{
    arena got, expected;
    arena_make(&got, c->code, n_codewords, c->params.packed, llr);
    arena_make(&expected, c->code, n_codewords, c->params.packed, llr);
    ldpc_status status = ldpc_decode(dec, &got.batch);
    const char *what = status ? ldpc_decoder_message(dec) : NULL;
    size_t where = 0;
    if (!status && ldpc_decode(ref, &expected.batch))
        what = ldpc_decoder_message(ref);
    if (!what)
        what = c->params.arithmetic == LDPC_ARITHMETIC_FLOAT
                   ? float_difference(c->code, &got, &expected, &where)
                   : difference(c->code, &got, &expected, c->params.packed, &where);
    if (!what && !(guards_intact(&got, llr) && guards_intact(&expected, llr)))
        what = "a byte outside of the buffers, or the input,";
    report(c, dec, what, n_codewords, where, t);
    arena_free(&got);
    arena_free(&expected);
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Batches of 1, good - 1, good, good + 1 and odd sizes. */
static size_t batch_size(random_state *random, unsigned round, size_t good)
{
    const size_t sizes[] = {good + 1, 1, good, good > 1 ? good - 1 : 2,
                            1 + 2 * (size_t)random_below(random, 8)};
    return at_most(sizes[round % 5], MAX_CODEWORDS);
}

static void run_combination(const combination *c, const char *backend, const char *kernel, const options *o,
                            random_state *random, totals *t)
{
    ldpc_decoder *dec = open_decoder(c, backend, kernel, t);
    ldpc_decoder *ref = dec ? open_decoder(c, "cpu", "ref", t) : NULL;
    size_t n = ldpc_code_n(c->code);
    for (unsigned round = 0; ref && round < o->rounds; round++) {
        size_t n_codewords =
            batch_size(random, round + random_below(random, 5), ldpc_decoder_good_batch(dec));
        n_codewords = at_most(n_codewords, ldpc_decoder_max_batch(dec));
        if (n > 20000) /* the reference takes its time */
            n_codewords = at_most(n_codewords, strcmp(backend, "cpu") == 0 ? ldpc_decoder_good_batch(dec) + 1
                                                                           : LONG_CODEWORDS);
        int8_t *llr = llrs_make(n_codewords * n);
        for (size_t w = 0; w < n_codewords; w++)
            sample_codeword(random, c->code, llr + w * n);
        compare(c, dec, ref, llr, n_codewords, t);
        free(llr);
    }
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(ref);
}

/* Codewords with erased bits: the kernel decodes them beside bits of any strength, the reference beside
 * certain ones. */
static void compare_erasures(const combination *c, ldpc_decoder *dec, ldpc_decoder *ref, random_state *random,
                             size_t n_codewords, totals *t)
{
    size_t n = ldpc_code_n(c->code), where = 0;
    int8_t *llr = llrs_make(n_codewords * n);
    arena got, expected;
    for (size_t w = 0; w < n_codewords; w++)
        sample_erasures(random, c->code, llr + w * n);
    arena_make(&expected, c->code, n_codewords, false, llr);
    for (size_t i = 0; i < n_codewords * n; i++)
        llr[i] = (int8_t)(llr[i] / (1 + (int)random_below(random, 100)));
    arena_make(&got, c->code, n_codewords, false, llr);
    const char *what = ldpc_decode(dec, &got.batch) ? ldpc_decoder_message(dec) : NULL;
    if (!what)
        what = ldpc_decode(ref, &expected.batch) ? ldpc_decoder_message(ref)
                                                 : erasures_difference(c->code, &got, &expected, &where);
    report(c, dec, what, n_codewords, where, t);
    arena_free(&got);
    arena_free(&expected);
    free(llr);
}

static void run_erasures(const combination *c, const char *backend, const char *kernel, random_state *random,
                         totals *t)
{
    combination any = *c;
    any.params.early_stop = any.params.packed = 0;
    combination certain = any;
    certain.params.llr_scale = 1; /* 100 nat: what is found from them is as good as certain */
    ldpc_decoder *dec = open_decoder(&any, backend, kernel, t);
    ldpc_decoder *ref = dec ? open_decoder(&certain, "cpu", "ref", t) : NULL;
    if (ref)
        compare_erasures(&any, dec, ref, random, ldpc_code_n(c->code) > 20000 ? 1 : ERASED_CODEWORDS, t);
    ldpc_decoder_destroy(dec);
    ldpc_decoder_destroy(ref);
}

/* All algorithms, arithmetics and schedules of one kernel on one code; the rest is drawn at random. */
static void run_code(const char *backend, const char *kernel, const char *code_name, const options *o,
                     totals *t)
{
    combination c = {.code_name = code_name, .code = sample_code_create(code_name)};
    if (!c.code) {
        printf("%s: FAILED to make the code\n", code_name);
        t->failed++;
        return;
    }
    random_state random = {o->seed};
    for (int a = LDPC_ALGORITHM_MIN_SUM; a <= LDPC_LAST_ALGORITHM; a++)
        for (int arithmetic = LDPC_ARITHMETIC_I8; arithmetic <= LDPC_ARITHMETIC_FLOAT; arithmetic++)
            for (int schedule = LDPC_SCHEDULE_LAYERED; schedule <= LDPC_SCHEDULE_FLOODING; schedule++) {
                const ldpc_algorithm algorithm = (ldpc_algorithm)a;
                if (ldpc_algorithm_only_nonbinary(algorithm) ||
                    (algorithm == LDPC_ALGORITHM_SUM_PRODUCT && arithmetic != LDPC_ARITHMETIC_FLOAT) ||
                    !wanted(o->algorithm, ldpc_algorithm_name(algorithm)))
                    continue;
                ldpc_decoder_params_init(&c.params);
                c.params.algorithm = algorithm;
                c.params.arithmetic = (ldpc_arithmetic)arithmetic;
                c.params.schedule = (ldpc_schedule)schedule;
                c.params.early_stop = random_below(&random, 3) > 0;
                c.params.packed = random_below(&random, 2);
                c.params.max_iterations = random_below(&random, ldpc_code_n(c.code) > 20000 ? 5 : 12);
                c.params.threads = 1 + random_below(&random, 3);
                if (algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM && random_below(&random, 2))
                    c.params.offset = (float)random_below(&random, 64);
                if (algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM && random_below(&random, 2))
                    c.params.factor = (float)(1 + random_below(&random, 16)) / 16;
                if (random_below(&random, 2))
                    c.params.llr_scale = 0.25f + (float)random_below(&random, 255) / 4;
                run_combination(&c, backend, kernel, o, &random, t);
                if (algorithm == LDPC_ALGORITHM_SUM_PRODUCT)
                    run_erasures(&c, backend, kernel, &random, t);
            }
    ldpc_code_destroy((ldpc_code *)c.code);
}

/* ---- all of them */

/* The i-th code to run: all samples, or the one that was asked for, sample or not. */
static const char *code_at(const options *o, size_t i)
{
    return !o->code ? sample_code_name(i) : i == 0 ? o->code : NULL;
}

static unsigned run_kernel(const char *backend, const char *kernel, const options *o, unsigned *compared)
{
    unsigned failed = 0;
    const char *name;
    for (size_t i = o->part - 1; (name = code_at(o, i)); i += o->parts) {
        totals t = {0};
        run_code(backend, kernel, name, o, &t);
        printf("%-8s %-12s %-18s %4u batches compared, %2u combinations not supported, %u failed\n", backend,
               kernel, name, t.compared, t.unsupported, t.failed);
        failed += t.failed;
        *compared += t.compared;
    }
    return failed;
}

/* Of the rows with one name the backend takes the one that suits the CPU: test_rows runs the other one. */
static void list_skipped(void)
{
    const ldpc_cpu_kernel *row;
    for (size_t i = 0; (row = ldpc_cpu_kernel_at(i)); i++) {
        const unsigned lacks = row->features & ~ldpc_cpu_features();
        if (lacks)
            printf("cpu      %-12s SKIPPED: %s\n", row->name,
                   lacks == LDPC_CPU_BLEND ? "meant for another maker's CPU; test_rows runs it"
                                           : "this CPU lacks its instructions");
    }
}

static unsigned run_all(const options *o, unsigned *compared)
{
    unsigned failed = 0, kernels = 0;
    const char *backend, *kernel, *reason;
    for (size_t b = 0; (backend = ldpc_backend_list(b, &reason)); b++) {
        if (reason[0])
            printf("%-8s SKIPPED: %s\n", backend, reason);
        for (size_t i = 0; !reason[0] && (kernel = ldpc_kernel_list(backend, i)); i++) {
            const bool itself = strcmp(kernel, "ref") == 0 && !o->kernel && !o->list;
            if (!backend_is_wanted(o->backend, backend) || !wanted(o->kernel, kernel) || itself)
                continue;
            kernels++;
            if (o->list)
                printf("%s/%s\n", backend, kernel);
            else
                failed += run_kernel(backend, kernel, o, compared);
        }
    }
    list_skipped();
    if (!kernels)
        printf("no such kernel\n");
    return failed + !kernels;
}

static const char *value_of(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc) {
        fprintf(stderr, "%s needs a value\n", argv[*i]);
        exit(2);
    }
    return argv[++*i];
}

static void usage(void)
{
    fprintf(stderr,
            "usage: test_kernels [--list] [--seed N] [--backend NAME] [--needs DEVICES] [--kernel NAME] "
            "[--code NAME] [--algorithm NAME] [--rounds N] [--part I/N]\n");
    exit(2);
}

static options parse(int argc, char **argv)
{
    options o = {.seed = 1, .rounds = 2, .part = 1, .parts = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            o.list = true;
        } else if (strcmp(argv[i], "--seed") == 0) {
            o.seed = strtoull(value_of(argc, argv, &i), NULL, 0);
        } else if (strcmp(argv[i], "--backend") == 0) {
            o.backend = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--needs") == 0) {
            o.needs = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--kernel") == 0) {
            o.kernel = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--code") == 0) {
            o.code = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--algorithm") == 0) {
            o.algorithm = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--rounds") == 0) {
            o.rounds = (unsigned)strtoul(value_of(argc, argv, &i), NULL, 0);
        } else if (strcmp(argv[i], "--part") == 0) {
            if (sscanf(value_of(argc, argv, &i), "%u/%u", &o.part, &o.parts) != 2)
                usage();
        } else {
            usage();
        }
    }
    if (o.part < 1 || o.part > o.parts)
        usage();
    return o;
}

/* A decoder that lives as long as the program: without one, each combination would make the GPU's context
 * anew, which takes longer than all else. */
static ldpc_decoder *keep_open(const char *backend, const ldpc_code *code)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec = NULL;
    ldpc_decoder_params_init(&params);
    params.backend = backend;
    params.kernel = "any";
    params.max_batch = 1;
    if (code && backend && strcmp(backend, "cpu"))
        ldpc_decoder_create(code, &params, &dec, NULL);
    return dec;
}

int main(int argc, char **argv)
{
    options o = parse(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (backend_is_unusable(o.backend, o.needs))
        return SKIPPED_ALL;
    if (!o.list)
        printf("seed %" PRIu64 "\n", o.seed);
    ldpc_code *code = sample_code_create("wimax:576:1/2");
    ldpc_decoder *kept = keep_open(o.backend, code);
    unsigned compared = 0, failed = run_all(&o, &compared);
    ldpc_decoder_destroy(kept);
    ldpc_code_destroy(code);
    if (failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", failed, o.seed);
    if (!failed && !compared && o.kernel && o.code && !o.list)
        return NOTHING_COMPARED; /* who names both wants them compared */
    return failed ? 1 : 0;
}
