/* SPDX-License-Identifier: BSD-3-Clause */
/* All headers of libldpc. */
#ifndef LDPC_LDPC_H
#define LDPC_LDPC_H

#include "ldpc/code.h"
#include "ldpc/decoder.h"
#include "ldpc/dvb_cells.h"
#include "ldpc/dvb_fec.h"
#include "ldpc/llr.h"
#include "ldpc/packet.h"
#include "ldpc/sim.h"
#include "ldpc/status.h"
#include "ldpc/version.h"

#endif
