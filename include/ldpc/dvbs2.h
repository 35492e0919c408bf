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
 *     dvbs2_frame frame;
 *     ldpc_error err;
 *     if (dvbs2_receiver_create(&params, &rx, &err) != LDPC_OK)
 *         puts(err.message);
 *     while ((n = fread(samples, 4, N, file)) > 0)
 *         for (size_t done = 0; done < n;) {
 *             done += dvbs2_receiver_push(rx, samples + 2 * done, n - done);
 *             while (dvbs2_receiver_pull(rx, &frame))
 *                 fwrite(frame.packets, LDPC_TS_PACKET, frame.n_packets, output);
 *         }
 *     dvbs2_receiver_finish(rx);
 *     while (dvbs2_receiver_pull(rx, &frame))
 *         fwrite(frame.packets, LDPC_TS_PACKET, frame.n_packets, output);
 *     dvbs2_receiver_destroy(rx);
 *
 * The receiver finds carrier, clock, roll-off, spectrum and the MODCOD of each frame. It does not print and
 * starts no threads. */
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
    double sample_rate;        /**< Hz; no default. At least 1.6 samples per symbol */
    double symbol_rate;        /**< Baud, within 200 ppm; no default */
    ldpc_sample_format format; /**< default LDPC_CF32 */
    double roll_off;           /**< 0.05 .. 0.35; default 0: found, if it is 0.35, 0.25 or 0.20 */
    uint32_t gold;             /**< gold code of the PL scrambling, 0 .. 262141; default 0 */
    int32_t stream;            /**< ISI whose frames are output, or LDPC_BB_ANY_STREAM (default) */
    uint32_t max_iterations;   /**< of the LDPC decoder; default 25 */
} dvbs2_receiver_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbs2_receiver_params_init_sized(dvbs2_receiver_params *params, size_t size);

/** Set the defaults. */
static inline void dvbs2_receiver_params_init(dvbs2_receiver_params *params)
{
    dvbs2_receiver_params_init_sized(params, sizeof *params);
}

/** A receiver. Not thread-safe. */
typedef struct dvbs2_receiver dvbs2_receiver;

/**
 * Create a receiver.
 *
 * Memory is allocated here, and when a MODCOD or a stream is received for the first time.
 *
 * @param params  copied
 * @param rx      out: the receiver, or NULL on failure
 * @param err     out: error message; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (rates, roll-off, gold code, stream), LDPC_ERR_PARAM
 * (format), LDPC_ERR_MEMORY
 */
LDPC_API ldpc_status dvbs2_receiver_create(const dvbs2_receiver_params *params, dvbs2_receiver **rx,
                                           ldpc_error *err);
LDPC_API void dvbs2_receiver_destroy(dvbs2_receiver *rx); /**< NULL is allowed */

/**
 * Push samples.
 *
 * @param samples  `count` samples in params.format; any number
 * @return the number of samples consumed. Fewer than `count`: pull frames until there are none, and push the
 *         remaining samples.
 */
LDPC_API size_t dvbs2_receiver_push(dvbs2_receiver *rx, const void *samples, size_t count);

/** Report missing samples before the next ones (an overflow of the radio): frames are searched again. */
LDPC_API void dvbs2_receiver_gap(dvbs2_receiver *rx);

/** End the signal: the frames that remain can be pulled, and no more samples are accepted. The last frame has
 * no next header, which the receiver waits for until then. */
LDPC_API void dvbs2_receiver_finish(dvbs2_receiver *rx);

/** A decoded frame. Pointers are valid until the next pull. */
typedef struct dvbs2_frame {
    uint64_t symbol;        /**< number of the first symbol of the PL frame since creation */
    uint8_t pls_code;       /**< PLS code of its header; the last bit is set for frames with pilots */
    const char *modulation; /**< "8psk" */
    const char *code;       /**< name of the LDPC code, "dvbs2:64800:2/3" */
    double esn0_db;         /**< measured Es/N0, dB */
    bool broken;            /**< the frame has bit errors */
    uint32_t iterations;    /**< of the LDPC decoder */
    ldpc_bb_header header;  /**< of the baseband frame */
    const uint8_t *bytes;   /**< header (10 bytes) and data field (DFL bits), descrambled */
    const float *cells;     /**< cells of mean power 1, I and Q alternating */
    uint32_t n_cells;
    const uint8_t *packets; /**< n_packets * LDPC_TS_PACKET bytes; those with errors are marked */
    size_t n_packets;       /**< packets that end in this frame, and deleted null packets before them */
    const uint8_t *pdus; /**< PDUs of a GSE stream that end in this frame, each after its length of 2 bytes */
    size_t pdu_bytes;
} dvbs2_frame;

