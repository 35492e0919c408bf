/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan: every choice of a decoder, made once when it is created. Backends read it and nothing else. */
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
#define LDPC_MESSAGE_LIMIT 63
#define LDPC_KNOWN_LLR     127 /* what a column that is known to be zero starts from, in steps */

/* Check-node rule (docs/arithmetic.md). It may depend on the check's degree, so it is looked up when tables
 * are built. */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never auto */
    int32_t
        max_message; /* check messages are clamped to this magnitude, once per row; <= LDPC_MESSAGE_LIMIT */
    int32_t offset;  /* offset rules: steps */
    int32_t factor;  /* normalised: sixteenths */
    float offset_f, factor_f; /* the same for float arithmetic, offset in nat */
} ldpc_rule;

typedef struct ldpc_plan {
    ldpc_code *code;            /* a reference of the plan's own */
    ldpc_algorithm algorithm;   /* never auto */
    ldpc_arithmetic arithmetic; /* never auto */
    ldpc_schedule schedule;     /* never auto */
    uint32_t max_iterations;
    bool early_stop;
    bool packed;
    float llr_scale;
    float offset, factor; /* as asked for: negative / 0 = the library's choice */
    uint32_t threads;     /* never 0 */
    size_t max_batch;     /* 0 = the backend's choice */
    char kernel[32];      /* "" = the backend's choice */
    char *cache_dir;      /* NULL = none */
} ldpc_plan;

/* Check the parameters and resolve every "auto"; `arithmetic` is what the backend likes best for min-sum
 * decoders. */
ldpc_status ldpc_plan_init(ldpc_plan *plan, const ldpc_code *code, const ldpc_decoder_params *params,
                           ldpc_arithmetic arithmetic, ldpc_error *err);
void ldpc_plan_clear(ldpc_plan *plan);

/* The parameters that may change later, with the same checks. */
ldpc_status ldpc_plan_set_max_iterations(ldpc_plan *plan, uint32_t max_iterations, ldpc_error *err);
ldpc_status ldpc_plan_set_offset(ldpc_plan *plan, float offset, ldpc_error *err);
ldpc_status ldpc_plan_set_factor(ldpc_plan *plan, float factor, ldpc_error *err);

/* The rule for checks of this degree under this plan. */
ldpc_rule ldpc_plan_rule(const ldpc_plan *plan, uint32_t degree);

#ifdef __cplusplus
}
#endif
#endif
