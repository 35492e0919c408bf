/* SPDX-License-Identifier: BSD-3-Clause */
/* LDPC codes: standard codes by name, and user-supplied ones from alist files, base-matrix files or arrays.
 *
 * Names (docs/codes.md holds the grammar):  wimax:2304:1/2  wifi:1944:5/6  dvbs2:64800:3/4  dvbt2:16200:4/5
 * dvbc2:64800:9/10  dvbs2x:64800:104/180  nr:bg1:384:16896  ccsds:tc:256  atsc3:64800:8/15  wigig:672:3/4
 * ethernet:2048  alist:FILE  qc:FILE; over GF(q) bds:b1c:200  ccsds:nb:cnbpb:128  nbalist:FILE
 *
 * A code over GF(q) counts in symbols; in arrays of bits a symbol is log2 q bits, the most significant one
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

/** An LDPC code. It never changes after creation: any number of threads may share it. It is reference
 * counted: decoders keep their code alive, so it may be destroyed before them. */
typedef struct ldpc_code ldpc_code;

/**
 * Make a code from its name.
 *
 * @param name  canonical name, or "alist:FILE" / "qc:FILE" / "nbalist:FILE" to read a file
 * @param code  out: the code, or NULL after a failure
 * @param err   out: the sentence about a failure, may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (the sentence suggests similar names), LDPC_ERR_FILE,
 * LDPC_ERR_FORMAT, LDPC_ERR_LIMIT, LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create(const char *name, ldpc_code **code, ldpc_error *err);

/**
 * Make a code from the text of an alist file (MacKay's format, zero padded or not; docs/formats.md).
 *
 * Any matrix is accepted, of full rank or not: k = n - rank(H), and the message bits are the codeword bits at
 * ldpc_code_message_columns(), the earliest columns that can carry information. A code that is too large for
 * an encoder is for decoding only: see ldpc_code_has_encoder(). Time and memory that a text of `length` bytes
 * can take: docs/formats.md, "Limits".
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_FORMAT (the sentence begins with the line), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_alist(const char *text, size_t length, ldpc_code **code,
                                            ldpc_error *err);

/** Make a code over GF(q), q = 4, 8 .. 256, from the text of a q-ary alist file (docs/nonbinary.md). */
LDPC_API ldpc_status ldpc_code_create_nbalist(const char *text, size_t length, ldpc_code **code,
                                              ldpc_error *err);

