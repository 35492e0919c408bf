/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests nonbinary codes: fields, named codes, encoders, q-ary alist files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/sha256.h"
#include "code/nonbinary.h"

/* ---- fields */

/* without tables */
static uint8_t multiply(const ldpc_field *field, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < field->p; i++) {
        sum ^= b >> i & 1 ? a : 0;
        a = a << 1 ^ (a >> (field->p - 1) & 1 ? field->polynomial : 0);
    }
    return (uint8_t)sum;
}

static void check_field(const ldpc_field *field)
{
    for (uint32_t a = 1; a < field->q; a++) {
        assert_int_equal(ldpc_field_mul(field, (uint8_t)a, ldpc_field_inv(field, (uint8_t)a)), 1);
        for (uint32_t b = 0; b < field->q; b++)
            assert_int_equal(ldpc_field_mul(field, (uint8_t)a, (uint8_t)b), multiply(field, a, b));
    }
}

/* Each of the phi(2^p - 1) / p primitive polynomials of degree p defines a field. */
static void test_fields(void **state)
{
    (void)state;
    static const int primitive[] = {0, 0, 1, 2, 2, 6, 6, 18, 16};
    ldpc_field field;
    for (uint32_t p = LDPC_NB_MIN_BITS; p <= LDPC_NB_MAX_BITS; p++) {
        int found = 0;
        for (uint32_t polynomial = UINT32_C(1) << p; polynomial < UINT32_C(2) << p; polynomial++)
            if (ldpc_field_init(&field, p, polynomial, NULL) == LDPC_OK) {
                check_field(&field);
                found++;
            }
        assert_int_equal(found, primitive[p]);
        assert_int_equal(ldpc_field_init(&field, p, 0, NULL), LDPC_OK);
        assert_int_equal(ldpc_field_bits(field.q), p);
    }
    assert_int_equal(ldpc_field_init(&field, 1, 0, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_field_init(&field, 9, 0, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_field_init(&field, 4, 0x13 << 1, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_field_bits(12), 0);
    assert_int_equal(ldpc_field_bits(512), 0);
}

/* ---- named codes */

/* SHA-256 of the nonzero elements of H, sorted by check and column. Each element is three little-endian
 * 32-bit numbers: check, column, value. */
static const struct named {
    const char *name, *digest;
} named[] = {
    {"bds:b1c:200",        "45c69e6b38b307a2da1c5ffca1d2cffd98b5f845458f42b9769a0951af967cf5"},
    {"bds:b1c:88",         "5ccd89147837f2f26a56b8474b517fe4ae3b2b63bf988c310658bdae8eea6d89"},
    {"bds:b2a:96",         "94f94ecc0988ae42eeaa1dffe269c70d544bf7e8f8ff9a432dbe7020ea324ccd"},
    {"bds:b2b:162",        "b5cd4030ae90139795fb42f17cf51b24a12bef01b5712c3ff940272862d754f4"},
    {"ccsds:nb:liva:128",  "a0c5d34c5a3b6b5761bf1718a6f66aac0d16ae3a5f88a3a7be91213844a4036f"},
    {"ccsds:nb:unbpb:128", "e10ce6c9d41da10a1c92bceaf6e3061c771987a1ae6ce22695e2c6266b30b7b9"},
    {"ccsds:nb:cnbpb:128", "584dc956d4bbb9919e039a12a4e17ced739c16ab3ad94b6b33162da6cc88c29a"},
    {"ccsds:nb:cnbpb:256", "c92bcc2a6d48a4a8c30e57583654d0957684145c248dd6dae6489f7ee601d2a3"},
    {"ccsds:nb:cnbpb:512", "3d627d5ec3a5687807d9efcc8cc353616b495bd0a5006e937607a307ab3fecee"},
    {"standin:gf32:620",   "3d24a19676480c91bd78f4e24456411c7c3eea2a310c4438d83b0ac17ac82ba8"},
};
enum { NAMED = sizeof named / sizeof *named };

static void put(uint8_t *bytes, uint32_t number)
{
    for (unsigned b = 0; b < 4; b++)
        bytes[b] = (uint8_t)(number >> 8 * b);
}

static void digest_values(const ldpc_code *code, char hex[65])
{
    uint8_t *bytes = allocate(12 * ldpc_code_edges(code)), *end = bytes;
    for (uint32_t c = 0; c < ldpc_code_checks(code); c++) {
        uint32_t degree;
        const uint32_t *columns = ldpc_code_check(code, c, &degree);
        const uint16_t *values = ldpc_code_check_values(code, c);
        for (uint32_t i = 0; i < degree; i++, end += 12) {
            put(end, c);
            put(end + 4, columns[i]);
            put(end + 8, values[i]);
        }
    }
    sha256(bytes, (size_t)(end - bytes), hex);
    free(bytes);
}

static void test_values(void **state)
{
    (void)state;
    char hex[65];
    for (size_t i = 0; i < NAMED; i++) {
        ldpc_code *code = create(named[i].name);
        digest_values(code, hex);
        if (strcmp(hex, named[i].digest))
            fail_msg("%s: the values do not give the digest", named[i].name);
        assert_null(ldpc_code_check_values(code, ldpc_code_checks(code)));
        assert_int_equal(1u << ldpc_code_symbol_bits(code), ldpc_code_order(code));
        assert_int_equal(ldpc_code_polynomial(code) >> ldpc_code_symbol_bits(code), 1);
        ldpc_code_destroy(code);
    }
}

/* Every listed nonbinary code has expected values. */
static void test_every_name_has_values(void **state)
{
    (void)state;
    size_t found = 0;
    const char *name;
    for (size_t i = 0; (name = ldpc_code_list(i)); i++)
        for (size_t j = 0; j < NAMED; j++)
            found += strcmp(name, named[j].name) == 0;
    assert_int_equal(found, NAMED);
    ldpc_code *code = create("wimax:576:1/2");
    assert_null(ldpc_code_check_values(code, 0));
    assert_int_equal(ldpc_code_symbol_bits(code), 1);
    assert_int_equal(ldpc_code_polynomial(code), 0);
    ldpc_code_destroy(code);
}

/* ---- encoders */

static uint32_t symbol(const uint8_t *bits, uint32_t p, size_t i)
{
    uint32_t value = 0;
    for (uint32_t b = 0; b < p; b++)
        value = 2 * value + (bits[i * p + b] & 1);
    return value;
}

/* Returns the number of unsatisfied checks, computed without the library's tables. */
static uint32_t unsatisfied(const ldpc_code *code, const uint8_t *bits)
{
    uint32_t weight = 0, p = ldpc_code_symbol_bits(code);
    for (uint32_t c = 0; c < ldpc_code_checks(code); c++) {
        uint32_t degree;
        const uint32_t *columns = ldpc_code_check(code, c, &degree);
        uint8_t sum = 0;
        for (uint32_t i = 0; i < degree; i++)
            sum ^=
                multiply(&code->nb->field, ldpc_code_check_values(code, c)[i], symbol(bits, p, columns[i]));
        weight += sum != 0;
    }
    return weight;
}

static void check_encoder(const ldpc_code *code, size_t codewords)
{
    size_t p = ldpc_code_symbol_bits(code), k = ldpc_code_k(code) * p, n = ldpc_code_n(code) * p;
    uint64_t seed = 5 + n;
    uint8_t *message = allocate(codewords * k), *transmitted = allocate(codewords * n);
    for (size_t i = 0; i < codewords * k; i++)
        message[i] = (uint8_t)(random_bits(&seed) >> 56); /* only bit 0 counts */
    transmitted[codewords * n] = 0xa5;
    assert_int_equal(ldpc_encode(code, message, codewords, transmitted), LDPC_OK);
    assert_int_equal(transmitted[codewords * n], 0xa5);
    for (size_t w = 0; w < codewords; w++) {
        uint8_t *codeword = transmitted + w * n;
        assert_int_equal(unsatisfied(code, codeword), 0);
        assert_int_equal(ldpc_syndrome_weight(code, codeword), 0);
        for (size_t i = 0; i < k / p; i++)
            for (size_t b = 0; b < p; b++)
                assert_int_equal(codeword[ldpc_code_message_columns(code)[i] * p + b],
                                 message[(w * k + i * p + b)] & 1);
        size_t at = random_below(&seed, (uint32_t)n);
        codeword[at] ^= 1;
        assert_int_equal(ldpc_syndrome_weight(code, codeword), unsatisfied(code, codeword));
    }
    free(message);
    free(transmitted);
}

/* In the standards, information symbols come before parity symbols. */
static void test_encoders(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMED; i++) {
        ldpc_code *code = create(named[i].name);
        check_encoder(code, 5);
        for (uint32_t j = 0; strncmp(named[i].name, "bds", 3) == 0 && j < ldpc_code_k(code); j++)
            assert_int_equal(ldpc_code_message_columns(code)[j], j);
        ldpc_code_destroy(code);
    }
}

/* ---- files */

static ldpc_code *read_text(const char *text)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create_nbalist(text, strlen(text), &code, &err))
        fail_msg("%s", err.message);
    return code;
}

