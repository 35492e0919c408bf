/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transmitter of a PLP: packets to the cells of an interleaving frame, by the tables of the library. */
#ifndef DVBT2_TEST_PACKET_FRAME_H
#define DVBT2_TEST_PACKET_FRAME_H

#include "ldpc/dvbt2_plp.h"

/* An interleaving frame and the packets in it. */
typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise; /* of each cell */
    uint32_t first;    /* number of the first packet: bytes 4 to 7 of each packet are its number */
    size_t packets;
    uint8_t (*ts)[LDPC_TS_PACKET];
} sent_frame;

/* Random packets with the numbers `first_packet` and up, in baseband frames of high efficiency mode; noise of this mean power is
 * added to the cells. */
sent_frame *packet_frame_send(const dvbt2_plp_format *format, uint32_t first_packet, float noise);
void packet_frame_free(sent_frame *sent);

#endif
