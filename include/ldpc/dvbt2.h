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
 * Samples are complex baseband. The centre of the channel is at 0 Hz, apart from the carrier offset, which
 * the receiver estimates. Cells are equalised: mean power of the constellation 1, I and Q alternating, with
 * the noise of each cell, as for ldpc_demap() and ldpc_cells_deinterleave() of libldpc. They are output in
 * the order of transmission; time deinterleaver, demapper and FEC follow (dvbt2_plp.h).
 *
 * The receiver detects FFT size, guard interval, pilot pattern and all other parameters, and acquires the
 * signal again after a loss. It does not print. It starts threads only if params.decision_directed is set.
 */
#ifndef LDPC_DVBT2_H
#define LDPC_DVBT2_H

#include "ldpc/dvbt2_l1.h"
#include "ldpc/sample_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which frames to receive if a signal has T2-base and T2-Lite in each other's FEF parts. */
typedef enum dvbt2_profile_choice {
    DVBT2_PROFILE_AUTO = 0, /**< the profile of the first detected P1 */
    DVBT2_PROFILE_BASE_ONLY,
    DVBT2_PROFILE_LITE_ONLY,
} dvbt2_profile_choice;

enum {
    /** maximum number of outputs of a receiver: one for every PLP that L1 can signal, and one for the common
     * PLP of each PLP's group */
    DVBT2_MAX_OUTPUTS = 2 * DVBT2_MAX_PLP,
    DVBT2_MAX_DECISION_DIRECTED = 8, /* maximum of dvbt2_receiver_params.decision_directed */
    DVBT2_FIRST_PLP = -1,            /**< the first data PLP of L1-post */
    /** DVBT2_COMMON_PLP - i selects the common PLP of the group that the PLP of output i belongs to; there
     * are no cells if the group has no common PLP */
    DVBT2_COMMON_PLP = -2,
};

/** Parameters of a receiver. Initialise with dvbt2_receiver_params_init(). */
typedef struct dvbt2_receiver_params {
    size_t size; /**< set by the init function; see version.h, "Compatibility" */
    /** Hz; no default. 0.875/T .. 2.75/T, 8 .. 25 MHz for a channel of 8 MHz: see dvbt2_sample_rate() */
    double sample_rate;
    ldpc_sample_format format; /**< default LDPC_CF32 */
    double bandwidth;          /**< channel bandwidth in MHz, more than 0, at most 10; default 8 */
    /** frequency of the channel's centre in the samples, Hz; the samples must contain the complete
     * channel; default 0 */
    double offset;
    dvbt2_profile_choice profile; /**< default DVBT2_PROFILE_AUTO */
    uint32_t n_plps;              /**< number of outputs, 1 .. DVBT2_MAX_OUTPUTS; default 1 */
    /** PLP_ID of each output, or DVBT2_FIRST_PLP (the default of every output) */
    int32_t plp[DVBT2_MAX_OUTPUTS];
    /** maximum number of decision-directed channel estimations per T2 frame with failed codewords, 0 ..
     * DVBT2_MAX_DECISION_DIRECTED; default 0: estimation from pilots only. Each estimation uses the pilots
     * and the soft decisions of the LDPC decoder. The receiver then decodes the codewords itself, with 25
     * iterations on the CPU and one thread per received PLP, and outputs cells at the end of their frame. No
     * effect on MISO frames */
    uint32_t decision_directed;
    /** 1: add outputs for PLPs of L1-post that have no output, see dvbt2_receiver_outputs(); default 0 */
    uint32_t follow_plps;
} dvbt2_receiver_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_params_init_sized(dvbt2_receiver_params *params, size_t size);

/** Set the defaults. */
static inline void dvbt2_receiver_params_init(dvbt2_receiver_params *params)
{
    dvbt2_receiver_params_init_sized(params, sizeof *params);
}

