/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers around the LDPC code in DVB-S2, S2X, T2 and C2: the outer BCH code, and baseband frames that
 * carry a transport stream.
 *
 *     LDPC message bits ──> ldpc_bch_decode ──> baseband frame ──> ldpc_bb_deframer ──> TS packets
 *
 * Both are named by the LDPC code: "dvbt2:64800:2/3". The message of the LDPC code is a codeword of the BCH
 * code, whose message is a baseband frame. Bits are one per byte (bit 0 of it counts), or packed 8 per byte,
 * most significant first, each codeword padded to a whole byte.
 *
 * Standards: ETSI EN 302 307-1 and -2 (DVB-S2, S2X) clauses 5.1 to 5.3.1, EN 302 755 (DVB-T2) clauses 5.1 and
 * 6.1.1, EN 302 769 (DVB-C2).
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

/** A BCH code. It never changes after creation: any number of threads may share it. */
typedef struct ldpc_bch ldpc_bch;

/**
 * Make the outer code of an LDPC code.
 *
 * @param name  name of the LDPC code
 * @param bch   out: the code, or NULL after a failure
 * @param err   out: the sentence about a failure, may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (no such code, or it has no outer BCH code),
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bch_create(const char *name, ldpc_bch **bch, ldpc_error *err);

/** Destroy a code; NULL is allowed. */
LDPC_API void ldpc_bch_destroy(ldpc_bch *bch);

/* Getters. For a NULL code they return "" and 0. */

/** Name of the LDPC code. */
LDPC_API const char *ldpc_bch_name(const ldpc_bch *bch);
LDPC_API uint32_t ldpc_bch_n(const ldpc_bch *bch); /**< bits of a codeword = message bits of the LDPC code */
LDPC_API uint32_t ldpc_bch_k(const ldpc_bch *bch); /**< bits of a message = bits of a baseband frame */
LDPC_API uint32_t ldpc_bch_t(const ldpc_bch *bch); /**< errors that it corrects in every codeword */

/** Name of the i-th LDPC code that has an outer BCH code, NULL past the end. */
LDPC_API const char *ldpc_bch_list(size_t i);

/**
 * Encode messages (systematic: the message comes first).
 *
 * @param message   n_codewords * k bits, or n_codewords * ceil(k/8) bytes if packed
 * @param packed    message and codeword are packed
 * @param codeword  out: n_codewords * n bits, or n_codewords * n/8 bytes (n is a multiple of 8)
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_encode(const ldpc_bch *bch, const uint8_t *message, size_t n_codewords,
                                     bool packed, uint8_t *codeword);

/** Result of ldpc_bch_decode() for a codeword with more errors than it can correct. */
#define LDPC_BCH_FAILED (-1)

/**
 * Decode codewords.
 *
 * @param codeword   n_codewords * n received bits, or n_codewords * n/8 bytes if packed
 * @param packed     codeword and message are packed
 * @param message    out: n_codewords * k bits, or n_codewords * ceil(k/8) bytes; as received where decoding
 *                   fails
 * @param corrected  out: for each codeword the number of corrected bits, message and parity, or
 *                   LDPC_BCH_FAILED; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_decode(const ldpc_bch *bch, const uint8_t *codeword, size_t n_codewords,
                                     bool packed, uint8_t *message, int32_t *corrected);

/* ---- baseband frames */

/** Extracts transport stream packets from baseband frames: descrambler, header, packets across frames, CRC-8,
 * deleted null packets. Normal mode, and in DVB-T2 and C2 also high efficiency mode. One thread at a time may
 * use it. */
typedef struct ldpc_bb_deframer ldpc_bb_deframer;

enum {
    LDPC_TS_PACKET = 188,      /**< bytes of a transport stream packet */
    LDPC_BB_ANY_STREAM = -1,   /**< take the frames of all input streams */
    LDPC_BB_NO_START = 0xFFFF, /**< SYNCD: no packet starts in this frame */
};

/** The header of a frame. Lengths in bits. */
typedef struct ldpc_bb_header {
    bool valid; /**< the CRC-8 is right and all fields are in range; else the other fields are undefined */
    bool high_efficiency;                                  /**< mode: high efficiency, else normal */
    bool transport_stream, single_stream, constant_coding; /**< TS/GS, SIS/MIS, CCM/ACM */
    bool issy, null_deletion;                              /**< ISSYI, NPD */
    uint8_t roll_off;                                      /**< RO or EXT, 2 bits */
    uint8_t stream;                                        /**< second byte of MATYPE: ISI or PLP */
    uint16_t upl, dfl, syncd;                              /**< UPL is 0 in high efficiency mode */
} ldpc_bb_header;

