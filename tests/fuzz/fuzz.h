/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of fuzz targets. A target checks properties that hold for any input.
 *
 * A target is one source with LLVMFuzzerTestOneInput(). It is linked with libFuzzer. Every build also links it
 * with replay.c, which runs the corpus. */
#ifndef LDPC_FUZZ_H
#define LDPC_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#ifdef __cplusplus
}
#endif

/* Ends the program with the failed condition. libFuzzer saves the input. */
#define FUZZ_CHECK(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                   \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* The counters of the coverage sanitizer slow down long loops. */
#ifdef __clang__
#define FUZZ_NO_COVERAGE __attribute__((no_sanitize("coverage")))
#else
#define FUZZ_NO_COVERAGE
#endif

/* The unread part of the input. After its end, all values are zero. */
typedef struct fuzz_input {
    const uint8_t *next;
    size_t left;
} fuzz_input;

static inline uint32_t fuzz_byte(fuzz_input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->next++;
}

/* 0 .. limit - 1, limit <= 256 */
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t limit)
{
    return fuzz_byte(in) % limit;
}

static inline uint32_t fuzz_word32(fuzz_input *in)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | fuzz_byte(in);
    return word;
}

/* Returns a random number (D. Knuth's MMIX generator). Used if more random data is needed than the input
 * contains. */
FUZZ_NO_COVERAGE static inline uint32_t fuzz_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Returns up to 32 bits of the input. After the end of the input, returns random bits. */
static inline uint32_t fuzz_bits(fuzz_input *in, uint64_t *state, unsigned bits)
{
    uint32_t number = bits > 16 ? fuzz_word32(in) : fuzz_byte(in);
    if (bits > 8 && bits <= 16)
        number = number << 8 | fuzz_byte(in);
    if (in->left == 0)
        number ^= fuzz_random(state);
    return number & (uint32_t)((1ULL << bits) - 1);
}

/* Fills the bytes from a generator. The input determines the seed, and up to `edits` changes of bytes. */
FUZZ_NO_COVERAGE static inline void fuzz_fill(fuzz_input *in, uint8_t *bytes, size_t count, uint32_t edits)
{
    uint64_t state = fuzz_byte(in) << 8;
    state |= fuzz_byte(in);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(fuzz_random(&state) >> 24);
    for (; edits && in->left >= 3 && count; edits--) {
        size_t place = fuzz_byte(in) << 8;
        place |= fuzz_byte(in);
        bytes[place % count] = (uint8_t)fuzz_byte(in);
    }
}

#endif
