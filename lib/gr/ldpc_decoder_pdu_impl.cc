/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LDPC decoder block for PDUs. */
#include "ldpc_decoder_pdu_impl.h"

#include "llrs.h"
#include "options.h"

#include <gnuradio/io_signature.h>

#include <algorithm>
#include <stdexcept>

namespace gr
{
namespace ldpc
{

ldpc_decoder_pdu::sptr ldpc_decoder_pdu::make(const pdu_decoder_options &options)
{
    return gnuradio::make_block_sptr<ldpc_decoder_pdu_impl>(options);
}

ldpc_decoder_pdu_impl::ldpc_decoder_pdu_impl(const pdu_decoder_options &options)
    : gr::block("ldpc_decoder_pdu", io_signature::make(0, 0, 0), io_signature::make(0, 0, 0)),
      decoder_controls(options, options.backend, block_traits()), d_dropped(d_logger),
      d_limit(limit_of(d_coded[0].decoder.get()))
{
    shape_of(d_options, d_coded[0].decoder.get(), 1); /* throws if options are invalid */
    message_port_register_in(pdu_port);
    message_port_register_out(pdu_port);
    set_msg_handler(pdu_port, [this](const pmt::pmt_t &pdu) { receive(pdu); });
}

/* Destroys the decoders first, because a GPU may still write to the buffers after a timeout. */
ldpc_decoder_pdu_impl::~ldpc_decoder_pdu_impl()
{
    d_coded.clear();
}

bool ldpc_decoder_pdu_impl::start()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    d_dropped.restart();
    d_may_warn = true;
    restart_counters();
    return true;
}

bool ldpc_decoder_pdu_impl::stop()
{
    std::lock_guard<std::mutex> lock(d_mutex);
    publish();
    return true;
}

/* Throws if the decoder was abandoned, because the library may still write to the buffers. */
void ldpc_decoder_pdu_impl::check_abandoned()
{
    ldpc_decoder *decoder = d_coded[0].decoder.get();
    const ldpc_status status = ldpc_collect(decoder, 0, nullptr);
    if (status != LDPC_EMPTY)
        check(decoder, status);
}

void ldpc_decoder_pdu_impl::receive(const pmt::pmt_t &pdu)
{
    pmt::pmt_t decoded;
    try {
        std::lock_guard<std::mutex> lock(d_mutex);
        check_abandoned();
        decoded = decode(pdu);
        publish_when_due();
    } catch (const std::exception &error) {
        d_logger->error("dropped a PDU: {}", std::string(error.what()));
    }
    if (decoded)
        message_port_pub(pdu_port, decoded);
}

pmt::pmt_t ldpc_decoder_pdu_impl::decode(const pmt::pmt_t &pdu)
{
    const pdu_vector vector = vector_of(pdu);
    const size_t item_bytes = vector.floats ? sizeof(float) : 1;
    const word_shape shape = shape_of(d_options, d_coded[0].decoder.get(), item_bytes);
    const size_t items = input_items(d_options, shape);
    const bool packed = d_options.input == "hard-packed";
    if (!d_dropped.accept(is_input(vector) ? vector.count : 0, items) ||
        (packed && !d_dropped.accept_packed(vector.bytes, vector.count, shape.llrs, "codeword")))
        return nullptr;
    decode_codewords(shape, llrs_of(vector, shape), vector.count / items);
    return pmt::cons(with_results(metadata_of(pdu)), result(shape, vector.floats));
}

/* Returns bits, or posteriors with the type of the input. */
pmt::pmt_t ldpc_decoder_pdu_impl::result(const word_shape &shape, bool floats) const
{
    if (!shape.posterior)
        return pmt::init_u8vector(d_out.size(), d_out);
    const bool positive = d_options.llr_sign == "positive";
    const int16_t *posteriors = reinterpret_cast<const int16_t *>(d_out.data());
    const size_t count = d_out.size() / sizeof(int16_t);
    if (floats) {
        std::vector<float> values(count);
        posteriors_to_float(posteriors, values.data(), count,
                            positive ? d_options.llr_scale : -d_options.llr_scale);
        return pmt::init_f32vector(count, values);
    }
    std::vector<int8_t> values(count);
    posteriors_to_int8(posteriors, values.data(), count, !positive);
    return pmt::init_s8vector(count, values);
}

const void *ldpc_decoder_pdu_impl::llrs_of(const pdu_vector &vector, const word_shape &shape)
{
    warn_of_hard_bits(vector);
    return vector.floats ? llrs_of_floats(vector) : llrs_of_bytes(vector, shape);
}

const void *ldpc_decoder_pdu_impl::llrs_of_floats(const pdu_vector &vector)
{
    const bool positive = d_options.llr_sign == "positive";
    const float sign = positive ? 1.0f : -1.0f;
    const bool floats = ldpc_decoder_arithmetic(d_coded[0].decoder.get()) == LDPC_ARITHMETIC_FLOAT;
    if (floats && positive)
        return vector.floats;
    d_llrs.resize(vector.count * (floats ? sizeof(float) : 1));
    if (floats) {
        scale_llrs(vector.floats, reinterpret_cast<float *>(d_llrs.data()), vector.count, sign);
        return d_llrs.data();
    }
    int8_t *steps = reinterpret_cast<int8_t *>(d_llrs.data());
    quantise_llrs(vector.floats, steps, vector.count, sign * d_options.llr_scale);
    if (d_lost.noticed(vector.floats, steps, vector.count))
        d_logger->warn("{}", lost_llrs::text(d_options.llr_scale));
    return steps;
}

const void *ldpc_decoder_pdu_impl::llrs_of_bytes(const pdu_vector &vector, const word_shape &shape)
{
    if (bytes_are_llrs(d_options))
        return vector.bytes;
    const size_t codewords = vector.count / input_items(d_options, shape);
    d_llrs.resize(codewords * shape.llrs);
    bytes_to_llrs(d_options, shape, vector.bytes, codewords, reinterpret_cast<int8_t *>(d_llrs.data()));
    return d_llrs.data();
}

/* If all LLRs are 0 or 1, they are probably hard bits. The decoder would return zeros. */
void ldpc_decoder_pdu_impl::warn_of_hard_bits(const pdu_vector &vector)
{
    const auto is_bit = [](uint8_t item) { return item <= 1; };
    if (!d_may_warn || d_options.input != "llrs" || !vector.bytes ||
        !std::all_of(vector.bytes, vector.bytes + vector.count, is_bit))
        return;
    d_may_warn = false;
    d_logger->warn("all {} LLRs of a PDU are 0 or 1; for hard bits, set input=\"hard\"", vector.count);
}

void ldpc_decoder_pdu_impl::decode_codewords(const word_shape &shape, const void *llrs, size_t codewords)
{
    d_out.resize(codewords * shape.out_bytes);
    d_info.resize(codewords);
    const size_t most = ldpc_decoder_max_batch(d_coded[0].decoder.get());
    for (size_t done = 0; done < codewords; done += most) {
        const uint8_t *from = static_cast<const uint8_t *>(llrs) + done * shape.llrs * shape.llr_bytes;
        decode_batch(shape, from, done, std::min(most, codewords - done));
    }
    count(d_coded[0], codewords, d_info.data());
}

/* Codewords from `first` on. */
void ldpc_decoder_pdu_impl::decode_batch(const word_shape &shape, const void *llrs, size_t first,
                                         size_t codewords)
{
    const ldpc_batch batch =
        make_batch(shape, codewords, llrs, &d_out[first * shape.out_bytes], &d_info[first]);
    std::string error;
    ldpc_status status = decode_in_time(batch, error);
    if (status != LDPC_OK && d_may_fall_back) {
        fall_back(error);
        status = decode_in_time(batch, error);
    }
    check(status, error);
}

ldpc_status ldpc_decoder_pdu_impl::decode_in_time(const ldpc_batch &batch, std::string &error)
{
    ldpc_decoder *decoder = d_coded[0].decoder.get();
    const bool on_cpu = is_on_cpu(decoder);
    const time_limit::clock::time_point now = time_limit::clock::now();
    const ldpc_status status = on_cpu ? ldpc_decode(decoder, &batch) : ldpc_submit(decoder, &batch);
    if (status == LDPC_OK && !on_cpu)
        return collect_in_time(decoder, d_limit, now, error);
    error = status == LDPC_OK ? "" : ldpc_decoder_message(decoder);
    return status;
}

void ldpc_decoder_pdu_impl::fall_back(const std::string &reason)
{
    decoder_handle &decoder = d_coded[0].decoder;
    d_logger->warn("{}; falling back to the CPU", reason);
    d_may_fall_back = false;
    decoder = open_cpu(d_coded[0].code.get(), ldpc_decoder_max_batch(decoder.get()));
}

pmt::pmt_t ldpc_decoder_pdu_impl::with_results(pmt::pmt_t metadata) const
{
    const auto converged = [](const ldpc_codeword_info &info) { return info.converged; };
    const auto fewer = [](const ldpc_codeword_info &a, const ldpc_codeword_info &b) {
        return a.iterations < b.iterations;
    };
    const bool all = std::all_of(d_info.begin(), d_info.end(), converged);
    const long most = std::max_element(d_info.begin(), d_info.end(), fewer)->iterations;
    metadata = pmt::dict_add(metadata, converged_key, pmt::from_bool(all));
    return pmt::dict_add(metadata, iterations_key, pmt::from_long(most));
}

} // namespace ldpc
} // namespace gr
