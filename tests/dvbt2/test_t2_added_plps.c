/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/transmitter.h"
#include "ldpc/dvbt2.h"

enum { FRAMES = 3, CELLS = 8100 };

static const dvbt2_l1_pre pre = {.s1 = DVBT2_S1_T2_SISO,
                                 .s2 = 5 << 1,
                                 .guard_interval = DVBT2_GUARD_1_32,
                                 .l1_mod = DVBT2_L1_64QAM,
                                 .l1_post_extension = true,
                                 .pilot_pattern = 3,
                                 .num_t2_frames = FRAMES,
                                 .num_data_symbols = 3,
                                 .num_rf = 1,
                                 .t2_version = 2};

static uint8_t in_order(uint32_t i)
{
    return (uint8_t)i;
}

static uint8_t in_steps(uint32_t i)
{
    return (uint8_t)(2 * i % DVBT2_MAX_PLP);
}

static uint8_t with_another_last(uint32_t i)
{
    return (uint8_t)(i < DVBT2_MAX_PLP - 1 ? i : 255);
}

static void describe(dvbt2_l1_post *post, uint8_t (*id)(uint32_t))
{
    memset(post, 0, sizeof *post);
    post->config.sub_slices_per_frame = 1;
    post->config.num_plp = DVBT2_MAX_PLP;
    post->extensions = 1; /* pads the FEC blocks of L1-post */
    post->extension[0].type = 0xFF;
    post->extension[0].length = 3000;
    for (uint32_t i = 0; i < DVBT2_MAX_PLP; i++) {
        const bool first = i == 0, last = i == DVBT2_MAX_PLP - 1;
        post->config.plp[i] = (dvbt2_l1_plp){.plp_id = id(i),
                                             .plp_type = DVBT2_PLP_TYPE_1,
                                             .plp_payload_type = DVBT2_PAYLOAD_TS,
                                             .plp_num_blocks_max = 1,
                                             .frame_interval = 1,
                                             .time_il_length = 1};
        post->dynamic.plp[i] = (dvbt2_l1_plp_dynamic){
            .plp_id = id(i), .plp_start = first ? 0 : CELLS, .plp_num_blocks = first || last};
    }
}

typedef struct arrived {
    uint32_t first, last, others; /* frames received */
} arrived;

static void pull(dvbt2_receiver *rx, arrived *all)
{
    static float iq[2 * CELLS], noise[CELLS];
    for (uint32_t output = 0; output < dvbt2_receiver_outputs(rx); output++) {
        dvbt2_plp_frame frame;
        uint32_t first;
        for (size_t count; (count = dvbt2_receiver_pull(rx, output, CELLS, iq, noise, &frame, &first)) > 0;) {
            if (first + count < frame.cells)
                continue;
            all->first += frame.plp.plp_id == 0;
            all->last += frame.plp.plp_id == 254;
            all->others += frame.plp.plp_id != 0 && frame.plp.plp_id != 254;
            assert_true(output == 0 || dvbt2_receiver_output_plp(rx, output) == frame.plp.plp_id);
        }
    }
}

static void receive(dvbt2_receiver *rx, uint8_t (*id)(uint32_t), arrived *all)
{
    static dvbt2_l1_post post;
    transmitter t;
    transmitter_open(&t, &pre);
    describe(&post, id);
    float complex *samples = malloc(t.p.frame_length * sizeof *samples), cells[CELLS];
    const float complex *of_plp[DVBT2_MAX_PLP] = {0};
    assert_non_null(samples);
    uint32_t seed = 1;
    for (int c = 0; c < CELLS; c++) {
        seed = seed * 1664525 + 1013904223;
        cells[c] = rx_cplx(seed >> 31 ? 0.7F : -0.7F, seed >> 30 & 1 ? 0.7F : -0.7F);
    }
    of_plp[0] = of_plp[DVBT2_MAX_PLP - 1] = cells;
    for (int f = 0; f < FRAMES; f++) {
        post.dynamic.frame_idx = (uint8_t)f;
        transmitter_send(&t, &post, of_plp, samples);
        for (uint32_t at = 0; at < t.p.frame_length;) {
            const uint32_t left = t.p.frame_length - at;
            at += (uint32_t)dvbt2_receiver_push(rx, samples + at, left < 10000 ? left : 10000);
            pull(rx, all);
        }
    }
    free(samples);
    transmitter_close(&t);
}

