/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of every decoder block. */
#include "decoder_base_impl.h"

#include "llrs.h"
#include "options.h"
#include "symbols.h"

#include <gnuradio/block_detail.h>
#include <gnuradio/io_signature.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

/* LLRs of one batch. Threads of a flowgraph wake each other once for each batch: enough of them to make that
 * a small share of the time, few enough to keep the latency small. */
constexpr size_t direct_llrs = 262144;
constexpr size_t pipelined_llrs = 65536;
constexpr std::chrono::milliseconds longest_batch(1); /* of a slow decoder, where it has the choice */
constexpr size_t largest_output_buffer = 4 << 20;     /* bytes */

bool is_direct(const ldpc_decoder *decoder, const decoder_options &options)
{
    return is_on_cpu(decoder) && options.threads == 1;
}

size_t batch_of(const ldpc_decoder *decoder, const decoder_options &options, size_t n)
{
    if (options.batch > 0 && !is_on_cpu(decoder))
        return ldpc_decoder_max_batch(decoder); /* as asked for */
    const size_t good = std::max<size_t>(1, ldpc_decoder_good_batch(decoder));
    const size_t llrs = is_direct(decoder, options) ? direct_llrs : pipelined_llrs;
    const size_t wanted = std::max(good, llrs / n / good * good);
    return std::min(wanted, ldpc_decoder_max_batch(decoder));
}

/* Batches are done on the library's threads: make the scheduler look at the block again. */
void wake(void *block)
{
    const block_detail_sptr detail = static_cast<decoder_base_impl *>(block)->detail();
    if (detail)
        detail->d_tpb.notify_msg();
}

} // namespace

decoder_base_impl::decoder_base_impl(const decoder_options &options, const std::string &backend,
                                     const block_traits &traits)
    : decoder_controls(options, backend, traits), d_item_bytes(input_signature()->sizeof_stream_item(0)),
      d_out_item_bytes(output_signature()->sizeof_stream_item(0)),
      d_shape(shape_of(options, d_decoder.get(), d_item_bytes, traits)),
      d_symbol_bits(traits.symbols ? symbol_bits(d_code.get()) : 1),
      d_out_items(d_shape.posterior ? d_shape.llrs : d_shape.out_bytes / d_symbol_bits),
      d_good_batch(std::max<size_t>(1, ldpc_decoder_good_batch(d_decoder.get()))),
      d_batch(batch_of(d_decoder.get(), d_options, d_n)), d_quick_batch(d_good_batch),
      d_codewords(*this, d_logger, d_shape.llrs, d_out_items, options.length_tag_name, options.start_tag)
{
    set_tag_propagation_policy(TPP_DONT); /* d_codewords does it */
    set_relative_rate(static_cast<uint64_t>(d_out_items), static_cast<uint64_t>(d_shape.llrs));
    set_output_multiple(static_cast<int>(d_out_items));
    const size_t buffer =
        std::max(4 * d_out_items, std::min(2 * d_batch * d_out_items, largest_output_buffer));
    set_min_output_buffer(0, buffer);

    if (is_direct(d_decoder.get(), options)) {
        d_info.resize(d_batch);
    } else {
        const std::chrono::duration<double> latency(options.latency);
        d_pipeline =
            std::make_unique<pipeline>(d_decoder.get(), d_shape, d_batch,
                                       std::chrono::duration_cast<pipeline::clock::duration>(latency));
        check(d_decoder.get(), ldpc_decoder_set_notify(d_decoder.get(), wake, this));
        if (options.latency > 0)
            d_alarm = std::make_unique<alarm>([this] { start_waiting(); });
    }
}

/* The decoder has failed while the flowgraph runs. */
void decoder_base_impl::fall_back(const std::string &reason)
{
    d_may_fall_back = false;
    decoder_handle decoder = open_cpu(d_batch);
    check(decoder.get(), ldpc_decoder_set_notify(decoder.get(), wake, this));
    d_logger->warn("{}; decoding goes on on the CPU", reason);
    d_pipeline->replace(decoder.get());
    d_decoder = std::move(decoder);
    if (d_alarm)
        d_alarm->set(d_pipeline->due());
}

/* Called by the alarm: codewords have waited long enough for others. If the decoder refuses them, the block
 * has to hear of it. */
void decoder_base_impl::start_waiting()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_pipeline->start();
    d_alarm->set(d_pipeline->due());
    if (d_pipeline->ready())
        wake(this);
}

/* GNU Radio asks this before it makes the buffers. The block before this one gets a buffer for twice the
 * input that belongs to the output multiple: ask for a large one, which start() takes back, because one
 * codeword is enough to work with. */
bool decoder_base_impl::check_topology(int, int)
{
    size_t codewords = std::max<size_t>(1, direct_llrs / d_shape.llrs);
    if (max_output_buffer(0) > 0)
        codewords = std::max<size_t>(1, std::min(codewords, max_output_buffer(0) / d_out_items));
    set_output_multiple(static_cast<int>(codewords * d_out_items));
    return true;
}

bool decoder_base_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    set_output_multiple(static_cast<int>(d_out_items));
    if (d_pipeline)
        d_pipeline->clear();
    else if (!as_is())
        d_scratch.resize(d_batch * d_shape.llrs * d_shape.llr_bytes);
    if (!d_pipeline && converts_output())
        d_bits.resize(d_batch * d_shape.out_bytes);
    d_codewords.restart();
    restart_counters();
    return true;
}

bool decoder_base_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_pipeline)
        d_pipeline->clear();
    publish();
    return true;
}

