/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of each struct, one line each. */
#include "ldpc/dvbt2_fields.h"

/* Where fields go. */
typedef struct writer {
    dvbt2_field_function *function;
    void *context;
} writer;

static void number(const writer *w, const char *name, int64_t value)
{
    w->function(w->context, &(dvbt2_field){.name = name, .kind = DVBT2_FIELD_NUMBER, .number = value});
}

static void flag(const writer *w, const char *name, bool value)
{
    w->function(w->context, &(dvbt2_field){.name = name, .kind = DVBT2_FIELD_FLAG, .number = value});
}

static void real(const writer *w, const char *name, double value)
{
    w->function(w->context, &(dvbt2_field){.name = name, .kind = DVBT2_FIELD_REAL, .real = value});
}

static void text(const writer *w, const char *name, const char *value)
{
    w->function(w->context, &(dvbt2_field){.name = name, .kind = DVBT2_FIELD_TEXT, .text = value});
}

/* The member of this name. */
#define NUMBER(w, of, name) number(w, #name, (int64_t)(of)->name)
#define FLAG(w, of, name)   flag(w, #name, (of)->name)
#define REAL(w, of, name)   real(w, #name, (of)->name)

static const char *pilot_pattern_name(uint8_t pattern)
{
    static const char *const names[] = {"PP1", "PP2", "PP3", "PP4", "PP5", "PP6", "PP7", "PP8"};
    return pattern < sizeof names / sizeof *names ? names[pattern] : "reserved";
}

void dvbt2_l1_pre_fields(const dvbt2_l1_pre *pre, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, pre, type);
    FLAG(&w, pre, bwt_ext);
    NUMBER(&w, pre, s1);
    text(&w, "s1_name", dvbt2_s1_name(pre->s1));
    NUMBER(&w, pre, s2);
    FLAG(&w, pre, l1_repetition_flag);
    NUMBER(&w, pre, guard_interval);
    text(&w, "guard_interval_name", dvbt2_guard_interval_name(pre->guard_interval));
    NUMBER(&w, pre, papr);
    text(&w, "papr_name", dvbt2_papr_name(pre));
    NUMBER(&w, pre, l1_mod);
    text(&w, "l1_mod_name", dvbt2_l1_modulation_name(pre->l1_mod));
    NUMBER(&w, pre, l1_cod);
    NUMBER(&w, pre, l1_fec_type);
    NUMBER(&w, pre, l1_post_size);
    NUMBER(&w, pre, l1_post_info_size);
    NUMBER(&w, pre, pilot_pattern);
    text(&w, "pilot_pattern_name", pilot_pattern_name(pre->pilot_pattern));
    NUMBER(&w, pre, tx_id_availability);
    NUMBER(&w, pre, cell_id);
    NUMBER(&w, pre, network_id);
    NUMBER(&w, pre, t2_system_id);
    NUMBER(&w, pre, num_t2_frames);
    NUMBER(&w, pre, num_data_symbols);
    NUMBER(&w, pre, regen_flag);
    FLAG(&w, pre, l1_post_extension);
    NUMBER(&w, pre, num_rf);
    NUMBER(&w, pre, current_rf_idx);
    NUMBER(&w, pre, t2_version);
    text(&w, "t2_version_name", dvbt2_version_name(pre->t2_version));
    FLAG(&w, pre, l1_post_scrambled);
    FLAG(&w, pre, t2_base_lite);
}

void dvbt2_l1_configurable_fields(const dvbt2_l1_configurable *config, dvbt2_field_function *function,
                                  void *context)
{
    const writer w = {function, context};
    NUMBER(&w, config, sub_slices_per_frame);
    NUMBER(&w, config, num_plp);
    NUMBER(&w, config, num_aux);
    NUMBER(&w, config, num_rf);
    FLAG(&w, config, fef);
    NUMBER(&w, config, fef_type);
    NUMBER(&w, config, fef_length);
    NUMBER(&w, config, fef_interval);
}

void dvbt2_l1_dynamic_fields(const dvbt2_l1_dynamic *dynamic, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, dynamic, frame_idx);
    NUMBER(&w, dynamic, sub_slice_interval);
    NUMBER(&w, dynamic, type_2_start);
    NUMBER(&w, dynamic, l1_change_counter);
    NUMBER(&w, dynamic, start_rf_idx);
}

