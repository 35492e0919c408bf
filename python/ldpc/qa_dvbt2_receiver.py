# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the DVB-T2 blocks with signals of gr-dtv and make_t2."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib
from unittest import mock

import libldpc
import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc
from gnuradio.ldpc.ldpc_python import reference_count
from libdvb import live, udp

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests/dvbt2/generate"
sys.path.append(str(TESTS))
from small_signals import RATE as SMALL_RATE
from small_signals import check_packets, checksums, complex_samples
import t2_baseband

MAKE_T2 = TESTS / "make_t2.py"
PACKET = 188
RATE = 10e6


def packets(data):
    return np.asarray(data, np.uint8).reshape(-1, PACKET)


class messages(gr.basic_block):
    """Keeps the messages it receives."""

    def __init__(self):
        super().__init__("messages", None, None)
        self.kept = []
        self.message_port_register_in(pmt.intern("in"))
        self.set_msg_handler(pmt.intern("in"), self.take)

    def take(self, message):
        self.kept.append(pmt.to_python(message))


class pdus(messages):
    """Keeps PDUs as (metadata, numpy array)."""

    def take(self, message):
        self.kept.append((pmt.to_python(pmt.car(message)), np.asarray(pmt.to_python(pmt.cdr(message)))))


class Signals:
    """Test signals, generated when first used."""

    folder = tempfile.TemporaryDirectory()
    made = {}

    @classmethod
    def make(cls, *options, frames=4, cn=25):
        """Returns int16 samples with offsets, echo and noise. Also returns the transmitted packets."""
        key = (*options, frames, cn)
        if key not in cls.made:
            name = str(pathlib.Path(cls.folder.name) / f"signal{len(cls.made)}")
            for command in (["tx", *options, "--frames", str(frames), "-o", name],
                            ["chan", name + ".cf32", "-o", name + ".cs16", "--rate", str(RATE), "--ppm", "20", "--cfo", "-3100",
                             "--cn", str(cn), "--echo", "0,0", "--echo", "2,-6,50"]):
                subprocess.run([sys.executable, "-B", str(MAKE_T2), *command], check=True, capture_output=True)
            cls.made[key] = np.fromfile(name + ".cs16", np.int16), packets(np.fromfile(name + ".ts", np.uint8))
        return cls.made[key]


def as_complex(samples):
    return (samples.astype(np.float32) / 32768).view(np.complex64)


def blocks_of(cells, tags):
    """Returns two blocks: a source of cells with tags, and a source of noise powers."""
    return blocks.vector_source_c(cells, False, 1, tags), blocks.vector_source_f(np.full(len(cells), 1e-3, np.float32), False)


