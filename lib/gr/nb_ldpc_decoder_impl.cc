/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder over larger fields. */
#include <gnuradio/ldpc/nb_ldpc_decoder.h>

#include "decoder_bytes_impl.h"
#include "options.h"

#include <algorithm>
#include <thread>

namespace gr
{
namespace ldpc
{

constexpr int most_threads = 64; /* more do not count: they would leave the GPU idle */

/* Codewords that the CPU threads of such a decoder decode at once; a kernel of the GPU may be named. */
static int codewords_at_once(const nb_decoder_options &options)
{
    const decoder_options completed = complete(options);
    ldpc_decoder_params params = params_of(completed, "cpu");
    params.kernel = nullptr;
    params.threads = 1;
    const code_handle code = make_nonbinary_code(options.code);
    const int lanes = static_cast<int>(ldpc_decoder_lanes(make_decoder(code.get(), params).get()));
    const int threads =
        options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    return lanes * std::clamp(threads, 1, most_threads);
}

/* "auto": batches of no more codewords than the CPU decodes at once stay there: a GPU takes as long for one
 * codeword as for thousands. */
static decoder_options with_backend(const nb_decoder_options &options)
{
    decoder_options changed = options;
    if (!is_first("backend", options.backend, {"auto", "cpu", "cuda", "opencl"}))
        return changed;
    const int min_gpu_batch = codewords_at_once(options) + 1;
    if (options.batch == 0 || options.batch >= min_gpu_batch)
        changed.min_gpu_batch = min_gpu_batch;
    changed.fallback = "cpu";
    return changed;
}

static block_traits traits_of(const nb_decoder_options &options)
{
    block_traits traits;
    traits.nonbinary = true;
    traits.symbols = options.symbols;
    if (options.backend != "cpu")
        traits.to_the_cpu = "backend=\"cpu\"";
    return traits;
}

nb_ldpc_decoder::sptr nb_ldpc_decoder::make(const nb_decoder_options &options)
{
    return gnuradio::make_block_sptr<decoder_bytes_block<nb_ldpc_decoder>>(
        "nb_ldpc_decoder", with_backend(options), options.backend, traits_of(options));
}

} // namespace ldpc
} // namespace gr
