/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the cells of a PLP to its transport stream: time, cell and bit deinterleaver, soft demapper, LDPC and
 * BCH decoder, deframer, in one handle that follows L1.
 *
 *     dvbt2_plp_decoder *dec;
 *     dvbt2_plp_decoder_create(NULL, &dec, NULL);
 *     while ((count = dvbt2_receiver_pull(rx, 0, MAX, iq, noise, &frame, &first))) {
 *         dvbt2_plp_decoder_feed(dec, &frame, first, count, iq, noise);
 *         while ((count = dvbt2_plp_decoder_pull(dec, ts, 100)))
 *             fwrite(ts, LDPC_TS_PACKET, count, file);
 *     }
 *     dvbt2_plp_decoder_finish(dec);      and pull what is left
 *
 * Every interleaving frame brings its format: code, constellation, interleaver and number of FEC blocks may
 * change from one to the next. What a format needs is made when it is seen first (or by
 * dvbt2_plp_decoder_prepare) and kept; nothing is allocated for a format that has been seen. Codewords leave
 * in the order in which they came, across formats too.
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

/** How the cells of one interleaving frame are coded (EN 302 755, clause 6; L1-post says it). */
typedef struct dvbt2_plp_format {
    size_t size;   /**< 0, or sizeof this struct to use fields younger than 1.0: version.h, "Compatibility" */
    char code[24]; /**< LDPC code by its name: "dvbt2:64800:2/3" */
    char modulation[8];  /**< "qpsk" "16qam" "64qam" "256qam" */
    bool rotated;        /**< PLP_ROTATION: rotated constellation with cyclic Q delay */
    uint32_t ti_blocks;  /**< TI blocks of the interleaving frame, 1 .. 255; 0 = no time interleaving */
    uint32_t fec_blocks; /**< PLP_NUM_BLOCKS: FEC blocks of this interleaving frame, 0 .. 1023 */
} dvbt2_plp_format;

/** How to decode. Start from dvbt2_plp_decoder_params_init(). Strings are copied. */
typedef struct dvbt2_plp_decoder_params {
    size_t size; /**< set by the init function; see version.h, "Compatibility" */
    const char
        *backend; /**< of the LDPC decoder: "cpu" (default), "gpu" = CUDA, else OpenCL; "cuda", "opencl" */
    const char *devices;     /**< GPUs: "0", "0,1", "all"; NULL (default) = "0" */
    const char *cache_dir;   /**< folder for compiled GPU kernels; NULL (default) = none */
    uint32_t threads;        /**< CPU threads of the LDPC decoder, default 1; 0 = one per core */
    uint32_t max_iterations; /**< of the LDPC decoder, default 25 */
    bool exact;              /**< LLRs over all points of the constellation; default false: nearest ones */
    int32_t stream;          /**< input stream (ISI) to take; default LDPC_BB_ANY_STREAM = all */
    bool
        generic_frames; /**< keep baseband frames of generic streams for dvbt2_plp_decoder_pull_frame(); default
                                  false */
    /** how long a GPU may take for a batch, in milliseconds, default 60000; 0 = no limit. The codewords of a batch that
     * takes longer are lost, and calls fail with LDPC_ERR_DEVICE until dvbt2_plp_decoder_set_backend(): ldpc_decoder_abandon() */
    uint32_t gpu_timeout_ms;
    /** decode on the CPU where the GPU cannot be used: then dvbt2_plp_decoder_message() is the reason; default false: creation fails */
    bool fallback;
} dvbt2_plp_decoder_params;

/** Fill in the defaults of a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_plp_decoder_params_init_sized(dvbt2_plp_decoder_params *params, size_t size);

/** Fill in the defaults. */
static inline void dvbt2_plp_decoder_params_init(dvbt2_plp_decoder_params *params)
{
    dvbt2_plp_decoder_params_init_sized(params, sizeof *params);
}

