/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to lanes and lanes to bits. One word is copied. Up to eight words are mixed by byte shuffles: 16 rows
 * of n words are n registers on either side. Two, four, eight words take perfect shuffles; of other numbers
 * each register of one side is put together from one shuffle of each register of the other. Multiples of 16
 * words, and matrices, are turned 16 by 16 bytes. Registers of 16 bytes for all of these: wider shuffles do
 * not cross them. */
#include "cpu/layered_engine.h"

#include <string.h>

#define WEAVER(isa)    ldpc_weaver_##isa
#define WEAVER_OF(isa) WEAVER(isa)

/* ---- plainly */

static void weave_plain(uint32_t n, const int8_t *const *words, size_t count, int8_t *lanes)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t w = 0; w < n; w++)
            lanes[i * n + w] = (int8_t)(!words[w] ? 0 : words[w][i] < -127 ? -127 : words[w][i]);
}

static void unweave_plain(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    for (uint32_t w = 0; w < n; w++)
        for (size_t i = 0; words[w] && i < count; i++)
            words[w][i] = lanes[i * n + w] < 0;
}

static void turn_plain(const int8_t *in, size_t in_stride, size_t rows, size_t columns, int8_t *out,
                       size_t out_stride)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            out[c * out_stride + r] = in[r * in_stride + c];
}

#if defined(LDPC_ISA_SCALAR)

static void weave(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes)
{
    weave_plain(index->n_words, words, count, lanes);
}

static void unweave(const ldpc_weave_index *index, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    unweave_plain(index->n_words, lanes, count, words);
}

static void turn(const void *in, size_t in_stride, size_t rows, size_t columns, void *out, size_t out_stride)
{
    turn_plain(in, in_stride, rows, columns, out, out_stride);
}

#else

#define UNROLL       _Pragma("GCC unroll 16")
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
#define NEGATIVE(x)    vshrq_n_u8(x, 7)
#define ZIP_LOW(x, y)  vzip1q_u8(x, y)
#define ZIP_HIGH(x, y) vzip2q_u8(x, y)
/* One word needs nothing but copies. */
typedef bytes wide;
#define WIDE_LOAD      LOAD
#define WIDE_STORE     STORE
#define WIDE_CLAMPED   CLAMPED
#define WIDE_NEGATIVE  NEGATIVE

#else

#include <immintrin.h>
typedef __m128i bytes;
#define LOAD(p)        _mm_loadu_si128((const void *)(p))
#define STORE(p, x)    _mm_storeu_si128((void *)(p), x)
#define ZERO           _mm_setzero_si128()
#define SHUFFLE(x, at) _mm_shuffle_epi8(x, at)
#define EITHER(x, y)   _mm_or_si128(x, y)
#define CLAMPED(x)     _mm_max_epi8(x, _mm_set1_epi8(-127))
#define NEGATIVE(x)    _mm_and_si128(_mm_srli_epi16(x, 7), _mm_set1_epi8(1))
#define ZIP_LOW(x, y)  _mm_unpacklo_epi8(x, y)
#define ZIP_HIGH(x, y) _mm_unpackhi_epi8(x, y)
#if defined(LDPC_ISA_SSE41)
typedef bytes wide;
#define WIDE_LOAD     LOAD
#define WIDE_STORE    STORE
#define WIDE_CLAMPED  CLAMPED
#define WIDE_NEGATIVE NEGATIVE
#else
typedef __m256i wide;
#define WIDE_LOAD(p)     _mm256_loadu_si256((const void *)(p))
#define WIDE_STORE(p, x) _mm256_storeu_si256((void *)(p), x)
#define WIDE_CLAMPED(x)  _mm256_max_epi8(x, _mm256_set1_epi8(-127))
#define WIDE_NEGATIVE(x) _mm256_and_si256(_mm256_srli_epi16(x, 7), _mm256_set1_epi8(1))
#endif

#endif

/* The first of the next rows: the last ones go back over rows that are done. */
FORCE_INLINE size_t next_rows(size_t done, size_t rows, size_t count)
{
    return done + rows <= count ? done : count - rows;
}

/* ---- one word */

