/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests L1 that no available transmitter sends: common PLP with types 1 and 2, auxiliary streams, L1
 * repetition, FEF parts, changing PLPs. All received cells must equal the transmitted cells. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/support/l1_writer.h"
#include "dvbt2/support/transmitter.h"
#include "ldpc/dvbt2.h"

enum { MAX_PLPS = DVBT2_MAX_PLP, MAX_FRAMES = 16, SUPER_FRAME = 4 };

typedef struct broadcast {
    transmitter t;
    uint32_t frames;
    dvbt2_l1_post post[MAX_FRAMES];
    float complex *cells[MAX_FRAMES][MAX_PLPS];
    uint32_t count[MAX_FRAMES][MAX_PLPS];
    float complex *samples;
    uint32_t n_samples;
} broadcast;

static uint32_t seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

/* 2K, guard interval 1/16, PP4, 30 data symbols: 9 ms per frame. */
static dvbt2_l1_pre small_mode(bool fef)
{
    return (dvbt2_l1_pre){.s1 = DVBT2_S1_T2_SISO,
                          .s2 = fef,
                          .guard_interval = DVBT2_GUARD_1_16,
                          .l1_mod = DVBT2_L1_QPSK,
                          .pilot_pattern = 3,
                          .num_t2_frames = SUPER_FRAME,
                          .num_data_symbols = 30,
                          .num_rf = 1,
                          .t2_version = 2};
}

static float complex random_cell(uint8_t plp_mod)
{
    static const float power[] = {2, 10, 42, 170};
    int levels = 2 << plp_mod;
    float axis[2];
    for (int i = 0; i < 2; i++)
        axis[i] = (float)(2 * (int)(next_random() % (uint32_t)levels) + 1 - levels) / sqrtf(power[plp_mod]);
    return rx_cplx(axis[0], axis[1]);
}

static void make_cells(broadcast *b, uint32_t frame)
{
    const dvbt2_l1_post *post = &b->post[frame];
    for (uint32_t i = 0; i < post->config.num_plp; i++) {
        const dvbt2_l1_plp *plp = &post->config.plp[i];
        uint32_t count = post->dynamic.plp[i].plp_num_blocks * 16200U / (2 * (plp->plp_mod + 1U));
        b->count[frame][i] = count;
        b->cells[frame][i] = malloc((count + 1) * sizeof(float complex));
        assert_non_null(b->cells[frame][i]);
        for (uint32_t c = 0; c < count; c++)
            b->cells[frame][i][c] = random_cell(plp->plp_mod);
    }
}

static void broadcast_make(broadcast *b)
{
    uint32_t at = 0;
    b->n_samples = b->frames * (b->t.p.frame_length + b->post[0].config.fef_length);
    b->samples = calloc(b->n_samples, sizeof(*b->samples));
    assert_non_null(b->samples);
    for (uint32_t f = 0; f < b->frames; f++) {
        make_cells(b, f);
        b->post[f].dynamic.frame_idx = f % SUPER_FRAME;
        transmitter_send(&b->t, &b->post[f], (const float complex *const *)b->cells[f], b->samples + at);
        at += b->t.p.frame_length;
        const dvbt2_l1_configurable *config = &b->post[f].config;
        if (config->fef && (f + 1) % config->fef_interval == 0) {
            for (uint32_t i = 0; i < config->fef_length; i++)
                b->samples[at + i] = random_cell(2) * 0.7F;
            at += config->fef_length;
        }
    }
    b->n_samples = at;
}

static void broadcast_free(broadcast *b)
{
    for (uint32_t f = 0; f < b->frames; f++) {
        for (uint32_t i = 0; i < MAX_PLPS; i++)
            free(b->cells[f][i]);
    }
    free(b->samples);
    transmitter_close(&b->t);
}

/* ---- reception */

/* Output of the receiver. */
typedef struct output {
    uint8_t plp_id;
    uint32_t frames; /* number of frames with cells of this PLP */
    bool seen[MAX_FRAMES];
    float complex *cells; /* cells of the current frame */
    uint32_t room;
} output;

