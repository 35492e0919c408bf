/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public interface of the receiver: parameters, input of samples, output of frames, status. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/versioned.h"
#include "dvbs2/frame/decoding.h"
#include "dvbs2/frame/layouts.h"
#include "dvbs2/frame/proving.h"
#include "dvbs2/standard/scrambling.h"
#include "dvbs2/streams/streams.h"
#include "dvbs2/sync/symbol_source.h"
#include "ldpc/dvbs2.h"
#include "receiver/complex.h"
#include "receiver/samples.h"

enum {
    /* carrier recovery restarts after this number of failed frames, without pilots or at the start */
    MOST_FAILURES = 8,
    PROOF_PERIOD = 64, /* after MOST_FAILURES failed proofs, one of PROOF_PERIOD frames is decoded */
    /* acquisition restarts after this number of symbols without a header */
    PATIENCE = 4 * (DVBS2_MOST_SYMBOLS + DVBS2_HEADER),
    MOST_ITERATIONS = 10000,
    MOST_THREADS = 2,
};

static const double least_ratio = 1.1, most_ratio = 64; /* samples per symbol */
static const double most_detuning = 2 * RX_PI * 0.002; /* maximum carrier offset without retuning, radians per
                                                        * symbol */

static const double least_distortion = 1e-6; /* relative to the carrier */
static const double proof_budget = 5e5;      /* of dvbs2_decoding, symbols */

struct dvbs2_receiver {
    dvbs2_receiver_params params;
    dvbs2_symbol_source source;
    dvbs2_synchroniser sync;
    dvbs2_decoding decoding;
    dvbs2_streams streams;
    dvbs2_frame frame;               /* the last frame that was pulled */
    uint64_t symbols, searched_from; /* number of received symbols; symbol at which the search starts */
    bool finished;                   /* whether dvbs2_receiver_finish() was called, so that no more samples
                                      * are accepted */
    uint32_t failures;               /* number of consecutive failed frames, without pilots or at the start */
    uint32_t front_failures;         /* number of failures of the front end that were counted as losses */
    bool padded;
    bool proves; /* with cells_only: whether frames are decoded until the carrier offset is right */
    uint32_t failed_proofs; /* consecutive ones */
    size_t silence;         /* number of samples of silence still to append */
    dvbs2_status status;
    ldpc_error error;
};

const ldpc_layout dvbs2_receiver_params_layout = LDPC_LAYOUT(dvbs2_receiver_params, offset_range);
const ldpc_layout dvbs2_status_layout = LDPC_LAYOUT(dvbs2_status, cd_db);

void dvbs2_receiver_params_init_sized(dvbs2_receiver_params *params, size_t size)
{
    const dvbs2_receiver_params defaults = {
        .size = size, .stream = LDPC_BB_ANY_STREAM, .max_iterations = 50, .threads = 1};
    if (params)
        ldpc_write_struct(&dvbs2_receiver_params_layout, params, size, &defaults);
}

static dvbs2_front_end_params front_end_params(const dvbs2_receiver_params *p)
{
    return (dvbs2_front_end_params){.format = p->format,
                                    .sample_rate = p->sample_rate,
                                    .symbol_rate = p->symbol_rate,
                                    .roll_off = p->roll_off,
                                    .offset = p->offset,
                                    .offset_range = p->offset_range};
}

static ldpc_status check_sample_rate(const dvbs2_receiver_params *p, ldpc_error *err)
{
    const dvbs2_front_end_params front = front_end_params(p);
    const double ratio = p->sample_rate / p->symbol_rate,
                 remaining = ratio / (1u << dvbs2_front_end_stages(&front));
    const bool enough = ratio >= least_ratio * (1 - 1e-6) && isfinite(p->sample_rate);
    if (enough && p->offset_range > 0 && remaining > most_ratio)
        return ldpc_fail(
            err, LDPC_ERR_RANGE,
            "sample rate %.10g Hz out of range: with an offset_range of %g Hz, the decimation leaves "
            "%.4g samples per symbol (expected at most %g)",
            p->sample_rate, p->offset_range, remaining, most_ratio);
    if (!enough || remaining > most_ratio)
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "sample rate %.10g Hz out of range: %.10g baud need %.4g .. %.4g MHz",
                         p->sample_rate, p->symbol_rate, least_ratio * p->symbol_rate * 1e-6,
                         most_ratio * p->symbol_rate * 1e-6);
    return LDPC_OK;
}