/* The first and the last `part` bytes of `count` <= 2 * part. */
FORCE_INLINE void two_parts(const unsigned part, bytes what(bytes), const void *in, size_t count, void *out)
{
    bytes first = ZERO, last = ZERO;
    memcpy(&first, in, part);
    memcpy(&last, (const char *)in + count - part, part);
    first = what(first);
    last = what(last);
    memcpy(out, &first, part);
    memcpy((char *)out + count - part, &last, part);
}

/* count < 2 * 16 */
FORCE_INLINE void short_run(bytes what(bytes), const void *in, size_t count, void *out)
{
    if (count >= 16)
        two_parts(16, what, in, count, out);
    else if (count >= 8)
        two_parts(8, what, in, count, out);
    else if (count >= 4)
        two_parts(4, what, in, count, out);
    else if (count >= 2)
        two_parts(2, what, in, count, out);
    else if (count)
        two_parts(1, what, in, count, out);
}

FORCE_INLINE bytes clamped(bytes x)
{
    return CLAMPED(x);
}

FORCE_INLINE bytes negative(bytes x)
{
    return NEGATIVE(x);
}

static void weave_one(const int8_t *word, size_t count, int8_t *lanes)
{
    if (count < 32) {
        short_run(clamped, word, count, lanes);
        return;
    }
    for (size_t row, done = 0; done < count; done = row + sizeof(wide)) {
        row = next_rows(done, sizeof(wide), count);
        WIDE_STORE(lanes + row, WIDE_CLAMPED(WIDE_LOAD(word + row)));
    }
}

static void unweave_one(const int8_t *lanes, size_t count, uint8_t *word)
{
    if (count < 32) {
        short_run(negative, lanes, count, word);
        return;
    }
    for (size_t row, done = 0; done < count; done = row + sizeof(wide)) {
        row = next_rows(done, sizeof(wide), count);
        WIDE_STORE(word + row, WIDE_NEGATIVE(WIDE_LOAD(lanes + row)));
    }
}

/* ---- few words */

/* Rounds of the perfect shuffle of n registers, a power of two. Each takes the first bit of a byte's address
 * to its end. */
FORCE_INLINE void shuffle_registers(const unsigned n, const unsigned rounds, bytes *x)
{
    UNROLL
    for (unsigned round = 0; round < rounds; round++) {
        bytes y[16];
        UNROLL
        for (unsigned i = 0; i < n / 2; i++) {
            y[2 * i] = ZIP_LOW(x[i], x[i + n / 2]);
            y[2 * i + 1] = ZIP_HIGH(x[i], x[i + n / 2]);
        }
        UNROLL
        for (unsigned i = 0; i < n; i++)
            x[i] = y[i];
    }
}

FORCE_INLINE bytes mixed(const unsigned n, const bytes *from, const uint8_t (*index)[16])
{
    bytes sum = SHUFFLE(from[0], LOAD(index[0]));
    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = EITHER(sum, SHUFFLE(from[i], LOAD(index[i])));
    return sum;
}

/* Bytes [word][row] to [row][word] or back: where n is a power of two, by as many rounds as what comes first
 * has bits. */
FORCE_INLINE void mix(const unsigned n, const unsigned rounds, const uint8_t (*index)[16], bytes *x)
{
    bytes from[LDPC_WEAVE_WORDS];
    if ((n & (n - 1)) == 0) {
        shuffle_registers(n, rounds, x);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < n; i++)
        from[i] = x[i];
    UNROLL
    for (unsigned i = 0; i < n; i++)
        x[i] = mixed(n, from, &index[i * n]);
}

FORCE_INLINE void weave_n(const unsigned n, const ldpc_weave_index *index, const int8_t *const *words,
                          size_t count, int8_t *lanes)
{
    for (size_t row, done = 0; done < count; done = row + LDPC_WEAVE_ROWS) {
        bytes x[LDPC_WEAVE_WORDS];
        row = next_rows(done, LDPC_WEAVE_ROWS, count);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            x[w] = words[w] ? CLAMPED(LOAD(words[w] + row)) : ZERO;
        mix(n, n < 4 ? 1 : n < 8 ? 2 : 3, index->in, x);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            STORE(lanes + row * n + 16 * k, x[k]);
    }
}

