/* SPDX-License-Identifier: BSD-3-Clause */
/* The schedules of the reference decoder, for VALUE = int32_t or float. */
#ifndef VALUE
#define VALUE      int32_t
#define NAME(name) int_##name
#endif

#include <string.h>

#include "base/bits.h"
#include "cpu/binary/ref_check_node.h"
#include "cpu/binary/ref_tables.h"

typedef struct NAME(state) {
    const ref_tables *tables;
    const ldpc_plan *plan;
    const ldpc_code *code;
    VALUE *channel;   /* [columns] */
    VALUE *posterior; /* [columns]: L */
    VALUE *sum;
    VALUE *check_msg; /* [blocks * z]: R */
    VALUE *var_msg;   /* [max_degree * z] Q of one layer */
    VALUE *new_msg;   /* [max_degree * z] R' of one layer */
    VALUE *row_q;
    VALUE *row_r;
    uint8_t *bits; /* [columns or n] bits before packing */
} NAME(state);

static NAME(state) NAME(open)(const ref_tables *tables, void *scratch)
{
    const ldpc_code *code = tables->base.plan->code;
    size_t z = code->z;
    NAME(state) s = {.tables = tables, .plan = tables->base.plan, .code = code};
    s.channel = scratch;
    s.posterior = s.channel + code->columns;
    s.sum = s.posterior + code->columns;
    s.check_msg = s.sum + code->columns;
    s.var_msg = s.check_msg + code->layer_start[code->layers] * z;
    s.new_msg = s.var_msg + tables->max_degree * z;
    s.row_q = s.new_msg + tables->max_degree * z;
    s.row_r = s.row_q + tables->max_degree;
    s.bits = (uint8_t *)(s.row_r + tables->max_degree);
    return s;
}

static void NAME(load)(NAME(state) * s, const ldpc_batch *batch, size_t w)
{
    const ldpc_code *code = s->code;
    for (uint32_t c = 0; c < code->columns; c++)
        s->channel[c] = 0;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->transmitted[i] != LDPC_NO_COLUMN)
            s->channel[code->transmitted[i]] = NAME(channel)(s->plan, batch, w * code->n + i);
    for (uint32_t i = 0; i < code->shortened; i++)
        s->channel[code->known_zero[i]] = NAME(known)(s->plan);
    for (uint32_t c = 0; c < code->columns; c++)
        s->posterior[c] = s->channel[c];
    for (size_t e = 0; e < code->layer_start[code->layers] * (size_t)code->z; e++)
        s->check_msg[e] = 0;
}

static void NAME(check_layer)(NAME(state) * s, uint32_t l)
{
    const ldpc_code *code = s->code;
    const ldpc_block *blocks = code->blocks + code->layer_start[l];
    const VALUE *check_msg = s->check_msg + (size_t)code->layer_start[l] * code->z;
    uint32_t n_blocks = code->layer_start[l + 1] - code->layer_start[l];
    uint32_t z = code->z;
    for (uint32_t lane = 0; lane < z; lane++) {
        uint32_t degree = 0;
        for (uint32_t b = 0; b < n_blocks; b++) {
            uint32_t column = column_of(code, &blocks[b], lane);
            if (column == LDPC_NO_COLUMN)
                continue;
            VALUE q = NAME(saturate)(s->tables, s->posterior[column] - check_msg[b * z + lane]);
            s->var_msg[b * z + lane] = q;
            s->row_q[degree++] = q;
        }
        NAME(check_node)(&s->tables->base.rule, NAME(no_edge)(s->tables), degree, s->row_q, s->row_r);
        degree = 0;
        for (uint32_t b = 0; b < n_blocks; b++)
            if (column_of(code, &blocks[b], lane) != LDPC_NO_COLUMN)
                s->new_msg[b * z + lane] = s->row_r[degree++];
    }
}

/* At the first occurrence L' = sat(Q + R'). Further occurrences add R' - R. */
static void NAME(update_posteriors)(NAME(state) * s, uint32_t l)
{
    const ldpc_code *code = s->code;
    uint32_t z = code->z;
    for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
        size_t in_layer = (size_t)(b - code->layer_start[l]) * z;
        for (uint32_t lane = 0; lane < z; lane++) {
            uint32_t column = column_of(code, &code->blocks[b], lane);
            if (column == LDPC_NO_COLUMN)
                continue;
            VALUE *posterior = &s->posterior[column], *check_msg = &s->check_msg[(size_t)b * z + lane];
            VALUE fresh = s->new_msg[in_layer + lane];
            if (code->blocks[b].occurrence == 0)
                *posterior = NAME(saturate)(s->tables, s->var_msg[in_layer + lane] + fresh);
            else
                *posterior = NAME(saturate)(s->tables, *posterior + (fresh - *check_msg));
            *check_msg = fresh;
        }
    }
}

