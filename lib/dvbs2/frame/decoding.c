/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/frame/decoding.h"

#include <math.h>
#include <string.h>

#include "base/status_internal.h"

enum {
    TRAINING_PERIOD = 8,
    MODELS = 10,          /* models of the phase noise */
    ROUNDS = 12,          /* maximum number of rounds for each model */
    FEW_ROUNDS = 4,       /* maximum number of rounds that remove interference, if a trellis may follow */
    NO_ATTEMPT = 1 << 20, /* selects the first carrier offset again */
};

/* Maximum number of symbols per second of signal in further passes. One core may need more than a second for them. */
static const double rate = 4e6;
static const double most_budget = 2e6; /* symbols */

bool dvbs2_decoding_init(dvbs2_decoding *decoding, uint32_t max_iterations, double symbol_rate)
{
    decoding->growth = rate / symbol_rate;
    decoding->budget = most_budget;
    return dvbs2_fec_init(&decoding->fec, max_iterations);
}

void dvbs2_decoding_free(dvbs2_decoding *decoding)
{
    dvbs2_fec_free(&decoding->fec);
    dvbs2_interference_free(&decoding->interference);
}

typedef ldpc_status pass_function(dvbs2_fec *fec, const dvbs2_pl_frame *frame, dvbs2_fec_result *result,
                                  ldpc_error *err);

/* Decodes a frame and charges the budget. result->iterations is increased. */
static ldpc_status pass(dvbs2_decoding *d, pass_function *decode, double cost, const dvbs2_pl_frame *pl,
                        dvbs2_fec_result *result, ldpc_error *err)
{
    const uint32_t before = result->iterations;
    const ldpc_status status = decode(&d->fec, pl, result, err);
    d->budget -= cost;
    result->iterations += before;
    return status;
}

/* Returns the cost of a trellis. It needs time in proportion to the number of constellation points. */
static double cost_of(const dvbs2_decoding *d, const dvbs2_pl_frame *pl)
{
    const size_t bits = ldpc_demapper_bits(d->fec.chains[pl->format.modcod].demapper);
    return pl->format.length * fmax(1, (1 << bits) / 8.0);
}

/* Decodes a frame with errors again. The LLRs are computed from all phases that the cells may have, and after the
 * first round also from the decoder's results. The rounds end when the frame has no errors, or when the decoder's
 * certainty falls twice in succession. */
static ldpc_status decode_rounds(dvbs2_decoding *d, dvbs2_synchroniser *sync, dvbs2_phase_model walk,
                                 dvbs2_pl_frame *pl, dvbs2_fec_result *result, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    double before = 0;
    for (int round = 0, falls = 0; !status && result->broken && round < ROUNDS && d->budget > 0; round++) {
        const float *extrinsic = round > 0 ? dvbs2_fec_extrinsic(&d->fec, pl) : NULL;
        const double certainty = round > 0 ? d->fec.certainty : 0;
        falls = certainty < before ? falls + 1 : 0;
        before = certainty;
        if (falls == 2)
            break;
        status = dvbs2_synchroniser_refine(sync, extrinsic, walk, pl)
                     ? pass(d, dvbs2_fec_decode_again, cost_of(d, pl), pl, result, err)
                     : ldpc_fail_memory(err);
    }
    return status;
}

/* Phase noise of oscillators. With pilots, the measured variance includes slow frequency changes. With an LNB's mask, a
 * quarter of it is white frequency noise. If the first model keeps wrong phases in a part of the frame, each of the
 * others finds the right ones in about half of these frames. Without pilots, the measured variance is too small in the
 * first frames. The models end at one with zeros. */
static const dvbs2_phase_model models[2][MODELS] = {
    {{1, 0},     {4, 0}, {16, 0}},
    { {0.25, 1}, {0.45, 0}, {0.7, 0}, {0.25, 0.5}, {1, 0}, {0.15, 1}, {0.25, 2}, {1, 1}, {2, 2}}
};

/* Decodes a frame with errors again, without the interference that an amplifier causes. Each round computes it from the
 * decisions of the last decoding. */
static ldpc_status decode_clear(dvbs2_decoding *d, dvbs2_synchroniser *sync, int rounds, dvbs2_pl_frame *pl,
                                dvbs2_fec_result *result, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    double before = 0;
    for (int round = 0, falls = 0; !status && result->broken && round < rounds && d->budget > 0; round++) {
        dvbs2_fec_extrinsic(&d->fec, pl); /* sets d->fec.certainty */
        falls = d->fec.certainty < before ? falls + 1 : 0;
        before = d->fec.certainty;
        if (falls == 2)
            break;
        dvbs2_fec_decided(&d->fec, pl, pl->format.cells, d->decided);
        pl->clear =
            dvbs2_interference_remove(&d->interference, &pl->format, sync->turns, pl->cells, d->decided);
        status = pl->clear ? pass(d, dvbs2_fec_decode_clear, 2 * pl->format.length, pl, result, err)
                           : ldpc_fail_memory(err);
    }
    return status;
}