static ldpc_status check_params(const dvbs2_receiver_params *p, ldpc_error *err)
{
    if (!rx_format_bytes(p->format))
        return ldpc_fail(err, LDPC_ERR_PARAM, "unknown sample format %d (expected cf32, cs16, cs8 or cu8)",
                         (int)p->format);
    if (!(p->symbol_rate > 0 && isfinite(p->symbol_rate)))
        return ldpc_fail(err, LDPC_ERR_RANGE, "symbol rate %g baud out of range (expected a positive number)",
                         p->symbol_rate);
    if (check_sample_rate(p, err))
        return LDPC_ERR_RANGE;
    if (p->roll_off != 0 && !(p->roll_off >= 0.05 && p->roll_off <= 0.35))
        return ldpc_fail(err, LDPC_ERR_RANGE, "roll-off %g out of range (expected 0.05 .. 0.35, or 0)",
                         p->roll_off);
    if (!(fabs(p->offset) <= p->sample_rate / 2))
        return ldpc_fail(err, LDPC_ERR_RANGE,
                         "offset %g Hz out of range: the band of the samples is +-%.10g Hz", p->offset,
                         p->sample_rate / 2);
    if (!(p->offset_range >= 0 && isfinite(p->offset_range)))
        return ldpc_fail(err, LDPC_ERR_RANGE, "offset_range %g Hz out of range (expected 0 or more)",
                         p->offset_range);
    if (p->gold >= DVBS2_GOLD_CODES)
        return ldpc_fail(err, LDPC_ERR_RANGE, "gold code %u out of range (expected 0 .. %d)", p->gold,
                         DVBS2_GOLD_CODES - 1);
    if (p->stream < LDPC_BB_ANY_STREAM || p->stream > 255)
        return ldpc_fail(err, LDPC_ERR_RANGE, "stream %d out of range (expected an ISI 0 .. 255, or %d)",
                         (int)p->stream, LDPC_BB_ANY_STREAM);
    if (p->max_iterations > MOST_ITERATIONS)
        return ldpc_fail(err, LDPC_ERR_RANGE, "max_iterations %u out of range (expected 0 .. %d)",
                         p->max_iterations, MOST_ITERATIONS);
    if (p->threads < 1 || p->threads > MOST_THREADS)
        return ldpc_fail(err, LDPC_ERR_RANGE, "threads %u out of range (expected 1 or %d)", p->threads,
                         MOST_THREADS);
    return LDPC_OK;
}

ldpc_status dvbs2_receiver_create(const dvbs2_receiver_params *given, dvbs2_receiver **rx, ldpc_error *err)
{
    if (!given || !rx)
        return ldpc_fail(err, LDPC_ERR_NULL, "params and rx must not be NULL");
    *rx = NULL;
    dvbs2_receiver_params own;
    ldpc_status status = ldpc_read_struct(&dvbs2_receiver_params_layout, &own, given, err);
    if (status == LDPC_OK)
        status = check_params(&own, err);
    if (status != LDPC_OK)
        return status;
    dvbs2_receiver *r = ldpc_allocate(1, sizeof *r);
    if (!r)
        return ldpc_fail_memory(err);
    r->params = own;
    const dvbs2_front_end_params front = front_end_params(&own);
    status = dvbs2_symbol_source_init(&r->source, &front, own.threads);
    if (!status && (!dvbs2_synchroniser_init(&r->sync, own.gold) ||
                    !dvbs2_decoding_init(&r->decoding, own.max_iterations, own.symbol_rate) ||
                    !dvbs2_streams_init(&r->streams, own.stream)))
        status = LDPC_ERR_MEMORY;
    if (status) {
        dvbs2_receiver_destroy(r);
        return status == LDPC_ERR_MEMORY ? ldpc_fail_memory(err)
                                         : ldpc_fail(err, status, "the system cannot start a thread");
    }
    *rx = r;
    return LDPC_OK;
}

void dvbs2_receiver_destroy(dvbs2_receiver *rx)
{
    if (!rx)
        return;
    dvbs2_symbol_source_free(&rx->source);
    dvbs2_synchroniser_free(&rx->sync);
    dvbs2_decoding_free(&rx->decoding);
    dvbs2_streams_free(&rx->streams);
    free(rx);
}

/* ---- loss of lock */

