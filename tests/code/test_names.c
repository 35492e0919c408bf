/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests names of codes: list, numbers in names, error messages. */
#include <string.h>

#include "code/code_helpers.h"

static void check_refused(const char *name, ldpc_status status, const char *part)
{
    ldpc_error err = {""};
    ldpc_code *code = (ldpc_code *)&err;
    assert_int_equal(ldpc_code_create(name, &code, &err), status);
    assert_null(code);
    if (!strstr(err.message, part))
        fail_msg("%s: \"%s\" does not contain \"%s\"", name, err.message, part);
}

static void check_unknown(const char *name, const char *part)
{
    check_refused(name, LDPC_ERR_NAME, part);
}

static void test_suggestions(void **state)
{
    (void)state;
    check_unknown("wimax:2304:1/3", "Did you mean wimax:2304:1/2");
    check_unknown("wimax:2304:2/3", "Did you mean wimax:2304:2/3A, wimax:2304:2/3B");
    check_unknown("wimax:2305:1/2", "Did you mean wimax:2304:1/2");
    check_unknown("wimx:2304:1/2", "Did you mean wimax:2304:1/2");
    check_unknown("dvbt2", "Did you mean dvbt2:64800:1/2");
    check_unknown("DVB-T2:64800:2/3", "Did you mean dvbt2:64800:2/3");
    check_unknown("dvbt2:6480:1/2", "Did you mean dvbt2:64800:1/2");
    check_unknown("dvbs2:64800:4/3", "dvbs2:64800:4/5");
    check_unknown("DVBS2:64800:9/10", "Did you mean dvbs2:64800:9/10");
    check_unknown("dvbs2x:16200:1/5", "dvbs2x:16200:4/15");
    check_unknown("dvbs2:64800:104/180", "Did you mean dvbs2x:64800:104/180");
    check_unknown("ccsds:tc:255", "Did you mean ccsds:tc:256");
    check_unknown("ethernet:2049", "Did you mean ethernet:2048");
    check_unknown("wifi:648:1/7", "Did you mean wifi:648:1/2, wifi:648:2/3 or wifi:648:3/4?");
}

/* Without a similar name, nothing is suggested. */
static void test_no_suggestion(void **state)
{
    (void)state;
    static const char *const names[] = {"", "5g", "802.11n", "bg1", "turbo", "%%%%%%%%%%%%%%"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ldpc_error err;
        ldpc_code *code;
        assert_int_equal(ldpc_code_create(names[i], &code, &err), LDPC_ERR_NAME);
        assert_null(strstr(err.message, "Did you mean"));
        assert_non_null(strstr(err.message, "nbalist."));
    }
}

static void test_reasons(void **state)
{
    (void)state;
    check_unknown("", "expected a family and a colon, family one of wimax, wifi,");
    check_unknown("wimax", "nbalist. Did you mean wimax:576:1/2");
    check_unknown("own.alist", "expected the format before the file name, \"alist:own.alist\"");
    check_unknown("folder/own.qc", "\"qc:folder/own.qc\"");
    check_unknown("own.nbalist", "\"nbalist:own.nbalist\"");
    check_unknown("wimax:", "wimax:N:RATE");
    check_unknown("wimax:2304", "wimax:N:RATE");
    check_unknown("wimax:02304:1/2", "wimax:N:RATE");
    check_unknown("wimax:-2304:1/2", "wimax:N:RATE");
    check_unknown("wimax:99999999999999999999:1/2", "wimax:N:RATE");
    check_unknown("wimax:552:1/2", "z = 24 .. 1024");
    check_unknown("wimax:24600:1/2", "z = 24 .. 1024");
    check_unknown("wimax:2300:1/2", "z = 24 .. 1024");
    check_unknown("nr:bg3:384:16896", "nr:bg1:Z:E");
    check_unknown("nr:bg1:384", "nr:bg1:Z:E");
    check_unknown("nr:bg1:384:16896:", "nr:bg1:Z:E");
    check_unknown("nr:bg1:384:16896:8448:1", "nr:bg1:Z:E");
}

/* For numbers that are out of range, no name is suggested. */
static void check_number(const char *name, const char *message)
{
    check_refused(name, LDPC_ERR_RANGE, message);
}

