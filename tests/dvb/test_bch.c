/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bits.h"
#include "ldpc/ldpc.h"

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static ldpc_bch *create(const char *name)
{
    ldpc_bch *bch;
    ldpc_error err;
    if (ldpc_bch_create(name, &bch, &err))
        fail_msg("%s: %s", name, err.message);
    return bch;
}

/* A codeword followed by a guard byte. */
static uint8_t *guarded(size_t size)
{
    uint8_t *bytes = calloc(size + 1, 1);
    assert_non_null(bytes);
    bytes[size] = 0xa5;
    return bytes;
}

static void release(uint8_t *bytes, size_t size)
{
    assert_int_equal(bytes[size], 0xa5);
    free(bytes);
}

typedef struct codeword {
    uint32_t k, n;
    uint8_t *message, *codeword, *received, *decoded;
} codeword;

static codeword make_codeword(const ldpc_bch *bch, uint64_t *seed)
{
    codeword w = {ldpc_bch_k(bch), ldpc_bch_n(bch), NULL, NULL, NULL, NULL};
    w.message = guarded(w.k);
    w.codeword = guarded(w.n);
    w.received = guarded(w.n);
    w.decoded = guarded(w.k);
    for (uint32_t i = 0; i < w.k; i++)
        w.message[i] = next(seed) & 1;
    assert_int_equal(ldpc_bch_encode(bch, w.message, 1, false, w.codeword), LDPC_OK);
    assert_memory_equal(w.codeword, w.message, w.k);
    memcpy(w.received, w.codeword, w.n);
    return w;
}

static void free_codeword(codeword *w)
{
    release(w->message, w->k);
    release(w->codeword, w->n);
    release(w->received, w->n);
    release(w->decoded, w->k);
}

/* Inverts `count` different bits. */
static void disturb(codeword *w, uint32_t count, uint64_t *seed)
{
    memcpy(w->received, w->codeword, w->n);
    while (count > 0) {
        uint32_t i = next(seed) % w->n;
        count -= w->received[i] == w->codeword[i];
        w->received[i] = !w->codeword[i];
    }
}

static int32_t decode(const ldpc_bch *bch, codeword *w)
{
    int32_t corrected = -2;
    assert_int_equal(ldpc_bch_decode(bch, w->received, 1, false, w->decoded, &corrected), LDPC_OK);
    return corrected;
}

/* With packed bits. */
static void check_packed(const ldpc_bch *bch, const codeword *w, int32_t expected)
{
    size_t n = w->n / 8, k = ldpc_packed_bytes(w->k);
    uint8_t *received = guarded(n), *decoded = guarded(k), *message = guarded(k), *encoded = guarded(n);
    int32_t corrected;
    ldpc_pack(w->received, w->n, received);
    assert_int_equal(ldpc_bch_decode(bch, received, 1, true, decoded, &corrected), LDPC_OK);
    assert_int_equal(corrected, expected);
    ldpc_pack(w->decoded, w->k, message);
    assert_memory_equal(decoded, message, k);
    ldpc_pack(w->message, w->k, message);
    assert_int_equal(ldpc_bch_encode(bch, message, 1, true, encoded), LDPC_OK);
    ldpc_pack(w->codeword, w->n, received);
    assert_memory_equal(encoded, received, n);
    release(received, n);
    release(decoded, k);
    release(message, k);
    release(encoded, n);
}

static void test_every_code(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = ldpc_bch_list(i)); i++) {
        uint64_t seed = 7 + i;
        ldpc_bch *bch = create(name);
        uint32_t t = ldpc_bch_t(bch);
        assert_string_equal(ldpc_bch_name(bch), name);
        assert_int_equal(ldpc_bch_n(bch) % 8, 0);
        codeword w = make_codeword(bch, &seed);
        for (uint32_t wrong = 0; wrong <= t; wrong++) {
            disturb(&w, wrong, &seed);
            if (decode(bch, &w) != (int32_t)wrong || memcmp(w.decoded, w.message, w.k))
                fail_msg("%s: %u wrong bits not corrected", name, wrong);
        }
        check_packed(bch, &w, (int32_t)t);
        free_codeword(&w);
        ldpc_bch_destroy(bch);
    }
    assert_true(ldpc_bch_list(0) != NULL);
}

/* BCH codewords are as long as the messages of the LDPC code. */
static void test_lengths_fit(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = ldpc_bch_list(i)); i++) {
        ldpc_bch *bch = create(name);
        ldpc_code *code;
        assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
        if (ldpc_code_k(code) != ldpc_bch_n(bch))
            fail_msg("%s: %u, LDPC %u", name, ldpc_bch_n(bch), ldpc_code_k(code));
        ldpc_code_destroy(code);
        ldpc_bch_destroy(bch);
    }
}

