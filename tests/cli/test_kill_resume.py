# SPDX-License-Identifier: BSD-3-Clause
"""A simulation that is killed in the middle of its points, again and again, and resumed, never loses what its file had, and ends
with the counts of one that was not killed: LDPC_KILLS in the environment says how often, default 6."""
import os
import random
import subprocess
import time
import unittest

from libldpc.tools import result_files
from test_ber import QUICK, Folder, counts, has_content
from test_cli import PROGRAMS

KILLS = int(os.environ.get("LDPC_KILLS", "6"))
MOST_FRAMES = 200_000  # of a point: seconds on one thread
RUN = (*QUICK, "--ebn0", "1,1.5,2", "--max-frames", str(MOST_FRAMES), "--max-frame-errors", "0", "--threads", "1", "--no-tuning",
       "--checkpoint", "0.05", "--quiet")
LONGEST = 0.6  # seconds from the first new frames in the file to a kill: longer than a round


class Killed(Folder):
    def start(self, path):
        return subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *RUN, "--resume", "--json", path], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(self, path):
        """The counts of a run that nobody kills."""
        process = self.start(path)
        _, errors = process.communicate(timeout=600)
        self.assertEqual((process.returncode, errors), (0, ""))
        return counts(result_files.read(path)[0])

    def frames(self, path):
        """Of each point in the file, which is whole at any moment."""
        return [point["frames"] for point in result_files.read(path)[0]["points"]] if has_content(path) else []

    def kill(self, path, delay):
        """In `delay` seconds after it has written new frames to the file. Whether it was killed, and not at its end before."""
        before, deadline = self.frames(path), None
        process = self.start(path)
        self.addCleanup(process.kill)
        while process.poll() is None and (deadline is None or time.monotonic() < deadline):
            now = self.frames(path)
            self.assertTrue(len(now) >= len(before) and all(a <= b for a, b in zip(before, now)),
                            f"frames of the points: {before} before the kill, {now} after it")
            if deadline is None and sum(now) > sum(before):
                deadline = time.monotonic() + delay
            time.sleep(0.01)
        process.kill()
        _, errors = process.communicate()
        self.assertEqual(errors, "")
        return process.returncode < 0

    def test_counts_are_those_of_one_run(self):
        path, moments, kills, inside = self.path("a.json"), random.Random(1), 0, 0
        expected = self.finish(self.path("b.json"))
        while kills < KILLS:
            if self.kill(path, moments.uniform(0, LONGEST)):
                kills += 1
                inside += any(0 < frames < MOST_FRAMES for frames in self.frames(path))
            else:  # it was faster: once more from the start
                self.assertGreater(kills, 0, "too short a run to kill it")
                self.assertEqual(counts(result_files.read(path)[0]), expected)
                os.remove(path)
        self.assertGreater(inside, KILLS // 2)
        self.assertEqual(self.finish(path), expected)
        left = set(os.listdir(self.folder)) - {"a.json", "b.json"}
        self.assertTrue(all(name.startswith("a.json.") for name in left) and len(left) <= kills, left)


if __name__ == "__main__":
    unittest.main()
