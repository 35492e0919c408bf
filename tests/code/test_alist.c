/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"

static ldpc_code *read_good(const char *text)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create_alist(text, strlen(text), &code, &err))
        fail_msg("%s", err.message);
    return code;
}

/* Tables I and II of Broulim et al. Table I is ordered by variable node, table II by check node. */
static void test_broulim_14_7(void **state)
{
    (void)state;
    static const uint32_t c[31] = {5, 3, 2, 0, 4, 0, 5, 1, 6, 4, 1, 4, 3, 1, 0, 4,
                                   2, 6, 5, 5, 4, 2, 1, 6, 0, 3, 1, 6, 3, 5, 0};
    static const uint32_t c_degree[14] = {4, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    static const uint32_t v[31] = {0,  1, 5, 10, 13, 2, 3, 5, 9, 11, 0,  6, 9, 0,  4, 11,
                                   12, 1, 3, 4,  6,  8, 0, 2, 7, 8,  13, 3, 7, 10, 12};
    static const uint32_t v_degree[7] = {5, 5, 3, 4, 5, 5, 4};
    ldpc_code *code = create("alist:" LDPC_TESTS_DIR "/code/broulim_14_7.alist");
    assert_int_equal(ldpc_code_n(code), 14);
    assert_int_equal(ldpc_code_k(code), 7);
    assert_int_equal(ldpc_code_edges(code), 31);
    uint8_t from_checks[7][14] = {{0}}, from_variables[7][14] = {{0}};
    size_t e = 0;
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t degree;
        const uint32_t *columns = ldpc_code_check(code, i, &degree);
        assert_int_equal(degree, v_degree[i]);
        assert_memory_equal(columns, v + e, degree * sizeof *columns);
        for (uint32_t d = 0; d < degree; d++)
            from_checks[i][columns[d]] = 1;
        e += degree;
    }
    for (uint32_t j = 0, at = 0; j < 14; j++)
        for (uint32_t d = 0; d < c_degree[j]; d++)
            from_variables[c[at++]][j] = 1;
    assert_memory_equal(from_checks, from_variables, sizeof from_checks);
    ldpc_code_destroy(code);
}

/* Writes one matrix in several notations: with lists of three lengths, with and without padding; with empty
 * lists written in three ways; with all lines padded to the same width. */
static void test_ways_to_write(void **state)
{
    (void)state;
    const char *const texts[] = {
        "4 3\n2 3\n2 1 0 2\n3 2 0\n1 2\n1 0\n0 0\n1 2\n1 2 4\n1 4 0\n0 0 0\n",
        "4 3\n2 3\n2 1 0 2\n3 2 0\n1 2\n1\n\n2 1\n4 1 2\n1 4\n\n",
        "4 3\n2 3\n2 1 0 2\n3 2 0\n1 2\n1\n1 2\n1 2 4\n1 4",
        "# comment\n\n4\t3 # sizes\r\n 2 3\n2 1 0 2\r\n\r\n3 2 0\r\n1 2\n1\n0\n1 2\n1 2 4\n1 4\r\n0\n\n",
        "4 3 0 0\n2 3 0 0\n2 1 0 2\n3 2 0 0\n1 2 0 0\n1 0 0 0\n0 0 0 0\n1 2 0 0\n1 2 4 0\n1 4 0 0\n0 0 0 0\n",
    };
    ldpc_code *first = read_good(texts[0]);
    assert_int_equal(ldpc_code_k(first), 2);
    assert_int_equal(ldpc_code_edges(first), 5);
    assert_string_equal(ldpc_code_name(first), "alist");
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        ldpc_code *code = read_good(texts[i]);
        assert_same_code(first, code);
        ldpc_code_destroy(code);
    }
    ldpc_code_destroy(first);
}

