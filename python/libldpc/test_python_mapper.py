# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.mapper: round trips, points of the standards, other constellations."""
import math
import pathlib
import re
import tempfile
import unittest

import numpy as np

import libldpc

CASES = (("dvbs2:64800:3/4", "qpsk"), ("dvbs2:64800:3/4", "8psk"), ("dvbs2:16200:2/3", "16apsk"), ("dvbs2:64800:9/10", "32apsk"),
         ("dvbs2x:64800:100/180", "8apsk"), ("dvbs2x:64800:132/180", "64apsk"), ("dvbs2x:64800:135/180", "128apsk"),
         ("dvbs2x:64800:116/180", "256apsk"), ("dvbt2:16200:1/2", "64qam"), ("dvbt2:64800:2/3", "256qam"))


class Mapper(unittest.TestCase):
    def test_demapper_returns_the_bits(self):
        random = np.random.default_rng(1)
        for code, modulation in CASES:
            for rotated in (False, True)[:1 + code.startswith("dvbt2")]:
                mapper = libldpc.mapper(code, modulation, rotated=rotated)
                bits = random.integers(0, 2, (2, mapper.n), np.uint8)
                cells = mapper.map(bits)
                self.assertEqual((cells.dtype, cells.shape), (np.complex64, (2, mapper.cells)))
                llrs = libldpc.demapper(code, modulation, rotated=rotated).demap(cells, 1e-4)
                self.assertTrue(((llrs < 0) == bits).all(), (code, modulation, rotated))
                self.assertTrue((mapper.map(bits[0]) == cells[0]).all())
                self.assertAlmostEqual(float((abs(cells) ** 2).mean()), 1, delta=0.02)

    def test_ring_ratios(self):
        """EN 302 307-1, tables 9 and 10."""
        for code, modulation, ratios in (("dvbs2:64800:2/3", "16apsk", [3.15]), ("dvbs2:64800:9/10", "16apsk", [2.57]),
                                         ("dvbs2:64800:3/4", "32apsk", [2.84, 5.27]), ("dvbs2:64800:8/9", "32apsk", [2.54, 4.33])):
            radii = np.unique(np.round(abs(libldpc.mapper(code, modulation).points), 4))
            np.testing.assert_allclose(radii[1:] / radii[0], ratios, atol=2e-3)

    def test_wrong_shape(self):
        mapper = libldpc.mapper("dvbs2:16200:2/3", "8psk")
        with self.assertRaisesRegex(ValueError, r"expected shape \(codewords, 16200\) or \(16200,\), not \(3,\)"):
            mapper.map([0, 1, 0])


def sixteen_qam():
    """Returns the 16-QAM points of TS 38.211, clause 5.1.4."""
    b = 1 - 2 * (np.arange(16)[:, None] >> np.arange(3, -1, -1) & 1)
    return b[:, 0] * (2 - b[:, 2]) + 1j * b[:, 1] * (2 - b[:, 3])


