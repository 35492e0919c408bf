/* SPDX-License-Identifier: BSD-3-Clause */
#include "batches.h"

#include "base/bits.h"
#include "kernels/samples.h"
#include "plan/algorithms.h"

/* ---- codes */

/* Codes with lifting sizes below and above vector lengths, missing edges, columns that are repeated in a
 * layer, no circulants, or GF(4) to GF(256). */
static const char *const shapes[] = {"tiny", "folded", "wide", "dyadic", "irregular", "alone"};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const struct {
    uint32_t n, order;
} over_fields[FUZZ_CODES - SHAPES] = {
    {12, 4  },
    {8,  16 },
    {6,  64 },
    {4,  256}
};

const ldpc_code *fuzz_code(uint32_t i)
{
    static ldpc_code *codes[FUZZ_CODES];
    if (!codes[i] && i < SHAPES)
        codes[i] = sample_code_create(shapes[i]);
    else if (!codes[i])
        ldpc_code_create_random(over_fields[i - SHAPES].n, 2, 4, over_fields[i - SHAPES].order, 1, &codes[i],
                                NULL);
    FUZZ_CHECK(codes[i]);
    return codes[i];
}

/* ---- decoders */

/* Returns a kernel name, or NULL for the default. */
static const char *kernel_name(fuzz_input *in)
{
    uint32_t choice = fuzz_byte(in), count = 0;
    while (ldpc_kernel_list("cpu", count))
        count++;
    if (choice < 64)
        return "scalar";
    return choice < 128   ? ldpc_kernel_list("cpu", count - 1)
           : choice < 192 ? NULL
                          : ldpc_kernel_list("cpu", choice % count);
}

ldpc_decoder_params fuzz_params(fuzz_input *in, const ldpc_code *code)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    uint32_t flags = fuzz_byte(in);
    params.backend = "cpu";
    params.kernel = kernel_name(in);
    params.algorithm = (ldpc_algorithm)fuzz_below(in, LDPC_LAST_ALGORITHM + 1);
    params.arithmetic = (ldpc_arithmetic)fuzz_below(in, LDPC_ARITHMETIC_FLOAT + 1);
    params.schedule = (ldpc_schedule)fuzz_below(in, LDPC_SCHEDULE_FLOODING + 1);
    params.max_iterations = fuzz_below(in, FUZZ_MOST_ITERATIONS + 1);
    if (ldpc_code_order(code) > 16) /* a check costs q * q */
        params.max_iterations %= 3;
    params.early_stop = flags & 1;
    params.packed = flags & 2;
    params.llr_scale = flags & 4 ? (float)fuzz_byte(in) / 4 : LDPC_DEFAULT_LLR_SCALE;
    if (flags & 8)
        params.offset = (float)fuzz_byte(in) / (flags & 16 ? 1 : 4);
    if (flags & 32)
        params.factor = (float)fuzz_below(in, 18) / 16;
    if (flags & 64)
        params.kept = fuzz_below(in, 256) % (ldpc_code_order(code) + 2);
    params.max_batch = FUZZ_MOST_CODEWORDS;
    return params;
}

ldpc_decoder *fuzz_reference(const ldpc_code *code, const ldpc_decoder_params *params)
{
    ldpc_decoder_params plain = *params;
    ldpc_decoder *ref;
    plain.kernel = "ref";
    return ldpc_decoder_create(code, &plain, &ref, NULL) ? NULL : ref;
}

/* ---- batches */

size_t fuzz_batch_size(fuzz_input *in, const ldpc_code *code)
{
    uint32_t choice = fuzz_byte(in);
    if (ldpc_code_order(code) > 16)
        return 1 + (choice < 248 ? choice % 2 : choice % 20);
    return 1 + (choice < 224 ? choice % 3 : choice < 248 ? choice % 20 : choice % FUZZ_MOST_CODEWORDS);
}

static void *memory(size_t bytes, int fill)
{
    void *allocated = malloc(bytes ? bytes : 1);
    FUZZ_CHECK(allocated);
    memset(allocated, fill, bytes ? bytes : 1);
    return allocated;
}

static void make_outputs(fuzz_batch *b, int fill)
{
    b->batch.message = memory(b->message_bytes, fill);
    b->batch.codeword = memory(b->codeword_bytes, fill);
    b->batch.posterior = b->posteriors ? memory(b->posteriors * sizeof(int16_t), fill) : NULL;
    b->batch.symbol_posterior = b->symbol_posteriors ? memory(b->symbol_posteriors, fill) : NULL;
    b->batch.info = memory(b->batch.n_codewords * sizeof *b->batch.info, fill);
}

