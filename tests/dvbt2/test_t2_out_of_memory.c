/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs receiver and PLP decoder while one request for memory or for a thread fails. Requests of FFTW and VOLK
 * fail too. The failure gives one message. The signal is then received again, and only transmitted packets
 * are output. Run with a leak checker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <fftw3.h>

#include "dvbt2/support/golden.h"
#include "dvbt2/support/signals.h"
#include "faults/memory.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

enum { BLOCK = 10000, MOST_CELLS = 1 << 14, MOST_PIECES = 1000, OUTPUTS = 2 };

#define FAULTY(type, name, parameters, arguments)                                                            \
    type __real_##name parameters;                                                                           \
    type __wrap_##name parameters;                                                                           \
    type __wrap_##name parameters                                                                            \
    {                                                                                                        \
        return fault() ? NULL : __real_##name arguments;                                                     \
    }

FAULTY(void *, fftwf_malloc, (size_t bytes), (bytes))
FAULTY(fftwf_plan, fftwf_plan_dft_1d,
       (int n, fftwf_complex *in, fftwf_complex *out, int sign, unsigned flags), (n, in, out, sign, flags))
FAULTY(void *, volk_malloc, (size_t bytes, size_t alignment), (bytes, alignment))

static void fail_in_turn(bool (*live)(size_t call), size_t least_calls)
{
    const char *given = getenv("LDPC_FAULT_STEP");
    const size_t step = given ? strtoul(given, NULL, 10) : 11; /* scripts/nightly sets 1 */
    size_t call = 1;
    assert_true(step > 0);
    while (live(call))
        call += step;
    assert_true(call > least_calls);
}

/* ---- the receiver */

/* Cells that one dvbt2_receiver_pull() returned. */
typedef struct piece {
    dvbt2_plp_frame frame;
    uint32_t first;
    size_t count;
    float iq[2 * MOST_CELLS], noise[MOST_CELLS];
} piece;

static test_signal sent;
static piece *pieces;
static size_t n_pieces, n_packets;

/* keep: the cells of PLP 0 are appended to `pieces` */
static size_t pull_cells(dvbt2_receiver *rx, bool keep)
{
    static piece unused;
    size_t cells = 0;
    for (uint32_t output = 0; output < OUTPUTS; output++)
        for (size_t count = 1; count > 0; cells += count) {
            piece *to = keep && output == 0 ? &pieces[n_pieces] : &unused;
            count = dvbt2_receiver_pull(rx, output, MOST_CELLS, to->iq, to->noise, &to->frame, &to->first);
            to->count = count;
            n_pieces += to != &unused && count > 0;
            assert_true(n_pieces < MOST_PIECES);
        }
    return cells;
}

/* Receives the whole signal. */
static void receive(dvbt2_receiver *rx, bool keep, bool *said_why)
{
    for (uint32_t at = 0; at < sent.n_samples;) {
        const uint32_t left = sent.n_samples - at;
        dvbt2_status status;
        at += (uint32_t)dvbt2_receiver_push(rx, sent.samples + at, left < BLOCK ? left : BLOCK);
        pull_cells(rx, keep);
        dvbt2_receiver_status(rx, &status);
        *said_why |= strcmp(status.message, "out of memory") == 0;
    }
}

static void receive_again(dvbt2_receiver *rx)
{
    uint32_t pushed = 0;
    while (pull_cells(rx, false) == 0) {
        const uint32_t at = pushed % sent.n_samples, left = sent.n_samples - at;
        assert_true(pushed < sent.n_samples + BLOCK);
        pushed += (uint32_t)dvbt2_receiver_push(rx, sent.samples + at, left < BLOCK ? left : BLOCK);
    }
}

static dvbt2_receiver *make_receiver(uint32_t decision_directed, bool follow)
{
    dvbt2_receiver *rx;
    dvbt2_receiver_params params;
    ldpc_error err = {""};
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.n_plps = follow ? 1 : OUTPUTS;
    params.follow_plps = follow;
    params.decision_directed = decision_directed;
    for (int i = 0; i < OUTPUTS; i++)
        params.plp[i] = i;
    const ldpc_status status = dvbt2_receiver_create(&params, &rx, &err);
    assert_int_equal(status, rx ? LDPC_OK : LDPC_ERR_MEMORY);
    assert_string_equal(err.message, rx ? "" : "out of memory");
    return rx;
}

