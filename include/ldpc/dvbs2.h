/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbs2: a DVB-S2 and S2X receiver from samples to baseband frames and transport stream packets
 * (EN 302 307-1 and -2).
 *
 *     dvbs2_receiver_params params;
 *     dvbs2_receiver_params_init(&params);
 *     params.sample_rate = 60e6;
 *     params.symbol_rate = 27.5e6;
 *     params.format = LDPC_CS16;
 *     dvbs2_receiver *rx;
 *     const dvbs2_frame *frame;
 *     ldpc_error err;
 *     if (dvbs2_receiver_create(&params, &rx, &err) != LDPC_OK)
 *         puts(err.message);
 *     while ((n = fread(samples, 4, N, file)) > 0)
 *         for (size_t done = 0; done < n;) {
 *             done += dvbs2_receiver_push(rx, samples + 2 * done, n - done);
 *             while ((frame = dvbs2_receiver_pull(rx)) != NULL)
 *                 fwrite(frame->packets, LDPC_TS_PACKET, frame->n_packets, output);
 *         }
 *     dvbs2_receiver_finish(rx);
 *     while ((frame = dvbs2_receiver_pull(rx)) != NULL)
 *         fwrite(frame->packets, LDPC_TS_PACKET, frame->n_packets, output);
 *     dvbs2_receiver_destroy(rx);
 *
 * The receiver finds carrier, clock, roll-off, spectrum and the MODCOD of each frame. It does not print, and
 * it starts a thread only if params.threads is 2. */
#ifndef LDPC_DVBS2_H
#define LDPC_DVBS2_H

#include "ldpc/dvb_fec.h"
#include "ldpc/sample_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Parameters of a receiver. Initialise with dvbs2_receiver_params_init(). */
typedef struct dvbs2_receiver_params {
    size_t size;               /**< set by the init function; see version.h, "Compatibility" */
    double sample_rate;        /**< Hz; at least 1.1 samples per symbol; no default */
    double symbol_rate;        /**< baud, correct within 200 ppm; no default */
    ldpc_sample_format format; /**< default LDPC_CF32 */
    double roll_off;           /**< 0.05 .. 0.35; 0 (default): the receiver detects it */
    uint32_t gold;             /**< number of the gold code of PL scrambling, 0 .. 262141; default 0 */
    int32_t stream;            /**< ISI of the stream to output, or LDPC_BB_ANY_STREAM (default) */
    uint32_t max_iterations;   /**< maximum number of LDPC iterations per codeword, 0 .. 10000; default 50 */
    /** 1 (default), or 2: a thread of the receiver filters the samples and recovers the timing. With 2,
     * pull() may return NULL although frames follow. Then push more samples, or call dvbs2_receiver_finish(). */
    uint32_t threads;
    /** True: frames are synchronised, but not decoded. They have cells, an invalid header, and no packets or
     * PDUs; `broken` is false, because bit errors are unknown; `stream` and `max_iterations` have no effect. Without
     * pilots, the first carrier offset may be wrong by a multiple of 1 cycle per frame. Only decoding finds and
     * corrects this error. Default false. */
    bool cells_only;
    uint8_t reserved[7]; /**< 0 */
    /** Expected carrier offset, Hz; default 0. If several carriers have this symbol rate, the nearest is received. */
    double offset;
    /** Maximum difference of the carrier from `offset`, Hz. If it is not 0 (default), a narrow part of a wide band is
     * received with less processor time: the sample rate is halved while the part passes, at most 16 times. At most 64
     * samples per symbol may remain, which is so if `offset_range` is at most 8.9 times the symbol rate. 0: the carrier
     * may be anywhere in the band, which has at most 64 samples per symbol. */
    double offset_range;
} dvbs2_receiver_params;

/** Set the defaults in a struct of `size` bytes. Only needed by callers that do not use these headers. */
LDPC_API void dvbs2_receiver_params_init_sized(dvbs2_receiver_params *params, size_t size);

/** Set the defaults. */
static inline void dvbs2_receiver_params_init(dvbs2_receiver_params *params)
{
    dvbs2_receiver_params_init_sized(params, sizeof *params);
}