/* Stores cells first .. first + count - 1. */
static void gather(output *out, const dvbt2_plp_frame *info, uint32_t first, size_t count, const float *iq)
{
    if (out->room < info->cells) {
        free(out->cells);
        out->room = info->cells;
        out->cells = malloc(out->room * sizeof(*out->cells));
        assert_non_null(out->cells);
    }
    for (size_t c = 0; c < count; c++)
        out->cells[first + c] = rx_cplx(iq[2 * c], iq[2 * c + 1]);
}

static void check_cells(const broadcast *b, output *out, const dvbt2_plp_frame *info,
                        const float complex *cells)
{
    if (info->plp.plp_id != out->plp_id)
        return;
    for (uint32_t f = 0; f < b->frames; f++) {
        const dvbt2_l1_post *post = &b->post[f];
        for (uint32_t i = 0; i < post->config.num_plp; i++) {
            const float complex *sent = b->cells[f][i];
            if (post->config.plp[i].plp_id != out->plp_id || b->count[f][i] != info->cells || out->seen[f])
                continue;
            uint32_t right = 0;
            for (uint32_t c = 0; c < info->cells; c++)
                right += cabsf(cells[c] - sent[c]) < 0.15F;
            if (right < info->cells / 2)
                continue;
            if (out->frames)
                assert_int_equal(right, info->cells);
            assert_true(right > info->cells * 8 / 10);
            assert_int_equal(info->frame_idx, f % SUPER_FRAME);
            assert_int_equal(info->plp.plp_mod, post->config.plp[i].plp_mod);
            assert_int_equal(info->n_blocks, post->dynamic.plp[i].plp_num_blocks);
            out->seen[f] = true;
            out->frames++;
            return;
        }
    }
    fail_msg("cells of PLP %u that were not transmitted", out->plp_id);
}

static void pull(const broadcast *b, dvbt2_receiver *rx, uint32_t n, output *out)
{
    static float iq[2 * 65536], noise[65536];
    dvbt2_plp_frame info;
    uint32_t first;
    size_t count;
    for (uint32_t i = 0; i < n; i++) {
        while ((count = dvbt2_receiver_pull(rx, i, 65536, iq, noise, &info, &first)) > 0) {
            gather(&out[i], &info, first, count, iq);
            if (first + count == info.cells)
                check_cells(b, &out[i], &info, out[i].cells);
        }
    }
}

static void push_all(const broadcast *b, dvbt2_receiver *rx, uint32_t n, output *out)
{
    for (uint32_t at = 0; at < b->n_samples;) {
        uint32_t count = b->n_samples - at < 5000 ? b->n_samples - at : 5000;
        at += (uint32_t)dvbt2_receiver_push(rx, b->samples + at, count);
        pull(b, rx, n, out);
    }
}

static void receive(const broadcast *b, const int32_t *plps, uint32_t n, output *out)
{
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.n_plps = n;
    memcpy(params.plp, plps, n * sizeof(*plps));
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    static const float complex silence[4096];
    push_all(b, rx, n, out);
    for (int i = 0; i < 20; i++) { /* flush the filters */
        dvbt2_receiver_push(rx, silence, 4096);
        pull(b, rx, n, out);
    }
    for (uint32_t i = 0; i < n; i++)
        free(out[i].cells);
    dvbt2_receiver_destroy(rx);
}

/* ---- test cases */

static void set_plp(dvbt2_l1_post *post, uint32_t i, dvbt2_l1_plp plp, uint32_t start, uint16_t blocks)
{
    plp.frame_interval = plp.frame_interval ? plp.frame_interval : 1;
    plp.time_il_length = 1;
    plp.plp_payload_type = DVBT2_PAYLOAD_TS;
    plp.plp_num_blocks_max = 20;
    plp.plp_group_id = 1;
    post->config.plp[i] = plp;
    post->dynamic.plp[i] =
        (dvbt2_l1_plp_dynamic){.plp_id = plp.plp_id, .plp_start = start, .plp_num_blocks = blocks};
}

