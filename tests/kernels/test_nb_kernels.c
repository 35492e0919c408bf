/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares every nonbinary kernel of every usable backend with the reference, byte for byte: bits, posteriors
 * of bits and symbols, iterations, unsatisfied checks, guard bytes.
 *
 *   test_nb_kernels [--seed N] [--backend NAME] [--needs DEVICES] [--kernel NAME] [--code NAME] [--rounds N]
 *                   [--draw N]
 *
 * --draw N decodes N random codes and parameters (draws.h) instead of the samples: drawn:nonbinary:SEED,
 * drawn:nonbinary:SEED+1 ... --code with such a name repeats a code. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_kernel.h"
#include "code/nonbinary.h"
#include "candidates.h"
#include "draws.h"
#include "guarded.h"
#include "samples.h"

enum { MAX_CODEWORDS = 131, SKIPPED_ALL = 77 };

typedef struct options {
    uint64_t seed;
    const char *backend, *needs, *kernel, *code, *algorithm, *schedule;
    unsigned rounds;
    size_t draw; /* codes; 0: the samples */
} options;

/* ---- codes */

static const char *const code_names[] = {
    "bds:b1c:88", "bds:b1c:200", "standin:gf32:620", "ccsds:nb:cnbpb:128", "toy4",
    "toy8",       "toy16",       "toy128",           "irregular",
};

/* Gives each check `degree` random elements, or 0 to 8 elements if `degree` is 0. */
static ldpc_code *make_toy(uint32_t p, uint32_t checks, uint32_t columns, uint32_t degree)
{
    ldpc_field field;
    ldpc_code *code = NULL;
    ldpc_nb_entry entries[512];
    random_state random = {p};
    size_t count = 0;
    ldpc_field_init(&field, p, 0, NULL);
    for (uint32_t c = 0; c < checks; c++) {
        uint32_t wanted = degree ? degree : c % 9;
        for (uint32_t v = 0; v < columns && wanted > 0; v++)
            if (random_below(&random, columns - v) < wanted) {
                uint8_t value = (uint8_t)(1 + random_below(&random, field.q - 1));
                entries[count++] = (ldpc_nb_entry){c, v, value};
                wanted--;
            }
    }
    ldpc_nb_code_create(checks, columns, &field, entries, count, "toy", "", &code, NULL);
    return code;
}

static ldpc_code *make_code(const char *name)
{
    ldpc_code *code = NULL;
    if (strcmp(name, "irregular") == 0)
        return make_toy(3, 27, 40, 0);
    if (is_drawn(name))
        return drawn_code_create(name);
    if (strncmp(name, "toy", 3) == 0)
        return make_toy(ldpc_field_bits((uint32_t)atoi(name + 3)), 10, 20, 4);
    ldpc_code_create(name, &code, NULL);
    return code;
}

/* ---- outputs */

enum { MESSAGE, CODEWORD, POSTERIOR, SYMBOLS, INFO, OUTPUTS };
static const char *const output_names[OUTPUTS] = {"message", "codeword", "posterior", "symbol posterior",
                                                  "info"};

typedef struct arena {
    guarded output[OUTPUTS];
    ldpc_batch batch;
} arena;

/* Makes LLRs, or symbol costs if `soft` is set. */
typedef struct input {
    int8_t *llr;
    uint8_t *costs;
    size_t llr_bytes, cost_bytes;
    bool soft;
} input;

static void arena_make(arena *a, const ldpc_code *code, bool packed, size_t codewords, const input *in)
{
    size_t p = ldpc_code_symbol_bits(code), n = ldpc_code_n(code) * p, k = ldpc_code_k(code) * p;
    a->batch = (ldpc_batch){
        .n_codewords = codewords,
        .llr = in->soft ? NULL : in->llr,
        .symbol_costs = in->soft ? in->costs : NULL,
        .message = guarded_make(&a->output[MESSAGE], codewords * row_bytes(k, packed)),
        .codeword = guarded_make(&a->output[CODEWORD], codewords * row_bytes(n, packed)),
        .posterior = guarded_make(&a->output[POSTERIOR], codewords * n * sizeof(int16_t)),
        .symbol_posterior =
            guarded_make(&a->output[SYMBOLS], codewords * ldpc_code_n(code) * ldpc_code_order(code)),
        .info = guarded_make(&a->output[INFO], codewords * sizeof(ldpc_codeword_info)),
    };
    memset(a->batch.info, 0, codewords * sizeof(ldpc_codeword_info)); /* padding */
}

