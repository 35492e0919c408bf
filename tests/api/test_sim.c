/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the simulation. Counts do not depend on threads, batches or parts. Error rates agree with theory.
 * Errors are reported. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/encoder.h"
#include "decode/decoder_internal.h"
#include "sim/frames.h"

static ldpc_sim_result run_with(const ldpc_code *code, ldpc_decoder_params params, const ldpc_sim_params *sim)
{
    params.max_iterations = 8;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_sim_result result;
    ldpc_error err = {""};
    if (ldpc_sim_run(dec, sim, &result, &err))
        fail_msg("%s", err.message);
    ldpc_decoder_destroy(dec);
    return result;
}

static ldpc_sim_result run(const ldpc_code *code, uint32_t threads, size_t max_batch,
                           const ldpc_sim_params *sim)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.threads = threads;
    params.max_batch = max_batch;
    return run_with(code, params, sim);
}

static void test_counts_do_not_depend_on_threads_or_batches(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1.5;
    sim.max_frames = 3333;
    sim.max_frame_errors = 20;
    ldpc_sim_result one = run(code, 1, 1, &sim), other = run(code, 3, 0, &sim), third = run(code, 2, 7, &sim);
    assert_memory_equal(&one, &other, sizeof one);
    assert_memory_equal(&one, &third, sizeof one);
    assert_in_range(one.frame_errors, 20, 40);
    assert_in_range(one.frames, LDPC_SIM_BLOCK, 3332);
    assert_int_equal(one.frames % LDPC_SIM_BLOCK, 0);
    ldpc_decoder_params packed;
    ldpc_decoder_params_init(&packed);
    packed.packed = true;
    other = run_with(code, packed, &sim);
    assert_memory_equal(&one, &other, sizeof one);

    sim.max_frame_errors = 0;
    sim.max_frames = 100;
    ldpc_sim_result whole = run(code, 1, 0, &sim);
    sim.max_frames = 37;
    ldpc_sim_result first = run(code, 1, 0, &sim);
    sim.first_frame = 37;
    sim.max_frames = 63;
    ldpc_sim_result second = run(code, 1, 0, &sim);
    assert_int_equal(first.frames + second.frames, whole.frames);
    assert_int_equal(first.frame_errors + second.frame_errors, whole.frame_errors);
    assert_int_equal(first.bit_errors + second.bit_errors, whole.bit_errors);
    assert_int_equal(first.iterations + second.iterations, whole.iterations);
    assert_int_equal(first.channel_errors + second.channel_errors, whole.channel_errors);
    assert_int_equal(whole.bits, 100 * 288);
    ldpc_code_destroy(code);
}

/* The counts of a run are sums over its blocks, up to the block that ends the run. */
static void test_blocks_are_the_run(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1.5;
    sim.max_frames = 700;
    sim.max_frame_errors = 0;
    ldpc_sim_result expected = run(code, 1, 0, &sim), result = {0};
    assert_int_equal(expected.frames, 700);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 8;
    params.threads = 2;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_sim_block blocks[11];
    assert_int_equal(ldpc_sim_blocks(dec, &sim, 5, 700 - 5 * 64, blocks + 5, NULL), LDPC_OK);
    assert_int_equal(ldpc_sim_blocks(dec, &sim, 0, 5 * 64, blocks, NULL), LDPC_OK);
    assert_int_equal(blocks[10].frames, 60);
    assert_int_equal(ldpc_sim_count(code, &sim, blocks, 11, &result), 11);
    assert_memory_equal(&result, &expected, sizeof result);
    assert_int_equal(ldpc_sim_count(code, &sim, blocks, 1, &result), 0);

    sim.max_frame_errors = expected.frame_errors / 2;
    assert_true(sim.max_frame_errors > 0);
    result = (ldpc_sim_result){0};
    size_t counted = ldpc_sim_count(code, &sim, blocks, 11, &result);
    assert_in_range(counted, 1, 10);
    expected = run(code, 3, 0, &sim);
    assert_memory_equal(&result, &expected, sizeof result);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* The all-zero codeword must give the same counts as other codewords. */
static void test_zero_codeword(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 320;
    sim.max_frame_errors = 0;
    ldpc_sim_result random_words = run(code, 1, 0, &sim);
    sim.zero_codeword = true;
    ldpc_sim_result zero = run(code, 1, 0, &sim);
    assert_int_equal(zero.frames, 320);
    double expected = (double)random_words.channel_errors;
    assert_true(fabs((double)zero.channel_errors - expected) < 6 * sqrt(expected));
    assert_in_range(zero.frame_errors, random_words.frame_errors / 2, 2 * random_words.frame_errors);
    ldpc_code_destroy(code);
}

static void take_encoder(ldpc_code *code)
{
    ldpc_encoder_close(code->encoder);
    free(code->message);
    code->encoder = NULL;
    code->message = NULL;
    code->k = 0;
    assert_int_equal(ldpc_encoder_open(code, NULL, 0, LDPC_MAX_OPERATIONS), LDPC_OK);
    assert_false(ldpc_code_has_encoder(code));
}

/* Without an encoder, the all-zero codeword is sent. This requires a channel that treats all codewords
 * equally. */
static void test_no_encoder(void **state)
{
    (void)state;
    ldpc_code *code = make_code("ccsds:tc:128");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.zero_codeword = true;
    ldpc_sim_result asked_for = run(code, 1, 0, &sim);
    take_encoder(code);
    sim.zero_codeword = false;
    ldpc_sim_result result = run(code, 2, 0, &sim);
    assert_memory_equal(&result, &asked_for, sizeof result);
    assert_in_range(result.bit_errors, 1, result.bits / 4);

    ldpc_error err = {""};
    sim.modulation = LDPC_MODULATION_16QAM;
    assert_int_equal(ldpc_sim_frames(code, &sim, 3, 1, NULL, NULL, NULL, &err), LDPC_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "too large for an encoder"));
    sim.zero_codeword = true;
    assert_int_equal(ldpc_sim_frames(code, &sim, 3, 1, NULL, NULL, NULL, &err), LDPC_OK);
    ldpc_code_destroy(code);
}

