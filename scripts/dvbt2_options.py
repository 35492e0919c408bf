# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the blocks of the DVB-T2 receiver, each described once, in the order of each block's arguments; see
block_options.py."""
from block_options import WHERE, Option, switch

SAMPLES = [
    Option("sample_rate", 10e6, "Sample rate", "samples per second: 8e6 .. 25e6 for a channel of 8 MHz, in proportion for others; may change while the flowgraph runs",
           hide=""),
    Option("format", "cf32", "Samples", "format of the input samples: complex float, or I and Q as int16, int8 or uint8",
           {"cf32": "Complex float", "cs16": "Complex int16", "cs8": "Complex int8, a vector of 2",
                    "cu8": "Complex uint8, a vector of 2"},
           attributes={"type": ["complex", "sc16", "byte", "byte"], "vlen": [1, 1, 2, 2]}),
    Option("bandwidth", "8", "Channel", "bandwidth of the channel in MHz; may change while the flowgraph runs",
           {mhz: f"{mhz} MHz" for mhz in ("1.7", "5", "6", "7", "8", "10")}, hide="", dtype="string"),  # or a variable's name
    Option("offset", 0.0, "Centre", "frequency of the channel's centre within the samples, in Hz; the receiver finds the "
           "remaining carrier offset"),
    Option("profile", "auto", "Profile", "which frames to receive if a signal has T2-base and T2-Lite; automatic: the profile "
           "of the first P1 found", {"auto": "The first one found", "base": "T2-base", "lite": "T2-Lite"}, hide=""),
    Option("plps", [-1], "PLPs", "PLP_ID of each output, 1 to 255 of them; -1 is the first data PLP, -2 the common PLP of the first "
           "output's group; may change while the flowgraph runs", hide="", dtype="raw"),
]
LDPC = [
    *(option._replace(category="") for option in WHERE),
    Option("max_iterations", 25, "Iterations, at most", "largest number of iterations per codeword, 0 .. 10000", hide=""),
    Option("threads", 1, "Threads", "CPU threads of the LDPC decoder; 0 takes one per core"),
    Option("exact", False, "LLRs", "LLRs from the nearest points of the constellation (max-log, faster) or from all points",
           switch("Of the nearest points", "Of all points"), "Advanced"),
]
STREAM = [
    Option("stream", -1, "Input stream", "number (ISI) of the input stream to take where there are several; -1 takes all",
           category="Advanced"),
]
DECISION_DIRECTED = [
    Option("decision_directed", 0, "Decision-directed channel estimates", "how many times at most the channel of a T2 frame with failed codewords is "
           "estimated again, from pilots and what the decoder knows of the data, 0 .. 8; 0 = from pilots only; for receivers that move"),
]
STATUS = [
    Option("status_interval", 1.0, "Seconds between messages", "seconds between messages on port status; 0 = never",
           category="Advanced"),
]
STATS = [
    Option("stats_interval", 1.0, "Seconds between statistics", "seconds between messages on port stats; 0 = never",
           category="Advanced"),
]
CURVES = [
    Option("points", 200, "Points", "number of values of a curve, the length of the output vectors", hide=""),
    Option("span_us", 80.0, "Delays", "microseconds of the impulse response; a quarter of them before the middle of the FFT window's "
           "tolerance", hide=""),
]

UDP = [
    Option("host", "127.0.0.1", "Host", "name or address; a multicast group too", hide=""),
    Option("port", 1234, "Port", "1 .. 65535", hide=""),
]

IN_PYTHON = ("DVBT2_RECEIVER", "DVBT2_CURVES", "DVBT2_UDP_SINK")  # blocks with their own docstring, the others have bindings

GROUPS = {
    "DVBT2_DEMODULATOR": SAMPLES + STATUS + DECISION_DIRECTED,
    "DVBT2_PLP_DECODER": LDPC + STREAM + STATS,
    "DVBT2_RECEIVER": SAMPLES + LDPC + STATUS + DECISION_DIRECTED,
    "DVBT2_CURVES": CURVES,
    "DVBT2_UDP_SINK": UDP,
}
