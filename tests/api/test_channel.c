/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the channel of the simulation: random numbers, noise, and the LLRs of every modulation. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_kernel.h"
#include "sim/channel.h"
#include "sim/channel_math.h"

/* Test vectors of philox4x32-10 from the Random123 package. */
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

/* Checks the noise: Kolmogorov-Smirnov test, moments, and number of samples beyond 4 sigma. */
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

/* A noise sample does not depend on the number of samples that are computed. The noise differs between
 * frames, seeds and points. */
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

static void test_noise_is_the_same_everywhere(void **state)
{
    (void)state;
    float samples[8];
    ldpc_channel_best()->noise(1, 0, 0, 8, samples);
    static const float expected[8] = {0x1.8587cap-2, -0x1.2f637cp-2, -0x1.fe6e1ap-3, -0x1.00fb7cp+0,
                                      0x1.40ff5p-1,  -0x1.449986p-1, -0x1.5b4668p-1, -0x1.03594p+0};
    assert_memory_equal(samples, expected, sizeof expected);
}

/* Computes noise with channel_math.h, sample by sample. */
static float noise_by_definition(uint64_t frame, size_t i)
{
    philox_block b = philox(9, frame, SIM_NOISE + SIM_STREAMS * 77, (uint32_t)(i / 4));
    float pair[2];
    two_samples(b.word[i % 4 / 2 * 2], b.word[i % 4 / 2 * 2 + 1], &pair[0], &pair[1]);
    return pair[i % 2];
}

static bool runs_here(const ldpc_channel_row *row)
{
    return ldpc_cpu_runs(row->row.features);
}

enum { LENGTH = 1999 }; /* not a multiple of any vector length */

/* The first kernel row (plain C) must compute the results of channel_math.h. All other rows must compute the
 * same bytes. */
