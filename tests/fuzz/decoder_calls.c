/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls a decoder with any parameters, batches and setters. Invalid values are included. In integer
 * arithmetic, results must equal those of the reference. There are no threads. */
#include "batches.h"

typedef struct pair {
    ldpc_decoder *dec, *ref;
    bool packed;
} pair;

/* Requests some of the outputs. */
static void decode(fuzz_input *in, const pair *p)
{
    size_t count = fuzz_batch_size(in, ldpc_decoder_code(p->dec));
    fuzz_batch got = fuzz_batch_make(in, p->dec, p->packed, count), expected = fuzz_batch_twin(&got);
    bool integers = ldpc_decoder_arithmetic(p->dec) != LDPC_ARITHMETIC_FLOAT;
    FUZZ_CHECK(ldpc_decode(p->dec, &got.batch) == LDPC_OK);
    fuzz_batch_check(p->dec, &got);
    if (integers && p->ref) {
        FUZZ_CHECK(ldpc_decode(p->ref, &expected.batch) == LDPC_OK);
        fuzz_batch_compare(&got, &expected);
    }
    fuzz_batch some = fuzz_batch_twin(&got);
    fuzz_batch_leave_out(&some, fuzz_byte(in));
    FUZZ_CHECK(ldpc_decode(p->dec, &some.batch) == LDPC_OK);
    if (integers)
        fuzz_batch_compare(&got, &some);
    fuzz_batch_free(&some, false);
    fuzz_batch_free(&expected, false);
    fuzz_batch_free(&got, true);
}

/* Each call must fail. Afterwards the decoder must decode correctly. */
static void call_wrongly(fuzz_input *in, const pair *p)
{
    fuzz_batch b = fuzz_batch_make(in, p->dec, p->packed, 1);
    ldpc_batch none = b.batch, many = b.batch, blind = b.batch, twice = b.batch;
    none.n_codewords = 0;
    many.n_codewords = ldpc_decoder_max_batch(p->dec) + 1;
    blind.llr = NULL;
    blind.llr_float = NULL;
    blind.symbol_costs = NULL;
    blind.symbol_costs_float = NULL;
    twice.llr = b.input;
    twice.llr_float = b.input;
    FUZZ_CHECK(ldpc_decode(p->dec, &none) == LDPC_ERR_RANGE);
    FUZZ_CHECK(ldpc_decode(p->dec, &many) == LDPC_ERR_RANGE);
    FUZZ_CHECK(ldpc_decode(p->dec, &blind) == LDPC_ERR_NULL);
    FUZZ_CHECK(ldpc_decode(p->dec, &twice) == LDPC_ERR_PARAM);
    FUZZ_CHECK(ldpc_decoder_message(p->dec)[0]);
    FUZZ_CHECK(ldpc_collect(p->dec, 0, NULL) == LDPC_EMPTY);
    FUZZ_CHECK(ldpc_decoder_slice(p->dec, &b.batch, 1, 1).n_codewords == 0);
    FUZZ_CHECK(ldpc_decoder_slice(p->dec, &b.batch, SIZE_MAX, 2).n_codewords == 0);
    fuzz_batch_free(&b, true);
}

static ldpc_status set(ldpc_decoder *dec, uint32_t what, uint32_t value)
{
    switch (what) {
    case 0:
        return ldpc_decoder_set_max_iterations(dec, value % (FUZZ_MOST_ITERATIONS + 1));
    case 1:
        return ldpc_decoder_set_early_stop(dec, value & 1);
    case 2:
        return ldpc_decoder_set_offset(dec, (float)value / 2 - 1);
    default:
        return ldpc_decoder_set_factor(dec, (float)(value % 20) / 16);
    }
}

static bool call_setter(fuzz_input *in, const pair *p)
{
    uint32_t what = fuzz_below(in, 4), value = fuzz_byte(in);
    ldpc_status status = set(p->dec, what, value);
    ldpc_status expected = p->ref ? set(p->ref, what, value) : status;
    FUZZ_CHECK(status == expected || status == LDPC_ERR_UNSUPPORTED);
    return status == expected;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const ldpc_code *code = fuzz_code(fuzz_below(&in, FUZZ_CODES));
    ldpc_decoder_params params = fuzz_params(&in, code);
    ldpc_error err = {""};
    pair p = {.packed = params.packed};
    ldpc_status status = ldpc_decoder_create(code, &params, &p.dec, &err);
    FUZZ_CHECK((status == LDPC_OK) == (p.dec != NULL) && (status == LDPC_OK) == (err.message[0] == 0));
    if (status) {
        FUZZ_CHECK(status == LDPC_ERR_PARAM || status == LDPC_ERR_UNSUPPORTED);
        return 0;
    }
    p.ref = fuzz_reference(code, &params);
    FUZZ_CHECK(p.ref || ldpc_decoder_arithmetic(p.dec) == LDPC_ARITHMETIC_FLOAT);
    bool going = true;
    for (uint32_t calls = 0; going && calls < 6 && (in.left || calls == 0); calls++) {
        uint32_t call = fuzz_below(&in, 8);
        if (call < 4)
            decode(&in, &p);
        else if (call < 7)
            going = call_setter(&in, &p);
        else
            call_wrongly(&in, &p);
    }
    ldpc_decoder_destroy(p.ref);
    ldpc_decoder_destroy(p.dec);
    return 0;
}
