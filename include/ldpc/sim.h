/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates error rates: encodes random messages, modulates, applies a channel, demaps, decodes, and counts
 * errors.
 *
 *     ldpc_sim_params params;
 *     ldpc_sim_result result;
 *     ldpc_sim_params_init(&params);
 *     params.ebn0_db = 1.5;
 *     ldpc_sim_run(dec, &params, &result, NULL);
 *
 * A frame is one simulated codeword. It depends only on seed, point and frame number, and has the same bytes
 * on every machine (docs/ber.md). Errors are counted in blocks of LDPC_SIM_BLOCK frames. A point ends with
 * the first block at which its counts reach a limit, so counts do not depend on machine or threads.
 */
#ifndef LDPC_SIM_H
#define LDPC_SIM_H

#include "ldpc/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Modulation. QAM is square and Gray-labelled, bits alternating between the axes (3GPP TS 38.211, section
 * 5.1). The demapper is max-log. */
typedef enum ldpc_modulation {
    LDPC_MODULATION_BPSK = 0,
    LDPC_MODULATION_QPSK,
    LDPC_MODULATION_16QAM,
    LDPC_MODULATION_64QAM,
    LDPC_MODULATION_256QAM,
} ldpc_modulation;

/** Fading of a channel symbol. */
typedef enum ldpc_fading {
    LDPC_FADING_NONE = 0, /**< white Gaussian noise only */
    /** independent Rayleigh amplitude per symbol, mean square 1, known to the demapper */
    LDPC_FADING_RAYLEIGH,
} ldpc_fading;

/** Channel from modulator to demapper. */
typedef enum ldpc_sim_channel {
    LDPC_CHANNEL_AWGN = 0, /**< white Gaussian noise, with or without fading */
    /** binary symmetric: bits are inverted with probability p; LLRs are +-ln((1 - p) / p) */
    LDPC_CHANNEL_BSC,
    /** binary erasure: bits are erased (LLR 0) with probability p; other LLRs are +-127 / llr_scale */
    LDPC_CHANNEL_BEC,
} ldpc_sim_channel;

/** Names for files and command lines. The parsers return LDPC_ERR_PARAM for any other name.
 *
 *     modulations  bpsk qpsk 16qam 64qam 256qam
 *     fadings      none rayleigh
 *     channels     awgn bsc bec */
LDPC_API const char *ldpc_modulation_name(ldpc_modulation modulation);
LDPC_API const char *ldpc_fading_name(ldpc_fading fading);
LDPC_API ldpc_status ldpc_modulation_parse(const char *name, ldpc_modulation *modulation);
LDPC_API ldpc_status ldpc_fading_parse(const char *name, ldpc_fading *fading);
LDPC_API const char *ldpc_sim_channel_name(ldpc_sim_channel channel);
LDPC_API ldpc_status ldpc_sim_channel_parse(const char *name, ldpc_sim_channel *channel);

/** One point of an error-rate curve. Initialise with ldpc_sim_params_init(). */
typedef struct ldpc_sim_params {
    size_t size;    /**< see version.h */
    double ebn0_db; /**< Eb/N0 in dB, Eb per information bit at rate k / n; default 1 */
    /** true: ebn0_db is Es/N0 in dB, Es per channel symbol; default false */
    bool esn0;
    uint64_t seed; /**< default 1 */
    /** number of the point, 0 .. 2^30 - 1; points have independent frames; default 0 */
    uint32_t point;
    uint64_t first_frame; /**< default 0 */
    uint64_t max_frames;  /**< default 1000 */
    /** stop after the block that reaches this number; 0 = no limit; default 100 */
    uint64_t max_frame_errors;
    ldpc_modulation modulation; /**< default LDPC_MODULATION_BPSK */
    ldpc_fading fading;         /**< default none */
    /** transmit the all-zero codeword; default false. Error rates equal those of random codewords if channel
     * and decoder are symmetric (QAM is not symmetric). Codes without an encoder need this option, and BPSK
     * or QPSK */
    bool zero_codeword;
    ldpc_sim_channel
        channel; /**< default AWGN; BSC and BEC need BPSK without fading, and ignore ebn0_db and esn0 */
    /** probability of an error, 0 .. 0.5 (BSC), or an erasure, 0 .. 1 (BEC); default 0 */
    double probability;
    /** demapper whose points or bit order differ from `modulation`; NULL (default) = none. The constellation
     * must not be rotated, and the demapper must have the n of the code. LLRs are max-log. Frames are made on
     * the host. Keep the demapper until the call returns */
    const struct ldpc_demapper *demapper;
} ldpc_sim_params;

