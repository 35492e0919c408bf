/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/band/carrier_fec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "dvbs2/streams/fec.h"

enum { MOST_FAILURES = 8 }; /* failed frames after which the carrier offset is found again */

bool dvbs2_carrier_fec_init(dvbs2_carrier_fec *fec, int32_t stream)
{
    fec->waiting = ldpc_allocate(DVBS2_WAITING_FRAMES, sizeof *fec->waiting);
    return dvbs2_streams_init(&fec->streams, stream) && fec->waiting;
}

void dvbs2_carrier_fec_free(dvbs2_carrier_fec *fec)
{
    for (uint64_t i = fec->delivered; i < fec->added; i++) {
        const dvbs2_waiting_frame *w = &fec->waiting[i % DVBS2_WAITING_FRAMES];
        dvbs2_batch_decoder_done(w->chain->decoder, &w->result, true);
    }
    for (size_t i = 0; i < DVBS2_MOST_MODCODS; i++) {
        ldpc_demapper_destroy(fec->chains[i].demapper);
        ldpc_bch_destroy(fec->chains[i].bch);
    }
    dvbs2_streams_free(&fec->streams);
    free(fec->waiting);
}

/* ---- decoded frames */

static void deliver(dvbs2_carrier_fec *fec, dvbs2_waiting_frame *w)
{
    dvbs2_frame *frame = &w->frame;
    int32_t corrected;
    bool selected = false;
    frame->broken =
        dvbs2_fec_outer(w->chain->bch, w->result.message, w->result.decoded, fec->frame, &corrected);
    frame->iterations = w->result.iterations;
    fec->failed_frames += frame->broken;
    fec->failures = frame->broken ? fec->failures + (fec->delivered >= fec->restarted) : 0;
    fec->iterations += frame->iterations;
    if (w->result.failed && !fec->error.message[0])
        dvbs2_batch_decoder_message(w->chain->decoder, &fec->error);
    if (w->breaks)
        dvbs2_streams_break(&fec->streams);
    if (dvbs2_streams_push(&fec->streams, frame->code, fec->frame, frame->broken, &selected)) {
        ldpc_fail_memory(&fec->error);
        dvbs2_streams_break(&fec->streams);
    }
    if (!selected || !fec->take)
        return;
    frame->header = ldpc_bb_deframer_header(fec->streams.reader);
    frame->bytes = ldpc_bb_deframer_frame(fec->streams.reader);
    frame->packets = fec->streams.packets;
    frame->n_packets = fec->streams.n_packets;
    frame->pdus = fec->streams.pdus;
    frame->pdu_bytes = fec->streams.pdu_bytes;
    fec->take(fec->context, fec->carrier, frame);
}

/* Passes frames on while they are decoded; waits until at most `most` frames wait. */
static void pass_on(dvbs2_carrier_fec *fec, uint64_t most)
{
    while (fec->delivered < fec->added) {
        dvbs2_waiting_frame *w = &fec->waiting[fec->delivered % DVBS2_WAITING_FRAMES];
        if (!dvbs2_batch_decoder_done(w->chain->decoder, &w->result, fec->added - fec->delivered > most))
            return;
        deliver(fec, w);
        fec->delivered++;
    }
}

/* ---- frames with cells */

static ldpc_status create_chain(dvbs2_carrier_fec *fec, const ldpc_dvbs2_modcod *modcod,
                                dvbs2_carrier_chain *chain)
{
    ldpc_status status = dvbs2_batch_decoders_get(fec->decoders, modcod->code, fec->max_iterations,
                                                  &chain->decoder, &fec->error);
    if (!status && !chain->demapper)
        status = dvbs2_fec_create_demapper(modcod, dvbs2_batch_decoder_n(chain->decoder), &chain->demapper,
                                           &fec->error);
    if (!status)
        status = ldpc_bch_create(modcod->code, &chain->bch, &fec->error);
    return status;
}

static dvbs2_carrier_chain *chain_of(dvbs2_carrier_fec *fec, const dvbs2_frame *frame)
{
    uint32_t i = 0;
    while (strcmp(dvbs2_modcod(i)->code, frame->code) != 0 ||
           strcmp(dvbs2_modcod(i)->modulation, frame->modulation) != 0)
        i++;
    dvbs2_carrier_chain *chain = &fec->chains[i];
    if (!chain->bch && !chain->failed)
        chain->failed = create_chain(fec, dvbs2_modcod(i), chain) != LDPC_OK;
    return chain->failed ? NULL : chain;
}

void dvbs2_carrier_fec_add(dvbs2_carrier_fec *fec, const dvbs2_frame *frame)
{
    dvbs2_carrier_chain *chain = chain_of(fec, frame);
    pass_on(fec, DVBS2_WAITING_FRAMES - 1);
    if (!chain) {
        fec->failed_frames++;
        fec->breaks = true;
        return;
    }
    dvbs2_waiting_frame *w = &fec->waiting[fec->added % DVBS2_WAITING_FRAMES];
    const double repeats = strcmp(frame->modulation, "bpsk-s") == 0 ? 2 : 1;
    const ldpc_cells cells = {.size = sizeof cells,
                              .n_codewords = 1,
                              .iq = frame->cells,
                              .noise = (float)(pow(10, -frame->esn0_db / 10) / repeats)};
    w->frame = *frame;
    w->frame.cells = NULL;
    w->frame.n_cells = 0;
    w->breaks = fec->breaks;
    fec->breaks = false;
    w->chain = chain;
    const dvbs2_batch_place place = dvbs2_batch_decoder_reserve(chain->decoder, &w->result);
    if (ldpc_demap(chain->demapper, &cells, place.llr)) /* then the frame fails */
        memset(place.llr, 0, ldpc_demapper_n(chain->demapper));
    dvbs2_batch_decoder_ready(chain->decoder, place);
    fec->added++;
}

void dvbs2_carrier_fec_finish(dvbs2_carrier_fec *fec)
{
    pass_on(fec, 0);
}

void dvbs2_carrier_fec_break(dvbs2_carrier_fec *fec)
{
    fec->breaks = true;
}

bool dvbs2_carrier_fec_is_lost(dvbs2_carrier_fec *fec)
{
    if (fec->failures < MOST_FAILURES)
        return false;
    fec->failures = 0;
    fec->restarted = fec->added;
    return true;
}

void dvbs2_carrier_fec_count(const dvbs2_carrier_fec *fec, dvbs2_status *status)
{
    const ldpc_bb_counters packets = dvbs2_streams_counters(&fec->streams);
    status->failed_frames += fec->failed_frames;
    status->iterations = fec->iterations;
    status->packets = packets.packets;
    status->null_packets = packets.null_packets;
    status->lost_packets = packets.lost_packets;
    status->ts_errors = packets.ts_errors;
    status->pdus = fec->streams.pdu_count;
    status->lost_pdus = fec->streams.lost_pdus;
    status->header_errors = fec->streams.header_errors;
    status->other_frames = fec->streams.other_frames;
}
