/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a receiver consists of, and its way from samples to cells.
 *
 *     search ──> guard ──> L1-pre ──> L1-post ──> tracking ──┐
 *       ^                     ^                     │  ^     │ next frame
 *       └── signal lost ──────┴──── frame by frame ─┘  └─────┘
 *
 *     step                      file             what happens
 *     search                    acquisition.c    the first P1 gives FFT size and carrier offset
 *     guard                     acquisition.c    the symbols behind it give guard interval, clock offset and
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
    DVBT2_STEP_DONE,    /* go on with the next step */
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

/* Frames without L1-post, one after the other: so many are remembered, and then the guard interval is measured anew. */
enum { DVBT2_UNREAD_FRAMES = 6 };

/* P1 symbols of the other profile: one may be a false one. */
enum { DVBT2_ENOUGH_UNWANTED = 2 };

/* The PLP of an output in this frame. */
typedef struct dvbt2_plp_choice {
    bool present; /* L1-post has it */
    dvbt2_plp_map map;
    dvbt2_plp_slices slices; /* n_slices is 0 where this frame has nothing of it */
    dvbt2_plp_frame info;    /* of this frame, where n_slices > 0 */
} dvbt2_plp_choice;

struct dvbt2_receiver {
    dvbt2_receiver_params params;
    double rate; /* 1/T */
    rx_stream stream;
    dvbt2_tone_filter tones; /* what P1 and the guard interval are looked for in has none */
    dvbt2_p1_search p1;
    dvbt2_survey survey; /* of samples in which no P1 is found */
    dvbt2_l1_decoder *l1;
    dvbt2_step step;
    uint64_t searched; /* number of the next sample for the P1 search */

    dvbt2_p1_info p1_info; /* of the signal that is received */
    uint64_t wanted_at;    /* number of the sample where a wanted P1 was last, or the search began */
    uint64_t skipped;  /* frames that may be missing between two that follow one another, for frame numbers */
    uint32_t unwanted; /* P1 symbols of T2 frames of the profile that is not wanted */
    bool profile_known; /* DVBT2_PROFILE_AUTO: p1_info.profile is wanted */
    bool guard_known;
    double retuned;     /* Hz by which P1 has moved the carrier; 0 once the guard interval has */
    double p1_carrier;  /* what P1 says of the carrier in the samples that are there now */
    bool just_measured; /* the last P1's frame has told guard interval, carrier and clock */
    dvbt2_guard_interval guard;
    bool carrier_checked; /* not one carrier off */
    bool p1_found;        /* P1 of this frame was where it must be */
    bool pilots_found;    /* the impulse response of P2 stands out */
    uint64_t p1_start;    /* number of P1's first sample */
    uint64_t start;       /* of symbol 0's guard interval, on the path in the middle */
    uint64_t frame_start; /* of the last frame with L1 */
    uint64_t missing;     /* samples at 1/T that were not in the stream */
    uint64_t
        missed; /* of the frame whose L1 could not be read while tracking, until it counts as lost; 0: none */
    uint64_t seen_at;    /* number of the first sample of the last P1 in status.frames_seen */
    uint64_t unsearched; /* where a lost P1 is looked for: after that frame's P2 symbols, or later */
    double frame_carrier, frame_clock_ppm; /* that were corrected then */
    rx_loop window;       /* place of the paths from frame to frame, while the channel moves */
    double window_moved;  /* samples since that began */
    uint32_t bad_symbols; /* one after the other, without coherent pilots */
    uint32_t bad_frames;  /* one after the other, without L1 */
    bool pre_read;        /* L1-pre of the last one */

    dvbt2_demodulator *preamble; /* knows only P2 symbols */
    dvbt2_demodulator *full;     /* the mode of L1-pre */
    dvbt2_demodulator *now;      /* one of the two */

    bool has_pre, has_post;
    dvbt2_l1_pre pre;
    dvbt2_l1_post post;
    dvbt2_l1_post new_post;               /* while it is being read */
    bool l1_changes;                      /* the dynamic part was not the same in the last two frames */
    uint32_t concealed;                   /* consecutive frames that were received with a concealed L1-post */
    uint64_t unread[DVBT2_UNREAD_FRAMES]; /* starts of the last frames without L1-post, the oldest first */
    uint32_t n_unread;
    uint64_t rewound_from; /* start of the frame whose L1-post was the reason to go back to earlier ones */
    uint64_t
        steered_from; /* samples before this one were there when the receiver went back: they show no later corrections */
    dvbt2_frame_map map;
    float complex *p2_cells; /* n_p2 symbols of c_p2 cells */
    float *p2_noise;
    float complex *l1_cells; /* in the order of L1 */
    float *l1_noise;
    uint32_t p2_emitted; /* P2 symbols whose cells were written to the outputs */

    dvbt2_plp_choice *choice; /* of each output */
    dvbt2_cell_queue *outputs;
    dvbt2_decision_directed directed;
    bool locked;     /* frame follows on frame */
    bool blocked;    /* the next step waits for room in an output */
    bool frame_open; /* outputs wait for cells of this frame */
    double
        misfit; /* error of the last L1-pre over the noise that was expected, where it is not noise; else 1 */
    bool beyond_pilots; /* the pilots do not resolve the paths of this frame: its PLPs cannot be decoded */

    dvbt2_status status;
    ldpc_error error; /* behind status.message */
};

/* Number of the frame that comes: frames that were lost count too. */
static inline uint64_t dvbt2_frame_number(const dvbt2_receiver *rx)
{
    return rx->status.frames + rx->status.lost_frames + rx->skipped;
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
/* L1 of the frame before has said that the configuration changes with this one: L1_CHANGE_COUNTER counts super-frames. */
bool dvbt2_change_is_due(const dvbt2_receiver *rx);

/* frame.c */
dvbt2_progress dvbt2_receive_symbols(dvbt2_receiver *rx);
dvbt2_progress dvbt2_check_p1(dvbt2_receiver *rx);
/* L1 of a frame is known: its cells may come. */
void dvbt2_begin_frame(dvbt2_receiver *rx);
/* May another frame begin in all outputs, or a symbol of so many cells be written? */
bool dvbt2_outputs_have_room(const dvbt2_receiver *rx, uint32_t cells);
/* Correct carrier and clock for the samples that have not been read yet. */
void dvbt2_steer(dvbt2_receiver *rx);
/* C/N within the occupied bandwidth, dB. */
double dvbt2_carrier_to_noise(const dvbt2_demodulator *d);
/* The rest of the frame is lost. */
void dvbt2_give_up_frame(dvbt2_receiver *rx);
/* The frame rx->missed, if there is one, is not read once more: it is lost. */
void dvbt2_count_missed(dvbt2_receiver *rx);

/* plp_selection.c */
/* The PLPs of L1-post to the outputs: with params.follow_plps, new PLPs get new outputs. */
void dvbt2_open_outputs(dvbt2_receiver *rx);

/* decision_directed.c. What these keep is used where the option is on and the mode is SISO. */
/* Symbol l has come out of the demodulator rx->now. */
void dvbt2_decision_directed_keep(dvbt2_receiver *rx, uint32_t l);
/* A frame begins: with start(), then begin() for each output with cells. rx->directed.keeping says whether it is kept. */
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
