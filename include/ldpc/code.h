/* SPDX-License-Identifier: BSD-3-Clause */
/* LDPC codes: standard codes by name, and codes from alist files, base-matrix files or arrays.
 *
 * Names (grammar in docs/codes.md):  wimax:2304:1/2  wifi:1944:5/6  dvbs2:64800:3/4  dvbt2:16200:4/5
 * dvbc2:64800:9/10  dvbs2x:64800:104/180  nr:bg1:384:16896  ccsds:tc:256  atsc3:64800:8/15  wigig:672:3/4
 * ethernet:2048  alist:FILE  qc:FILE; over GF(q) bds:b1c:200  ccsds:nb:cnbpb:128  nbalist:FILE
 *
 * Sizes of codes over GF(q) are in symbols. A symbol is log2 q bits, most significant bit first.
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

/** An LDPC code. It is constant and reference counted, so threads may share it. Decoders keep a reference. */
typedef struct ldpc_code ldpc_code;

/**
 * Create a code by name.
 *
 * @param name  canonical name, or "alist:FILE" / "qc:FILE" / "nbalist:FILE"
 * @param code  out: the code, or NULL on failure
 * @param err   out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (the message suggests similar names), LDPC_ERR_RANGE (a number
 * in a 5G name), LDPC_ERR_FILE, LDPC_ERR_FORMAT, LDPC_ERR_LIMIT, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create(const char *name, ldpc_code **code, ldpc_error *err);

/**
 * Create a code from an alist text in MacKay's format, with or without zero padding (docs/formats.md).
 *
 * The matrix need not have full rank: k = n - rank(H). ldpc_code_message_columns() are the earliest columns
 * that can carry information. Very large codes have no encoder, see ldpc_code_has_encoder(). docs/formats.md,
 * "Limits", lists the limits.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_FORMAT (the message begins with the line number), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_alist(const char *text, size_t length, ldpc_code **code,
                                            ldpc_error *err);

/** Create a code over GF(q), q = 4, 8 .. 256, from a q-ary alist text (docs/nonbinary.md). */
LDPC_API ldpc_status ldpc_code_create_nbalist(const char *text, size_t length, ldpc_code **code,
                                              ldpc_error *err);

