/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder over larger fields. */
#include "nb_ldpc_decoder_impl.h"

#include "options.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <thread>

namespace gr
{
namespace ldpc
{

nb_ldpc_decoder::sptr nb_ldpc_decoder::make(const nb_decoder_options &options)
{
    return gnuradio::make_block_sptr<nb_ldpc_decoder_impl>(options);
}

constexpr int lanes = 64; /* words that a thread of the CPU decodes at once */
constexpr int most_threads = 64;

/* "auto": with one round of these the CPU is done no later than a GPU, which takes as long for one word as
 * for thousands. */
static decoder_options with_backend(const nb_decoder_options &options)
{
    decoder_options changed = options;
    if (!is_first("backend", options.backend, {"auto", "cpu", "cuda"}))
        return changed;
    const int threads =
        options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    const int min_gpu_batch = lanes * std::clamp(threads, 1, most_threads) + 1;
    if (options.batch == 0 || options.batch >= min_gpu_batch)
        changed.min_gpu_batch = min_gpu_batch;
    changed.fallback = "cpu";
    return changed;
}

static item_forms forms_of(const nb_decoder_options &options)
{
    item_forms forms;
    forms.nonbinary = true;
    forms.costs = !is_first("input", options.input, {"llrs", "costs"});
    forms.symbols = options.symbols;
    return forms;
}

nb_ldpc_decoder_impl::nb_ldpc_decoder_impl(const nb_decoder_options &options)
    : gr::block("nb_ldpc_decoder", io_signature::make(1, 1, sizeof(int8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      decoder_bytes_impl(with_backend(options), options.backend, forms_of(options))
{
}

} // namespace ldpc
} // namespace gr
