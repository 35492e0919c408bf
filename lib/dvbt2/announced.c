/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/announced.h"

/* ---- memory */

void dvbt2_announced_free(dvbt2_announced *announced)
{
    for (int i = 0; i < 2; i++)
        dvbt2_interleaving_frame_free(&announced->kept[i]);
    dvbt2_fec_chain_destroy(announced->chain);
    announced->chain = NULL;
}

static bool make_chain(dvbt2_announced *announced, const dvbt2_plp_format *format)
{
    if (announced->chain && dvbt2_fec_chain_fits(announced->chain, format))
        return true;
    dvbt2_fec_chain_destroy(announced->chain);
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder_params_init(&params);
    params.backend = "cpu"; /* a GPU would be set up while samples come */
    return dvbt2_fec_chain_create(&params, format, &announced->chain, NULL) == LDPC_OK;
}

/* ---- cells */

bool dvbt2_announced_begin(dvbt2_announced *announced, const dvbt2_plp_frame *frame)
{
    if (!frame->plp.in_band_a_flag || dvbt2_interleaving_frame_is(&announced->kept[announced->last], frame))
        return true;
    announced->last ^= 1;
    if (dvbt2_interleaving_frame_begin(&announced->kept[announced->last], frame) == LDPC_OK)
        return true;
    announced->kept[announced->last].cells = 0;
    return false;
}

void dvbt2_announced_add(dvbt2_announced *announced, const dvbt2_plp_frame *frame, uint32_t first,
                         const float complex *cells, const float *noise, uint32_t count)
{
    dvbt2_interleaving_frame *kept = &announced->kept[announced->last];
    if (frame->plp.in_band_a_flag && kept->cells)
        dvbt2_interleaving_frame_add(kept, frame, first, count, (const float *)cells, noise);
}

/* ---- the first FEC block */

/* The first TI block that has FEC blocks, and only the first of them. */
static bool submit_first(dvbt2_fec_chain *chain, const dvbt2_interleaving_frame *kept,
                         const dvbt2_interleaving_info *info)
{
    uint32_t size = 0;
    for (uint32_t i = 0; size == 0 && i < ldpc_ti_blocks(chain->deinterleaver, kept->frame.n_blocks); i++)
        size = ldpc_ti_block_size(chain->deinterleaver, kept->frame.n_blocks, i);
    const dvbt2_fec_blocks first = {
        .ti_size = size, .count = 1, .iq = kept->iq, .noise = kept->noise, .begins = info};
    return size > 0 && size * chain->cells <= kept->end && dvbt2_fec_chain_submit(chain, &first) == LDPC_OK;
}

static bool read_first(dvbt2_announced *announced, const dvbt2_interleaving_frame *kept)
{
    dvbt2_plp_format format = {0};
    if (dvbt2_plp_format_of(&kept->frame, &format) != LDPC_OK || !make_chain(announced, &format))
        return false;
    dvbt2_plp_decoder_params params;
    dvbt2_baseband baseband;
    dvbt2_plp_counters counters = {0};
    dvbt2_plp_decoder_params_init(&params);
    const dvbt2_interleaving_info info = {.plp = kept->frame.plp, .start = kept->start};
    bool known = dvbt2_baseband_init(&baseband, &params) == LDPC_OK &&
                 submit_first(announced->chain, kept, &info) &&
                 dvbt2_fec_chain_collect(announced->chain, true, &counters, &baseband) == LDPC_OK &&
                 baseband.signalling.has_a;
    if (known)
        announced->a = baseband.signalling.a;
    dvbt2_baseband_free(&baseband);
    return known;
}

const dvbt2_in_band_a *dvbt2_announced_read(dvbt2_announced *announced, uint64_t number, uint64_t lost,
                                            uint32_t part)
{
    const dvbt2_interleaving_frame *kept = &announced->kept[announced->last ^ (part > 0)];
    const dvbt2_plp_frame *frame = &kept->frame;
    const uint64_t first = dvbt2_interleaving_frame_first(frame);
    const bool before = kept->cells &&
                        first + (uint64_t)(frame->frames + part) * frame->plp.frame_interval == number &&
                        frame->lost == lost;
    return before && part < frame->frames && read_first(announced, kept) ? &announced->a : NULL;
}
