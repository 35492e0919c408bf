/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames whose L1 has a right CRC and absurd contents: the receiver and the PLP decoder survive them, hand over
 * no more cells than a frame has, and receive the frames that follow.
 *
 *     test_t2_absurd_l1 [FRAMES]          frames with absurd L1, default 100
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/l1_writer.h"
#include "dvbt2/synthetic.h"
#include "dvbt2/transmitter.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

enum { CELLS = 2 * 8100, RIGHT_FRAMES = 40, OUTPUTS = 3, MAX_CELLS = 1 << 17 };

static unsigned long absurd_frames = 100;

/* A whole number of `bits` bits. */
static uint32_t random_bits(unsigned bits)
{
    return (uint32_t)(uniform() * (double)(1ULL << bits));
}

/* 2K, guard interval 1/16, PP4, 30 data symbols. */
static const dvbt2_l1_pre right_pre = {.s1 = DVBT2_S1_T2_SISO,
                                       .guard_interval = DVBT2_GUARD_1_16,
                                       .l1_mod = DVBT2_L1_QPSK,
                                       .pilot_pattern = 3,
                                       .num_t2_frames = 2,
                                       .num_data_symbols = 30,
                                       .num_rf = 1,
                                       .t2_version = 2};

/* One PLP of two FEC blocks in QPSK. */
static dvbt2_l1_post right_post(uint8_t frame_idx)
{
    dvbt2_l1_post post = {
        .config = {.sub_slices_per_frame = 1, .num_plp = 1},
          .dynamic = {.frame_idx = frame_idx                        }
    };
    post.config.plp[0] = (dvbt2_l1_plp){.plp_id = 1,
                                        .plp_type = DVBT2_PLP_TYPE_1,
                                        .frame_interval = 1,
                                        .time_il_length = 1,
                                        .plp_payload_type = DVBT2_PAYLOAD_TS,
                                        .plp_num_blocks_max = 2};
    post.dynamic.plp[0] = (dvbt2_l1_plp_dynamic){.plp_id = 1, .plp_num_blocks = 2};
    return post;
}

static void spoil_plp(dvbt2_l1_plp *plp, dvbt2_l1_plp_dynamic *dynamic)
{
    plp->plp_id = (uint8_t)random_bits(2);
    plp->plp_type = (uint8_t)random_bits(random_bits(1) ? 3 : 1);
    plp->plp_payload_type = (uint8_t)random_bits(5);
    plp->first_frame_idx = (uint8_t)random_bits(random_bits(1) ? 8 : 1);
    plp->plp_cod = (uint8_t)random_bits(3);
    plp->plp_mod = (uint8_t)random_bits(random_bits(1) ? 3 : 2);
    plp->plp_rotation = random_bits(1);
    plp->plp_fec_type = (uint8_t)random_bits(random_bits(1) ? 2 : 1);
    plp->frame_interval = (uint8_t)random_bits(random_bits(1) ? 8 : 2);
    plp->time_il_length = (uint8_t)random_bits(random_bits(1) ? 8 : 2);
    plp->time_il_type = random_bits(1);
    plp->in_band_a_flag = random_bits(1);
    plp->in_band_b_flag = random_bits(1);
    plp->plp_mode = (uint8_t)random_bits(2);
    dynamic->plp_id = plp->plp_id;
    dynamic->plp_start = random_bits(random_bits(1) ? 22 : 10);
    dynamic->plp_num_blocks = (uint16_t)random_bits(random_bits(1) ? 10 : 2);
}

static void spoil_post(dvbt2_l1_post *post)
{
    post->config.sub_slices_per_frame = (uint16_t)random_bits(random_bits(1) ? 15 : 3);
    post->config.num_plp = (uint8_t)random_bits(2);
    post->config.fef_type = (uint8_t)random_bits(4);
    post->config.fef_length = random_bits(random_bits(1) ? 22 : 12);
    post->config.fef_interval = (uint8_t)random_bits(random_bits(1) ? 8 : 1);
    post->dynamic.frame_idx = (uint8_t)random_bits(random_bits(1) ? 8 : 1);
    post->dynamic.sub_slice_interval = random_bits(random_bits(1) ? 22 : 10);
    post->dynamic.type_2_start = random_bits(random_bits(1) ? 22 : 10);
    post->dynamic.l1_change_counter = (uint8_t)random_bits(8);
    for (uint32_t i = 0; i < post->config.num_plp; i++)
        spoil_plp(&post->config.plp[i], &post->dynamic.plp[i]);
}

