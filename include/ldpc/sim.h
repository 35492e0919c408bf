/* SPDX-License-Identifier: BSD-3-Clause */
/* Error-rate simulation: random words, encoder, BPSK, AWGN, quantisation, decoding, counting. */
#ifndef LDPC_SIM_H
#define LDPC_SIM_H

#include "ldpc/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One point of a curve. Start from ldpc_sim_params_init(). */
typedef struct ldpc_sim_params {
    double ebn0_db;       /**< Eb/N0 in dB, Eb per information bit (k / n transmitted), default 1 */
    uint64_t seed;        /**< the same seed gives the same frames, default 1 */
    uint64_t first_frame; /**< number of the first frame, default 0: every frame is made from (seed, number)
                             alone */
    uint64_t max_frames;  /**< stop after so many frames, default 1000 */
    uint64_t max_frame_errors; /**< stop at the first frame that reaches so many frame errors, default 100; 0
                                  = never */
} ldpc_sim_params;

/** What was counted; information bits. */
typedef struct ldpc_sim_result {
    uint64_t frames, frame_errors;
    uint64_t bits, bit_errors;
    uint64_t symbols, symbol_errors; /**< the same in symbols of log2 q bits */
    uint64_t undetected;             /**< converged, but to another codeword */
    uint64_t iterations;             /**< sum over all frames */
    uint64_t channel_errors;         /**< hard-decision errors of the n transmitted bits before decoding */
    double decode_seconds;           /**< time inside the decoder */
} ldpc_sim_result;

LDPC_API void ldpc_sim_params_init(ldpc_sim_params *params);

/** Simulate one point with a decoder that nothing is in flight on. Counts depend on code, decoder parameters
 * and `params` only, not on threads or batch sizes. */
LDPC_API ldpc_status ldpc_sim_run(ldpc_decoder *dec, const ldpc_sim_params *params, ldpc_sim_result *result,
                                  ldpc_error *err);

/** Make one frame of the simulation, to look at it or to replay a failure: message bits and LLRs as a batch
 * has them; either may be NULL. */
LDPC_API ldpc_status ldpc_sim_frame(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                                    uint64_t frame, uint8_t *message, int8_t *llr, float *llr_float);

#ifdef __cplusplus
}
#endif
#endif
