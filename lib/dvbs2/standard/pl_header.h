/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PL header (EN 302 307-1 and -2, 5.5.2): start of frame (SOF, 26 symbols), then the PLS code (64 symbols),
 * which signals MODCOD, frame size and pilots. */
#ifndef DVBS2_PL_HEADER_H
#define DVBS2_PL_HEADER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

enum {
    DVBS2_SOF = 26,
    DVBS2_PLS = 64,
    DVBS2_HEADER = DVBS2_SOF + DVBS2_PLS, /* symbols */
    DVBS2_SLOT = 90,                      /* symbols of a slot */
    DVBS2_PILOTS = 36,                    /* symbols in a pilot block */
    DVBS2_SECTION = 16 * DVBS2_SLOT,      /* symbols between pilot blocks */
    DVBS2_MOST_MODCODS = 128,             /* upper limit for dvbs2_frame_format.modcod */
    DVBS2_FIRST_VLSNR = 112,              /* index of the first VL-SNR MODCOD */
    DVBS2_MOST_CELL_BITS = 9270 * 7,      /* maximum number of label bits of a frame (128APSK) */
    DVBS2_MOST_SYMBOLS = 33282,           /* symbols in the longest frame (QPSK with pilots) */
};

typedef enum dvbs2_frame_kind {
    DVBS2_FRAME_DATA,
    DVBS2_FRAME_DUMMY,
    DVBS2_FRAME_VLSNR,    /* a frame for very low SNR whose MODCOD is unknown */
    DVBS2_FRAME_RESERVED, /* PLS code that the standard does not define: unknown length */
} dvbs2_frame_kind;

/* Format of a PL frame, as signalled by its header. */
typedef struct dvbs2_frame_format {
    uint8_t pls_code;
    dvbs2_frame_kind kind;
    uint32_t modcod; /* index for dvbs2_modcod(); only for data frames */
    bool pilots;
    uint32_t vlsnr;   /* set of VL-SNR MODCODs, 1 or 2; 0: an ordinary frame */
    uint32_t cells;   /* number of data symbols, without pilots and repetitions */
    uint32_t repeats; /* number of times that each cell is sent */
    uint32_t length;
} dvbs2_frame_format;

/* Returns the format of the frames with this PLS code. For a VL-SNR frame, the second header is needed to find the
 * MODCOD (vlsnr.h). */
dvbs2_frame_format dvbs2_frame_format_of(uint8_t pls_code);

/* Returns the MODCOD of a data frame. The first indices are those of ldpc_dvbs2_modcod_list(). */
const ldpc_dvbs2_modcod *dvbs2_modcod(uint32_t index);

/* A run of data symbols, and the pilot block after it. */
typedef struct dvbs2_section {
    uint32_t first;  /* number of symbols between the PL header and the section */
    uint32_t done;   /* number of data symbols before the section */
    uint32_t count;  /* number of data symbols */
    uint32_t pilots; /* number of pilot symbols after the section */
} dvbs2_section;

/* Advances to the next section of a data frame; before the first one, *section is 0. Returns false after the last
 * one. */
bool dvbs2_next_section(const dvbs2_frame_format *format, dvbs2_section *section);

/* Writes the symbols of a header. Each symbol has power 1. */
void dvbs2_header_symbols(uint8_t pls_code, float complex symbols[DVBS2_HEADER]);

/* A header decoded from received symbols. */
typedef struct dvbs2_header {
    uint8_t pls_code;
    float complex sum; /* correlation of the received symbols with the header */
    float match;       /* 0 .. 1 */
} dvbs2_header;

/* Returns the most likely header (soft, coherent decoding). `frequency`: carrier offset, radians per
 * symbol. */
dvbs2_header dvbs2_header_decode(const float complex symbols[DVBS2_HEADER], double frequency);

/* Detects a header differentially, independently of its PLS code and of carrier offset and phase. Returns the
 * magnitude of the sum of 57 products of adjacent symbols. */
float dvbs2_header_metric(const float complex symbols[DVBS2_HEADER]);

#endif
