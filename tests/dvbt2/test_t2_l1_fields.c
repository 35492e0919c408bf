/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests L1 that gr-dtv and the Common Simulation Platform do not send: many PLPs, FEC blocks, L1 repetition,
 * extension blocks, auxiliary streams, RF channels. Passes random bits to parser and frame map.
 *
 *     test_t2_l1_fields [ROUNDS [SEED]]          random inputs, default 100000; SEED is not 0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/standard/frame_map.h"
#include "dvbt2/l1/in_band.h"
#include "dvbt2/l1/l1_decoder.h"
#include "dvbt2/l1/l1_fields.h"
#include "dvbt2/support/l1_runs.h"
#include "dvbt2/support/l1_writer.h"

static unsigned long rounds = 100000;
static uint64_t random_seed = 77;

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static uint64_t bits_of(uint64_t *seed, unsigned count)
{
    return next_random(seed) >> (64 - count);
}

/* ---- structs with random fields */

static dvbt2_l1_pre random_pre(uint64_t *seed)
{
    return (dvbt2_l1_pre){
        .type = (uint8_t)bits_of(seed, 8),
        .bwt_ext = bits_of(seed, 1),
        .s1 = bits_of(seed, 1) ? DVBT2_S1_LITE_SISO : DVBT2_S1_T2_SISO,
        .s2 = (uint8_t)(8 | bits_of(seed, 1)), /* 16K, base profile */
        .l1_repetition_flag = bits_of(seed, 1),
        .guard_interval = DVBT2_GUARD_1_16,
        .l1_mod = (uint8_t)(bits_of(seed, 1) + 2),
        .pilot_pattern = 3,
        .cell_id = (uint16_t)bits_of(seed, 16),
        .num_t2_frames = 2,
        .num_data_symbols = 20,
        .l1_post_extension = bits_of(seed, 1),
        .num_rf = (uint8_t)(bits_of(seed, 1) ? 1 : bits_of(seed, 3)),
        .t2_version = (uint8_t)(bits_of(seed, 2) % 3),
        .l1_post_scrambled = bits_of(seed, 1),
    };
}

static void random_dynamic(uint64_t *seed, const dvbt2_l1_configurable *c, dvbt2_l1_dynamic *d)
{
    d->frame_idx = (uint8_t)bits_of(seed, 8);
    d->sub_slice_interval = (uint32_t)bits_of(seed, 22);
    d->type_2_start = (uint32_t)bits_of(seed, 22);
    d->l1_change_counter = (uint8_t)bits_of(seed, 8);
    for (int i = 0; i < c->num_plp; i++) {
        d->plp[i].plp_id = c->plp[i].plp_id;
        d->plp[i].plp_start = (uint32_t)bits_of(seed, 22);
        d->plp[i].plp_num_blocks = (uint16_t)bits_of(seed, 10);
        d->plp[i].reserved_2 = (uint8_t)bits_of(seed, 8);
    }
    d->reserved_3 = (uint8_t)bits_of(seed, 8);
    for (int i = 0; i < c->num_aux; i++)
        d->aux_private_dyn[i] = bits_of(seed, 48);
}

