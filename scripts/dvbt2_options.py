# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the DVB-T2 and DVB-S2 receiver blocks, in argument order (block_options.py)."""
from block_options import WHERE, Option, switch

SAMPLES = [
    Option("sample_rate", 10e6, "Sample rate", "samples per second: 8e6 .. 25e6 for a channel bandwidth of 8 MHz, and proportional values for other "
           "bandwidths; can be changed at run time",
           hide=""),
    Option("format", "cf32", "Sample format", "format of the input samples: complex float, or interleaved I and Q as int16, int8 or uint8",
           {"cf32": "Complex float", "cs16": "Complex int16", "cs8": "Complex int8 (vector of 2)",
                    "cu8": "Complex uint8 (vector of 2)"},
           attributes={"type": ["complex", "sc16", "byte", "byte"], "vlen": [1, 1, 2, 2]}),
    Option("bandwidth", 8.0, "Channel bandwidth (MHz)", "channel bandwidth in MHz, more than 0 and at most 10; can be changed at run time", hide=""),
    Option("offset", 0.0, "Frequency offset (Hz)", "centre frequency of the channel relative to the centre frequency of the samples, in Hz. The "
           "receiver estimates and corrects the remaining carrier offset"),
    Option("profile", "auto", "Profile", "profile to receive if a signal has both T2-base and T2-Lite frames. Automatic selects the profile of the "
           "first P1 symbol that is found", {"auto": "Automatic", "base": "T2-base", "lite": "T2-Lite"}, hide=""),
    Option("plps", [-1], "PLPs", "PLP_ID for each output, for 1 to 255 outputs. -1 selects the first data PLP, and -2 the common PLP of the group of "
           "the first output's PLP; can be changed at run time", hide="", dtype="raw"),
]
LDPC = [
    *(option._replace(category="") for option in WHERE),
    Option("max_iterations", 25, "Max. iterations", "maximum number of LDPC iterations per codeword, 0 .. 10000", hide=""),
    Option("threads", 1, "CPU threads", "number of CPU threads of the LDPC decoder; 0 = one thread per core"),
    Option("exact", False, "Demapper", "whether the demapper computes LLRs from the nearest constellation points only (max-log, which is faster) or "
           "from all points (log-MAP)",
           switch("Max-log", "Exact (log-MAP)"), "Advanced"),
]
STREAM = [
    Option("stream", -1, "Input stream (ISI)", "ISI of the input stream to output, 0 .. 255, if the signal carries several input streams; -1 = all "
           "streams",
           category="Advanced"),
]
DECISION_DIRECTED = [
    Option("decision_directed", 0, "Decision-directed passes", "maximum number of decision-directed channel re-estimation passes per T2 frame with "
           "failed codewords, 0 .. 8, for mobile reception; 0 = channel estimation from pilots only"),
]
STATUS = [
    Option("status_interval", 1.0, "Status interval (s)", "time in seconds between messages on the port status; 0 = no messages",
           category="Advanced"),
]
STATS = [
    Option("stats_interval", 1.0, "Statistics interval (s)", "time in seconds between messages on the port stats; 0 = no messages",
           category="Advanced"),
]
CURVES = [
    Option("points", 200, "Points", "number of points of a curve and length of the output vectors", hide=""),
    Option("span_us", 80.0, "Delay span (us)", "range of delays that the impulse response shows, in microseconds. Delay 0 is at a quarter of the "
           "range; it is the middle of the tolerance of the FFT window", hide=""),
]

UDP = [
    Option("host", "127.0.0.1", "Host", "host name, IP address or multicast group", hide=""),
    Option("port", 1234, "Port", "UDP port, 1 .. 65535", hide=""),
]

