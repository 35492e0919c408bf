# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the decoder blocks. From this table make_grc generates the parameters, arguments and documentation in GNU Radio
Companion, the docstrings of the Python blocks, and the tables of docs/gnuradio.md."""
import json
import textwrap
from typing import NamedTuple

AUTO = {"auto": "Automatic"}
ALGORITHMS = {**AUTO, "min-sum": "Min-sum", "offset": "Offset min-sum", "normalized": "Normalised min-sum",
              "corrected": "Corrected min-sum", "three-min": "Three-minimum min-sum", "sum-product": "Sum-product (float)",
              "min-max": "Min-max (nonbinary)", "ems": "EMS (nonbinary)"}


class Option(NamedTuple):
    """An argument of a block in Python and parameter in GNU Radio Companion."""

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
        """Returns the meaning, followed by the allowed names; for a boolean, followed by the label of True unless the label is
        "Yes"."""
        if isinstance(self.default, bool) and self.choices.get(True, "Yes") != "Yes":
            label = self.choices[True]
            return f"{self.meaning} (True: {label if label[1].isupper() else label[0].lower() + label[1:]})"
        names = ", ".join(f'"{value}"' for value in self.choices if isinstance(value, str))
        return f"{self.meaning} ({names})" if names else self.meaning


def switch(off, on, first=False):
    """Labels of a bool, the default first."""
    return {True: on, False: off} if first else {False: off, True: on}


def of_algorithm(name):
    return f"${{ 'none' if str(algorithm) == '{name}' else 'all' }}"


FRAMING = [
    Option("length_tag_name", "", "Length tag key", "key of the tag on the first item of each packet; its value is the packet's length "
           "in items (tagged stream). The output packet has the tag with its own length. Items outside packets and packets "
           "that are not a whole number of codewords are dropped; dropped() counts them. A tag inside a packet ends that packet and starts "
           "the next one; \"\" = no packets", category="Advanced"),
    Option("start_tag", "", "Start tag key", "key of the tag on the first item of a codeword. Items before the first tag and an "
           "incomplete codeword before a tag are dropped; dropped() counts them; \"\" = the first item of the stream starts a codeword",
           category="Advanced"),
]


def decoder_options(llr_scale, llr_limit):
    """Options of all decoder blocks, for streams and for PDUs."""
    return [
        Option("max_iterations", 50, "Max. iterations", "maximum number of iterations per codeword, 0 .. 10000; can be changed "
               "at run time", hide=""),
        Option("early_stop", True, "Early stop", "stop decoding a codeword as soon as its syndrome is zero; can be changed at run time",
               switch("No", "Yes", first=True)),
        Option("output", "message", "Output", "the k message bits, all n codeword bits, or (binary codes only) the n "
               "a-posteriori LLRs, with the sign convention and unit of the input; int8 values saturate",
               {"message": "Message (k bits)", "codeword": "Codeword (n bits)", "posterior": "A-posteriori LLRs (n)"}, hide=""),
        Option("packed", False, "Output packing", "one bit per byte, or 8 bits per byte, MSB first, with each codeword "
               "zero-padded to whole bytes", switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)")),
        Option("llr_sign", "positive", "LLR sign convention", "sign of an LLR for which bit 0 is more likely: positive in DVB, 5G "
               "and MATLAB, negative for GNU Radio's soft bits",
               {"positive": "Positive LLR = bit 0", "negative": "Negative LLR = bit 0"}),
        Option("llr_scale", llr_scale, "LLR scale (steps per nat)", "int8 LLR steps per nat, 0.25 .. 64; float LLRs are multiplied by "
               "it, rounded and saturated to int8, except with float arithmetic"),
        Option("llr_limit", llr_limit, "LLR limit (steps)", "channel LLRs are clipped to this magnitude in steps, 1 .. 127 (127 = no clipping). "
               "The decoder's messages saturate, so a bit with a wrong channel LLR larger than the sum of its saturated messages "
               "cannot be corrected. No effect with float arithmetic or on nonbinary codes", category="Advanced"),
        Option("threads", 1, "CPU threads", "CPU threads that share the codewords; 1 = the block's own thread, 0 = one per core"),
        Option("algorithm", "auto", "Algorithm", "check-node algorithm: corrected min-sum; three-minimum min-sum, with a better waterfall "
               "at about 90 % of the speed, but with some codes a higher error floor (automatic: three-minimum for DVB-S2X, ATSC 3.0, "
               "5G, CCSDS and Ethernet codes, corrected for all others); plain, offset or normalised min-sum; sum-product in float "
               "arithmetic; for nonbinary codes min-max (automatic), min-sum, EMS or sum-product. Python also accepts a name with "
               "its offset or factor, such as offset:1 or normalized:0.75",
               ALGORITHMS, "Advanced"),
        Option("offset", -1.0, "Offset (LLR steps)", "offset of offset min-sum in LLR steps; negative = automatic; can be changed at "
               "run time", category="Advanced", hide=of_algorithm("offset")),
        Option("factor", 0.0, "Normalisation factor", "scaling factor of normalised min-sum, 1/16 .. 1; 0 = automatic; can be changed "
               "at run time", category="Advanced", hide=of_algorithm("normalized")),
        Option("arithmetic", "auto", "Arithmetic", "8-bit (automatic) or 16-bit integers, or float",
               {**AUTO, "i8": "8-bit integer", "i16": "16-bit integer", "float": "Float"}, "Advanced"),
        Option("schedule", "auto", "Schedule", "layered (automatic; needs about half the iterations) or flooding",
               {**AUTO, "layered": "Layered", "flooding": "Flooding"}, "Advanced"),
        Option("kernel", "auto", "Kernel", "\"auto\", or the name of a kernel as listed by libldpc.kernels()",
               category="Advanced"),
        Option("stats_interval", 1.0, "Statistics interval (s)", "seconds between messages on port stats; 0 = no messages",
               category="Advanced"),
    ]


CODES = [
    Option("codes", [], "Additional codes", "names of additional codes, for streams that switch codes (ACM, VCM). The value of a tag ldpc_code "
           "is one of these names or that of the first code; it selects the code from its item on. Items after a tag "
           "with any other value are dropped; dropped() counts them. All decoders are created at the start",
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
    Option("tags", False, "Codeword tags", "tag the first output item of each codeword with ldpc_iterations (integer) and ldpc_converged "
           "(boolean)", switch("No", "Yes"), "Advanced"),
    *FRAMING,
    *CODES,
]
GPU = [
    Option("devices", "0", "Devices", "GPUs that share the batches: \"0\", \"0,1\" or \"all\"; with OpenCL also \"gpu\", \"cpu\" or a part "
           "of a device name", category="GPU"),
    Option("streams", 0, "Batches in flight", "number of batches in flight on each GPU, 1 .. 64, so that copies and decoding overlap; "
           "0 = automatic", category="GPU"),
    Option("batch", 0, "Max. batch size (codewords)", "maximum number of codewords per batch; 0 = enough to occupy the whole GPU",
           category="GPU"),
    Option("latency", 0.0, "Batch timeout (s)", "maximum time in seconds that a codeword waits for its batch to fill, 0 .. 60; "
           "0 = a batch starts as soon as the GPU has room, so batches grow with the load", category="GPU"),
    Option("cache_dir", "", "Kernel cache directory", "directory for compiled kernels; \"\" = gr-ldpc in the user's cache directory",
           category="GPU"),
]
BACKEND = Option("backend", "cpu", "Backend", "backend that decodes: the CPU, a GPU (CUDA, or OpenCL if CUDA is not available), CUDA (NVIDIA) "
                 "or OpenCL (any vendor)", {"cpu": "CPU", "gpu": "GPU (CUDA or OpenCL)", "cuda": "CUDA", "opencl": "OpenCL"}, "GPU",
                 saved=("auto",))
FALLBACK = Option("fallback", False, "Fallback", "what to do if the GPU cannot be used, or fails later: raise RuntimeError, or log a warning "
                  "and decode on the CPU with `threads` threads",
                  switch("None (raise an error)", "Decode on the CPU"), "GPU", saved=("none", "cpu"))
GPU_TIMEOUT = Option("gpu_timeout", 60.0, "GPU timeout (s)", "maximum time in seconds, 0 .. 86400, in which a GPU must finish a batch; after it the "
                     "GPU has failed; 0 = no limit", category="GPU")
WHERE = [BACKEND, FALLBACK, GPU_TIMEOUT]
WHERE_ON_GPU = [BACKEND._replace(default="gpu"), FALLBACK, GPU_TIMEOUT]
HARD_INPUTS = {"llrs": "LLRs", "hard": "Hard bits (unpacked)", "hard-packed": "Hard bits (packed)"}
HARD_MEANING = ("n LLRs per codeword; or hard bits, one per byte, or 8 per byte, MSB first, with each codeword zero-padded to whole bytes. "
                "A codeword with nonzero padding is dropped; dropped() counts it. A hard bit is decoded as an LLR of 4 nat")
INPUT = [Option("input", "llrs", "Input", HARD_MEANING, HARD_INPUTS, hide="")]
NB_INPUT = [
    Option("input", "llrs", "Input", HARD_MEANING + ". Or q bytes per symbol: the costs ln P(best) - ln P(a) of its values "
           "a = 0 .. q-1, in LLR steps", {**HARD_INPUTS, "costs": "Symbol costs"}, hide=""),
]
PDU = [
    *[option for option in GPU if option.name in ("devices", "cache_dir")],
]
PDU_ENCODER = [
    Option("packed", False, "Packing", "one bit per byte in input and output, or 8 bits per byte, MSB first, with each message and each "
           "codeword zero-padded to whole bytes", switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)"),
           hide=""),
]
CRC = Option("crc", 32, "CRC", "CRC of length and payload: CRC-32 (IEEE 802.3) or CRC-16 (X-25, HDLC)", {32: "CRC-32", 16: "CRC-16"})
PACKET = [
    Option("input", "llrs", "Input", "LLRs of the transmitted bits; or hard bits, one per byte, or 8 per byte, MSB first. A hard bit is decoded as "
           "an LLR of 4 nat", HARD_INPUTS, hide=""),
    CRC,
]
PACKET_ENCODER = [
    CRC,
    Option("multiple", 8, "Multiple (bits)", "the number of transmitted bits is a multiple of this number, for example the bits per symbol of "
           "the modulation; zero fill adds the missing bits"),
    Option("packed", False, "Output packing", "one transmitted bit per byte, or 8 per byte, MSB first; multiple must then be a multiple of 8",
           switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)"), hide=""),
]
ERROR_RATE = [
    Option("frame", 324, "Frame (bits)", "bits per frame, for example code.k of a binary code", hide=""),
    Option("window", 1000, "Window (frames)", "number of frames over which the outputs average"),
    Option("packed", False, "Input packing", "one bit per byte, or 8 bits per byte, with each frame zero-padded to whole bytes",
           switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)")),
    Option("text_interval", 1.0, "Text interval (s)", "seconds between lines of text on port text; 0 = no text"),
]
NONBINARY = [
    Option("symbols", False, "Output items", "a bit or a symbol in each output byte", switch("Bits", "Symbols")),
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
        Option("gain", 4.0, "Gain", "LLR in nat of a soft bit of magnitude 1: 2 / v for symbols +1 and -1 in noise of "
               "variance v; 1 if the soft bits are LLRs"),
    ] + options[2:]


# ------------------------------------------------------------------------------------------------ generated texts


def literal(value):
    """A value as a YAML and Python literal."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def quoted(value):
    return f"'{value}'"


