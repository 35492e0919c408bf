/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks for DVB-T2 reception. ldpc_python.cc explains why there are no header hashes:
 * BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0) */
#include "code_argument.h"
#include "option_docs.h"

#include <gnuradio/ldpc/dvbt2_demodulator.h>
#include <gnuradio/ldpc/dvbt2_plp_decoder.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace gr::ldpc;

void bind_dvbt2(py::module &m);

namespace
{

using no_gil = py::call_guard<py::gil_scoped_release>;

py::object to_python(const pmt::pmt_t &value)
{
    return py::module::import("pmt").attr("to_python")(value);
}

void bind_demodulator(py::module &m)
{
    const std::string doc =
        std::string(
            R"(DVB-T2 demodulator (EN 302 755): samples in, equalised cells of PLPs and the noise power of each cell out.

The block detects FFT size, guard interval, pilot pattern and all other parameters. Each PLP has two outputs: its cells (complex,
mean constellation power 1) and the noise power of each cell (float; 0 marks an erased cell). The first cell of the PLP in each T2
frame has a tag frame_start, the number of the frame, and a tag dvbt2_frame, a dictionary with the parameters for
dvbt2_plp_decoder: code, constellation, interleaver, number of FEC blocks.

Tags from radios on the input: a tag rx_time indicates lost samples (overflow) if it differs from the previous rx_time plus samples /
sample rate by more than two samples and 1e-6 of the time between them. The first rx_rate is the reference; a later one scales the
sample rate. A changed rx_freq restarts acquisition.

Args:
)") + dvbt2_demodulator_options_doc +
        R"(
Messages: port "l1" carries the L1 fields, with the names of EN 302 755, whenever they change; port "status" carries the receiver state
and measurements (docs/dvbt2.md explains each value). Ports "constellation" and "impulse_response" carry PDUs for display: some cells
of the first PLP, and the power of each tap in dB (metadata: first_us, step_us).

Raises:
    ValueError: an argument is invalid
)";
    py::class_<dvbt2_demodulator, gr::block, gr::basic_block, std::shared_ptr<dvbt2_demodulator>>(
        m, "dvbt2_demodulator", doc.c_str())
        .def(py::init(&dvbt2_demodulator::make), py::arg("sample_rate"), py::arg("format") = "cf32",
             py::arg("bandwidth") = 8.0, py::arg("offset") = 0.0, py::arg("profile") = "auto",
             py::arg("plps") = std::vector<int>{-1}, py::arg("status_interval") = 1.0,
             py::arg("decision_directed") = 0, doc.c_str())
        .def("set_plps", &dvbt2_demodulator::set_plps, py::arg("plps"), no_gil(),
             "Select other PLPs, one per output; can be called at run time.")
        .def("set_channel", &dvbt2_demodulator::set_channel, py::arg("bandwidth"), py::arg("sample_rate"),
             no_gil(), "Set the channel bandwidth in MHz and its sample rate; can be called at run time.")
        .def("locked", &dvbt2_demodulator::locked, no_gil(), "Whether frame synchronisation is established.")
        .def(
            "status", [](const dvbt2_demodulator &block) { return to_python(block.status()); },
            "Receiver state and measurements, a dict as on port \"status\".")
        .def(
            "l1", [](const dvbt2_demodulator &block) { return to_python(block.l1()); },
            "L1 signalling, a dict as on port \"l1\"; None before the first message.")
        .def("impulse_response", &dvbt2_demodulator::impulse_response, no_gil(),
             "Power of each tap of the channel's impulse response, normalised to a sum of 1.");
}