/* One of the fields that tell the mode, or none. */
static void spoil_pre(dvbt2_l1_pre *pre)
{
    switch (random_bits(4)) {
    case 0:
        pre->pilot_pattern = (uint8_t)random_bits(4);
        break;
    case 1:
        pre->num_data_symbols = (uint16_t)random_bits(12);
        break;
    case 2:
        pre->guard_interval = (uint8_t)random_bits(3);
        break;
    case 3:
        pre->bwt_ext = true;
        break;
    case 4:
        pre->papr = (uint8_t)random_bits(4);
        break;
    case 5:
        pre->num_t2_frames = (uint8_t)random_bits(1);
        break;
    case 6:
        pre->num_rf = (uint8_t)random_bits(3);
        break;
    case 7:
        pre->s2 = (uint8_t)random_bits(4);
        break;
    case 8:
        pre->l1_repetition_flag = true;
        break;
    default:
        break;
    }
}

typedef struct reception {
    dvbt2_receiver *rx;
    dvbt2_plp_decoder *decoder;
    uint32_t longest; /* cells of a frame */
    uint32_t right;   /* frames with the cells of the PLP */
} reception;

static void pull(reception *r)
{
    static float iq[2 * MAX_CELLS], noise[MAX_CELLS];
    static uint8_t ts[188 * 100];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (uint32_t i = 0; i < OUTPUTS; i++)
        for (size_t count;
             (count = dvbt2_receiver_pull(r->rx, i, MAX_CELLS, iq, noise, &frame, &first)) > 0;) {
            assert_in_range(frame.cells, 1, r->longest);
            assert_in_range(first + count, 1, frame.cells);
            if (i > 0)
                continue;
            dvbt2_plp_decoder_feed(r->decoder, &frame, first, count, iq, noise);
            while (dvbt2_plp_decoder_pull(r->decoder, ts, 100) > 0)
                ;
            r->right += frame.cells == CELLS && first + count == CELLS && frame.plp.plp_id == 1;
        }
}

static void send(transmitter *t, reception *r, uint8_t frame_idx, const float complex *cells,
                 float complex *samples)
{
    static dvbt2_l1_post post;
    post = right_post(frame_idx);
    transmitter_send(t, &post, &cells, samples);
    for (uint32_t at = 0; at < t->p.frame_length;) {
        at += (uint32_t)dvbt2_receiver_push(r->rx, samples + at, t->p.frame_length - at);
        pull(r);
    }
}

static void test_absurd_l1(void **state)
{
    (void)state;
    static dvbt2_l1_post told;
    static float complex cells[CELLS];
    transmitter t;
    transmitter_open(&t, &right_pre);
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = rx_cplx(random_bits(1) ? 0.7071F : -0.7071F, random_bits(1) ? 0.7071F : -0.7071F);
    float complex *samples = malloc(t.p.frame_length * sizeof *samples);
    assert_non_null(samples);
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.n_plps = OUTPUTS;
    params.plp[1] = 2;
    params.plp[2] = DVBT2_COMMON_PLP;
    reception r = {.longest = 1 << 24};
    assert_int_equal(dvbt2_receiver_create(&params, &r.rx, NULL), LDPC_OK);
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &r.decoder, NULL), LDPC_OK);
    for (unsigned long f = 0; f < absurd_frames + RIGHT_FRAMES; f++) {
        told = right_post(f % 2);
        t.told = &told;
        t.pre = right_pre;
        if (f < absurd_frames && f > 3) {
            spoil_pre(&t.pre);
            spoil_post(&told);
        }
        if (f == absurd_frames)
            r.right = 0;
        send(&t, &r, f % 2, cells, samples);
    }
    assert_in_range(r.right, 3,
                    RIGHT_FRAMES); /* the last absurd frame may have told of 250 ms of a FEF part */
    dvbt2_plp_decoder_destroy(r.decoder);
    dvbt2_receiver_destroy(r.rx);
    free(samples);
    transmitter_close(&t);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_absurd_l1)};
    if (argc > 1)
        absurd_frames = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
