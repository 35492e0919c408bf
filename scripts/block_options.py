# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the decoder blocks, each described once: make_grc makes the parameters, arguments and help of GNU Radio
Companion from this table, the docstrings of the Python blocks, and the tables of docs/gnuradio.md."""
import json
import textwrap
from typing import NamedTuple

AUTO = {"auto": "Automatic"}
ALGORITHMS = {**AUTO, "min-sum": "Min-sum", "offset": "Offset min-sum", "normalized": "Normalised min-sum",
              "corrected": "Corrected min-sum", "three-min": "Three-minimum min-sum", "sum-product": "Sum-product (float)",
              "min-max": "Min-max (larger fields)", "ems": "EMS (larger fields)"}


class Option(NamedTuple):
    """An option: its name in Python and GNU Radio Companion, its default, the label beside it, and a sentence."""

    name: str
    default: object  # of the type that the option has
    label: str
    meaning: str
    choices: dict = {}  # value -> label; without any, the value is free
    category: str = ""  # the tab of GNU Radio Companion
    hide: str = "part"  # "" = always shown
    attributes: dict = {}  # of GNU Radio Companion: name -> a value for each choice
    dtype: str = ""  # of GNU Radio Companion; "" = that of the default
    saved: tuple = ()  # further values that flowgraphs of earlier versions have: saved_backend() gives their meaning

    def sentence(self):
        """The meaning with the names that may be given, and with what True means where that is neither yes nor no."""
        if isinstance(self.default, bool) and self.choices.get(True, "Yes") != "Yes":
            label = self.choices[True]
            return f"{self.meaning} (True: {label if label[1].isupper() else label[0].lower() + label[1:]})"
        names = ", ".join(f'"{value}"' for value in self.choices if isinstance(value, str))
        return f"{self.meaning} ({names})" if names else self.meaning


def switch(off, on, first=False):
    """Labels of a bool, its default first."""
    return {True: on, False: off} if first else {False: off, True: on}


def of_algorithm(name):
    return f"${{ 'none' if str(algorithm) == '{name}' else 'all' }}"


FRAMING = [
    Option("length_tag_name", "", "Length tag", "key of the tag with a packet's length on its first item (tagged streams). "
           "Packets of whole codewords leave with the length in output items; items outside packets and packets of other "
           "lengths are dropped, and dropped() counts them. A packet ends where a later tag begins another one, if its own "
           "length is wrong; \"\" = no packets", category="Advanced"),
    Option("start_tag", "", "Start tag", "key of tags that mark the first item of a codeword. Items before the first tag and an "
           "incomplete codeword before a tag are dropped, and dropped() counts them; \"\" = the stream begins with a codeword",
           category="Advanced"),
]


def decoder_options(llr_scale, llr_limit):
    """Of all decoder blocks, for streams and for messages."""
    return [
        Option("max_iterations", 50, "Iterations, at most", "largest number of iterations per codeword, 0 .. 10000; may change "
               "while the flowgraph runs", hide=""),
        Option("early_stop", True, "Early stop", "stop a codeword as soon as all its checks are satisfied; may change while the "
               "flowgraph runs", switch("No", "Yes", first=True)),
        Option("output", "message", "Output", "the k message bits or all n bits of each codeword, or for binary codes the n "
               "posterior LLRs of the decoder (in the sign and unit of the input; int8 values saturate)",
               {"message": "Message (k bits)", "codeword": "Codeword (n bits)", "posterior": "Posteriors (n LLRs)"}, hide=""),
        Option("packed", False, "Output bytes", "one bit per byte, or 8 bits per byte with the first bit in the most significant "
               "place; zeros then pad each codeword to whole bytes", switch("One bit per byte", "8 bits per byte")),
        Option("llr_sign", "positive", "Bit 0 is", "which sign of an LLR means that 0 is the more likely bit: positive in DVB, 5G "
               "and MATLAB, negative for GNU Radio's own soft bits",
               {"positive": "A positive LLR", "negative": "A negative LLR"}),
        Option("llr_scale", llr_scale, "LLR steps per nat", "what one step of an int8 LLR is worth, 0.25 .. 64 steps per nat (unit "
               "of the natural logarithm); float LLRs are multiplied by it, rounded and saturated to int8, except for float "
               "arithmetic"),
        Option("llr_limit", llr_limit, "LLR limit", "channel LLRs are limited to this number of steps, 1 .. 127 (127 = no limit): the messages of "
               "a decoder have a limit too, and a bit whose LLR is wrong by more than they add up to is never corrected; no effect with "
               "float arithmetic and over larger fields", category="Advanced"),
        Option("threads", 1, "Threads", "CPU threads that share the codewords; 1 = the block's own thread, 0 = one per core"),
        Option("algorithm", "auto", "Algorithm", "the check-node rule: corrected min-sum; three-minimum min-sum, which corrects more "
               "at about 90 % of the speed, but with some codes less at very low error rates (automatic: three-minimum for codes of "
               "DVB-S2X, ATSC 3.0, 5G, CCSDS and Ethernet, corrected for all others); plain, offset or normalised min-sum; sum-product in float "
               "arithmetic; over larger fields min-max (automatic), min-sum, EMS or sum-product. In Python "
               "also offset:1 and normalized:0.75, a name with its offset or factor",
               ALGORITHMS, "Advanced"),
        Option("offset", -1.0, "Offset", "LLR steps that offset min-sum subtracts; negative = the library's choice; may change while the "
               "flowgraph runs", category="Advanced", hide=of_algorithm("offset")),
        Option("factor", 0.0, "Factor", "factor of normalised min-sum, 1/16 .. 1; 0 = the library's choice; may change while the "
               "flowgraph runs", category="Advanced", hide=of_algorithm("normalized")),
        Option("arithmetic", "auto", "Arithmetic", "8-bit (automatic) or 16-bit integers, or float",
               {**AUTO, "i8": "8 bit", "i16": "16 bit", "float": "Float"}, "Advanced"),
        Option("schedule", "auto", "Schedule", "layered (automatic; needs about half the iterations) or flooding",
               {**AUTO, "layered": "Layered", "flooding": "Flooding"}, "Advanced"),
        Option("kernel", "auto", "Kernel", "\"auto\", or the name of one kernel; libldpc.kernels() lists them",
               category="Advanced"),
        Option("stats_interval", 1.0, "Seconds between statistics", "seconds between messages on port stats; 0 = never",
               category="Advanced"),
    ]


CODES = [
    Option("codes", [], "Further codes", "names of further codes, for streams whose code changes (ACM, VCM). A tag ldpc_code, "
           "whose value is one of these names or that of the first code, sets the code of the codewords from its item on; items "
           "after a tag with another name are dropped, and dropped() counts them. All decoders are created at the start",
           category="Advanced"),
]
NONBINARY_OPTIONS = {  # those of decoder_options() that are others for codes over larger fields
    "output": Option("output", "message", "Output", "the k message bits or all n bits of each codeword",
                     {"message": "Message (k bits)", "codeword": "Codeword (n bits)"}, hide=""),
    "algorithm": Option("algorithm", "auto", "Algorithm", "the check-node rule: min-max (automatic), min-sum, EMS or sum-product",
                        {**AUTO, "min-sum": "Min-sum", "sum-product": "Sum-product (float)", "min-max": "Min-max",
                         "ems": "EMS (float)"}, "Advanced"),
}
STREAM = [
    Option("tags", False, "Tags", "tag the first output item of each codeword with ldpc_iterations (integer) and ldpc_converged "
           "(boolean)", switch("No", "Yes"), "Advanced"),
    *FRAMING,
    *CODES,
]
GPU = [
    Option("devices", "0", "Devices", "GPUs that share the batches: \"0\", \"0,1\" or \"all\"; with OpenCL also \"gpu\", \"cpu\" or a part "
           "of a name", category="GPU"),
    Option("streams", 0, "Batches in flight", "batches in flight on each GPU, 1 .. 64, so that copies and decoding overlap; 0 = the library's "
           "choice",
           category="GPU"),
    Option("batch", 0, "Codewords of a batch", "largest number of codewords in a batch; 0 = as many as keep the GPU busy",
           category="GPU"),
    Option("latency", 0.0, "Seconds to wait for a batch", "longest time in seconds that a codeword waits for others to fill its "
           "batch, 0 .. 60; 0 = a batch starts as soon as there is room, and batches grow when codewords come faster than they "
           "are decoded", category="GPU"),
    Option("cache_dir", "", "Folder of kernels", "folder where compiled kernels are kept; \"\" = gr-ldpc in the user's cache folder",
           category="GPU"),
]
BACKEND = Option("backend", "cpu", "Decode on", "what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any "
                 "maker)", {"cpu": "CPU", "gpu": "GPU (CUDA, else OpenCL)", "cuda": "GPU (CUDA)", "opencl": "GPU (OpenCL)"}, "GPU", saved=("auto",))
FALLBACK = Option("fallback", False, "Without a GPU", "what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on "
                  "the CPU with `threads` threads. The same applies when a GPU fails later",
                  switch("Fail", "Decode on the CPU"), "GPU", saved=("none", "cpu"))
WHERE = [BACKEND, FALLBACK]
WHERE_ON_GPU = [BACKEND._replace(default="gpu"), FALLBACK]
HARD_INPUTS = {"llrs": "LLRs", "hard": "Hard bits", "hard-packed": "Hard bits, 8 per byte"}
HARD_MEANING = ("n LLRs per codeword; or hard bits, one per byte, or packed 8 per byte with the first bit in the most "
                "significant place and each codeword padded to whole bytes with zeros, else it is dropped, and dropped() counts "
                "it. A hard bit counts as an LLR of 4 nat")
INPUT = [Option("input", "llrs", "Input", HARD_MEANING, HARD_INPUTS, hide="")]
NB_INPUT = [
    Option("input", "llrs", "Input", HARD_MEANING + ". Or, for each symbol, q bytes with the cost ln P(best) - ln P(a) of its values "
           "a = 0 .. q-1, in LLR steps", {**HARD_INPUTS, "costs": "Costs of symbols"}, hide=""),
]
PDU = [
    *[option for option in GPU if option.name in ("devices", "cache_dir")],
]
PDU_ENCODER = [
    Option("packed", False, "Bytes", "one bit per byte on both sides, or 8 bits per byte with the first bit in the most significant "
           "place; zeros then pad each message and each codeword to whole bytes", switch("One bit per byte", "8 bits per byte"),
           hide=""),
]
NONBINARY = [
    Option("symbols", False, "Output items", "a bit or a symbol in each byte", switch("Bits", "Symbols")),
    Option("kept", 0, "Costs kept", "number of costs of a message that EMS keeps, 1 .. q; 0 = the library's choice",
           category="Advanced",
           hide=of_algorithm("ems")),
]


def fec_options(llr_scale, llr_limit):
    """Of decoders for gr-fec's blocks."""
    taken = ["max_iterations", "early_stop", "llr_scale", "llr_limit", "algorithm", "offset", "factor", "arithmetic", "schedule", "kernel"]
    options = [option._replace(meaning=option.meaning.replace("; may change while the flowgraph runs", ""))
               for option in decoder_options(llr_scale, llr_limit) if option.name in taken]
    return options[:2] + [
        Option("gain", 4.0, "Gain", "LLR, in nat, of a soft bit of magnitude 1: 2 / v for symbols +1 and -1 in noise of "
               "variance v; 1 if soft bits are LLRs"),
    ] + options[2:]


