/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulation: random numbers against published vectors, noise against its distribution, counts that do
 * not depend on threads or batches, and a frame error rate against theory. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/noise.h"
#include "sim/philox.h"

/* Vectors of the authors' Random123 distribution, philox4x32 with 10 rounds. */
static void test_philox(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], result[4];
    } vectors[] = {
        {{0, 0, 0, 0},                                     {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}                                                          },
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}                                                          },
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const uint32_t *c = vectors[i].counter, *k = vectors[i].key;
        philox_block b = philox(k[0] | (uint64_t)k[1] << 32, c[2] | (uint64_t)c[3] << 32, c[1], c[0]);
        assert_memory_equal(b.word, vectors[i].result, sizeof b.word);
    }
}

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

/* Kolmogorov-Smirnov on the body, moments, and the tails beyond 4 sigma. */
static void test_noise_is_gaussian(void **state)
{
    (void)state;
    enum { N = 1 << 21, BINS = 4000 };
    float *samples = malloc(N * sizeof *samples);
    size_t *bins = calloc(BINS, sizeof *bins);
    ldpc_noise(7, 3, N, samples);
    double sum[5] = {0}, product = 0;
    size_t tail = 0;
    for (size_t i = 0; i < N; i++) {
        double x = samples[i];
        for (int power = 1; power <= 4; power++)
            sum[power] += pow(x, power);
        product += i ? x * samples[i - 1] : 0;
        tail += fabs(x) > 4;
        double bin = (x + 5) * BINS / 10;
        bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : (size_t)bin]++;
    }
    double cumulated = 0, distance = 0;
    for (int i = 0; i + 1 < BINS; i++) {
        cumulated += (double)bins[i];
        distance = fmax(distance, fabs(cumulated / N - normal_cdf(-5 + 10.0 * (i + 1) / BINS)));
    }
    const double sigma = 1 / sqrt(N);
    assert_true(fabs(sum[1] / N) < 4 * sigma);
    assert_true(fabs(sum[2] / N - 1) < 4 * sqrt(2) * sigma);
    assert_true(fabs(sum[3] / N) < 4 * sqrt(15) * sigma);
    assert_true(fabs(sum[4] / N - 3) < 4 * sqrt(96) * sigma);
    assert_true(fabs(product / N) < 4 * sigma);
    assert_true(distance < 1.95 * sigma); /* one in a thousand */
    assert_in_range(tail, 90, 180);       /* 132.8 expected */
    free(samples);
    free(bins);
}

/* Any part of a frame's noise is the same whatever else is asked for; frames and seeds differ. */
static void test_noise_is_counter_based(void **state)
{
    (void)state;
    float long_one[103], short_one[50], other[50];
    ldpc_noise(1, 5, 103, long_one);
    ldpc_noise(1, 5, 50, short_one);
    assert_memory_equal(long_one, short_one, sizeof short_one);
    ldpc_noise(1, 6, 50, other);
    assert_memory_not_equal(other, short_one, sizeof other);
    ldpc_noise(2, 5, 50, other);
    assert_memory_not_equal(other, short_one, sizeof other);
    uint8_t bits[300], again[300];
    ldpc_random_bits(1, 5, 300, bits);
    ldpc_random_bits(1, 5, 131, again);
    assert_memory_equal(bits, again, 131);
    size_t ones = 0;
    for (int i = 0; i < 300; i++) {
        assert_true(bits[i] <= 1);
        ones += bits[i];
    }
    assert_in_range(ones, 100, 200);
}

/* The first noise samples of seed 1, frame 0, to the last bit: every machine must make these. */
static void test_noise_is_the_same_everywhere(void **state)
{
    (void)state;
    float samples[8];
    ldpc_noise(1, 0, 8, samples);
    static const float expected[8] = {0x1.8587cap-2, -0x1.2f637cp-2, -0x1.fe6e1ap-3, -0x1.00fb7cp+0,
                                      0x1.40ff5p-1,  -0x1.449986p-1, -0x1.5b4668p-1, -0x1.03594p+0};
    assert_memory_equal(samples, expected, sizeof expected);
}

static ldpc_sim_result run(const ldpc_code *code, uint32_t threads, size_t max_batch,
                           const ldpc_sim_params *sim)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.threads = threads;
    params.max_batch = max_batch;
    params.max_iterations = 8;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_sim_result result;
    ldpc_error err = {""};
    if (ldpc_sim_run(dec, sim, &result, &err))
        fail_msg("%s", err.message);
    ldpc_decoder_destroy(dec);
    result.decode_seconds = 0;
    return result;
}

static void test_counts_do_not_depend_on_threads_or_batches(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1.5;
    sim.max_frames = 333;
    sim.max_frame_errors = 20;
    ldpc_sim_result one = run(code, 1, 1, &sim), other = run(code, 3, 0, &sim), third = run(code, 2, 7, &sim);
    assert_memory_equal(&one, &other, sizeof one);
    assert_memory_equal(&one, &third, sizeof one);
    assert_int_equal(one.frame_errors, 20);
    assert_in_range(one.frames, 21, 332);

    /* two halves make the whole */
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

/* Frames shown are the frames simulated: decoding them by hand gives the same counts. */
static void test_frames_are_those_of_the_run(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wimax:576:1/2");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1;
    sim.max_frames = 12;
    sim.max_frame_errors = 0;
    words w = make_words(code, 1, 0, 12);
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
            errors += w.message[i * 288 + j] != w.sent[i * 288 + j];
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
    free_words(&w);
    ldpc_code_destroy(code);
}

/* A symbol is wrong when any of its bits is. */
static void test_symbols_of_a_larger_field(void **state)
{
    (void)state;
    enum { BITS = 44 * 6 };
    ldpc_code *code = make_code("bds:b1c:88");
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.max_frames = 5;
    sim.max_frame_errors = 0;
    uint8_t sent[BITS], decoded[BITS];
    int8_t llr[2 * BITS];
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = 1;
    ldpc_decoder *dec = make_decoder(code, &params);
    ldpc_sim_result expected = {0}, result;
    for (uint64_t f = 0; f < sim.max_frames; f++) {
        ldpc_batch batch = {.n_words = 1, .llr = llr, .message = decoded};
        assert_int_equal(ldpc_sim_frame(code, &sim, LDPC_DEFAULT_LLR_SCALE, f, sent, llr, NULL), LDPC_OK);
        assert_int_equal(ldpc_decode(dec, &batch), LDPC_OK);
        for (size_t i = 0; i < BITS; i += 6)
            expected.symbol_errors += memcmp(sent + i, decoded + i, 6) != 0;
        for (size_t i = 0; i < BITS; i++)
            expected.bit_errors += sent[i] != decoded[i];
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
    sim.max_frames = 0;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_OK);
    assert_int_equal(result.frames, 0);
    /* a batch in flight */
    const int8_t llr[6] = {0};
    assert_int_equal(ldpc_submit(dec, &(ldpc_batch){.n_words = 1, .llr = llr}), LDPC_OK);
    sim.max_frames = 1;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "collected"));
    ldpc_decoder_destroy(dec);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox),
        cmocka_unit_test(test_noise_is_gaussian),
        cmocka_unit_test(test_noise_is_counter_based),
        cmocka_unit_test(test_noise_is_the_same_everywhere),
        cmocka_unit_test(test_counts_do_not_depend_on_threads_or_batches),
        cmocka_unit_test(test_channel_error_rate),
        cmocka_unit_test(test_frames_are_those_of_the_run),
        cmocka_unit_test(test_symbols_of_a_larger_field),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
