/* SPDX-License-Identifier: BSD-3-Clause */
/* The parity-check matrix of 10GBASE-T; ethernet.c says how it is made. */
#ifndef LDPC_ETHERNET_TABLE_H
#define LDPC_ETHERNET_TABLE_H

#include <stdint.h>

enum { LDPC_ETHERNET_COLUMNS = 2048, LDPC_ETHERNET_BANDS = 6 };

/* Column after column: the check, 0 .. 63, that the column has in each of the six bands of 64 checks. */
extern const uint8_t ldpc_ethernet_checks[LDPC_ETHERNET_COLUMNS * LDPC_ETHERNET_BANDS];

#endif
