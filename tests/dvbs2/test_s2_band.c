/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the reception of all carriers of a band. Usage: test_s2_band [BACKEND] */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/band/band_threads.h"
#include "dvbs2/support/trial.h"
#include "ldpc/dvbs2_band.h"

static const double pi = 3.14159265358979323846;

enum { SAMPLES = 480000, CARRIERS = 4 };

static const double sample_rate = 6e6;

static const struct {
    double symbol_rate, offset, roll_off;
    uint8_t code;
} sent[CARRIERS] = {
    {1e6,   -2.3e6, 0.2,  PSK8_2_3_SHORT},
    {0.4e6, -1.2e6, 0.35, PSK8_2_3_SHORT},
    {1.5e6, 0.2e6,  0.25, PSK8_3_4_SHORT},
    {0.9e6, 2.45e6, 0.1,  PSK8_2_3_SHORT}, /* its edge is 55 kHz from the end of the band */
};

static int16_t samples[2 * SAMPLES];

/* Each carrier has Es/N0 of 10 dB plus its samples per symbol in dB. */
static void make_samples(void)
{
    static float complex sum[SAMPLES], symbols[SAMPLES / 2], shaped[SAMPLES + 200000];
    sender_seed(1);
    for (size_t c = 0; c < CARRIERS; c++) {
        sender s = {.seed = 1 + (uint32_t)c};
        const double ratio = sample_rate / sent[c].symbol_rate;
        size_t count = 0;
        while ((double)count * ratio < SAMPLES)
            count += sender_frame(&s, sent[c].code, symbols + count);
        assert_true((double)count * ratio < SAMPLES + 199000);
        sender_shape(symbols, count, ratio, sent[c].roll_off, shaped);
        for (size_t i = 0; i < SAMPLES; i++)
            sum[i] += shaped[i] * (float complex)cexp(2 * pi * I *
                                                      remainder(sent[c].offset / sample_rate * (double)i, 1));
    }
    for (size_t i = 0; i < SAMPLES; i++)
        sum[i] += noise(0.1);
    for (size_t i = 0; i < 2 * SAMPLES; i++)
        samples[i] = (int16_t)lrint(2000 * (double)((const float *)sum)[i]);
}

/* The packets of a carrier. */
typedef struct received {
    uint32_t first, next, packets, wrong, frames;
} received;

static void take(void *context, size_t carrier, const dvbs2_frame *frame)
{
    received *r = (received *)context + carrier;
    const sender s = {.seed = 1 + (uint32_t)carrier};
    r->frames++;
    for (size_t i = 0; i < frame->n_packets; i++) {
        uint8_t packet[LDPC_TS_PACKET];
        const uint8_t *p = frame->packets + i * LDPC_TS_PACKET;
        const uint32_t number = (uint32_t)p[4] << 24 | (uint32_t)p[5] << 16 | (uint32_t)p[6] << 8 | p[7];
        sender_packet(&s, number, packet);
        r->wrong += memcmp(packet, p, sizeof packet) != 0 || (r->packets > 0 && number < r->next);
        r->first = r->packets == 0 ? number : r->first;
        r->next = number + 1;
        r->packets++;
    }
}

static const char *backend = "cpu";

static dvbs2_band *create_with(const char *used, uint32_t threads, received *got)
{
    dvbs2_band_params params;
    dvbs2_receiver_params carriers[CARRIERS];
    dvbs2_band *band;
    ldpc_error err;
    dvbs2_band_params_init(&params);
    params.sample_rate = sample_rate;
    params.format = LDPC_CS16;
    params.threads = threads;
    params.frame = take;
    params.context = got;
    params.backend = used;
    for (size_t i = 0; i < CARRIERS; i++) {
        dvbs2_receiver_params_init(&carriers[i]);
        carriers[i].symbol_rate = sent[i].symbol_rate;
        carriers[i].offset = sent[i].offset + 500;
        carriers[i].roll_off = i % 2 ? sent[i].roll_off : 0;
    }
    memset(got, 0, CARRIERS * sizeof *got);
    assert_int_equal(dvbs2_band_create(&params, carriers, CARRIERS, &band, &err), LDPC_OK);
    return band;
}

static dvbs2_band *create(uint32_t threads, received *got)
{
    return create_with(backend, threads, got);
}

static void push(dvbs2_band *band, size_t from, size_t to, size_t piece)
{
    for (size_t done = from; done < to; done += piece)
        dvbs2_band_push(band, samples + 2 * done, to - done < piece ? to - done : piece);
}

/* Frames of the recording that are complete. */
static size_t whole_frames(size_t carrier)
{
    return (size_t)(SAMPLES * sent[carrier].symbol_rate / sample_rate /
                    (double)sender_length(sent[carrier].code));
}

