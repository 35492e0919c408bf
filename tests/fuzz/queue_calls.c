/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls submit, collect and setters of decoders that have threads. Batches must return in order. Their results
 * must equal those of a reference that has the parameters at the time of submission.
 *
 * Decoders and threads exist until the program ends. */
#include "batches.h"

enum { DECODERS = 4, MOST_DEPTH = 16 };

typedef struct queued {
    fuzz_batch batch, expected;
} queued;

typedef struct decoder {
    ldpc_decoder *dec, *ref;
    queued queue[MOST_DEPTH];
    size_t first, count; /* ring buffer */
} decoder;

static unsigned notified;

static void notify(void *context)
{
    __atomic_fetch_add((unsigned *)context, 1, __ATOMIC_RELAXED);
}

/* Returns decoder i. Decoders have one or two threads. They use a kernel that decodes several codewords at
 * once, or a kernel that uses all lanes for one codeword. */
static decoder *decoder_of(uint32_t i)
{
    static decoder decoders[DECODERS];
    static const uint32_t codes[DECODERS] = {1, 2, 3, 6};
    decoder *d = &decoders[i];
    if (d->dec)
        return d;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.backend = "cpu";
    params.threads = 1 + i % 2;
    params.max_batch = FUZZ_MOST_CODEWORDS;
    FUZZ_CHECK(ldpc_decoder_create(fuzz_code(codes[i]), &params, &d->dec, NULL) == LDPC_OK);
    FUZZ_CHECK(ldpc_decoder_set_notify(d->dec, notify, &notified) == LDPC_OK);
    d->ref = fuzz_reference(fuzz_code(codes[i]), &params);
    FUZZ_CHECK(d->ref && ldpc_decoder_depth(d->dec) <= MOST_DEPTH);
    return d;
}

static void submit(fuzz_input *in, decoder *d)
{
    size_t count = fuzz_batch_size(in, ldpc_decoder_code(d->dec));
    fuzz_batch batch = fuzz_batch_make(in, d->dec, false, count);
    ldpc_status status = ldpc_submit(d->dec, &batch.batch);
    if (d->count == ldpc_decoder_depth(d->dec)) {
        FUZZ_CHECK(status == LDPC_AGAIN);
        fuzz_batch_free(&batch, true);
        return;
    }
    FUZZ_CHECK(status == LDPC_OK);
    queued *last = &d->queue[(d->first + d->count++) % MOST_DEPTH];
    *last = (queued){batch, fuzz_batch_twin(&batch)};
    FUZZ_CHECK(ldpc_decode(d->ref, &last->expected.batch) == LDPC_OK);
}

static bool collect(decoder *d, int64_t timeout_us)
{
    ldpc_batch out;
    ldpc_status status = ldpc_collect(d->dec, timeout_us, &out);
    if (d->count == 0 || status == LDPC_AGAIN) {
        FUZZ_CHECK(status == (d->count ? LDPC_AGAIN : LDPC_EMPTY));
        return false;
    }
    FUZZ_CHECK(status == LDPC_OK);
    queued *oldest = &d->queue[d->first];
    FUZZ_CHECK(out.message == oldest->batch.batch.message);
    fuzz_batch_compare(&oldest->batch, &oldest->expected);
    fuzz_batch_free(&oldest->expected, false);
    fuzz_batch_free(&oldest->batch, true);
    d->first = (d->first + 1) % MOST_DEPTH;
    d->count--;
    return true;
}

static void set(decoder *d, uint32_t max_iterations, bool early_stop)
{
    FUZZ_CHECK(ldpc_decoder_set_max_iterations(d->dec, max_iterations) == LDPC_OK);
    FUZZ_CHECK(ldpc_decoder_set_max_iterations(d->ref, max_iterations) == LDPC_OK);
    FUZZ_CHECK(ldpc_decoder_set_early_stop(d->dec, early_stop) == LDPC_OK);
    FUZZ_CHECK(ldpc_decoder_set_early_stop(d->ref, early_stop) == LDPC_OK);
}

static void call(fuzz_input *in, decoder *d)
{
    uint32_t choice = fuzz_below(in, 8);
    if (choice < 4)
        submit(in, d);
    else if (choice < 6)
        collect(d, choice == 4 ? 0 : 50);
    else if (choice == 6)
        set(d, fuzz_below(in, FUZZ_MOST_ITERATIONS + 1), fuzz_byte(in) & 1);
    else if (d->count) /* not allowed while batches are in flight */
        FUZZ_CHECK(ldpc_decoder_set_notify(d->dec, notify, &notified) == LDPC_ERR_PARAM &&
                   ldpc_decode(d->dec, &d->queue[d->first].batch.batch) == LDPC_ERR_PARAM);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    decoder *d = decoder_of(fuzz_below(&in, DECODERS));
    set(d, 3, true);
    for (uint32_t calls = 0; in.left && calls < 16; calls++)
        call(&in, d);
    while (collect(d, -1))
        ;
    return 0;
}
