/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes batches through a decoder. Several batches are in flight. */
#include "pipeline.h"

#include <algorithm>
#include <utility>

namespace gr
{
namespace ldpc
{

ldpc_batch make_batch(const word_shape &shape, size_t n_codewords, const void *llr, uint8_t *out,
                      ldpc_codeword_info *info)
{
    ldpc_batch batch = {};
    batch.n_codewords = n_codewords;
    if (shape.costs)
        batch.symbol_costs = static_cast<const uint8_t *>(llr);
    else if (shape.llr_bytes == sizeof(float))
        batch.llr_float = static_cast<const float *>(llr);
    else
        batch.llr = static_cast<const int8_t *>(llr);
    if (shape.posterior)
        batch.posterior = reinterpret_cast<int16_t *>(out);
    else
        (shape.message ? batch.message : batch.codeword) = out;
    batch.info = info;
    return batch;
}

/* put() and take() each use one slot besides the batches in flight. */
pipeline::pipeline(ldpc_decoder *decoder, const word_shape &shape, size_t batch, clock::duration latency,
                   const time_limit &limit)
    : d_decoder(decoder), d_shape(shape), d_batch(batch), d_latency(latency), d_limit(limit),
      d_depth(ldpc_decoder_depth(decoder)), d_slots(d_depth + 2)
{
    for (slot &s : d_slots)
        allocate(decoder, s);
}

pipeline::~pipeline()
{
    drain();
}

size_t pipeline::put(size_t codewords, const writer &write)
{
    size_t taken = 0;
    while (taken < codewords && !full()) {
        slot &s = d_slots[d_filling];
        const size_t count = std::min(codewords - taken, d_batch - s.codewords);
        if (s.codewords == 0)
            s.begun = clock::now();
        write(taken, count, s.llr.data() + s.codewords * d_shape.llrs * d_shape.llr_bytes);
        s.codewords += count;
        taken += count;
        if (s.codewords == d_batch || taken == codewords)
            start();
    }
    return taken;
}

size_t pipeline::take(size_t codewords, const reader &read)
{
    size_t taken = 0;
    ready();
    while (taken < codewords && d_slots[d_oldest].state == phase::done) {
        slot &s = d_slots[d_oldest];
        if (taken > 0 && s.status != LDPC_OK)
            break;
        check(s.status, s.error);
        const size_t count = std::min(codewords - taken, s.codewords - s.taken);
        read(count, s.out.data() + s.taken * d_shape.out_bytes, s.info.data() + s.taken);
        s.taken += count;
        taken += count;
        if (s.taken == s.codewords) {
            s.empty();
            d_oldest = after(d_oldest);
        }
    }
    if (taken == 0)
        check(d_refused, d_refusal);
    start();
    return taken;
}

bool pipeline::empty() const
{
    return d_slots[d_oldest].codewords == 0;
}

bool pipeline::full() const
{
    const slot &s = d_slots[d_filling];
    return s.state != phase::filling || s.codewords == d_batch;
}

bool pipeline::ready()
{
    while (collect(false))
        ;
    return d_slots[d_oldest].state == phase::done || d_refused != LDPC_OK;
}

void pipeline::wait()
{
    if (d_oldest == d_filling)
        submit();
    if (d_slots[d_oldest].state == phase::in_flight)
        collect(true);
}

std::string pipeline::clear()
{
    std::string error = d_refused == LDPC_OK ? "" : d_refusal;
    drain();
    for (slot &s : d_slots) {
        if (s.state == phase::done && s.status != LDPC_OK)
            error = s.error;
        s.empty();
    }
    d_oldest = d_waiting = d_filling = 0;
    d_refused = LDPC_OK;
    return error;
}

/* Returns false if no batch is in flight, or if the oldest batch is not finished and `waits` is false. */
bool pipeline::collect(bool waits)
{
    if (d_in_flight == 0)
        return false;
    slot &s = d_slots[d_waiting];
    const ldpc_status status =
        waits ? collect_in_time(d_decoder, d_limit, s.begun, s.error) : ldpc_collect(d_decoder, 0, nullptr);
    if (status == LDPC_AGAIN)
        return false;
    if (!waits)
        s.error = status == LDPC_OK ? "" : ldpc_decoder_message(d_decoder);
    s.state = phase::done;
    s.status = status;
    d_waiting = after(d_waiting);
    d_in_flight--;
    return true;
}

void pipeline::drain()
{
    while (collect(true))
        ;
}

pipeline::clock::time_point pipeline::late() const
{
    return d_in_flight > 0 ? d_limit.end(d_slots[d_waiting].begun) : clock::time_point::max();
}

pipeline::clock::time_point pipeline::due() const
{
    const slot &s = d_slots[d_filling];
    if (s.state != phase::filling || s.codewords == 0 || d_in_flight == d_depth || d_refused != LDPC_OK)
        return clock::time_point::max();
    return s.begun + d_latency;
}

void pipeline::start()
{
    if (d_slots[d_filling].codewords == d_batch ||
        (due() != clock::time_point::max() && due() <= clock::now()))
        submit();
}

void pipeline::submit()
{
    slot &s = d_slots[d_filling];
    if (s.state != phase::filling || s.codewords == 0 || d_in_flight == d_depth || d_refused != LDPC_OK)
        return;
    const ldpc_batch batch = make_batch(d_shape, s.codewords, s.llr.data(), s.out.data(), s.info.data());
    d_refused = ldpc_submit(d_decoder, &batch);
    if (d_refused != LDPC_OK) {
        d_refusal = ldpc_decoder_message(d_decoder);
        return;
    }
    s.state = phase::in_flight;
    s.begun = clock::now();
    d_in_flight++;
    d_filling = after(d_filling);
}

void pipeline::replace(ldpc_decoder *decoder)
{
    drain();
    move_to(decoder);
    d_decoder = decoder;
    d_limit = time_limit();
    d_refused = LDPC_OK;
    d_depth = std::min(d_slots.size() - 2, ldpc_decoder_depth(decoder));
    for (slot &s : d_slots)
        if (s.state == phase::done && s.status != LDPC_OK)
            repair(s);
    start();
}

void pipeline::allocate(ldpc_decoder *decoder, slot &s) const
{
    s.llr = staging<uint8_t>(decoder, d_batch * d_shape.llrs * d_shape.llr_bytes);
    s.out = staging<uint8_t>(decoder, d_batch * d_shape.out_bytes);
    s.info = staging<ldpc_codeword_info>(decoder, d_batch);
}

/* The old decoder must still exist, because it owns the memory of the slots. */
void pipeline::move_to(ldpc_decoder *decoder)
{
    std::vector<slot> made(d_slots.size());
    for (slot &s : made)
        allocate(decoder, s);
    for (size_t i = 0; i < made.size(); i++) {
        slot &s = d_slots[i], &to = made[i];
        std::copy_n(s.llr.data(), s.codewords * d_shape.llrs * d_shape.llr_bytes, to.llr.data());
        std::copy_n(s.out.data(), s.codewords * d_shape.out_bytes, to.out.data());
        std::copy_n(s.info.data(), s.codewords, to.info.data());
        std::swap(s.llr, to.llr);
        std::swap(s.out, to.out);
        std::swap(s.info, to.info);
    }
}

void pipeline::repair(slot &s)
{
    const ldpc_batch batch = make_batch(d_shape, s.codewords, s.llr.data(), s.out.data(), s.info.data());
    s.status = ldpc_decode(d_decoder, &batch);
    s.error = s.status == LDPC_OK ? "" : ldpc_decoder_message(d_decoder);
}

} // namespace ldpc
} // namespace gr
