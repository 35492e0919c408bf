/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares interleave_ops.h of each instruction set with plain loops. Checks that only results are written.
 *
 *   test_interleave [--seed N] [--rounds N] [--bench] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "cpu/binary/simd_variant.h"
#include "cpu/isa_list.h"
#include "kernels/guarded.h"
#include "parts/parts.h"

enum { MAX_CODEWORDS = 64, MAX_COUNT = 150 };

typedef struct part {
    const char *name;
    unsigned features;
    const ldpc_interleave_ops *ops;
} part;

static void fill(uint64_t *random, int8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (int8_t)random_below(random, 256);
}

/* ---- interleaving */

/* with guard bytes */
typedef struct codeword_set {
    uint32_t n;
    size_t count;
    guarded memory[MAX_CODEWORDS], lane_memory;
    int8_t *codeword[MAX_CODEWORDS]; /* some are NULL */
    int8_t *lanes;
} codeword_set;

static codeword_set make_set(uint64_t *random, uint32_t n)
{
    codeword_set set = {.n = n, .count = 1 + random_below(random, MAX_COUNT)};
    for (uint32_t w = 0; w < n; w++) {
        int8_t *codeword = guarded_make(&set.memory[w], set.count);
        fill(random, codeword, set.count);
        set.codeword[w] = random_below(random, 5) ? codeword : NULL;
    }
    if (n >= 16 && random_below(random, 2)) /* sixteen consecutive codewords are missing */
        memset(set.codeword + random_below(random, n / 16) * 16, 0, 16 * sizeof *set.codeword);
    set.lanes = guarded_make(&set.lane_memory, n * set.count);
    fill(random, set.lanes, n * set.count);
    return set;
}

static bool set_intact(const codeword_set *set)
{
    bool ok = guarded_intact(&set->lane_memory);
    for (uint32_t w = 0; w < set->n; w++)
        ok = ok && guarded_intact(&set->memory[w]);
    return ok;
}

static void free_set(codeword_set *set)
{
    for (uint32_t w = 0; w < set->n; w++)
        free(set->memory[w].memory);
    free(set->lane_memory.memory);
}

/* A missing codeword gives zeros. If all 16 codewords of a group are missing, their lanes stay unchanged. */
static int expected_lane(const codeword_set *set, int limit, const int8_t *before, size_t i, uint32_t w)
{
    bool any = set->n % 16 != 0;
    for (uint32_t k = 0; !any && k < 16; k++)
        any = set->codeword[w / 16 * 16 + k] != NULL;
    const int llr = set->codeword[w] ? set->codeword[w][i] : 0;
    return !any ? before[i * set->n + w] : llr > limit ? limit : llr < -limit ? -limit : llr;
}

static bool interleaves(const ldpc_interleave_ops *ops, uint64_t *random, uint32_t n)
{
    ldpc_interleave_shuffles shuffles;
    codeword_set set = make_set(random, n);
    int8_t before[MAX_CODEWORDS * MAX_COUNT];
    const int8_t limit = (int8_t)(random_below(random, 2) ? 127 : 1 + random_below(random, 127));
    bool ok = true;
    memcpy(before, set.lanes, n * set.count);
    ldpc_interleave_shuffles_fill(n, &shuffles);
    ops->interleave(&shuffles, limit, (const int8_t *const *)set.codeword, set.count, set.lanes);
    for (size_t i = 0; i < set.count; i++)
        for (uint32_t w = 0; w < n; w++)
            ok = ok && set.lanes[i * n + w] == expected_lane(&set, limit, before, i, w);
    ok = ok && set_intact(&set);
    free_set(&set);
    return ok;
}

static bool deinterleaves(const ldpc_interleave_ops *ops, uint64_t *random, uint32_t n)
{
    ldpc_interleave_shuffles shuffles;
    codeword_set set = make_set(random, n);
    bool ok = true;
    ldpc_interleave_shuffles_fill(n, &shuffles);
    ops->deinterleave(&shuffles, set.lanes, set.count, (uint8_t *const *)set.codeword);
    for (uint32_t w = 0; w < n; w++)
        for (size_t i = 0; set.codeword[w] && i < set.count; i++)
            ok = ok && set.codeword[w][i] == (set.lanes[i * n + w] < 0);
    ok = ok && set_intact(&set);
    free_set(&set);
    return ok;
}

/* ---- packed bits */

static bool packs(const ldpc_interleave_ops *ops, uint64_t *random)
{
    const size_t count = 1 + random_below(random, MAX_COUNT);
    guarded bit_memory, packed_memory;
    uint8_t *bits = guarded_make(&bit_memory, count),
            *packed = guarded_make(&packed_memory, ldpc_packed_bytes(count));
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        bits[i] = random_below(random, 2) != 0;
    ops->pack(bits, count, packed);
    for (size_t i = 0; i < 8 * ldpc_packed_bytes(count); i++)
        ok = ok && ldpc_packed_bit(packed, i) == (i < count ? bits[i] : 0);
    ok = ok && guarded_intact(&bit_memory) && guarded_intact(&packed_memory);
    free(bit_memory.memory);
    free(packed_memory.memory);
    return ok;
}

