/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the known symbols of a PL frame: its headers, its pilot blocks, and the next PL header. */
#ifndef DVBS2_REFERENCES_H
#define DVBS2_REFERENCES_H

#include "dvbs2/phase/carrier.h"
#include "dvbs2/standard/vlsnr.h"

/* maximum number of known symbols of a frame */
enum { DVBS2_MOST_KNOWN = DVBS2_LONG_HEADER + DVBS2_HEADER + (DVBS2_MOST_REFERENCES - 3) * DVBS2_PILOTS };

/* Returns the number of references. frame: symbols of the frame and of the next PL header. turns: factors that
 * descramble the symbols after the PL header. next_code: PLS code of the next frame. clean: memory for
 * DVBS2_MOST_KNOWN symbols, which the references use. */
size_t dvbs2_collect_references(const float complex *frame, const float complex *turns,
                                const dvbs2_frame_format *format, uint8_t next_code, float complex *clean,
                                dvbs2_reference references[DVBS2_MOST_REFERENCES]);

#endif
