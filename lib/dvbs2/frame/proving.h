/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reception with cells_only, whose frames a decoder outside of the receiver decodes. */
#ifndef DVBS2_PROVING_H
#define DVBS2_PROVING_H

#include "ldpc/dvbs2.h"

/* Restarts the carrier recovery. The receiver then decodes frames until one has no errors, because several carrier offsets
 * explain the phases of headers and pilots. It outputs the cells of these frames too.
 * After 8 frames with errors it decodes one of 64. */
void dvbs2_receiver_prove_carrier(dvbs2_receiver *rx);

#endif
