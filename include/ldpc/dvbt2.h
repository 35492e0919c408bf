/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbt2: a DVB-T2 receiver from samples to the cells of a PLP (EN 302 755).
 *
 *     dvbt2_receiver_params params;
 *     dvbt2_receiver_params_init(&params);
 *     params.sample_rate = 10e6;
 *     params.format = LDPC_CS16;
 *     dvbt2_receiver *rx;
 *     dvbt2_plp_frame frame;
 *     uint32_t first;
 *     ldpc_error err;
 *     if (dvbt2_receiver_create(&params, &rx, &err) != LDPC_OK)
 *         puts(err.message);
 *     while ((n = fread(samples, 4, N, file)) > 0)
 *         for (size_t done = 0; done < n;) {
 *             done += dvbt2_receiver_push(rx, samples + 2 * done, n - done);
 *             while ((count = dvbt2_receiver_pull(rx, 0, MAX, iq, noise, &frame, &first)) > 0)
 *                 dvbt2_plp_decoder_feed(decoder, &frame, first, count, iq, noise);
 *         }
 *     dvbt2_receiver_destroy(rx);
 *
 * Samples are complex baseband with the channel's centre at 0 Hz, give or take the carrier offset that the
 * receiver finds. Cells are equalised: mean power of the constellation 1, I and Q alternating, with the noise
 * of each as ldpc_demap() and ldpc_cells_deinterleave() of libldpc take them. They come in the order of
 * transmission; time deinterleaver, demapper and FEC follow.
 *
 * The receiver finds FFT size, guard interval, pilot pattern and everything else by itself, and finds the
 * signal again when it was lost. It prints nothing, and starts no thread unless
 * params.decision_directed is set.
 */
#ifndef LDPC_DVBT2_H
#define LDPC_DVBT2_H

#include "ldpc/dvbt2_l1.h"
#include "ldpc/sample_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which frames to receive where a signal has T2-base and T2-Lite in each other's FEF parts. */
typedef enum dvbt2_profile_choice {
    DVBT2_PROFILE_AUTO = 0, /**< the profile of the first P1 that is found */
    DVBT2_PROFILE_BASE_ONLY,
    DVBT2_PROFILE_LITE_ONLY,
} dvbt2_profile_choice;

enum {
    DVBT2_MAX_OUTPUTS =
        2 * DVBT2_MAX_PLP, /**< PLPs that one receiver hands over: all that L1 can have, and for each
                                                the common PLP of its group */
    DVBT2_MAX_DECISION_DIRECTED = 8, /* of dvbt2_receiver_params.decision_directed */
    DVBT2_FIRST_PLP = -1,            /**< the first data PLP of L1-post */
    DVBT2_COMMON_PLP = -2, /**< the common PLP of the group of output 0's PLP; no cells where there is none.
                                DVBT2_COMMON_PLP - i: of the group of output i's PLP */
};

/** What to receive. Always start from dvbt2_receiver_params_init(). */
typedef struct dvbt2_receiver_params {
    size_t size;               /**< set by the init function; see version.h, "Compatibility" */
    double sample_rate;        /**< Hz; no default. 8 .. 25 MHz for a channel of 8 MHz: see
                                       dvbt2_min_sample_rate() */
    ldpc_sample_format format; /**< default LDPC_CF32 */
    dvbt2_bandwidth bandwidth; /**< default DVBT2_BANDWIDTH_8 */
    double offset;             /**< Hz, where the channel's centre is in the samples, which contain all of the
                                       channel; default 0 */
    dvbt2_profile_choice profile; /**< default DVBT2_PROFILE_AUTO */
    uint32_t n_plps;              /**< outputs, 1 .. DVBT2_MAX_OUTPUTS; default 1 */
    int32_t
        plp[DVBT2_MAX_OUTPUTS]; /**< PLP_ID of each output, or DVBT2_FIRST_PLP (default of all: two outputs
                                     have the same PLP then) */
    uint32_t
        decision_directed; /**< 0 .. DVBT2_MAX_DECISION_DIRECTED: how many times at most the channel of a T2 frame with failed
                                     codewords is estimated again, from pilots and what the LDPC decoder knows of the
                                     data; default 0, from pilots only. The receiver then decodes the codewords itself,
                                     with 25 iterations on the CPU, in one thread for each PLP that it receives, and cells
                                     come when their frame is at its end. MISO frames are received as without it */
    uint32_t follow_plps; /**< 1: outputs are added for the PLPs of L1-post that have none, see
                                       dvbt2_receiver_outputs(); default 0 */
} dvbt2_receiver_params;

