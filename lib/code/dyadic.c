/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/dyadic.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"

void ldpc_dyadic_view_destroy(ldpc_code *view)
{
    if (!view)
        return;
    free(view->layer_start);
    free(view->blocks);
    free(view->check_at);
    free(view->column_at);
    free(view);
}

static ldpc_code *open_view(const ldpc_code *code, uint32_t z, const uint32_t *check_at,
                            const uint32_t *column_at)
{
    ldpc_code *view = ldpc_allocate(1, sizeof *view);
    if (!view)
        return NULL;
    memcpy(view, code, sizeof *view);
    view->is_dyadic = true;
    view->z = z;
    view->layers = code->checks / z;
    view->groups = code->columns / z;
    view->layer_start = ldpc_allocate((size_t)view->layers + 1, sizeof *view->layer_start);
    view->blocks = ldpc_allocate(code->edges / z, sizeof *view->blocks);
    view->check_at = ldpc_allocate(code->checks, sizeof *view->check_at);
    view->column_at = ldpc_allocate(code->columns, sizeof *view->column_at);
    if (!view->layer_start || !view->blocks || !view->check_at || !view->column_at) {
        ldpc_dyadic_view_destroy(view);
        return NULL;
    }
    memcpy(view->check_at, check_at, code->checks * sizeof *check_at);
    memcpy(view->column_at, column_at, code->columns * sizeof *column_at);
    return view;
}

static const ldpc_block *block_of(const ldpc_code *view, uint32_t l, uint32_t group)
{
    for (uint32_t b = view->layer_start[l]; b < view->layer_start[l + 1]; b++)
        if (view->blocks[b].group == group)
            return &view->blocks[b];
    return NULL;
}

static bool fill_layer(ldpc_code *view, uint32_t l, const uint32_t *position)
{
    const uint32_t check = view->check_at[l * view->z];
    uint32_t *end = &view->layer_start[l + 1];
    *end = view->layer_start[l];
    for (uint32_t e = view->row_start[check]; e < view->row_start[check + 1]; e++) {
        uint32_t group = position[view->row_columns[e]] / view->z,
                 lane = position[view->row_columns[e]] % view->z;
        if (*end == view->edges / view->z || block_of(view, l, group))
            return false;
        view->blocks[(*end)++] = (ldpc_block){.group = group, .shift = lane, .missing_lane = LDPC_NO_LANE};
    }
    return true;
}

static bool check_matches(const ldpc_code *view, uint32_t l, uint32_t r, const uint32_t *position)
{
    const uint32_t check = view->check_at[l * view->z + r];
    if (check / view->z != l)
        return false;
    const uint32_t *columns = view->row_columns + view->row_start[check];
    const uint32_t degree = view->row_start[check + 1] - view->row_start[check];
    for (uint32_t e = 0; e < degree; e++) {
        const ldpc_block *block = block_of(view, l, position[columns[e]] / view->z);
        if (!block || position[columns[e]] % view->z != (r ^ block->shift))
            return false;
    }
    return degree == view->layer_start[l + 1] - view->layer_start[l];
}

static bool fill_layers(ldpc_code *view, uint32_t *position)
{
    bool fits = true;
    for (uint32_t i = 0; i < view->columns; i++)
        position[view->column_at[i]] = i;
    for (uint32_t l = 0; fits && l < view->layers; l++) {
        fits = fill_layer(view, l, position);
        for (uint32_t r = 0; fits && r < view->z; r++)
            fits = check_matches(view, l, r, position);
    }
    return fits;
}

ldpc_status ldpc_code_add_dyadic_view(ldpc_code *code, uint32_t z, const uint32_t *check_at,
                                      const uint32_t *column_at, ldpc_error *err)
{
    if (code->z != 1 || !z || (z & (z - 1)) || code->checks % z || code->columns % z)
        return ldpc_fail(
            err, LDPC_ERR_PARAM,
            "no dyadic view: expected a code with z = 1, and a block size that is a power of two "
            "and divides the numbers of checks and columns");
    uint32_t *position = ldpc_allocate(code->columns, sizeof *position);
    ldpc_code *view = position ? open_view(code, z, check_at, column_at) : NULL;
    ldpc_status status = !view ? ldpc_fail_memory(err) : LDPC_OK;
    if (view && !fill_layers(view, position))
        status = ldpc_fail(err, LDPC_ERR_PARAM,
                           "no dyadic view: in these orders of checks and columns, not all blocks are dyadic "
                           "permutations");
    free(position);
    if (status)
        ldpc_dyadic_view_destroy(view);
    else
        code->dyadic = view;
    return status;
}
