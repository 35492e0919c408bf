/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DVB blocks after the LDPC decoder. ldpc_python.cc explains why there are no header hashes:
 * BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0) */
#include "code_argument.h"
#include "option_docs.h"

#include <gnuradio/ldpc/dvb_bb_deframer_bb.h>
#include <gnuradio/ldpc/dvb_bch_decoder_bb.h>
#include <gnuradio/ldpc/ldpc_error_rate.h>
#include <gnuradio/ldpc/raw_ber_bb.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

namespace py = pybind11;
using namespace gr::ldpc;

void bind_dvb_fec(py::module &m);

namespace
{

using no_gil = py::call_guard<py::gil_scoped_release>;

void bind_bch_decoder(py::module &m)
{
    const std::string text =
        std::string(R"(BCH decoder of DVB-S2, S2X, T2 and C2: LDPC message bits in, baseband frames out.

Exactly k output bits for every n input bits. The first item of every frame has a tag bch_corrected: the number of corrected bits,
or -1 if the frame is uncorrectable; an uncorrectable frame is output unchanged.

Args:
    code: name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
)") + dvb_bch_decoder_bb_options_doc +
        R"(
Messages on port "stats" are dictionaries: code, seconds, frames, failed, corrected_frames, corrected_bits (since the last
message), total_frames, total_failed (since the start).

Raises:
    ValueError: an argument is invalid
)";
    const char *const doc = text.c_str();
    py::class_<dvb_bch_decoder_bb, gr::block, gr::basic_block, std::shared_ptr<dvb_bch_decoder_bb>>(
        m, "dvb_bch_decoder_bb", doc)
        .def(py::init(with_code(&dvb_bch_decoder_bb::make)), py::arg("code"), py::arg("packed") = false,
             py::arg("stats_interval") = 1.0, py::arg("codewords") = false,
             py::arg("codes") = std::vector<std::string>(), doc)
        .def("n", &dvb_bch_decoder_bb::n, "Codeword length in bits.")
        .def("k", &dvb_bch_decoder_bb::k, "Frame length in bits.")
        .def("t", &dvb_bch_decoder_bb::t, "Correctable bit errors per codeword.")
        .def("code", &dvb_bch_decoder_bb::code, "Name of the LDPC code.")
        .def("frames", &dvb_bch_decoder_bb::frames, no_gil(), "Frames since the start.")
        .def("failed", &dvb_bch_decoder_bb::failed, no_gil(), "Uncorrectable frames.")
        .def("corrected_bits", &dvb_bch_decoder_bb::corrected_bits, no_gil(),
             "Bits corrected since the start.");
}

void bind_deframer(py::module &m)
{
    const std::string text =
        std::string(
            R"(Descrambles baseband frames of DVB-S2, S2X, T2 and C2 and extracts the transport stream.

The output is whole packets of 188 bytes. Supports normal mode, and high efficiency mode of T2 and C2; reinserts deleted null
packets. Frames with an invalid header are skipped. Packets with bit errors have their transport_error_indicator set; errors are
detected by the CRC-8 of normal mode, or else by a tag bch_corrected of -1 on the frame.

The first packet that ends in a frame has a tag bb_frame (number of the frame, from 0) and the other tags of that frame,
except bch_corrected. A tag bb_broken (number of the frame) is on the first packet after a frame with an invalid header, and on
the first packet of a frame with bit errors.

Messages on port "frames" are the baseband frames of generic streams (GSE, GCS, GFPS) without bit errors, as PDUs: the 10-byte
header, followed by the data field. The entry isi of the metadata is the ISI, or -1 for a single stream.

Args:
    code: name of the LDPC code, such as "dvbt2:64800:2/3"; libldpc.bch_codes() lists all names
)") + dvb_bb_deframer_bb_options_doc +
        R"(
Messages on port "stats" are dictionaries: code, seconds, frames, header_errors, broken_frames, other_frames, packets,
null_packets, crc_errors, ts_errors, lost_packets, ts_mbps (since the last message), total_packets, total_ts_errors,
total_header_errors (since the start).

Raises:
    ValueError: an argument is invalid
)";
    const char *const doc = text.c_str();
    py::class_<dvb_bb_deframer_bb, gr::block, gr::basic_block, std::shared_ptr<dvb_bb_deframer_bb>>(
        m, "dvb_bb_deframer_bb", doc)
        .def(py::init(with_code(&dvb_bb_deframer_bb::make)), py::arg("code"), py::arg("packed") = false,
             py::arg("stream") = -1, py::arg("stats_interval") = 1.0,
             py::arg("codes") = std::vector<std::string>(), doc)
        .def("k", &dvb_bb_deframer_bb::k, "Frame length in bits.")
        .def("code", &dvb_bb_deframer_bb::code, "Name of the LDPC code.")
        .def("counters", &dvb_bb_deframer_bb::counters, no_gil(), "Counters since the start, a dict.");
}

