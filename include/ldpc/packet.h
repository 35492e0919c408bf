/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets: payloads of any number of bytes in the codewords of any code.
 *
 *     message bits   length | payload | CRC | zero fill        codeword after codeword, k bits each
 *
 *     length   number of payload bytes, unsigned LEB128: 7 bits per byte, the least significant 7 first; all
 *              bytes but the last have bit 7 set
 *     CRC      of length and payload, least significant byte first: CRC-32 of IEEE 802.3 (zlib's crc32), or
 *              CRC-16 of HDLC (polynomial x^16 + x^12 + x^5 + 1, also called CRC-16/X-25)
 *     bits     of each byte, most significant first
 *
 * The last codeword is shortened: the zero fill at the end of its message is not transmitted. The number of
 * transmitted bits determines the number of codewords, and the number of bits that are not transmitted. A
 * sender may transmit more bits than needed, for example to fill a symbol. The additional bits are a part of
 * the zero fill, followed by zeros that the receiver ignores.
 *
 *     sender     ldpc_packet_bits, ldpc_packet_encode
 *     receiver   ldpc_packet_codewords, ldpc_packet_llrs, ldpc_decode, ldpc_packet_payload
 */
#ifndef LDPC_PACKET_H
#define LDPC_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include "ldpc/code.h"
#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Packet format of a code. It is constant, so threads may share it. Over GF(q), n and k stand for n * log2 q
 * and k * log2 q bits. */
typedef struct ldpc_packet_format ldpc_packet_format;

/** Length of a payload whose CRC is wrong. */
#define LDPC_PACKET_WRONG SIZE_MAX

/**
 * Create the packet format of a code.
 *
 * @param code      the code; the format holds a reference
 * @param crc     length of the CRC in bits: 32 or 16
 * @param format    out: the format, or NULL on failure
 * @param err       out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM (crc, or a code with k = 0), LDPC_ERR_LIMIT (no encoder),
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_packet_format_create(const ldpc_code *code, uint32_t crc,
                                               ldpc_packet_format **format, ldpc_error *err);

/** Destroy a format; NULL is allowed. */
LDPC_API void ldpc_packet_format_destroy(ldpc_packet_format *format);

/** Smallest number of transmitted bits for a payload of `bytes` bytes, which may be 0. Returns 0 if the
 * format is NULL or the result exceeds size_t. */
LDPC_API size_t ldpc_packet_bits(const ldpc_packet_format *format, size_t bytes);

/** Number of codewords in `bits` transmitted bits. Returns 0 if the format is NULL or `bits` is below the
 * shortest codeword. */
LDPC_API size_t ldpc_packet_codewords(const ldpc_packet_format *format, size_t bits);

/**
 * Encode a packet.
 *
 * @param payload  `bytes` bytes; may be NULL if `bytes` is 0
 * @param bits     number of bits to transmit, at least ldpc_packet_bits()
 * @param out      out: `bits` transmitted bits, one bit per byte
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (too few bits), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_packet_encode(const ldpc_packet_format *format, const uint8_t *payload,
                                        size_t bytes, size_t bits, uint8_t *out);

/**
 * Convert LLRs of transmitted bits to the n LLRs of each codeword. Message bits that were not transmitted get
 * the LLR of a known zero: 127 steps, or 256 nats. A decoder limits them to its llr_limit too.
 *
 * @param llr        `bits` LLRs, one per transmitted bit
 * @param bits       number of transmitted bits
 * @param codewords  out: ldpc_packet_codewords() * n LLRs
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (fewer bits than the shortest codeword)
 */
LDPC_API ldpc_status ldpc_packet_llrs(const ldpc_packet_format *format, const int8_t *llr, size_t bits,
                                      int8_t *codewords);

/** Like ldpc_packet_llrs(), for float LLRs in nats. */
LDPC_API ldpc_status ldpc_packet_llrs_float(const ldpc_packet_format *format, const float *llr, size_t bits,
                                            float *codewords);

/**
 * Extract the payload from decoded messages.
 *
 * @param message  ldpc_packet_codewords() * k bits, one bit per byte
 * @param bits     number of transmitted bits
 * @param payload  out: at most ldpc_packet_codewords() * k / 8 bytes
 * @param bytes    out: length of the payload; LDPC_PACKET_WRONG if the CRC is wrong or the zero fill contains
 *                 ones (then `payload` is undefined)
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (fewer bits than the shortest codeword)
 */
LDPC_API ldpc_status ldpc_packet_payload(const ldpc_packet_format *format, const uint8_t *message,
                                         size_t bits, uint8_t *payload, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
