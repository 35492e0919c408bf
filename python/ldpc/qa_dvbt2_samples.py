# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of dvbt2_receiver with lost samples, changes of rate or frequency, slow sinks."""
import pathlib
import sys
import tempfile
import threading
import time
import unittest
import zlib

import libdvbt2
import numpy as np
import pmt
from gnuradio import analog, blocks, filter, gr, ldpc

from qa_support import log_of, run_program

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/dvbt2/generate"))
from small_signals import RATE, check_packets, checksums, complex_samples

PACKET = 188


class slow_sink(gr.sync_block):
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
        """While a sink blocks, the reception stops. After that, all packets arrive in order."""
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


def time_of(seconds):
    """Returns a value of tag rx_time."""
    return pmt.make_tuple(pmt.from_uint64(1700000000 + int(seconds)), pmt.from_double(seconds % 1))


def radio_tag(at, key, value):
    made = gr.tag_t()
    made.offset, made.key, made.value = at, pmt.intern(key), value
    return made


def rx_times(offsets, rate=RATE, late=lambda at: 0.0):
    """Returns tags rx_time. late(at) returns the seconds by which the tag at item `at` is late."""
    return [radio_tag(at, "rx_time", time_of(0.75 + at / rate + late(at))) for at in offsets]


def receive(samples, tags=(), between=(), rate=RATE, plps=(-1,)):
    graph, sink, receiver = gr.top_block(), blocks.vector_sink_b(), ldpc.dvbt2_receiver(rate, plps=plps, backend="cpu")
    graph.connect(blocks.vector_source_c(samples, False, 1, list(tags)), *between, receiver, sink)
    graph.run()
    return bytes(sink.data()), receiver


def resampled(samples, interpolation, decimation):
    graph, sink = gr.top_block(), blocks.vector_sink_c()
    graph.connect(blocks.vector_source_c(samples), filter.rational_resampler_ccc(interpolation, decimation), sink)
    graph.run()
    return np.array(sink.data(), np.complex64)