void bind_plp_decoder(py::module &m)
{
    const std::string doc =
        std::string(
            R"(Decodes the cells of a PLP from dvbt2_demodulator: deinterleavers, demapper, LDPC, BCH, deframer.

Input 0: cells; input 1: noise power of each cell. Inputs 2 and 3 (optional): the same for the common PLP of the PLP's group, whose
packets replace null packets. Tags dvbt2_frame on the cells carry the code, constellation and number of FEC blocks, which may change
with every frame. Cells before the first tag are dropped. The output is whole packets of 188 bytes; packets with bit errors have their
transport_error_indicator set.

Args:
)") + dvbt2_plp_decoder_options_doc +
        R"(
Messages on port "stats" are dictionaries with counters since the start (codewords, failed_codewords, iterations, bits, bit_errors,
bch_failed, packets, ts_errors ...), mer_db, kernel, plp_id, and signalling: in-band signalling and ISSY of the PLP. Port "frames"
carries the baseband frames of generic streams (GSE, GCS, GFPS), one PDU per frame: the 10-byte header, followed by the data field.

Raises:
    ValueError: an argument is invalid
)";
    py::class_<dvbt2_plp_decoder, gr::block, gr::basic_block, std::shared_ptr<dvbt2_plp_decoder>>(
        m, "dvbt2_plp_decoder", doc.c_str())
        .def(py::init([](const std::string &backend, bool fallback, double gpu_timeout, int max_iterations,
                         int threads, bool exact, int stream, double stats_interval) {
                 return dvbt2_plp_decoder::make(backend, fallback, gpu_timeout, max_iterations, threads,
                                                exact, stream, stats_interval);
             }),
             py::arg("backend") = "cpu", py::arg("fallback") = false, py::arg("gpu_timeout") = 60.0,
             py::arg("max_iterations") = 25, py::arg("threads") = 1, py::arg("exact") = false,
             py::arg("stream") = -1, py::arg("stats_interval") = 1.0, doc.c_str())
        .def("set_noise", &dvbt2_plp_decoder::set_noise, py::arg("noise"), no_gil(),
             "Set the noise power per cell of a dvbt2_fec_decoder.")
        .def(
            "counters", [](const dvbt2_plp_decoder &block) { return to_python(block.counters()); },
            "Counters since the start, a dict as on port \"stats\".");
}

void bind_fec_decoder(py::module &m)
{
    const std::string doc =
        std::string(
            R"(Decodes the cells of a DVB-T2 PLP: a dvbt2_plp_decoder with fixed parameters instead of L1 signalling.

Time, cell and bit deinterleaver, demapper, LDPC decoder, BCH decoder, deframer. Input: the cells of consecutive
interleaving frames, in the order of reception and with a mean constellation power of 1, starting with the first cell of a frame. The
output is whole packets of 188 bytes; packets with bit errors have their transport_error_indicator set.

Args:
    code: name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
)") + dvbt2_fec_decoder_options_doc +
        R"(
Messages on ports "stats" and "frames" are as for dvbt2_plp_decoder, with plp_id -1.

Raises:
    ValueError: an argument is invalid
    RuntimeError: the backend cannot be used on this machine
)";
    const auto make = [](const py::object &code, const std::string &modulation, bool rotated, int fec_blocks,
                         int ti_blocks, double noise, const std::string &backend, bool fallback,
                         double gpu_timeout, int max_iterations, int threads, bool exact, int stream,
                         double stats_interval) {
        const dvbt2_cell_format format = {code_argument(code), modulation, rotated,
                                          fec_blocks,          ti_blocks,  noise};
        return dvbt2_plp_decoder::make(backend, fallback, gpu_timeout, max_iterations, threads, exact, stream,
                                       stats_interval, &format);
    };
    m.def("dvbt2_fec_decoder", make, py::arg("code"), py::arg("modulation"), py::arg("rotated") = true,
          py::arg("fec_blocks") = 202, py::arg("ti_blocks") = 1, py::arg("noise") = 0.01,
          py::arg("backend") = "cpu", py::arg("fallback") = false, py::arg("gpu_timeout") = 60.0,
          py::arg("max_iterations") = 25, py::arg("threads") = 1, py::arg("exact") = false,
          py::arg("stream") = -1, py::arg("stats_interval") = 1.0, doc.c_str());
}

} // namespace

void bind_dvbt2(py::module &m)
{
    bind_demodulator(m);
    bind_plp_decoder(m);
    bind_fec_decoder(m);
}
