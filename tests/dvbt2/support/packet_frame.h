/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transmitter of a PLP with the library's tables: packets to cells. */
#ifndef DVBT2_TEST_PACKET_FRAME_H
#define DVBT2_TEST_PACKET_FRAME_H

#include "ldpc/dvbt2_plp.h"

typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise; /* I and Q, and noise power of each cell */
    uint32_t first;    /* first packet; bytes 4 to 7 hold the number */
    size_t packets;
    uint8_t (*ts)[LDPC_TS_PACKET];
} sent_frame;

/* Sends random packets in high efficiency mode. Adds noise of this mean power. */
sent_frame *packet_frame_send(const dvbt2_plp_format *format, uint32_t first_packet, float noise);
void packet_frame_free(sent_frame *sent);

#endif