def grc_type(option):
    if option.dtype:
        return option.dtype
    if option.saved or option.choices and isinstance(option.default, str):
        return "enum"
    return {bool: "bool", int: "int", float: "real", str: "string", list: "raw"}[type(option.default)]


def parameters(options):
    """Yields the lines of the parameters in a block description."""
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
    """Yields the arguments backend and fallback; deprecated values go through saved_backend()."""
    earlier = " or ".join(f"str({option.name}) in {option.saved}" for option in WHERE if option.saved)
    yield f"% if {earlier}:"
    yield "**ldpc.saved_backend('${backend}', '${fallback}'),"
    yield "% else:"
    yield "backend='${backend}',"
    yield "fallback=${fallback},"
    yield "% endif"


def arguments(options):
    """Yields the lines of the arguments of make in a block description."""
    for option in options:
        if option.name == "backend":
            yield from where_arguments()
        if option.saved:
            continue
        value = f"${{{option.name}}}"
        yield f"{option.name}={quoted(value) if grc_type(option) == 'enum' else value},"


def documentation(options):
    """Yields the lines of the documentation in a block description."""
    for option in options:
        yield f"{option.label} ({option.name}): {option.meaning}."
        yield ""


def docstring(options):
    """Returns the lines below "Args:" of a block's docstring."""
    return [f"    {option.name}: {option.sentence()}" for option in options]


def doxygen(options):
    """Yields the Doxygen lines of the parameters of make() in a C++ header."""
    for option in options:
        yield from textwrap.wrap(f"\\param {option.name}  {option.sentence()}", 107, initial_indent="     * ",
                                 subsequent_indent="     *     ", break_long_words=False, break_on_hyphens=False)


def table(options):
    """Returns the rows of a Markdown table."""
    return [f"| `{option.name}` | `{json.dumps(option.default) if isinstance(option.default, str) else option.default}` | {option.sentence()} |" for option in options]