/* Handles every loss of reception. */
static void lose(dvbs2_receiver *rx, dvbs2_loss reason)
{
    rx->status.last_loss = reason;
    rx->status.losses[reason]++;
    rx->searched_from = rx->symbols;
    dvbs2_streams_break(&rx->streams);
}

static void take_losses(dvbs2_receiver *rx)
{
    static const dvbs2_loss reasons[DVBS2_SYNC_LOSSES] = {
        [DVBS2_SYNC_HEADER] = DVBS2_LOSS_HEADER, [DVBS2_SYNC_RESERVED] = DVBS2_LOSS_RESERVED};
    for (int i = 0; i < DVBS2_SYNC_LOSSES; i++)
        while (rx->status.losses[reasons[i]] < rx->sync.losses[i])
            lose(rx, reasons[i]);
}

/* Counts the measurements of the front end for which there was not enough memory. */
static void take_front_failures(dvbs2_receiver *rx)
{
    for (; rx->front_failures != rx->source.state.failures; rx->front_failures++) {
        ldpc_fail_memory(&rx->error);
        lose(rx, DVBS2_LOSS_MEMORY);
    }
}

/* ---- samples in */

static void measure_level(dvbs2_receiver *rx)
{
    if (rx->source.state.power > 0 && !rx->padded)
        rx->status.level_db = 10 * log10(rx->source.state.power);
}

size_t dvbs2_receiver_push(dvbs2_receiver *rx, const void *samples, size_t count)
{
    if (!rx || !samples || rx->finished)
        return 0;
    const size_t taken = dvbs2_symbol_source_write(&rx->source, samples, count);
    rx->status.samples += taken;
    measure_level(rx);
    return taken;
}

void dvbs2_receiver_gap(dvbs2_receiver *rx)
{
    if (rx)
        dvbs2_symbol_source_gap(&rx->source);
}

void dvbs2_receiver_finish(dvbs2_receiver *rx)
{
    if (!rx || rx->finished)
        return;
    rx->finished = true;
    const double pending = dvbs2_symbol_source_pending(&rx->source);
    measure_level(rx);
    size_t symbols = DVBS2_SILENCE + 2 * DVBS2_TIMING_BLOCK;
    if (!rx->source.state.running) /* completes the first measurement */
        symbols += DVBS2_MOST_TIMING_BLOCKS * DVBS2_TIMING_BLOCK;
    rx->silence =
        (size_t)((double)symbols * rx->params.sample_rate / rx->params.symbol_rate) + rx->source.state.delay;
    dvbs2_synchroniser_end(&rx->sync, (size_t)pending);
}

/* Appends silence. Returns false at its end. */
static bool write_silence(dvbs2_receiver *rx)
{
    float silence[2 * 1024] = {0};
    const size_t most = sizeof silence / rx_format_bytes(LDPC_CF32), left = rx->silence;
    uint8_t *bytes = (uint8_t *)silence;
    for (size_t i = 0; i < 2 * most && rx->params.format == LDPC_CU8; i++) /* zero is 127.5 */
        bytes[i] = (uint8_t)(127 + (i + i / 2) % 2);
    rx->padded |= left > 0;
    rx->silence -= dvbs2_symbol_source_write(&rx->source, silence, left < most ? left : most);
    return rx->silence < left;
}

/* Moves symbols from the front end to the synchroniser. Returns false if there are no symbols. */
static bool move_symbols(dvbs2_receiver *rx)
{
    size_t room;
    float complex *symbols = dvbs2_synchroniser_room(&rx->sync, &room);
    if (room < DVBS2_TIMING_BLOCK)
        return false;
    bool gap;
    while (!dvbs2_symbol_source_read(&rx->source, rx->finished && rx->silence == 0, symbols, &gap)) {
        take_front_failures(rx);
        if (!write_silence(rx))
            return false;
    }
    measure_level(rx);
    if (gap) {
        dvbs2_synchroniser_drop(&rx->sync);
        lose(rx, DVBS2_LOSS_GAP);
        memmove(dvbs2_synchroniser_room(&rx->sync, &room), symbols, DVBS2_TIMING_BLOCK * sizeof *symbols);
    }
    dvbs2_synchroniser_add(&rx->sync, DVBS2_TIMING_BLOCK);
    rx->symbols += DVBS2_TIMING_BLOCK;
    if (rx->sync.locked)
        rx->searched_from = rx->symbols;
    if (rx->symbols - rx->searched_from > PATIENCE && !rx->padded) {
        dvbs2_symbol_source_restart(&rx->source);
        dvbs2_synchroniser_drop(&rx->sync); /* later symbols have another carrier offset and timing */
        rx->searched_from = rx->symbols;
    }
    return true;
}

