# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests libdvbs2 without a signal: invalid arguments, types of samples, states. tests/cli/test_dvbs2.py receives signals."""
import contextlib
import unittest

import libdvbs2
import libldpc
import numpy as np

RATES = {"sample_rate": 2e6, "symbol_rate": 1e6}


class Arguments(unittest.TestCase):
    def test_values(self):
        for options, sentence in (({"sample_rate": 1e6}, "sample rate 1000000 Hz out of range: 1000000 baud need 1.1 .. 64 MHz"),
                                  ({"symbol_rate": 0.0}, "symbol rate 0 baud out of range"), ({"format": "cf64"}, 'format: expected one of "cf32"'),
                                  ({"roll_off": 0.4}, "roll-off 0.4 out of range"), ({"gold": 262142}, "gold code 262142 out of range"),
                                  ({"stream": 256}, "stream 256 out of range"), ({"offset": 1.1e6}, "offset 1.1e.06 Hz out of range")):
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                libdvbs2.receiver(**{**RATES, **options})

    def test_samples(self):
        receiver = libdvbs2.receiver(**RATES, format="cs16")
        self.assertEqual(receiver.sample_bytes, 4)
        with self.assertRaisesRegex(ValueError, "6 bytes are not a whole number of samples of 4 bytes"):
            receiver.push(np.zeros(3, np.int16))
        with self.assertRaisesRegex(ValueError, "start: 3 of 2 samples"):
            receiver.push(np.zeros(4, np.int16), 3)
        with self.assertRaises(TypeError):
            receiver.push(np.zeros((8, 2), np.int16)[::2])

    def test_survey(self):
        for sample_format, kind in (("cf32", np.float32), ("cu8", np.uint8)):
            noise = np.random.default_rng(1).integers(0, 100, 200000).astype(kind)
            self.assertEqual(libdvbs2.survey(noise, 2e6, sample_format), [])
            self.assertEqual(libdvbs2.survey(noise, 2e6, sample_format, more=iter([noise, noise.tobytes()])), [])
        with self.assertRaises(TypeError):
            libdvbs2.survey(noise, 2e6, "cu8", more=[1])
        for arguments, sentence in (((noise[:100], 2e6, "cu8"), "50 samples are too few"), ((noise, 0.0, "cu8"), "sample rate 0 Hz"),
                                    ((noise, 2e6, "cu8", [1 << 20]), "gold code 1048576 out of range"),
                                    ((noise, 2e6, "cu8", [], 3e6), "lowest symbol rate 3e.06 baud out of range")):
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                libdvbs2.survey(*arguments)

    def test_samples_are_held(self):
        samples = bytearray(200000)

        def more():
            with self.assertRaises(BufferError):
                samples.clear()
            yield from ()

        libdvbs2.survey(samples, 2e6, "cs8", more=more())

    def test_band(self):
        carrier = {"frequency": 0.2e6, "symbol_rate": 1e6, "roll_off": 0.2, "gold": None}
        for carriers, sentence in (([], "0 carriers"), ([{**carrier, "gold": 262142}], "carrier 0: gold code 262142 out of range"),
                                   ([carrier, {"frequency": 0.2e6}], "carrier 1: symbol_rate: expected a number in baud, not None"),
                                   ([{**carrier, "frequency": "x"}], "carrier 0: frequency: expected a number in Hz, not 'x'"),
                                   ([{**carrier, "roll_off": "x"}], "carrier 0: roll_off: expected 0.05 .. 0.35, or None, not 'x'"),
                                   ([{**carrier, "gold": -1}], "carrier 0: gold: expected 0 .. 262141, or None, not -1"),
                                   ([carrier, {**carrier, "frequency": 2e6}], r"offset 2e.06 Hz of carrier 1 out of range")):
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, sentence):
                libdvbs2.band(carriers, 4e6)
        with self.assertRaisesRegex(ValueError, 'no backend "tpu": expected cpu, gpu, cuda or opencl'):
            libdvbs2.band([carrier], 4e6, backend="tpu")
        for backend in ("cuda", "opencl"):
            reason = libldpc.backends().get(backend, "not in this build")
            with self.subTest(backend), self.assertWarnsRegex(RuntimeWarning, "the CPU decodes instead") if reason else contextlib.nullcontext():
                libdvbs2.band([carrier], 4e6, backend=backend, fallback=True)
        band = libdvbs2.band([carrier, {**carrier, "frequency": -1e6}], 4e6, "cs8", threads=2)
        noise = np.random.default_rng(1).integers(-100, 100, 400000).astype(np.int8)
        band.push(noise)
        band.gap()
        band.push(noise.tobytes())
        band.finish()
        self.assertEqual(band.pull(), [])
        self.assertEqual((band.status(1)["packets"], band.status(1)["locks"], band.status(0)["modcods"]), (0, 0, []))
        with self.assertRaisesRegex(IndexError, "carrier 2: the band has 2"):
            band.status(2)
        with self.assertRaisesRegex(ValueError, "3 bytes are not a whole number of samples of 2 bytes"):
            band.push(bytes(3))

    def test_survey_of_many_edges(self):
        noise = np.random.default_rng(1).normal(size=60000).astype(np.complex64)
        noise[300:] += noise[:-300]
        with self.assertWarnsRegex(RuntimeWarning, "too many edges or carriers"):
            self.assertEqual(libdvbs2.survey(noise, 4e6, least_rate=3e3), [])

    def test_noise(self):
        for sample_format, kind in (("cf32", np.float32), ("cs16", np.int16), ("cs8", np.int8), ("cu8", np.uint8)):
            receiver = libdvbs2.receiver(**RATES, format=sample_format)
            noise = np.random.default_rng(1).integers(0, 100, 200000).astype(kind)
            self.assertEqual(list(libdvbs2.receive(receiver, [noise, noise.tobytes()])), [])
            status = receiver.status()
            self.assertEqual((status["samples"], status["packets"], status["locked"]), (200000, 0, False))

    def test_samples_after_the_end(self):
        receiver = libdvbs2.receiver(**RATES)
        self.assertEqual(list(libdvbs2.receive(receiver, [])), [])
        self.assertEqual(list(libdvbs2.frames_of(receiver, b"")), [])
        for again in (libdvbs2.frames_of(receiver, bytes(8)), libdvbs2.receive(receiver, [bytes(8)])):
            with self.assertRaisesRegex(ValueError, "the receiver is finished"):
                list(again)


if __name__ == "__main__":
    unittest.main()
