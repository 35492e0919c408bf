/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes L1 cells of two transmitters, with noise and without. Checks every field. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/l1/l1_coding.h"
#include "dvbt2/l1/l1_decoder.h"
#include "dvbt2/support/l1_frames.h"

static l1_record *records;
static uint32_t n_records;
static dvbt2_l1_decoder *decoder;

static int setup(void **state)
{
    (void)state;
    records = l1_records_read(&n_records);
    return dvbt2_l1_decoder_create(&decoder, NULL) != LDPC_OK;
}

static int teardown(void **state)
{
    (void)state;
    free(records);
    dvbt2_l1_decoder_destroy(decoder);
    return 0;
}

/* Returns Gaussian noise that is equal on all machines. */
static float gauss(uint64_t *seed)
{
    float sum = 0;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * 6364136223846793005U + 1442695040888963407U;
        sum += (float)(*seed >> 40) / (1 << 24);
    }
    return sum - 6;
}

/* Adds noise. power: mean power of the noise. */
static void add_noise(const float *cells, uint32_t count, float power, uint64_t *seed, float *noisy,
                      float *noise)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 2; axis++)
            noisy[2 * i + axis] = cells[2 * i + axis] + sqrtf(power / 2) * gauss(seed);
        noise[i] = power;
    }
}

static bool decode_pre(const l1_record *r, float power, uint64_t *seed, dvbt2_l1_pre *pre)
{
    static float noisy[2 * DVBT2_L1_PRE_CELLS], noise[DVBT2_L1_PRE_CELLS];
    add_noise(r->pre, DVBT2_L1_PRE_CELLS, power, seed, noisy, noise);
    return dvbt2_l1_pre_decode(decoder, noisy, noise, pre);
}

static ldpc_status decode_post(const l1_record *r, const dvbt2_l1_pre *pre, float power, uint64_t *seed,
                               dvbt2_l1_post *post)
{
    static float noisy[2 * L1_MAX_POST], noise[L1_MAX_POST];
    add_noise(r->post, r->n_post, power, seed, noisy, noise);
    return dvbt2_l1_post_decode(decoder, pre, r->n_p2, noisy, noise, post, NULL);
}

static void check_fields(const l1_record *r, const dvbt2_l1_pre *pre, const dvbt2_l1_post *post)
{
    for (uint32_t i = 0; i < r->n_fields; i++) {
        int64_t value = l1_field_value(pre, post, r->field[i].name);
        if (value != r->field[i].value)
            fail_msg("%s: %s is %lld, not %lld", r->name, r->field[i].name, (long long)value,
                     (long long)r->field[i].value);
    }
}

static void test_every_field(void **state)
{
    (void)state;
    static dvbt2_l1_post post;
    dvbt2_l1_pre pre;
    uint64_t seed = 1;
    assert_int_equal(n_records, 39);
    for (uint32_t i = 0; i < n_records; i++) {
        assert_true(decode_pre(&records[i], 0.01F, &seed, &pre));
        assert_int_equal(decode_post(&records[i], &pre, 0.01F, &seed, &post), LDPC_OK);
        check_fields(&records[i], &pre, &post);
    }
}

/* Checks that L1-post fits into the mode signalled in L1-pre, and that the PLPs fit into the frame. */
static void test_plps_lie_in_the_frame(void **state)
{
    (void)state;
    static dvbt2_l1_post post;
    uint64_t seed = 1;
    for (uint32_t i = 0; i < n_records; i++) {
        dvbt2_l1_pre pre;
        dvbt2_mode mode;
        dvbt2_parameters p;
        dvbt2_frame_map map;
        assert_true(decode_pre(&records[i], 0.01F, &seed, &pre));
        assert_int_equal(decode_post(&records[i], &pre, 0.01F, &seed, &post), LDPC_OK);
        assert_int_equal(dvbt2_mode_from_l1(&pre, &mode, NULL), LDPC_OK);
        assert_int_equal(dvbt2_parameters_derive(&mode, &p, NULL), LDPC_OK);
        assert_int_equal(p.n_p2, records[i].n_p2);
        assert_int_equal(dvbt2_frame_map_init(&p, pre.l1_post_size, &map, NULL), LDPC_OK);
        for (uint32_t n = 0; n < post.config.num_plp; n++) {
            dvbt2_plp_map plp;
            dvbt2_plp_slices slices;
            assert_int_equal(dvbt2_plp_map_init(&post.config, n, &plp, NULL), LDPC_OK);
            assert_int_equal(dvbt2_plp_slices_of(&map, &plp, &post.dynamic, &slices, NULL), LDPC_OK);
            assert_int_equal(dvbt2_plp_cells(&slices) * plp.frames,
                             post.dynamic.plp[n].plp_num_blocks * plp.cells_per_block);
        }
    }
}

