/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Python bindings of the blocks. Names of arguments and docstrings are written by hand: scripts and GNU Radio
 * Companion pass arguments by name. Without header hashes, changed headers never stop a build:
 * BINDTOOL_GEN_AUTOMATIC(0) BINDTOOL_USE_PYGCCXML(0) BINDTOOL_HEADER_FILE_HASH(0) */
#include "../../require_init.h"
#include "code_argument.h"
#include "option_docs.h"

#include <gnuradio/ldpc/ldpc_decoder_cpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_cpu_fb.h>
#include <gnuradio/ldpc/ldpc_decoder_gpu_bb.h>
#include <gnuradio/ldpc/ldpc_decoder_pdu.h>
#include <gnuradio/ldpc/ldpc_encoder_bb.h>
#include <gnuradio/ldpc/ldpc_encoder_pdu.h>
#include <gnuradio/ldpc/ldpc_packet_decoder.h>
#include <gnuradio/ldpc/ldpc_packet_encoder.h>
#include <gnuradio/ldpc/nb_ldpc_decoder.h>
#include <gnuradio/ldpc/nb_ldpc_encoder.h>

#include <gnuradio/block_detail.h>
#include <gnuradio/buffer_reader.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>

namespace py = pybind11;
using namespace gr::ldpc;

void bind_dvb_cells(py::module &m); /* dvb_cells_python.cc */
void bind_dvb_fec(py::module &m);   /* dvb_fec_python.cc */
void bind_dvbt2(py::module &m);     /* dvbt2_python.cc */
void bind_fec(py::module &m);       /* fec_python.cc */

namespace
{

/* setters and getters may wait */
using no_gil = py::call_guard<py::gil_scoped_release>;

const char *const stream_doc = R"(
The block outputs exactly k message bits (or n codeword bits, or n a-posteriori LLRs) for every n input LLRs, in order, whether or not the
decoder converges. Each codeword is output as soon as it is decoded. Tags at codeword starts move to the start of that codeword's output.
)";

const char *const pdu_doc = R"(LDPC decoder for PDUs with the LLRs of one or more codewords.

An input PDU on port "pdus" contains LLRs as a u8vector or s8vector of int8 in steps of 1/llr_scale nat, or as an f32vector in nat.
The output PDU on port "pdus" is a u8vector of bits. The block keeps the metadata and adds ldpc_converged (true if all codewords
converged) and ldpc_iterations (maximum over the codewords). dropped() counts PDUs that are not a whole number of codewords.
)";

const char *const args_doc = R"(
Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix
)";

const char *const nb_decoder_doc =
    R"(LDPC decoder over GF(q), q = 4 .. 256: bit LLRs or symbol costs in, bits or symbols out.

A symbol has log2 q bits, MSB first; n and k count bits. LLRs are int8 in steps of 1/llr_scale nat;
-128 is read as -127.)";

const char *const messages_doc = R"(
Messages on port "stats" are dictionaries: code, backend, kernel, seconds, frames, failed, mean_iterations, coded_mbps,
info_mbps (since the last message), total_frames, total_failed, total_dropped (since the start). If the first 50 codewords
all fail, the block logs one warning with likely causes.

Raises:
    ValueError: an argument is invalid
)";

const char *const encoder_errors_doc = R"(
Raises:
    ValueError: an argument or the code's file is invalid
)";

