/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Python bindings of the blocks. Argument names and docstrings are written by hand: scripts and GNU Radio
 * Companion call the blocks with named arguments. No header hashes are kept, so that editing a header never
 * stops a build: BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0)
 */
#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>
#include <gnuradio/ldpc/ldpc_encoder_bb.h>

#include <pybind11/pybind11.h>

#include <string>

namespace py = pybind11;
using namespace gr::ldpc;

void bind_dvb_fec(py::module &m); /* dvb_fec_python.cc */

namespace
{

/* Setters and getters wait for the batch that is being decoded: let other Python threads run meanwhile. */
using no_gil = py::call_guard<py::gil_scoped_release>;

const char *const options_doc = R"(
Exactly k message bits (or n codeword bits) leave for every n LLRs that enter, in order, whether the decoder converged or
not. A codeword leaves as soon as it is decoded. Tags at codeword starts move to the start of that codeword's output.

Args:
    code: canonical name such as "dvbt2:64800:1/2" (ldpc.codes() lists all), "alist:FILE" or "qc:FILE"
    max_iterations: 0 .. 10000
    algorithm: "auto", "min-sum", "offset", "normalized", "corrected" or "sum-product"; over larger fields also "min-max", "ems"
    arithmetic: "auto", "i8", "i16" or "float"
    schedule: "auto", "layered" or "flooding"
    early_stop: stop a word as soon as all its checks are satisfied
    llr_scale: int8 LLR steps per nat, 0.25 .. 64
    llr_sign: which sign means bit 0: "positive" (DVB, 5G, this library) or "negative" (GNU Radio's own soft bits)
    output: "message" (k bits) or "codeword" (n bits)
    packed: 8 bits per output byte, first bit in the most significant place; each word is padded to whole bytes
    threads: CPU threads; 0 = one per core
    kernel: "auto" or the name of a kernel
    offset: for algorithm "offset": LLR steps; negative = the library's choice
    factor: for algorithm "normalized": 1/16 .. 1; 0 = the library's choice
    tags: tag every output word with ldpc_iterations (integer) and ldpc_converged (boolean)
    stats_interval: seconds between messages on port "stats"; 0 = never

Messages on port "stats" are dictionaries: code, kernel, seconds, frames, failed, mean_iterations, coded_mbps, info_mbps
(since the last message), total_frames, total_failed (since the start).

Raises:
    ValueError: one sentence that says which argument is wrong and what was expected
)";

void bind_base(py::module &m)
{
    py::class_<ldpc_decoder_base, gr::block, gr::basic_block, std::shared_ptr<ldpc_decoder_base>>(
        m, "ldpc_decoder_base", "What all LDPC decoder blocks share.")
        .def("set_max_iterations", &ldpc_decoder_base::set_max_iterations, py::arg("max_iterations"),
             no_gil(),
             "Change the number of iterations, 0 .. 10000; holds for words whose decoding starts afterwards.")
        .def("set_early_stop", &ldpc_decoder_base::set_early_stop, py::arg("early_stop"), no_gil(),
             "Switch early stop on or off.")
        .def("set_offset", &ldpc_decoder_base::set_offset, py::arg("offset"), no_gil(),
             "Change the offset of offset min-sum, in LLR steps; negative = the library's choice.")
        .def("set_factor", &ldpc_decoder_base::set_factor, py::arg("factor"), no_gil(),
             "Change the factor of normalised min-sum, 1/16 .. 1; 0 = the library's choice.")
        .def("max_iterations", &ldpc_decoder_base::max_iterations, no_gil(), "Most iterations of a word.")
        .def("early_stop", &ldpc_decoder_base::early_stop, no_gil(), "Whether early stop is on.")
        .def("n", &ldpc_decoder_base::n, "LLRs of a codeword.")
        .def("k", &ldpc_decoder_base::k, "Message bits of a codeword.")
        .def("code", &ldpc_decoder_base::code, "Canonical name of the code.")
        .def("kernel", &ldpc_decoder_base::kernel, "Name of the kernel in use.")
        .def("frames", &ldpc_decoder_base::frames, no_gil(), "Codewords decoded since the flowgraph started.")
        .def("failed", &ldpc_decoder_base::failed, no_gil(),
             "Codewords that did not converge, since the start.")
        .def("mean_iterations", &ldpc_decoder_base::mean_iterations, no_gil(),
             "Iterations per codeword since the start.");
}

template <class Block> void bind_decoder(py::module &m, const char *name, const std::string &summary)
{
    const decoder_options defaults;
    const std::string doc = summary + "\n" + options_doc;
    const auto make = [](const std::string &code, int max_iterations, const std::string &algorithm,
                         const std::string &arithmetic, const std::string &schedule, bool early_stop,
                         float llr_scale, const std::string &llr_sign, const std::string &output, bool packed,
                         int threads, const std::string &kernel, float offset, float factor, bool tags,
                         double stats_interval) {
        return Block::make({code, max_iterations, algorithm, arithmetic, schedule, early_stop, llr_scale,
                            llr_sign, output, packed, threads, kernel, offset, factor, tags, stats_interval});
    };
    py::class_<Block, ldpc_decoder_base, gr::block, gr::basic_block, std::shared_ptr<Block>>(m, name,
                                                                                             doc.c_str())
        .def(py::init(make), py::arg("code"), py::arg("max_iterations") = defaults.max_iterations,
             py::arg("algorithm") = defaults.algorithm, py::arg("arithmetic") = defaults.arithmetic,
             py::arg("schedule") = defaults.schedule, py::arg("early_stop") = defaults.early_stop,
             py::arg("llr_scale") = defaults.llr_scale, py::arg("llr_sign") = defaults.llr_sign,
             py::arg("output") = defaults.output, py::arg("packed") = defaults.packed,
             py::arg("threads") = defaults.threads, py::arg("kernel") = defaults.kernel,
             py::arg("offset") = defaults.offset, py::arg("factor") = defaults.factor,
             py::arg("tags") = defaults.tags, py::arg("stats_interval") = defaults.stats_interval,
             doc.c_str());
}

void bind_encoder(py::module &m)
{
    const char *const doc =
        R"(Systematic LDPC encoder: n codeword bits leave for every k message bits, one bit per byte.

Args:
    code: canonical name such as "dvbt2:64800:1/2" (ldpc.codes() lists all), "alist:FILE" or "qc:FILE"

Raises:
    ValueError: one sentence that says what is wrong with the code's name or file
)";
    py::class_<ldpc_encoder_bb, gr::block, gr::basic_block, std::shared_ptr<ldpc_encoder_bb>>(
        m, "ldpc_encoder_bb", doc)
        .def(py::init(&ldpc_encoder_bb::make), py::arg("code"), doc)
        .def("n", &ldpc_encoder_bb::n, "Bits of a codeword.")
        .def("k", &ldpc_encoder_bb::k, "Bits of a message.")
        .def("code", &ldpc_encoder_bb::code, "Canonical name of the code.");
}

} // namespace

PYBIND11_MODULE(ldpc_python, m)
{
    m.doc() = "GNU Radio blocks of gr-ldpc.";
    py::module::import("gnuradio.gr"); /* registers gr::block and gr::basic_block */
    bind_base(m);
    bind_decoder<ldpc_decoder_cpu_bb>(
        m, "ldpc_decoder_cpu_bb",
        "LDPC decoder on the CPU: int8 LLRs in, decisions out.\n\nLLRs are in steps of "
        "1/llr_scale nat; -128 is read as -127.");
    bind_decoder<ldpc_decoder_cpu_fb>(
        m, "ldpc_decoder_cpu_fb",
        "LDPC decoder on the CPU: float LLRs in, decisions out.\n\nLLRs are in nat and "
        "are quantised to int8 in steps of 1/llr_scale nat; arithmetic=\"float\" takes "
        "them as they are.");
    bind_encoder(m);
    bind_dvb_fec(m);
}
