/* SPDX-License-Identifier: BSD-3-Clause */
/* LDPC codes: standard codes by name, and user-supplied codes from alist files, base-matrix files or arrays.
 *
 * Names (grammar in docs/codes.md):  wimax:2304:1/2  wifi:1944:5/6  dvbs2:64800:3/4  dvbt2:16200:4/5
 * dvbc2:64800:9/10  dvbs2x:64800:104/180  nr:bg1:384:16896  ccsds:tc:256  atsc3:64800:8/15  wigig:672:3/4
 * ethernet:2048  alist:FILE  qc:FILE; over GF(q) bds:b1c:200  ccsds:nb:cnbpb:128  nbalist:FILE
 *
 * Sizes of a code over GF(q) are in symbols. In arrays of bits, a symbol is log2 q bits, most significant bit
 * first.
 */
#ifndef LDPC_CODE_H
#define LDPC_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An LDPC code. It is constant after its creation, so threads may share it. It is reference counted, so it
 * may be destroyed before the decoders that use it. */
typedef struct ldpc_code ldpc_code;

/**
 * Create a code by name.
 *
 * @param name  canonical name, or "alist:FILE" / "qc:FILE" / "nbalist:FILE" to read a file
 * @param code  out: the code, or NULL on failure
 * @param err   out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (the message suggests similar names), LDPC_ERR_FILE,
 * LDPC_ERR_FORMAT, LDPC_ERR_LIMIT, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create(const char *name, ldpc_code **code, ldpc_error *err);

/**
 * Create a code from the text of an alist file in MacKay's format, with or without zero padding
 * (docs/formats.md).
 *
 * The matrix need not have full rank: k = n - rank(H). The message bits are the codeword bits at
 * ldpc_code_message_columns(): the earliest columns that can carry information. A code that is too large for
 * an encoder can only be decoded, see ldpc_code_has_encoder(). The section "Limits" of docs/formats.md lists
 * the limits of time and memory.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_FORMAT (the message begins with the line number), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_alist(const char *text, size_t length, ldpc_code **code,
                                            ldpc_error *err);

/** Create a code over GF(q), q = 4, 8 .. 256, from the text of a q-ary alist file (docs/nonbinary.md). */
LDPC_API ldpc_status ldpc_code_create_nbalist(const char *text, size_t length, ldpc_code **code,
                                              ldpc_error *err);

/** Create a code from the text of a base-matrix (QC) file, which holds the lifting size and the shifts
 * (docs/formats.md). */