void bind_base(py::module &m)
{
    py::class_<ldpc_decoder_base, gr::block, gr::basic_block, std::shared_ptr<ldpc_decoder_base>>(
        m, "ldpc_decoder_base", "Base of all LDPC decoder blocks.")
        .def("set_max_iterations", &ldpc_decoder_base::set_max_iterations, py::arg("max_iterations"),
             no_gil(),
             "Set the maximum number of iterations, 0 .. 10000; applies to codewords whose decoding has not "
             "started.")
        .def("set_early_stop", &ldpc_decoder_base::set_early_stop, py::arg("early_stop"), no_gil(),
             "Enable or disable early stop.")
        .def("set_offset", &ldpc_decoder_base::set_offset, py::arg("offset"), no_gil(),
             "Set the offset of offset min-sum in LLR steps; negative = automatic.")
        .def("set_factor", &ldpc_decoder_base::set_factor, py::arg("factor"), no_gil(),
             "Set the factor of normalised min-sum, 1/16 .. 1; 0 = automatic.")
        .def("max_iterations", &ldpc_decoder_base::max_iterations, no_gil(),
             "Maximum number of iterations per codeword.")
        .def("early_stop", &ldpc_decoder_base::early_stop, no_gil(), "Whether early stop is enabled.")
        .def("n", &ldpc_decoder_base::n, "LLRs per codeword.")
        .def("k", &ldpc_decoder_base::k, "Message bits per codeword.")
        .def("code", &ldpc_decoder_base::code, "Canonical name of the code.")
        .def("backend", &ldpc_decoder_base::backend, no_gil(),
             "Backend in use: \"cpu\", \"cuda\", \"opencl\" or \"cpu+cuda\".")
        .def("kernel", &ldpc_decoder_base::kernel, no_gil(), "Name of the kernel in use.")
        .def("frames", &ldpc_decoder_base::frames, no_gil(), "Codewords decoded since the flowgraph started.")
        .def("failed", &ldpc_decoder_base::failed, no_gil(),
             "Codewords that did not converge, since the start.")
        .def("mean_iterations", &ldpc_decoder_base::mean_iterations, no_gil(),
             "Iterations per codeword since the start.")
        .def("dropped", &ldpc_decoder_base::dropped, no_gil(),
             "Input items dropped since the start (outside packets or before a start tag), or PDUs that are "
             "not a whole number of codewords.");
}

template <class Options, class Value> struct option {
    const char *name;
    Value Options::*member;
};
template <class Options, class Value> option(const char *, Value Options::*) -> option<Options, Value>;

/* Binds a block with the argument Options. Only the code has no default. */
template <class Block, class Options, class... Members, class... Values>
auto bind_block(py::module &m, const char *name, const std::string &doc,
                const option<Members, Values> &...options)
{
    const Options defaults;
    const auto make = [=](const py::object &code, const Values &...values) {
        Options chosen;
        chosen.code = code_argument(code);
        ((chosen.*(options.member) = values), ...);
        return Block::make(chosen);
    };
    return py::class_<Block, ldpc_decoder_base, gr::block, gr::basic_block, std::shared_ptr<Block>>(
               m, name, doc.c_str())
        .def(py::init(make), py::arg("code"), (py::arg(options.name) = defaults.*(options.member))...,
             doc.c_str());
}

/* Binds a decoder block with the options of all decoders, the options `output` and the options `more`. */
template <class Block, class Options, class... Output, class... More>
auto bind_decoder_of(py::module &m, const char *name, const std::string &doc,
                     const std::tuple<Output...> &output, const More &...more)
{
    const std::tuple decoding = {
        option{"max_iterations", &decoder_options::max_iterations},
        option{"algorithm",      &decoder_options::algorithm     },
        option{"arithmetic",     &decoder_options::arithmetic    },
        option{"schedule",       &decoder_options::schedule      },
        option{"early_stop",     &decoder_options::early_stop    },
        option{"llr_scale",      &decoder_options::llr_scale     },
        option{"llr_sign",       &decoder_options::llr_sign      }
    };
    const std::tuple others = {
        option{"threads",        &decoder_options::threads       },
        option{"kernel",         &decoder_options::kernel        },
        option{"offset",         &decoder_options::offset        },
        option{"factor",         &decoder_options::factor        },
        option{"stats_interval", &decoder_options::stats_interval},
        more...,
        option{"llr_limit",      &decoder_options::llr_limit     }
    };
    return std::apply(
        [&](const auto &...options) { return bind_block<Block, Options>(m, name, doc, options...); },
        std::tuple_cat(decoding, output, others));
}

