# SPDX-License-Identifier: BSD-3-Clause
"""Lets each file system call of each program fail. The program must print one line, or write complete output. Existing files must not
change. No temporary files may remain."""
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

import numpy as np

from libldpc.tools import failures, tuning
from programs import PROGRAMS, run
from test_ber import QUICK

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "dvbt2/generate"))
from small_signals import RATE, int8_samples

MOST_CALLS = 60
STEP = int(os.environ.get("LDPC_FAULT_STEP", "7"))  # every seventh call of slow programs fails; scripts/nightly tests all calls
CODE = "wimax:576:1/2"
TINY = b"6 4\n2 4\n2 2 2 2 2 2\n3 3 4 2\n1 3\n1 2\n2 3\n1 4\n2 3\n3 4\n1 2 4 0\n2 3 5 0\n1 3 5 6\n4 6 0 0\n"  # an alist


class Faults(unittest.TestCase):
    out = "out"  # name of the output

    def setUp(self):
        self.assertIn("fail_files", os.environ.get("LD_PRELOAD", ""))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.work = self.folder / "work"
        self.work.mkdir()

    def run_failing(self, call, command):
        """Returns the result, and the name of the failed call. The name is None if no call failed."""
        made = self.folder / "made"
        made.unlink(missing_ok=True)
        result = run(*command, folder=self.folder, FAIL_FILES_FOLDER=str(self.work), FAIL_FILES_AT=str(call), FAIL_FILES_MADE=str(made))
        return result, made.read_text() if made.exists() else None

    def fail_in_turn(self, least, files, whole, *command, step=1):
        """Lets each call fail once, one call per run. `files` are created before each run. `whole` checks that the output is complete.
        It is None if the command has no output."""
        names = set()
        for call in range(1, MOST_CALLS, step):
            for path in self.work.iterdir():
                path.unlink()
            for name, content in files.items():
                (self.work / name).write_bytes(content)
            result, failed = self.run_failing(call, command)
            with self.subTest(command[0], call=call, failed=failed):
                self.assertNotIn("Traceback", result.stderr)
                self.assertIn(result.returncode, (0, 1, 2), result.stderr)
                self.check_folder(files, whole, result, failed)
                if result.returncode:
                    self.assertRegex(result.stderr.splitlines()[-1], r"\w", "no sentence")
                if failed is None:
                    self.assertEqual(result.returncode, 0, result.stderr)
            if failed is None:
                self.assertGreaterEqual(len(names), least if step == 1 else 1, names)
                return
            names.add(failed)
        self.fail("there is no end to the calls")

    def check_folder(self, files, whole, result, failed):
        for path in self.work.iterdir():
            content = path.read_bytes()
            if content == files.get(path.name):
                continue
            self.assertEqual(path.name, self.out, "stray file")
            if content or result.returncode == 0:  # a locked file is empty until it is written
                self.assertTrue(whole(content), f"{len(content)} bytes after {failed}")
        if result.returncode == 0 and whole:
            self.assertTrue(whole((self.work / self.out).read_bytes()))


