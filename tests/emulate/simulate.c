/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the GPU's simulation code on the CPU. The error counts of each block must equal those of lib/sim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/encoder.h"
#include "ldpc/ldpc.h"
#include "ldpc/sim.h"
#include "../cuda/host_driver.h"

enum { FRAMES = 150, BLOCKS = 3 };

static ldpc_decoder *make_decoder(const ldpc_code *code, const char *backend, ldpc_arithmetic arithmetic)
{
    ldpc_decoder_params params;
    ldpc_decoder *dec;
    ldpc_error err = {""};
    ldpc_decoder_params_init(&params);
    params.backend = backend;
    bool any =
        strcmp(backend, "cuda") == 0 && arithmetic != LDPC_ARITHMETIC_FLOAT && ldpc_code_order(code) == 2;
    params.kernel = any ? "any" : NULL;
    params.arithmetic = arithmetic;
    params.max_iterations = 1;
    params.max_batch = FRAMES;
    params.devices = strcmp(backend, "cuda") == 0 ? "all" : NULL;
    if (ldpc_decoder_create(code, &params, &dec, &err))
        fail_msg("%s", err.message);
    return dec;
}

static void blocks_of(const ldpc_code *code, const char *backend, ldpc_arithmetic arithmetic,
                      const ldpc_sim_params *sim, ldpc_sim_block blocks[BLOCKS])
{
    ldpc_decoder *dec = make_decoder(code, backend, arithmetic);
    ldpc_error err = {""};
    memset(blocks, 0xa5, BLOCKS * sizeof *blocks);
    if (ldpc_sim_blocks(dec, sim, 1, FRAMES, blocks, &err))
        fail_msg("%s", err.message);
    ldpc_decoder_destroy(dec);
}

static void check_code(const ldpc_code *code, const ldpc_sim_params *sim, ldpc_arithmetic arithmetic)
{
    ldpc_sim_block host[BLOCKS], device[BLOCKS];
    blocks_of(code, "cpu", arithmetic, sim, host);
    blocks_of(code, "cuda", arithmetic, sim, device);
    for (int b = 0; b < BLOCKS; b++) {
        assert_int_equal(device[b].frames, b < 2 ? 64 : FRAMES - 128);
        assert_int_equal(device[b].frames, host[b].frames);
        assert_int_equal(device[b].channel_errors, host[b].channel_errors);
        assert_int_equal(device[b].bit_errors, host[b].bit_errors);
        assert_int_equal(device[b].symbol_errors, host[b].symbol_errors);
        assert_true(device[b].failed == host[b].failed && device[b].undetected == host[b].undetected);
        assert_memory_equal(device[b].iterations, host[b].iterations, sizeof host[b].iterations);
        assert_true(host[b].bit_errors > 0 && host[b].channel_errors > host[b].bit_errors / 4);
    }
}

static void check(const char *name, const ldpc_sim_params *sim, ldpc_arithmetic arithmetic)
{
    ldpc_code *code;
    if (ldpc_code_create(name, &code, NULL))
        fail_msg("no code %s", name);
    check_code(code, sim, arithmetic);
    ldpc_code_destroy(code);
}

static ldpc_sim_params params_with(double ebn0, ldpc_modulation modulation, ldpc_fading fading)
{
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = ebn0;
    sim.modulation = modulation;
    sim.fading = fading;
    sim.seed = UINT64_C(0x123456789abcdef);
    sim.point = 77;
    sim.first_frame = UINT64_C(0xffffffc0); /* frame numbers exceed 2^32 */
    return sim;
}

/* Tests codes with lengths that are not multiples of 4 or 8. Some have an accumulator. Some have punctured,
 * shortened or set-aside columns. */
