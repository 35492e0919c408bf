/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/baseband.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "dvbt2/plp/issy.h"
#include "dvbt2/l1/in_band.h"

enum {
    HEADER_BITS = 80,
    PULL_PACKETS = 64, /* number of packets read from the deframer at once */
    /* maximum number of in-band signalling bits: the sum of type A (255 PLPs, 255 frames) and type B */
    MOST_IN_BAND = 32768
};

ldpc_status dvbt2_baseband_init(dvbt2_baseband *baseband, const dvbt2_plp_decoder_params *params)
{
    *baseband = (dvbt2_baseband){
        .stream = params->stream,
        .keep_frames = params->generic_frames,
        .packets = {.item = LDPC_TS_PACKET},
        .lengths = {.item = sizeof(uint32_t)},
        .frames = {.item = 1},
    };
    dvbt2_timeline_init(&baseband->timeline);
    return ldpc_bb_deframer_create("dvbt2:64800:1/2", params->stream, &baseband->deframer, NULL);
}

void dvbt2_baseband_free(dvbt2_baseband *baseband)
{
    ldpc_bb_deframer_destroy(baseband->deframer);
    free(baseband->packets.bytes);
    free(baseband->timeline.times.bytes);
    free(baseband->lengths.bytes);
    free(baseband->frames.bytes);
}

void dvbt2_baseband_break(dvbt2_baseband *baseband)
{
    baseband->count.whole = false;
    ldpc_bb_deframer_break(baseband->deframer);
    dvbt2_timeline_break(&baseband->timeline);
}

/* ---- in-band signalling */

static void read_in_band(dvbt2_baseband *baseband, const ldpc_bb_header *header, const dvbt2_l1_plp *plp)
{
    const uint8_t *frame = ldpc_bb_deframer_frame(baseband->deframer);
    const uint32_t from = HEADER_BITS + header->dfl, k = ldpc_bb_deframer_k(baseband->deframer);
    const uint32_t count = k - from < MOST_IN_BAND ? k - from : MOST_IN_BAND;
    uint8_t bits[MOST_IN_BAND];
    for (uint32_t i = 0; i < count; i++)
        bits[i] = ldpc_packed_bit(frame, from + i);
    dvbt2_plp_signalling *s = &baseband->signalling;
    dvbt2_in_band_a a;
    dvbt2_in_band_b b;
    if (!dvbt2_in_band_parse(plp, bits, count, &a, &b)) {
        s->in_band_errors++;
        return;
    }
    s->in_band_frames++;
    if ((s->has_a = plp->in_band_a_flag))
        s->a = a;
    if ((s->has_b = plp->in_band_b_flag))
        s->b = b;
}

/* ---- ISSY */

static void note_issy(dvbt2_plp_signalling *signalling, const dvbt2_issy *issy)
{
    switch (issy->kind) {
    case DVBT2_ISSY_NONE:
        return;
    case DVBT2_ISSY_ISCR:
        signalling->iscr = (uint32_t)issy->value;
        signalling->iscr_bits = (uint8_t)issy->bits;
        return;
    case DVBT2_ISSY_BUFS:
        signalling->bufs = issy->value;
        signalling->has_bufs = true;
        return;
    case DVBT2_ISSY_TTO:
        signalling->tto = issy->value;
        signalling->has_tto = true;
        return;
    }
}

/* ---- lost packets */

/* packets: number received before `start` */
static void count_packets(dvbt2_packet_count *c, uint64_t start, uint64_t packets)
{
    static const double memory = 0.9; /* weight of earlier packet rates */
    const double time = (double)start - (double)c->start, came = (double)(packets - c->before);
    if (c->begun && time > 0 && c->whole) {
        c->time = memory * c->time + time;
        c->count = memory * c->count + came;
    } else if (c->begun && time > 0) {
        c->lost_time += time;
        c->lost_count += came;
    }
    if (c->time > 0) {
        c->lost += fmax(0, c->lost_time * c->count / c->time - c->lost_count);
        c->lost_time = c->lost_count = 0;
    }
    c->begun = c->whole = true;
    c->start = start;
    c->before = packets;
}

ldpc_bb_counters dvbt2_baseband_counters(const dvbt2_baseband *baseband)
{
    ldpc_bb_counters counters = ldpc_bb_deframer_counters(baseband->deframer);
    const uint64_t lost = (uint64_t)llround(baseband->count.lost);
    counters.lost_packets = lost > counters.lost_packets ? lost : counters.lost_packets;
    return counters;
}

