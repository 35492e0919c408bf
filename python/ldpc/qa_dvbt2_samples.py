# SPDX-License-Identifier: GPL-3.0-or-later
"""dvbt2_receiver where samples are lost, and where its packets are not taken."""
import pathlib
import sys
import threading
import time
import unittest

import libdvbt2
import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/dvbt2"))
from small_signals import RATE, check_packets, checksums, complex_samples

PACKET = 188


class slow_sink(gr.sync_block):
    """Takes nothing before `gate` is set, then little at a time."""

    def __init__(self):
        super().__init__("slow_sink", [np.uint8], None)
        self.asked, self.gate, self.kept = threading.Event(), threading.Event(), []

    def work(self, input_items, output_items):
        self.asked.set()
        self.gate.wait(60)
        count = min(len(input_items[0]), 100 * PACKET)
        self.kept.append(input_items[0][:count].tobytes())
        return count


class SlowSink(unittest.TestCase):
    def test_a_sink_that_is_slow(self):
        """While it takes nothing, no more is received than buffers have room for; then all packets come, in order."""
        samples, repeats = complex_samples("2plp", 1), 30
        decoder = libdvbt2.plp_decoder()
        every = libdvbt2.receive(libdvbt2.receiver(RATE, plps=[1]), decoder, [samples] * repeats)
        expected = b"".join(part.tobytes() for part in every)
        graph, source, sink = gr.top_block(), blocks.vector_source_c(samples, True), slow_sink()
        receiver = ldpc.dvbt2_receiver(RATE, plps=[1], backend="cpu")
        graph.connect(source, blocks.head(gr.sizeof_gr_complex, repeats * len(samples)), receiver, sink)
        graph.start()
        self.assertTrue(sink.asked.wait(60))
        before = -1
        while before < source.nitems_written(0):
            before = source.nitems_written(0)
            time.sleep(1)
        self.assertLess(before, 2 * repeats * len(samples) // 3)
        self.assertEqual(sink.kept, [])
        sink.gate.set()
        graph.wait()
        self.assertEqual(b"".join(sink.kept), expected)
        self.assertEqual(receiver.counters()["packets"], len(expected) // PACKET)


class Gaps(unittest.TestCase):
    REPEATS = 6

    def receive(self, samples, times):
        """Packets and status, with tags rx_time at these samples, as radios set them."""
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        tags = [gr.tag_utils.python_to_tag((at, pmt.intern("rx_time"), pmt.to_pmt((at, 0.0)))) for at in times]
        receiver = ldpc.dvbt2_receiver(RATE, backend="cpu")
        graph.connect(blocks.vector_source_c(samples, False, 1, tags), receiver, sink)
        graph.run()
        return bytes(sink.data()), receiver

    def test_rx_time_tells_that_samples_are_missing(self):
        """The frame is given up at that sample, the next one is received; at the first sample of all the tag says nothing."""
        whole = complex_samples("lite", self.REPEATS)
        for lost, times, locks in ((0, [0], 1), (0, [0, len(whole) // 2 + 5000], 2), (23456, [0, len(whole) // 2 + 5000], 2)):
            with self.subTest(lost=lost, times=times):
                at = times[-1]
                packets, receiver = self.receive(np.concatenate([whole[:at], whole[at + lost:]]), times)
                check_packets(self, packets, "lite", "lite", 0, self.REPEATS)
                status = receiver.status()
                self.assertEqual((status["locks"], status["lost_frames"], status["state"]), (locks, locks - 1, "tracking"))
                self.assertEqual(receiver.counters()["ts_errors"], 0)
                self.assertGreater(len(packets) // PACKET, (self.REPEATS - 1) * len(checksums("lite", "lite", 0)))


if __name__ == "__main__":
    unittest.main()
