/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulation: random numbers against published vectors, noise against its distribution, counts that do
 * not depend on threads or batches, and error rates of the channel against theory. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/encoder.h"
#include "cpu/cpu_kernel.h"
#include "sim/channel.h"
#include "sim/frame_recipe.h"

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
    ldpc_channel_best()->noise(7, 3, 0, N, samples);
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

/* Any part of a frame's noise is the same whatever else is asked for; frames, seeds and points differ. */
static void test_noise_is_counter_based(void **state)
{
    (void)state;
    const ldpc_channel_row *row = ldpc_channel_best();
    float long_one[103], short_one[50], other[50];
    row->noise(1, 5, 0, 103, long_one);
    row->noise(1, 5, 0, 50, short_one);
    assert_memory_equal(long_one, short_one, sizeof short_one);
    row->noise(1, 6, 0, 50, other);
    assert_memory_not_equal(other, short_one, sizeof other);
    row->noise(2, 5, 0, 50, other);
    assert_memory_not_equal(other, short_one, sizeof other);
    row->noise(1, 5, 1, 50, other);
    assert_memory_not_equal(other, short_one, sizeof other);
}

/* The first noise samples of seed 1, frame 0, to the last bit: every machine must make these. */
static void test_noise_is_the_same_everywhere(void **state)
{
    (void)state;
    float samples[8];
    ldpc_channel_best()->noise(1, 0, 0, 8, samples);
    static const float expected[8] = {0x1.8587cap-2, -0x1.2f637cp-2, -0x1.fe6e1ap-3, -0x1.00fb7cp+0,
                                      0x1.40ff5p-1,  -0x1.449986p-1, -0x1.5b4668p-1, -0x1.03594p+0};
    assert_memory_equal(samples, expected, sizeof expected);
}

/* The recipe itself, one sample after the other. */
static float noise_by_recipe(uint64_t frame, size_t i)
{
    philox_block b = philox(9, frame, RECIPE_NOISE + RECIPE_STREAMS * 77, (uint32_t)(i / 4));
    float pair[2];
    two_samples(b.word[i % 4 / 2 * 2], b.word[i % 4 / 2 * 2 + 1], &pair[0], &pair[1]);
    return pair[i % 2];
}

static bool runs_here(const ldpc_channel_row *row)
{
    return ldpc_cpu_runs(row->row.features);
}

enum { LENGTH = 1999 }; /* whole chunks, whole blocks of four and some more */

/* Every row gives the same bytes as the first, which is plain C, and that gives what the recipe says. */
static void test_rows_follow_the_recipe(void **state)
{
    (void)state;
    const ldpc_channel_row *row, *plain = ldpc_channel_row_at(0);
    float expected[LENGTH], samples[LENGTH];
    uint64_t lanes[2][192];
    uint8_t bits[2][190 * 61];
    plain->messages(9, UINT64_C(0x1fffffff0), 77, 190, lanes[0]);
    plain->unpack(lanes[0], 190, 61, bits[0]);
    for (size_t w = 0; w < 61; w++)
        for (size_t i = 0; i < 190; i++) {
            philox_block b = philox(9, UINT64_C(0x1fffffff0) + w, RECIPE_MESSAGE + RECIPE_STREAMS * 77,
                                    (uint32_t)(i / 128));
            assert_int_equal(bits[0][w * 190 + i], b.word[i % 128 / 32] >> i % 32 & 1);
        }
    for (uint64_t frame = 0; frame < 40; frame++) {
        for (size_t i = 0; i < LENGTH; i++)
            expected[i] = noise_by_recipe(frame << 30, i);
        for (size_t r = 0; (row = ldpc_channel_row_at(r)); r++) {
            if (!runs_here(row))
                continue;
            row->noise(9, frame << 30, 77, LENGTH, samples);
            assert_memory_equal(samples, expected, sizeof samples);
            row->messages(9, UINT64_C(0x1fffffff0), 77, 190, lanes[1]);
            row->unpack(lanes[1], 190, 61, bits[1]);
            assert_memory_equal(bits[1], bits[0], sizeof bits[0]);
        }
    }
}

