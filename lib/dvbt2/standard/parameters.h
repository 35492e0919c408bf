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
    DVBT2_MAX_CARRIERS = 27841, /* number of active carriers of 32K with extended carriers */
    DVBT2_MAX_P2 = 16,
    DVBT2_MAX_DY = 16,
};

/* Parameters of a mode that determine its carriers and cells. */
typedef struct dvbt2_mode {
    dvbt2_fft_size fft;
    dvbt2_guard_interval guard;
    uint8_t pilot_pattern; /* 1 .. 8 = PP1 .. PP8; if 0 (unknown), only P2 symbols have a layout */
    bool extended;         /* true: extended carriers */
    bool miso;
    /* true: normal and frame-closing symbols have reserved tones; P2 symbols always have them */
    bool tone_reservation;
    dvbt2_profile profile;   /* profile, used only by dvbt2_mode_allowed() */
    uint16_t n_data_symbols; /* NUM_DATA_SYMBOLS (L_data): number of normal and frame-closing symbols */
} dvbt2_mode;

typedef enum dvbt2_symbol_kind {
    DVBT2_SYMBOL_P2,
    DVBT2_SYMBOL_NORMAL,
    DVBT2_SYMBOL_CLOSING
} dvbt2_symbol_kind;

typedef struct dvbt2_parameters {
    dvbt2_mode mode;
    uint32_t fft_length;    /* length of a symbol's useful part in samples */
    uint32_t guard_length;  /* length of the guard interval in samples */
    uint32_t symbol_length; /* guard_length + fft_length */
    uint32_t frame_length;  /* length of a T2 frame in samples, including P1 */
    uint32_t k_ext;         /* number of extra carriers on each side in extended mode; otherwise 0 */
    /* K_total: number of active carriers; carriers are 0 .. carriers - 1, centred on 0 Hz */
    uint32_t carriers;
    uint32_t first_bin; /* bin of carrier 0 if 0 Hz is bin fft_length / 2 */
    uint32_t n_p2;      /* number of P2 symbols */
    uint32_t n_symbols; /* L_F: number of symbols of a frame, without P1 */
    bool closing;       /* true: the frame ends with a frame-closing symbol */
    uint32_t c_p2;      /* number of data cells of a P2 symbol */
    /* number of data cells of a normal symbol; reserved tones are not counted, as in c_data, n_fc and c_fc */
    uint32_t c_data;
    /* number of data cells of the frame-closing symbol, including thinning cells; 0 if there is no
     * frame-closing symbol */
    uint32_t n_fc;
    /* number of modulated cells of the frame-closing symbol; its other cells are empty */
    uint32_t c_fc;
    uint32_t dx, dy; /* carrier spacing and symbol period of the scattered pilots */
    /* amplitude of P2 pilots; of scattered, edge and closing pilots; of continual pilots */
    float a_p2, a_sp, a_cp;
} dvbt2_parameters;

/* Derives the parameters of a mode. This is also possible for a mode that the standard does not allow
 * (dvbt2_mode_allowed()), if its numbers are defined. If pilot_pattern is 0, all numbers that depend on it or
 * on n_data_symbols are 0. Returns LDPC_OK, LDPC_ERR_NULL, or LDPC_ERR_PARAM with an error message, for
 * example if the FFT size does not have this pattern. */
ldpc_status dvbt2_parameters_derive(const dvbt2_mode *mode, dvbt2_parameters *parameters, ldpc_error *err);

/* Derives the mode that L1-pre signals. Returns LDPC_ERR_PARAM, and an error message, for reserved values. */
ldpc_status dvbt2_mode_from_l1(const dvbt2_l1_pre *pre, dvbt2_mode *mode, ldpc_error *err);

/* Returns true if the standard allows this combination of FFT size, guard interval, pilot pattern and SISO or
 * MISO (clause 9.2.3.1; T2-Lite: annex I). If pilot_pattern is 0, returns true if any pattern is allowed. */
bool dvbt2_mode_allowed(const dvbt2_mode *mode);

/* Returns the guard interval in samples. Returns 0 if this FFT size does not give a whole number of
 * samples. */
uint32_t dvbt2_guard_length(dvbt2_fft_size fft, dvbt2_guard_interval guard);

/* Returns the kind of symbol l; returns the number of data cells of symbol l. The first P2 symbol of a frame
 * is symbol 0; l must be below n_symbols. */
dvbt2_symbol_kind dvbt2_symbol_kind_of(const dvbt2_parameters *parameters, uint32_t l);
uint32_t dvbt2_symbol_cells(const dvbt2_parameters *parameters, uint32_t l);

#endif
