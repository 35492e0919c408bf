/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a launch, and the constants that host and device share. The host compiles this header as
 * C11, and every kernel begins with it. */
#ifndef LDPC_CUDA_LAUNCH_ARGS_H
#define LDPC_CUDA_LAUNCH_ARGS_H

#if defined(__CUDACC__) || defined(LDPC_EMULATED_DEVICE)

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned int u32;
#define LDPC_DEVICE_POINTER(type) type *

#else

#include <stdint.h>

#define LDPC_DEVICE_POINTER(type) uint64_t

#endif

/* Check-node rules, the values of ldpc_algorithm (decoder.h). */
enum {
    LDPC_RULE_MIN_SUM = 1,
    LDPC_RULE_OFFSET = 2,
    LDPC_RULE_NORMALIZED = 3,
    LDPC_RULE_CORRECTED = 4,
    LDPC_RULE_SUM_PRODUCT = 5,
    LDPC_RULE_THREE_MIN = 8,
};

/* ldpc_cuda_args.source of a column position that has no LLR */
#define LDPC_CUDA_UNKNOWN (-1) /* starts from 0 */
#define LDPC_CUDA_KNOWN   (-2) /* is known to be zero: starts from LDPC_CUDA_KNOWN_LLR */

#define LDPC_CUDA_KNOWN_LLR 127         /* LDPC_KNOWN_LLR (plan.h) */
#define LDPC_CUDA_LEAST_LLR (-127)      /* -128 reads as this */
#define LDPC_CUDA_ZERO      0xffffffffu /* ldpc_cuda_args.codeword_at of a symbol that is always zero */

/* ldpc_codeword_info as 32-bit words: iterations, unsatisfied, and these two bytes */
#define LDPC_CUDA_INFO_WORDS     3
#define LDPC_CUDA_INFO_CONVERGED 0x0001u
#define LDPC_CUDA_INFO_DECODED   0x0100u

#define LDPC_CUDA_THRESHOLDS 3 /* LDPC_RULE_THRESHOLDS (plan.h) */

/* Launches of a program in phases, in this order; the three in the middle once for each iteration. */
enum {
    LDPC_CUDA_BEGIN,
    LDPC_CUDA_TEST, /* with early stop, and after the last iteration for the info */
    LDPC_CUDA_CHECKS,
    LDPC_CUDA_VARIABLES,
    LDPC_CUDA_END,
};

/* One launch. Outputs may be 0: not wanted. */
typedef struct ldpc_cuda_args {
    LDPC_DEVICE_POINTER(const s8) llr;       /* [n_codewords][n] */
    LDPC_DEVICE_POINTER(const float) floats; /* [n_codewords][n] in nat; 0: llr is given */
    LDPC_DEVICE_POINTER(const u8) costs;     /* [n_codewords][n][q] symbol costs; 0: llr is given */
    LDPC_DEVICE_POINTER(u8) message;         /* [n_codewords][ceil(k / 8)] */
    LDPC_DEVICE_POINTER(u8) codeword;        /* [n_codewords][ceil(n / 8)] */
    LDPC_DEVICE_POINTER(short) posterior;    /* [n_codewords][n] */
    LDPC_DEVICE_POINTER(u8) symbols;         /* [n_codewords][n][q] symbol costs */
    LDPC_DEVICE_POINTER(u32) info;           /* [n_codewords] ldpc_codeword_info */
    LDPC_DEVICE_POINTER(const u32) table;    /* the program's */
    LDPC_DEVICE_POINTER(u32) scratch;        /* scratch_bytes for each thread block of the grid */
    LDPC_DEVICE_POINTER(u32) counter;        /* 0 at the beginning and at the end of a launch */
    LDPC_DEVICE_POINTER(const int) source;   /* these three: ldpc_cuda_positions */
    LDPC_DEVICE_POINTER(const u32) codeword_at;
    LDPC_DEVICE_POINTER(const u32) message_at;
    unsigned n_codewords, n, k, positions;
    unsigned max_iterations, early_stop, flooding;
    int lowest, highest; /* posteriors and Q saturate there */
    int no_other;        /* |Q| where a check has no further edge */
    /* the check-node rule in integers: ldpc_rule (plan.h) */
    int algorithm, max_msg, max_msg_others, offset, step, threshold;
    int others_threshold[LDPC_CUDA_THRESHOLDS], min_threshold[LDPC_CUDA_THRESHOLDS], factor;
    unsigned phase, iteration; /* of a program in phases */
} ldpc_cuda_args;

#endif
