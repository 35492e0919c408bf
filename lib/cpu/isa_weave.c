/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to lanes and back by byte shuffles: 16 rows of n words are n registers on either side, and each
 * register of one side is put together from one shuffle of each register of the other. Registers of 16 bytes
 * in all instruction sets: wider shuffles do not cross them. */
#include "cpu/layered_engine.h"

#define WEAVER(isa)    ldpc_weaver_##isa
#define WEAVER_OF(isa) WEAVER(isa)

#if defined(LDPC_ISA_SCALAR)

const ldpc_weaver WEAVER_OF(LDPC_ISA) = {NULL, NULL};

#else

#define UNROLL       _Pragma("GCC unroll 8")
#define FORCE_INLINE static inline __attribute__((always_inline))

#if defined(LDPC_ISA_NEON)

#include <arm_neon.h>
typedef uint8x16_t bytes;
#define LOAD(p)        vld1q_u8((const uint8_t *)(p))
#define STORE(p, x)    vst1q_u8((uint8_t *)(p), x)
#define ZERO           vdupq_n_u8(0)
#define SHUFFLE(x, at) vqtbl1q_u8(x, at)
#define EITHER(x, y)   vorrq_u8(x, y)
#define CLAMPED(x)     vreinterpretq_u8_s8(vmaxq_s8(vreinterpretq_s8_u8(x), vdupq_n_s8(-127)))

#else

#include <immintrin.h>
typedef __m128i bytes;
#define LOAD(p)        _mm_loadu_si128((const void *)(p))
#define STORE(p, x)    _mm_storeu_si128((void *)(p), x)
#define ZERO           _mm_setzero_si128()
#define SHUFFLE(x, at) _mm_shuffle_epi8(x, at)
#define EITHER(x, y)   _mm_or_si128(x, y)
#define CLAMPED(x)     _mm_max_epi8(x, _mm_set1_epi8(-127))

#endif

FORCE_INLINE bytes mixed(const unsigned n, const bytes *from, const uint8_t (*index)[16])
{
    bytes sum = SHUFFLE(from[0], LOAD(index[0]));
    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = EITHER(sum, SHUFFLE(from[i], LOAD(index[i])));
    return sum;
}

/* The first of the next 16 rows: the last ones go back over rows that are done. */
FORCE_INLINE size_t next_rows(size_t done, size_t count)
{
    return done + LDPC_WEAVE_ROWS <= count ? done : count - LDPC_WEAVE_ROWS;
}

FORCE_INLINE void weave_n(const unsigned n, const ldpc_weave_index *index, const int8_t *const *words,
                          size_t count, int8_t *lanes)
{
    for (size_t row, done = 0; done < count; done = row + LDPC_WEAVE_ROWS) {
        bytes from[LDPC_WEAVE_WORDS];
        row = next_rows(done, count);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            from[w] = words[w] ? CLAMPED(LOAD(words[w] + row)) : ZERO;
        UNROLL
        for (unsigned k = 0; k < n; k++)
            STORE(lanes + row * n + 16 * k, mixed(n, from, &index->in[k * n]));
    }
}

FORCE_INLINE void unweave_n(const unsigned n, const ldpc_weave_index *index, const int8_t *lanes,
                            size_t count, int8_t *const *words)
{
    for (size_t row, done = 0; done < count; done = row + LDPC_WEAVE_ROWS) {
        bytes from[LDPC_WEAVE_WORDS];
        row = next_rows(done, count);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            from[k] = LOAD(lanes + row * n + 16 * k);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            if (words[w])
                STORE(words[w] + row, mixed(n, from, &index->out[w * n]));
    }
}

/* The number of words is a constant of each case, so that its registers stay registers. */
#define EACH_COUNT(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static void weave(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes)
{
    switch (index->n_words) {
#define WEAVE(n)                                                                                             \
    case n:                                                                                                  \
        weave_n(n, index, words, count, lanes);                                                              \
        break;
        EACH_COUNT(WEAVE)
    }
}

static void unweave(const ldpc_weave_index *index, const int8_t *lanes, size_t count, int8_t *const *words)
{
    switch (index->n_words) {
#define UNWEAVE(n)                                                                                           \
    case n:                                                                                                  \
        unweave_n(n, index, lanes, count, words);                                                            \
        break;
        EACH_COUNT(UNWEAVE)
    }
}

const ldpc_weaver WEAVER_OF(LDPC_ISA) = {weave, unweave};

#endif
