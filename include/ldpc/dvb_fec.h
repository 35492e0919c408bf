/* SPDX-License-Identifier: BSD-3-Clause */
/* The layers above the LDPC code in DVB-S2, S2X, T2 and C2: outer BCH code and baseband frames with a
 * transport stream.
 *
 *     LDPC message bits ──> ldpc_bch_decode ──> baseband frame ──> ldpc_bb_deframer ──> TS packets
 *
 * The name of the LDPC code ("dvbt2:64800:2/3") selects both layers. Bits are unpacked (bit 0 of each byte),
 * or packed 8 per byte, most significant first, each codeword padded to a whole byte.
 *
 * Standards: ETSI EN 302 307-1 and -2 (DVB-S2, S2X) clauses 5.1 to 5.3.1, EN 302 755 (DVB-T2) clauses 5.1 and
 * 6.1.1, EN 302 769 (DVB-C2). */
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

/** A BCH code. It is constant, so threads may share it. */
typedef struct ldpc_bch ldpc_bch;

/**
 * Create the outer code of an LDPC code.
 *
 * @param name  name of the LDPC code
 * @param bch   out: the code, or NULL on failure
 * @param err   out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (no such code, or without outer BCH code), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bch_create(const char *name, ldpc_bch **bch, ldpc_error *err);

/** Destroy a code; NULL is allowed. */
LDPC_API void ldpc_bch_destroy(ldpc_bch *bch);

/* Getters return "" or 0 if `bch` is NULL. */

/** Name of the LDPC code. */
LDPC_API const char *ldpc_bch_name(const ldpc_bch *bch);
/** bits per codeword; equals k of the LDPC code */
LDPC_API uint32_t ldpc_bch_n(const ldpc_bch *bch);
/** bits per message; equals the length of a baseband frame */
LDPC_API uint32_t ldpc_bch_k(const ldpc_bch *bch);
/** number of correctable bit errors per codeword */
LDPC_API uint32_t ldpc_bch_t(const ldpc_bch *bch);

/** The i-th LDPC code with an outer BCH code; NULL after the last code. */
LDPC_API const char *ldpc_bch_list(size_t i);

/**
 * Encode messages (systematic, message first).
 *
 * @param message   n_codewords * k bits, or n_codewords * ceil(k/8) bytes if packed
 * @param packed     true if message and codeword are packed
 * @param codeword  out: n_codewords * n bits, or n_codewords * n/8 bytes (n is a multiple of 8)
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_encode(const ldpc_bch *bch, const uint8_t *message, size_t n_codewords,
                                     bool packed, uint8_t *codeword);

/** Result of ldpc_bch_decode() for an uncorrectable codeword. */
#define LDPC_BCH_FAILED (-1)

/**
 * Decode codewords.
 *
 * @param codeword   n_codewords * n received bits, or n_codewords * n/8 bytes if packed
 * @param packed  true if codeword and message are packed
 * @param message    out: n_codewords * k bits, or n_codewords * ceil(k/8) bytes; the received bits if
 *                   decoding fails
 * @param corrected  out: corrected bits of each codeword, with parity, or LDPC_BCH_FAILED; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL
 */
LDPC_API ldpc_status ldpc_bch_decode(const ldpc_bch *bch, const uint8_t *codeword, size_t n_codewords,
                                     bool packed, uint8_t *message, int32_t *corrected);

/* ---- baseband frames */

/** Extracts transport stream packets from baseband frames: descrambles frames, joins packets, checks the
 * CRC-8 and reinserts null packets. Supports normal mode and, for T2 and C2, high efficiency mode. Not
 * thread-safe. */
typedef struct ldpc_bb_deframer ldpc_bb_deframer;

enum {
    LDPC_TS_PACKET = 188,      /**< bytes per packet */
    LDPC_BB_ANY_STREAM = -1,   /**< frames of all input streams */
    LDPC_BB_NO_START = 0xFFFF, /**< value of SYNCD if no packet starts in the frame */
};

/** Header of a baseband frame. Lengths are in bits. */
typedef struct ldpc_bb_header {
    /** true if CRC-8 and all fields are valid; otherwise all other members are undefined */
    bool valid;
    bool high_efficiency; /**< true: high efficiency mode; false: normal mode */
    /** the bits TS/GS, SIS/MIS and CCM/ACM of MATYPE */
    bool transport_stream, single_stream, constant_coding;
    bool issy, null_deletion; /**< the bits ISSYI and NPD of MATYPE */
    uint8_t roll_off;         /**< the two bits RO (roll-off factor) or EXT */
    /** second byte of MATYPE: number of the input stream (ISI) or PLP */
    uint8_t stream;
    uint16_t upl, dfl, syncd; /**< UPL is 0 in high efficiency mode */
} ldpc_bb_header;

