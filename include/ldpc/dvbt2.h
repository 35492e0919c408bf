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
 * the receiver estimates. Cells are equalised such that the mean power of the constellation is 1. I and Q
 * alternate, and each cell has a noise value, as ldpc_demap() and ldpc_cells_deinterleave() of libldpc
 * require. Cells are output in the order of transmission; dvbt2_plp.h processes them further (time
 * deinterleaver, demapper and FEC).
 *
 * The receiver detects FFT size, guard interval, pilot pattern and all other parameters. It acquires the
 * signal again after a loss. It does not print anything, and it starts threads only if
 * params.decision_directed is set.
 */
#ifndef LDPC_DVBT2_H
#define LDPC_DVBT2_H

#include "ldpc/dvbt2_l1.h"
#include "ldpc/sample_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Profile to receive if the signal has both T2-base and T2-Lite frames: each profile then sends its frames in
 * the FEF parts of the other profile. */
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
    DVBT2_FIRST_PLP = -1,            /**< selects the first data PLP of L1-post */
    /** DVBT2_COMMON_PLP - i selects the common PLP of the group that the PLP of output i belongs to; there
     * are no cells if the group has no common PLP */
    DVBT2_COMMON_PLP = -2,
};

/** Parameters of a receiver. Initialise with dvbt2_receiver_params_init(). */
typedef struct dvbt2_receiver_params {
    size_t size; /**< set by the init function; see version.h, "Compatibility" */
    /** Hz, 0.875/T .. 2.75/T, see dvbt2_sample_rate(): 8 .. 25 MHz for a channel of 8 MHz; no default */
    double sample_rate;
    ldpc_sample_format format; /**< default LDPC_CF32 */
    double bandwidth;          /**< channel bandwidth in MHz, more than 0, at most 10; default 8 */
    /** frequency of the channel's centre relative to the centre frequency of the samples, Hz; the samples
     * must contain the complete channel; default 0 */
    double offset;
    dvbt2_profile_choice profile; /**< default DVBT2_PROFILE_AUTO */
    uint32_t n_plps;              /**< number of outputs, 1 .. DVBT2_MAX_OUTPUTS; default 1 */
    /** PLP_ID of each output, or DVBT2_FIRST_PLP (the default of every output) */
    int32_t plp[DVBT2_MAX_OUTPUTS];
    /** maximum number of decision-directed channel estimations per T2 frame with failed codewords, 0 ..
     * DVBT2_MAX_DECISION_DIRECTED; default 0: estimation from pilots only. Each estimation uses the pilots
     * and the soft decisions of the LDPC decoder. For this purpose the receiver decodes the codewords itself,
     * with 25 iterations, on the CPU and with one thread per received PLP. It then outputs cells only at the
     * end of their frame. MISO frames are not affected */
    uint32_t decision_directed;
    /** 1: add outputs for all PLPs in L1-post that have no output yet, see dvbt2_receiver_outputs(); default
     * 0 */
    uint32_t follow_plps;
} dvbt2_receiver_params;

/** Set the defaults in a struct of `size` bytes. Only callers that do not use these headers need this
 * function. */
LDPC_API void dvbt2_receiver_params_init_sized(dvbt2_receiver_params *params, size_t size);

/** Set the defaults. */
static inline void dvbt2_receiver_params_init(dvbt2_receiver_params *params)
{
    dvbt2_receiver_params_init_sized(params, sizeof *params);
}

/** Returns the sample rate 1/T in Hz for a channel bandwidth in MHz, where T is the elementary period. It is
 * 131/71 MHz for a bandwidth of 1.7 MHz and 8/7 of every other bandwidth. */
LDPC_API double dvbt2_sample_rate(double bandwidth);

/** A receiver. Not thread-safe. */
typedef struct dvbt2_receiver dvbt2_receiver;

/**
 * Create a receiver.
 *
 * Memory is allocated by this function and when a mode is received for the first time.
 *
 * @param params  parameters, which are copied
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
 * @param samples  any number `count` of samples in params.format
 * @return the number of samples consumed. If it is less than `count`, an output is full: pull its cells, then
 * push the remaining samples. On failure (out of memory for a mode), the receiver starts a new search, and
 * status.message gives the reason.
 *
 * The receiver stores the last 2^22 samples at 1/T (0.46 s for a channel of 8 MHz) and processes them again
 * in three cases: (1) during acquisition, from the first P1 onwards, when guard interval, carrier and clock
 * have been estimated; (2) to search for a P1 that arrived early; (3) to receive the frames before the first
 * frame whose L1-post was decoded. In these cases the call takes longer, at most by the time for processing
 * 2^22 samples.
 */
LDPC_API size_t dvbt2_receiver_push(dvbt2_receiver *rx, const void *samples, size_t count);

/**
 * Report that samples are missing before the next samples, for example after an overflow of the radio. The
 * remainder of the current frame is dropped.
 *
 * @param samples  number of missing samples at the sample rate of dvbt2_receiver_params; the packets
 *                 transmitted in this time count as lost. 0 means unknown: the receiver then derives the
 *                 number from FRAME_IDX of the next frame, modulo one super-frame
 */
