# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of DVB-T2 to the transport stream, as one block."""
from gnuradio import gr

from .ldpc_python import dvbt2_demodulator, dvbt2_plp_decoder

SAMPLE_BYTES = {"cf32": gr.sizeof_gr_complex, "cs16": 2 * gr.sizeof_short, "cs8": 2, "cu8": 2}


class dvbt2_receiver(gr.hier_block2):
    """Receives DVB-T2: samples in, transport stream out.

    The receiver finds FFT size, guard interval, pilot pattern and carrier offset, reads L1, and follows it from frame to frame:
    code, constellation and number of FEC blocks may change while the flowgraph runs. It finds the signal again when it was lost.
    Packets with wrong bits leave with their transport_error_indicator set.

    Args:
        sample_rate: Hz; 8e6 to 25e6 for a channel of 8 MHz
        format: of the samples: "cf32" (complex), "cs16" (int16 I, Q), "cs8", "cu8"
        bandwidth: of the channel in MHz: "1.7", "5", "6", "7", "8", "10"
        offset: Hz; where the channel's centre is in the samples
        profile: "auto" (that of the first P1 found), "base" or "lite"
        plp: PLP_ID; -1 = the first data PLP
        backend: of the LDPC decoder: "cpu", "cuda", "auto" (a GPU where there is one)
        max_iterations: of the LDPC decoder, 0 .. 10000
        threads: CPU threads of the LDPC decoder; 0 = one per core
        exact: LLRs over all points of the constellation; else only the nearest ones (max-log)
        status_interval: seconds between messages on ports "status" and "stats"; 0 = never

    Messages on port "l1": fields of L1, whenever they change; "status": what is measured; "stats": codewords, packets and errors
    since the start.
    """

    def __init__(self, sample_rate, format="cf32", bandwidth="8", offset=0.0, profile="auto", plp=-1, backend="auto",
                 max_iterations=25, threads=1, exact=False, status_interval=1.0):
        self.demodulator = dvbt2_demodulator(sample_rate, format, bandwidth, offset, profile, [plp], status_interval)
        self.decoder = dvbt2_plp_decoder(backend, max_iterations, threads, exact, stats_interval=status_interval)
        super().__init__("dvbt2_receiver", gr.io_signature(1, 1, SAMPLE_BYTES[format]), gr.io_signature(1, 1, gr.sizeof_char))
        self.connect(self, self.demodulator, self.decoder, self)
        self.connect((self.demodulator, 1), (self.decoder, 1))
        for port, block in (("l1", self.demodulator), ("status", self.demodulator), ("stats", self.decoder)):
            self.message_port_register_hier_out(port)
            self.msg_connect(block, port, self, port)

    def locked(self):
        """Whether cells are received."""
        return self.demodulator.locked()

    def status(self):
        """What is measured, a dict."""
        return self.demodulator.status()

    def l1(self):
        """L1, a dict; None before the first."""
        return self.demodulator.l1()

    def counters(self):
        """Codewords, packets and errors since the start, a dict."""
        return self.decoder.counters()
