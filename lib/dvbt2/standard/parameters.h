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
    DVBT2_MAX_CARRIERS = 27841, /* active carriers of 32K with extended carriers */
    DVBT2_MAX_P2 = 16,
    DVBT2_MAX_DY = 16,
};

/* Parameters that determine carriers and cells. */
typedef struct dvbt2_mode {
    dvbt2_fft_size fft;
    dvbt2_guard_interval guard;
    uint8_t pilot_pattern; /* 1 .. 8 = PP1 .. PP8; 0: unknown, only P2 symbols have a layout */
    bool extended;         /* extended carriers */
    bool miso;
    bool tone_reservation;   /* reserved tones in normal and frame-closing symbols; P2 always has them */
    dvbt2_profile profile;   /* only used by dvbt2_mode_allowed() */
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
    uint32_t k_ext;         /* additional carriers on each side in extended mode, else 0 */
    uint32_t carriers;      /* K_total: active carriers 0 .. carriers - 1, centred on 0 Hz */
    uint32_t first_bin;     /* bin of carrier 0 if 0 Hz is bin fft_length / 2 */
    uint32_t n_p2;          /* P2 symbols */
    uint32_t n_symbols;     /* L_F: symbols of a frame without P1 */
    bool closing;           /* the frame ends with a frame-closing symbol */
    uint32_t c_p2;          /* data cells of a P2 symbol */
    uint32_t c_data;        /* data cells of a normal symbol; excludes reserved tones, as do n_fc and c_fc */
    uint32_t n_fc;          /* data cells of the frame-closing symbol including thinning cells; 0 if there is
                             * no frame-closing symbol */
    uint32_t c_fc;          /* modulated cells of the frame-closing symbol; its other cells are empty */
    uint32_t dx, dy;        /* scattered pilots: carrier spacing, symbol period */
    float a_p2, a_sp, a_cp; /* amplitudes: P2 pilots; scattered, edge and closing pilots; continual pilots */
} dvbt2_parameters;

/* Derive the parameters of a mode. A mode that the standard does not allow is also derived if its numbers are
 * defined; see dvbt2_mode_allowed(). With pilot_pattern 0, the numbers that depend on it or on n_data_symbols
 * are 0. Returns LDPC_OK, LDPC_ERR_NULL, or LDPC_ERR_PARAM with a message (pattern not defined for this FFT
 * size ...). */
ldpc_status dvbt2_parameters_derive(const dvbt2_mode *mode, dvbt2_parameters *parameters, ldpc_error *err);

/* Derive the mode that L1-pre signals. Returns LDPC_ERR_PARAM, with a message, for reserved values. */
ldpc_status dvbt2_mode_from_l1(const dvbt2_l1_pre *pre, dvbt2_mode *mode, ldpc_error *err);

/* Does the standard allow this combination of FFT size, guard interval, pilot pattern and SISO or MISO
 * (clause 9.2.3.1; annex I for T2-Lite)? With pilot_pattern 0: does it allow any pattern? */
bool dvbt2_mode_allowed(const dvbt2_mode *mode);

/* Returns the guard interval in samples, or 0 if it is not a whole number for this FFT size. */
uint32_t dvbt2_guard_length(dvbt2_fft_size fft, dvbt2_guard_interval guard);

/* Return the kind and the number of data cells of symbol l of a frame. l < n_symbols counts from the first P2
 * symbol. */
dvbt2_symbol_kind dvbt2_symbol_kind_of(const dvbt2_parameters *parameters, uint32_t l);
uint32_t dvbt2_symbol_cells(const dvbt2_parameters *parameters, uint32_t l);

#endif
