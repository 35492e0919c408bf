/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the check node of each instruction set, lane width and rule with the reference (ref_check_node.h).
 * Checks that only messages are written.
 *
 *   test_check_node [--seed N] [--rounds N] [--bench] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/binary/ref_check_node.h"
#include "kernels/guarded.h"
#include "parts/check_node_part.h"
#include "parts/parts.h"
#include "plan/algorithms.h"

enum { MAX_LANES = 64 };

static bool has_rule(const check_node_part *part, ldpc_algorithm algorithm)
{
    return !ldpc_algorithm_only_nonbinary(algorithm) &&
           (algorithm != LDPC_ALGORITHM_SUM_PRODUCT || part->lane_bits == 32);
}

typedef struct check_register {
    ldpc_rule rule;
    unsigned degree;
    double q[MAX_DEGREE][MAX_LANES]; /* exact for all arithmetics */
} check_register;

/* ---- input */

static ldpc_arithmetic arithmetic_of(const check_node_part *part)
{
    return part->lane_bits == 8    ? LDPC_ARITHMETIC_I8
           : part->lane_bits == 16 ? LDPC_ARITHMETIC_I16
                                   : LDPC_ARITHMETIC_FLOAT;
}

/* Draws offsets and factors that ldpc_plan_init() allows. */
static ldpc_rule random_rule(const check_node_part *part, ldpc_algorithm algorithm, uint64_t *random)
{
    ldpc_plan plan = {
        .algorithm = algorithm,
        .arithmetic = arithmetic_of(part),
        .llr_scale = random_below(random, 2) ? 3 : 0.25f + (float)random_below(random, 255) / 4,
        .offset = random_below(random, 2) ? -1 : (float)random_below(random, 64),
        .factor = random_below(random, 2) ? 0 : (float)(1 + random_below(random, 16)) / 16,
    };
    return ldpc_plan_rule(&plan);
}

/* Draws from all values, or from a small range. A small range gives equal minima. */
static double random_q(const check_node_part *part, uint32_t range, uint64_t *random)
{
    const int32_t x = (int32_t)random_below(random, 2 * range + 1) - (int32_t)range;
    switch (part->lane_bits) {
    case 8:
        return x < LDPC_I8_MIN ? LDPC_I8_MIN : x > LDPC_I8_MAX ? LDPC_I8_MAX : x;
    case 16:
        return x < -LDPC_I16_LIMIT ? -LDPC_I16_LIMIT : x > LDPC_I16_LIMIT ? LDPC_I16_LIMIT : x;
    default:
        return x / 8.0;
    }
}

static void fill(const check_node_part *part, ldpc_algorithm algorithm, unsigned degree, uint64_t *random,
                 check_register *in)
{
    static const uint32_t ranges[] = {1, 3, 12, 40, 130, 300, 2400};
    in->rule = random_rule(part, algorithm, random);
    in->degree = degree;
    for (unsigned lane = 0; lane < part->lanes; lane++) {
        const uint32_t range = ranges[random_below(random, sizeof ranges / sizeof ranges[0])];
        for (unsigned e = 0; e < degree; e++)
            in->q[e][lane] = random_q(part, range, random);
    }
}

/* ---- lanes of a width */

static void put(const check_node_part *part, void *lanes, size_t i, double x)
{
    switch (part->lane_bits) {
    case 8:
        ((int8_t *)lanes)[i] = (int8_t)x;
        break;
    case 16:
        ((int16_t *)lanes)[i] = (int16_t)x;
        break;
    default:
        ((float *)lanes)[i] = (float)x;
    }
}

static double get(const check_node_part *part, const void *lanes, size_t i)
{
    return part->lane_bits == 8    ? ((const int8_t *)lanes)[i]
           : part->lane_bits == 16 ? ((const int16_t *)lanes)[i]
                                   : (double)((const float *)lanes)[i];
}

/* ---- comparisons */

static void expect(const check_node_part *part, const check_register *in, unsigned lane, double *r)
{
    int32_t int_q[MAX_DEGREE], int_r[MAX_DEGREE];
    float float_q[MAX_DEGREE], float_r[MAX_DEGREE];
    for (unsigned e = 0; e < in->degree; e++) {
        int_q[e] = (int32_t)in->q[e][lane];
        float_q[e] = (float)in->q[e][lane];
    }
    if (part->lane_bits == 32)
        float_check_node(&in->rule, FLOAT_LIMIT, in->degree, float_q, float_r);
    else
        int_check_node(&in->rule, part->lane_bits == 8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT, in->degree, int_q,
                       int_r);
    for (unsigned e = 0; e < in->degree; e++)
        r[e] = part->lane_bits == 32 ? (double)float_r[e] : int_r[e];
}

/* Sum-product uses another formula than the reference. Near the maximum magnitude, messages differ by up to
 * 2 ln 2. */
static bool same(const check_register *in, double got, double expected)
{
    if (in->rule.algorithm != LDPC_ALGORITHM_SUM_PRODUCT)
        return got == expected;
    return fabs(got - expected) < (fabs(expected) > 200 ? 2 * log(2) : 1e-4);
}

