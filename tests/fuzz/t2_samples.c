/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples into the DVB-T2 receiver: a signal of a small mode that the input cuts, repeats, scales, drowns in noise and replaces
 * by raw bytes. Whatever comes, the receiver takes it, and its cells are those of a frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dvbt2/finite.h"
#include "dvbt2/transmitter.h"
#include "fuzz.h"
#include "ldpc/dvbt2.h"
#include "receiver/complex.h"

enum { FRAMES = 2, MOST_SAMPLES = 1 << 16, MOST_CELLS = 1 << 14, CELLS = 8100, PARTS = 12 };

static struct {
    float complex *samples;
    uint32_t count;
} signal;

/* 2K, guard interval 1/32, PP7, the fewest symbols that one FEC block in QPSK fits in. */
static void make_signal(void)
{
    static float complex cells[CELLS];
    const dvbt2_l1_pre pre = {.guard_interval = DVBT2_GUARD_1_32,
                              .pilot_pattern = 6,
                              .l1_mod = DVBT2_L1_BPSK,
                              .num_t2_frames = FRAMES,
                              .num_data_symbols = 6,
                              .num_rf = 1};
    transmitter t;
    transmitter_open(&t, &pre);
    signal.count = FRAMES * t.p.frame_length;
    signal.samples = malloc(signal.count * sizeof *signal.samples);
    FUZZ_CHECK(signal.samples);
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = rx_cplx(i % 3 ? 0.7071F : -0.7071F, i % 5 ? 0.7071F : -0.7071F);
    for (uint8_t frame = 0; frame < FRAMES; frame++) {
        static dvbt2_l1_post post;
        const float complex *of_plp = cells;
        post = (dvbt2_l1_post){
            .config = {.sub_slices_per_frame = 1, .num_plp = 1},
              .dynamic = {.frame_idx = frame                        }
        };
        post.config.plp[0] = (dvbt2_l1_plp){.plp_id = 1,
                                            .plp_type = DVBT2_PLP_TYPE_1,
                                            .plp_payload_type = DVBT2_PAYLOAD_TS,
                                            .frame_interval = 1,
                                            .time_il_length = 1,
                                            .plp_num_blocks_max = 1};
        post.dynamic.plp[0] = (dvbt2_l1_plp_dynamic){.plp_id = 1, .plp_num_blocks = 1};
        transmitter_send(&t, &post, &of_plp, signal.samples + frame * t.p.frame_length);
    }
    transmitter_close(&t);
}

/* ---- one run */

static void pull(dvbt2_receiver *rx)
{
    static float iq[2 * MOST_CELLS], noise[MOST_CELLS];
    dvbt2_plp_frame frame;
    uint32_t first;
    size_t count;
    while ((count = dvbt2_receiver_pull(rx, 0, MOST_CELLS, iq, noise, &frame, &first)) > 0) {
        FUZZ_CHECK(count <= MOST_CELLS && frame.cells > 0 && first + count <= frame.cells);
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(isfinite(iq[2 * i] + iq[2 * i + 1] + noise[i]));
    }
}

static void push(dvbt2_receiver *rx, const float complex *samples, size_t count)
{
    for (size_t done = 0, taken; done < count; done += taken) {
        taken = dvbt2_receiver_push(rx, samples + done, count - done);
        FUZZ_CHECK(taken <= count - done && all_finite(rx));
        pull(rx);
    }
}

/* A part of the signal from `at` on, as the input changes it; returns how many samples. */
static uint32_t make_part(fuzz_input *in, uint32_t at, float complex *part)
{
    uint32_t kind = fuzz_below(in, 8), count = (1 + fuzz_byte(in)) * (MOST_SAMPLES / 256);
    uint64_t random = fuzz_byte(in);
    float scale = kind == 1   ? (float)fuzz_byte(in) / 32
                  : kind == 5 ? powf(10, (float)fuzz_byte(in) / 8 - 24)
                              : 1,
          level = kind == 2 ? (float)fuzz_byte(in) / 64 : 0;
    for (uint32_t i = 0; i < count; i++) {
        part[i] = signal.samples[(at + i) % signal.count] * scale;
        if (kind == 2)
            part[i] += level * rx_cplx((float)fuzz_random(&random) * 0x1p-31F - 1,
                                       (float)fuzz_random(&random) * 0x1p-31F - 1);
    }
    if (kind == 3) /* any floats at a few places */
        for (uint32_t edits = fuzz_byte(in); edits; edits--) {
            uint32_t bits[2] = {fuzz_word32(in), fuzz_word32(in)}, place = (fuzz_byte(in) << 8) % count;
            memcpy(&part[place + fuzz_byte(in) % (count - place)], bits, sizeof bits);
        }
    if (kind == 4)
        memset(part, 0, count * sizeof *part);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float complex part[MOST_SAMPLES];
    fuzz_input in = {data, size};
    if (!signal.samples)
        make_signal();
    dvbt2_receiver_params params;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7 * (1 + (double)((int32_t)fuzz_byte(&in) - 128) * 1e-6);
    params.offset = ((double)fuzz_byte(&in) - 128) * 100;
    const uint32_t start = fuzz_byte(&in);
    params.data_aided = start % 3; /* of the same byte, so that inputs keep their meaning */
    dvbt2_receiver *rx;
    FUZZ_CHECK(dvbt2_receiver_create(&params, &rx, NULL) == LDPC_OK);
    uint32_t at = start * 256;
    for (uint32_t parts = 0; in.left && parts < PARTS; parts++) {
        uint32_t count = make_part(&in, at, part), then = fuzz_below(&in, 8);
        push(rx, part, count);
        at += then == 0 ? fuzz_byte(&in) * 64 : count; /* samples are lost, or come again */
        if (then == 1)
            dvbt2_receiver_gap(rx, at % 256);
        if (then == 2)
            dvbt2_receiver_retune(rx, params.sample_rate, NULL);
    }
    dvbt2_status status;
    dvbt2_receiver_status(rx, &status);
    FUZZ_CHECK(status.message && status.frames <= status.frames_seen + status.locks + 1);
    dvbt2_receiver_destroy(rx);
    return 0;
}