/* Fills an L1-post with a common PLP, one PLP of type 1, two PLPs of type 2 in 10 sub-slices, two auxiliary
 * streams, L1 repetition and an extension block. */
static void many_plps(dvbt2_l1_post *post)
{
    memset(post, 0, sizeof(*post));
    post->config.sub_slices_per_frame = 10;
    post->config.num_plp = 4;
    post->config.num_aux = 2;
    set_plp(post, 0, (dvbt2_l1_plp){.plp_id = 9, .plp_type = DVBT2_PLP_COMMON}, 0, 1);
    set_plp(post, 1, (dvbt2_l1_plp){.plp_id = 1, .plp_type = DVBT2_PLP_TYPE_1, .plp_mod = 1}, 8100, 2);
    set_plp(post, 2, (dvbt2_l1_plp){.plp_id = 2, .plp_type = DVBT2_PLP_TYPE_2, .plp_mod = 2}, 16200, 2);
    set_plp(post, 3, (dvbt2_l1_plp){.plp_id = 3, .plp_type = DVBT2_PLP_TYPE_2, .plp_mod = 1}, 16740, 2);
    post->dynamic.sub_slice_interval = 540 + 810;
    post->dynamic.type_2_start = 16200;
    post->extensions = 1;
    post->extension[0].type = 0xFF;
    post->extension[0].length = 33;
}

static void test_common_and_type_2(void **state)
{
    (void)state;
    static broadcast b;
    static const int32_t plps[] = {1, DVBT2_COMMON_PLP, 3, 2, DVBT2_COMMON_PLP - 3};
    output out[5] = {{.plp_id = 1}, {.plp_id = 9}, {.plp_id = 3}, {.plp_id = 2}, {.plp_id = 9}};
    dvbt2_l1_pre pre = small_mode(false);
    memset(&b, 0, sizeof(b));
    pre.l1_repetition_flag = pre.l1_post_extension = true;
    transmitter_open(&b.t, &pre);
    b.frames = 8;
    for (uint32_t f = 0; f < b.frames; f++)
        many_plps(&b.post[f]);
    broadcast_make(&b);
    receive(&b, plps, 5, out);
    for (int i = 0; i < 5; i++)
        assert_int_equal(out[i].frames, b.frames);
    broadcast_free(&b);
}

static void test_l1_changes(void **state)
{
    (void)state;
    static broadcast b;
    static const int32_t plps[] = {5, 6};
    output out[2] = {{.plp_id = 5}, {.plp_id = 6}};
    dvbt2_l1_pre pre = small_mode(false);
    memset(&b, 0, sizeof(b));
    transmitter_open(&b.t, &pre);
    b.frames = 16;
    uint32_t second = 0;
    for (uint32_t f = 0; f < b.frames; f++) {
        dvbt2_l1_post *post = &b.post[f];
        uint8_t mod = f / SUPER_FRAME % 4;
        uint16_t blocks = (uint16_t)(1 + f % 3), others = f % 2;
        uint32_t cells = blocks * 16200U / (2 * (mod + 1U));
        post->config.sub_slices_per_frame = 1;
        post->config.num_plp = 2;
        set_plp(post, 0, (dvbt2_l1_plp){.plp_id = 6, .plp_type = 1}, 0, others);
        set_plp(post, 1, (dvbt2_l1_plp){.plp_id = 5, .plp_type = 1, .plp_mod = mod}, others * 8100U, blocks);
        assert_true(others * 8100 + cells < 40000);
        post->dynamic.l1_change_counter = 1;
        second += others;
    }
    broadcast_make(&b);
    receive(&b, plps, 2, out);
    for (uint32_t f = 0; f < b.frames; f++)
        assert_true(out[0].seen[f]);
    assert_int_equal(out[1].frames, second);
    broadcast_free(&b);
}

