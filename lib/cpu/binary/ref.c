/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference decoder: docs/arithmetic.md for one codeword, in plain loops. It is never optimised. Every
 * integer kernel must compute the same bytes. Float kernels must agree within a tolerance. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/binary/ref_check_node.h"
#include "cpu/binary/ref_tables.h"

/* ---- schedules */

#define VALUE      int32_t
#define NAME(name) int_##name
#include "cpu/binary/ref_schedule.h"
#undef VALUE
#undef NAME

#define VALUE      float
#define NAME(name) float_##name
#include "cpu/binary/ref_schedule.h"
#undef VALUE
#undef NAME

/* ---- the row of the kernel table */

static bool ref_supports(const ldpc_plan *plan)
{
    return plan->code->order == 2;
}

static void ref_destroy(ldpc_cpu_tables *base)
{
    free(base);
}

static size_t scratch_bytes(const ref_tables *tables, const ldpc_code *code)
{
    _Static_assert(sizeof(float) == sizeof(int32_t), "one size of scratch for both");
    size_t messages = (size_t)code->layer_start[code->layers] * code->z;
    size_t layer = (size_t)tables->max_degree * code->z;
    size_t bits = code->n > code->columns ? code->n : code->columns;
    return sizeof(int32_t) * (3 * (size_t)code->columns + messages + 2 * layer + 2 * tables->max_degree) +
           bits;
}

static ldpc_status ref_create(const ldpc_plan *plan, ldpc_cpu_tables **made)
{
    const ldpc_code *code = plan->code;
    bool i8 = plan->arithmetic == LDPC_ARITHMETIC_I8;
    ref_tables *tables = ldpc_allocate(1, sizeof *tables);
    if (!tables)
        return LDPC_ERR_MEMORY;
    tables->lowest = i8 ? LDPC_I8_MIN : -LDPC_I16_LIMIT;
    tables->highest = i8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
    for (uint32_t l = 0; l < code->layers; l++) {
        uint32_t degree = code->layer_start[l + 1] - code->layer_start[l];
        if (degree > tables->max_degree)
            tables->max_degree = degree;
    }
    tables->base = (ldpc_cpu_tables){
        .plan = plan,
        .rule = ldpc_plan_rule(plan),
        .codewords = 1,
        .most_codewords = 1,
        .scratch_bytes = scratch_bytes(tables, code),
    };
    *made = &tables->base;
    return LDPC_OK;
}

static void ref_decode(const ldpc_cpu_tables *base, void *scratch, const ldpc_batch *batch)
{
    const ref_tables *tables = (const ref_tables *)base;
    if (base->plan->arithmetic == LDPC_ARITHMETIC_FLOAT)
        float_decode(tables, scratch, batch);
    else
        int_decode(tables, scratch, batch);
}

const ldpc_cpu_kernel ldpc_cpu_ref = {
    .name = "ref",
    .supports = ref_supports,
    .create = ref_create,
    .destroy = ref_destroy,
    .decode = ref_decode,
};
