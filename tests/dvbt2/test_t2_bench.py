# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs tests/bench/dvbt2_receiver.py --quick. Its signals are short, so the results are not evaluated."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[1] / 'bench' / 'dvbt2_receiver.py'
sys.path.insert(0, str(BENCH.parent))
from dvbt2_receiver import PARTS  # noqa: E402

QUICK = 'outside', 'phases', 'echoes', 'foreign'  # the others take longer or are covered by other tests
JOBS = str(min(4, os.cpu_count() or 1))


class Quick(unittest.TestCase):
    def test_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in QUICK:
                self.assertIn(part, PARTS)
                with self.subTest(part=part):
                    done = subprocess.run([sys.executable, str(BENCH), '--quick', '--jobs', JOBS, '--folder', folder, '--output',
                                           folder, part], capture_output=True, text=True)
                    self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: a target was missed
                    with open(os.path.join(folder, part + '.csv'), newline='', encoding='utf-8') as file:
                        self.assertGreater(len(list(csv.reader(file))), 1)


if __name__ == '__main__':
    unittest.main()
