/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the nonbinary kernels, and what they have in common: where a group's symbols and posteriors lie
 * in the scratch area, and how results become bits.
 *
 *   scratch:  [the kernel's own][symbols: words * n][info: words][bits of a word: n * p, message: k]
 *            [posteriors: words * n * q]
 */
#include "cpu/nonbinary/nb_kernel.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cpu/isa_list.h"
#include "plan/batch.h"

typedef struct nb_tables {
    ldpc_cpu_tables base;
    size_t symbols, info, bits, posterior; /* offsets in the scratch area */
    const ldpc_nb_single *single;          /* for batches of up to `few` words, or NULL */
    size_t few;
} nb_tables;

#define SINGLE(isa)  extern const ldpc_nb_single ldpc_nb_single_##isa;
#define ADDRESS(isa) &ldpc_nb_single_##isa.row,
LDPC_EACH_NB_ISA(SINGLE)

static const ldpc_cpu_row *const singles[] = {LDPC_EACH_NB_ISA(ADDRESS)};

/* The best one that a row for `features` may use and whose lanes the field fills. An AVX-512 row may use all
 * that this CPU has: VBMI adds one shuffle. */
static const ldpc_nb_single *find_single(unsigned features, uint32_t order)
{
    size_t count = sizeof singles / sizeof *singles;
    while (count > 0 && ((const ldpc_nb_single *)singles[count - 1])->lanes > order)
        count--;
    if (features & LDPC_CPU_AVX512BW)
        features = ldpc_cpu_features();
    else if (features & LDPC_CPU_AVX2)
        features |= LDPC_CPU_SSE41;
    return (const ldpc_nb_single *)ldpc_cpu_best_row(singles, count, features, NULL);
}

bool ldpc_nb_supports(const ldpc_plan *plan)
{
    return plan->arithmetic == LDPC_ARITHMETIC_I8;
}

/* A word alone takes about four times as long as one of a full group. */
#define MANY_WORDS_ARE_FASTER 4

/* Take `bytes` of the scratch area, a multiple of the alignment. */
static size_t reserve(size_t *total, size_t bytes)
{
    size_t at = *total;
    *total = (at + bytes + LDPC_CPU_ALIGN - 1) / LDPC_CPU_ALIGN * LDPC_CPU_ALIGN;
    return at;
}

ldpc_status ldpc_nb_tables_create(const ldpc_plan *plan, size_t words, unsigned features,
                                  ldpc_nb_scratch_bytes *scratch_bytes, ldpc_cpu_tables **tables)
{
    const ldpc_code *code = plan->code;
    size_t total = 0, n = code->n;
    nb_tables *made = ldpc_allocate(1, sizeof *made);
    if (!made)
        return LDPC_ERR_MEMORY;
    bool flooding = plan->schedule == LDPC_SCHEDULE_FLOODING;
    reserve(&total, scratch_bytes(code, flooding)); /* `words` of them: more than a single one needs */
    if (words > 1) {
        made->single = find_single(features, code->order);
        made->few = words / MANY_WORDS_ARE_FASTER;
    }
    made->symbols = reserve(&total, words * n);
    made->info = reserve(&total, words * sizeof(ldpc_codeword_info));
    made->bits = reserve(&total, n * code->nb->field.p + code->k);
    made->posterior = reserve(&total, words * n * code->order);
    made->base = (ldpc_cpu_tables){.plan = plan, .codewords = words, .scratch_bytes = total};
    *tables = &made->base;
    return LDPC_OK;
}

void ldpc_nb_tables_destroy(ldpc_cpu_tables *tables)
{
    free(tables);
}

/* ---- results */

static void write_bits(const ldpc_plan *plan, const uint8_t *symbols, size_t count, uint8_t *work,
                       uint8_t *out)
{
    uint32_t p = plan->code->nb->field.p;
    ldpc_nb_symbols_to_bits(symbols, count, p, plan->packed ? work : out);
    if (plan->packed)
        ldpc_pack(work, count * p, out);
}

/* LLR of a bit: what the best symbol with a 1 there costs more than the best one with a 0. */
static int16_t bit_llr(const uint8_t *cost, uint32_t q, uint32_t bit)
{
    int best[2] = {LDPC_NB_MAX_COST, LDPC_NB_MAX_COST};
    for (uint32_t a = 0; a < q; a++) {
        int *side = &best[a >> bit & 1];
        *side = cost[a] < *side ? cost[a] : *side;
    }
    return (int16_t)(best[1] - best[0]);
}

static void write_posterior(const ldpc_code *code, const uint8_t *cost, int16_t *out)
{
    uint32_t p = code->nb->field.p;
    for (uint32_t v = 0; v < code->n; v++)
        for (uint32_t b = 0; b < p; b++)
            *out++ = bit_llr(cost + (size_t)v * code->order, code->order, p - 1 - b);
}

/* The results of one codeword from its symbols; `costs` is NULL where no posterior is wanted. */
static void write_results(const ldpc_plan *plan, const uint8_t *symbols, const uint8_t *costs, uint8_t *work,
                          const ldpc_batch *one)
{
    const ldpc_code *code = plan->code;
    if (one->codeword)
        write_bits(plan, symbols, code->n, work, one->codeword);
    if (one->posterior)
        write_posterior(code, costs, one->posterior);
    if (one->message) {
        uint8_t *message = work + (size_t)code->n * code->nb->field.p;
        for (uint32_t j = 0; j < code->k; j++)
            message[j] = symbols[code->message[j]];
        write_bits(plan, message, code->k, work, one->message);
    }
}

static ldpc_nb_spec spec_of(const ldpc_plan *plan)
{
    return (ldpc_nb_spec){
        .algorithm = plan->algorithm,
        .maximum = plan->algorithm == LDPC_ALGORITHM_MIN_MAX,
        .flooding = plan->schedule == LDPC_SCHEDULE_FLOODING,
        .early_stop = plan->early_stop,
        .max_iterations = plan->max_iterations,
        .kept = plan->kept,
        .llr_scale = plan->llr_scale,
    };
}

static ldpc_nb_group group_of(const ldpc_batch *batch, uint8_t *symbols)
{
    return (ldpc_nb_group){
        .words = batch->n_codewords,
        .llr = batch->llr,
        .llr_float = batch->llr_float,
        .costs = batch->symbol_costs,
        .costs_float = batch->symbol_costs_float,
        .symbols = symbols,
        .posterior = batch->symbol_posterior,
        .info = batch->info,
    };
}

void ldpc_nb_decode_batch(const ldpc_cpu_tables *tables, ldpc_nb_decode *decode, void *scratch,
                          const ldpc_batch *batch)
{
    const nb_tables *t = (const nb_tables *)tables;
    const ldpc_plan *plan = tables->plan;
    size_t n = plan->code->n;
    uint8_t *bytes = scratch, *symbols = bytes + t->symbols;
    ldpc_nb_spec spec = spec_of(plan);
    ldpc_batch all = *batch; /* with what the kernel writes and the caller does not want */
    if (!all.info)
        all.info = (ldpc_codeword_info *)(bytes + t->info);
    if (!all.symbol_posterior && batch->posterior)
        all.symbol_posterior = bytes + t->posterior;
    bool one_by_one = t->single && batch->n_codewords <= t->few;
    size_t step = one_by_one ? 1 : batch->n_codewords;
    for (size_t w = 0; w < batch->n_codewords; w += step) {
        ldpc_batch part = ldpc_batch_slice(plan, &all, w, step);
        ldpc_nb_group group = group_of(&part, symbols + w * n);
        (one_by_one ? t->single->decode : decode)(plan->code, &spec, bytes, &group);
    }
    for (size_t w = 0; w < batch->n_codewords; w++) {
        ldpc_batch one = ldpc_batch_slice(plan, &all, w, 1);
        write_results(plan, symbols + w * n, one.symbol_posterior, bytes + t->bits, &one);
    }
}

/* ---- the table */

#define ROW(kind, isa) extern const ldpc_cpu_kernel ldpc_nb_##kind##_##isa
extern const ldpc_cpu_kernel ldpc_nb_float, ldpc_nb_ref;
ROW(across, scalar);
ROW(within, scalar);
ROW(across, sse41);
ROW(within, sse41);
ROW(across, avx2);
ROW(within, avx2);
ROW(across, avx512);
ROW(within, avx512);
ROW(within, avx512vbmi);
#undef ROW

static const ldpc_cpu_kernel *const rows[] = {
    &ldpc_nb_float,
    &ldpc_nb_ref,
    &ldpc_nb_across_scalar,
    &ldpc_nb_within_scalar,
#ifdef LDPC_HAVE_SSE41
    &ldpc_nb_across_sse41,
    &ldpc_nb_within_sse41,
#endif
#ifdef LDPC_HAVE_AVX2
    &ldpc_nb_across_avx2,
    &ldpc_nb_within_avx2,
#endif
#ifdef LDPC_HAVE_AVX512
    &ldpc_nb_across_avx512,
    &ldpc_nb_within_avx512,
#endif
#ifdef LDPC_HAVE_AVX512VBMI
    &ldpc_nb_within_avx512vbmi,
#endif
};

const ldpc_cpu_kernel *ldpc_nb_kernel_at(size_t i)
{
    return i < sizeof rows / sizeof *rows ? rows[i] : NULL;
}
