/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC encoder block for PDUs. */
#include "ldpc_encoder_pdu_impl.h"

#include "padding.h"
#include "symbols.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

namespace
{

size_t bytes_of(size_t bits, bool packed)
{
    return packed ? packed_bytes(bits) : bits;
}

} // namespace

ldpc_encoder_pdu::sptr ldpc_encoder_pdu::make(const std::string &code, bool packed)
{
    return gnuradio::make_block_sptr<ldpc_encoder_pdu_impl>(code, packed);
}

ldpc_encoder_pdu_impl::ldpc_encoder_pdu_impl(const std::string &code, bool packed)
    : gr::block("ldpc_encoder_pdu", io_signature::make(0, 0, 0), io_signature::make(0, 0, 0)),
      d_code(encodable(make_code(code))), d_n(codeword_bits(d_code.get())), d_k(message_bits(d_code.get())),
      d_packed(packed), d_in_items(bytes_of(d_k, packed)), d_out_items(bytes_of(d_n, packed)),
      d_dropped(d_logger), d_message(8 * bytes_of(d_k, true)), d_codeword(8 * bytes_of(d_n, true))
{
    message_port_register_in(pdu_port);
    message_port_register_out(pdu_port);
    set_msg_handler(pdu_port, [this](const pmt::pmt_t &pdu) {
        const pmt::pmt_t encoded = encode(pdu);
        if (encoded)
            message_port_pub(pdu_port, encoded);
    });
}

bool ldpc_encoder_pdu_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_dropped.restart();
    return true;
}

/* NULL: the PDU is dropped. */
pmt::pmt_t ldpc_encoder_pdu_impl::encode(const pmt::pmt_t &pdu)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const pdu_vector vector = vector_of(pdu);
    if (!d_dropped.accept(vector.bytes ? vector.count : 0, d_in_items) ||
        !(d_packed ? d_dropped.accept_packed(vector.bytes, vector.count, d_k, "message")
                   : d_dropped.accept_bits(vector.bytes, vector.count)))
        return nullptr;
    const size_t codewords = vector.count / d_in_items;
    d_out.resize(codewords * d_out_items);
    try {
        if (d_packed)
            encode_packed(vector.bytes, codewords);
        else
            check(ldpc_encode(d_code.get(), vector.bytes, codewords, d_out.data()), "");
    } catch (const std::exception &error) {
        d_logger->error("dropped a PDU: {}", std::string(error.what()));
        return nullptr;
    }
    return pmt::cons(metadata_of(pdu), pmt::init_u8vector(d_out.size(), d_out));
}

/* Ignores padding bits of messages, and clears padding bits of codewords. */
void ldpc_encoder_pdu_impl::encode_packed(const uint8_t *in, size_t codewords)
{
    for (size_t c = 0; c < codewords; c++) {
        split_symbols(in + c * d_in_items, d_in_items, 8, d_message.data());
        check(ldpc_encode(d_code.get(), d_message.data(), 1, d_codeword.data()), "");
        join_bits(d_codeword.data(), d_out_items, 8, d_out.data() + c * d_out_items);
    }
}

uint64_t ldpc_encoder_pdu_impl::dropped() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_dropped.count();
}

} // namespace ldpc
} // namespace gr
