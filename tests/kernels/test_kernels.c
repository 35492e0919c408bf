/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares every kernel of every usable backend with the reference, byte for byte: bits, posteriors,
 * iterations, unsatisfied checks, guard bytes.
 *
 *   test_kernels [--list] [--seed N] [--backend NAME] [--needs DEVICES] [--kernel NAME] [--code NAME]
 *                [--algorithm NAME] [--schedule NAME] [--rounds N] [--part I/N]
 *                [--draw N] [--kind KIND]
 *
 * --draw N decodes N random codes (draws.h) instead of the samples, with random rule, arithmetic, schedule
 * and outputs: drawn:KIND:SEED, drawn:KIND:SEED+1 ... --code with such a name repeats a code.
 *
 * Float arithmetic is compared by tolerance on codewords that converge. Unsupported combinations are listed.
 * The reference is compared with itself only for --kernel. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "cpu/cpu_kernel.h"
#include "comparison.h"
#include "draws.h"
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
    const char *backend, *needs, *kernel, *code, *algorithm, *schedule, *kind;
    size_t draw;          /* codes; 0: the samples */
    unsigned rounds;      /* batches per combination */
    unsigned part, parts; /* part: 1 .. parts */
    bool list;
} options;

/* ---- one combination */

static int8_t *llrs_make(size_t count)
{
    int8_t *llrs = malloc(count);
    if (!llrs) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return llrs;
}

static void print_combination(const combination *c, const char *backend, const char *kernel,
                              size_t n_codewords)
{
    printf("%s/%s %s %s %s %s, LLR limit %u, %s, %u iterations, %s, %zu codewords", backend, kernel,
           c->code_name, ldpc_algorithm_name(c->params.algorithm), ldpc_arithmetic_name(c->params.arithmetic),
           ldpc_schedule_name(c->params.schedule), c->params.llr_limit,
           c->params.early_stop ? "early stop" : "fixed", c->params.max_iterations,
           c->params.packed ? "packed" : "unpacked", n_codewords);
}

/* Returns NULL if the kernel does not support the parameters or the code. */
static ldpc_decoder *open_decoder(const combination *c, const char *backend, const char *kernel, totals *t)
{
    ldpc_decoder_params params = c->params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    params.backend = backend;
    params.kernel = kernel;
    /* allocating pinned memory takes long */
    params.max_batch = strcmp(backend, "cpu") == 0 ? 0 : MAX_CODEWORDS;
    ldpc_status status = ldpc_decoder_create(c->code, &params, &dec, &err);
    if (status && status != LDPC_ERR_UNSUPPORTED) {
        print_combination(c, backend, kernel, 0);
        printf(": FAILED to create: %s\n", err.message);
        t->failed++;
    }
    t->unsupported += status == LDPC_ERR_UNSUPPORTED;
    return dec;
}

static bool open_all(const combination *c, candidates *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        candidate *k = &all->at[i];
        k->dec = open_decoder(c, k->backend, k->kernel, &k->totals);
        any |= k->dec != NULL;
    }
    return any;
}

/* what: name of the output that differs in codeword w, or NULL */
static void report(const combination *c, candidate *k, const char *what, size_t n_codewords, size_t w)
{
    k->totals.compared++;
    if (what) {
        k->totals.failed++;
        print_combination(c, ldpc_decoder_backend(k->dec), ldpc_decoder_kernel(k->dec), n_codewords);
        printf(": FAILED: %s differs in codeword %zu\n", what, w);
    }
}

/* Decodes the first n_codewords codewords, and compares the results with the reference. */
static void compare(const combination *c, candidate *k, const arena *expected, difference_fn *differs,
                    const int8_t *llr, size_t n_codewords)
{
    arena got;
    size_t where = 0;
    arena_make(&got, c->code, n_codewords, c->params.packed, llr);
    arena_leave_out(&got, c->left_out);
    const char *what =
        ldpc_decode(k->dec, &got.batch) ? ldpc_decoder_message(k->dec) : differs(c, &got, expected, &where);
    if (!what && !guards_intact(&got, llr))
        what = "a byte outside of the buffers, or the input,";
    report(c, k, what, n_codewords, where);
    arena_free(&got);
}