/* Binds a decoder block with codewords as output. */
template <class Block, class Options = decoder_options, class... More>
void bind_decoder(py::module &m, const char *name, const std::string &doc, const More &...more)
{
    bind_decoder_of<Block, Options>(
        m, name, doc,
        std::tuple{
            option{"output", &decoder_options::output},
            option{"packed", &decoder_options::packed}
    },
        more...);
}

/* Binds a decoder block for streams. */
template <class Block, class Options = decoder_options, class... More>
void bind_stream_decoder(py::module &m, const char *name, const std::string &doc, const More &...more)
{
    bind_decoder<Block, Options>(m, name, doc, option{"tags", &decoder_options::tags},
                                 option{"length_tag_name", &decoder_options::length_tag_name},
                                 option{"start_tag", &decoder_options::start_tag},
                                 option{"codes", &decoder_options::codes}, more...);
}

std::string documentation(const std::string &summary, const std::string &more_options = "")
{
    return summary + "\n" + stream_doc + args_doc + decoder_options_doc + stream_options_doc + more_options +
           messages_doc;
}

void bind_encoder(py::module &m)
{
    const std::string doc = std::string(
                                R"(Systematic LDPC encoder: outputs n codeword bits for every k message bits.

Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix
)") + framing_options_doc + pdu_encoder_options_doc +
                            encoder_errors_doc;
    py::class_<ldpc_encoder_bb, gr::block, gr::basic_block, std::shared_ptr<ldpc_encoder_bb>>(
        m, "ldpc_encoder_bb", doc.c_str())
        .def(py::init(with_code(&ldpc_encoder_bb::make)), py::arg("code"), py::arg("length_tag_name") = "",
             py::arg("start_tag") = "", py::arg("packed") = false, doc.c_str())
        .def("n", &ldpc_encoder_bb::n, "Codeword length in bits.")
        .def("k", &ldpc_encoder_bb::k, "Message length in bits.")
        .def("code", &ldpc_encoder_bb::code, "Canonical name of the code.")
        .def("dropped", &ldpc_encoder_bb::dropped, no_gil(),
             "Input items dropped since the start: outside packets, before a start tag, or in messages with "
             "nonzero padding.");
}

void bind_nb_encoder(py::module &m)
{
    const std::string doc =
        std::string(R"(LDPC encoder over GF(q), q = 4 .. 256: outputs n bits or symbols for every k.

Args:
    code: a code (ldpc.code), a name such as "bds:b1c:200", or "nbalist:FILE"
    symbols: one symbol per byte on both sides instead of one bit; a symbol's most significant bit comes first
)") + framing_options_doc +
        encoder_errors_doc;
    py::class_<nb_ldpc_encoder, ldpc_encoder_bb, gr::block, gr::basic_block,
               std::shared_ptr<nb_ldpc_encoder>>(m, "nb_ldpc_encoder", doc.c_str())
        .def(py::init(with_code(&nb_ldpc_encoder::make)), py::arg("code"), py::arg("symbols") = false,
             py::arg("length_tag_name") = "", py::arg("start_tag") = "", doc.c_str());
}

