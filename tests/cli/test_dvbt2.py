# SPDX-License-Identifier: GPL-3.0-or-later
"""ldpc-dvbt2 on short signals of an independent transmitter (tests/dvbt2/make_signals.py)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from test_cli import PROGRAMS, Case, run

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "dvbt2"))
from small_signals import RATE, check_packets, int8_samples


@unittest.skipUnless(os.path.exists(os.path.join(PROGRAMS, "ldpc-dvbt2")), "built without libdvbt2")
class Reception(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.recording = cls.path / "lite.cs8"
        int8_samples("lite").tofile(cls.recording)
        cls.arguments = (str(cls.recording), "--format", "cs8", "--sample-rate", str(RATE))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_stream_tables_json_and_picture(self):
        ts, values, picture = (self.path / name for name in ("out.ts", "status.json", "out.png"))
        text = self.output("ldpc-dvbt2", *self.arguments, "--output", str(ts), "--json", str(values), "--plot", str(picture))
        check_packets(self, ts.read_bytes(), "lite", "lite", 0)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        result = json.loads(values.read_text())
        counters = result["streams"][0]["counters"]
        self.assertEqual(counters["packets"], ts.stat().st_size // 188)
        self.assertEqual((counters["ts_errors"], result["status"]["fft_size"]), (0, "4K"))
        self.assertEqual([plp["plp_mod_name"] for plp in result["l1_post"]["plps"]], ["QPSK", "16QAM"])
        for word in ("T2-Lite", "1/16", "PP4", "16QAM 1/3", "C/N", "packets"):
            self.assertIn(word, text)

    def test_other_plp_through_pipes(self):
        """Half a sample at the end is no sample; whole packets come out."""
        data = self.recording.read_bytes()
        command = [os.path.join(PROGRAMS, "ldpc-dvbt2"), "-", *self.arguments[1:], "--plp", "1", "-o", "-", "-q"]
        result = subprocess.run(command, input=data + b"\1", capture_output=True, timeout=300)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        check_packets(self, result.stdout, "lite", "lite", 1)

    def test_all_plps(self):
        """A file for each, from a file and from a pipe; a list does the same."""
        for name, plps, standard_input in (("all", "all", False), ("piped", "all", True), ("listed", "1,0", False)):
            with self.subTest(name):
                source = "-" if standard_input else str(self.recording)
                command = [os.path.join(PROGRAMS, "ldpc-dvbt2"), source, *self.arguments[1:], "--plp", plps, "-o", str(self.path / f"{name}.ts"),
                           "--json", str(self.path / f"{name}.json")]
                result = subprocess.run(command, input=self.recording.read_bytes(), capture_output=True, timeout=300)
                self.assertEqual((result.returncode, result.stderr if not standard_input else b""), (0, b""))
                streams = json.loads((self.path / f"{name}.json").read_text())["streams"]
                self.assertEqual([stream["plp"] for stream in streams], [1, 0] if plps == "1,0" else [0, 1])
                self.assertIn(b"Transport stream of PLP 1", result.stdout)
                for stream in streams:
                    ts = (self.path / f"{name}.plp{stream['plp']}.ts").read_bytes()
                    check_packets(self, ts, "lite", "lite", stream["plp"])
                    self.assertEqual(stream["counters"]["packets"], len(ts) // 188)

    def test_info_only_looks(self):
        """All of L1 in words, and a picture if asked for, but nothing is decoded."""
        picture = self.path / "info.png"
        text = self.output("ldpc-dvbt2", *self.arguments, "--info", "--plot", str(picture))
        self.assertNotIn("codewords", text)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        for field in ("T2-Lite", "L1_REPETITION_FLAG", "GUARD_INTERVAL", "NETWORK_ID", "FEF_INTERVAL", "SUB_SLICES_PER_FRAME", "PLP_GROUP_ID",
                      "TIME_IL_LENGTH", "FRAME_IDX", "PLP_NUM_BLOCKS"):
            self.assertRegex(text, rf"{field}\b", field)
        self.assertRegex(text, r"GUARD_INTERVAL +│ \d \(1/16\)")

    def test_sigmf(self):
        meta, data = self.path / "x.sigmf-meta", self.path / "x.sigmf-data"
        data.write_bytes(self.recording.read_bytes())
        meta.write_text(json.dumps({"global": {"core:datatype": "ci8", "core:sample_rate": RATE, "core:version": "1.0.0"}}))
        for file in (meta, data):
            self.assertIn("T2-Lite", self.output("ldpc-dvbt2", str(file), "--info"))
        for text, pattern in (("{", "no SigMF metadata"), ('{"global": {"core:datatype": "rf64_le"}}', "rf64_le"),
                              ('{"global": {"core:datatype": "ci8", "core:sample_rate": "x"}}', "'x'"), ("[" * 99999, "no SigMF")):
            meta.write_text(text)
            self.assert_refused(pattern, "ldpc-dvbt2", str(meta), "--info")

    def test_nothing_on_the_air(self):
        noise, ts = self.path / "noise.cs8", self.path / "none.ts"
        np.random.default_rng(1).integers(-60, 60, 1 << 21, np.int8).tofile(noise)
        for source in (noise, "/dev/null"):
            result = run("ldpc-dvbt2", str(source), *self.arguments[1:], "--output", str(ts))
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertEqual(ts.read_bytes(), b"")
            self.assertNotIn("Traceback", result.stderr)

    def test_wrong_input(self):
        output = ("--output", str(self.path / "x.ts"))
        for pattern, arguments in (
                ("give --output", self.arguments), ("--sample-rate", (str(self.recording), *output)),
                ("No such file", ("missing.cs16", "--sample-rate", "10e6", *output)),
                ("3e\\+06|3000000|3 MHz|3\\.0", (*self.arguments[:3], "--sample-rate", "3e6", *output)),
                ("not a finite", (*self.arguments[:3], "--sample-rate", "nan", *output)),
                ("'cs12'", (*self.arguments[:1], "--format", "cs12", *self.arguments[3:], *output)),
                ("0 .. 255", (*self.arguments, *output, "--plp", "256")), ("different", (*self.arguments, *output, "--plp", "1,1")),
                ("several PLPs", (*self.arguments, "-o", "-", "--plp", "all")), ("same name", (*self.arguments, *output, "--json", output[1])),
                ("backend", (*self.arguments, *output, "--backend", "tpu"))):
            with self.subTest(pattern):
                self.assert_refused(pattern, "ldpc-dvbt2", *arguments)

    def test_plp_that_is_not_there(self):
        result = run("ldpc-dvbt2", *self.arguments, "--plp", "9", "--output", str(self.path / "y.ts"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "9.*0.*1")  # which there are

    def test_examples_of_help(self):
        text = self.output("ldpc-dvbt2", "--help")
        examples = [line.strip() for line in text.split("Examples:\n")[1].splitlines()]
        self.assertGreater(len(examples), 1)
        for example in examples:
            program, *arguments = example.split()
            (self.path / "recording.cs8").write_bytes(self.recording.read_bytes())
            result = run(program, *(str(self.path / a) if re.search(r"\.(cs8|ts|png)$", a) else a for a in arguments))
            self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
