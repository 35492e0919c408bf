/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/second_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/sync/front_end.h"
#include "receiver/samples.h"

/* Error of the frequency, symbol rates. */
static const double most_offset = 0.1;
static const size_t least_samples = 1 << 14;

/* Returns how many times the sample rate can be halved. */
static uint32_t stages_of(const dvbs2_survey_carrier *carrier, double band_rate)
{
    const dvbs2_front_end_params params = {.sample_rate = band_rate,
                                           .symbol_rate = carrier->symbol_rate,
                                           .offset_range = most_offset * carrier->symbol_rate};
    return dvbs2_front_end_stages(&params);
}

bool dvbs2_needs_second_look(const dvbs2_survey_carrier *carrier, double band_rate, double seconds)
{
    return carrier->gold < 0 && carrier->standard != DVBS2_STANDARD_S &&
           seconds * carrier->symbol_rate < DVBS2_LOOK_SYMBOLS && stages_of(carrier, band_rate) > 0;
}

bool dvbs2_second_look_init(dvbs2_second_look *look, dvbs2_candidate *candidate, ldpc_sample_format format,
                            double band_rate)
{
    const dvbs2_survey_carrier *carrier = &candidate->found;
    const uint32_t stages = stages_of(carrier, band_rate);
    memset(look, 0, sizeof *look);
    look->candidate = candidate;
    look->sample_bytes = rx_format_bytes(format);
    look->rate = band_rate / (1u << stages);
    look->room = (size_t)(DVBS2_LOOK_SYMBOLS * look->rate / carrier->symbol_rate);
    look->iq = ldpc_allocate(2 * look->room, sizeof *look->iq);
    return rx_decimator_init(&look->decimator, format, carrier->frequency / band_rate, stages) && look->iq;
}

void dvbs2_second_look_free(dvbs2_second_look *look)
{
    rx_decimator_free(&look->decimator);
    free(look->iq);
    memset(look, 0, sizeof *look);
}

bool dvbs2_second_look_add(dvbs2_second_look *look, const void *samples, size_t count)
{
    for (size_t done = 0; done < count && look->count < look->room;) {
        const size_t n = count - done < RX_DECIMATOR_MOST ? count - done : RX_DECIMATOR_MOST;
        const float *out;
        const size_t made = rx_decimator_run(&look->decimator,
                                             (const char *)samples + done * look->sample_bytes, n, &out),
                     left = look->room - look->count, taken = made < left ? made : left;
        memcpy(look->iq + 2 * look->count, out, 2 * taken * sizeof *out);
        look->count += taken;
        done += n;
    }
    return look->count < look->room;
}

bool dvbs2_second_look_run(dvbs2_second_look *look, const dvbs2_gold_list *gold)
{
    dvbs2_survey_carrier *old = &look->candidate->found;
    if (look->count < least_samples)
        return true;
    dvbs2_candidate *found = ldpc_allocate(1, sizeof *found);
    dvbs2_spectrum spectrum = {0};
    bool made = found && dvbs2_spectrum_init(&spectrum, look->rate, old->symbol_rate, LDPC_CF32, look->iq,
                                             look->count);
    if (made) {
        found->found = (dvbs2_survey_carrier){
            .symbol_rate = old->symbol_rate, .level_db = old->level_db, .esn0_db = old->esn0_db};
        made = dvbs2_identify(&spectrum, gold, found);
    }
    if (made && (found->found.standard != DVBS2_STANDARD_UNKNOWN || found->found.gold >= 0)) {
        found->found.frequency += old->frequency;
        *look->candidate = *found;
        old->modcods = look->candidate->modcods;
    }
    dvbs2_spectrum_free(&spectrum);
    free(found);
    return made;
}
