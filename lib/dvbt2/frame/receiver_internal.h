/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the receiver, and the steps that convert samples to cells.
 *
 *     search ──> guard ──> L1-pre ──> L1-post ──> tracking ──┐
 *       ^                     ^                     │  ^     │ next frame
 *       └── signal lost ──────┴──── frame by frame ─┘  └─────┘
 *
 *     step                      file             task
 *     search                    acquisition.c    the first P1 gives FFT size and carrier offset
 *     guard                     acquisition.c    the following symbols give guard interval, clock offset and the fine carrier
 *                                                offset, which are corrected in the samples from this P1 on
 *     L1-pre, L1-post           preamble.c       P2 symbols, in the FFT window placed by the impulse response
 *     tracking                  frame.c          demodulates symbol by symbol to cells; then the P1 of the next frame is
 *                                                checked at its expected position
 *
 * Each step requests the samples that it needs from the stream. If the samples have not been received yet,
 * the step is repeated later. */
#ifndef DVBT2_RECEIVER_INTERNAL_H
#define DVBT2_RECEIVER_INTERNAL_H

#include "dvbt2/frame/decision_directed.h"
#include "dvbt2/channel/demodulator.h"
#include "dvbt2/channel/quality.h"
#include "dvbt2/frame/guard.h"
#include "dvbt2/l1/l1_decoder.h"
#include "dvbt2/frame/cell_queue.h"
#include "dvbt2/frame/p1.h"
#include "receiver/stream.h"
#include "dvbt2/frame/survey.h"
#include "dvbt2/frame/tone_filter.h"

typedef enum dvbt2_progress {
    DVBT2_STEP_DONE,    /* continue with the next step */
    DVBT2_STEP_SAMPLES, /* more samples are needed */
    DVBT2_STEP_FULL,    /* an output is full */
} dvbt2_progress;

/* The next step. Several steps belong to one dvbt2_state. */
typedef enum dvbt2_step {
    DVBT2_STEP_SEARCH,
    DVBT2_STEP_GUARD,
    DVBT2_STEP_WINDOW, /* place the FFT window with the first P2 symbol */
    DVBT2_STEP_P2,
    DVBT2_STEP_SYMBOLS,
    DVBT2_STEP_CHECK_P1,
} dvbt2_step;

/* Maximum number of consecutive frames without L1-post that are remembered. After these frames, the guard
 * interval is measured again. */
enum { DVBT2_UNREAD_FRAMES = 6 };

/* Number of samples by which the receiver can go back in the resampler: the length of a P1, the samples after
 * it that its detection needs, and a reserve. */
enum { DVBT2_MOST_BACK = 8192 };

/* The other profile is reported after this number of its P1 symbols, because a single P1 may be a false
 * detection. */
enum { DVBT2_ENOUGH_UNWANTED = 2 };

/* The PLP of an output in the current frame. */
typedef struct dvbt2_plp_choice {
    bool present; /* true: L1-post contains the PLP */
    dvbt2_plp_map map;
    dvbt2_plp_slices slices; /* slices of the PLP; n_slices is 0 if the PLP has no cells in the frame */
    dvbt2_plp_frame info;    /* valid if n_slices > 0 */
} dvbt2_plp_choice;

/* State of acquisition.c: the search for P1, and the measurements with the first P1 and the guard
 * interval. */
typedef struct dvbt2_acquisition {
    dvbt2_p1_search p1;
    dvbt2_tone_filter tones; /* removes strong tones before P1 and the guard interval are searched */
    dvbt2_survey survey;     /* analyses samples in which no P1 is found */
    uint64_t searched;       /* number of the next sample that the search for P1 reads */
    uint64_t unsearched;     /* after a loss, the search for P1 starts at this sample */
    /* first sample of the last P1 of the wanted profile; before such a P1, start of the search */
    uint64_t wanted_at;
    uint32_t unwanted; /* number of P1 symbols that began T2 frames of the other profile */
    /* true: the receiver has chosen the profile in p1.info, because DVBT2_PROFILE_AUTO is set */
    bool profile_known;
    double retuned; /* carrier correction in Hz that was measured in a P1; 0 after the guard interval has
                     * confirmed it */
    /* clock correction in ppm that was measured with the guard interval; 0 after L1-pre has confirmed it */
    double reclocked;
    bool just_measured; /* true: guard interval, carrier and clock were measured in the current frame */
    bool guard_known;
    dvbt2_guard_interval guard;
} dvbt2_acquisition;

/* The P1 symbol of the current frame. */
typedef struct dvbt2_frame_p1 {
    dvbt2_p1_info info;
    uint64_t start; /* number of the first sample of P1 */
    double carrier; /* carrier offset in Hz, measured in the corrected samples */
    bool found;     /* true: P1 was found at the expected position */
} dvbt2_frame_p1;