void bind_pdu_blocks(py::module &m)
{
    bind_decoder<ldpc_decoder_pdu, pdu_decoder_options>(
        m, "ldpc_decoder_pdu",
        std::string(pdu_doc) + args_doc + decoder_options_doc + input_options_doc + pdu_options_doc +
            where_options_doc + messages_doc,
        option{"input", &decoder_options::input}, option{"backend", &pdu_decoder_options::backend},
        option{"devices", &decoder_options::devices}, option{"cache_dir", &decoder_options::cache_dir},
        option{"fallback", &decoder_options::fallback}, option{"gpu_timeout", &decoder_options::gpu_timeout});
    const std::string doc = std::string(R"(LDPC encoder for PDUs: message bits in, codeword bits out.

An input PDU on port "pdus" is a u8vector with one or more messages; the output PDU on port "pdus" is a u8vector with their codewords,
with the same metadata. PDUs are dropped, and dropped() counts them, where they hold no whole messages, items other than 0 and
1, or, packed, messages whose padding is not 0.

Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix
)") + pdu_encoder_options_doc +
                            encoder_errors_doc;
    py::class_<ldpc_encoder_pdu, gr::block, gr::basic_block, std::shared_ptr<ldpc_encoder_pdu>>(
        m, "ldpc_encoder_pdu", doc.c_str())
        .def(py::init(with_code(&ldpc_encoder_pdu::make)), py::arg("code"), py::arg("packed") = false,
             doc.c_str())
        .def("n", &ldpc_encoder_pdu::n, "Codeword length in bits.")
        .def("k", &ldpc_encoder_pdu::k, "Message length in bits.")
        .def("code", &ldpc_encoder_pdu::code, "Canonical name of the code.")
        .def("dropped", &ldpc_encoder_pdu::dropped, no_gil(),
             "PDUs dropped since the start: without whole messages, without bits, or with nonzero padding.");
}

const char *const packet_decoder_doc =
    R"(Decoder of packets: payloads of any length, encoded by ldpc_packet_encoder.

An input PDU on port "pdus" contains the LLRs of all transmitted bits of one packet, as a u8vector or s8vector of int8 in steps of
1/llr_scale nat, or as an f32vector in nat; their number determines the number of codewords. The output PDU on port "pdus" is a u8vector
with the payload. The block keeps the metadata and adds ldpc_converged and ldpc_iterations. A packet whose CRC does not match is not
output: crc_errors() counts it. dropped() counts PDUs of another type, and those shorter than the shortest packet.
)";

const char *const packet_encoder_doc =
    R"(Encoder of packets: payloads of any length in as many codewords as they need.

An input PDU on port "pdus" is a u8vector with a payload of any number of bytes, also 0. The output PDU on port "pdus" is a u8vector with
the transmitted bits and the same metadata: length, payload and CRC in codewords, the last of which is shortened (docs/howto/packets.md).
dropped() counts PDUs that are not a vector of bytes.

Args:
    code: a code (ldpc.code), a name such as "dvbt2:64800:1/2" (ldpc.codes() lists all names), "alist:FILE", "qc:FILE", or a parity-check matrix
)";

void bind_packet_blocks(py::module &m)
{
    bind_decoder_of<ldpc_packet_decoder, packet_decoder_options>(
        m, "ldpc_packet_decoder",
        std::string(packet_decoder_doc) + args_doc + packet_options_doc + packet_decoder_options_doc +
            pdu_options_doc + where_options_doc + messages_doc,
        std::tuple{
            option{"crc", &packet_decoder_options::crc}
    },
        option{"input", &decoder_options::input}, option{"backend", &pdu_decoder_options::backend},
        option{"devices", &decoder_options::devices}, option{"cache_dir", &decoder_options::cache_dir},
        option{"fallback", &decoder_options::fallback}, option{"gpu_timeout", &decoder_options::gpu_timeout})
        .def("packets", &ldpc_packet_decoder::packets, no_gil(), "Packets output since the start.")
        .def("crc_errors", &ldpc_packet_decoder::crc_errors, no_gil(),
             "Packets whose CRC did not match, since the start.");
    const std::string doc = std::string(packet_encoder_doc) + packet_encoder_options_doc + encoder_errors_doc;
    py::class_<ldpc_packet_encoder, gr::block, gr::basic_block, std::shared_ptr<ldpc_packet_encoder>>(
        m, "ldpc_packet_encoder", doc.c_str())
        .def(py::init(with_code(&ldpc_packet_encoder::make)), py::arg("code"), py::arg("crc") = 32,
             py::arg("multiple") = 8, py::arg("packed") = false, doc.c_str())
        .def("n", &ldpc_packet_encoder::n, "Codeword length in bits.")
        .def("k", &ldpc_packet_encoder::k, "Message length in bits.")
        .def("code", &ldpc_packet_encoder::code, "Canonical name of the code.")
        .def("dropped", &ldpc_packet_encoder::dropped, no_gil(),
             "PDUs dropped since the start: not a vector of bytes.");
}

