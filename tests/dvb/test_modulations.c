/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dvb/modcod.h"
#include "ldpc/ldpc.h"
#include "sim/channel_params.h"

static uint32_t bits_of_simulation(ldpc_modulation modulation)
{
    ldpc_sim_params params;
    ldpc_code *code;
    ldpc_sim_params_init(&params);
    params.modulation = modulation;
    assert_int_equal(ldpc_code_create("dvbt2:16200:2/3", &code, NULL), LDPC_OK);
    const ldpc_channel channel = ldpc_channel_of(code, &params, 8);
    ldpc_code_destroy(code);
    return (uint32_t)(channel.axis_bits * channel.axes);
}

static void test_names(void **state)
{
    (void)state;
    static const ldpc_modulation shared[] = {LDPC_MODULATION_QPSK, LDPC_MODULATION_16QAM,
                                             LDPC_MODULATION_64QAM, LDPC_MODULATION_256QAM};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const char *name = ldpc_modulation_name(shared[i]);
        ldpc_modcod modcod;
        ldpc_modulation parsed;
        assert_int_equal(ldpc_modcod_make("dvbt2:16200:2/3", name, &modcod, NULL), LDPC_OK);
        assert_string_equal(modcod.constellation->name, name);
        assert_int_equal(modcod.constellation->bits, bits_of_simulation(shared[i]));
        assert_int_equal(ldpc_modulation_parse(name, &parsed), LDPC_OK);
        assert_int_equal(parsed, shared[i]);
    }
}

static void test_others(void **state)
{
    (void)state;
    ldpc_modcod modcod;
    ldpc_modulation parsed;
    assert_int_equal(ldpc_modcod_make("dvbs2:16200:2/3", "bpsk", &modcod, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_modulation_parse("8psk", &parsed), LDPC_ERR_PARAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
