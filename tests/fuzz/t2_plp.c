/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells into the PLP decoder: frames that say anything about themselves, in any order and in any pieces. */
#include "fuzz.h"
#include "ldpc/dvbt2_plp.h"

enum { MOST_CELLS = 8100, FEEDS = 6 };

/* A frame of one short FEC block, with some fields from the input. */
static dvbt2_plp_frame frame_of(fuzz_input *in)
{
    uint32_t flags = fuzz_byte(in);
    dvbt2_plp_frame frame = {
        .cells = MOST_CELLS, .cells_per_block = MOST_CELLS, .n_blocks = 1, .ti_blocks = 1, .frames = 1};
    frame.plp =
        (dvbt2_l1_plp){.plp_payload_type = DVBT2_PAYLOAD_TS, .frame_interval = 1, .time_il_length = 1};
    frame.frame = fuzz_byte(in);
    frame.lost = flags & 1 ? fuzz_byte(in) : 0;
    if (flags & 2)
        frame.frames = fuzz_byte(in);
    if (flags & 4)
        frame.part = fuzz_byte(in);
    if (flags & 8) {
        frame.n_blocks = fuzz_byte(in) << 2;
        frame.cells = fuzz_word32(in) >> (flags & 16 ? 0 : 16);
    }
    if (flags & 32) {
        frame.plp.plp_cod = fuzz_below(in, 9);
        frame.plp.plp_mod = fuzz_below(in, 5);
        frame.plp.plp_rotation = fuzz_byte(in) & 1;
        frame.ti_blocks = fuzz_byte(in);
    }
    if (flags & 64)
        frame.cells_per_block = fuzz_word32(in) >> 16;
    return frame;
}

static void pull(dvbt2_plp_decoder *dec)
{
    uint8_t ts[4 * LDPC_TS_PACKET];
    size_t count;
    while ((count = dvbt2_plp_decoder_pull(dec, ts, 4)) > 0)
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(ts[i * LDPC_TS_PACKET] == 0x47);
}

static void feed(fuzz_input *in, dvbt2_plp_decoder *dec)
{
    dvbt2_plp_frame frame = frame_of(in);
    uint32_t first = fuzz_byte(in) << 5, flags = fuzz_byte(in);
    size_t count = (1 + fuzz_byte(in)) << 5;
    count = count > MOST_CELLS ? MOST_CELLS : count;
    if (flags & 1) { /* the whole frame at once */
        first = 0;
        count = frame.cells < MOST_CELLS ? frame.cells : MOST_CELLS;
    }
    float *iq = malloc(2 * count * sizeof *iq),
          *noise = malloc(count * sizeof *noise); /* exactly what is read */
    FUZZ_CHECK(iq && noise);
    for (size_t i = 0; i < count; i++) {
        iq[2 * i] = i * i % 7 < 4 ? 0.7f : -0.7f;
        iq[2 * i + 1] = i % 5 < 3 ? 0.7f : -0.7f;
        noise[i] = flags & 2 ? -1 : 0.1f;
    }
    dvbt2_plp_decoder_feed(dec, &frame, first, count, iq, noise);
    free(iq);
    free(noise);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder *dec;
    dvbt2_plp_decoder_params_init(&params);
    params.max_iterations = 2;
    params.stream = fuzz_byte(&in) & 1 ? 3 : LDPC_BB_ANY_STREAM;
    FUZZ_CHECK(dvbt2_plp_decoder_create(&params, &dec, NULL) == LDPC_OK);
    for (uint32_t feeds = 0; in.left && feeds < FEEDS; feeds++) {
        uint32_t then = fuzz_byte(&in);
        feed(&in, dec);
        if (then & 1)
            pull(dec);
        if (then & 2)
            dvbt2_plp_decoder_break(dec);
        if (then & 4)
            dvbt2_plp_decoder_finish(dec);
    }
    dvbt2_plp_decoder_finish(dec);
    pull(dec);
    dvbt2_plp_counters counters = dvbt2_plp_decoder_counters(dec);
    FUZZ_CHECK(counters.failed_codewords <= counters.codewords && counters.bit_errors <= counters.bits);
    FUZZ_CHECK(counters.bch_failed <= counters.codewords);
    dvbt2_plp_decoder_destroy(dec);
    return 0;
}
