/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base class of the decoder blocks for streams. */
#include "decoder_base_impl.h"

#include "llrs.h"
#include "options.h"
#include "streaming_copy.h"
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

/* LLRs per batch: large batches wake threads less often, small batches have less latency */
constexpr size_t direct_llrs = 262144;
constexpr size_t pipelined_llrs = 65536;
constexpr std::chrono::milliseconds longest_batch(1);
constexpr size_t largest_output_buffer = 4 << 20; /* bytes */

size_t batch_of(const ldpc_decoder *decoder, const decoder_options &options, size_t n, bool direct)
{
    if (options.batch > 0 && !is_on_cpu(decoder))
        return ldpc_decoder_max_batch(decoder); /* chosen by the user */
    const size_t good = std::max<size_t>(1, ldpc_decoder_good_batch(decoder));
    const size_t llrs = direct ? direct_llrs : pipelined_llrs;
    const size_t wanted = std::max(good, llrs / n / good * good);
    return std::min(wanted, ldpc_decoder_max_batch(decoder));
}

template <class Of> size_t most(const std::vector<code_path> &paths, Of of)
{
    size_t value = 0;
    for (const code_path &path : paths)
        value = std::max<size_t>(value, of(path));
    return value;
}

/* Makes the scheduler call the block. Call wake() only between start() and stop(), because a stopped
 * flowgraph has no block details. */
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
      d_symbol_bits(traits.symbols ? symbol_bits(d_coded[0].code.get()) : 1), d_paths(make_paths(traits)),
      d_most_out(most(d_paths, [](const code_path &path) { return path.out_items; })),
      d_code_tags(name_tags(all_codes(options.code, options.codes))),
      d_codewords(*this, d_logger, sizes(), tags_of(options))
{
    set_tag_propagation_policy(TPP_DONT); /* d_codewords propagates tags */
    set_relative_rate(static_cast<uint64_t>(d_paths[0].out_items),
                      static_cast<uint64_t>(d_paths[0].in_items));
    set_output_multiple(static_cast<int>(d_most_out));
    const size_t batch_out = most(d_paths, [](const code_path &path) { return path.batch * path.out_items; });
    set_min_output_buffer(0, std::max(4 * d_most_out, std::min(2 * batch_out, largest_output_buffer)));
    if (is_direct())
        d_info.resize(most(d_paths, [](const code_path &path) { return path.batch; }));
    else
        make_pipelines();
}

bool decoder_base_impl::is_direct() const
{
    return d_options.threads == 1 && std::all_of(d_coded.begin(), d_coded.end(), [](const coded &each) {
               return is_on_cpu(each.decoder.get());
           });
}

code_path decoder_base_impl::path_of(const coded &code, const block_traits &traits) const
{
    const ldpc_decoder *decoder = code.decoder.get();
    code_path path = {};
    path.shape = shape_of(d_options, decoder, d_item_bytes, traits);
    path.in_items = input_items(d_options, path.shape);
    path.out_items = path.shape.posterior ? path.shape.llrs : path.shape.out_bytes / d_symbol_bits;
    path.good_batch = std::max<size_t>(1, ldpc_decoder_good_batch(decoder));
    path.batch = batch_of(decoder, d_options, code.n, is_direct());
    path.quick_batch = path.good_batch;
    return path;
}

std::vector<code_path> decoder_base_impl::make_paths(const block_traits &traits) const
{
    std::vector<code_path> paths;
    for (const coded &code : d_coded) {
        if (traits.symbols && symbol_bits(code.code.get()) != d_symbol_bits)
            throw std::invalid_argument("all codes must have the same field GF(q)");
        paths.push_back(path_of(code, traits));
    }
    return paths;
}

std::vector<codeword_items> decoder_base_impl::sizes() const
{
    std::vector<codeword_items> sizes;
    for (const code_path &path : d_paths)
        sizes.push_back(
            {path.in_items, path.out_items, d_options.input == "hard-packed" ? path.shape.llrs : 0});
    return sizes;
}

framing_tags decoder_base_impl::tags_of(const decoder_options &options)
{
    return {options.length_tag_name, options.start_tag, options.codes.empty() ? nullptr : &d_code_tags};
}

void decoder_base_impl::make_pipelines()
{
    const std::chrono::duration<double> latency(d_options.latency);
    bool limited = false;
    for (size_t i = 0; i < d_coded.size(); i++) {
        ldpc_decoder *decoder = d_coded[i].decoder.get();
        const time_limit limit = limit_of(decoder);
        limited = limited || limit.longest > pipeline::clock::duration::zero();
        d_paths[i].pipe =
            std::make_unique<pipeline>(decoder, d_paths[i].shape, d_paths[i].batch,
                                       std::chrono::duration_cast<pipeline::clock::duration>(latency), limit);
    }
    if (d_options.latency > 0 || limited)
        d_alarm = std::make_unique<alarm>([this] { start_waiting(); });
}

