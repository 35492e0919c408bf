/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the bits of L1 become cells: shortening and puncturing of the codes, bit interleaver, constellation
 * (EN 302 755, clauses 7.3.2 and 7.3.3). */
#ifndef DVBT2_L1_CODING_H
#define DVBT2_L1_CODING_H

#include "dvbt2/standard/frame_map.h"

enum {
    DVBT2_L1_N = 16200,       /* bits of a codeword */
    DVBT2_L1_PARITY = 168,    /* bits of BCH parity */
    DVBT2_L1_PRE_K = 3240,    /* message bits of the LDPC code of L1-pre */
    DVBT2_L1_PRE_SIG = 200,   /* bits of L1-pre with its CRC */
    DVBT2_L1_POST_K = 7200,   /* message bits of the LDPC code of L1-post */
    DVBT2_L1_POST_BCH = 7032, /* message bits of its BCH code */
    DVBT2_L1_CRC = 32,
    DVBT2_MAX_L1_POST_BLOCKS = 7,   /* FEC blocks that the P2 symbol of 32K SISO has room for */
    DVBT2_MAX_L1_POST_CELLS = 20592 /* that room: 22432 - 1840 cells */
};

/* How L1-post is coded; from L1-pre alone. */
typedef struct dvbt2_l1_post_coding {
    uint32_t bits_per_cell;
    uint32_t blocks;    /* N_post_FEC_Block */
    uint32_t info;      /* L1_POST_INFO_SIZE */
    uint32_t k_sig;     /* bits of a block before BCH: its share of info, CRC and padding */
    uint32_t n_post;    /* transmitted bits of a block */
    uint32_t punctured; /* N_punc */
    uint32_t cells;     /* of all blocks together; what L1_POST_SIZE must be */
} dvbt2_l1_post_coding;

/* LDPC_ERR_PARAM with a sentence where L1-pre makes no sense. */
ldpc_status dvbt2_l1_post_coding_of(const dvbt2_l1_pre *pre, uint32_t n_p2, dvbt2_l1_post_coding *coding,
                                    ldpc_error *err);

/* Where the bits of a block are in the codeword. */
typedef struct dvbt2_l1_positions {
    uint16_t sent[DVBT2_L1_N]; /* positions of the transmitted bits, in their order */
    uint32_t n_sent;
    uint8_t zero[DVBT2_L1_N];        /* 1: shortened, known to be 0 */
    uint16_t sig[DVBT2_L1_POST_BCH]; /* positions of the signalling bits */
    uint32_t n_sig;
} dvbt2_l1_positions;

void dvbt2_l1_pre_positions(dvbt2_l1_positions *positions);
void dvbt2_l1_post_positions(const dvbt2_l1_post_coding *coding, dvbt2_l1_positions *positions);

/* The i-th bit of a block of n_post bits that a cell bit carries: bit `bit` of cell `cell` of the block. */
uint32_t dvbt2_l1_post_bit(const dvbt2_l1_post_coding *coding, uint32_t cell, uint32_t bit);

/* LLRs of the bits of a cell, in nat: 1 (BPSK), 2, 4 or 6 of them; all 0 when noise is not above 0 or
 * anything is no number. */
void dvbt2_l1_cell_llr(uint32_t bits_per_cell, const float iq[2], float noise, float *llr);

/* The scrambling sequence, which begins anew in each block: bits ^= sequence. */
void dvbt2_l1_scramble(uint8_t *bits, size_t count);

#endif