DVBS2 = [
    Option("sample_rate", 2e6, "Sample rate", "samples per second, at least 1.1 samples per symbol", hide=""),
    Option("symbol_rate", 1e6, "Symbol rate", "symbols per second (baud), within 200 ppm", hide=""),
    next(option for option in SAMPLES if option.name == "format"),
    Option("rolloff", 0.0, "Roll-off", "roll-off of the pulses, 0.05 .. 0.35; 0 = detected", hide=""),
    Option("gold", 0, "Gold code", "gold code of the PL scrambling, 0 .. 262141"),
    Option("streams", [-1], "Input streams (ISI)", "ISI of the input stream for each output, 0 .. 255. -1 = the packets of all streams; can be "
           "changed at run time", dtype="raw"),
    Option("max_iterations", 50, "Max. iterations", "maximum number of LDPC iterations per frame, 0 .. 10000"),
    Option("status_interval", 1.0, "Status interval (s)", "seconds of signal between messages on port status; 0 = no messages",
           category="Advanced"),
    Option("threads", 1, "CPU threads", "1, or 2: a second thread filters the samples and recovers the timing"),
    Option("offset", 0.0, "Carrier offset (Hz)", "expected carrier offset from the centre of the samples in Hz; can be changed at run time"),
    Option("offset_range", 0.0, "Max. error of the offset (Hz)", "maximum error of offset in Hz, which selects one of several carriers; 0 = the whole band; can be "
           "changed at run time"),
]

SYNCHRONIZER = [option for option in DVBS2 if option.name not in ("streams", "max_iterations")]

TRANSMITTER = [
    Option("modcods", ["qpsk:64800:1/2"], "MODCODs", "names of the MODCODs, one for each input (with acm, all for one input), such as "
           "\"qpsk:64800:1/2\"; ldpc.dvbs2_modcods(s2x=True) lists all names", hide="", dtype="raw"),
    Option("pilots", True, "Pilots", "whether the PL frames have pilots", switch("Off", "On", first=True)),
    Option("rolloff", 0.2, "Roll-off", "roll-off of the pulses: 0.35, 0.25, 0.2, 0.15, 0.1 or 0.05"),
    Option("gold", 0, "Gold code", "gold code of the PL scrambling, 0 .. 262141"),
    Option("order", [], "Order of the MODCODs", "numbers of the MODCODs (0 = first) of successive PL frames, repeated until the first message on "
           "port modcod; [] = one frame of each MODCOD; can be changed at run time", dtype="raw"),
    Option("acm", False, "Inputs", "one input for each MODCOD (CCM, VCM), or one input that is sent with all MODCODs (ACM)",
           switch("One for each MODCOD", "One for all MODCODs (ACM)")),
]

ACM = [
    Option("modcods", ["qpsk:64800:1/2"], "MODCODs", "names of the possible MODCODs, such as \"qpsk:64800:1/2\"; ldpc.dvbs2_modcods(s2x=True) "
           "lists all names", hide="", dtype="raw"),
    Option("margin", 1.0, "Margin (dB)", "margin in dB between the measured Es/N0 and the threshold of the MODCOD, for measurement errors and "
           "changes during the delay of the link; can be changed at run time", hide=""),
    Option("hysteresis", 0.5, "Hysteresis (dB)", "additional margin in dB that a more efficient MODCOD needs, 0 or more"),
]

IN_PYTHON = ("DVBT2_RECEIVER", "DVBT2_CURVES", "DVBT2_UDP_SINK", "DVBS2_RECEIVER", "DVBS2_SYNCHRONIZER", "DVBS2_TRANSMITTER", "DVBS2_ACM")  # blocks in Python; the others have bindings

GROUPS = {
    "DVBT2_DEMODULATOR": SAMPLES + STATUS + DECISION_DIRECTED,
    "DVBT2_PLP_DECODER": LDPC + STREAM + STATS,
    "DVBT2_RECEIVER": SAMPLES + LDPC + STATUS + DECISION_DIRECTED,
    "DVBT2_CURVES": CURVES,
    "DVBT2_UDP_SINK": UDP,
    "DVBS2_RECEIVER": DVBS2,
    "DVBS2_SYNCHRONIZER": SYNCHRONIZER,
    "DVBS2_TRANSMITTER": TRANSMITTER,
    "DVBS2_ACM": ACM,
}