/* Replaces the decoders of all codes. */
void decoder_base_impl::fall_back(const std::string &reason)
{
    d_may_fall_back = false;
    std::vector<decoder_handle> made;
    for (size_t i = 0; i < d_coded.size(); i++) {
        made.push_back(open_cpu(d_coded[i].code.get(), d_paths[i].batch));
        if (d_running)
            check(made[i].get(), ldpc_decoder_set_notify(made[i].get(), wake, this));
    }
    d_logger->warn("{}; falling back to the CPU", reason);
    for (size_t i = 0; i < d_coded.size(); i++) {
        d_paths[i].pipe->replace(made[i].get());
        d_coded[i].decoder = std::move(made[i]);
    }
    if (d_alarm)
        d_alarm->set(due());
    if (d_running)
        wake(this);
}

void decoder_base_impl::await_batches()
{
    for (const code_path &path : d_paths)
        if (path.pipe)
            path.pipe->drain();
    if (d_running)
        wake(this);
}

/* Returns the time of the next alarm. */
pipeline::clock::time_point decoder_base_impl::due() const
{
    pipeline::clock::time_point first = pipeline::clock::time_point::max();
    for (const code_path &path : d_paths)
        first = std::min({first, path.pipe->due(), path.pipe->late()});
    return first;
}

/* Called by the alarm. */
void decoder_base_impl::start_waiting()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    bool ready = false;
    for (const code_path &path : d_paths) {
        if (path.pipe->late() <= clock::now())
            path.pipe->wait();
        path.pipe->start();
        ready = path.pipe->ready() || ready;
    }
    d_alarm->set(due());
    if (ready)
        wake(this);
}

/* GNU Radio calls this function before it allocates buffers. Their size depends on the output multiple.
 * start() resets the multiple. */
bool decoder_base_impl::check_topology(int, int)
{
    const size_t longest = most(d_paths, [](const code_path &path) { return path.in_items; });
    size_t codewords = std::max<size_t>(1, direct_llrs / longest);
    if (max_output_buffer(0) > 0)
        codewords = std::max<size_t>(1, std::min(codewords, max_output_buffer(0) / d_most_out));
    set_output_multiple(static_cast<int>(codewords * d_most_out));
    return true;
}

/* If `wakes` is false, no call of wake() is running when this function returns. */
void decoder_base_impl::clear_pipelines(bool wakes)
{
    std::string lost;
    for (size_t i = 0; i < d_paths.size(); i++) {
        if (!d_paths[i].pipe)
            continue;
        const std::string error = d_paths[i].pipe->clear();
        lost = lost.empty() ? error : lost;
        ldpc_decoder_set_notify(d_coded[i].decoder.get(), wakes ? wake : nullptr, this);
    }
    if (!lost.empty())
        d_logger->error("dropped codewords: {}", lost);
}

bool decoder_base_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    set_output_multiple(static_cast<int>(d_most_out));
    clear_pipelines(true);
    d_running = true;
    for (const code_path &path : d_paths) {
        const word_shape &shape = path.shape;
        if (!path.pipe && !as_is())
            d_scratch.resize(std::max(d_scratch.size(), path.batch * shape.llrs * shape.llr_bytes));
        if (!path.pipe && converts_output())
            d_bits.resize(std::max(d_bits.size(), path.batch * shape.out_bytes));
    }
    d_order.clear();
    d_codewords.restart();
    restart_counters();
    return true;
}

bool decoder_base_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_running = false;
    clear_pipelines(false);
    publish();
    return true;
}

/* Requests no input while results are ready or the last codewords are being decoded, so that general_work()
 * is called. */
void decoder_base_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const bool ended = d_codewords.ended();
    ninput_items_required[0] = d_codewords.needed();
    if (!d_order.empty()) {
        pipeline &oldest = *d_paths[d_order.front().code].pipe;
        if (oldest.ready() || oldest.full() || ended)
            ninput_items_required[0] = 0;
    } else if (ended) {
        publish(); /* messages published after the block has finished are lost */
    }
}

int decoder_base_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                    gr_vector_const_void_star &input_items, gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const run available = d_codewords.available(ninput_items[0], input_items[0]);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    d_produced = 0;
    try {
        if (d_paths[0].pipe)
            work_pipelined(noutput_items, available, input_items[0], out);
        else
            work_direct(noutput_items, available, input_items[0], out);
        publish_when_due();
        return static_cast<int>(d_produced);
    } catch (const std::exception &error) {
        return go_on_after(error.what());
    }
}

/* The failed call of general_work() has consumed and produced nothing. */
int decoder_base_impl::go_on_after(const std::string &reason)
{
    std::string why = reason;
    if (d_may_fall_back) {
        try {
            fall_back(reason);
            return 0;
        } catch (const std::exception &error) {
            why = reason + "; the CPU cannot decode instead: " + error.what();
        }
    }
    d_logger->error("decoding stopped: {}", why);
    return WORK_DONE;
}

