/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the receiver, and the steps from samples to cells.
 *
 *     search ──> guard ──> L1-pre ──> L1-post ──> tracking ──┐
 *       ^                     ^                     │  ^     │ next frame
 *       └── signal lost ──────┴──── frame by frame ─┘  └─────┘
 *
 *     step                      file             task
 *     search                    acquisition.c    detects P1: FFT size, carrier offset
 *     guard                     acquisition.c    measures guard interval, clock offset and carrier offset
 *     L1-pre, L1-post           preamble.c       places the FFT window, demodulates P2, decodes L1
 *     tracking                  frame.c          demodulates symbols to cells, then checks the next P1
 *
 * A step is repeated later if its samples have not been received. */
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

typedef enum dvbt2_step {
    DVBT2_STEP_SEARCH,
    DVBT2_STEP_GUARD,
    DVBT2_STEP_WINDOW, /* the first P2 symbol gives the position of the FFT window */
    DVBT2_STEP_P2,
    DVBT2_STEP_SYMBOLS,
    DVBT2_STEP_CHECK_P1,
} dvbt2_step;

/* After this number of frames without L1-post, the guard interval is measured again. */
enum { DVBT2_UNREAD_FRAMES = 6 };

enum { DVBT2_MOST_BACK = 8192 };

/* The other profile is reported after this number of its P1 symbols, because a single P1 may be false. */
enum { DVBT2_ENOUGH_UNWANTED = 2 };

typedef struct dvbt2_plp_choice {
    bool present; /* true: L1-post contains the PLP */
    dvbt2_plp_map map;
    dvbt2_plp_slices slices; /* n_slices is 0 in frames without the PLP */
    dvbt2_plp_frame info;    /* valid if n_slices > 0 */
} dvbt2_plp_choice;

/* State of acquisition.c. */
typedef struct dvbt2_acquisition {
    dvbt2_p1_search p1;
    dvbt2_tone_filter tones; /* removes strong tones */
    dvbt2_survey survey;     /* analyses samples without P1 */
    uint64_t searched;       /* next sample of the P1 search */
    /* after a loss, the search for P1 starts at this sample */
    uint64_t unsearched;
    /* start of the last wanted P1, or start of the search */
    uint64_t wanted_at;
    uint32_t unwanted; /* number of P1 symbols of the other profile */
    /* true: the receiver has chosen the profile (DVBT2_PROFILE_AUTO) */
    bool profile_known;
    double retuned; /* carrier correction that is not confirmed yet, Hz */
    /* clock correction from the guard interval, ppm; 0 after L1-pre has confirmed it */
    double reclocked;
    bool just_measured;
    bool guard_known;
    dvbt2_guard_interval guard;
} dvbt2_acquisition;

/* P1 of the current frame. */
typedef struct dvbt2_frame_p1 {
    dvbt2_p1_info info;
    uint64_t start; /* first sample of P1 */
    double carrier; /* carrier offset after correction, Hz */
    bool found;     /* true: P1 was found at the expected position */
} dvbt2_frame_p1;

typedef struct dvbt2_fft_window {
    rx_loop loop; /* tracking loop for the middle of the paths in a time-varying channel */
    double moved; /* samples */
    /* true: the impulse response has a peak, so P2 pilots were detected */
    bool pilots_found;
    bool carrier_checked;
} dvbt2_fft_window;

/* State of preamble.c and l1_concealment.c. */
typedef struct dvbt2_l1_state {
    dvbt2_l1_decoder *decoder;
    float complex *cells; /* cells of L1-pre or L1-post in the order of transmission */
    float *noise;
    bool has_pre, has_post;
    dvbt2_l1_pre pre;
    dvbt2_l1_post post;
    dvbt2_l1_post new_post; /* L1-post that is decoded at present */
    bool pre_read;          /* true: the last L1-pre was decoded */
    bool changes;           /* true: fields of the dynamic part other than FRAME_IDX change between frames */
    double misfit;          /* measured error of the L1-pre cells divided by the expected error, at least 1 */
    double last_misfit;     /* misfit of the previous frame if locked, otherwise infinite */
    uint32_t bad_frames;    /* number of consecutive frames without L1 */
    uint32_t concealed;     /* number of consecutive frames with concealed L1-post */
    /* frames without L1-post, oldest first */
    uint64_t unread[DVBT2_UNREAD_FRAMES];
    uint32_t n_unread;
    uint64_t rewound_from;
} dvbt2_l1_state;

/* State of frame.c. */
typedef struct dvbt2_current_frame {
    uint64_t start;      /* start of symbol 0 with its guard interval */
    uint64_t last_start; /* last frame with known L1 */
    /* carrier (Hz) and clock (ppm) corrections at last_start */
    double carrier, clock_ppm;
    dvbt2_frame_map map;
    float complex *p2_cells; /* cells of all P2 symbols: [n_p2][c_p2] */
    float *p2_noise;
    uint32_t p2_emitted;
    bool open;
    bool beyond_pilots;
} dvbt2_current_frame;

/* State of the lock. */
typedef struct dvbt2_lock {
    bool locked;          /* true: the receiver tracks consecutive frames */
    uint32_t bad_symbols; /* number of consecutive symbols without coherent pilots */
    /* first sample with the current corrections; the loops ignore earlier samples */
    uint64_t steered_from;
} dvbt2_lock;

