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
#define LDPC_MESSAGE_LIMIT 31   /* larger ones make i8 posteriors saturate: frames stay wrong at any Eb/N0 */
#define LDPC_KNOWN_LLR     127  /* what a column that is known to be zero starts from, in steps */
#define LDPC_I8_NO_OTHER   255  /* |Q| where a check has no further edge; of i16, LDPC_I16_LIMIT */

#define LDPC_RULE_DISTANCES 3

/* Check-node rule (docs/arithmetic.md), the same for all checks: from the smallest |Q| of a row, u <= v <= w,
 * to the magnitudes m1 of its messages and m2 of the message to the edge that holds u. Only three-min asks
 * for w. */
typedef struct ldpc_rule {
    ldpc_algorithm algorithm; /* never auto */
    /* integers, in LLR steps */
    int32_t max_message;     /* m2 is clamped to it last: LDPC_MESSAGE_LIMIT */
    int32_t max_others;      /* and m1 to this, no more than max_message */
    int32_t offset;          /* offset, corrected: m1 and m2 lose it */
    int32_t step, threshold; /* corrected: m1 loses `step` more while v - u < threshold */
    int32_t
        spread[LDPC_RULE_DISTANCES]; /* three-min: m1 loses `step` for each that (v - u) + (w - u) is below */
    int32_t far[LDPC_RULE_DISTANCES]; /* and m2 for each that w - v is below; the largest first */
    int32_t factor;                   /* normalised: sixteenths */
    /* float, in nat */
    float offset_f;        /* offset, corrected, three-min: m1 loses it, and m2 but for three-min */
    float peak_f, slope_f; /* corrected, three-min: m1 loses peak - slope * (v - u), at least offset */
    float far_peak_f, far_slope_f; /* three-min: m2 loses far_peak - far_slope * (w - v), at least 0 */
    float factor_f;
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
    uint32_t kept;        /* EMS: elements of a message that are kept */
    uint32_t threads;     /* never 0 */
    size_t max_batch;     /* 0 = the backend's choice */
    char kernel[32];      /* "" = the backend's choice */
    char *cache_dir;      /* NULL = none */
    char *devices;        /* NULL = the first */
    uint32_t streams;     /* 0 = the backend's choice */
    size_t min_gpu_batch; /* CPU and GPU together: batches of fewer words are the CPU's */
    bool breadth_first;   /* one call's streams: all copies, then all kernels */
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

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
