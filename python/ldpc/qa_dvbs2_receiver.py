# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of dvbs2_receiver with dvbs2_transmitter."""
import math
import unittest

import libdvbs2
import libldpc
import numpy as np
import pmt
from gnuradio import blocks, channels, gr, ldpc
from gnuradio.ldpc import dvbt2_display
from gnuradio.ldpc.dvbs2_framing import Order, frame_mux
from qa_dvbt2_receiver import messages, pdus

PACKET = 188
ROLLOFF = 0.25


def stream(count, seed):
    """Returns packets with random bytes."""
    packets = np.random.default_rng(seed).integers(0, 256, (count, PACKET), np.uint8)
    packets[:, 0] = 0x47
    packets[:, 1] &= 0x7F
    return packets


def signal(modcods, streams, noise=0.2, **options):
    """Returns the samples of a signal with a carrier offset and noise."""
    graph, samples = gr.top_block(), blocks.vector_sink_c()
    transmitter = ldpc.dvbs2_transmitter(modcods, rolloff=ROLLOFF, **options)
    for port, packets in enumerate(streams):
        graph.connect(blocks.vector_source_b(packets.ravel().tolist()), (transmitter, port))
    graph.connect(transmitter, channels.channel_model(noise, 0.02, 1.0, [1.0], 1), samples)
    del transmitter  # the flowgraph keeps its blocks
    graph.run()
    return np.array(samples.data(), np.complex64)


