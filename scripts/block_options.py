# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the decoder blocks, for make_grc: parameters, arguments and documentation of GNU Radio Companion, docstrings of the
Python blocks, tables of docs/gnuradio.md."""
import json
import textwrap
from typing import NamedTuple

AUTO = {"auto": "Automatic"}
ALGORITHMS = {**AUTO, "min-sum": "Min-sum", "offset": "Offset min-sum", "normalized": "Normalised min-sum",
              "corrected": "Corrected min-sum", "three-min": "Three-minimum min-sum", "sum-product": "Sum-product (float)",
              "min-max": "Min-max (nonbinary)", "ems": "EMS (nonbinary)"}


class Option(NamedTuple):
    """An option of a block, in Python and in GRC."""

    name: str
    default: object  # its type is the type of the option
    label: str
    meaning: str  # a sentence without its full stop
    choices: dict = {}  # allowed value -> label; empty: any value
    category: str = ""  # tab in the properties dialog
    hide: str = "part"  # as in a block description; "" = shown on the canvas
    attributes: dict = {}  # option_attributes: name -> a value for each choice
    dtype: str = ""  # dtype in GNU Radio Companion; "" = from the default
    saved: tuple = ()  # deprecated values in saved flowgraphs; saved_backend() translates them

    def sentence(self):
        """Returns the description of the option with its allowed values."""
        if isinstance(self.default, bool) and self.choices.get(True, "Yes") != "Yes":
            label = self.choices[True]
            return f"{self.meaning} (True: {label if label[1].isupper() else label[0].lower() + label[1:]})"
        names = ", ".join(f'"{value}"' for value in self.choices if isinstance(value, str))
        return f"{self.meaning} ({names})" if names else self.meaning


def switch(off, on, first=False):
    """Returns the GRC labels of a bool. The default comes first."""
    return {True: on, False: off} if first else {False: off, True: on}


def of_algorithm(name):
    return f"${{ 'none' if str(algorithm) == '{name}' else 'all' }}"


FRAMING = [
    Option("length_tag_name", "", "Length tag key", "key of the tag on the first item of each packet of a tagged stream. The value of the tag is the "
           "length of the packet in items. On the output, the tag contains the length of the output packet. Items outside packets, and packets whose "
           "length is not a multiple of the codeword length, are dropped; dropped() counts them. A tag inside a packet ends that packet and starts a "
           "new packet. \"\" = the stream has no packets", category="Advanced"),
    Option("start_tag", "", "Start tag key", "key of a tag on an item where a codeword begins. Items before the first tag, and an incomplete "
           "codeword before a tag, are dropped; dropped() counts them. \"\" = a codeword begins at the first item of the stream",
           category="Advanced"),
]


def decoder_options(llr_scale, llr_limit):
    """Options of all decoder blocks, for streams and for PDUs."""
    return [
        Option("max_iterations", 50, "Max. iterations", "maximum number of iterations per codeword, 0 .. 10000; can be changed at run time", hide=""),
        Option("early_stop", True, "Early stop", "stop decoding a codeword as soon as its syndrome is zero; can be changed at run time",
               switch("No", "Yes", first=True)),
        Option("output", "message", "Output", "the k message bits, all n codeword bits, or (binary codes only) the n a-posteriori LLRs. A-posteriori "
               "LLRs have the sign convention and the unit of the input; int8 values saturate",
               {"message": "Message (k bits)", "codeword": "Codeword (n bits)", "posterior": "A-posteriori LLRs (n)"}, hide=""),
        Option("packed", False, "Output packing", "one bit per byte, or 8 bits per byte, MSB first, with each codeword zero-padded to whole bytes",
               switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)")),
        Option("llr_sign", "positive", "LLR sign convention", "sign of an LLR for which bit 0 is more likely. DVB, 5G and MATLAB use positive LLRs "
               "for bit 0, GNU Radio's soft bits are negative for bit 0",
               {"positive": "Positive LLR = bit 0", "negative": "Negative LLR = bit 0"}),
        Option("llr_scale", llr_scale, "LLR scale (steps per nat)", "number of int8 LLR steps per nat, 0.25 .. 64. Float LLRs are multiplied by this "
               "scale, rounded and saturated to int8, except with float arithmetic"),
        Option("llr_limit", llr_limit, "LLR limit (steps)", "channel LLRs are clipped to this magnitude in steps, 1 .. 127 (127 = no clipping). The "
               "decoder's messages saturate, so a wrong channel LLR that is larger than the sum of the saturated messages cannot be corrected. This "
               "limit has no effect with float arithmetic or on nonbinary codes", category="Advanced"),
        Option("threads", 1, "CPU threads", "number of CPU threads that decode; 1 = the block's own thread, 0 = one thread per core"),
        Option("algorithm", "auto", "Algorithm", "check-node algorithm. Automatic selects three-minimum min-sum for DVB-S2X, ATSC 3.0, 5G, CCSDS and "
               "Ethernet codes, and corrected min-sum for all other binary codes. Three-minimum min-sum has a better waterfall at about 90 % of the "
               "speed, but a higher error floor with some codes. Min-sum, offset min-sum and normalised min-sum are also available, and sum-product "
               "in float arithmetic. For nonbinary codes the algorithms are min-max (automatic), min-sum, EMS and sum-product. Python also accepts a "
               "name with an offset or factor, such as offset:1 or normalized:0.75",
               ALGORITHMS, "Advanced"),
        Option("offset", -1.0, "Offset (LLR steps)", "offset of offset min-sum in LLR steps; negative = automatic; can be changed at run time",
               category="Advanced", hide=of_algorithm("offset")),
        Option("factor", 0.0, "Normalisation factor", "scaling factor of normalised min-sum, 1/16 .. 1; 0 = automatic; can be changed at run time",
               category="Advanced", hide=of_algorithm("normalized")),
        Option("arithmetic", "auto", "Arithmetic", "8-bit integers, 16-bit integers or float. Automatic selects 8-bit integers on a CPU, 16-bit "
               "integers on a GPU, 8-bit integers for nonbinary codes, and float for sum-product and EMS",
               {**AUTO, "i8": "8-bit integer", "i16": "16-bit integer", "float": "Float"}, "Advanced"),
        Option("schedule", "auto", "Schedule", "layered (automatic; needs about half the iterations) or flooding",
               {**AUTO, "layered": "Layered", "flooding": "Flooding"}, "Advanced"),
        Option("kernel", "auto", "Kernel", "\"auto\", or the name of a kernel; libldpc.kernels() lists the names",
               category="Advanced"),
        Option("stats_interval", 1.0, "Statistics interval (s)", "time in seconds between messages on the port stats; 0 = no messages",
               category="Advanced"),
    ]


CODES = [
    Option("codes", [], "Additional codes", "names of additional codes, for streams whose code changes (ACM, VCM). A tag ldpc_code, whose value is "
           "the name of one of these codes or of the first code, selects the code of the tagged item and of all items up to the next such tag. Items "
           "after a tag with any other value are dropped; dropped() counts them. The decoders of all codes are created when the block is created",
           category="Advanced"),
]
NONBINARY_OPTIONS = {  # options that replace those of decoder_options() for nonbinary codes
    "output": Option("output", "message", "Output", "the k message bits or all n codeword bits",
                     {"message": "Message (k bits)", "codeword": "Codeword (n bits)"}, hide=""),
    "algorithm": Option("algorithm", "auto", "Algorithm", "check-node algorithm: min-max (automatic), min-sum, EMS or sum-product",
                        {**AUTO, "min-sum": "Min-sum", "sum-product": "Sum-product (float)", "min-max": "Min-max",
                         "ems": "EMS (float)"}, "Advanced"),
}
STREAM = [
    Option("tags", False, "Codeword tags", "whether the first output item of each codeword has the tags ldpc_iterations (integer) and ldpc_converged "
           "(boolean)", switch("No", "Yes"), "Advanced"),
    *FRAMING,
    *CODES,
]
GPU = [
    Option("devices", "0", "Devices", "GPUs that decode, such as \"0\", \"0,1\" or \"all\"; with OpenCL also \"gpu\", \"cpu\" or a part of a device "
           "name", category="GPU"),
    Option("streams", 0, "Batches in flight", "number of batches in flight on each GPU, 1 .. 64; several batches let copies and decoding overlap; 0 "
           "= automatic", category="GPU"),
    Option("batch", 0, "Max. batch size (codewords)", "maximum number of codewords per batch; 0 = as many as occupy the whole GPU",
           category="GPU"),
    Option("latency", 0.0, "Batch timeout (s)", "maximum time in seconds that a codeword waits until its batch is full, 0 .. 60; 0 = a batch starts "
           "as soon as the GPU can accept it, so batches are larger under high load", category="GPU"),
    Option("cache_dir", "", "Kernel cache directory", "directory for compiled kernels; \"\" = gr-ldpc in the user's cache directory",
           category="GPU"),
]
BACKEND = Option("backend", "cpu", "Backend", "where to decode: on the CPU, on a GPU (with CUDA, or with OpenCL if CUDA is not available), with CUDA "
                 "(NVIDIA) or with OpenCL (any vendor)", {"cpu": "CPU", "gpu": "GPU (CUDA or OpenCL)", "cuda": "CUDA", "opencl": "OpenCL"}, "GPU",
                 saved=("auto",))
FALLBACK = Option("fallback", False, "Fallback", "what to do if the GPU cannot be used or fails later: raise RuntimeError, or log a warning and "
                  "decode on the CPU with `threads` threads",
                  switch("None (raise an error)", "Decode on the CPU"), "GPU", saved=("none", "cpu"))
GPU_TIMEOUT = Option("gpu_timeout", 60.0, "GPU timeout (s)", "maximum time in seconds that a GPU may take for a batch, 0 .. 86400; if it takes "
                     "longer, the GPU is considered failed; 0 = no limit", category="GPU")
WHERE = [BACKEND, FALLBACK, GPU_TIMEOUT]
WHERE_ON_GPU = [BACKEND._replace(default="gpu"), FALLBACK, GPU_TIMEOUT]
HARD_INPUTS = {"llrs": "LLRs", "hard": "Hard bits (unpacked)", "hard-packed": "Hard bits (packed)"}
HARD_MEANING = ("n LLRs per codeword; hard bits, one per byte; or packed hard bits, 8 per byte, MSB first, with each codeword zero-padded to whole "
                "bytes. A codeword with nonzero padding is dropped; dropped() counts it. A hard bit is decoded as an LLR with a magnitude of 4 nats")
INPUT = [Option("input", "llrs", "Input", HARD_MEANING, HARD_INPUTS, hide="")]
NB_INPUT = [
    Option("input", "llrs", "Input", HARD_MEANING + ". Costs are q bytes per symbol, one for each value a = 0 .. q-1 of the symbol: ln P(best) - ln "
           "P(a), in LLR steps", {**HARD_INPUTS, "costs": "Symbol costs"}, hide=""),
]
PDU = [
    *[option for option in GPU if option.name in ("devices", "cache_dir")],
]
PDU_ENCODER = [
    Option("packed", False, "Packing", "number of bits per byte in the input and in the output: 1, or 8, MSB first, with each message and each "
           "codeword zero-padded to whole bytes", switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)"),
           hide=""),
]
CRC = Option("crc", 32, "CRC", "CRC over the length and the payload: CRC-32 (IEEE 802.3) or CRC-16 (X-25, HDLC)", {32: "CRC-32", 16: "CRC-16"})
PACKET = [
    Option("input", "llrs", "Input", "LLRs of the transmitted bits; hard bits, one per byte; or packed hard bits, 8 per byte, MSB first. A hard bit "
           "is decoded as an LLR with a magnitude of 4 nats", HARD_INPUTS, hide=""),
    CRC,
]
PACKET_ENCODER = [
    CRC,
    Option("multiple", 8, "Multiple (bits)", "the number of transmitted bits of each packet is rounded up to a multiple of this number, for example "
           "the number of bits per symbol of the modulation; zeros are added as fill bits"),
    Option("packed", False, "Output packing", "one transmitted bit per byte, or 8 bits per byte, MSB first. Packed output needs a `multiple` that is "
           "a multiple of 8",
           switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)"), hide=""),
]
ERROR_RATE = [
    Option("frame", 324, "Frame (bits)", "number of bits per frame, for example code.k of a binary code", hide=""),
    Option("window", 1000, "Window (frames)", "number of most recent frames over which BER and FER are averaged"),
    Option("packed", False, "Input packing", "one bit per byte, or 8 bits per byte, with each frame zero-padded to whole bytes",
           switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)")),
    Option("text_interval", 1.0, "Text interval (s)", "time in seconds between lines of text on the port text; the last rates are logged when the flowgraph stops; 0 = no text"),
]
NONBINARY = [
    Option("symbols", False, "Output items", "whether an output byte contains a bit or a symbol", switch("Bits", "Symbols")),
    Option("kept", 0, "EMS message length", "number of costs that EMS keeps per message, 1 .. q; 0 = automatic",
           category="Advanced",
           hide=of_algorithm("ems")),
]


def fec_options(llr_scale, llr_limit):
    """Options of decoders for the blocks of gr-fec."""
    taken = ["max_iterations", "early_stop", "llr_scale", "llr_limit", "algorithm", "offset", "factor", "arithmetic", "schedule", "kernel"]
    options = [option._replace(meaning=option.meaning.replace("; can be changed at run time", ""))
               for option in decoder_options(llr_scale, llr_limit) if option.name in taken]
    return options[:2] + [
        Option("gain", 4.0, "Gain", "magnitude in nats of the LLR of a soft bit with magnitude 1. For symbols +1 and -1 in noise of variance v this "
               "is 2 / v; if the soft bits are LLRs, it is 1"),
    ] + options[2:]


# ------------------------------------------------------------------------------------------------ generated texts


def literal(value):
    """Returns a literal for YAML and Python."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def quoted(value):
    return "'" + str(value).replace("'", "''") + "'"


