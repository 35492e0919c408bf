/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FEC of a carrier whose codewords a GPU decodes: cells of a frame ──> LLRs ──> dvbs2_batch_decoder ──> BCH, packets.
 *
 * Frames wait in a ring for their results, and leave it in their order. Frames with errors are not decoded again. */
#ifndef DVBS2_CARRIER_FEC_H
#define DVBS2_CARRIER_FEC_H

#include "dvbs2/band/batch_decoder.h"
#include "dvbs2/standard/pl_header.h"
#include "dvbs2/streams/streams.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvbs2.h"

enum { DVBS2_WAITING_FRAMES = 64 };

typedef struct dvbs2_carrier_chain {
    ldpc_demapper *demapper;
    ldpc_bch *bch;
    dvbs2_batch_decoder *decoder;
    bool failed; /* whether it could not be created */
} dvbs2_carrier_chain;

typedef struct dvbs2_waiting_frame {
    dvbs2_frame frame; /* without cells */
    bool breaks;       /* whether frames are missing before it */
    const dvbs2_carrier_chain *chain;
    dvbs2_batch_result result;
} dvbs2_waiting_frame;

typedef struct dvbs2_carrier_fec {
    dvbs2_batch_decoders *decoders;
    uint32_t max_iterations;
    dvbs2_carrier_chain chains[DVBS2_MOST_MODCODS]; /* the index is that of dvbs2_modcod() */
    dvbs2_streams streams;
    dvbs2_waiting_frame *waiting;
    uint64_t added, delivered; /* frames */
    bool breaks;               /* whether frames are missing before the next frame */
    uint64_t failed_frames, iterations;
    uint64_t restarted; /* first frame after the last restart of the carrier recovery */
    uint32_t failures;  /* consecutive failed frames since then */
    uint8_t frame[64800 / 8];
    ldpc_error error;
    /* takes the frames; see dvbs2_band_params */
    void (*take)(void *context, size_t carrier, const dvbs2_frame *frame);
    void *context;
    size_t carrier;
} dvbs2_carrier_fec;

/* The caller sets the decoders, the iterations and the function that takes frames. Returns false if out of memory. */
bool dvbs2_carrier_fec_init(dvbs2_carrier_fec *fec, int32_t stream);
void dvbs2_carrier_fec_free(dvbs2_carrier_fec *fec); /* waits for the decoders */

/* Adds a frame with cells, and passes frames that are decoded to fec->take. */
void dvbs2_carrier_fec_add(dvbs2_carrier_fec *fec, const dvbs2_frame *frame);

/* Passes all frames to fec->take. */
void dvbs2_carrier_fec_finish(dvbs2_carrier_fec *fec);

/* Frames are missing before the next frame. */
void dvbs2_carrier_fec_break(dvbs2_carrier_fec *fec);

/* Returns whether the carrier offset may be wrong: 8 consecutive frames failed. Then counts only frames that follow. */
bool dvbs2_carrier_fec_is_lost(dvbs2_carrier_fec *fec);

/* Writes the counters of the FEC and of the streams. */
void dvbs2_carrier_fec_count(const dvbs2_carrier_fec *fec, dvbs2_status *status);

#endif