/* ---- transposition */

static bool transposes(const ldpc_interleave_ops *ops, uint64_t *random)
{
    const size_t rows = 1 + random_below(random, 70), columns = 1 + random_below(random, 70);
    const size_t in_stride = columns + random_below(random, 20), out_stride = rows + random_below(random, 20);
    const size_t in_bytes = (rows - 1) * in_stride + columns, out_bytes = (columns - 1) * out_stride + rows;
    guarded in_memory, out_memory;
    int8_t *in = guarded_make(&in_memory, in_bytes), *out = guarded_make(&out_memory, out_bytes);
    int8_t *expected = malloc(out_bytes);
    bool ok = expected != NULL;
    fill(random, in, in_bytes);
    if (ok) {
        memcpy(expected, out, out_bytes);
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++)
                expected[c * out_stride + r] = in[r * in_stride + c];
        ops->transpose(in, in_stride, rows, columns, out, out_stride);
        ok = memcmp(out, expected, out_bytes) == 0 && guarded_intact(&in_memory) &&
             guarded_intact(&out_memory);
    }
    free(expected);
    free(in_memory.memory);
    free(out_memory.memory);
    return ok;
}

/* ---- main */

static unsigned failure(const part *p, const char *what, uint32_t n)
{
    printf("%-12s FAILED: %s of %" PRIu32 " codewords\n", p->name, what, n);
    return 1;
}

static unsigned compare_part(const part *p, uint64_t random, unsigned rounds)
{
    unsigned failed = 0;
    for (unsigned round = 0; round < rounds && !failed; round++) {
        for (uint32_t n = 1; n <= MAX_CODEWORDS; n++) {
            if (!interleaves(p->ops, &random, n))
                failed += failure(p, "interleaving", n);
            if (!deinterleaves(p->ops, &random, n))
                failed += failure(p, "deinterleaving", n);
        }
        if (!transposes(p->ops, &random))
            failed += failure(p, "transposition", 1);
        if (!packs(p->ops, &random))
            failed += failure(p, "packing", 1);
    }
    printf("%-12s %u rounds, %u failed\n", p->name, rounds, failed);
    return failed;
}

/* ---- timing */

enum { ENTRIES = 2304, RUNS = 20, TIMES = 50 };

static double megabytes_per_second(double best, uint32_t n)
{
    return 1e-6 * n * ENTRIES / best;
}

static double best_of(double best, double start)
{
    const double took = (seconds() - start) / TIMES;
    return best == 0 || took < best ? took : best;
}

static void bench_count(const part *p, uint32_t n)
{
    static int8_t codewords[MAX_CODEWORDS][ENTRIES], lanes[MAX_CODEWORDS * ENTRIES];
    ldpc_interleave_shuffles shuffles;
    const int8_t *in[MAX_CODEWORDS];
    uint8_t *out[MAX_CODEWORDS];
    double best_in = 0, best_out = 0, best_transposed = 0;
    ldpc_interleave_shuffles_fill(n, &shuffles);
    for (uint32_t w = 0; w < n; w++) {
        in[w] = codewords[w];
        out[w] = (uint8_t *)codewords[w];
    }
    for (int run = 0; run < RUNS; run++) {
        double start = seconds();
        for (int t = 0; t < TIMES; t++)
            p->ops->interleave(&shuffles, 31, in, ENTRIES, lanes);
        best_in = best_of(best_in, start);
        start = seconds();
        for (int t = 0; t < TIMES; t++)
            p->ops->deinterleave(&shuffles, lanes, ENTRIES, out);
        best_out = best_of(best_out, start);
        start = seconds();
        for (int t = 0; t < TIMES; t++)
            p->ops->transpose(codewords, ENTRIES, n, ENTRIES, lanes, n);
        best_transposed = best_of(best_transposed, start);
    }
    printf("%-12s %2" PRIu32 " codewords: interleave %7.0f, deinterleave %7.0f, transpose %7.0f MB/s\n",
           p->name, n, megabytes_per_second(best_in, n), megabytes_per_second(best_out, n),
           megabytes_per_second(best_transposed, n));
}

static void bench_part(const part *p)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 16, 32, 64};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        bench_count(p, counts[i]);
}

int main(int argc, char **argv)
{
#define PART(isa, kernel, needs) {#isa, needs, &ldpc_interleave_##isa},
    static const part parts[] = {LDPC_EACH_SIMD(PART)};
    uint64_t seed = 1;
    unsigned rounds = 20, failed = 0;
    bool bench = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bench") == 0)
            bench = true;
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = (unsigned)strtoul(argv[++i], NULL, 0);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!ldpc_cpu_runs(parts[i].features &
                           ~(unsigned)LDPC_CPU_BLEND)) /* a preference, not an instruction set */
            printf("%-12s SKIPPED: this CPU lacks its instructions\n", parts[i].name);
        else if (bench)
            bench_part(&parts[i]);
        else
            failed += compare_part(&parts[i], seed, rounds);
    }
    if (failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", failed, seed);
    return failed ? 1 : 0;
}
