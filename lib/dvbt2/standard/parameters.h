/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mode of DVB-T2 and the numbers derived from it (EN 302 755, clauses 8.3.5, 9.2 to 9.5).
 *
 * A T2 frame:
 *
 *     P1 (2048 samples) | n_p2 P2 symbols | normal symbols | frame-closing symbol, in some modes
 *                       \__ n_symbols OFDM symbols of guard + fft_length samples ________________/ */
#ifndef DVBT2_PARAMETERS_H
#define DVBT2_PARAMETERS_H

#include "ldpc/dvbt2_l1.h"

enum {
    DVBT2_P1_SAMPLES = 2048,
    DVBT2_MAX_FFT = 32768,
    DVBT2_MAX_CARRIERS = 27841, /* 32K with extended carriers */
    DVBT2_MAX_P2 = 16,
    DVBT2_MAX_DY = 16,
};

typedef struct dvbt2_mode {
    dvbt2_fft_size fft;
    dvbt2_guard_interval guard;
    uint8_t pilot_pattern; /* 1 .. 8 = PP1 .. PP8; 0: unknown, only P2 symbols have a layout */
    bool extended;         /* true: extended carriers */
    bool miso;
    /* true: normal and frame-closing symbols have reserved tones, as P2 symbols do */
    bool tone_reservation;
    dvbt2_profile profile;   /* only for dvbt2_mode_allowed() */
    uint16_t n_data_symbols; /* NUM_DATA_SYMBOLS (L_data): normal and frame-closing symbols */
} dvbt2_mode;

typedef enum dvbt2_symbol_kind {
    DVBT2_SYMBOL_P2,
    DVBT2_SYMBOL_NORMAL,
    DVBT2_SYMBOL_CLOSING
} dvbt2_symbol_kind;

typedef struct dvbt2_parameters {
    dvbt2_mode mode;
    uint32_t fft_length;    /* useful part of a symbol, samples */
    uint32_t guard_length;  /* guard interval, samples */
    uint32_t symbol_length; /* guard_length + fft_length */
    uint32_t frame_length;  /* T2 frame with P1, samples */
    uint32_t k_ext;         /* extra carriers on each side in extended mode, otherwise 0 */
    /* K_total: number of active carriers, centred on 0 Hz */
    uint32_t carriers;
    uint32_t first_bin; /* bin of carrier 0 in an FFT with 0 Hz in the middle */
    uint32_t n_p2;      /* number of P2 symbols */
    uint32_t n_symbols; /* L_F: symbols of a frame without P1 */
    bool closing;       /* true: a frame-closing symbol ends the frame */
    uint32_t c_p2;      /* data cells of a P2 symbol */
    /* data cells of a normal symbol, without reserved tones */
    uint32_t c_data;
    /* data cells of the frame-closing symbol, with thinning cells; 0: no such symbol */
    uint32_t n_fc;
    uint32_t c_fc;
    uint32_t dx, dy; /* Dx and Dy of the scattered pilots */
    float a_p2, a_sp, a_cp;
} dvbt2_parameters;

/* Derives the parameters of a mode, even if dvbt2_mode_allowed() is false. Parameters that depend on an
 * unknown pilot pattern are 0. Returns LDPC_OK, LDPC_ERR_NULL, or LDPC_ERR_PARAM and an error message if the
 * standard does not define the mode. */
ldpc_status dvbt2_parameters_derive(const dvbt2_mode *mode, dvbt2_parameters *parameters, ldpc_error *err);

/* Derives the mode from L1-pre. Returns LDPC_ERR_PARAM and an error message for reserved values. */
ldpc_status dvbt2_mode_from_l1(const dvbt2_l1_pre *pre, dvbt2_mode *mode, ldpc_error *err);

/* Returns true if the standard allows the mode (clause 9.2.3.1; T2-Lite: annex I). If pilot_pattern is 0,
 * returns true if any pattern is allowed. */
bool dvbt2_mode_allowed(const dvbt2_mode *mode);

/* Returns samples; 0: not a whole number. */
uint32_t dvbt2_guard_length(dvbt2_fft_size fft, dvbt2_guard_interval guard);

/* Symbol 0 is the first P2 symbol; l must be below n_symbols. */
dvbt2_symbol_kind dvbt2_symbol_kind_of(const dvbt2_parameters *parameters, uint32_t l);
uint32_t dvbt2_symbol_cells(const dvbt2_parameters *parameters, uint32_t l);

#endif