/** A receiver. It is not thread-safe. */
typedef struct dvbs2_receiver dvbs2_receiver;

/**
 * Create a receiver.
 *
 * Memory is allocated by this function, and later when a MODCOD or a stream is first received.
 *
 * @param params  copied
 * @param rx      out: the receiver, or NULL on failure
 * @param err     out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (rates, roll-off, gold code, stream, iterations, threads),
 * LDPC_ERR_PARAM (format), LDPC_ERR_MEMORY, LDPC_ERR_THREAD
 */
LDPC_API ldpc_status dvbs2_receiver_create(const dvbs2_receiver_params *params, dvbs2_receiver **rx,
                                           ldpc_error *err);
LDPC_API void dvbs2_receiver_destroy(dvbs2_receiver *rx); /**< NULL is allowed */

/**
 * Push samples.
 *
 * @param samples  `count` samples in params.format; any number
 * @return the number of samples consumed. If it is less than `count`, pull all frames, and then push the
 *         remaining samples.
 */
LDPC_API size_t dvbs2_receiver_push(dvbs2_receiver *rx, const void *samples, size_t count);

/** Report that samples are missing before the next sample, for example after an overflow of the radio. The
 * receiver then searches for frames again. */
LDPC_API void dvbs2_receiver_gap(dvbs2_receiver *rx);

/** End the signal. No more samples are accepted, and the remaining frames can be pulled. Until this call,
 * the receiver waits for the PL header after each frame. No header follows the last frame. */
LDPC_API void dvbs2_receiver_finish(dvbs2_receiver *rx);

/** A received frame. */
typedef struct dvbs2_frame {
    uint64_t symbol;        /**< number of the frame's first symbol, counted from the creation of the
                             * receiver */
    uint8_t pls_code;       /**< PLS code of the PL header; its last bit is set if the frame has pilots */
    const char *modulation; /**< "8psk"; in VL-SNR frames also "bpsk" and "bpsk-s", where each bit is sent in
                             * two symbols, which are averaged */
    const char *code;       /**< name of the LDPC code, such as "dvbs2:64800:2/3" */
    double esn0_db;         /**< measured Es/N0 in dB */
    bool broken;            /**< whether the frame has bit errors; false with params.cells_only */
    uint32_t iterations;    /**< number of LDPC iterations, summed over all decodings of the frame */
    ldpc_bb_header header;  /**< header of the baseband frame */
    const uint8_t *bytes;   /**< descrambled baseband frame: header (10 bytes) and data field (DFL bits) */
    const float *cells;     /**< cells of the frame, I and Q alternating, mean power 1 */
    uint32_t n_cells;
    const uint8_t *packets; /**< n_packets * LDPC_TS_PACKET bytes. Packets with errors have
                             * transport_error_indicator set */
    size_t n_packets;       /**< number of packets that end in this frame, including the deleted null packets
                             * before them */
    const uint8_t *pdus;    /**< PDUs of a GSE stream, or packets of a generic stream, that end in this
                             * frame; before each PDU is its length in 2 bytes, most
                             * significant byte first */
    size_t pdu_bytes;
} dvbs2_frame;

/** Pull the next frame of a selected stream. Returns NULL if more samples are needed. The frame and its
 * pointers are valid until the next call of dvbs2_receiver_push(), dvbs2_receiver_pull() or
 * dvbs2_receiver_gap(). If the baseband header of a frame has errors, the frame is output with n_packets = 0
 * and header.valid = false. */
LDPC_API const dvbs2_frame *dvbs2_receiver_pull(dvbs2_receiver *rx);

/* ---- state of reception */

/** State of the receiver. The states are in the order of acquisition. */
typedef enum dvbs2_state {
    DVBS2_STATE_TIMING = 0, /**< measuring the carrier and the timing */
    DVBS2_STATE_SEARCH,     /**< searching PL headers */
    DVBS2_STATE_TRACKING,   /**< receiving frames */
} dvbs2_state;

LDPC_API const char *dvbs2_state_name(dvbs2_state state); /**< "tracking"; never NULL */

