/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder block for streams. */
#include "ldpc_encoder_bb_impl.h"

#include "symbols.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <utility>

namespace gr
{
namespace ldpc
{

namespace
{

int bits_per_item(const ldpc_code *code, ldpc_encoder_bb_impl::items of_stream)
{
    if (of_stream == ldpc_encoder_bb_impl::items::packed)
        return 8;
    return of_stream == ldpc_encoder_bb_impl::items::symbols ? symbol_bits(code) : 1;
}

} // namespace

ldpc_encoder_bb::sptr ldpc_encoder_bb::make(const std::string &code, const std::string &length_tag_name,
                                            const std::string &start_tag, bool packed)
{
    using items = ldpc_encoder_bb_impl::items;
    return gnuradio::make_block_sptr<ldpc_encoder_bb_impl>(make_code(code), length_tag_name, start_tag,
                                                           packed ? items::packed : items::bits);
}

ldpc_encoder_bb_impl::ldpc_encoder_bb_impl(code_handle code, const std::string &length_tag_name,
                                           const std::string &start_tag, items of_stream)
    : gr::block("ldpc_encoder_bb", io_signature::make(1, 1, sizeof(uint8_t)),
                io_signature::make(1, 1, sizeof(uint8_t))),
      d_code(encodable(std::move(code))), d_n(codeword_bits(d_code.get())), d_k(message_bits(d_code.get())),
      d_width(bits_per_item(d_code.get(), of_stream)), d_n_items((d_n + d_width - 1) / d_width),
      d_k_items((d_k + d_width - 1) / d_width),
      d_codewords(*this, d_logger,
                  {
                      {static_cast<size_t>(d_k_items), static_cast<size_t>(d_n_items),
                       of_stream == items::packed ? static_cast<size_t>(d_k) : 0}
},
                  {length_tag_name, start_tag})
{
    set_tag_propagation_policy(TPP_DONT); /* d_codewords copies the tags instead */
    set_relative_rate(static_cast<uint64_t>(d_n_items), static_cast<uint64_t>(d_k_items));
    set_output_multiple(d_n_items);
    set_min_output_buffer(0, 4l * d_n_items);
    if (d_width > 1) {
        d_message.resize(d_width * d_k_items);
        d_codeword.resize(d_width * d_n_items);
    }
}

bool ldpc_encoder_bb_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_codewords.restart();
    return true;
}

void ldpc_encoder_bb_impl::forecast(int, gr_vector_int &ninput_items_required)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_codewords.ended(); /* logs an incomplete message */
    ninput_items_required[0] = d_codewords.needed();
}

int ldpc_encoder_bb_impl::general_work(int noutput_items, gr_vector_int &ninput_items,
                                       gr_vector_const_void_star &input_items,
                                       gr_vector_void_star &output_items)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const uint8_t *in = static_cast<const uint8_t *>(input_items[0]);
    const size_t codewords = std::min(static_cast<size_t>(noutput_items / d_n_items),
                                      d_codewords.available(ninput_items[0], in).codewords);
    uint8_t *out = static_cast<uint8_t *>(output_items[0]);
    ldpc_status status = LDPC_OK;
    if (codewords > 0)
        status =
            d_width > 1 ? encode_items(in, codewords, out) : ldpc_encode(d_code.get(), in, codewords, out);
    if (status != LDPC_OK) {
        d_logger->error("encoding stopped: {}", std::string(ldpc_status_string(status)));
        return WORK_DONE;
    }
    d_codewords.consume({codewords, 0});
    d_codewords.leave(0, codewords * d_n_items);
    return static_cast<int>(codewords * d_n_items);
}

uint64_t ldpc_encoder_bb_impl::dropped() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_codewords.dropped();
}

ldpc_status ldpc_encoder_bb_impl::encode_items(const uint8_t *in, size_t codewords, uint8_t *out)
{
    ldpc_status status = LDPC_OK;
    for (size_t w = 0; w < codewords && status == LDPC_OK; w++) {
        split_symbols(in + w * d_k_items, d_k_items, d_width, d_message.data());
        status = ldpc_encode(d_code.get(), d_message.data(), 1, d_codeword.data());
        join_bits(d_codeword.data(), d_n_items, d_width, out + w * d_n_items);
    }
    return status;
}

} // namespace ldpc
} // namespace gr