/** Returns 1/T in Hz for a channel bandwidth in MHz (T: elementary period): 131/71 MHz for 1.7 MHz, 8/7 of every
 * other bandwidth. */
LDPC_API double dvbt2_sample_rate(double bandwidth);

/** A receiver. Not thread-safe. */
typedef struct dvbt2_receiver dvbt2_receiver;

/**
 * Create a receiver.
 *
 * Memory is allocated here, and when a mode is received for the first time.
 *
 * @param params  copied
 * @param rx      out: the receiver, or NULL on failure
 * @param err     out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (sample rate, number of PLPs), LDPC_ERR_PARAM (format,
 * bandwidth, profile), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status dvbt2_receiver_create(const dvbt2_receiver_params *params, dvbt2_receiver **rx,
                                           ldpc_error *err);
LDPC_API void dvbt2_receiver_destroy(dvbt2_receiver *rx); /**< NULL is allowed */

/**
 * Push samples.
 *
 * @param samples  `count` samples in params.format; any number
 * @return the number of samples consumed. Fewer than `count`: an output is full; pull it and push the
 * remaining samples. On failure (out of memory for a mode), the receiver starts a new search, and
 * status.message gives the reason.
 *
 * The receiver keeps the last 2^22 samples at 1/T (0.46 s for a channel of 8 MHz) and processes them again in
 * three cases: from the P1 of acquisition, once guard interval, carrier and clock are estimated; to search
 * for a P1 that arrived early; and to receive the frames before the first frame whose L1-post was decoded. In
 * these cases the call takes longer, at most by the time for processing 2^22 samples.
 */
LDPC_API size_t dvbt2_receiver_push(dvbt2_receiver *rx, const void *samples, size_t count);

/**
 * Report missing samples before the next ones (an overflow of the radio). The rest of the current frame is
 * dropped.
 *
 * @param samples  number of missing samples at the sample rate of dvbt2_receiver_params; packets of this time
 *                 count as lost. 0: unknown; the receiver derives the number from FRAME_IDX of the next
 *                 frame, modulo one super-frame
 */
LDPC_API void dvbt2_receiver_gap(dvbt2_receiver *rx, uint64_t samples);

/**
 * Announce that the next samples are from another channel or at another rate. The rest of the current frame
 * is dropped, and acquisition starts as after creation. Outputs, frame numbers and counters continue. Since
 * version 1.1.
 *
 * @param sample_rate  Hz, as in dvbt2_receiver_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_MEMORY. On failure, the receiver is unchanged.
 */
LDPC_API ldpc_status dvbt2_receiver_retune(dvbt2_receiver *rx, double sample_rate, ldpc_error *err);

/** The cells of one PLP in one T2 frame. */
typedef struct dvbt2_plp_frame {
    /** number of the T2 frame since creation; frames without cells of this PLP and detected lost frames
     * count too */
    uint64_t frame;
    uint64_t lost;     /**< T2 frames lost just before this frame; packets do not continue across the gap */
    uint8_t frame_idx; /**< FRAME_IDX, 0 .. NUM_T2_FRAMES - 1 */
    uint32_t cells;    /**< cells of this PLP in this T2 frame */
    uint32_t cells_per_block; /**< cells per FEC block */
    uint32_t n_blocks;        /**< PLP_NUM_BLOCKS: FEC blocks in the interleaving frame */
    uint32_t ti_blocks;       /**< TI blocks in the interleaving frame; 0: no time interleaving */
    /** T2 frames in the interleaving frame; cells * frames = n_blocks * cells_per_block */
    uint32_t frames;
    uint32_t part;   /**< number of this T2 frame in the interleaving frame, 0 .. frames - 1 */
    bool lite;       /**< T2-Lite frame */
    bool has_common; /**< the group of this PLP has a common PLP */
    /** start of the frame's P1 or of its first symbol, in T since creation, including samples reported to
     * dvbt2_receiver_gap() */
    uint64_t start;
    dvbt2_l1_plp plp; /**< L1-post signalling of the PLP: code rate, constellation, rotation ... */
} dvbt2_plp_frame;

