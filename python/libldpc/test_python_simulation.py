# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.simulate_blocks() and the channels of the simulation."""
import unittest

import numpy as np

import libldpc

CODE = libldpc.code("wimax:576:1/2")


def counts(result):
    return {name: getattr(result, name) for name in ("frames", "frame_errors", "bits", "bit_errors", "symbols",
                                                     "symbol_errors", "undetected", "iterations", "channel_errors")}


class Blocks(unittest.TestCase):
    def test_blocks_in_pieces_are_the_run(self):
        decoder = libldpc.decoder(CODE, max_iterations=8, threads=2)
        expected = libldpc.simulate(decoder, 1.5, max_frames=500, max_frame_errors=0, seed=3, point=4)
        late = libldpc.simulate_blocks(decoder, 1.5, first_block=2, frames=500 - 128, seed=3, point=4)
        early = libldpc.simulate_blocks(decoder, 1.5, frames=128, seed=3, point=4)
        blocks = np.concatenate([early, late])
        result = libldpc.simulation()
        self.assertEqual(result.add(CODE, blocks, 500, 0), 8)
        self.assertEqual(counts(result), counts(expected))
        self.assertEqual(result.add(CODE, blocks, 500, 0), 0)
        self.assertEqual(int(blocks["iterations"].sum()), expected.iterations)
        self.assertEqual(list(blocks["frames"]), [64] * 7 + [52])

    def test_a_rate_above_1_is_refused(self):
        code = libldpc.code(CODE, punctured=range(288, 576))
        self.assertEqual((code.n, code.k), (288, 288))
        libldpc.noisy_frames(code, 1.0, count=1)
        code = libldpc.code(CODE, punctured=range(287, 576))
        with self.assertRaisesRegex((ValueError, RuntimeError), "287 transmitted symbols for 288 message symbols: are too many columns punctured"):
            libldpc.noisy_frames(code, 1.0, count=1)

    def test_stops_in_order(self):
        decoder = libldpc.decoder(CODE, max_iterations=8)
        blocks = libldpc.simulate_blocks(decoder, 1.5, frames=640)
        errors = [bin(mask).count("1") for mask in blocks["failed"].tolist()]
        result = libldpc.simulation()
        counted = result.add(CODE, blocks, 10**6, sum(errors[:3]))
        self.assertEqual((counted, result.frame_errors), (3, sum(errors[:3])))

    def test_histogram(self):
        blocks = libldpc.simulate_blocks(libldpc.decoder(CODE), 1.5, frames=203)
        used = np.arange(libldpc.SIM_BLOCK) < blocks["frames"][:, None]
        expected = np.bincount(blocks["iterations"][used])
        self.assertGreater(np.count_nonzero(expected), 3)
        self.assertEqual(libldpc.iterations_histogram(blocks).tolist(), expected.tolist())
        every_second = np.bincount(blocks[::2]["iterations"][used[::2]])
        self.assertEqual(libldpc.iterations_histogram(blocks[::2]).tolist(), every_second.tolist())

    def test_other_arrays(self):
        with self.assertRaisesRegex(TypeError, "an array of simulate_blocks"):
            libldpc.iterations_histogram(np.zeros(3))

    def test_failures_can_be_made_again(self):
        decoder = libldpc.decoder(CODE, max_iterations=8)
        blocks = libldpc.simulate_blocks(decoder, 1.0, first_block=3, modulation="16qam", point=2)
        failed = int(blocks["failed"][0])
        messages, llrs = libldpc.noisy_frames(CODE, 1.0, count=64, first_frame=3 * 64, modulation="16qam", point=2)
        wrong = (decoder.decode(llrs)[0] != messages).any(axis=1)
        self.assertEqual(failed, sum(1 << int(frame) for frame in np.flatnonzero(wrong)))