/* ---- generic streams */

/* Keeps a descrambled baseband frame without padding. */
static ldpc_status keep_frame(dvbt2_baseband *baseband, const ldpc_bb_header *header)
{
    const uint32_t bytes = (uint32_t)ldpc_packed_bytes(HEADER_BITS + header->dfl);
    uint8_t *room = dvbt2_queue_room(&baseband->frames, bytes);
    uint32_t *length = dvbt2_queue_room(&baseband->lengths, 1);
    if (!room || !length)
        return LDPC_ERR_MEMORY;
    memcpy(room, ldpc_bb_deframer_frame(baseband->deframer), bytes);
    *length = bytes;
    dvbt2_queue_add(&baseband->frames, bytes);
    dvbt2_queue_add(&baseband->lengths, 1);
    return LDPC_OK;
}

static ldpc_status take_generic(dvbt2_baseband *baseband, const ldpc_bb_header *header)
{
    const uint8_t kind = ldpc_bb_deframer_frame(baseband->deframer)[0] >> 6;
    if (!header->single_stream && baseband->stream != LDPC_BB_ANY_STREAM &&
        header->stream != baseband->stream)
        return LDPC_OK;
    baseband->generic[kind]++;
    return baseband->keep_frames ? keep_frame(baseband, header) : LDPC_OK;
}

size_t dvbt2_baseband_take_frame(dvbt2_baseband *baseband, uint8_t *frame, size_t room)
{
    if (!baseband->lengths.count || *(uint32_t *)dvbt2_queue_at(&baseband->lengths, 0) > room)
        return 0;
    uint32_t length;
    dvbt2_queue_take(&baseband->lengths, &length, 1);
    return dvbt2_queue_take(&baseband->frames, frame, length);
}

/* ---- frames in */

static ldpc_status take_packets(dvbt2_baseband *baseband)
{
    ldpc_bb_packet about[PULL_PACKETS];
    ldpc_status status = LDPC_OK;
    for (size_t count = PULL_PACKETS; count == PULL_PACKETS && !status;) {
        uint8_t *room = dvbt2_queue_room(&baseband->packets, PULL_PACKETS);
        if (!room)
            return LDPC_ERR_MEMORY;
        count = ldpc_bb_deframer_pull_packets(baseband->deframer, room, about, PULL_PACKETS);
        for (size_t i = 0; i < count && !status; i++) {
            const dvbt2_issy issy = dvbt2_issy_of(&about[i]);
            note_issy(&baseband->signalling, &issy);
            status = dvbt2_timeline_append(&baseband->timeline, &issy);
            dvbt2_queue_add(&baseband->packets, !status);
            baseband->not_null += !status && !dvbt2_is_null_packet(room + i * LDPC_TS_PACKET);
        }
    }
    return status;
}

size_t dvbt2_baseband_take(dvbt2_baseband *baseband, uint8_t *ts, size_t most)
{
    const size_t taken = dvbt2_queue_take(&baseband->packets, ts, most);
    for (size_t i = 0; i < taken; i++) {
        dvbt2_timeline_take(&baseband->timeline);
        baseband->not_null -= !dvbt2_is_null_packet(ts + i * LDPC_TS_PACKET);
    }
    return taken;
}

ldpc_status dvbt2_baseband_push(dvbt2_baseband *baseband, const char *code, const uint8_t *frame, bool broken,
                                const dvbt2_interleaving_info *info)
{
    if (info)
        count_packets(&baseband->count, info->start, ldpc_bb_deframer_counters(baseband->deframer).packets);
    ldpc_status status = ldpc_bb_deframer_set_code(baseband->deframer, code, NULL);
    if (!status)
        status = ldpc_bb_deframer_push(baseband->deframer, frame, true, broken);
    if (status)
        return status;
    const ldpc_bb_header header = ldpc_bb_deframer_header(baseband->deframer);
    const bool right = header.valid && !broken;
    baseband->count.whole &= header.valid;
    if (info)
        dvbt2_timeline_frame(&baseband->timeline, info->start);
    if (right && info && (info->plp.in_band_a_flag || info->plp.in_band_b_flag))
        read_in_band(baseband, &header, &info->plp);
    if (right && !header.transport_stream)
        return take_generic(baseband, &header);
    if (right)
        baseband->without_issy = !header.issy;
    return take_packets(baseband);
}
