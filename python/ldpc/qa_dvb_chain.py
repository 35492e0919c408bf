#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the receive chain from cells to packets, with gr-dtv and noise."""
import gc
import subprocess
import sys
import time
import unittest

import numpy as np
import pmt
from gnuradio import analog, blocks, dtv, gr, ldpc
from gnuradio.ldpc.dvbs2_acm import S2, S2X, SHORT
from gnuradio.ldpc.ldpc_python import dvb_bb_deframer_bb, reference_count

from qa_support import NO_GPU, byte_source, output, tags_of

# Required Es/N0 in dB, long frames, AWGN. T2: TS 102 831, table 44 (BER 1e-7 after LDPC).
T2 = {"qpsk": {"1/2": 1.0, "3/5": 2.3, "2/3": 3.1, "3/4": 4.1, "4/5": 4.7, "5/6": 5.2},
      "16qam": {"1/2": 6.2, "3/5": 7.6, "2/3": 8.9, "3/4": 10.0, "4/5": 10.8, "5/6": 11.3},
      "64qam": {"1/2": 10.5, "3/5": 12.3, "2/3": 13.6, "3/4": 15.1, "4/5": 16.1, "5/6": 16.7},
      "256qam": {"1/2": 14.4, "3/5": 16.7, "2/3": 18.1, "3/4": 20.0, "4/5": 21.3, "5/6": 22.0}}


def transport_stream(packets, seed=1):
    ts = np.random.default_rng(seed).integers(0, 256, (packets, 188), np.uint8)
    ts[:, 0], ts[:, 1] = 0x47, ts[:, 1] & 0x7F
    return ts


def receiver(code, modulation, **options):
    return ldpc.dvbs2_fec_decoder(code, modulation, **{"backend": "cpu", "max_iterations": 25, **options})


class Burst(gr.sync_block):
    def __init__(self, begin, end):
        super().__init__("burst", [np.complex64], [np.complex64])
        self.begin, self.end, self.at = begin, end, 0
        self.noise = np.random.default_rng(2)

    def work(self, input_items, output_items):
        cells = input_items[0]
        hit = np.arange(self.at, self.at + len(cells))
        hit = (hit >= self.begin) & (hit < self.end)
        noise = self.noise.normal(0, 0.7, (2, hit.sum()))
        output_items[0][:] = cells
        output_items[0][hit] = noise[0] + 1j * noise[1]
        self.at += len(cells)
        return len(cells)


def transmit(ts, code, modulation, rotated, esn0, decoder, high_efficiency=False, between=()):
    """Transmits packets to `decoder`. Returns the received packets and the sink."""
    graph, sink, adder = gr.top_block(), blocks.vector_sink_b(), blocks.add_cc()
    adder.set_alignment(1)  # otherwise the last cells remain in this block on CPUs with AVX-512
    noise = analog.noise_source_c(analog.GR_GAUSSIAN, 10 ** (-esn0 / 20), 3)
    graph.connect(byte_source(ts), *ldpc.dvb_fec_encoder(code, high_efficiency),
                  *ldpc.dvb_mapper(code, modulation, rotated), *between, adder, decoder, sink)
    graph.connect(noise, (adder, 1))
    graph.run()
    return output(sink).reshape(-1, 188), sink


def packets_for(code, frames):
    return frames * (ldpc.bch(code).k - 80) // 8 // 188 + 1