class Channels(unittest.TestCase):
    def errors(self, ebn0, **channel):
        return libldpc.simulate(libldpc.decoder(CODE), ebn0, max_frames=64, max_frame_errors=0, **channel).channel_errors

    def test_each_keyword_matters(self):
        plain = self.errors(3.0)
        self.assertEqual(self.errors(3.0, modulation="qpsk"), plain)
        self.assertNotEqual(self.errors(3.0, esn0=True), plain)
        self.assertNotEqual(self.errors(3.0, point=1), plain)
        self.assertNotEqual(self.errors(3.0, zero_codeword=True), plain)
        self.assertGreater(self.errors(3.0, fading="rayleigh"), 1.2 * plain)
        larger = [self.errors(3.0, modulation=name) for name in ("qpsk", "16qam", "64qam", "256qam")]
        self.assertEqual(larger, sorted(larger))

    def test_zero_word(self):
        messages, llrs = libldpc.noisy_frames(CODE, 5.0, count=2, zero_codeword=True)
        self.assertFalse(messages.any())
        self.assertGreater((llrs > 0).mean(), 0.9)

    def test_binary_symmetric_channel(self):
        for p in (0, 0.02, 0.5):
            self.assertAlmostEqual(self.errors(p, channel="bsc") / (64 * CODE.n), p, delta=4 * (p * (1 - p) / (64 * CODE.n)) ** 0.5)
        result = libldpc.simulate(CODE, 0.02, channel="bsc", max_frames=64)
        self.assertEqual((result.frame_errors, result.frames), (0, 64))

    def test_binary_erasure_channel(self):
        """The expected result comes from a peeling decoder, which resolves checks with a single erased bit."""
        checks, columns = CODE.parity_matrix()
        matrix = np.zeros((CODE.checks, CODE.columns), np.float32)
        matrix[checks, columns] = 1
        messages, llrs = libldpc.noisy_frames(CODE, 0.42, count=64, channel="bec")
        erased = (llrs == 0).T
        self.assertAlmostEqual(erased.mean(), 0.42, delta=0.01)
        for _ in range(100):
            erased = erased & (matrix.T @ (matrix @ erased == 1) == 0)
        peeled = ~erased.any(axis=0)
        self.assertTrue(0 < peeled.sum() < 64)
        for algorithm in ("auto", "min-sum", "sum-product"):
            bits, info = libldpc.decoder(CODE, max_iterations=200, algorithm=algorithm).decode(llrs)
            self.assertEqual(info["converged"].tolist(), peeled.tolist())
            self.assertTrue((bits == messages)[peeled].all())
        self.assertEqual(libldpc.simulate(CODE, 0.3, max_frames=64, channel="bec").frame_errors, 0)

    def test_a_stopping_set_is_not_recovered(self):
        """A stopping set: each check has either no erased bit or several."""
        random = np.random.default_rng(1)
        messages = np.zeros((2, CODE.k), np.uint8)
        messages[0, 0], messages[1] = 1, random.integers(0, 2, CODE.k)
        messages[1, 0] = 1
        erased, sent = CODE.encode(messages)
        llrs = np.where(sent, -40, 40).astype(np.float32)
        scattered = random.permutation(erased)
        for where, recovered in ((erased, False), (scattered, True)):
            bits, info = libldpc.decoder(CODE, max_iterations=100).decode(np.where(where, 0, llrs).astype(np.float32))
            self.assertEqual((bool(info["converged"]), (bits == messages[1]).all()), (recovered, recovered))

    def test_wrong_keywords(self):
        for expected, channel in (("expected one of bpsk, qpsk, 16qam, 64qam, 256qam, or a libldpc.demapper", {"modulation": "8psk"}),
                                  ("expected one of none, rayleigh", {"fading": "rice"}),
                                  ("expected one of awgn, bsc, bec", {"channel": "z"}),
                                  ("probability 1 of channel bsc: expected 0 .. 0.5", {"channel": "bsc"}),
                                  ("channel bec: expected modulation bpsk", {"channel": "bec", "modulation": "qpsk"}),
                                  ("point -1: expected 0 or more", {"point": -1}), ("point 1073741824: expected", {"point": 2**30})):
            with self.subTest(channel=channel), self.assertRaisesRegex(ValueError, expected):
                libldpc.noisy_frames(CODE, 1.0, **channel)
        for channel in ({"modulation": 3}, {"colour": 1}):
            with self.subTest(channel=channel), self.assertRaises(TypeError):
                libldpc.noisy_frames(CODE, 1.0, **channel)
        with self.assertRaisesRegex(ValueError, "llr_scale 0: expected 0.25 .. 64"):
            libldpc.noisy_frames(CODE, 1.0, llr_scale=0)


if __name__ == "__main__":
    unittest.main()
