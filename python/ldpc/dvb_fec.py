# SPDX-License-Identifier: GPL-3.0-or-later
"""Decodes DVB-S2 cells to a transport stream."""
from math import gcd

import pmt
from gnuradio import gr

from .hier_blocks import hier_block
from .ldpc_python import (dvb_bb_deframer_bb, dvb_bch_decoder_bb, dvb_demapper_cb, dvbs2_modcod_code,
                          ldpc_decoder_gpu_bb, raw_ber_bb)

# Number of codewords that may wait for the decoder. GPU_BATCH is the maximum batch of a GPU.
WAITING = {"cpu": 64, "cuda": 256, "opencl": 256}
GPU_BATCH = 64


class _statistics(gr.basic_block):
    """Adds the counters of the other blocks to the messages of the deframer, the last block of the chain.

    If a block receives only messages, GNU Radio stops it as soon as one of its senders stops. Messages of other senders would be lost.
    Therefore only the deframer is connected to this block. The counters of the other blocks are read directly."""

    KEPT = ("packets", "code", "seconds", "frames", "header_errors", "broken_frames", "crc_errors", "ts_errors", "lost_packets",
            "ts_mbps", "total_packets", "total_ts_errors", "total_header_errors")

    def __init__(self, demapper, decoder, raw, raw_n, bch):
        super().__init__("dvb_fec_statistics", None, None)
        self.demapper, self.decoder, self.raw, self.raw_n, self.bch = demapper, decoder, raw, raw_n, bch
        self.before, self.rates = {}, {"raw_ber": 0.0, "mean_iterations": 0.0}
        self.message_port_register_out(pmt.intern("stats"))
        self.message_port_register_in(pmt.intern("stats"))
        self.set_msg_handler(pmt.intern("stats"), self.take)

    def forget(self):
        """Deletes references to other blocks after the last message."""
        self.demapper = self.decoder = self.raw = self.bch = None

    def start(self):
        """All blocks restart their counters when the flowgraph starts."""
        self.before = {}
        return True

    def totals(self):
        """Returns the counters since the start."""
        frames = self.decoder.frames()
        return {"ldpc_frames": frames, "ldpc_failed": self.decoder.failed(),
                "iterations": round(frames * self.decoder.mean_iterations()), "raw_errors": self.raw.errors(),
                "raw_bits": self.raw.frames() * self.raw_n, "bch_failed": self.bch.failed(),
                "bch_corrected_bits": self.bch.corrected_bits()}

    def take(self, message):
        values, totals = pmt.to_python(message), self.totals()
        new = {name: total - self.before.get(name, 0) for name, total in totals.items()}
        self.before = totals
        for rate, count, of in (("raw_ber", "raw_errors", "raw_bits"), ("mean_iterations", "iterations", "ldpc_frames")):
            if new[of]:  # otherwise the rate is unchanged
                self.rates[rate] = new[count] / new[of]
        self.message_port_pub(pmt.intern("stats"), pmt.to_pmt({
            **{name: values[name] for name in self.KEPT}, **self.rates, "mer_db": self.demapper.mer_db(),
            **{name: new[name] for name in ("ldpc_frames", "ldpc_failed", "bch_failed", "bch_corrected_bits")}}))


def _codes_of(code, modcods):
    return [name for name in dict.fromkeys(map(dvbs2_modcod_code, modcods)) if name != code]


