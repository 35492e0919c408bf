/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a receiver consists of, and its way from samples to cells.
 *
 *     search ──> guard ──> L1-pre ──> L1-post ──> tracking ──┐
 *       ^                     ^                     │  ^     │ next frame
 *       └── signal lost ──────┴──── frame by frame ─┘  └─────┘
 *
 *     step                      file             what happens
 *     search                    acquisition.c    the first P1 gives FFT size and carrier offset
 *     guard                     acquisition.c    the symbols after it give guard interval, clock offset and
 *                                                the carrier offset's last digits, which are corrected in the
 *                                                samples from this P1 on
 *     L1-pre, L1-post           preamble.c       P2 symbols, in the window that the impulse response asks for
 *     tracking                  frame.c          symbol by symbol to cells; then the next frame's P1 is where
 *                                                it must be
 *
 * Each step asks the stream for the samples that it needs, and is repeated later when they are not there yet. */
#ifndef DVBT2_RECEIVER_INTERNAL_H
#define DVBT2_RECEIVER_INTERNAL_H

#include "dvbt2/frame/decision_directed.h"
#include "dvbt2/channel/demodulator.h"
#include "dvbt2/frame/guard.h"
#include "dvbt2/l1/l1_decoder.h"
#include "dvbt2/frame/cell_queue.h"
#include "dvbt2/frame/p1.h"
#include "receiver/stream.h"
#include "dvbt2/frame/survey.h"
#include "dvbt2/channel/tone_filter.h"

typedef enum dvbt2_progress {
    DVBT2_STEP_DONE,    /* the next step follows */
    DVBT2_STEP_SAMPLES, /* more samples are needed */
    DVBT2_STEP_FULL,    /* an output is full */
} dvbt2_progress;

/* What is done next. Several of them belong to one dvbt2_state. */
typedef enum dvbt2_step {
    DVBT2_STEP_SEARCH,
    DVBT2_STEP_GUARD,
    DVBT2_STEP_WINDOW, /* place the window by the first P2 symbol */
    DVBT2_STEP_P2,
    DVBT2_STEP_SYMBOLS,
    DVBT2_STEP_CHECK_P1,
} dvbt2_step;

/* Consecutive frames without L1-post that are remembered; after as many the guard interval is measured again. */
enum { DVBT2_UNREAD_FRAMES = 6 };

/* Samples that the receiver can step back in the resampler: a P1, what its search takes after it, and some before. */
enum { DVBT2_MOST_BACK = 8192 };

/* P1 symbols of the other profile: one may be a false one. */
enum { DVBT2_ENOUGH_UNWANTED = 2 };

/* The PLP of an output in this frame. */
typedef struct dvbt2_plp_choice {
    bool present; /* L1-post has it */
    dvbt2_plp_map map;
    dvbt2_plp_slices slices; /* n_slices is 0 where this frame has nothing of it */
    dvbt2_plp_frame info;    /* of this frame, where n_slices > 0 */
} dvbt2_plp_choice;

/* acquisition.c: the search for P1, and what the first P1 and the guard interval after it give. */
typedef struct dvbt2_acquisition {
    dvbt2_p1_search p1;
    dvbt2_tone_filter
        tones; /* takes strong tones out of the samples that P1 and the guard interval are searched in */
    dvbt2_survey survey; /* spectrum and statistics of samples in which no P1 is found */
    uint64_t searched;   /* number of the next sample for the P1 search */
    uint64_t unsearched; /* sample number from which P1 is searched after a loss */
    uint64_t
        wanted_at;     /* sample number of the last P1 of the wanted profile, or of the start of the search */
    uint32_t unwanted; /* P1 symbols of T2 frames of the other profile */
    bool profile_known; /* with DVBT2_PROFILE_AUTO: the profile of p1.info is the wanted one */
    double retuned; /* carrier correction made for a P1, Hz; 0 after the guard interval has confirmed it */
    bool just_measured; /* guard interval, carrier and clock were measured in the current frame */
    bool guard_known;
    dvbt2_guard_interval guard;
} dvbt2_acquisition;

/* The P1 symbol of the current frame. */
typedef struct dvbt2_frame_p1 {
    dvbt2_p1_info info;
    uint64_t start; /* number of its first sample */
    double carrier; /* remaining carrier offset that it shows in the corrected samples, Hz */
    bool found;     /* at the expected place */
} dvbt2_frame_p1;

