/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests packets: payloads of every length with every kind of code. Changed bits must be detected. */
#include <stdlib.h>
#include <string.h>

#include "api/support.h"

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static ldpc_packet_format *make_format(const ldpc_code *code, uint32_t crc)
{
    ldpc_packet_format *format;
    ldpc_error err = {""};
    if (ldpc_packet_format_create(code, crc, &format, &err) != LDPC_OK)
        fail_msg("%s: %s", ldpc_code_name(code), err.message);
    return format;
}

static size_t n_of(const ldpc_code *code)
{
    return (size_t)ldpc_code_n(code) * ldpc_code_symbol_bits(code);
}

static size_t k_of(const ldpc_code *code)
{
    return (size_t)ldpc_code_k(code) * ldpc_code_symbol_bits(code);
}

/* Encodes a payload into `bits` bits, and decodes the noiseless LLRs of these bits. */
static void there_and_back(const ldpc_packet_format *format, ldpc_decoder *dec, size_t bytes, size_t bits)
{
    const ldpc_code *code = ldpc_decoder_code(dec);
    const size_t n = n_of(code), k = k_of(code), count = ldpc_packet_codewords(format, bits);
    uint32_t seed = (uint32_t)(bytes + bits);
    uint8_t *payload = calloc(bytes + 1, 1), *sent = calloc(bits + 1, 1), *message = calloc(count, k),
            *received = calloc(count * k / 8 + 1, 1);
    int8_t *llr = calloc(bits, 1), *whole = calloc(count, n);
    for (size_t i = 0; i < bytes; i++)
        payload[i] = (uint8_t)next_random(&seed);
    sent[bits] = 0xa5;
    assert_int_equal(ldpc_packet_encode(format, payload, bytes, bits, sent), LDPC_OK);
    assert_int_equal(sent[bits], 0xa5);
    for (size_t i = 0; i < bits; i++)
        llr[i] = sent[i] ? -20 : 20;
    assert_int_equal(ldpc_packet_llrs(format, llr, bits, whole), LDPC_OK);
    const ldpc_batch all = {.n_codewords = count, .llr = whole, .message = message};
    for (size_t w = 0, some; w < count; w += some) {
        some = count - w < ldpc_decoder_max_batch(dec) ? count - w : ldpc_decoder_max_batch(dec);
        const ldpc_batch part = ldpc_decoder_slice(dec, &all, w, some);
        assert_int_equal(ldpc_decode(dec, &part), LDPC_OK);
    }
    size_t length = 0;
    assert_int_equal(ldpc_packet_payload(format, message, bits, received, &length), LDPC_OK);
    if (length != bytes || memcmp(payload, received, bytes) != 0)
        fail_msg("%s: %zu bytes in %zu bits are %zu bytes", ldpc_code_name(code), bytes, bits, length);
    free(payload);
    free(sent);
    free(message);
    free(received);
    free(llr);
    free(whole);
}

static void check_code(const ldpc_code *code, size_t random_lengths)
{
    const size_t k = k_of(code), fits = k / 8 > 7 ? k / 8 - 7 : 0; /* payload of about one codeword */
    const size_t lengths[] = {0, 1, 2, fits, fits + 1, fits + 2, fits + 3, 127, 128};
    ldpc_packet_format *format = make_format(code, 32);
    ldpc_decoder *dec = make_decoder(code, NULL);
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t fewest = ldpc_packet_bits(format, lengths[i]);
        there_and_back(format, dec, lengths[i], fewest);
        there_and_back(format, dec, lengths[i], fewest + 1 + next_random(&seed) % (2 * n_of(code)));
    }
    for (size_t i = 0; i < random_lengths; i++) {
        const size_t bytes = next_random(&seed) % (3 * k / 8 + 20);
        there_and_back(format, dec, bytes, ldpc_packet_bits(format, bytes));
    }
    ldpc_decoder_destroy(dec);
    ldpc_packet_format_destroy(format);
}

