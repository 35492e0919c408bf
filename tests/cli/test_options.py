# SPDX-License-Identifier: BSD-3-Clause
"""Tests features that several programs have: algorithms with a value, stored tuning, Ctrl-C."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

import libldpc
from libldpc.tools import cli, tuning
from programs import PROGRAMS, run
from test_cli import Case

CODE = "wimax:576:1/2"
QUICK = ("--code", CODE, "--iterations", "8")
BER = ("ldpc-ber", *QUICK, "--ebn0", "1.5", "--max-frames", "640", "--max-frame-errors", "0", "--quiet", "--json", "-")


class Algorithms(Case):
    def ber(self, algorithm):
        return json.loads(run(*BER, "--algorithm", algorithm).stdout)

    def test_ber(self):
        for text, name, arithmetic, parameters in (
                ("normalized:0.75", "normalized:0.75", "i8", {"algorithm": "normalized", "factor": 0.75}),
                ("offset:1:i16", "offset:1", "i16", {"algorithm": "offset", "offset": 1, "arithmetic": "i16"}),
                ("min-sum:float", "min-sum", "float", {"algorithm": "min-sum", "arithmetic": "float"})):
            with self.subTest(text=text):
                result = self.ber(text)
                self.assertEqual((result["algorithm"], result["arithmetic"]), (name, arithmetic))
                decoder = libldpc.decoder(CODE, max_iterations=8, **parameters)
                # ldpc-ber uses point number 101500 at 1.5 dB
                expected = libldpc.simulate(decoder, 1.5, max_frames=640, max_frame_errors=0, point=101500)
                self.assertEqual(result["points"][0]["bit_errors"], expected.bit_errors)
        self.assertNotEqual(self.ber("normalized:0.5")["points"], self.ber("normalized:0.75")["points"])

    def test_resume_keeps_the_values_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.json")
            call = [path if argument == "-" else argument for argument in BER]
            self.output(*call, "--algorithm", "normalized:0.75")
            self.output(*call, "--algorithm", "normalized:0.5", "--resume")
            with open(path, encoding="utf-8") as file:
                runs = json.load(file)["runs"]
            self.assertEqual([run["algorithm"] for run in runs], ["normalized:0.5", "normalized:0.75"])

    def test_bench_and_decode(self):
        result = json.loads(run("ldpc-bench", *QUICK, "--seconds", "0.01", "--algorithm", "offset:2", "--json", "-").stdout)
        self.assertEqual(result["algorithm"], "offset:2")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.npz")
            self.output("ldpc-ber", *QUICK, "--ebn0", "0", "--max-frames", "64", "--quiet", "--algorithm", "normalized:0.75",
                        "--save-failures", path)
            self.assertIn(f"{CODE}, normalized:0.75, i8", self.output("ldpc-decode", "--input", path))
            self.assertIn(f"{CODE}, offset:1, i8", self.output("ldpc-decode", "--input", path, "--algorithm", "offset:1"))

    def test_wrong_values(self):
        for program in (BER, ("ldpc-bench", *QUICK), ("ldpc-decode", "--code", CODE, "--input", "/dev/null")):
            self.assert_refused("a number of 0.0625 .. 1 after the colon", *program, "--algorithm", "normalized:-1")
            self.assert_refused("only offset and normalized take a value", *program, "--algorithm", "min-sum:1")
        self.assert_refused("arithmetic: expected auto, i8, i16 or float, not \"i9\"", *BER, "--algorithm", "corrected:i9")

    def test_a_value_of_the_librarys_choice_has_no_name(self):
        self.assertEqual(cli.algorithm_of(libldpc.decoder(CODE, algorithm="normalized")), "normalized")
        self.assertEqual(cli.algorithm_of(libldpc.decoder(CODE, algorithm="offset", offset=0)), "offset:0")


class Tuning(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = folder.name
        self.record = {"version": libldpc.__version__, "device": tuning.device_name("cpu"), "code": CODE, "backend": "cpu",
                       "kernel": "ref", "arithmetic": "i8", "iterations": 8, "early_stop": True, "batch": 97, "streams": 0,
                       "threads": 1, "coded_mbps": 1.0, "latency_us": 1.0, "goal_mbps": 0.0, "break_even": 0}
        self.path = tuning.store(self.record, os.path.join(self.cache, "gr-ldpc"))

    def result(self, *arguments):
        return run(*arguments, XDG_CACHE_HOME=self.cache)

    def test_bench(self):
        bench = ("ldpc-bench", *QUICK, "--seconds", "0.01", "--json", "-")
        for more, batch in (((), 97), (("--batch", "7"), 7)):
            self.assertEqual(json.loads(self.result(*bench, *more).stdout)["batch"], batch)
        for more in (("--no-tuning",), ("--threads", "2")):  # the stored batch is for one thread
            self.assertNotEqual(json.loads(self.result(*bench, *more).stdout)["batch"], 97)

    def test_ber(self):
        counts = []
        for more, threads in (((), 1), (("--threads", "3"), 3), (("--no-tuning",), cli.cores())):
            result = json.loads(self.result(*BER, *more).stdout)
            self.assertEqual((result["threads"], result["kernel"] == "ref"), (threads, False))
            counts.append(result["points"][0]["bit_errors"])
        self.assertEqual(len(set(counts)), 1)

    def test_what_is_wrong_is_told(self):
        self.path.write_text("{")
        self.path.chmod(0o600)
        for program in (BER, ("ldpc-bench", *QUICK, "--seconds", "0.01")):
            result = self.result(*program)
            self.assertEqual(result.returncode, 0)
            self.assertRegex(result.stderr, "ignored: it is damaged")
            self.assertNotIn("ignored", self.result(*program, "--no-tuning").stderr)
        result = run("ldpc-decode", "--code", CODE, data=b"\1" * 576, text=False, XDG_CACHE_HOME=self.cache)
        self.assertIn(b"ignored: it is damaged", result.stderr)


class Interrupt(Case):
    def test_a_measurement_ends(self):
        """Sends Ctrl-C once the decoder's threads exist. numpy must not start threads of its own, which would be mistaken for them."""
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-bench"), *QUICK, "--threads", "2", "--seconds", "3000"], stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.addCleanup(process.kill)
        while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) == 1:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output, errors), (130, b"", b"ldpc-bench: interrupted\n"))


class Pictures(Case):
    def test_an_unknown_format_is_refused_at_once(self):
        self.assert_refused("h.bmp: expected a name that ends in .png, .svg or .pdf", "ldpc-info", CODE, "--plot", "h.bmp")
        self.assert_refused("h.bmp: expected a name", "ldpc-plot", os.devnull, "--output", "h.bmp")
        self.assert_refused("h.bmp: expected a name", *BER, "--plot", "h.bmp")


if __name__ == "__main__":
    unittest.main()