static void test_reception(void **state)
{
    (void)state;
    static const struct {
        uint32_t threads;
        size_t piece;
    } ways[] = {
        {1, 777    },
        {3, SAMPLES},
    };
    received got[2][CARRIERS];
    for (size_t w = 0; w < 2; w++) {
        dvbs2_band *band = create(ways[w].threads, got[w]);
        push(band, 0, SAMPLES, ways[w].piece);
        dvbs2_band_finish(band);
        dvbs2_band_push(band, samples, 100); /* ignored */
        for (size_t i = 0; i < CARRIERS; i++) {
            dvbs2_status status;
            dvbs2_band_status(band, i, &status);
            assert_int_equal(status.failed_frames, 0);
            assert_true(status.frames + 1 >= whole_frames(i));
            assert_float_equal(status.carrier_hz, sent[i].offset, 20);
            assert_float_equal(status.roll_off, sent[i].roll_off, 1e-6);
            assert_int_equal(got[w][i].wrong, 0);
            assert_int_equal(got[w][i].frames, status.frames);
            assert_int_equal(got[w][i].next - got[w][i].first, got[w][i].packets);
            assert_true(got[w][i].packets > 0);
        }
        dvbs2_band_destroy(band);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]); /* threads and pieces do not matter */
}

static void test_a_gap(void **state)
{
    (void)state;
    received got[CARRIERS];
    dvbs2_band *band = create(2, got);
    push(band, 0, SAMPLES / 2, SAMPLES);
    dvbs2_band_gap(band);
    push(band, SAMPLES / 2 + 1234, SAMPLES, SAMPLES);
    dvbs2_band_finish(band);
    for (size_t i = 0; i < CARRIERS; i++) {
        dvbs2_status status;
        dvbs2_band_status(band, i, &status);
        assert_int_equal(status.losses[DVBS2_LOSS_GAP], 1);
        assert_int_equal(status.locks, 2);
        assert_true(status.frames + 4 >= whole_frames(i));
        assert_int_equal(got[i].wrong, 0);
        assert_in_range(status.failed_frames, 0, 1);
    }
    dvbs2_band_destroy(band);
}

/* A header of the first carrier is zero, and its last packet ends in the frame after the loss: a CPU and a GPU receive the same
 * packets. */
static void test_a_lost_header(void **state)
{
    (void)state;
    enum { SENT_FRAMES = 9, HEADER = 90 * 6 };
    static int16_t header[2 * HEADER];
    received got[2][CARRIERS];
    const size_t at = 2 * (SENT_FRAMES * sender_length(sent[0].code) * 6);
    memcpy(header, samples + at, sizeof header);
    memset(samples + at, 0, sizeof header);
    for (size_t w = 0; w < 2; w++) {
        dvbs2_status status;
        dvbs2_band *band = create_with(w == 0 ? "cpu" : backend, 2, got[w]);
        push(band, 0, SAMPLES, SAMPLES);
        dvbs2_band_finish(band);
        dvbs2_band_status(band, 0, &status);
        assert_int_equal(status.losses[DVBS2_LOSS_HEADER], 1);
        dvbs2_band_destroy(band);
    }
    memcpy(samples + at, header, sizeof header);
    assert_memory_equal(got[0], got[1], sizeof got[0]);
}

/* Frames that were in batches when the carrier recovery restarted do not restart it again. */
static void test_restarts(void **state)
{
    (void)state;
    enum { CELLS = 5400 };
    float cells[2 * CELLS];
    static dvbs2_carrier_fec fec;
    const dvbs2_frame frame = {
        .modulation = "8psk", .code = "dvbs2:16200:2/3", .esn0_db = 10, .cells = cells, .n_cells = CELLS};
    for (size_t i = 0; i < 2 * CELLS; i++)
        cells[i] = crealf(noise(1));
    fec = (dvbs2_carrier_fec){.decoders = dvbs2_batch_decoders_create("cpu", false, 32), .max_iterations = 5};
    assert_true(dvbs2_carrier_fec_init(&fec, LDPC_BB_ANY_STREAM));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 8; i++)
            dvbs2_carrier_fec_add(&fec, &frame);
        dvbs2_carrier_fec_finish(&fec);
        dvbs2_carrier_fec_add(&fec, &frame); /* in a batch for 10 ms */
        assert_true(dvbs2_carrier_fec_is_lost(&fec));
        assert_false(dvbs2_carrier_fec_is_lost(&fec));
        dvbs2_carrier_fec_finish(&fec);
        assert_int_equal(fec.failures, 0);
    }
    dvbs2_carrier_fec_free(&fec);
    dvbs2_batch_decoders_destroy(fec.decoders);
}

