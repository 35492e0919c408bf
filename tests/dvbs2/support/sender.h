/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transmitter of DVB-S2 for tests, independent of the receiver: baseband frames with a transport stream,
 * FEC, constellations, PL frames, root raised cosine pulses, and a channel with carrier offset and noise. */
#ifndef DVBS2_TEST_SENDER_H
#define DVBS2_TEST_SENDER_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

enum { SENDER_FRAME_BYTES = 58320 / 8 };

typedef struct sender {
    uint32_t gold;
    uint8_t stream; /* ISI; the header of a baseband frame signals several streams if it is not 0 */
    uint32_t seed, packets;
    uint8_t packet[188];               /* packet that is being sent */
    uint32_t packet_at;                /* bytes of it that have been sent */
    uint8_t crc;                       /* of the packet before */
    uint8_t frame[SENDER_FRAME_BYTES]; /* last baseband frame, scrambled */
    uint32_t frame_bytes;              /* 0: the last PL frame had none */
} sender;

/* Writes the symbols of a PL frame, mean power 1. Returns their number. PLS codes 129 and 131: a frame for
 * very low SNR, whose payload is random. */
size_t sender_frame(sender *s, uint8_t pls_code, float complex *symbols);

/* Packet `number` of the transport stream of this sender. */
void sender_packet(const sender *s, uint32_t number, uint8_t packet[188]);

/* Turns symbols by a carrier of this phase (turns) and frequency (turns per symbol), and adds noise. */
void channel(float complex *symbols, size_t count, double phase, double frequency, double esn0_db);

/* Writes root raised cosine pulses of unit energy, `ratio` samples per symbol, to `samples`; sample 0 is at
 * the time of the first symbol. Returns the number of samples. */
size_t sender_shape(const float complex *symbols, size_t count, double ratio, double roll_off,
                    float complex *samples);

double uniform(void);
float complex noise(double power);

#endif
