/* SPDX-License-Identifier: BSD-3-Clause */
/* Error-rate simulation: random messages, encoder, modulation, channel, demapping to LLRs, decoder, error
 * counts.
 *
 *     ldpc_sim_params params;
 *     ldpc_sim_result result;
 *     ldpc_sim_params_init(&params);
 *     params.ebn0_db = 1.5;
 *     ldpc_sim_run(dec, &params, &result, NULL);
 *
 * A frame (one simulated codeword) depends on (seed, point, frame number) alone and has the same bytes on
 * every machine (docs/ber.md). Frames are counted in numbered blocks of LDPC_SIM_BLOCK: a point ends with the
 * first block, in order, that reaches its goal. So counts do not depend on threads or machines.
 */
#ifndef LDPC_SIM_H
#define LDPC_SIM_H

#include "ldpc/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Modulation of the simulated channel. QAM is square with Gray labels whose bits alternate between the two
 * axes (3GPP TS 38.211, section 5.1); the receiver demaps by max-log. */
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
    LDPC_FADING_RAYLEIGH, /**< also a Rayleigh amplitude for each symbol, mean square 1, known to the receiver
                           */
} ldpc_fading;

/** Names for files and command lines: "bpsk" "qpsk" "16qam" "64qam" "256qam" · "none" "rayleigh". The parsers
 * return LDPC_ERR_PARAM for other names. */
LDPC_API const char *ldpc_modulation_name(ldpc_modulation modulation);
LDPC_API const char *ldpc_fading_name(ldpc_fading fading);
LDPC_API ldpc_status ldpc_modulation_parse(const char *name, ldpc_modulation *modulation);
LDPC_API ldpc_status ldpc_fading_parse(const char *name, ldpc_fading *fading);

/** One point of a curve. Start from ldpc_sim_params_init(). */
typedef struct ldpc_sim_params {
    size_t size;    /**< set by the init function; see version.h, "Compatibility" */
    double ebn0_db; /**< Eb/N0 in dB, Eb per information bit (k / n transmitted), default 1 */
    bool esn0;      /**< ebn0_db is Es/N0 instead: energy of a channel symbol, default false */
    uint64_t seed;  /**< the same seed gives the same frames, default 1 */
    uint32_t point; /**< number of the point, 0 .. 2^30 - 1: points have independent frames; default 0 */
    uint64_t first_frame;       /**< number of the first frame, default 0 */
    uint64_t max_frames;        /**< stop after this many frames, default 1000 */
    uint64_t max_frame_errors;  /**< stop at the end of the first block that reaches this many frame errors,
                                   default 100; 0 = never */
    ldpc_modulation modulation; /**< default BPSK */
    ldpc_fading fading;         /**< default none */
    bool zero_codeword; /**< always transmit the all-zero codeword, default false. Its error rates are those
                           of random codewords if channel and decoder treat 0 and 1 alike, which QAM does not.
                             Codes without an encoder use it in any case, over BPSK and QPSK only */
} ldpc_sim_params;

/** Counts of a point. Bits are information bits. */
typedef struct ldpc_sim_result {
    uint64_t frames, frame_errors;
    uint64_t bits, bit_errors;
    uint64_t symbols, symbol_errors; /**< the same for symbols of log2 q bits */
    uint64_t undetected;             /**< frames that converged to another codeword */
    uint64_t iterations;             /**< sum over all frames */
    uint64_t channel_errors;         /**< hard-decision errors of the n transmitted bits before decoding */
} ldpc_sim_result;

/** Frames of a block. */
#define LDPC_SIM_BLOCK 64

/** Counts of one block: bit i of the masks and iterations[i] belong to its i-th frame. */
typedef struct ldpc_sim_block {
    uint64_t failed;     /**< frames with a wrong information bit */
    uint64_t undetected; /**< those of them that converged */
    uint64_t bit_errors, symbol_errors, channel_errors;
    uint32_t frames; /**< LDPC_SIM_BLOCK, less in the last one */
    uint16_t iterations[LDPC_SIM_BLOCK];
} ldpc_sim_block;

/** Fill in the defaults of a struct of `size` bytes; for callers that do not use these headers. */
LDPC_API void ldpc_sim_params_init_sized(ldpc_sim_params *params, size_t size);

/** Fill in the defaults. */
static inline void ldpc_sim_params_init(ldpc_sim_params *params)
{
    ldpc_sim_params_init_sized(params, sizeof *params);
}

/** Simulate one point with a decoder that nothing is in flight on. Counts depend on code, decoder parameters
 * and `params` only, not on threads or batch sizes. */
LDPC_API ldpc_status ldpc_sim_run(ldpc_decoder *dec, const ldpc_sim_params *params, ldpc_sim_result *result,
                                  ldpc_error *err);

/**
 * Simulate given blocks of a point: the part of a run that several machines can share.
 *
 * @param params       of the point; max_frames and max_frame_errors are ignored
 * @param first_block  number of the first block: it starts at frame first_frame + LDPC_SIM_BLOCK *
 *                     first_block
 * @param n_frames     frames from there on; only the last block may be part of one
 * @param blocks       out: one record for each block
 */
LDPC_API ldpc_status ldpc_sim_blocks(ldpc_decoder *dec, const ldpc_sim_params *params, uint64_t first_block,
                                     uint64_t n_frames, ldpc_sim_block *blocks, ldpc_error *err);

/** Add blocks, in order, to the counts of a point until it reaches its goals; returns the number of blocks
 * added. If it is less than n_blocks, the point is complete. `code` determines the information bits of a
 * frame. */
LDPC_API size_t ldpc_sim_count(const ldpc_code *code, const ldpc_sim_params *params,
                               const ldpc_sim_block *blocks, size_t n_blocks, ldpc_sim_result *result);

/**
 * Make frames first_frame .. first_frame + n_frames - 1 of the simulation, to inspect them or to replay a
 * failure: message bits and LLRs as in ldpc_batch; each output may be NULL.
 *
 * @param llr_scale  int8 LLR steps per nat, 0.25 .. 64
 */
LDPC_API ldpc_status ldpc_sim_frames(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                                     size_t n_frames, uint8_t *message, int8_t *llr, float *llr_float,
                                     ldpc_error *err);

/** The same for one frame, number `frame`. */
LDPC_API ldpc_status ldpc_sim_frame(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                                    uint64_t frame, uint8_t *message, int8_t *llr, float *llr_float);

#ifdef __cplusplus
}
#endif
#endif