/* preamble.c: the FFT window, placed by the impulse response of P2. */
typedef struct dvbt2_fft_window {
    rx_loop loop;         /* follows the middle of the paths from frame to frame while the channel moves */
    double moved;         /* sum of the window's displacements since the loop started, samples */
    bool pilots_found;    /* P2 pilots detected: the impulse response has a peak above the threshold */
    bool carrier_checked; /* the carrier offset is not wrong by a multiple of the carrier spacing */
} dvbt2_fft_window;

/* preamble.c and l1_concealment.c: L1 signalling. */
typedef struct dvbt2_l1_state {
    dvbt2_l1_decoder *decoder;
    float complex *cells; /* of L1-pre and L1-post of the current frame, in the order of L1 */
    float *noise;         /* of each of these cells */
    bool has_pre, has_post;
    dvbt2_l1_pre pre;
    dvbt2_l1_post post;
    dvbt2_l1_post new_post; /* L1-post of the current frame while it is being read */
    bool pre_read;          /* L1-pre of the last frame was decoded */
    bool changes;           /* the dynamic part differed between the last two frames */
    double misfit;          /* measured error of the L1-pre cells over their expected noise, at least 1 */
    uint32_t bad_frames;    /* consecutive frames without L1 */
    uint32_t concealed;     /* consecutive frames that were received with a concealed L1-post */
    uint64_t unread[DVBT2_UNREAD_FRAMES]; /* start of the last frames without L1-post, the oldest first */
    uint32_t n_unread;
    uint64_t
        rewound_from; /* start of the frame whose L1-post was summed over earlier frames, which are received again */
} dvbt2_l1_state;

/* frame.c: the current frame. */
typedef struct dvbt2_current_frame {
    uint64_t start; /* number of the first sample of symbol 0's guard interval, on the path in the middle */
    uint64_t last_start;       /* `start` of the last frame whose L1 was read */
    double carrier, clock_ppm; /* corrections at last_start: carrier offset in Hz, clock offset in ppm */
    dvbt2_frame_map map;
    float complex *p2_cells; /* n_p2 symbols of c_p2 cells */
    float *p2_noise;
    uint32_t p2_emitted; /* P2 symbols whose cells were written to the outputs */
    bool open;           /* outputs expect cells of this frame */
    bool beyond_pilots;  /* the pilots do not resolve the paths of this frame: its PLPs cannot be decoded */
} dvbt2_current_frame;

/* Is the signal still received? */
typedef struct dvbt2_lock {
    bool locked;           /* frame follows frame */
    uint32_t bad_symbols;  /* consecutive symbols without coherent pilots */
    uint64_t steered_from; /* first sample resampled with the current corrections; older ones do not steer */
} dvbt2_lock;

/* Lost frames and samples. */
typedef struct dvbt2_losses {
    uint64_t
        skipped; /* frames that may be missing between two consecutive ones; they count in frame numbers */
    uint64_t
        missed; /* start of a tracked frame without L1 until it is received again or counts as lost; 0: none */
    uint64_t missing;  /* samples at 1/T that were not in the stream */
    bool placed;       /* since lock was lost, `missing` was made to fit FRAME_IDX */
    bool last_known;   /* a frame of this signal was received before */
    dvbt2_l1_pre last; /* its L1-pre, */
    uint8_t last_idx;  /* FRAME_IDX, */
    uint64_t last_at;  /* and start, in T, with `missing` */
    uint64_t seen_at;  /* number of the first sample of the last P1 that is counted in status.frames_seen */
} dvbt2_losses;

struct dvbt2_receiver {
    dvbt2_receiver_params params;
    double rate; /* 1/T */
    rx_stream stream;
    dvbt2_step step;
    bool blocked; /* the next step waits for room in an output */
    dvbt2_acquisition acquisition;
    dvbt2_frame_p1 p1;
    dvbt2_fft_window window;
    dvbt2_l1_state l1;
    dvbt2_current_frame frame;
    dvbt2_lock tracking;
    dvbt2_losses losses;

    dvbt2_demodulator *preamble; /* for P2 symbols only, before the mode of L1-pre is known */
    dvbt2_demodulator *full;     /* for the mode of L1-pre */
    dvbt2_demodulator *now;      /* one of the two */

    dvbt2_plp_choice *choice; /* of each output */
    dvbt2_cell_queue *outputs;
    dvbt2_decision_directed directed;

    dvbt2_status status;
    ldpc_error error; /* the reason in status.message */
};

/* Number of the frame that comes: frames that were lost count too. */
static inline uint64_t dvbt2_frame_number(const dvbt2_receiver *rx)
{
    return rx->status.frames + rx->status.lost_frames + rx->losses.skipped;
}