static void arena_free(arena *a)
{
    for (int i = 0; i < OUTPUTS; i++)
        free(a->output[i].memory);
}

/* Returns the name of an output that differs, or NULL. */
static const char *difference(const arena *got, const arena *expected)
{
    for (int i = 0; i < OUTPUTS; i++) {
        const guarded *a = &got->output[i], *b = &expected->output[i];
        if (memcmp(a->memory + GUARD, b->memory + GUARD, a->bytes) != 0)
            return output_names[i];
        if (!guarded_intact(a) || !guarded_intact(b))
            return "guard bytes";
    }
    return NULL;
}

/* ---- codewords */

/* Fills a batch with noisy codewords, noiseless codewords, uniform random numbers, zeros or saturated LLRs. */
static void make_llrs(random_state *random, const ldpc_code *code, uint8_t *work, int8_t *llr)
{
    size_t p = ldpc_code_symbol_bits(code), n = ldpc_code_n(code) * p, k = ldpc_code_k(code) * p;
    uint32_t kind = random_below(random, 8);
    int32_t strong = 1 + (int32_t)random_below(random, 60), spread = kind == 0 ? 1 : 2 + 2 * strong;
    for (size_t i = 0; i < k; i++)
        work[i] = (uint8_t)random_below(random, 2);
    ldpc_encode(code, work, 1, work + k);
    for (size_t i = 0; i < n; i++) {
        int32_t noise = (int32_t)random_below(random, (uint32_t)spread) - spread / 2;
        int32_t value = (work[k + i] ? -strong : strong) + noise + (int32_t)random_below(random, 3) - 1;
        if (kind == 1)
            value = (int32_t)random_below(random, 256) - 128;
        else if (kind == 2)
            value = 0;
        else if (kind == 3)
            value = random_below(random, 2) ? -128 : 127;
        llr[i] = (int8_t)(value > 127 ? 127 : value < -128 ? -128 : value);
    }
}

static void make_costs(random_state *random, size_t count, uint8_t *costs)
{
    uint32_t limit = random_below(random, 2) ? 256 : 40;
    for (size_t i = 0; i < count; i++)
        costs[i] = (uint8_t)random_below(random, random_below(random, 5) ? limit : 6);
}

static input input_allocate(size_t llr_bytes, size_t cost_bytes, bool soft)
{
    const input in = {malloc(llr_bytes), malloc(cost_bytes), llr_bytes, cost_bytes, soft};
    if (!in.llr || !in.costs)
        exit(2);
    return in;
}

static void input_free(input *in)
{
    free(in->llr);
    free(in->costs);
}

static input input_copy(const input *in)
{
    input copy = input_allocate(in->llr_bytes, in->cost_bytes, in->soft);
    if (in->soft)
        memcpy(copy.costs, in->costs, in->cost_bytes);
    else
        memcpy(copy.llr, in->llr, in->llr_bytes);
    return copy;
}

static bool inputs_equal(const input *a, const input *b)
{
    return a->soft ? memcmp(a->costs, b->costs, a->cost_bytes) == 0
                   : memcmp(a->llr, b->llr, a->llr_bytes) == 0;
}

static void input_make(input *in, const ldpc_code *code, size_t codewords, random_state *random)
{
    size_t p = ldpc_code_symbol_bits(code), n = ldpc_code_n(code), q = ldpc_code_order(code);
    uint8_t *work = malloc(2 * n * p);
    *in = input_allocate(codewords * n * p, codewords * n * q, random_below(random, 4) == 0);
    if (!work)
        exit(2);
    for (size_t w = 0; w < codewords; w++)
        if (in->soft)
            make_costs(random, n * q, in->costs + w * n * q);
        else
            make_llrs(random, code, work, in->llr + w * n * p);
    free(work);
}

