/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_CUDA_LAUNCH_ARGS_H
#define LDPC_CUDA_LAUNCH_ARGS_H

#include "../../lib/plan/rule_list.h"

#if defined(__OPENCL_VERSION__)

typedef uchar u8;
typedef char s8;
typedef ushort u16;
typedef uint u32;
#define LDPC_ARGS_POINTER(type, name) global type *name;

#elif defined(__CUDACC__) || defined(LDPC_EMULATED_DEVICE)

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned int u32;
#define LDPC_ARGS_POINTER(type, name) type *name;

#else

#include <stdint.h>

#define LDPC_ARGS_POINTER(type, name) uint64_t name;

#endif

#define LDPC_RULE_VALUE(constant, value, name, reads_third) LDPC_RULE_##constant = value,
enum { LDPC_EACH_RULE(LDPC_RULE_VALUE) };

#define LDPC_CUDA_UNKNOWN (-1) /* unknown bit: LLR 0 */
#define LDPC_CUDA_KNOWN   (-2) /* known zero */

#define LDPC_CUDA_KNOWN_LLR 127 /* LDPC_KNOWN_LLR (plan.h) */
#define LDPC_CUDA_LEAST_LLR (-127)
#define LDPC_CUDA_ZERO      0xffffffffu

#define LDPC_CUDA_INFO_WORDS     3
#define LDPC_CUDA_INFO_CONVERGED 0x0001u
#define LDPC_CUDA_INFO_DECODED   0x0100u

#define LDPC_CUDA_THRESHOLDS 3 /* LDPC_RULE_THRESHOLDS (plan.h) */

/* P(type, name) for each pointer; 0 if an output is not requested. */
#define LDPC_ARGS_POINTERS(P)                                                                                \
    P(const s8, llr)       /* [n_codewords][n] LLRs, or 0 */                                                 \
    P(const float, floats) /* [n_codewords][n] LLRs in nats, or 0 */                                         \
    P(const u8, costs)     /* [n_codewords][n][q] symbol costs, or 0 */                                      \
    P(u8, message)         /* [n_codewords][ceil(k / 8)] message bits */                                     \
    P(u8, codeword)        /* [n_codewords][ceil(n / 8)] codeword bits */                                    \
    P(short, posterior)    /* [n_codewords][n] posteriors */                                                 \
    P(u8, symbols)         /* [n_codewords][n][q] symbol costs */                                            \
    P(u32, info)           /* [n_codewords] ldpc_codeword_info */                                            \
    P(const u32, table)    /* table of the program */                                                        \
    P(u32, scratch)        /* of all thread blocks */                                                        \
    P(u32, counter)                                                                                          \
    P(const int, source) /* ldpc_cuda_positions */                                                           \
    P(const u32, codeword_at)                                                                                \
    P(const u32, message_at)

typedef struct ldpc_cuda_thresholds {
    int at[LDPC_CUDA_THRESHOLDS];
} ldpc_cuda_thresholds;

#define LDPC_ARGS_NUMBERS(N)                                                                                 \
    N(unsigned, n_codewords)                                                                                 \
    N(unsigned, n)                                                                                           \
    N(unsigned, k)                                                                                           \
    N(unsigned, positions)                                                                                   \
    N(unsigned, max_iterations)                                                                              \
    N(unsigned, early_stop)                                                                                  \
    N(unsigned, flooding)                                                                                    \
    N(int, lowest) /* limits of posteriors and Q */                                                          \
    N(int, highest)                                                                                          \
    N(int, no_other) /* magnitude of a missing edge */                                                       \
    N(int, llr_limit)                                                                                        \
    N(int, algorithm) /* ldpc_rule as integers */                                                            \
    N(int, max_msg)                                                                                          \
    N(int, max_msg_others)                                                                                   \
    N(int, offset)                                                                                           \
    N(int, step)                                                                                             \
    N(int, threshold)                                                                                        \
    N(ldpc_cuda_thresholds, others_threshold)                                                                \
    N(ldpc_cuda_thresholds, min_threshold)                                                                   \
    N(int, factor)

#define LDPC_ARGS_NUMBER(type, name) type name;
typedef struct ldpc_cuda_args {
    LDPC_ARGS_POINTERS(LDPC_ARGS_POINTER)
    LDPC_ARGS_NUMBERS(LDPC_ARGS_NUMBER)
} ldpc_cuda_args;

typedef struct ldpc_cuda_numbers {
    LDPC_ARGS_NUMBERS(LDPC_ARGS_NUMBER)
} ldpc_cuda_numbers;

#endif
