/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan contains all choices for a decoder. It is made when the decoder is created. Backends read the plan
 * instead of the parameters. */
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
#define LDPC_I16_LIMIT     2047
#define LDPC_MESSAGE_LIMIT 31
#define LDPC_KNOWN_LLR     127
#define LDPC_MAX_LLR       127 /* maximum channel |LLR|; -128 is read as -127 */
#define LDPC_I8_NO_OTHER   255

#define LDPC_RULE_THRESHOLDS 3

/* Check-node rule (docs/arithmetic.md). u <= v <= w are the three smallest |Q| of a check (min1, min2, min3).
 * An edge with |Q| = u receives the magnitude msg_min = v - loss. All other edges receive
 * msg_others = u - loss. Integers are LLR steps, floats are nats.
 *
 *   offset      loss = `offset`
 *   normalized  no loss; both magnitudes are multiplied by factor / 16, or factor_f
 *   corrected   msg_min: loss = `offset`
 *               msg_others: loss = `offset`, plus `step` if v - u < threshold
 *                           float: loss = max(others_peak - others_slope * (v - u), `offset`)
 *   three-min   msg_min: one step for each min_threshold above w - v
 *                        float: loss = max(min_peak - min_slope * (w - v), 0)
 *               msg_others: one step for each others_threshold above (v - u) + (w - u)
 *                           float: as in corrected
 *
 * Example, offset 1: |Q| = 4 9 6 gives u = 4, v = 6. The first edge receives 6 - 1 = 5, all others 4 - 1 = 3. */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never LDPC_ALGORITHM_AUTO */
    bool reads_third;         /* kernels must find w */
    int32_t max_msg;
    int32_t max_msg_others;
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
    int32_t llr_limit;
    float offset, factor;
    uint32_t kept;
    uint32_t threads; /* number of CPU threads, never 0 */
    size_t max_batch; /* maximum batch size; 0: automatic */
    char kernel[32];  /* name of the kernel; "": automatic */
    char *cache_dir;
    char *devices;    /* devices; NULL: the first device */
    uint32_t streams; /* batches in flight; 0: automatic */
    size_t min_gpu_batch;
} ldpc_plan;

/* Converts the caller's struct of any version. If the struct is NULL, sets the defaults. */
ldpc_status ldpc_decoder_params_read(ldpc_decoder_params *own, const ldpc_decoder_params *given,
                                     ldpc_error *err);

/* Copies all strings and replaces every "auto". With min-sum rules, the arithmetic "auto" becomes
 * `arithmetic`. On failure, the plan owns no memory. */
ldpc_status ldpc_plan_init(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                           ldpc_arithmetic arithmetic, ldpc_error *err);
void ldpc_plan_clear(ldpc_plan *plan);

ldpc_status ldpc_plan_set_max_iterations(ldpc_plan *plan, uint32_t max_iterations, ldpc_error *err);
ldpc_status ldpc_plan_set_offset(ldpc_plan *plan, float offset, ldpc_error *err);
ldpc_status ldpc_plan_set_factor(ldpc_plan *plan, float factor, ldpc_error *err);

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
