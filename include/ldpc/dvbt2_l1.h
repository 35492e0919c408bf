/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DVB-T2 signalling: the fields of P1, L1-pre and L1-post (EN 302 755, clauses 7.2 and 7.3).
 *
 * Values are as transmitted, names as in the standard. A field that the signal's T2 version does not define
 * holds the bits at its position.
 */
#ifndef LDPC_DVBT2_L1_H
#define LDPC_DVBT2_L1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Carriers of the FFT: 1024 << value. */
typedef enum dvbt2_fft_size {
    DVBT2_FFT_1K = 0,
    DVBT2_FFT_2K,
    DVBT2_FFT_4K,
    DVBT2_FFT_8K,
    DVBT2_FFT_16K,
    DVBT2_FFT_32K,
    DVBT2_FFT_SIZES
} dvbt2_fft_size;

/** Cyclic prefix as a fraction of the symbol; values of GUARD_INTERVAL in L1-pre. */
typedef enum dvbt2_guard_interval {
    DVBT2_GUARD_1_32 = 0,
    DVBT2_GUARD_1_16,
    DVBT2_GUARD_1_8,
    DVBT2_GUARD_1_4,
    DVBT2_GUARD_1_128,
    DVBT2_GUARD_19_128,
    DVBT2_GUARD_19_256,
    DVBT2_GUARD_INTERVALS
} dvbt2_guard_interval;

typedef enum dvbt2_profile { DVBT2_PROFILE_BASE = 0, DVBT2_PROFILE_LITE } dvbt2_profile;

/* ---- P1 */

/** S1: type of the frame after P1. */
typedef enum dvbt2_s1 {
    DVBT2_S1_T2_SISO = 0,
    DVBT2_S1_T2_MISO = 1,
    DVBT2_S1_NON_T2 = 2,
    DVBT2_S1_LITE_SISO = 3,
    DVBT2_S1_LITE_MISO = 4,
} dvbt2_s1;

/** The seven bits of P1 and their meaning. */
typedef struct dvbt2_p1_info {
    uint8_t s1, s2; /**< 3 and 4 bits as transmitted */
    /** true: a T2 frame of either profile follows; false: another kind of FEF part */
    bool t2;
    bool mixed; /**< last bit of S2: the signal has FEF parts */
    /** whether the frame uses MISO; this and the next two fields are valid for T2 frames only */
    bool miso;
    dvbt2_profile profile;
    dvbt2_fft_size fft;
    uint8_t guards; /**< bit i is set if dvbt2_guard_interval i is possible */
} dvbt2_p1_info;

/* ---- L1-pre */

/** Values of L1_MOD. */
typedef enum dvbt2_l1_modulation {
    DVBT2_L1_BPSK = 0,
    DVBT2_L1_QPSK = 1,
    DVBT2_L1_16QAM = 2,
    DVBT2_L1_64QAM = 3,
} dvbt2_l1_modulation;

/** The 168 bits of L1-pre without CRC (clause 7.2.2). */
typedef struct dvbt2_l1_pre {
    /** type of the streams in the multiplex: 0 TS, 1 generic, 2 both, 3 T2-MI ... */
    uint8_t type;
    bool bwt_ext;               /**< the signal has extended carriers */
    uint8_t s1, s2;             /**< S1 and S2, as in P1 */
    bool l1_repetition_flag;    /**< L1-post also carries the dynamic part of the next frame */
    uint8_t guard_interval;     /**< dvbt2_guard_interval; 7 is reserved */
    uint8_t papr;               /**< 4 bits: see dvbt2_l1_tone_reservation() */
    uint8_t l1_mod;             /**< dvbt2_l1_modulation, or reserved */
    uint8_t l1_cod;             /**< 0: rate 1/2 */
    uint8_t l1_fec_type;        /**< 0: LDPC 16200 */
    uint32_t l1_post_size;      /**< size of L1-post in cells */
    uint32_t l1_post_info_size; /**< size of L1-post without CRC and padding, in bits */
    uint8_t pilot_pattern;      /**< 0 .. 7 = PP1 .. PP8, or reserved */
    uint8_t tx_id_availability;
    uint16_t cell_id, network_id, t2_system_id;
    uint8_t num_t2_frames;     /**< T2 frames per super-frame */
    uint16_t num_data_symbols; /**< number of symbols per frame, without P2 symbols */
    uint8_t regen_flag;
    bool l1_post_extension;
    uint8_t num_rf;
    uint8_t current_rf_idx;
    uint8_t t2_version;     /**< 0: 1.1.1, 1: 1.2.1, 2: 1.3.1 */
    bool l1_post_scrambled; /**< exists since version 1.3.1 of T2 */
    /** T2-base signal that T2-Lite receivers can receive (since T2 version 1.3.1) */
    bool t2_base_lite;
    uint8_t reserved; /**< 4 bits */
} dvbt2_l1_pre;

