/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the members of the public structs as fields with names and values. */
#include <stdio.h>

#include "dvbt2/layouts.h"
#include "dvbt2/standard/p1_table.h"
#include "ldpc/dvbt2_fields.h"

enum { WORDS = 96 };

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

#define NUMBER(w, of, name) number(w, #name, (int64_t)(of)->name)
#define FLAG(w, of, name)   flag(w, #name, (of)->name)
#define REAL(w, of, name)   real(w, #name, (of)->name)

/* ---- names of values that only occur here (EN 302 755, clauses 7.2.2 and 7.2.3) */

#define NAME(list, i) ((size_t)(i) < sizeof(list) / sizeof(*(list)) ? (list)[i] : "reserved")

static const char *const pilot_patterns[] = {"PP1", "PP2", "PP3", "PP4", "PP5", "PP6", "PP7", "PP8"};
static const char *const stream_types[] = {"transport streams", "generic streams",
                                           "transport and generic streams"};
static const char *const l1_rates[] = {"1/2"};
static const char *const l1_fec_types[] = {"LDPC, 16200 bits"};
static const char *const fec_types[] = {"LDPC, 16200 bits", "LDPC, 64800 bits"};
static const char *const plp_modes[] = {"not specified", "normal mode", "high efficiency mode"};
static const char *const tx_id_availabilities[] = {"no transmitter identification"};
static const char *const aux_stream_types[] = {"transmitter signature"};
static const char *const bufs_units[] = {"bits", "Kbit", "Mbit", "8 Kbit"};

static void s2_words(const dvbt2_l1_pre *pre, char words[WORDS])
{
    dvbt2_p1_info info;
    const bool known = dvbt2_p1_fields(pre->s1, pre->s2, &info) && info.t2;
    if (!known) {
        snprintf(words, WORDS, "reserved");
        return;
    }
    int length = snprintf(words, WORDS, "%s, guard interval", dvbt2_fft_size_name(info.fft));
    for (uint8_t guard = 0, listed = 0; guard < DVBT2_GUARD_INTERVALS; guard++)
        if (info.guards >> guard & 1)
            length += snprintf(words + length, (size_t)(WORDS - length), "%s %s", listed++ ? "," : "",
                               dvbt2_guard_interval_name(guard));
    snprintf(words + length, (size_t)(WORDS - length), info.mixed ? "; other preambles too" : "");
}

static void regeneration_words(uint8_t regen_flag, char words[WORDS])
{
    if (regen_flag == 0)
        snprintf(words, WORDS, "not regenerated");
    else
        snprintf(words, WORDS, "regenerated %u time%s", regen_flag, regen_flag > 1 ? "s" : "");
}

/* ---- L1 */

void dvbt2_l1_pre_fields(const dvbt2_l1_pre *pre, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    char words[WORDS];
    NUMBER(&w, pre, type);
    text(&w, "type_name", NAME(stream_types, pre->type));
    FLAG(&w, pre, bwt_ext);
    NUMBER(&w, pre, s1);
    text(&w, "s1_name", dvbt2_s1_name(pre->s1));
    NUMBER(&w, pre, s2);
    s2_words(pre, words);
    text(&w, "s2_name", words);
    FLAG(&w, pre, l1_repetition_flag);
    NUMBER(&w, pre, guard_interval);
    text(&w, "guard_interval_name", dvbt2_guard_interval_name(pre->guard_interval));
    NUMBER(&w, pre, papr);
    text(&w, "papr_name", dvbt2_papr_name(pre));
    NUMBER(&w, pre, l1_mod);
    text(&w, "l1_mod_name", dvbt2_l1_modulation_name(pre->l1_mod));
    NUMBER(&w, pre, l1_cod);
    text(&w, "l1_cod_name", NAME(l1_rates, pre->l1_cod));
    NUMBER(&w, pre, l1_fec_type);
    text(&w, "l1_fec_type_name", NAME(l1_fec_types, pre->l1_fec_type));
    NUMBER(&w, pre, l1_post_size);
    NUMBER(&w, pre, l1_post_info_size);
    NUMBER(&w, pre, pilot_pattern);
    text(&w, "pilot_pattern_name", NAME(pilot_patterns, pre->pilot_pattern));
    NUMBER(&w, pre, tx_id_availability);
    text(&w, "tx_id_availability_name", NAME(tx_id_availabilities, pre->tx_id_availability));
    NUMBER(&w, pre, cell_id);
    NUMBER(&w, pre, network_id);
    NUMBER(&w, pre, t2_system_id);
    NUMBER(&w, pre, num_t2_frames);
    NUMBER(&w, pre, num_data_symbols);
    NUMBER(&w, pre, regen_flag);
    regeneration_words(pre->regen_flag, words);
    text(&w, "regen_flag_name", words);
    FLAG(&w, pre, l1_post_extension);
    NUMBER(&w, pre, num_rf);
    NUMBER(&w, pre, current_rf_idx);
    NUMBER(&w, pre, t2_version);
    text(&w, "t2_version_name", dvbt2_version_name(pre->t2_version));
    FLAG(&w, pre, l1_post_scrambled);
    FLAG(&w, pre, t2_base_lite);
    NUMBER(&w, pre, reserved);
}

