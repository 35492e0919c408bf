/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coding and mapping of L1: shortening, puncturing, bit interleaver and constellations (EN 302 755, clauses
 * 7.3.2 and 7.3.3). */
#ifndef DVBT2_L1_CODING_H
#define DVBT2_L1_CODING_H

#include "dvbt2/standard/frame_map.h"

enum {
    DVBT2_L1_N = 16200,       /* number of bits of a codeword */
    DVBT2_L1_PARITY = 168,    /* number of BCH parity bits */
    DVBT2_L1_PRE_K = 3240,    /* number of message bits of the LDPC code of L1-pre */
    DVBT2_L1_PRE_SIG = 200,   /* number of bits of L1-pre, including its CRC */
    DVBT2_L1_POST_K = 7200,   /* number of message bits of the LDPC code of L1-post */
    DVBT2_L1_POST_BCH = 7032, /* number of message bits of the BCH code of L1-post */
    DVBT2_L1_CRC = 32,
    /* maximum number of FEC blocks, reached with the single P2 symbol of 32K SISO */
    DVBT2_MAX_L1_POST_BLOCKS = 7,
    DVBT2_MAX_L1_POST_CELLS = 20592 /* maximum number of cells of L1-post: 22432 - 1840 */
};

/* Coding parameters of L1-post, derived from L1-pre. */
typedef struct dvbt2_l1_post_coding {
    uint32_t bits_per_cell;
    uint32_t blocks; /* number of FEC blocks (N_post_FEC_Block) */
    uint32_t info;   /* number of bits (L1_POST_INFO_SIZE) */
    /* number of bits of a block before BCH encoding: part of the information, CRC and padding */
    uint32_t k_sig;
    uint32_t n_post;    /* number of transmitted bits of a block */
    uint32_t punctured; /* number of punctured bits (N_punc) */
    uint32_t cells;     /* number of cells of all blocks together; must equal L1_POST_SIZE */
} dvbt2_l1_post_coding;

/* Derives the coding parameters from L1-pre. If L1-pre is inconsistent, returns LDPC_ERR_PARAM and sets an
 * error message. */
ldpc_status dvbt2_l1_post_coding_of(const dvbt2_l1_pre *pre, uint32_t n_p2, dvbt2_l1_post_coding *coding,
                                    ldpc_error *err);

/* Positions of a block's bits in the codeword. */
typedef struct dvbt2_l1_positions {
    uint16_t sent[DVBT2_L1_N]; /* positions of the transmitted bits, in order of transmission */
    uint32_t n_sent;
    uint8_t zero[DVBT2_L1_N];        /* for each bit of the codeword: 1 if the bit is shortened, i.e. known to
                                      * be 0 */
    uint16_t sig[DVBT2_L1_POST_BCH]; /* positions of the signalling bits */
    uint32_t n_sig;
} dvbt2_l1_positions;

void dvbt2_l1_pre_positions(dvbt2_l1_positions *positions);
void dvbt2_l1_post_positions(const dvbt2_l1_post_coding *coding, dvbt2_l1_positions *positions);

/* Returns the index of bit `bit` of cell `cell` within the n_post bits of a block. */
uint32_t dvbt2_l1_post_bit(const dvbt2_l1_post_coding *coding, uint32_t cell, uint32_t bit);

/* Computes the LLRs in nats of the bits of a cell: 1 LLR for BPSK, otherwise 2, 4 or 6. All LLRs are 0 if the
 * noise is not positive or an input is not a number. */
void dvbt2_l1_cell_llr(uint32_t bits_per_cell, const float iq[2], float noise, float *llr);

/* Applies the scrambling sequence (bits ^= sequence). The sequence restarts with each block. */
void dvbt2_l1_scramble(uint8_t *bits, size_t count);

#endif