void decoder_base_impl::deliver(const code_path &path, const uint8_t *bits, size_t codewords, void *out) const
{
    const size_t items = codewords * path.out_items;
    const int16_t *posteriors = reinterpret_cast<const int16_t *>(bits);
    if (d_symbol_bits > 1)
        join_bits(bits, items, d_symbol_bits, static_cast<uint8_t *>(out));
    else if (path.shape.posterior && d_out_item_bytes == sizeof(float))
        posteriors_to_float(posteriors, static_cast<float *>(out), items,
                            positive_is_zero() ? llr_scale() : -llr_scale());
    else if (path.shape.posterior)
        posteriors_to_int8(posteriors, static_cast<int8_t *>(out), items, !positive_is_zero());
    else
        std::memcpy(out, bits, items);
}

/* Returns the batch size that is decoded in about the time longest_batch. The last batch had `codewords`
 * codewords and took `time`. */
static size_t quick_batch(const code_path &path, size_t codewords, std::chrono::duration<double> time)
{
    const double fit = codewords * (std::chrono::duration<double>(longest_batch) / time);
    return static_cast<size_t>(std::clamp<double>(fit, path.good_batch, path.batch));
}

/* room: output items. */
void decoder_base_impl::work_direct(size_t room, const run &available, const void *in, uint8_t *out)
{
    code_path &path = d_paths[available.code];
    size_t codewords = std::min({room / path.out_items, available.codewords, path.quick_batch});
    if (codewords > path.good_batch)
        codewords -= codewords % path.good_batch;
    if (codewords == 0)
        return;
    const void *llr = in;
    if (!as_is()) {
        convert(in, d_scratch.data(), codewords, path);
        llr = d_scratch.data();
    }
    uint8_t *bits = converts_output() ? d_bits.data() : out;
    ldpc_decoder *decoder = d_coded[available.code].decoder.get();
    const ldpc_batch batch = make_batch(path.shape, codewords, llr, bits, d_info.data());
    const clock::time_point begun = clock::now();
    check(decoder, ldpc_decode(decoder, &batch));
    path.quick_batch = quick_batch(path, codewords, clock::now() - begun);
    if (bits != out)
        deliver(path, bits, codewords, out);
    d_codewords.consume({codewords, available.code});
    record(available.code, codewords, d_info.data());
}

void decoder_base_impl::work_pipelined(size_t room, const run &available, const void *in, uint8_t *out)
{
    take(room, out);
    const size_t taken = put(available, static_cast<const uint8_t *>(in));
    if (d_produced == 0 && taken == 0 && !d_order.empty()) {
        d_paths[d_order.front().code].pipe->wait();
        take(room, out);
    }
    if (d_alarm)
        d_alarm->set(due());
}

void decoder_base_impl::take(size_t room, uint8_t *out)
{
    if (d_order.empty())
        return;
    run &oldest = d_order.front();
    const code_path &path = d_paths[oldest.code];
    const auto copy_out = [&](size_t codewords, const uint8_t *bits, const ldpc_codeword_info *info) {
        deliver(path, bits, codewords, out + d_produced * d_out_item_bytes);
        record(oldest.code, codewords, info);
    };
    oldest.codewords -= path.pipe->take(std::min(room / path.out_items, oldest.codewords), copy_out);
    if (oldest.codewords == 0)
        d_order.pop_front();
}

/* Returns how many codewords were accepted. */
size_t decoder_base_impl::put(const run &available, const uint8_t *in)
{
    const run taken = {copy(available, in), available.code};
    if (!d_order.empty() && d_order.back().code == taken.code)
        d_order.back().codewords += taken.codewords;
    else if (taken.codewords > 0)
        d_order.push_back(taken);
    return taken.codewords;
}

size_t decoder_base_impl::copy(const run &available, const uint8_t *in)
{
    const code_path &path = d_paths[available.code];
    const bool on_gpu = !is_on_cpu(d_coded[available.code].decoder.get());
    const auto write = [&](size_t first, size_t codewords, void *llr) {
        const size_t bytes = codewords * path.in_items * d_item_bytes;
        const uint8_t *from = in + first * path.in_items * d_item_bytes;
        if (!as_is())
            convert(from, llr, codewords, path);
        else if (on_gpu)
            streaming_copy(llr, from, bytes);
        else
            std::memcpy(llr, from, bytes);
    };
    const size_t taken = path.pipe->put(available.codewords, write);
    d_codewords.consume({taken, available.code});
    return taken;
}

void decoder_base_impl::record(size_t code, size_t codewords, const ldpc_codeword_info *info)
{
    const size_t items = d_paths[code].out_items;
    if (count(d_coded[code], codewords, info))
        add_item_tag(0, nitems_written(0) + d_produced, all_failed_key, pmt::PMT_T, alias_pmt());
    d_codewords.leave(d_produced, codewords * items);
    for (size_t w = 0; d_options.tags && w < codewords; w++) {
        const uint64_t offset = nitems_written(0) + d_produced + w * items;
        add_item_tag(0, offset, iterations_key, pmt::from_long(info[w].iterations), alias_pmt());
        add_item_tag(0, offset, converged_key, pmt::from_bool(info[w].converged), alias_pmt());
    }
    d_produced += codewords * items;
}

} // namespace ldpc
} // namespace gr