/* Square roots of the noise are IEEE's: -2 ln u takes every mantissa that 2^24 neighbours of u give. */
static void test_every_row_has_the_same_noise(void **state)
{
    (void)state;
    enum { N = 1 << 16 };
    float *expected = malloc(N * sizeof *expected), *samples = malloc(N * sizeof *samples);
    const ldpc_channel_row *row;
    for (uint64_t frame = 0; frame < 64; frame++) {
        ldpc_channel_row_at(0)->noise(1, frame, 0, N, expected);
        for (size_t r = 1; (row = ldpc_channel_row_at(r)); r++)
            if (runs_here(row)) {
                row->noise(1, frame, 0, N, samples);
                assert_memory_equal(samples, expected, N * sizeof *samples);
            }
    }
    free(expected);
    free(samples);
}

static ldpc_channel channel_with(int axis_bits, int axes, bool fading, float sigma)
{
    return (ldpc_channel){.seed = 3,
                          .point = 5,
                          .axis_bits = axis_bits,
                          .axes = axes,
                          .fading = fading,
                          .sigma = sigma,
                          .gain = 2 / (sigma * sigma),
                          .llr_scale = 3};
}

/* LLRs from the definition, in double precision: the nearest level with the bit 1 and 0. */
static double llr_by_definition(const ldpc_channel *ch, double y, double fading, int bit)
{
    double nearest[2] = {1e30, 1e30};
    for (recipe_word l = 0; l < 1u << ch->axis_bits; l++) {
        double d = y - fading * pam_level(l, ch->axis_bits);
        double *least = &nearest[l >> (ch->axis_bits - 1 - bit) & 1];
        *least = fmin(*least, d * d);
    }
    return (nearest[1] - nearest[0]) / (2 * ch->sigma * ch->sigma);
}

/* Every modulation, with and without fading: LLRs follow the definition, are rounded as they should, and are
 * the same bytes in every row; errors are those of the signs. */
static void check_channel(const ldpc_channel *ch)
{
    uint8_t bits[LENGTH];
    float nat[LENGTH], noise[LENGTH + 8], other[LENGTH];
    int8_t llr[LENGTH], steps[LENGTH];
    const uint64_t frame = 12;
    const ldpc_channel_row *plain = ldpc_channel_row_at(0), *row;
    for (size_t i = 0; i < LENGTH; i++)
        bits[i] = (uint8_t)(i * i % 7 & 1);
    uint64_t errors = plain->transmit(ch, frame, bits, LENGTH, NULL, nat), signs = 0;
    plain->noise(ch->seed, frame, ch->point, LENGTH + 8, noise);
    size_t axes = (size_t)ch->axes, per_axis = (size_t)ch->axis_bits;
    for (size_t i = 0; i < LENGTH; i++) {
        size_t symbol = i / (axes * per_axis), axis = symbol * axes + i % axes, bit = i / axes % per_axis;
        recipe_word label = 0;
        for (size_t b = 0; b < per_axis; b++) {
            size_t j = (symbol * per_axis + b) * axes + i % axes;
            label = label << 1 | (j < LENGTH ? bits[j] : 0);
        }
        philox_block b =
            philox(ch->seed, frame, RECIPE_FADING + RECIPE_STREAMS * ch->point, (uint32_t)(symbol / 4));
        double fading = ch->fading ? fading_of(b.word[symbol % 4]) : 1;
        double y = fading * pam_level(label, ch->axis_bits) + (double)ch->sigma * noise[axis];
        double expected = llr_by_definition(ch, y, fading, (int)bit);
        assert_true(fabs(nat[i] - expected) < 1e-4 * (1 + fabs(expected)));
        signs += (nat[i] < 0) != bits[i];
    }
    assert_int_equal(errors, signs);
    assert_int_equal(plain->transmit(ch, frame, bits, LENGTH, llr, NULL), errors);
    for (size_t i = 0; i < LENGTH; i++)
        assert_int_equal(llr[i], (int)fmin(127, fmax(-127, nearbyint(nat[i] * ch->llr_scale))));
    for (size_t r = 1; (row = ldpc_channel_row_at(r)); r++) {
        if (!runs_here(row))
            continue;
        assert_int_equal(row->transmit(ch, frame, bits, LENGTH, steps, NULL), errors);
        assert_memory_equal(steps, llr, sizeof llr);
        assert_int_equal(row->transmit(ch, frame, bits, LENGTH, NULL, other), errors);
        assert_memory_equal(other, nat, sizeof nat);
    }
}