static void random_post(uint64_t *seed, const dvbt2_l1_pre *pre, uint8_t n_plp, dvbt2_l1_post *post)
{
    dvbt2_l1_configurable *c = &post->config;
    memset(post, 0, sizeof(*post));
    c->sub_slices_per_frame = (uint16_t)bits_of(seed, 15);
    c->num_plp = n_plp;
    c->num_aux = (uint8_t)bits_of(seed, 4);
    c->num_rf = pre->num_rf;
    for (int i = 0; i < c->num_rf; i++)
        c->rf[i].frequency = (uint32_t)bits_of(seed, 32);
    c->fef = pre->s2 & 1;
    c->fef_length = c->fef ? (uint32_t)bits_of(seed, pre->s1 == DVBT2_S1_LITE_SISO ? 24 : 22) : 0;
    c->fef_interval = c->fef ? (uint8_t)bits_of(seed, 8) : 0;
    for (int i = 0; i < n_plp; i++) {
        c->plp[i].plp_id = (uint8_t)i;
        c->plp[i].plp_mod = (uint8_t)bits_of(seed, 3);
        c->plp[i].plp_num_blocks_max = (uint16_t)bits_of(seed, 10);
        c->plp[i].time_il_length = (uint8_t)bits_of(seed, 8);
        c->plp[i].reserved_1 = (uint16_t)bits_of(seed, 11);
    }
    c->reserved_2 = (uint32_t)bits_of(seed, 30);
    for (int i = 0; i < c->num_aux; i++)
        c->aux[i].aux_private_conf = (uint32_t)bits_of(seed, 28);
    random_dynamic(seed, c, &post->dynamic);
    post->has_next = pre->l1_repetition_flag;
    if (post->has_next)
        random_dynamic(seed, c, &post->next);
    post->extensions = pre->l1_post_extension ? (uint32_t)bits_of(seed, 3) : 0;
    for (uint32_t i = 0; i < post->extensions; i++) {
        post->extension[i].type = (uint8_t)bits_of(seed, 8);
        post->extension[i].length = (uint16_t)bits_of(seed, 8);
    }
}

/* ---- fields */

static void test_fields_survive(void **state)
{
    (void)state;
    static dvbt2_l1_post post, parsed;
    static uint8_t bits[L1_WRITER_MAX_BITS], again[L1_WRITER_MAX_BITS];
    uint64_t seed = 11;
    for (int i = 0; i < 500; i++) {
        dvbt2_l1_pre pre = random_pre(&seed), pre_parsed;
        random_post(&seed, &pre, (uint8_t)bits_of(&seed, 8), &post);
        uint8_t pre_bits[DVBT2_L1_PRE_BITS];
        l1_write_pre(&pre, pre_bits);
        dvbt2_l1_pre_parse(pre_bits, &pre_parsed);
        l1_write_pre(&pre_parsed, again);
        assert_memory_equal(pre_bits, again, DVBT2_L1_PRE_BITS);

        uint32_t count = l1_write_post(&pre, &post, bits);
        assert_int_equal(dvbt2_l1_post_parse(&pre, bits, count, &parsed, NULL), LDPC_OK);
        assert_int_equal(parsed.extensions, post.extensions);
        assert_int_equal(parsed.config.fef_length, post.config.fef_length);
        assert_int_equal(parsed.has_next, post.has_next);
        assert_int_equal(l1_write_post(&pre, &parsed, again), count);
        for (uint32_t n = 0, at = 0; n < post.extensions; n++, at++)
            assert_int_equal(parsed.extension[at].length, post.extension[n].length);
        assert_memory_equal(bits, again, count);
        assert_int_equal(dvbt2_l1_post_parse(&pre, bits, count - 1, &parsed, NULL), LDPC_ERR_FORMAT);
    }
}

/* 32K has one P2 symbol, which holds the largest L1. */
static void check_cells(uint64_t *seed, uint8_t n_plp, uint32_t min_blocks)
{
    static dvbt2_l1_post post, decoded;
    static uint8_t bits[L1_WRITER_MAX_BITS], again[L1_WRITER_MAX_BITS];
    static float iq[2 * DVBT2_MAX_L1_POST_CELLS], noise[DVBT2_MAX_L1_POST_CELLS];
    dvbt2_l1_decoder *decoder;
    dvbt2_l1_pre pre = random_pre(seed);
    pre.l1_repetition_flag = n_plp < 255; /* 255 PLPs: too large to repeat */
    if (min_blocks > 1)
        pre.l1_mod = DVBT2_L1_64QAM;
    random_post(seed, &pre, n_plp, &post);
    uint32_t count = l1_write_post(&pre, &post, bits);
    assert_true(count + 32 > (min_blocks - 1) * DVBT2_L1_POST_BCH);
    l1_set_sizes(&pre, count, 1);
    assert_in_range(pre.l1_post_size, 1, DVBT2_MAX_L1_POST_CELLS);
    uint32_t cells = l1_post_cells(&pre, 1, bits, iq);
    assert_int_equal(cells, pre.l1_post_size);
    for (uint32_t i = 0; i < cells; i++)
        noise[i] = 0.01F;
    assert_int_equal(dvbt2_l1_decoder_create(&decoder, NULL), LDPC_OK);
    assert_int_equal(dvbt2_l1_post_decode(decoder, &pre, 1, iq, noise, &decoded, NULL), LDPC_OK);
    assert_int_equal(l1_write_post(&pre, &decoded, again), count);
    assert_memory_equal(bits, again, count);
    dvbt2_l1_decoder_destroy(decoder);
}

