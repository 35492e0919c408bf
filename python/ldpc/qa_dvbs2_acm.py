# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of ACM: dvbs2_transmitter with one stream and several MODCODs, dvbs2_acm, and both in a loop."""
import math
import unittest

import numpy as np
import pmt
from gnuradio import analog, blocks, gr, ldpc
from qa_dvbs2_receiver import PACKET, stream

MODCODS = ["qpsk:16200:1/2", "8psk:16200:3/4", "32apsk:16200:5/6"]


def dvbs2_status(esn0_db, locked=True):
    return pmt.to_pmt({"esn0_db": esn0_db, "locked": locked})


class qa_dvbs2_acm(unittest.TestCase):
    def setUp(self):
        self.packets = stream(700, 1)

    def assert_sent(self, got, least):
        self.assertGreater(len(got), least * PACKET)
        self.assertEqual(bytes(got), self.packets.tobytes()[:len(got)])

    def test_one_stream_with_several_modcods(self):
        """Packets continue in frames of another MODCOD and length. A second run begins with the first packet."""
        for rolloff in (0.2, 0.05):
            graph, sink = gr.top_block(), blocks.vector_sink_b()
            source = blocks.vector_source_b(self.packets[:300].ravel().tolist())
            transmitter = ldpc.dvbs2_transmitter([*MODCODS, "8psk:64800:2/3"], order=[0, 1, 3, 0, 2], rolloff=rolloff, acm=True)
            receiver = ldpc.dvbs2_receiver(2e6, 1e6)
            graph.connect(source, transmitter, receiver, sink)
            for _ in range(2):
                graph.run()
                self.assert_sent(sink.data(), 200)
                source.rewind()
                sink.reset()
            status = receiver.status()
            self.assertEqual((status["failed_frames"], status["lost_packets"], status["ts_errors"]), (0, 0, 0))

    def test_thresholds(self):
        for name, threshold in (("qpsk:64800:1/2", 1.0), ("qpsk:16200:1/2", 1.3), ("256apsk:64800:135/180", 19.57), ("16apsk:16200:3/5", 8.05)):
            self.assertAlmostEqual(ldpc.dvbs2_threshold(name), threshold)
        for name in ldpc.dvbs2_modcods(s2x=True):
            self.assertTrue(-3 < ldpc.dvbs2_threshold(name) < 20, name)
        with self.assertRaisesRegex(ValueError, "qpsk:64800:7/8"):
            ldpc.dvbs2_threshold("qpsk:64800:7/8")

    def test_selection(self):
        """Thresholds of the MODCODs: 1.3, 8.21 and 14.58 dB."""
        acm, chosen = ldpc.dvbs2_acm(MODCODS, margin=1, hysteresis=0.5), []
        acm.message_port_pub = lambda _port, message: chosen.append(pmt.to_python(pmt.cdr(message)))
        for esn0_db, locked, expected in ((0, True, 0), (9.6, True, 0), (9.8, True, 1), (9.3, True, 1), (9.1, True, 0), (20, True, 2), (15.7, True, 2),
                                          (15.5, True, 1), (20, False, 0)):
            before = len(chosen)
            acm.take(dvbs2_status(esn0_db, locked))
            self.assertEqual((chosen or [None])[-1], MODCODS[expected], (esn0_db, locked))
            self.assertLessEqual(len(chosen) - before, 1)
        self.assertEqual(len(chosen), 6)  # only changes are sent
        for ignored in (pmt.intern("other"), dvbs2_status("20"), dvbs2_status(None)):
            acm.take(ignored)
        with self.assertRaisesRegex(ValueError, "not nan"):
            acm.set_margin(math.nan)
        acm.set_margin(-5)
        acm.take(dvbs2_status(5))
        self.assertEqual(chosen[-1], MODCODS[1])

    def test_loop(self):
        """The noise rises by 10 dB and falls again. The MODCOD follows, and no packet is lost."""
        graph, sink, adder, noise = gr.top_block(), blocks.vector_sink_b(), blocks.add_cc(), blocks.multiply_cc()
        source, used = blocks.vector_source_b(self.packets.ravel().tolist(), True), blocks.message_debug()
        level = 10 ** (-np.interp(np.linspace(0, 1, 2000), [0, 0.4, 0.6, 1], [20, 10, 10, 20]) / 20)
        ramp = blocks.vector_source_c(level.tolist())
        transmitter = ldpc.dvbs2_transmitter(MODCODS, order=[0], acm=True)
        receiver, acm = ldpc.dvbs2_receiver(2e6, 1e6, status_interval=0.01), ldpc.dvbs2_acm(MODCODS, margin=2.5)
        graph.connect(source, transmitter, (adder, 0))
        graph.connect(analog.noise_source_c(analog.GR_GAUSSIAN, math.sqrt(2), 1), noise, (adder, 1))
        graph.connect(ramp, blocks.repeat(gr.sizeof_gr_complex, 2000), (noise, 1))
        graph.connect(adder, receiver, sink)
        graph.msg_connect((receiver, "status"), (acm, "status"))
        graph.msg_connect((acm, "modcod"), (transmitter, "modcod"))
        graph.msg_connect((acm, "modcod"), (used, "store"))
        graph.run()
        got = bytes(sink.data())
        sent = self.packets.tobytes() * (1 + len(got) // len(self.packets.tobytes()))
        self.assertEqual(got, sent[:len(got)])
        self.assertEqual(receiver.status()["failed_frames"], 0)
        names = [pmt.to_python(pmt.cdr(used.get_message(i))) for i in range(used.num_messages())]
        self.assertEqual(set(names), set(MODCODS))
        self.assertGreaterEqual(len(names), 4)

    def test_arguments(self):
        for make, sentence in ((lambda: ldpc.dvbs2_acm([]), "at least one name"), (lambda: ldpc.dvbs2_acm(["qpsk:64800:7/8"]), "7/8"),
                               (lambda: ldpc.dvbs2_acm(MODCODS, hysteresis=-1), "hysteresis must be 0 or more dB"), (lambda: ldpc.dvbs2_acm(MODCODS, math.nan), "not nan")):
            self.assertRaisesRegex(ValueError, sentence, make)


if __name__ == "__main__":
    unittest.main()