/* One codeword of input is needed, except when there is something to hand out, or something to wait for and
 * nothing else to do: then 0, which gets general_work() called, where it waits. Asking for input with
 * codewords in flight would lose them at the end of the stream, and always asking for 0 would spin. */
void decoder_base_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const bool ended = d_codewords.ended();
    ninput_items_required[0] = static_cast<int>(d_shape.llrs);
    if (d_pipeline && !d_pipeline->empty()) {
        if (d_pipeline->ready() || d_pipeline->full() || ended)
            ninput_items_required[0] = 0;
    } else if (ended) {
        publish(); /* now, because message ports hear nothing from a block that is done */
    }
}

int decoder_base_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                    gr_vector_const_void_star &input_items, gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const size_t room = noutput_items / d_out_items;
    const size_t available = d_codewords.available(ninput_items[0]);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    try {
        const size_t codewords = d_pipeline ? work_pipelined(room, available, input_items[0], out)
                                            : work_direct(room, available, input_items[0], out);
        publish_when_due();
        return static_cast<int>(codewords * d_out_items);
    } catch (const std::exception &error) {
        return go_on_after(error.what());
    }
}

/* After a failure; nothing has been consumed or produced in this call. */
int decoder_base_impl::go_on_after(const std::string &reason)
{
    std::string why = reason;
    if (d_may_fall_back) {
        try {
            fall_back(reason);
            return 0;
        } catch (const std::exception &error) {
            why = error.what();
        }
    }
    d_logger->error("decoding stopped: {}", why);
    return WORK_DONE;
}

/* As many codewords as take longest_batch, when `codewords` have taken `time`. */
size_t decoder_base_impl::quick_batch(size_t codewords, clock::duration time) const
{
    const double fit = codewords * (std::chrono::duration<double>(longest_batch) / time);
    return static_cast<size_t>(std::clamp<double>(fit, d_good_batch, d_batch));
}

/* The decoder's bits or posteriors as output items. */
void decoder_base_impl::deliver(const uint8_t *bits, size_t codewords, void *out) const
{
    const int16_t *posteriors = reinterpret_cast<const int16_t *>(bits);
    if (d_symbol_bits > 1)
        join_bits(bits, codewords * d_out_items, d_symbol_bits, static_cast<uint8_t *>(out));
    else if (d_shape.posterior && d_out_item_bytes == sizeof(float))
        posteriors_to_float(posteriors, static_cast<float *>(out), codewords * d_out_items,
                            positive_is_zero() ? llr_scale() : -llr_scale());
    else if (d_shape.posterior)
        posteriors_to_int8(posteriors, static_cast<int8_t *>(out), codewords * d_out_items,
                           !positive_is_zero());
    else
        std::memcpy(out, bits, codewords * d_out_items);
}

/* Codewords that do not fill the kernel stay for the next call when there are others: more may have come
 * until then. */
size_t decoder_base_impl::work_direct(size_t room, size_t available, const void *in, uint8_t *out)
{
    size_t codewords = std::min({room, available, d_quick_batch});
    if (codewords > d_good_batch)
        codewords -= codewords % d_good_batch;
    if (codewords == 0)
        return 0;
    const void *llr = in;
    if (!as_is()) {
        convert(in, d_scratch.data(), codewords * d_shape.llrs);
        llr = d_scratch.data();
    }
    uint8_t *bits = converts_output() ? d_bits.data() : out;
    const ldpc_batch batch = make_batch(d_shape, codewords, llr, bits, d_info.data());
    const clock::time_point begun = clock::now();
    check(d_decoder.get(), ldpc_decode(d_decoder.get(), &batch));
    d_quick_batch = quick_batch(codewords, clock::now() - begun);
    if (bits != out)
        deliver(bits, codewords, out);
    d_codewords.consume(codewords);
    record(0, codewords, d_info.data());
    return codewords;
}

size_t decoder_base_impl::work_pipelined(size_t room, size_t available, const void *in, uint8_t *out)
{
    size_t produced = 0;
    const auto copy_out = [&](size_t codewords, const uint8_t *bits, const ldpc_codeword_info *info) {
        deliver(bits, codewords, out + produced * d_out_items * d_out_item_bytes);
        record(produced, codewords, info);
        produced += codewords;
    };
    const auto copy_in = [&](size_t first, size_t codewords, void *llr) {
        const uint8_t *from = static_cast<const uint8_t *>(in) + first * d_shape.llrs * d_item_bytes;
        if (as_is())
            std::memcpy(llr, from, codewords * d_shape.llrs * d_item_bytes);
        else
            convert(from, llr, codewords * d_shape.llrs);
    };
    d_pipeline->take(room, copy_out);
    const size_t consumed = d_pipeline->put(available, copy_in);
    if (produced == 0 && consumed == 0) {
        d_pipeline->wait();
        d_pipeline->take(room, copy_out);
    }
    if (d_alarm)
        d_alarm->set(d_pipeline->due());
    d_codewords.consume(consumed);
    return produced;
}

/* Count and tag codewords that are about to be produced; `first` is the number of codewords before them in
 * this call.
 */
void decoder_base_impl::record(size_t first, size_t codewords, const ldpc_codeword_info *info)
{
    count(codewords, info);
    d_codewords.leave(first, codewords);
    if (!d_options.tags)
        return;
    for (size_t w = 0; w < codewords; w++) {
        const uint64_t offset = nitems_written(0) + (first + w) * d_out_items;
        add_item_tag(0, offset, iterations_key, pmt::from_long(info[w].iterations), alias_pmt());
        add_item_tag(0, offset, converged_key, pmt::from_bool(info[w].converged), alias_pmt());
    }
}

} // namespace ldpc
} // namespace gr