/* Hard decisions fail with probability Q(sqrt(2 R Eb/N0)). */
static void test_channel_error_rate(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:3/4");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frame_errors = 0;
    sim.max_frames = 400;
    for (sim.ebn0_db = 0; sim.ebn0_db < 6; sim.ebn0_db += 2.5) {
        ldpc_sim_result r = run(code, 1, 0, &sim);
        double n = 400.0 * 648;
        double p = normal_cdf(-sqrt(2 * 0.75 * pow(10, sim.ebn0_db / 10)));
        assert_true(fabs((double)r.channel_errors - n * p) < 4 * sqrt(n * p));
    }
    ldpc_code_destroy(code);
}

/* With equal Eb/N0, BPSK and QPSK have equal error counts. Es/N0 is Eb/N0 times the information bits per
 * symbol. */
static void test_energies(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 128;
    sim.max_frame_errors = 0;
    ldpc_sim_result bpsk = run(code, 1, 0, &sim);
    sim.modulation = LDPC_MODULATION_QPSK;
    ldpc_sim_result qpsk = run(code, 1, 0, &sim);
    assert_memory_equal(&qpsk, &bpsk, sizeof bpsk);
    sim.esn0 = true;
    sim.ebn0_db += 10 * log10(0.5 * 2);
    qpsk = run(code, 1, 0, &sim);
    assert_memory_equal(&qpsk, &bpsk, sizeof bpsk);
    sim.modulation = LDPC_MODULATION_256QAM;
    for (int esn0 = 0; esn0 <= 1; esn0++) { /* a symbol carries 4 information bits */
        sim.esn0 = esn0;
        sim.ebn0_db = esn0 ? 9 + 10 * log10(4) : 9;
        qpsk = run(code, 1, 0, &sim);
        if (!esn0)
            bpsk = qpsk;
    }
    assert_true(fabs((double)qpsk.channel_errors - (double)bpsk.channel_errors) < 3);
    assert_in_range(qpsk.channel_errors, 1, 128 * 576 / 4);
    ldpc_code_destroy(code);
}

/* In Rayleigh fading, hard decisions fail with probability (1 - sqrt(g / (1 + g))) / 2 with g = R Eb/N0. */
static void test_fading_error_rate(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frame_errors = 0;
    sim.max_frames = 400;
    sim.fading = LDPC_FADING_RAYLEIGH;
    for (sim.ebn0_db = 0; sim.ebn0_db < 12; sim.ebn0_db += 5) {
        ldpc_sim_result r = run(code, 1, 0, &sim);
        double n = 400.0 * 648, g = 0.5 * pow(10, sim.ebn0_db / 10);
        double p = (1 - sqrt(g / (1 + g))) / 2;
        assert_true(fabs((double)r.channel_errors - n * p) < 4 * sqrt(n * p));
    }
    ldpc_code_destroy(code);
}