/** Counts since creation or reset. */
typedef struct ldpc_bb_counters {
    uint64_t frames;        /**< frames pushed */
    uint64_t header_errors; /**< frames with a wrong header, which are skipped */
    uint64_t broken_frames; /**< frames pushed as broken */
    uint64_t other_frames;  /**< frames of other input streams, or without a transport stream */
    uint64_t packets;       /**< packets returned, with reinserted null packets */
    uint64_t null_packets;  /**< reinserted null packets */
    uint64_t crc_errors;    /**< packets with a wrong CRC-8 (normal mode only) */
    uint64_t ts_errors;     /**< packets with transport_error_indicator, set here or by the transmitter */
    uint64_t lost_packets;  /**< partial packets whose rest never arrived */
} ldpc_bb_counters;

/**
 * Make a deframer.
 *
 * @param name      name of the LDPC code: its standard determines the modes, its BCH code the length of a
 * frame
 * @param stream    input stream (ISI or PLP), 0 .. 255, to extract if frames announce several, or
 *                  LDPC_BB_ANY_STREAM
 * @param deframer  out: the deframer, or NULL after a failure
 * @param err       out: the sentence about a failure, may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_ERR_RANGE (stream), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bb_deframer_create(const char *name, int32_t stream, ldpc_bb_deframer **deframer,
                                             ldpc_error *err);

/**
 * Change the code, and so the length of the frames pushed from now on: with ACM and VCM each frame may have its
 * own. A packet goes on across frames of different codes; counters go on too.
 *
 * @param name  as in ldpc_bb_deframer_create()
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_AGAIN while packets of the last frame remain to be pulled
 */
LDPC_API ldpc_status ldpc_bb_deframer_set_code(ldpc_bb_deframer *deframer, const char *name, ldpc_error *err);

/** Destroy a deframer; NULL is allowed. */
LDPC_API void ldpc_bb_deframer_destroy(ldpc_bb_deframer *deframer);

/** Drop the partial packet; it counts as lost. The frames that follow are not the next ones. */
LDPC_API void ldpc_bb_deframer_break(ldpc_bb_deframer *deframer);

/** Drop the partial packet and reset all counters. */
LDPC_API void ldpc_bb_deframer_reset(ldpc_bb_deframer *deframer);

/** Bits of a frame; 0 for NULL. */
LDPC_API uint32_t ldpc_bb_deframer_k(const ldpc_bb_deframer *deframer);

/**
 * Push a frame, as the BCH decoder returns it (still scrambled).
 *
 * @param frame   k bits, or ceil(k/8) bytes if packed; copied
 * @param packed  the frame is packed
 * @param broken  the frame has wrong bits: all packets with a part in it get their transport_error_indicator
 *                set, even those whose CRC-8 fits, which it does by chance in one of 256
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_AGAIN while packets of the last frame remain to be pulled
 */
LDPC_API ldpc_status ldpc_bb_deframer_push(ldpc_bb_deframer *deframer, const uint8_t *frame, bool packed,
                                           bool broken);

/** Pull up to max_packets packets of LDPC_TS_PACKET bytes; returns their number. If it is less than
 * max_packets, the next frame may be pushed. */
LDPC_API size_t ldpc_bb_deframer_pull(ldpc_bb_deframer *deframer, uint8_t *ts, size_t max_packets);

/** What came with a packet. */
typedef struct ldpc_bb_packet {
    bool reinserted; /**< a null packet that the transmitter had deleted; it has no ISSY */
    uint8_t
        issy_bytes; /**< of its ISSY field: 0 (none), 2 or 3. High efficiency mode has one for the first packet
                             that begins in a frame */
    uint32_t issy;  /**< these bytes, the first one in the highest bits */
} ldpc_bb_packet;

/** The same with what came with each packet; `packets` has room for max_packets. */
LDPC_API size_t ldpc_bb_deframer_pull_packets(ldpc_bb_deframer *deframer, uint8_t *ts,
                                              ldpc_bb_packet *packets, size_t max_packets);

/** The last frame, descrambled and packed: header (80 bits), data field (DFL bits), padding or in-band signalling,
 * ldpc_bb_deframer_k() bits in all. Valid until the next push; NULL for NULL. */
LDPC_API const uint8_t *ldpc_bb_deframer_frame(const ldpc_bb_deframer *deframer);

/** Header of the last frame, and the counters; all zero for NULL. */
LDPC_API ldpc_bb_header ldpc_bb_deframer_header(const ldpc_bb_deframer *deframer);
LDPC_API ldpc_bb_counters ldpc_bb_deframer_counters(const ldpc_bb_deframer *deframer);

#ifdef __cplusplus
}
#endif
#endif
