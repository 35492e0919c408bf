/* SPDX-License-Identifier: BSD-3-Clause */
/* Binds libldpc.bch and libldpc.bb_deframer, for BCH codes and baseband frames of DVB. */
#include "interruptible.h"

#include <algorithm>
#include <mutex>

namespace
{

/* ---- BCH */

struct py_bch {
    explicit py_bch(const std::string &name)
    {
        ldpc_bch *made;
        ldpc_error error = {};
        check(ldpc_bch_create(name.c_str(), &made, &error), error);
        handle.reset(made, ldpc_bch_destroy);
    }
    const ldpc_bch *get() const
    {
        return handle.get();
    }
    std::shared_ptr<ldpc_bch> handle;
};

size_t items_of(uint32_t bits, bool packed)
{
    return packed ? (bits + 7) / 8 : bits;
}

constexpr py::ssize_t QUICK_ITEMS = 1000000; /* takes a few milliseconds */

py::array encode(const py_bch &bch, const py::object &message, bool packed)
{
    const py::array in = bits_of(message, "message", packed);
    const batch_shape shape =
        shape_of(in, items_of(ldpc_bch_k(bch.get()), packed), "message", packed ? "ceil(k/8)" : "k", message);
    auto out = new_array<uint8_t>(shape.with(items_of(ldpc_bch_n(bch.get()), packed)));
    uint8_t *to = out.mutable_data();
    const auto *from = static_cast<const uint8_t *>(in.data());
    interruptible(
        [=, kept = py::make_tuple(in, out)](const stop_flag &) {
            ldpc_bch_encode(bch.get(), from, shape.codewords, packed, to);
            return LDPC_OK;
        },
        in.size() < QUICK_ITEMS);
    return py::array(std::move(out));
}

py::tuple decode(const py_bch &bch, const py::object &codeword, bool packed)
{
    const py::array in = bits_of(codeword, "codeword", packed);
    const batch_shape shape =
        shape_of(in, items_of(ldpc_bch_n(bch.get()), packed), "codeword", packed ? "n/8" : "n", codeword);
    auto out = new_array<uint8_t>(shape.with(items_of(ldpc_bch_k(bch.get()), packed)));
    auto corrected = new_array<int32_t>({py::ssize_t(shape.codewords)});
    uint8_t *to = out.mutable_data();
    int32_t *counts = corrected.mutable_data();
    {
        py::gil_scoped_release release;
        ldpc_bch_decode(bch.get(), static_cast<const uint8_t *>(in.data()), shape.codewords, packed, to,
                        counts);
    }
    if (shape.single)
        return py::make_tuple(out, counts[0]);
    return py::make_tuple(out, corrected);
}

py::list bch_codes()
{
    py::list names;
    const char *name;
    for (size_t i = 0; (name = ldpc_bch_list(i)); i++)
        names.append(name);
    return names;
}

void bind_bch(py::module_ &module)
{
    py::class_<py_bch> cls(module, "bch", R"(The BCH code around an LDPC code of DVB-S2, S2X, T2 or C2.

name  name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names

An argument of a wrong type raises TypeError, a wrong value or shape ValueError.

Standards: EN 302 307-1 and -2 (S2, S2X), 5.3.1; EN 302 755 (T2), 6.1.1; EN 302 769 (C2).)");
    cls.def(py::init<const std::string &>(), py::arg("name"));
    cls.def_property_readonly(
        "name", [](const py_bch &bch) { return ldpc_bch_name(bch.get()); }, "name of the LDPC code");
    cls.def_property_readonly(
        "n", [](const py_bch &bch) { return ldpc_bch_n(bch.get()); }, "codeword length in bits");
    cls.def_property_readonly(
        "k", [](const py_bch &bch) { return ldpc_bch_k(bch.get()); }, "message length in bits");
    cls.def_property_readonly(
        "t", [](const py_bch &bch) { return ldpc_bch_t(bch.get()); }, "correctable bit errors per codeword");
    cls.def("__repr__", [](const py_bch &bch) {
        return "<libldpc.bch " + std::string(ldpc_bch_name(bch.get())) +
               ": n=" + std::to_string(ldpc_bch_n(bch.get())) +
               ", k=" + std::to_string(ldpc_bch_k(bch.get())) +
               ", t=" + std::to_string(ldpc_bch_t(bch.get())) + ">";
    });
    cls.def("encode", encode, py::arg("message"), py::arg("packed") = false,
            R"(Encode messages.

message  uint8 array (codewords, k) or (k,), one bit per item; packed: ceil(k/8) bytes per codeword
packed   8 bits per byte, MSB first, each codeword zero-padded to whole bytes

Returns a uint8 array (codewords, n) or (n,); packed: n/8 bytes per codeword.)");
    cls.def("decode", decode, py::arg("codeword"), py::arg("packed") = false,
            R"(Decode codewords.

codeword  uint8 array (codewords, n) or (n,), one bit per item; packed: n/8 bytes per codeword
packed    8 bits per byte, MSB first, each codeword zero-padded to whole bytes

Returns (messages, corrected): uint8 array (codewords, k), and int32 array (codewords,) with the number of corrected bits,
-1 for codewords that could not be corrected; their message is as it came.)");
    module.def("bch_codes", bch_codes, "Names of the LDPC codes with an outer BCH code, a list of str.");
}

/* ---- baseband frames */

struct py_deframer {
    py_deframer(const std::string &name, int32_t stream)
    {
        ldpc_bb_deframer *made;
        ldpc_error error = {};
        check(ldpc_bb_deframer_create(name.c_str(), stream, &made, &error), error);
        handle.reset(made, ldpc_bb_deframer_destroy);
    }
    ldpc_bb_deframer *get() const
    {
        return handle.get();
    }
    std::shared_ptr<ldpc_bb_deframer> handle;
    std::mutex mutex; /* several Python threads may use the object at the same time */
};

void push_frames(ldpc_bb_deframer *deframer, const uint8_t *frames, size_t items,
                 const std::vector<bool> &broken, bool packed, std::vector<uint8_t> &ts)
{
    constexpr size_t packets = 64;
    for (size_t f = 0; f < broken.size(); f++) {
        ldpc_bb_deframer_push(deframer, frames + f * items, packed, broken[f]);
        for (size_t count = packets; count == packets;) {
            const size_t before = ts.size();
            ts.resize(before + packets * LDPC_TS_PACKET);
            count = ldpc_bb_deframer_pull(deframer, ts.data() + before, packets);
            ts.resize(before + count * LDPC_TS_PACKET);
        }
    }
}

std::vector<bool> flags_of(const py::object &broken, size_t frames)
{
    if (broken.is_none())
        return std::vector<bool>(frames, false);
    const auto array =
        py::array_t<bool, py::array::c_style | py::array::forcecast>::ensure(array_on_host(broken));
    if (!array || size_t(array.size()) != frames)
        throw py::value_error("broken: expected one bool for each of the " + std::to_string(frames) +
                              " frames");
    return std::vector<bool>(array.data(), array.data() + frames);
}

py::array deframe(py_deframer &deframer, const py::object &frames, const py::object &broken, bool packed)
{
    const py::array in = bits_of(frames, "frames", packed);
    const size_t items = items_of(ldpc_bb_deframer_k(deframer.get()), packed);
    const batch_shape shape = shape_of(in, items, "frames", packed ? "ceil(k/8)" : "k", frames);
    const std::vector<bool> flags = flags_of(broken, shape.codewords);
    std::vector<uint8_t> ts;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(deframer.mutex);
        push_frames(deframer.get(), static_cast<const uint8_t *>(in.data()), items, flags, packed, ts);
    }
    auto out = new_array<uint8_t>({py::ssize_t(ts.size() / LDPC_TS_PACKET), LDPC_TS_PACKET});
    std::copy(ts.begin(), ts.end(), out.mutable_data());
    return py::array(std::move(out));
}