/* Lost frames and samples. */
typedef struct dvbt2_losses {
    /* frames that may be missing */
    uint64_t skipped;
    /* tracked frame without L1; 0: none */
    uint64_t missed;
    uint64_t missing;  /* number of missing samples of the stream, at rate 1/T */
    bool placed;       /* true: FRAME_IDX has corrected `missing` since the last loss of lock */
    bool last_known;   /* the last_ members are valid */
    dvbt2_l1_pre last; /* L1-pre of the last frame */
    uint32_t last_rf;  /* first RF channel, Hz */
    uint8_t last_idx;  /* last FRAME_IDX */
    uint64_t last_at;  /* start of the last frame, in units of T */
    uint64_t seen_at;
} dvbt2_losses;

struct dvbt2_receiver {
    dvbt2_receiver_params params;
    double rate; /* 1/T */
    /* Sample rate for time limits. */
    double limit_rate;
    rx_stream stream;
    dvbt2_step step;
    bool blocked; /* waiting for room in an output */
    dvbt2_acquisition acquisition;
    dvbt2_frame_p1 p1;
    dvbt2_fft_window window;
    dvbt2_l1_state l1;
    dvbt2_current_frame frame;
    dvbt2_lock lock;
    dvbt2_losses losses;

    dvbt2_demodulator *preamble; /* demodulator of P2 symbols before L1-pre */
    dvbt2_demodulator *full;     /* demodulator for the mode in L1-pre */
    dvbt2_demodulator *now;      /* the demodulator in use */

    dvbt2_plp_choice *choice; /* PLP of each output */
    dvbt2_cell_queue *outputs;
    dvbt2_decision_directed directed;

    dvbt2_status status;
    ldpc_error error;
};

/* Returns the number of the next frame, including lost frames. */
static inline uint64_t dvbt2_frame_number(const dvbt2_receiver *rx)
{
    return rx->status.frames + rx->status.lost_frames + rx->losses.skipped;
}

static inline uint32_t dvbt2_most_outputs(const dvbt2_receiver_params *params)
{
    return params->follow_plps ? DVBT2_MAX_OUTPUTS : params->n_plps;
}

/* acquisition.c */
dvbt2_progress dvbt2_search(dvbt2_receiver *rx);
dvbt2_progress dvbt2_find_guard(dvbt2_receiver *rx);
/* Restarts the search at the next sample. reason: DVBT2_LOSS_NONE if no signal was tracked. */
void dvbt2_restart_search(dvbt2_receiver *rx, dvbt2_loss reason);
void dvbt2_search_again(dvbt2_receiver *rx, dvbt2_loss reason);
/* For a search in vain: removes corrections of carrier and clock that may hide P1. */
void dvbt2_undo_large_corrections(dvbt2_receiver *rx);
void dvbt2_measure_again(dvbt2_receiver *rx);
void dvbt2_count_loss(dvbt2_receiver *rx, dvbt2_loss reason);
void dvbt2_count_missed(dvbt2_receiver *rx);
void dvbt2_see_p1(dvbt2_receiver *rx, uint64_t start);
/* Returns true if a P1 is found. The next step then starts at this P1. */
bool dvbt2_look_back(dvbt2_receiver *rx);

/* Goes back to the first of the frames that share an L1-post. Returns false if no such frame is stored. */
bool dvbt2_rewind(dvbt2_receiver *rx);

/* preamble.c */
dvbt2_progress dvbt2_place_window(dvbt2_receiver *rx);
dvbt2_progress dvbt2_receive_p2(dvbt2_receiver *rx);

/* l1_concealment.c */
/* Returns false if L1-post cannot be predicted. */
bool dvbt2_conceal_l1(dvbt2_receiver *rx);
/* Returns true if an announced configuration starts with this frame. */
bool dvbt2_change_is_due(const dvbt2_receiver *rx);

/* frame.c */
dvbt2_progress dvbt2_receive_symbols(dvbt2_receiver *rx);
dvbt2_progress dvbt2_check_p1(dvbt2_receiver *rx);
/* Begins a frame after its L1 was decoded. */
void dvbt2_begin_frame(dvbt2_receiver *rx);
/* Returns true if each output has room for a frame and a symbol of `cells` cells. */
bool dvbt2_outputs_have_room(const dvbt2_receiver *rx, uint32_t cells);
void dvbt2_steer(dvbt2_receiver *rx);
void dvbt2_give_up_frame(dvbt2_receiver *rx);

/* plp_selection.c */
/* Assigns the PLPs of L1-post to outputs. With follow_plps, adds outputs for new PLPs. */
void dvbt2_open_outputs(dvbt2_receiver *rx);

/* Functions of decision_directed.c, used for SISO if the option is set. */
/* Stores the demodulated symbol l of rx->now. */
void dvbt2_decision_directed_keep(dvbt2_receiver *rx, uint32_t l);
void dvbt2_decision_directed_start(dvbt2_receiver *rx);
void dvbt2_decision_directed_begin(dvbt2_receiver *rx, uint32_t output, const dvbt2_plp_frame *info);
void dvbt2_decision_directed_add(dvbt2_receiver *rx, uint32_t output, const float complex *cells,
                                 const float *noise, uint32_t count);
/* Ends the frame. whole: true if all symbols were received. */
void dvbt2_decision_directed_finish(dvbt2_receiver *rx, bool whole);
/* Returns false if an output is full. */
bool dvbt2_decision_directed_leave(dvbt2_receiver *rx);

#endif