static void test_rows_follow_channel_math(void **state)
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
            philox_block b =
                philox(9, UINT64_C(0x1fffffff0) + w, SIM_MESSAGE + SIM_STREAMS * 77, (uint32_t)(i / 128));
            assert_int_equal(bits[0][w * 190 + i], b.word[i % 128 / 32] >> i % 32 & 1);
        }
    for (uint64_t frame = 0; frame < 40; frame++) {
        for (size_t i = 0; i < LENGTH; i++)
            expected[i] = noise_by_definition(frame << 30, i);
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

/* Square roots must be rounded as in IEEE 754. Noise samples test square roots of many values. */
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

/* Returns the LLR in double precision. It needs the distance to the nearest level with bit 1, and the
 * distance to the nearest level with bit 0. */
static double llr_by_definition(const ldpc_channel *ch, double y, double fading, int bit)
{
    double nearest[2] = {1e30, 1e30};
    for (sim_u32 l = 0; l < 1u << ch->axis_bits; l++) {
        double d = y - fading * pam_level(l, ch->axis_bits);
        double *least = &nearest[l >> (ch->axis_bits - 1 - bit) & 1];
        *least = fmin(*least, d * d);
    }
    return (nearest[1] - nearest[0]) / (2 * ch->sigma * ch->sigma);
}

/* LLRs in steps must be rounded correctly, and all kernel rows must compute equal bytes. */
static void check_rows(const ldpc_channel *ch, uint64_t frame, const uint8_t *bits, const float *nat,
                       uint64_t errors)
{
    const ldpc_channel_row *row;
    int8_t llr[LENGTH], steps[LENGTH];
    float other[LENGTH];
    assert_int_equal(ldpc_channel_row_at(0)->transmit(ch, frame, bits, LENGTH, llr, NULL), errors);
    for (size_t i = 0; i < LENGTH; i++)
        assert_int_equal(llr[i], (int)fmin(127, fmax(-127, nearbyint(nat[i] * ch->llr_scale))));
    for (size_t r = 1; (row = ldpc_channel_row_at(r)); r++) {
        if (!runs_here(row))
            continue;
        assert_int_equal(row->transmit(ch, frame, bits, LENGTH, steps, NULL), errors);
        assert_memory_equal(steps, llr, sizeof llr);
        assert_int_equal(row->transmit(ch, frame, bits, LENGTH, NULL, other), errors);
        assert_memory_equal(other, nat, LENGTH * sizeof *nat);
    }
}

static void check_channel(const ldpc_channel *ch)
{
    uint8_t bits[LENGTH];
    float nat[LENGTH], noise[LENGTH + 8];
    const uint64_t frame = 12;
    const ldpc_channel_row *plain = ldpc_channel_row_at(0);
    for (size_t i = 0; i < LENGTH; i++)
        bits[i] = (uint8_t)(i * i % 7 & 1);
    uint64_t errors = plain->transmit(ch, frame, bits, LENGTH, NULL, nat), signs = 0;
    plain->noise(ch->seed, frame, ch->point, LENGTH + 8, noise);
    size_t axes = (size_t)ch->axes, per_axis = (size_t)ch->axis_bits;
    for (size_t i = 0; i < LENGTH; i++) {
        size_t symbol = i / (axes * per_axis), axis = symbol * axes + i % axes, bit = i / axes % per_axis;
        sim_u32 label = 0;
        for (size_t b = 0; b < per_axis; b++) {
            size_t j = (symbol * per_axis + b) * axes + i % axes;
            label = label << 1 | (j < LENGTH ? bits[j] : 0);
        }
        philox_block b =
            philox(ch->seed, frame, SIM_FADING + SIM_STREAMS * ch->point, (uint32_t)(symbol / 4));
        double fading = ch->fading ? fading_of(b.word[symbol % 4]) : 1;
        double y = fading * pam_level(label, ch->axis_bits) + (double)ch->sigma * noise[axis];
        double expected = llr_by_definition(ch, y, fading, (int)bit);
        assert_true(fabs(nat[i] - expected) < 1e-4 * (1 + fabs(expected)));
        signs += (nat[i] < 0) != bits[i];
    }
    assert_int_equal(errors, signs);
    check_rows(ch, frame, bits, nat, errors);
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

/* For any constellation points, fading and interleaver, LLRs follow the definition. The last symbol is padded
 * with zeros. */
static void check_points(size_t symbol_bits, size_t stride, bool fading)
{
    enum { POSITIONS = LENGTH + LDPC_MAX_SYMBOL_BITS };
    static float points[2 << LDPC_MAX_SYMBOL_BITS], nat[LENGTH], noise[2 * POSITIONS];
    static uint16_t bit_at[POSITIONS];
    static uint8_t bits[POSITIONS];
    const uint64_t frame = 12;
    const size_t symbols = (LENGTH + symbol_bits - 1) / symbol_bits;
    ldpc_channel ch = channel_with(1, 2, fading, 0.4f);
    for (size_t i = 0; i < (size_t)2 << symbol_bits; i++)
        points[i] = (float)sin(1.0 + 3.0 * (double)(i * i));
    for (size_t i = 0; i < POSITIONS; i++) {
        bit_at[i] = (uint16_t)(i < LENGTH ? i * stride % LENGTH : LENGTH);
        bits[i] = i < LENGTH ? i * i % 7 & 1 : 0;
    }
    ch.points = points;
    ch.bit_at = bit_at;
    ch.symbol_bits = (int)symbol_bits;
    const uint64_t errors = ldpc_channel_row_at(0)->transmit(&ch, frame, bits, LENGTH, NULL, nat);
    ldpc_channel_row_at(0)->noise(ch.seed, frame, ch.point, 2 * symbols, noise);
    uint64_t signs = 0;
    for (size_t s = 0; s < symbols; s++) {
        const philox_block b = philox(ch.seed, frame, SIM_FADING + SIM_STREAMS * ch.point, (uint32_t)(s / 4));
        const double amplitude = fading ? fading_of(b.word[s % 4]) : 1;
        const uint16_t *at = bit_at + s * symbol_bits;
        size_t sent = 0;
        for (size_t bit = 0; bit < symbol_bits; bit++)
            sent = sent << 1 | bits[at[bit]];
        double nearest[LDPC_MAX_SYMBOL_BITS][2];
        for (size_t bit = 0; bit < symbol_bits; bit++)
            nearest[bit][0] = nearest[bit][1] = 1e30;
        for (size_t label = 0; label < (size_t)1 << symbol_bits; label++) {
            double distance = 0;
            for (size_t axis = 0; axis < 2; axis++)
                distance += pow(amplitude * (points[2 * sent + axis] - points[2 * label + axis]) +
                                    ch.sigma * noise[2 * s + axis],
                                2);
            for (size_t bit = 0; bit < symbol_bits; bit++) {
                double *least = &nearest[bit][label >> (symbol_bits - 1 - bit) & 1];
                *least = fmin(*least, distance);
            }
        }
        for (size_t bit = 0; bit < symbol_bits && at[bit] < LENGTH; bit++) {
            const double expected = (nearest[bit][1] - nearest[bit][0]) / (2 * ch.sigma * ch.sigma);
            assert_true(fabs(nat[at[bit]] - expected) < 1e-4 * (1 + fabs(expected)));
            signs += (nat[at[bit]] < 0) != bits[at[bit]];
        }
    }
    assert_int_equal(errors, signs);
    check_rows(&ch, frame, bits, nat, errors);
}

static void test_points(void **state)
{
    (void)state;
    for (size_t symbol_bits = 1; symbol_bits <= 8; symbol_bits++)
        check_points(symbol_bits, symbol_bits % 2 ? 1 : 600, symbol_bits % 3 == 0);
    check_points(LDPC_MAX_SYMBOL_BITS, 600, false);
}

/* Adjacent levels differ in one bit. The mean energy is (4^bits - 1) / 3. */
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

/* Errors and erasures have the given probability. LLRs are +-ln((1 - p) / p) on the BSC, and 0 or +-127 steps
 * on the BEC. */
static void test_binary_channels(void **state)
{
    (void)state;
    enum { FRAMES = 64, N = 576 };
    ldpc_code *code = make_code("wimax:576:1/2");
    static uint8_t message[FRAMES * N / 2], codeword[FRAMES * N];
    static float nat[FRAMES * N];
    static int8_t steps[FRAMES * N];
    for (int erasures = 0; erasures <= 1; erasures++) {
        ldpc_sim_params sim;
        ldpc_sim_params_init(&sim);
        sim.channel = erasures ? LDPC_CHANNEL_BEC : LDPC_CHANNEL_BSC;
        sim.probability = 0.1;
        assert_int_equal(ldpc_sim_frames(code, &sim, 3, FRAMES, message, steps, nat, NULL), LDPC_OK);
        assert_int_equal(ldpc_encode(code, message, FRAMES, codeword), LDPC_OK);
        const float magnitude = erasures ? 127 / 3.0f : logf(9);
        size_t events = 0;
        for (size_t i = 0; i < FRAMES * N; i++) {
            const float sent = codeword[i] ? -magnitude : magnitude, changed = erasures ? 0 : -sent;
            const bool event = fabsf(nat[i] - sent) > 1e-4f;
            assert_float_equal(nat[i], event ? changed : sent, 1e-4);
            assert_int_equal(steps[i], (int)nearbyintf(3 * nat[i]));
            events += event;
        }
        assert_true(fabs((double)events - 0.1 * FRAMES * N) < 4 * sqrt(0.09 * FRAMES * N));
        sim.max_frames = FRAMES;
        ldpc_decoder *dec = make_decoder(code, NULL);
        ldpc_sim_result result;
        assert_int_equal(ldpc_sim_run(dec, &sim, &result, NULL), LDPC_OK);
        assert_int_equal(result.channel_errors, events);
        ldpc_decoder_destroy(dec);
    }
    ldpc_code_destroy(code);
}

/* BPSK is given as two points. Hard decisions must fail with probability Q(sqrt(2 R Eb/N0)). The frame error
 * rate must be that of LDPC_MODULATION_BPSK. */
static void test_points_of_bpsk(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_demapper *demapper;
    ldpc_demapper_params shape;
    ldpc_demapper_params_init(&shape);
    shape.points = (const float[]){3, 4, -3, -4};
    shape.bits = 1;
    shape.n = 648;
    assert_int_equal(ldpc_demapper_create(&shape, &demapper, NULL), LDPC_OK);
    ldpc_sim_params sim;
    ldpc_sim_params_init(&sim);
    sim.ebn0_db = 1.5;
    sim.max_frame_errors = 0;
    sim.max_frames = 640;
    ldpc_decoder *dec = make_decoder(code, NULL);
    ldpc_sim_result built_in, points;
    assert_int_equal(ldpc_sim_run(dec, &sim, &built_in, NULL), LDPC_OK);
    sim.demapper = demapper;
    assert_int_equal(ldpc_sim_run(dec, &sim, &points, NULL), LDPC_OK);
    const double n = 640.0 * 648, p = normal_cdf(-sqrt(pow(10, 0.15)));
    assert_true(fabs((double)points.channel_errors - n * p) < 4 * sqrt(n * p));
    const double a = (double)built_in.frame_errors, b = (double)points.frame_errors;
    assert_in_range(points.frame_errors, 20, 600);
    assert_true(fabs(a - b) < 4 * sqrt(a + b));
    ldpc_decoder_destroy(dec);
    ldpc_demapper_destroy(demapper);
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox),
        cmocka_unit_test(test_noise_is_gaussian),
        cmocka_unit_test(test_noise_is_counter_based),
        cmocka_unit_test(test_noise_is_the_same_everywhere),
        cmocka_unit_test(test_rows_follow_channel_math),
        cmocka_unit_test(test_every_row_has_the_same_noise),
        cmocka_unit_test(test_levels_are_gray),
        cmocka_unit_test(test_every_modulation),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_binary_channels),
        cmocka_unit_test(test_points_of_bpsk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