/** Make a code from the text of a base-matrix (QC) file: lifting size and shifts (docs/formats.md). */
LDPC_API ldpc_status ldpc_code_create_qc(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

/**
 * Make a code from the edges of its Tanner graph, the positions of the ones of H.
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
 * Make a random regular code by progressive edge growth: short cycles are avoided as far as possible.
 *
 * @param n      number of variable nodes (columns)
 * @param dv     degree of the variable nodes
 * @param dc     degree of the check nodes; divides n * dv
 * @param order  field order: 2, or 4, 8 .. 256 with random coefficients (the graph is the same)
 * @param seed   the same seed gives the same code
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (also: no such graph with this seed), LDPC_ERR_LIMIT,
 * LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_code_create_random(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order,
                                             uint64_t seed, ldpc_code **code, ldpc_error *err);

/** Release the code; NULL is allowed. */
LDPC_API void ldpc_code_destroy(ldpc_code *code);

/* Getters. For a NULL code they return "", 0 or NULL. Arrays live as long as the code. */

/** Canonical name; "alist", "qc", "nbalist", "edges" or "random" for codes made by those functions. */
LDPC_API const char *ldpc_code_name(const ldpc_code *code);
LDPC_API const char *
ldpc_code_standard(const ldpc_code *code); /**< standard and clause, "" for user-supplied codes */
/** Transmitted symbols of a codeword. A decoder takes one LLR for each bit of them. */
LDPC_API uint32_t ldpc_code_n(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_k(const ldpc_code *code);      /**< information symbols of a codeword */
LDPC_API uint32_t ldpc_code_checks(const ldpc_code *code); /**< rows of H */
/** Columns of H: n + punctured + shortened, less the transmitted symbols that are zero by definition and have
 * no column (UINT32_MAX in ldpc_code_transmitted_columns). */
LDPC_API uint32_t ldpc_code_columns(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_punctured(const ldpc_code *code); /**< columns that are never transmitted */
/** Columns known to be zero: not transmitted, or transmitted constants. */
LDPC_API uint32_t ldpc_code_shortened(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_order(const ldpc_code *code); /**< field order q; 2 = binary */
/** log2 q: bits and LLRs of a symbol; 1 = binary. */
LDPC_API uint32_t ldpc_code_symbol_bits(const ldpc_code *code);
/** Primitive polynomial of the field, bit i = coefficient of x^i; 0 = binary. */
LDPC_API uint32_t ldpc_code_polynomial(const ldpc_code *code);
LDPC_API uint32_t ldpc_code_lifting_size(const ldpc_code *code); /**< z; 1 for a code without circulants */
LDPC_API size_t ldpc_code_edges(const ldpc_code *code);          /**< nonzero entries of H */

/** Columns of check c, ascending; *degree receives their number. NULL if c is out of range. */
LDPC_API const uint32_t *ldpc_code_check(const ldpc_code *code, uint32_t c, uint32_t *degree);

/** Coefficients (field elements 1 .. q-1) of check c in these columns; NULL for binary codes, or if c is out
 * of range. */
LDPC_API const uint16_t *ldpc_code_check_values(const ldpc_code *code, uint32_t c);

/** Column of H of each of the n transmitted symbols, UINT32_MAX for a constant zero. */
LDPC_API const uint32_t *ldpc_code_transmitted_columns(const ldpc_code *code);

/** Column of H of each of the k message symbols. */
LDPC_API const uint32_t *ldpc_code_message_columns(const ldpc_code *code);

/**
 * Does the code have an encoder? Large codes without structure do not (docs/formats.md, "Limits"). Such a
 * code is for decoding only: k counts its checks as independent, the message columns are the first k, ldpc_encode() returns LDPC_ERR_LIMIT, and simulations transmit the all-zero codeword.
 */
LDPC_API bool ldpc_code_has_encoder(const ldpc_code *code);

/** Length of the shortest cycle of the Tanner graph; 0 if there is none, if all are longer than `limit` (4,
 * 6, 8 ...), or if memory is short. */
LDPC_API uint32_t ldpc_code_girth(const ldpc_code *code, uint32_t limit);

/**
 * Encode messages (systematic).
 *
 * @param message   n_codewords * k symbols, one bit per byte (bit 0 of it counts)
 * @param codeword  out: n_codewords * n transmitted symbols, one bit per byte
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_PARAM (k = 0: there are no message bits, H may be
 * transposed), LDPC_ERR_LIMIT (no encoder), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status ldpc_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                 uint8_t *codeword);

/** Number of unsatisfied checks of ldpc_code_columns() symbols, one bit per byte (all columns, punctured ones
 * too); UINT32_MAX if an argument is NULL. */
LDPC_API uint32_t ldpc_syndrome_weight(const ldpc_code *code, const uint8_t *columns);

/**
 * Write a code as text, as an alist (q-ary for codes over GF(q)) or as a base matrix (docs/formats.md).
 *
 * @param text      out: up to `capacity` bytes, zero terminated; NULL to ask for the size
 * @param capacity  bytes available at `text`
 * @param needed    out: bytes needed, with the terminating zero
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (capacity too small), LDPC_ERR_MEMORY, LDPC_ERR_UNSUPPORTED
 * (qc: the code does not consist of whole circulants in natural order)
 */
LDPC_API ldpc_status ldpc_code_write_alist(const ldpc_code *code, char *text, size_t capacity,
                                           size_t *needed);
LDPC_API ldpc_status ldpc_code_write_qc(const ldpc_code *code, char *text, size_t capacity, size_t *needed);

/** The i-th canonical name, NULL past the end. */
LDPC_API const char *ldpc_code_list(size_t i);

#ifdef __cplusplus
}
#endif
#endif