static void test_several_fec_blocks(void **state)
{
    (void)state;
    uint64_t seed = 5;
    check_cells(&seed, 1, 1);
    check_cells(&seed, 30, 1);
    check_cells(&seed, 100, 2);
    check_cells(&seed, 255, 5);
}

static void test_absurd_contents(void **state)
{
    (void)state;
    static dvbt2_l1_post post = {.has_next = true};
    static uint8_t bits[400];
    static float iq[2 * DVBT2_MAX_L1_POST_CELLS], noise[DVBT2_MAX_L1_POST_CELLS];
    dvbt2_l1_decoder *decoder;
    dvbt2_l1_pre pre = {.s2 = 8, .l1_mod = DVBT2_L1_QPSK, .num_rf = 1, .num_t2_frames = 2};
    ldpc_error err = {""};
    memset(bits, 1, sizeof(bits)); /* 255 PLPs and 15 auxiliary streams in 400 bits */
    l1_set_sizes(&pre, sizeof(bits), 1);
    for (uint32_t i = 0; i < l1_post_cells(&pre, 1, bits, iq); i++)
        noise[i] = 0.1F;
    assert_int_equal(dvbt2_l1_decoder_create(&decoder, NULL), LDPC_OK);
    assert_int_equal(dvbt2_l1_post_decode(decoder, &pre, 1, iq, noise, &post, &err), LDPC_ERR_FORMAT);
    assert_non_null(strstr(err.message, "255 PLPs"));
    assert_true(post.has_next); /* unchanged */
    dvbt2_l1_decoder_destroy(decoder);
}

/* ---- in-band signalling */

static size_t put(uint8_t *bits, size_t at, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bits[at + i] = value >> (count - 1 - i) & 1;
    return at + count;
}

static void test_in_band(void **state)
{
    (void)state;
    static dvbt2_in_band_a a;
    dvbt2_in_band_b b;
    uint8_t bits[512];
    size_t n = put(bits, 0, 0, 2);
    n = put(bits, n, 3, 8);
    n = put(bits, n, 0xFF, 8);
    for (uint32_t frame = 0; frame < 2; frame++) {
        n = put(bits, n, 1000 + frame, 22);
        n = put(bits, n, 0, 3);
        n = put(bits, n, 2000 + frame, 22);
        n = put(bits, n, 0, 8);
    }
    n = put(bits, put(bits, n, 77, 10), 1, 8);
    n = put(bits, put(bits, n, 9, 8), 123456, 22);
    n = put(bits, put(bits, n, 1023, 10), 0, 8);
    n = put(bits, put(bits, n, 3000, 22), 3001, 22);
    assert_int_equal(n, 36 + 77 * 2 + 48);
    size_t b_starts = n;
    n = put(bits, put(bits, n, 1, 2), 0x7FFFFFFE, 31);
    n = put(bits, put(bits, n, 4000000, 22), 2, 2);
    n = put(bits, put(bits, put(bits, n, 600, 10), 50000000, 27), 0, 8);
    assert_int_equal(n - b_starts, DVBT2_IN_BAND_B_BITS);

    dvbt2_l1_plp plp = {
        .time_il_type = true, .time_il_length = 2, .in_band_a_flag = true, .in_band_b_flag = true};
    assert_true(dvbt2_in_band_parse(&plp, bits, n, &a, &b));
    assert_int_equal(a.plp_l1_change_counter, 3);
    assert_int_equal(a.n_frames, 2);
    assert_int_equal(a.frame[1].sub_slice_interval, 1001);
    assert_int_equal(a.frame[1].plp_start, 2001);
    assert_int_equal(a.frame[1].type_2_start, 3001);
    assert_int_equal(a.plp_num_blocks, 77);
    assert_int_equal(a.n_others, 1);
    assert_int_equal(a.other[0].plp_start, 123456);
    assert_int_equal(b.tto, 0x7FFFFFFE);
    assert_int_equal(b.first_iscr, 4000000);
    assert_int_equal(b.ts_rate, 50000000);
    assert_false(dvbt2_in_band_parse(&plp, bits, n - 1, &a, &b));
    assert_false(dvbt2_in_band_parse(&plp, bits, 100, &a, &b));
    plp.in_band_a_flag = false;
    assert_false(dvbt2_in_band_parse(&plp, bits, n, NULL, &b));
    assert_true(dvbt2_in_band_parse(&plp, bits + b_starts, n - b_starts, NULL, NULL));
    plp.in_band_b_flag = false;
    assert_true(dvbt2_in_band_parse(&plp, bits, 0, NULL, NULL));
}

