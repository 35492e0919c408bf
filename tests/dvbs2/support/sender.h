/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A DVB-S2 transmitter and channel for tests, independent of the receiver. */
#ifndef DVBS2_TEST_SENDER_H
#define DVBS2_TEST_SENDER_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

enum { SENDER_FRAME_BYTES = 58320 / 8 };

typedef struct sender {
    uint32_t gold;
    uint8_t stream; /* ISI; if not 0, the headers signal multiple input streams */
    uint32_t seed, packets;
    uint8_t packet[188];
    uint32_t packet_at;                /* number of bytes of `packet` that were already sent */
    uint8_t crc;                       /* CRC-8 of the previous packet */
    uint8_t frame[SENDER_FRAME_BYTES]; /* the last baseband frame, scrambled */
    uint32_t frame_bytes;              /* size of `frame` in bytes; 0 if the last PL frame had no baseband
                                        * frame */
} sender;

/* Writes the symbols of a PL frame and returns their number. The mean power is 1. The PLS codes 129 and 131
 * give a frame for very low SNR with a random payload. A reserved code gives a frame of random symbols. */
size_t sender_frame(sender *s, uint8_t pls_code, float complex *symbols);

/* As sender_frame(), for a VL-SNR MODCOD, 0 .. 8, in the order of the standard: QPSK 2/9, BPSK 1/5, 11/45, 1/3, BPSK-S
 * 1/5, 11/45, and short frames with BPSK 1/5, 4/15, 1/3. */
size_t sender_vlsnr_frame(sender *s, uint32_t modcod, float complex *symbols);

/* Writes the symbols of a PL header. */
void sender_header(uint8_t pls_code, float complex symbols[90]);

/* Returns the number of symbols of a PL frame. */
size_t sender_length(uint8_t pls_code);

/* Writes packet `number` of the transport stream of this sender. */
void sender_packet(const sender *s, uint32_t number, uint8_t packet[188]);

/* Adds a carrier offset and noise. phase: cycles. frequency: cycles per symbol. */
void channel(float complex *symbols, size_t count, double phase, double frequency, double esn0_db);

/* Writes the samples of root raised cosine pulses of unit energy with `ratio` samples per symbol. Sample 0 is
 * at the time of the first symbol. Returns the number of samples. */
size_t sender_shape(const float complex *symbols, size_t count, double ratio, double roll_off,
                    float complex *samples);

/* Random numbers. At the start, the seed is 1. */
void sender_seed(uint64_t seed);
double uniform(void);
float complex noise(double power);

#endif
