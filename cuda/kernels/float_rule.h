/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_CUDA_FLOAT_RULE_H
#define LDPC_CUDA_FLOAT_RULE_H

#include "cuda/kernels/writer.h"
#include "plan/plan.h"

/* Generates the macros of float.cuh. */
void ldpc_cuda_write_float_rule(ldpc_writer *w, const ldpc_plan *plan);

#endif
