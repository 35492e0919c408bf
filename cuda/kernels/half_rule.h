/* SPDX-License-Identifier: BSD-3-Clause */
/* The host part of kernels that compute in half precision, with two codewords in a register: generates the
 * constants of half_rule.cuh and pair_codewords.cuh, and determines when half precision is exact. */
#ifndef LDPC_CUDA_HALF_RULE_H
#define LDPC_CUDA_HALF_RULE_H

#include "cuda/kernels/writer.h"
#include "plan/plan.h"

/* Generates the macros that half_rule.cuh expects. */
void ldpc_cuda_write_half_rule(ldpc_writer *w, const ldpc_rule *rule);

/* Generates LEAST_LLR and MOST_LLR (pair_codewords.cuh). */
void ldpc_cuda_write_llr_limit(ldpc_writer *w, const ldpc_plan *plan);

/* |Q| of an edge that does not exist: not smaller than any other. */
int ldpc_half_no_other(bool i8);

/* Bias of packed check_msgs. The byte kept is the low byte of the half-precision number R + bias. In general
 * the bias is 1152, and the byte R + 128. If no message exceeds 63, the bias is 512 + the largest message;
 * numbers between 512 and 1024 have steps of 1/2, so the byte is 2 (R + largest message). The smaller bias
 * leaves a larger range for posteriors. */
int ldpc_half_message_bias(const ldpc_rule *rule, bool i8);

/* Returns whether half precision can represent all i16 posteriors that additions alone reach, with packed
 * check_msgs. */
bool ldpc_half_is_exact(const ldpc_code *code, const ldpc_rule *rule);

#endif
