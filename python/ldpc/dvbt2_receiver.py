# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-T2 receiver block."""
from gnuradio import gr

from .hier_blocks import hier_block
from .ldpc_python import dvbt2_demodulator, dvbt2_plp_decoder

SAMPLE_BYTES = {"cf32": gr.sizeof_gr_complex, "cs16": 2 * gr.sizeof_short, "cs8": 2, "cu8": 2}

COMMON_PLP = -2
MOST_PLPS = 255


def with_common_plps(plps):
    """Returns the PLPs, then the common PLP of each group."""
    if isinstance(plps, (str, int)):
        raise TypeError(f"plps: expected a list of PLP_IDs, not {plps!r}")
    if not 1 <= len(plps) <= MOST_PLPS:
        raise ValueError(f"plps must be 1 to {MOST_PLPS} numbers, not {len(plps)}")
    return [*plps, *(COMMON_PLP - output for output in range(len(plps)))]


class dvbt2_receiver(hier_block):
    """DVB-T2 receiver (EN 302 755), which converts samples to one transport stream per PLP.

    The receiver detects the FFT size, guard interval, pilot pattern and carrier offset, and decodes the L1 signalling. Code,
    constellation and number of FEC blocks may change from frame to frame. If the signal is lost, the receiver reacquires it. Packets of
    a common PLP are inserted into the stream of each data PLP of its group.

    Packets with bit errors have their transport_error_indicator set. Tags from radios: if a tag rx_time shows that samples were lost,
    the remainder of the frame is dropped; a changed rx_freq or rx_rate starts a new search. If no T2 frame is found in the first second
    of samples, the block logs one warning with the reason.

    Args:
        sample_rate: samples per second: 8e6 .. 25e6 for a channel bandwidth of 8 MHz, and proportional values for other bandwidths; can be changed at run time
        format: format of the input samples: complex float, or interleaved I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
        bandwidth: channel bandwidth in MHz, more than 0 and at most 10; can be changed at run time
        offset: centre frequency of the channel relative to the centre frequency of the samples, in Hz. The receiver estimates and corrects the remaining carrier offset
        profile: profile to receive if a signal has both T2-base and T2-Lite frames. Automatic selects the profile of the first P1 symbol that is found ("auto", "base", "lite")
        plps: PLP_ID for each output, for 1 to 255 outputs. -1 selects the first data PLP, and -2 the common PLP of the group of the first output's PLP; can be changed at run time
        backend: where to decode: on the CPU, on a GPU (with CUDA, or with OpenCL if CUDA is not available), with CUDA (NVIDIA) or with OpenCL (any vendor) ("cpu", "gpu", "cuda", "opencl")
        fallback: what to do if the GPU cannot be used or fails later: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads (True: decode on the CPU)
        gpu_timeout: maximum time in seconds that a GPU may take for a batch, 0 .. 86400; if it takes longer, the GPU is considered failed; 0 = no limit
        max_iterations: maximum number of LDPC iterations per codeword, 0 .. 10000
        threads: number of CPU threads of the LDPC decoder; 0 = one thread per core
        exact: whether the demapper computes LLRs from the nearest constellation points only (max-log, which is faster) or from all points (log-MAP) (True: exact (log-MAP))
        status_interval: time in seconds between messages on the port status; 0 = no messages
        decision_directed: maximum number of decision-directed channel re-estimation passes per T2 frame with failed codewords, 0 .. 8, for mobile reception; 0 = channel estimation from pilots only

    Messages: port "l1" carries the L1 fields whenever they change; "status", the receiver state and measurements; "stats", counters of a
    PLP (plp_id) since the start, its MER and in-band signalling; "frames", the baseband frames of generic streams, one PDU per frame;
    "constellation" and "impulse_response", PDUs for display.

    Raises:
        ValueError: an argument is invalid
        RuntimeError: the backend cannot be used on this machine
    """

    def __init__(self, sample_rate, format="cf32", bandwidth=8.0, offset=0.0, profile="auto", plps=(-1,), backend="cpu", fallback=False,
                 gpu_timeout=60.0, max_iterations=25, threads=1, exact=False, status_interval=1.0, decision_directed=0):
        self.demodulator = dvbt2_demodulator(sample_rate, format, bandwidth, offset, profile, with_common_plps(plps), status_interval, decision_directed)
        self.decoders = [dvbt2_plp_decoder(backend, fallback, gpu_timeout, max_iterations, threads, exact, stats_interval=status_interval) for _ in plps]
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
        """Select other PLPs at run time. Each output has one PLP. Reacquisition takes up to three frames."""
        if len(plps) != len(self.decoders):
            raise ValueError(f"plps must be {len(self.decoders)} numbers, one per output, not {len(plps)}")
        self.demodulator.set_plps(with_common_plps(plps))

    def set_channel(self, bandwidth, sample_rate):
        """Set the channel bandwidth in MHz and its sample rate at run time."""
        self.demodulator.set_channel(bandwidth, sample_rate)

    def locked(self):
        """Return whether frame synchronisation is established."""
        return self.demodulator.locked()

    def status(self):
        """Return the receiver state and measurements as a dict."""
        return self.demodulator.status()

    def l1(self):
        """Return the L1 signalling as a dict, or None before the first message."""
        return self.demodulator.l1()

    def counters(self, output=0):
        """Return the counters of one PLP output since the start."""
        return self.decoders[output].counters()
