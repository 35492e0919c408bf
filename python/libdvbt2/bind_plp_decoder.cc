/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds libdvbt2.plp_decoder, which converts cells to transport stream packets. */
#include "bindings.h"

#include <mutex>
#include <optional>

#include <pybind11/stl.h>

namespace
{

struct py_plp_decoder {
    py_plp_decoder(const std::string &backend, bool fallback, const std::optional<std::string> &devices,
                   const std::optional<std::string> &cache_dir, uint32_t threads, uint32_t max_iterations,
                   bool exact, int32_t stream, bool generic_frames)
    {
        dvbt2_plp_decoder_params params;
        dvbt2_plp_decoder_params_init(&params);
        params.backend = backend.c_str();
        params.fallback = fallback;
        params.devices = devices ? devices->c_str() : nullptr;
        params.cache_dir = cache_dir ? cache_dir->c_str() : nullptr;
        params.threads = threads;
        params.max_iterations = max_iterations;
        params.exact = exact;
        params.stream = stream;
        params.generic_frames = generic_frames;
        ldpc_error error = {};
        const ldpc_status status = dvbt2_plp_decoder_create(&params, &dec, &error);
        check(status, error.message);
        if (*dvbt2_plp_decoder_message(dec) &&
            PyErr_WarnEx(PyExc_RuntimeWarning, dvbt2_plp_decoder_message(dec), 1) != 0) {
            dvbt2_plp_decoder_destroy(dec);
            throw py::error_already_set();
        }
    }
    py_plp_decoder(const py_plp_decoder &) = delete;
    ~py_plp_decoder()
    {
        py::gil_scoped_release release;
        dvbt2_plp_decoder_destroy(dec);
    }
    void checked(ldpc_status status) const
    {
        check(status, dvbt2_plp_decoder_message(dec));
    }

    dvbt2_plp_decoder *dec = nullptr;
    std::mutex mutex;
};

void feed(py_plp_decoder &decoder, const dvbt2_plp_frame &frame, uint32_t first, const py::buffer &cells,
          const py::buffer &noise)
{
    const py::buffer_info iq = complex_of(cells, "cells"), variance = floats_of(noise, "noise");
    if (variance.size != iq.size)
        throw py::value_error("noise: expected one value per cell, " + std::to_string(iq.size) +
                              " cells, not " + std::to_string(variance.size));
    ldpc_status status;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(decoder.mutex);
        status = dvbt2_plp_decoder_feed(decoder.dec, &frame, first, size_t(iq.size),
                                        static_cast<const float *>(iq.ptr),
                                        static_cast<const float *>(variance.ptr));
    }
    decoder.checked(status);
}

py::object pull_packets(py_plp_decoder &decoder, size_t max_packets)
{
    new_array ts(max_packets, "uint8", LDPC_TS_PACKET);
    size_t count;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(decoder.mutex);
        count = dvbt2_plp_decoder_pull(decoder.dec, static_cast<uint8_t *>(ts.data), max_packets);
    }
    return ts.array[py::slice(0, py::ssize_t(count), 1)];
}

py::object pull_frame(py_plp_decoder &decoder)
{
    char frame[DVBT2_MAX_FRAME_BYTES];
    std::lock_guard<std::mutex> lock(decoder.mutex);
    const size_t bytes =
        dvbt2_plp_decoder_pull_frame(decoder.dec, reinterpret_cast<uint8_t *>(frame), sizeof frame);
    return bytes ? py::object(py::bytes(frame, bytes)) : py::none();
}

py::dict signalling_of(py_plp_decoder &decoder)
{
    std::lock_guard<std::mutex> lock(decoder.mutex);
    return signalling_dict(*dvbt2_plp_decoder_signalling(decoder.dec));
}

void finish(py_plp_decoder &decoder)
{
    ldpc_status status;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(decoder.mutex);
        status = dvbt2_plp_decoder_finish(decoder.dec);
    }
    decoder.checked(status);
}

