/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transmitter of a PLP that uses the library's tables to convert packets to cells. */
#ifndef DVBT2_TEST_PACKET_FRAME_H
#define DVBT2_TEST_PACKET_FRAME_H

#include "ldpc/dvbt2_plp.h"

typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise; /* I and Q of each cell, and its noise power */
    uint32_t first;    /* first packet; bytes 4 to 7 of each packet contain its number */
    size_t packets;
    uint8_t (*ts)[LDPC_TS_PACKET];
} sent_frame;

/* Sends random packets in high efficiency mode and adds noise. power: mean power of the noise. */
sent_frame *packet_frame_send(const dvbt2_plp_format *format, uint32_t first_packet, float noise);
void packet_frame_free(sent_frame *sent);

#endif