FORCE_INLINE void unweave_n(const unsigned n, const ldpc_weave_index *index, const int8_t *lanes,
                            size_t count, uint8_t *const *words)
{
    for (size_t row, done = 0; done < count; done = row + LDPC_WEAVE_ROWS) {
        bytes x[LDPC_WEAVE_WORDS];
        row = next_rows(done, LDPC_WEAVE_ROWS, count);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            x[k] = NEGATIVE(LOAD(lanes + row * n + 16 * k));
        mix(n, 4, index->out, x);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            if (words[w])
                STORE(words[w] + row, x[w]);
    }
}

/* ---- 16 by 16 */

static void turn_block(const int8_t *in, size_t in_stride, int8_t *out, size_t out_stride)
{
    bytes x[16];
    UNROLL
    for (size_t i = 0; i < 16; i++)
        x[i] = LOAD(in + i * in_stride);
    shuffle_registers(16, 4, x);
    UNROLL
    for (size_t i = 0; i < 16; i++)
        STORE(out + i * out_stride, x[i]);
}

static void turn(const void *in, size_t in_stride, size_t rows, size_t columns, void *out, size_t out_stride)
{
    if (rows < 16 || columns < 16) {
        turn_plain(in, in_stride, rows, columns, out, out_stride);
        return;
    }
    for (size_t r, rows_done = 0; rows_done < rows; rows_done = r + 16) {
        r = next_rows(rows_done, 16, rows);
        for (size_t c, done = 0; done < columns; done = c + 16) {
            c = next_rows(done, 16, columns);
            turn_block((const int8_t *)in + r * in_stride + c, in_stride, (int8_t *)out + c * out_stride + r,
                       out_stride);
        }
    }
}

/* ---- many words */

static void weave_sixteens(uint32_t n, const int8_t *const *words, size_t count, int8_t *lanes)
{
    for (uint32_t first = 0; first < n; first += 16)
        for (size_t row, done = 0; done < count; done = row + 16) {
            bytes x[16];
            row = next_rows(done, 16, count);
            UNROLL
            for (uint32_t w = 0; w < 16; w++)
                x[w] = words[first + w] ? CLAMPED(LOAD(words[first + w] + row)) : ZERO;
            shuffle_registers(16, 4, x);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                STORE(lanes + (row + i) * n + first, x[i]);
        }
}

static void unweave_sixteens(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    for (uint32_t first = 0; first < n; first += 16)
        for (size_t row, done = 0; done < count; done = row + 16) {
            bytes x[16];
            row = next_rows(done, 16, count);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                x[i] = NEGATIVE(LOAD(lanes + (row + i) * n + first));
            shuffle_registers(16, 4, x);
            UNROLL
            for (uint32_t w = 0; w < 16; w++)
                if (words[first + w])
                    STORE(words[first + w] + row, x[w]);
        }
}

/* ---- any */

/* The number of words is a constant of each case, so that its registers stay registers. */
#define EACH_COUNT(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static void weave(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes)
{
    uint32_t n = index->n_words;
    if (n == 1 && words[0]) {
        weave_one(words[0], count, lanes);
        return;
    }
    if (n == 1 || count < LDPC_WEAVE_ROWS || (n > LDPC_WEAVE_WORDS && n % 16)) {
        weave_plain(n, words, count, lanes);
        return;
    }
    switch (n) {
#define WEAVE(n_words)                                                                                       \
    case n_words:                                                                                            \
        weave_n(n_words, index, words, count, lanes);                                                        \
        break;
        EACH_COUNT(WEAVE)
    default:
        weave_sixteens(n, words, count, lanes);
    }
}

static void unweave(const ldpc_weave_index *index, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    uint32_t n = index->n_words;
    if (n == 1 && words[0]) {
        unweave_one(lanes, count, words[0]);
        return;
    }
    if (n == 1 || count < LDPC_WEAVE_ROWS || (n > LDPC_WEAVE_WORDS && n % 16)) {
        unweave_plain(n, lanes, count, words);
        return;
    }
    switch (n) {
#define UNWEAVE(n_words)                                                                                     \
    case n_words:                                                                                            \
        unweave_n(n_words, index, lanes, count, words);                                                      \
        break;
        EACH_COUNT(UNWEAVE)
    default:
        unweave_sixteens(n, lanes, count, words);
    }
}

#endif

const ldpc_weaver WEAVER_OF(LDPC_ISA) = {weave, unweave, turn};
