/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/batch.h"

#include <string.h>

#include "base/bits.h"

/* What a buffer holds for each codeword. */
typedef enum content {
    CODEWORD_LLRS,  /* one item per bit of the codeword */
    SYMBOL_COSTS,   /* q items per symbol of the codeword */
    MESSAGE_BITS,   /* bits, packed or one per byte */
    CODEWORD_BITS,  /* the same */
    CODEWORD_RECORD /* one item */
} content;

#define OF(member) offsetof(ldpc_batch, member), sizeof *((ldpc_batch *)0)->member

/* In the order of ldpc_buffer. */
static const struct {
    const char *name;
    size_t offset; /* of the pointer in ldpc_batch */
    size_t item_bytes;
    content what;
} buffers[LDPC_BUFFERS] = {
    {"llr",                OF(llr),                CODEWORD_LLRS  },
    {"llr_float",          OF(llr_float),          CODEWORD_LLRS  },
    {"symbol_costs",       OF(symbol_costs),       SYMBOL_COSTS   },
    {"symbol_costs_float", OF(symbol_costs_float), SYMBOL_COSTS   },
    {"message",            OF(message),            MESSAGE_BITS   },
    {"codeword",           OF(codeword),           CODEWORD_BITS  },
    {"posterior",          OF(posterior),          CODEWORD_LLRS  },
    {"symbol_posterior",   OF(symbol_posterior),   SYMBOL_COSTS   },
    {"info",               OF(info),               CODEWORD_RECORD},
};

_Static_assert(sizeof(ldpc_batch) == sizeof(size_t) + LDPC_BUFFERS * sizeof(void *),
               "the table lists all pointers of ldpc_batch");

const char *ldpc_buffer_name(ldpc_buffer buffer)
{
    return buffers[buffer].name;
}

static size_t items(const ldpc_code *code, content what, bool packed)
{
    size_t symbol_bits = ldpc_code_symbol_bits(code), n = code->n * symbol_bits, k = code->k * symbol_bits;
    switch (what) {
    case CODEWORD_LLRS:
        return n;
    case SYMBOL_COSTS:
        return (size_t)code->n * code->order;
    case MESSAGE_BITS:
        return packed ? ldpc_packed_bytes(k) : k;
    case CODEWORD_BITS:
        return packed ? ldpc_packed_bytes(n) : n;
    default:
        return 1;
    }
}

size_t ldpc_buffer_bytes(const ldpc_code *code, ldpc_buffer buffer, bool packed)
{
    return buffers[buffer].item_bytes * items(code, buffers[buffer].what, packed);
}

void *ldpc_batch_get(const ldpc_batch *batch, ldpc_buffer buffer)
{
    void *memory;
    memcpy(&memory, (const char *)batch + buffers[buffer].offset, sizeof memory);
    return memory;
}

void ldpc_batch_set(ldpc_batch *batch, ldpc_buffer buffer, void *memory)
{
    memcpy((char *)batch + buffers[buffer].offset, &memory, sizeof memory);
}

ldpc_batch ldpc_batch_slice(const ldpc_plan *plan, const ldpc_batch *batch, size_t first, size_t count)
{
    ldpc_batch slice = {.n_codewords = count};
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++) {
        char *memory = ldpc_batch_get(batch, b);
        if (memory)
            ldpc_batch_set(&slice, b, memory + first * ldpc_buffer_bytes(plan->code, b, plan->packed));
    }
    return slice;
}
