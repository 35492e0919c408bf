/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds libldpc.code.encode_packet() and libldpc.decoder.decode_packet(). */
#include "py_decoder.h"

using packet_format = std::shared_ptr<ldpc_packet_format>;

static packet_format format_of(const py_code &code, int64_t crc)
{
    check_messages(code);
    ldpc_packet_format *made;
    ldpc_error error = {};
    check(ldpc_packet_format_create(code.get(), count_of(crc, "crc"), &made, &error), error);
    return packet_format(made, ldpc_packet_format_destroy);
}

static std::string bytes_like(const py::object &object)
{
    const py::object view = py::module_::import("builtins").attr("memoryview")(object);
    if (item_bytes(view) != 1)
        throw py::type_error("payload: expected bytes or an array of bytes, not items of " +
                             std::to_string(item_bytes(view)) + " bytes");
    return view.attr("tobytes")().cast<std::string>();
}

static py::array encode_packet(const py_code &code, const py::object &payload, int64_t crc, int64_t multiple)
{
    const packet_format format = format_of(code, crc);
    const std::string bytes = bytes_like(payload);
    const size_t step = count_of(multiple, "multiple");
    if (step == 0)
        throw py::value_error("multiple must be 1 or more, not 0");
    const size_t bits = (ldpc_packet_bits(format.get(), bytes.size()) + step - 1) / step * step;
    auto sent = new_array<uint8_t>({py::ssize_t(bits)});
    uint8_t *out = sent.mutable_data();
    const ldpc_status status = interruptible([=, kept = sent](const stop_flag &) {
        return ldpc_packet_encode(format.get(), reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(),
                                  bits, out);
    });
    if (status != LDPC_OK)
        raise_status(status, "");
    return sent;
}

/* Returns the LLRs with shape (codewords, n) and the type of `llrs`. */
static py::array whole_codewords(const ldpc_packet_format *format, const py::array &llrs, size_t n)
{
    const size_t bits = size_t(llrs.size());
    const std::vector<py::ssize_t> shape = {py::ssize_t(ldpc_packet_codewords(format, bits)), py::ssize_t(n)};
    if (item_bytes(llrs) == 1) {
        auto whole = new_array<int8_t>(shape);
        ldpc_packet_llrs(format, static_cast<const int8_t *>(llrs.data()), bits, whole.mutable_data());
        return whole;
    }
    auto whole = new_array<float>(shape);
    ldpc_packet_llrs_float(format, static_cast<const float *>(llrs.data()), bits, whole.mutable_data());
    return whole;
}

py::tuple py_decoder::decode_packet(const py::object &llrs, int64_t crc)
{
    const packet_format format = format_of(d_code, crc);
    const py::array sent = llrs_of(llrs);
    const size_t bits = size_t(sent.size()), fewest = ldpc_packet_bits(format.get(), 0);
    if (sent.ndim() != 1 || bits < fewest)
        throw py::value_error("llrs: expected shape (bits,) with at least " + std::to_string(fewest) +
                              " bits, the shortest packet, not " + describe(sent));
    const py::tuple decoded =
        decode(whole_codewords(format.get(), sent, d_code.n()), "message", false, "llrs", std::nullopt);
    py::array message = decoded[0];
    if (d_params.packed)
        message = py::module_::import("numpy").attr("unpackbits")(message, 1, d_code.k());
    std::string payload(size_t(message.shape(0)) * d_code.k() / 8, '\0');
    size_t length = 0;
    ldpc_packet_payload(format.get(), static_cast<const uint8_t *>(message.data()), bits,
                        reinterpret_cast<uint8_t *>(&payload[0]), &length);
    if (length == LDPC_PACKET_WRONG)
        return py::make_tuple(py::none(), decoded[1]);
    return py::make_tuple(py::bytes(payload.data(), length), decoded[1]);
}

template <class Function, class... Arguments>
static void add_method(const py::object &cls, const char *name, Function function,
                       const Arguments &...arguments)
{
    cls.attr(name) = py::cpp_function(function, py::name(name), py::is_method(cls), arguments...);
}

void bind_packets(py::module_ &module)
{
    add_method(module.attr("code"), "encode_packet", encode_packet, py::arg("payload"), py::arg("crc") = 32,
               py::arg("multiple") = 8,
               R"(Encode a payload of any number of bytes, also 0, as a packet of one or more codewords.

payload   bytes, or an array of bytes
crc       32: CRC-32 (zlib.crc32), 16: CRC-16/X-25; of length and payload
multiple  the number of transmitted bits is a multiple of this number, for example the bits per symbol

Returns a uint8 array of the transmitted bits, one bit per item. The last codeword is shortened: zero fill is transmitted only to
reach the multiple. decoder.decode_packet() is the inverse; docs/howto/packets.md specifies the format.)");
    add_method(module.attr("decoder"), "decode_packet", &py_decoder::decode_packet, py::arg("llrs"),
               py::arg("crc") = 32, R"(Decode a packet of code.encode_packet(), and check its CRC.

llrs  array (bits,) of the LLRs of all transmitted bits, in the types of decode() on the CPU; their number determines the number of
      codewords
crc   32 or 16, as in encode_packet()

Returns (payload, info): the payload as bytes, or None if its CRC does not match; and the info of decode() for each codeword.)");
}
