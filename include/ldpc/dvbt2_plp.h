/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the cells of a PLP to its transport stream: time, cell and bit deinterleaver, soft demapper, LDPC
 * and BCH decoder, and deframer, configured by L1.
 *
 *     dvbt2_plp_decoder *dec;
 *     dvbt2_plp_decoder_create(NULL, &dec, NULL);
 *     while ((count = dvbt2_receiver_pull(rx, 0, MAX, iq, noise, &frame, &first))) {
 *         dvbt2_plp_decoder_feed(dec, &frame, first, count, iq, noise);
 *         while ((count = dvbt2_plp_decoder_pull(dec, ts, 100)))
 *             fwrite(ts, LDPC_TS_PACKET, count, file);
 *     }
 *     dvbt2_plp_decoder_finish(dec);      then pull the remaining packets
 *
 * Each interleaving frame may have another format: code, constellation, interleaver and number of FEC blocks.
 * The resources of a format are allocated when it first occurs, or by dvbt2_plp_decoder_prepare(), and are
 * kept. Codewords are output in the order of reception.
 */
#ifndef LDPC_DVBT2_PLP_H
#define LDPC_DVBT2_PLP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvb_fec.h"
#include "ldpc/dvbt2.h"
#include "ldpc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Format of the cells of one interleaving frame (EN 302 755, clause 6), as in L1-post. */
typedef struct dvbt2_plp_format {
    /** sizeof(dvbt2_plp_format), or 0 for the fields of version 1.0, see version.h */
    size_t size;
    char code[24];       /**< name of the LDPC code: "dvbt2:64800:2/3" */
    char modulation[8];  /**< "qpsk" "16qam" "64qam" "256qam" */
    bool rotated;        /**< PLP_ROTATION: rotated constellation with cyclic Q delay */
    uint32_t ti_blocks;  /**< TI blocks in the interleaving frame, 1 .. 255; 0 = no time interleaving */
    uint32_t fec_blocks; /**< PLP_NUM_BLOCKS: FEC blocks in the interleaving frame, 0 .. 1023 */
} dvbt2_plp_format;

/** Parameters of a decoder. Initialise with dvbt2_plp_decoder_params_init(). Strings are copied. */
typedef struct dvbt2_plp_decoder_params {
    size_t size; /**< see version.h */
    /** backend of the LDPC decoder: "cpu" (default), "cuda", "opencl" or "gpu" (CUDA if usable, otherwise
     * OpenCL) */
    const char *backend;
    const char *devices; /**< GPUs: "0", "0,1", "all"; NULL (default) = "0" */
    /** folder of compiled GPU kernels; NULL (default) = none */
    const char *cache_dir;
    uint32_t threads;        /**< CPU threads of the LDPC decoder, default 1; 0 = one per core */
    uint32_t max_iterations; /**< maximum iterations of the LDPC decoder, default 25 */
    /** true: exact LLRs, computed from all points; false (default): max-log LLRs */
    bool exact;
    int32_t stream; /**< input stream (ISI) to extract; default LDPC_BB_ANY_STREAM */
    /** keep frames of generic streams for dvbt2_plp_decoder_pull_frame(); default false */
    bool generic_frames;
    /** time limit of a GPU batch, ms; 0 = none; default 60000. After a timeout, the codewords are lost, the
     * LDPC decoder is abandoned (ldpc_decoder_abandon()), and calls fail with LDPC_ERR_DEVICE until
     * dvbt2_plp_decoder_set_backend() */
    uint32_t gpu_timeout_ms;
    /** use the CPU if the GPU cannot be used; dvbt2_plp_decoder_message() gives the reason. Default false:
     * creation fails */
    bool fallback;
} dvbt2_plp_decoder_params;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_plp_decoder_params_init_sized(dvbt2_plp_decoder_params *params, size_t size);

/** Set the defaults. */
static inline void dvbt2_plp_decoder_params_init(dvbt2_plp_decoder_params *params)
{
    dvbt2_plp_decoder_params_init_sized(params, sizeof *params);
}

