/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's side of kernels that compute in half precision, two codewords to a register: the constants of
 * half_rule.cuh and pair_codewords.cuh, and when half precision is exact. */
#ifndef LDPC_CUDA_HALF_RULE_H
#define LDPC_CUDA_HALF_RULE_H

#include "cuda/kernels/writer.h"
#include "plan/plan.h"

/* Both halves of a register holding a number that half precision has exactly. */
uint32_t ldpc_half2(double value);

/* Writes what half_rule.cuh needs in front of it. */
void ldpc_cuda_write_half_rule(ldpc_writer *w, const ldpc_rule *rule);

/* Does the rule ask for the third smallest |Q|? */
bool ldpc_half_rule_has_third(const ldpc_rule *rule);

/* The |Q| that a check has where it has no edge. */
int ldpc_half_no_other(bool i8);

/* What packed check_msgs carry on top. They are the low bytes of that sum: all of R + 1152, or twice R + 512
 * and a few more where the largest message allows it, which leaves more room for posteriors. */
int ldpc_half_message_bias(const ldpc_rule *rule, bool i8);

/* Can half precision hold all posteriors of i16 that additions alone reach, with packed check_msgs? */
bool ldpc_half_is_exact(const ldpc_code *code, const ldpc_rule *rule);

#endif