void dvbt2_l1_configurable_fields(const dvbt2_l1_configurable *config, dvbt2_field_function *function,
                                  void *context)
{
    const writer w = {function, context};
    NUMBER(&w, config, sub_slices_per_frame);
    NUMBER(&w, config, num_plp);
    NUMBER(&w, config, num_aux);
    NUMBER(&w, config, aux_config_rfu);
    NUMBER(&w, config, num_rf);
    FLAG(&w, config, fef);
    NUMBER(&w, config, fef_type);
    text(&w, "fef_type_name", config->fef ? "not specified" : "no FEF parts");
    NUMBER(&w, config, fef_length);
    NUMBER(&w, config, fef_interval);
    NUMBER(&w, config, reserved_2);
}

void dvbt2_l1_rf_fields(const dvbt2_l1_configurable *config, uint8_t i, dvbt2_field_function *function,
                        void *context)
{
    const writer w = {function, context};
    if (i >= DVBT2_MAX_RF)
        return;
    NUMBER(&w, &config->rf[i], rf_idx);
    NUMBER(&w, &config->rf[i], frequency);
}

void dvbt2_l1_aux_fields(const dvbt2_l1_configurable *config, uint8_t i, dvbt2_field_function *function,
                         void *context)
{
    const writer w = {function, context};
    if (i >= DVBT2_MAX_AUX)
        return;
    NUMBER(&w, &config->aux[i], aux_stream_type);
    text(&w, "aux_stream_type_name", NAME(aux_stream_types, config->aux[i].aux_stream_type));
    NUMBER(&w, &config->aux[i], aux_private_conf);
}

void dvbt2_l1_extension_fields(const dvbt2_l1_post *post, uint32_t i, dvbt2_field_function *function,
                               void *context)
{
    const writer w = {function, context};
    if (i >= DVBT2_MAX_EXTENSIONS)
        return;
    NUMBER(&w, &post->extension[i], type);
    text(&w, "type_name", post->extension[i].type == 255 ? "padding" : "reserved");
    NUMBER(&w, &post->extension[i], length);
}

void dvbt2_l1_dynamic_fields(const dvbt2_l1_dynamic *dynamic, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, dynamic, frame_idx);
    NUMBER(&w, dynamic, sub_slice_interval);
    NUMBER(&w, dynamic, type_2_start);
    NUMBER(&w, dynamic, l1_change_counter);
    NUMBER(&w, dynamic, start_rf_idx);
    NUMBER(&w, dynamic, reserved_1);
    NUMBER(&w, dynamic, reserved_3);
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
    text(&w, "ff_flag_name", plp->ff_flag ? "on the same RF channel in each frame" : "no");
    NUMBER(&w, plp, first_rf_idx);
    NUMBER(&w, plp, first_frame_idx);
    NUMBER(&w, plp, plp_group_id);
    NUMBER(&w, plp, plp_cod);
    text(&w, "plp_cod_name", dvbt2_rate_name(plp->plp_cod));
    NUMBER(&w, plp, plp_mod);
    text(&w, "plp_mod_name", dvbt2_modulation_name(plp->plp_mod));
    FLAG(&w, plp, plp_rotation);
    NUMBER(&w, plp, plp_fec_type);
    text(&w, "plp_fec_type_name", NAME(fec_types, plp->plp_fec_type));
    number(&w, "code_length", plp->plp_fec_type == 0 ? 16200 : plp->plp_fec_type == 1 ? 64800 : 0);
    NUMBER(&w, plp, plp_num_blocks_max);
    NUMBER(&w, plp, frame_interval);
    NUMBER(&w, plp, time_il_length);
    FLAG(&w, plp, time_il_type);
    text(&w, "time_il_type_name",
         plp->time_il_type ? "one TI block over several frames" : "TI blocks in one frame");
    FLAG(&w, plp, in_band_a_flag);
    FLAG(&w, plp, in_band_b_flag);
    NUMBER(&w, plp, reserved_1);
    NUMBER(&w, plp, plp_mode);
    text(&w, "plp_mode_name", NAME(plp_modes, plp->plp_mode));
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
    NUMBER(&w, plp, reserved_2);
}

