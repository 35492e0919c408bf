# SPDX-License-Identifier: BSD-3-Clause
"""Kills a simulation repeatedly inside points, and resumes it. The file must never lose counts. The final counts must be those of an
uninterrupted run. LDPC_KILLS in the environment is the number of kills, default 5."""
import os
import random
import subprocess
import tempfile
import time
import unittest

from libldpc.tools import result_files
from programs import PROGRAMS
from test_ber import QUICK, Folder, counts, has_content

KILLS = int(os.environ.get("LDPC_KILLS", "5"))
UPDATES = 8  # updates of the file while a point is simulated
RUN = (*QUICK, "--ebn0", "1,1.5,2", "--max-frame-errors", "0", "--threads", "1", "--no-tuning", "--checkpoint", "0.05", "--quiet")


class Killed(Folder):
    def setUp(self):
        """Chooses the number of frames per point from the speed of this machine."""
        super().setUp()
        self.most_frames, times = 10**12, [time.monotonic()]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "speed.json")
        process = self.start(path)
        for frames in self.updates(process, path):
            times.append(time.monotonic())
            if len(times) > UPDATES:
                break
        process.kill()
        process.communicate()
        self.most_frames = frames[0]
        self.longest = max(b - a for a, b in zip(times[1:], times[2:]))  # between two updates, in seconds

    def start(self, path):
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *RUN, "--max-frames", str(self.most_frames), "--resume", "--json", path],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def finish(self, path):
        """Runs the simulation without interruption and returns its counts."""
        process = self.start(path)
        _, errors = process.communicate(timeout=600)
        self.assertEqual((process.returncode, errors), (0, ""))
        return counts(result_files.read(path)[0])

    def frames(self, path):
        """Returns the number of frames of each point in the file. The file must always be complete."""
        return [point["frames"] for point in result_files.read(path)[0]["points"]] if has_content(path) else []

    def updates(self, process, path):
        """While the process runs, yields the numbers of frames of all points after each update of the file. Checks that no frames are
        lost."""
        before = self.frames(path)
        while process.poll() is None:
            now = self.frames(path)
            self.assertTrue(len(now) >= len(before) and all(a <= b for a, b in zip(before, now)),
                            f"frames of the points: {before}, then {now}")
            if now != before:
                yield now
            before = now
            time.sleep(0.01)

    def inside(self, frames):
        return any(0 < count < self.most_frames for count in frames)

    def kill(self, path, delay):
        """Kills the process `delay` seconds after an update of the file within a point. Returns False if the process had already ended."""
        process = self.start(path)
        for frames in self.updates(process, path):
            if self.inside(frames):
                time.sleep(delay)  # possibly during an update
                break
        process.kill()
        _, errors = process.communicate()
        self.assertEqual(errors, "")
        return process.returncode < 0

    def test_counts_are_those_of_one_run(self):
        path, moments, kills, inside = self.path("a.json"), random.Random(1), 0, 0
        expected = self.finish(self.path("b.json"))
        while kills < KILLS:
            before = self.frames(path)
            if self.kill(path, moments.uniform(0, self.longest)):
                after = self.frames(path)
                self.assertTrue(len(after) >= len(before) and all(a <= b for a, b in zip(before, after)), (before, after))
                kills += 1
                inside += self.inside(after)
            else:  # it ended earlier: restart
                self.assertGreater(kills, 0, "too short a run to kill it")
                self.assertEqual(counts(result_files.read(path)[0]), expected)
                os.remove(path)
        self.assertGreater(inside, KILLS // 2)
        self.assertEqual(self.finish(path), expected)
        left = set(os.listdir(self.folder)) - {"a.json", "b.json"}
        self.assertTrue(all(name.startswith("a.json.") for name in left) and len(left) <= kills, left)


if __name__ == "__main__":
    unittest.main()