LDPC_API ldpc_status ldpc_code_create_qc(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

/**
 * Create a code from the edges of its Tanner graph, that is, from the positions of the ones in H.
 *
 * @param m        number of checks (rows)
 * @param n        number of variable nodes (columns)
 * @param checks   check of each edge, 0-based
 * @param variables  variable node of each edge, 0-based
 * @param edges    number of edges; each may occur only once
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_PARAM (an edge occurs twice), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_edges(uint32_t m, uint32_t n, const uint32_t *checks,
                                            const uint32_t *variables, size_t edges, ldpc_code **code,
                                            ldpc_error *err);

/**
 * Create a random regular code by progressive edge growth, which avoids short cycles as far as possible.
 *
 * @param n      number of variable nodes (columns)
 * @param dv     degree of the variable nodes
 * @param dc     degree of the check nodes; n * dv must be a multiple of it
 * @param order  field order: 2, or 4, 8 .. 256 with random coefficients; it does not change the graph
 * @param seed   seed of the random numbers; determines the code
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (also if no graph was found with this seed), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_random(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order,
                                             uint64_t seed, ldpc_code **code, ldpc_error *err);

/**
 * Make a code from another binary code, with columns that are not transmitted, or with other message columns.
 *
 * @param changes  one or more changes, separated by commas: "message=first" (the default: the message bits
 *                 are the earliest columns that can carry information), "message=last" (the latest such
 *                 columns, as in the encoders of GNU Radio's gr-fec), "message=COLUMNS" (k columns, in the
 *                 order of the message bits), "punctured=COLUMNS" or "shortened=COLUMNS". COLUMNS is a list
 *                 of columns A or ranges A-B of H, counted from 0 and joined by "+". Example:
 *                 "message=last,punctured=0-31+40". The same changes can be appended to the name of a code
 *                 after a comma: "alist:FILE,message=last".
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_UNSUPPORTED (codes over GF(q), and codes that
 * transmit constant zeros), LDPC_ERR_LIMIT, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_changed(const ldpc_code *code, const char *changes, ldpc_code **changed,
                                              ldpc_error *err);

/** Release the code; NULL is allowed. */
LDPC_API void ldpc_code_destroy(ldpc_code *code);

/* Getters return "", 0 or NULL if `code` is NULL. Returned arrays are valid until the code is destroyed. */

/** Canonical name. Codes that were created by the functions for files, edges or random graphs have the name
 * "alist", "qc", "nbalist", "edges" or "random". */
LDPC_API const char *ldpc_code_name(const ldpc_code *code);
LDPC_API const char *
ldpc_code_standard(const ldpc_code *code); /**< name and clause of the standard; "" for user-supplied codes */
/** Number n of transmitted symbols per codeword. A decoder reads one LLR for each bit of these symbols. */
LDPC_API uint32_t ldpc_code_n(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_k(const ldpc_code *code);      /**< information symbols per codeword */
LDPC_API uint32_t ldpc_code_checks(const ldpc_code *code); /**< rows of H */
/** Number of columns of H: n + punctured + shortened, minus the number of constant zeros that are transmitted
 * (these have the value UINT32_MAX in ldpc_code_transmitted_columns()). */
LDPC_API uint32_t ldpc_code_columns(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_punctured(const ldpc_code *code); /**< columns of H that are never transmitted */
/** Number of columns whose symbol is always zero, whether the symbol is transmitted or not. */
LDPC_API uint32_t ldpc_code_shortened(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_order(const ldpc_code *code); /**< field order q; 2 = binary */
/** log2 q: number of bits (and of LLRs) per symbol; 1 for binary codes. */
LDPC_API uint32_t ldpc_code_symbol_bits(const ldpc_code *code);
/** Primitive polynomial of the field: bit i is the coefficient of x^i. 0 for binary codes. */
LDPC_API uint32_t ldpc_code_polynomial(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_lifting_size(const ldpc_code *code); /**< lifting size z; 1 without circulants */
LDPC_API size_t ldpc_code_edges(const ldpc_code *code);          /**< nonzero entries of H */

/** Columns of check c in ascending order; *degree receives the number of columns. Returns NULL if c is out of
 * range. */
LDPC_API const uint32_t *ldpc_code_check(const ldpc_code *code, uint32_t c, uint32_t *degree);

/** Coefficients (field elements 1 .. q-1) of check c, in the order of the check's columns. Returns NULL if
 * the code is binary or c is out of range. */
LDPC_API const uint16_t *ldpc_code_check_values(const ldpc_code *code, uint32_t c);

/** Array of n entries: the column of H of each transmitted symbol, or UINT32_MAX for a constant zero. */
LDPC_API const uint32_t *ldpc_code_transmitted_columns(const ldpc_code *code);

/** Array of k entries: the column of H of each message symbol. */
LDPC_API const uint32_t *ldpc_code_message_columns(const ldpc_code *code);

/** Array of ldpc_code_shortened() entries: the columns of H whose symbol is always zero. */
LDPC_API const uint32_t *ldpc_code_shortened_columns(const ldpc_code *code);

/**
 * Returns whether the code has an encoder. Large codes without structure have no encoder (docs/formats.md,
 * "Limits") and can only be decoded. For these codes, k is computed as if the checks were independent, the
 * message columns are the first k columns, ldpc_encode() returns LDPC_ERR_LIMIT, and simulations transmit the
 * all-zero codeword.
 */
LDPC_API bool ldpc_code_has_encoder(const ldpc_code *code);

/** Girth, the length of the shortest cycle of the Tanner graph. `limit` is 4, 6, 8 ... Returns 0 if no cycle
 * has at most this length, or if memory is exhausted. */
LDPC_API uint32_t ldpc_code_girth(const ldpc_code *code, uint32_t limit);

/**
 * Encode messages (systematic).
 *
 * @param message   n_codewords * k symbols, one bit per byte (in bit 0)
 * @param codeword  out: n_codewords * n transmitted symbols, one bit per byte
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_PARAM (the code has no message bits, k = 0,
 * perhaps because H is transposed), LDPC_ERR_LIMIT (no encoder), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                 uint8_t *codeword);

/** Number of checks that are not satisfied by ldpc_code_columns() symbols, one bit per byte. `bits` holds all
 * columns of H, including punctured columns. Returns UINT32_MAX if an argument is NULL. */
LDPC_API uint32_t ldpc_syndrome_weight(const ldpc_code *code, const uint8_t *columns);

/**
 * Write a code as text: as an alist (q-ary for codes over GF(q)) or as a base matrix (docs/formats.md).
 *
 * @param text      out: at most `capacity` bytes, zero terminated; if NULL, only the size is computed
 * @param capacity  size of `text` in bytes
 * @param needed    out: size in bytes of the complete text, including the terminating zero
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (capacity too small), LDPC_ERR_MEMORY, LDPC_ERR_UNSUPPORTED
 * (for a base matrix: the code does not consist of complete circulants in natural order)
 */
LDPC_API ldpc_status ldpc_code_write_alist(const ldpc_code *code, char *text, size_t capacity,
                                           size_t *needed);
LDPC_API ldpc_status ldpc_code_write_qc(const ldpc_code *code, char *text, size_t capacity, size_t *needed);

/** The i-th canonical name; NULL after the last name. */
LDPC_API const char *ldpc_code_list(size_t i);

#ifdef __cplusplus
}
#endif
#endif
