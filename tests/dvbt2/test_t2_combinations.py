# SPDX-License-Identifier: GPL-3.0-or-later
"""Transmits a twentieth of the covering set of modes with gr-dtv, through a simulated channel. Compares every packet.

tests/bench/dvbt2_receiver.py runs the whole set."""
import unittest

import numpy as np

import t2_combinations
import t2_trial
from t2_packets import compare

PARTS, FIRST = 20, 5
REGRESSIONS = (47, 64, 130, 139)  # combinations that failed in the past
CROWDED = 139  # its paths occupy 90 % of the delay range of the scattered pilots


class CoveringSet(unittest.TestCase):
    def test_every_pair_occurs(self):
        chosen = t2_combinations.combinations()
        self.assertGreaterEqual(len(chosen), 150)
        found = set().union(*map(t2_combinations.pairs, chosen))
        self.assertEqual(t2_combinations.all_pairs() - found, set())

    def test_the_same_set_each_time(self):
        self.assertEqual(t2_combinations.combinations(), t2_combinations.combinations.__wrapped__())


class Comparison(unittest.TestCase):
    def setUp(self):
        index = np.arange(100)
        self.sent = np.random.default_rng(1).integers(0, 256, (100, 188), dtype=np.uint8)
        self.sent[:, 1:4] = 1, 0, 0x10
        for byte in range(4):
            self.sent[:, 4 + byte] = index >> (24 - 8 * byte) & 255
        self.sent[::9, 1:3] = 0x1f, 0xff

    def test_whole_and_shifted(self):
        for first in (0, 7, 9):
            result = compare(self.sent[first:], self.sent)
            self.assertEqual(result.runs, [(first, 100 - first)])
            self.assertEqual((result.wrong, result.marked), (0, 0))
            self.assertTrue(result.covers(first, 100))

    def test_gap(self):
        result = compare(np.concatenate([self.sent[3:20], self.sent[31:]]), self.sent)
        self.assertEqual(result.runs, [(3, 17), (31, 69)])
        self.assertFalse(result.covers(3, 100))
        self.assertEqual(result.wrong, 0)

    def test_wrong_and_marked(self):
        received = self.sent.copy()
        received[50, 100] ^= 1
        received[60, 1] |= 0x80
        result = compare(received, self.sent)
        self.assertEqual((result.wrong, result.marked, result.right), (1, 1, 98))


class Reception(unittest.TestCase):
    def test_little_noise_and_long_channel(self):
        trial = t2_trial.run(t2_combinations.combinations()[CROWDED], cn=50.0)
        self.assertTrue(trial.passed, trial)


def add_trial(number):
    def test(self):
        trial = t2_trial.run(t2_combinations.combinations()[number])
        self.assertTrue(trial.passed, trial)
    setattr(Reception, 'test_%03d' % number, test)


for chosen in sorted({*range(FIRST, t2_combinations.COMBINATIONS, PARTS), *REGRESSIONS}):
    add_trial(chosen)

if __name__ == '__main__':
    unittest.main()