/**
 * Pull cells.
 *
 * A call returns cells of one T2 frame; several calls return all frame->cells cells of the frame. A frame
 * that has begun is always completed: lost cells are zeros with noise 0, which the demapper treats as
 * erasures.
 *
 * @param output  0 .. dvbt2_receiver_outputs() - 1
 * @param max     capacity in cells of iq (2 * max floats) and noise (max floats)
 * @param frame   out: the T2 frame of the cells; may be NULL
 * @param first   out: index in the T2 frame of the first cell returned, 0 at the start of a frame; may be
 *                NULL
 * @return the number of cells; 0: push more samples
 */
LDPC_API size_t dvbt2_receiver_pull(dvbt2_receiver *rx, uint32_t output, size_t max, float *iq, float *noise,
                                    dvbt2_plp_frame *frame, uint32_t *first);

/**
 * Number of outputs: dvbt2_receiver_params.n_plps, and with follow_plps two more for each added PLP: one for
 * the PLP, then one for the common PLP of its group. Outputs are not removed when their PLP disappears. At
 * DVBT2_MAX_OUTPUTS no output is added, and status.message reports it.
 */
LDPC_API uint32_t dvbt2_receiver_outputs(const dvbt2_receiver *rx);

/** The PLP of an output, as in dvbt2_receiver_params.plp; DVBT2_FIRST_PLP if the output does not exist. */
LDPC_API int32_t dvbt2_receiver_output_plp(const dvbt2_receiver *rx, uint32_t output);

/* ---- state of reception */

/** State of the receiver, in the order of acquisition. */
typedef enum dvbt2_state {
    DVBT2_STATE_SEARCH = 0, /**< searching for a P1 */
    DVBT2_STATE_GUARD,      /**< P1 detected; estimating guard interval and clock offset */
    DVBT2_STATE_L1_PRE,     /**< decoding L1-pre in the P2 symbols */
    DVBT2_STATE_L1_POST,    /**< decoding L1-post */
    DVBT2_STATE_TRACKING,   /**< receiving cells */
} dvbt2_state;

LDPC_API const char *dvbt2_state_name(dvbt2_state state); /**< "tracking"; never NULL */

/** Reason for the loss of a tracked signal, or of a T2 frame. */
typedef enum dvbt2_loss {
    DVBT2_LOSS_NONE = 0,
    /** pilots of several symbols do not correlate with earlier ones: the signal ended or faded */
    DVBT2_LOSS_PILOTS,
    /** neither the P1 of the next T2 frame nor the pilots of its P2 symbols were detected */
    DVBT2_LOSS_P1,
    DVBT2_LOSS_L1_PRE,  /**< L1-pre could not be decoded */
    DVBT2_LOSS_L1_POST, /**< L1-post could not be decoded in several consecutive T2 frames, or it changed */
    DVBT2_LOSS_GAP,     /**< samples are missing: reported by dvbt2_receiver_gap(), or an early P1 */
    DVBT2_LOSS_STEP,    /**< the carrier or clock frequency jumped */
    DVBT2_LOSS_GUARD_INTERVAL, /**< L1-pre signals another guard interval than the one measured */
    DVBT2_LOSS_MEMORY,         /**< out of memory for the mode */
    /** T2 frame with an echo that the pilots cannot resolve; tracking continues */
    DVBT2_LOSS_ECHO,
    DVBT2_LOSSES,
    DVBT2_MAX_LOSSES = 16 /* size of dvbt2_status.losses, which leaves room for more reasons */
} dvbt2_loss;

LDPC_API const char *dvbt2_loss_name(dvbt2_loss loss); /**< e.g. "pilots"; "" for no loss; never NULL */

/** Measured values. Values of a signal are 0 before the first measurement, and keep the last measurement
 * after a loss. */