static void test_codes(void **state)
{
    (void)state;
    ldpc_sim_params sim = params_with(0, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    check("wifi:648:1/2", &sim, LDPC_ARITHMETIC_I16);
    check("wimax:576:2/3B", &sim, LDPC_ARITHMETIC_I8);
    check("ccsds:tc:128", &sim, LDPC_ARITHMETIC_I16);
    check("nr:bg2:2:99", &sim, LDPC_ARITHMETIC_I16);
}

static void test_channels(void **state)
{
    (void)state;
    for (int m = LDPC_MODULATION_BPSK; m <= LDPC_MODULATION_256QAM; m++) {
        ldpc_sim_params sim =
            params_with(4, (ldpc_modulation)m, m % 2 ? LDPC_FADING_RAYLEIGH : LDPC_FADING_NONE);
        check("ccsds:tc:128", &sim, LDPC_ARITHMETIC_I16);
    }
    ldpc_sim_params zero = params_with(-1, LDPC_MODULATION_QPSK, LDPC_FADING_NONE);
    zero.zero_codeword = true;
    check("ccsds:tc:128", &zero, LDPC_ARITHMETIC_I16);
}

/* If a code has no encoder, the all-zero codeword is sent. */
static void test_no_encoder(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_sim_params sim = params_with(0, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    assert_int_equal(ldpc_code_create("ccsds:tc:128", &code, NULL), LDPC_OK);
    ldpc_encoder_close(code->encoder);
    code->encoder = NULL;
    check_code(code, &sim, LDPC_ARITHMETIC_I16);
    ldpc_code_destroy(code);
}

/* Tests modulations of 3, 5, 6 and 8 bits. Some symbols cross the end of a word of random bits. */
static void test_larger_fields(void **state)
{
    (void)state;
    ldpc_sim_params sim = params_with(1, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    check("bds:b1c:88", &sim, LDPC_ARITHMETIC_I8);
    sim.modulation = LDPC_MODULATION_16QAM;
    sim.ebn0_db = 3;
    check("ccsds:nb:cnbpb:128", &sim, LDPC_ARITHMETIC_I8);
    for (uint32_t order = 8; order <= 32; order *= 4) {
        ldpc_code *code;
        assert_int_equal(ldpc_code_create_random(90, 2, 6, order, 3, &code, NULL), LDPC_OK);
        check_code(code, &sim, LDPC_ARITHMETIC_I8);
        ldpc_code_destroy(code);
    }
}

/* LLRs are in nats. Float decoders round differently, but after one iteration the differences are small. */
static void test_float(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_sim_block host[BLOCKS], device[BLOCKS];
    ldpc_sim_params sim = params_with(1, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    assert_int_equal(ldpc_code_create("ccsds:tc:128", &code, NULL), LDPC_OK);
    blocks_of(code, "cpu", LDPC_ARITHMETIC_FLOAT, &sim, host);
    blocks_of(code, "cuda", LDPC_ARITHMETIC_FLOAT, &sim, device);
    for (int b = 0; b < BLOCKS; b++) {
        assert_int_equal(device[b].channel_errors, host[b].channel_errors);
        assert_in_range(device[b].bit_errors, host[b].bit_errors * 9 / 10, host[b].bit_errors * 11 / 10);
    }
    ldpc_code_destroy(code);
}

/* The batch must suit the GPU with the least memory. The error message names the memory that could not be
 * allocated. */
static void test_memory(void **state)
{
    (void)state;
    enum { SMALL = 12 << 20 };
    ldpc_sim_params sim = params_with(0, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    struct host_memory before = host_driver.memory[1];
    host_driver.memory[1] = (struct host_memory){.free_bytes = SMALL};
    check("ccsds:tc:128", &sim, LDPC_ARITHMETIC_I16);
    assert_in_range(host_driver.memory[1].largest, SMALL / 100, SMALL / 4 / 3);
    host_driver.memory[1] = before;

    ldpc_code *code;
    ldpc_sim_block blocks[BLOCKS];
    ldpc_error err = {""};
    assert_int_equal(ldpc_code_create("ccsds:tc:128", &code, NULL), LDPC_OK);
    ldpc_decoder *dec = make_decoder(code, "cuda", LDPC_ARITHMETIC_I16);
    host_driver.memory[1].free_bytes = 100;
    assert_int_equal(ldpc_sim_blocks(dec, &sim, 0, 10, blocks, &err), LDPC_ERR_MEMORY);
    assert_non_null(strstr(err.message, "CUDA: "));
    host_driver.memory[1] = before;
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* Each driver call fails once. The simulation returns an error message and frees all resources. */
static void test_failures(void **state)
{
    (void)state;
    ldpc_code *code;
    ldpc_sim_params sim = params_with(1, LDPC_MODULATION_BPSK, LDPC_FADING_NONE);
    sim.zero_codeword = true;
    assert_int_equal(ldpc_code_create("ccsds:tc:128", &code, NULL), LDPC_OK);
    int before = host_driver.live, failures = 0, calls = 0;
    for (int at = 1; at <= calls || failures == at - 1; at++) { /* ends after each call has failed once */
        ldpc_sim_block blocks[BLOCKS];
        ldpc_error err = {""};
        ldpc_decoder *dec = make_decoder(code, "cuda", LDPC_ARITHMETIC_I16);
        host_driver.calls = 0;
        host_driver.fail_at = at;
        host_driver.result = 719;
        ldpc_status status = ldpc_sim_blocks(dec, &sim, 0, 10, blocks, &err);
        calls = host_driver.calls;
        host_driver.fail_at = 0;
        assert_true(!status || strstr(err.message, "made to fail") || strstr(err.message, "NVRTC"));
        failures += status != LDPC_OK;
        ldpc_decoder_destroy(dec);
        assert_int_equal(host_driver.live, before);
    }
    assert_in_range(failures, 30, 200);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),      cmocka_unit_test(test_channels),
        cmocka_unit_test(test_no_encoder), cmocka_unit_test(test_larger_fields),
        cmocka_unit_test(test_float),      cmocka_unit_test(test_memory),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