static void test_every_modulation(void **state)
{
    (void)state;
    for (int axis_bits = 1; axis_bits <= LDPC_MAX_AXIS_BITS; axis_bits++)
        for (int axes = 1; axes <= 2; axes++)
            for (int fading = 0; fading <= 1; fading++) {
                ldpc_channel ch = channel_with(axis_bits, axes, fading, 0.3f + 0.2f * (float)axis_bits);
                check_channel(&ch);
            }
}

/* Neighbouring levels differ in one bit; the mean energy is (4^bits - 1) / 3; a first bit 0 is positive. */
static void test_levels_are_gray(void **state)
{
    (void)state;
    for (int count = 1; count <= LDPC_MAX_AXIS_BITS; count++) {
        unsigned label_at[32] = {0};
        int energy = 0, levels = 1 << count;
        for (unsigned l = 0; l < (unsigned)levels; l++) {
            int level = pam_level(l, count);
            assert_int_equal(level & 1, 1);
            assert_in_range(level + levels - 1, 0, 2 * levels - 2);
            assert_int_equal(level > 0, !(l >> (count - 1)));
            label_at[(level + levels - 1) / 2] = l;
            energy += level * level;
        }
        for (int i = 0; i + 1 < levels; i++) {
            unsigned changed = label_at[i] ^ label_at[i + 1];
            assert_true(changed && !(changed & (changed - 1)));
        }
        assert_int_equal(energy * 3, levels * (levels * levels - 1));
    }
}

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

/* Blocks made in any pieces, counted in order, are the run; those after the last are left out. */
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

/* On the all-zero word the decoder fails as often as on others: the same noise, the same counts. */
static void test_zero_word(void **state)
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

/* As if the code were too large for an encoder. */
static void take_encoder(ldpc_code *code)
{
    ldpc_encoder_close(code->encoder);
    free(code->message);
    code->encoder = NULL;
    code->message = NULL;
    code->k = 0;
    assert_int_equal(ldpc_encoder_open(code, 0), LDPC_OK);
    assert_false(ldpc_code_has_encoder(code));
}

/* Without an encoder the all-zero word is all there is, where that is fair. */
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

/* QPSK is two BPSK axes: with Eb/N0 the very same frames; Es/N0 counts both axes, and code and modulation. */
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
    for (int esn0 = 0; esn0 <= 1; esn0++) { /* 4 information bits per symbol */
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

/* Rayleigh fading: hard decisions fail with probability (1 - sqrt(g / (1 + g))) / 2, g = R Eb/N0. */
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
    assert_string_equal(ldpc_modulation_name((ldpc_modulation)99), "unknown");
    assert_string_equal(ldpc_fading_name((ldpc_fading)99), "unknown");
    assert_int_equal(ldpc_modulation_parse("8psk", &modulation), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_fading_parse("rice", &fading), LDPC_ERR_PARAM);
    assert_int_equal(ldpc_modulation_parse(NULL, &modulation), LDPC_ERR_NULL);
    assert_int_equal(ldpc_fading_parse("none", NULL), LDPC_ERR_NULL);
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
        ldpc_batch batch = {.n_codewords = 1, .llr = llr, .message = decoded};
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
    sim.modulation = (ldpc_modulation)9;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "modulation 9"));
    sim.modulation = LDPC_MODULATION_BPSK;
    sim.fading = (ldpc_fading)2;
    assert_int_equal(ldpc_sim_run(dec, &sim, &result, &err), LDPC_ERR_PARAM);
    assert_non_null(strstr(err.message, "fading 2"));
    sim.fading = LDPC_FADING_NONE;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox),
        cmocka_unit_test(test_noise_is_gaussian),
        cmocka_unit_test(test_noise_is_counter_based),
        cmocka_unit_test(test_noise_is_the_same_everywhere),
        cmocka_unit_test(test_rows_follow_the_recipe),
        cmocka_unit_test(test_every_row_has_the_same_noise),
        cmocka_unit_test(test_levels_are_gray),
        cmocka_unit_test(test_every_modulation),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_counts_do_not_depend_on_threads_or_batches),
        cmocka_unit_test(test_blocks_are_the_run),
        cmocka_unit_test(test_zero_word),
        cmocka_unit_test(test_no_encoder),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_fading_error_rate),
        cmocka_unit_test(test_channel_error_rate),
        cmocka_unit_test(test_frames_are_those_of_the_run),
        cmocka_unit_test(test_symbols_of_a_larger_field),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