static void test_malformed(void **state)
{
    (void)state;
#define SIZES   "4 3\n2 3\n"
#define DEGREES SIZES "2 1 1 1\n3 1 1\n"
#define COLUMNS DEGREES "1 2\n1\n1\n3\n"
    static const bad_text texts[] = {
        {"",                                                    1,  "number of columns"               },
        {"\n\n# nothing\n",                                     4,  "number of columns"               },
        {"4\n",                                                 1,  "number of checks"                },
        {"4 3 2\n",                                             1,  "nbalist:FILE"                    },
        {"four 3\n",                                            1,  "found \"four\""                  },
        {"-4 3\n",                                              1,  "found \"-4\""                    },
        {"4 -3\n",                                              1,  "found \"-3\""                    },
        {"1 0 1 1\n0 1 0 1\n",                                  1,  "a matrix of zeros and ones"      },
        {"4.0 3\n",                                             1,  "found \"4.0\""                   },
        {"0 3\n",                                               1,  "1 .. 1048576 columns"            },
        {"4 0\n",                                               1,  "1 .. 1048576 checks"             },
        {"4294967295 3\n",                                      1,  "1 .. 1048576 columns"            },
        {"4294967296 3\n",                                      1,  "found \"4294967296\""            },
        {"99999999999999999999999999 3\n",                      1,  "found \"99999999999999999999\""  },
        {"1000000 3\n2 3\n",                                    1,  "a longer file"                   },
        {"4 3\n\n\n\n",                                         5,  "largest column degree"           },
        {"4 3\n4 3\n\n",                                        2,  "at most 3 checks and 4 columns"  },
        {"4 3\n2 5\n\n",                                        2,  "at most 3 checks and 4 columns"  },
        {SIZES,                                                 3,  "degrees of 4 columns, found 0"   },
        {SIZES "2 1 1\n",                                       3,  "degrees of 4 columns, found 3"   },
        {SIZES "2 1 1 1 1\n",                                   3,  "degrees of 4 columns, found more"},
        {SIZES "3 1 1 1\n",                                     3,  "a degree, 0 .. 2, found \"3\""   },
        {SIZES "2 1 -1 1\n",                                    3,  "found \"-1\""                    },
        {SIZES "2 1 1 1\n3 1\n",                                4,  "degrees of 3 checks, found 2"    },
        {SIZES "2 1 1 1\n3 1 2\n",                              4,  "add up to 5"                     },
        {DEGREES,                                               5,  "list of column 1"                },
        {DEGREES "1\n",                                         5,  "2 entries for column 1, found 1" },
        {DEGREES "1 0\n",                                       5,  "2 entries for column 1, found 1" },
        {DEGREES "0 1\n",                                       5,  "only zeros after a zero"         },
        {DEGREES "1 2 3\n",                                     5,  "2 entries for column 1, found 3" },
        {DEGREES "1 4\n",                                       5,  "check, 0 .. 3, found \"4\""      },
        {DEGREES "1 x\n",                                       5,  "found \"x\""                     },
        {DEGREES "1,2\n",                                       5,  "found \",2\""                    },
        {DEGREES "2 2\n",                                       5,  "column 1 lists check 2 twice"    },
        {DEGREES "1 2\n1\n1\n",                                 8,  "list of column 4"                },
        {COLUMNS,                                               9,  "list of check 1"                 },
        {COLUMNS "1 2 3\n1\n",                                  11, "list of check 3"                 },
        {COLUMNS "1 2 3\n1\n3\n",                               11, "check 3 lists column 3"          },
        {COLUMNS "1 2 2\n1\n4\n",                               9,  "listed twice"                    },
        {COLUMNS "1 2 5\n1\n4\n",                               9,  "found \"5\""                     },
        {COLUMNS "1 2 3\n1\n4\n7\n",                            12, "end of the file"                 },
        {SIZES "2 1 1 1\n3 0 2\n1 2\n1\n1\n3\n1 2 3\n0\n1 4\n", 10,
         "check 2 lists 0 columns, but 1 columns list it"                                             },
    };
    check_bad_texts(ldpc_code_create_alist, texts, sizeof texts / sizeof *texts);
    check_damaged_texts(ldpc_code_create_alist, COLUMNS "1 2 3\n1\n4\n", 20000);
}

static void check_file_refused(const char *name, ldpc_status want, const char *part)
{
    ldpc_error err = {""};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create(name, &code, &err), want);
    assert_null(code);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not contain \"%s\"", err.message, part);
}

