# SPDX-License-Identifier: BSD-3-Clause
"""A simulation that is killed again and again, at any moment, and resumed, ends with the counts of one that was not: LDPC_KILLS in
the environment says how often, default 6."""
import os
import random
import subprocess
import unittest

from libldpc.tools import result_files
from test_ber import QUICK, Folder, counts
from test_cli import PROGRAMS

KILLS = int(os.environ.get("LDPC_KILLS", "6"))
RUN = (*QUICK, "--ebn0", "1,1.5,2", "--max-frames", "40000", "--max-frame-errors", "0", "--quiet")
LONGEST = 2.5  # seconds until a kill


class Killed(Folder):
    def start(self, path):
        return subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *RUN, "--resume", "--json", path], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def test_counts_are_those_of_one_run(self):
        path, moments, killed = self.path("a.json"), random.Random(1), 0
        for _ in range(KILLS):
            process = self.start(path)
            try:
                _, errors = process.communicate(timeout=moments.uniform(0.05, LONGEST))
                self.assertEqual(process.returncode, 0, errors)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            if os.path.exists(path) and os.path.getsize(path):
                result_files.read(path)  # whole, whenever it was killed
        self.assertGreater(killed, 0)
        _, errors = self.start(path).communicate(timeout=600)
        self.assertEqual(errors, "")
        _, errors = self.start(self.path("b.json")).communicate(timeout=600)
        self.assertEqual(errors, "")
        self.assertEqual(*(counts(result_files.read(self.path(name))[0]) for name in ("a.json", "b.json")))
        left = set(os.listdir(self.folder)) - {"a.json", "b.json"}
        self.assertTrue(all(name.startswith("a.json.") for name in left) and len(left) <= killed, left)


if __name__ == "__main__":
    unittest.main()
