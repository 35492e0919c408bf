# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends gr-dtv's 2K signal through TU-6 at 755 Hz and 12 dB, which is too fast for pilots alone. Decision-directed estimation must
recover packets; no packet may be wrong."""
import pathlib
import sys
import tempfile
import unittest

import numpy as np

from t2_packets import Watch, compare

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / 'bench'))
from dvbt2 import fading, modes  # noqa: E402

DOPPLER, CN, SEED = 754.7, 12, 6039
FRAMES = 5


class MovingChannel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        d, signals, stem = modes.clean(cls.folder.name, '2K')
        fading.prepare(d, signals[0], fading.TU6, stem + '-faded')
        cls.loop, cls.sent = fading.load(stem + '-faded', fading.TU6, DOPPLER), modes.packets(stem)

    def receive(self, decision_directed):
        watch = Watch(self.loop.rate, decision_directed=decision_directed)
        for block in self.loop.blocks(round(FRAMES * self.loop.frame_samples), CN, SEED, start=12345):
            watch.push(block)
        return compare(watch.finish(), self.sent), watch.decoder.counters()

    def test_received_with_it(self):
        (without, counted), (once, counted_once), (thrice, counted_thrice) = map(self.receive, (0, 1, 3))
        for found in without, once, thrice:
            self.assertEqual(found.wrong, 0)
        self.assertGreater(counted['failed_codewords'], 30)
        self.assertLess(counted_once['failed_codewords'], counted['failed_codewords'] / 4)
        self.assertLessEqual(counted_thrice['failed_codewords'], counted_once['failed_codewords'])
        self.assertGreater(once.right, without.right)


if __name__ == '__main__':
    unittest.main()
