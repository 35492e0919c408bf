/* SPDX-License-Identifier: BSD-3-Clause */
/* Base graphs of 5G NR; nr.c says how they are lifted. */
#ifndef LDPC_NR_TABLES_H
#define LDPC_NR_TABLES_H

#include <stdint.h>

typedef struct ldpc_nr_entry {
    uint8_t row, column;
    uint16_t shift[8]; /* for each set of lifting sizes, to be taken modulo the lifting size */
} ldpc_nr_entry;

enum { LDPC_NR_BG1_ENTRIES = 316, LDPC_NR_BG2_ENTRIES = 197 };

extern const ldpc_nr_entry ldpc_nr_bg1[], ldpc_nr_bg2[]; /* ascending by row, then column */

#endif