static void test_a_change_that_was_not_read(void **state)
{
    (void)state;
    static broadcast b;
    static const int32_t plps[] = {5};
    enum { CHANGE = 2 * SUPER_FRAME };
    output out[1] = {{.plp_id = 5}};
    dvbt2_l1_pre pre = small_mode(false);
    memset(&b, 0, sizeof(b));
    transmitter_open(&b.t, &pre);
    b.frames = 4 * SUPER_FRAME;
    for (uint32_t f = 0; f < b.frames; f++) {
        dvbt2_l1_post *post = &b.post[f];
        post->config.sub_slices_per_frame = 1;
        post->config.num_plp = 1;
        set_plp(post, 0, (dvbt2_l1_plp){.plp_id = 5, .plp_type = 1, .plp_mod = f < CHANGE ? 1 : 3}, 0, 3);
        post->dynamic.l1_change_counter = f < CHANGE ? (uint8_t)(2 - f / SUPER_FRAME) : 0;
    }
    broadcast_make(&b);
    const uint32_t p2 = CHANGE * b.t.p.frame_length + 2048;
    for (uint32_t i = 0; i < b.t.p.n_p2 * b.t.p.symbol_length; i++)
        b.samples[p2 + i] = random_cell(2);
    receive(&b, plps, 1, out);
    for (uint32_t f = 0; f < b.frames; f++)
        assert_int_equal(out[0].seen[f], f != CHANGE);
    broadcast_free(&b);
}

static void receive_noisy_l1(double l1_post_noise, output *out)
{
    static broadcast b;
    static const int32_t plps[] = {5};
    dvbt2_l1_pre pre = small_mode(false);
    memset(&b, 0, sizeof(b));
    transmitter_open(&b.t, &pre);
    b.t.l1_post_noise = l1_post_noise;
    b.frames = 3 * SUPER_FRAME;
    for (uint32_t f = 0; f < b.frames; f++) {
        b.post[f].config.sub_slices_per_frame = 1;
        b.post[f].config.num_plp = 1;
        set_plp(&b.post[f], 0, (dvbt2_l1_plp){.plp_id = 5, .plp_type = 1}, 0, 3);
    }
    broadcast_make(&b);
    receive(&b, plps, 1, out);
    broadcast_free(&b);
}

static void test_noisy_l1(void **state)
{
    (void)state;
    output clean = {.plp_id = 5}, noisy = {.plp_id = 5};
    receive_noisy_l1(0, &clean);
    receive_noisy_l1(0.7, &noisy);
    assert_true(clean.frames > 8);
    assert_memory_equal(noisy.seen, clean.seen, sizeof(clean.seen));
}

static void test_255_plps(void **state)
{
    (void)state;
    static broadcast b;
    static int32_t plps[DVBT2_MAX_OUTPUTS];
    static output out[DVBT2_MAX_OUTPUTS];
    for (int32_t i = 0; i < DVBT2_MAX_PLP; i++) {
        plps[i] = i;
        plps[DVBT2_MAX_PLP + i] = DVBT2_COMMON_PLP - i;
        out[i].plp_id = (uint8_t)i;
        out[DVBT2_MAX_PLP + i].plp_id = 100;
    }
    dvbt2_l1_pre pre = small_mode(false);
    pre.s2 = 5 << 1; /* 32K */
    pre.guard_interval = DVBT2_GUARD_1_32;
    pre.pilot_pattern = 3;
    pre.l1_mod = DVBT2_L1_64QAM;
    pre.num_data_symbols = 3;
    pre.l1_post_extension = true;
    memset(&b, 0, sizeof(b));
    transmitter_open(&b.t, &pre);
    b.frames = 7;
    for (uint32_t f = 0; f < b.frames; f++) {
        dvbt2_l1_post *post = &b.post[f];
        post->config.sub_slices_per_frame = 1;
        post->config.num_plp = DVBT2_MAX_PLP;
        post->extensions = 1; /* pads the FEC blocks of L1-post */
        post->extension[0].type = 0xFF;
        post->extension[0].length = 3000;
        uint32_t start = 0;
        for (uint32_t i = 0; i < DVBT2_MAX_PLP; i++) {
            const bool has_cells = i == 0 || i == 100 || i == 254;
            const uint8_t type = i == 100 ? DVBT2_PLP_COMMON : DVBT2_PLP_TYPE_1;
            set_plp(post, i, (dvbt2_l1_plp){.plp_id = (uint8_t)i, .plp_type = type}, start, has_cells);
            start += has_cells * 8100u;
        }
    }
    broadcast_make(&b);
    receive(&b, plps, DVBT2_MAX_OUTPUTS, out);
    for (uint32_t i = 0; i < DVBT2_MAX_OUTPUTS; i++)
        if (i == 0 || i == 100 || i >= 254)
            assert_int_equal(out[i].frames, b.frames);
        else
            assert_int_equal(out[i].frames, 0);
    broadcast_free(&b);
}

