/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises carriers of DVB-S2 whose framing is not received: time slicing (EN 302 307-1, annex M) and superframes
 * (EN 302 307-2, annex E). */
#ifndef DVBS2_FRAMING_H
#define DVBS2_FRAMING_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    DVBS2_SUPERFRAME = 612540,     /* symbols, formats 0 to 4 */
    DVBS2_SUPERFRAME_HEADER = 720, /* symbols: SOSF 270, SFFI 450 */
};

/* Finds SOFs at the distances of frames with time slicing: their headers have 180 symbols instead of 90, and begin with the
 * SOF. The other symbols of the headers are not used. With random symbols, the result is wrong in one of 10^6 cases. Sets
 * *found. Returns false if there is not enough memory. */
bool dvbs2_find_time_slices(const float complex *symbols, size_t count, bool *found);

/* Returns whether a run of symbols as long as a superframe header repeats after a superframe, but not after a shorter period.
 * The headers repeat, because each superframe restarts the scrambling. Two superframes and one header always contain such a
 * run. Random symbols do so in one of 10^13 cases. */
bool dvbs2_has_superframes(const float complex *symbols, size_t count);

#endif