/** Counts since creation or reset. */
typedef struct ldpc_bb_counters {
    uint64_t frames;        /**< number of frames pushed */
    uint64_t header_errors; /**< number of frames skipped because of an invalid header */
    uint64_t broken_frames; /**< frames pushed with broken = true */
    /** frames of other input streams, and frames without a transport stream */
    uint64_t other_frames;
    uint64_t packets;      /**< packets returned, including reinserted null packets */
    uint64_t null_packets; /**< reinserted null packets */
    uint64_t crc_errors;   /**< packets with a wrong CRC-8 (normal mode only) */
    /** packets with transport_error_indicator, set by deframer or transmitter */
    uint64_t ts_errors;
    uint64_t lost_packets; /**< incomplete packets, dropped */
} ldpc_bb_counters;

/**
 * Create a deframer.
 *
 * @param name      name of the LDPC code; selects modes and frame length
 * @param stream    number of the input stream to extract (ISI or PLP), 0 .. 255, or LDPC_BB_ANY_STREAM
 *                  for the frames of all input streams
 * @param deframer  out: the deframer, or NULL on failure
 * @param err       out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_ERR_RANGE (stream), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_bb_deframer_create(const char *name, int32_t stream, ldpc_bb_deframer **deframer,
                                             ldpc_error *err);

/**
 * Set the code of the next frames, as needed for ACM and VCM. Packets may span frames of different codes.
 *
 * @param name  as in ldpc_bb_deframer_create()
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME, LDPC_AGAIN (pull all packets of the last frame first)
 */
LDPC_API ldpc_status ldpc_bb_deframer_set_code(ldpc_bb_deframer *deframer, const char *name, ldpc_error *err);

/** Destroy a deframer; NULL is allowed. */
LDPC_API void ldpc_bb_deframer_destroy(ldpc_bb_deframer *deframer);

/** Drop the incomplete packet and count it as lost. Call this before the next frame if frames are missing. */
LDPC_API void ldpc_bb_deframer_break(ldpc_bb_deframer *deframer);

/** Drop the incomplete packet and reset all counters. */
LDPC_API void ldpc_bb_deframer_reset(ldpc_bb_deframer *deframer);

/** Number of bits per frame; 0 if `deframer` is NULL. */
LDPC_API uint32_t ldpc_bb_deframer_k(const ldpc_bb_deframer *deframer);

/**
 * Push a frame from the BCH decoder, still scrambled.
 *
 * @param frame   k bits, or ceil(k/8) bytes if packed; copied
 * @param packed  true if the frame is packed
 * @param broken  true if the frame has bit errors. transport_error_indicator is then set in all packets with
 *                bytes in this frame, because the CRC-8 of a wrong packet matches with probability 1/256
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_AGAIN (pull all packets of the last frame first)
 */
LDPC_API ldpc_status ldpc_bb_deframer_push(ldpc_bb_deframer *deframer, const uint8_t *frame, bool packed,
                                           bool broken);

/** Pull up to max_packets packets of LDPC_TS_PACKET bytes. Returns their number; if it is below max_packets,
 * push the next frame. */
LDPC_API size_t ldpc_bb_deframer_pull(ldpc_bb_deframer *deframer, uint8_t *ts, size_t max_packets);

/** Properties of a packet. */
typedef struct ldpc_bb_packet {
    /** whether this is a null packet that the transmitter deleted; it has no ISSY */
    bool reinserted;
    /** length of the ISSY field: 0 (no field), 2 or 3 bytes; in high efficiency mode, only the first packet
     * of a frame has one */
    uint8_t issy_bytes;
    uint32_t issy; /**< value of the ISSY field, first byte most significant */
} ldpc_bb_packet;

/** Like ldpc_bb_deframer_pull(). Also writes the properties of each packet to packets[max_packets]. */
LDPC_API size_t ldpc_bb_deframer_pull_packets(ldpc_bb_deframer *deframer, uint8_t *ts,
                                              ldpc_bb_packet *packets, size_t max_packets);

/** The last frame, descrambled and packed: header (80 bits), data field (DFL bits), padding or in-band
 * signalling. Valid until the next push. NULL if `deframer` is NULL. */
LDPC_API const uint8_t *ldpc_bb_deframer_frame(const ldpc_bb_deframer *deframer);

/** Return the header of the last frame, and the counters; all members are 0 if `deframer` is NULL. */
LDPC_API ldpc_bb_header ldpc_bb_deframer_header(const ldpc_bb_deframer *deframer);
LDPC_API ldpc_bb_counters ldpc_bb_deframer_counters(const ldpc_bb_deframer *deframer);

#ifdef __cplusplus
}
#endif
#endif
