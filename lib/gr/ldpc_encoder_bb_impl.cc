/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder: whole messages of the input stream to codewords of the output stream. */
#include "ldpc_encoder_bb_impl.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

ldpc_encoder_bb::sptr ldpc_encoder_bb::make(const std::string &code)
{
    return gnuradio::make_block_sptr<ldpc_encoder_bb_impl>(code);
}

ldpc_encoder_bb_impl::ldpc_encoder_bb_impl(const std::string &code)
    : gr::block("ldpc_encoder_bb", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_code(make_code(code)), d_n(codeword_bits(d_code.get())), d_k(message_bits(d_code.get())),
      d_end(*this, d_logger, d_k)
{
    if (d_k == 0)
        throw std::invalid_argument("this code has no message bits (k = 0): nothing to encode");
    set_relative_rate(static_cast<uint64_t>(d_n), static_cast<uint64_t>(d_k));
    set_output_multiple(d_n);
    set_min_output_buffer(0, 4l * d_n);
}

bool ldpc_encoder_bb_impl::start()
{
    d_end.restart();
    return true;
}

void ldpc_encoder_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    d_end.reached(); /* for its message about left-over items */
    ninput_items_required[0] = d_k;
}

int ldpc_encoder_bb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                       gr_vector_const_void_star &input_items,
                                       gr_vector_void_star &output_items)
{
    const int words = std::min(noutput_items / d_n, ninput_items[0] / d_k);
    const ldpc_status status = words == 0
                                   ? LDPC_OK
                                   : ldpc_encode(d_code.get(), static_cast<const uint8_t *>(input_items[0]),
                                                 words, static_cast<uint8_t *>(output_items[0]));
    if (status != LDPC_OK) {
        d_logger->error("encoding stopped: {}", std::string(ldpc_status_string(status)));
        return WORK_DONE;
    }
    consume(0, words * d_k);
    return words * d_n;
}

} // namespace ldpc
} // namespace gr
