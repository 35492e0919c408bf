/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan: all choices for a decoder, made at its creation. Backends read it instead of the parameters. */
#ifndef LDPC_PLAN_H
#define LDPC_PLAN_H

#include "code/code_internal.h"
#include "ldpc/decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Integer formats of docs/arithmetic.md. Messages and differences of two messages fit in int8. */
#define LDPC_I8_MIN        (-128)
#define LDPC_I8_MAX        127
/* i16: limit of |posterior| and |Q|, exact in half precision */
#define LDPC_I16_LIMIT     2047
/* larger messages would saturate i8 posteriors and cause an error floor */
#define LDPC_MESSAGE_LIMIT 31
#define LDPC_KNOWN_LLR     127 /* channel LLR of a column that is always zero, steps */
#define LDPC_MAX_LLR       127 /* maximum channel |LLR|; -128 is read as -127 */
/* i8: value of |Q| for an edge that does not exist; i16 uses LDPC_I16_LIMIT */
#define LDPC_I8_NO_OTHER   255

#define LDPC_RULE_THRESHOLDS 3

/* Check-node rule (docs/arithmetic.md). It computes two magnitudes from the three smallest |Q| of a check, u
 * <= v <= w (min1, min2, min3): msg_min = v - loss for every edge with |Q| = u (all of them in a tie), and
 * msg_others = u - loss for all other edges. Integers are LLR steps, floats are nats.
 *
 *   offset      the loss of both is offset
 *   normalized  both are multiplied by factor / 16, or factor_f
 *   corrected   the loss of both is offset; if v - u < threshold, the loss of msg_others is offset + step;
 *               float: the loss of msg_others is others_peak - others_slope * (v - u), at least offset
 *   three-min   the loss of msg_others is one step for each others_threshold above (v - u) + (w - u),
 *               the loss of msg_min is one step for each min_threshold above w - v;
 *               float: msg_others as in corrected; the loss of msg_min is min_peak - min_slope * (w - v), at
 *               least 0
 *
 * Example, offset 1: |Q| = 4 9 6 gives u = 4, v = 6. The first edge receives 6 - 1 = 5, all others receive
 * 4 - 1 = 3. */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never LDPC_ALGORITHM_AUTO */
    bool reads_third;         /* whether the rule uses w, so kernels must find three minima */
    int32_t max_msg;          /* limit of both magnitudes, LDPC_MESSAGE_LIMIT */
    int32_t max_msg_others;   /* limit of msg_others; below max_msg only for three-min */
    int32_t offset, step, threshold;
    int32_t others_threshold[LDPC_RULE_THRESHOLDS]; /* in descending order */
    int32_t min_threshold[LDPC_RULE_THRESHOLDS];    /* in descending order */
    int32_t factor;
    float offset_f;
    float others_peak_f, others_slope_f;
    float min_peak_f, min_slope_f;
    float factor_f;
} ldpc_rule;

typedef struct ldpc_plan {
    ldpc_code *code;            /* the plan holds a reference */
    ldpc_algorithm algorithm;   /* never LDPC_ALGORITHM_AUTO */
    ldpc_arithmetic arithmetic; /* never LDPC_ARITHMETIC_AUTO */
    ldpc_schedule schedule;     /* never LDPC_SCHEDULE_AUTO */
    uint32_t max_iterations;
    bool early_stop;
    bool packed;
    float llr_scale;
    /* limit of channel LLRs in steps; LDPC_MAX_LLR in float arithmetic and over GF(q) */
    int32_t llr_limit;
    /* values of the caller; automatic if offset < 0 or factor is 0 */
    float offset, factor;
    uint32_t kept;    /* EMS: number of costs kept per message */
    uint32_t threads; /* number of CPU threads, never 0 */
    size_t max_batch; /* maximum batch size; 0: automatic */
    char kernel[32];  /* name of the kernel; "": automatic */
    char *cache_dir;  /* folder of compiled kernels, or NULL */
    char *devices;    /* devices; NULL: the first device */
    uint32_t streams; /* number of batches in flight; 0: automatic */
    /* smaller batches are decoded by the CPU; 0: all batches by one backend */
    size_t min_gpu_batch;
} ldpc_plan;

/* Converts the caller's struct of any version. If it is NULL, sets the defaults. */
ldpc_status ldpc_decoder_params_read(ldpc_decoder_params *own, const ldpc_decoder_params *given,
                                     ldpc_error *err);

/* Copies all strings and replaces every "auto". `arithmetic` replaces "auto" for min-sum. On failure, the
 * plan owns no memory. */
ldpc_status ldpc_plan_init(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                           ldpc_arithmetic arithmetic, ldpc_error *err);
void ldpc_plan_clear(ldpc_plan *plan);

/* The values are checked as in ldpc_plan_init(). */
ldpc_status ldpc_plan_set_max_iterations(ldpc_plan *plan, uint32_t max_iterations, ldpc_error *err);
ldpc_status ldpc_plan_set_offset(ldpc_plan *plan, float offset, ldpc_error *err);
ldpc_status ldpc_plan_set_factor(ldpc_plan *plan, float factor, ldpc_error *err);

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