/** Returns whether normal and frame-closing symbols use tone reservation. T2 version 1.2.1 changed the values
 * of PAPR. */
LDPC_API bool dvbt2_l1_tone_reservation(const dvbt2_l1_pre *pre);

/* ---- L1-post */

enum {
    DVBT2_MAX_PLP = 255,
    DVBT2_MAX_AUX = 15,
    DVBT2_MAX_RF = 7,
    /** maximum number of stored L1 extension blocks */
    DVBT2_MAX_EXTENSIONS = 16,
};

/** PLP_TYPE. */
enum { DVBT2_PLP_COMMON = 0, DVBT2_PLP_TYPE_1 = 1, DVBT2_PLP_TYPE_2 = 2 };

/** PLP_PAYLOAD_TYPE. */
enum { DVBT2_PAYLOAD_GFPS = 0, DVBT2_PAYLOAD_GCS = 1, DVBT2_PAYLOAD_GSE = 2, DVBT2_PAYLOAD_TS = 3 };

/** One PLP in the configurable part (clause 7.2.3.1). */
typedef struct dvbt2_l1_plp {
    uint8_t plp_id;
    uint8_t plp_type;         /**< DVBT2_PLP_..., or reserved */
    uint8_t plp_payload_type; /**< DVBT2_PAYLOAD_..., or reserved */
    bool ff_flag;
    uint8_t first_rf_idx;
    uint8_t first_frame_idx;
    uint8_t plp_group_id;
    uint8_t plp_cod; /**< 0 .. 7: 1/2 3/5 2/3 3/4 4/5 5/6, T2-Lite 1/3 2/5 */
    uint8_t plp_mod; /**< 0 .. 3: QPSK 16QAM 64QAM 256QAM, or reserved */
    bool plp_rotation;
    uint8_t plp_fec_type; /**< 0: 16200 bits, 1: 64800 bits, or reserved */
    uint16_t plp_num_blocks_max;
    uint8_t frame_interval;
    uint8_t time_il_length;
    bool time_il_type;
    bool in_band_a_flag;
    bool in_band_b_flag; /**< this and the following fields: since T2 version 1.2.1 */
    uint16_t reserved_1; /**< 11 bits */
    uint8_t plp_mode;    /**< 0: not specified, 1: normal mode, 2: high efficiency mode */
    bool static_flag, static_padding_flag;
} dvbt2_l1_plp;

typedef struct dvbt2_l1_configurable {
    uint16_t sub_slices_per_frame;
    uint8_t num_plp;
    uint8_t num_aux;
    uint8_t aux_config_rfu;
    uint8_t num_rf; /**< NUM_RF of L1-pre */
    struct {
        uint8_t rf_idx;
        uint32_t frequency; /**< frequency in Hz */
    } rf[DVBT2_MAX_RF];
    bool fef; /**< the signal has FEF parts, so the next three fields are valid */
    uint8_t fef_type;
    uint32_t fef_length; /**< in units of T; in T2-Lite it includes FEF_LENGTH_MSB */
    uint8_t fef_interval;
    dvbt2_l1_plp plp[DVBT2_MAX_PLP]; /**< [num_plp] */
    uint32_t reserved_2;             /**< 30 bits in T2-Lite, otherwise 32 bits */
    struct {
        uint8_t aux_stream_type;
        uint32_t aux_private_conf; /**< 28 bits */
    } aux[DVBT2_MAX_AUX];
} dvbt2_l1_configurable;

