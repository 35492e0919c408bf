/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a file of LLRs with a peer's decoder, once for its bits and then by turns for its time.
 *
 *     PROGRAM CODE ITERATIONS OFFSET N LLRS COLUMNS BITS
 *
 * CODE to N: see turns_work
 * LLRS       int8, codeword after codeword
 * COLUMNS    uint32, one of each message bit
 * BITS       written: one message bit per byte
 *
 * Prints "ready" when BITS is complete. Then each line of standard input is a number of seconds, and the answer is the
 * processor time in seconds of one pass over all codewords, the mean of as many passes as begin within that number. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "turns.h"

enum { ALIGNMENT = 64 };

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "%s %s\n", what, name);
    exit(1);
}

/* A whole file, aligned. */
static void *contents(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        stop("cannot read", path);
    *bytes = (size_t)ftell(file);
    rewind(file);
    void *data = aligned_alloc(ALIGNMENT, (*bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
    if (!data || fread(data, 1, *bytes, file) != *bytes)
        stop("cannot read", path);
    fclose(file);
    return data;
}

static void write_bits(const turns_work *work, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        stop("cannot write", path);
    for (size_t word = 0; word < work->words; word++)
        for (size_t i = 0; i < work->k; i++)
            putc(peer_bit(word, i), file);
    if (fclose(file))
        stop("cannot write", path);
}

/* Processor time, so that other programs on this core cost nothing. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double mean_pass(double seconds)
{
    const double start = now();
    double spent = 0;
    int passes = 0;
    for (; !passes || spent < seconds; passes++) {
        peer_decode();
        spent = now() - start;
    }
    return spent / passes;
}

int main(int argc, char **argv)
{
    if (argc != 8)
        stop("expected CODE ITERATIONS OFFSET N LLRS COLUMNS BITS after", argv[0]);
    turns_work work = {.code = argv[1], .iterations = atoi(argv[2]), .offset = atoi(argv[3])};
    size_t bytes;
    work.n = strtoul(argv[4], NULL, 10);
    work.llr = contents(argv[5], &bytes);
    work.words = work.n ? bytes / work.n : 0;
    work.message_column = contents(argv[6], &bytes);
    work.k = bytes / sizeof *work.message_column;
    if (!work.words || work.words % 64)
        stop("expected a multiple of 64 codewords in", argv[5]);

    peer_start(&work);
    peer_decode();
    write_bits(&work, argv[7]);
    puts("ready");
    fflush(stdout);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        printf("%.9g\n", mean_pass(atof(line)));
        fflush(stdout);
    }
    return 0;
}