/* Counts codewords that fail. */
static bool decode_reference(const combination *c, arena *expected, const int8_t *llr, size_t n_codewords,
                             totals *t)
{
    ldpc_decoder *ref = open_decoder(c, "cpu", "ref", t);
    arena_make(expected, c->code, n_codewords, c->params.packed, llr);
    const char *wrong = !ref                                 ? "there is no decoder"
                        : ldpc_decode(ref, &expected->batch) ? ldpc_decoder_message(ref)
                        : guards_intact(expected, llr)       ? NULL
                                                             : "it writes outside of its buffers";
    if (wrong) {
        print_combination(c, "cpu", "ref", n_codewords);
        printf(": FAILED: %s\n", wrong);
        t->failed++;
    }
    ldpc_decoder_destroy(ref);
    return !wrong;
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns a batch size: a number near good_batch, 1, or `odd`. */
static size_t batch_size(const combination *c, const candidate *k, unsigned kind, size_t odd)
{
    const size_t good = ldpc_decoder_good_batch(k->dec);
    const size_t sizes[] = {good + 1, 1, good, good > 1 ? good - 1 : 2, odd};
    size_t size = at_most(at_most(sizes[kind % 5], MAX_CODEWORDS), ldpc_decoder_max_batch(k->dec));
    if (ldpc_code_n(c->code) > 20000) /* the reference is slow */
        size = at_most(size, strcmp(k->backend, "cpu") == 0 ? good + 1 : LONG_CODEWORDS);
    return size;
}

/* Decodes a batch with each kernel. */
static void run_round(const combination *c, candidates *all, unsigned kind, random_state random)
{
    const size_t n = ldpc_code_n(c->code), odd = 1 + 2 * (size_t)random_below(&random, 8);
    size_t most = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].dec) {
            const size_t size = batch_size(c, &all->at[i], kind, odd);
            most = size > most ? size : most;
        }
    int8_t *llr = llrs_make(most * n);
    for (size_t w = 0; w < most; w++)
        sample_codeword(&random, c->code, llr + w * n);
    arena expected;
    if (decode_reference(c, &expected, llr, most, &all->totals))
        for (size_t i = 0; i < all->count; i++)
            if (all->at[i].dec)
                compare(c, &all->at[i], &expected,
                        c->params.arithmetic == LDPC_ARITHMETIC_FLOAT ? float_difference : difference, llr,
                        batch_size(c, &all->at[i], kind, odd));
    arena_free(&expected);
    free(llr);
}

static void run_combination(const combination *c, candidates *all, const options *o, random_state random)
{
    const unsigned kind = random_below(&random, 5);
    const bool any = open_all(c, all);
    for (unsigned round = 0; any && round < o->rounds; round++)
        run_round(c, all, kind + round, (random_state){random_next(&random)});
    candidates_close(all);
}

/* Tests LLRs that are either certain or 0. */
static void run_erasures(const combination *c, candidates *all, random_state random)
{
    const size_t n = ldpc_code_n(c->code), n_codewords = n > 20000 ? 1 : ERASED_CODEWORDS;
    combination any = *c;
    any.params.early_stop = any.params.packed = 0;
    combination certain = any;
    certain.params.llr_scale = 1; /* 100 nats: practically certain */
    if (open_all(&any, all)) {
        int8_t *llr = llrs_make(n_codewords * n);
        arena expected;
        for (size_t w = 0; w < n_codewords; w++)
            sample_erasures(&random, c->code, llr + w * n);
        const bool right = decode_reference(&certain, &expected, llr, n_codewords, &all->totals);
        for (size_t i = 0; i < n_codewords * n; i++)
            llr[i] = (int8_t)(llr[i] / (1 + (int)random_below(&random, 100)));
        for (size_t i = 0; i < all->count; i++)
            if (right && all->at[i].dec)
                compare(&any, &all->at[i], &expected, erasures_difference, llr, n_codewords);
        arena_free(&expected);
        free(llr);
    }
    candidates_close(all);
}

/* Tests all algorithms, arithmetics and schedules of a code with random values of all other parameters. */
static void run_combinations(combination *c, candidates *all, const options *o)
{
    random_state random = random_of(o->seed, c->code_name);
    for (int a = LDPC_ALGORITHM_MIN_SUM; a <= LDPC_LAST_ALGORITHM; a++)
        for (int arithmetic = LDPC_ARITHMETIC_I8; arithmetic <= LDPC_ARITHMETIC_FLOAT; arithmetic++)
            for (int schedule = LDPC_SCHEDULE_LAYERED; schedule <= LDPC_SCHEDULE_FLOODING; schedule++) {
                const ldpc_algorithm algorithm = (ldpc_algorithm)a;
                if (ldpc_algorithm_only_nonbinary(algorithm) ||
                    (algorithm == LDPC_ALGORITHM_SUM_PRODUCT && arithmetic != LDPC_ARITHMETIC_FLOAT) ||
                    !wanted(o->algorithm, ldpc_algorithm_name(algorithm)))
                    continue;
                ldpc_decoder_params_init(&c->params);
                c->params.algorithm = algorithm;
                c->params.arithmetic = (ldpc_arithmetic)arithmetic;
                c->params.schedule = (ldpc_schedule)schedule;
                draw_params(&random, c->code, &c->params);
                const random_state own = {random_next(&random)};
                if (!wanted(o->schedule, ldpc_schedule_name(c->params.schedule)))
                    continue;
                run_combination(c, all, o, own);
                if (algorithm == LDPC_ALGORITHM_SUM_PRODUCT)
                    run_erasures(c, all, (random_state){random_next(&random)});
            }
}

