/* SPDX-License-Identifier: BSD-3-Clause */
/* Outer BCH codes: division by the generator polynomial. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvb/bch.h"
#include "base/bits.h"

/* ---- division */

static inline void divide_bits(const ldpc_bch *bch, ldpc_bch_remainder *r, uint32_t in, uint32_t bits)
{
    const ldpc_bch_remainder *add = &bch->steps[0][(r->word[0] >> (64 - bits)) ^ in];
    r->word[0] = (r->word[0] << bits | r->word[1] >> (64 - bits)) ^ add->word[0];
    r->word[1] = (r->word[1] << bits | r->word[2] >> (64 - bits)) ^ add->word[1];
    r->word[2] = r->word[2] << bits ^ add->word[2];
}

static inline void add_to(ldpc_bch_remainder *sum, const ldpc_bch_remainder *term)
{
    for (int w = 0; w < LDPC_BCH_WORDS; w++)
        sum->word[w] ^= term->word[w];
}

static inline void divide_bytes(const ldpc_bch *bch, ldpc_bch_remainder *r, const uint8_t *in)
{
    enum { BITS = 8 * LDPC_BCH_STEP_BYTES };
    ldpc_bch_remainder next = {
        {r->word[0] << BITS | r->word[1] >> (64 - BITS), r->word[1] << BITS | r->word[2] >> (64 - BITS),
         r->word[2] << BITS}
    };
    for (int b = 0; b < LDPC_BCH_STEP_BYTES; b++)
        add_to(&next, &bch->steps[LDPC_BCH_STEP_BYTES - 1 - b][(r->word[0] >> (56 - 8 * b) & 0xFF) ^ in[b]]);
    *r = next;
}

static ldpc_bch_remainder remainder_of(const ldpc_bch *bch, const uint8_t *packed, uint32_t bits)
{
    ldpc_bch_remainder r = {{0}};
    uint32_t i = 0;
    for (; i + LDPC_BCH_STEP_BYTES <= bits / 8; i += LDPC_BCH_STEP_BYTES)
        divide_bytes(bch, &r, packed + i);
    for (; i < bits / 8; i++)
        divide_bits(bch, &r, packed[i], 8);
    if (bits % 8)
        divide_bits(bch, &r, packed[bits / 8] >> (8 - bits % 8), bits % 8);
    return r;
}

/* ---- making a code */

static ldpc_bch_remainder generator_of(const ldpc_bch *bch)
{
    uint32_t degree = 0;
    uint8_t g[LDPC_BCH_REMAINDER + 1] = {1}; /* coefficient of x^i */
    for (uint32_t i = 0; i < bch->t; i++, degree += bch->m) {
        uint8_t product[LDPC_BCH_REMAINDER + 1] = {0};
        for (uint32_t a = 0; a <= degree; a++)
            for (uint32_t b = 0; b <= bch->m; b++)
                product[a + b] ^= g[a] & (bch->row->field->polynomials[i] >> b & 1);
        memcpy(g, product, sizeof g);
    }
    ldpc_bch_remainder below = {{0}}; /* g without its leading coefficient */
    for (uint32_t i = 0; i < degree; i++)
        below.word[i / 64] |= (uint64_t)g[degree - 1 - i] << (63 - i % 64);
    return below;
}

static void fill_steps(ldpc_bch *bch)
{
    ldpc_bch_remainder *const first = bch->steps[0];
    first[1] = generator_of(bch);
    for (uint32_t bit = 2; bit < 256; bit *= 2) {
        first[bit] = first[bit / 2];
        divide_bits(bch, &first[bit], 0, 1);
    }
    for (uint32_t v = 3; v < 256; v++)
        if (v & (v - 1)) {
            first[v] = first[v & (v - 1)];
            add_to(&first[v], &first[v & (0 - v)]);
        }
    for (uint32_t table = 1; table < LDPC_BCH_STEP_BYTES; table++)
        for (uint32_t v = 1; v < 256; v++) {
            bch->steps[table][v] = bch->steps[table - 1][v];
            divide_bits(bch, &bch->steps[table][v], 0, 8);
        }
}

ldpc_status ldpc_bch_create(const char *name, ldpc_bch **bch, ldpc_error *err)
{
    if (!bch)
        return ldpc_fail(err, LDPC_ERR_NULL, "bch must not be NULL");
    *bch = NULL;
    if (!name)
        return ldpc_fail(err, LDPC_ERR_NULL, "name must not be NULL");
    const ldpc_bch_row *row = ldpc_bch_find(name);
    if (!row)
        return ldpc_bch_unknown(name, err);
    ldpc_bch *made = ldpc_allocate(1, sizeof *made);
    if (!made)
        return ldpc_fail_memory(err);
    made->row = row;
    made->m = row->field->m;
    made->t = row->t;
    made->n = row->n;
    made->k = ldpc_bch_row_k(row);
    made->order = (1u << made->m) - 1;
    fill_steps(made);
    if (ldpc_bch_make_field(made, err)) {
        ldpc_bch_destroy(made);
        return LDPC_ERR_MEMORY;
    }
    *bch = made;
    return LDPC_OK;
}

