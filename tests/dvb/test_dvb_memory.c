/* SPDX-License-Identifier: BSD-3-Clause */
/* Each allocation fails in turn. Creating a BCH code or a deframer must then fail and leak nothing.
 *
 * This program replaces the allocator of the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "code/failing_memory.h"
#include "ldpc/dvb_fec.h"

static ldpc_status create_bch(ldpc_error *err)
{
    ldpc_bch *bch;
    ldpc_status status = ldpc_bch_create("dvbs2x:30780:1/3", &bch, err);
    assert_true((status == LDPC_OK) == (bch != NULL));
    ldpc_bch_destroy(bch);
    return status;
}

static ldpc_status create_deframer(ldpc_error *err)
{
    ldpc_bb_deframer *deframer;
    ldpc_status status = ldpc_bb_deframer_create("dvbt2:64800:2/3", 3, &deframer, err);
    assert_true((status == LDPC_OK) == (deframer != NULL));
    ldpc_bb_deframer_destroy(deframer);
    return status;
}

static void run_short(ldpc_status (*create)(ldpc_error *err), size_t least)
{
    size_t enough = 0;
    for (;; enough++) {
        ldpc_error err = {""};
        left = enough;
        ldpc_status status = create(&err);
        if (status == LDPC_OK)
            break;
        assert_int_equal(status, LDPC_ERR_MEMORY);
        assert_string_equal(err.message, "out of memory");
    }
    assert_in_range(enough, least, 10);
}

static void test_bch_without_memory(void **state)
{
    (void)state;
    run_short(create_bch, 3);
}

static void test_deframer_without_memory(void **state)
{
    (void)state;
    run_short(create_deframer, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bch_without_memory),
        cmocka_unit_test(test_deframer_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