/** Fill in the defaults of a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_params_init_sized(dvbt2_receiver_params *params, size_t size);

/** Fill in the defaults. */
static inline void dvbt2_receiver_params_init(dvbt2_receiver_params *params)
{
    dvbt2_receiver_params_init_sized(params, sizeof *params);
}

/** The lowest sample rate for a channel, and the highest, in Hz; 0 for no bandwidth of the standard. */
LDPC_API double dvbt2_min_sample_rate(dvbt2_bandwidth bandwidth);
LDPC_API double dvbt2_max_sample_rate(dvbt2_bandwidth bandwidth);

/** A receiver. One thread at a time may use it. */
typedef struct dvbt2_receiver dvbt2_receiver;

/**
 * Make a receiver.
 *
 * Memory is allocated here, and once more whenever a mode is received for the first time.
 *
 * @param params  copied
 * @param rx      out: the receiver, or NULL after a failure
 * @param err     out: the sentence about a failure, may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (sample rate, number of PLPs), LDPC_ERR_PARAM (format,
 * bandwidth, profile), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status dvbt2_receiver_create(const dvbt2_receiver_params *params, dvbt2_receiver **rx,
                                           ldpc_error *err);
LDPC_API void dvbt2_receiver_destroy(dvbt2_receiver *rx); /**< NULL is allowed */

/**
 * Samples in.
 *
 * @param samples  `count` samples of the format; any number at a time
 * @return how many were taken. Fewer than `count`: an output is full; pull it and push the rest. Where the
 * receiver fails (no memory for a mode), it searches on, and status.message says why.
 *
 * The receiver keeps the last 2^22 samples at 1/T (0.46 s of a channel of 8 MHz) and may go back in them: to the P1
 * that it began with, once guard interval, carrier and clock are known; to search the P1 of a frame that came too
 * early; and to receive frames before the first one whose L1-post could be read.
 * Such a push takes longer than others, by the time that so many samples take at the most.
 */
LDPC_API size_t dvbt2_receiver_push(dvbt2_receiver *rx, const void *samples, size_t count);

/**
 * Samples are missing before the next ones (a radio's overflow): the rest of the frame is given up at once.
 *
 * @param samples  how many are missing, at the sample rate of dvbt2_receiver_params: the packets of this time are
 *                 counted as lost. 0: not known
 */
LDPC_API void dvbt2_receiver_gap(dvbt2_receiver *rx, uint64_t samples);

/**
 * The next samples are those of another channel, or come at another rate: the rest of the frame is given up, and the
 * search begins as after creation. Outputs, frame numbers and counters continue. Since version 1.1.
 *
 * @param sample_rate  Hz, as in dvbt2_receiver_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_MEMORY. After a failure nothing has changed.
 */
LDPC_API ldpc_status dvbt2_receiver_retune(dvbt2_receiver *rx, double sample_rate, ldpc_error *err);

/** The cells of one PLP in one T2 frame. */
typedef struct dvbt2_plp_frame {
    uint64_t frame;    /**< T2 frames since creation, those without cells of this PLP and lost ones included
                            as far as they were noticed */
    uint64_t lost;     /**< how many of them were lost before this one: packets do not continue over these */
    uint8_t frame_idx; /**< FRAME_IDX, 0 .. NUM_T2_FRAMES - 1 */
    uint32_t cells;    /**< of this PLP in this T2 frame */
    uint32_t cells_per_block; /**< of a FEC block */
    uint32_t n_blocks;        /**< PLP_NUM_BLOCKS: FEC blocks of the interleaving frame */
    uint32_t ti_blocks;       /**< TI blocks of the interleaving frame; 0: no time interleaving */
    uint32_t frames;          /**< T2 frames of the interleaving frame; cells * frames = n_blocks *
                                   cells_per_block */
    uint32_t part;            /**< which of them this is, 0 .. frames - 1 */
    bool lite;                /**< a T2-Lite frame */
    bool has_common;          /**< L1-post has a common PLP in this PLP's group */
    uint64_t start;   /**< of the frame's P1 or of its first symbol, in T since creation, with the missing
                                   samples that dvbt2_receiver_gap() was given */
    dvbt2_l1_plp plp; /**< code rate, constellation, rotation ...: all that L1-post says */
} dvbt2_plp_frame;