/** Counts since creation. */
typedef struct dvbt2_plp_counters {
    size_t size;               /**< see version.h */
    uint64_t frames;           /**< number of interleaving frames */
    uint64_t codewords;        /**< number of decoded FEC blocks */
    uint64_t failed_codewords; /**< number of FEC blocks that did not converge */
    uint64_t iterations;       /**< number of LDPC iterations, summed over all codewords */
    uint64_t bits;             /**< number of transmitted bits of the converged codewords */
    /** number of these bits whose LLR had the wrong sign before decoding */
    uint64_t bit_errors;
    uint64_t bch_failed;         /**< number of codewords that the BCH code could not correct */
    uint64_t bch_corrected_bits; /**< number of bits corrected by the BCH code */
    /** last measured MER in dB; 0 before the first measurement. Measured on one FEC block per interleaving
     * frame, against its decoded codeword */
    double mer_db;
    uint64_t gfps_frames;    /**< number of baseband frames of generic fixed-length packetized streams */
    uint64_t gcs_frames;     /**< number of baseband frames of generic continuous streams */
    uint64_t gse_frames;     /**< number of baseband frames of generic stream encapsulation */
    uint64_t common_packets; /**< number of packets of the common PLP that replaced null packets */
    /** number of packets of the common PLP that could not replace a null packet */
    uint64_t unplaced_packets;
    /** counters of the deframer; lost_packets includes packets of missing frames */
    ldpc_bb_counters bb;
} dvbt2_plp_counters;

/** Signalling in the data of a PLP: in-band signalling and ISSY (EN 302 755, clause 5.2.3 and annex C). */
typedef struct dvbt2_plp_signalling {
    uint64_t in_band_frames; /**< number of interleaving frames with in-band signalling */
    /** number of in-band fields that are too short or of a wrong type */
    uint64_t in_band_errors;
    bool has_a, has_b; /**< whether the last in-band signalling contains type A, whether it contains type B */
    dvbt2_in_band_a a;
    dvbt2_in_band_b b;
    uint8_t iscr_bits; /**< length of ISCR, 15 or 22 bits; 0: no ISCR was received */
    /** last ISCR, the time when a packet entered the modulator, in units of T */
    uint32_t iscr;
    bool has_tto, has_bufs;
    /** time from the start of the interleaving frame to the output of a packet, in units of T */
    uint64_t tto;
    uint64_t bufs; /**< receiver buffer size for this PLP, bits */
} dvbt2_plp_signalling;

/** A decoder of one PLP. Not thread-safe. */
typedef struct dvbt2_plp_decoder dvbt2_plp_decoder;

/**
 * Create a decoder.
 *
 * @param params  NULL for the defaults
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY, LDPC_ERR_PARAM (unknown backend), LDPC_ERR_BACKEND (not
 * usable), LDPC_ERR_RANGE (stream)
 */
LDPC_API ldpc_status dvbt2_plp_decoder_create(const dvbt2_plp_decoder_params *params, dvbt2_plp_decoder **dec,
                                              ldpc_error *err);
LDPC_API void dvbt2_plp_decoder_destroy(dvbt2_plp_decoder *dec); /**< NULL is allowed */

/**
 * Allocate the resources of a format before its first frame; fec_blocks is ignored.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (code), LDPC_ERR_PARAM (modulation, TI blocks), or as
 * ldpc_decoder_create(); dvbt2_plp_decoder_message() has the error message
 */
LDPC_API ldpc_status dvbt2_plp_decoder_prepare(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format);

/** Cells in an interleaving frame: fec_blocks * cells per FEC block. 0 if the format is invalid. */
LDPC_API size_t dvbt2_plp_decoder_cells(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format);

/**
 * Decode one interleaving frame. Returns when all cells have been read; codewords may still be in the
 * decoder. On failure, the rest of the frame and the current packet are lost.
 *
 * @param iq     dvbt2_plp_decoder_cells() cells as received, I and Q alternating, mean constellation power 1
 * @param noise  mean power of each cell's error, I plus Q. 0, negative, infinite or NaN: an erasure
 * @return as dvbt2_plp_decoder_prepare(), LDPC_ERR_RANGE (fec_blocks), LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status dvbt2_plp_decoder_push(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format,
                                            const float *iq, const float *noise);

/** Like dvbt2_plp_format_of(), for callers that do not use these headers. */
LDPC_API ldpc_status dvbt2_plp_format_of_sized(const dvbt2_plp_frame *frame, dvbt2_plp_format *format,
                                               size_t size);

/** Get the format of a frame's cells. Returns LDPC_ERR_PARAM if L1 has a reserved value. */
static inline ldpc_status dvbt2_plp_format_of(const dvbt2_plp_frame *frame, dvbt2_plp_format *format)
{
    return dvbt2_plp_format_of_sized(frame, format, sizeof *format);
}

