/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of every decoder block. */
#include "decoder_base_impl.h"

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

const pmt::pmt_t stats_port = pmt::mp("stats");
const pmt::pmt_t iterations_key = pmt::mp("ldpc_iterations");
const pmt::pmt_t converged_key = pmt::mp("ldpc_converged");

/* LLRs of one batch: enough to make the scheduler's share of the time small, few enough to keep the latency
 * small. */
constexpr size_t batch_llrs = 65536;
constexpr size_t largest_output_buffer = 4 << 20; /* bytes */

/* "a", "b" or "c": for sentences about wrong names. */
std::string choices(const std::vector<std::string> &names)
{
    std::string text;
    for (size_t i = 0; i < names.size(); i++)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + ("\"" + names[i] + "\"");
    return text;
}

[[noreturn]] void wrong(const std::string &option, const std::string &expected, const std::string &got)
{
    throw std::invalid_argument(option + " must be " + expected + ", not " + got);
}

bool is_first(const std::string &option, const std::string &value, const std::string &first,
              const std::string &second)
{
    if (value != first && value != second)
        wrong(option, choices({first, second}), "\"" + value + "\"");
    return value == first;
}

uint32_t not_negative(const std::string &option, int value, const std::string &expected)
{
    if (value < 0)
        wrong(option, expected, std::to_string(value));
    return value;
}

uint32_t iterations_of(int value)
{
    return not_negative("max_iterations", value, "0 .. 10000");
}

/* One of the library's enumerations from its name. Values count from 0; what cannot be parsed is no name. */
template <class Enum>
Enum named(const std::string &option, const std::string &value, ldpc_status (*parse)(const char *, Enum *),
           const char *(*name)(Enum))
{
    Enum result;
    if (parse(value.c_str(), &result) == LDPC_OK)
        return result;
    std::vector<std::string> names;
    for (int i = 0; parse(name(static_cast<Enum>(i)), &result) == LDPC_OK; i++)
        names.push_back(name(static_cast<Enum>(i)));
    wrong(option, choices(names), "\"" + value + "\"");
}

decoder_handle decoder_of(const ldpc_code *code, const decoder_options &options, const char *backend)
{
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.algorithm = named("algorithm", options.algorithm, ldpc_algorithm_parse, ldpc_algorithm_name);
    params.arithmetic = named("arithmetic", options.arithmetic, ldpc_arithmetic_parse, ldpc_arithmetic_name);
    params.schedule = named("schedule", options.schedule, ldpc_schedule_parse, ldpc_schedule_name);
    params.max_iterations = iterations_of(options.max_iterations);
    params.early_stop = options.early_stop;
    params.llr_scale = options.llr_scale;
    params.offset = options.offset;
    params.factor = options.factor;
    params.packed = options.packed;
    params.backend = backend;
    params.kernel = options.kernel == "auto" || options.kernel.empty() ? nullptr : options.kernel.c_str();
    params.threads = not_negative("threads", options.threads, "0 (one per core) or more");
    return make_decoder(code, params);
}

word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes)
{
    const ldpc_code *code = ldpc_decoder_code(decoder);
    const bool message = is_first("output", options.output, "message", "codeword");
    const size_t bits = message ? message_bits(code) : codeword_bits(code);
    if (bits == 0)
        throw std::invalid_argument("this code has no message bits (k = 0); output must be \"codeword\"");
    word_shape shape = {};
    shape.llrs = codeword_bits(code);
    shape.llr_bytes = ldpc_decoder_arithmetic(decoder) == LDPC_ARITHMETIC_FLOAT ? item_bytes : 1;
    shape.out_bytes = options.packed ? (bits + 7) / 8 : bits;
    shape.message = message;
    return shape;
}

