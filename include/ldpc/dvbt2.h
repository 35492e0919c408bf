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
 * Samples are complex baseband with the channel at 0 Hz. The receiver estimates carrier, clock and all
 * transmission parameters, and acquires a lost signal again. Cells are equalised to mean constellation power
 * 1, I and Q alternating, each with a noise value as in ldpc_cells. They are output in the order of
 * transmission for dvbt2_plp.h.
 *
 * The receiver prints nothing. It starts threads only for params.decision_directed.
 */
#ifndef LDPC_DVBT2_H
#define LDPC_DVBT2_H

#include "ldpc/dvbt2_l1.h"
#include "ldpc/sample_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Profile to receive if the signal has both T2-base and T2-Lite frames. */
typedef enum dvbt2_profile_choice {
    DVBT2_PROFILE_AUTO = 0, /**< the profile of the first P1 */
    DVBT2_PROFILE_BASE_ONLY,
    DVBT2_PROFILE_LITE_ONLY,
} dvbt2_profile_choice;

enum {
    /** maximum number of outputs, including common PLPs */
    DVBT2_MAX_OUTPUTS = 2 * DVBT2_MAX_PLP,
    DVBT2_MAX_DECISION_DIRECTED = 8, /* maximum of dvbt2_receiver_params.decision_directed */
    DVBT2_FIRST_PLP = -1,            /**< selects the first data PLP of L1-post */
    /** DVBT2_COMMON_PLP - i selects the common PLP of the group of output i, if there is one */
    DVBT2_COMMON_PLP = -2,
};

/** Parameters of a receiver. Initialise with dvbt2_receiver_params_init(). */
typedef struct dvbt2_receiver_params {
    size_t size; /**< see version.h */
    /** Hz, 0.875/T .. 2.75/T, see dvbt2_sample_rate(): 8 .. 25 MHz for an 8 MHz channel; no default */
    double sample_rate;
    ldpc_sample_format format; /**< default LDPC_CF32 */
    double bandwidth;          /**< channel bandwidth in MHz, above 0 and at most 10; default 8 */
    /** frequency of the channel relative to the centre of the samples, Hz; default 0 */
    double offset;
    dvbt2_profile_choice profile; /**< default DVBT2_PROFILE_AUTO */
    uint32_t n_plps;              /**< number of outputs, 1 .. DVBT2_MAX_OUTPUTS; default 1 */
    /** PLP_ID of each output, or DVBT2_FIRST_PLP (default) */
    int32_t plp[DVBT2_MAX_OUTPUTS];
    /** maximum number of decision-directed channel estimations of a T2 frame with failed codewords,
     * 0 .. DVBT2_MAX_DECISION_DIRECTED. Default 0: the channel is estimated from pilots only. Above 0, the
     * receiver decodes all codewords itself (25 iterations, one CPU thread per received PLP), and outputs
     * cells at the end of their frame. Not supported for MISO */
    uint32_t decision_directed;
    /** 1: add outputs for all PLPs in L1-post, see dvbt2_receiver_outputs(); default 0 */
    uint32_t follow_plps;
} dvbt2_receiver_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_params_init_sized(dvbt2_receiver_params *params, size_t size);

/** Set the defaults. */
static inline void dvbt2_receiver_params_init(dvbt2_receiver_params *params)
{
    dvbt2_receiver_params_init_sized(params, sizeof *params);
}

/** Returns the sample rate 1/T in Hz for a bandwidth in MHz: 131/71 MHz for 1.7 MHz, otherwise 8/7 of the
 * bandwidth. */
LDPC_API double dvbt2_sample_rate(double bandwidth);

/** A receiver. Not thread-safe. */
typedef struct dvbt2_receiver dvbt2_receiver;

/**
 * Create a receiver. More memory is allocated when a mode is first received.
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
 * push the remaining samples. If memory for a mode cannot be allocated, the receiver starts a new search and sets
 * status.message.
 *
 * The receiver stores the last 2^22 samples at 1/T (0.46 s for 8 MHz). It processes them again during acquisition,
 * to search for an early P1, and to receive frames before the first L1-post. Such a call takes longer, at most by
 * the time for 2^22 samples.
 */
LDPC_API size_t dvbt2_receiver_push(dvbt2_receiver *rx, const void *samples, size_t count);

/**
 * Report that samples are missing before the next sample. The rest of the frame is dropped.
 *
 * @param samples  number of missing samples at params.sample_rate. The packets in these samples are counted as
 *                 lost. 0 = unknown; the number is then derived from the next FRAME_IDX, modulo one super-frame
 */