/* Without memory for `decision_directed`, the frame is received without the option. */
static bool receive_with_failure(size_t call, uint32_t decision_directed, bool follow)
{
    bool said_why = false, failed;
    fault_begin(call);
    dvbt2_receiver *rx = make_receiver(decision_directed, follow);
    if (!rx)
        return fault_end();
    receive(rx, false, &said_why);
    failed = fault_end();
    assert_true(said_why == failed || (decision_directed && failed));
    dvbt2_status status;
    dvbt2_receiver_status(rx, &status);
    if (!follow)
        assert_int_equal(status.losses[DVBT2_LOSS_MEMORY], said_why);
    receive_again(rx);
    dvbt2_receiver_destroy(rx);
    return failed;
}

static bool live_of_receiver(size_t call)
{
    return receive_with_failure(call, 0, false);
}

static bool live_of_decision_directed_receiver(size_t call)
{
    return receive_with_failure(call, 1, false);
}

static bool live_of_following_receiver(size_t call)
{
    return receive_with_failure(call, 0, true);
}

static void test_receiver(void **state)
{
    (void)state;
    fail_in_turn(live_of_receiver, 300);
}

static void test_following_receiver(void **state)
{
    (void)state;
    fail_in_turn(live_of_following_receiver, 300);
}

static void test_decision_directed_receiver(void **state)
{
    (void)state;
    fail_in_turn(live_of_decision_directed_receiver, 400);
}

/* ---- the PLP decoder */

static void note(ldpc_status status, const char *sentence)
{
    if (status && status != LDPC_ERR_MEMORY && status != LDPC_ERR_THREAD)
        fail_msg("call %zu: %s: %s", (size_t)fault_at, ldpc_status_string(status), sentence);
    assert_true(status == LDPC_OK || sentence[0]);
}

static bool was_sent(const uint8_t *packet)
{
    const uint32_t crc = golden_crc(0, packet, LDPC_TS_PACKET);
    for (uint32_t i = 0; i < sent.plp[0].count; i++)
        if (sent.plp[0].crc[i] == crc)
            return true;
    return packet[1] & 0x80; /* marked as erroneous */
}

static size_t pull_packets(dvbt2_plp_decoder *dec)
{
    uint8_t packets[50 * LDPC_TS_PACKET];
    size_t all = 0;
    for (size_t count; (count = dvbt2_plp_decoder_pull(dec, packets, 50)) > 0; all += count)
        for (size_t i = 0; i < count; i++)
            assert_true(was_sent(packets + i * LDPC_TS_PACKET));
    return all;
}

/* Returns the number of packets. */
static size_t decode(dvbt2_plp_decoder *dec)
{
    size_t packets = 0;
    for (const piece *p = pieces; p < pieces + n_pieces; p++) {
        note(dvbt2_plp_decoder_feed(dec, &p->frame, p->first, p->count, p->iq, p->noise),
             dvbt2_plp_decoder_message(dec));
        packets += pull_packets(dec);
    }
    note(dvbt2_plp_decoder_finish(dec), dvbt2_plp_decoder_message(dec));
    return packets + pull_packets(dec);
}

static bool live_of_decoder(size_t call)
{
    dvbt2_plp_decoder *dec;
    dvbt2_plp_decoder_params params;
    ldpc_error err = {""};
    dvbt2_plp_decoder_params_init(&params);
    params.backend = "cpu";
    params.devices = "0"; /* the decoder copies the string */
    params.cache_dir = "/nowhere";
    fault_begin(call);
    note(dvbt2_plp_decoder_create(&params, &dec, &err), err.message);
    if (!dec)
        return fault_end();
    decode(dec);
    note(dvbt2_plp_decoder_set_backend(dec, "cpu"), dvbt2_plp_decoder_message(dec));
    decode(dec);
    const bool failed = fault_end();
    dvbt2_plp_decoder_break(dec);
    assert_int_equal(decode(dec), n_packets);
    dvbt2_plp_decoder_destroy(dec);
    return failed;
}

static void test_plp_decoder(void **state)
{
    (void)state;
    fail_in_turn(live_of_decoder, 300);
}

/* ---- */

static int prepare(void **state)
{
    (void)state;
    bool said_why = false;
    test_signal_read("issy", &sent);
    pieces = calloc(MOST_PIECES, sizeof *pieces);
    dvbt2_receiver *rx = make_receiver(0, false);
    assert_true(pieces && rx);
    receive(rx, true, &said_why);
    dvbt2_receiver_destroy(rx);
    dvbt2_plp_decoder *dec;
    assert_int_equal(dvbt2_plp_decoder_create(NULL, &dec, NULL), LDPC_OK);
    n_packets = decode(dec);
    dvbt2_plp_decoder_destroy(dec);
    return n_packets > 0 ? 0 : -1;
}

static int clean_up(void **state)
{
    (void)state;
    test_signal_free(&sent);
    free(pieces);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_receiver),
        cmocka_unit_test(test_following_receiver),
        cmocka_unit_test(test_decision_directed_receiver),
        cmocka_unit_test(test_plp_decoder),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