/* Inverts one bit, at every position. */
static void test_every_place(void **state)
{
    (void)state;
    const char *const names[] = {"dvbs2:16200:1/4", "dvbs2x:30780:1/5"};
    for (size_t i = 0; i < 2; i++) {
        uint64_t seed = 3;
        ldpc_bch *bch = create(names[i]);
        codeword w = make_codeword(bch, &seed);
        for (uint32_t place = 0; place < w.n; place++) {
            w.received[place] ^= 1;
            if (decode(bch, &w) != 1 || memcmp(w.decoded, w.message, w.k))
                fail_msg("%s: bit %u not corrected", names[i], place);
            w.received[place] ^= 1;
        }
        free_codeword(&w);
        ldpc_bch_destroy(bch);
    }
}

/* If decoding succeeds, the result must be a codeword within t bits. */
static void test_too_many(void **state)
{
    (void)state;
    uint64_t seed = 11;
    ldpc_bch *bch = create("dvbt2:64800:2/3");
    codeword w = make_codeword(bch, &seed);
    uint8_t *again = guarded(w.n);
    uint32_t failed = 0, tries = 200;
    for (uint32_t i = 0; i < tries; i++) {
        disturb(&w, 11 + i, &seed);
        int32_t corrected = decode(bch, &w);
        if (corrected == LDPC_BCH_FAILED) {
            failed++;
            assert_memory_equal(w.decoded, w.received, w.k);
            continue;
        }
        uint32_t distance = 0;
        assert_int_equal(ldpc_bch_encode(bch, w.decoded, 1, false, again), LDPC_OK);
        for (uint32_t b = 0; b < w.n; b++)
            distance += again[b] != w.received[b];
        assert_int_equal(distance, corrected);
        assert_in_range(distance, 1, 10);
    }
    assert_in_range(failed, tries - 2, tries);
    release(again, w.n);
    free_codeword(&w);
    ldpc_bch_destroy(bch);
}

static void test_words(void **state)
{
    (void)state;
    enum { CODEWORDS = 3 };
    uint64_t seed = 5;
    ldpc_bch *bch = create("dvbt2:16200:1/2");
    uint32_t k = ldpc_bch_k(bch), n = ldpc_bch_n(bch);
    uint8_t *codewords = guarded(CODEWORDS * n), *decoded = guarded(CODEWORDS * k),
            *messages = guarded(CODEWORDS * k);
    int32_t corrected[CODEWORDS];
    for (uint32_t i = 0; i < CODEWORDS * k; i++)
        messages[i] = next(&seed) & 1;
    assert_int_equal(ldpc_bch_encode(bch, messages, CODEWORDS, false, codewords), LDPC_OK);
    for (uint32_t i = 0; i < CODEWORDS * n; i++)
        codewords[i] |= next(&seed) << 1 & 0xfe;
    codewords[n + 17] ^= 1;
    assert_int_equal(ldpc_bch_decode(bch, codewords, CODEWORDS, false, decoded, corrected), LDPC_OK);
    assert_memory_equal(decoded, messages, CODEWORDS * k);
    assert_true(corrected[0] == 0 && corrected[1] == 1 && corrected[2] == 0);
    assert_int_equal(ldpc_bch_decode(bch, codewords, CODEWORDS, false, decoded, NULL), LDPC_OK);
    release(codewords, CODEWORDS * n);
    release(decoded, CODEWORDS * k);
    release(messages, CODEWORDS * k);
    ldpc_bch_destroy(bch);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_bch *bch = (ldpc_bch *)state;
    ldpc_error err = {""};
    uint8_t byte = 0;
    assert_int_equal(ldpc_bch_create("wifi:648:1/2", &bch, &err), LDPC_ERR_NAME);
    assert_null(bch);
    assert_non_null(strstr(err.message, "wifi:648:1/2"));
    assert_int_equal(ldpc_bch_create(NULL, &bch, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bch_create("dvbt2:64800:2/3", NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bch_encode(NULL, &byte, 1, false, &byte), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bch_decode(NULL, &byte, 1, false, &byte, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_bch_n(NULL) + ldpc_bch_k(NULL) + ldpc_bch_t(NULL), 0);
    assert_string_equal(ldpc_bch_name(NULL), "");
    ldpc_bch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code),  cmocka_unit_test(test_lengths_fit),
        cmocka_unit_test(test_every_place), cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_words),       cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
