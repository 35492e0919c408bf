/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dynamic part of L1-post in a frame where it cannot be read: as L1 repetition or in-band signalling has announced it, or as in
 * the frame before. */
#include "dvbt2/receiver_internal.h"

enum {
    MOST_GUESSED_BLIND = 1, /* frames one after the other, without P1 */
    MOST_GUESSED = 100,
};

static uint32_t frames_of_super_frame(const dvbt2_receiver *rx)
{
    return rx->pre.num_t2_frames > 0 ? rx->pre.num_t2_frames : 1;
}

bool dvbt2_change_is_due(const dvbt2_receiver *rx)
{
    return rx->post.dynamic.l1_change_counter == 1 &&
           (rx->post.dynamic.frame_idx + 1u) % frames_of_super_frame(rx) == 0;
}

/* FRAME_IDX, and L1_CHANGE_COUNTER, which counts super-frames down. */
static void count_on(dvbt2_receiver *rx)
{
    dvbt2_l1_dynamic *dynamic = &rx->post.dynamic;
    dynamic->frame_idx = (uint8_t)((dynamic->frame_idx + 1u) % frames_of_super_frame(rx));
    dynamic->l1_change_counter -= dynamic->frame_idx == 0 && dynamic->l1_change_counter > 0;
}

/* ---- in-band signalling */

/* What the PLP of an output has announced of itself. */
static void take_own(dvbt2_receiver *rx, const dvbt2_plp_map *map, const dvbt2_in_band_a *a, uint32_t part)
{
    dvbt2_l1_dynamic *dynamic = &rx->post.dynamic;
    dynamic->plp[map->index].plp_start = a->frame[part].plp_start;
    dynamic->plp[map->index].plp_num_blocks = a->plp_num_blocks;
    if (map->sub_slices > 1) {
        dynamic->sub_slice_interval = a->frame[part].sub_slice_interval;
        dynamic->type_2_start = a->frame[part].type_2_start;
    }
    if (dynamic->l1_change_counter == 0)
        dynamic->l1_change_counter = a->plp_l1_change_counter;
}

/* Where each output's PLP is in this frame, as far as it was announced; `unknown` for the others that have cells here. False:
 * cells are wanted, and of none is known where they are. */
static bool take_announced(dvbt2_receiver *rx)
{
    uint32_t wanted = 0, known = 0;
    for (uint32_t i = 0; i < rx->params.n_plps; i++) {
        dvbt2_plp_choice *choice = &rx->choice[i];
        uint32_t part;
        choice->unknown = false;
        if (!choice->present || !dvbt2_plp_in_frame(&choice->map, rx->post.dynamic.frame_idx, &part))
            continue;
        const dvbt2_in_band_a *a = dvbt2_announced_read(&choice->announced, dvbt2_frame_number(rx),
                                                        dvbt2_lost_before(rx, choice), part);
        if (a)
            take_own(rx, &choice->map, a, part);
        choice->unknown = !a && rx->l1_changes;
        wanted++;
        known += !choice->unknown;
    }
    return wanted == 0 || known > 0;
}

bool dvbt2_guess_l1(dvbt2_receiver *rx)
{
    const uint32_t most = rx->p1_found ? MOST_GUESSED : MOST_GUESSED_BLIND;
    if (!rx->locked || ++rx->guessed > most || dvbt2_change_is_due(rx))
        return false;
    if (rx->post.has_next) {
        rx->post.dynamic = rx->post.next;
        rx->post.has_next = false;
        return true;
    }
    count_on(rx);
    return take_announced(rx);
}