class Gaps(unittest.TestCase):
    REPEATS = 6

    def check(self, receiver, locks):
        status = receiver.status()
        self.assertEqual((status["locks"], status["lost_frames"], status["state"]), (locks, locks - 1, "tracking"))
        self.assertEqual(receiver.counters()["ts_errors"], 0)

    def test_rx_time_tells_that_samples_are_missing(self):
        """The tag rx_time shows that samples were lost. Only the frame with the lost samples is dropped."""
        whole = complex_samples("lite", self.REPEATS)
        expected = receive(whole)[1].counters()["packets"]
        at, frame = len(whole) // 2 + 5000, len(whole) // (2 * self.REPEATS)
        for lost in (6, 23456, 3 * frame):
            with self.subTest(lost=lost):
                tags = rx_times([0, at - 50000, at], late=lambda n: lost / RATE * (n >= at))
                packets, receiver = receive(np.concatenate([whole[:at], whole[at + lost:]]), tags)
                check_packets(self, packets, "lite", "lite", 0, self.REPEATS)
                self.check(receiver, 2)
                counters = receiver.counters()
                self.assertAlmostEqual(counters["packets"] + counters["lost_packets"], expected, delta=3)
                of_frame = len(checksums("lite", "lite", 0)) / 2  # only frames in the gap are lost
                self.assertGreater(len(packets) // PACKET, expected - (lost / frame + 2) * of_frame)

    def test_rx_time_of_samples_that_follow_each_other(self):
        """Tags rx_time on contiguous samples have no effect."""
        seed = int(time.time())
        print("seed", seed)
        rng = np.random.default_rng(seed)
        samples = complex_samples("lite", self.REPEATS)
        expected, _ = receive(samples)
        for what, offsets, late in (
                ("every 10000", range(0, len(samples), 10000), lambda at: 0.0),
                ("anywhere", np.unique(rng.integers(0, len(samples), 100)).tolist(), lambda at: rng.uniform(-0.9, 0.9) / RATE),
                ("0.8 millionths faster", range(5000, len(samples), 400000), lambda at: -0.8e-6 * at / RATE),
                ("not at all at the start", [len(samples) // 2], lambda at: 0.0)):
            with self.subTest(what):
                packets, receiver = receive(samples, rx_times(offsets, late=late))
                self.check(receiver, 1)
                self.assertEqual(packets, expected)

    def test_a_resampler_before_the_receiver(self):
        """The receiver compares times at its own sample rate."""
        whole = complex_samples("lite", self.REPEATS)
        chain = lambda: [filter.rational_resampler_ccc(5, 4)]  # noqa: E731
        rates = [radio_tag(at, "rx_rate", pmt.from_double(RATE)) for at in range(0, len(whole), 70000)]
        expected, _ = receive(whole, (), chain(), RATE * 5 / 4)
        packets, receiver = receive(whole, rx_times(range(0, len(whole), 70001)) + rates, chain(), RATE * 5 / 4)
        self.check(receiver, 1)
        self.assertEqual(packets, expected)
        at = len(whole) // 2 + 5000
        tags = rx_times([0, at], late=lambda n: 23456 / RATE * (n >= at)) + rates
        packets, receiver = receive(np.concatenate([whole[:at], whole[at + 23456:]]), tags, chain(), RATE * 5 / 4)
        check_packets(self, packets, "lite", "lite", 0, self.REPEATS)
        self.check(receiver, 2)

    def test_file_meta_source(self):
        """File Meta Source sets rx_time and rx_rate at the start of each segment."""
        samples = complex_samples("lite", self.REPEATS)
        expected, _ = receive(samples)
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "samples")
            for segment in (100000, 1000000):
                graph = gr.top_block()
                graph.connect(blocks.vector_source_c(samples),
                              blocks.file_meta_sink(gr.sizeof_gr_complex, file, RATE, 1, blocks.GR_FILE_FLOAT, True, segment))
                graph.run()
                del graph  # closes the file
                graph, sink, receiver = gr.top_block(), blocks.vector_sink_b(), ldpc.dvbt2_receiver(RATE, backend="cpu")
                graph.connect(blocks.file_meta_source(file), receiver, sink)
                graph.run()
                self.check(receiver, 1)
                self.assertEqual(bytes(sink.data()), expected)

    def test_an_rx_time_of_another_kind(self):
        program = ("from qa_dvbt2_samples import *\n"
                   "samples = complex_samples('lite', 2)\n"
                   "_, receiver = receive(samples, [radio_tag(at, 'rx_time', pmt.from_double(at / RATE)) for at in (0, 400000)])\n"
                   "assert receiver.status()['locks'] == 1\n")
        done = run_program(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("ignoring a tag rx_time"), 1, done)


class Tuning(unittest.TestCase):
    REPEATS = 4

    def check(self, packets, receiver, *signals):
        """Asserts that no signal loses more than one frame. The last signal must not lose a frame."""
        crcs = [zlib.crc32(packets[i:i + PACKET]) for i in range(0, len(packets), PACKET)]
        for signal in signals:
            sent = checksums(*signal, 0)
            lost = 0 if signal is signals[-1] else len(sent) // 2
            self.assertGreaterEqual(sum(crc in sent for crc in crcs), self.REPEATS * (len(sent) - 1) - lost - 1)
        self.assertLessEqual(sum(all(crc not in checksums(*signal, 0) for signal in signals) for crc in crcs), 2 * self.REPEATS)
        self.assertEqual((receiver.status()["locks"], receiver.status()["state"]), (2, "tracking"))

    def test_a_later_rx_rate(self):
        whole = complex_samples("lite", self.REPEATS)
        at = len(whole) - 12345
        samples = np.concatenate([whole[:at], resampled(whole, 5, 4)])
        sent = checksums("lite", "lite", 0)
        for radio in (RATE, 20e6):
            tags = [radio_tag(0, "rx_rate", pmt.from_double(radio)), radio_tag(at, "rx_rate", pmt.from_double(radio * 5 / 4))]
            packets, receiver = receive(samples, tags)
            self.check(packets, receiver, ("lite", "lite"))
            self.assertGreater(len(packets) // PACKET, (2 * self.REPEATS - 1) * len(sent))

    def test_a_rate_that_cannot_be_received(self):
        """An unsupported rate is logged. Reception continues at the old rate."""
        done = run_program("""
from qa_dvbt2_samples import *
whole = complex_samples("lite", 3)
tags = [radio_tag(i * len(whole), "rx_rate", pmt.from_double(rate)) for i, rate in enumerate((RATE, RATE / 2, RATE))]
packets, receiver = receive(np.concatenate([whole, whole[::2], whole[:len(whole) // 2], whole]), tags)
sent = checksums("lite", "lite", 0)
print(sum(zlib.crc32(packets[i:i + PACKET]) in sent for i in range(0, len(packets), PACKET)) > 5 * (len(sent) - 1))
""")
        self.assertRegex(done.stdout, "tag rx_rate: sample rate .* MHz; no reception")
        self.assertIn("True", done.stdout)

    def test_set_channel_and_rx_rate_together(self):
        """A change of the variable calls set_channel() and changes the tag rx_rate. The sample rate must be scaled only once."""
        whole = complex_samples("lite", self.REPEATS)
        graph, sink, receiver = gr.top_block(), blocks.vector_sink_b(), ldpc.dvbt2_receiver(RATE, backend="cpu")
        tags = [radio_tag(at, "rx_rate", pmt.from_double(rate)) for at, rate in ((0, RATE), (1000, RATE * 5 / 4))]
        samples = np.concatenate([whole[:1000], resampled(whole, 5, 4)])
        receiver.set_channel(8, RATE * 5 / 4)
        receiver.set_channel(8, RATE)
        graph.connect(blocks.vector_source_c(samples, False, 1, tags), receiver, sink)
        graph.run()
        receiver.set_channel(8, RATE * 5 / 4)  # rate of the tag
        self.assertEqual(receiver.status()["state"], "tracking")
        check_packets(self, bytes(sink.data()), "lite", "lite", 0, self.REPEATS)

    def test_a_changed_rx_freq(self):
        """The first frame after a change of the channel is received."""
        first, second = complex_samples("lite", self.REPEATS), complex_samples("type2", self.REPEATS)
        at = len(first) - 12345
        tags = [radio_tag(where, "rx_freq", pmt.from_double(hertz)) for where, hertz in ((0, 546e6), (70000, 546e6), (at, 554e6))]
        packets, receiver = receive(np.concatenate([first[:at], second]), tags)
        self.check(packets, receiver, ("lite", "lite"), ("type2", "base"))

    def test_a_carrier_that_is_moved(self):
        whole = complex_samples("lite", 2 * self.REPEATS)
        at = len(whole) // 2 + 5000
        moved = whole * np.exp(-2j * np.pi * (50e3 / RATE * np.arange(len(whole)) % 1)).astype(np.complex64)
        tags = [radio_tag(where, "rx_freq", pmt.from_double(hertz)) for where, hertz in ((0, 546e6), (at, 546.05e6))]
        packets, receiver = receive(np.concatenate([whole[:at], moved[at:]]), tags)
        check_packets(self, packets, "lite", "lite", 0, 2 * self.REPEATS)
        status = receiver.status()
        self.assertEqual((status["locks"], status["lost_frames"], status["state"]), (2, 1, "tracking"))
        self.assertAlmostEqual(status["carrier_hz"], -50e3, delta=100)


class Silence(unittest.TestCase):
    """A receiver without output logs one warning."""

    def noise(self, seconds):
        graph, receiver = gr.top_block(), ldpc.dvbt2_receiver(RATE, backend="cpu")
        graph.connect(analog.noise_source_c(analog.GR_GAUSSIAN, 0.1), blocks.head(gr.sizeof_gr_complex, round(seconds * RATE)),
                      receiver, blocks.null_sink(1))
        graph.run()

    def test_no_signal(self):
        self.assertNotIn("nothing was received", log_of(lambda: self.noise(0.9)))
        said = log_of(lambda: self.noise(2.2))
        self.assertEqual(said.count("nothing was received"), 1, said)
        self.assertRegex(said, "nothing was received in the first 1.. s: .+sample_rate, bandwidth, offset or format")

    def test_a_plp_that_needs_more_signal(self):
        samples = complex_samples("2plp", 3)
        rng = np.random.default_rng(1)
        power = np.mean(np.abs(samples) ** 2)
        noisy = samples + np.float32(np.sqrt(power / 2 / 8)) * rng.standard_normal(2 * len(samples), np.float32).view(np.complex64)
        for received, plp, times in ((noisy, 1, 1), (noisy, 0, 0), (samples, 1, 0)):
            said = log_of(lambda: receive(received, plps=[plp]))
            self.assertEqual(said.count("codewords could be decoded"), times, said)
            self.assertEqual(said.count("nothing was received"), 0, said)
            self.assertEqual(said.count("PLP 1: none of the first"), times, said)


if __name__ == "__main__":
    unittest.main()
