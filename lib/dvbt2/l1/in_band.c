/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/l1/in_band.h"

#include <string.h>

#include "dvbt2/l1/bit_reader.h"

enum { PADDING_TYPE_A = 0, PADDING_TYPE_B = 1 };

static bool take_a(dvbt2_bit_reader *r, uint32_t n_frames, dvbt2_in_band_a *a)
{
    memset(a, 0, sizeof(*a));
    if (dvbt2_take32(r, 2) != PADDING_TYPE_A)
        return false;
    a->n_frames = n_frames;
    a->plp_l1_change_counter = dvbt2_take8(r, 8);
    a->reserved_1 = dvbt2_take8(r, 8);
    for (uint32_t i = 0; i < n_frames; i++) {
        a->frame[i].sub_slice_interval = dvbt2_take32(r, 22);
        a->frame[i].start_rf_idx = dvbt2_take8(r, 3);
        a->frame[i].plp_start = dvbt2_take32(r, 22);
        a->frame[i].reserved_2 = dvbt2_take8(r, 8);
    }
    a->plp_num_blocks = dvbt2_take16(r, 10);
    a->n_others = dvbt2_take8(r, 8);
    for (uint32_t i = 0; i < a->n_others; i++) {
        a->other[i].plp_id = dvbt2_take8(r, 8);
        a->other[i].plp_start = dvbt2_take32(r, 22);
        a->other[i].plp_num_blocks = dvbt2_take16(r, 10);
        a->other[i].reserved_2 = dvbt2_take8(r, 8);
    }
    for (uint32_t i = 0; i < n_frames; i++)
        a->frame[i].type_2_start = dvbt2_take32(r, 22);
    return !r->overrun;
}

static bool take_b(dvbt2_bit_reader *r, dvbt2_in_band_b *b)
{
    memset(b, 0, sizeof(*b));
    if (dvbt2_take32(r, 2) != PADDING_TYPE_B)
        return false;
    b->tto = dvbt2_take32(r, 31);
    b->first_iscr = dvbt2_take32(r, 22);
    b->bufs_unit = dvbt2_take8(r, 2);
    b->bufs = dvbt2_take16(r, 10);
    b->ts_rate = dvbt2_take32(r, 27);
    b->reserved_b = dvbt2_take8(r, 8);
    return !r->overrun;
}

bool dvbt2_in_band_parse(const dvbt2_l1_plp *plp, const uint8_t *bits, size_t count, dvbt2_in_band_a *a,
                         dvbt2_in_band_b *b)
{
    dvbt2_bit_reader r = {bits, count, false};
    dvbt2_in_band_a unused_a;
    dvbt2_in_band_b unused_b;
    uint32_t n_frames = plp->time_il_type ? plp->time_il_length : 1;
    if (plp->in_band_a_flag && !take_a(&r, n_frames, a ? a : &unused_a))
        return false;
    return !plp->in_band_b_flag || take_b(&r, b ? b : &unused_b);
}
