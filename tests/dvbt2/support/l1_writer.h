/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 encoder of a transmitter, for signals that no available transmitter sends. */
#ifndef DVBT2_TEST_L1_WRITER_H
#define DVBT2_TEST_L1_WRITER_H

#include "dvbt2/l1/l1_coding.h"

enum { L1_WRITER_MAX_BITS = 1 << 16 };

/* Writes the 168 bits of L1-pre. */
void l1_write_pre(const dvbt2_l1_pre *pre, uint8_t *bits);

/* Writes L1-post and returns its number of bits. The data of extension blocks consists of ones. */
uint32_t l1_write_post(const dvbt2_l1_pre *pre, const dvbt2_l1_post *post, uint8_t *bits);

/* Writes the 1840 real cells of L1-pre. */
void l1_pre_cells(const dvbt2_l1_pre *pre, float *cells);

/* Sets L1_POST_INFO_SIZE and L1_POST_SIZE. */
void l1_set_sizes(dvbt2_l1_pre *pre, uint32_t info, uint32_t n_p2);

/* Encodes L1-post into cells (interleaved I and Q). Returns the number of cells. */
uint32_t l1_post_cells(const dvbt2_l1_pre *pre, uint32_t n_p2, const uint8_t *bits, float *iq);

#endif
