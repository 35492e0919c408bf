/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/l1/l1_fields.h"

#include <string.h>

#include "base/status_internal.h"
#include "dvbt2/l1/bit_reader.h"

uint32_t dvbt2_crc32(const uint8_t *bits, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < count; i++)
        crc = crc << 1 ^ ((crc >> 31 ^ (bits[i] & 1)) ? 0x04C11DB7 : 0);
    return crc;
}

void dvbt2_l1_pre_parse(const uint8_t bits[DVBT2_L1_PRE_BITS], dvbt2_l1_pre *pre)
{
    dvbt2_bit_reader r = {bits, DVBT2_L1_PRE_BITS, false};
    memset(pre, 0, sizeof(*pre));
    pre->type = dvbt2_take8(&r, 8);
    pre->bwt_ext = dvbt2_take_flag(&r);
    pre->s1 = dvbt2_take8(&r, 3);
    pre->s2 = dvbt2_take8(&r, 4);
    pre->l1_repetition_flag = dvbt2_take_flag(&r);
    pre->guard_interval = dvbt2_take8(&r, 3);
    pre->papr = dvbt2_take8(&r, 4);
    pre->l1_mod = dvbt2_take8(&r, 4);
    pre->l1_cod = dvbt2_take8(&r, 2);
    pre->l1_fec_type = dvbt2_take8(&r, 2);
    pre->l1_post_size = dvbt2_take32(&r, 18);
    pre->l1_post_info_size = dvbt2_take32(&r, 18);
    pre->pilot_pattern = dvbt2_take8(&r, 4);
    pre->tx_id_availability = dvbt2_take8(&r, 8);
    pre->cell_id = dvbt2_take16(&r, 16);
    pre->network_id = dvbt2_take16(&r, 16);
    pre->t2_system_id = dvbt2_take16(&r, 16);
    pre->num_t2_frames = dvbt2_take8(&r, 8);
    pre->num_data_symbols = dvbt2_take16(&r, 12);
    pre->regen_flag = dvbt2_take8(&r, 3);
    pre->l1_post_extension = dvbt2_take_flag(&r);
    pre->num_rf = dvbt2_take8(&r, 3);
    pre->current_rf_idx = dvbt2_take8(&r, 3);
    pre->t2_version = dvbt2_take8(&r, 4);
    pre->l1_post_scrambled = dvbt2_take_flag(&r);
    pre->t2_base_lite = dvbt2_take_flag(&r);
    pre->reserved = dvbt2_take8(&r, 4);
}

static void take_plp(dvbt2_bit_reader *r, dvbt2_l1_plp *plp)
{
    plp->plp_id = dvbt2_take8(r, 8);
    plp->plp_type = dvbt2_take8(r, 3);
    plp->plp_payload_type = dvbt2_take8(r, 5);
    plp->ff_flag = dvbt2_take_flag(r);
    plp->first_rf_idx = dvbt2_take8(r, 3);
    plp->first_frame_idx = dvbt2_take8(r, 8);
    plp->plp_group_id = dvbt2_take8(r, 8);
    plp->plp_cod = dvbt2_take8(r, 3);
    plp->plp_mod = dvbt2_take8(r, 3);
    plp->plp_rotation = dvbt2_take_flag(r);
    plp->plp_fec_type = dvbt2_take8(r, 2);
    plp->plp_num_blocks_max = dvbt2_take16(r, 10);
    plp->frame_interval = dvbt2_take8(r, 8);
    plp->time_il_length = dvbt2_take8(r, 8);
    plp->time_il_type = dvbt2_take_flag(r);
    plp->in_band_a_flag = dvbt2_take_flag(r);
    plp->in_band_b_flag = dvbt2_take_flag(r);
    plp->reserved_1 = dvbt2_take16(r, 11);
    plp->plp_mode = dvbt2_take8(r, 2);
    plp->static_flag = dvbt2_take_flag(r);
    plp->static_padding_flag = dvbt2_take_flag(r);
}

/* Only T2-Lite defines the upper bits of FEF_LENGTH. In other profiles they are reserved. */
static void take_fef_length_msb(dvbt2_bit_reader *r, const dvbt2_l1_pre *pre, dvbt2_l1_configurable *config)
{
    bool lite = pre->s1 == DVBT2_S1_LITE_SISO || pre->s1 == DVBT2_S1_LITE_MISO;
    if (!lite) {
        config->reserved_2 = dvbt2_take32(r, 32);
        return;
    }
    uint32_t upper = dvbt2_take32(r, 2);
    config->reserved_2 = dvbt2_take32(r, 30);
    if (config->fef)
        config->fef_length |= upper << 22;
}

