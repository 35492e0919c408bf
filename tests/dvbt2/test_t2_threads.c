/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs two receivers, each with decoders and threads, at the same time. Each output must equal that of a
 * receiver that runs alone. Run with ThreadSanitizer. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dvbt2/support/signals.h"
#include "ldpc/dvbt2.h"
#include "ldpc/dvbt2_plp.h"

enum { TS_PACKET = 188, BLOCK = 10000, TIMES = 2 /* the signal */ };

typedef struct reception {
    pthread_t thread;
    test_signal signal;
    uint64_t packets, failed_codewords;
    ldpc_status status;
} reception;

static void pull(reception *r, dvbt2_receiver *rx, dvbt2_plp_decoder *decoder)
{
    float iq[2 * BLOCK], noise[BLOCK];
    uint8_t ts[100 * TS_PACKET];
    dvbt2_plp_frame frame;
    uint32_t first;
    for (size_t count; (count = dvbt2_receiver_pull(rx, 0, BLOCK, iq, noise, &frame, &first)) > 0;)
        r->status |= dvbt2_plp_decoder_feed(decoder, &frame, first, count, iq, noise);
    for (size_t count; (count = dvbt2_plp_decoder_pull(decoder, ts, 100)) > 0;)
        r->packets += count;
}

static void *receive(void *argument)
{
    reception *r = argument;
    dvbt2_receiver_params params;
    dvbt2_receiver *rx = NULL;
    dvbt2_plp_decoder *decoder = NULL;
    dvbt2_receiver_params_init(&params);
    params.sample_rate = 64e6 / 7;
    params.decision_directed = 1;
    params.plp[0] = r->signal.plp[0].plp_id;
    params.profile = r->signal.plp[0].lite ? DVBT2_PROFILE_LITE_ONLY : DVBT2_PROFILE_BASE_ONLY;
    r->status = dvbt2_receiver_create(&params, &rx, NULL);
    r->status |= dvbt2_plp_decoder_create(NULL, &decoder, NULL);
    for (int i = 0; i < TIMES && !r->status; i++)
        for (uint32_t at = 0; at < r->signal.n_samples; pull(r, rx, decoder))
            at += (uint32_t)dvbt2_receiver_push(rx, r->signal.samples + at, r->signal.n_samples - at);
    dvbt2_plp_decoder_finish(decoder);
    pull(r, rx, decoder);
    r->failed_codewords = dvbt2_plp_decoder_counters(decoder).failed_codewords;
    dvbt2_plp_decoder_destroy(decoder);
    dvbt2_receiver_destroy(rx);
    return NULL;
}

static void test_two_receivers(void **state)
{
    static const char *const names[] = {"lite", "type2"};
    reception alone[2] = {{0}}, together[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        test_signal_read(names[i], &alone[i].signal);
        together[i] = alone[i];
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&together[i].thread, NULL, receive, &together[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(together[i].thread, NULL), 0);
    for (int i = 0; i < 2; i++) {
        receive(&alone[i]);
        assert_int_equal(together[i].status, LDPC_OK);
        assert_true(together[i].packets > 0);
        assert_int_equal(together[i].packets, alone[i].packets);
        assert_int_equal(together[i].failed_codewords, alone[i].failed_codewords);
        test_signal_free(&alone[i].signal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_receivers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