/** Counts of a point. Bits are information bits. */
typedef struct ldpc_sim_result {
    uint64_t frames, frame_errors;
    uint64_t bits, bit_errors;
    /** number of information symbols (log2 q bits each), number of wrong symbols */
    uint64_t symbols, symbol_errors;
    uint64_t undetected; /**< frames that converged to a wrong codeword */
    uint64_t iterations; /**< sum over all frames */
    uint64_t
        /** number of hard-decision errors before decoding; for the BEC, number of erasures */
        channel_errors;
} ldpc_sim_result;

/** Frames per block. */
#define LDPC_SIM_BLOCK 64

/** Counts of one block. Bit i of the masks and iterations[i] belong to frame i. */
typedef struct ldpc_sim_block {
    uint64_t failed;     /**< frames with at least one wrong information bit */
    uint64_t undetected; /**< frames that converged to a wrong codeword */
    uint64_t bit_errors, symbol_errors, channel_errors;
    uint32_t frames; /**< number of frames: LDPC_SIM_BLOCK, or fewer in the last block */
    uint16_t iterations[LDPC_SIM_BLOCK];
} ldpc_sim_block;

/** Set the defaults in a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_sim_params_init_sized(ldpc_sim_params *params, size_t size);

/** Set the defaults. */
static inline void ldpc_sim_params_init(ldpc_sim_params *params)
{
    ldpc_sim_params_init_sized(params, sizeof *params);
}

/** Simulate one point. No batch may be in flight. Counts depend only on code, decoder parameters and
 * `params`. */
LDPC_API ldpc_status ldpc_sim_run(ldpc_decoder *dec, const ldpc_sim_params *params, ldpc_sim_result *result,
                                  ldpc_error *err);

/**
 * Simulate some blocks of a point, to distribute a run over several machines.
 *
 * @param params       the point; max_frames and max_frame_errors are ignored
 * @param first_block  number of the first block, which starts at frame first_frame + LDPC_SIM_BLOCK *
 *                     first_block
 * @param n_frames     number of frames; the last block may be incomplete
 * @param blocks       out: one record per block
 */
LDPC_API ldpc_status ldpc_sim_blocks(ldpc_decoder *dec, const ldpc_sim_params *params, uint64_t first_block,
                                     uint64_t n_frames, ldpc_sim_block *blocks, ldpc_error *err);

/** Adds blocks to the counts of a point, in order, until a limit of the point is reached. Returns the number
 * of added blocks. If it is less than n_blocks, the point is complete. `code` has the number of information
 * bits. */
LDPC_API size_t ldpc_sim_count(const ldpc_code *code, const ldpc_sim_params *params,
                               const ldpc_sim_block *blocks, size_t n_blocks, ldpc_sim_result *result);

/**
 * Make frames first_frame .. first_frame + n_frames - 1 of the simulation. Message bits and LLRs are as in
 * ldpc_batch; each output may be NULL.
 *
 * @param llr_scale  int8 LLR steps per nat, 0.25 .. 64
 */
LDPC_API ldpc_status ldpc_sim_frames(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                                     size_t n_frames, uint8_t *message, int8_t *llr, float *llr_float,
                                     ldpc_error *err);

/** Make frame number `frame`. */
LDPC_API ldpc_status ldpc_sim_frame(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                                    uint64_t frame, uint8_t *message, int8_t *llr, float *llr_float);

#ifdef __cplusplus
}
#endif
#endif