static char *write_text(const ldpc_code *code)
{
    size_t needed, again;
    assert_int_equal(ldpc_code_write_alist(code, NULL, 0, &needed), LDPC_OK);
    char *text = allocate(needed);
    assert_int_equal(ldpc_code_write_alist(code, text, needed - 1, &again), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_code_write_alist(code, text, needed, &again), LDPC_OK);
    assert_int_equal(again, needed);
    assert_int_equal(strlen(text) + 1, needed);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    char before[65], after[65];
    for (size_t i = 0; i < NAMED; i++) {
        ldpc_code *code = create(named[i].name);
        char *text = write_text(code);
        ldpc_code *again = read_text(text);
        assert_string_equal(ldpc_code_name(again), "nbalist");
        assert_same_code(code, again);
        digest_values(code, before);
        digest_values(again, after);
        assert_string_equal(before, after);
        free(text);
        ldpc_code_destroy(code);
        ldpc_code_destroy(again);
    }
}

/* Tests the polynomial x^3 + x^2 + 1, an empty check, dependent checks, and lists padded with zeros. */
static const char odd_text[] = "4 4 8 13\n3 3\n3 2 2 1\n3 3 2 0\n"
                               "1 1 2 2 3 4\n1 5 2 1\n1 7 2 2 0 0\n3 1 0\n"
                               "1 1 2 5 3 7\n1 2 2 1 3 2\n1 4 4 1 0 0\n\n";