typedef struct dvbt2_status {
    size_t size; /**< set by dvbt2_receiver_status(); see version.h, "Compatibility" */
    dvbt2_state state;
    dvbt2_p1_info p1; /**< last P1 of the selected profile; valid if frames_seen > 0 */
    bool guard_known; /**< the guard interval has been measured */
    /** measured dvbt2_guard_interval; the value of L1-pre once a T2 frame has been received with this value */
    uint8_t guard_interval;
    bool mirrored;   /**< the spectrum is mirrored (I and Q swapped); the receiver corrects it */
    double level_db; /**< mean power of the samples, dBFS */
    /** carrier offset without params.offset, Hz; positive: the signal is above the expected frequency */
    double carrier_hz;
    /** offset of the receiver's sampling clock, ppm; positive: faster than the transmitter's */
    double clock_ppm;
    double cn_db; /**< carrier-to-noise ratio in the occupied bandwidth, measured on the pilots, dB */
    /** MER of the cells of the last symbol, weighted by their power before equalisation, predicted from
     * the noise on the pilots and the gain of each carrier, dB; dvbt2_plp_counters has the measured MER */
    double expected_mer_db;
    double delay_spread_us; /**< delay from the first to the last path, microseconds */
    uint64_t samples;       /**< samples consumed */
    uint64_t frames_seen;   /**< P1 symbols of T2 frames of the selected profile */
    uint64_t frames;        /**< T2 frames whose cells were output */
    /** T2 frames dropped while tracking, or with an echo that the pilots cannot resolve */
    uint64_t lost_frames;
    uint64_t fef_parts;     /**< FEF parts and frames of the other profile skipped while tracking */
    uint64_t l1_errors;     /**< L1-pre or L1-post with a CRC error */
    uint64_t locks;         /**< number of times that tracking started */
    const char *message;    /**< error message: why nothing is received, or ""; valid until the next push */
    dvbt2_loss last_loss;   /**< reason for the last loss; this and the following fields: since version 1.1 */
    uint32_t other_profile; /**< 1: the signal also has T2 frames of the other profile, T2-base or T2-Lite */
    /** number of losses by dvbt2_loss; losses[DVBT2_LOSS_ECHO] counts T2 frames */
    uint64_t losses[DVBT2_MAX_LOSSES];
} dvbt2_status;

/** dvbt2_receiver_status() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_status_sized(const dvbt2_receiver *rx, dvbt2_status *status, size_t size);

static inline void dvbt2_receiver_status(const dvbt2_receiver *rx, dvbt2_status *status)
{
    dvbt2_receiver_status_sized(rx, status, sizeof *status);
}

/** L1 of the last frame; NULL before the first frame. Valid until the next push, pull or gap. */
LDPC_API const dvbt2_l1_pre *dvbt2_receiver_l1_pre(const dvbt2_receiver *rx);
LDPC_API const dvbt2_l1_post *dvbt2_receiver_l1_post(const dvbt2_receiver *rx);

/**
 * Power delay profile of the channel, for display; the sum over all taps is 1.
 *
 * @param max       capacity of `power`, taps
 * @param first_us  out: delay of the first tap relative to the middle of the FFT window's tolerance,
 *                  microseconds; may be NULL
 * @param step_us   out: delay between taps, microseconds; may be NULL
 * @return taps written; 0 before the first symbol
 */
LDPC_API size_t dvbt2_receiver_impulse_response(const dvbt2_receiver *rx, size_t max, float *power,
                                                double *first_us, double *step_us);

/** Power gain |H|^2 of the channel over the active carriers, mean 1, at `max` equidistant frequencies in
 * ascending order.
 * @return values written; 0 before the first symbol */
LDPC_API size_t dvbt2_receiver_frequency_response(const dvbt2_receiver *rx, size_t max, float *power);

#ifdef __cplusplus
}
#endif
#endif