static dvbt2_receiver *make_receiver(int32_t plp, uint32_t follow)
{
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.plp[0] = plp;
    params.follow_plps = follow;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    return rx;
}

static void missing(uint8_t (*id)(uint32_t), char *sentence, size_t room)
{
    arrived all = {0};
    dvbt2_status status;
    dvbt2_receiver *rx = make_receiver(255, 0);
    receive(rx, id, &all);
    dvbt2_receiver_status(rx, &status);
    assert_int_equal(status.state, DVBT2_STATE_TRACKING);
    snprintf(sentence, room, "%s", status.message);
    assert_int_equal(all.first + all.last + all.others, 0);
    dvbt2_receiver_destroy(rx);
}

static void test_missing_plp(void **state)
{
    (void)state;
    char sentence[600];
    missing(in_order, sentence, sizeof sentence);
    assert_string_equal(sentence, "there is no PLP 255; this signal has PLPs 0 .. 254");
    missing(in_steps, sentence,
            sizeof sentence); /* a list that is too long ends with the number of omitted PLPs */
    const char *start = "there is no PLP 255; this signal has PLPs 0, 2, 4", *end = strstr(sentence, " and ");
    assert_memory_equal(sentence, start, strlen(start));
    assert_non_null(end);
    unsigned named = 1, more = 0;
    for (const char *c = sentence; c < end; c++)
        named += *c == ',';
    assert_int_equal(sscanf(end, " and %u more", &more), 1);
    assert_int_equal(named + more, DVBT2_MAX_PLP);
    assert_string_equal(strstr(end, " more"), " more");
}

static void test_added_outputs(void **state)
{
    (void)state;
    enum { OUTPUTS = 1 + 2 * (DVBT2_MAX_PLP - 1) };
    arrived all = {0};
    dvbt2_status status;
    dvbt2_receiver *rx = make_receiver(DVBT2_FIRST_PLP, 1);
    assert_int_equal(dvbt2_receiver_outputs(rx), 1);
    receive(rx, in_order, &all);
    assert_int_equal(dvbt2_receiver_outputs(rx), OUTPUTS);
    for (int32_t i = 0; i < DVBT2_MAX_PLP - 1; i++) {
        assert_int_equal(dvbt2_receiver_output_plp(rx, 1 + 2 * (uint32_t)i), 1 + i);
        assert_int_equal(dvbt2_receiver_output_plp(rx, 2 + 2 * (uint32_t)i), DVBT2_COMMON_PLP - 1 - 2 * i);
    }
    receive(rx, with_another_last, &all); /* there are more PLPs than outputs */
    dvbt2_receiver_status(rx, &status);
    assert_int_equal(dvbt2_receiver_outputs(rx), OUTPUTS);
    assert_string_equal(status.message, "PLP 255 is not received: there are 509 outputs already");
    receive(rx, in_order, &all);
    assert_in_range(all.first, 3 * FRAMES - 1, 3 * FRAMES);
    assert_in_range(all.last, 2 * FRAMES - 1, 2 * FRAMES);
    assert_int_equal(all.others, 0);
    assert_int_equal(dvbt2_receiver_output_plp(rx, OUTPUTS), DVBT2_FIRST_PLP);
    dvbt2_receiver_destroy(rx);
    assert_int_equal(dvbt2_receiver_outputs(NULL), 0);
    assert_int_equal(dvbt2_receiver_output_plp(NULL, 0), DVBT2_FIRST_PLP);
}

static void test_outputs_that_nobody_wants(void **state)
{
    (void)state;
    arrived all = {0};
    dvbt2_receiver *rx = make_receiver(254, 0);
    receive(rx, in_order, &all);
    assert_int_equal(dvbt2_receiver_outputs(rx), 1);
    assert_int_equal(all.first, 0);
    assert_true(all.last > 0);
    dvbt2_receiver_destroy(rx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_plp),
        cmocka_unit_test(test_added_outputs),
        cmocka_unit_test(test_outputs_that_nobody_wants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
