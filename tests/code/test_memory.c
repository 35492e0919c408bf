/* SPDX-License-Identifier: BSD-3-Clause */
/* Each allocation fails once. The call must report out of memory and leak nothing. The next call must succeed.
 *
 * ldpc_allocate and ldpc_reallocate of this program replace the library's. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/failing_memory.h"
#include "ldpc/packet.h"

typedef ldpc_status attempt(const char *what, ldpc_error *err);

static ldpc_status attempt_name(const char *what, ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create(what, &code, err);
    assert_true((status == LDPC_OK) == (code != NULL));
    ldpc_code_destroy(code);
    return status;
}

static ldpc_status attempt_alist(const char *what, ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create_alist(what, strlen(what), &code, err);
    assert_true((status == LDPC_OK) == (code != NULL));
    ldpc_code_destroy(code);
    return status;
}

static ldpc_status attempt_nbalist(const char *what, ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create_nbalist(what, strlen(what), &code, err);
    assert_true((status == LDPC_OK) == (code != NULL));
    ldpc_code_destroy(code);
    return status;
}

static ldpc_status attempt_qc(const char *what, ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create_qc(what, strlen(what), &code, err);
    assert_true((status == LDPC_OK) == (code != NULL));
    ldpc_code_destroy(code);
    return status;
}

/* Operations on an existing code. */
static ldpc_code *shared;

static ldpc_status attempt_encode(const char *what, ldpc_error *err)
{
    (void)what;
    uint8_t message[324] = {0}, codeword[648];
    ldpc_status status = ldpc_encode(shared, message, 1, codeword);
    if (status)
        strcpy(err->message, "out of memory");
    return status;
}

static ldpc_status attempt_packet_format(const char *what, ldpc_error *err)
{
    (void)what;
    ldpc_packet_format *format;
    ldpc_status status = ldpc_packet_format_create(shared, 32, &format, err);
    assert_true((status == LDPC_OK) == (format != NULL));
    ldpc_packet_format_destroy(format);
    return status;
}

static ldpc_packet_format *shared_format;

static ldpc_status attempt_packet(const char *what, ldpc_error *err)
{
    (void)what;
    const uint8_t payload[50] = {0};
    uint8_t bits[1296];
    ldpc_status status = ldpc_packet_encode(shared_format, payload, sizeof payload, sizeof bits, bits);
    if (status)
        strcpy(err->message, "out of memory");
    return status;
}

static ldpc_status attempt_write_alist(const char *what, ldpc_error *err)
{
    (void)what;
    size_t needed;
    ldpc_status status = ldpc_code_write_alist(shared, NULL, 0, &needed);
    if (status)
        strcpy(err->message, "out of memory");
    return status;
}

static ldpc_status attempt_write_qc(const char *what, ldpc_error *err)
{
    (void)what;
    size_t needed;
    ldpc_status status = ldpc_code_write_qc(shared, NULL, 0, &needed);
    if (status)
        strcpy(err->message, "out of memory");
    return status;
}

static size_t count_failures(attempt *try, const char *what)
{
    for (size_t n = 0;; n++) {
        assert_true(n < 10000);
        ldpc_error err = {""};
        left = n;
        ldpc_status status = try(what, &err);
        if (status == LDPC_OK)
            return n;
        assert_int_equal(status, LDPC_ERR_MEMORY);
        assert_non_null(strstr(err.message, "out of memory"));
    }
}

static void test_creation(void **state)
{
    (void)state;
    assert_true(count_failures(attempt_name, "wifi:648:1/2") > 20);
    assert_true(count_failures(attempt_name, "dvbs2:16200:8/9") > 20);
    assert_true(count_failures(attempt_name, "dvbs2x:14976:1/5") > 20);
    assert_true(count_failures(attempt_name, "nr:bg2:2:100") > 20);
    assert_true(count_failures(attempt_name, "ccsds:c2:8160") > 20); /* linearly dependent candidates */
    assert_true(count_failures(attempt_name, "atsc3:16200:2/15") > 20);
    assert_true(count_failures(attempt_name, "wigig:672:1/2") > 20);
    assert_true(count_failures(attempt_name, "ethernet:2048") > 20);
    assert_true(count_failures(attempt_name, "bds:b1c:88") > 20);
}

static void test_files(void **state)
{
    (void)state;
    assert_true(count_failures(attempt_name, "alist:" LDPC_TESTS_DIR "/code/broulim_14_7.alist") > 20);
    assert_true(count_failures(attempt_alist, "2 1\n1 2\n1 1\n2\n1\n1\n1 2\n") > 20);
    assert_true(count_failures(attempt_nbalist, "2 1 4\n1 2\n1 1\n2\n1 3\n1 2\n1 3 2 2\n") > 20);
    assert_true(count_failures(attempt_qc, "2 1 4\n1 0,2\npunctured 1\n") > 20);
}

static void test_use(void **state)
{
    (void)state;
    left = SIZE_MAX;
    shared = create("wifi:648:1/2");
    assert_true(count_failures(attempt_encode, "") > 0);
    assert_true(count_failures(attempt_packet_format, "") > 2);
    left = SIZE_MAX;
    assert_int_equal(ldpc_packet_format_create(shared, 32, &shared_format, NULL), LDPC_OK);
    assert_true(count_failures(attempt_packet, "") > 2);
    ldpc_packet_format_destroy(shared_format);
    assert_true(count_failures(attempt_write_alist, "") > 0);
    assert_true(count_failures(attempt_write_qc, "") > 0);
    left = 0;
    assert_int_equal(ldpc_code_girth(shared, 8), 0);
    ldpc_code_destroy(shared);
    left = SIZE_MAX;
    shared = create("bds:b1c:88"); /* 264 and 528 bits */
    assert_true(count_failures(attempt_encode, "") > 0);
    ldpc_code_destroy(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_creation),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
