/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transmitter of a PLP that uses the library's tables. It makes the cells of an interleaving frame from
 * packets. */
#ifndef DVBT2_TEST_PACKET_FRAME_H
#define DVBT2_TEST_PACKET_FRAME_H

#include "ldpc/dvbt2_plp.h"

/* An interleaving frame and its packets. */
typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise; /* I and Q of each cell, and the noise power of each cell */
    uint32_t first;    /* number of the first packet; bytes 4 to 7 of a packet hold its number */
    size_t packets;
    uint8_t (*ts)[LDPC_TS_PACKET];
} sent_frame;

/* Sends random packets in baseband frames of high efficiency mode. The first packet has the number
 * `first_packet`. Noise of the given mean power is added to the cells. */
sent_frame *packet_frame_send(const dvbt2_plp_format *format, uint32_t first_packet, float noise);
void packet_frame_free(sent_frame *sent);

#endif
