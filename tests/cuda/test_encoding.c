/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for all codes of the catalogue that the GPU's encoder tables give the codewords of ldpc_encode(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/sim/encoding.h"
#include "ldpc/ldpc.h"

static void do_level(const uint32_t *table, const uint32_t *level, uint64_t *x)
{
    const uint32_t *target = table + table[1], *start = table + table[2], *operand = table + table[3];
    const uint32_t end = level[0] + level[1];
    for (uint32_t i = level[0]; i < end; i++) {
        uint64_t sum = 0;
        for (uint32_t e = start[i]; e < start[i + 1]; e++)
            sum ^= x[operand[e]];
        x[target[i] & ~LDPC_ENCODING_HEAD] = sum;
    }
    assert_true(target[level[0]] & LDPC_ENCODING_HEAD);
    uint64_t sum = 0;
    for (uint32_t i = level[0]; i < end; i++) {
        bool head = target[i] & LDPC_ENCODING_HEAD;
        assert_true(head || level[2]);
        sum = (head ? 0 : sum) ^ x[target[i] & ~LDPC_ENCODING_HEAD];
        x[target[i] & ~LDPC_ENCODING_HEAD] = sum;
    }
}

enum { CODEWORDS = 64 };

/* Bit w of lanes[i] is bit i of codeword w. */
static uint64_t *random_lanes(size_t count)
{
    uint64_t *lanes = malloc(count * sizeof *lanes + 1);
    assert_non_null(lanes);
    for (size_t i = 0; i < count; i++)
        lanes[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)i << 40;
    return lanes;
}

static uint8_t *encoded(const ldpc_code *code, const uint64_t *message, size_t k, size_t n)
{
    uint8_t *in = malloc(CODEWORDS * k + 1), *out = malloc(CODEWORDS * n);
    assert_true(in && out);
    for (size_t i = 0; i < CODEWORDS * k; i++)
        in[i] = message[i % k] >> i / k & 1;
    assert_int_equal(ldpc_encode(code, in, CODEWORDS, out), LDPC_OK);
    free(in);
    return out;
}

static uint32_t place(const ldpc_code *code, const uint32_t *column, size_t i)
{
    uint32_t p = ldpc_code_symbol_bits(code), c = column[i / p];
    return c == LDPC_NO_COLUMN ? LDPC_NO_COLUMN : c * p + (uint32_t)(i % p);
}

static void check(const char *name)
{
    ldpc_code *code;
    ldpc_encoding encoding;
    assert_int_equal(ldpc_code_create(name, &code, NULL), LDPC_OK);
    assert_int_equal(ldpc_encoding_make(code, &encoding), LDPC_OK);
    size_t p = ldpc_code_symbol_bits(code), k = code->k * p, n = code->n * p;
    assert_true(encoding.columns >= code->columns * p);
    uint64_t *x = random_lanes(encoding.columns), *message = random_lanes(k);
    uint8_t *expected = encoded(code, message, k, n);
    /* these values change the result if a value is read before it is written */
    memset(x, 0xa5, encoding.columns * sizeof *x);
    for (size_t i = 0; i < k; i++)
        x[place(code, code->message, i)] = message[i];
    for (uint32_t l = 0; l < encoding.table[0]; l++)
        do_level(encoding.table, encoding.table + LDPC_ENCODING_START + LDPC_ENCODING_LEVEL * l, x);
    for (size_t i = 0; i < CODEWORDS * n; i++) {
        uint32_t at = place(code, code->transmitted, i % n);
        if ((at == LDPC_NO_COLUMN ? 0 : x[at] >> i / n & 1) != expected[i])
            fail_msg("%s: bit %zu differs", name, i % n);
    }
    if (getenv("LDPC_TEST_VERBOSE"))
        printf("%-24s %u levels, widest %u, %zu codewords\n", name, encoding.table[0], encoding.widest,
               encoding.table_words);
    ldpc_encoding_free(&encoding);
    ldpc_code_destroy(code);
    free(x);
    free(message);
    free(expected);
}

static void test_catalogue(void **state)
{
    (void)state;
    const char *name;
    size_t count = 0;
    for (size_t i = 0; (name = ldpc_code_list(i)); i++, count++)
        if (i % (strncmp(name, "nr:", 3) == 0 ? 25 : 4) == 0) /* some codes of each family */
            check(name);
    check("dvbt2:64800:1/2");
    check("ccsds:tc:256");
    check("ccsds:ar4ja:1024:1/2");
    check("wimax:2304:1/2");
    check("bds:b2b:162");
    check("standin:gf32:620");
    check("ccsds:nb:cnbpb:128");
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
