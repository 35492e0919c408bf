/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbt2: a DVB-T2 receiver from samples to the cells of a PLP. */
#ifndef LDPC_DVBT2_H
#define LDPC_DVBT2_H

#include "ldpc/dvbt2_l1.h"

#endif
