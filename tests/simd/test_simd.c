/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares each SIMD primitive (primitive_list.inc) of this CPU's instruction sets with plain C, for random and
 * extreme operands. Checks that a primitive writes nothing outside of its result.
 *
 *   test_simd [--seed N] [--rounds N] */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simd/primitives.h"

typedef struct meaning {
    const char *name;
    void (*prepare)(operands *in, size_t size);
    void (*expect)(const operands *in, size_t size, uint8_t *out);
} meaning;

/* ---- for the list */

static int64_t limited(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* 0 .. 128, 0 often */
static int64_t near(int64_t x)
{
    return x & 1 ? 0 : x % 129;
}

static uint8_t smallest(const uint8_t *bytes, size_t count)
{
    uint8_t least = bytes[0];
    for (size_t i = 1; i < count; i++)
        least = bytes[i] < least ? bytes[i] : least;
    return least;
}

/* Patterns become eighths, -65536 .. 65536. */
static void make_floats(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += sizeof(float)) {
        int32_t pattern;
        memcpy(&pattern, bytes + i, sizeof pattern);
        float x = (float)(pattern % (1 << 19)) / 8.0f;
        memcpy(bytes + i, &x, sizeof x);
    }
}

/* Patterns become quarters, -127 .. 127. */
static void float_bytes(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += sizeof(float)) {
        int32_t pattern;
        memcpy(&pattern, bytes + i, sizeof pattern);
        float x = (float)(pattern % 509) / 4.0f;
        memcpy(bytes + i, &x, sizeof x);
    }
}

/* ---- functions of each row */

#define SIZE size

#define LANE_OF(type, r) (((const type *)(const void *)in[r])[lane])
#define LANES(name, type, primitive, domain, result)                                                         \
    static void prepare_##name(operands *ops, size_t size)                                                   \
    {                                                                                                        \
        uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                                     \
        const unsigned k = ops->k;                                                                           \
        for (size_t lane = 0; lane < size / sizeof(type); lane++) {                                          \
            int64_t a = (int64_t)LANE_OF(type, 0), b = (int64_t)LANE_OF(type, 1),                            \
                    c = (int64_t)LANE_OF(type, 2), d = (int64_t)LANE_OF(type, 3),                            \
                    e = (int64_t)LANE_OF(type, 4);                                                           \
            (void)k;                                                                                         \
            domain;                                                                                          \
            const int64_t changed[OPERANDS] = {a, b, c, d, e};                                               \
            for (int r = 0; r < OPERANDS; r++)                                                               \
                ((type *)(void *)in[r])[lane] = (type)changed[r];                                            \
        }                                                                                                    \
    }                                                                                                        \
    static void expect_##name(const operands *ops, size_t size, uint8_t *out)                                \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        const unsigned k = ops->k;                                                                           \
        for (size_t lane = 0; lane < size / sizeof(type); lane++) {                                          \
            const int64_t a = (int64_t)LANE_OF(type, 0), b = (int64_t)LANE_OF(type, 1),                      \
                          c = (int64_t)LANE_OF(type, 2), d = (int64_t)LANE_OF(type, 3),                      \
                          e = (int64_t)LANE_OF(type, 4);                                                     \
            (void)a, (void)b, (void)c, (void)d, (void)e, (void)k;                                            \
            ((type *)(void *)out)[lane] = (type)(result);                                                    \
        }                                                                                                    \
    }
#define MASK(name, type, primitive, result)                                                                  \
    static void prepare_##name(operands *ops, size_t size)                                                   \
    {                                                                                                        \
        (void)ops, (void)size;                                                                               \
    }                                                                                                        \
    static void expect_##name(const operands *ops, size_t size, uint8_t *out)                                \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        uint64_t mask = 0;                                                                                   \
        for (size_t lane = 0; lane < size / sizeof(type); lane++) {                                          \
            const type a = LANE_OF(type, 0);                                                                 \
            mask |= (uint64_t)(result) << lane;                                                              \
        }                                                                                                    \
        memcpy(out, &mask, sizeof mask);                                                                     \
    }
