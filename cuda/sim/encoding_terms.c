/* SPDX-License-Identifier: BSD-3-Clause */
/* Expresses parity columns as sums of message columns. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/encoder.h"
#include "cuda/sim/encoding_sums.h"

enum { LANES = 64 }; /* messages per ldpc_encode_columns() */

static void add_terms(const ldpc_code *code, uint32_t bit, const uint8_t *columns, ldpc_encoding_terms *terms)
{
    for (uint32_t first = 0; first < code->columns; first += 8) {
        uint32_t some = code->columns - first < 8 ? code->columns - first : 8;
        uint64_t eight = 0;
        memcpy(&eight, columns + first, some);
        for (uint32_t v = first; eight && v < first + some; v++) {
            if (!columns[v] || terms->count[v] > LDPC_ENCODING_MAX_TERMS)
                continue;
            if (terms->count[v] < LDPC_ENCODING_MAX_TERMS)
                terms->column[(size_t)v * LDPC_ENCODING_MAX_TERMS + terms->count[v]] = code->message[bit];
            terms->count[v]++;
        }
    }
}

static bool too_many_terms(const ldpc_code *code, const ldpc_encoding_terms *terms)
{
    bool too_many = false;
    for (uint32_t i = 0; i < code->encoder->aside; i++)
        too_many |= terms->count[code->encoder->aside_column[i]] > LDPC_ENCODING_MAX_TERMS;
    return too_many;
}

bool ldpc_encoding_find_terms(const ldpc_code *code, ldpc_encoding_terms *terms)
{
    uint8_t *message = ldpc_allocate(LANES, code->k), *columns = ldpc_allocate(LANES, code->columns);
    bool ok = message && columns;
    for (uint32_t first = 0; first < code->k && ok; first += LANES) {
        uint32_t count = code->k - first < LANES ? code->k - first : LANES;
        for (uint32_t w = 0; w < count; w++)
            message[(size_t)w * code->k + first + w] = 1;
        ok = !ldpc_encode_columns(code, message, count, columns);
        for (uint32_t w = 0; w < count; w++)
            message[(size_t)w * code->k + first + w] = 0;
        for (uint32_t w = 0; w < count && ok; w++)
            add_terms(code, first + w, columns + (size_t)w * code->columns, terms);
        ok = ok && !too_many_terms(code, terms);
    }
    free(message);
    free(columns);
    return ok;
}
