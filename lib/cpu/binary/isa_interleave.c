/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves bytes of codewords into lanes, deinterleaves the signs of lanes into bits, and transposes byte
 * matrices (interleave_ops.h). 16 entries of n codewords are n registers of 16 bytes on either side. For
 * n = 4, with rounds of shuffles that each interleave register i with register i + n / 2:
 *
 *   codewords              round 1                    round 2: lanes
 *   a0 a1 a2 ... a15       a0 c0 a1 c1 ... a7  c7     a0 b0 c0 d0 a1 b1 c1 d1 ... d3
 *   b0 b1 b2 ... b15       a8 c8 a9 c9 ... a15 c15    a4 b4 c4 d4 ...
 *   c0 c1 c2 ... c15       b0 d0 b1 d1 ... b7  d7     a8 b8 c8 d8 ...
 *   d0 d1 d2 ... d15       b8 d8 b9 d9 ... b15 d15    a12 b12 c12 d12 ...
 *
 *   1 codeword               is copied
 *   2, 4, 8                  log2(n) rounds of shuffles one way, 4 rounds the other way
 *   3, 5, 6, 7               each output register is the or of one byte shuffle of each input register
 *   multiples of 16          are transposed in blocks of 16 by 16 bytes: 4 rounds of shuffles of 16 registers
 *   others                   byte by byte, as in plain C
 *
 * Byte shuffles do not cross 16 bytes, so a 256-bit register holds two independent sets of 16 entries side by
 * side. Where the number of entries is no multiple, the last set overlaps the one before it. */
#include "cpu/binary/layered_variant.h"
#include "cpu/simd/isa.h"

#include <string.h>

/* ---- plain C */

static void interleave_plain(uint32_t n, const int8_t *const *codewords, size_t count, int8_t *lanes)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t w = 0; w < n; w++)
            lanes[i * n + w] = (int8_t)(!codewords[w] ? 0 : codewords[w][i] < -127 ? -127 : codewords[w][i]);
}

static void deinterleave_plain(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *codewords)
{
    for (uint32_t w = 0; w < n; w++)
        for (size_t i = 0; codewords[w] && i < count; i++)
            codewords[w][i] = lanes[i * n + w] < 0;
}

static void transpose_plain(const int8_t *in, size_t in_stride, size_t rows, size_t columns, int8_t *out,
                            size_t out_stride)
{
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            out[c * out_stride + r] = in[r * in_stride + c];
}

#if defined(LDPC_ISA_SCALAR)

static void interleave(const ldpc_interleave_shuffles *shuffles, const int8_t *const *codewords, size_t count,
                       int8_t *lanes)
{
    interleave_plain(shuffles->n_codewords, codewords, count, lanes);
}

static void deinterleave(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords)
{
    deinterleave_plain(shuffles->n_codewords, lanes, count, codewords);
}

static void transpose(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride)
{
    transpose_plain(in, in_stride, rows, columns, out, out_stride);
}

#else

#define UNROLL _Pragma("GCC unroll 16")

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
#define NARROW_REGISTERS

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
#define NARROW_REGISTERS
#endif

#endif

/* A wide register holds BLOCKS sets of 16 bytes. */
#if defined(NARROW_REGISTERS)
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

/* The first of the next `rows` entries of `count`; the last ones overlap entries that are done. */
FORCE_INLINE size_t next_rows(size_t done, size_t rows, size_t count)
{
    return done + rows <= count ? done : count - rows;
}

/* ---- one codeword */

#if defined(LDPC_ISA_AVX512)

/* With masks, runs of all lengths take the same instructions: no branch is mispredicted. */
FORCE_INLINE __mmask64 first_bytes(size_t count)
{
    return UINT64_MAX >> (count < 64 ? 64 - count : 0);
}

static void interleave_one(const int8_t *codeword, size_t count, int8_t *lanes)
{
    for (size_t done = 0; done < count; done += 64) {
        const __mmask64 run = first_bytes(count - done);
        const __m512i llr = _mm512_maskz_loadu_epi8(run, codeword + done);
        _mm512_mask_storeu_epi8(lanes + done, run, _mm512_max_epi8(llr, _mm512_set1_epi8(-127)));
    }
}

static void deinterleave_one(const int8_t *lanes, size_t count, uint8_t *codeword)
{
    for (size_t done = 0; done < count; done += 64) {
        const __mmask64 run = first_bytes(count - done);
        const __m512i posterior = _mm512_maskz_loadu_epi8(run, lanes + done);
        const __m512i signs = _mm512_srli_epi16(posterior, 7);
        _mm512_mask_storeu_epi8(codeword + done, run, _mm512_and_si512(signs, _mm512_set1_epi8(1)));
    }
}