LDPC_API void dvbt2_receiver_gap(dvbt2_receiver *rx, uint64_t samples);

/**
 * Announce another channel or sample rate for the next samples. The rest of the frame is dropped, and
 * acquisition starts. Outputs, frame numbers and counters continue.
 *
 * @param sample_rate  Hz, as in dvbt2_receiver_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE, LDPC_ERR_MEMORY. On failure, the receiver is unchanged.
 */
LDPC_API ldpc_status dvbt2_receiver_retune(dvbt2_receiver *rx, double sample_rate, ldpc_error *err);

/** The cells of one PLP in one T2 frame. */
typedef struct dvbt2_plp_frame {
    /** number of the T2 frame, counted from the creation of the receiver; includes lost frames */
    uint64_t frame;
    /** number of T2 frames lost just before this frame */
    uint64_t lost;
    uint8_t frame_idx;        /**< FRAME_IDX, 0 .. NUM_T2_FRAMES - 1 */
    uint32_t cells;           /**< number of cells of this PLP in this T2 frame */
    uint32_t cells_per_block; /**< number of cells per FEC block */
    uint32_t n_blocks;        /**< number of FEC blocks in the interleaving frame (PLP_NUM_BLOCKS) */
    uint32_t ti_blocks;       /**< number of TI blocks in the interleaving frame; 0: no time interleaving */
    /** number of T2 frames in the interleaving frame; cells * frames = n_blocks * cells_per_block */
    uint32_t frames;
    uint32_t part; /**< index of this T2 frame in the interleaving frame, 0 .. frames - 1 */
    bool lite;
    bool has_common; /**< whether the group of this PLP has a common PLP */
    /** start of the T2 frame in units of T, counted from the creation of the receiver; includes missing
     * samples */
    uint64_t start;
    dvbt2_l1_plp plp; /**< L1-post signalling of the PLP */
} dvbt2_plp_frame;

/**
 * Pull cells of one T2 frame. Several calls may be needed for all cells of a frame. Once the first cell of a
 * frame has been returned, all other cells of the frame follow. A lost cell is 0 with noise 0, which marks an
 * erasure.
 *
 * @param output  0 .. dvbt2_receiver_outputs() - 1
 * @param max     capacity in cells of iq (2 * max floats) and noise (max floats)
 * @param frame   out: the T2 frame of the cells; may be NULL
 * @param first   out: index of the first returned cell in the frame; may be NULL
 * @return the number of cells; 0: push more samples
 */
LDPC_API size_t dvbt2_receiver_pull(dvbt2_receiver *rx, uint32_t output, size_t max, float *iq, float *noise,
                                    dvbt2_plp_frame *frame, uint32_t *first);

/**
 * Number of outputs, initially dvbt2_receiver_params.n_plps. With follow_plps, each new PLP adds one output
 * for itself and then one for the common PLP of its group. Outputs are never removed. If DVBT2_MAX_OUTPUTS is
 * exceeded, status.message reports it.
 */
LDPC_API uint32_t dvbt2_receiver_outputs(const dvbt2_receiver *rx);

/** PLP of an output, as in dvbt2_receiver_params.plp; DVBT2_FIRST_PLP if there is no such output. */
LDPC_API int32_t dvbt2_receiver_output_plp(const dvbt2_receiver *rx, uint32_t output);

/* ---- state of reception */

/** Receiver states in the order of acquisition. */
typedef enum dvbt2_state {
    DVBT2_STATE_SEARCH = 0, /**< searching for a P1 */
    DVBT2_STATE_GUARD,      /**< estimating guard interval and clock offset */
    DVBT2_STATE_L1_PRE,
    DVBT2_STATE_L1_POST,  /**< decoding L1-post */
    DVBT2_STATE_TRACKING, /**< receiving cells */
} dvbt2_state;

LDPC_API const char *dvbt2_state_name(dvbt2_state state); /**< "tracking"; never NULL */

