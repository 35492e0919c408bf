/* SPDX-License-Identifier: BSD-3-Clause */
/* Host part of kernels with two codewords per register in half precision. */
#ifndef LDPC_CUDA_HALF_RULE_H
#define LDPC_CUDA_HALF_RULE_H

#include "cuda/kernels/writer.h"
#include "plan/plan.h"

/* Generates the macros of half_rule.cuh. */
void ldpc_cuda_write_half_rule(ldpc_writer *w, const ldpc_rule *rule);

void ldpc_cuda_write_llr_limit(ldpc_writer *w, const ldpc_plan *plan);

/* Returns |Q| of a missing edge, larger than any other |Q|. */
int ldpc_half_no_other(bool i8);

/* Returns the bias of packed check_msgs. A packed check_msg is the low byte of a half R + bias. The bias is
 * 1152 in i8, or if a message exceeds 63. Otherwise it is 512 + the largest message. Bytes are then doubled,
 * and posteriors have a larger range. */
int ldpc_half_message_bias(const ldpc_rule *rule, bool i8);

bool ldpc_half_is_exact(const ldpc_code *code, const ldpc_rule *rule);

#endif
