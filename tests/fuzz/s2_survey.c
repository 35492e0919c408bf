/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Surveys bands with a carrier, tones, noise and input bytes as samples. */
#include <math.h>
#include <string.h>

#include "dvbs2/support/sender.h"
#include "fuzz.h"
#include "ldpc/dvbs2_survey.h"

enum { COUNT = 1 << 15, SYMBOLS = 1 << 15, MOST_PARTS = 4, MOST_BYTES = 4096 };

typedef struct target {
    float complex symbols[SYMBOLS], shaped[COUNT + 64], samples[COUNT];
} target;

static void add_carrier(fuzz_input *in, target *t)
{
    const double ratio = 1.2 + fuzz_below(in, 64) / 8.0, gain = fuzz_below(in, 16),
                 shift = fuzz_byte(in) / 256.0;
    sender s = {.gold = fuzz_below(in, 2) * 10949, .seed = 1};
    const uint8_t code = (uint8_t)(fuzz_byte(in) % 2 ? 0 : 4 * 7 + 3);
    const size_t wanted = (size_t)(COUNT / ratio);
    for (size_t count = 0; count + 8400 < SYMBOLS && count < wanted;)
        count += sender_frame(&s, code, t->symbols + count);
    const size_t n = sender_shape(t->symbols, wanted, ratio, 0.2, t->shaped);
    for (size_t i = 0; i < n && i < COUNT; i++) {
        const double angle = 6.283185307179586 * remainder(shift * (double)i, 1);
        t->samples[i] += t->shaped[i] * (float complex)(gain * (cos(angle) + sin(angle) * I));
    }
}

static void add_tone(fuzz_input *in, target *t)
{
    const double step = fuzz_byte(in) / 256.0, gain = fuzz_below(in, 100);
    for (size_t i = 0; i < COUNT; i++) {
        const double angle = 6.283185307179586 * remainder(step * (double)i, 1);
        t->samples[i] += (float complex)(gain * (cos(angle) + sin(angle) * I));
    }
}

static void add_part(fuzz_input *in, target *t)
{
    uint8_t bytes[MOST_BYTES];
    switch (fuzz_below(in, 4)) {
    case 0:
        add_tone(in, t);
        break;
    case 1:
        fuzz_fill(in, bytes, sizeof bytes, fuzz_byte(in));
        memcpy(t->samples, bytes, sizeof bytes);
        break;
    case 2:
        for (size_t i = 0; i < COUNT; i++)
            t->samples[i] += noise(1);
        break;
    default:
        add_carrier(in, t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static target t;
    fuzz_input in = {data, size};
    const uint32_t gold[1] = {5};
    const dvbs2_survey_carrier *c;
    dvbs2_survey_params params;
    dvbs2_survey *survey;
    dvbs2_survey_params_init(&params);
    params.sample_rate = 1e6 * (1 + fuzz_below(&in, 64));
    params.format = fuzz_below(&in, 4);
    params.gold = gold;
    params.n_gold = fuzz_below(&in, 2);
    memset(t.samples, 0, sizeof t.samples);
    for (int parts = 0; in.left && parts < MOST_PARTS; parts++)
        add_part(&in, &t);
    const size_t count = COUNT / 2 + fuzz_word32(&in) % (COUNT / 2);
    FUZZ_CHECK(dvbs2_survey_create(&params, t.samples, count, &survey, NULL) == LDPC_OK);
    for (size_t i = 0; (c = dvbs2_survey_list(survey, i)) != NULL; i++) {
        FUZZ_CHECK(c->symbol_rate > 0 && c->symbol_rate < params.sample_rate);
        FUZZ_CHECK(fabs(c->frequency) <= params.sample_rate);
        FUZZ_CHECK(isfinite(c->esn0_db) && isfinite(c->level_db));
        FUZZ_CHECK(c->gold >= -1 && c->gold < 262142);
        for (uint32_t m = 0; m < c->n_modcods; m++)
            FUZZ_CHECK(c->modcods[m].frames > 0 && c->modcods[m].code);
    }
    dvbs2_survey_destroy(survey);
    return 0;
}