py::dict counters(py_deframer &deframer)
{
    std::lock_guard<std::mutex> lock(deframer.mutex);
    const ldpc_bb_counters c = ldpc_bb_deframer_counters(deframer.get());
    using namespace py::literals;
    return py::dict("frames"_a = c.frames, "header_errors"_a = c.header_errors,
                    "broken_frames"_a = c.broken_frames, "other_frames"_a = c.other_frames,
                    "packets"_a = c.packets, "null_packets"_a = c.null_packets, "crc_errors"_a = c.crc_errors,
                    "ts_errors"_a = c.ts_errors, "lost_packets"_a = c.lost_packets);
}

py::object header(py_deframer &deframer)
{
    std::lock_guard<std::mutex> lock(deframer.mutex);
    const ldpc_bb_header h = ldpc_bb_deframer_header(deframer.get());
    using namespace py::literals;
    if (!h.valid)
        return py::none();
    return py::dict("high_efficiency"_a = h.high_efficiency, "transport_stream"_a = h.transport_stream,
                    "single_stream"_a = h.single_stream, "constant_coding"_a = h.constant_coding,
                    "issy"_a = h.issy, "null_deletion"_a = h.null_deletion, "roll_off"_a = h.roll_off,
                    "stream"_a = h.stream, "upl"_a = h.upl, "dfl"_a = h.dfl, "syncd"_a = h.syncd);
}

void bind_deframer(py::module_ &module)
{
    py::class_<py_deframer> cls(module, "bb_deframer", R"(Baseband frames of DVB to transport stream packets.

name    name of the LDPC code, such as "dvbt2:64800:2/3"
stream  ISI of the input stream to output if the signal carries several, -1 = all

An argument of a wrong type raises TypeError, a wrong value or shape ValueError. Invalid frames raise no exception;
property counters counts them.

Standards: EN 302 755 (T2), 5.1; EN 302 307-1 (S2), 5.1 and annex D.)");
    cls.def(py::init<const std::string &, int32_t>(), py::arg("name"),
            py::arg("stream") = int(LDPC_BB_ANY_STREAM));
    cls.def_property_readonly(
        "k", [](const py_deframer &d) { return ldpc_bb_deframer_k(d.get()); }, "frame length in bits");
    cls.def("deframe", deframe, py::arg("frames"), py::arg("broken") = py::none(), py::arg("packed") = false,
            R"(Process the next frames from the BCH decoder.

frames  uint8 array (frames, k) or (k,), one bit per item; packed: ceil(k/8) bytes per frame
broken  bool per frame: whether it has residual bit errors; None = no frame has
packed  8 bits per byte, MSB first, each frame zero-padded to whole bytes

Returns the completed packets, a uint8 array (packets, 188).)");
    cls.def(
        "reset",
        [](py_deframer &d) {
            std::lock_guard<std::mutex> lock(d.mutex);
            ldpc_bb_deframer_reset(d.get());
        },
        "Discard the incomplete packet and reset all counters.");
    cls.def_property_readonly("counters", counters, "Counters since the start, a dict.");
    cls.def_property_readonly("header", header, "Header of the last frame, a dict; None if it was invalid.");
}

} // namespace

void bind_dvb_fec(py::module_ &module)
{
    bind_bch(module);
    bind_deframer(module);
}