/* Outputs that there may be in time. */
static inline uint32_t dvbt2_most_outputs(const dvbt2_receiver_params *params)
{
    return params->follow_plps ? DVBT2_MAX_OUTPUTS : params->n_plps;
}

/* acquisition.c */
dvbt2_progress dvbt2_search(dvbt2_receiver *rx);
dvbt2_progress dvbt2_find_guard(dvbt2_receiver *rx);
/* Search from the next sample on. DVBT2_LOSS_NONE where nothing was tracked. */
void dvbt2_restart_search(dvbt2_receiver *rx, dvbt2_loss reason);
/* Search from the start of the last frame on: its symbols ended before their time. */
void dvbt2_search_again(dvbt2_receiver *rx, dvbt2_loss reason);
/* The carrier has made a step: guard interval, carrier and clock are measured again, from the P1 of this frame on. */
void dvbt2_measure_again(dvbt2_receiver *rx);
/* A signal is lost, or a T2 frame of one that is still tracked. */
void dvbt2_count_loss(dvbt2_receiver *rx, dvbt2_loss reason);
/* The frame rx->losses.missed, if there is one, is not read once more: it is lost. */
void dvbt2_count_missed(dvbt2_receiver *rx);
/* A P1 of the wanted profile starts at this sample. */
void dvbt2_see_p1(dvbt2_receiver *rx, uint64_t start);
/* The P1 of the next frame is not where it must be. Has it come earlier, since samples are missing? Then it
 * is the next step's. */
bool dvbt2_look_back(dvbt2_receiver *rx);

/* L1-post of this frame came from the sum over several ones. Goes back to the first of them whose samples are still
 * there. False: there is none. */
bool dvbt2_rewind(dvbt2_receiver *rx);

/* preamble.c */
dvbt2_progress dvbt2_place_window(dvbt2_receiver *rx);
dvbt2_progress dvbt2_receive_p2(dvbt2_receiver *rx);
/* Does P1 find the carrier where it is tracked? */
bool dvbt2_p1_agrees(const dvbt2_receiver *rx);

/* l1_concealment.c */
/* The dynamic part for a frame whose L1-post could not be read, from that of the frame before. False: nothing is known of this frame. */
bool dvbt2_conceal_l1(dvbt2_receiver *rx);
/* True if L1 of the previous frame announced a new configuration from this frame on (L1_CHANGE_COUNTER counts super-frames). */
bool dvbt2_change_is_due(const dvbt2_receiver *rx);

/* frame.c */
dvbt2_progress dvbt2_receive_symbols(dvbt2_receiver *rx);
dvbt2_progress dvbt2_check_p1(dvbt2_receiver *rx);
/* L1 of a frame is known: its cells may come. */
void dvbt2_begin_frame(dvbt2_receiver *rx);
/* Is there room in all outputs for a new frame, or for a symbol of `cells` cells? */
bool dvbt2_outputs_have_room(const dvbt2_receiver *rx, uint32_t cells);
/* Correct carrier and clock for the samples that have not been read yet. */
void dvbt2_steer(dvbt2_receiver *rx);
/* C/N within the occupied bandwidth, dB. */
double dvbt2_carrier_to_noise(const dvbt2_demodulator *d);
/* The rest of the frame is lost. */
void dvbt2_give_up_frame(dvbt2_receiver *rx);

/* plp_selection.c */
/* The PLPs of L1-post to the outputs: with params.follow_plps, new PLPs get new outputs. */
void dvbt2_open_outputs(dvbt2_receiver *rx);

/* decision_directed.c. What these keep is used where the option is on and the mode is SISO. */
/* Symbol l has come out of the demodulator rx->now. */
void dvbt2_decision_directed_keep(dvbt2_receiver *rx, uint32_t l);
/* A frame begins: with start(), then begin() for each output with cells. rx->directed.keeping: the frame is kept. */
void dvbt2_decision_directed_start(dvbt2_receiver *rx);
void dvbt2_decision_directed_begin(dvbt2_receiver *rx, uint32_t output, const dvbt2_plp_frame *info);
/* The next cells of an output. */
void dvbt2_decision_directed_add(dvbt2_receiver *rx, uint32_t output, const float complex *cells,
                                 const float *noise, uint32_t count);
/* The frame is at its end, `whole` or given up. Its cells are ready to leave. */
void dvbt2_decision_directed_finish(dvbt2_receiver *rx, bool whole);
/* Write them to the outputs. False: an output is full. */
bool dvbt2_decision_directed_leave(dvbt2_receiver *rx);

#endif
