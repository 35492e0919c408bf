/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes PL frames. A frame with errors is decoded again with other carrier offsets if no frame was decoded before, then
 * without the interference that an amplifier causes, and then with LLRs from a trellis of phases. These passes have a budget of symbols, which grows with the received symbols. */
#ifndef DVBS2_DECODING_H
#define DVBS2_DECODING_H

#include "dvbs2/streams/fec.h"
#include "dvbs2/sync/interference.h"
#include "dvbs2/sync/synchroniser.h"

typedef struct dvbs2_decoding {
    dvbs2_fec fec;
    dvbs2_interference interference;
    double growth;                             /* symbols of the budget per received symbol */
    double budget;                             /* symbols that further passes may process now */
    uint8_t first_pass[DVBS2_FEC_FRAME_BYTES]; /* baseband frame after the first pass */
    float points[2 * DVBS2_RING_POINTS];       /* of the last frame's MODCOD */
    float complex decided[DVBS2_MOST_SYMBOLS]; /* decided points of the last frame with errors */
    uint32_t frames;                           /* number of decoded frames without pilots */
} dvbs2_decoding;

/* Returns false if out of memory. */
bool dvbs2_decoding_init(dvbs2_decoding *decoding, uint32_t max_iterations, double symbol_rate);
void dvbs2_decoding_free(dvbs2_decoding *decoding);

/* Decodes the data frame that dvbs2_synchroniser_read() has returned. result->iterations is the sum over all passes. If
 * the last pass has errors, the result is that of the first pass. */
ldpc_status dvbs2_decoding_run(dvbs2_decoding *decoding, dvbs2_synchroniser *sync, dvbs2_pl_frame *frame,
                               dvbs2_fec_result *result, ldpc_error *err);

#endif