void ldpc_bch_destroy(ldpc_bch *bch)
{
    if (!bch)
        return;
    free(bch->powers);
    free(bch->logs);
    free(bch);
}

const char *ldpc_bch_name(const ldpc_bch *bch)
{
    return bch ? bch->row->name : "";
}

uint32_t ldpc_bch_n(const ldpc_bch *bch)
{
    return bch ? bch->n : 0;
}

uint32_t ldpc_bch_k(const ldpc_bch *bch)
{
    return bch ? bch->k : 0;
}

uint32_t ldpc_bch_t(const ldpc_bch *bch)
{
    return bch ? bch->t : 0;
}

/* ---- codewords */

/* Convert `count` bits from the caller's format to packed bits, and back. */
static void load_bits(const uint8_t *from, uint32_t count, bool packed, uint8_t *to)
{
    if (packed)
        memcpy(to, from, ldpc_packed_bytes(count));
    else
        ldpc_pack(from, count, to);
}

static void store_bits(const uint8_t *from, uint32_t count, bool packed, uint8_t *to)
{
    if (!packed) {
        ldpc_unpack(from, count, to);
        return;
    }
    memcpy(to, from, ldpc_packed_bytes(count));
    if (count % 8)
        to[count / 8] &= (uint8_t)(0xFF00 >> count % 8);
}

static size_t bytes_of(uint32_t bits, bool packed)
{
    return packed ? ldpc_packed_bytes(bits) : bits;
}

static void encode_codeword(const ldpc_bch *bch, const uint8_t *message, bool packed, uint8_t *codeword)
{
    uint8_t bytes[LDPC_BCH_MAX_BYTES];
    load_bits(message, bch->k, packed, bytes);
    ldpc_bch_remainder parity = remainder_of(bch, bytes, bch->k);
    if (bch->k % 8)
        bytes[bch->k / 8] &= (uint8_t)(0xFF00 >> bch->k % 8);
    for (uint32_t i = bch->k; i < bch->n; i++) {
        uint32_t p = i - bch->k;
        uint8_t bit = parity.word[p / 64] >> (63 - p % 64) & 1;
        bytes[i / 8] = (uint8_t)((i % 8 ? bytes[i / 8] : 0) | bit << (7 - i % 8));
    }
    store_bits(bytes, bch->n, packed, codeword);
}

ldpc_status ldpc_bch_encode(const ldpc_bch *bch, const uint8_t *message, size_t n_codewords, bool packed,
                            uint8_t *codeword)
{
    if (!bch || !message || !codeword)
        return LDPC_ERR_NULL;
    for (size_t w = 0; w < n_codewords; w++)
        encode_codeword(bch, message + w * bytes_of(bch->k, packed), packed,
                        codeword + w * bytes_of(bch->n, packed));
    return LDPC_OK;
}

static int32_t decode_codeword(const ldpc_bch *bch, const uint8_t *codeword, bool packed, uint8_t *message)
{
    uint8_t bytes[LDPC_BCH_MAX_BYTES];
    uint32_t position[LDPC_BCH_MAX_T];
    int32_t wrong = 0;
    load_bits(codeword, bch->n, packed, bytes);
    ldpc_bch_remainder left = remainder_of(bch, bytes, bch->n);
    if (left.word[0] | left.word[1] | left.word[2])
        wrong = ldpc_bch_locate(bch, &left, position);
    for (int32_t i = 0; i < wrong; i++) {
        uint32_t bit = bch->n - 1 - position[i];
        bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    store_bits(bytes, bch->k, packed, message);
    return wrong;
}

ldpc_status ldpc_bch_decode(const ldpc_bch *bch, const uint8_t *codeword, size_t n_codewords, bool packed,
                            uint8_t *message, int32_t *corrected)
{
    if (!bch || !codeword || !message)
        return LDPC_ERR_NULL;
    for (size_t w = 0; w < n_codewords; w++) {
        int32_t wrong = decode_codeword(bch, codeword + w * bytes_of(bch->n, packed), packed,
                                        message + w * bytes_of(bch->k, packed));
        if (corrected)
            corrected[w] = wrong;
    }
    return LDPC_OK;
}