static void test_names(void **state)
{
    (void)state;
    ldpc_modulation modulation;
    ldpc_fading fading;
    for (int i = 0; i <= LDPC_MODULATION_256QAM; i++) {
        assert_int_equal(ldpc_modulation_parse(ldpc_modulation_name((ldpc_modulation)i), &modulation),
                         LDPC_OK);
        assert_int_equal(modulation, i);
    }
    for (int i = 0; i <= LDPC_FADING_RAYLEIGH; i++) {
        assert_int_equal(ldpc_fading_parse(ldpc_fading_name((ldpc_fading)i), &fading), LDPC_OK);
        assert_int_equal(fading, i);
    }
    ldpc_sim_channel channel;
    for (int i = 0; i <= LDPC_CHANNEL_BEC; i++) {
        assert_int_equal(ldpc_sim_channel_parse(ldpc_sim_channel_name((ldpc_sim_channel)i), &channel),
                         LDPC_OK);
        assert_int_equal(channel, i);
    }
    assert_string_equal(ldpc_sim_channel_name((ldpc_sim_channel)99), "unknown");
    assert_int_equal(ldpc_sim_channel_parse("optical", &channel), LDPC_ERR_PARAM);
    assert_string_equal(ldpc_modulation_name((ldpc_modulation)99), "unknown");
    assert_string_equal(ldpc_fading_name((ldpc_fading)99), "unknown");
    assert_int_equal(ldpc_modulation_parse("8psk", &modulation), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_fading_parse("rice", &fading), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_modulation_parse(NULL, &modulation), LDPC_ERR_NULL);
    assert_int_equal(ldpc_fading_parse("none", NULL), LDPC_ERR_NULL);
}

static void test_frames_are_those_of_the_run(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1;
    sim.max_frames = 12;
    sim.max_frame_errors = 0;
    codewords w = make_codewords(code, 1, 0, 12);
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 8;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_batch batch = batch_of(&w);
    assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
    ldpc_sim_result expected = {0}, result = run(code, 1, 0, &sim);
    for (size_t i = 0; i < w.count; i++) {
        uint64_t errors = 0;
        for (size_t j = 0; j < 288; j++)
            errors += w.message[i * 288 + j] != w.transmitted[i * 288 + j];
        expected.bit_errors += errors;
        expected.frame_errors += errors > 0;
        expected.undetected += errors > 0 && w.info[i].converged;
        expected.iterations += w.info[i].iterations;
    }
    assert_int_equal(result.bit_errors, expected.bit_errors);
    assert_int_equal(result.symbols, result.bits);
    assert_int_equal(result.symbol_errors, expected.bit_errors);
    assert_int_equal(result.frame_errors, expected.frame_errors);
    assert_int_equal(result.undetected, expected.undetected);
    assert_int_equal(result.iterations, expected.iterations);
    assert_in_range(result.frame_errors, 1, 11);
    ldpc_decoder_destroy(dec);
    free_codewords(&w);
    ldpc_code_destroy(code);
}

/* A symbol is wrong if any bit is wrong. */
static void test_symbols_of_a_larger_field(void **state)
{
    (void)state;
    enum { BITS = 44 * 6 };
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 5;
    sim.max_frame_errors = 0;
    uint8_t message[BITS], decoded[BITS];
    int8_t llr[2 * BITS];
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 1;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_sim_result expected = {0}, result;
    for (uint64_t f = 0; f < sim.max_frames; f++) {
        ldpc_batch batch = {.n_codewords = 1, .llr = llr, .message = decoded};
        assert_int_equal(ldpc_sim_frame(code, &sim, LDPC_DEFAULT_LLR_SCALE, f, message, llr, NULL), LDPC_OK);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        for (size_t i = 0; i < BITS; i += 6)
            expected.symbol_errors += memcmp(message + i, decoded + i, 6) != 0;
        for (size_t i = 0; i < BITS; i++)
            expected.bit_errors += message[i] != decoded[i];
    }
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, NULL), LDPC_OK);
    assert_int_equal(result.symbols, 5 * 44);
    assert_int_equal(result.bit_errors, expected.bit_errors);
    assert_int_equal(result.symbol_errors, expected.symbol_errors);
    assert_true(result.symbol_errors > 0 && result.symbol_errors < result.bit_errors);
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

