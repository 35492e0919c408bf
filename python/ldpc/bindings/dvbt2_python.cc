/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Python bindings of the DVB-T2 receiver's blocks; ldpc_python.cc says why there are no header hashes:
 * BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0)
 */
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

/* A PMT dictionary as Python's. */
py::object to_python(const pmt::pmt_t &value)
{
    return py::module::import("pmt").attr("to_python")(value);
}

void bind_demodulator(py::module &m)
{
    const std::string doc =
        std::string(
            R"(Receives DVB-T2 (EN 302 755): samples in, equalised cells of PLPs and the noise of each cell out.

FFT size, guard interval, pilot pattern and everything else is found. For each PLP there are two outputs: cells (complex,
mean power of the constellation 1) and the noise of each (float, mean power of its error; 0: nothing is known of the cell).
The first cell of the PLP in each T2 frame has a tag frame_start, the number of the frame, and a tag dvbt2_frame, a
dictionary that dvbt2_plp_decoder follows: code, constellation, interleaver, number of FEC blocks.

Tags of radios on the input: samples are missing where the time of a tag rx_time differs from that of the last one plus samples /
sample rate by more than two samples and 1e-6 of the time between them (a radio's overflow). The first rx_rate is a reference,
and a later one scales the sample rate. After a changed rx_freq the signal is searched as at the start.

Args:
)") + dvbt2_demodulator_options_doc +
        R"(
Messages on port "l1" have the fields of L1 by the names of the standard, whenever they change; those on port "status" what is
measured (docs/dvbt2.md explains each value). Ports "constellation" and "impulse_response" have PDUs for pictures: some cells of
the first PLP, and the power of each tap in dB (metadata: first_us, step_us).

Raises:
    ValueError: one sentence that says what is wrong
)";
    py::class_<dvbt2_demodulator, gr::block, gr::basic_block, std::shared_ptr<dvbt2_demodulator>>(
        m, "dvbt2_demodulator", doc.c_str())
        .def(py::init(&dvbt2_demodulator::make), py::arg("sample_rate"), py::arg("format") = "cf32",
             py::arg("bandwidth") = "8", py::arg("offset") = 0.0, py::arg("profile") = "auto",
             py::arg("plps") = std::vector<int>{-1}, py::arg("status_interval") = 1.0,
             py::arg("decision_directed") = 0, doc.c_str())
        .def("set_plps", &dvbt2_demodulator::set_plps, py::arg("plps"), no_gil(),
             "Other PLPs, as many as before; may be called while the flowgraph runs.")
        .def("set_channel", &dvbt2_demodulator::set_channel, py::arg("bandwidth"), py::arg("sample_rate"),
             no_gil(),
             "Another bandwidth of the channel, with the sample rate for it; may be called while the "
             "flowgraph runs.")
        .def("locked", &dvbt2_demodulator::locked, no_gil(), "Whether cells are received.")
        .def(
            "status", [](const dvbt2_demodulator &block) { return to_python(block.status()); },
            "What is measured, a dict as on port \"status\".")
        .def(
            "l1", [](const dvbt2_demodulator &block) { return to_python(block.l1()); },
            "L1, a dict as on port \"l1\"; None before the first.")
        .def("impulse_response", &dvbt2_demodulator::impulse_response, no_gil(),
             "Power of each tap of the channel's impulse response; together 1.");
}

void bind_plp_decoder(py::module &m)
{
    const std::string doc =
        std::string(
            R"(Decodes the cells that dvbt2_demodulator hands over: deinterleavers, demapper, LDPC, BCH, deframer.

Input 0: cells, input 1: the noise of each. Inputs 2 and 3, which may be left out: those of the common PLP of the PLP's group,
whose packets are put in place of null packets. Tags dvbt2_frame on the cells say how they are coded; code, constellation and number
of FEC blocks may change with every frame. Cells before the first tag are dropped. Whole packets of 188 bytes leave; those with
wrong bits have their transport_error_indicator set.

Args:
)") + dvbt2_plp_decoder_options_doc +
        R"(
Messages on port "stats" are dictionaries of what was counted since the start: codewords, failed_codewords, iterations, bits,
bit_errors, bch_failed, packets, ts_errors ...; mer_db, kernel, plp_id; and signalling, what the PLP says about itself. Port
"frames" has baseband frames of generic streams (GSE, GCS, GFPS), a PDU each: the header of 10 bytes, then the data field.

Raises:
    ValueError: one sentence that says what is wrong
)";
    py::class_<dvbt2_plp_decoder, gr::block, gr::basic_block, std::shared_ptr<dvbt2_plp_decoder>>(
        m, "dvbt2_plp_decoder", doc.c_str())
        .def(py::init([](const std::string &backend, bool fallback, int max_iterations, int threads,
                         bool exact, int stream, double stats_interval) {
                 return dvbt2_plp_decoder::make(backend, fallback, max_iterations, threads, exact, stream,
                                                stats_interval);
             }),
             py::arg("backend") = "cpu", py::arg("fallback") = false, py::arg("max_iterations") = 25,
             py::arg("threads") = 1, py::arg("exact") = false, py::arg("stream") = -1,
             py::arg("stats_interval") = 1.0, doc.c_str())
        .def("set_noise", &dvbt2_plp_decoder::set_noise, py::arg("noise"), no_gil(),
             "Of a dvbt2_fec_decoder: set the mean power of a cell's error.")
        .def(
            "counters", [](const dvbt2_plp_decoder &block) { return to_python(block.counters()); },
            "What was counted since the start, a dict as on port \"stats\".");
}

void bind_fec_decoder(py::module &m)
{
    const std::string doc =
        std::string(
            R"(Decodes the cells of a PLP of DVB-T2 whose coding is known: a dvbt2_plp_decoder with parameters in place of L1.

Time, cell and bit deinterleaver, demapper, LDPC decoder, BCH decoder, deframer. The cells of interleaving frames enter, one frame
after the other, in the order of reception and with the mean power 1; the first cell is the first of a frame. Whole packets of 188 bytes
leave; those with wrong bits have their transport_error_indicator set.

Args:
    code: name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all
)") + dvbt2_fec_decoder_options_doc +
        R"(
Messages on ports "stats" and "frames" are those of dvbt2_plp_decoder, with plp_id -1.

Raises:
    ValueError: one sentence that says what is wrong
    RuntimeError: the backend cannot be used on this machine
)";
    const auto make = [](const py::object &code, const std::string &modulation, bool rotated, int fec_blocks,
                         int ti_blocks, double noise, const std::string &backend, bool fallback,
                         int max_iterations, int threads, bool exact, int stream, double stats_interval) {
        const dvbt2_cell_format format = {code_argument(code), modulation, rotated,
                                          fec_blocks,          ti_blocks,  noise};
        return dvbt2_plp_decoder::make(backend, fallback, max_iterations, threads, exact, stream,
                                       stats_interval, &format);
    };
    m.def("dvbt2_fec_decoder", make, py::arg("code"), py::arg("modulation"), py::arg("rotated") = true,
          py::arg("fec_blocks") = 202, py::arg("ti_blocks") = 1, py::arg("noise") = 0.01,
          py::arg("backend") = "cpu", py::arg("fallback") = false, py::arg("max_iterations") = 25,
          py::arg("threads") = 1, py::arg("exact") = false, py::arg("stream") = -1,
          py::arg("stats_interval") = 1.0, doc.c_str());
}

} // namespace

void bind_dvbt2(py::module &m)
{
    bind_demodulator(m);
    bind_plp_decoder(m);
    bind_fec_decoder(m);
}
