# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.demapper and libldpc.cell_deinterleaver: shapes, types, invalid arguments, decoded bits."""
import unittest

import libldpc
import numpy as np

CODE, MODULATION = "dvbt2:16200:1/2", "16qam"


def noisy_cells(demapper, count, noise, seed=1):
    """Returns codewords (count, n) and noisy cells (count, cells)."""
    generator = np.random.default_rng(seed)
    code = libldpc.code(CODE)
    messages = generator.integers(0, 2, (count, code.k), np.uint8)
    codewords = code.encode(messages)
    in_cells = np.empty_like(codewords)
    in_cells[:, demapper.order] = codewords
    labels = np.packbits(in_cells.reshape(count, demapper.cells, -1), axis=2)[:, :, 0] >> 8 - demapper.bits
    error = generator.standard_normal((2, count, demapper.cells)) * np.sqrt(noise / 2)
    return messages, demapper.points[labels] + error[0] + 1j * error[1]


class Demapper(unittest.TestCase):
    def setUp(self):
        self.demapper = libldpc.demapper(CODE, MODULATION)

    def test_cells_to_decoded_bits(self):
        messages, cells = noisy_cells(self.demapper, 3, 10 ** -0.8)
        llrs = self.demapper.demap(cells, self.demapper.measure_noise(cells))
        bits, info = libldpc.decoder(libldpc.code(CODE)).decode(llrs)
        self.assertTrue(info["converged"].all())
        np.testing.assert_array_equal(bits, messages)

    def test_shapes(self):
        _, cells = noisy_cells(self.demapper, 3, 0.1)
        llrs = self.demapper.demap(cells, 0.1)
        self.assertEqual((llrs.shape, llrs.dtype), ((3, 16200), np.int8))
        np.testing.assert_array_equal(self.demapper.demap(cells[1], 0.1), llrs[1])
        np.testing.assert_array_equal(self.demapper.demap(cells[1].astype(np.complex64), np.float32(0.1)), llrs[1])
        np.testing.assert_array_equal(self.demapper.demap(cells, np.full(cells.shape, 0.1)), llrs)

    def test_kernels_are_equal(self):
        _, cells = noisy_cells(self.demapper, 1, 0.1)
        llrs = self.demapper.demap(cells, 0.1)
        kernels = libldpc.demapper_kernels()
        self.assertEqual(self.demapper.kernel, kernels[-1])
        for kernel in kernels:
            np.testing.assert_array_equal(libldpc.demapper(CODE, MODULATION, kernel=kernel).demap(cells, 0.1), llrs)

    def test_deinterleave(self):
        in_cells = libldpc.demapper(CODE, MODULATION, deinterleave=False)
        _, cells = noisy_cells(self.demapper, 2, 0.1)
        np.testing.assert_array_equal(in_cells.deinterleave(in_cells.demap(cells, 0.1)), self.demapper.demap(cells, 0.1))
        bits = np.arange(16200) % 2 == 1
        np.testing.assert_array_equal(in_cells.deinterleave(bits), bits[in_cells.order])

    def test_getters(self):
        self.assertEqual((self.demapper.n, self.demapper.cells, self.demapper.bits), (16200, 4050, 4))
        self.assertEqual(repr(self.demapper), "<libldpc.demapper dvbt2:16200:1/2 16qam: 4050 cells, n=16200>")
        self.assertEqual(self.demapper.points.shape, (16,))
        self.assertEqual(sorted(self.demapper.order), list(range(16200)))

    def test_refusals(self):
        cells = np.zeros((2, 4050), np.complex64)
        for wrong, noise, error in ((cells[:, :-1], 0.1, ValueError), (cells.real, 0.1, TypeError), (cells, 0, ValueError),
                                    (cells, np.nan, ValueError), (cells, np.ones(4050), ValueError)):
            self.assertRaises(error, self.demapper.demap, wrong, noise)
        self.assertRaises(ValueError, self.demapper.measure_noise, cells[:, 1:])
        self.assertRaises(ValueError, self.demapper.deinterleave, np.zeros(16199, np.int8))
        with self.assertRaisesRegex(TypeError, "expected int8 LLRs.*float64"):
            self.demapper.deinterleave(np.zeros(16200))
        for demapper in (libldpc.demapper("dvbs2x:64800:135/180", "128apsk"),
                         libldpc.demapper("dvbc2:64800:3/4", "1024qam", deinterleave=False)):
            self.assertRaisesRegex(ValueError, "expected another code", demapper.deinterleave, np.zeros(64800, np.int8))
        for arguments in (("dvbt2:16200:1/2", "8psk"), ("wifi:648:1/2", "qpsk"), ("dvbt2:1:1/2", "qpsk")):
            self.assertRaises(ValueError, libldpc.demapper, *arguments)
        self.assertRaises(ValueError, libldpc.demapper, CODE, MODULATION, kernel="abacus")


class CellDeinterleaver(unittest.TestCase):
    def test_undoes_the_interleaver(self):
        deinterleaver = libldpc.cell_deinterleaver(CODE, MODULATION, 3)
        self.assertEqual((deinterleaver.cells, deinterleaver.ti_block_sizes(7)), (4050, [2, 2, 3]))
        places = deinterleaver.deinterleave(np.arange(7 * 4050, dtype=np.complex64)).real.astype(int)
        self.assertEqual(sorted(places.ravel()), list(range(7 * 4050)))
        for first, count in ((0, 2), (2, 2), (4, 3)):  # cells stay in their TI block
            self.assertEqual(set(places[first:first + count].ravel() // 4050), set(range(first, first + count)))
        cells = np.random.default_rng(1).standard_normal((7, 4050)) + 0j
        on_air = np.empty(7 * 4050, complex)
        on_air[places] = cells
        np.testing.assert_array_equal(deinterleaver.deinterleave(on_air), cells.astype(np.complex64))

    def test_refusals(self):
        deinterleaver = libldpc.cell_deinterleaver(CODE, MODULATION)
        for wrong in (np.zeros(0, np.complex64), np.zeros(4051, np.complex64), np.zeros((2, 4050), np.complex64)):
            self.assertRaises(ValueError, deinterleaver.deinterleave, wrong)
        self.assertRaises(TypeError, deinterleaver.deinterleave, np.zeros(4050))
        self.assertRaises(ValueError, libldpc.cell_deinterleaver, CODE, MODULATION, 256)
        self.assertRaises(ValueError, libldpc.cell_deinterleaver, "dvbs2:16200:1/2", "qpsk")


if __name__ == "__main__":
    unittest.main()
