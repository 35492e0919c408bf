/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coding and mapping of L1 (EN 302 755, clauses 7.3.2 and 7.3.3). */
#ifndef DVBT2_L1_CODING_H
#define DVBT2_L1_CODING_H

#include "dvbt2/standard/frame_map.h"

enum {
    DVBT2_L1_N = 16200,     /* number of bits of a codeword */
    DVBT2_L1_PARITY = 168,  /* number of BCH parity bits */
    DVBT2_L1_PRE_K = 3240,  /* message bits of the LDPC code of L1-pre */
    DVBT2_L1_PRE_SIG = 200, /* bits of L1-pre, with CRC */
    DVBT2_L1_POST_K = 7200, /* message bits of the LDPC code of L1-post */
    DVBT2_L1_POST_BCH = 7032,
    DVBT2_L1_CRC = 32,
    /* maximum number of FEC blocks (32K SISO) */
    DVBT2_MAX_L1_POST_BLOCKS = 7,
    DVBT2_MAX_L1_POST_CELLS = 20592 /* maximum number of L1-post cells: 22432 - 1840 */
};

/* Coding parameters of L1-post. */
typedef struct dvbt2_l1_post_coding {
    uint32_t bits_per_cell;
    uint32_t blocks; /* number of FEC blocks (N_post_FEC_Block) */
    uint32_t info;   /* number of bits (L1_POST_INFO_SIZE) */
    uint32_t k_sig;
    uint32_t n_post;    /* transmitted bits of a block */
    uint32_t punctured; /* number of punctured bits (N_punc) */
    uint32_t cells;     /* cells of all blocks; must equal L1_POST_SIZE */
} dvbt2_l1_post_coding;

/* Derives the coding parameters from L1-pre. Returns LDPC_ERR_PARAM and an error message if L1-pre is
 * inconsistent. */
ldpc_status dvbt2_l1_post_coding_of(const dvbt2_l1_pre *pre, uint32_t n_p2, dvbt2_l1_post_coding *coding,
                                    ldpc_error *err);

typedef struct dvbt2_l1_positions {
    uint16_t sent[DVBT2_L1_N]; /* codeword positions of the transmitted bits, in order of transmission */
    uint32_t n_sent;
    uint8_t zero[DVBT2_L1_N];        /* 1: shortened bit (known to be 0) */
    uint16_t sig[DVBT2_L1_POST_BCH]; /* positions of the signalling bits */
    uint32_t n_sig;
} dvbt2_l1_positions;

void dvbt2_l1_pre_positions(dvbt2_l1_positions *positions);
void dvbt2_l1_post_positions(const dvbt2_l1_post_coding *coding, dvbt2_l1_positions *positions);

/* Returns the index of a bit of a cell among the n_post bits of a block. */
uint32_t dvbt2_l1_post_bit(const dvbt2_l1_post_coding *coding, uint32_t cell, uint32_t bit);

/* Computes 1 (BPSK), 2, 4 or 6 LLRs in nats. LLRs are 0 if the noise is not positive or an input is NaN. */
void dvbt2_l1_cell_llr(uint32_t bits_per_cell, const float iq[2], float noise, float *llr);

/* Applies the scrambling sequence. The sequence restarts in each block. */
void dvbt2_l1_scramble(uint8_t *bits, size_t count);

#endif
