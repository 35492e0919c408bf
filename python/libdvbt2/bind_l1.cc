/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 as dictionaries: every field under its name in EN 302 755, in lower case, and some in words. */
#include "bindings.h"

#define FIELD(dict, of, name) dict[#name] = (of).name

py::dict l1_pre_dict(const dvbt2_l1_pre &pre)
{
    py::dict d;
    FIELD(d, pre, type);
    FIELD(d, pre, bwt_ext);
    FIELD(d, pre, s1);
    FIELD(d, pre, s2);
    FIELD(d, pre, l1_repetition_flag);
    FIELD(d, pre, guard_interval);
    FIELD(d, pre, papr);
    FIELD(d, pre, l1_mod);
    FIELD(d, pre, l1_cod);
    FIELD(d, pre, l1_fec_type);
    FIELD(d, pre, l1_post_size);
    FIELD(d, pre, l1_post_info_size);
    FIELD(d, pre, pilot_pattern);
    FIELD(d, pre, tx_id_availability);
    FIELD(d, pre, cell_id);
    FIELD(d, pre, network_id);
    FIELD(d, pre, t2_system_id);
    FIELD(d, pre, num_t2_frames);
    FIELD(d, pre, num_data_symbols);
    FIELD(d, pre, regen_flag);
    FIELD(d, pre, l1_post_extension);
    FIELD(d, pre, num_rf);
    FIELD(d, pre, current_rf_idx);
    FIELD(d, pre, t2_version);
    FIELD(d, pre, l1_post_scrambled);
    FIELD(d, pre, t2_base_lite);
    d["guard_interval_name"] = dvbt2_guard_interval_name(pre.guard_interval);
    d["l1_mod_name"] = dvbt2_l1_modulation_name(pre.l1_mod);
    d["papr_name"] = dvbt2_papr_name(&pre);
    d["pilot_pattern_name"] =
        pre.pilot_pattern < 8 ? "PP" + std::to_string(pre.pilot_pattern + 1) : "reserved";
    d["s1_name"] = dvbt2_s1_name(pre.s1);
    d["t2_version_name"] = dvbt2_version_name(pre.t2_version);
    return d;
}

py::dict plp_dict(const dvbt2_l1_plp &plp)
{
    py::dict d;
    FIELD(d, plp, plp_id);
    FIELD(d, plp, plp_type);
    FIELD(d, plp, plp_payload_type);
    FIELD(d, plp, ff_flag);
    FIELD(d, plp, first_rf_idx);
    FIELD(d, plp, first_frame_idx);
    FIELD(d, plp, plp_group_id);
    FIELD(d, plp, plp_cod);
    FIELD(d, plp, plp_mod);
    FIELD(d, plp, plp_rotation);
    FIELD(d, plp, plp_fec_type);
    FIELD(d, plp, plp_num_blocks_max);
    FIELD(d, plp, frame_interval);
    FIELD(d, plp, time_il_length);
    FIELD(d, plp, time_il_type);
    FIELD(d, plp, in_band_a_flag);
    FIELD(d, plp, in_band_b_flag);
    FIELD(d, plp, plp_mode);
    FIELD(d, plp, static_flag);
    FIELD(d, plp, static_padding_flag);
    d["code_length"] = plp.plp_fec_type == 0 ? 16200 : plp.plp_fec_type == 1 ? 64800 : 0;
    d["plp_cod_name"] = dvbt2_rate_name(plp.plp_cod);
    d["plp_mod_name"] = dvbt2_modulation_name(plp.plp_mod);
    d["plp_payload_name"] = dvbt2_payload_name(plp.plp_payload_type);
    d["plp_type_name"] = dvbt2_plp_type_name(plp.plp_type);
    return d;
}

static py::dict dynamic_dict(const dvbt2_l1_dynamic &dynamic, uint8_t num_plp)
{
    py::dict d;
    FIELD(d, dynamic, frame_idx);
    FIELD(d, dynamic, sub_slice_interval);
    FIELD(d, dynamic, type_2_start);
    FIELD(d, dynamic, l1_change_counter);
    FIELD(d, dynamic, start_rf_idx);
    py::list plps;
    for (uint8_t i = 0; i < num_plp; i++) {
        py::dict plp;
        FIELD(plp, dynamic.plp[i], plp_id);
        FIELD(plp, dynamic.plp[i], plp_start);
        FIELD(plp, dynamic.plp[i], plp_num_blocks);
        plps.append(plp);
    }
    d["plps"] = plps;
    return d;
}

py::dict l1_post_dict(const dvbt2_l1_post &post)
{
    const dvbt2_l1_configurable &config = post.config;
    py::dict d;
    FIELD(d, config, sub_slices_per_frame);
    FIELD(d, config, num_plp);
    FIELD(d, config, num_aux);
    FIELD(d, config, num_rf);
    FIELD(d, config, fef);
    FIELD(d, config, fef_type);
    FIELD(d, config, fef_length);
    FIELD(d, config, fef_interval);
    py::list frequencies, plps, aux;
    for (uint8_t i = 0; i < config.num_rf && i < DVBT2_MAX_RF; i++)
        frequencies.append(config.rf[i].frequency);
    for (uint8_t i = 0; i < config.num_plp; i++)
        plps.append(plp_dict(config.plp[i]));
    for (uint8_t i = 0; i < config.num_aux && i < DVBT2_MAX_AUX; i++)
        aux.append(config.aux[i].aux_stream_type);
    d["frequencies"] = frequencies;
    d["plps"] = plps;
    d["aux_stream_types"] = aux;
    d["dynamic"] = dynamic_dict(post.dynamic, config.num_plp);
    if (post.has_next)
        d["next_dynamic"] = dynamic_dict(post.next, config.num_plp);
    return d;
}