py::dict counters_of(py_plp_decoder &decoder)
{
    dvbt2_plp_counters c;
    {
        py::gil_scoped_release release;
        std::lock_guard<std::mutex> lock(decoder.mutex);
        c = dvbt2_plp_decoder_counters(decoder.dec);
    }
    return counters_dict(c);
}

} // namespace

void bind_plp_decoder(py::module_ &module)
{
    module.attr("TS_PACKET") = int(LDPC_TS_PACKET);
    py::class_<py_plp_decoder> cls(
        module, "plp_decoder",
        R"(Decoder of a DVB-T2 PLP: cells to transport stream packets, with the parameters from L1 signalling.

backend         backend of the LDPC decoder: "cpu", "gpu" (CUDA or OpenCL), "cuda", "opencl"
fallback        if the GPU cannot be used: True = RuntimeWarning and decoding on the CPU; False = RuntimeError
devices         GPUs: "0", "0,1", "all"; None = "0"
cache_dir       directory for compiled GPU kernels; None = none
threads         CPU threads of the LDPC decoder; 0 = one per core
max_iterations  maximum number of LDPC iterations per codeword, 0 .. 10000
exact           LLRs over all points of the constellation; else only the nearest ones (max-log)
stream          ISI of the input stream to output if the signal carries several; -1 = all
generic_frames  keep baseband frames of generic streams (GSE, GCS, GFPS) for pull_frame()

Code, constellation, interleaver and number of FEC blocks may change with every interleaving frame. Wrong types raise TypeError,
wrong values ValueError, a backend that cannot be used or a GPU that fails RuntimeError.

Standard: EN 302 755, clauses 5 and 6.)");
    cls.def(py::init<const std::string &, bool, const std::optional<std::string> &,
                     const std::optional<std::string> &, uint32_t, uint32_t, bool, int32_t, bool>(),
            py::arg("backend") = "cpu", py::arg("fallback") = false, py::arg("devices") = py::none(),
            py::arg("cache_dir") = py::none(), py::arg("threads") = 1, py::arg("max_iterations") = 25,
            py::arg("exact") = false, py::arg("stream") = -1, py::arg("generic_frames") = false);
    cls.def("feed", &feed, py::arg("frame"), py::arg("first"), py::arg("cells"), py::arg("noise"),
            R"(Decode the cells from receiver.pull(); raises ValueError if L1 has reserved values.

frame  the plp_frame
first  index of the first cell in the frame
cells  complex64 array, mean constellation power 1
noise  float32 array of the same length: noise power of each cell; 0 marks an erased cell)");
    cls.def(
        "set_common",
        [](py_plp_decoder &d, py_plp_decoder &common) {
            d.checked(dvbt2_plp_decoder_set_common(d.dec, common.dec));
        },
        py::arg("common"), py::keep_alive<1, 2>(),
        "Replace null packets by the packets of `common`, the decoder of the common PLP of this PLP's group. "
        "One thread\nfeeds both decoders and pulls from this one.");
    cls.def("pull", &pull_packets, py::arg("max_packets") = 4096,
            "Return the decoded packets, at most max_packets: uint8 of shape (packets, 188).");
    cls.def("pull_frame", &pull_frame,
            "Return the next baseband frame of a generic stream as bytes: the 10-byte header and the data "
            "field; None if none is available.");
    cls.def("signalling", &signalling_of,
            "Return in-band signalling and ISSY of the PLP as a dict; docs/dvbt2.md explains each field.");
    cls.def("finish", &finish, "Decode also incomplete frames and wait for all codewords in flight.");
    cls.def(
        "lose_packet",
        [](py_plp_decoder &d) {
            py::gil_scoped_release release;
            std::lock_guard<std::mutex> lock(d.mutex);
            dvbt2_plp_decoder_break(d.dec);
        },
        "Discard the incomplete packet, because the following frames are not contiguous.");
    cls.def("counters", &counters_of, "Return the counters since the start as a dict.");
    cls.def_property_readonly(
        "kernel", [](const py_plp_decoder &d) { return dvbt2_plp_decoder_kernel(d.dec); },
        "backend and kernel of the LDPC decoder; \"\" before the first frame");
}