/* ---- one combination */

typedef struct combination {
    const char *code_name;
    ldpc_code *code;
    ldpc_decoder_params params;
} combination;

static void fail(const combination *c, const char *kernel, size_t codewords, const char *what, totals *t)
{
    printf("%s %s %s %s, %s, %u iterations, %s, %zu codewords: FAILED: %s\n", kernel, c->code_name,
           ldpc_algorithm_name(c->params.algorithm), ldpc_schedule_name(c->params.schedule),
           c->params.early_stop ? "early stop" : "fixed", c->params.max_iterations,
           c->params.packed ? "packed" : "unpacked", codewords, what);
    t->failed++;
}

static ldpc_decoder *open_decoder(const combination *c, const char *backend, const char *kernel, totals *t)
{
    ldpc_decoder_params params = c->params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    params.backend = backend;
    params.kernel = kernel;
    ldpc_status status = ldpc_decoder_create(c->code, &params, &dec, &err);
    if (status && status != LDPC_ERR_UNSUPPORTED)
        fail(c, kernel, 0, err.message, t);
    t->unsupported += status == LDPC_ERR_UNSUPPORTED;
    return dec;
}

static void compare(const combination *c, candidate *k, const arena *expected, const input *in,
                    size_t codewords)
{
    arena got;
    input own = input_copy(in);
    arena_make(&got, c->code, c->params.packed, codewords, &own);
    const char *what =
        ldpc_decode(k->dec, &got.batch) ? ldpc_decoder_message(k->dec) : difference(&got, expected);
    if (!what && !inputs_equal(&own, in))
        what = "the input";
    k->totals.compared++;
    if (what)
        fail(c, ldpc_decoder_kernel(k->dec), codewords, what, &k->totals);
    arena_free(&got);
    input_free(&own);
}

static size_t batch_size(const candidate *k, unsigned kind, bool few, size_t odd)
{
    const size_t good = few ? 3 : ldpc_decoder_good_batch(k->dec);
    const size_t sizes[] = {good + 1, 1, good, good > 1 ? good - 1 : 2, odd};
    const size_t size = sizes[kind % 5];
    return size < MAX_CODEWORDS ? size : MAX_CODEWORDS;
}

static bool is_large(const ldpc_code *code)
{
    return ldpc_code_n(code) * ldpc_code_order(code) > 4000;
}

/* Decodes a batch with each kernel. The set of available kernels does not change the first codewords. */
static void run_round(const combination *c, candidates *all, ldpc_decoder *ref, unsigned kind,
                      random_state random)
{
    /* the reference takes 10 ms for each large codeword */
    const bool few = random_below(&random, 4) && is_large(c->code);
    const size_t odd = 1 + 2 * (size_t)random_below(&random, 4);
    size_t most = 1;
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].dec) {
            const size_t size = batch_size(&all->at[i], kind, few, odd);
            most = size > most ? size : most;
        }
    input in;
    arena expected;
    input_make(&in, c->code, most, &random);
    arena_make(&expected, c->code, c->params.packed, most, &in);
    const bool failed = ldpc_decode(ref, &expected.batch);
    if (failed)
        fail(c, "ref", most, ldpc_decoder_message(ref), &all->totals);
    for (size_t i = 0; i < all->count && !failed; i++)
        if (all->at[i].dec)
            compare(c, &all->at[i], &expected, &in, batch_size(&all->at[i], kind, few, odd));
    arena_free(&expected);
    input_free(&in);
}

static void run_combination(const combination *c, candidates *all, const options *o, random_state random)
{
    const unsigned kind = random_below(&random, 5);
    ldpc_decoder *ref = open_decoder(c, "cpu", "ref", &all->totals);
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        all->at[i].dec = open_decoder(c, all->at[i].backend, all->at[i].kernel, &all->at[i].totals);
        any |= all->at[i].dec != NULL;
    }
    if (any && !ref)
        fail(c, "ref", 0, "there is no decoder", &all->totals);
    for (unsigned round = 0; any && ref && round < o->rounds; round++)
        run_round(c, all, ref, kind + round, (random_state){random_next(&random)});
    candidates_close(all);
    ldpc_decoder_destroy(ref);
}

