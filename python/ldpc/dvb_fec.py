# SPDX-License-Identifier: GPL-3.0-or-later
"""From cells of DVB-S2 to the transport stream: demapper, LDPC decoder, BCH decoder and deframer as one block."""
from math import gcd

import pmt
from gnuradio import gr

from .hier_blocks import hier_block
from .ldpc_python import (dvb_bb_deframer_bb, dvb_bch_decoder_bb, dvb_demapper_cb, dvbs2_modcod_code,
                          ldpc_decoder_gpu_bb, raw_ber_bb)

# Codewords of LLRs that may wait to be decoded, and codewords of a GPU's batch: more than one multiplex needs, few enough that
# those of many share the caches.
WAITING = {"cpu": 64, "cuda": 256, "opencl": 256}
GPU_BATCH = 64


class _statistics(gr.basic_block):
    """Adds the counters of the other blocks to the messages of the deframer, the last block of the chain.

    GNU Radio ends a block that only receives messages when the first of its senders ends, and the last messages of later senders
    would be lost. So only the deframer is connected, and the counters of the others are read."""

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
        """The flowgraph is gone: no more messages come."""
        self.demapper = self.decoder = self.raw = self.bch = None

    def start(self):
        """Called at each start of the flowgraph: the blocks count from 0 again."""
        self.before = {}
        return True

    def totals(self):
        """Counters since the start."""
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
            if new[of]:  # else the rate stays as it was
                self.rates[rate] = new[count] / new[of]
        self.message_port_pub(pmt.intern("stats"), pmt.to_pmt({
            **{name: values[name] for name in self.KEPT}, **self.rates, "mer_db": self.demapper.mer_db(),
            **{name: new[name] for name in ("ldpc_frames", "ldpc_failed", "bch_failed", "bch_corrected_bits")}}))


def _codes_of(code, modcods):
    """The LDPC codes of MODCODs such as "qpsk:64800:1/2", each once, but for `code`."""
    return [name for name in dict.fromkeys(map(dvbs2_modcod_code, modcods)) if name != code]


class dvbs2_fec_decoder(hier_block):
    """DVB-S2 and S2X cells in, transport stream out.

    Demapper, LDPC decoder, BCH decoder, deframer. Cells are those of the constellation, mean power 1,
    without PL headers and pilots, descrambled; of 128APSK all 9270 of a frame. Packets with wrong bits left leave with their
    transport_error_indicator set.

    Args:
        code: name of the LDPC code, such as "dvbs2:64800:2/3"; libldpc.bch_codes() lists all
        modulation: constellation of the cells ("qpsk", "8psk", "8apsk", "16apsk", "32apsk", "64apsk", "128apsk", "256apsk")
        backend: what decodes: the CPU, a GPU (CUDA, else OpenCL), or a GPU through CUDA (NVIDIA) or OpenCL (any maker) ("cpu", "gpu", "cuda", "opencl")
        fallback: what to do where the GPU cannot be used: raise RuntimeError, or log a warning and decode on the CPU with `threads` threads. The same applies when a GPU fails later (True: decode on the CPU)
        max_iterations: largest number of iterations per codeword, 0 .. 10000
        threads: CPU threads of the LDPC decoder; 0 takes one per core
        noise: mean power of a cell's error, 10 ** (-MER / 10); 0 = measured
        exact: LLRs from the nearest points of the constellation (max-log, faster) or from all points (True: of all points)
        stream: number (ISI) of the input stream to take where there are several; -1 takes all
        stats_interval: seconds between messages on port stats; 0 = never
        modcods: names such as "qpsk:64800:1/2" of those that may come (ACM, VCM); ldpc.dvbs2_modcods(s2x=True) lists all. From a cell with a tag XFECFRAME on, a pair of the MODCOD's number (S2X: PLS code) and whether the frame is short as gr-dvbs2rx has it, cells are of that MODCOD; what follows a tag with another one is dropped. Up to the first tag code and modulation hold

    Messages on port "stats" are dictionaries: mer_db, raw_ber (before the LDPC decoder), mean_iterations, ldpc_frames,
    ldpc_failed, bch_failed, bch_corrected_bits, and those of dvb_bb_deframer_bb. Tags: bb_frame, bb_broken, as there.

    Raises:
        ValueError: one sentence that says which argument is wrong and what was expected
        RuntimeError: the backend cannot be used on this machine
    """

    def __init__(self, code, modulation, backend="cpu", fallback=False, max_iterations=25, threads=1, noise=0.0, exact=False, stream=-1,
                 stats_interval=1.0, modcods=()):
        code = str(code)
        if not code.startswith(("dvbs2:", "dvbs2x:")):
            raise ValueError(f"code must be one of DVB-S2 or S2X such as \"dvbs2:64800:2/3\", not \"{code}\"")
        super().__init__("dvbs2_fec_decoder", gr.io_signature(1, 1, gr.sizeof_gr_complex), gr.io_signature(1, 1, gr.sizeof_char))
        self.demapper = dvb_demapper_cb(code, modulation, noise=noise, exact=exact, stats_interval=stats_interval, modcods=modcods)
        codes = _codes_of(code, modcods)  # if there are any, the demapper tags each codeword with the name of its code
        self.ldpc = ldpc_decoder_gpu_bb(code, backend=backend, fallback=fallback, batch=GPU_BATCH, threads=threads, output="codeword", packed=True,
                                        max_iterations=max_iterations, stats_interval=stats_interval, codes=codes)
        self._raw_n = gcd(*(int(each.split(":")[1]) for each in [code, *codes]))  # divides the codewords of all codes
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
        self.free_when_unused(self._statistics)

    def set_max_iterations(self, max_iterations):
        """Change the number of iterations, 0 .. 10000."""
        self.ldpc.set_max_iterations(max_iterations)

    def counters(self):
        """Counters since the start: those of the deframer, and ldpc_failed, bch_failed, bch_corrected_bits, raw_ber,
        mean_iterations."""
        return {**self.deframer.counters(), "ldpc_failed": self.ldpc.failed(), "bch_failed": self.bch.failed(),
                "bch_corrected_bits": self.bch.corrected_bits(), "raw_ber": self.raw.ber(),
                "mean_iterations": self.ldpc.mean_iterations()}