static void test_files(void **state)
{
    (void)state;
    check_file_refused("alist:", LDPC_ERR_FILE, "cannot open");
    check_file_refused("alist:" LDPC_TESTS_DIR "/code/none.alist", LDPC_ERR_FILE, "none.alist");
    check_file_refused("alist:" LDPC_TESTS_DIR "/code", LDPC_ERR_FILE, "expected a regular file");
    check_file_refused("alist:" LDPC_TESTS_DIR "/code/digests.txt", LDPC_ERR_FORMAT, "digests.txt: line 3: ");
}

/* An error message quotes any bytes of a file as valid UTF-8 without control characters. */
static void check_quoted(const char *token, const char *quoted)
{
    ldpc_error err = {""};
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_alist(token, strlen(token), &code, &err), LDPC_ERR_FORMAT);
    const char *found = strchr(err.message, '"');
    assert_non_null(found);
    char want[40];
    snprintf(want, sizeof want, "\"%s\"", quoted);
    assert_string_equal(found, want);
}

static void test_quoted_bytes(void **state)
{
    (void)state;
    static const char *const well_formed[] = {"\xC3\xA4", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xF0\x9F\x98\x80",
                                              "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < sizeof well_formed / sizeof *well_formed; i++)
        check_quoted(well_formed[i], well_formed[i]);
    check_quoted("\x89PNG", "?PNG");
    check_quoted("1\xB2x", "1?x");  /* Latin-1 */
    check_quoted("\xE2\x82", "??"); /* cut off */
    check_quoted("\xE2\x82x", "??x");
    check_quoted("\xC0\xAF", "??"); /* longer than necessary */
    check_quoted("\xE0\x80\xAF", "???");
    check_quoted("\xF0\x80\x80\xAF", "????");
    check_quoted("\xED\xA0\x80", "???");              /* a surrogate */
    check_quoted("\xF4\x90\x80\x80", "????");         /* above U+10FFFF */
    check_quoted("\xFC\x80\x80\x80\xFF", "?????");    /* of no character */
    check_quoted("\x1B[31m\x7F\xC2\x9B", "?[31m???"); /* control characters */
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_code *code;
    size_t needed;
    assert_int_equal(ldpc_code_create_alist(NULL, 0, &code, NULL), LDPC_ERR_NULL);
    assert_null(code);
    assert_int_equal(ldpc_code_create_alist("", 0, NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_code_create_alist("4 3\n", 4, &code, NULL), LDPC_ERR_FORMAT);
    assert_int_equal(ldpc_code_write_alist(NULL, NULL, 0, &needed), LDPC_ERR_NULL);
}

static void check_round_trip(const char *name)
{
    ldpc_code *code = create(name), *again;
    size_t needed, same;
    assert_int_equal(ldpc_code_write_alist(code, NULL, 0, &needed), LDPC_OK);
    char *text = allocate(needed);
    memset(text, 'x', needed + 1);
    assert_int_equal(ldpc_code_write_alist(code, text, needed - 1, &same), LDPC_ERR_RANGE);
    assert_int_equal(same, needed);
    assert_int_equal(text[needed - 1], 'x');
    assert_int_equal(ldpc_code_write_alist(code, text, needed, &same), LDPC_OK);
    assert_int_equal(strlen(text) + 1, needed);
    assert_int_equal(text[needed], 'x');
    assert_int_equal(ldpc_code_create_alist(text, needed - 1, &again, NULL), LDPC_OK);
    assert_same_code(code, again);
    free(text);
    ldpc_code_destroy(code);
    ldpc_code_destroy(again);
}

static void test_round_trip(void **state)
{
    (void)state;
    check_round_trip("alist:" LDPC_TESTS_DIR "/code/broulim_14_7.alist");
    check_round_trip("wimax:576:5/6");
    check_round_trip("dvbs2:16200:1/4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broulim_14_7), cmocka_unit_test(test_ways_to_write),
        cmocka_unit_test(test_malformed),    cmocka_unit_test(test_files),
        cmocka_unit_test(test_quoted_bytes), cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