static void run_code(const char *name, const options *o, candidates *all)
{
    combination c = {.code_name = name, .code = make_code(name)};
    static const ldpc_algorithm algorithms[] = {LDPC_ALGORITHM_MIN_MAX, LDPC_ALGORITHM_MIN_SUM};
    const bool drawn = is_drawn(name);
    random_state random = random_of(drawn ? 0 : o->seed, name);
    if (!c.code) {
        printf("%s: FAILED to make the code\n", name);
        all->totals.failed++;
        return;
    }
    const int first = drawn ? (int)random_below(&random, 8) : 0, end = drawn ? first + 1 : 8;
    for (int variant = first; variant < end; variant++) {
        ldpc_decoder_params_init(&c.params);
        c.params.algorithm = algorithms[variant & 1];
        c.params.schedule = variant & 2 ? LDPC_SCHEDULE_FLOODING : LDPC_SCHEDULE_LAYERED;
        if ((o->algorithm && strcmp(o->algorithm, ldpc_algorithm_name(c.params.algorithm))) ||
            (o->schedule && strcmp(o->schedule, ldpc_schedule_name(c.params.schedule))))
            continue;
        c.params.early_stop = variant & 4;
        c.params.packed = random_below(&random, 2);
        c.params.max_iterations = random_below(&random, is_large(c.code) ? 3 : 9);
        c.params.threads = 1 + random_below(&random, 2);
        run_combination(&c, all, o, (random_state){random_next(&random)});
    }
    ldpc_code_destroy(c.code);
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
        return i < sizeof code_names / sizeof *code_names ? code_names[i] : NULL;
    snprintf(name, sizeof name, "drawn:nonbinary:%" PRIu64, o->seed + i);
    return i < o->draw ? name : NULL;
}

static void print_totals(candidates *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const candidate *k = &all->at[i];
        if (k->totals.compared || k->totals.failed)
            printf("%-8s %-18s %4u batches compared, %2u combinations not supported, %u failed\n", k->backend,
                   k->kernel, k->totals.compared, k->totals.unsupported, k->totals.failed);
        all->totals.compared += k->totals.compared;
        all->totals.failed += k->totals.failed;
    }
}

static unsigned run_all(const options *o)
{
    candidates all;
    candidates_find(&all, o->backend, o->kernel, o->kernel != NULL);
    const char *name;
    for (size_t i = 0; (name = code_at(o, i)); i++)
        run_code(name, o, &all);
    print_totals(&all);
    const ldpc_cpu_kernel *row;
    for (size_t i = 0; (row = ldpc_cpu_kernel_at(i)); i++)
        if (row->nonbinary && !ldpc_cpu_runs(row->features))
            printf("cpu      %-18s SKIPPED: this CPU lacks its instructions\n", row->name);
    if (!all.totals.compared)
        printf("nothing was compared\n");
    return all.totals.failed + !all.totals.compared;
}

int main(int argc, char **argv)
{
    options o = {.seed = 1, .rounds = 2};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            o.seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--backend") == 0)
            o.backend = argv[i + 1];
        else if (strcmp(argv[i], "--needs") == 0)
            o.needs = argv[i + 1];
        else if (strcmp(argv[i], "--kernel") == 0)
            o.kernel = argv[i + 1];
        else if (strcmp(argv[i], "--code") == 0)
            o.code = argv[i + 1];
        else if (strcmp(argv[i], "--algorithm") == 0)
            o.algorithm = argv[i + 1];
        else if (strcmp(argv[i], "--schedule") == 0)
            o.schedule = argv[i + 1];
        else if (strcmp(argv[i], "--rounds") == 0)
            o.rounds = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--draw") == 0)
            o.draw = strtoul(argv[i + 1], NULL, 0);
    }
    if (backend_is_unusable(o.backend, o.needs))
        return SKIPPED_ALL;
    printf("seed %" PRIu64 "\n", o.seed);
    unsigned failed = run_all(&o);
    if (failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", failed, o.seed);
    return failed ? 1 : 0;
}