@unittest.skipUnless(hasattr(ldpc, "dvbt2_fec_decoder"), "built without libdvbt2")
class T2TransportStream(unittest.TestCase):
    CODE = "dvbt2:16200:1/2"

    @staticmethod
    def interleaver(code, modulation, fec_blocks, ti_blocks):
        size = dtv.FECFRAME_NORMAL if ":64800:" in code else dtv.FECFRAME_SHORT
        return dtv.dvbt2_cellinterleaver_cc(size, getattr(dtv, "MOD_" + modulation.upper()), fec_blocks, ti_blocks)

    def check(self, code, modulation, rotated, esn0, fec_blocks=2, ti_blocks=1, frames=2, high_efficiency=False, **options):
        """Sends packets through gr-dtv's cell and time interleaver and the channel, and tests the received packets."""
        ts = transport_stream(packets_for(code, fec_blocks * frames + 2))
        decoder = ldpc.dvbt2_fec_decoder(code, modulation, rotated, fec_blocks, ti_blocks, 10 ** (-esn0 / 10), "cpu", **options)
        got, _ = transmit(ts, code, modulation, rotated, esn0, decoder, high_efficiency,
                          [self.interleaver(code, modulation, fec_blocks, ti_blocks)])
        counters, what = decoder.counters(), f"{code} {modulation} {'rotated' if rotated else ''}"
        self.assertGreaterEqual(counters["codewords"], fec_blocks * frames, what)
        self.assertEqual(len(got), counters["codewords"] * (ldpc.bch(code).k - 80) // 8 // (187 if high_efficiency else 188), what)
        np.testing.assert_array_equal(got, ts[:len(got)], what)
        self.assertTrue(0.001 < counters["bit_errors"] / counters["bits"] < 0.25, what)

    def test_long_frames(self):
        for modulation, thresholds in T2.items():
            for rate, threshold in thresholds.items():
                for rotated in (False, True):
                    self.check(f"dvbt2:64800:{rate}", modulation, rotated, threshold + 1, high_efficiency=rotated)

    def test_short_frames(self):
        """The nominal rate 1/2 is really 4/9."""
        for rate, modulation, rotated in (("1/2", "qpsk", True), ("1/2", "16qam", False), ("3/5", "16qam", True),
                                          ("2/3", "64qam", True), ("3/4", "64qam", False), ("5/6", "256qam", False)):
            self.check(f"dvbt2:16200:{rate}", modulation, rotated, T2[modulation][rate] + SHORT + 1, fec_blocks=6)

    def test_interleaving_frames(self):
        for fec_blocks, ti_blocks in ((4, 2), (7, 3), (3, 0), (1, 1)):
            self.check(self.CODE, "64qam", False, 12.0, fec_blocks, ti_blocks, frames=3)

    def test_options_of_the_decoder(self):
        self.check(self.CODE, "16qam", False, 7.5, exact=True, threads=2, max_iterations=30)

    def test_noise(self):
        """With a very large noise power, decoding fails. set_noise() restores the noise power."""
        ts = transport_stream(packets_for(self.CODE, 6))
        for set_noise, packets in ((None, 0), (0.1, 20)):
            decoder = ldpc.dvbt2_fec_decoder(self.CODE, "qpsk", False, 2, 1, noise=1e6, backend="cpu")
            if set_noise:
                decoder.set_noise(set_noise)
            got, _ = transmit(ts, self.CODE, "qpsk", False, 12.0, decoder, between=[self.interleaver(self.CODE, "qpsk", 2, 1)])
            self.assertEqual(len(got) > packets, bool(set_noise))
        self.assertRaisesRegex(ValueError, "greater than 0, not 0", decoder.set_noise, 0)

    def test_what_is_left_over_at_the_end_is_logged_once(self):
        program = ("from gnuradio import blocks, gr, ldpc; graph = gr.top_block(); "
                   "decoder = ldpc.dvbt2_fec_decoder('dvbt2:16200:1/2', '256qam', fec_blocks=2, backend='cpu'); "
                   "graph.connect(blocks.null_source(8), blocks.head(8, {}), decoder, blocks.null_sink(1)); graph.run()")
        for cells, logged in ((3 * 2 * 2025 - 5, 1), (3 * 2 * 2025, 0)):
            result = subprocess.run([sys.executable, "-B", "-c", program.format(cells)], capture_output=True, text=True, check=True)
            self.assertEqual((result.stdout + result.stderr).count("dropped its first 4045 of 4050 cells"), logged)

    def test_wrong_arguments(self):
        good = {"code": self.CODE, "modulation": "qpsk"}
        for wrong, sentence in (({"code": "dvbs2:64800:1/2"}, "code of DVB-T2"), ({"code": ""}, "code of DVB-T2"), ({"code": 50 * "x"}, "a DVB-T2 code"),
                                ({"modulation": "32apsk"}, "32apsk"), ({"modulation": 50 * "x"}, "modulation must be"),
                                ({"fec_blocks": 0}, "fec_blocks must be 1 .. 1023, not 0"), ({"fec_blocks": 1024}, "not 1024"),
                                ({"ti_blocks": -1}, "not -1"), ({"ti_blocks": 256}, "not 256"), ({"noise": 0.0}, "greater than 0"),
                                ({"backend": "tpu"}, "backend")):
            with self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbt2_fec_decoder(**{**good, **wrong})


class TransportStream(unittest.TestCase):
    def check(self, code, modulation, esn0, frames, **options):
        ts = transport_stream(packets_for(code, frames))
        decoder = receiver(code, modulation, **options)
        got, _ = transmit(ts, code, modulation, False, esn0, decoder)
        counters, what = decoder.counters(), f"{code} {modulation}"
        self.assertGreaterEqual(counters["frames"], frames // 2, what)
        self.assertEqual(len(got), counters["frames"] * (ldpc.bch(code).k - 80) // 8 // 188, what)
        np.testing.assert_array_equal(got, ts[:len(got)], what)
        self.assertTrue(0.001 < counters["raw_ber"] < 0.25, what)
        return counters

    def test_s2(self):
        for modulation, thresholds in S2.items():
            for rate, threshold in thresholds.items():
                self.check(f"dvbs2:64800:{rate}", modulation, threshold + 1, 4)
        for rate, modulation in (("1/4", "qpsk"), ("2/3", "8psk"), ("5/6", "16apsk"), ("8/9", "32apsk")):
            self.check(f"dvbs2:16200:{rate}", modulation, S2[modulation][rate] + SHORT + 1, 12)

    def test_s2x(self):
        """Every S2X code and constellation of gr-dtv."""
        for modulation, thresholds in S2X.items():
            for code, threshold in thresholds.items():
                self.check(code, modulation, threshold + 1, 12 if ":16200:" in code else 3)

    def test_noise_that_is_known(self):
        self.check("dvbs2:64800:2/3", "8psk", 7.7, 6, noise=10 ** -0.77, exact=True)

    def test_gpu_or_not(self):
        self.check("dvbs2:16200:2/3", "8psk", 8.0, 12, backend="gpu", fallback=True)

    @unittest.skipIf(NO_GPU, NO_GPU)
    def test_on_a_gpu(self):
        """CUDA decodes many codewords at once."""
        for code, modulation, threshold in (
                ("dvbs2:64800:1/2", "qpsk", S2["qpsk"]["1/2"]), ("dvbs2:16200:2/3", "8psk", S2["8psk"]["2/3"] + SHORT),
                ("dvbs2:64800:3/4", "16apsk", S2["16apsk"]["3/4"])):
            counters = self.check(code, modulation, threshold + 1, 40, backend="cuda")
            self.assertEqual((counters["ldpc_failed"], counters["bch_failed"]), (0, 0))

    def test_threads(self):
        self.check("dvbs2:16200:2/3", "8psk", 8.0, 40, threads=2)


class Receiver(unittest.TestCase):
    CODE = "dvbs2:16200:2/3"

    def test_burst(self):
        """Only packets with bits in noisy frames are lost."""
        ts = transport_stream(packets_for(self.CODE, 40))
        cells = 16200 // 4
        decoder = receiver(self.CODE, "16apsk")
        got, sink = transmit(ts, self.CODE, "16apsk", False, 12.0, decoder, between=[Burst(10 * cells + 100, 13 * cells - 100)])
        counters, data = decoder.counters(), (ldpc.bch(self.CODE).k - 80) // 8
        self.assertEqual(counters["bch_failed"], 3)
        first, last = 10 * data // 188, -(-13 * data // 188)  # packets with bits in frames 10 .. 12
        right = [packet.tobytes() for packet in got if not packet[1] & 0x80]
        sent = [packet.tobytes() for packet in ts]
        end = counters["frames"] * data // 188
        self.assertEqual(right, sent[:first] + [p for p in right if p in set(sent[first:last])] + sent[last:end])
        self.assertTrue(tags_of(sink, "bb_broken"))
        self.assertGreater(len(tags_of(sink, "bb_frame")), 30)

    def test_end_inside_a_word(self):
        """If the stream ends inside a frame, all earlier packets are output."""
        decoder = receiver(self.CODE, "qpsk")
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        ts = transport_stream(packets_for(self.CODE, 12))
        graph.connect(byte_source(ts), *ldpc.dvb_fec_encoder(self.CODE), *ldpc.dvb_mapper(self.CODE, "qpsk"),
                      blocks.head(gr.sizeof_gr_complex, 5 * 8100 + 1234), decoder, sink)
        graph.run()
        got = output(sink).reshape(-1, 188)
        self.assertEqual(decoder.counters()["frames"], 5)
        self.assertEqual(len(got), 5 * (ldpc.bch(self.CODE).k - 80) // 8 // 188)
        np.testing.assert_array_equal(got, ts[:len(got)])

    def test_statistics(self):
        decoder, messages = receiver(self.CODE, "16apsk", stats_interval=0.05), blocks.message_debug()
        graph, adder = gr.top_block(), blocks.add_cc()
        graph.connect(blocks.vector_source_b(transport_stream(500).ravel().tolist(), True),
                      *ldpc.dvb_fec_encoder(self.CODE), *ldpc.dvb_mapper(self.CODE, "16apsk"), adder, decoder, blocks.null_sink(1))
        graph.connect(analog.noise_source_c(analog.GR_GAUSSIAN, 10 ** (-12 / 20), 3), (adder, 1))
        graph.msg_connect(decoder, "stats", messages, "store")
        graph.start()
        end = time.monotonic() + 60
        while messages.num_messages() < 4 and time.monotonic() < end:
            time.sleep(0.05)
        graph.stop()
        graph.wait()
        self.assertGreaterEqual(messages.num_messages(), 4)
        stats = {}
        for i in range(messages.num_messages()):
            stats.update(pmt.to_python(messages.get_message(i)))
        self.assertAlmostEqual(stats["mer_db"], 12, delta=0.5)
        self.assertTrue(0.01 < stats["raw_ber"] < 0.1)
        self.assertTrue(1 < stats["mean_iterations"] < 25)
        self.assertEqual((stats["bch_failed"], stats["ts_errors"], stats["header_errors"]), (0, 0, 0))
        self.assertGreater(stats["total_packets"], 0)

    def test_statistics_of_a_short_stream(self):
        """The sum of the counts in all messages is correct, also in a second run."""
        for interval in (0.01, 10.0):
            decoder, messages = receiver(self.CODE, "16apsk", stats_interval=interval), blocks.message_debug()
            source = byte_source(transport_stream(packets_for(self.CODE, 60)))
            graph, adder = gr.top_block(), blocks.add_cc()
            graph.connect(source, *ldpc.dvb_fec_encoder(self.CODE), *ldpc.dvb_mapper(self.CODE, "16apsk"), adder, decoder,
                          blocks.null_sink(1))
            graph.connect(analog.noise_source_c(analog.GR_GAUSSIAN, 10 ** (-12 / 20), 3), (adder, 1))
            graph.msg_connect(decoder, "stats", messages, "store")
            heard = 0
            for _ in range(2):
                graph.run()
                stats = [pmt.to_python(messages.get_message(i)) for i in range(heard, messages.num_messages())]
                heard = messages.num_messages()
                counters = decoder.counters()
                self.assertGreater(counters["frames"], 55)
                self.assertEqual(stats[-1]["total_packets"], counters["packets"])
                for name in ("packets", "frames", "ldpc_failed", "bch_failed", "bch_corrected_bits"):
                    self.assertEqual(sum(message[name] for message in stats), counters[name], name)
                self.assertEqual(sum(message["ldpc_frames"] for message in stats), counters["frames"])
                self.assertAlmostEqual(stats[-1]["mer_db"], 12, delta=0.5)
                source.rewind()

    def test_wrong_arguments(self):
        for make, sentence in ((lambda: ldpc.dvbs2_fec_decoder("dvbt2:64800:1/2", "qpsk"), "a DVB-S2 or S2X code"),
                               (lambda: ldpc.dvbs2_fec_decoder(None, "qpsk"), "a DVB-S2 or S2X code"),
                               (lambda: receiver(self.CODE, "64qam"), "64qam"),
                               (lambda: receiver(self.CODE, "qpsk", backend="tpu"), "no backend \"tpu\"")):
            with self.assertRaisesRegex(ValueError, sentence):
                make()

    def test_wrong_arguments_of_the_transmitter(self):
        for code in ("wimax:64800:2/3", "dvbc2:64800:2/3", "", None):
            self.assertRaisesRegex(ValueError, "a DVB-T2, DVB-S2 or S2X code", ldpc.dvb_fec_encoder, code)
        self.assertRaisesRegex(ValueError, "frames of 64800, 61560 or 16200", ldpc.dvb_fec_encoder, "dvbs2x:30780:1/3")
        for code in ("dvbt2:64800:7/9", "dvbt2:64800", "dvbs2:1:1/2", "dvbt2:64800:2/3:1"):
            self.assertRaisesRegex(ValueError, code, ldpc.dvb_fec_encoder, code)
        self.assertRaisesRegex(ValueError, "16qam", ldpc.dvb_mapper, "dvbs2:64800:2/3", "16qam")
        self.assertRaisesRegex(ValueError, "abc", ldpc.dvb_mapper, self.CODE, "abc")
        self.assertRaisesRegex(ValueError, "rotated", ldpc.dvb_mapper, "dvbs2:64800:2/3", "qpsk", rotated=True)


class Freed(unittest.TestCase):
    """Receiver blocks are freed. GNU Radio alone never frees blocks with message ports."""
    CODE = "dvbs2:16200:2/3"

    def graph(self, messages):
        """Returns the flowgraph, and the LDPC decoder block of the receiver."""
        graph, decoder = gr.top_block(), receiver(self.CODE, "16apsk", stats_interval=10.0)
        graph.connect(byte_source(transport_stream(packets_for(self.CODE, 12))), *ldpc.dvb_fec_encoder(self.CODE),
                      *ldpc.dvb_mapper(self.CODE, "16apsk"), decoder, blocks.null_sink(1))
        graph.msg_connect(decoder, "stats", messages, "store")
        return graph, decoder.deframer

    def test_never_connected(self):
        alone = reference_count(dvb_bb_deframer_bb(self.CODE))
        decoder = receiver(self.CODE, "16apsk")
        inner = [decoder.demapper, decoder.ldpc, decoder.bch, decoder.deframer]
        self.assertTrue(all(reference_count(block) > alone for block in inner))
        del decoder
        self.assertEqual([reference_count(block) for block in inner], [alone] * len(inner))

    def test_after_a_flowgraph_that_alone_had_it(self):
        alone, messages = reference_count(dvb_bb_deframer_bb(self.CODE)), blocks.message_debug()
        graph, inner = self.graph(messages)
        gc.collect()
        graph.run()
        self.assertEqual(pmt.to_python(messages.get_message(0))["frames"], 12)
        self.assertGreater(reference_count(inner), alone)
        del graph
        receiver(self.CODE, "16apsk")  # a new block frees earlier blocks that flowgraphs used when Python released them
        self.assertEqual(reference_count(inner), alone)


if __name__ == "__main__":
    unittest.main(verbosity=2)