size_t batch_of(const ldpc_decoder *decoder, size_t n)
{
    const size_t good = std::max<size_t>(1, ldpc_decoder_good_batch(decoder));
    const size_t wanted = std::max(good, batch_llrs / n / good * good);
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

decoder_base_impl::decoder_base_impl(const decoder_options &options, const char *backend)
    : d_options(options), d_code(make_code(options.code)),
      d_decoder(decoder_of(d_code.get(), options, backend)),
      d_item_bytes(input_signature()->sizeof_stream_item(0)),
      d_shape(shape_of(options, d_decoder.get(), d_item_bytes)), d_n(codeword_bits(d_code.get())),
      d_k(message_bits(d_code.get())),
      d_good_batch(std::max<size_t>(1, ldpc_decoder_good_batch(d_decoder.get()))),
      d_batch(batch_of(d_decoder.get(), d_n)), d_end(*this, d_logger, d_n)
{
    is_first("llr_sign", options.llr_sign, "positive", "negative");
    if (!(options.stats_interval >= 0))
        wrong("stats_interval", "0 (never) or more seconds", std::to_string(options.stats_interval));

    set_relative_rate(static_cast<uint64_t>(d_shape.out_bytes), static_cast<uint64_t>(d_n));
    set_output_multiple(d_shape.out_bytes);
    const size_t buffer =
        std::max(4 * d_shape.out_bytes, std::min(2 * d_batch * d_shape.out_bytes, largest_output_buffer));
    set_min_output_buffer(0, buffer);
    message_port_register_out(stats_port);

    const bool direct =
        std::strcmp(ldpc_decoder_backend(d_decoder.get()), "cpu") == 0 && options.threads == 1;
    if (direct) {
        d_info.resize(d_batch);
    } else {
        d_pipeline = std::make_unique<pipeline>(d_decoder.get(), d_shape, d_batch);
        check(d_decoder.get(), ldpc_decoder_set_notify(d_decoder.get(), wake, this));
    }
}

bool decoder_base_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    if (d_pipeline)
        d_pipeline->clear();
    else if (!as_is())
        d_scratch.resize(d_batch * d_shape.llrs * d_shape.llr_bytes);
    d_end.restart();
    d_total = d_published = counters();
    d_last_publish = clock::now();
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
 * nothing else to do: then 0, which gets general_work() called, where it waits. Asking for input with words
 * in flight would lose them at the end of the stream, and always asking for 0 would spin. */
void decoder_base_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const bool ended = d_end.reached();
    ninput_items_required[0] = d_n;
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
    const size_t room = noutput_items / d_shape.out_bytes;
    const size_t available = ninput_items[0] / d_n;
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    try {
        const size_t words = d_pipeline ? work_pipelined(room, available, input_items[0], out)
                                        : work_direct(room, available, input_items[0], out);
        publish_when_due();
        return static_cast<int>(words * d_shape.out_bytes);
    } catch (const std::exception &error) {
        d_logger->error("decoding stopped: {}", std::string(error.what()));
        return WORK_DONE;
    }
}

/* Words that do not fill the kernel stay for the next call when there are others: more may have come until
 * then. */
size_t decoder_base_impl::work_direct(size_t room, size_t available, const void *in, uint8_t *out)
{
    size_t words = std::min({room, available, d_batch});
    if (words > d_good_batch)
        words -= words % d_good_batch;
    if (words == 0)
        return 0;
    const void *llr = in;
    if (!as_is()) {
        convert(in, d_scratch.data(), words * d_shape.llrs);
        llr = d_scratch.data();
    }
    const ldpc_batch batch = make_batch(d_shape, words, llr, out, d_info.data());
    check(d_decoder.get(), ldpc_decode(d_decoder.get(), &batch));
    record(0, words, d_info.data());
    consume(0, static_cast<int>(words * d_shape.llrs));
    return words;
}

size_t decoder_base_impl::work_pipelined(size_t room, size_t available, const void *in, uint8_t *out)
{
    size_t produced = 0;
    const auto copy_out = [&](size_t words, const uint8_t *bits, const ldpc_word_info *info) {
        std::memcpy(out + produced * d_shape.out_bytes, bits, words * d_shape.out_bytes);
        record(produced, words, info);
        produced += words;
    };
    const auto copy_in = [&](size_t first, size_t words, void *llr) {
        const uint8_t *from = static_cast<const uint8_t *>(in) + first * d_shape.llrs * d_item_bytes;
        if (as_is())
            std::memcpy(llr, from, words * d_shape.llrs * d_item_bytes);
        else
            convert(from, llr, words * d_shape.llrs);
    };
    d_pipeline->take(room, copy_out);
    const size_t consumed = d_pipeline->put(available, copy_in);
    if (produced == 0 && consumed == 0) {
        d_pipeline->wait();
        d_pipeline->take(room, copy_out);
    }
    consume(0, static_cast<int>(consumed * d_shape.llrs));
    return produced;
}

