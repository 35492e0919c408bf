/* SPDX-License-Identifier: BSD-3-Clause */
/* Interleaves bytes of codewords into lanes, deinterleaves signs of lanes into bits, and transposes byte
 * matrices (interleave_ops.h). 16 entries of n codewords are n registers of 16 bytes. For n = 4, each of two
 * rounds of shuffles interleaves register i with register i + n / 2:
 *
 *   codewords              round 1                    round 2: lanes
 *   a0 a1 a2 ... a15       a0 c0 a1 c1 ... a7  c7     a0 b0 c0 d0 a1 b1 c1 d1 ... d3
 *   b0 b1 b2 ... b15       a8 c8 a9 c9 ... a15 c15    a4 b4 c4 d4 ...
 *   c0 c1 c2 ... c15       b0 d0 b1 d1 ... b7  d7     a8 b8 c8 d8 ...
 *   d0 d1 d2 ... d15       b8 d8 b9 d9 ... b15 d15    a12 b12 c12 d12 ...
 *
 * The method depends on the number of codewords:
 *
 *   1                        copies
 *   2, 4, 8                  log2(n) rounds of shuffles to interleave, 4 rounds to deinterleave
 *   3, 5, 6, 7               each output register is the OR of byte shuffles of all input registers
 *   multiples of 16          transposes blocks of 16 by 16 bytes: 4 rounds of shuffles of 16 registers
 *   other numbers            byte by byte, as in plain C
 *
 * Each block of 16 bytes of a wider register holds another set of 16 entries. The last sets may overlap. */
#define LDPC_ISA_256_BITS /* shuffles of 512 bits are slower */
#include "base/bits.h"
#include "cpu/simd/interleave_ops.h"
#include "cpu/simd/simd.h"

#include <stdbool.h>
#include <string.h>

static inline bool has_codeword(const void *const *codewords, uint32_t count)
{
    for (uint32_t w = 0; w < count; w++)
        if (codewords[w])
            return true;
    return false;
}

/* ---- plain C */