/* State of preamble.c: the FFT window, whose position follows from the impulse response of P2. */
typedef struct dvbt2_fft_window {
    rx_loop loop; /* loop that tracks the middle of the paths from frame to frame in a time-varying channel */
    double moved; /* sum of all displacements of the window since the loop started, in samples */
    /* true: P2 pilots were detected, because the impulse response has a peak above the threshold */
    bool pilots_found;
    /* true: the carrier offset has been checked and is not wrong by a multiple of the carrier spacing */
    bool carrier_checked;
} dvbt2_fft_window;

/* State of preamble.c and l1_concealment.c: L1 signalling. */
typedef struct dvbt2_l1_state {
    dvbt2_l1_decoder *decoder;
    float complex *cells; /* L1-pre or L1-post cells of the current frame, in the order of L1 */
    float *noise;         /* noise of each cell in `cells` */
    bool has_pre, has_post;
    dvbt2_l1_pre pre;
    dvbt2_l1_post post;
    dvbt2_l1_post new_post; /* L1-post of the current frame while it is decoded */
    bool pre_read;          /* true: L1-pre of the last frame was decoded */
    bool changes;           /* true: the dynamic part differed between the last two frames */
    double misfit;          /* measured error of the L1-pre cells divided by their expected noise, at least
                             * 1 */
    uint32_t bad_frames;    /* number of consecutive frames without L1 */
    uint32_t concealed;     /* number of consecutive frames that were received with concealed L1-post */
    /* start of each of the latest frames without L1-post, oldest frame first */
    uint64_t unread[DVBT2_UNREAD_FRAMES];
    uint32_t n_unread;
    /* start of the frame whose L1-post was decoded from the sum over several frames; earlier frames are
     * received again */
    uint64_t rewound_from;
} dvbt2_l1_state;

/* State of frame.c: the current frame. */
typedef struct dvbt2_current_frame {
    uint64_t start;            /* first sample of the guard interval of symbol 0, for the middle path */
    uint64_t last_start;       /* value of `start` in the last frame with known L1 */
    double carrier, clock_ppm; /* corrections at the time last_start: carrier offset in Hz, and clock offset
                                * in ppm */
    dvbt2_frame_map map;
    float complex *p2_cells; /* cells of all n_p2 P2 symbols; each symbol has c_p2 cells */
    float *p2_noise;
    uint32_t p2_emitted; /* number of P2 symbols whose cells were written to the outputs */
    bool open;           /* true: this frame has been started in the outputs */
    /* true: the pilots do not resolve the paths, so the PLPs of this frame cannot be decoded */
    bool beyond_pilots;
} dvbt2_current_frame;

/* State of the lock. */
typedef struct dvbt2_lock {
    bool locked;          /* true: consecutive frames are received */
    uint32_t bad_symbols; /* number of consecutive symbols without coherent pilots */
    /* first sample that was resampled with the current corrections; the control loops ignore samples before
     * it */
    uint64_t steered_from;
} dvbt2_lock;

/* Counts of lost frames and samples. */
typedef struct dvbt2_losses {
    /* number of frames that may be missing between received frames; missing frames have frame numbers too */
    uint64_t skipped;
    /* start of a tracked frame without L1, or 0. It is set until the frame is received again or counted as
     * lost. */
    uint64_t missed;
    uint64_t missing;  /* number of samples at 1/T that are missing from the stream */
    bool placed;       /* true: FRAME_IDX has been used to correct `missing` since the last loss of lock */
    bool last_known;   /* true: the following four members are valid for this signal */
    dvbt2_l1_pre last; /* L1-pre of the last frame */
    uint32_t last_rf;  /* frequency in Hz of the first RF channel in L1-post of the last frame */
    uint8_t last_idx;  /* FRAME_IDX of the last frame */
    uint64_t last_at;  /* start of the last frame in units of T, including `missing` */
    uint64_t seen_at;  /* first sample of the last P1 counted in status.frames_seen */
} dvbt2_losses;

struct dvbt2_receiver {
    dvbt2_receiver_params params;
    double rate; /* 1/T */
    /* Samples per second for time limits: 1/T. If the channel is narrower than all channels of the standard,
     * the signal is an 8 MHz signal at a lower rate. Time limits then use the rate of an 8 MHz channel. */
    double limit_rate;
    rx_stream stream;
    dvbt2_step step;
    bool blocked; /* true: the next step waits until an output has room */
    dvbt2_acquisition acquisition;
    dvbt2_frame_p1 p1;
    dvbt2_fft_window window;
    dvbt2_l1_state l1;
    dvbt2_current_frame frame;
    dvbt2_lock lock;
    dvbt2_losses losses;

    dvbt2_demodulator *preamble; /* demodulator of P2 symbols, used until L1-pre is decoded */
    dvbt2_demodulator *full;     /* demodulator of the mode that L1-pre signals */
    dvbt2_demodulator *now;      /* the demodulator in use */

    dvbt2_plp_choice *choice; /* PLP of each output */
    dvbt2_cell_queue *outputs;
    dvbt2_decision_directed directed;

    dvbt2_status status;
    ldpc_error error; /* error that status.message describes */
};

