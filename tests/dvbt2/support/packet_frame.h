/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transmitter of a PLP: from packets to the cells of an interleaving frame, with the library's tables. */
#ifndef DVBT2_TEST_PACKET_FRAME_H
#define DVBT2_TEST_PACKET_FRAME_H

#include "ldpc/dvbt2_plp.h"

/* An interleaving frame and its packets. */
typedef struct sent_frame {
    dvbt2_plp_format format;
    size_t cells;
    float *iq, *noise; /* I and Q of the cells; noise power of each cell */
    uint32_t first;    /* number of the first packet; bytes 4 to 7 of a packet hold its number */
    size_t packets;
    uint8_t (*ts)[LDPC_TS_PACKET];
} sent_frame;

/* Send random packets, numbered from `first_packet` on, in baseband frames of high efficiency mode. Noise of
 * the given mean power is added to the cells. */
sent_frame *packet_frame_send(const dvbt2_plp_format *format, uint32_t first_packet, float noise);
void packet_frame_free(sent_frame *sent);

#endif
