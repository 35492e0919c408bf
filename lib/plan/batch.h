/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the buffers of a batch. It is used to copy, split and check batches. */
#ifndef LDPC_PLAN_BATCH_H
#define LDPC_PLAN_BATCH_H

#include <stddef.h>
#include <string.h>

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ldpc_buffer {
    LDPC_BUFFER_LLR,
    LDPC_BUFFER_LLR_FLOAT,
    LDPC_BUFFER_SYMBOL_COSTS,
    LDPC_BUFFER_SYMBOL_COSTS_FLOAT,
    LDPC_BUFFER_MESSAGE,
    LDPC_BUFFER_CODEWORD,
    LDPC_BUFFER_POSTERIOR,
    LDPC_BUFFER_SYMBOL_POSTERIOR,
    LDPC_BUFFER_INFO,
    LDPC_BUFFERS,
    LDPC_BUFFER_INPUTS = LDPC_BUFFER_MESSAGE, /* number of inputs */
} ldpc_buffer;

/* Offset of a pointer in ldpc_batch. The pointers are adjacent (asserted in batch.c). */
#define LDPC_BUFFER_AT(buffer) (offsetof(ldpc_batch, llr) + (size_t)(buffer) * sizeof(void *))

const char *ldpc_buffer_name(ldpc_buffer buffer);

/* Returns the number of bytes per codeword. packed: whether a byte holds 8 message or codeword bits. */
size_t ldpc_buffer_bytes(const ldpc_code *code, ldpc_buffer buffer, bool packed);

/* Returns NULL if the batch does not have this buffer. */
static inline void *ldpc_batch_get(const ldpc_batch *batch, ldpc_buffer buffer)
{
    void *memory;
    memcpy(&memory, (const char *)batch + LDPC_BUFFER_AT(buffer), sizeof memory);
    return memory;
}

static inline void ldpc_batch_set(ldpc_batch *batch, ldpc_buffer buffer, void *memory)
{
    memcpy((char *)batch + LDPC_BUFFER_AT(buffer), &memory, sizeof memory);
}

/* Convert from and to the caller's struct of any version. Size 0 means version 1.0. */
ldpc_status ldpc_batch_read(ldpc_batch *own, const ldpc_batch *given, ldpc_error *err);
void ldpc_batch_write(ldpc_batch *given, size_t size, const ldpc_batch *own);

/* Returns a batch of codewords first .. first + count - 1 of `batch`, in the same buffers. */
ldpc_batch ldpc_batch_slice(const ldpc_plan *plan, const ldpc_batch *batch, size_t first, size_t count);

#ifdef __cplusplus
}
#endif
#endif