/* A code that the GPU cannot decode. */
static void test_fallback(void **state)
{
    (void)state;
    if (strcmp(backend, "cpu") == 0)
        skip();
    setenv("FAKE_GPU_ALLOCATES", "1000", 1);
    for (int fallback = 0; fallback < 2; fallback++) {
        dvbs2_batch_decoders *all = dvbs2_batch_decoders_create(backend, fallback, 4);
        dvbs2_batch_decoder *decoder;
        ldpc_error err = {{0}};
        const ldpc_status status = dvbs2_batch_decoders_get(all, "dvbs2:16200:2/3", 50, &decoder, &err);
        assert_int_equal(status == LDPC_OK, fallback);
        dvbs2_batch_decoders_destroy(all);
    }
    unsetenv("FAKE_GPU_ALLOCATES");
}

static void start_ones(dvbs2_batch_decoder *decoder, dvbs2_batch_result *result)
{
    const dvbs2_batch_place place = dvbs2_batch_decoder_reserve(decoder, result);
    memset(place.llr, -20, dvbs2_batch_decoder_n(decoder));
    dvbs2_batch_decoder_ready(decoder, place);
}

/* After the GPU has failed, each codeword has a result, without the message of an earlier codeword. */
static void test_a_lost_gpu(void **state)
{
    (void)state;
    enum { BEFORE = 8, ALL = 12 };
    static const uint8_t zeros[DVBS2_MOST_MESSAGE_BYTES];
    static dvbs2_batch_result results[ALL];
    if (!getenv("FAKE_GPU_CODES"))
        skip();
    dvbs2_batch_decoders *all = dvbs2_batch_decoders_create(backend, false, 1);
    dvbs2_batch_decoder *decoder;
    ldpc_error err;
    assert_int_equal(dvbs2_batch_decoders_get(all, "dvbs2:16200:2/3", 5, &decoder, NULL), LDPC_OK);
    for (size_t i = 0; i < ALL; i++) {
        start_ones(decoder, &results[i]);
        if (i >= BEFORE)
            continue;
        assert_true(dvbs2_batch_decoder_done(decoder, &results[i], true));
        assert_false(results[i].failed);
        assert_memory_not_equal(results[i].message, zeros, sizeof zeros);
        dvbs2_batch_decoder_message(decoder, &err);
        assert_string_equal(err.message, "");
        if (i == BEFORE - 1)
            setenv("FAKE_GPU_FAILS_AT", "1", 1);
    }
    for (size_t i = BEFORE; i < ALL; i++) {
        assert_true(dvbs2_batch_decoder_done(decoder, &results[i], true));
        assert_true(results[i].failed);
        assert_false(results[i].decoded);
        assert_memory_equal(results[i].message, zeros, sizeof zeros);
    }
    dvbs2_batch_decoder_message(decoder, &err);
    assert_string_not_equal(err.message, "");
    dvbs2_batch_decoders_destroy(all);
}

/* Two receivers without FEC, whose codewords are decoded in common batches; here by a CPU. */
static void test_batches(void **state)
{
    (void)state;
    enum { USED = 2 };
    received got[CARRIERS] = {{0}};
    dvbs2_receiver *receivers[USED];
    static dvbs2_carrier_fec fecs[USED];
    const dvbs2_frame *frame;
    dvbs2_batch_decoders *decoders = dvbs2_batch_decoders_create("cpu", false, 5);
    assert_non_null(decoders);
    for (size_t i = 0; i < USED; i++) {
        dvbs2_receiver_params params;
        dvbs2_receiver_params_init(&params);
        params.sample_rate = sample_rate;
        params.symbol_rate = sent[i].symbol_rate;
        params.format = LDPC_CS16;
        params.offset = sent[i].offset;
        params.offset_range = 0.1e6;
        params.cells_only = true;
        assert_int_equal(dvbs2_receiver_create(&params, &receivers[i], NULL), LDPC_OK);
        fecs[i] = (dvbs2_carrier_fec){
            .decoders = decoders, .max_iterations = 50, .take = take, .context = got, .carrier = i};
        assert_true(dvbs2_carrier_fec_init(&fecs[i], LDPC_BB_ANY_STREAM));
    }
    for (size_t done[USED] = {0}; done[0] < SAMPLES || done[1] < SAMPLES;)
        for (size_t i = 0; i < USED; i++) {
            const size_t left = SAMPLES - done[i];
            done[i] += dvbs2_receiver_push(receivers[i], samples + 2 * done[i], left < 5000 ? left : 5000);
            while ((frame = dvbs2_receiver_pull(receivers[i])) != NULL)
                dvbs2_carrier_fec_add(&fecs[i], frame);
        }
    for (size_t i = 0; i < USED; i++) {
        dvbs2_status status;
        dvbs2_receiver_status(receivers[i], &status);
        dvbs2_carrier_fec_finish(&fecs[i]);
        dvbs2_carrier_fec_count(&fecs[i], &status);
        assert_true(got[i].frames + 3 >= whole_frames(i)); /* no header follows the last one */
        assert_int_equal(got[i].frames, status.frames);
        assert_int_equal(got[i].packets, status.packets);
        assert_int_equal(got[i].wrong, 0);
        assert_int_equal(got[i].next - got[i].first, got[i].packets);
        assert_int_equal(status.failed_frames, 0);
        dvbs2_carrier_fec_free(&fecs[i]);
        dvbs2_receiver_destroy(receivers[i]);
    }
    dvbs2_batch_decoders_destroy(decoders);
}