#else

/* `count` bytes, part <= count <= 2 * part, as their first and their last `part` bytes. */
FORCE_INLINE void two_parts(const unsigned part, bytes change(bytes), const void *in, size_t count, void *out)
{
    bytes first = ZERO, last = ZERO;
    memcpy(&first, in, part);
    memcpy(&last, (const char *)in + count - part, part);
    first = change(first);
    last = change(last);
    memcpy(out, &first, part);
    memcpy((char *)out + count - part, &last, part);
}

/* Fewer than 32 bytes. */
FORCE_INLINE void short_run(bytes change(bytes), const void *in, size_t count, void *out)
{
    if (count >= 16)
        two_parts(16, change, in, count, out);
    else if (count >= 8)
        two_parts(8, change, in, count, out);
    else if (count >= 4)
        two_parts(4, change, in, count, out);
    else if (count >= 2)
        two_parts(2, change, in, count, out);
    else if (count)
        two_parts(1, change, in, count, out);
}

FORCE_INLINE bytes clamped(bytes x)
{
    return CLAMPED(x);
}

FORCE_INLINE bytes negative(bytes x)
{
    return NEGATIVE(x);
}

static void interleave_one(const int8_t *codeword, size_t count, int8_t *lanes)
{
    if (count < 32) {
        short_run(clamped, codeword, count, lanes);
        return;
    }
    for (size_t row, done = 0; done < count; done = row + sizeof(wide)) {
        row = next_rows(done, sizeof(wide), count);
        WIDE_STORE(lanes + row, WIDE_CLAMPED(WIDE_LOAD(codeword + row)));
    }
}

static void deinterleave_one(const int8_t *lanes, size_t count, uint8_t *codeword)
{
    if (count < 32) {
        short_run(negative, lanes, count, codeword);
        return;
    }
    for (size_t row, done = 0; done < count; done = row + sizeof(wide)) {
        row = next_rows(done, sizeof(wide), count);
        WIDE_STORE(codeword + row, WIDE_NEGATIVE(WIDE_LOAD(lanes + row)));
    }
}

#endif

/* ---- up to eight codewords */

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

/* One output register: its bytes from each of the n input registers. */
FORCE_INLINE wide collected(const unsigned n, const wide *from, const uint8_t (*shuffles)[16])
{
    wide sum = WIDE_SHUFFLE(from[0], WIDE_INDEX(shuffles[0]));
    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = WIDE_EITHER(sum, WIDE_SHUFFLE(from[i], WIDE_INDEX(shuffles[i])));
    return sum;
}

/* Bytes [codeword][entry] to [entry][codeword], or back. For n a power of two each round moves one bit of the
 * byte's number from its top to its bottom: log2(n) rounds for the bits of the codeword, four for those of
 * the entry. */
FORCE_INLINE void shuffle_bytes(const unsigned n, const unsigned rounds, const uint8_t (*shuffles)[16],
                                wide *x)
{
    wide from[LDPC_SHUFFLED_CODEWORDS];
    if ((n & (n - 1)) == 0) {
        shuffle_registers(n, rounds, x);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < n; i++)
        from[i] = x[i];
    UNROLL
    for (unsigned i = 0; i < n; i++)
        x[i] = collected(n, from, &shuffles[i * n]);
}

FORCE_INLINE void interleave_n(const unsigned n, const ldpc_interleave_shuffles *shuffles,
                               const int8_t *const *codewords, size_t count, int8_t *lanes)
{
    for (size_t done = 0; done < count; done += BLOCKS * LDPC_INTERLEAVE_ROWS) {
        const size_t first = next_rows(done, LDPC_INTERLEAVE_ROWS, count),
                     second = next_rows(done + LDPC_INTERLEAVE_ROWS, LDPC_INTERLEAVE_ROWS, count);
        wide x[LDPC_SHUFFLED_CODEWORDS];
        UNROLL
        for (unsigned w = 0; w < n; w++)
            x[w] = codewords[w] ? WIDE_CLAMPED(LOAD_BLOCKS(codewords[w] + first, codewords[w] + second))
                                : WIDE_ZERO;
        shuffle_bytes(n, n < 4 ? 1 : n < 8 ? 2 : 3, shuffles->in, x);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            STORE_BLOCKS(lanes + first * n + 16 * k, lanes + second * n + 16 * k, x[k]);
    }
}