/* Returns the number of items that are left on the first input at the end of the stream. Returns -1 before
 * the end. */
int items_left(const std::shared_ptr<gr::block> &block)
{
    const gr::buffer_reader_sptr reader = block->detail()->input(0);
    gr::thread::scoped_lock guard(*reader->mutex());
    return reader->done() ? reader->items_available() : -1;
}

} // namespace

PYBIND11_MODULE(ldpc_python, m)
{
    m.doc() = "GNU Radio blocks of gr-ldpc.";
    py::module::import("gnuradio.gr"); /* registers gr::block */
    m.def(
        "reference_count", [](std::shared_ptr<gr::basic_block> block) { return block.use_count(); },
        "Number of references to a block, including that of this call.");
    m.def("items_left", &items_left,
          "Number of items that are left on the first input after the end of the stream, or -1 before it.");
    bind_base(m);
    bind_stream_decoder<ldpc_decoder_cpu_bb>(
        m, "ldpc_decoder_cpu_bb",
        documentation("LDPC decoder on the CPU with int8 LLRs.\n\nLLRs are in steps of "
                      "1/llr_scale nat; -128 is treated as -127.",
                      input_options_doc),
        option{"input", &decoder_options::input});
    bind_stream_decoder<ldpc_decoder_cpu_fb>(
        m, "ldpc_decoder_cpu_fb",
        documentation("LDPC decoder on the CPU with float LLRs.\n\nLLRs are in nat. They "
                      "are quantised to int8 in steps of 1/llr_scale nat, except with "
                      "arithmetic=\"float\"."));
    bind_stream_decoder<ldpc_decoder_gpu_bb, gpu_decoder_options>(
        m, "ldpc_decoder_gpu_bb",
        documentation("LDPC decoder on GPUs with int8 LLRs.\n\nLLRs are in steps of "
                      "1/llr_scale nat; -128 is treated as -127. With fallback=True the block falls back to "
                      "the CPU if no GPU can be used or if a GPU fails at run time; no codeword is lost.",
                      std::string(input_options_doc) + gpu_options_doc + where_on_gpu_options_doc),
        option{"input", &decoder_options::input}, option{"devices", &decoder_options::devices},
        option{"streams", &decoder_options::streams}, option{"batch", &decoder_options::batch},
        option{"latency", &decoder_options::latency}, option{"fallback", &decoder_options::fallback},
        option{"gpu_timeout", &decoder_options::gpu_timeout},
        option{"backend", &gpu_decoder_options::backend}, option{"cache_dir", &decoder_options::cache_dir});
    bind_stream_decoder<nb_ldpc_decoder, nb_decoder_options>(
        m, "nb_ldpc_decoder",
        documentation(nb_decoder_doc, std::string(nb_input_options_doc) + nonbinary_options_doc +
                                          gpu_options_doc + where_options_doc),
        option{"kept", &decoder_options::kept}, option{"input", &decoder_options::input},
        option{"backend", &nb_decoder_options::backend}, option{"fallback", &decoder_options::fallback},
        option{"gpu_timeout", &decoder_options::gpu_timeout}, option{"symbols", &nb_decoder_options::symbols},
        option{"devices", &decoder_options::devices}, option{"streams", &decoder_options::streams},
        option{"batch", &decoder_options::batch}, option{"latency", &decoder_options::latency},
        option{"cache_dir", &decoder_options::cache_dir});
    bind_encoder(m);
    bind_nb_encoder(m);
    bind_pdu_blocks(m);
    bind_packet_blocks(m);
    bind_dvb_cells(m);
    bind_dvb_fec(m);
#ifdef LDPC_HAVE_GR_FEC
    bind_fec(m);
#endif
#ifdef LDPC_HAVE_RECEIVERS
    bind_dvbt2(m);
#endif
    require_init(m);
}