class qa_dvbs2_receiver(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.packets = stream(240, 1)
        cls.samples = signal(["8psk:16200:3/4"], [cls.packets])

    def receive(self, samples, **options):
        """Returns receiver, packets, and messages of the ports status, frames and constellation."""
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        receiver = ldpc.dvbs2_receiver(2e6, 1e6, status_interval=0.02, **options)
        status, frames, cells = messages(), pdus(), pdus()
        width = {"cf32": 1}.get(options.get("format", "cf32"), 2)
        source = blocks.vector_source_c(samples.tolist()) if width == 1 else blocks.vector_source_s(samples.ravel().tolist(), False, 2)
        graph.connect(source, receiver, sink)
        for port, block in (("status", status), ("frames", frames), ("constellation", cells)):
            graph.msg_connect((receiver, port), (block, "in"))
        graph.run()
        self.tags = sink.tags()
        return receiver, np.array(sink.data(), np.uint8).reshape(-1, PACKET), status.kept, frames.kept, cells.kept

    def assert_packets(self, got):
        sent, received = self.packets.tobytes(), got.tobytes()
        self.assertGreater(len(got), 100)
        self.assertEqual(sent.find(received) % PACKET, 0)

    def test_one_of_two_carriers(self):
        """The offset selects a carrier in a band with another, stronger one."""
        count = len(self.samples) // 2 * 2
        low, high = np.split(np.fft.fft(self.samples[:count]), 2)
        wide = np.fft.ifft(np.concatenate([low, np.zeros(3 * count), high])) * 4
        turns = np.arange(len(wide)) / 8e6
        band = wide * np.exp(2j * np.pi * 2.3e6 * turns) + 2 * np.roll(wide, 1000) * np.exp(2j * np.pi * 0.3e6 * turns)
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        receiver = ldpc.dvbs2_receiver(8e6, 1e6)
        receiver.set_offset(2.3e6, 0.25e6)
        graph.connect(blocks.vector_source_c(band.astype(np.complex64)), receiver, sink)
        graph.run()
        self.assert_packets(np.array(sink.data(), np.uint8).reshape(-1, PACKET))
        self.assertAlmostEqual(receiver.status()["carrier_hz"], 2.34e6, delta=1e3)
        with self.assertRaisesRegex(ValueError, "offset 5e.06 Hz out of range"):
            receiver.set_offset(5e6, 0.25e6)

    def test_packets_and_messages(self):
        receiver, got, status, frames, cells = self.receive(self.samples)
        self.assert_packets(got)
        decoded = libdvbs2.receive(libdvbs2.receiver(2e6, 1e6), [self.samples])
        self.assertEqual(len(got), sum(len(frame.packets) for frame in decoded))  # the last frame is not lost
        self.assertEqual({tag.offset % PACKET for tag in self.tags}, {0})
        about = pmt.to_python(self.tags[-1].value)
        self.assertEqual((about["modulation"], about["code"], about["broken"]), ("8psk", "dvbs2:16200:3/4", False))
        self.assertAlmostEqual(about["esn0_db"], status[-1]["esn0_db"], delta=1)
        self.assertTrue(receiver.locked())
        self.assertGreater(len(status), 1)
        self.assertAlmostEqual(status[-1]["carrier_hz"], 40e3, delta=100)
        self.assertAlmostEqual(status[-1]["roll_off"], ROLLOFF)
        self.assertEqual(status[-1]["state"], "tracking")
        self.assertGreaterEqual(receiver.status()["packets"], len(got))
        about, frame = frames[0]
        self.assertEqual((about["isi"], len(frame)), (-1, libldpc.bch("dvbs2:16200:3/4").k // 8))
        self.assertEqual(len(cells[-1][1]), 4096)

    def test_samples_of_integers(self):
        samples = np.rint(self.samples.view(np.float32) * 8000).astype(np.int16)
        self.assert_packets(self.receive(samples, format="cs16", rolloff=ROLLOFF)[1])

    def test_second_run(self):
        """After the end of the samples, a second run receives the same packets."""
        graph, sink, source = gr.top_block(), blocks.vector_sink_b(), blocks.vector_source_c(self.samples.tolist())
        receiver = ldpc.dvbs2_receiver(2e6, 1e6)
        graph.connect(source, receiver, sink)
        graph.run()
        first = sink.data()
        source.rewind()
        sink.reset()
        graph.run()
        self.assertGreater(len(first), 0)
        self.assertEqual(sink.data(), first)

    def test_setters(self):
        """The receiver is created with wrong settings, so it receives nothing. Each setter takes effect in the next call of work()."""
        graph, sink, source = gr.top_block(), blocks.vector_sink_b(), blocks.vector_source_c(self.samples.tolist())
        receiver = ldpc.dvbs2_receiver(1.5e6, 1e6, gold=7, rolloff=0.1)
        graph.connect(source, receiver, sink)
        for set_wrong, sentence in ((lambda: receiver.set_rates(1e6, 1e6), "sample rate"), (lambda: receiver.set_rolloff(0.5), "roll-off"),
                                    (lambda: receiver.set_gold(-1), "gold"), (lambda: receiver.set_streams([1, 2]), "one for each output"),
                                    (lambda: receiver.set_streams([256]), "streams must be"), (lambda: receiver.set_streams([1.0]), "integers"), (lambda: receiver.set_max_iterations(-1), "max_iterations")):
            with self.assertRaisesRegex((ValueError, TypeError), sentence):
                set_wrong()
        receiver.set_rates(2e6, 1e6)
        receiver.set_gold(0)
        receiver.set_rolloff(0)
        receiver.set_max_iterations(30)
        receiver.set_streams([5])  # a single stream has no ISI
        graph.run()
        self.assert_packets(np.array(sink.data(), np.uint8).reshape(-1, PACKET))

    def test_outputs_of_streams(self):
        """VCM: each output has the packets of its stream, from PL frames in the order of the transmitter."""
        sent = [stream(count, seed) for seed, count in enumerate((120, 240))]
        samples = signal(["qpsk:16200:1/2", "16apsk:16200:2/3"], sent, pilots=False, gold=3, order=[1, 0, 1])
        graph, sinks = gr.top_block(), [blocks.vector_sink_b() for _ in range(3)]
        receiver, status, cells = ldpc.dvbs2_receiver(2e6, 1e6, gold=3, streams=[2, 1, -1], status_interval=0.05), messages(), pdus()
        graph.msg_connect((receiver, "status"), (status, "in"))
        graph.msg_connect((receiver, "constellation"), (cells, "in"))
        graph.connect(blocks.vector_source_c(samples.tolist()), receiver)
        for port, sink in enumerate(sinks):
            graph.connect((receiver, port), sink)
        graph.run()
        second, first, both = (bytes(sink.data()) for sink in sinks)
        self.assertEqual([sent[0].tobytes().find(first), sent[1].tobytes().find(second)], [0, 0])
        self.assertEqual(len(both), len(first) + len(second))
        self.assertEqual({about["modcod"]: len(points) for about, points in cells.kept}, {"qpsk:16200:1/2": 4096, "16apsk:16200:2/3": 4050})
        last = status.kept[-1]
        self.assertGreater(last["cd_db"], 30)  # linear channel
        self.assertEqual({(row["modcod"], row["pilots"], row["failed_frames"]) for row in last["modcods"]},
                         {("qpsk:16200:1/2", False, 0), ("16apsk:16200:2/3", False, 0)})
        self.assertEqual({(row["isi"], row["ts_gs"], row["constant_coding"]) for row in last["streams"]}, {(1, "TS", False), (2, "TS", False)})
        self.assertTrue(all(row["bit_rate"] > 1e5 and row["services"] == [] for row in last["streams"]), last["streams"])
        window = dvbt2_display.dvbs2_html_of(last)
        self.assertEqual((window.count("mean Mbit/s"), window.count("whole stream")), (1, 2), window)
        modcods = [pmt.to_python(tag.value)["modulation"] for tag in sinks[2].tags()]
        self.assertEqual(modcods[:6], ["16apsk", "qpsk", "16apsk"] * 2)

    def test_synchronizer(self):
        """VCM: after dvbs2_synchronizer, dvbs2_fec_decoder outputs the packets of dvbs2_receiver."""
        names, sent = ["qpsk:16200:1/2", "16apsk:16200:2/3"], [stream(count, seed) for seed, count in enumerate((60, 120))]
        for pilots in (True, False):
            samples = signal(names, sent, pilots=pilots)
            graph, source, cells, status = gr.top_block(), blocks.vector_source_c(samples.tolist()), blocks.vector_sink_c(), messages()
            receiver = ldpc.dvbs2_receiver(2e6, 1e6, streams=[1, 2])
            synchronizer = ldpc.dvbs2_synchronizer(2e6, 1e6, status_interval=0.02)
            graph.connect(source, receiver)
            graph.connect(source, synchronizer, cells)
            graph.msg_connect((synchronizer, "status"), (status, "in"))
            sinks = [(blocks.vector_sink_b(), blocks.vector_sink_b()) for _ in names]
            for port, (expected, got) in enumerate(sinks):
                graph.connect((receiver, port), expected)
                graph.connect(synchronizer, ldpc.dvbs2_fec_decoder("dvbs2:16200:1/2", "qpsk", modcods=names, stream=port + 1), got)
            graph.run()
            for expected, got in sinks:
                self.assertGreater(len(got.data()), 40 * PACKET)
                self.assertEqual(got.data(), expected.data())
            tags = {"XFECFRAME": [], "noise": []}
            for tag in cells.tags():
                tags[pmt.symbol_to_string(tag.key)].append((tag.offset, pmt.to_python(tag.value)))
            self.assertEqual(tags["XFECFRAME"][:3], [(0, (4, True)), (8100, (18, True)), (12150, (4, True))])
            self.assertEqual([offset for offset, _ in tags["noise"]], [offset for offset, _ in tags["XFECFRAME"]])
            np.testing.assert_allclose([noise for _, noise in tags["noise"]], 0.02, rtol=0.2)
            last = status.kept[-1]
            self.assertEqual({(row["modcod"], row["pilots"]) for row in last["modcods"]}, {(name, pilots) for name in names})
            self.assertEqual((last["iterations"], last["failed_frames"], last["locked"]), (0, 0, True))

    def test_frames_of_cells(self):
        """cells_only changes neither the cells nor the measurements of a frame."""
        decoded, cells = (list(libdvbs2.receive(libdvbs2.receiver(2e6, 1e6, cells_only=only), [self.samples])) for only in (False, True))
        self.assertEqual(len(cells), len(decoded))
        for one, other in zip(cells, decoded):
            np.testing.assert_array_equal(one.cells, other.cells)
            self.assertEqual([(f.symbol, f.pls_code, f.code, f.modulation, f.esn0_db, f.pilots) for f in (one, other)],
                             [(other.symbol, other.pls_code, other.code, other.modulation, other.esn0_db, True)] * 2)
            self.assertEqual((one.header, one.bytes, len(one.packets), one.pdus, one.broken), (None, b"", 0, b"", False))

    def test_second_run_of_the_transmitter(self):
        """The first run ends within a frame. The second run begins with a whole frame of the first input."""
        graph, sink, head = gr.top_block(), blocks.vector_sink_c(), blocks.head(gr.sizeof_gr_complex, 7)
        sources = [blocks.vector_source_c([value] * 100) for value in (1, 2)]
        mux = frame_mux([5, 3], ["a", "b"], Order([0, 1]))
        for port, source in enumerate(sources):
            graph.connect(source, (mux, port))
        graph.connect(mux, head, sink)
        for _ in range(2):
            graph.run()
            self.assertEqual(sink.data(), [1] * 5 + [2] * 2)
            for source in sources:
                source.rewind()
            head.reset()
            sink.reset()

    def test_arguments_of_the_transmitter(self):
        for options, sentence in (({"modcods": []}, "1 .. 255 names, not 0"), ({"modcods": ["qpsk:64800:7/8"]}, "7/8"), ({"rolloff": 0.3}, "not 0.3"),
                                  ({"gold": -1}, "gold must be 0 .. 262141, not -1"), ({"order": [1]}, "order must be integers 0 .. 0"), ({"order": [0.0]}, r"not \[0.0\]")):
            with self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbs2_transmitter(**options)

    def test_arguments(self):
        for options, sentence in (({"sample_rate": 1e6}, "sample rate 1000000 Hz out of range"), ({"format": "cs32"}, "format"),
                                  ({"gold": 1 << 20}, "gold code 1048576 out of range"), ({"rolloff": 0.5}, "roll-off 0.5 out of range"),
                                  ({"status_interval": -1}, "status_interval must be 0 or more seconds, not -1"), ({"status_interval": math.nan}, "not nan")):
            with self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbs2_receiver(**{"sample_rate": 2e6, "symbol_rate": 1e6, **options})


if __name__ == "__main__":
    unittest.main()
