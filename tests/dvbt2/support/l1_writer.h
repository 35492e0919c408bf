/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 as a transmitter makes it: fields to bits, bits to cells. For what no other transmitter at hand sends.
 */
#ifndef DVBT2_TEST_L1_WRITER_H
#define DVBT2_TEST_L1_WRITER_H

#include "dvbt2/l1/l1_coding.h"

enum { L1_WRITER_MAX_BITS = 1 << 16 };

/* The 168 bits of L1-pre. */
void l1_write_pre(const dvbt2_l1_pre *pre, uint8_t *bits);

/* The bits of L1-post; data of extension blocks is ones. Returns how many there are. */
uint32_t l1_write_post(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, uint8_t *bits);

/* The 1840 cells of L1-pre, which are real. */
void l1_pre_cells(const dvbt2_l1_pre *pre, float *cells);

/* Set L1_POST_INFO_SIZE and L1_POST_SIZE. */
void l1_set_sizes(dvbt2_l1_pre *pre, uint32_t info, uint32_t n_p2);

/* Cells of L1-post, I and Q alternating: CRC, BCH, LDPC, constellation. Returns how many there are. */
uint32_t l1_post_cells(const dvbt2_l1_pre *pre, uint32_t n_p2, const uint8_t *bits, float *iq);

#endif