/**
 * Decode cells first .. first + count - 1 of a frame from dvbt2_receiver_pull(), in order. Cells are
 * collected until a TI block is complete, which may take several T2 frames. Missing cells are erasures.
 *
 * @return as dvbt2_plp_decoder_push(), LDPC_ERR_PARAM (reserved values), LDPC_ERR_RANGE (cells outside the
 * frame)
 */
LDPC_API ldpc_status dvbt2_plp_decoder_feed(dvbt2_plp_decoder *dec, const dvbt2_plp_frame *frame,
                                            uint32_t first, size_t count, const float *iq,
                                            const float *noise);

/**
 * Merge the packets of the common PLP of a group: they replace null packets (EN 302 755, annex D). Both PLPs
 * must have ISSY. No effect if L1 has no common PLP.
 *
 *     dvbt2_plp_decoder_set_common(data, common);
 *     feed each decoder the cells of its PLP (DVBT2_COMMON_PLP), and pull from `data` only
 *
 * @param common  decoder of the common PLP, or NULL. Only one `dec` may use it. Destroy it after `dec`. It is
 *                finished together with `dec`.
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM
 */
LDPC_API ldpc_status dvbt2_plp_decoder_set_common(dvbt2_plp_decoder *dec, dvbt2_plp_decoder *common);

/** Pull up to max_packets packets of LDPC_TS_PACKET bytes. Returns their number. Packets accumulate without
 * limit: pull them before feeding more cells. */
LDPC_API size_t dvbt2_plp_decoder_pull(dvbt2_plp_decoder *dec, uint8_t *ts, size_t max_packets);

enum { DVBT2_MAX_FRAME_BYTES = 6730 }; /**< size of the longest baseband frame in bytes (53840 bits) */

/**
 * Pull the next baseband frame of a generic stream (GSE, GCS, GFPS) without bit errors: the 10-byte header as
 * transmitted, then the descrambled data field of DFL bits; the last byte is padded. DFL is in bytes 4 and
 * 5 of the header.
 *
 * @param frame  out: buffer of `room` bytes; DVBT2_MAX_FRAME_BYTES are always sufficient
 * @return the number of bytes; 0 if there is no frame, or if it does not fit
 */
LDPC_API size_t dvbt2_plp_decoder_pull_frame(dvbt2_plp_decoder *dec, uint8_t *frame, size_t room);

/** Decode all collected cells, also of incomplete TI blocks, and wait for all codewords. Returns LDPC_OK,
 * LDPC_ERR_NULL or LDPC_ERR_DEVICE. */
LDPC_API ldpc_status dvbt2_plp_decoder_finish(dvbt2_plp_decoder *dec);

/** Drop the current packet. Call this before the next frame if frames are missing. */
LDPC_API void dvbt2_plp_decoder_break(dvbt2_plp_decoder *dec);

/**
 * Change the backend, for example after LDPC_ERR_DEVICE. Codewords that cannot be collected are lost.
 * Packets, counters and collected cells are kept.
 *
 * @param backend  as in dvbt2_plp_decoder_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND
 */
LDPC_API ldpc_status dvbt2_plp_decoder_set_backend(dvbt2_plp_decoder *dec, const char *backend);

/** Like dvbt2_plp_decoder_counters(), for callers that do not use these headers. */
LDPC_API void dvbt2_plp_decoder_counters_sized(const dvbt2_plp_decoder *dec, dvbt2_plp_counters *counters,
                                               size_t size);

static inline dvbt2_plp_counters dvbt2_plp_decoder_counters(const dvbt2_plp_decoder *dec)
{
    dvbt2_plp_counters counters;
    dvbt2_plp_decoder_counters_sized(dec, &counters, sizeof counters);
    return counters;
}

/** Signalling of the PLP, valid until the next call with the decoder. NULL if `dec` is NULL. */
LDPC_API const dvbt2_plp_signalling *dvbt2_plp_decoder_signalling(const dvbt2_plp_decoder *dec);

/** Backend and kernel of the last LDPC decoder, such as "cpu avx512"; "" before the first frame. */
LDPC_API const char *dvbt2_plp_decoder_kernel(const dvbt2_plp_decoder *dec);

LDPC_API const char *dvbt2_plp_decoder_message(const dvbt2_plp_decoder *dec);

#ifdef __cplusplus
}
#endif
#endif
