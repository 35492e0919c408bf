/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block that encodes packets. */
#include "ldpc_packet_encoder_impl.h"

#include "options.h"
#include "symbols.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

ldpc_packet_encoder::sptr ldpc_packet_encoder::make(const std::string &code, int crc, int multiple,
                                                    bool packed)
{
    return gnuradio::make_block_sptr<ldpc_packet_encoder_impl>(code, crc, multiple, packed);
}

ldpc_packet_encoder_impl::ldpc_packet_encoder_impl(const std::string &code, int crc, int multiple,
                                                   bool packed)
    : gr::block("ldpc_packet_encoder", io_signature::make(0, 0, 0), io_signature::make(0, 0, 0)),
      d_code(encodable(make_code(code))), d_format(make_packet_format(d_code.get(), crc)),
      d_multiple(static_cast<size_t>(multiple)), d_packed(packed), d_dropped(d_logger)
{
    if (multiple < 1)
        wrong("multiple", "1 or more", std::to_string(multiple));
    if (packed && multiple % 8 != 0)
        wrong("multiple", "a multiple of 8 with packed=True", std::to_string(multiple));
    message_port_register_in(pdu_port);
    message_port_register_out(pdu_port);
    set_msg_handler(pdu_port, [this](const pmt::pmt_t &pdu) {
        const pmt::pmt_t encoded = encode(pdu);
        if (encoded)
            message_port_pub(pdu_port, encoded);
    });
}

bool ldpc_packet_encoder_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_dropped.restart();
    return true;
}

/* NULL: the PDU is dropped. */
pmt::pmt_t ldpc_packet_encoder_impl::encode(const pmt::pmt_t &pdu)
{
    std::lock_guard<std::mutex> lock(d_mutex);
    const pdu_vector vector = vector_of(pdu);
    if (!vector.bytes) {
        d_dropped.drop("dropped a PDU (expected a payload as a vector of 8-bit integers)");
        return nullptr;
    }
    const size_t least = ldpc_packet_bits(d_format.get(), vector.count);
    d_bits.resize((least + d_multiple - 1) / d_multiple * d_multiple);
    const ldpc_status status =
        ldpc_packet_encode(d_format.get(), vector.bytes, vector.count, d_bits.size(), d_bits.data());
    if (status != LDPC_OK) {
        d_logger->error("dropped a PDU: {}", std::string(ldpc_status_string(status)));
        return nullptr;
    }
    if (!d_packed)
        return pmt::cons(metadata_of(pdu), pmt::init_u8vector(d_bits.size(), d_bits));
    d_bytes.resize(d_bits.size() / 8);
    join_bits(d_bits.data(), d_bytes.size(), 8, d_bytes.data());
    return pmt::cons(metadata_of(pdu), pmt::init_u8vector(d_bytes.size(), d_bytes));
}

uint64_t ldpc_packet_encoder_impl::dropped() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_dropped.count();
}

} // namespace ldpc
} // namespace gr