/* Tests one code of each family, and codes that are punctured, shortened or nonbinary. */
static void test_families(void **state)
{
    (void)state;
    const char *names[] = {"wifi:648:1/2",     "wimax:576:5/6",        "dvbs2:16200:1/2",
                           "dvbt2:16200:3/4",  "ccsds:c2:8160",        "ccsds:ar4ja:1024:1/2",
                           "nr:bg1:384:25344", "nr:bg2:10:153:67",     "bds:b1c:88",
                           "ethernet:2048",    "dvbs2x:64800:104/180", "wigig:672:3/4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ldpc_code *code = make_code(names[i]);
        check_code(code, 3);
        ldpc_code_destroy(code);
    }
}

/* Tests all lengths up to several codewords, with k not a multiple of 8, and with only three message bits. */
static void test_every_length(void **state)
{
    (void)state;
    ldpc_code *codes[] = {make_code("nr:bg2:10:153:67"), make_tiny_code()};
    for (size_t i = 0; i < 2; i++) {
        ldpc_packet_format *format = make_format(codes[i], 16);
        ldpc_decoder *dec = make_decoder(codes[i], NULL);
        for (size_t bytes = 0; bytes < 150; bytes++)
            there_and_back(format, dec, bytes, ldpc_packet_bits(format, bytes));
        ldpc_decoder_destroy(dec);
        ldpc_packet_format_destroy(format);
        ldpc_code_destroy(codes[i]);
    }
}

static void test_air_time(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2"); /* n - k = 324 */
    ldpc_packet_format *format = make_format(code, 32);
    assert_int_equal(ldpc_packet_bits(format, 0), 324 + 8 * 5);
    assert_int_equal(ldpc_packet_bits(format, 35), 324 + 8 * 40);
    assert_int_equal(ldpc_packet_bits(format, 36), 648 + 324 + 4);
    assert_int_equal(ldpc_packet_bits(format, 127), 3 * 648 + 324 + 8 * 132 - 3 * 324);
    assert_int_equal(ldpc_packet_bits(format, 128), 3 * 648 + 324 + 8 * 134 - 3 * 324);
    assert_int_equal(ldpc_packet_bits(format, SIZE_MAX / 2), 0);
    assert_int_equal(ldpc_packet_codewords(format, 323), 0);
    assert_int_equal(ldpc_packet_codewords(format, 324), 1);
    assert_int_equal(ldpc_packet_codewords(format, 648 + 323), 1);
    assert_int_equal(ldpc_packet_codewords(format, 648 + 324), 2);
    ldpc_packet_format_destroy(format);
    ldpc_code_destroy(code);
}

/* Payload "123456789". The expected bits were computed with Python's zlib.crc32() and binascii. */
static void test_known_answer(void **state)
{
    (void)state;
    const uint8_t payload[] = "123456789";
    const uint8_t expected[2][14] = {
        {0x09, '1', '2', '3', '4', '5', '6', '7', '8',  '9',  0xff, 0x07},
        { 0x09, '1', '2', '3', '4', '5', '6', '7', '8', '9', 0x34, 0x6e, 0x62, 0x32},
    };
    ldpc_code *code = make_code("wifi:648:1/2");
    for (size_t i = 0; i < 2; i++) {
        ldpc_packet_format *format = make_format(code, i ? 32 : 16);
        const size_t bits = ldpc_packet_bits(format, 9), bytes = 10 + (i ? 4 : 2);
        uint8_t sent[648];
        assert_int_equal(bits, 324 + 8 * bytes);
        assert_int_equal(ldpc_packet_encode(format, payload, 9, bits, sent), LDPC_OK);
        for (size_t b = 0; b < 8 * bytes; b++)
            assert_int_equal(sent[b], expected[i][b / 8] >> (7 - b % 8) & 1);
        ldpc_packet_format_destroy(format);
    }
    ldpc_code_destroy(code);
}

/* Every change of one, two or three message bits is detected. All-zero messages are rejected, because
 * decoders converge to them when there is no signal. */