/** Pull the next frame of a selected stream. Returns false if more samples are needed. Frames whose baseband
 * header has errors are output with n_packets = 0 and header.valid = false. */
LDPC_API bool dvbs2_receiver_pull(dvbs2_receiver *rx, dvbs2_frame *frame);

/* ---- state of reception */

/** State of the receiver, in the order of acquisition. */
typedef enum dvbs2_state {
    DVBS2_STATE_TIMING = 0, /**< measuring carrier and timing */
    DVBS2_STATE_SEARCH,     /**< searching PL headers */
    DVBS2_STATE_TRACKING,   /**< receiving frames */
} dvbs2_state;

LDPC_API const char *dvbs2_state_name(dvbs2_state state); /**< "tracking"; never NULL */

/** Reason for the loss of a tracked signal. */
typedef enum dvbs2_loss {
    DVBS2_LOSS_NONE = 0,
    DVBS2_LOSS_HEADER,   /**< no PL header after a frame: the signal ended or faded, or samples are missing */
    DVBS2_LOSS_RESERVED, /**< a PL header with a reserved code, whose frame has an unknown length */
    DVBS2_LOSS_GAP,      /**< samples are missing: reported by dvbs2_receiver_gap() */
    DVBS2_LOSS_MEMORY,   /**< out of memory for the MODCOD */
    DVBS2_LOSSES,
    DVBS2_MAX_LOSSES = 16 /* size of dvbs2_status.losses, which leaves room for more reasons */
} dvbs2_loss;

LDPC_API const char *dvbs2_loss_name(dvbs2_loss loss); /**< e.g. "header"; "" for no loss; never NULL */

/** Measured values. Values of a signal are 0 before the first measurement, and keep the last measurement
 * after a loss. */
typedef struct dvbs2_status {
    size_t size; /**< set by dvbs2_receiver_status(); see version.h, "Compatibility" */
    dvbs2_state state;
    bool mirrored;   /**< the spectrum is mirrored (I and Q swapped); the receiver corrects it */
    double level_db; /**< mean power of the samples, dBFS */
    double roll_off;
    double carrier_hz; /**< carrier offset, Hz, corrected by clock_ppm; positive: the signal is above 0 Hz */
    double clock_ppm;  /**< offset of the receiver's sampling clock, ppm; positive: faster than nominal */
    double esn0_db;    /**< measured on headers and pilots, dB */
    uint64_t samples;  /**< samples consumed */
    uint64_t frames;   /**< data frames received */
    uint64_t dummy_frames, vlsnr_frames; /**< frames that carry no data, and that are not decoded */
    uint64_t failed_frames;              /**< data frames with bit errors after the decoder */
    uint64_t header_errors;              /**< decoded frames whose baseband header is invalid */
    uint64_t other_frames;               /**< frames of streams that are not selected */
    uint64_t iterations;                 /**< sum over all data frames */
    uint64_t packets, null_packets;      /**< packets output; of them deleted null packets */
    uint64_t lost_packets;             /**< incomplete packets, which were dropped where frames are missing */
    uint64_t ts_errors;                /**< packets with transport_error_indicator */
    uint64_t pdus, lost_pdus;          /**< PDUs output; lost: missing fragments, wrong CRC-32 or headers */
    uint64_t locks;                    /**< number of times that tracking started */
    dvbs2_loss last_loss;              /**< reason for the last loss */
    uint64_t losses[DVBS2_MAX_LOSSES]; /**< number of losses by dvbs2_loss */
    const char *message;               /**< error message, or ""; valid until the next pull */
} dvbs2_status;

/** dvbs2_receiver_status() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbs2_receiver_status_sized(const dvbs2_receiver *rx, dvbs2_status *status, size_t size);

static inline void dvbs2_receiver_status(const dvbs2_receiver *rx, dvbs2_status *status)
{
    dvbs2_receiver_status_sized(rx, status, sizeof *status);
}

#ifdef __cplusplus
}
#endif
#endif
