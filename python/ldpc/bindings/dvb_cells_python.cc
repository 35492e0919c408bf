/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks from DVB cells to LLRs. ldpc_python.cc explains why there are no header hashes:
 * BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0) */
#include "code_argument.h"
#include "option_docs.h"

#include <gnuradio/ldpc/dvb_bit_deinterleaver_bb.h>
#include <gnuradio/ldpc/dvb_demapper_cb.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

namespace py = pybind11;
using namespace gr::ldpc;

void bind_dvb_cells(py::module &m);

namespace
{

using no_gil = py::call_guard<py::gil_scoped_release>;

void bind_demapper(py::module &m)
{
    const std::string text =
        std::string(
            R"(Soft demapper of DVB-T2, DVB-S2 and S2X: equalised cells in, int8 LLRs in the order of the LDPC decoder out.

Exactly n LLRs for the cells of every codeword (FEC block), positive for bit 0. The mean constellation power is 1; noise is the
noise power per cell in the same unit, 10^(-MER / 10). The first input cell is the first of a codeword. Tags at codeword starts move to
the start of that codeword's LLRs.

Args:
    code: "dvbt2:64800:2/3", "dvbs2:16200:3/4", "dvbs2x:64800:135/180" ...
)") + dvb_demapper_cb_options_doc +
        R"(
A message on port "noise" (a number, or a dictionary with the entry noise) sets the noise power; 0 selects estimation from the cells. Messages
on port "stats" are dictionaries: code, modulation, seconds, frames, mer_db, noise (since the last message), total_frames
(since the start). MER and noise in them are always measured from the cells.

Raises:
    ValueError: an argument is invalid
)";
    const char *const doc = text.c_str();
    const demapper_options defaults;
    const auto make = [](const py::object &code, const std::string &modulation, bool rotated, double noise,
                         bool noise_input, const std::string &noise_tag, bool exact, bool deinterleave,
                         float llr_scale, double stats_interval, const std::vector<std::string> &modcods) {
        return dvb_demapper_cb::make({code_argument(code), modulation, rotated, noise, noise_input, noise_tag,
                                      exact, deinterleave, llr_scale, stats_interval, modcods});
    };
    py::class_<dvb_demapper_cb, gr::block, gr::basic_block, std::shared_ptr<dvb_demapper_cb>>(
        m, "dvb_demapper_cb", doc)
        .def(py::init(make), py::arg("code"), py::arg("modulation"), py::arg("rotated") = defaults.rotated,
             py::arg("noise") = defaults.noise, py::arg("noise_input") = defaults.noise_input,
             py::arg("noise_tag") = defaults.noise_tag, py::arg("exact") = defaults.exact,
             py::arg("deinterleave") = defaults.deinterleave, py::arg("llr_scale") = defaults.llr_scale,
             py::arg("stats_interval") = defaults.stats_interval, py::arg("modcods") = defaults.modcods, doc)
        .def("set_noise", &dvb_demapper_cb::set_noise, py::arg("noise"), no_gil(),
             "Set the noise power per cell; 0 = estimated from the cells.")
        .def("noise", &dvb_demapper_cb::noise, no_gil(),
             "Mean noise power per cell, estimated from the cells of the last interval.")
        .def("mer_db", &dvb_demapper_cb::mer_db, no_gil(),
             "Mean modulation error ratio of the last interval in dB.")
        .def("n", &dvb_demapper_cb::n, "LLRs per codeword.")
        .def("cells", &dvb_demapper_cb::cells, "Cells per codeword.")
        .def("frames", &dvb_demapper_cb::frames, no_gil(), "Codewords since the start.");
}

void bind_bit_deinterleaver(py::module &m)
{
    const std::string text =
        std::string(
            R"(Bit deinterleaver of DVB-T2, DVB-S2 and S2X: reorders LLRs or unpacked bits from cell order to the order of the LDPC code.

Use it with other demappers; dvb_demapper_cb includes this step. Input: cell by cell, first bit first.

Args:
    code: "dvbt2:64800:2/3", "dvbs2:16200:3/4", "dvbs2x:64800:135/180" ...
)") + dvb_bit_deinterleaver_bb_options_doc +
        R"(
Raises:
    ValueError: an argument is invalid
)";
    const char *const doc = text.c_str();
    py::class_<dvb_bit_deinterleaver_bb, gr::sync_block, gr::block, gr::basic_block,
               std::shared_ptr<dvb_bit_deinterleaver_bb>>(m, "dvb_bit_deinterleaver_bb", doc)
        .def(py::init(with_code(&dvb_bit_deinterleaver_bb::make)), py::arg("code"), py::arg("modulation"),
             doc)
        .def("n", &dvb_bit_deinterleaver_bb::n, "LLRs per codeword.");
}

} // namespace

void bind_dvb_cells(py::module &m)
{
    bind_demapper(m);
    m.def("dvbs2_modcods", &dvbs2_modcods, py::arg("s2x") = false,
          "Names of the MODCODs of DVB-S2 with their frame sizes, such as \"qpsk:64800:1/2\"; with s2x=True "
          "also those of S2X.");
    m.def("dvbs2_modcod_code", &dvbs2_modcod_code, py::arg("name"),
          "Name of the LDPC code of a MODCOD: \"dvbs2:64800:1/2\" for \"qpsk:64800:1/2\". "
          "Raises ValueError for a name that is not in dvbs2_modcods(s2x=True).");
    bind_bit_deinterleaver(m);
}