static bool compare(const check_node_part *part, const char *way, check_node_run *run,
                    const check_register *in)
{
    const size_t bytes = (size_t)in->degree * part->lanes * part->lane_bits / 8;
    guarded q_memory, r_memory;
    void *q = guarded_make(&q_memory, bytes), *r = guarded_make(&r_memory, bytes);
    bool ok = true;
    for (unsigned e = 0; e < in->degree; e++)
        for (unsigned lane = 0; lane < part->lanes; lane++)
            put(part, q, (size_t)e * part->lanes + lane, in->q[e][lane]);
    run(&in->rule, in->degree, q, r, 1);
    for (unsigned lane = 0; ok && lane < part->lanes; lane++) {
        double expected[MAX_DEGREE];
        expect(part, in, lane, expected);
        for (unsigned e = 0; ok && e < in->degree; e++) {
            const double got = get(part, r, (size_t)e * part->lanes + lane);
            ok = same(in, got, expected[e]);
            if (!ok)
                printf("%s, %u bits, %s, %s, degree %u: FAILED: edge %u with Q = %g gets %g, not %g\n",
                       part->row.name, part->lane_bits, way, ldpc_algorithm_name(in->rule.algorithm),
                       in->degree, e, in->q[e][lane], got, expected[e]);
        }
    }
    if (ok && !(guarded_intact(&q_memory) && guarded_intact(&r_memory))) {
        printf("%s, %u bits, %s: FAILED: wrote outside of its messages\n", part->row.name, part->lane_bits,
               way);
        ok = false;
    }
    free(q_memory.memory);
    free(r_memory.memory);
    return ok;
}

static bool has_tree(unsigned degree)
{
#define IS_DEGREE(d) || degree == (d)
    return false TREE_DEGREES(IS_DEGREE);
}

/* Tests all degrees of a rule. Returns the number of failures. */
static unsigned compare_rule(const check_node_part *part, ldpc_algorithm algorithm, uint64_t *random,
                             unsigned *compared)
{
    static check_register in;
    unsigned failed = 0;
    for (unsigned degree = 1; degree <= MAX_DEGREE; degree++) {
        fill(part, algorithm, degree, random, &in);
        failed += !compare(part, "in order", part->in_order, &in);
        ++*compared;
        if (!part->by_tree || algorithm == LDPC_ALGORITHM_SUM_PRODUCT || !has_tree(degree))
            continue;
        failed += !compare(part, "by tree", part->by_tree, &in);
        ++*compared;
    }
    return failed;
}

static unsigned compare_part(const check_node_part *part, uint64_t seed, unsigned rounds)
{
    unsigned failed = 0, compared = 0;
    for (int a = LDPC_ALGORITHM_MIN_SUM; a <= LDPC_LAST_ALGORITHM; a++)
        for (unsigned round = 0; has_rule(part, (ldpc_algorithm)a) && round < rounds && !failed; round++)
            failed += compare_rule(part, (ldpc_algorithm)a, &seed, &compared);
    printf("%-12s %2u bits: %u registers compared, %u failed\n", part->row.name, part->lane_bits, compared,
           failed);
    return failed;
}

/* ---- timing */

/* Returns the nanoseconds per edge and register. Only the fastest of several runs is used. */
static double time_of(check_node_run *run, const check_register *in, const void *q, void *r)
{
    enum { RUNS = 20, TIMES = 20000 };
    double best = 1;
    for (int i = 0; i < RUNS; i++) {
        const double start = seconds();
        run(&in->rule, in->degree, q, r, TIMES);
        const double took = (seconds() - start) / TIMES / in->degree;
        best = took < best ? took : best;
    }
    return 1e9 * best;
}

static void bench_part(const check_node_part *part)
{
    static check_register in;
    static char q[MAX_DEGREE * MAX_LANES * sizeof(float)], r[sizeof q];
    uint64_t random = 1;
    for (int a = LDPC_ALGORITHM_MIN_SUM; a <= LDPC_LAST_ALGORITHM; a++) {
        const ldpc_algorithm algorithm = (ldpc_algorithm)a;
        if (!has_rule(part, algorithm))
            continue;
        fill(part, algorithm, 7, &random, &in);
        for (size_t i = 0; i < (size_t)in.degree * part->lanes; i++)
            put(part, q, i, in.q[i / part->lanes][i % part->lanes]);
        printf("%-12s %2u bits %-12s degree 7: %6.2f ns per edge in order", part->row.name, part->lane_bits,
               ldpc_algorithm_name(algorithm), time_of(part->in_order, &in, q, r));
        if (part->by_tree && algorithm != LDPC_ALGORITHM_SUM_PRODUCT)
            printf(", %6.2f by tree", time_of(part->by_tree, &in, q, r));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
#define X(isa) &check_node_i8_##isa, &check_node_i16_##isa, &check_node_f32_##isa,
    static const check_node_part *const parts[] = {PART_SETS};
#undef X
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
        if (!ldpc_cpu_runs(parts[i]->row.features))
            printf("%-12s SKIPPED: this CPU lacks its instructions\n", parts[i]->row.name);
        else if (bench)
            bench_part(parts[i]);
        else
            failed += compare_part(parts[i], seed, rounds);
    }
    if (failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", failed, seed);
    return failed ? 1 : 0;
}
