/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mode of DVB-T2 and every number that follows from it (EN 302 755, clauses 8.3.5, 9.2 to 9.5).
 *
 * A T2 frame:
 *
 *     P1 (2048 samples) | n_p2 P2 symbols | normal symbols | frame-closing symbol, in some modes
 *                       \__ n_symbols OFDM symbols of guard + fft_length samples ________________/
 */
#ifndef DVBT2_PARAMETERS_H
#define DVBT2_PARAMETERS_H

#include "ldpc/dvbt2_l1.h"

enum {
    DVBT2_P1_SAMPLES = 2048,
    DVBT2_MAX_FFT = 32768,
    DVBT2_MAX_CARRIERS = 27841, /* active carriers of 32K extended */
    DVBT2_MAX_P2 = 16,
    DVBT2_MAX_DY = 16,
};

/* Parts of the signal that carriers and cells depend on. */
typedef struct dvbt2_mode {
    dvbt2_fft_size fft;
    dvbt2_guard_interval guard;
    uint8_t pilot_pattern; /* 1 .. 8 = PP1 .. PP8; 0: not known yet, only the P2 symbols have a layout */
    bool extended;         /* extended carriers */
    bool miso;
    bool tone_reservation;   /* in normal and frame-closing symbols; P2 symbols always have it */
    dvbt2_profile profile;   /* decides only which combinations are allowed */
    uint16_t n_data_symbols; /* NUM_DATA_SYMBOLS: L_data, normal and closing symbols of a frame */
} dvbt2_mode;

typedef enum dvbt2_symbol_kind {
    DVBT2_SYMBOL_P2,
    DVBT2_SYMBOL_NORMAL,
    DVBT2_SYMBOL_CLOSING
} dvbt2_symbol_kind;

typedef struct dvbt2_parameters {
    dvbt2_mode mode;
    uint32_t fft_length;    /* samples of a symbol without guard interval */
    uint32_t guard_length;  /* samples of the guard interval */
    uint32_t symbol_length; /* the two together */
    uint32_t frame_length;  /* samples of a T2 frame, P1 included */
    uint32_t k_ext;         /* carriers that extended mode adds on each side; 0 in normal mode */
    uint32_t carriers;      /* K_total: active carriers, numbered 0 .. carriers - 1 with the middle at 0 Hz */
    uint32_t first_bin;     /* bin of carrier 0 when 0 Hz is at bin fft_length / 2 */
    uint32_t n_p2;          /* P2 symbols */
    uint32_t n_symbols;     /* L_F: symbols of a frame, P1 excluded */
    bool closing;           /* the last symbol is a frame-closing symbol */
    uint32_t c_p2;          /* data cells of a P2 symbol */
    uint32_t c_data; /* of a normal symbol; the number of reserved tones is subtracted here and below */
    uint32_t n_fc;   /* of the frame-closing symbol, thinning cells included; 0 without one */
    uint32_t c_fc;   /* of these: modulated; the others are empty */
    uint32_t dx, dy; /* scattered pilots: carriers between pilot carriers, symbols of the pattern */
    float a_p2, a_sp,
        a_cp; /* amplitudes of P2 pilots, scattered, edge and closing pilots, continual pilots */
} dvbt2_parameters;

/* Derive them. A mode that the standard does not allow is derived too where the numbers exist: see
 * dvbt2_mode_allowed(). With pilot_pattern 0 everything that depends on it, and on n_data_symbols, is 0.
 * LDPC_ERR_NULL, LDPC_ERR_PARAM with a sentence (no such pattern for this FFT size ...). */
ldpc_status dvbt2_parameters_derive(const dvbt2_mode *mode, dvbt2_parameters *parameters, ldpc_error *err);

/* The mode that L1-pre says; LDPC_ERR_PARAM with a sentence for reserved values. */
ldpc_status dvbt2_mode_from_l1(const dvbt2_l1_pre *pre, dvbt2_mode *mode, ldpc_error *err);

/* Does the standard allow this combination of FFT size, guard interval, pilot pattern and SISO or MISO
 * (clause 9.2.3.1; annex I for T2-Lite)? pilot_pattern 0: with any pattern. */
bool dvbt2_mode_allowed(const dvbt2_mode *mode);

/* Samples of the guard interval; 0 when the FFT size does not have it as a whole number. */
uint32_t dvbt2_guard_length(dvbt2_fft_size fft, dvbt2_guard_interval guard);

/* 1 / T in Hz; 0 for no bandwidth of the standard. */
double dvbt2_sample_rate(dvbt2_bandwidth bandwidth);

/* Kind and number of data cells of symbol l of a frame, l < n_symbols (P1 is not counted). */
dvbt2_symbol_kind dvbt2_symbol_kind_of(const dvbt2_parameters *parameters, uint32_t l);
uint32_t dvbt2_symbol_cells(const dvbt2_parameters *parameters, uint32_t l);

#endif