class dvbs2_fec_decoder(hier_block):
    """Converts DVB-S2 and S2X cells to a transport stream.

    The block consists of a demapper, LDPC decoder, BCH decoder and deframer. The input is equalised and PL-descrambled cells with a
    mean constellation power of 1, without PL headers and pilots. A frame of 128APSK has 9270 cells, including its padding cells. Packets
    with bit errors have their transport_error_indicator set.

    Args:
        code: name of the LDPC code, such as "dvbs2:64800:2/3"; libldpc.bch_codes() lists all names
        modulation: constellation ("qpsk", "8psk", "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
        backend: where to decode: on the CPU, on a GPU (with CUDA, or with OpenCL if CUDA is not available), with CUDA (NVIDIA) or with OpenCL (any vendor) ("cpu", "gpu", "cuda", "opencl")
        fallback: what to do if the GPU cannot be used or fails later: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads (True: decode on the CPU)
        gpu_timeout: maximum time in seconds that a GPU may take for a batch, 0 .. 86400; if it takes longer, the GPU is considered failed; 0 = no limit
        max_iterations: maximum number of LDPC iterations per codeword, 0 .. 10000
        threads: number of CPU threads of the LDPC decoder; 0 = one thread per core
        noise: noise power per cell, 10 ** (-MER / 10); 0 = estimated from the cells of each FEC block
        exact: whether the demapper computes LLRs from the nearest constellation points only (max-log, which is faster) or from all points (log-MAP) (True: exact (log-MAP))
        stream: ISI of the input stream to output, 0 .. 255, if the signal carries several input streams; -1 = all streams
        stats_interval: time in seconds between messages on the port stats; 0 = no messages
        modcods: names of the possible MODCODs (ACM, VCM), such as "qpsk:64800:1/2"; ldpc.dvbs2_modcods(s2x=True) lists all names. A tag XFECFRAME of dvbs2_synchronizer or gr-dvbs2rx selects the MODCOD of the tagged cell and of all cells up to the next such tag. The value of the tag is a pair: the number of the MODCOD (for S2X the PLS code), and true for short frames. Cells after a tag with a MODCOD that is not listed are dropped. Before the first tag, the arguments code and modulation apply

    Messages on port "stats" are dictionaries with mer_db, raw_ber (bit error rate before the LDPC decoder), mean_iterations,
    ldpc_frames, ldpc_failed, bch_failed, bch_corrected_bits, and the entries of dvb_bb_deframer_bb. Port "frames" and the output tags
    bb_frame and bb_broken are those of dvb_bb_deframer_bb.

    Raises:
        ValueError: an argument is invalid
        RuntimeError: the backend cannot be used on this machine
    """

    def __init__(self, code, modulation, backend="cpu", fallback=False, gpu_timeout=60.0, max_iterations=25, threads=1, noise=0.0, exact=False, stream=-1,
                 stats_interval=1.0, modcods=()):
        code = str(code)
        if not code.startswith(("dvbs2:", "dvbs2x:")):
            raise ValueError(f"code must be a DVB-S2 or S2X code such as \"dvbs2:64800:2/3\", not \"{code}\"")
        super().__init__("dvbs2_fec_decoder", gr.io_signature(1, 1, gr.sizeof_gr_complex), gr.io_signature(1, 1, gr.sizeof_char))
        self.demapper = dvb_demapper_cb(code, modulation, noise=noise, exact=exact, stats_interval=stats_interval, modcods=modcods)
        codes = _codes_of(code, modcods)  # the demapper tags codewords with their code
        self.ldpc = ldpc_decoder_gpu_bb(code, backend=backend, fallback=fallback, gpu_timeout=gpu_timeout, batch=GPU_BATCH, threads=threads, output="codeword", packed=True,
                                        max_iterations=max_iterations, stats_interval=stats_interval, codes=codes)
        self._raw_n = gcd(*(int(each.split(":")[1]) for each in [code, *codes]))  # divides all codeword lengths
        self.raw = raw_ber_bb(self._raw_n, stats_interval)
        self.bch = dvb_bch_decoder_bb(code, True, stats_interval, codewords=True, codes=codes)
        self.deframer = dvb_bb_deframer_bb(code, True, stream, stats_interval, codes=codes)
        self.demapper.set_min_output_buffer(0, WAITING[self.ldpc.backend()] * self.ldpc.n())
        self.connect(self, self.demapper, self.ldpc, self.bch, self.deframer, self)
        self.connect(self.demapper, self.raw)
        self.connect(self.ldpc, (self.raw, 1))
        self._collect_statistics()

    def _collect_statistics(self):
        self._statistics = _statistics(self.demapper, self.ldpc, self.raw, self._raw_n, self.bch)
        self.msg_connect(self.deframer, "stats", self._statistics, "stats")
        self.publish("stats", self._statistics)
        self.publish("frames", self.deframer)
        self.free_when_unused(self._statistics)

    def set_max_iterations(self, max_iterations):
        """Set the maximum number of iterations, 0 .. 10000."""
        self.ldpc.set_max_iterations(max_iterations)

    def counters(self):
        """Return the counters since the start: the deframer's counters, ldpc_failed, bch_failed, bch_corrected_bits, raw_ber,
        mean_iterations."""
        return {**self.deframer.counters(), "ldpc_failed": self.ldpc.failed(), "bch_failed": self.bch.failed(),
                "bch_corrected_bits": self.bch.corrected_bits(), "raw_ber": self.raw.ber(),
                "mean_iterations": self.ldpc.mean_iterations()}