/* ---- in-band signalling, ISSY */

void dvbt2_in_band_a_fields(const dvbt2_in_band_a *a, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, a, plp_l1_change_counter);
    NUMBER(&w, a, reserved_1);
    number(&w, "current_plp_num_blocks", a->plp_num_blocks);
}

void dvbt2_in_band_a_frame_fields(const dvbt2_in_band_a *a, uint32_t i, dvbt2_field_function *function,
                                  void *context)
{
    const writer w = {function, context};
    if (i >= a->n_frames || i >= sizeof a->frame / sizeof *a->frame)
        return;
    NUMBER(&w, &a->frame[i], sub_slice_interval);
    NUMBER(&w, &a->frame[i], start_rf_idx);
    number(&w, "current_plp_start", a->frame[i].plp_start);
    NUMBER(&w, &a->frame[i], reserved_2);
    NUMBER(&w, &a->frame[i], type_2_start);
}

void dvbt2_in_band_b_fields(const dvbt2_in_band_b *b, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    NUMBER(&w, b, tto);
    NUMBER(&w, b, first_iscr);
    NUMBER(&w, b, bufs_unit);
    text(&w, "bufs_unit_name", NAME(bufs_units, b->bufs_unit));
    NUMBER(&w, b, bufs);
    NUMBER(&w, b, ts_rate);
    NUMBER(&w, b, reserved_b);
}

void dvbt2_plp_signalling_fields(const dvbt2_plp_signalling *signalling, dvbt2_field_function *function,
                                 void *context)
{
    const writer w = {function, context};
    NUMBER(&w, signalling, in_band_frames);
    NUMBER(&w, signalling, in_band_errors);
    if (signalling->iscr_bits) {
        NUMBER(&w, signalling, iscr_bits);
        NUMBER(&w, signalling, iscr);
    }
    if (signalling->has_tto)
        NUMBER(&w, signalling, tto);
    if (signalling->has_bufs)
        NUMBER(&w, signalling, bufs);
}

/* ---- status and counters */

const ldpc_layout dvbt2_status_layout = LDPC_LAYOUT(dvbt2_status, losses);
const ldpc_layout dvbt2_counters_layout = LDPC_LAYOUT(dvbt2_plp_counters, bb);

static const char *const loss_fields[DVBT2_LOSSES] = {
    [DVBT2_LOSS_PILOTS] = "losses_pilots",
    [DVBT2_LOSS_P1] = "losses_p1",
    [DVBT2_LOSS_L1_PRE] = "losses_l1_pre",
    [DVBT2_LOSS_L1_POST] = "losses_l1_post",
    [DVBT2_LOSS_GAP] = "losses_gap",
    [DVBT2_LOSS_STEP] = "losses_step",
    [DVBT2_LOSS_GUARD_INTERVAL] = "losses_guard_interval",
    [DVBT2_LOSS_MEMORY] = "losses_memory",
    [DVBT2_LOSS_ECHO] = "losses_echo",
};

const char *dvbt2_state_name(dvbt2_state state)
{
    static const char *const names[] = {"search", "guard interval", "L1-pre", "L1-post", "tracking"};
    return (unsigned)state < sizeof names / sizeof *names ? names[state] : "unknown";
}