void dvbt2_l1_plp_fields(const dvbt2_l1_plp *plp, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, plp, plp_id);
    NUMBER(&w, plp, plp_type);
    text(&w, "plp_type_name", dvbt2_plp_type_name(plp->plp_type));
    NUMBER(&w, plp, plp_payload_type);
    text(&w, "plp_payload_name", dvbt2_payload_name(plp->plp_payload_type));
    FLAG(&w, plp, ff_flag);
    NUMBER(&w, plp, first_rf_idx);
    NUMBER(&w, plp, first_frame_idx);
    NUMBER(&w, plp, plp_group_id);
    NUMBER(&w, plp, plp_cod);
    text(&w, "plp_cod_name", dvbt2_rate_name(plp->plp_cod));
    NUMBER(&w, plp, plp_mod);
    text(&w, "plp_mod_name", dvbt2_modulation_name(plp->plp_mod));
    FLAG(&w, plp, plp_rotation);
    NUMBER(&w, plp, plp_fec_type);
    number(&w, "code_length", plp->plp_fec_type == 0 ? 16200 : plp->plp_fec_type == 1 ? 64800 : 0);
    NUMBER(&w, plp, plp_num_blocks_max);
    NUMBER(&w, plp, frame_interval);
    NUMBER(&w, plp, time_il_length);
    FLAG(&w, plp, time_il_type);
    FLAG(&w, plp, in_band_a_flag);
    FLAG(&w, plp, in_band_b_flag);
    NUMBER(&w, plp, plp_mode);
    FLAG(&w, plp, static_flag);
    FLAG(&w, plp, static_padding_flag);
}

void dvbt2_l1_plp_dynamic_fields(const dvbt2_l1_plp_dynamic *plp, dvbt2_field_function *function,
                                 void *context)
{
    const writer w = {function, context};
    NUMBER(&w, plp, plp_id);
    NUMBER(&w, plp, plp_start);
    NUMBER(&w, plp, plp_num_blocks);
}

void dvbt2_status_fields(const dvbt2_status *status, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    const bool seen = status->frames_seen > 0;
    text(&w, "state", dvbt2_state_name(status->state));
    flag(&w, "locked", status->state == DVBT2_STATE_TRACKING);
    text(&w, "fft_size", seen && status->p1.t2 ? dvbt2_fft_size_name(status->p1.fft) : "");
    text(&w, "guard_interval", status->guard_known ? dvbt2_guard_interval_name(status->guard_interval) : "");
    text(&w, "profile", !seen ? "" : status->p1.profile == DVBT2_PROFILE_LITE ? "T2-Lite" : "T2-base");
    flag(&w, "miso", seen && status->p1.miso);
    REAL(&w, status, level_db);
    REAL(&w, status, carrier_hz);
    REAL(&w, status, clock_ppm);
    REAL(&w, status, cn_db);
    REAL(&w, status, mer_db);
    REAL(&w, status, delay_spread_us);
    NUMBER(&w, status, samples);
    NUMBER(&w, status, frames_seen);
    NUMBER(&w, status, frames);
    NUMBER(&w, status, lost_frames);
    NUMBER(&w, status, fef_parts);
    NUMBER(&w, status, l1_errors);
    NUMBER(&w, status, locks);
    text(&w, "message", status->message ? status->message : "");
}

void dvbt2_plp_counters_fields(const dvbt2_plp_counters *counters, dvbt2_field_function *function,
                               void *context)
{
    const writer w = {function, context};
    NUMBER(&w, counters, frames);
    NUMBER(&w, counters, codewords);
    NUMBER(&w, counters, failed_codewords);
    NUMBER(&w, counters, iterations);
    NUMBER(&w, counters, bits);
    NUMBER(&w, counters, bit_errors);
    NUMBER(&w, counters, bch_failed);
    NUMBER(&w, counters, bch_corrected_bits);
    NUMBER(&w, &counters->bb, header_errors);
    NUMBER(&w, &counters->bb, broken_frames);
    NUMBER(&w, &counters->bb, other_frames);
    NUMBER(&w, &counters->bb, packets);
    NUMBER(&w, &counters->bb, null_packets);
    NUMBER(&w, &counters->bb, crc_errors);
    NUMBER(&w, &counters->bb, ts_errors);
    NUMBER(&w, &counters->bb, lost_packets);
}
