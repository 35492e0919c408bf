/* SPDX-License-Identifier: BSD-3-Clause */
/* Circulants and permutations of the CCSDS codes; see ccsds.c for the construction of H. */
#ifndef LDPC_CCSDS_TABLES_H
#define LDPC_CCSDS_TABLES_H

#include <stdint.h>

typedef struct ldpc_ccsds_circulant {
    uint8_t layer, group;
    uint16_t shift;
} ldpc_ccsds_circulant;

extern const ldpc_ccsds_circulant ldpc_ccsds_tc_128[32], ldpc_ccsds_tc_256[32], ldpc_ccsds_tc_512[32];
extern const ldpc_ccsds_circulant ldpc_ccsds_c2[64];

/* AR4JA of rate 4/5. The codes of rates 2/3 and 1/2 consist of its last 7 and 5 block columns. */
typedef struct ldpc_ar4ja_block {
    uint8_t row, from_end; /* block row; block column counted from the end, 1 = last */
    uint8_t permutation;   /* k, 0 = identity */
} ldpc_ar4ja_block;

extern const ldpc_ar4ja_block ldpc_ar4ja_blocks[39];

/* theta_k and phi_k(j), j = 0 .. 3, for M = 128, 256 .. 8192. */
typedef struct ldpc_ar4ja_permutation {
    uint8_t theta;
    uint16_t phi[4][7];
} ldpc_ar4ja_permutation;

extern const ldpc_ar4ja_permutation ldpc_ar4ja_permutations[26]; /* k = 1 .. 26 */

#endif
