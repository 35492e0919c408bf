/* SPDX-License-Identifier: BSD-3-Clause */
/* The host part of kernels that compute in half precision with two codewords in a register. Generates the
 * constants of half_rule.cuh and pair_codewords.cuh, and determines when half precision is exact. */
#ifndef LDPC_CUDA_HALF_RULE_H
#define LDPC_CUDA_HALF_RULE_H

#include "cuda/kernels/writer.h"
#include "plan/plan.h"

/* Generates the macros that half_rule.cuh expects. */
void ldpc_cuda_write_half_rule(ldpc_writer *w, const ldpc_rule *rule);

/* Generates LEAST_LLR and MOST_LLR (pair_codewords.cuh). */
void ldpc_cuda_write_llr_limit(ldpc_writer *w, const ldpc_plan *plan);

/* Returns the |Q| that replaces the |Q| of an edge that does not exist. No other |Q| is larger. */
int ldpc_half_no_other(bool i8);

/* Returns the bias of packed check_msgs. The byte that is stored is the low byte of the half-precision number
 * R + bias. In general the bias is 1152, and the byte is R + 128. If no message exceeds 63, the bias is 512 +
 * the largest message; numbers between 512 and 1024 are multiples of 1/2, so that the byte is 2 (R + largest
 * message). With the smaller bias, posteriors may have a larger range. */
int ldpc_half_message_bias(const ldpc_rule *rule, bool i8);

/* Returns whether half precision represents exactly all i16 posteriors that additions alone can reach, if
 * check_msgs are packed. */
bool ldpc_half_is_exact(const ldpc_code *code, const ldpc_rule *rule);

#endif