/* Count and tag words that are about to be produced; `first` is the number of words before them in this call.
 */
void decoder_base_impl::record(size_t first, size_t words, const ldpc_word_info *info)
{
    d_total.frames += words;
    for (size_t w = 0; w < words; w++) {
        d_total.iterations += info[w].iterations;
        d_total.failed += !info[w].converged;
    }
    if (!d_options.tags)
        return;
    for (size_t w = 0; w < words; w++) {
        const uint64_t offset = nitems_written(0) + (first + w) * d_shape.out_bytes;
        add_item_tag(0, offset, iterations_key, pmt::from_long(info[w].iterations), alias_pmt());
        add_item_tag(0, offset, converged_key, pmt::from_bool(info[w].converged), alias_pmt());
    }
}

void decoder_base_impl::publish_when_due()
{
    if (clock::now() - d_last_publish >= std::chrono::duration<double>(d_options.stats_interval))
        publish();
}

/* A message about the words since the last one, if there are any. */
void decoder_base_impl::publish()
{
    const clock::time_point now = clock::now();
    const double seconds = std::chrono::duration<double>(now - d_last_publish).count();
    const uint64_t frames = d_total.frames - d_published.frames;
    if (frames == 0 || d_options.stats_interval == 0)
        return;
    const double iterations = static_cast<double>(d_total.iterations - d_published.iterations);
    pmt::pmt_t stats = pmt::make_dict();
    const auto add = [&](const char *key, const pmt::pmt_t &value) {
        stats = pmt::dict_add(stats, pmt::mp(key), value);
    };
    add("code", pmt::mp(ldpc_code_name(d_code.get())));
    add("kernel", pmt::mp(ldpc_decoder_kernel(d_decoder.get())));
    add("seconds", pmt::from_double(seconds));
    add("frames", pmt::from_uint64(frames));
    add("failed", pmt::from_uint64(d_total.failed - d_published.failed));
    add("mean_iterations", pmt::from_double(iterations / frames));
    add("coded_mbps", pmt::from_double(1e-6 * frames * d_n / seconds));
    add("info_mbps", pmt::from_double(1e-6 * frames * d_k / seconds));
    add("total_frames", pmt::from_uint64(d_total.frames));
    add("total_failed", pmt::from_uint64(d_total.failed));
    message_port_pub(stats_port, stats);
    d_published = d_total;
    d_last_publish = now;
}

/* The decoder itself waits for the batches that have been started. */
template <class Setter> void decoder_base_impl::change(Setter setter)
{
    check(d_decoder.get(), setter(d_decoder.get()));
}

void decoder_base_impl::set_max_iterations(int max_iterations)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const uint32_t value = iterations_of(max_iterations);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_max_iterations(decoder, value); });
    d_options.max_iterations = max_iterations;
}

void decoder_base_impl::set_early_stop(bool early_stop)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_early_stop(decoder, early_stop); });
    d_options.early_stop = early_stop;
}

void decoder_base_impl::set_offset(float offset)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_offset(decoder, offset); });
}

void decoder_base_impl::set_factor(float factor)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_factor(decoder, factor); });
}

int decoder_base_impl::max_iterations() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_options.max_iterations;
}

bool decoder_base_impl::early_stop() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_options.early_stop;
}

std::string decoder_base_impl::code() const
{
    return ldpc_code_name(d_code.get());
}

std::string decoder_base_impl::kernel() const
{
    return ldpc_decoder_kernel(d_decoder.get());
}

uint64_t decoder_base_impl::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

uint64_t decoder_base_impl::failed() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.failed;
}

double decoder_base_impl::mean_iterations() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames ? static_cast<double>(d_total.iterations) / d_total.frames : 0;
}

} // namespace ldpc
} // namespace gr
