/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder object for gr-fec. */
#include "fec_decoder_impl.h"

#include "fec_frames.h"
#include "llrs.h"
#include "options.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

namespace
{

/* Output for gr-fec: message bits, one per byte. */
decoder_handle make_decoder_of_fec(const ldpc_code *code, const fec_decoder_options &options)
{
    if (!(options.gain > 0 && std::isfinite(options.gain)))
        wrong("gain", "above 0", std::to_string(options.gain));
    const decoder_options completed = complete(options);
    return make_decoder(code, params_of(completed, "cpu"));
}

} // namespace

fec_decoder::sptr fec_decoder::make(const fec_decoder_options &options)
{
    return std::make_shared<fec_decoder_impl>(options);
}

/* Negative factor: positive values mean bit 1 in gr-fec, and bit 0 in the decoder. */
fec_decoder_impl::fec_decoder_impl(const fec_decoder_options &options)
    : fec_decoder("ldpc_fec_decoder"), d_code(make_code(options.code)),
      d_decoder(make_decoder_of_fec(d_code.get(), options)), d_n(codeword_bits(d_code.get())),
      d_k(message_bits(d_code.get())), d_factor(-options.gain),
      d_floats(ldpc_decoder_arithmetic(d_decoder.get()) == LDPC_ARITHMETIC_FLOAT)
{
    if (d_k == 0)
        throw std::invalid_argument("this code has no message bits (k = 0); the blocks of gr-fec need "
                                    "k > 0. Is its parity-check matrix transposed?");
    if (!d_floats)
        d_factor *= options.llr_scale;
    d_llrs.resize(d_n * (d_floats ? sizeof(float) : 1));
}

bool fec_decoder_impl::set_frame_size(unsigned int frame_size)
{
    return set_codewords(frame_size, d_k, d_codewords, d_logger);
}

/* gr-fec cannot report errors, so the decoder writes zeros after a failure. */
void fec_decoder_impl::generic_work(fec_input in, void *out)
{
    const float *soft = static_cast<const float *>(in);
    uint8_t *bits = static_cast<uint8_t *>(out);
    uint64_t iterations = 0;
    const std::lock_guard<std::mutex> lock(d_working);
    for (size_t c = 0; c < d_codewords; c++)
        iterations += decode(soft + c * d_n, bits + c * d_k);
    d_iterations = static_cast<float>(iterations) / d_codewords;
}

/* Returns the number of iterations. */
uint32_t fec_decoder_impl::decode(const float *soft, uint8_t *bits)
{
    ldpc_batch batch = {};
    ldpc_codeword_info info = {};
    batch.n_codewords = 1;
    batch.message = bits;
    batch.info = &info;
    if (d_floats) {
        batch.llr_float = reinterpret_cast<const float *>(d_llrs.data());
        scale_llrs(soft, reinterpret_cast<float *>(d_llrs.data()), d_n, d_factor);
    } else {
        int8_t *steps = reinterpret_cast<int8_t *>(d_llrs.data());
        batch.llr = steps;
        quantise_llrs(soft, steps, d_n, d_factor);
        if (d_lost.noticed(soft, steps, d_n))
            d_logger->warn("{}", lost_llrs::text(d_factor));
    }
    if (ldpc_decode(d_decoder.get(), &batch) != LDPC_OK) {
        d_logger->error("{}", std::string(ldpc_decoder_message(d_decoder.get())));
        std::fill_n(bits, d_k, 0);
        info = {};
    }
    d_frames++;
    d_failed += !info.converged;
    if (d_failure.noticed(d_frames, d_failed))
        d_logger->warn(
            "none of the first {} codewords could be decoded; likely causes: soft bits with the opposite "
            "sign "
            "(expected positive for bit 1), a wrong gain, a code other than {}, or wrong codeword alignment",
            d_frames.load(), code());
    return info.iterations;
}

} // namespace ldpc
} // namespace gr
