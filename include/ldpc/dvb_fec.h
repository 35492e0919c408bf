/* SPDX-License-Identifier: BSD-3-Clause */
/* What surrounds the LDPC code in DVB-S2, S2X, T2 and C2: the outer BCH code, and baseband frames that carry
 * a transport stream.
 *
 *     LDPC message bits ──> ldpc_bch_decode ──> baseband frame ──> ldpc_bb_deframer ──> TS packets
 *
 * Both go by the name of the LDPC code: "dvbt2:64800:2/3". The message of the LDPC code is a word of the BCH
 * code, whose message is a baseband frame. Bits are one per byte (bit 0 of it counts), or packed 8 per byte,
 * most significant first, each word padded to a whole byte.
 */
#ifndef LDPC_DVB_FEC_H
#define LDPC_DVB_FEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- BCH */

/** A BCH code. Never changes after creation: any number of threads may share it. */
typedef struct ldpc_bch ldpc_bch;

/**
 * Make the outer code of an LDPC code.
 *
 * @param name  of the LDPC code
 * @param bch   out: the code, or NULL after a failure
 * @param err   out: the sentence about a failure, may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (no such code, or none with a BCH code around it),
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bch_create(const char *name, ldpc_bch **bch, ldpc_error *err);

/** Give the code back; NULL is allowed. */
LDPC_API void ldpc_bch_destroy(ldpc_bch *bch);

/** Of a NULL code these are "" and 0. */
LDPC_API const char *ldpc_bch_name(const ldpc_bch *bch);
LDPC_API uint32_t ldpc_bch_n(const ldpc_bch *bch); /**< bits of a word = message bits of the LDPC code */
LDPC_API uint32_t ldpc_bch_k(const ldpc_bch *bch); /**< bits of a message = of a baseband frame */
LDPC_API uint32_t ldpc_bch_t(const ldpc_bch *bch); /**< wrong bits of a word that are always corrected */

/** Name of the i-th LDPC code that has a BCH code around it, NULL past the end. */
LDPC_API const char *ldpc_bch_list(size_t i);

/**
 * Encode messages (systematic: the message comes first).
 *
 * @param message  n_codewords * k bits, or n_codewords * ceil(k/8) bytes when packed
 * @param word     out: n_codewords * n bits, or n_codewords * n/8 bytes (n is a multiple of 8)
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_encode(const ldpc_bch *bch, const uint8_t *message, size_t n_codewords,
                                     bool packed, uint8_t *word);

/** What ldpc_bch_decode() says about a word with more wrong bits than it can correct. */
#define LDPC_BCH_FAILED (-1)

/**
 * Decode words.
 *
 * @param word       n_codewords * n bits, or n_codewords * n/8 bytes when packed
 * @param message    out: n_codewords * k bits or n_codewords * ceil(k/8) bytes; as they came where decoding
 * failed
 * @param corrected  out: n_codewords numbers of bits that were wrong, in message and parity, or
 * LDPC_BCH_FAILED; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_decode(const ldpc_bch *bch, const uint8_t *word, size_t n_codewords,
                                     bool packed, uint8_t *message, int32_t *corrected);

/* ---- baseband frames */

/** Takes transport stream packets out of baseband frames: descrambler, header, packets across frames, CRC-8,
 * deleted null packets. Normal mode, and in DVB-T2 and C2 the high efficiency mode. One thread at a time. */
typedef struct ldpc_bb_deframer ldpc_bb_deframer;

enum {
    LDPC_TS_PACKET = 188,      /**< bytes of a transport stream packet */
    LDPC_BB_ANY_STREAM = -1,   /**< take the frames of all input streams */
    LDPC_BB_NO_START = 0xFFFF, /**< SYNCD: no packet starts in this frame */
};

/** The header of a frame. Lengths in bits. */
typedef struct ldpc_bb_header {
    bool valid;           /**< CRC-8 right and fields within their ranges; else the rest means nothing */
    bool high_efficiency; /**< mode: high efficiency, else normal */
    bool transport_stream, single_stream, constant_coding; /**< TS/GS, SIS/MIS, CCM/ACM */
    bool issy, null_deletion;                              /**< ISSYI, NPD */
    uint8_t roll_off;                                      /**< RO or EXT, 2 bits */
    uint8_t stream;                                        /**< second byte of MATYPE: ISI or PLP */
    uint16_t upl, dfl, syncd;                              /**< UPL is 0 in high efficiency mode */
} ldpc_bb_header;

/** What was seen since the start. */
typedef struct ldpc_bb_counters {
    uint64_t frames;        /**< frames pushed */
    uint64_t header_errors; /**< of them: header wrong, nothing taken */
    uint64_t broken_frames; /**< of them: said to be broken when pushed */
    uint64_t other_frames;  /**< of them: another input stream, or no transport stream */
    uint64_t packets;       /**< packets handed out, null packets put back included */
    uint64_t null_packets;  /**< of them: null packets put back */
    uint64_t crc_errors;    /**< of them: CRC-8 wrong (normal mode only) */
    uint64_t ts_errors;     /**< of them: with transport_error_indicator, set here or by the sender */
    uint64_t lost_packets;  /**< begun packets whose rest never came */
} ldpc_bb_counters;

/**
 * Make a deframer.
 *
 * @param name    of the LDPC code: the standard decides on the modes, the BCH code on the length of a frame
 * @param stream  input stream (ISI) to take where a frame says that there are several, 0 .. 255, or
 * LDPC_BB_ANY_STREAM
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_ERR_RANGE (stream), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bb_deframer_create(const char *name, int32_t stream, ldpc_bb_deframer **deframer,
                                             ldpc_error *err);

/** Give it back; NULL is allowed. */
LDPC_API void ldpc_bb_deframer_destroy(ldpc_bb_deframer *deframer);

/** Forget the begun packet and all counts. */
LDPC_API void ldpc_bb_deframer_reset(ldpc_bb_deframer *deframer);

/** Bits of a frame; 0 for NULL. */
LDPC_API uint32_t ldpc_bb_deframer_k(const ldpc_bb_deframer *deframer);

/**
 * Put a frame in, as it comes from the BCH decoder (scrambled).
 *
 * @param frame   k bits, or ceil(k/8) bytes when packed; copied
 * @param broken  there are wrong bits left in it: packets that no CRC-8 clears get their
 * transport_error_indicator set
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_AGAIN while packets of the last frame are to be pulled
 */
LDPC_API ldpc_status ldpc_bb_deframer_push(ldpc_bb_deframer *deframer, const uint8_t *frame, bool packed,
                                           bool broken);

/** Take up to max_packets packets of LDPC_TS_PACKET bytes out; returns how many there were. Fewer than
 * max_packets: the next frame may be pushed. */
LDPC_API size_t ldpc_bb_deframer_pull(ldpc_bb_deframer *deframer, uint8_t *ts, size_t max_packets);

/** Header of the last frame and counters so far; all zero for NULL. */
LDPC_API ldpc_bb_header ldpc_bb_deframer_header(const ldpc_bb_deframer *deframer);
LDPC_API ldpc_bb_counters ldpc_bb_deframer_counters(const ldpc_bb_deframer *deframer);

#ifdef __cplusplus
}
#endif
#endif
