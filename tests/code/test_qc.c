/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/code_internal.h"

static const char example[] = "# three block columns, two block rows, lifting size 4\n"
                              "3 2 4\n"
                              "1  0,3  -1\n"
                              "-1 2    0\n"
                              "punctured 0 2-3\n"
                              "shortened 1\n";

static ldpc_code *read_good(const char *text)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create_qc(text, strlen(text), &code, &err))
        fail_msg("%s", err.message);
    return code;
}

static void assert_check(const ldpc_code *code, uint32_t c, const uint32_t *want, uint32_t count)
{
    uint32_t degree;
    const uint32_t *columns = ldpc_code_check(code, c, &degree);
    assert_int_equal(degree, count);
    assert_memory_equal(columns, want, count * sizeof *want);
}

static void test_example(void **state)
{
    (void)state;
    ldpc_code *code = read_good(example);
    assert_int_equal(ldpc_code_checks(code), 8);
    assert_int_equal(ldpc_code_columns(code), 12);
    assert_int_equal(ldpc_code_lifting_size(code), 4);
    assert_int_equal(ldpc_code_edges(code), 20);
    assert_int_equal(ldpc_code_punctured(code), 3);
    assert_int_equal(ldpc_code_shortened(code), 1);
    assert_int_equal(ldpc_code_n(code), 8);
    const uint32_t first[] = {1, 4, 7}, fourth[] = {0, 6, 7}, last[] = {5, 11},
                   transmitted[] = {4, 5, 6, 7, 8, 9, 10, 11};
    assert_check(code, 0, first, 3); /* columns of check 0: shift 1 of block 0, shifts 0 and 3 of block 1 */
    assert_check(code, 3, fourth, 3);
    assert_check(code, 7, last, 2);
    assert_memory_equal(ldpc_code_transmitted_columns(code), transmitted, sizeof transmitted);
    assert_int_equal(code->known_zero[0], 1);
    ldpc_code_destroy(code);
}

/* AFF3CT's files contain the shifts for the largest lifting size. A 0 in the last line marks a block column
 * that is not transmitted. */
static void test_aff3ct(void **state)
{
    (void)state;
    ldpc_code *code = read_good("\xef\xbb\xbf"
                                "3 2 4\r\n\r\n5 -1 250\r\n-1 2 8\r\n1 0 1\r\n");
    const uint32_t first[] = {1, 10}, transmitted[] = {0, 1, 2, 3, 8, 9, 10, 11};
    assert_check(code, 0, first, 2);
    assert_int_equal(ldpc_code_n(code), 8);
    assert_memory_equal(ldpc_code_transmitted_columns(code), transmitted, sizeof transmitted);
    ldpc_code_destroy(code);
}