void bind_raw_ber(py::module &m)
{
    const char *const doc =
        R"(Bit error rate before a decoder: compares the signs of LLRs with the decoded codewords.

Input 0: int8 LLRs, positive for bit 0, n per codeword. Input 1: decoded codewords, packed, ceil(n/8) bytes per codeword.

Args:
    n: codeword length in bits
    stats_interval: seconds between messages on port "stats"; 0 = no messages

Messages on port "stats" are dictionaries: seconds, frames, raw_errors, raw_ber (since the last message).

Raises:
    ValueError: an argument is invalid
)";
    py::class_<raw_ber_bb, gr::block, gr::basic_block, std::shared_ptr<raw_ber_bb>>(m, "raw_ber_bb", doc)
        .def(py::init(&raw_ber_bb::make), py::arg("n"), py::arg("stats_interval") = 1.0, doc)
        .def("frames", &raw_ber_bb::frames, no_gil(), "Codewords compared since the start.")
        .def("errors", &raw_ber_bb::errors, no_gil(), "Bit errors since the start.")
        .def("ber", &raw_ber_bb::ber, no_gil(), "Bit error rate since the start.");
}

void bind_error_rate(py::module &m)
{
    const std::string doc = std::string(
                                R"(Bit and frame error rate: compares received bits with sent bits.

Input 0: sent bits, input 1: received bits, frame by frame. Output 0: BER, output 1: FER as floats, one item per frame: the rates over the
last `window` frames. A frame with bit errors has a tag ldpc_bit_errors (integer: their number) on both outputs. Port "text" carries a
line of text with the rates.

Args:
)") + error_rate_options_doc +
                            R"(
Raises:
    ValueError: an argument is out of range
)";
    py::class_<ldpc_error_rate, gr::block, gr::basic_block, std::shared_ptr<ldpc_error_rate>>(
        m, "ldpc_error_rate", doc.c_str())
        .def(py::init(&ldpc_error_rate::make), py::arg("frame"), py::arg("window") = 1000,
             py::arg("packed") = false, py::arg("text_interval") = 1.0, doc.c_str())
        .def("frames", &ldpc_error_rate::frames, no_gil(), "Frames compared since the start.")
        .def("frame_errors", &ldpc_error_rate::frame_errors, no_gil(),
             "Frames with bit errors since the start.")
        .def("bit_errors", &ldpc_error_rate::bit_errors, no_gil(), "Bit errors since the start.")
        .def("ber", &ldpc_error_rate::ber, no_gil(), "Bit error rate since the start.")
        .def("fer", &ldpc_error_rate::fer, no_gil(), "Frame error rate since the start.");
}

} // namespace

void bind_dvb_fec(py::module &m)
{
    bind_bch_decoder(m);
    bind_deframer(m);
    bind_raw_ber(m);
    bind_error_rate(m);
}
