/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes any samples to a receiver: transmitted frames, also at another level, frames with any PLS code, input
 * bytes as samples, and gaps. Afterwards the receiver must receive good frames. */
#include <math.h>

#include "dvbs2/support/sender.h"
#include "dvbs2/standard/pl_header.h"
#include "fuzz.h"
#include "ldpc/dvbs2.h"

enum {
    MOST_PARTS = 10,
    MOST_SYMBOLS = 33300,
    SHORT = 4 * 7 + 3,
    BYTES = 4000,
    /* good frames after the changes: at least LEAST_FRAMES of MOST_FRAMES must be decoded */
    LEAST_FRAMES = 3,
    MOST_FRAMES = 30,
};

typedef struct target {
    sender s;
    dvbs2_receiver *rx;
    float complex symbols[MOST_SYMBOLS], samples[2 * MOST_SYMBOLS];
} target;

static void pull(dvbs2_receiver *rx)
{
    const dvbs2_frame *frame;
    while ((frame = dvbs2_receiver_pull(rx)) != NULL) {
        FUZZ_CHECK(frame->n_cells <= 32400);
        for (size_t i = 0; i < frame->n_packets; i++)
            FUZZ_CHECK(frame->packets[i * LDPC_TS_PACKET] == 0x47);
    }
}

static void push(dvbs2_receiver *rx, const float complex *samples, size_t count)
{
    for (size_t done = 0; done < count;) {
        const size_t taken = dvbs2_receiver_push(rx, samples + done, count - done);
        done += taken;
        pull(rx);
    }
}

static void push_symbols(target *t, size_t count)
{
    push(t->rx, t->samples, sender_shape(t->symbols, count, 2, 0.25, t->samples));
}

/* Gives a frame any PLS code. */
static void other_header(fuzz_input *in, target *t)
{
    const size_t count = sender_frame(&t->s, SHORT, t->symbols);
    dvbs2_header_symbols((uint8_t)fuzz_byte(in), t->symbols);
    push_symbols(t, count);
}

static void bytes_as_samples(fuzz_input *in, target *t)
{
    uint8_t bytes[BYTES];
    fuzz_fill(in, bytes, sizeof bytes, fuzz_byte(in));
    memcpy(t->samples, bytes, sizeof bytes);
    push(t->rx, t->samples, BYTES / sizeof *t->samples);
}

/* A frame at 0.001 to 1000 times the level. */
static void other_level(fuzz_input *in, target *t)
{
    const float level = powf(10, (float)fuzz_byte(in) / 42 - 3);
    const size_t count = sender_frame(&t->s, SHORT, t->symbols);
    for (size_t i = 0; i < count; i++)
        t->symbols[i] *= level;
    push_symbols(t, count);
}

static void push_good_frames(target *t)
{
    dvbs2_status status;
    dvbs2_receiver_status(t->rx, &status);
    const uint64_t before = status.frames - status.failed_frames;
    for (int i = 0; status.frames - status.failed_frames < before + LEAST_FRAMES; i++) {
        FUZZ_CHECK(i < MOST_FRAMES);
        push_symbols(t, sender_frame(&t->s, SHORT, t->symbols));
        dvbs2_receiver_status(t->rx, &status);
    }
}

static void push_part(fuzz_input *in, target *t)
{
    switch (fuzz_below(in, 6)) {
    case 0:
        other_header(in, t);
        break;
    case 1:
        bytes_as_samples(in, t);
        break;
    case 2:
        dvbs2_receiver_gap(t->rx);
        break;
    case 5:
        other_level(in, t);
        break;
    default:
        push_symbols(t, sender_frame(&t->s, SHORT, t->symbols));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static target t;
    fuzz_input in = {data, size};
    dvbs2_receiver_params params;
    dvbs2_receiver_params_init(&params);
    params.sample_rate = 2e6;
    params.symbol_rate = 1e6;
    params.max_iterations = 3;
    t.s = (sender){.seed = 1};
    FUZZ_CHECK(dvbs2_receiver_create(&params, &t.rx, NULL) == LDPC_OK);
    for (int i = 0; i < 3; i++)
        push_symbols(&t, sender_frame(&t.s, SHORT, t.symbols));
    for (int parts = 0; in.left && parts < MOST_PARTS; parts++)
        push_part(&in, &t);
    push_good_frames(&t);
    dvbs2_receiver_finish(t.rx);
    pull(t.rx);
    dvbs2_status status;
    dvbs2_receiver_status(t.rx, &status);
    FUZZ_CHECK(status.failed_frames <= status.frames && status.ts_errors <= status.packets);
    dvbs2_receiver_destroy(t.rx);
    return 0;
}