static void test_errors(void **state)
{
    (void)state;
    ldpc_code *code = make_tiny_code();
    ldpc_decoder *dec = make_decoder(code, NULL);
    ldpc_sim_params sim;
    ldpc_sim_result result;
    ldpc_error err = {""};
    ldpc_sim_params_init(&sim);
    ldpc_sim_params_init(NULL);
    assert_int_equal(ldpc_sim_run(NULL, &sim, &result, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_sim_run(dec, NULL, &result, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_sim_run(dec, &sim, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_sim_frame(NULL, &sim, 3, 0, NULL, NULL, NULL), LDPC_ERR_NULL);
    sim.ebn0_db = NAN;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "-100 .. 100"));
    assert_int_equal(ldpc_sim_frame(code, &sim, 3, 0, NULL, NULL, NULL), LDPC_ERR_PARAM);
    sim.ebn0_db = 1;
    sim.modulation = (ldpc_modulation)9;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "modulation 9"));
    sim.modulation = LDPC_MODULATION_BPSK;
    sim.fading = (ldpc_fading)2;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "fading 2"));
    sim.fading = LDPC_FADING_RAYLEIGH;
    sim.channel = LDPC_CHANNEL_BSC;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "channel bsc: expected modulation bpsk without fading"));
    sim.fading = LDPC_FADING_NONE;
    sim.probability = 0.51;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "probability 0.51 of channel bsc: expected 0 .. 0.5"));
    sim.channel = (ldpc_sim_channel)3;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "channel 3"));
    sim.channel = LDPC_CHANNEL_AWGN;
    ldpc_demapper_params shape;
    ldpc_demapper *demapper;
    ldpc_demapper_params_init(&shape);
    shape.points = (const float[]){1, 0, -1, 0};
    shape.bits = 1;
    shape.n = 99;
    assert_int_equal(ldpc_demapper_create(&shape, &demapper, &err), LDPC_OK);
    sim.demapper = demapper;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "the demapper has codewords of 99 bits: expected 6"));
    sim.demapper = NULL;
    ldpc_demapper_destroy(demapper);
    sim.point = UINT32_C(1) << 30;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    sim.point = 0;
    int8_t shown[6];
    assert_int_equal(ldpc_sim_frames(code, &sim, 0.2f, 1, NULL, shown, NULL, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "llr_scale 0.2"));
    assert_int_equal(ldpc_sim_frame(code, &sim, NAN, 0, NULL, shown, NULL), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_sim_blocks(dec, &sim, 0, 1, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(ldpc_sim_blocks(NULL, &sim, 0, 1, &(ldpc_sim_block){0}, &err), LDPC_ERR_NULL);
    ldpc_sim_block block;
    assert_int_equal(ldpc_sim_blocks(dec, &sim, UINT64_MAX / 64 + 1, 1, &block, &err), LDPC_ERR_RANGE);
    assert_non_null(strstr(err.message, "first_block 288230376151711744"));
    assert_int_equal(ldpc_sim_blocks(dec, &sim, UINT64_MAX / 64, 1, &block, &err), LDPC_OK);
    sim.first_frame = 64;
    assert_int_equal(ldpc_sim_blocks(dec, &sim, UINT64_MAX / 64, 1, &block, &err), LDPC_ERR_RANGE);
    sim.first_frame = 0;
    assert_int_equal(ldpc_sim_frames(code, &sim, 3, SIZE_MAX, NULL, NULL, NULL, &err), LDPC_OK); /* at once */
    assert_int_equal(ldpc_sim_count(NULL, &sim, NULL, 1, &result), 0);
    sim.max_frames = 0;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_OK);
    assert_int_equal(result.frames, 0);
    /* a batch in flight */
    const int8_t llr[6] = {0};
    assert_int_equal(ldpc_submit(dec, &(ldpc_batch){.n_codewords = 1, .llr = llr}), LDPC_OK);
    sim.max_frames = 1;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "collected"));
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

/* Number of frames that were reported for block 0. */
static uint32_t reported;

static ldpc_status report(void *state, const struct ldpc_frames *frames, ldpc_error *err)
{
    (void)state;
    (void)err;
    memset(frames->blocks, 0,
           (size_t)((frames->count + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK) * sizeof *frames->blocks);
    for (uint64_t i = 0; i < frames->count / LDPC_SIM_BLOCK; i++)
        frames->blocks[i].frames = LDPC_SIM_BLOCK;
    frames->blocks[0].frames = reported;
    return LDPC_OK;
}

/* If the device reports a wrong number of frames, the run ends with an error message. */
static void test_device_that_does_not_count(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_backend backend = *dec->backend;
    const ldpc_backend *own = dec->backend;
    backend.simulate = report;
    dec->backend = &backend;
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 1000 * LDPC_SIM_BLOCK;
    static const uint32_t wrong[] = {0, 1, LDPC_SIM_BLOCK + 1, UINT32_MAX, LDPC_SIM_BLOCK};
    for (size_t i = 0; i < 5; i++) {
        ldpc_sim_result result;
        ldpc_error err = {""};
        reported = wrong[i];
        bool right = reported == LDPC_SIM_BLOCK;
        assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), right ? LDPC_OK : LDPC_ERR_DEVICE);
        assert_string_equal(err.message, right ? "" : "the device counted a wrong number of frames");
    }
    dec->backend = own;
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_counts_do_not_depend_on_threads_or_batches),
        cmocka_unit_test(test_blocks_are_the_run),
        cmocka_unit_test(test_zero_codeword),
        cmocka_unit_test(test_no_encoder),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_fading_error_rate),
        cmocka_unit_test(test_channel_error_rate),
        cmocka_unit_test(test_frames_are_those_of_the_run),
        cmocka_unit_test(test_symbols_of_a_larger_field),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_device_that_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
