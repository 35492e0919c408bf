# SPDX-License-Identifier: BSD-3-Clause
"""Tests libldpc.mapper: the demapper must return the bits that were mapped, and points and ring ratios must be those of the
standards."""
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
        """Tests the ring ratios of EN 302 307-1, tables 9 and 10."""
        for code, modulation, ratios in (("dvbs2:64800:2/3", "16apsk", [3.15]), ("dvbs2:64800:9/10", "16apsk", [2.57]),
                                         ("dvbs2:64800:3/4", "32apsk", [2.84, 5.27]), ("dvbs2:64800:8/9", "32apsk", [2.54, 4.33])):
            radii = np.unique(np.round(abs(libldpc.mapper(code, modulation).points), 4))
            np.testing.assert_allclose(radii[1:] / radii[0], ratios, atol=2e-3)

    def test_wrong_shape(self):
        mapper = libldpc.mapper("dvbs2:16200:2/3", "8psk")
        with self.assertRaisesRegex(ValueError, r"expected shape \(codewords, 16200\) or \(16200,\), not \(3,\)"):
            mapper.map([0, 1, 0])


if __name__ == "__main__":
    unittest.main()