LDPC_API void dvbt2_receiver_gap(dvbt2_receiver *rx, uint64_t samples);

/**
 * Announce that the next samples are from another channel or have another sample rate. The remainder of the
 * current frame is dropped, and acquisition starts as after creation. Outputs, frame numbers and counters
 * continue. Since version 1.1.
 *
 * @param sample_rate  Hz, as in dvbt2_receiver_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_MEMORY. On failure, the receiver is unchanged.
 */
LDPC_API ldpc_status dvbt2_receiver_retune(dvbt2_receiver *rx, double sample_rate, ldpc_error *err);

/** The cells of one PLP in one T2 frame. */
typedef struct dvbt2_plp_frame {
    /** number of the T2 frame, counted since creation, including frames without cells of this PLP and
     * detected lost frames */
    uint64_t frame;
    /** number of T2 frames lost immediately before this frame; packets do not continue across this gap */
    uint64_t lost;
    uint8_t frame_idx;        /**< FRAME_IDX, 0 .. NUM_T2_FRAMES - 1 */
    uint32_t cells;           /**< number of cells of this PLP in this T2 frame */
    uint32_t cells_per_block; /**< number of cells per FEC block */
    uint32_t n_blocks;        /**< number of FEC blocks in the interleaving frame (PLP_NUM_BLOCKS) */
    uint32_t ti_blocks;       /**< number of TI blocks in the interleaving frame; 0: no time interleaving */
    /** number of T2 frames in the interleaving frame; cells * frames = n_blocks * cells_per_block */
    uint32_t frames;
    uint32_t part;   /**< index of this T2 frame within the interleaving frame, 0 .. frames - 1 */
    bool lite;       /**< whether the frame is a T2-Lite frame */
    bool has_common; /**< whether the group of this PLP has a common PLP */
    /** time since creation, in units of T, of the start of the frame's P1 or of its first symbol; includes
     * the missing samples reported to dvbt2_receiver_gap() */
    uint64_t start;
    dvbt2_l1_plp plp; /**< L1-post signalling of the PLP: code rate, constellation, rotation ... */
} dvbt2_plp_frame;

/**
 * Pull cells.
 *
 * A call returns cells of one T2 frame; several calls return all frame->cells cells of the frame. A frame
 * whose output has begun is always completed: its lost cells are zeros with noise 0, which the demapper
 * treats as erasures.
 *
 * @param output  0 .. dvbt2_receiver_outputs() - 1
 * @param max     capacity in cells of iq (2 * max floats) and noise (max floats)
 * @param frame   out: the T2 frame of the cells; may be NULL
 * @param first   out: index within the T2 frame of the first returned cell, 0 at the start of a frame; may be
 *                NULL
 * @return the number of returned cells; 0 means that more samples must be pushed
 */
LDPC_API size_t dvbt2_receiver_pull(dvbt2_receiver *rx, uint32_t output, size_t max, float *iq, float *noise,
                                    dvbt2_plp_frame *frame, uint32_t *first);

/**
 * Number of outputs. It starts as dvbt2_receiver_params.n_plps. With follow_plps, each added PLP adds two
 * outputs: one for the PLP, then one for the common PLP of its group. Outputs are not removed when their PLP
 * disappears. If there are already DVBT2_MAX_OUTPUTS outputs, no output is added, and status.message reports
 * this.
 */
LDPC_API uint32_t dvbt2_receiver_outputs(const dvbt2_receiver *rx);

/** The PLP of an output, with the same values as dvbt2_receiver_params.plp; DVBT2_FIRST_PLP if the output
 * does not exist. */
LDPC_API int32_t dvbt2_receiver_output_plp(const dvbt2_receiver *rx, uint32_t output);

/* ---- state of reception */

/** Receiver states, in the order in which acquisition passes through them. */
typedef enum dvbt2_state {
    DVBT2_STATE_SEARCH = 0, /**< searching for a P1 */
    DVBT2_STATE_GUARD,      /**< P1 detected; estimating guard interval and clock offset */
    DVBT2_STATE_L1_PRE,     /**< decoding L1-pre in the P2 symbols */
    DVBT2_STATE_L1_POST,    /**< decoding L1-post */
    DVBT2_STATE_TRACKING,   /**< receiving cells */
} dvbt2_state;

LDPC_API const char *dvbt2_state_name(dvbt2_state state); /**< "tracking"; never NULL */

/** Reason why a tracked signal or a T2 frame was lost. */
typedef enum dvbt2_loss {
    DVBT2_LOSS_NONE = 0,
    /** the pilots of several symbols do not correlate with earlier pilots: the signal ended or faded */
    DVBT2_LOSS_PILOTS,
    /** neither the P1 of the next T2 frame nor the pilots of its P2 symbols were detected */
    DVBT2_LOSS_P1,
    DVBT2_LOSS_L1_PRE, /**< L1-pre could not be decoded */
    /** L1-post could not be decoded in several consecutive T2 frames, or its contents changed */
    DVBT2_LOSS_L1_POST,
    /** samples are missing, because dvbt2_receiver_gap() was called or because a P1 came early */
    DVBT2_LOSS_GAP,
    DVBT2_LOSS_STEP,           /**< the carrier or clock frequency jumped */
    DVBT2_LOSS_GUARD_INTERVAL, /**< the guard interval in L1-pre differs from the measured guard interval */
    DVBT2_LOSS_MEMORY,         /**< out of memory for the mode */
    /** the T2 frame has an echo that the pilots cannot resolve; tracking continues */
    DVBT2_LOSS_ECHO,
    DVBT2_LOSSES,
    DVBT2_MAX_LOSSES = 16 /* size of dvbt2_status.losses, which leaves room for more reasons */
} dvbt2_loss;