static ldpc_status refine(dvbs2_decoding *d, dvbs2_synchroniser *sync, dvbs2_pl_frame *pl,
                          dvbs2_fec_result *result, ldpc_error *err)
{
    dvbs2_phase_model last = {-1, -1};
    ldpc_status status = LDPC_OK;
    const dvbs2_rings *rings = &d->fec.chains[pl->format.modcod].rings;
    const bool steady = !dvbs2_synchroniser_uses_cells(sync);
    if (result->broken && (rings->active || (steady && rings->count > 1 && rings->frames == 0)))
        status = decode_clear(d, sync, steady ? ROUNDS : FEW_ROUNDS, pl, result, err);
    if (status || !result->broken || steady)
        return status;
    if (pl->format.pilots && d->fec.chains[pl->format.modcod].rings.count > 1) {
        dvbs2_synchroniser_interpolate(
            sync); /* the cells may be wrong references if an amplifier moves the points */
        status = pass(d, dvbs2_fec_decode_other_cells, pl->format.length, pl, result, err);
    }
    for (const dvbs2_phase_model *m = models[pl->format.pilots]; !status && result->broken && m->white > 0;
         m++) {
        const dvbs2_phase_model walk = dvbs2_synchroniser_walk(sync, *m);
        if (walk.white != last.white || walk.slow != last.slow)
            status = decode_rounds(d, sync, walk, pl, result, err);
        last = walk;
    }
    return status;
}

/* If a frame fails before any frame was decoded, tries other carrier offsets. With pilots and strong phase noise, each
 * offset needs the trellis. */
static ldpc_status retry(dvbs2_decoding *d, dvbs2_synchroniser *sync, dvbs2_pl_frame *pl,
                         dvbs2_fec_result *result, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    bool more = pl->unproven && d->budget > 0;
    for (int attempt = 1; more && !status && result->broken; attempt++) {
        if (pl->format.pilots && dvbs2_synchroniser_uses_cells(sync))
            status = decode_rounds(d, sync, dvbs2_synchroniser_walk(sync, models[1][0]), pl, result, err);
        if (status || !result->broken)
            break;
        more = dvbs2_synchroniser_retry(sync, d->budget > 0 ? attempt : NO_ATTEMPT, pl);
        status = pass(d, dvbs2_fec_decode_again, pl->format.length, pl, result, err);
    }
    return status;
}

/* Without pilots, trains the equaliser with cells of decoded frames: all frames until it has enough symbols, then
 * every TRAINING_PERIOD-th frame. */
static void train_equaliser(dvbs2_decoding *d, dvbs2_synchroniser *sync, const dvbs2_pl_frame *pl)
{
    float complex points[DVBS2_LEARNT_CELLS];
    if (pl->format.pilots || (dvbs2_equaliser_is_full(&sync->equaliser) && d->frames++ % TRAINING_PERIOD > 0))
        return;
    dvbs2_fec_decided(&d->fec, pl, DVBS2_LEARNT_CELLS, points);
    dvbs2_synchroniser_learn(sync, points);
}

ldpc_status dvbs2_decoding_run(dvbs2_decoding *d, dvbs2_synchroniser *sync, dvbs2_pl_frame *pl,
                               dvbs2_fec_result *result, ldpc_error *err)
{
    *result = (dvbs2_fec_result){.broken = true};
    d->budget = fmin(d->budget + pl->format.length * d->growth, most_budget);
    ldpc_status status = pass(d, dvbs2_fec_decode, 0, pl, result, err);
    const bool failed = result->broken;
    if (!status && failed) {
        memcpy(d->first_pass, result->frame, sizeof d->first_pass);
        status = retry(d, sync, pl, result, err);
        if (!status)
            status = refine(d, sync, pl, result, err);
        if (result->broken) /* the last round may have more errors */
            result->frame = d->first_pass;
        dvbs2_synchroniser_use_headers(sync);
    }
    if (!status && !result->broken) {
        dvbs2_synchroniser_prove(sync);
        train_equaliser(d, sync, pl);
    }
    if (dvbs2_fec_points(&d->fec, pl->format.modcod, d->points))
        dvbs2_synchroniser_set_points(sync, pl->format.modcod, d->points);
    return status;
}