class Programs(Faults):
    def test_results(self):
        """Tests a new run and a resumed run."""
        def whole(content):
            return [point["frames"] for point in json.loads(content)["points"]][-1:] == [64]

        command = ("ldpc-ber", *QUICK, "--ebn0", "5", "--max-frames", "64", "--quiet", "--json", self.work / "out")
        self.fail_in_turn(4, {}, whole, *command)
        old = run("ldpc-ber", *QUICK, "--ebn0", "6", "--max-frames", "64", "--quiet", "--json", "-", text=False).stdout
        self.fail_in_turn(4, {"out": old}, lambda content: len(json.loads(content)["points"]) == 2, *command, "--resume")

    def test_curves(self):
        result = run("ldpc-ber", *QUICK, "--ebn0", "6", "--max-frames", "64", "--quiet", "--json", "-", text=False).stdout
        self.fail_in_turn(4, {"in": result}, lambda content: content.count(b"\n") == 2,
                          "ldpc-plot", self.work / "in", "--csv", self.work / "out")

    def test_pictures_of_curves(self):
        result = run("ldpc-ber", *QUICK, "--ebn0", "6", "--max-frames", "64", "--quiet", "--json", "-", text=False).stdout
        self.out = "out.png"
        self.fail_in_turn(3, {"in": result, "out.png": b"old"}, lambda content: content.endswith(b"IEND\xaeB`\x82"),
                          "ldpc-plot", self.work / "in", "--force", "--output", self.work / "out.png", step=STEP)

    def test_encoder(self):
        self.fail_in_turn(3, {"in": bytes(36 * 5)}, lambda content: len(content) == 72 * 5,
                          "ldpc-encode", "--code", CODE, "-i", self.work / "in", "-o", self.work / "out")

    def test_decoder(self):
        llrs = np.full((5, 576), 20, np.int8).tobytes()
        self.fail_in_turn(3, {"in": llrs}, lambda content: content == bytes(36 * 5),
                          "ldpc-decode", "--code", CODE, "-i", self.work / "in", "-o", self.work / "out")

    def test_saved_failures(self):
        run = {"code": CODE, "esn0": False, "seed": 1, "algorithm": "auto"}
        saved = failures.packed(run, [(1.5, [7], np.zeros((1, 288), np.uint8), np.full((1, 576), 9, np.int8))])
        self.fail_in_turn(2, {"in.npz": saved}, None, "ldpc-decode", "-i", self.work / "in.npz")

    def test_failures_that_are_saved(self):
        def whole(content):
            return len(failures.read(io.BytesIO(content), "out.npz").llrs) > 0

        self.out = "out.npz"
        self.fail_in_turn(4, {}, whole, "ldpc-ber", *QUICK, "--ebn0", "0", "--max-frames", "64", "--quiet", "--save-failures",
                          self.work / "out.npz", step=STEP)

    def test_codes(self):
        self.fail_in_turn(3, {}, lambda content: content.split()[:2] == [b"60", b"30"], "ldpc-make", "random", "--n", "60", "-o", self.work / "out")

    def test_code_files(self):
        self.fail_in_turn(2, {"code": TINY, "in": b"\0"}, lambda content: True,
                          "ldpc-encode", "--code", f"alist:{self.work}/code", "-i", self.work / "in", "-o", self.work / "out")

    def test_measurements(self):
        self.fail_in_turn(3, {}, lambda content: json.loads(content)["code"] == CODE, "ldpc-bench", "--code", CODE, "--iterations", "1",
                          "--seconds", "0.01", "--json", self.work / "out", step=STEP)

    def test_pictures_of_codes(self):
        self.out = "out.png"
        self.fail_in_turn(3, {"code": TINY, "out.png": b"old"}, lambda content: content.endswith(b"IEND\xaeB`\x82"), "ldpc-info", f"alist:{self.work}/code",
                          "--plot", self.work / "out.png", step=STEP)

    def test_tuning(self):
        self.out = tuning.path_of(CODE, "cpu", self.work).name
        self.fail_in_turn(3, {}, lambda content: json.loads(content)["code"] == CODE, "ldpc-tune", "--code", CODE, "--backend", "cpu",
                          "--iterations", "1", "--seconds", "0.01", "--cache-dir", self.work, step=STEP)

    def test_tuning_that_is_stored(self):
        """Records that cannot be read are measured again."""
        command = ("ldpc-tune", "--code", CODE, "--backend", "cpu", "--iterations", "1", "--seconds", "0.01", "--cache-dir", self.work)
        path = tuning.path_of(CODE, "cpu", self.work)
        self.out = path.name
        run(*command)
        self.fail_in_turn(4, {self.out: path.read_bytes()}, lambda content: json.loads(content)["code"] == CODE, *command, step=STEP)

    @unittest.skipUnless(os.path.exists(os.path.join(PROGRAMS, "ldpc-dvbt2")), "built without libdvbt2")
    def test_reception(self):
        """After a read error, the recording ends early. A write error is reported."""
        signal = int8_samples("lite").tobytes()
        self.fail_in_turn(3, {"in.cs8": signal}, lambda content: len(content) % 188 == 0 and content[:1] == b"G", "ldpc-dvbt2", self.work / "in.cs8",
                          "--sample-rate", RATE, "--output", self.work / "out", "-q", step=STEP)

    @unittest.skipUnless(os.path.exists(os.path.join(PROGRAMS, "ldpc-dvbt2")), "built without libdvbt2")
    def test_what_is_on_the_air(self):
        signal = int8_samples("lite").tobytes()
        self.fail_in_turn(3, {"in.cs8": signal}, lambda content: "l1_post" in json.loads(content), "ldpc-dvbt2",
                          self.work / "in.cs8", "--sample-rate", RATE, "--info", "--json", self.work / "out", "-q", step=STEP)


if __name__ == "__main__":
    unittest.main()
