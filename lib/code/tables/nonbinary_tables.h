/* SPDX-License-Identifier: BSD-3-Clause */
/* Parity-check matrices of nonbinary codes, one row for each check: column, coefficient, column, coefficient
 * ... nonbinary_families.c says which field they are over. */
#ifndef LDPC_NONBINARY_TABLES_H
#define LDPC_NONBINARY_TABLES_H

#include <stdint.h>

extern const uint8_t ldpc_bds_b1c_200[100][8];
extern const uint8_t ldpc_bds_b1c_88[44][8];
extern const uint8_t ldpc_bds_b2a_96[48][8];
extern const uint8_t ldpc_bds_b2b_162[81][8];
extern const uint8_t ldpc_ccsds_liva[8][8];
extern const uint8_t ldpc_ccsds_unbpb[8][8];

#endif
