/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdvbs2: receive all carriers of a wide band at the same time, with several threads.
 *
 *     dvbs2_band_params params;
 *     dvbs2_band_params_init(&params);
 *     params.sample_rate = 700e6;
 *     params.format = LDPC_CS8;
 *     params.frame = write_packets;                   // void write_packets(void *context, size_t carrier, const dvbs2_frame *frame)
 *     dvbs2_receiver_params carriers[2];
 *     for (int i = 0; i < 2; i++) {
 *         dvbs2_receiver_params_init(&carriers[i]);
 *         carriers[i].symbol_rate = 27.5e6;
 *         carriers[i].offset = i * 40e6;
 *     }
 *     dvbs2_band *band;
 *     ldpc_error err;
 *     if (dvbs2_band_create(&params, carriers, 2, &band, &err) != LDPC_OK)
 *         puts(err.message);
 *     while ((n = fread(samples, 2, N, file)) > 0)
 *         dvbs2_band_push(band, samples, n);
 *     dvbs2_band_finish(band);
 *     dvbs2_band_destroy(band);
 *
 * FFTs that all carriers share divide the band into channels, and each channel has a dvbs2_receiver. dvbs2_survey_create()
 * finds the carriers. */
#ifndef LDPC_DVBS2_BAND_H
#define LDPC_DVBS2_BAND_H

#include "ldpc/dvbs2.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Parameters of a band. Initialise with dvbs2_band_params_init(). */
typedef struct dvbs2_band_params {
    size_t size;               /**< set by the init function; see version.h, "Compatibility" */
    double sample_rate;        /**< Hz; no default */
    ldpc_sample_format format; /**< default LDPC_CF32 */
    uint32_t threads;          /**< threads that receive, 1 .. 1024; 0 (default): one for each core */
    /** Takes a frame, as dvbs2_receiver_pull() returns it; NULL (default): frames are dropped. It is called by the threads of
     * the band: for one carrier in the order of its frames and not at the same time, for several carriers at the same time.
     * Until it returns, the carrier does not continue. It must not call functions of the band. */
    void (*frame)(void *context, size_t carrier, const dvbs2_frame *frame);
    void *context; /**< first argument of `frame` */
    /** where the LDPC codes are decoded, as in ldpc_decoder_params; default "cpu". A GPU decodes the frames of all carriers in
     * batches. The receivers then have `cells_only`, so a frame with errors is not decoded again, the rings of a nonlinear
     * amplifier are not measured, and frames have no cells */
    const char *backend;
    bool fallback; /**< use the CPU if the GPU cannot be used; default false: creation fails */
} dvbs2_band_params;

/** Set the defaults in a struct of `size` bytes. Only needed by callers that do not use these headers. */
LDPC_API void dvbs2_band_params_init_sized(dvbs2_band_params *params, size_t size);

/** Set the defaults. */
static inline void dvbs2_band_params_init(dvbs2_band_params *params)
{
    dvbs2_band_params_init_sized(params, sizeof *params);
}

/** A band and its receivers. One thread at a time may use it. */
typedef struct dvbs2_band dvbs2_band;

/**
 * Create a band and start its threads.
 *
 * @param params    copied
 * @param carriers  `count` receivers, copied: symbol_rate, offset (centre of the carrier, Hz, within 5 % of the symbol rate),
 *                  roll_off (0: 0.35 is assumed for the width of the channel), gold, stream, max_iterations, cells_only.
 *                  The other members have no effect. All have the same `size`. At most 5 % of the symbol rate may be
 *                  outside of the band
 * @param count     1 .. 1000
 * @param band      out: the band, or NULL on failure
 * @param err       out: error message, or with fallback why the GPU is not used, or ""; may be NULL
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (rates, count, threads, offset, and as dvbs2_receiver_create()),
 * LDPC_ERR_PARAM (format, backend), LDPC_ERR_BACKEND (not usable), LDPC_ERR_MEMORY,
 * LDPC_ERR_THREAD
 */
LDPC_API ldpc_status dvbs2_band_create(const dvbs2_band_params *params, const dvbs2_receiver_params *carriers,
                                       size_t count, dvbs2_band **band, ldpc_error *err);
LDPC_API void
dvbs2_band_destroy(dvbs2_band *band); /**< drops samples that are not processed; NULL is allowed */

/** Push samples: copy them to a queue, and wait while the queue is full. It holds at least 50 ms. The queue and the spectra of
 * its oldest pieces need 120 MB at 700 MHz with LDPC_CS8, 340 MB with LDPC_CF32. The carriers receive pieces of 1 ms, or of one
 * FFT if it is longer; one that has received 8 pieces fewer stops the others.
 *
 * @param samples  `count` samples in params.format; any number */
LDPC_API void dvbs2_band_push(dvbs2_band *band, const void *samples, size_t count);

/** Report that samples are missing before the next sample. All receivers then search for frames again. Of several gaps in a
 * piece of the queue, the last one is reported to the receivers. */
LDPC_API void dvbs2_band_gap(dvbs2_band *band);

/** End the signal. Returns when all frames have been passed to params.frame. Samples pushed later are ignored. */
LDPC_API void dvbs2_band_finish(dvbs2_band *band);

/** Write the values of a carrier, as dvbs2_receiver_status(). carrier_hz is relative to the centre of the band; level_db and
 * `samples` are those of the carrier's channel. The values are those after the last piece that was processed; `message` is
 * valid until the band is destroyed. `size` is that of the struct. */
LDPC_API void dvbs2_band_status_sized(dvbs2_band *band, size_t carrier, dvbs2_status *status, size_t size);

static inline void dvbs2_band_status(dvbs2_band *band, size_t carrier, dvbs2_status *status)
{
    dvbs2_band_status_sized(band, carrier, status, sizeof *status);
}

#ifdef __cplusplus
}
#endif
#endif