/* Returns the number of the next frame. Lost frames are counted too. */
static inline uint64_t dvbt2_frame_number(const dvbt2_receiver *rx)
{
    return rx->status.frames + rx->status.lost_frames + rx->losses.skipped;
}

/* Returns the maximum number of outputs. */
static inline uint32_t dvbt2_most_outputs(const dvbt2_receiver_params *params)
{
    return params->follow_plps ? DVBT2_MAX_OUTPUTS : params->n_plps;
}

/* acquisition.c */
dvbt2_progress dvbt2_search(dvbt2_receiver *rx);
dvbt2_progress dvbt2_find_guard(dvbt2_receiver *rx);
/* Restarts the search at the next sample. reason: cause of the loss, or DVBT2_LOSS_NONE if no signal was
 * tracked. */
void dvbt2_restart_search(dvbt2_receiver *rx, dvbt2_loss reason);
/* Restarts the search at the start of the last frame, because the signal ended within that frame. */
void dvbt2_search_again(dvbt2_receiver *rx, dvbt2_loss reason);
/* Measures guard interval, carrier and clock again, starting with the P1 of this frame. Used after the
 * carrier frequency has jumped. */
void dvbt2_measure_again(dvbt2_receiver *rx);
/* Counts the loss of a signal, or the loss of a T2 frame while a signal is tracked. */
void dvbt2_count_loss(dvbt2_receiver *rx, dvbt2_loss reason);
/* Counts the frame at rx->losses.missed as lost. This frame will not be received again. Has no effect if
 * there is no such frame. */
void dvbt2_count_missed(dvbt2_receiver *rx);
/* Records that a P1 of the wanted profile was found at sample `start`. */
void dvbt2_see_p1(dvbt2_receiver *rx, uint64_t start);
/* Called if P1 is not at its expected position. Searches earlier samples for P1, because samples may be
 * missing. If P1 is found, returns true, and the next step starts at this P1. */
bool dvbt2_look_back(dvbt2_receiver *rx);

/* Called if L1-post of this frame was decoded from the sum over several frames. Returns to the first of these
 * frames whose samples are still stored; returns false if there is none. */
bool dvbt2_rewind(dvbt2_receiver *rx);

/* preamble.c */
dvbt2_progress dvbt2_place_window(dvbt2_receiver *rx);
dvbt2_progress dvbt2_receive_p2(dvbt2_receiver *rx);

/* l1_concealment.c */
/* Predicts the dynamic part of L1-post if L1-post of a frame cannot be decoded. The prediction uses the
 * dynamic part of the previous frame. Returns false if no prediction is possible. */
bool dvbt2_conceal_l1(dvbt2_receiver *rx);
/* Returns true if L1 of the previous frame has announced a new configuration from this frame on.
 * (L1_CHANGE_COUNTER counts super-frames.) */
bool dvbt2_change_is_due(const dvbt2_receiver *rx);

/* frame.c */
dvbt2_progress dvbt2_receive_symbols(dvbt2_receiver *rx);
dvbt2_progress dvbt2_check_p1(dvbt2_receiver *rx);
/* Begins a frame whose L1 is known. */
void dvbt2_begin_frame(dvbt2_receiver *rx);
/* Returns true if each output has room for a new frame and for a symbol with `cells` cells. */
bool dvbt2_outputs_have_room(const dvbt2_receiver *rx, uint32_t cells);
/* Updates the carrier and clock corrections for samples that have not been resampled yet. */
void dvbt2_steer(dvbt2_receiver *rx);
/* Abandons the remainder of the frame. */
void dvbt2_give_up_frame(dvbt2_receiver *rx);

/* plp_selection.c */
/* Assigns the PLPs of L1-post to the outputs. With params.follow_plps, outputs are added for new PLPs. */
void dvbt2_open_outputs(dvbt2_receiver *rx);

/* Functions of decision_directed.c, which are used only if the option is set and the mode is SISO. */
/* Stores symbol l, which rx->now has just demodulated. */
void dvbt2_decision_directed_keep(dvbt2_receiver *rx, uint32_t l);
/* Begins a frame: call dvbt2_decision_directed_start(), then dvbt2_decision_directed_begin() for each output
 * that has cells. Sets rx->directed.keeping if the frame is kept. */
void dvbt2_decision_directed_start(dvbt2_receiver *rx);
void dvbt2_decision_directed_begin(dvbt2_receiver *rx, uint32_t output, const dvbt2_plp_frame *info);
/* Adds the next cells of an output. */
void dvbt2_decision_directed_add(dvbt2_receiver *rx, uint32_t output, const float complex *cells,
                                 const float *noise, uint32_t count);
/* Ends the frame; its cells can then be written. whole: true if all symbols of the frame were received. */
void dvbt2_decision_directed_finish(dvbt2_receiver *rx, bool whole);
/* Writes the cells to the outputs. Returns false if an output is full. */
bool dvbt2_decision_directed_leave(dvbt2_receiver *rx);

#endif