const char *dvbt2_loss_name(dvbt2_loss loss)
{
    static const char *const names[DVBT2_LOSSES] = {
        [DVBT2_LOSS_NONE] = "",           [DVBT2_LOSS_PILOTS] = "pilots",
        [DVBT2_LOSS_P1] = "P1",           [DVBT2_LOSS_L1_PRE] = "L1-pre",
        [DVBT2_LOSS_L1_POST] = "L1-post", [DVBT2_LOSS_GAP] = "gap",
        [DVBT2_LOSS_STEP] = "step",       [DVBT2_LOSS_GUARD_INTERVAL] = "guard interval contradicts L1-pre",
        [DVBT2_LOSS_MEMORY] = "memory",   [DVBT2_LOSS_ECHO] = "echo beyond the pilots",
    };
    return (unsigned)loss < DVBT2_LOSSES ? names[loss] : "unknown";
}

void dvbt2_status_fields(const dvbt2_status *given, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    dvbt2_status own;
    const dvbt2_status *status = &own;
    if (ldpc_read_struct(&dvbt2_status_layout, &own, given, NULL))
        return;
    const bool seen = status->frames_seen > 0;
    text(&w, "state", dvbt2_state_name(status->state));
    flag(&w, "locked", status->state == DVBT2_STATE_TRACKING);
    text(&w, "fft_size", seen && status->p1.t2 ? dvbt2_fft_size_name(status->p1.fft) : "");
    text(&w, "guard_interval", status->guard_known ? dvbt2_guard_interval_name(status->guard_interval) : "");
    text(&w, "profile", !seen ? "" : status->p1.profile == DVBT2_PROFILE_LITE ? "T2-Lite" : "T2-base");
    flag(&w, "miso", seen && status->p1.miso);
    flag(&w, "mirrored", status->mirrored);
    REAL(&w, status, level_db);
    REAL(&w, status, carrier_hz);
    REAL(&w, status, clock_ppm);
    REAL(&w, status, cn_db);
    REAL(&w, status, expected_mer_db);
    REAL(&w, status, delay_spread_us);
    NUMBER(&w, status, samples);
    NUMBER(&w, status, frames_seen);
    NUMBER(&w, status, frames);
    NUMBER(&w, status, lost_frames);
    NUMBER(&w, status, fef_parts);
    NUMBER(&w, status, l1_errors);
    NUMBER(&w, status, locks);
    FLAG(&w, status, other_profile);
    text(&w, "last_loss", dvbt2_loss_name(status->last_loss));
    for (int loss = DVBT2_LOSS_NONE + 1; loss < DVBT2_LOSSES; loss++)
        number(&w, loss_fields[loss], (int64_t)status->losses[loss]);
    text(&w, "message", status->message ? status->message : "");
}

void dvbt2_plp_counters_fields(const dvbt2_plp_counters *given, dvbt2_field_function *function, void *context)
{
    const writer w = {function, context};
    dvbt2_plp_counters own;
    const dvbt2_plp_counters *counters = &own;
    if (ldpc_read_struct(&dvbt2_counters_layout, &own, given, NULL))
        return;
    NUMBER(&w, counters, frames);
    NUMBER(&w, counters, codewords);
    NUMBER(&w, counters, failed_codewords);
    NUMBER(&w, counters, iterations);
    NUMBER(&w, counters, bits);
    NUMBER(&w, counters, bit_errors);
    NUMBER(&w, counters, bch_failed);
    NUMBER(&w, counters, bch_corrected_bits);
    REAL(&w, counters, mer_db);
    NUMBER(&w, counters, gfps_frames);
    NUMBER(&w, counters, gcs_frames);
    NUMBER(&w, counters, gse_frames);
    NUMBER(&w, counters, common_packets);
    NUMBER(&w, counters, unplaced_packets);
    NUMBER(&w, &counters->bb, header_errors);
    NUMBER(&w, &counters->bb, broken_frames);
    NUMBER(&w, &counters->bb, other_frames);
    NUMBER(&w, &counters->bb, packets);
    NUMBER(&w, &counters->bb, null_packets);
    NUMBER(&w, &counters->bb, crc_errors);
    NUMBER(&w, &counters->bb, ts_errors);
    NUMBER(&w, &counters->bb, lost_packets);
}