fuzz_batch fuzz_batch_make(fuzz_input *in, const ldpc_decoder *dec, bool packed, size_t count)
{
    const ldpc_code *code = ldpc_decoder_code(dec);
    size_t bits = ldpc_code_symbol_bits(code), n = ldpc_code_n(code) * bits, k = ldpc_code_k(code) * bits;
    uint32_t flags = fuzz_byte(in);
    bool field = bits > 1, costs = field && flags & 1;
    bool floats = ldpc_decoder_arithmetic(dec) == LDPC_ARITHMETIC_FLOAT && flags & 2;
    size_t values = count * (costs ? (size_t)ldpc_code_n(code) * ldpc_code_order(code) : n);
    size_t bytes = values * (floats ? sizeof(float) : 1);
    fuzz_batch b = {.batch.n_codewords = count, .input = memory(bytes, 7)};
    fuzz_fill(in, b.input, bytes, fuzz_byte(in));
    /* makes most LLRs correct, so that decoding ends early */
    for (size_t i = 0; !floats && flags & 4 && i < bytes; i++)
        ((int8_t *)b.input)[i] = (int8_t)(((int8_t *)b.input)[i] / 4 + (costs ? 0 : 24));
    if (costs && floats)
        b.batch.symbol_costs_float = b.input;
    else if (costs)
        b.batch.symbol_costs = b.input;
    else if (floats)
        b.batch.llr_float = b.input;
    else
        b.batch.llr = b.input;
    b.message_bytes = count * (packed ? ldpc_packed_bytes(k) : k);
    b.codeword_bytes = count * (packed ? ldpc_packed_bytes(n) : n);
    b.posteriors = count * n;
    b.symbol_posteriors = field ? count * ldpc_code_n(code) * ldpc_code_order(code) : 0;
    make_outputs(&b, 7);
    return b;
}

fuzz_batch fuzz_batch_twin(const fuzz_batch *other)
{
    fuzz_batch b = *other;
    make_outputs(&b, 9);
    return b;
}

static void *without(void *output, uint32_t left_out)
{
    if (!left_out)
        return output;
    free(output);
    return NULL;
}

void fuzz_batch_leave_out(fuzz_batch *b, uint32_t which)
{
    b->batch.message = without(b->batch.message, which & 1);
    b->batch.codeword = without(b->batch.codeword, which & 2);
    b->batch.posterior = without(b->batch.posterior, which & 4);
    b->batch.symbol_posterior = without(b->batch.symbol_posterior, which & 8);
    b->batch.info = without(b->batch.info, which & 16);
}

void fuzz_batch_free(fuzz_batch *b, bool with_input)
{
    free(b->batch.message);
    free(b->batch.codeword);
    free(b->batch.posterior);
    free(b->batch.symbol_posterior);
    free(b->batch.info);
    if (with_input)
        free(b->input);
}

void fuzz_batch_compare(const fuzz_batch *a, const fuzz_batch *b)
{
    if (b->batch.message)
        FUZZ_CHECK(!memcmp(a->batch.message, b->batch.message, a->message_bytes));
    if (b->batch.codeword)
        FUZZ_CHECK(!memcmp(a->batch.codeword, b->batch.codeword, a->codeword_bytes));
    if (b->batch.posterior)
        FUZZ_CHECK(!memcmp(a->batch.posterior, b->batch.posterior, a->posteriors * sizeof(int16_t)));
    if (b->batch.symbol_posterior)
        FUZZ_CHECK(!memcmp(a->batch.symbol_posterior, b->batch.symbol_posterior, a->symbol_posteriors));
    for (size_t i = 0; b->batch.info && i < a->batch.n_codewords; i++) {
        const ldpc_codeword_info *x = &a->batch.info[i], *y = &b->batch.info[i];
        FUZZ_CHECK(x->iterations == y->iterations && x->unsatisfied == y->unsatisfied);
        FUZZ_CHECK(x->converged == y->converged && x->decoded == y->decoded);
    }
}

void fuzz_batch_check(const ldpc_decoder *dec, const fuzz_batch *b)
{
    uint32_t checks = ldpc_code_checks(ldpc_decoder_code(dec));
    for (size_t i = 0; i < b->batch.n_codewords; i++) {
        const ldpc_codeword_info *info = &b->batch.info[i];
        FUZZ_CHECK(info->decoded == 1 && info->iterations <= FUZZ_MOST_ITERATIONS &&
                   info->unsatisfied <= checks);
        FUZZ_CHECK(info->converged == (info->unsatisfied == 0));
    }
}