def grc_type(option):
    if option.dtype:
        return option.dtype
    if option.saved or option.choices and isinstance(option.default, str):
        return "enum"
    return {bool: "bool", int: "int", float: "real", str: "string", list: "raw"}[type(option.default)]


def parameters(options):
    """Parameter lines of a block description."""
    for option in options:
        yield f"-   id: {option.name}"
        yield f"    label: {option.label}"
        if option.category:
            yield f"    category: {option.category}"
        yield f"    dtype: {grc_type(option)}"
        yield f"    default: {quoted(literal(option.default))}"
        if option.choices:
            earlier = [f"{value} (deprecated)" for value in option.saved]
            yield f"    options: [{', '.join(map(quoted, [*option.choices, *option.saved]))}]"
            yield f"    option_labels: [{', '.join(map(quoted, [*option.choices.values(), *earlier]))}]"
        if option.attributes:
            yield "    option_attributes:"
            yield from (f"        {name}: [{', '.join(map(str, values))}]" for name, values in option.attributes.items())
        if option.hide:
            yield f"    hide: {option.hide}"


def where_arguments():
    """Yields the YAML lines of the parameters backend and fallback. These parameters also accept deprecated values."""
    earlier = " or ".join(f"str({option.name}) in {option.saved}" for option in WHERE if option.saved)
    yield f"% if {earlier}:"
    yield "**ldpc.saved_backend('${backend}', '${fallback}'),"
    yield "% else:"
    yield "backend='${backend}',"
    yield "fallback=${fallback},"
    yield "% endif"


def arguments(options):
    """Argument lines of make() in a block description."""
    for option in options:
        if option.name == "backend":
            yield from where_arguments()
        if option.saved:
            continue
        value = f"${{{option.name}}}"
        yield f"{option.name}={quoted(value) if grc_type(option) == 'enum' else value},"


def documentation(options):
    """Documentation lines of a block description."""
    for option in options:
        yield f"{option.label} ({option.name}): {option.meaning}."
        yield ""


def docstring(options):
    """Returns the lines after "Args:" of a docstring."""
    return [f"    {option.name}: {option.sentence()}" for option in options]


def doxygen(options):
    """Doxygen parameter lines of make() in C++."""
    for option in options:
        yield from textwrap.wrap(f"\\param {option.name}  {option.sentence()}", 107, initial_indent="     * ",
                                 subsequent_indent="     *     ", break_long_words=False, break_on_hyphens=False)


def table(options):
    """Returns the rows of a Markdown table."""
    return [f"| `{option.name}` | `{json.dumps(option.default) if isinstance(option.default, str) else option.default}` | {option.sentence()} |" for option in options]