/* ---- random bits */

static uint32_t random_post_bits(uint64_t *seed, uint8_t *bits)
{
    uint32_t count = (uint32_t)bits_of(seed, bits_of(seed, 4) ? 10 : 15);
    for (uint32_t i = 0; i < count; i += 64) {
        uint64_t random = next_random(seed);
        for (uint32_t b = 0; b < 64; b++)
            bits[i + b] = random >> b & 1;
    }
    if (bits_of(seed, 3)) {
        memset(bits, 0, 20); /* sub-slices below 8 ... */
        memset(bits + 23, 0, 2);
    }
    return count;
}

static void test_random_bits(void **state)
{
    (void)state;
    static dvbt2_l1_post post;
    static uint8_t bits[L1_WRITER_MAX_BITS];
    uint64_t seed = random_seed;
    unsigned long parsed = 0, extracted = 0;
    for (unsigned long i = 0; i < rounds; i++) {
        uint8_t pre_bits[DVBT2_L1_PRE_BITS];
        dvbt2_l1_pre pre = random_pre(&seed);
        if (!bits_of(&seed, 2)) {
            for (uint32_t b = 0; b < DVBT2_L1_PRE_BITS; b++)
                pre_bits[b] = (uint8_t)bits_of(&seed, 1);
            dvbt2_l1_pre_parse(pre_bits, &pre);
        }
        uint32_t count = random_post_bits(&seed, bits);
        dvbt2_mode mode;
        dvbt2_parameters p;
        dvbt2_frame_map map;
        dvbt2_l1_post_coding coding;
        dvbt2_l1_post_coding_of(&pre, 1 + (uint32_t)bits_of(&seed, 4), &coding, NULL);
        const dvbt2_l1_plp in_band = {.time_il_type = true,
                                      .time_il_length = (uint8_t)bits_of(&seed, 8),
                                      .in_band_a_flag = bits_of(&seed, 1),
                                      .in_band_b_flag = true};
        dvbt2_in_band_parse(&in_band, bits, count, NULL, NULL);
        if (dvbt2_l1_post_parse(&pre, bits, count, &post, NULL) != LDPC_OK)
            continue;
        parsed++;
        if (dvbt2_mode_from_l1(&pre, &mode, NULL) != LDPC_OK ||
            dvbt2_parameters_derive(&mode, &p, NULL) != LDPC_OK ||
            dvbt2_frame_map_init(&p, pre.l1_post_size, &map, NULL) != LDPC_OK)
            continue;
        assert_true(l1_runs_fit(&p, &map, &post));
        dvbt2_fef_after(&post.config, post.dynamic.frame_idx);
        extracted++;
    }
    print_message("%lu random inputs: %lu parsed, PLPs of %lu extracted\n", rounds, parsed, extracted);
    assert_true(parsed > rounds / 50);
    assert_true(extracted > rounds / 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_survive),  cmocka_unit_test(test_several_fec_blocks),
        cmocka_unit_test(test_absurd_contents), cmocka_unit_test(test_in_band),
        cmocka_unit_test(test_random_bits),
    };
    if (argc > 1)
        rounds = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        random_seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
