/* SPDX-License-Identifier: BSD-3-Clause */
/* Words to lanes and lanes to bits. One word is copied. Up to eight words are mixed by byte shuffles: 16 rows
 * of n words are n registers on either side. Two, four, eight words take perfect shuffles; of other numbers
 * each register of one side is put together from one shuffle of each register of the other. Multiples of 16
 * words, and matrices, are turned 16 by 16 bytes. Shuffles do not cross 16 bytes: in a wider register the
 * rows are mixed in two blocks side by side. */
#include "cpu/binary/layered_engine.h"

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
    weave_plain(index->n_codewords, words, count, lanes);
}

static void unweave(const ldpc_weave_index *index, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    unweave_plain(index->n_codewords, lanes, count, words);
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
#define LDPC_WEAVE_NARROW

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
#define LDPC_WEAVE_NARROW
#endif

#endif

/* A wide register holds BLOCKS times 16 bytes. */
#if defined(LDPC_WEAVE_NARROW)
#define BLOCKS                1
typedef bytes wide;
#define WIDE_LOAD             LOAD
#define WIDE_STORE            STORE
#define WIDE_ZERO             ZERO
#define WIDE_INDEX            LOAD
#define WIDE_SHUFFLE          SHUFFLE
#define WIDE_EITHER           EITHER
#define WIDE_CLAMPED          CLAMPED
#define WIDE_NEGATIVE         NEGATIVE
#define WIDE_ZIP_LOW          ZIP_LOW
#define WIDE_ZIP_HIGH         ZIP_HIGH
#define LOAD_BLOCKS(p, q)     ((void)(q), LOAD(p))
#define STORE_BLOCKS(p, q, x) ((void)(q), STORE(p, x))
#else
#define BLOCKS                2
typedef __m256i wide;
#define WIDE_LOAD(p)          _mm256_loadu_si256((const void *)(p))
#define WIDE_STORE(p, x)      _mm256_storeu_si256((void *)(p), x)
#define WIDE_ZERO             _mm256_setzero_si256()
#define WIDE_INDEX(p)         _mm256_broadcastsi128_si256(LOAD(p))
#define WIDE_SHUFFLE(x, at)   _mm256_shuffle_epi8(x, at)
#define WIDE_EITHER(x, y)     _mm256_or_si256(x, y)
#define WIDE_CLAMPED(x)       _mm256_max_epi8(x, _mm256_set1_epi8(-127))
#define WIDE_NEGATIVE(x)      _mm256_and_si256(_mm256_srli_epi16(x, 7), _mm256_set1_epi8(1))
#define WIDE_ZIP_LOW(x, y)    _mm256_unpacklo_epi8(x, y)
#define WIDE_ZIP_HIGH(x, y)   _mm256_unpackhi_epi8(x, y)
#define LOAD_BLOCKS(p, q)     _mm256_inserti128_si256(_mm256_castsi128_si256(LOAD(p)), LOAD(q), 1)
#define STORE_BLOCKS(p, q, x) (STORE(p, _mm256_castsi256_si128(x)), STORE(q, _mm256_extracti128_si256(x, 1)))
#endif

/* The first of the next rows: the last ones go back over rows that are done. */
FORCE_INLINE size_t next_rows(size_t done, size_t rows, size_t count)
{
    return done + rows <= count ? done : count - rows;
}

/* ---- one word */

#if defined(LDPC_ISA_AVX512)

/* By masks: runs of all lengths take the same way, which is known ahead. */
FORCE_INLINE __mmask64 first_bytes(size_t count)
{
    return UINT64_MAX >> (count < 64 ? 64 - count : 0);
}

static void weave_one(const int8_t *word, size_t count, int8_t *lanes)
{
    for (size_t done = 0; done < count; done += 64) {
        const __mmask64 run = first_bytes(count - done);
        const __m512i llr = _mm512_maskz_loadu_epi8(run, word + done);
        _mm512_mask_storeu_epi8(lanes + done, run, _mm512_max_epi8(llr, _mm512_set1_epi8(-127)));
    }
}

static void unweave_one(const int8_t *lanes, size_t count, uint8_t *word)
{
    for (size_t done = 0; done < count; done += 64) {
        const __mmask64 run = first_bytes(count - done);
        const __m512i posterior = _mm512_maskz_loadu_epi8(run, lanes + done);
        const __m512i signs = _mm512_srli_epi16(posterior, 7);
        _mm512_mask_storeu_epi8(word + done, run, _mm512_and_si512(signs, _mm512_set1_epi8(1)));
    }
}

#else

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

#endif

/* ---- few words */

/* Rounds of the perfect shuffle of n registers, a power of two. Each takes the first bit of a byte's address
 * to its end. */
FORCE_INLINE void shuffle_registers(const unsigned n, const unsigned rounds, wide *x)
{
    UNROLL
    for (unsigned round = 0; round < rounds; round++) {
        wide y[16];
        UNROLL
        for (unsigned i = 0; i < n / 2; i++) {
            y[2 * i] = WIDE_ZIP_LOW(x[i], x[i + n / 2]);
            y[2 * i + 1] = WIDE_ZIP_HIGH(x[i], x[i + n / 2]);
        }
        UNROLL
        for (unsigned i = 0; i < n; i++)
            x[i] = y[i];
    }
}

FORCE_INLINE wide mixed(const unsigned n, const wide *from, const uint8_t (*index)[16])
{
    wide sum = WIDE_SHUFFLE(from[0], WIDE_INDEX(index[0]));
    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = WIDE_EITHER(sum, WIDE_SHUFFLE(from[i], WIDE_INDEX(index[i])));
    return sum;
}

/* Bytes [word][row] to [row][word] or back: where n is a power of two, by as many rounds as what comes first
 * has bits. */
FORCE_INLINE void mix(const unsigned n, const unsigned rounds, const uint8_t (*index)[16], wide *x)
{
    wide from[LDPC_WEAVE_WORDS];
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
    for (size_t done = 0; done < count; done += BLOCKS * LDPC_WEAVE_ROWS) {
        const size_t first = next_rows(done, LDPC_WEAVE_ROWS, count),
                     second = next_rows(done + LDPC_WEAVE_ROWS, LDPC_WEAVE_ROWS, count);
        wide x[LDPC_WEAVE_WORDS];
        UNROLL
        for (unsigned w = 0; w < n; w++)
            x[w] = words[w] ? WIDE_CLAMPED(LOAD_BLOCKS(words[w] + first, words[w] + second)) : WIDE_ZERO;
        mix(n, n < 4 ? 1 : n < 8 ? 2 : 3, index->in, x);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            STORE_BLOCKS(lanes + first * n + 16 * k, lanes + second * n + 16 * k, x[k]);
    }
}

FORCE_INLINE void unweave_n(const unsigned n, const ldpc_weave_index *index, const int8_t *lanes,
                            size_t count, uint8_t *const *words)
{
    for (size_t done = 0; done < count; done += BLOCKS * LDPC_WEAVE_ROWS) {
        const size_t first = next_rows(done, LDPC_WEAVE_ROWS, count),
                     second = next_rows(done + LDPC_WEAVE_ROWS, LDPC_WEAVE_ROWS, count);
        wide x[LDPC_WEAVE_WORDS];
        UNROLL
        for (unsigned k = 0; k < n; k++)
            x[k] = WIDE_NEGATIVE(LOAD_BLOCKS(lanes + first * n + 16 * k, lanes + second * n + 16 * k));
        mix(n, 4, index->out, x);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            if (words[w])
                STORE_BLOCKS(words[w] + first, words[w] + second, x[w]);
    }
}

/* ---- 16 by 16 */

/* The same columns of two blocks of rows. */
static void turn_blocks(const int8_t *first, const int8_t *second, size_t in_stride, int8_t *first_out,
                        int8_t *second_out, size_t out_stride)
{
    wide x[16];
    UNROLL
    for (size_t i = 0; i < 16; i++)
        x[i] = LOAD_BLOCKS(first + i * in_stride, second + i * in_stride);
    shuffle_registers(16, 4, x);
    UNROLL
    for (size_t i = 0; i < 16; i++)
        STORE_BLOCKS(first_out + i * out_stride, second_out + i * out_stride, x[i]);
}

static void turn(const void *in, size_t in_stride, size_t rows, size_t columns, void *out, size_t out_stride)
{
    if (rows < 16 || columns < 16) {
        turn_plain(in, in_stride, rows, columns, out, out_stride);
        return;
    }
    for (size_t rows_done = 0; rows_done < rows; rows_done += BLOCKS * 16) {
        const size_t r = next_rows(rows_done, 16, rows), s = next_rows(rows_done + 16, 16, rows);
        for (size_t c, done = 0; done < columns; done = c + 16) {
            c = next_rows(done, 16, columns);
            const int8_t *from = (const int8_t *)in + c;
            int8_t *to = (int8_t *)out + c * out_stride;
            turn_blocks(from + r * in_stride, from + s * in_stride, in_stride, to + r, to + s, out_stride);
        }
    }
}

/* ---- many words */

static void weave_sixteens(uint32_t n, const int8_t *const *words, size_t count, int8_t *lanes)
{
    for (uint32_t w = 0; w < n; w += 16)
        for (size_t done = 0; done < count; done += BLOCKS * 16) {
            const size_t first = next_rows(done, 16, count), second = next_rows(done + 16, 16, count);
            wide x[16];
            UNROLL
            for (uint32_t i = 0; i < 16; i++)
                x[i] = words[w + i] ? WIDE_CLAMPED(LOAD_BLOCKS(words[w + i] + first, words[w + i] + second))
                                    : WIDE_ZERO;
            shuffle_registers(16, 4, x);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                STORE_BLOCKS(lanes + (first + i) * n + w, lanes + (second + i) * n + w, x[i]);
        }
}

static void unweave_sixteens(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    for (uint32_t w = 0; w < n; w += 16)
        for (size_t done = 0; done < count; done += BLOCKS * 16) {
            const size_t first = next_rows(done, 16, count), second = next_rows(done + 16, 16, count);
            wide x[16];
            UNROLL
            for (size_t i = 0; i < 16; i++)
                x[i] = WIDE_NEGATIVE(LOAD_BLOCKS(lanes + (first + i) * n + w, lanes + (second + i) * n + w));
            shuffle_registers(16, 4, x);
            UNROLL
            for (uint32_t i = 0; i < 16; i++)
                if (words[w + i])
                    STORE_BLOCKS(words[w + i] + first, words[w + i] + second, x[i]);
        }
}

/* ---- any */

/* The number of words is a constant of each case, so that its registers stay registers. */
#define EACH_COUNT(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static void weave(const ldpc_weave_index *index, const int8_t *const *words, size_t count, int8_t *lanes)
{
    uint32_t n = index->n_codewords;
    if (n == 1 && words[0]) {
        weave_one(words[0], count, lanes);
        return;
    }
    if (n == 1 || count < LDPC_WEAVE_ROWS || (n > LDPC_WEAVE_WORDS && n % 16)) {
        weave_plain(n, words, count, lanes);
        return;
    }
    switch (n) {
#define WEAVE(n_codewords)                                                                                   \
    case n_codewords:                                                                                        \
        weave_n(n_codewords, index, words, count, lanes);                                                    \
        break;
        EACH_COUNT(WEAVE)
    default:
        weave_sixteens(n, words, count, lanes);
    }
}

static void unweave(const ldpc_weave_index *index, const int8_t *lanes, size_t count, uint8_t *const *words)
{
    uint32_t n = index->n_codewords;
    if (n == 1 && words[0]) {
        unweave_one(lanes, count, words[0]);
        return;
    }
    if (n == 1 || count < LDPC_WEAVE_ROWS || (n > LDPC_WEAVE_WORDS && n % 16)) {
        unweave_plain(n, lanes, count, words);
        return;
    }
    switch (n) {
#define UNWEAVE(n_codewords)                                                                                 \
    case n_codewords:                                                                                        \
        unweave_n(n_codewords, index, lanes, count, words);                                                  \
        break;
        EACH_COUNT(UNWEAVE)
    default:
        unweave_sixteens(n, lanes, count, words);
    }
}

#endif

const ldpc_weaver WEAVER_OF(LDPC_ISA) = {weave, unweave, turn};