static void test_numbers_of_5g_names(void **state)
{
    (void)state;
    check_number("nr:bg1:1:66", "nr:bg1:1:66: lifting size 1 (expected a 2^j <= 384 with a = 2, 3, 5,");
    check_number("nr:bg1:17:1122", "nr:bg1:17:1122: lifting size 17 (expected");
    check_number("nr:bg1:416:27456", "nr:bg1:416:27456: lifting size 416 (expected");
    check_number("nr:bg1:8:600000", "600000 transmitted bits (expected 176 .. 528; libldpc.nr of Python can");
    check_number("nr:bg1:384:8447", "8447 transmitted bits (expected 8448 .. 25344)");
    check_number("nr:bg2:64:1024:641", "641 information bits (expected 129 .. 640)");
    check_number("nr:bg2:64:1024:128", "128 information bits (expected 129 .. 640)");
}

/* A long or odd name neither overflows the message nor cuts off its end. */
static void test_long_names(void **state)
{
    (void)state;
    char name[3000];
    memset(name, '%', sizeof name);
    name[sizeof name - 1] = '\0';
    check_unknown(name, "nbalist.");
    memcpy(name, "wimax:2304:", 11);
    check_unknown(name, "wimax:N:RATE");
    memcpy(name, "nr:bg1:384:16896:", 17);
    check_unknown(name, "information bits");
    name[25] = '\0'; /* the first half is correct */
    check_unknown(name, "Did you mean nr:bg1:384:16896");
    check_unknown(name, "?");
}

static void test_names_are_distinct(void **state)
{
    (void)state;
    const char *a, *b;
    for (size_t i = 0; (a = ldpc_code_list(i)); i++)
        for (size_t j = 0; j < i && (b = ldpc_code_list(j)); j++)
            assert_string_not_equal(a, b);
    assert_null(ldpc_code_list(SIZE_MAX));
}

/* Tests valid names that are not in the list. WiMAX may have z above 96. 5G may have other numbers of
 * transmitted bits. */
static void test_unlisted_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t z, n, k, punctured, shortened;
    } known[] = {
        {"wimax:24576:1/2",      1024, 24576, 12288, 0,    0  },
        {"wimax:600:2/3A",       25,   600,   400,   0,    0  },
        {"nr:bg1:384:8448",      384,  8448,  8448,  1536, 0  },
        {"nr:bg1:10:501",        10,   501,   220,   29,   0  },
        {"nr:bg2:384:7000:3000", 384,  7000,  3000,  992,  840},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ldpc_code *code = create(known[i].name);
        assert_string_equal(ldpc_code_name(code), known[i].name);
        assert_int_equal(ldpc_code_lifting_size(code), known[i].z);
        assert_int_equal(ldpc_code_n(code), known[i].n);
        assert_int_equal(ldpc_code_k(code), known[i].k);
        assert_int_equal(ldpc_code_punctured(code), known[i].punctured);
        assert_int_equal(ldpc_code_shortened(code), known[i].shortened);
        assert_int_equal(ldpc_code_columns(code), known[i].n + known[i].punctured + known[i].shortened);
        ldpc_code_destroy(code);
    }
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    ldpc_code *code = (ldpc_code *)&code;
    assert_int_equal(ldpc_code_create(NULL, &code, NULL), LDPC_ERR_NULL);
    assert_null(code);
    assert_int_equal(ldpc_code_create("wifi:648:1/2", NULL, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_code_create("wifi:648:1/9", &code, NULL), LDPC_ERR_NAME);
    ldpc_code_destroy(NULL);
}

static void test_status_names(void **state)
{
    (void)state;
    assert_string_equal(ldpc_status_string(LDPC_OK), "LDPC_OK");
    assert_string_equal(ldpc_status_string(LDPC_ERR_NAME), "LDPC_ERR_NAME");
    assert_string_equal(ldpc_status_string((ldpc_status)12345), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suggestions),    cmocka_unit_test(test_no_suggestion),
        cmocka_unit_test(test_reasons),        cmocka_unit_test(test_numbers_of_5g_names),
        cmocka_unit_test(test_long_names),     cmocka_unit_test(test_names_are_distinct),
        cmocka_unit_test(test_unlisted_names), cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_status_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
