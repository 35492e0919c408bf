/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the time of each SIMD primitive per register and instruction set, in nanoseconds. The time includes the
 * loads of the operands and the store of the result.
 *
 *   simd_primitives [part of a name] */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "simd/primitives.h"

enum { TIMES = 20000, RUNS = 15 };

static const char *const names[] = {
#define BYTES(name, statement, bytes, domain, meaning) #name,
#define LANES(name, type, primitive, domain, meaning)  #name,
#define MASK(name, type, primitive, meaning)           #name,
#define FLOATS(name, primitive, domain, meaning)       #name,
#include "simd/primitive_list.inc"
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Returns the shortest time of several runs. */
static double time_of(primitive_run *run)
{
    static operands in;
    static uint8_t out[2 * MAX_REGISTER_BYTES] __attribute__((aligned(MAX_REGISTER_BYTES)));
    double best = 1e30;
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        run(&in, out, TIMES);
        const double time = (now() - start) / TIMES;
        best = time < best ? time : best;
    }
    return best;
}

int main(int argc, char **argv)
{
#define X(isa) &simd_primitives_##isa,
    static const primitive_set *const sets[] = {SIMD_SETS};
    const size_t count = sizeof sets / sizeof *sets;
    printf("%-18s", "ns");
    for (size_t i = 0; i < count; i++)
        printf(" %10s", sets[i]->row.name);
    printf("\n");
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
        if (argc > 1 && !strstr(names[p], argv[1]))
            continue;
        printf("%-18s", names[p]);
        for (size_t i = 0; i < count; i++)
            if (ldpc_cpu_runs(sets[i]->row.features))
                printf(" %10.2f", time_of(sets[i]->run[p]));
            else
                printf(" %10s", "-");
        printf("\n");
    }
    return 0;
}
