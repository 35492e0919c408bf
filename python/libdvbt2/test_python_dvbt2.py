# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of libdvbt2: every sample format, arrays and their types, invalid arguments."""
import contextlib
import pathlib
import re
import sys
import threading
import time
import unittest

import libdvbt2
import libldpc
import numpy as np
from libdvbt2.tools.constellation import Collector
from libdvbt2.tools.reception import Reception

sys.path += [str(pathlib.Path(__file__).resolve().parents[2] / folder) for folder in ("tests/dvbt2/generate", "python/libldpc")]
import docstrings
from small_signals import RATE, check_packets, complex_samples, int8_samples

CHUNK = 100000  # samples


def chunks(samples, size=CHUNK):
    for start in range(0, len(samples), size):
        yield samples[start:start + size]


def joined(arrays):
    return b"".join(array.tobytes() for array in arrays)


class EndToEnd(unittest.TestCase):
    def test_every_format(self):
        """float, int16, int8 and uint8 samples give equal packets, as arrays and bytes."""
        eight = int8_samples("lite")
        inputs = {"cf32": complex_samples("lite"), "cs16": eight.astype(np.int16) * 256, "cs8": eight,
                  "cu8": (eight.astype(np.int16) + 128).astype(np.uint8)}
        for sample_format, samples in inputs.items():
            for change in (lambda part: part, bytes)[:2 if sample_format == "cs8" else 1]:
                with self.subTest(sample_format, change=change):
                    receiver, decoder = libdvbt2.receiver(RATE, sample_format), libdvbt2.plp_decoder()
                    packets = list(libdvbt2.receive(receiver, decoder, map(change, chunks(samples))))
                    for array in packets:
                        self.assertEqual((array.dtype, array.ndim, array.shape[1]), (np.uint8, 2, libdvbt2.TS_PACKET))
                    check_packets(self, joined(packets), "lite", "lite", 0)
                    status, counters = receiver.status(), decoder.counters()
                    self.assertEqual((status["state"], status["locked"], status["samples"]), ("tracking", True, len(samples)))
                    self.assertEqual(counters["packets"], sum(map(len, packets)))
                    self.assertEqual((counters["ts_errors"], counters["bch_failed"]), (0, 0))
                    self.assertRegex(decoder.kernel, "^cpu ")

    def test_cells_step_by_step(self):
        """push() and pull() with several PLPs: types, frames, all cells in order."""
        receiver = libdvbt2.receiver(RATE, plps=[0, 1])
        decoders = [libdvbt2.plp_decoder(), libdvbt2.plp_decoder(threads=2)]
        samples, taken, expected = complex_samples("lite"), 0, [0, 0]
        while taken < len(samples):
            taken += receiver.push(samples, taken)
            for output, decoder in enumerate(decoders):
                while (piece := receiver.pull(output, max=1000)) is not None:
                    cells, noise, frame, first = piece
                    self.assertEqual((cells.dtype, noise.dtype, cells.shape), (np.complex64, np.float32, noise.shape))
                    self.assertLessEqual(len(cells), 1000)
                    self.assertEqual(first, expected[output])
                    self.assertEqual(frame.plp["plp_id"], output)
                    self.assertEqual(frame.cells * frame.frames, frame.n_blocks * frame.cells_per_block)
                    expected[output] = (first + len(cells)) % frame.cells
                    decoder.feed(frame, first, cells, noise)
        for output, decoder in enumerate(decoders):
            decoder.finish()
            check_packets(self, joined(libdvbt2.packets_of(decoder)), "lite", "lite", output)
        self.assertIn("PLP 1", repr(frame))
        power, first_us, step_us = receiver.impulse_response(max=512)
        self.assertEqual((power.dtype, power.shape), (np.float32, (512,)))
        self.assertLess(abs(first_us + step_us * power.argmax()), 30)
        response = receiver.frequency_response(max=300)
        self.assertEqual(response.shape, (300,))
        self.assertAlmostEqual(float(response.mean()), 1, places=3)

    def test_arrays_that_are_held_stay(self):
        receiver, held, copies, places = libdvbt2.receiver(RATE), [], [], set()
        for number, (cells, noise, _frame, _first) in enumerate(libdvbt2.cells_of(receiver, complex_samples("lite"))):
            places.add(cells.ctypes.data)
            if number % 3 == 0:
                held.append((cells[1:], noise))
                copies.append((cells[1:].copy(), noise.copy()))
        self.assertGreater(len(held), 5)
        self.assertLess(len(places), number)
        for arrays, as_they_were in zip(held, copies):
            for array, copy in zip(arrays, as_they_were):
                np.testing.assert_array_equal(array, copy)

    def test_l1_by_the_names_of_the_standard(self):
        receiver = libdvbt2.receiver(RATE)
        self.assertEqual((receiver.l1_pre(), receiver.l1_post(), receiver.pull(), receiver.status()["state"]), (None, None, None, "search"))
        for _cells in libdvbt2.cells_of(receiver, complex_samples("lite")):
            pass
        pre, post = receiver.l1_pre(), receiver.l1_post()
        self.assertEqual((pre["guard_interval_name"], pre["pilot_pattern_name"], post["num_plp"]), ("1/16", "PP4", 2))
        self.assertEqual([plp["plp_mod_name"] for plp in post["plps"]], ["QPSK", "16QAM"])
        self.assertEqual(len(post["dynamic"]["plps"]), 2)

    def test_two_receivers_in_two_threads(self):
        results = {}

        def run(plp):
            receiver, decoder = libdvbt2.receiver(RATE, plps=[plp]), libdvbt2.plp_decoder()
            results[plp] = joined(libdvbt2.receive(receiver, decoder, chunks(complex_samples("lite"))))

        threads = [threading.Thread(target=run, args=(plp,)) for plp in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for plp in (0, 1):
            check_packets(self, results[plp], "lite", "lite", plp)


class SlowSink(unittest.TestCase):
    def test_a_reception_waits(self):
        """While a sink blocks, the reception stops. After that, all packets arrive in order."""
        samples, size = int8_samples("2plp", repeats=12), 60000
        expected = joined(libdvbt2.receive(libdvbt2.receiver(RATE, "cs8", plps=[1]), libdvbt2.plp_decoder(), chunks(samples, size)))
        receiver, decoder = libdvbt2.receiver(RATE, "cs8", plps=[1]), libdvbt2.plp_decoder()
        gate, got, pushed, stalled = threading.Event(), [], [], threading.Event()

        def sink(packets):
            stalled.set()
            gate.wait(60)
            got.append(packets.copy())

        reception = Reception(receiver, RATE, [decoder], [sink])

        def push():
            for part in chunks(samples, size):
                reception.push(part)
                pushed.append(len(part))
            reception.finish()

        thread = threading.Thread(target=push, daemon=True)
        thread.start()
        self.assertTrue(stalled.wait(60))
        before = -1
        while before < len(pushed):  # until the other thread blocks
            before = len(pushed)
            time.sleep(0.5)
        self.assertTrue(thread.is_alive())
        self.assertLess(sum(pushed), len(samples) // 2)
        self.assertEqual(got, [])
        gate.set()
        thread.join(120)
        self.assertFalse(thread.is_alive())
        self.assertEqual(joined(got), expected)
        self.assertEqual(decoder.counters()["packets"], len(expected) // libdvbt2.TS_PACKET)


class Constellation(unittest.TestCase):
    def test_rotated_cells_become_points(self):
        """Rotated 16-QAM: cells are near constellation points only after derotation."""
        receiver, collector = libdvbt2.receiver(RATE, plps=[1]), Collector()
        for cells, _noise, frame, first in libdvbt2.cells_of(receiver, complex_samples("lite")):
            collector.add(cells, frame, first)
        points, name = collector.points(30000)
        self.assertEqual((name, len(points)), ("16QAM", frame.cells))
        levels = np.array([-3, -1, 1, 3]) / 10 ** 0.5

        def error(cells):
            return np.sqrt((np.abs(np.concatenate([cells.real, cells.imag])[:, None] - levels).min(axis=1) ** 2).mean())

        self.assertLess(error(points), 0.1)
        self.assertGreater(error(np.concatenate(collector.whole[0])), 0.13)


class Documentation(unittest.TestCase):
    def test_every_value_is_explained(self):
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/dvbt2.md").read_text(encoding="utf-8")
        decoder = libdvbt2.plp_decoder()
        values = [*libdvbt2.receiver(RATE).status(), *decoder.counters(), *decoder.signalling(), "iscr", "tto", "bufs", "in_band_a", "in_band_b"]
        self.assertEqual([name for name in values if f"`{name}`" not in page], [])


class WrongArguments(unittest.TestCase):
    """Error messages state the valid values."""

    def test_receiver(self):
        for options, sentence in (
                ({"sample_rate": 3e6}, r"3.*8 MHz|3.*8e\+06|sample_rate.*3"), ({"sample_rate": float("nan")}, "nan"), ({"format": "cs12"}, '"cf32".*"cs12"'),
                ({"bandwidth": 8e6}, "bandwidth 8e.06 MHz out of range .expected more than 0, at most 10 MHz"), ({"profile": "t2"}, '"lite".*"t2"'), ({"plps": []}, "1 to 510.*0"), ({"plps": [0] * 511}, "1 to 510.*511"),
                ({"sample_rate": 8e6, "bandwidth": 10}, "10"), ({"offset": 5e6}, "offset"), ({"decision_directed": 9}, "decision_directed 9.*0 .. 8")):
            with self.subTest(options), self.assertRaisesRegex(ValueError, sentence) as caught:
                libdvbt2.receiver(**{"sample_rate": 10e6, **options})
            self.assertNotIn("\n", str(caught.exception))

    def test_narrow_channels(self):
        """A T2-Lite signal is received in narrow channels."""
        sent = complex_samples("lite")
        for bandwidth in (0.5, 0.333, 0.125):
            with self.subTest(bandwidth):
                receiver, decoder = libdvbt2.receiver(bandwidth * 8e6 / 7, "cf32", bandwidth), libdvbt2.plp_decoder()
                packets = np.concatenate(list(libdvbt2.receive(receiver, decoder, [sent])))
                check_packets(self, packets.tobytes(), "lite", "lite", 0)
                self.assertEqual(receiver.status()["locks"], 1)

    def test_samples(self):
        receiver = libdvbt2.receiver(10e6, "cs16")
        for samples, error, sentence in ((b"123", ValueError, "3 bytes.*4 bytes"), (np.zeros((9, 4), np.int16)[:, ::2], TypeError, "contiguous"),
                                         ([1, 2], TypeError, "")):
            with self.subTest(samples), self.assertRaisesRegex(error, sentence):
                receiver.push(samples)
        with self.assertRaisesRegex(ValueError, "start: 3 of 2"):
            receiver.push(bytes(8), 3)

    def test_decoder(self):
        """Invalid arguments raise an exception at once, or at the first frame."""
        with self.assertRaisesRegex(ValueError, 'no backend "tpu": expected cpu, '):
            libdvbt2.plp_decoder(backend="tpu")
        for backend in ("cuda", "opencl"):
            reason = libldpc.backends().get(backend, "not in this build")
            with self.subTest(backend), self.assertRaisesRegex(RuntimeError, f'backend "{backend}"(:| is) {re.escape(reason)}') if reason else contextlib.nullcontext():
                libdvbt2.plp_decoder(backend=backend)
            with self.subTest(backend), self.assertWarnsRegex(RuntimeWarning, "the CPU decodes instead") if reason else contextlib.nullcontext():
                libdvbt2.plp_decoder(backend=backend, fallback=True)
        with self.assertRaisesRegex(ValueError, "max_iterations 20000"):
            self.first_frame(libdvbt2.plp_decoder(max_iterations=20000))
        decoder = libdvbt2.plp_decoder()
        cells, noise, frame, first = self.frame()
        for arguments, error, sentence in (
                ((frame, first, cells, noise[:-1]), ValueError, "noise: expected one value per cell"), ((frame, first, cells.real, noise), TypeError, "complex64"),
                ((frame, first, cells, noise.astype(float)), TypeError, "float32"), ((frame, frame.cells, cells, noise), ValueError, "in the T2 frame"),
                (("frame", 0, cells, noise), TypeError, "")):
            with self.subTest(sentence), self.assertRaisesRegex(error, sentence):
                decoder.feed(*arguments)
        self.assertEqual(decoder.pull().shape, (0, libdvbt2.TS_PACKET))

    def test_docstrings_are_complete(self):
        self.assertEqual(list(docstrings.gaps(libdvbt2)), [])

    def frame(self):
        receiver = libdvbt2.receiver(RATE)
        return next(libdvbt2.cells_of(receiver, complex_samples("lite")))

    def first_frame(self, decoder):
        for cells, noise, frame, first in libdvbt2.cells_of(libdvbt2.receiver(RATE), complex_samples("lite")):
            decoder.feed(frame, first, cells, noise)
        decoder.finish()


if __name__ == "__main__":
    unittest.main()
