/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses L1-pre, L1-post and in-band signalling from arbitrary bits. */
#include "dvbt2/l1/in_band.h"
#include "dvbt2/l1/l1_coding.h"
#include "dvbt2/l1/l1_fields.h"
#include "dvbt2/support/l1_runs.h"
#include "fuzz.h"

enum { MOST_BITS = 1 << 15 };

/* Unpacks the input to one bit per byte. */
static uint32_t take_bits(fuzz_input *in, uint8_t *bits, uint32_t most)
{
    uint32_t count = 0;
    while (in->left && count + 8 <= most)
        for (uint32_t byte = fuzz_byte(in), i = 0; i < 8; i++)
            bits[count++] = byte >> (7 - i) & 1;
    return count;
}

static void take_pre(fuzz_input *in, dvbt2_l1_pre *pre)
{
    uint8_t bits[DVBT2_L1_PRE_BITS] = {0};
    uint32_t flags = fuzz_byte(in);
    *pre = (dvbt2_l1_pre){
        .s2 = flags & 15, .l1_mod = flags >> 4 & 3, .num_rf = 1, .num_t2_frames = 2, .num_data_symbols = 20};
    if (!(flags & 64))
        return;
    for (uint32_t at = 0; at < DVBT2_L1_PRE_BITS; at += 8)
        for (uint32_t byte = fuzz_byte(in), i = 0; i < 8; i++)
            bits[at + i] = byte >> (7 - i) & 1;
    dvbt2_l1_pre_parse(bits, pre);
}

static void check_coding(fuzz_input *in, const dvbt2_l1_pre *pre)
{
    static dvbt2_l1_positions positions;
    dvbt2_l1_post_coding coding;
    dvbt2_l1_pre changed = *pre;
    changed.l1_post_info_size = fuzz_word32(in) & 0xFFFF;
    uint32_t n_p2 = 1 + fuzz_below(in, 16);
    ldpc_error err = {""};
    if (dvbt2_l1_post_coding_of(&changed, n_p2, &coding, &err)) {
        FUZZ_CHECK(err.message[0]);
        return;
    }
    FUZZ_CHECK(coding.cells <= DVBT2_MAX_L1_POST_CELLS && coding.blocks <= DVBT2_MAX_L1_POST_BLOCKS);
    dvbt2_l1_post_positions(&coding, &positions);
    FUZZ_CHECK(positions.n_sent == coding.n_post && positions.n_sig == coding.k_sig);
    for (uint32_t i = 0; i < positions.n_sent; i++)
        FUZZ_CHECK(positions.sent[i] < DVBT2_L1_N && !positions.zero[positions.sent[i]]);
}

static void check_frame(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post)
{
    dvbt2_mode mode;
    dvbt2_parameters p;
    dvbt2_frame_map map;
    if (dvbt2_mode_from_l1(pre, &mode, NULL) || dvbt2_parameters_derive(&mode, &p, NULL) ||
        dvbt2_frame_map_init(&p, pre->l1_post_size, &map, NULL))
        return;
    FUZZ_CHECK(l1_runs_fit(&p, &map, post));
    dvbt2_fef_after(&post->config, post->dynamic.frame_idx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bits[MOST_BITS];
    static dvbt2_l1_post post;
    static dvbt2_in_band_a a;
    dvbt2_in_band_b b;
    fuzz_input in = {data, size};
    dvbt2_l1_pre pre;
    uint32_t flags = fuzz_byte(&in);
    take_pre(&in, &pre);
    if (flags & 1)
        check_coding(&in, &pre);
    uint8_t interval = (uint8_t)fuzz_byte(&in);
    uint32_t count = take_bits(&in, bits, MOST_BITS);
    count -= count > (flags >> 5) ? flags >> 5 : 0; /* any number of bits */
    /* exact size, for sanitizers */
    uint8_t *exact = malloc(count ? count : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, bits, count);
    const dvbt2_l1_plp plp = {.time_il_type = flags & 2,
                              .time_il_length = interval,
                              .frame_interval = 1,
                              .in_band_a_flag = flags & 4,
                              .in_band_b_flag = flags & 8};
    if (flags & 16) {
        if (dvbt2_in_band_parse(&plp, exact, count, &a, &b) && plp.in_band_a_flag)
            FUZZ_CHECK(a.n_frames <= 255);
    } else if (dvbt2_l1_post_parse(&pre, exact, count, &post, NULL) == LDPC_OK) {
        check_frame(&pre, &post);
    }
    free(exact);
    return 0;
}
