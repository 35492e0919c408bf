# SPDX-License-Identifier: BSD-3-Clause
"""Tests the evaluation of soak records, and Ctrl-C."""
import contextlib
import io
import json
import pathlib
import signal
import tempfile
import unittest
from unittest import mock

import soak

ROUNDS = 200  # enough for an evaluation
STEADY = {"process": 1, "seconds": 1.0, "codewords": 10, "resident": 100 << 20, "descriptors": 9, "threads": 4}


class Soak(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = pathlib.Path(folder.name) / "soak.jsonl"
        # Shells start background programs with SIGINT ignored, and Python inherits this setting.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def run_soak(self, what, **activities):
        """Runs soak.py. Returns exit status and output."""
        printed = io.StringIO()
        with mock.patch.object(soak, "activities", lambda: activities), contextlib.redirect_stdout(printed):
            status = soak.main([what, str(self.record)])
        return status, printed.getvalue()

    def judge(self, rounds):
        self.record.write_text("".join(json.dumps(r) + "\n" for r in rounds))
        return self.run_soak("judge")

    def test_ctrl_c_judges_what_there_is(self):
        """Ctrl-C ends the third round. A second run continues with this round."""
        done = []

        def activity():
            done.append(10)
            if len(done) == 3:
                signal.raise_signal(signal.SIGINT)
            return 10

        status, printed = self.run_soak("1", decoders=activity)
        self.assertEqual(status, 130)
        self.assertRegex(printed, r"(?m)^2 rounds .* 1 processes, 20 codewords")
        self.assertIn("process 1: too few rounds to judge", printed)
        self.assertNotIn("nothing grew", printed)
        self.assertIn("decoders: 2 rounds", printed)
        done.clear()
        self.assertEqual(self.run_soak("1", decoders=activity)[0], 130)
        self.assertEqual([r["process"] for r in soak.read(self.record)], [1, 1, 2, 2])

    def test_ctrl_c_before_the_first_round(self):
        def activity():
            signal.raise_signal(signal.SIGINT)

        status, printed = self.run_soak("1", decoders=activity)
        self.assertEqual((status, printed), (130, "no rounds\n"))

    def test_growth_is_found(self):
        status, printed = self.judge([STEADY] * ROUNDS)
        self.assertEqual(status, 0, printed)
        self.assertIn("nothing grew in 159 judged rounds", printed)
        for what, step, sentence in (("resident", 1 << 16, "memory grew"), ("descriptors", 1, "descriptors: "), ("threads", 1, "threads: ")):
            with self.subTest(what):
                status, printed = self.judge([{**STEADY, what: STEADY[what] + i * step} for i in range(ROUNDS)])
                self.assertEqual(status, 1)
                self.assertIn(f"process 1: {sentence}", printed)

    def test_too_few_rounds_are_not_judged(self):
        """A process with few rounds is not evaluated, even if there are many processes."""
        short = [{**STEADY, "process": process} for process in (2, 3, 4) for _ in range(70)]
        status, printed = self.judge(short)
        self.assertEqual(status, 2, printed)
        for sentence in ("process 3: too few rounds to judge (55 after", "\nnothing was judged"):
            self.assertIn(sentence, printed)
        self.assertNotIn("nothing grew", printed)
        status, printed = self.judge([STEADY] * ROUNDS + short)
        self.assertEqual(status, 0, printed)
        for sentence in ("process 2: too few rounds to judge", "nothing grew in 159 judged rounds"):
            self.assertIn(sentence, printed)

    def test_what_ran_is_told(self):
        _, printed = self.judge([STEADY, {**STEADY, "activities": ["DVB chain"]}, {**STEADY, "activities": ["DVB chain", "OpenCL"]}])
        self.assertIn("\nDVB chain: 2 rounds; OpenCL: 1 rounds\n", printed)
        self.assertIn("the record does not name its activities", self.judge([STEADY])[1])

    def test_each_round_does_everything(self):
        done = []

        def first():
            done.append("first")
            if len(done) == 5:
                signal.raise_signal(signal.SIGINT)
            return 1

        def second():
            done.append("second")
            return 1

        self.run_soak("1", first=first, second=second)
        self.assertEqual([r["activities"] for r in soak.read(self.record)], [["first", "second"], ["second", "first"]])

    def test_a_line_that_was_cut_off_is_no_round(self):
        self.record.write_text(json.dumps(STEADY) + "\n" + json.dumps(STEADY)[:20])
        _, printed = self.run_soak("judge")
        self.assertRegex(printed, "(?m)^1 rounds")


if __name__ == "__main__":
    unittest.main()
