# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests ldpc-dvbt2 with a radio (fake_soapy plays a recording), with UDP, scanning, and Ctrl-C."""
import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np
from libdvb import radio
from programs import PROGRAMS, run
from test_cli import Case

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "dvbt2/generate"))
from small_signals import RATE, check_packets, int8_samples

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a script inherit an ignored SIGINT
FULL_GAIN = "40"
ARGUMENTS = ("--soapy", "driver=fake", "--sample-rate", str(RATE))


@unittest.skipUnless(os.path.exists(os.path.join(PROGRAMS, "ldpc-dvbt2")), "built without libdvbt2")
class Live(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.recording = cls.path / "lite.cs8"
        int8_samples("lite").tofile(cls.recording)
        cls.radio = {"PYTHONPATH": str(HERE / "fake_soapy"), "FAKE_SOAPY_FILE": str(cls.recording)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, *arguments, **environment):
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-dvbt2"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, text=True, env={**os.environ, **self.radio, **environment})
        self.addCleanup(process.kill)
        return process

    def receive(self, *arguments, until, **environment):
        """Runs the program until a condition is met, then sends Ctrl-C. Returns standard output and standard error."""
        process = self.start(*ARGUMENTS, "--frequency", "546e6", *arguments, **environment)
        end = time.monotonic() + 120
        while not until() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, output + errors)
        self.assertNotIn("Traceback", errors)
        return output, errors

    def file_has(self, path, packets):
        return lambda: path.exists() and path.stat().st_size >= 188 * packets

    def test_radio_and_end(self):
        """The program writes whole packets until Ctrl-C, then prints the tables. It configures the radio and closes it."""
        ts, log, values = self.path / "radio.ts", self.path / "log", self.path / "radio.json"
        output, _ = self.receive("--gain", FULL_GAIN, "--antenna", "TX/RX", "-o", str(ts), "--json", str(values), until=self.file_has(ts, 300),
                                 FAKE_SOAPY_LOG=str(log), FAKE_SOAPY_SPEED="1e6")
        self.assertIn("Transport stream", output)
        data = ts.read_bytes()
        check_packets(self, data, "lite", "lite", 0, repeats=len(data) // 188 // 20)
        result = json.loads(values.read_text())
        self.assertEqual(result["streams"][0]["counters"]["packets"], len(data) // 188)
        self.assertEqual((result["gaps"], result["file"]), (0, "driver=fake"))
        self.assertEqual(log.read_text().splitlines(), [f"rate {RATE}", "antenna TX/RX", f"gain {float(FULL_GAIN)}", "frequency 546000000.0",
                                                       "activate", "deactivate", "close"])

    def test_overflows_are_gaps(self):
        """If samples are lost, only the frames with lost samples are lost. Reception then continues."""
        ts, values = self.path / "gaps.ts", self.path / "gaps.json"
        output, errors = self.receive("--gain", FULL_GAIN, "-o", str(ts), "--json", str(values), until=self.file_has(ts, 400), FAKE_SOAPY_OVERFLOW="97",
                                      FAKE_SOAPY_SPEED="3e6")
        result = json.loads(values.read_text())
        self.assertGreater(result["gaps"], 0)
        self.assertRegex(output, rf"samples lost by the radio +│ {result['gaps']} times?, {result['lost_samples']} samples")
        self.assertIn("the radio lost samples", errors)
        self.assertGreaterEqual(result["lost_samples"], 30011 * result["gaps"])
        self.assertEqual(result["streams"][0]["counters"]["ts_errors"], 0)

    def test_length_of_a_gap(self):
        """The radio's time gives the number of samples that an overflow has lost. Samples that the queue has lost are counted."""
        with mock.patch.dict(os.environ, self.radio | {"FAKE_SOAPY_OVERFLOW": "3"}), mock.patch.object(sys, "path", [str(HERE / "fake_soapy"), *sys.path]):
            source = radio.Radio("driver=fake", RATE, 546e6)
            with contextlib.closing(source.chunks()) as chunks:
                gaps = [next(item for item in chunks if isinstance(item, radio.Gap)) for _ in range(2)]
            self.assertEqual(gaps, [radio.Gap(30011)] * 2)
            source = radio.Radio("driver=fake", RATE, 546e6)
            source._put(np.zeros(5, np.complex64), None)
            with mock.patch.object(radio, "WAITING", 3):
                source._put(np.zeros(5, np.complex64), None)
                source._put(np.zeros(7, np.complex64), None)
            source._put(np.zeros(5, np.complex64), None)
            queued = [source._waiting.get() for _ in range(3)]
            self.assertEqual(queued[1], radio.Gap(12))

    def test_automatic_gain(self):
        """Without --gain, the program uses the radio's AGC. If there is no AGC, it raises the gain from a low value to the target level."""
        ts, values, log = self.path / "agc.ts", self.path / "agc.json", self.path / "agc.log"

        def settled():
            """Returns whether the gain has been changed several times, but not recently."""
            return log.exists() and log.read_text().count("gain") >= 5 and time.time() - log.stat().st_mtime > 2

        self.receive("-o", str(ts), "--json", str(values), until=settled, FAKE_SOAPY_SPEED="1e6", FAKE_SOAPY_LOG=str(log))
        level = json.loads(values.read_text())["status"]["level_db"]
        self.assertTrue(-16 < level < -8, level)
        log = self.path / "own.log"
        process = self.start(*ARGUMENTS, "--frequency", "546e6", "--info", FAKE_SOAPY_LOG=str(log), FAKE_SOAPY_AGC="1")
        process.communicate(timeout=120)
        self.assertIn("automatic gain True", log.read_text())
        self.assertNotIn("\ngain", log.read_text())
        log = self.path / "all.log"
        process = self.start(*ARGUMENTS, "--frequency", "546e6", "--plp", "all", "-o", str(ts), FAKE_SOAPY_LOG=str(log), FAKE_SOAPY_FREQUENCY="1e6")
        self.assertIn("no P1 symbol was found", process.communicate(timeout=120)[1])
        self.assertIn("\ngain", log.read_text())

    def test_udp(self):
        """Datagrams of seven packets contain the same stream as the file."""
        ts = self.path / "udp.ts"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
            receiver.bind(("127.0.0.1", 0))
            port = receiver.getsockname()[1]
            process = self.start(str(self.recording), "--format", "cs8", "--sample-rate", str(RATE), "--udp", f"127.0.0.1:{port}", "-o", str(ts))
            datagrams = []
            while process.poll() is None or select.select([receiver], [], [], 0)[0]:
                if select.select([receiver], [], [], 0.05)[0]:
                    datagrams.append(receiver.recv(65536))
            self.assertEqual(process.returncode, 0, process.stderr.read())
            process.communicate()
        self.assertEqual({len(d) for d in datagrams[:-1]}, {7 * 188})
        self.assertEqual(b"".join(datagrams), ts.read_bytes())

    def scan(self, channels, *arguments):
        """Scans with a shorter time for each channel."""
        from libdvbt2.tools import scan

        with mock.patch.object(scan, "SECONDS", 0.5), mock.patch.object(sys, "path", [str(HERE / "fake_soapy"), *sys.path]):
            return run("ldpc-dvbt2", *ARGUMENTS, "--scan", channels, *arguments, FAKE_SOAPY_FILE=str(self.recording), FAKE_SOAPY_FREQUENCY="546e6")

    def test_scan(self):
        result = self.scan("538e6:554e6")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 3)
        for line, words in zip(lines, (("538.000 MHz", "no DVB-T2"), ("546.000 MHz", "T2-Lite", "4K", "C/N", "network", "QPSK", "16QAM"),
                                       ("554.000 MHz", "no DVB-T2"))):
            for word in words:
                self.assertIn(word, line)
        nothing = self.scan("538e6:538e6", "--json", "-")
        self.assertEqual(nothing.returncode, 1)
        self.assertIn("538.000 MHz", nothing.stderr)
        self.assertEqual([(channel["frequency"], channel["l1_post"]) for channel in json.loads(nothing.stdout)], [(538e6, None)])

    def test_lines_while_it_runs(self):
        """If the output is not a terminal, the program prints a line every few seconds."""
        ts, times = self.path / "lines.ts", []

        def after_a_line():
            if self.file_has(ts, 1)():
                times.append(time.monotonic())
            return len(times) > 0 and times[-1] - times[0] > 6

        _, errors = self.receive("--gain", FULL_GAIN, "-o", str(ts), until=after_a_line, FAKE_SOAPY_SPEED="2e6")
        self.assertRegex(errors, r" s  .*level -\d+ dB.*gain 40 dB, \d+ overflows")

    def test_wrong_arguments(self):
        ts = str(self.path / "no.ts")
        for pattern, arguments in (("expected a FILE", ("-o", ts)), ("cannot be combined", (str(self.recording), *ARGUMENTS, "-o", ts)),
                                   ("--frequency", (*ARGUMENTS, "-o", ts)), ("needs a radio", (str(self.recording), "--gain", "3", "-o", ts)),
                                   ("host:port", (*ARGUMENTS, "--frequency", "1e8", "--udp", "nowhere")),
                                   ("host:port", (*ARGUMENTS, "--frequency", "1e8", "--udp", "nowhere:\u00b2")),
                                   ("START:STOP", (*ARGUMENTS, "--scan", "5:4")), ("START:STOP", (*ARGUMENTS, "--scan", "x")),
                                   ("474e6:690e6", (*ARGUMENTS, "--scan", "474:690")), ("expected Hz, such as 546e6", (*ARGUMENTS, "--frequency", "546", "-o", ts))):
            with self.subTest(pattern):
                self.assert_refused(pattern, "ldpc-dvbt2", *arguments)
        for pattern, arguments, environment in (
                ("xxx: ", (*ARGUMENTS, "--frequency", "1e8", "--udp", 64 * "x" + ":1234"), self.radio),
                ("driver=other: no radio matches these arguments; SoapySDRUtil --find .*soapysdr-module-", ("--soapy", "driver=other", "--frequency", "1e8", "-o", ts),
                 self.radio),
                ("reading failed: error -2", (*ARGUMENTS, "--frequency", "1e8", "-o", ts), {**self.radio, "FAKE_SOAPY_ERROR": "-2"}),
                ("python3-soapysdr", ("--soapy", "driver=fake", "--frequency", "1e8", "-o", ts), {"PYTHONPATH": str(HERE / "no_soapy")})):
            with self.subTest(pattern):
                result = run("ldpc-dvbt2", *arguments, **environment)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr.splitlines()[-1], pattern)
                self.assertNotIn("Traceback", result.stderr)


if __name__ == "__main__":
    unittest.main()