/**
 * Cells out.
 *
 * Cells of one T2 frame at a time: `cells` of them in all, over as many calls as it takes. Cells that were
 * lost come as zeros with noise 0, which the demapper takes for "nothing known": a frame that has begun
 * always comes to its end.
 *
 * @param output  0 .. dvbt2_receiver_outputs() - 1
 * @param max     cells that iq (2 * max floats) and noise (max floats) have room for
 * @param frame   out: what the cells belong to, may be NULL
 * @param first   out: number of the first of them within the frame's cells, 0 at a frame's start; may be NULL
 * @return how many there were; 0: push more samples
 */
LDPC_API size_t dvbt2_receiver_pull(dvbt2_receiver *rx, uint32_t output, size_t max, float *iq, float *noise,
                                    dvbt2_plp_frame *frame, uint32_t *first);

/**
 * How many outputs there are: dvbt2_receiver_params.n_plps, and with follow_plps those that were added since, two for each
 * PLP: one for the PLP itself, and behind it one for the common PLP of its group. They stay when the PLP goes. No more are added
 * when there are DVBT2_MAX_OUTPUTS; status.message says so.
 */
LDPC_API uint32_t dvbt2_receiver_outputs(const dvbt2_receiver *rx);

/** What an output receives, as in dvbt2_receiver_params.plp; DVBT2_FIRST_PLP for an output that there is not. */
LDPC_API int32_t dvbt2_receiver_output_plp(const dvbt2_receiver *rx, uint32_t output);

/* ---- what is received */

/** What the receiver is doing, in the order in which it gets there. */
typedef enum dvbt2_state {
    DVBT2_STATE_SEARCH = 0, /**< looks for a P1 */
    DVBT2_STATE_GUARD,      /**< P1 found: looks for guard interval and clock offset */
    DVBT2_STATE_L1_PRE,     /**< reads L1-pre in the P2 symbols */
    DVBT2_STATE_L1_POST,    /**< reads L1-post */
    DVBT2_STATE_TRACKING,   /**< receives cells */
} dvbt2_state;

LDPC_API const char *dvbt2_state_name(dvbt2_state state); /**< "tracking"; never NULL */

/** Why a signal that was tracked was lost, or a T2 frame of it. */
typedef enum dvbt2_loss {
    DVBT2_LOSS_NONE = 0,
    DVBT2_LOSS_PILOTS, /**< pilots of several symbols are unlike those before: the signal ended or faded */
    DVBT2_LOSS_P1,     /**< neither the P1 of the next T2 frame nor the pilots of its P2 symbols were there */
    DVBT2_LOSS_L1_PRE, /**< L1-pre could not be read */
    DVBT2_LOSS_L1_POST, /**< L1-post could not be read in several T2 frames in a row, or has just changed */
    DVBT2_LOSS_GAP,     /**< samples are missing: dvbt2_receiver_gap(), or the next P1 came too early */
    DVBT2_LOSS_STEP,    /**< carrier or clock changed by a step */
    DVBT2_LOSS_GUARD_INTERVAL, /**< L1-pre gives another guard interval than the signal has */
    DVBT2_LOSS_MEMORY,         /**< there was no memory for the mode */
    DVBT2_LOSS_ECHO,           /**< T2 frames with an echo that the pilots cannot resolve; the lock is kept */
    DVBT2_LOSSES,
    DVBT2_MAX_LOSSES = 16 /* of dvbt2_status.losses; later versions have more reasons */
} dvbt2_loss;