/* The queue of a band of 100 MHz holds 50 ms, with short and with long FFTs. */
static void test_queue(void **state)
{
    (void)state;
    static const double symbol_rates[] = {27.5e6, 0.1e6};
    for (size_t i = 0; i < 2; i++) {
        dvbs2_band_params params;
        dvbs2_receiver_params carrier;
        dvbs2_band *band;
        dvbs2_band_params_init(&params);
        dvbs2_receiver_params_init(&carrier);
        params.sample_rate = 100e6;
        params.format = LDPC_CS8;
        params.threads = 1;
        carrier.symbol_rate = symbol_rates[i];
        assert_int_equal(dvbs2_band_create(&params, &carrier, 1, &band, NULL), LDPC_OK);
        const size_t piece = band->blocks * band->channeliser.hop;
        assert_true((double)((band->n_pieces - 1) * piece) >= 0.05 * params.sample_rate);
        assert_true((double)(band->n_pieces * piece) <= 0.06 * params.sample_rate);
        assert_true((double)(DVBS2_SPECTRA * piece) <= 0.012 * params.sample_rate);
        dvbs2_band_destroy(band);
    }
}

/* A band that is destroyed before its end, and one without samples. */
static void test_ends(void **state)
{
    (void)state;
    received got[CARRIERS];
    dvbs2_band *band = create(2, got);
    push(band, 0, SAMPLES / 2, SAMPLES);
    dvbs2_band_destroy(band);
    band = create(2, got);
    dvbs2_band_finish(band);
    dvbs2_band_finish(band);
    assert_int_equal(got[0].frames, 0);
    dvbs2_band_destroy(band);
    dvbs2_band_destroy(NULL);
}

static void refused(dvbs2_band_params params, dvbs2_receiver_params carrier, size_t count, ldpc_status status,
                    const char *message)
{
    dvbs2_band *band;
    ldpc_error err;
    assert_int_equal(dvbs2_band_create(&params, &carrier, count, &band, &err), status);
    assert_null(band);
    assert_string_equal(err.message, message);
}

static void test_parameters(void **state)
{
    (void)state;
    dvbs2_band_params good, params;
    dvbs2_receiver_params carrier, bad;
    dvbs2_band_params_init(&good);
    dvbs2_receiver_params_init(&carrier);
    good.sample_rate = 10e6;
    carrier.symbol_rate = 1e6;
    refused(good, carrier, 0, LDPC_ERR_RANGE, "0 carriers (expected 1 .. 1000)");
    params = good;
    params.sample_rate = NAN;
    refused(params, carrier, 1, LDPC_ERR_RANGE,
            "sample rate nan Hz out of range (expected a positive number)");
    params = good;
    params.format = 9;
    refused(params, carrier, 1, LDPC_ERR_PARAM, "unknown sample format 9 (expected cf32, cs16, cs8 or cu8)");
    params = good;
    params.threads = 1025;
    refused(params, carrier, 1, LDPC_ERR_RANGE, "threads 1025 out of range (expected 0 .. 1024)");
    params = good;
    params.backend = "tpu";
    refused(params, carrier, 1, LDPC_ERR_PARAM, "no backend \"tpu\": expected cpu, gpu, cuda or opencl");
    bad = carrier;
    bad.size = 0;
    refused(good, bad, 1, LDPC_ERR_PARAM,
            "size of the parameters of the first carrier is 0 (expected the size that "
            "dvbs2_receiver_params_init() sets)");
    bad = carrier;
    bad.symbol_rate = 10e6;
    refused(good, bad, 1, LDPC_ERR_RANGE,
            "symbol rate 1e+07 baud of carrier 0 out of range (expected at most 9090909.091)");
    bad = carrier;
    bad.offset = -4.551e6;
    refused(good, bad, 1, LDPC_ERR_RANGE,
            "offset -4.551e+06 Hz of carrier 0 out of range (expected at most +-4550000 for 1000000 baud)");
    bad = carrier;
    bad.gold = 262142;
    refused(good, bad, 1, LDPC_ERR_RANGE, "carrier 0: gold code 262142 out of range (expected 0 .. 262141)");
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : backend;
    make_samples();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reception),
        cmocka_unit_test(test_a_gap),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_a_lost_header),
        cmocka_unit_test(test_restarts),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_a_lost_gpu), /* the last one that uses the GPU */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
