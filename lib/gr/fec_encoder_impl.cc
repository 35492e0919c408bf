/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder object for gr-fec. */
#include "fec_encoder_impl.h"

#include "fec_frames.h"

#include <algorithm>

namespace gr
{
namespace ldpc
{

fec_encoder::sptr fec_encoder::make(const std::string &code)
{
    return std::make_shared<fec_encoder_impl>(code);
}

fec_encoder_impl::fec_encoder_impl(const std::string &code)
    : fec_encoder("ldpc_fec_encoder"), d_code(encodable(make_code(code))), d_n(codeword_bits(d_code.get())),
      d_k(message_bits(d_code.get()))
{
}

bool fec_encoder_impl::set_frame_size(unsigned int frame_size)
{
    return set_codewords(frame_size, d_k, d_codewords, d_logger);
}

/* gr-fec cannot report errors, so the encoder writes zeros after a failure. */
void fec_encoder_impl::generic_work(fec_input in, void *out)
{
    uint8_t *bits = static_cast<uint8_t *>(out);
    const ldpc_status status = ldpc_encode(d_code.get(), static_cast<const uint8_t *>(in), d_codewords, bits);
    if (status != LDPC_OK) {
        d_logger->error("{}", std::string(ldpc_status_string(status)));
        std::fill_n(bits, d_codewords * d_n, 0);
    }
}

} // namespace ldpc
} // namespace gr