/* ---- frames out */

/* Keeps the matched filter centred on the carrier. */
static void follow_carrier(dvbs2_receiver *rx, double frequency)
{
    const double detuning = (rx->sync.mirrored ? -frequency : frequency) - rx->source.corrected;
    if (fabs(detuning) > most_detuning)
        dvbs2_symbol_source_retune(&rx->source, detuning);
}

static void take_status(dvbs2_receiver *rx, const dvbs2_pl_frame *frame)
{
    dvbs2_status *s = &rx->status;
    const double cycles = frame->frequency / (2 * RX_PI);
    const double noise = (double)frame->noise * (frame->format.repeats == 2 ? 2 : 1); /* of a symbol */
    s->esn0_db = -10 * log10(fmax(noise, 1e-9));
    s->mirrored = rx->sync.mirrored;
    s->carrier_hz =
        rx->source.state.first_carrier + (s->mirrored ? -cycles : cycles) * rx->params.symbol_rate;
    s->dummy_frames += frame->format.kind == DVBS2_FRAME_DUMMY;
    s->vlsnr_frames += frame->format.vlsnr > 0;
    s->frames += frame->format.kind == DVBS2_FRAME_DATA;
}

static void take_distortion(dvbs2_receiver *rx, const dvbs2_pl_frame *frame)
{
    const dvbs2_rings *rings = &rx->decoding.fec.chains[frame->format.modcod].rings;
    if (rings->frames > 0)
        rx->status.cd_db = -10 * log10(fmax((double)dvbs2_rings_distortion(rings), least_distortion));
}

/* Restarts the carrier recovery if the carrier offset may be wrong. */
static void count_failures(dvbs2_receiver *rx, const dvbs2_pl_frame *pl, bool broken)
{
    rx->failures = broken && (!pl->format.pilots || pl->unproven) ? rx->failures + 1 : 0;
    if (rx->failures < MOST_FAILURES)
        return;
    rx->failures = 0;
    dvbs2_synchroniser_restart(&rx->sync);
}

void dvbs2_receiver_prove_carrier(dvbs2_receiver *rx)
{
    rx->proves = true;
    rx->decoding.budget = fmin(rx->decoding.budget, proof_budget);
    dvbs2_synchroniser_restart(&rx->sync);
}

/* Limits the proofs of a carrier that cannot be decoded. */
static bool is_proof(const dvbs2_receiver *rx, const dvbs2_pl_frame *pl)
{
    return rx->proves && pl->unproven &&
           (rx->failed_proofs < MOST_FAILURES || rx->status.frames % PROOF_PERIOD == 0);
}

/* Selects the carrier offset with a frame that is not output. */
static ldpc_status prove(dvbs2_receiver *rx, dvbs2_pl_frame *pl)
{
    dvbs2_fec_result result;
    const ldpc_status status = dvbs2_decoding_run(&rx->decoding, &rx->sync, pl, &result, &rx->error);
    rx->failed_proofs = status || result.broken ? rx->failed_proofs + 1 : 0;
    count_failures(rx, pl, rx->failed_proofs > 0);
    return status;
}

static ldpc_status decode(dvbs2_receiver *rx, dvbs2_pl_frame *pl, dvbs2_fec_result *result, bool *selected)
{
    ldpc_status status = dvbs2_decoding_run(&rx->decoding, &rx->sync, pl, result, &rx->error);
    if (!status)
        status = dvbs2_streams_push(&rx->streams, dvbs2_modcod(pl->format.modcod)->code, result->frame,
                                    result->broken, selected);
    if (status)
        return status;
    rx->status.failed_frames += result->broken;
    count_failures(rx, pl, result->broken);
    rx->status.iterations += result->iterations;
    take_distortion(rx, pl);
    return LDPC_OK;
}