static int clamp(int llr, int limit)
{
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

static void interleave_plain(uint32_t n, int8_t limit, const int8_t *const *codewords, size_t count,
                             int8_t *lanes)
{
    const uint32_t together = n % 16 ? n : 16;
    for (uint32_t first = 0; first < n; first += together) {
        if (n % 16 == 0 && !has_codeword((const void *const *)codewords + first, 16))
            continue;
        for (size_t i = 0; i < count; i++)
            for (uint32_t w = first; w < first + together; w++)
                lanes[i * n + w] = (int8_t)(codewords[w] ? clamp(codewords[w][i], limit) : 0);
    }
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

static void interleave(const ldpc_interleave_shuffles *shuffles, int8_t limit, const int8_t *const *codewords,
                       size_t count, int8_t *lanes)
{
    interleave_plain(shuffles->n_codewords, limit, codewords, count, lanes);
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

static void pack(const uint8_t *bits, size_t count, uint8_t *packed)
{
    ldpc_pack(bits, count, packed);
}

#else

#define UNROLL UNROLL_FULLY

enum { BLOCKS = REGISTER_BYTES / 16 };

FORCE_INLINE vec limited(vec llrs, int8_t limit)
{
    return v_min_s8(v_max_s8(llrs, v_set_s8((int8_t)-limit)), v_set_s8(limit));
}

FORCE_INLINE vec sign_bits(vec lanes, int8_t limit)
{
    (void)limit;
    return v_high_bit_u8(lanes);
}

FORCE_INLINE size_t next_rows(size_t done, size_t rows, size_t count)
{
    return done + rows <= count ? done : count - rows;
}

FORCE_INLINE void next_sets(size_t done, size_t count, size_t stride, size_t at[BLOCKS])
{
    at[0] = next_rows(done, 16, count) * stride;
    if (BLOCKS == 2)
        at[1] = next_rows(done + 16, 16, count) * stride;
}

/* ---- one codeword */

#if defined(V_FIRST)

/* Without a branch on `count`. */
FORCE_INLINE void change_run(vec change(vec, int8_t), int8_t limit, const void *in, size_t count, void *out)
{
    size_t done = 0;
    for (; done + REGISTER_BYTES <= count; done += REGISTER_BYTES)
        v_storeu((char *)out + done, change(v_loadu((const char *)in + done), limit));
    v_store_first((char *)out + done, count - done,
                  change(v_load_first((const char *)in + done, count - done), limit));
}

#else

FORCE_INLINE void two_parts(const unsigned part, vec change(vec, int8_t), int8_t limit, const void *in,
                            size_t count, void *out)
{
    vec first = v_zero(), last = v_zero();
    memcpy(&first, in, part);
    memcpy(&last, (const char *)in + count - part, part);
    first = change(first, limit);
    last = change(last, limit);
    memcpy(out, &first, part);
    memcpy((char *)out + count - part, &last, part);
}

FORCE_INLINE void change_run(vec change(vec, int8_t), int8_t limit, const void *in, size_t count, void *out)
{
    if (count >= REGISTER_BYTES)
        for (size_t row, done = 0; done < count; done = row + REGISTER_BYTES) {
            row = next_rows(done, REGISTER_BYTES, count);
            v_storeu((char *)out + row, change(v_loadu((const char *)in + row), limit));
        }
    else if (count >= 16)
        two_parts(16, change, limit, in, count, out);
    else if (count >= 8)
        two_parts(8, change, limit, in, count, out);
    else if (count >= 4)
        two_parts(4, change, limit, in, count, out);
    else if (count >= 2)
        two_parts(2, change, limit, in, count, out);
    else if (count)
        two_parts(1, change, limit, in, count, out);
}

#endif

/* ---- up to eight codewords */

FORCE_INLINE void shuffle_registers(const unsigned n, const unsigned rounds, vec *x)
{
    UNROLL
    for (unsigned round = 0; round < rounds; round++) {
        vec y[16];
        UNROLL
        for (unsigned i = 0; i < n / 2; i++) {
            y[2 * i] = v_zip_low_u8(x[i], x[i + n / 2]);
            y[2 * i + 1] = v_zip_high_u8(x[i], x[i + n / 2]);
        }
        UNROLL
        for (unsigned i = 0; i < n; i++)
            x[i] = y[i];
    }
}

FORCE_INLINE vec collected(const unsigned n, const vec *from, const uint8_t (*shuffles)[16])
{
    vec sum = v_shuffle_u8(from[0], v_table(shuffles[0]));
    UNROLL
    for (unsigned i = 1; i < n; i++)
        sum = v_or(sum, v_shuffle_u8(from[i], v_table(shuffles[i])));
    return sum;
}

/* Converts bytes [codeword][entry] to [entry][codeword] in log2(n) rounds, or back in four rounds. A round
 * moves one bit of the byte number. */
FORCE_INLINE void shuffle_bytes(const unsigned n, const unsigned rounds, const uint8_t (*shuffles)[16],
                                vec *x)
{
    vec from[LDPC_SHUFFLED_CODEWORDS];
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

FORCE_INLINE void interleave_n(const unsigned n, const ldpc_interleave_shuffles *shuffles, int8_t limit,
                               const int8_t *const *codewords, size_t count, int8_t *lanes)
{
    for (size_t done = 0; done < count; done += REGISTER_BYTES) {
        size_t entries[BLOCKS], in_lanes[BLOCKS];
        vec x[LDPC_SHUFFLED_CODEWORDS];
        next_sets(done, count, 1, entries);
        next_sets(done, count, n, in_lanes);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            x[w] = codewords[w] ? limited(v_load_blocks(codewords[w], entries), limit) : v_zero();
        shuffle_bytes(n, n < 4 ? 1 : n < 8 ? 2 : 3, shuffles->in, x);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            v_store_blocks(lanes + 16 * k, in_lanes, x[k]);
    }
}

FORCE_INLINE void deinterleave_n(const unsigned n, const ldpc_interleave_shuffles *shuffles,
                                 const int8_t *lanes, size_t count, uint8_t *const *codewords)
{
    for (size_t done = 0; done < count; done += REGISTER_BYTES) {
        size_t entries[BLOCKS], in_lanes[BLOCKS];
        vec x[LDPC_SHUFFLED_CODEWORDS];
        next_sets(done, count, 1, entries);
        next_sets(done, count, n, in_lanes);
        UNROLL
        for (unsigned k = 0; k < n; k++)
            x[k] = v_high_bit_u8(v_load_blocks(lanes + 16 * k, in_lanes));
        shuffle_bytes(n, 4, shuffles->out, x);
        UNROLL
        for (unsigned w = 0; w < n; w++)
            if (codewords[w])
                v_store_blocks(codewords[w], entries, x[w]);
    }
}

/* ---- matrices, in blocks of 16 by 16 bytes */

FORCE_INLINE void transpose_blocks(const int8_t *in, const size_t from[BLOCKS], size_t in_stride, int8_t *out,
                                   const size_t to[BLOCKS], size_t out_stride)
{
    vec x[16];
    UNROLL
    for (size_t i = 0; i < 16; i++)
        x[i] = v_load_blocks(in + i * in_stride, from);
    shuffle_registers(16, 4, x);
    UNROLL
    for (size_t i = 0; i < 16; i++)
        v_store_blocks(out + i * out_stride, to, x[i]);
}

static void transpose(const void *in, size_t in_stride, size_t rows, size_t columns, void *out,
                      size_t out_stride)
{
    if (rows < 16 || columns < 16) {
        transpose_plain(in, in_stride, rows, columns, out, out_stride);
        return;
    }
    for (size_t rows_done = 0; rows_done < rows; rows_done += REGISTER_BYTES) {
        size_t from[BLOCKS], to[BLOCKS];
        next_sets(rows_done, rows, in_stride, from);
        next_sets(rows_done, rows, 1, to);
        for (size_t c, done = 0; done < columns; done = c + 16) {
            c = next_rows(done, 16, columns);
            transpose_blocks((const int8_t *)in + c, from, in_stride, (int8_t *)out + c * out_stride, to,
                             out_stride);
        }
    }
}

/* ---- many codewords */

static void interleave_sixteens(uint32_t n, int8_t limit, const int8_t *const *codewords, size_t count,
                                int8_t *lanes)
{
    for (uint32_t w = 0; w < n; w += 16)
        for (size_t done = 0; has_codeword((const void *const *)codewords + w, 16) && done < count;
             done += REGISTER_BYTES) {
            size_t entries[BLOCKS], in_lanes[BLOCKS];
            vec x[16];
            next_sets(done, count, 1, entries);
            next_sets(done, count, n, in_lanes);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                x[i] = codewords[w + i] ? limited(v_load_blocks(codewords[w + i], entries), limit) : v_zero();
            shuffle_registers(16, 4, x);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                v_store_blocks(lanes + w + i * n, in_lanes, x[i]);
        }
}

static void deinterleave_sixteens(uint32_t n, const int8_t *lanes, size_t count, uint8_t *const *codewords)
{
    for (uint32_t w = 0; w < n; w += 16)
        for (size_t done = 0; has_codeword((const void *const *)codewords + w, 16) && done < count;
             done += REGISTER_BYTES) {
            size_t entries[BLOCKS], in_lanes[BLOCKS];
            vec x[16];
            next_sets(done, count, 1, entries);
            next_sets(done, count, n, in_lanes);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                x[i] = v_high_bit_u8(v_load_blocks(lanes + w + i * n, in_lanes));
            shuffle_registers(16, 4, x);
            UNROLL
            for (size_t i = 0; i < 16; i++)
                if (codewords[w + i])
                    v_store_blocks(codewords[w + i], entries, x[i]);
        }
}

/* ---- any number of codewords */

#define EACH_COUNT(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

static void interleave(const ldpc_interleave_shuffles *shuffles, int8_t limit, const int8_t *const *codewords,
                       size_t count, int8_t *lanes)
{
    uint32_t n = shuffles->n_codewords;
    if (n == 1 && codewords[0]) {
        change_run(limited, limit, codewords[0], count, lanes);
        return;
    }
    if (n == 1 || count < LDPC_INTERLEAVE_ROWS || (n > LDPC_SHUFFLED_CODEWORDS && n % 16)) {
        interleave_plain(n, limit, codewords, count, lanes);
        return;
    }
    switch (n) {
#define INTERLEAVE_CASE(n_codewords)                                                                         \
    case n_codewords:                                                                                        \
        interleave_n(n_codewords, shuffles, limit, codewords, count, lanes);                                 \
        break;
        EACH_COUNT(INTERLEAVE_CASE)
    default:
        interleave_sixteens(n, limit, codewords, count, lanes);
    }
}

static void deinterleave(const ldpc_interleave_shuffles *shuffles, const int8_t *lanes, size_t count,
                         uint8_t *const *codewords)
{
    uint32_t n = shuffles->n_codewords;
    if (n == 1 && codewords[0]) {
        change_run(sign_bits, 0, lanes, count, codewords[0]);
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

/* ---- packed bits */

static void pack(const uint8_t *bits, size_t count, uint8_t *packed)
{
    static const uint8_t reversed[16] = {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
    const vec order = v_table(reversed);
    size_t done = 0;
    for (; done + REGISTER_BYTES <= count; done += REGISTER_BYTES) {
        const uint64_t eights = v_nonzero_u8(v_shuffle_u8(v_loadu(bits + done), order));
        for (size_t i = 0; i < REGISTER_BYTES / 8; i++)
            packed[done / 8 + i] = (uint8_t)(eights >> 8 * i);
    }
    ldpc_pack(bits + done, count - done, packed + done / 8);
}

#endif

const ldpc_interleave_ops LDPC_ISA_SYMBOL(ldpc_interleave_) = {interleave, deinterleave, transpose, pack};