/** What was counted since the start. */
typedef struct dvbt2_plp_counters {
    size_t size;                 /**< set by dvbt2_plp_decoder_counters(); see version.h, "Compatibility" */
    uint64_t frames;             /**< interleaving frames */
    uint64_t codewords;          /**< FEC blocks decoded */
    uint64_t failed_codewords;   /**< of them: the LDPC decoder found no codeword */
    uint64_t iterations;         /**< of the LDPC decoder, sum over all codewords */
    uint64_t bits;               /**< bits of the codewords that converged, before decoding */
    uint64_t bit_errors;         /**< of them: LLR with the wrong sign */
    uint64_t bch_failed;         /**< codewords with more wrong bits than the BCH code corrects */
    uint64_t bch_corrected_bits; /**< wrong bits that the BCH code has corrected */
    double mer_db;        /**< modulation error ratio: equalised cells of one FEC block of each interleaving
                                      frame against the cells of its codeword; the last one measured, 0: none yet */
    uint64_t gfps_frames; /**< baseband frames of generic streams of packets of fixed length */
    uint64_t gcs_frames;  /**< of generic continuous streams */
    uint64_t gse_frames;  /**< of generic stream encapsulation */
    uint64_t common_packets;   /**< packets of the common PLP put in place of null packets */
    uint64_t unplaced_packets; /**< packets of the common PLP that found no null packet in their place */
    ldpc_bb_counters bb;       /**< frames and packets of the deframer; lost_packets: all missing packets, by
                                  the packet rate and the time for which baseband frames are missing */
} dvbt2_plp_counters;

/** What a PLP says about itself in its own data: in-band signalling and ISSY (EN 302 755, clause 5.2.3, annex C). */
typedef struct dvbt2_plp_signalling {
    uint64_t in_band_frames; /**< interleaving frames with in-band signalling */
    uint64_t in_band_errors; /**< with an in-band field that is too short or of another type than L1 says */
    bool has_a, has_b;       /**< the last one had type A, type B */
    dvbt2_in_band_a a;
    dvbt2_in_band_b b;
    uint8_t iscr_bits; /**< of ISCR: 15 or 22; 0: none yet */
    uint32_t iscr;     /**< of the last packet with one: when the modulator took it, in T */
    bool has_tto, has_bufs;
    uint64_t
        tto; /**< T from the start of the T2 frame where the interleaving frame begins to the output of a packet */
    uint64_t bufs; /**< bits of the buffer that a receiver needs for this PLP */
} dvbt2_plp_signalling;

/** One thread at a time may use a decoder. */
typedef struct dvbt2_plp_decoder dvbt2_plp_decoder;

/**
 * @param params  NULL for the defaults
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_MEMORY, LDPC_ERR_PARAM (no backend has this name), LDPC_ERR_BACKEND (it cannot be used),
 *         LDPC_ERR_RANGE (stream)
 */
LDPC_API ldpc_status dvbt2_plp_decoder_create(const dvbt2_plp_decoder_params *params, dvbt2_plp_decoder **dec,
                                              ldpc_error *err);
LDPC_API void dvbt2_plp_decoder_destroy(dvbt2_plp_decoder *dec); /**< NULL is allowed */

/**
 * Make what a format needs before its first frame comes; fec_blocks does not matter.
 *
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_NAME (code), LDPC_ERR_PARAM (modulation, TI blocks), or what
 * ldpc_decoder_create() returns; dvbt2_plp_decoder_message() has the sentence
 */
LDPC_API ldpc_status dvbt2_plp_decoder_prepare(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format);

/** Cells of an interleaving frame of this format: fec_blocks times those of a FEC block; 0 for a format that
 * cannot be made. */
LDPC_API size_t dvbt2_plp_decoder_cells(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format);

/**
 * Decode one interleaving frame. Returns when its cells have been taken; codewords may still be on their way. A failure
 * loses the rest of the frame and the packet that has begun; frames that follow are decoded.
 *
 * @param iq     dvbt2_plp_decoder_cells() cells in the order of reception, I and Q alternating, in units
 * where the mean power of the constellation is 1
 * @param noise  mean power of the error of each cell, I and Q together; not above 0 or infinite: an erasure
 * @return as dvbt2_plp_decoder_prepare(), LDPC_ERR_RANGE (fec_blocks), LDPC_ERR_DEVICE
 */
LDPC_API ldpc_status dvbt2_plp_decoder_push(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format,
                                            const float *iq, const float *noise);

/** dvbt2_plp_format_of() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API ldpc_status dvbt2_plp_format_of_sized(const dvbt2_plp_frame *frame, dvbt2_plp_format *format,
                                               size_t size);

/** The format of a PLP's cells, as its frame says it. LDPC_ERR_PARAM: L1 has a reserved value there. */
static inline ldpc_status dvbt2_plp_format_of(const dvbt2_plp_frame *frame, dvbt2_plp_format *format)
{
    return dvbt2_plp_format_of_sized(frame, format, sizeof *format);
}

