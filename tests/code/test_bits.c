/* SPDX-License-Identifier: BSD-3-Clause */
/* base/bits.h packs and unpacks any number of bits, and writes no byte past the end. */
#include <string.h>

#include "code/code_helpers.h"
#include "base/bits.h"

enum { MOST = 70, GUARD = 0xa5 };

static void check_pack(const uint8_t *bits, size_t count)
{
    uint8_t packed[MOST];
    memset(packed, GUARD, sizeof packed);
    ldpc_pack(bits, count, packed);
    for (size_t i = 0; i < 8 * ldpc_packed_bytes(count); i++)
        assert_int_equal(packed[i / 8] >> (7 - i % 8) & 1, i < count ? bits[i] & 1 : 0);
    for (size_t i = ldpc_packed_bytes(count); i < sizeof packed; i++)
        assert_int_equal(packed[i], GUARD);
}

static void check_unpack(const uint8_t *packed, size_t count)
{
    uint8_t bits[MOST + 8];
    memset(bits, GUARD, sizeof bits);
    ldpc_unpack(packed, count, bits);
    for (size_t i = 0; i < sizeof bits; i++)
        assert_int_equal(bits[i], i < count ? packed[i / 8] >> (7 - i % 8) & 1 : GUARD);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ldpc_packed_bit(packed, i), bits[i]);
}

static void test_any_count(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t count = 0; count <= MOST; count++)
        for (int round = 0; round < 10; round++) {
            uint8_t bytes[MOST];
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)random_bits(&seed); /* only bit 0 is used */
            check_pack(bytes, count);
            check_unpack(bytes, count);
        }
}

static void test_packed_bytes(void **state)
{
    (void)state;
    assert_int_equal(ldpc_packed_bytes(0), 0);
    assert_int_equal(ldpc_packed_bytes(1), 1);
    assert_int_equal(ldpc_packed_bytes(8), 1);
    assert_int_equal(ldpc_packed_bytes(9), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_count),
        cmocka_unit_test(test_packed_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