static void test_changed_bits(void **state)
{
    (void)state;
    const uint8_t payload[] = "packet";
    ldpc_code *code = make_code("wifi:648:1/2");
    for (uint32_t crc = 16; crc <= 32; crc += 16) {
        ldpc_packet_format *format = make_format(code, crc);
        uint8_t sent[648], received[41];
        size_t length;
        assert_int_equal(ldpc_packet_encode(format, payload, 6, 648, sent), LDPC_OK);
        assert_int_equal(ldpc_packet_payload(format, sent, 648, received, &length), LDPC_OK);
        assert_int_equal(length, 6);
        uint32_t seed = crc;
        for (size_t i = 0; i < 20000; i++) {
            const uint32_t a = i < 324 ? (uint32_t)i : next_random(&seed) % 324;
            const uint32_t changed[3] = {a, (a + 1 + next_random(&seed) % 100) % 324, (a + 101) % 324};
            const size_t count = i < 324 ? 1 : 1 + i % 3;
            for (size_t j = 0; j < count; j++)
                sent[changed[j]] ^= 1;
            assert_int_equal(ldpc_packet_payload(format, sent, 648, received, &length), LDPC_OK);
            assert_true(length == LDPC_PACKET_WRONG);
            for (size_t j = 0; j < count; j++)
                sent[changed[j]] ^= 1;
        }
        memset(sent, 0, sizeof sent);
        assert_int_equal(ldpc_packet_payload(format, sent, 648, received, &length), LDPC_OK);
        assert_true(length == LDPC_PACKET_WRONG);
        ldpc_packet_format_destroy(format);
    }
    ldpc_code_destroy(code);
}

/* Float LLRs must equal those of ldpc_packet_llrs(). Bits that were not transmitted are known zeros. */
static void test_float_llrs(void **state)
{
    (void)state;
    ldpc_code *code = make_code("nr:bg2:10:153:67");
    ldpc_packet_format *format = make_format(code, 16);
    const size_t bits = ldpc_packet_bits(format, 2), n = ldpc_code_n(code);
    int8_t llr[153], whole[153];
    float nat[153], whole_nat[153];
    for (size_t i = 0; i < bits; i++)
        nat[i] = (float)(llr[i] = (int8_t)(i % 100));
    assert_int_equal(ldpc_packet_llrs(format, llr, bits, whole), LDPC_OK);
    assert_int_equal(ldpc_packet_llrs_float(format, nat, bits, whole_nat), LDPC_OK);
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        assert_float_equal(whole_nat[i], whole[i] == 127 ? 256.0f : (float)whole[i], 0);
        known += whole[i] == 127;
    }
    assert_int_equal(known, n - bits);
    ldpc_packet_format_destroy(format);
    ldpc_code_destroy(code);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_packet_format *format;
    ldpc_error err;
    uint8_t bytes[648] = {0};
    int8_t llr[648] = {0};
    float nat[648] = {0};
    size_t length;
    assert_int_equal(ldpc_packet_format_create(NULL, 32, &format, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_packet_format_create(code, 32, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_packet_format_create(code, 24, &format, &err), LDPC_ERR_PARAM);
    assert_string_equal(err.message, "crc 24: expected 16 or 32");
    assert_null(format);
    format = make_format(code, 32);
    assert_int_equal(ldpc_packet_bits(NULL, 1), 0);
    assert_int_equal(ldpc_packet_codewords(NULL, 648), 0);
    assert_int_equal(ldpc_packet_encode(format, bytes, 36, 648, bytes), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_packet_encode(format, NULL, 1, 648, bytes), LDPC_ERR_NULL);
    assert_int_equal(ldpc_packet_encode(format, NULL, 0, 648, bytes), LDPC_OK);
    assert_int_equal(ldpc_packet_llrs(format, llr, 323, llr), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_packet_llrs(format, NULL, 648, llr), LDPC_ERR_NULL);
    assert_int_equal(ldpc_packet_llrs_float(format, nat, 323, nat), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_packet_payload(format, bytes, 323, bytes, &length), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_packet_payload(format, bytes, 648, bytes, NULL), LDPC_ERR_NULL);
    ldpc_packet_format_destroy(format);
    ldpc_packet_format_destroy(NULL);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_air_time),        cmocka_unit_test(test_known_answer),
        cmocka_unit_test(test_changed_bits),    cmocka_unit_test(test_float_llrs),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
