# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of DVB-T2 to the transport stream, as one block."""
from gnuradio import gr

from .hier_blocks import hier_block
from .ldpc_python import dvbt2_demodulator, dvbt2_plp_decoder

SAMPLE_BYTES = {"cf32": gr.sizeof_gr_complex, "cs16": 2 * gr.sizeof_short, "cs8": 2, "cu8": 2}

COMMON_PLP = -2
MOST_PLPS = 255


def with_common_plps(plps):
    """The PLPs, then the common PLP of the group of each."""
    if isinstance(plps, (str, int)):
        raise TypeError(f"plps: expected a list of PLP_IDs, not {plps!r}")
    if not 1 <= len(plps) <= MOST_PLPS:
        raise ValueError(f"plps must be 1 to {MOST_PLPS} numbers, not {len(plps)}")
    return [*plps, *(COMMON_PLP - output for output in range(len(plps)))]


class dvbt2_receiver(hier_block):
    """Receives DVB-T2: samples in, transport stream out.

    The receiver finds FFT size, guard interval, pilot pattern and carrier offset, reads L1, and follows it from frame to frame:
    code, constellation and number of FEC blocks may change while the flowgraph runs. It finds the signal again when it was lost.
    Packets of a common PLP are put into the stream of each data PLP of its group.
    Packets with wrong bits leave with their transport_error_indicator set. Tags of radios: rx_time after lost samples gives up the
    rest of the frame, a changed rx_freq or rx_rate begins a new search. When the first second of samples has not given a T2 frame, one
    warning in the log has the reason.

    Args:
        sample_rate: samples per second: 8e6 .. 25e6 for a channel of 8 MHz, in proportion for others; may change while the flowgraph runs
        format: format of the input samples: complex float, or I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
        bandwidth: bandwidth of the channel in MHz; may change while the flowgraph runs ("1.7", "5", "6", "7", "8", "10")
        offset: frequency of the channel's centre within the samples, in Hz; the receiver finds the remaining carrier offset
        profile: which frames to receive if a signal has T2-base and T2-Lite; automatic: the profile of the first P1 found ("auto", "base", "lite")
        plps: PLP_ID of each output, 1 to 255 of them; -1 is the first data PLP, -2 the common PLP of the first output's group; may change while the flowgraph runs
        backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
        fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
        max_iterations: largest number of iterations per codeword, 0 .. 10000
        threads: CPU threads of the LDPC decoder; 0 takes one per core
        exact: LLRs from the nearest points of the constellation (max-log, faster) or from all points (True: of all points)
        status_interval: seconds between messages on port status; 0 = never
        decision_directed: how many times at most the channel of a T2 frame with failed codewords is estimated again, from pilots and what the decoder knows of the data, 0 .. 8; 0 = from pilots only; for receivers that move

    Messages on port "l1": fields of L1, whenever they change; "status": what is measured; "stats": MER, codewords, packets and
    errors of a PLP (plp_id) since the start, and its in-band signalling; "frames": baseband frames of generic streams, a PDU each; "constellation" and "impulse_response": PDUs for pictures.

    Raises:
        ValueError: one sentence that says which argument is wrong and what was expected
        RuntimeError: the backend cannot be used on this machine
    """

    def __init__(self, sample_rate, format="cf32", bandwidth="8", offset=0.0, profile="auto", plps=(-1,), backend="cpu", fallback=False,
                 max_iterations=25, threads=1, exact=False, status_interval=1.0, decision_directed=0):
        self.demodulator = dvbt2_demodulator(sample_rate, format, bandwidth, offset, profile, with_common_plps(plps), status_interval, decision_directed)
        self.decoders = [dvbt2_plp_decoder(backend, fallback, max_iterations, threads, exact, stats_interval=status_interval) for _ in plps]
        super().__init__("dvbt2_receiver", gr.io_signature(1, 1, SAMPLE_BYTES[format]),
                         gr.io_signature(len(plps), len(plps), gr.sizeof_char))
        self.connect(self, self.demodulator)
        for output, decoder in enumerate(self.decoders):
            self.connect((self.demodulator, 2 * output), decoder, (self, output))
            self.connect((self.demodulator, 2 * output + 1), (decoder, 1))
            for port in (0, 1):
                self.connect((self.demodulator, 2 * (len(plps) + output) + port), (decoder, 2 + port))
        for port in ("l1", "status", "constellation", "impulse_response"):
            self.publish(port, self.demodulator)
        for port in ("stats", "frames"):
            self.publish(port, *self.decoders)
        self.free_when_unused()

    def set_plps(self, plps):
        """Other PLPs, as many as before; may be called while the flowgraph runs. The signal is found again within three frames."""
        if len(plps) != len(self.decoders):
            raise ValueError(f"plps must be {len(self.decoders)} numbers as before, not {len(plps)}")
        self.demodulator.set_plps(with_common_plps(plps))

    def set_channel(self, bandwidth, sample_rate):
        """Another bandwidth of the channel, with the sample rate for it, likewise."""
        self.demodulator.set_channel(bandwidth, sample_rate)

    def locked(self):
        """Whether cells are received."""
        return self.demodulator.locked()

    def status(self):
        """What is measured, a dict."""
        return self.demodulator.status()

    def l1(self):
        """L1, a dict; None before the first."""
        return self.demodulator.l1()

    def counters(self, output=0):
        """Codewords, packets and errors of an output since the start, a dict."""
        return self.decoders[output].counters()