LDPC_API const char *dvbt2_loss_name(dvbt2_loss loss); /**< e.g. "pilots"; "" for no loss; never NULL */

/** Measured values. Values that describe the signal are 0 before their first measurement. After a loss they
 * keep their last value. */
typedef struct dvbt2_status {
    size_t size; /**< set by dvbt2_receiver_status(); see version.h, "Compatibility" */
    dvbt2_state state;
    dvbt2_p1_info p1; /**< last P1 of the selected profile; valid if frames_seen > 0 */
    bool guard_known; /**< whether the guard interval has been measured */
    /** measured guard interval (dvbt2_guard_interval), replaced by the value in L1-pre once a T2 frame has
     * been received with that value */
    uint8_t guard_interval;
    bool mirrored;   /**< whether the spectrum is mirrored (I and Q swapped); the receiver corrects this */
    double level_db; /**< mean power of the samples, dBFS */
    /** carrier offset relative to params.offset, Hz; positive: the signal is above the expected frequency */
    double carrier_hz;
    /** offset of the receiver's sampling clock, ppm; positive: the clock is faster than that of the
     * transmitter */
    double clock_ppm;
    double cn_db; /**< carrier-to-noise ratio in the occupied bandwidth, measured on the pilots, dB */
    /** MER of the last symbol in dB, predicted from the noise on the pilots and the gain of each carrier; the
     * cells are weighted by their power before equalisation. dvbt2_plp_counters has the measured MER */
    double expected_mer_db;
    double delay_spread_us; /**< delay from the first to the last path, microseconds */
    uint64_t samples;       /**< number of samples consumed */
    uint64_t frames_seen;   /**< number of P1 symbols of T2 frames of the selected profile */
    uint64_t frames;        /**< number of T2 frames whose cells were output */
    /** number of T2 frames that were dropped while tracking, or that had an echo which pilots cannot resolve */
    uint64_t lost_frames;
    /** number of FEF parts and frames of the other profile that were skipped while tracking */
    uint64_t fef_parts;
    uint64_t l1_errors;  /**< number of CRC errors in L1-pre and L1-post */
    uint64_t locks;      /**< number of times that tracking started */
    const char *message; /**< the reason why nothing is received, or ""; valid until the next push */
    /** reason for the last loss; this field and the following fields exist since version 1.1 */
    dvbt2_loss last_loss;
    uint32_t other_profile; /**< 1: the signal also has T2 frames of the other profile, T2-base or T2-Lite */
    /** number of losses for each dvbt2_loss; losses[DVBT2_LOSS_ECHO] counts T2 frames */
    uint64_t losses[DVBT2_MAX_LOSSES];
} dvbt2_status;

/** Does the same as dvbt2_receiver_status(), but writes to a struct of `size` bytes. Only callers that do not
 * use these headers need this function. */
LDPC_API void dvbt2_receiver_status_sized(const dvbt2_receiver *rx, dvbt2_status *status, size_t size);

static inline void dvbt2_receiver_status(const dvbt2_receiver *rx, dvbt2_status *status)
{
    dvbt2_receiver_status_sized(rx, status, sizeof *status);
}

/** L1 signalling of the last frame, or NULL before the first frame. The pointer is valid until the next call
 * of dvbt2_receiver_push(), dvbt2_receiver_pull() or dvbt2_receiver_gap(). */
LDPC_API const dvbt2_l1_pre *dvbt2_receiver_l1_pre(const dvbt2_receiver *rx);
LDPC_API const dvbt2_l1_post *dvbt2_receiver_l1_post(const dvbt2_receiver *rx);

/**
 * Power delay profile of the channel, for display; the sum over all taps is 1.
 *
 * @param max       capacity of `power` in taps
 * @param first_us  out: delay of the first tap relative to the middle of the FFT window's tolerance,
 *                  microseconds; may be NULL
 * @param step_us   out: delay between taps, microseconds; may be NULL
 * @return the number of taps written; 0 before the first symbol
 */
LDPC_API size_t dvbt2_receiver_impulse_response(const dvbt2_receiver *rx, size_t max, float *power,
                                                double *first_us, double *step_us);

/** Power gain |H|^2 of the channel at `max` equidistant frequencies within the active carriers, in ascending
 * order. The gains are scaled to a mean of 1.
 * @return the number of values written; 0 before the first symbol */
LDPC_API size_t dvbt2_receiver_frequency_response(const dvbt2_receiver *rx, size_t max, float *power);

#ifdef __cplusplus
}
#endif
#endif
