/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block that decodes packets. */
#include "ldpc_packet_decoder_impl.h"

#include <gnuradio/io_signature.h>

namespace gr
{
namespace ldpc
{

namespace
{

/* Messages with one bit per byte, for ldpc_packet_payload(). */
pdu_decoder_options unpacked_messages(pdu_decoder_options options)
{
    options.output = "message";
    options.packed = false;
    return options;
}

} // namespace

ldpc_packet_decoder::sptr ldpc_packet_decoder::make(const packet_decoder_options &options)
{
    return gnuradio::make_block_sptr<ldpc_packet_decoder_impl>(options);
}

ldpc_packet_decoder_impl::ldpc_packet_decoder_impl(const packet_decoder_options &options)
    : gr::block("ldpc_packet_decoder", io_signature::make(0, 0, 0), io_signature::make(0, 0, 0)),
      ldpc_decoder_pdu_impl(unpacked_messages(options)),
      d_format(make_packet_format(d_coded[0].code.get(), options.crc))
{
}

bool ldpc_packet_decoder_impl::start()
{
    {
        std::lock_guard<std::mutex> lock(d_mutex);
        d_packets = d_crc_errors = 0;
    }
    return ldpc_decoder_pdu_impl::start();
}

pmt::pmt_t ldpc_packet_decoder_impl::decode(const pmt::pmt_t &pdu)
{
    const pdu_vector vector = vector_of(pdu);
    const size_t bits = vector.count * (d_options.input == "hard-packed" ? 8 : 1);
    const size_t least = ldpc_packet_bits(d_format.get(), 0);
    if (!is_input(vector) || bits < least) {
        d_dropped.drop("dropped a PDU of " + std::to_string(bits) + " bits (expected at least " +
                       std::to_string(least) +
                       ", the shortest packet, in a vector of 8-bit integers or, for LLRs, floats)");
        return nullptr;
    }
    const word_shape shape = shape_of(d_options, d_coded[0].decoder.get(), vector.floats ? sizeof(float) : 1);
    decode_codewords(shape, whole_codewords(vector, bits, shape),
                     ldpc_packet_codewords(d_format.get(), bits));
    std::vector<uint8_t> payload(d_out.size() / 8 + 1);
    size_t length = 0;
    check(ldpc_packet_payload(d_format.get(), d_out.data(), bits, payload.data(), &length), "");
    if (length == LDPC_PACKET_WRONG) {
        d_crc_errors++;
        return nullptr;
    }
    d_packets++;
    return pmt::cons(with_results(metadata_of(pdu)), pmt::init_u8vector(length, payload));
}

const void *ldpc_packet_decoder_impl::whole_codewords(const pdu_vector &vector, size_t bits,
                                                      const word_shape &shape)
{
    word_shape packet = shape; /* shape of a codeword that consists of all transmitted bits */
    packet.llrs = bits;
    const void *llrs = llrs_of(vector, packet);
    d_whole.resize(ldpc_packet_codewords(d_format.get(), bits) * shape.llrs * shape.llr_bytes);
    if (shape.llr_bytes == 1)
        check(ldpc_packet_llrs(d_format.get(), static_cast<const int8_t *>(llrs), bits,
                               reinterpret_cast<int8_t *>(d_whole.data())),
              "");
    else
        check(ldpc_packet_llrs_float(d_format.get(), static_cast<const float *>(llrs), bits,
                                     reinterpret_cast<float *>(d_whole.data())),
              "");
    return d_whole.data();
}

void ldpc_packet_decoder_impl::add_statistics(stats_dict &stats) const
{
    stats.add("total_packets", d_packets);
    stats.add("total_crc_errors", d_crc_errors);
}

uint64_t ldpc_packet_decoder_impl::packets() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_packets;
}

uint64_t ldpc_packet_decoder_impl::crc_errors() const
{
    std::lock_guard<std::mutex> lock(d_mutex);
    return d_crc_errors;
}

} // namespace ldpc
} // namespace gr