/** Reason why a tracked signal was lost. */
typedef enum dvbs2_loss {
    DVBS2_LOSS_NONE = 0,
    DVBS2_LOSS_HEADER,    /**< no PL header after a frame: the signal has ended or faded, or samples are
                          * missing */
    DVBS2_LOSS_RESERVED,  /**< a PL header with a reserved PLS code, so the length of its frame is unknown */
    DVBS2_LOSS_GAP,       /**< dvbs2_receiver_gap() has reported missing samples */
    DVBS2_LOSS_MEMORY,    /**< not enough memory for the MODCOD */
    DVBS2_LOSSES,         /**< number of values; later versions may add some, at most DVBS2_MAX_LOSSES */
    DVBS2_MAX_LOSSES = 16 /* size of dvbs2_status.losses */
} dvbs2_loss;

LDPC_API const char *dvbs2_loss_name(dvbs2_loss loss); /**< such as "header"; "" for DVBS2_LOSS_NONE; never
                                                        * NULL */

/** Measured values. They are 0 before the first measurement. After a loss of the signal, they keep the last
 * measurement. */
typedef struct dvbs2_status {
    size_t size; /**< set by dvbs2_receiver_status(); see version.h, "Compatibility" */
    dvbs2_state state;
    bool mirrored;   /**< whether the spectrum is mirrored (I and Q swapped); the receiver corrects this */
    double level_db; /**< mean power of the samples in dBFS; 0 before the first measurement */
    double roll_off;
    double carrier_hz; /**< carrier offset in Hz, after correction for clock_ppm; positive if the signal is
                        * above 0 Hz */
    double clock_ppm;  /**< offset of the receiver's sampling clock in ppm; positive if the clock is too
                        * fast */
    double esn0_db;    /**< Es/N0 in dB, measured on headers and pilots */
    uint64_t samples;  /**< samples consumed */
    uint64_t frames;   /**< data frames received */
    uint64_t dummy_frames, vlsnr_frames; /**< number of frames without data; number of VL-SNR frames, of
                                          * which those with a known MODCOD are also in `frames` */
    uint64_t failed_frames;              /**< data frames that have bit errors after decoding */
    uint64_t header_errors;              /**< decoded frames with an invalid baseband header */
    uint64_t other_frames;               /**< frames of streams that are not selected */
    uint64_t iterations;                 /**< number of LDPC iterations, summed over all data frames */
    uint64_t packets, null_packets;      /**< number of output packets, and number of reinserted null packets
                                          * among them */
    uint64_t lost_packets;               /**< packets dropped because a part of them was in a missing frame */
    uint64_t ts_errors;                  /**< packets with transport_error_indicator set */
    uint64_t pdus, lost_pdus;            /**< PDUs that were output; PDUs that were lost (missing fragments,
                                        * wrong CRC-32 or invalid headers) */
    uint64_t locks;                      /**< number of times that tracking started */
    dvbs2_loss last_loss;                /**< reason for the last loss of the signal */
    uint64_t losses[DVBS2_MAX_LOSSES];   /**< number of losses for each dvbs2_loss */
    const char *message;                 /**< error message, or ""; valid until the next pull */
    /** Ratio of carrier to nonlinear distortion (C/D) in dB, of the last MODCOD with two or more rings (8APSK to
     * 256APSK) of which a frame was decoded. The points of a ring are received with a complex gain g[k], measured with
     * decoded cells. With the power w[k] of the ring, weighted with its frequency, and the mean gain
     * g = sum w[k] g[k] / sum w[k], C/D = sum w[k] |g|^2 / sum w[k] |g[k] - g|^2. Noise and intersymbol interference are
     * not included. At most 60; a linear channel gives 35 or more. 0: no such frame was decoded. */
    double cd_db;
} dvbs2_status;

/** As dvbs2_receiver_status(), for a struct of `size` bytes. Only needed by callers that do not use these
 * headers. */
LDPC_API void dvbs2_receiver_status_sized(const dvbs2_receiver *rx, dvbs2_status *status, size_t size);

static inline void dvbs2_receiver_status(const dvbs2_receiver *rx, dvbs2_status *status)
{
    dvbs2_receiver_status_sized(rx, status, sizeof *status);
}

#ifdef __cplusplus
}
#endif
#endif
