#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of demapper and deinterleavers against gr-dtv and theory."""
import math
import unittest

import numpy as np
import pmt
from gnuradio import blocks, dtv, gr, ldpc

from qa_dvb_support import S2X, awgn, dtv_cells, modulations
from qa_support import output, tag, tags_of

CODES = [name for name in ldpc.codes() if name.split(":")[0] in ("dvbt2", "dvbs2", "dvbs2x")]


def run(block, *inputs, tags=(), messages=()):
    graph, heard = gr.top_block(), blocks.message_debug()
    sources = {"c": blocks.vector_source_c, "f": blocks.vector_source_f, "i": blocks.vector_source_b,
               "u": blocks.vector_source_b}
    for port, items in enumerate(inputs):
        kind = items.dtype.kind
        data = items.view(np.uint8) if kind in "iu" else items
        graph.connect(sources[kind](data.ravel().tolist(), False, 1, list(tags) if port == 0 else []), (block, port))
    sinks = []
    for port in range(block.output_signature().min_streams()):
        size = block.output_signature().sizeof_stream_item(port)
        sinks.append({1: blocks.vector_sink_b, 4: blocks.vector_sink_f, 8: blocks.vector_sink_c}[size]())
        graph.connect((block, port), sinks[-1])
    if isinstance(block, ldpc.dvb_demapper_cb):
        graph.msg_connect(block, "stats", heard, "store")
    for port, message in messages:
        block.to_basic_block()._post(pmt.intern(port), message)
    graph.run()
    return (*sinks, [pmt.to_python(heard.get_message(i)) for i in range(heard.num_messages())])


def llrs_of(sink):
    return output(sink).view(np.int8)


class AgainstGrDtv(unittest.TestCase):
    """Without noise, the hard decisions of the LLRs equal the codeword."""

    def check(self, code, modulation, rotated):
        codewords, cells = dtv_cells(code, modulation, rotated)
        demapper = ldpc.demapper(code, modulation, rotated)
        llrs = demapper.demap(cells, 1e-4)
        known = llrs != 0
        # The inner points of 256APSK 20/30 and 22/30 nearly coincide, so that one bit has an LLR near 0.
        self.assertGreater(known.mean(), 0.97 if modulation == "256apsk" else 0.99999, f"{code} {modulation}")
        np.testing.assert_array_equal(llrs[known] < 0, codewords[0][known], f"{code} {modulation} {rotated}")
        return 1

    def test_t2(self):
        checked = sum(self.check(code, modulation, rotated) for code in CODES if code.startswith("dvbt2")
                      for modulation in modulations(code) for rotated in (False, True))
        self.assertEqual(checked, (6 + 8) * 4 * 2)

    def test_s2(self):
        """QPSK: 21 codes, 8PSK: 11, 16APSK: 11, 32APSK: 9, S2X: 56."""
        checked = sum(self.check(code, modulation, False) for code in CODES if code.startswith("dvbs2")
                      for modulation in modulations(code))
        self.assertEqual(checked, 21 + 11 + 11 + 9 + 56)

    def test_same_points_as_gr_dtv(self):
        """Every cell of gr-dtv lies on a constellation point of the demapper."""
        for modulation, thresholds in S2X.items():
            for code in thresholds:
                points = ldpc.demapper(code, modulation).points
                _, cells = dtv_cells(code, modulation)
                scale = math.sqrt(np.mean(np.abs(points) ** 2))
                distances = np.abs(cells[:2000, None] / scale - points).min(axis=1)
                self.assertLess(distances.max(), 1e-4, (code, modulation))

    def test_unit_power(self):
        for code in CODES:
            for modulation in modulations(code):
                points = ldpc.demapper(code, modulation).points
                self.assertAlmostEqual(np.mean(np.abs(points) ** 2), 1, 5)

    def test_time_and_cell_interleaver(self):
        for code, size in (("dvbt2:16200:1/2", dtv.FECFRAME_SHORT), ("dvbt2:64800:1/2", dtv.FECFRAME_NORMAL)):
            for modulation, blocks_, ti in (("qpsk", 3, 2), ("16qam", 4, 1), ("64qam", 3, 0), ("256qam", 7, 3)):
                after = dtv.dvbt2_cellinterleaver_cc(size, getattr(dtv, "MOD_" + modulation.upper()), blocks_, ti)
                codewords, cells = dtv_cells(code, modulation, codewords=blocks_, after=[after])
                in_order = ldpc.cell_deinterleaver(code, modulation, ti).deinterleave(cells)
                llrs = ldpc.demapper(code, modulation).demap(in_order, 0.01)
                np.testing.assert_array_equal(llrs < 0, codewords, f"{code} {modulation} {ti}")