static void test_frames_add_up(void **state)
{
    (void)state;
    static dvbt2_l1_post post;
    dvbt2_l1_pre pre;
    uint64_t seed = 3;
    uint32_t frames = 0;
    const l1_record *r = &records[0];
    dvbt2_l1_decoder_reset(decoder);
    assert_false(decode_pre(r, 12.6F, &seed, &pre)); /* -11 dB */
    while (!decode_pre(r, 12.6F, &seed, &pre))
        assert_true(++frames < 8);
    assert_int_equal(pre.num_t2_frames, 2);

    /* Two records of one super-frame. */
    static float noisy[2 * L1_MAX_POST], noise[L1_MAX_POST];
    ldpc_status status = LDPC_AGAIN;
    for (frames = 0; status == LDPC_AGAIN; frames++) {
        assert_true(frames < 6);
        r = &records[frames % 2];
        add_noise(r->post, r->n_post, 2.8F, &seed, noisy, noise); /* BPSK at -4.5 dB */
        status = dvbt2_l1_post_decode(decoder, &pre, r->n_p2, noisy, noise, &post, NULL);
    }
    assert_int_equal(status, LDPC_OK);
    assert_true(frames > 1);
    check_fields(r, &pre, &post);

    for (uint32_t end = frames + 4; frames < end; frames++) {
        r = &records[frames % 2];
        add_noise(r->post, r->n_post, 2.8F, &seed, noisy, noise);
        assert_int_equal(dvbt2_l1_post_decode(decoder, &pre, r->n_p2, noisy, noise, &post, NULL), LDPC_OK);
        check_fields(r, &pre, &post);
    }
}

static void test_no_signal(void **state)
{
    (void)state;
    static float iq[2 * DVBT2_L1_PRE_CELLS], noise[DVBT2_L1_PRE_CELLS];
    dvbt2_l1_pre pre;
    uint64_t seed = 5;
    dvbt2_l1_decoder_reset(decoder);
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++) {
            iq[2 * i] = round == 1 ? NAN : gauss(&seed);
            iq[2 * i + 1] = gauss(&seed);
            noise[i] = round == 2 ? 0 : round == 3 ? INFINITY : 1;
        }
        assert_false(dvbt2_l1_pre_decode(decoder, iq, noise, &pre));
    }
    dvbt2_l1_decoder_reset(decoder);
}

/* A contradictory L1-pre gives no L1-post. */
static void test_absurd_l1_pre(void **state)
{
    (void)state;
    dvbt2_l1_pre pre;
    dvbt2_l1_post_coding coding;
    uint64_t seed = 1;
    ldpc_error err = {""};
    assert_true(decode_pre(&records[0], 0.01F, &seed, &pre));
    assert_int_equal(dvbt2_l1_post_coding_of(&pre, 16, &coding, &err), LDPC_OK);
    dvbt2_l1_pre wrong = pre;
    wrong.l1_mod = 4;
    assert_int_equal(dvbt2_l1_post_coding_of(&wrong, 16, &coding, &err), LDPC_ERR_PARAM);
    wrong = pre;
    wrong.l1_post_size++;
    assert_int_equal(dvbt2_l1_post_coding_of(&wrong, 16, &coding, &err), LDPC_ERR_PARAM);
    wrong = pre;
    wrong.l1_post_info_size = (1 << 18) - 1;
    assert_int_equal(dvbt2_l1_post_coding_of(&wrong, 16, &coding, &err), LDPC_ERR_PARAM);
    assert_true(strlen(err.message) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),   cmocka_unit_test(test_plps_lie_in_the_frame),
        cmocka_unit_test(test_frames_add_up), cmocka_unit_test(test_no_signal),
        cmocka_unit_test(test_absurd_l1_pre),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
