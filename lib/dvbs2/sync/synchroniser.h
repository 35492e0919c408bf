/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds PL frames in symbols and outputs their cells. The symbols may have any phase, any amplitude, and a
 * carrier offset of up to 0.06 cycles per symbol. The cells are descrambled and have power 1.
 *
 *     | header | section 0 | pilots | section 1 | pilots | ... | section n | next header |
 *
 * A frame is output when the next header has been decoded. Without this header, frame lock is lost. */
#ifndef DVBS2_SYNCHRONISER_H
#define DVBS2_SYNCHRONISER_H

#include <stdbool.h>

#include "dvbs2/phase/carrier.h"
#include "dvbs2/phase/phase_grid.h"
#include "dvbs2/phase/trellis.h"
#include "dvbs2/standard/vlsnr.h"
#include "dvbs2/sync/equaliser.h"

enum { DVBS2_SILENCE = DVBS2_MOST_SYMBOLS + DVBS2_LONG_HEADER };
enum { DVBS2_LEARNT_CELLS = 5 * DVBS2_SLOT };

/* Reasons why frame lock was lost. */
typedef enum dvbs2_sync_loss {
    DVBS2_SYNC_HEADER,   /* no header after the frame */
    DVBS2_SYNC_RESERVED, /* reserved PLS code, so the frame length is unknown */
    DVBS2_SYNC_LOSSES,
} dvbs2_sync_loss;

typedef struct dvbs2_pl_frame {
    dvbs2_frame_format format;
    uint64_t at;
    const float complex *cells; /* format.cells cells of a data frame, valid until the next read */
    const float complex *clear; /* cells without the interference that an amplifier causes, or NULL */
    const float *llr;           /* LLRs of the label bits; NULL: LLRs are computed from the cells */
    float noise;                /* mean noise power of the cells */
    float amplitude;
    double frequency; /* carrier frequency at the end of the frame, radians per symbol */
    bool unproven;    /* true: no frame was decoded since the carrier estimate started */
    bool no_memory;   /* whether there was not enough memory to measure the phases of the cells */
} dvbs2_pl_frame;

typedef struct dvbs2_synchroniser {
    float complex *symbols; /* [room] */
    size_t held, start;
    /* number of symbols that the search needs in the buffer */
    size_t wanted;
    uint64_t number;      /* number of symbols[0] */
    uint64_t end;         /* first symbol of silence after the last sample */
    float complex *turns; /* for each symbol after the header, the factor that descrambles it */
    float complex *cells;
    float complex *clean;
    dvbs2_reference *references;                  /* references of the second pass */
    dvbs2_reference known[DVBS2_MOST_REFERENCES]; /* headers and pilots of the last frame */
    dvbs2_decisions decisions[DVBS2_MOST_MODCODS];
    dvbs2_phase_grid grid;
    dvbs2_trellis trellis;
    float *llr;            /* LLRs of the label bits of the last frame */
    double cell_frequency; /* mean frequency of the last frame from its cells, radians per symbol */
    dvbs2_equaliser equaliser;
    dvbs2_carrier last_carrier, header_carrier; /* estimate at the last header; estimate at the next header,
                                                 * for which no cells are used */
    dvbs2_frame_format last_format;
    size_t last_start, last_references;
    bool locked, mirrored;
    bool starting, unproven;
    dvbs2_frame_format format; /* of the frame at `start` */
    dvbs2_carrier carrier;
    struct {
        dvbs2_carrier carrier;
        dvbs2_equaliser equaliser;
        dvbs2_frame_format format;
        size_t start;
        uint64_t losses[DVBS2_SYNC_LOSSES];
    } before; /* state before the last frame, if dvbs2_synchroniser_retry() may read this frame again */
    uint64_t locks, losses[DVBS2_SYNC_LOSSES];
} dvbs2_synchroniser;

/* Initialises a synchroniser for a gold code. Returns false if there is not enough memory. */
bool dvbs2_synchroniser_init(dvbs2_synchroniser *sync, uint32_t gold);
void dvbs2_synchroniser_free(dvbs2_synchroniser *sync);

/* Returns where the next symbols must be written, and in *room how many symbols fit. dvbs2_synchroniser_add()
 * appends symbols that were written there. */
float complex *dvbs2_synchroniser_room(dvbs2_synchroniser *sync, size_t *room);
void dvbs2_synchroniser_add(dvbs2_synchroniser *sync, size_t count);

/* Drops all symbols and begins a new search, because the next symbols do not continue the last ones. */
void dvbs2_synchroniser_drop(dvbs2_synchroniser *sync);

/* Marks the end of the signal, `count` symbols after those in the buffer. DVBS2_SILENCE symbols of silence
 * must follow. */
void dvbs2_synchroniser_end(dvbs2_synchroniser *sync, size_t count);

/* Reads the next frame. Returns false if more symbols are needed. */
bool dvbs2_synchroniser_read(dvbs2_synchroniser *sync, dvbs2_pl_frame *frame);

/* Reads an unproven frame again with the next carrier offset that its references allow. `attempt` is 1, 2, ...
 * Returns false if there is no other offset; the first offset is then used again. Call this directly after
 * dvbs2_synchroniser_read(). */
bool dvbs2_synchroniser_retry(dvbs2_synchroniser *sync, int attempt, dvbs2_pl_frame *frame);

/* Call this when a frame was decoded. */
void dvbs2_synchroniser_prove(dvbs2_synchroniser *sync);

void dvbs2_synchroniser_restart(dvbs2_synchroniser *sync);

/* After a frame whose cells gave wrong phases, uses only the phases of headers and pilots. */
void dvbs2_synchroniser_use_headers(dvbs2_synchroniser *sync);

bool dvbs2_synchroniser_uses_cells(const dvbs2_synchroniser *sync);

/* Computes the cells of the last frame again, with phases that are interpolated linearly between pilots. Call this
 * directly after dvbs2_synchroniser_read(). */
void dvbs2_synchroniser_interpolate(dvbs2_synchroniser *sync);

/* Trains the equaliser with the first cells of the last frame, which has no pilots and was decoded. points: the
 * transmitted points of DVBS2_LEARNT_CELLS cells. Call this directly after dvbs2_synchroniser_read(). */
void dvbs2_synchroniser_learn(dvbs2_synchroniser *sync, const float complex *points);

/* Sets the constellation points of a MODCOD, I and Q alternating. modcod: index for dvbs2_modcod(). */
void dvbs2_synchroniser_set_points(dvbs2_synchroniser *sync, uint32_t modcod, const float *points);

/* Returns the variances of the phase change per symbol for a model of the phase noise. */
dvbs2_phase_model dvbs2_synchroniser_walk(const dvbs2_synchroniser *sync, dvbs2_phase_model model);

/* Computes the LLRs of the last frame from all phases that its cells may have. prior: extrinsic LLRs of the label
 * bits after decoding, or NULL. Call this directly after dvbs2_synchroniser_read(). Returns false if there is not enough memory. */
bool dvbs2_synchroniser_refine(dvbs2_synchroniser *sync, const float *prior, dvbs2_phase_model walk,
                               dvbs2_pl_frame *frame);

#endif