static void run_drawn(combination *c, candidates *all, const options *o)
{
    random_state random = random_of(0, c->code_name);
    ldpc_decoder_params_init(&c->params);
    draw_decoder(&random, c->code, &c->params);
    c->left_out = random_below(&random, 2) ? random_below(&random, LEFT_OUT_ALL) : 0;
    const unsigned failed = total_failures(all);
    run_combination(c, all, o, (random_state){random_next(&random)});
    if (total_failures(all) > failed)
        printf("repeat with: --code %s --rounds %u\n", c->code_name, o->rounds);
}

/* ---- all of them */

/* Returns the code with index i of the sample codes, drawn codes or requested codes. Returns NULL after the
 * last code. */
static const char *code_at(const options *o, size_t i)
{
    static char name[64];
    if (o->code)
        return i == 0 ? o->code : NULL;
    if (!o->draw)
        return sample_code_name(i);
    snprintf(name, sizeof name, "drawn:%.20s:%" PRIu64, o->kind, o->seed + i);
    return i < o->draw ? name : NULL;
}

/* Prints and clears the counts. */
static void print_totals(candidates *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        candidate *k = &all->at[i];
        printf("%-8s %-12s %-18s %4u batches compared, %2u combinations not supported, %u failed\n",
               k->backend, k->kernel, name, k->totals.compared, k->totals.unsupported, k->totals.failed);
        all->totals.compared += k->totals.compared;
        all->totals.failed += k->totals.failed;
        k->totals = (totals){0};
    }
}

static void run_code(const char *name, const options *o, candidates *all)
{
    combination c = {.code_name = name, .code = sample_code_create(name)};
    if (!c.code) {
        printf("%s: FAILED to make the code\n", name);
        all->totals.failed++;
        return;
    }
    if (is_drawn(name)) {
        run_drawn(&c, all, o);
    } else {
        run_combinations(&c, all, o);
        print_totals(all, name);
    }
    ldpc_code_destroy((ldpc_code *)c.code);
}

/* If several kernel rows have the same name, the best row for this CPU is used. test_rows tests all other
 * rows. */
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

static void run_all(const options *o, candidates *all)
{
    const char *name;
    candidates_find(all, o->backend, o->kernel, o->kernel || o->list); /* without the reference */
    for (size_t i = 0; o->list && i < all->count; i++)
        printf("%s/%s\n", all->at[i].backend, all->at[i].kernel);
    for (size_t i = o->part - 1; !o->list && (name = code_at(o, i)); i += o->parts)
        run_code(name, o, all);
    if (o->draw || (o->code && is_drawn(o->code)))
        print_totals(all, o->code ? o->code : o->kind);
    list_skipped();
    if (!all->count) {
        printf("no such kernel\n");
        all->totals.failed++;
    }
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
            "[--code NAME] [--algorithm NAME] [--schedule NAME] [--rounds N] [--part I/N] [--draw N] "
            "[--kind KIND]\n");
    exit(2);
}

static options parse(int argc, char **argv)
{
    options o = {.seed = 1, .rounds = 2, .part = 1, .parts = 1, .kind = "mixed"};
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
        } else if (strcmp(argv[i], "--schedule") == 0) {
            o.schedule = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--rounds") == 0) {
            o.rounds = (unsigned)strtoul(value_of(argc, argv, &i), NULL, 0);
        } else if (strcmp(argv[i], "--draw") == 0) {
            o.draw = strtoul(value_of(argc, argv, &i), NULL, 0);
        } else if (strcmp(argv[i], "--kind") == 0) {
            o.kind = value_of(argc, argv, &i);
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

/* An open decoder keeps the GPU context. Creating a context takes longer than all other steps. */
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
    /* with --kernel, the decoder that is kept open would be compiled separately */
    ldpc_decoder *kept = o.kernel ? NULL : keep_open(o.backend, code);
    candidates all;
    run_all(&o, &all);
    ldpc_decoder_destroy(kept);
    ldpc_code_destroy(code);
    if (all.totals.failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", all.totals.failed, o.seed);
    if (!all.totals.failed && !all.totals.compared && o.kernel && o.code && !o.list)
        return NOTHING_COMPARED; /* nothing was compared */
    return all.totals.failed ? 1 : 0;
}