class Receiver(unittest.TestCase):
    def receive(self, samples, **options):
        """Returns the packets, the receiver, and the messages of the receiver's ports."""
        graph = gr.top_block()
        receiver = ldpc.dvbt2_receiver(RATE, **{"status_interval": 0.01, **options})
        sink = blocks.vector_sink_b()
        if samples.dtype == np.int16:
            source = blocks.vector_source_s(samples.tolist())
            graph.connect(source, blocks.stream_to_vector(gr.sizeof_short, 2), receiver, sink)
        else:
            graph.connect(blocks.vector_source_c(samples), receiver, sink)
        kept = {name: messages() for name in ("l1", "status", "stats")}
        for name, block in kept.items():
            graph.msg_connect(receiver, name, block, "in")
        graph.run()
        return packets(sink.data()), receiver, {name: block.kept for name, block in kept.items()}

    def common(self, got, sent):
        """Returns the length of the longest prefix of `got` that is contiguous in `sent`."""
        first = next(i for i in range(len(got)) if got[i, 1:3].tolist() != [0x1F, 0xFF])
        start = next(i for i in range(len(sent)) if np.array_equal(sent[i], got[first])) - first
        count = min(len(got), len(sent) - start)
        different = np.flatnonzero((got[:count] != sent[start:start + count]).any(axis=1))
        return int(different[0]) if len(different) else count

    def assert_part_of(self, got, sent, least):
        """Asserts that the received packets are contiguous in `sent`."""
        self.assertGreaterEqual(len(got), least)
        self.assertEqual(self.common(got, sent), len(got))

    def test_transport_stream_comes_out(self):
        samples, sent = Signals.make("--preset", "4k")
        got, receiver, kept = self.receive(as_complex(samples))
        self.assert_part_of(got, sent, len(sent) // 2)
        counters = receiver.counters()
        self.assertEqual(counters["packets"], len(got))
        self.assertEqual((counters["ts_errors"], counters["failed_codewords"]), (0, 0))
        self.assertRegex(counters["kernel"], "^cpu ")
        status = receiver.status()
        self.assertTrue(receiver.locked())
        self.assertEqual((status["fft_size"], status["guard_interval"]), ("4K", "1/32"))
        self.assertAlmostEqual(status["carrier_hz"], -3100, delta=20)
        self.assertAlmostEqual(status["clock_ppm"], 20, delta=2)
        self.assertAlmostEqual(status["cn_db"], 25, delta=1.5)
        self.assertEqual(len(kept["l1"]), 1)
        plp = kept["l1"][0]["post"]["plps"][0]
        self.assertEqual((plp["plp_mod_name"], plp["plp_cod_name"], plp["code_length"]), ("64QAM", "1/2", 16200))
        self.assertEqual(receiver.l1(), kept["l1"][0])
        self.assertTrue(kept["status"])
        self.assertEqual(kept["stats"][-1]["packets"], len(got))

    def test_integers_are_the_same_samples(self):
        samples, sent = Signals.make("--preset", "4k")
        got, _, _ = self.receive(samples, format="cs16", backend="cpu")
        self.assert_part_of(got, sent, len(sent) // 2)

    def test_an_output_for_each_plp(self):
        graph = gr.top_block()
        receiver, kept = ldpc.dvbt2_receiver(SMALL_RATE, plps=[0, 1], status_interval=0.01), messages()
        sinks = [blocks.vector_sink_b() for _ in range(2)]
        graph.connect(blocks.vector_source_c(complex_samples("lite")), receiver)
        for plp, sink in enumerate(sinks):
            graph.connect((receiver, plp), sink)
        graph.msg_connect(receiver, "stats", kept, "in")
        graph.run()
        for plp, sink in enumerate(sinks):
            check_packets(self, bytes(sink.data()), "lite", "lite", plp)
            counters = receiver.counters(plp)
            self.assertEqual((counters["plp_id"], counters["packets"]), (plp, len(sink.data()) // PACKET))
        self.assertEqual({message["plp_id"] for message in kept.kept} - {-1}, {0, 1})

    def test_another_plp_while_the_flowgraph_runs(self):
        checks = [set(checksums("lite", "lite", plp)) for plp in (0, 1)]
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        receiver = ldpc.dvbt2_receiver(SMALL_RATE, plps=[0])
        graph.connect(blocks.vector_source_c(complex_samples("lite", 1), True), receiver, sink)

        def got():
            """Returns the PLP of each packet. A packet that is cut at the end of the recording has PLP -1."""
            crcs = [zlib.crc32(packet.tobytes()) for packet in packets(sink.data())]
            return [next((plp for plp in (0, 1) if crc in checks[plp]), -1) for crc in crcs]

        def wait_for(plp):
            end = time.monotonic() + 60
            while got().count(plp) < 60 and time.monotonic() < end:
                time.sleep(0.01)
            return got()

        graph.start()
        before = wait_for(0)
        receiver.set_plps([1])
        after = wait_for(1)
        with self.assertRaisesRegex(ValueError, "1 numbers, one per output, not 2"):
            receiver.set_plps([0, 1])
        with self.assertRaisesRegex(ValueError, "a channel of 10 MHz needs"):
            receiver.set_channel(10, SMALL_RATE)
        graph.stop()
        graph.wait()
        self.assertGreaterEqual(before.count(0), 60)
        self.assertGreaterEqual(after.count(1), 60)
        self.assertNotIn(1, before)
        self.assertNotIn(0, after[after.index(1):])
        self.assertEqual(receiver.counters()["plp_id"], 1)

    def test_pictures(self):
        """PDUs contain constellation points, and an impulse response with an echo of -6 dB after 2 us."""
        samples, _ = Signals.make("--preset", "4k", "--rot", "0")
        graph, receiver = gr.top_block(), ldpc.dvbt2_receiver(RATE, status_interval=0.01)
        constellation, impulse = pdus(), pdus()
        graph.connect(blocks.vector_source_c(as_complex(samples)), receiver, blocks.null_sink(1))
        graph.msg_connect(receiver, "constellation", constellation, "in")
        graph.msg_connect(receiver, "impulse_response", impulse, "in")
        graph.run()
        _, cells = constellation.kept[-1]
        self.assertGreater(len(cells), 100)
        levels = np.array([-7, -5, -3, -1, 1, 3, 5, 7]) / 42 ** 0.5
        distance = np.abs(cells.real[:, None] - levels).min(axis=1)
        self.assertLess(np.sqrt((distance ** 2).mean()), 0.08)
        axis, taps = impulse.kept[-1]
        delays = axis["first_us"] + axis["step_us"] * np.arange(len(taps))
        first = delays[taps.argmax()]
        echo = taps[np.abs(delays - first - 2) < 0.1].max() - taps.max()
        self.assertAlmostEqual(echo, -6, delta=1)

    def test_a_receiver_that_nobody_has_is_freed(self):
        receiver = ldpc.dvbt2_receiver(RATE, plps=(0, 1))
        inner = [receiver.demodulator, *receiver.decoders]
        del receiver
        alone = reference_count(ldpc.dvbt2_plp_decoder("cpu"))
        self.assertEqual([reference_count(block) for block in inner], [alone] * 3)

    def test_wrong_arguments(self):
        for options, sentence in (({"sample_rate": 3e6}, "3"), ({"format": "cs32"}, "cs32"), ({"bandwidth": 11}, "bandwidth 11 MHz"),
                                  ({"profile": "t2"}, "\"t2\""), ({"plps": []}, "plps"), ({"status_interval": -1}, "-1"), ({"decision_directed": 9}, "0 .. 8, not 9")):
            with self.subTest(options), self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbt2_demodulator(**{"sample_rate": RATE, **options})
        for options, sentence in (({"backend": "auto"}, "no backend \"auto\": expected cpu, gpu, "), ({"max_iterations": -1}, "-1"), ({"threads": -2}, "-2"),
                                  ({"stream": 256}, "256"), ({"gpu_timeout": float("inf")}, "gpu_timeout must be 0 .no limit. .. 86400 seconds, not inf"), ({"stats_interval": -1}, "-1")):
            with self.subTest(options), self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbt2_plp_decoder(**options)
        for backend, reason in libldpc.backends().items():
            with self.subTest(backend), self.assertRaisesRegex(RuntimeError, re.escape(reason)) if reason else contextlib.nullcontext():
                ldpc.dvbt2_receiver(RATE, backend=backend)
            ldpc.dvbt2_receiver(RATE, backend=backend, fallback=True)
        with self.assertRaisesRegex(TypeError, "plps: expected a list of PLP_IDs, not 0"):
            ldpc.dvbt2_receiver(RATE, plps=0)
        for host, port, sentence in ((64 * "x", 1234, "xxx: "), ("127.0.0.1", 0, "a port of 1 to 65535")):
            with self.subTest(port), self.assertRaisesRegex(ValueError, sentence):  # a block that fails to start would keep the flowgraph running
                ldpc.dvbt2_udp_sink(host, port)


class UdpSink(unittest.TestCase):
    def test_a_network_that_fails_ends_the_flowgraph(self):
        for repeat in (True, False):
            program = ("from gnuradio import blocks, gr, ldpc\n"
                       "graph = gr.top_block()\n"
                       "sink = ldpc.dvbt2_udp_sink('255.255.255.255', 1234)\n"
                       f"graph.connect(blocks.vector_source_b([0] * {7 * PACKET}, {repeat}), sink)\n"
                       "graph.run()\n")
            with self.subTest(repeat=repeat):
                result = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=100, check=True)
                self.assertEqual((result.stdout + result.stderr).count("255.255.255.255:1234: "), 1, result.stdout + result.stderr)

    def test_a_full_queue_does_not_block(self):
        """The network takes no datagram. Packets that do not fit in the queue are lost, counted and logged, and work() returns."""
        released, sink, datagram = threading.Event(), ldpc.dvbt2_udp_sink("127.0.0.1", 9), np.zeros(live.BYTES, np.uint8)
        sink.logger = mock.Mock()
        with mock.patch.object(udp.Datagrams, "send", lambda *_: released.wait(5)), mock.patch.object(live, "WAITING", 2 * live.BYTES):
            sink.start()
            taken = [sink.work([datagram], []) for _ in range(5)]
            lost = sink.lost_packets()
            released.set()
            sink.stop()
        self.assertEqual((taken, lost, sink.logger.warn.call_count), ([live.BYTES] * 5, 3 * live.DATAGRAM, 2))
        self.assertEqual(sink.lost_packets(), lost, "after the flowgraph has ended")


class Transmitter(unittest.TestCase):
    def test_every_modulation_comes_back(self):
        """Without channel impairments, the test transmitter's signal is received."""
        sent = np.random.default_rng(1).integers(0, 256, (3000, PACKET), np.uint8)
        sent[:, :3] = 0x47, 1, 0
        for code, modulation, rotated in (("dvbt2:16200:1/2", "qpsk", False), ("dvbt2:16200:5/6", "256qam", True)):
            with self.subTest(modulation):
                graph, sink = gr.top_block(), blocks.vector_sink_b()
                transmitter = ldpc.dvbt2_transmitter(code, modulation, rotated)
                graph.connect(blocks.vector_source_b(sent.ravel(), True), transmitter, blocks.head(gr.sizeof_gr_complex, 800000),
                              ldpc.dvbt2_receiver(transmitter.RATE), sink)
                graph.run()
                got = packets(sink.data())
                self.assertGreater(len(got), 100)
                whole = {packet.tobytes() for packet in sent}
                self.assertTrue(all(packet.tobytes() in whole for packet in got))

    def test_wrong_arguments(self):
        for arguments, sentence in ((("dvbt2:64800:1/2",), "short FEC frames"), (("dvbs2:16200:1/2",), "short FEC frames"),
                                    (("dvbt2:16200:1/2", "8psk"), "8psk")):
            with self.subTest(arguments), self.assertRaisesRegex(ValueError, sentence):
                ldpc.dvbt2_transmitter(*arguments)


class Tags(unittest.TestCase):
    def test_each_frame_begins_with_tags(self):
        """Frames are complete and have the tags frame_start and dvbt2_frame."""
        samples, _ = Signals.make("--preset", "4k")
        graph = gr.top_block()
        demodulator, cells, noise = ldpc.dvbt2_demodulator(RATE), blocks.vector_sink_c(), blocks.vector_sink_f()
        graph.connect(blocks.vector_source_c(as_complex(samples)), demodulator, cells)
        graph.connect((demodulator, 1), noise)
        graph.run()
        self.assertEqual(len(cells.data()), len(noise.data()))
        tags = {name: [tag for tag in cells.tags() if pmt.to_python(tag.key) == name] for name in ("frame_start", "dvbt2_frame")}
        offsets = [tag.offset for tag in tags["frame_start"]]
        frames = [pmt.to_python(tag.value) for tag in tags["dvbt2_frame"]]
        self.assertEqual(offsets, [tag.offset for tag in tags["dvbt2_frame"]])
        self.assertEqual([pmt.to_python(tag.value) for tag in tags["frame_start"]], [frame["frame"] for frame in frames])
        self.assertGreaterEqual(len(frames), 2)
        self.assertEqual(np.diff([*offsets, len(cells.data())]).tolist(), [frame["cells"] for frame in frames])
        frame = frames[0]
        self.assertEqual((frame["plp_id"], frame["plp_mod"], frame["plp_cod"], frame["plp_fec_type"], frame["cells_per_block"]), (0, 2, 0, 0, 2700))
        self.assertEqual(frame["n_blocks"] * frame["cells_per_block"], frame["cells"])


@unittest.skipUnless("FAKE_GPU_CODES" in os.environ, "tested with the GPU of tests/fake_gpu")
class FakeGpu(unittest.TestCase):
    """Each case runs in a new process, because the fake GPU reads its environment only once."""

    def receive(self, backend, then="", fallback=False, gpu_timeout=60, **environment):
        """Returns packets and log. `then` is Python code to run after the flowgraph."""
        samples, _ = Signals.make("--preset", "4k")
        file, ts = pathlib.Path(Signals.folder.name) / "gpu.cs16", pathlib.Path(Signals.folder.name) / "gpu.ts"
        samples.tofile(file)
        program = f"""
from gnuradio import blocks, gr, ldpc
graph = gr.top_block()
receiver = ldpc.dvbt2_receiver({RATE}, format="cs16", backend={backend!r}, fallback={fallback}, gpu_timeout={gpu_timeout})
graph.connect(blocks.file_source(4, {str(file)!r}), receiver, blocks.file_sink(1, {str(ts)!r}))
graph.run()
print(receiver.counters()["kernel"])
{then}
"""
        result = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=300,
                                env={**os.environ, **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        return packets(np.fromfile(ts, np.uint8)), result.stdout + result.stderr

    def test_backends(self):
        expected, said = self.receive("cpu")
        self.assertRegex(said, "cpu ")
        for backend, gpu in (("gpu", "cuda"), ("cuda", "cuda"), ("opencl", "opencl")):
            got, said = self.receive(backend)
            self.assertRegex(said, f"{gpu} ")
            np.testing.assert_array_equal(got, expected)

    def test_the_cpu_goes_on_when_the_gpu_fails(self):
        """Frames on the failed GPU are lost. The CPU decodes later frames."""
        expected, _ = self.receive("cpu")
        got, said = self.receive("gpu", fallback=True, FAKE_GPU_FAILS_AT="1")
        self.assertRegex(said, "falling back to the CPU")
        self.assertRegex(said, "cpu ")
        self.assertGreater(len(got), 50)
        np.testing.assert_array_equal(got, expected[-len(got):])
        got, said = self.receive("cuda", FAKE_GPU_FAILS_AT="1")
        self.assertEqual(len(got), 0)
        self.assertNotRegex(said, "falling back to the CPU")

    def test_the_cpu_decodes_where_the_gpu_has_no_memory(self):
        program = ("from gnuradio import ldpc; "
                   "from gnuradio import blocks, gr; "
                   "decoder = ldpc.dvbt2_fec_decoder('dvbt2:16200:1/2', 'qpsk', backend='gpu', fallback={}); "
                   "graph = gr.top_block(); "
                   "graph.connect(blocks.null_source(8), blocks.head(8, 0), decoder, blocks.null_sink(1)); "
                   "graph.run(); "
                   "print(decoder.counters()['kernel'])")
        for fallback, said in ((True, "; falling back to the CPU(.|\n)*\ncpu "), (False, "Error")):
            result = subprocess.run([sys.executable, "-B", "-c", program.format(fallback)], capture_output=True, text=True, timeout=300,
                                    env={**os.environ, "FAKE_GPU_ALLOCATES": "1000"})
            self.assertEqual(result.returncode == 0, fallback, result.stderr)
            self.assertRegex(result.stderr + result.stdout, said)
            self.assertEqual((result.stderr + result.stdout).count("falling back"), int(fallback))

    def test_the_cpu_goes_on_when_the_gpu_hangs(self):
        """The GPU hangs at a batch. Without `fallback`, the flowgraph ends."""
        expected, _ = self.receive("cpu")
        for launch in ("1", "2"):
            got, said = self.receive("gpu", fallback=True, gpu_timeout=0.3, FAKE_GPU_HANGS_AT=launch)
            self.assertRegex(said, "has not finished its work within 0.3 s .*; falling back to the CPU")
            self.assertRegex(said, "cpu ")
            self.assertGreater(len(got), 50)
            np.testing.assert_array_equal(got[-50:], expected[-50:])
        for backend in ("cuda", "opencl"):
            got, said = self.receive(backend, gpu_timeout=0.3, FAKE_GPU_HANGS_AT="1")
            self.assertEqual(len(got), 0)
            self.assertRegex(said, "has not finished its work within 0.3 s")

    def test_a_gpu_that_answers_late(self):
        """All packets before the hang are correct. Later, a new receiver receives all packets."""
        again = pathlib.Path(Signals.folder.name) / "again.ts"
        expected, _ = self.receive("cpu")
        got, said = self.receive("cuda", f"""
import ctypes
del graph, receiver
ctypes.CDLL("libcuda.so.1").fake_gpu_answer()
while True:
    try:
        ldpc.decoder("wimax:576:1/2", backend="cuda")
        break
    except RuntimeError:
        pass
graph, receiver = gr.top_block(), ldpc.dvbt2_receiver({RATE}, format="cs16", backend="cuda")
graph.connect(blocks.file_source(4, {str(Signals.folder.name)!r} + "/gpu.cs16"), receiver, blocks.file_sink(1, {str(again)!r}))
graph.run()
""", gpu_timeout=4, FAKE_GPU_HANGS_AT="5")  # long enough for the first batches
        self.assertRegex(said, "has not finished its work within 4 s")
        self.assertGreater(len(got), 0)
        self.assertLess(len(got), len(expected))
        self.assertLessEqual({packet.tobytes() for packet in got}, {packet.tobytes() for packet in expected})
        np.testing.assert_array_equal(packets(np.fromfile(again, np.uint8)), expected)


class Decoder(unittest.TestCase):
    def decode(self, tags):
        """Returns the packets decoded from a signal's cells. The function `tags` may modify the tags of the cells."""
        samples, sent = Signals.make("--preset", "4k")
        graph = gr.top_block()
        demodulator, cells, noise = ldpc.dvbt2_demodulator(RATE), blocks.vector_sink_c(), blocks.vector_sink_f()
        graph.connect(blocks.vector_source_c(as_complex(samples)), demodulator, cells)
        graph.connect((demodulator, 1), noise)
        graph.run()
        graph = gr.top_block()
        frames = [tag for tag in cells.tags() if pmt.to_python(tag.key) == "dvbt2_frame"]
        decoder, sink = ldpc.dvbt2_plp_decoder("cpu"), blocks.vector_sink_b()
        graph.connect(blocks.vector_source_c(cells.data(), False, 1, tags(frames)), decoder, sink)
        graph.connect(blocks.vector_source_f(noise.data()), (decoder, 1))
        graph.run()
        return packets(sink.data()), sent

    def test_cells_before_the_first_tag_are_dropped(self):
        whole, sent = self.decode(lambda tags: tags)
        late, _ = self.decode(lambda tags: tags[1:])
        self.assertLess(len(late), len(whole))
        np.testing.assert_array_equal(late, whole[-len(late):])
        self.assertTrue(any(np.array_equal(whole[-1], packet) for packet in sent))

    @staticmethod
    def plp_sources(stream, fmt, blocks, **fields):
        """Returns two blocks: a source of cells with tags, and a source of noise powers."""
        cells, tags, number = [], [], 0
        while not stream.done:
            part = t2_baseband.cells_of(fmt, [stream.frame(fmt.k) for _ in range(blocks)])
            about = {"frame": number, "frame_idx": 0, "lost": 0, "cells": len(part), "cells_per_block": len(part) // blocks, "n_blocks": blocks,
                     "frames": 1, "part": 0, "lite": 0, "start": 100000 * number, "frame_interval": 1, "time_il_type": 0, "in_band_a_flag": 0,
                     "in_band_b_flag": 0, **fmt.fields(), **fields}
            tags.append(gr.tag_utils.python_to_tag((sum(map(len, cells)), pmt.intern("dvbt2_frame"),
                                                    pmt.to_pmt({name: int(value) for name, value in about.items()}))))
            cells.append(part)
            number += 1
        every = np.concatenate(cells)
        return blocks_of(every, tags)

    def test_a_common_plp_is_put_in(self):
        """Packets of the common PLP (inputs 2 and 3) replace null packets."""
        whole, *parts = t2_baseband.group_streams(300)
        mode = t2_baseband.Mode(issy=3, deletion=True)
        graph, decoder, sink = gr.top_block(), ldpc.dvbt2_plp_decoder("cpu"), blocks.vector_sink_b()
        for pair, (slots, fmt, size) in enumerate(zip(parts, (t2_baseband.Format(), t2_baseband.Format("2/3", "qpsk")), (6, 2))):
            stream = t2_baseband.Stream(t2_baseband.user_packets(slots, 1000 * np.arange(300), mode), mode)
            sources = self.plp_sources(stream, fmt, size, plp_id=pair, has_common=pair == 0)
            for port, source in enumerate(sources):
                graph.connect(source, (decoder, 2 * pair + port))
        graph.connect(decoder, sink)
        graph.run()
        got = [bytes(packet) for packet in packets(sink.data())]
        self.assertEqual(len(got), 300)
        self.assertEqual([n for n in range(20, 260) if got[n] != whole[n]], [])
        self.assertGreater(decoder.counters()["common_packets"], 20)

    def test_generic_frames_are_messages(self):
        fmt = t2_baseband.Format()
        frames = [t2_baseband.generic_frame(fmt.k, "GSE", bytes([n]) * 100) for n in range(3)]
        cells = t2_baseband.cells_of(fmt, [bits for bits, _whole in frames])
        about = {"frame": 0, "frame_idx": 0, "lost": 0, "cells": len(cells), "cells_per_block": len(cells) // 3, "n_blocks": 3, "frames": 1,
                 "part": 0, "lite": 0, "start": 0, "frame_interval": 1, "time_il_type": 0, "in_band_a_flag": 0, "in_band_b_flag": 0,
                 "plp_id": 4, "has_common": 0, **fmt.fields()}
        tag = gr.tag_utils.python_to_tag((0, pmt.intern("dvbt2_frame"), pmt.to_pmt({name: int(value) for name, value in about.items()})))
        graph, decoder, kept = gr.top_block(), ldpc.dvbt2_plp_decoder("cpu"), pdus()
        for port, source in enumerate(blocks_of(cells, [tag])):
            graph.connect(source, (decoder, port))
        graph.connect(decoder, blocks.null_sink(1))
        graph.msg_connect(decoder, "frames", kept, "in")
        graph.run()
        deadline = time.monotonic() + 20
        while len(kept.kept) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual([(about["plp_id"], bytes(frame)) for about, frame in kept.kept], [(4, whole) for _bits, whole in frames])

    def test_tags_that_are_none_of_ours(self):
        def changed(tags):
            values = (pmt.PMT_T, pmt.to_pmt({"cells": -1}), pmt.dict_add(tags[2].value, pmt.mp("plp_mod"), pmt.from_long(7)))
            for tag, value in zip(tags, values):
                new = gr.tag_t()
                new.offset, new.key, new.value = tag.offset, tag.key, value
                yield new

        got, _ = self.decode(lambda tags: list(changed(tags)))
        self.assertEqual(len(got), 0)


if __name__ == "__main__":
    unittest.main()