static void take_configurable(dvbt2_bit_reader *r, const dvbt2_l1_pre *pre, dvbt2_l1_configurable *config)
{
    config->sub_slices_per_frame = dvbt2_take16(r, 15);
    config->num_plp = dvbt2_take8(r, 8);
    config->num_aux = dvbt2_take8(r, 4);
    config->aux_config_rfu = dvbt2_take8(r, 8);
    config->num_rf = pre->num_rf;
    for (int i = 0; i < config->num_rf; i++) {
        config->rf[i].rf_idx = dvbt2_take8(r, 3);
        config->rf[i].frequency = dvbt2_take32(r, 32);
    }
    config->fef = pre->s2 & 1;
    if (config->fef) {
        config->fef_type = dvbt2_take8(r, 4);
        config->fef_length = dvbt2_take32(r, 22);
        config->fef_interval = dvbt2_take8(r, 8);
    }
    for (int i = 0; i < config->num_plp && !r->overrun; i++)
        take_plp(r, &config->plp[i]);
    take_fef_length_msb(r, pre, config);
    for (int i = 0; i < config->num_aux; i++) {
        config->aux[i].aux_stream_type = dvbt2_take8(r, 4);
        config->aux[i].aux_private_conf = dvbt2_take32(r, 28);
    }
}

static void take_dynamic(dvbt2_bit_reader *r, const dvbt2_l1_configurable *config, dvbt2_l1_dynamic *dynamic)
{
    dynamic->frame_idx = dvbt2_take8(r, 8);
    dynamic->sub_slice_interval = dvbt2_take32(r, 22);
    dynamic->type_2_start = dvbt2_take32(r, 22);
    dynamic->l1_change_counter = dvbt2_take8(r, 8);
    dynamic->start_rf_idx = dvbt2_take8(r, 3);
    dynamic->reserved_1 = dvbt2_take8(r, 8);
    for (int i = 0; i < config->num_plp && !r->overrun; i++) {
        dvbt2_l1_plp_dynamic *plp = &dynamic->plp[i];
        plp->plp_id = dvbt2_take8(r, 8);
        plp->plp_start = dvbt2_take32(r, 22);
        plp->plp_num_blocks = dvbt2_take16(r, 10);
        plp->reserved_2 = dvbt2_take8(r, 8);
    }
    dynamic->reserved_3 = dvbt2_take8(r, 8);
    for (int i = 0; i < config->num_aux; i++)
        dynamic->aux_private_dyn[i] = dvbt2_take64(r, 48);
}

/* Extension block: type, length, data. */
static void take_extensions(dvbt2_bit_reader *r, dvbt2_l1_post *post)
{
    while (r->left && !r->overrun) {
        uint8_t type = dvbt2_take8(r, 8);
        uint16_t length = dvbt2_take16(r, 16);
        if (r->overrun || length > r->left) {
            r->overrun = true;
            return;
        }
        if (post->extensions < DVBT2_MAX_EXTENSIONS) {
            post->extension[post->extensions].type = type;
            post->extension[post->extensions].length = length;
        }
        post->extensions++;
        r->bits += length;
        r->left -= length;
    }
}

ldpc_status dvbt2_l1_post_parse(const dvbt2_l1_pre *pre, const uint8_t *bits, size_t count,
                                dvbt2_l1_post *post, ldpc_error *err)
{
    dvbt2_bit_reader r = {bits, count, false};
    memset(post, 0, sizeof(*post));
    take_configurable(&r, pre, &post->config);
    take_dynamic(&r, &post->config, &post->dynamic);
    post->has_next = pre->l1_repetition_flag;
    if (post->has_next)
        take_dynamic(&r, &post->config, &post->next);
    if (r.overrun)
        return ldpc_fail(err, LDPC_ERR_FORMAT,
                         "L1-post has %zu bits, too few for %u PLPs and %u auxiliary streams", count,
                         post->config.num_plp, post->config.num_aux);
    if (pre->l1_post_extension)
        take_extensions(&r, post);
    if (r.overrun)
        return ldpc_fail(err, LDPC_ERR_FORMAT, "the last extension block of L1-post is truncated");
    return LDPC_OK;
}