static void test_odd_file(void **state)
{
    (void)state;
    ldpc_code *code = read_text(odd_text);
    assert_int_equal(ldpc_code_polynomial(code), 13);
    assert_int_equal(ldpc_code_n(code), 4);
    assert_int_equal(ldpc_code_k(code), 1);
    check_encoder(code, 3);
    char *text = write_text(code);
    assert_non_null(strstr(text, "4 4 8 13\n"));
    ldpc_code *again = read_text(text);
    assert_same_code(code, again);
    free(text);
    ldpc_code_destroy(code);
    ldpc_code_destroy(again);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const bad_text texts[] = {
        {"",                                           1, "number of columns"       },
        {"4 2 5\n",                                    1, "field order"             },
        {"4 2 512\n",                                  1, "field order"             },
        {"4 2 8 15\n",                                 1, "not primitive"           },
        {"4 2 8 7\n",                                  1, "polynomial"              },
        {"4 2 8 11 1\n",                               1, "end of the line"         },
        {"4 0 8\n",                                    1, "1 .. 1048576 checks"     },
        {"4 2000000 8\n",                              1, "1 .. 1048576 checks"     },
        {"1000000 1000000 8\n",                        1, "longer file"             },
        {"2 1 4\n2 1\n",                               2, "largest degrees"         },
        {"2 1 4\n1 2\n1 2\n",                          3, "a degree"                },
        {"2 1 4\n1 2\n1 1\n1\n",                       4, "add up"                  },
        {"2 1 4\n1 2\n1 1\n2\n1 4\n",                  5, "nonzero field element"   },
        {"2 1 4\n1 2\n1 1\n2\n1 0\n",                  5, "nonzero field element"   },
        {"2 1 4\n1 2\n1 1\n2\n2 1\n",                  5, "a check"                 },
        {"2 2 4\n2 2\n2 0\n1 1\n1 3 1 2\n",            5, "twice"                   },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2 1\n",           6, "nonzero field element"   },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2 0 1\n",         6, "only zeros"              },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2 1 3\n",         6, "expected 1 entries"      },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2\n1 3 2 3\n",    7,
         "with value 3, but that column lists the check with value 2"               },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2\n1 3 1 3\n",    7, "listed twice"            },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2\n1 3\n",        7, "expected 2 entries"      },
        {"2 1 4\n1 2\n1 1\n2\n1 3\n1 2\n1 3 2 2\n1\n", 8, "end of the file"         },
        {"2 2 4\n1 2\n1 1\n2 0\n1 3\n2 2\n1 3 2 2\n",  7, "does not list that check"},
    };
    check_bad_texts(ldpc_code_create_nbalist, texts, sizeof texts / sizeof *texts);
    check_damaged_texts(ldpc_code_create_nbalist, odd_text, 3000);
    ldpc_code *code = create("bds:b1c:88");
    char *text = write_text(code);
    check_damaged_texts(ldpc_code_create_nbalist, text, 50);
    free(text);
    ldpc_code_destroy(code);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_code *code = (ldpc_code *)&code;
    ldpc_error err = {""};
    assert_int_equal(ldpc_code_create_nbalist(NULL, 0, &code, NULL), LDPC_ERR_NULL);
    assert_null(code);
    assert_int_equal(ldpc_code_create_nbalist("", 0, NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_code_create("bds:b1c:201", &code, &err), LDPC_ERR_NAME);
    assert_non_null(strstr(err.message, "Did you mean bds:b1c:200"));
    assert_int_equal(ldpc_code_create("ccsds:nb:cnbpb:129", &code, &err), LDPC_ERR_NAME);
    assert_non_null(strstr(err.message, "ccsds:nb:cnbpb:128"));
    assert_int_equal(ldpc_code_create("nbalist:/nosuch/file", &code, &err), LDPC_ERR_FILE);
    size_t needed;
    code = create("bds:b1c:88");
    assert_int_equal(ldpc_code_write_qc(code, NULL, 0, &needed), LDPC_ERR_UNSUPPORTED);
    assert_true(ldpc_code_girth(code, 12) >= 4);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_every_name_has_values),
        cmocka_unit_test(test_encoders),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_odd_file),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
