/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the speed of the BCH decoder on one core in Mbit/s of received words, for 0, t and more bit errors.
 *
 * usage: bench_bch [code name...] */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "ldpc/dvb_fec.h"

enum { WORDS = 32, ROUNDS = 15 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t next(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

/* Makes WORDS codewords with `wrong` bit errors each. */
static void make_words(const ldpc_bch *bch, uint32_t wrong, uint8_t *message, uint8_t *words)
{
    uint32_t n = ldpc_bch_n(bch);
    for (size_t i = 0; i < (size_t)WORDS * ldpc_bch_k(bch); i++)
        message[i] = next() & 1;
    ldpc_bch_encode(bch, message, WORDS, false, words);
    for (int w = 0; w < WORDS; w++)
        for (uint32_t i = 0, place = next() % (n / 32); i < wrong; i++, place += 1 + next() % (n / 32))
            words[(size_t)w * n + place] ^= 1;
}

/* Returns the shortest time of several rounds, or -1 if a decoded codeword is wrong. */
static double speed(const ldpc_bch *bch, const uint8_t *words, bool packed, uint8_t *decoded,
                    int32_t expected)
{
    int32_t corrected[WORDS];
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        ldpc_bch_decode(bch, words, WORDS, packed, decoded, corrected);
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    for (int w = 0; w < WORDS; w++)
        if (corrected[w] != expected)
            return -1;
    return 1e-6 * WORDS * ldpc_bch_n(bch) / best;
}

static bool measure(const char *name)
{
    ldpc_bch *bch;
    ldpc_error err;
    if (ldpc_bch_create(name, &bch, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    uint32_t n = ldpc_bch_n(bch), t = ldpc_bch_t(bch);
    uint8_t *message = malloc((size_t)WORDS * n), *words = malloc((size_t)WORDS * n),
            *packed = malloc((size_t)WORDS * n / 8);
    bool done = message && words && packed;
    const uint32_t wrong[] = {0, 1, t, t + 4};
    printf("%-18s t = %2u", name, t);
    for (int i = 0; i < 4 && done; i++) {
        int32_t expected = wrong[i] > t ? LDPC_BCH_FAILED : (int32_t)wrong[i];
        make_words(bch, wrong[i], message, words);
        ldpc_pack(words, (size_t)WORDS * n, packed);
        printf("  %6.0f %6.0f", speed(bch, words, false, message, expected),
               speed(bch, packed, true, message, expected));
    }
    printf("\n");
    free(message);
    free(words);
    free(packed);
    ldpc_bch_destroy(bch);
    return done;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"dvbt2:64800:1/2", "dvbt2:64800:2/3", "dvbs2:64800:9/10",
                                        "dvbt2:16200:1/2", "dvbs2x:30780:1/3"};
    bool done = true;
    printf("Mbit/s, unpacked and packed bits\n%-25s  %13s  %13s  %13s  %13s\n", "", "0 wrong", "1 wrong",
           "t wrong", "t + 4 wrong");
    for (int i = 1; i < argc; i++)
        done &= measure(argv[i]);
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        done &= measure(usual[i]);
    return done ? 0 : 1;
}