static void test_malformed(void **state)
{
    (void)state;
    static const bad_text texts[] = {
        {"",                                                    1, "number of block columns"         },
        {"3\n",                                                 1, "number of block rows"            },
        {"3 2\n",                                               1, "the lifting size"                },
        {"3 2 4 1\n",                                           1, "more than three numbers"         },
        {"3 2 0\n",                                             1, "1 .. 1048576 columns"            },
        {"0 2 4\n",                                             1, "1 .. 1048576 columns"            },
        {"3 -2 4\n",                                            1, "found \"-2\""                    },
        {"3 2 four\n",                                          1, "found \"four\""                  },
        {"4294967295 4294967295 4294967295\n",                  1, "1 .. 1048576 columns"            },
        {"3 2 99999999999999999999\n",                          1, "lifting size"                    },
        {"3000 2 4\n",                                          1, "a longer file"                   },
        {"3 2 4\n",                                             2, "block row 1 of 2"                },
        {"3 2 4\n1 1 1\n\n# end\n",                             5, "block row 2 of 2"                },
        {"3 2 4\n1 1\n1 1 1\n",                                 2, "expected 3 blocks, found 2"      },
        {"3 2 4\n1 1 1 1\n1 1 1\n",                             2, "expected 3 blocks, found more"   },
        {"3 2 4\n1 1 1\n1 -2 1\n",                              3, "found \"-2\""                    },
        {"3 2 4\n1 1 1\n1 -10 1\n",                             3, "a blank after block column 2"    },
        {"3 2 4\n1 1 1\n1 2-1 1\n",                             3, "a blank after block column 2"    },
        {"3 2 4\n1 1 1\n1 -1,2 1\n",                            3, "a blank after block column 2"    },
        {"3 2 4\n1 1 1\n1 x 1\n",                               3, "-1 or a shift"                   },
        {"3 2 4\n1 1 1\n1 1.5 1\n",                             3, "found \"1.5\""                   },
        {"3 2 4\n1 1 1\n1 1, 2\n",                              3, "expected 3 blocks, found 2"      },
        {"3 2 4\n1 1 1\n1 1 1,\n",                              3, "found the end of the line"       },
        {"3 2 4\n1 1 1\n1 0,2,0 1\n",                           3, "block column 2 has shift 0 twice"},
        {"3 2 4\n1 1 1\n1 1 1\n2 1 1\n",                        4, "\"punctured COLUMNS\""           },
        {"3 2 4\n1 1 1\n1 1 1\n1 1\n",                          4, "1 or 0 for a block column"       },
        {"3 2 4\n1 1 1\n1 1 1\n1 1 2\n",                        4, "found \"2\""                     },
        {"3 2 4\n1 1 1\n1 1 1\n1 1 1 1\n",                      4, "3 block columns, found more"     },
        {"3 2 4\n1 1 1\n1 1 1\nmessage 1-3 2\n",                4, "column 2 is listed twice"        },
        {"3 2 4\n1 1 1\n1 1 1\nmessage last 3\n",               4, "after \"last\""                  },
        {"3 2 4\n1 1 1\n1 1 1\nmessage \n",                     4, "first or last, found none"       },
        {"2 1 7\n1 2\nmessage 1 3 4\n",                         3, "expected k = 7 of them"          },
        {"2 1 2\n0 0\nmessage 0 2\n# end\n",                    3, "column 2 depends on others"      },
        {"3 2 4\n1 1 1\n1 1 1\npunctuated 1\n",                 4, "\"punctured COLUMNS\""           },
        {"3 2 4\n1 1 1\n1 1 1\npunctured 12\n",                 4, "0 .. 11, found \"12\""           },
        {"3 2 4\n1 1 1\n1 1 1\npunctured 5-3\n",                4, "A <= B"                          },
        {"3 2 4\n1 1 1\n1 1 1\npunctured 3-\n",                 4, "a punctured column"              },
        {"3 2 4\n1 1 1\n1 1 1\npunctured 3,4\n",                4, "A or A-B"                        },
        {"3 2 4\n1 1 1\n1 1 1\nshortened 1-4\npunctured 9 4\n", 5, "column 4 is already"             },
    };
    check_bad_texts(ldpc_code_create_qc, texts, sizeof texts / sizeof *texts);
    check_damaged_texts(ldpc_code_create_qc, example, 20000);
}

/* Too many ones in a block are rejected before any memory is allocated. */
static void test_too_many_ones(void **state)
{
    (void)state;
    enum { Z = 1 << 20, SHIFTS = 20 };
    char text[256] = "1 1 1048576\n0";
    for (int s = 1; s < SHIFTS; s++)
        snprintf(text + strlen(text), 8, ",%d", s);
    const bad_text bad = {text, 2, "at most 16777216 ones"};
    check_bad_texts(ldpc_code_create_qc, &bad, 1);
}

static void check_round_trip(const ldpc_code *code)
{
    size_t needed, same;
    ldpc_code *again;
    assert_int_equal(ldpc_code_write_qc(code, NULL, 0, &needed), LDPC_OK);
    char *text = allocate(needed);
    assert_int_equal(ldpc_code_write_qc(code, text, needed - 1, &same), LDPC_ERR_RANGE);
    assert_int_equal(same, needed);
    assert_int_equal(ldpc_code_write_qc(code, text, needed, &same), LDPC_OK);
    assert_int_equal(strlen(text) + 1, needed);
    assert_int_equal(ldpc_code_create_qc(text, needed - 1, &again, NULL), LDPC_OK);
    assert_same_code(code, again);
    assert_int_equal(ldpc_code_lifting_size(code), ldpc_code_lifting_size(again));
    free(text);
    ldpc_code_destroy(again);
}

static void test_round_trip(void **state)
{
    (void)state;
    ldpc_code *codes[] = {read_good(example), create("wimax:2304:1/2"), create("wifi:1944:5/6"),
                          create("wimax:576:1/2,message=last,shortened=570-575"),
                          read_good("1 1 4\n2\nmessage last\n")}; /* the last has no message bits */
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        check_round_trip(codes[i]);
        ldpc_code_destroy(codes[i]);
    }
}

/* A DVB code cannot be written as a qc file: its columns are unordered, and a circulant has no one in one
 * row. */
static void test_not_writable(void **state)
{
    (void)state;
    size_t needed;
    ldpc_code *code = create("dvbs2:16200:1/2");
    assert_int_equal(ldpc_code_write_qc(code, NULL, 0, &needed), LDPC_ERR_UNSUPPORTED);
    ldpc_code_destroy(code);
    assert_int_equal(ldpc_code_write_qc(NULL, NULL, 0, &needed), LDPC_ERR_NULL);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_qc(NULL, 0, &code, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_code_create_qc("", 0, NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_code_create_qc("", 0, &code, NULL), LDPC_ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),         cmocka_unit_test(test_aff3ct),
        cmocka_unit_test(test_malformed),       cmocka_unit_test(test_too_many_ones),
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_not_writable),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