/** Reason why a tracked signal or a T2 frame was lost. */
typedef enum dvbt2_loss {
    DVBT2_LOSS_NONE = 0,
    /** the pilots of several symbols do not correlate, because the signal ended or faded */
    DVBT2_LOSS_PILOTS,
    /** neither the next P1 nor the pilots of P2 were detected */
    DVBT2_LOSS_P1,
    DVBT2_LOSS_L1_PRE,
    /** L1-post was not decoded in several T2 frames, or has changed */
    DVBT2_LOSS_L1_POST,
    /** samples are missing: dvbt2_receiver_gap() was called, or a P1 was early */
    DVBT2_LOSS_GAP,
    DVBT2_LOSS_STEP,
    DVBT2_LOSS_GUARD_INTERVAL, /**< the guard interval in L1-pre differs from the measured guard interval */
    DVBT2_LOSS_MEMORY,
    /** the pilots cannot resolve an echo in the T2 frame; tracking continues */
    DVBT2_LOSS_ECHO,
    DVBT2_LOSSES,         /**< number of values; later versions may add some, at most DVBT2_MAX_LOSSES */
    DVBT2_MAX_LOSSES = 16 /* size of dvbt2_status.losses */
} dvbt2_loss;

LDPC_API const char *dvbt2_loss_name(dvbt2_loss loss); /**< e.g. "pilots"; "" for no loss */

/** Measured values. They are 0 before the first measurement, and keep their value after a loss. */
typedef struct dvbt2_status {
    size_t size; /**< see version.h */
    dvbt2_state state;
    dvbt2_p1_info p1; /**< last P1 of the selected profile; valid if frames_seen > 0 */
    bool guard_known; /**< whether the guard interval has been measured */
    /** dvbt2_guard_interval; first measured, then read from L1-pre */
    uint8_t guard_interval;
    bool mirrored;   /**< whether the spectrum is mirrored (I and Q swapped); the receiver corrects this */
    double level_db; /**< mean power of the samples, dBFS */
    /** carrier offset relative to params.offset, Hz; positive: the received frequency is too high */
    double carrier_hz;
    /** sampling clock offset, ppm; positive: the receiver's clock is too fast */
    double clock_ppm;
    double cn_db; /**< C/N in the occupied bandwidth, measured on pilots, dB */
    /** MER of the last symbol in dB, predicted from the pilots. dvbt2_plp_counters has the measured MER */
    double expected_mer_db;
    double delay_spread_us; /**< delay from the first to the last path, microseconds */
    uint64_t samples;       /**< number of samples consumed */
    uint64_t frames_seen;   /**< number of P1 symbols of the selected profile */
    uint64_t frames;        /**< number of T2 frames whose cells were output */
    /** number of T2 frames that were dropped while tracking, or had an echo that pilots cannot resolve */
    uint64_t lost_frames;
    /** number of skipped FEF parts and frames of the other profile */
    uint64_t fef_parts;
    uint64_t l1_errors;     /**< number of CRC errors in L1-pre and L1-post */
    uint64_t locks;         /**< number of times that tracking started */
    const char *message;    /**< reason why nothing is received, or ""; valid until the next push */
    dvbt2_loss last_loss;   /**< reason of the last loss */
    uint32_t other_profile; /**< 1 if the signal also has T2 frames of the profile that is not received */
    /** number of losses for each dvbt2_loss */
    uint64_t losses[DVBT2_MAX_LOSSES];
} dvbt2_status;

/** Like dvbt2_receiver_status(), for callers that do not use these headers. */
LDPC_API void dvbt2_receiver_status_sized(const dvbt2_receiver *rx, dvbt2_status *status, size_t size);

static inline void dvbt2_receiver_status(const dvbt2_receiver *rx, dvbt2_status *status)
{
    dvbt2_receiver_status_sized(rx, status, sizeof *status);
}

/** L1 signalling of the last frame, or NULL. Valid until the next push, pull or gap. */
LDPC_API const dvbt2_l1_pre *dvbt2_receiver_l1_pre(const dvbt2_receiver *rx);
LDPC_API const dvbt2_l1_post *dvbt2_receiver_l1_post(const dvbt2_receiver *rx);

/**
 * Power delay profile of the channel; the sum over all taps is 1.
 *
 * @param max       capacity of `power` in taps
 * @param first_us  out: delay of the first tap, microseconds; may be NULL. Delay 0 is the middle of the
 *                  delays that the FFT window tolerates
 * @param step_us   out: delay between taps, microseconds; may be NULL
 * @return the number of taps; 0 before the first symbol
 */
LDPC_API size_t dvbt2_receiver_impulse_response(const dvbt2_receiver *rx, size_t max, float *power,
                                                double *first_us, double *step_us);

/** Power gain |H|^2 of the channel, with mean 1, at `max` equidistant frequencies within the active carriers,
 * in ascending order.
 * @return the number of values; 0 before the first symbol */
LDPC_API size_t dvbt2_receiver_frequency_response(const dvbt2_receiver *rx, size_t max, float *power);

#ifdef __cplusplus
}
#endif
#endif