#define FLOATS(name, primitive, domain, result)                                                              \
    static void prepare_##name(operands *ops, size_t size)                                                   \
    {                                                                                                        \
        uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                                     \
        for (int r = 0; r < OPERANDS; r++)                                                                   \
            make_floats(in[r], size + sizeof(float));                                                        \
        for (size_t lane = 0; lane < size / sizeof(float); lane++) {                                         \
            float b = LANE_OF(float, 1);                                                                     \
            domain;                                                                                          \
            memcpy(in[1] + lane * sizeof b, &b, sizeof b);                                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void expect_##name(const operands *ops, size_t size, uint8_t *out)                                \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        const unsigned k = ops->k;                                                                           \
        for (size_t lane = 0; lane < size / sizeof(float); lane++) {                                         \
            const float a = LANE_OF(float, 0), next = ((const float *)(const void *)in[0])[lane + 1],        \
                        b = LANE_OF(float, 1);                                                               \
            (void)a, (void)b, (void)next, (void)k;                                                           \
            const float x = result;                                                                          \
            memcpy(out + lane * sizeof x, &x, sizeof x);                                                     \
        }                                                                                                    \
    }
#define BYTES(name, statement, bytes, domain, result)                                                        \
    static void prepare_##name(operands *ops, size_t size)                                                   \
    {                                                                                                        \
        uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                                     \
        (void)in, (void)size;                                                                                \
        domain;                                                                                              \
    }                                                                                                        \
    static void expect_##name(const operands *ops, size_t size, uint8_t *out)                                \
    {                                                                                                        \
        const uint8_t(*in)[2 * MAX_REGISTER_BYTES] = ops->reg;                                               \
        const unsigned k = ops->k;                                                                           \
        (void)in, (void)k, (void)size;                                                                       \
        for (size_t i = 0; i < (bytes); i++)                                                                 \
            out[i] = result;                                                                                 \
    }
#include "simd/primitive_list.inc"
#undef BYTES
#undef LANES
#undef MASK
#undef FLOATS

#define ROW(name)                                     {#name, prepare_##name, expect_##name},
#define BYTES(name, statement, bytes, domain, result) ROW(name)
#define LANES(name, type, primitive, domain, result)  ROW(name)
#define MASK(name, type, primitive, result)           ROW(name)
#define FLOATS(name, primitive, domain, result)       ROW(name)
static const meaning meanings[] = {
#include "simd/primitive_list.inc"
};

enum { PRIMITIVES = sizeof meanings / sizeof *meanings };

/* ---- operands */

static uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Random bytes, extreme values, or both. */
static void make_operands(uint64_t *random, operands *in)
{
    static const uint8_t edges[] = {0, 1, 15, 16, 127, 128, 129, 255};
    const uint64_t kind = random_next(random) % 3;
    for (int r = 0; r < OPERANDS; r++)
        for (size_t i = 0; i < sizeof in->reg[r]; i++) {
            uint64_t x = random_next(random);
            bool edge = kind == 1 || (kind == 2 && x >> 32 & 1);
            in->reg[r][i] = edge ? edges[x % sizeof edges] : (uint8_t)x;
        }
    in->k = (unsigned)random_next(random);
}

/* ---- comparisons */

enum { OUTPUT = 2 * MAX_REGISTER_BYTES }; /* with guard bytes */

static bool compare(const primitive_set *set, size_t primitive, uint64_t *random)
{
    static uint8_t got[OUTPUT] __attribute__((aligned(MAX_REGISTER_BYTES))),
        expected[OUTPUT] __attribute__((aligned(MAX_REGISTER_BYTES)));
    operands in;
    make_operands(random, &in);
    meanings[primitive].prepare(&in, set->register_bytes);
    memset(got, 0x5a, sizeof got);
    memset(expected, 0x5a, sizeof expected);
    set->run[primitive](&in, got, 1);
    meanings[primitive].expect(&in, set->register_bytes, expected);
    for (size_t i = 0; i < OUTPUT; i++)
        if (got[i] != expected[i]) {
            printf("%-12s %s: FAILED: byte %zu is %u, not %u (k = %u)\n", set->row.name,
                   meanings[primitive].name, i, got[i], expected[i], in.k);
            return false;
        }
    return true;
}

static unsigned compare_set(const primitive_set *set, uint64_t seed, unsigned rounds)
{
    unsigned failed = 0;
    for (size_t p = 0; p < PRIMITIVES; p++) {
        uint64_t random = seed;
        unsigned round = 0;
        while (round < rounds && compare(set, p, &random))
            round++;
        failed += round < rounds;
    }
    printf("%-12s %d primitives, %u rounds, %u failed\n", set->row.name, PRIMITIVES, rounds, failed);
    return failed;
}

int main(int argc, char **argv)
{
#define X(isa) &simd_primitives_##isa,
    static const primitive_set *const sets[] = {SIMD_SETS};
#undef X
    uint64_t seed = 1;
    unsigned rounds = 1000, failed = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--rounds") == 0)
            rounds = (unsigned)strtoul(argv[i + 1], NULL, 0);
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (ldpc_cpu_runs(sets[i]->row.features))
            failed += compare_set(sets[i], seed, rounds);
        else
            printf("%-12s SKIPPED: this CPU lacks its instructions\n", sets[i]->row.name);
    }
    if (failed)
        printf("%u FAILED (seed %" PRIu64 ")\n", failed, seed);
    return failed ? 1 : 0;
}