static void NAME(iterate_layered)(NAME(state) * s)
{
    for (uint32_t l = 0; l < s->code->layers; l++) {
        NAME(check_layer)(s, l);
        NAME(update_posteriors)(s, l);
    }
}

/* L' = sat(channel + sum of all R') */
static void NAME(iterate_flooding)(NAME(state) * s)
{
    const ldpc_code *code = s->code;
    uint32_t z = code->z;
    for (uint32_t c = 0; c < code->columns; c++)
        s->sum[c] = s->channel[c];
    for (uint32_t l = 0; l < code->layers; l++) {
        NAME(check_layer)(s, l);
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            for (uint32_t lane = 0; lane < z; lane++) {
                uint32_t column = column_of(code, &code->blocks[b], lane);
                VALUE fresh = s->new_msg[(size_t)(b - code->layer_start[l]) * z + lane];
                if (column == LDPC_NO_COLUMN)
                    continue;
                s->sum[column] += fresh;
                s->check_msg[(size_t)b * z + lane] = fresh;
            }
        }
    }
    for (uint32_t c = 0; c < code->columns; c++)
        s->posterior[c] = NAME(saturate)(s->tables, s->sum[c]);
}

static uint32_t NAME(unsatisfied)(const NAME(state) * s)
{
    const ldpc_code *code = s->code;
    uint32_t count = 0;
    for (uint32_t l = 0; l < code->layers; l++) {
        for (uint32_t lane = 0; lane < code->z; lane++) {
            bool odd = false;
            for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
                uint32_t column = column_of(code, &code->blocks[b], lane);
                if (column != LDPC_NO_COLUMN)
                    odd ^= s->posterior[column] < 0;
            }
            count += odd;
        }
    }
    return count;
}

static uint8_t NAME(bit)(const NAME(state) * s, uint32_t column)
{
    return column != LDPC_NO_COLUMN && s->posterior[column] < 0;
}

static void NAME(store_bits)(NAME(state) * s, const uint32_t *columns, size_t n, size_t w, uint8_t *out)
{
    for (size_t i = 0; i < n; i++)
        s->bits[i] = NAME(bit)(s, columns[i]);
    if (s->plan->packed)
        ldpc_pack(s->bits, n, out + w * ldpc_packed_bytes(n));
    else
        memcpy(out + w * n, s->bits, n);
}

static void NAME(store)(NAME(state) * s, const ldpc_batch *batch, size_t w, uint32_t iterations)
{
    const ldpc_code *code = s->code;
    if (batch->message)
        NAME(store_bits)(s, code->message, code->k, w, batch->message);
    if (batch->codeword)
        NAME(store_bits)(s, code->transmitted, code->n, w, batch->codeword);
    for (uint32_t i = 0; batch->posterior && i < code->n; i++)
        batch->posterior[w * code->n + i] =
            code->transmitted[i] == LDPC_NO_COLUMN
                ? LDPC_KNOWN_LLR
                : (int16_t)NAME(steps)(s->plan, s->posterior[code->transmitted[i]]);
    if (batch->info) {
        uint32_t unsatisfied = NAME(unsatisfied)(s);
        batch->info[w] = (ldpc_codeword_info){.iterations = iterations,
                                              .unsatisfied = unsatisfied,
                                              .converged = unsatisfied == 0,
                                              .decoded = 1};
    }
}

static void NAME(decode)(const ref_tables *tables, void *scratch, const ldpc_batch *batch)
{
    NAME(state) s = NAME(open)(tables, scratch);
    for (size_t w = 0; w < batch->n_codewords; w++) {
        uint32_t iterations = 0;
        NAME(load)(&s, batch, w);
        while (iterations < s.plan->max_iterations && !(s.plan->early_stop && NAME(unsatisfied)(&s) == 0)) {
            if (s.plan->schedule == LDPC_SCHEDULE_FLOODING)
                NAME(iterate_flooding)(&s);
            else
                NAME(iterate_layered)(&s);
            iterations++;
        }
        NAME(store)(&s, batch, w, iterations);
    }
}
