/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 encoder of a transmitter: fields to bits, bits to cells. Covers what the available transmitters do not
 * send. */
#ifndef DVBT2_TEST_L1_WRITER_H
#define DVBT2_TEST_L1_WRITER_H

#include "dvbt2/l1/l1_coding.h"

enum { L1_WRITER_MAX_BITS = 1 << 16 };

/* The 168 bits of L1-pre. */
void l1_write_pre(const dvbt2_l1_pre *pre, uint8_t *bits);

/* Write the bits of L1-post and return their number; the data of extension blocks is all ones. */
uint32_t l1_write_post(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, uint8_t *bits);

/* Write the 1840 cells of L1-pre, which are real. */
void l1_pre_cells(const dvbt2_l1_pre *pre, float *cells);

/* Set L1_POST_INFO_SIZE and L1_POST_SIZE. */
void l1_set_sizes(dvbt2_l1_pre *pre, uint32_t info, uint32_t n_p2);

/* Encode L1-post into cells, interleaved I and Q: CRC, BCH, LDPC, constellation. Returns the number of cells. */
uint32_t l1_post_cells(const dvbt2_l1_pre *pre, uint32_t n_p2, const uint8_t *bits, float *iq);

#endif
