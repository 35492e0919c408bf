/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan: every choice of a decoder, made once when it is created. Backends read it and nothing else. */
#ifndef LDPC_PLAN_H
#define LDPC_PLAN_H

#include "code/code_internal.h"
#include "ldpc/decoder.h"

/* Check-node rule in integers (docs/arithmetic.md). One per check degree, looked up when tables are built. */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never auto */
    int32_t max_message;      /* check messages are clamped to this magnitude, once per row */
    int32_t offset;           /* offset rules: steps */
    int32_t factor;           /* normalised: sixteenths */
    float offset_f, factor_f; /* the same for float arithmetic, offset in nat */
} ldpc_rule;

typedef struct ldpc_plan {
    const ldpc_code *code;
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
    char backend[16], kernel[32];
    char *cache_dir; /* NULL = none */
} ldpc_plan;

/* The rule for checks of this degree under this plan. */
ldpc_rule ldpc_plan_rule(const ldpc_plan *plan, uint32_t degree);

#endif