/**
 * Decode cells as dvbt2_receiver_pull() hands them over: `count` of them, the first of which is number
 * `first` of the frame's; pieces of a frame come in order. They are gathered until a TI block is complete, which
 * may take several T2 frames, and are decoded then. Parts that never came are erasures.
 *
 * @return as dvbt2_plp_decoder_push(); LDPC_ERR_PARAM (reserved values), LDPC_ERR_RANGE (cells that the frame
 * does not have)
 */
LDPC_API ldpc_status dvbt2_plp_decoder_feed(dvbt2_plp_decoder *dec, const dvbt2_plp_frame *frame,
                                            uint32_t first, size_t count, const float *iq,
                                            const float *noise);

/**
 * Put the packets of a group's common PLP in place of the null packets that the transmitter put for them (EN 302 755,
 * annex D). It needs ISSY in both PLPs. Where L1 has no common PLP nothing changes.
 *
 *     dvbt2_plp_decoder_set_common(data, common);
 *     feed each of them the cells of its PLP (DVBT2_COMMON_PLP), and pull `data` only
 *
 * @param common  decoder of the common PLP, used by `dec` alone, which `dec` finishes too; it must not be destroyed before `dec`. NULL: none
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM
 */
LDPC_API ldpc_status dvbt2_plp_decoder_set_common(dvbt2_plp_decoder *dec, dvbt2_plp_decoder *common);

/** Take up to max_packets packets of LDPC_TS_PACKET bytes that are ready; returns how many there were. The others wait, and take
 * memory: a caller that cannot take them feeds no more cells. */
LDPC_API size_t dvbt2_plp_decoder_pull(dvbt2_plp_decoder *dec, uint8_t *ts, size_t max_packets);

enum { DVBT2_MAX_FRAME_BYTES = 6730 }; /**< of the longest baseband frame: 53840 bits */

/**
 * Take the next baseband frame of a generic stream (GSE, GCS, GFPS): its header of 10 bytes as it was sent, then its
 * data field of DFL bits, descrambled, the last byte filled with zeros or padding. DFL is in bytes 4 and 5 of the header, so that
 * frames may be written one after the other. Frames with wrong bits do not come.
 *
 * @param frame  out: room for `room` bytes, DVBT2_MAX_FRAME_BYTES are always enough
 * @return bytes; 0: there is none, or it does not fit
 */
LDPC_API size_t dvbt2_plp_decoder_pull_frame(dvbt2_plp_decoder *dec, uint8_t *frame, size_t room);

/** Decode what has been gathered, complete or not, and wait for all codewords that are on their way. LDPC_OK,
 * LDPC_ERR_NULL, LDPC_ERR_DEVICE. */
LDPC_API ldpc_status dvbt2_plp_decoder_finish(dvbt2_plp_decoder *dec);

/** Forget the packet that has begun: the frames that follow are not the next ones (lock was lost). */
LDPC_API void dvbt2_plp_decoder_break(dvbt2_plp_decoder *dec);

/**
 * Decode with another backend from now on, as after LDPC_ERR_DEVICE. Codewords that are on their way and cannot
 * be collected any more are lost; packets that wait, counters and the frame that is being gathered stay.
 *
 * @param backend  as in dvbt2_plp_decoder_params
 * @return LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_PARAM, LDPC_ERR_BACKEND
 */
LDPC_API ldpc_status dvbt2_plp_decoder_set_backend(dvbt2_plp_decoder *dec, const char *backend);

/** dvbt2_plp_decoder_counters() into a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void dvbt2_plp_decoder_counters_sized(const dvbt2_plp_decoder *dec, dvbt2_plp_counters *counters,
                                               size_t size);

static inline dvbt2_plp_counters dvbt2_plp_decoder_counters(const dvbt2_plp_decoder *dec)
{
    dvbt2_plp_counters counters;
    dvbt2_plp_decoder_counters_sized(dec, &counters, sizeof counters);
    return counters;
}

/** Valid until the next call with the decoder; NULL for NULL. */
LDPC_API const dvbt2_plp_signalling *dvbt2_plp_decoder_signalling(const dvbt2_plp_decoder *dec);

/** Backend and kernel of the LDPC decoder that decoded last: "cpu avx512"; "" before the first frame. */
LDPC_API const char *dvbt2_plp_decoder_kernel(const dvbt2_plp_decoder *dec);

/** Sentence about the last failure, "" if none. */
LDPC_API const char *dvbt2_plp_decoder_message(const dvbt2_plp_decoder *dec);

#ifdef __cplusplus
}
#endif
#endif
