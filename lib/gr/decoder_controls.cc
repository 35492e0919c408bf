/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of a block, with its options, setters, counters and statistics. */
#include "decoder_controls.h"

#include "codeword_framing.h"
#include "llrs.h"
#include "options.h"
#include "padding.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace gr
{
namespace ldpc
{

namespace
{

void check_options(const decoder_options &options, const block_traits &traits)
{
    std::vector<std::string> inputs = {"llrs", "hard", "hard-packed"};
    if (traits.nonbinary)
        inputs.push_back("costs");
    is_first("input", options.input, inputs);
    is_first("llr_sign", options.llr_sign, {"positive", "negative"});
    if (!(options.latency >= 0 && options.latency <= 60))
        wrong("latency", "0 .. 60 seconds", std::to_string(options.latency));
    gpu_timeout_ms(options.gpu_timeout); /* throws for invalid values */
}

/* Lists likely reasons why no codeword can be decoded. */
const char *wrong_input(const std::string &input)
{
    if (input == "llrs")
        return "wrong LLR sign convention (llr_sign), LLRs scaled far too large or too small (llr_scale)";
    return input == "costs" ? "costs other than ln P(best) - ln P(a) in LLR steps (llr_scale)"
                            : "inverted bits";
}

} // namespace

const pmt::pmt_t iterations_key = pmt::mp("ldpc_iterations");
const pmt::pmt_t converged_key = pmt::mp("ldpc_converged");

bool is_on_cpu(const ldpc_decoder *decoder)
{
    return std::strcmp(ldpc_decoder_backend(decoder), "cpu") == 0;
}

word_shape shape_of(const decoder_options &options, const ldpc_decoder *decoder, size_t item_bytes,
                    const block_traits &traits)
{
    const ldpc_code *code = ldpc_decoder_code(decoder);
    std::vector<std::string> outputs = {"message", "codeword"};
    if (!traits.nonbinary)
        outputs.push_back("posterior");
    const bool message = is_first("output", options.output, outputs);
    const size_t bits = message ? message_bits(code) : codeword_bits(code);
    if (bits == 0)
        throw std::invalid_argument("this code has no message bits (k = 0): output must be \"codeword\". Is "
                                    "its parity-check matrix transposed?");
    if (traits.symbols && options.packed)
        throw std::invalid_argument(
            "'symbols' and 'packed' are mutually exclusive: symbols cannot be packed");
    word_shape shape = {};
    shape.posterior = options.output == "posterior";
    if (shape.posterior && (options.packed || ldpc_code_order(code) > 2))
        throw std::invalid_argument("output \"posterior\" needs packed=False and a binary code");
    shape.costs = options.input == "costs";
    shape.llrs = shape.costs ? ldpc_code_n(code) * ldpc_code_order(code) : codeword_bits(code);
    shape.llr_bytes = ldpc_decoder_arithmetic(decoder) == LDPC_ARITHMETIC_FLOAT ? item_bytes : 1;
    shape.out_bytes = options.packed ? packed_bytes(bits) : bits * (shape.posterior ? sizeof(int16_t) : 1);
    shape.message = message;
    return shape;
}

size_t input_items(const decoder_options &options, const word_shape &shape)
{
    return options.input == "hard-packed" ? packed_bytes(shape.llrs) : shape.llrs;
}

bool bytes_are_llrs(const decoder_options &options)
{
    return options.input == "costs" || (options.input == "llrs" && options.llr_sign == "positive");
}

void bytes_to_llrs(const decoder_options &options, const word_shape &shape, const uint8_t *in,
                   size_t codewords, int8_t *llrs)
{
    const size_t n = shape.llrs, items = input_items(options, shape);
    const int8_t level = hard_level(options.llr_scale);
    if (options.input == "llrs")
        negate_llrs(reinterpret_cast<const int8_t *>(in), llrs, codewords * n);
    else if (options.input == "hard")
        bits_to_llrs(in, llrs, codewords * n, level);
    else
        for (size_t w = 0; w < codewords; w++)
            packed_to_llrs(in + w * items, llrs + w * n, n, level);
}

decoder_controls::decoder_controls(const decoder_options &options, const std::string &backend,
                                   const block_traits &traits)
    : d_options(complete(options)), d_clock(options.stats_interval)
{
    for (const std::string &name : all_codes(options.code, options.codes))
        open(name, backend, traits);
    const bool on_cpu = std::all_of(d_coded.begin(), d_coded.end(),
                                    [](const coded &each) { return is_on_cpu(each.decoder.get()); });
    d_may_fall_back = d_options.fallback && !on_cpu;
    check_options(options, traits);
    message_port_register_out(stats_port);
}

void decoder_controls::open(const std::string &name, const std::string &backend, const block_traits &traits)
{
    coded made;
    made.code = traits.nonbinary ? make_nonbinary_code(name) : make_code(name);
    made.n = codeword_bits(made.code.get());
    made.k = message_bits(made.code.get());
    made.decoder = open_decoder(made.code.get(), backend);
    d_coded.push_back(std::move(made));
}

decoder_handle decoder_controls::open_decoder(const ldpc_code *code, const std::string &backend)
{
    decoder_handle decoder = make_decoder(code, params_of(d_options, backend.c_str()));
    const std::string replaced = ldpc_decoder_message(decoder.get());
    if (!replaced.empty())
        d_logger->warn("{}", replaced);
    ldpc_error error = {};
    if (!is_on_cpu(decoder.get()) && ldpc_cache_dir_check(d_options.cache_dir.c_str(), &error) != LDPC_OK)
        d_logger->warn("{}; kernels are recompiled at every start", std::string(error.message));
    return decoder;
}

/* Opens a decoder on the CPU after a failure. Option `kernel` names a kernel of the failed backend. */
decoder_handle decoder_controls::open_cpu(const ldpc_code *code, size_t max_batch)
{
    ldpc_decoder_params params = params_of(d_options, "cpu");
    params.kernel = nullptr;
    params.max_batch = max_batch;
    return make_decoder(code, params);
}

time_limit decoder_controls::limit_of(const ldpc_decoder *decoder)
{
    if (is_on_cpu(decoder))
        return {};
    return {std::chrono::milliseconds(gpu_timeout_ms(d_options.gpu_timeout)), [this] {
                for (const coded &each : d_coded)
                    if (!is_on_cpu(each.decoder.get()))
                        ldpc_decoder_abandon(each.decoder.get());
            }};
}

void decoder_controls::restart_counters()
{
    d_total = d_published = counters();
    d_failure.restart();
    d_clock.lap();
}

bool decoder_controls::count(const coded &code, size_t codewords, const ldpc_codeword_info *info)
{
    d_total.frames += codewords;
    d_total.coded_bits += codewords * code.n;
    d_total.message_bits += codewords * code.k;
    for (size_t w = 0; w < codewords; w++) {
        d_total.iterations += info[w].iterations;
        d_total.failed += !info[w].converged;
    }
    if (!d_failure.noticed(d_total.frames, d_total.failed))
        return false;
    d_logger->warn(
        "none of the first {} codewords could be decoded; likely causes: {}, a code or bit order other "
        "than {}, wrong codeword alignment, or no signal",
        d_total.frames, wrong_input(d_options.input), ldpc_code_name(code.code.get()));
    return true;
}

void decoder_controls::publish_when_due()
{
    if (d_clock.due())
        publish();
}

/* Sends the statistics of the time since the last message. Sends nothing if they are empty. */
void decoder_controls::publish()
{
    const uint64_t frames = d_total.frames - d_published.frames;
    if (frames == 0 || !d_clock.on())
        return;
    const double seconds = d_clock.lap();
    const double iterations = static_cast<double>(d_total.iterations - d_published.iterations);
    const ldpc_decoder *decoder = d_coded[0].decoder.get();
    stats_dict stats;
    stats.add("code", code());
    stats.add("backend", std::string(ldpc_decoder_backend(decoder)));
    stats.add("kernel", std::string(ldpc_decoder_kernel(decoder)));
    stats.add("seconds", seconds);
    stats.add("frames", frames);
    stats.add("failed", d_total.failed - d_published.failed);
    stats.add("mean_iterations", iterations / frames);
    stats.add("coded_mbps", 1e-6 * (d_total.coded_bits - d_published.coded_bits) / seconds);
    stats.add("info_mbps", 1e-6 * (d_total.message_bits - d_published.message_bits) / seconds);
    stats.add("total_frames", d_total.frames);
    stats.add("total_failed", d_total.failed);
    stats.add("total_dropped", dropped_items());
    add_statistics(stats);
    message_port_pub(stats_port, stats.get());
    d_published = d_total;
}

/* Calls `setter` for each decoder. A fallback replaces all decoders, so the setter is called for all of them
 * again. */
template <class Setter> void decoder_controls::change(Setter setter)
{
    await_batches();
    for (size_t i = 0; i < d_coded.size(); i++) {
        const ldpc_status status = setter(d_coded[i].decoder.get());
        if (status == LDPC_ERR_DEVICE && d_may_fall_back) {
            fall_back(ldpc_decoder_message(d_coded[i].decoder.get()));
            return change(setter);
        }
        check(d_coded[i].decoder.get(), status);
    }
}

void decoder_controls::set_max_iterations(int max_iterations)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const uint32_t value = iterations_of(max_iterations);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_max_iterations(decoder, value); });
    d_options.max_iterations = max_iterations;
}

void decoder_controls::set_early_stop(bool early_stop)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_early_stop(decoder, early_stop); });
    d_options.early_stop = early_stop;
}

void decoder_controls::set_offset(float offset)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_offset(decoder, offset); });
    d_options.offset = offset;
}

void decoder_controls::set_factor(float factor)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    change([=](ldpc_decoder *decoder) { return ldpc_decoder_set_factor(decoder, factor); });
    d_options.factor = factor;
}

int decoder_controls::max_iterations() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_options.max_iterations;
}

bool decoder_controls::early_stop() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_options.early_stop;
}

std::string decoder_controls::code() const
{
    return ldpc_code_name(d_coded[0].code.get());
}

std::string decoder_controls::backend() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return ldpc_decoder_backend(d_coded[0].decoder.get());
}

std::string decoder_controls::kernel() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return ldpc_decoder_kernel(d_coded[0].decoder.get());
}

uint64_t decoder_controls::frames() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames;
}

uint64_t decoder_controls::failed() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.failed;
}

double decoder_controls::mean_iterations() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_total.frames ? static_cast<double>(d_total.iterations) / d_total.frames : 0;
}

uint64_t decoder_controls::dropped() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return dropped_items();
}

} // namespace ldpc
} // namespace gr