/** One PLP in the dynamic part (clause 7.2.3.2). */
typedef struct dvbt2_l1_plp_dynamic {
    uint8_t plp_id;
    uint32_t plp_start; /**< address of the PLP's first cell in the frame */
    uint16_t plp_num_blocks;
    uint8_t reserved_2;
} dvbt2_l1_plp_dynamic;

/** Dynamic part of L1-post, for one T2 frame. */
typedef struct dvbt2_l1_dynamic {
    uint8_t frame_idx;
    uint32_t sub_slice_interval;
    uint32_t type_2_start;
    uint8_t l1_change_counter;
    uint8_t start_rf_idx;
    uint8_t reserved_1;
    dvbt2_l1_plp_dynamic plp[DVBT2_MAX_PLP]; /**< [num_plp], in the order of the configurable part */
    uint8_t reserved_3;
    uint64_t aux_private_dyn[DVBT2_MAX_AUX]; /**< 48 bits per auxiliary stream */
} dvbt2_l1_dynamic;

/** L1-post. */
typedef struct dvbt2_l1_post {
    dvbt2_l1_configurable config;
    dvbt2_l1_dynamic dynamic;
    /** whether the signal uses L1 repetition; `next` is then the dynamic part of the next frame */
    bool has_next;
    dvbt2_l1_dynamic next;
    uint32_t extensions; /**< number of blocks in the extension field */
    struct {
        uint8_t type;
        uint16_t length; /**< length of the data in bits */
    } extension[DVBT2_MAX_EXTENSIONS];
} dvbt2_l1_post;

/* ---- in-band signalling (clause 5.2.3): the data of a PLP contain L1 of the next interleaving frame (type
 * A) and timing (type B) */

/** In-band signalling of type A. For each T2 frame of the next interleaving frame, it has the position of
 * this PLP and of other PLPs. */
typedef struct dvbt2_in_band_a {
    /** number of super-frames until the configurable part changes; 0: no change is scheduled */
    uint8_t plp_l1_change_counter;
    uint8_t reserved_1;
    uint32_t n_frames; /**< P_I */
    struct {
        uint32_t sub_slice_interval;
        uint8_t start_rf_idx;
        uint32_t plp_start; /**< CURRENT_PLP_START */
        uint8_t reserved_2;
        uint32_t type_2_start;
    } frame[255];
    uint16_t plp_num_blocks; /**< CURRENT_PLP_NUM_BLOCKS */
    uint8_t n_others;
    dvbt2_l1_plp_dynamic other[255];
} dvbt2_in_band_a;

/** In-band signalling of type B: timing of the stream. */
typedef struct dvbt2_in_band_b {
    uint32_t tto;        /**< time until the first packet is output, in units of T */
    uint32_t first_iscr; /**< ISCR of the first packet */
    uint8_t bufs_unit;   /**< 0 .. 3: bits, Kbit, Mbit, 8 Kbit */
    uint16_t bufs;
    uint32_t ts_rate; /**< bit rate of the stream in bit/s */
    uint8_t reserved_b;
} dvbt2_in_band_b;

/* ---- functions that return the name of a value ("reserved" for a reserved value); never NULL */

LDPC_API const char *dvbt2_fft_size_name(dvbt2_fft_size fft);      /**< "8K" */
LDPC_API const char *dvbt2_guard_interval_name(uint8_t guard);     /**< "19/256" */
LDPC_API const char *dvbt2_s1_name(uint8_t s1);                    /**< "T2 SISO" */
LDPC_API const char *dvbt2_l1_modulation_name(uint8_t l1_mod);     /**< "16QAM" */
LDPC_API const char *dvbt2_version_name(uint8_t t2_version);       /**< "1.3.1" */
LDPC_API const char *dvbt2_papr_name(const dvbt2_l1_pre *pre);     /**< "tone reservation" */
LDPC_API const char *dvbt2_plp_type_name(uint8_t plp_type);        /**< "type 1" */
LDPC_API const char *dvbt2_payload_name(uint8_t plp_payload_type); /**< "TS" */
LDPC_API const char *dvbt2_rate_name(uint8_t plp_cod);             /**< "2/3" */
LDPC_API const char *dvbt2_modulation_name(uint8_t plp_mod);       /**< "256QAM" */

#ifdef __cplusplus
}
#endif
#endif
