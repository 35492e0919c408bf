/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of lib/cpu/binary/check_node.h for test_check_node.c. isa_check_node*.c is compiled for each
 * instruction set and lane width. */
#ifndef LDPC_CHECK_NODE_PART_H
#define LDPC_CHECK_NODE_PART_H

#include <stddef.h>

#include "cpu/cpu_features.h"
#include "plan/plan.h"

enum { MAX_DEGREE = 40, MAX_LANE_BYTES = 64 };

/* Computes R' for a register of checks. times: number of repetitions. q, r: [degree][lanes] */
typedef void check_node_run(const ldpc_rule *rule, unsigned degree, const void *q, void *r, size_t times);

typedef struct check_node_part {
    ldpc_cpu_row row;
    unsigned lane_bits, lanes;
    check_node_run *in_order; /* any degree and rule */
    check_node_run *by_tree;  /* functions with unrolled loops; NULL in plain C */
} check_node_part;

/* odd and even degrees, powers of two and their neighbours */
#define TREE_DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(11) X(15) X(19) X(32)

#if defined(PART_SETS)
#define X(isa) extern const check_node_part check_node_i8_##isa, check_node_i16_##isa, check_node_f32_##isa;
PART_SETS
#undef X
#endif

#endif