class Points(unittest.TestCase):
    def file(self, points, more=""):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "points.txt")
        path.write_text(more + "".join(f"{point.real!r} {point.imag!r}\n" for point in points.tolist()), encoding="utf-8")
        return path

    def test_demapper_returns_the_bits(self):
        random = np.random.default_rng(1)
        for bits in range(1, 9):
            points = 5 * (random.normal(size=2**bits) + 1j * random.normal(size=2**bits))
            mapper = libldpc.mapper("wifi:648:1/2", points=self.file(points, "# a comment\n"))
            self.assertEqual((mapper.bits, mapper.cells), (bits, -(-648 // bits)))
            self.assertAlmostEqual(float((abs(mapper.points) ** 2).mean()), 1, places=5)
            sent = random.integers(0, 2, (2, 648), np.uint8)
            for exact in (False, True):
                demapper = libldpc.demapper(libldpc.code("wifi:648:1/2"), points=points, exact=exact)
                self.assertTrue(((demapper.demap(mapper.map(sent), 1e-9) < 0) == sent).all())

    def test_noise(self):
        random = np.random.default_rng(2)
        points = random.normal(size=8) + 1j * random.normal(size=8)
        mapper, demapper = (kind("wifi:1944:1/2", points=points) for kind in (libldpc.mapper, libldpc.demapper))
        cells = mapper.map(random.integers(0, 2, (20, 1944), np.uint8))
        noise = random.normal(size=(2, *cells.shape)) * math.sqrt(0.1 / 2)
        self.assertAlmostEqual(demapper.measure_noise(cells + noise[0] + 1j * noise[1]), 0.1, delta=0.005)

    def test_a_file_equals_the_standard(self):
        """LLRs must be equal except for rounding. QPSK of DVB-S2 is used because it has no bit interleaver."""
        for code, modulation in CASES:
            demapper = libldpc.demapper(code, modulation)
            own = libldpc.demapper(code, points=self.file(demapper.points))
            np.testing.assert_array_equal(own.points, demapper.points)
        code = "dvbs2:16200:1/2"
        counts = []
        for modulation in (libldpc.demapper(code, "qpsk"), libldpc.demapper(code, points=self.file(libldpc.demapper(code, "qpsk").points))):
            blocks = libldpc.simulate_blocks(libldpc.decoder(code, max_iterations=20), 1.0, modulation=modulation, esn0=True, frames=64)
            self.assertGreater(blocks["iterations"].sum(), 64)
            counts.append(blocks.tobytes())
        self.assertEqual(counts[0], counts[1])

    def test_llrs_of_the_points(self):
        """The points of 16-QAM give the LLRs of modulation="16qam", except for rounding."""
        for fading in ("none", "rayleigh"):
            expected, found = (libldpc.noisy_frames("wifi:648:1/2", 6.0, count=3, dtype="float32", fading=fading, modulation=modulation)[1]
                               for modulation in ("16qam", libldpc.demapper("wifi:648:1/2", points=sixteen_qam())))
            np.testing.assert_allclose(found, expected, atol=2e-4)

    def test_error_rate_of_uncoded_qpsk(self):
        for esn0 in (0.0, 4.0, 7.0):
            result = libldpc.simulate("dvbs2:16200:1/2", esn0, esn0=True, max_frames=64, max_frame_errors=0, modulation=libldpc.demapper("dvbs2:16200:1/2", "qpsk"))
            p, bits = math.erfc(math.sqrt(10 ** (esn0 / 10) / 2)) / 2, 64 * 16200
            self.assertAlmostEqual(result.channel_errors / bits, p, delta=4 * math.sqrt(p * (1 - p) / bits))

    def test_every_constellation_of_the_standards(self):
        """Without noise there are no bit errors. Eb includes the code rate."""
        for code, modulation in (*CASES, ("dvbc2:16200:8/9", "1024qam")):
            demapper = libldpc.demapper(code, modulation, deinterleave="dvbc2" not in code)
            decoder = libldpc.decoder(code, max_iterations=2)
            def errors(db, **more):
                return libldpc.simulate(decoder, db, max_frames=2, modulation=demapper, **more).channel_errors
            self.assertEqual(errors(60.0), 0)
            self.assertGreater(errors(5.0), 0)
            ebn0 = 5 - 10 * math.log10(demapper.bits * decoder.code.k / decoder.code.n)
            self.assertAlmostEqual(errors(5.0, esn0=True), errors(ebn0), delta=2)

    def test_wrong_points(self):
        for sentence, points in (("expected 2, 4, 8 .. 256 points, not complex128 of shape (3,)", np.ones(3) + 0j),
                                 ("expected finite numbers, not all 0", np.zeros(4) + 0j), ("expected finite numbers", np.array([np.nan, 1j])),
                                 ("expected 2, 4, 8 .. 256 lines of two numbers, I and Q, not 3 of 2", self.file(np.ones(3) + 0j)),
                                 ("expected two numbers per line, I and Q: could not convert string 'one'", self.file(np.ones(1) + 0j, "one two\n"))):
            with self.subTest(sentence), self.assertRaisesRegex(ValueError, re.escape(sentence)):
                libldpc.demapper("wifi:648:1/2", points=points)
        with self.assertRaisesRegex(TypeError, "points: expected an array of complex cells"):
            libldpc.demapper("wifi:648:1/2", points=[1.0, 2.0])
        with self.assertRaises(FileNotFoundError):
            libldpc.mapper("wifi:648:1/2", points="no such file")
        for arguments in ({}, {"modulation": "qpsk", "points": [1j, -1j]}):
            with self.assertRaisesRegex(ValueError, "expected either modulation or points"):
                libldpc.demapper("dvbs2:16200:1/2", **arguments)
        for sentence, demapper in (("codewords of 16200 bits: expected 648, as wifi:648:1/2 has", libldpc.demapper("dvbs2:16200:1/2", "qpsk")),):
            with self.assertRaisesRegex(ValueError, sentence):
                libldpc.simulate("wifi:648:1/2", 3.0, modulation=demapper)
        with self.assertRaisesRegex(ValueError, "the demapper is rotated: expected rotated = false"):
            libldpc.simulate("dvbt2:16200:1/2", 3.0, modulation=libldpc.demapper("dvbt2:16200:1/2", "qpsk", rotated=True))


if __name__ == "__main__":
    unittest.main()