static void test_frame_interval_and_fef(void **state)
{
    (void)state;
    static broadcast b;
    static const int32_t plps[] = {7, 8};
    output out[2] = {{.plp_id = 7}, {.plp_id = 8}};
    dvbt2_l1_pre pre = small_mode(true);
    memset(&b, 0, sizeof(b));
    transmitter_open(&b.t, &pre);
    b.frames = 16;
    for (uint32_t f = 0; f < b.frames; f++) {
        dvbt2_l1_post *post = &b.post[f];
        post->config.sub_slices_per_frame = 1;
        post->config.num_plp = 2;
        post->config.fef = true;
        post->config.fef_length = 30000;
        post->config.fef_interval = SUPER_FRAME;
        set_plp(post, 0,
                (dvbt2_l1_plp){
                    .plp_id = 7, .plp_type = 1, .plp_mod = 3, .frame_interval = 2, .first_frame_idx = 1},
                f % 2 ? 1000 : 0, f % 2 ? 5 : 0);
        set_plp(post, 1,
                (dvbt2_l1_plp){
                    .plp_id = 8, .plp_type = 1, .plp_mod = 2, .frame_interval = 4, .first_frame_idx = 2},
                12000, f % 4 == 2 ? 2 : 0);
    }
    broadcast_make(&b);
    receive(&b, plps, 2, out);
    for (uint32_t f = 0; f < b.frames; f++) {
        assert_int_equal(out[0].seen[f], f % 2 == 1);
        assert_int_equal(out[1].seen[f], f % 4 == 2);
    }
    broadcast_free(&b);
}

static void test_mode_changes(void **state)
{
    (void)state;
    static broadcast b[2];
    static const int32_t plps[] = {DVBT2_FIRST_PLP};
    dvbt2_l1_pre pre[2] = {small_mode(false), small_mode(false)};
    pre[1].s2 = 1 << 1; /* 8K */
    pre[1].guard_interval = DVBT2_GUARD_1_32;
    pre[1].pilot_pattern = 6;
    pre[1].num_data_symbols = 7;
    memset(b, 0, sizeof(b));
    for (int i = 0; i < 2; i++) {
        transmitter_open(&b[i].t, &pre[i]);
        b[i].frames = 8;
        for (uint32_t f = 0; f < b[i].frames; f++) {
            b[i].post[f].config.sub_slices_per_frame = 1;
            b[i].post[f].config.num_plp = 1;
            set_plp(&b[i].post[f], 0, (dvbt2_l1_plp){.plp_id = (uint8_t)i, .plp_type = 1}, 0, 3);
        }
        broadcast_make(&b[i]);
    }
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    memcpy(params.plp, plps, sizeof(plps));
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    output out[2] = {{.plp_id = 0}, {.plp_id = 1}};
    for (int i = 0; i < 2; i++) {
        push_all(&b[i], rx, 1, &out[i]);
        assert_int_equal(out[i].frames,
                         b[i].frames - (i == 1)); /* the filters delay the end of the last frame */
    }
    dvbt2_receiver_destroy(rx);
    for (int i = 0; i < 2; i++) {
        free(out[i].cells);
        broadcast_free(&b[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_and_type_2),
        cmocka_unit_test(test_l1_changes),
        cmocka_unit_test(test_a_change_that_was_not_read),
        cmocka_unit_test(test_255_plps),
        cmocka_unit_test(test_frame_interval_and_fef),
        cmocka_unit_test(test_mode_changes),
        cmocka_unit_test(test_noisy_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