/** Create a code from a base-matrix text: lifting size and shifts (docs/formats.md). */
LDPC_API ldpc_status ldpc_code_create_qc(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

/**
 * Create a code from the edges of its Tanner graph.
 *
 * @param m        number of checks (rows of H)
 * @param n        number of variable nodes (columns of H)
 * @param checks   check of each edge, 0-based
 * @param variables  variable node of each edge, 0-based
 * @param edges    number of edges; no edge may occur twice
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_PARAM (an edge occurs twice), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_edges(uint32_t m, uint32_t n, const uint32_t *checks,
                                            const uint32_t *variables, size_t edges, ldpc_code **code,
                                            ldpc_error *err);

/**
 * Create a random regular code by progressive edge growth, which avoids short cycles.
 *
 * @param n      number of variable nodes (columns)
 * @param dv     degree of the variable nodes
 * @param dc     degree of the checks; n * dv must be a multiple of dc
 * @param order  field order: 2, or 4, 8 .. 256 with random coefficients
 * @param seed   seed of the random numbers
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (or no graph was found with this seed), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_random(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order,
                                             uint64_t seed, ldpc_code **code, ldpc_error *err);

/**
 * Make a binary code with other message, punctured or shortened columns.
 *
 * @param changes  changes, separated by commas. COLUMNS are columns A or ranges A-B of H, counted from 0 and
 *                 joined by "+". A name of a code may end in changes too: "alist:FILE,message=last".
 *
 *     message=first        message bits in the earliest possible columns (default)
 *     message=last         in the latest possible columns, as in GNU Radio's gr-fec
 *     message=COLUMNS      in these k columns, in this order
 *     punctured=COLUMNS    columns that are not transmitted: "message=last,punctured=0-31+40"
 *     shortened=COLUMNS    columns that are always zero
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_UNSUPPORTED (codes over GF(q), and codes that
 * transmit constant zeros), LDPC_ERR_LIMIT, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_changed(const ldpc_code *code, const char *changes, ldpc_code **changed,
                                              ldpc_error *err);

/** Release the code; NULL is allowed. */
LDPC_API void ldpc_code_destroy(ldpc_code *code);

/* Getters return "", 0 or NULL for a NULL code. Arrays are valid until the code is destroyed. */

/** Canonical name. User-supplied codes are named "alist", "qc", "nbalist", "edges" or "random". */
LDPC_API const char *ldpc_code_name(const ldpc_code *code);
LDPC_API const char *ldpc_code_standard(const ldpc_code *code); /**< name and clause of the standard, or "" */
/** Transmitted symbols per codeword. The decoder input has one LLR per bit, so log2 q LLRs per symbol. */
LDPC_API uint32_t ldpc_code_n(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_k(const ldpc_code *code);      /**< information symbols per codeword */
LDPC_API uint32_t ldpc_code_checks(const ldpc_code *code); /**< rows of H */
/** Number of columns of H: n + punctured + shortened - transmitted constant zeros. */
LDPC_API uint32_t ldpc_code_columns(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_punctured(const ldpc_code *code); /**< columns of H that are not transmitted */
/** Number of columns of H that are always zero, transmitted or not. */
LDPC_API uint32_t ldpc_code_shortened(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_order(const ldpc_code *code); /**< field order q; 2 = binary */
/** log2 q, the number of bits (and LLRs) per symbol. */
LDPC_API uint32_t ldpc_code_symbol_bits(const ldpc_code *code);
/** Primitive polynomial; bit i is the coefficient of x^i. 0 for binary codes. */
LDPC_API uint32_t ldpc_code_polynomial(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_lifting_size(const ldpc_code *code); /**< lifting size z; 1 without circulants */
LDPC_API size_t ldpc_code_edges(const ldpc_code *code);          /**< nonzero entries of H */

/** Columns of check c in ascending order; *degree is their number. NULL if c is out of range. */
LDPC_API const uint32_t *ldpc_code_check(const ldpc_code *code, uint32_t c, uint32_t *degree);

/** Coefficients 1 .. q-1 of check c in column order. NULL for binary codes, or if c is out of range. */
LDPC_API const uint16_t *ldpc_code_check_values(const ldpc_code *code, uint32_t c);

/** Array [n]: column of H of each transmitted symbol, or UINT32_MAX for a constant zero. */
LDPC_API const uint32_t *ldpc_code_transmitted_columns(const ldpc_code *code);

/** Array [k]: column of H of each message symbol. */
LDPC_API const uint32_t *ldpc_code_message_columns(const ldpc_code *code);

/** Array [ldpc_code_shortened()]: columns of H that are always zero. */
LDPC_API const uint32_t *ldpc_code_shortened_columns(const ldpc_code *code);

/**
 * Returns whether the code has an encoder. Large codes without structure have none (docs/formats.md,
 * "Limits").
 *
 * For a code without an encoder, k assumes linearly independent checks, and the message columns are the first k
 * columns. ldpc_encode() returns LDPC_ERR_LIMIT. Simulations transmit the all-zero codeword.
 */
LDPC_API bool ldpc_code_has_encoder(const ldpc_code *code);

/** Girth (length of the shortest cycle): 4, 6, 8 ... Returns 0 if every cycle is longer than
 * `limit`, or if out of memory. */
LDPC_API uint32_t ldpc_code_girth(const ldpc_code *code, uint32_t limit);

/**
 * Encode messages (systematic).
 *
 * @param message   n_codewords * k symbols, one bit per byte (bit 0)
 * @param codeword  out: n_codewords * n transmitted symbols, one bit per byte
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_PARAM (k = 0; is H transposed?), LDPC_ERR_LIMIT
 * (no encoder), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                 uint8_t *codeword);

/** Number of unsatisfied checks. `columns`: ldpc_code_columns() symbols, one bit per byte, with punctured
 * columns. UINT32_MAX if an argument is NULL. */
LDPC_API uint32_t ldpc_syndrome_weight(const ldpc_code *code, const uint8_t *columns);

/**
 * Write a code as (q-ary) alist or as base matrix (docs/formats.md).
 *
 * @param text      out: at most `capacity` bytes, zero terminated; NULL: only compute the size
 * @param capacity  size of `text` in bytes
 * @param needed    out: size of the complete text in bytes, with the zero
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (capacity too small), LDPC_ERR_MEMORY, LDPC_ERR_UNSUPPORTED
 * (base matrix: the code is not made of complete circulants in natural order)
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
