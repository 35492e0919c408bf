/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder and decoder for gr-fec. */
#include "code_argument.h"
#include "option_docs.h"

#include <gnuradio/ldpc/fec_decoder.h>
#include <gnuradio/ldpc/fec_encoder.h>

#include <pybind11/pybind11.h>

#include <string>

namespace py = pybind11;
using namespace gr::ldpc;

namespace
{

const char *const decoder_doc =
    R"(LDPC decoder for the blocks of gr-fec: fec.decoder, fec.extended_decoder, fec.async_decoder and others.

Input: soft bits (float, positive for bit 1, as in gr-fec). Output: unpacked message bits. A frame is one codeword;
set_frame_size accepts any multiple of k. Use one object per block.

Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix
)";

const char *const encoder_doc =
    R"(LDPC encoder for the blocks of gr-fec: fec.encoder, fec.extended_encoder, fec.async_encoder and others.

Input and output: unpacked bits. A frame is one message; set_frame_size accepts any multiple of k. Use one object per block.

Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix

Raises:
    ValueError: the code is unknown, its file is invalid, or it has no encoder
)";

fec_decoder::sptr make_decoder(const py::object &code, int max_iterations, bool early_stop, float gain,
                               float llr_scale, const std::string &algorithm, float offset, float factor,
                               const std::string &arithmetic, const std::string &schedule,
                               const std::string &kernel, int llr_limit)
{
    fec_decoder_options options;
    options.code = code_argument(code);
    options.max_iterations = max_iterations;
    options.early_stop = early_stop;
    options.gain = gain;
    options.llr_scale = llr_scale;
    options.algorithm = algorithm;
    options.offset = offset;
    options.factor = factor;
    options.arithmetic = arithmetic;
    options.schedule = schedule;
    options.kernel = kernel;
    options.llr_limit = llr_limit;
    return fec_decoder::make(options);
}

} // namespace

void bind_fec(py::module &m)
{
    py::module::import("gnuradio.fec"); /* registers the base classes generic_decoder and generic_encoder */
    const fec_decoder_options defaults;
    const std::string doc =
        std::string(decoder_doc) + fec_options_doc + "\nRaises:\n    ValueError: an argument is invalid\n";
    py::class_<fec_decoder, gr::fec::generic_decoder, std::shared_ptr<fec_decoder>>(m, "fec_decoder",
                                                                                    doc.c_str())
        .def(py::init(&make_decoder), py::arg("code"), py::arg("max_iterations") = defaults.max_iterations,
             py::arg("early_stop") = defaults.early_stop, py::arg("gain") = defaults.gain,
             py::arg("llr_scale") = defaults.llr_scale, py::arg("algorithm") = defaults.algorithm,
             py::arg("offset") = defaults.offset, py::arg("factor") = defaults.factor,
             py::arg("arithmetic") = defaults.arithmetic, py::arg("schedule") = defaults.schedule,
             py::arg("kernel") = defaults.kernel, py::arg("llr_limit") = defaults.llr_limit, doc.c_str())
        .def("n", &fec_decoder::n, "Soft bits per codeword.")
        .def("k", &fec_decoder::k, "Message bits per codeword.")
        .def("code", &fec_decoder::code, "Canonical name of the code.")
        .def("kernel", &fec_decoder::kernel, "Name of the kernel in use.")
        .def("frames", &fec_decoder::frames, "Codewords decoded.")
        .def("failed", &fec_decoder::failed, "Codewords that did not converge.");
    py::class_<fec_encoder, gr::fec::generic_encoder, std::shared_ptr<fec_encoder>>(m, "fec_encoder",
                                                                                    encoder_doc)
        .def(py::init(with_code(&fec_encoder::make)), py::arg("code"), encoder_doc)
        .def("n", &fec_encoder::n, "Codeword length in bits.")
        .def("k", &fec_encoder::k, "Message length in bits.")
        .def("code", &fec_encoder::code, "Canonical name of the code.");
}