LDPC_API const char *dvbt2_loss_name(dvbt2_loss loss); /**< "pilots", "" for DVBT2_LOSS_NONE; never NULL */

/** Measured values. Those of a signal are 0 until it has been measured, and keep the last value when it is
 * lost.
 */
typedef struct dvbt2_status {
    size_t size; /**< set by dvbt2_receiver_status(); see version.h, "Compatibility" */
    dvbt2_state state;
    dvbt2_p1_info p1; /**< of the last P1 of the wanted profile; valid where frames_seen > 0 */
    bool guard_known; /**< guard interval measured */
    uint8_t
        guard_interval; /**< dvbt2_guard_interval, as measured; that of L1-pre once a T2 frame was received with it */
    bool mirrored;     /**< I and Q of the samples are exchanged, which mirrors the spectrum; corrected */
    double level_db;   /**< mean power of the samples, dB of full scale */
    double carrier_hz; /**< carrier offset, params.offset not included; positive: the signal lies higher */
    double clock_ppm;  /**< the receiver's sampling clock is so much faster than the transmitter's */
    double cn_db;      /**< carrier to noise ratio within the occupied bandwidth, from the pilots */
    double
        expected_mer_db; /**< of the cells of the last symbol, weighted with their power before equalisation, by
                                 the noise on the pilots and the gain of each carrier; dvbt2_plp_counters has the
                                 measured one */
    double delay_spread_us; /**< from the first to the last path */
    uint64_t samples;       /**< taken */
    uint64_t frames_seen;   /**< P1 symbols of T2 frames of the wanted profile */
    uint64_t frames;        /**< T2 frames whose cells were handed over */
    uint64_t lost_frames;   /**< T2 frames given up while tracking, or with an echo beyond the pilots */
    uint64_t fef_parts;     /**< FEF parts, and frames of the other profile, passed over while tracking */
    uint64_t l1_errors;     /**< L1-pre or L1-post with a wrong CRC */
    uint64_t locks;         /**< how often tracking has begun */
    const char *message;    /**< why nothing is received, in a sentence, or ""; valid until the next push */
    dvbt2_loss last_loss;   /**< why the signal was last lost; since 1.1, as all that follows */
    uint32_t other_profile; /**< 1: there are T2 frames of the other profile, T2-base or T2-Lite, too */
    uint64_t losses
        [DVBT2_MAX_LOSSES]; /**< how often it was lost, by reason; losses[DVBT2_LOSS_ECHO] counts T2 frames */
} dvbt2_status;

/** dvbt2_receiver_status() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_status_sized(const dvbt2_receiver *rx, dvbt2_status *status, size_t size);

static inline void dvbt2_receiver_status(const dvbt2_receiver *rx, dvbt2_status *status)
{
    dvbt2_receiver_status_sized(rx, status, sizeof *status);
}

/** L1 of the last frame, NULL before the first; valid until the next push, pull or gap. */
LDPC_API const dvbt2_l1_pre *dvbt2_receiver_l1_pre(const dvbt2_receiver *rx);
LDPC_API const dvbt2_l1_post *dvbt2_receiver_l1_post(const dvbt2_receiver *rx);

/**
 * Power of the channel's impulse response, for display: the sum over all taps is 1.
 *
 * @param max       taps that `power` has room for
 * @param first_us  out: delay of the first tap, microseconds after the middle of the FFT window's tolerance;
 *                  may be NULL
 * @param step_us   out: from tap to tap; may be NULL
 * @return taps written; 0 before the first symbol
 */
LDPC_API size_t dvbt2_receiver_impulse_response(const dvbt2_receiver *rx, size_t max, float *power,
                                                double *first_us, double *step_us);

/** The channel's gain over the active carriers, from the lowest frequency up, |H|^2 with mean 1: `max` values
 * at equal distances.
 * @return values written; 0 before the first symbol */
LDPC_API size_t dvbt2_receiver_frequency_response(const dvbt2_receiver *rx, size_t max, float *power);

#ifdef __cplusplus
}
#endif
#endif