FORCE_INLINE void deinterleave_n(const unsigned n, const ldpc_interleave_shuffles *shuffles,
                                 const int8_t *lanes, size_t count, uint8_t *const *codewords)
{
    for (size_t done = 0; done < count; done += BLOCKS * LDPC_INTERLEAVE_ROWS) {
        const size_t first = next_rows(done, LDPC_INTERLEAVE_ROWS, count),
                     second = next_rows(done + LDPC_INTERLEAVE_ROWS, LDPC_INTERLEAVE_ROWS, count);
        wide x[LDPC_SHUFFLED_CODEWORDS];
        UNROLL
        for (unsigned k = 0; k < n; k++)
            x[k] = WIDE_NEGATIVE(LOAD_BLOCKS(lanes + first * n + 16 * k, lanes + second * n + 16 * k));
        shuffle_bytes(n, 4, shuffles->out, x);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            if (codewords[w])
                STORE_BLOCKS(codewords[w] + first, codewords[w] + second, x[w]);
    }
}

/* ---- matrices, in blocks of 16 by 16 bytes */

/* The same 16 columns of two sets of 16 rows. */
static void transpose_blocks(const int8_t *first, const int8_t *second, size_t in_stride, int8_t *first_out,
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

static void transpose(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride)
{
    if (rows < 16 || columns < 16) {
        transpose_plain(in, in_stride, rows, columns, out, out_stride);
        return;
    }
    for (size_t rows_done = 0; rows_done < rows; rows_done += BLOCKS * 16) {
        const size_t r = next_rows(rows_done, 16, rows), s = next_rows(rows_done + 16, 16, rows);
        for (size_t c, done = 0; done < columns; done = c + 16) {
            c = next_rows(done, 16, columns);
            const int8_t *from = (const int8_t *)in + c;
            int8_t *to = (int8_t *)out + c * out_stride;
            transpose_blocks(from + r * in_stride, from + s * in_stride, in_stride, to + r, to + s,
                             out_stride);
        }
    }
}

/* ---- many codewords */

static void interleave_sixteens(uint32_t n, const int8_t *const *codewords, size_t count, int8_t *lanes)
{
    for (uint32_t w = 0; w < n; w += 16)
        for (size_t done = 0; done < count; done += BLOCKS * 16) {
            const size_t first = next_rows(done, 16, count), second = next_rows(done + 16, 16, count);
            wide x[16];
            UNROLL
            for (uint32_t i = 0; i < 16; i++)
                x[i] = codewords[w + i]
                           ? WIDE_CLAMPED(LOAD_BLOCKS(codewords[w + i] + first, codewords[w + i] + second))
                           : WIDE_ZERO;
            shuffle_registers(16, 4, x);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                STORE_BLOCKS(lanes + (first + i) * n + w, lanes + (second + i) * n + w, x[i]);
        }
}

static void deinterleave_sixteens(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *codewords)
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
                if (codewords[w + i])
                    STORE_BLOCKS(codewords[w + i] + first, codewords[w + i] + second, x[i]);
        }
}

/* ---- any number of codewords */

/* The number is a constant of each case, so that arrays of registers stay in registers. */
#define EACH_COUNT(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static void interleave(const ldpc_interleave_shuffles *shuffles, const int8_t *const *codewords, size_t count,
                       int8_t *lanes)
{
    uint32_t n = shuffles->n_codewords;
    if (n == 1 && codewords[0]) {
        interleave_one(codewords[0], count, lanes);
        return;
    }
    if (n == 1 || count < LDPC_INTERLEAVE_ROWS || (n > LDPC_SHUFFLED_CODEWORDS && n % 16)) {
        interleave_plain(n, codewords, count, lanes);
        return;
    }
    switch (n) {
#define INTERLEAVE_CASE(n_codewords)                                                                         \
    case n_codewords:                                                                                        \
        interleave_n(n_codewords, shuffles, codewords, count, lanes);                                        \
        break;
        EACH_COUNT(INTERLEAVE_CASE)
    default:
        interleave_sixteens(n, codewords, count, lanes);
    }
}

static void deinterleave(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords)
{
    uint32_t n = shuffles->n_codewords;
    if (n == 1 && codewords[0]) {
        deinterleave_one(lanes, count, codewords[0]);
        return;
    }
    if (n == 1 || count < LDPC_INTERLEAVE_ROWS || (n > LDPC_SHUFFLED_CODEWORDS && n % 16)) {
        deinterleave_plain(n, lanes, count, codewords);
        return;
    }
    switch (n) {
#define DEINTERLEAVE_CASE(n_codewords)                                                                       \
    case n_codewords:                                                                                        \
        deinterleave_n(n_codewords, shuffles, lanes, count, codewords);                                      \
        break;
        EACH_COUNT(DEINTERLEAVE_CASE)
    default:
        deinterleave_sixteens(n, lanes, count, codewords);
    }
}

#endif

const ldpc_interleave_ops LDPC_ISA_SYMBOL(ldpc_interleave_) = {interleave, deinterleave, transpose};
