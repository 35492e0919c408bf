/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan: every choice of a decoder, made once when it is created. Backends read the plan, not the
 * parameters. */
#ifndef LDPC_PLAN_H
#define LDPC_PLAN_H

#include "code/code_internal.h"
#include "ldpc/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The integer formats of docs/arithmetic.md. Check messages fit int8 everywhere, and so does the difference
 * of two. */
#define LDPC_I8_MIN        (-128)
#define LDPC_I8_MAX        127
#define LDPC_I16_LIMIT     2047 /* posteriors and Q lie in -2047 .. 2047: exact in half precision */
#define LDPC_MESSAGE_LIMIT 31   /* larger ones make i8 posteriors saturate: frames stay wrong at any Eb/N0 */
#define LDPC_KNOWN_LLR     127  /* what a column that is known to be zero starts from, in steps */
#define LDPC_MAX_LLR       127  /* magnitude of channel LLRs: -128 reads as -127 */
#define LDPC_I8_NO_OTHER   255  /* |Q| where a check has no further edge; of i16, LDPC_I16_LIMIT */

#define LDPC_RULE_THRESHOLDS 3

/* Check-node rule (docs/arithmetic.md), the same for all checks of a code. From the three smallest |Q| of a
 * check, u <= v <= w (min1, min2, min3), it makes two magnitudes: msg_min = v - ... for every edge with
 * |Q| = u (all of them when several tie), and msg_others = u - ... for all other edges. Integers are LLR steps, floats are nat.
 *
 *   offset      both lose offset
 *   normalized  both are multiplied by factor / 16, or factor_f
 *   corrected   both lose offset, msg_others step more while v - u < threshold;
 *               float: msg_others loses others_peak - others_slope * (v - u), at least offset
 *   three-min   msg_others loses a step for each others_threshold that (v - u) + (w - u) is below,
 *               msg_min a step for each min_threshold that w - v is below;
 *               float: msg_others as in corrected, msg_min loses min_peak - min_slope * (w - v), at least 0
 */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never auto */
    bool reads_third;         /* w is used: kernels that find two minima only do not suffice */
    int32_t max_msg;          /* limit of both magnitudes: LDPC_MESSAGE_LIMIT */
    int32_t max_msg_others;   /* limit of msg_others, no more than max_msg; lower for three-min only */
    int32_t offset, step, threshold;
    int32_t others_threshold[LDPC_RULE_THRESHOLDS]; /* the largest first */
    int32_t min_threshold[LDPC_RULE_THRESHOLDS];    /* the largest first */
    int32_t factor;
    float offset_f;
    float others_peak_f, others_slope_f;
    float min_peak_f, min_slope_f;
    float factor_f;
} ldpc_rule;

typedef struct ldpc_plan {
    ldpc_code *code;            /* the plan holds a reference */
    ldpc_algorithm algorithm;   /* never auto */
    ldpc_arithmetic arithmetic; /* never auto */
    ldpc_schedule schedule;     /* never auto */
    uint32_t max_iterations;
    bool early_stop;
    bool packed;
    float llr_scale;
    int32_t llr_limit;    /* of channel LLRs in steps; LDPC_MAX_LLR in float arithmetic and over GF(q) */
    float offset, factor; /* as given: negative / 0 = the library's choice */
    uint32_t kept;        /* EMS: costs kept of each message */
    uint32_t threads;     /* never 0 */
    size_t max_batch;     /* 0 = the backend's choice */
    char kernel[32];      /* "" = the backend's choice */
    char *cache_dir;      /* NULL = none */
    char *devices;        /* NULL = the first */
    uint32_t streams;     /* 0 = the backend's choice */
    size_t min_gpu_batch; /* CPU and GPU together: the CPU decodes batches of fewer codewords */
} ldpc_plan;

/* The caller's parameters as this library's struct; NULL gives the defaults. */
ldpc_status ldpc_decoder_params_read(ldpc_decoder_params *own, const ldpc_decoder_params *given,
                                     ldpc_error *err);

/* Check the parameters, copy what they point to and resolve every "auto"; `arithmetic` is what the backend
 * prefers for min-sum decoders. The plan owns its copies: after a failure there are none, and
 * ldpc_plan_clear() does nothing. */
ldpc_status ldpc_plan_init(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                           ldpc_arithmetic arithmetic, ldpc_error *err);
void ldpc_plan_clear(ldpc_plan *plan);

/* The parameters that may change later, with the same checks. */
ldpc_status ldpc_plan_set_max_iterations(ldpc_plan *plan, uint32_t max_iterations, ldpc_error *err);
ldpc_status ldpc_plan_set_offset(ldpc_plan *plan, float offset, ldpc_error *err);
ldpc_status ldpc_plan_set_factor(ldpc_plan *plan, float factor, ldpc_error *err);

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
