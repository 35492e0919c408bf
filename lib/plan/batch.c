/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/batch.h"

#include "base/bits.h"
#include "base/versioned.h"

typedef enum content {
    CODEWORD_LLRS,  /* one item per bit */
    SYMBOL_COSTS,   /* q items per symbol */
    MESSAGE_BITS,   /* packed or one per byte */
    CODEWORD_BITS,  /* packed or one per byte */
    CODEWORD_RECORD /* one record per codeword */
} content;

#define BYTES(member) sizeof *((ldpc_batch *)0)->member

static const struct {
    const char *name;
    size_t item_bytes;
    content what;
} buffers[LDPC_BUFFERS] = {
    {"llr",                BYTES(llr),                CODEWORD_LLRS  },
    {"llr_float",          BYTES(llr_float),          CODEWORD_LLRS  },
    {"symbol_costs",       BYTES(symbol_costs),       SYMBOL_COSTS   },
    {"symbol_costs_float", BYTES(symbol_costs_float), SYMBOL_COSTS   },
    {"message",            BYTES(message),            MESSAGE_BITS   },
    {"codeword",           BYTES(codeword),           CODEWORD_BITS  },
    {"posterior",          BYTES(posterior),          CODEWORD_LLRS  },
    {"symbol_posterior",   BYTES(symbol_posterior),   SYMBOL_COSTS   },
    {"info",               BYTES(info),               CODEWORD_RECORD},
};

#define IS_AT(member, buffer) (offsetof(ldpc_batch, member) == LDPC_BUFFER_AT(buffer))
_Static_assert(IS_AT(llr, LDPC_BUFFER_LLR) && IS_AT(llr_float, LDPC_BUFFER_LLR_FLOAT) &&
                   IS_AT(symbol_costs, LDPC_BUFFER_SYMBOL_COSTS) &&
                   IS_AT(symbol_costs_float, LDPC_BUFFER_SYMBOL_COSTS_FLOAT) &&
                   IS_AT(message, LDPC_BUFFER_MESSAGE) && IS_AT(codeword, LDPC_BUFFER_CODEWORD) &&
                   IS_AT(posterior, LDPC_BUFFER_POSTERIOR) &&
                   IS_AT(symbol_posterior, LDPC_BUFFER_SYMBOL_POSTERIOR) && IS_AT(info, LDPC_BUFFER_INFO) &&
                   sizeof(ldpc_batch) == LDPC_BUFFER_AT(LDPC_BUFFERS),
               "ldpc_buffer lists all pointers of ldpc_batch in their order");

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

static const ldpc_layout layout = LDPC_LAYOUT(ldpc_batch, info);

ldpc_status ldpc_batch_read(ldpc_batch *own, const ldpc_batch *given, ldpc_error *err)
{
    return ldpc_read_struct(&layout, own, given, err);
}

void ldpc_batch_write(ldpc_batch *given, size_t size, const ldpc_batch *own)
{
    ldpc_write_struct(&layout, given, size ? size : layout.first, own);
}

ldpc_batch ldpc_batch_slice(const ldpc_plan *plan, const ldpc_batch *batch, size_t first, size_t count)
{
    ldpc_batch slice = *batch;
    slice.n_codewords = count;
    for (ldpc_buffer b = 0; first && b < LDPC_BUFFERS; b++) {
        char *memory = ldpc_batch_get(batch, b);
        if (memory)
            ldpc_batch_set(&slice, b, memory + first * ldpc_buffer_bytes(plan->code, b, plan->packed));
    }
    return slice;
}