def q_function(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def theory(modulation, noise):
    """Returns the bit error rate of Gray-coded square QAM with nearest-point decisions."""
    bits = {"qpsk": 1, "16qam": 2, "64qam": 3, "256qam": 4}[modulation]
    step, sigma = math.sqrt(1.5 / (4**bits - 1)), math.sqrt(noise / 2)
    levels = np.arange(2**bits) * 2 - (2**bits - 1)
    gray = np.arange(2**bits) ^ np.arange(2**bits) >> 1
    total = 0
    for i, sent in enumerate(levels):
        for j, decided in enumerate(levels):
            low = -math.inf if j == 0 else (decided - 1 - sent) * step / sigma
            high = math.inf if j == 2**bits - 1 else (decided + 1 - sent) * step / sigma
            total += bin(gray[i] ^ gray[j]).count("1") * (q_function(low) - q_function(high))
    return total / 2**bits / bits


def theory_of_points(points, bits, noise, steps=160):
    """Returns the bit error rate of nearest-point decisions by numerical integration."""
    generator, axis = np.random.default_rng(1), np.linspace(-5, 5, steps, endpoint=False)
    squares = (axis[:, None] + 1j * axis).ravel()
    wrong = weight = 0
    for sent, point in enumerate(points):
        within = generator.uniform(0, 10 / steps, (2, steps**2))
        place = (squares + within[0] + 1j * within[1]) * math.sqrt(noise / 2)
        weights = np.exp(-np.abs(place) ** 2 / noise)
        decided = np.abs(point + place[:, None] - points).argmin(axis=1)
        flipped = np.unpackbits((decided ^ sent).astype(np.uint8)[:, None], axis=1).sum(axis=1)
        wrong, weight = wrong + (weights * flipped).sum(), weight + weights.sum()
    return wrong / weight / bits


class ErrorRate(unittest.TestCase):
    """Compares the raw bit error rate and the MER in AWGN with theory."""

    def measure(self, modulation, mer_db, rotated=False, per_cell=False, seed=1, code="dvbt2:64800:1/2"):
        noise = 10 ** (-mer_db / 10)
        demapper = ldpc.demapper(code, modulation, rotated, deinterleave=False, llr_scale=20)
        generator = np.random.default_rng(seed)
        sent = generator.integers(0, 2, (13, demapper.n), np.uint8)
        labels = np.packbits(sent.reshape(13, demapper.cells, -1), axis=2)[:, :, 0] >> 8 - demapper.bits
        cells = demapper.points[labels]
        if rotated:
            cells = cells.real + 1j * np.roll(cells.imag, 1, axis=1)
        received = awgn(cells, noise, seed)
        self.assertLess(abs(-10 * math.log10(demapper.measure_noise(received)) - mer_db), 0.25)
        llrs = demapper.demap(received, np.full(received.shape, noise, np.float32) if per_cell else noise)
        wrong = np.where(llrs == 0, 0.5, (llrs < 0) != sent)  # LLR 0: error probability 1/2
        return wrong.mean(), wrong.sum()

    def test_raw_ber(self):
        for modulation, mer_db in (("qpsk", 4), ("16qam", 10.5), ("64qam", 15.5), ("256qam", 20)):
            for rotated, per_cell in ((False, False), (True, False), (True, True)):
                ber, errors = self.measure(modulation, mer_db, rotated, per_cell)
                expected = theory(modulation, 10 ** (-mer_db / 10))
                self.assertGreater(errors, 20000)
                self.assertLess(abs(ber / expected - 1), 0.02, (modulation, rotated, per_cell, ber, expected))

    def test_raw_ber_of_s2(self):
        for modulation, mer_db, rate in (("qpsk", 4, "1/2"), ("8psk", 9, "2/3"), ("16apsk", 11.5, "3/4"), ("16apsk", 12.5, "9/10"),
                                         ("32apsk", 14, "3/4"), ("32apsk", 14.5, "9/10")):
            code = f"dvbs2:64800:{rate}"
            demapper = ldpc.demapper(code, modulation)
            ber, errors = self.measure(modulation, mer_db, code=code)
            expected = theory_of_points(demapper.points, demapper.bits, 10 ** (-mer_db / 10))
            self.assertGreater(errors, 20000)
            self.assertLess(abs(ber / expected - 1), 0.02, (modulation, rate, ber, expected))


class Demapper(unittest.TestCase):
    CODE, MODULATION = "dvbt2:16200:2/3", "64qam"

    def setUp(self):
        self.codewords, self.cells = dtv_cells(self.CODE, self.MODULATION, True, codewords=3)
        self.library = ldpc.demapper(self.CODE, self.MODULATION, True)
        self.received = awgn(self.cells, 0.02).astype(np.complex64)

    def block(self, **options):
        return ldpc.dvb_demapper_cb(self.CODE, self.MODULATION, True, **options)

    def expected(self, noise, cells=None):
        cells = self.received if cells is None else cells
        return self.library.demap(cells.reshape(-1, self.library.cells), noise)

    def rows(self, sink):
        return llrs_of(sink).reshape(-1, self.library.n)

    def test_same_as_the_library(self):
        """LLRs must equal those of libldpc. An incomplete codeword at the end is dropped."""
        extra = np.zeros(self.library.cells - 1, np.complex64)
        sink, _ = run(self.block(noise=0.02), np.concatenate([self.received, extra]))
        np.testing.assert_array_equal(self.rows(sink), self.expected(0.02))
        exact = ldpc.demapper(self.CODE, self.MODULATION, True, exact=True, deinterleave=False, llr_scale=5)
        sink, _ = run(self.block(noise=0.02, exact=True, deinterleave=False, llr_scale=5), self.received)
        np.testing.assert_array_equal(self.rows(sink), exact.demap(self.received.reshape(3, -1), 0.02))

    def test_measured_noise(self):
        """Noise is estimated for each codeword, so a noise burst affects one codeword only."""
        self.received[2700:5400] += awgn(np.zeros(2700, np.complex64), 0.5, 2)
        block = self.block(stats_interval=100)
        sink, stats = run(block, self.received)
        for w, row in enumerate(self.rows(sink)):
            cells = self.received[w * 2700:][:2700]
            np.testing.assert_array_equal(row, self.library.demap(cells, self.library.measure_noise(cells)))
        self.assertEqual(len(stats), 1)
        self.assertEqual((stats[0]["frames"], stats[0]["total_frames"], stats[0]["code"]), (3, 3, self.CODE))
        self.assertAlmostEqual(stats[0]["mer_db"], -10 * math.log10(stats[0]["noise"]), 5)
        self.assertAlmostEqual(block.mer_db(), stats[0]["mer_db"], 5)
        self.assertEqual((block.frames(), block.n(), block.cells()), (3, 16200, 2700))

    def test_mer(self):
        block = self.block()
        run(block, self.received)
        self.assertLess(abs(block.mer_db() - 17), 0.4)

    def test_noise_of_each_cell(self):
        noise = np.random.default_rng(3).uniform(0.001, 0.3, self.received.shape).astype(np.float32)
        sink, _ = run(self.block(noise_input=True), self.received, noise)
        np.testing.assert_array_equal(self.rows(sink), self.expected(noise.reshape(3, -1)))

    def test_noise_by_tag(self):
        """A noise tag applies to its codeword and to later codewords. Other tags are kept."""
        tags = [tag(2700, "noise", 0.1), tag(2 * 2700 + 5, "noise", 0.3), tag(2700, "mine", 7), tag(0, "noise", "x")]
        sink, _ = run(self.block(noise=0.02), self.received, tags=tags)
        for row, cells, noise in zip(self.rows(sink), self.received.reshape(3, -1), (0.02, 0.1, 0.3)):
            np.testing.assert_array_equal(row, self.library.demap(cells, noise))
        self.assertEqual(tags_of(sink, "mine"), [(16200, 7)])
        sink, _ = run(self.block(noise=0.02, noise_tag=""), self.received, tags=tags)
        np.testing.assert_array_equal(self.rows(sink), self.expected(0.02))

    def test_noise_by_message(self):
        for message in (pmt.from_double(0.1), pmt.dict_add(pmt.make_dict(), pmt.intern("noise"), pmt.from_double(0.1))):
            sink, _ = run(self.block(noise=0.02), self.received, messages=[("noise", message)])
            np.testing.assert_array_equal(self.rows(sink), self.expected(0.1))
        for message in (pmt.intern("loud"), pmt.from_double(-1), pmt.from_double(math.inf)):
            sink, _ = run(self.block(noise=0.02), self.received, messages=[("noise", message)])
            np.testing.assert_array_equal(self.rows(sink), self.expected(0.02))

    def test_setter(self):
        block = self.block()
        block.set_noise(0.1)
        sink, _ = run(block, self.received)
        np.testing.assert_array_equal(self.rows(sink), self.expected(0.1))
        self.assertRaises(ValueError, block.set_noise, -1)

    def test_no_stats(self):
        self.assertEqual(run(self.block(stats_interval=0), self.received)[1], [])

    def test_refusals(self):
        for options in ({"noise": -1}, {"noise": math.nan}, {"noise": math.inf}, {"llr_scale": 0}, {"stats_interval": -1}):
            self.assertRaises(ValueError, self.block, **options)
        self.assertRaises(ValueError, ldpc.dvb_demapper_cb, self.CODE, "8psk")
        self.assertRaises(ValueError, ldpc.dvb_demapper_cb, "dvbs2:16200:2/3", "qpsk", True)


class BitDeinterleaver(unittest.TestCase):
    def test_against_gr_dtv(self):
        for code, modulation in (("dvbt2:16200:3/5", "256qam"), ("dvbs2:16200:3/5", "8psk")):
            library = ldpc.demapper(code, modulation, deinterleave=False)
            codewords, cells = dtv_cells(code, modulation, codewords=2)
            bits = (library.demap(cells.reshape(2, -1), 0.01) < 0).astype(np.uint8)
            block = ldpc.dvb_bit_deinterleaver_bb(code, modulation)
            sink, _ = run(block, bits, tags=[tag(16200, "codeword", 1)])
            np.testing.assert_array_equal(output(sink).reshape(2, -1), codewords)
            self.assertEqual((block.n(), tags_of(sink, "codeword")), (16200, [(16200, 1)]))

    def test_refusal(self):
        self.assertRaises(ValueError, ldpc.dvb_bit_deinterleaver_bb, "wifi:648:1/2", "qpsk")


if __name__ == "__main__":
    unittest.main(verbosity=2)
