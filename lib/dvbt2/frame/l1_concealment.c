/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/receiver_internal.h"

/* Maximum consecutive frames with concealed L1. */
enum { MOST_CONCEALED = 2 };

static uint32_t frames_of_super_frame(const dvbt2_receiver *rx)
{
    return rx->l1.pre.num_t2_frames > 0 ? rx->l1.pre.num_t2_frames : 1;
}

bool dvbt2_change_is_due(const dvbt2_receiver *rx)
{
    return rx->l1.post.dynamic.l1_change_counter == 1 &&
           (rx->l1.post.dynamic.frame_idx + 1u) % frames_of_super_frame(rx) == 0;
}

/* Increments FRAME_IDX. At the end of a super-frame, decrements L1_CHANGE_COUNTER. */
static void count_on(dvbt2_receiver *rx)
{
    dvbt2_l1_dynamic *dynamic = &rx->l1.post.dynamic;
    dynamic->frame_idx = (uint8_t)((dynamic->frame_idx + 1u) % frames_of_super_frame(rx));
    dynamic->l1_change_counter -= dynamic->frame_idx == 0 && dynamic->l1_change_counter > 0;
}

bool dvbt2_conceal_l1(dvbt2_receiver *rx)
{
    /* With echoes, the carrier offset of P1 may be wrong by a carrier spacing of 32K. */
    const bool tracked = rx->lock.locked && rx->p1.found && rx->window.pilots_found;
    rx->l1.concealed += rx->frame.start >= rx->l1.rewound_from;
    if (!tracked || rx->l1.concealed > MOST_CONCEALED || dvbt2_change_is_due(rx))
        return false;
    if (rx->l1.post.has_next) {
        rx->l1.post.dynamic = rx->l1.post.next;
        rx->l1.post.has_next = false;
        return true;
    }
    count_on(rx);
    return !rx->l1.changes;
}