# ------------------------------------------------------------------------------------------------ what is made of them


def literal(value):
    """A value as YAML and as Python write it."""
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
    """Lines of a block description: parameters."""
    for option in options:
        yield f"-   id: {option.name}"
        yield f"    label: {option.label}"
        if option.category:
            yield f"    category: {option.category}"
        yield f"    dtype: {grc_type(option)}"
        yield f"    default: {quoted(literal(option.default))}"
        if option.choices:
            earlier = [f"{value} (of earlier versions)" for value in option.saved]
            yield f"    options: [{', '.join(map(quoted, [*option.choices, *option.saved]))}]"
            yield f"    option_labels: [{', '.join(map(quoted, [*option.choices.values(), *earlier]))}]"
        if option.attributes:
            yield "    option_attributes:"
            yield from (f"        {name}: [{', '.join(map(str, values))}]" for name, values in option.attributes.items())
        if option.hide:
            yield f"    hide: {option.hide}"


def where_arguments():
    """The two arguments, of a flowgraph of an earlier version through saved_backend()."""
    earlier = " or ".join(f"str({option.name}) in {option.saved}" for option in WHERE)
    yield f"% if {earlier}:"
    yield "**ldpc.saved_backend('${backend}', '${fallback}'),"
    yield "% else:"
    yield "backend='${backend}',"
    yield "fallback=${fallback},"
    yield "% endif"


def arguments(options):
    """Lines of a block description: the arguments of make."""
    for option in options:
        if option.name == "backend":
            yield from where_arguments()
        if option.saved:
            continue
        value = f"${{{option.name}}}"
        yield f"{option.name}={quoted(value) if grc_type(option) == 'enum' else value},"


def documentation(options):
    """Lines of a block description: help."""
    for option in options:
        yield f"{option.label} ({option.name}): {option.meaning}."
        yield ""


def docstring(options):
    """The lines below Args: of a block's docstring."""
    return [f"    {option.name}: {option.sentence()}" for option in options]


def doxygen(options):
    """The lines of a C++ header that describe the parameters of make()."""
    for option in options:
        yield from textwrap.wrap(f"\\param {option.name}  {option.sentence()}", 107, initial_indent="     * ",
                                 subsequent_indent="     *     ", break_long_words=False)


def table(options):
    """Rows of a table in Markdown."""
    return [f"| `{option.name}` | `{json.dumps(option.default) if isinstance(option.default, str) else option.default}` | {option.sentence()} |" for option in options]