/* result: zeros for a frame that is not decoded */
static const dvbs2_frame *fill_frame(dvbs2_receiver *rx, const dvbs2_pl_frame *pl,
                                     const dvbs2_fec_result *result)
{
    const ldpc_dvbs2_modcod *modcod = dvbs2_modcod(pl->format.modcod);
    rx->frame = (dvbs2_frame){.symbol = pl->at,
                              .pls_code = pl->format.pls_code,
                              .modulation = modcod->modulation,
                              .code = modcod->code,
                              .esn0_db = rx->status.esn0_db,
                              .broken = result->broken,
                              .iterations = result->iterations,
                              .header = ldpc_bb_deframer_header(rx->streams.reader),
                              .bytes = ldpc_bb_deframer_frame(rx->streams.reader),
                              .cells = (const float *)pl->cells,
                              .n_cells = pl->format.cells,
                              .packets = rx->streams.packets,
                              .n_packets = rx->streams.n_packets,
                              .pdus = rx->streams.pdus,
                              .pdu_bytes = rx->streams.pdu_bytes};
    return &rx->frame;
}

const dvbs2_frame *dvbs2_receiver_pull(dvbs2_receiver *rx)
{
    dvbs2_pl_frame pl;
    if (!rx)
        return NULL;
    for (;;) {
        take_losses(rx); /* after the last frame */
        const bool got = dvbs2_synchroniser_read(&rx->sync, &pl);
        if (!got && !move_symbols(rx))
            return NULL;
        if (!got)
            continue;
        const bool data = pl.format.kind == DVBS2_FRAME_DATA;
        bool selected = data && rx->params.cells_only;
        dvbs2_fec_result result = {0};
        const ldpc_status status = pl.no_memory                ? ldpc_fail_memory(&rx->error)
                                   : data && !selected         ? decode(rx, &pl, &result, &selected)
                                   : data && is_proof(rx, &pl) ? prove(rx, &pl)
                                                               : LDPC_OK;
        take_status(rx, &pl); /* decoding may have changed the carrier offset */
        follow_carrier(rx, pl.frequency);
        if (status == LDPC_ERR_MEMORY)
            lose(rx, DVBS2_LOSS_MEMORY);
        else if (status != LDPC_OK) {
            rx->status.failed_frames++;
            dvbs2_streams_break(&rx->streams);
        }
        if (selected)
            return fill_frame(rx, &pl, &result);
    }
}

/* ---- status */

const char *dvbs2_state_name(dvbs2_state state)
{
    static const char *const names[] = {"timing", "search", "tracking"};
    return (unsigned)state < sizeof names / sizeof *names ? names[state] : "unknown";
}

const char *dvbs2_loss_name(dvbs2_loss loss)
{
    static const char *const names[DVBS2_LOSSES] = {[DVBS2_LOSS_NONE] = "",
                                                    [DVBS2_LOSS_HEADER] = "header",
                                                    [DVBS2_LOSS_RESERVED] = "reserved PLS code",
                                                    [DVBS2_LOSS_GAP] = "gap",
                                                    [DVBS2_LOSS_MEMORY] = "memory"};
    return (unsigned)loss < DVBS2_LOSSES ? names[loss] : "unknown";
}

void dvbs2_receiver_status_sized(const dvbs2_receiver *rx, dvbs2_status *status, size_t size)
{
    dvbs2_status now = {.message = ""};
    if (rx) {
        const dvbs2_front_state *front = &rx->source.state;
        const ldpc_bb_counters packets = dvbs2_streams_counters(&rx->streams);
        now = rx->status;
        now.state = !front->running   ? DVBS2_STATE_TIMING
                    : rx->sync.locked ? DVBS2_STATE_TRACKING
                                      : DVBS2_STATE_SEARCH;
        now.clock_ppm = front->running ? front->clock_ppm : 0;
        now.roll_off = front->running ? front->roll_off : 0;
        now.locks = rx->sync.locks;
        now.carrier_hz *= 1 + 1e-6 * now.clock_ppm; /* measured in the receiver's clock */
        now.packets = packets.packets;
        now.null_packets = packets.null_packets;
        now.lost_packets = packets.lost_packets;
        now.ts_errors = packets.ts_errors;
        now.pdus = rx->streams.pdu_count;
        now.lost_pdus = rx->streams.lost_pdus;
        now.header_errors = rx->streams.header_errors;
        now.other_frames = rx->streams.other_frames;
        now.message = rx->error.message;
    }
    now.size = size;
    ldpc_write_struct(&dvbs2_status_layout, status, size, &now);
}
