# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests ldpc-dvbs2 with short signals of the transmitter in tests/dvbs2."""
import contextlib
import io
import json
import os
import pathlib
import re
import runpy
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import types
import unittest
import urllib.request
import warnings
from unittest import mock

import numpy as np
from libldpc.tools import recordings
from programs import PROGRAMS, interrupted_reports, run
from test_cli import Case

QPSK_3_4_SHORT = 4 * 7 + 3  # PLS code, with pilots
RATE = ("--sample-rate", "2e6", "--symbol-rate", "1e6")


@unittest.skipUnless("LDPC_DVBS2_SIGNAL" in os.environ, "built without libdvbs2 or cmocka")
class Reception(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        for name, streams in ("one", "0"), ("two", "2"):
            subprocess.run([os.environ["LDPC_DVBS2_SIGNAL"], str(cls.path / name), str(QPSK_3_4_SHORT), streams, "16"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def assert_packets(self, got, name, least=40):
        """Checks that the packets follow each other in the transmitted stream without gaps, and that no packet is marked as erroneous."""
        sent = (self.path / name).read_bytes()
        self.assertEqual(len(got) % 188, 0)
        self.assertGreaterEqual(len(got) // 188, least)
        self.assertEqual(sent.find(got) % 188, 0, f"{len(got) // 188} packets")

    def test_stream_tables_json_and_picture(self):
        """Ctrl-C while the report is written does not shorten it."""
        ts, frames, values, picture = (self.path / name for name in ("out.ts", "out.bb", "status.json", "out.png"))
        with interrupted_reports():
            text = self.output("ldpc-dvbs2", str(self.path / "one.cf32"), *RATE, "-o", str(ts), "--frames", str(frames), "--json", str(values), "--plot", str(picture))
        self.assert_packets(ts.read_bytes(), "one.ts", 100)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        result = json.loads(values.read_text())
        stream, modcod = result["streams"][0], result["modcods"][0]
        self.assertEqual((stream["isi"], stream["ts_gs"], stream["packets"], stream["ts_errors"]), (None, "TS", ts.stat().st_size // 188, 0))
        self.assertEqual((modcod["modulation"], modcod["rate"], modcod["code_length"], modcod["pilots"]), ("qpsk", "3/4", 16200, True))
        self.assertEqual((modcod["frames"], modcod["failed_frames"]), (result["status"]["frames"], 0))
        self.assertAlmostEqual(result["status"]["roll_off"], 0.25)
        self.assertEqual(result["status"]["cd_db"], 0)  # QPSK has one ring
        self.assertAlmostEqual(result["status"]["carrier_hz"], 1e5, delta=100)
        for word in ("single", "TS", "QPSK 3/4", "Es/N0", "never", "whole stream"):
            self.assertIn(word, text)
        self.assertAlmostEqual(stream["bit_rate"], 1e6 * (11712 - 80) / 8370, delta=1e3)  # data field and length of a frame in symbols
        bytes_of_frame = frames.stat().st_size / modcod["frames"]
        self.assertEqual(bytes_of_frame, 11712 // 8)  # header and data field of a full frame
        self.assertEqual(frames.read_bytes()[0], frames.read_bytes()[int(bytes_of_frame)])

    def carrier(self, name, first, offset, factor=2):
        """Returns a signal from sample `first` on, at `factor` times its sample rate, and at an offset in Hz from the centre of a band of 4 MS/s."""
        samples = np.fromfile(self.path / name, np.complex64)[first:]
        samples = samples[:len(samples) // 2 * 2]
        low, high = np.split(np.fft.fft(samples), 2)
        wide = np.fft.ifft(np.concatenate([low, np.zeros((factor - 1) * len(samples)), high])) * (factor / 2)
        return wide * np.exp(2j * np.pi * offset / 4e6 * np.arange(len(wide)))

    def test_scan(self):
        """Scans a band with two carriers and receives each of them without --symbol-rate."""
        path, values, picture, ts = str(self.path / "band.cf32"), self.path / "band.json", self.path / "band.png", self.path / "found.ts"

        one, two = self.carrier("one.cf32", 0, -0.9e6), self.carrier("two.cf32", 5000, 0.8e6)
        noise = np.random.default_rng(1).normal(0, 0.1, (len(two), 2)) @ (1, 1j)
        (one[:len(two)] + 0.5 * two + noise).astype(np.complex64).tofile(path)
        band = (path, "--sample-rate", "4e6")
        text = self.output("ldpc-dvbs2", *band, "--scan", "--json", str(values), "--plot", str(picture))
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        result = json.loads(values.read_text())
        self.assertEqual([(c["standard"], c["gold"], c["roll_off"], round(c["symbol_rate"], -2)) for c in result["carriers"]], 2 * [("DVB-S2", 0, 0.25, 1e6)])
        self.assertAlmostEqual(result["carriers"][0]["frequency"], -0.8e6, delta=500)
        for word in ("1000.0", "DVB-S2", "QPSK", "3/4", "-0.8", "+0.9"):
            self.assertIn(word, text)
        for arguments, place, sent in ((), "-0.8", "one.ts"), (("--offset", "1e6", "--isi", "2"), "+0.9", "two.isi2.ts"):
            ran = run("ldpc-dvbs2", *band, *arguments, "-o", str(ts), "-q")
            self.assertRegex(ran.stderr, rf"the carrier at {re.escape(place)}... MHz is received: DVB-S2, .* QPSK 3/4 short; 1 other carrier: --scan")
            self.assertEqual(ran.returncode, 0)
            self.assert_packets(ts.read_bytes(), sent)
        noise = str(self.path / "only_noise.cf32")
        np.random.default_rng(1).normal(0, 0.3, 400000).astype(np.float32).tofile(noise)
        for arguments in ("--scan",), ("-o", str(ts)):
            ran = run("ldpc-dvbs2", noise, "--sample-rate", "2e6", *arguments)
            self.assertRegex(ran.stderr, r"no carrier was found within 0.10 s: expected one of 30 kbaud or more")
            self.assertEqual(ran.returncode, 1)

    def test_all_carriers(self):
        """Receives a band with three carriers of two symbol rates, a file for each stream of each carrier, from standard input too."""
        band, values = self.path / "three.cf32", self.path / "three.json"
        one, two, slow = self.carrier("one.cf32", 0, -1.05e6), self.carrier("two.cf32", 5000, 1.15e6), self.carrier("one.cf32", 3000, 0.05e6, 4)
        noise = np.random.default_rng(1).normal(0, 0.1, (len(two), 2)) @ (1, 1j)
        (one[:len(two)] + 0.7 * two + slow[:len(two)] + noise).astype(np.complex64).tofile(band)
        options = ("--sample-rate", "4e6", "--format", "cf32", "--all", "-o", str(self.path / "all.ts"))
        text = self.output("ldpc-dvbs2", str(band), *options, "--isi", "all", "--json", str(values))
        for word in ("1000.0", "500.0", "+0.100MHz", "-0.950MHz", "+1.250MHz"):
            self.assertIn(word, text)
        files = {"-0.950MHz": "one.ts", "+0.100MHz": "one.ts", "+1.250MHz.isi1": "two.isi1.ts", "+1.250MHz.isi2": "two.isi2.ts"}
        result = json.loads(values.read_text())
        self.assertEqual([(c["name"], c["received"], c["status"]["failed_frames"], c["error"]) for c in result["carriers"]],
                         [(name, True, 0, "") for name in ("-0.950MHz", "+0.100MHz", "+1.250MHz")])
        self.assertEqual([m["code"] for c in result["carriers"] for m in c["modcods"]], 3 * ["dvbs2:16200:3/4"])
        for name, sent in files.items():
            path = self.path / f"all.{name}.ts"
            self.assert_packets(path.read_bytes(), sent)
            path.rename(path.with_suffix(".first"))
        (self.path / "all.+0.100MHz.ts").mkdir()  # an output that fails
        ran = run("ldpc-dvbs2", "-", *options, "-q", "--threads", "2", "--backend", "cpu", data=band.read_bytes(), text=False)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr.decode(), r"ldpc-dvbs2: \+0.100MHz: .*all\.\+0.100MHz.ts: Is a directory\n$")
        for name in "-0.950MHz", "+1.250MHz":
            self.assert_packets((self.path / f"all.{name}.ts").read_bytes(), "two.isi2.ts" if "1.25" in name else "one.ts")

    def test_all_carriers_at_the_edge(self):
        """A carrier whose offset is greater than libdvbs2.band accepts is received too."""
        band, values, ts = self.path / "edge.cf32", self.path / "edge.json", self.path / "edge.ts"
        one, edge = self.carrier("one.cf32", 0, -1.05e6), self.carrier("two.cf32", 5000, 1.408e6)
        noise = np.random.default_rng(1).normal(0, 0.1, (len(edge), 2)) @ (1, 1j)
        (one[:len(edge)] + edge + noise).astype(np.complex64).tofile(band)
        self.output("ldpc-dvbs2", str(band), "--sample-rate", "4e6", "--all", "-o", str(ts), "--json", str(values))
        carriers = json.loads(values.read_text())["carriers"]
        self.assertEqual([(c["name"][:5], c["status"]["failed_frames"]) for c in carriers], [("-0.95", 0), ("+1.50", 0)])
        for carrier, sent in zip(carriers, ("one.ts", "two.isi2.ts")):
            self.assert_packets(ts.with_suffix(f".{carrier['name']}.ts").read_bytes(), sent)

    def test_all_carriers_with_a_gold_code(self):
        """--gold is the gold code of all carriers, although the scan finds another one."""
        recording, values = self.path / "gold.cf32", self.path / "gold.json"
        np.fromfile(self.path / "one.cf32", np.complex64)[:100000].tofile(recording)
        ran = run("ldpc-dvbs2", recording, "--sample-rate", "2e6", "--all", "--gold", "7", "--json", values, "-q")
        self.assertEqual((ran.returncode, ran.stderr), (1, "ldpc-dvbs2: no packets without errors were received (wrong --gold?)\n"))
        carrier, = json.loads(values.read_text())["carriers"]
        self.assertEqual((carrier["gold"], carrier["status"]["failed_frames"]), (7, carrier["status"]["frames"]))
        self.assertGreater(carrier["status"]["frames"], 2)

    def test_a_carrier_that_is_not_received(self):
        """A carrier that libdvbs2.band refuses does not end the reception of the others."""
        from libdvbs2.tools import band

        for rate, offset, sentence in (1e6, 1.54e6, ""), (1e6, -1.56e6, "only partly in the band .* at most 1.5500 MHz"), (3.8e6, 0, "samples per symbol are not enough"):
            self.assertRegex(band.refusal({"standard": "DVB-S2", "symbol_rate": rate, "frequency": offset}, 4e6), sentence or "^$")
        self.assertEqual(band.refusal({"standard": "unknown", "symbol_rate": 1e6, "frequency": 0, "modcods": [], "dummy_frames": 0, "vlsnr_frames": 0, "code_rate": None}, 4e6), "not received: unknown, 1000.0 kbaud")

    def test_names_of_outputs(self):
        from libdvb.outputs import path_of
        from libdvbs2.tools import band

        self.assertEqual([band.name_of({"frequency": -1e-3}, centre) for centre in (None, 11e9)], ["+0.000MHz", "11000.000MHz"])
        self.assertEqual([path_of(path, "isi1", ".pdu") for path in ("out.ts", "-", "/dev/null")], ["out.isi1.pdu", "-", "/dev/null"])

    def test_an_interrupted_band(self):
        """Ctrl-C while frames are written does not lose any of them, nor does a second one while the last frames are awaited."""
        from libdvbs2.tools import band

        def interrupted(result=None):
            signal.raise_signal(signal.SIGINT)
            return result

        found = {"standard": "DVB-S2", "symbol_rate": 1e6, "frequency": 0.0, "roll_off": None, "gold": 0}
        source = types.SimpleNamespace(sample_rate=2e6, format="cf32", frequency=None)
        written = []
        reception = band.BandReception(types.SimpleNamespace(source=source, carriers=[found]), None, lambda *_: written.append, threads=1)
        frame = {"carrier": 0, "isi": None, "ts_gs": "TS", "frames": 1, "failed_frames": 0, "pdus": b""}
        pieces = [{**frame, "packets": bytes([number]) * 188} for number in range(4)]
        waiting = [pieces[:2], pieces[2:]]
        reception._band = types.SimpleNamespace(push=len, sample_bytes=8, finish=interrupted, pull=lambda: interrupted(waiting.pop(0)))
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for call, count in (lambda: reception.push(b""), 2), (reception.finish, 4):
            self.assertRaises(KeyboardInterrupt, call)
            self.assertEqual(written, [piece["packets"] for piece in pieces[:count]])
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_interrupted_scans(self):
        """Ctrl-C during a scan ends the program, also if it is pressed twice. After a reception, it ends only the scan for the reason."""
        from libdvbs2.tools import scan as scanning
        from libldpc.tools import cli

        def fail(*arguments, original=cli.fail):
            signal.raise_signal(signal.SIGINT)
            original(*arguments)

        noise, values = self.path / "short_noise.cf32", self.path / "short_noise.json"
        np.random.default_rng(1).normal(0, 0.3, 100000).astype(np.float32).tofile(noise)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with mock.patch.object(scanning, "Scan", side_effect=KeyboardInterrupt), mock.patch.object(cli, "fail", fail):
            result = run("ldpc-dvbs2", noise, "--sample-rate", "2e6", "--scan")
            self.assertEqual((result.returncode, result.stderr), (130, "ldpc-dvbs2: interrupted\n"))
            result = run("ldpc-dvbs2", noise, *RATE, "--info", "-q", "--json", values)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, "^ldpc-dvbs2: no .* was found within 0.03 s")
        self.assertTrue(values.exists())

    def test_no_scan_after_an_interrupt(self):
        program, scans = runpy.run_path(os.path.join(PROGRAMS, "ldpc-dvbs2")), []
        source = types.SimpleNamespace(samples=9, sample_rate=2e6, format="cf32", doubt=lambda data: "", chunks=lambda: (scans.append(1) for _ in range(0)))
        given = {**dict.fromkeys(("output", "udp", "http", "frames_path", "info", "offset", "gold")), "symbol_rate": 1e6}
        for interrupted in True, False:
            receiving = self.receiving(None)[0]
            receiving.receiver, receiving.interrupted = types.SimpleNamespace(status=lambda: {"locks": 0}), interrupted
            with mock.patch.dict(program["why_nothing_came"].__globals__, look=lambda *_: scans.append(interrupted)), \
                    mock.patch("libdvbs2.tools.scan.reason", return_value="DVB-S"):
                self.assertEqual(program["why_nothing_came"](source, given, receiving), "" if interrupted else "DVB-S")
        self.assertEqual(scans, [False])

    def test_notes_of_a_scan(self):
        """The notes of a scan are printed, also before a reception."""
        import libdvbs2

        def survey(*arguments, original=libdvbs2.survey, **named):
            warnings.warn("carriers may be missing", RuntimeWarning)
            return original(*arguments, **named)

        with mock.patch.object(libdvbs2, "survey", survey):
            for arguments in ("--scan",), ("--info",), ("--all",):
                ran = run("ldpc-dvbs2", self.path / "one.cf32", "--sample-rate", "2e6", *arguments, "-q")
                self.assertEqual((ran.returncode, ran.stderr.count("ldpc-dvbs2: carriers may be missing\n")), (0, 1), arguments)

    def test_time_slicing(self):
        """Frames with longer headers (EN 302 307-1, annex M) are named, with and without --symbol-rate."""
        random = np.random.default_rng(1)
        frames = random.choice([1, 1j, -1, -1j], (8, 180 + 60 * 90))
        for i in range(180):  # SOF and pi/2-BPSK
            frames[:, i] = 1j ** (i % 2) * ((-1) ** (0x18D2E82 >> (25 - i) & 1) if i < 26 else random.choice([-1, 1], 8))
        symbols = frames.ravel()
        bins = np.fft.fftfreq(2 * len(symbols), 0.5)  # symbol rates
        edge = np.clip((np.abs(bins) - 0.5) / 0.25, -0.5, 0.5)
        samples = np.fft.ifft(np.tile(np.fft.fft(symbols), 2) * np.cos(np.pi / 2 * (edge + 0.5)))
        recording = str(self.path / "sliced.cf32")
        (samples + random.normal(0, 0.1, (len(samples), 2)) @ (1, 1j)).astype(np.complex64).tofile(recording)
        found = r"the carrier at .0.0... MHz is not received: DVB-S2 time slicing, 1000.0 kbaud\n"
        for arguments in ("-q", "-o", str(self.path / "no.ts")), ("--symbol-rate", "1e6", "--info"):
            ran = run("ldpc-dvbs2", recording, "--sample-rate", "2e6", *arguments)
            self.assertRegex(ran.stderr, found)
            self.assertEqual(ran.returncode, 1)
        self.assertIn("not received", self.output("ldpc-dvbs2", recording, "--sample-rate", "2e6", "--scan"))
        values = self.path / "sliced.json"
        ran = run("ldpc-dvbs2", recording, "--sample-rate", "2e6", "--all", "-q", "--json", values)
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r"^ldpc-dvbs2: .0.000MHz: not received: DVB-S2 time slicing, 1000.0 kbaud\n$")
        result = json.loads(values.read_text())
        self.assertEqual((result["gaps"], result["lost_samples"], [c["received"] for c in result["carriers"]]), (0, 0, [False]))

    def test_samples_after_a_scan(self):
        """A radio's samples that wait during the scan are not received, and not reported as lost. A recording is received from its start.
        Only the samples of standard input stay in memory."""
        from libdvbs2.tools import scan as scanning

        program = runpy.run_path(os.path.join(PROGRAMS, "ldpc-dvbs2"))
        for source, expected in ({"samples": None, "overflows": 3}, "new"), ({"samples": 9}, "new"), ({"samples": None}, "scanned, waiting"):
            source = types.SimpleNamespace(**source, chunks=lambda: iter(["new"]))
            chunks = program["chunks_after"](types.SimpleNamespace(source=source, chunks=["scanned"]), (data for data in ["waiting"]))
            self.assertEqual((", ".join(chunks), getattr(source, "overflows", 0)), (expected, 0))
            self.assertEqual(program["starts_again"](source), expected == "new")
        source = recordings.open_recording(self.path / "one.cf32", "cf32", 2e6)
        for keep in False, True:
            scan = scanning.Scan(source, source.chunks(), [], lambda level_db: None, keep)
            self.assertEqual(sum(map(len, scan.chunks)), keep * 8 * source.samples)

    def test_scan_of_a_radio(self):
        recording, values = self.path / "radio.cs8", self.path / "radio.json"
        one = np.fromfile(self.path / "one.cf32", np.float32)
        np.round(24 * one / one.std()).clip(-127, 127).astype(np.int8).tofile(recording)

        def scan(*arguments, **environment):
            """The recording is played in a loop. A scan of many repetitions would have to identify each line of their spectrum."""
            from libdvbs2.tools import scan as scanning

            with mock.patch.object(scanning, "SECONDS", 0.4), mock.patch.object(sys, "path", [str(pathlib.Path(__file__).parent / "fake_soapy"), *sys.path]):
                return run("ldpc-dvbs2", "--soapy", "driver=fake", "--frequency", "1.25e9", "--sample-rate", "2e6", *arguments,
                           FAKE_SOAPY_FILE=str(recording), FAKE_SOAPY_SPEED="6e6", **environment)

        result = scan("--scan")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertNotIn("unknown", result.stdout)
        for word in ("1250.1", "+0.1000", "1000.0", "QPSK", "3/4"):
            self.assertIn(word, result.stdout)
        lossy = scan("--scan", FAKE_SOAPY_OVERFLOW="40")
        self.assertIn("QPSK", lossy.stdout)
        result = scan("--info", "--json", str(values))
        self.assertRegex(result.stderr, r"the carrier at \+0.1... MHz is received: DVB-S2, 1000.0 kbaud, QPSK 3/4 short\n")
        self.assertEqual(json.loads(values.read_text())["gaps"], 0)

    def test_streams(self):
        data = (self.path / "two.cf32").read_bytes()
        result = subprocess.run([os.path.join(PROGRAMS, "ldpc-dvbs2"), "-", *RATE, "--format", "cf32", "--isi", "2", "-o", "-", "-q"], input=data,
                                capture_output=True, timeout=300, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assert_packets(result.stdout, "two.isi2.ts")
        two = (str(self.path / "two.cf32"), *RATE, "-q")
        result = run("ldpc-dvbs2", *two, "-o", str(self.path / "first.ts"))
        self.assertEqual((result.returncode, result.stderr), (0, "ldpc-dvbs2: the signal also has the ISI 2: --isi all receives all streams\n"))
        self.assert_packets((self.path / "first.ts").read_bytes(), "two.isi1.ts")
        self.output("ldpc-dvbs2", *two, "--isi", "all", "-o", str(self.path / "all.ts"))
        for isi in "12":
            self.assert_packets((self.path / f"all.isi{isi}.ts").read_bytes(), f"two.isi{isi}.ts")
        result = run("ldpc-dvbs2", *two, "--isi", "9", "--frames", str(self.path / "none.bb"), "-o", str(self.path / "none.ts"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))  # all baseband frames were written
        self.assertFalse((self.path / "none.ts").exists())

    def test_http(self):
        """A client receives the stream of the file. It connects while the program waits for samples to find the symbol rate."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        ts, values, samples = self.path / "http.ts", self.path / "http.json", (self.path / "one.cf32").read_bytes()
        command = [os.path.join(PROGRAMS, "ldpc-dvbs2"), "-", *RATE[:2], "--format", "cf32", "--http", str(port), "-o", str(ts), "--json", str(values)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            process.stdin.write(samples[:1 << 16])
            process.stdin.flush()
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end:
                try:
                    client = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60)
                    break
                except OSError:
                    time.sleep(0.05)
            process.stdin.write(samples[1 << 16:])
            process.stdin.close()
            with client:
                received = client.read()
            self.assertIn(f"players open http://127.0.0.1:{port}/", process.stderr.read().decode())
        self.assertEqual(process.returncode, 0)
        self.assertEqual(received, ts.read_bytes())
        self.assertEqual(json.loads(values.read_text())["live"], [{"to": f"http://127.0.0.1:{port}/", "clients": 1, "refused": 0, "lost_packets": 0}])

    def test_a_network_error(self):
        """An error of --udp names the option. It does not end a reception that has another output."""
        ts, values = self.path / "beside.ts", self.path / "beside.json"
        broadcast = (str(self.path / "one.cf32"), *RATE, "-q", "--udp", "255.255.255.255:9")  # needs SO_BROADCAST
        result = run("ldpc-dvbs2", *broadcast)
        self.assertEqual((result.returncode, result.stderr), (2, "ldpc-dvbs2: --udp 255.255.255.255:9: Permission denied\n"))
        result = run("ldpc-dvbs2", *broadcast, "-o", str(ts), "--json", str(values))
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, "ldpc-dvbs2: --udp 255.255.255.255:9: Permission denied; packets for this address are lost\n")
        self.assertEqual(json.loads(values.read_text())["live"], [{"to": "udp://255.255.255.255:9", "lost_packets": ts.stat().st_size // 188}])

    def test_interrupts_while_packets_wait(self):
        """Neither Ctrl-C nor a second Ctrl-C loses the report. The queued packets count as lost."""
        ts, values = self.path / "waiting.ts", self.path / "waiting.json"
        slow = "import runpy, sys\nfrom libdvb import live\nlive.FIRST_RATE = 10\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
        command = [sys.executable, "-c", slow, os.path.join(PROGRAMS, "ldpc-dvbs2"), str(self.path / "one.cf32"), *RATE, "--udp", "127.0.0.1:9", "-o", str(ts), "--json", str(values), "-q"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler)) as process:
            self.addCleanup(process.kill)
            end = time.monotonic() + 60
            while process.poll() is None and not ts.exists() and time.monotonic() < end:
                time.sleep(0.05)
            for _ in range(2):
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=60)[1]
        self.assertEqual((process.returncode, errors), (0, b""))
        self.assertGreater(json.loads(values.read_text())["live"][0]["lost_packets"], 50)

    def test_why_nothing_came(self):
        """Checks the messages that ldpc-dvbs2 prints for noise, for a wrong gold code, and for a stream that does not exist."""
        noise, ts = self.path / "noise.cf32", str(self.path / "nothing.ts")
        np.random.default_rng(1).normal(0, 0.3, 400000).astype(np.float32).tofile(noise)
        one, two = str(self.path / "one.cf32"), str(self.path / "two.cf32")
        for file, arguments, sentence in ((str(noise), (), "no (signal|PL header) was found within 0.10 s: expected a DVB-S2 signal of 1000000 baud"),
                                          (one, ("--gold", "7"), r"all \d+ frames failed: an Es/N0 of .* dB is too low for QPSK 3/4, or --gold is wrong"),
                                          (two, ("--isi", "9"), "the signal has streams, but not stream 9: --isi all")):
            with self.subTest(arguments):
                result = run("ldpc-dvbs2", file, *RATE, *arguments, "-o", ts, "-q")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, sentence)
        self.assertFalse(os.path.exists(ts))
        result = run("ldpc-dvbs2", one, *RATE, "--format", "cs16", "-o", ts, "-q")
        self.assertEqual((result.returncode, result.stderr), (1, f"ldpc-dvbs2: {one}: the samples look like cf32, not cs16; --format cf32 selects it\n"))

    def test_arguments_that_are_refused(self):
        one = str(self.path / "one.cf32")
        for sentence, arguments in (("expected a FILE, or a radio", RATE), ("expected --output, --udp, --http or --frames, or --info or --scan", (one, *RATE)),
                                    ("--scan writes no data", (one, "--sample-rate", "2e6", "--scan", "--info")),
                                    ("expected --symbol-rate, or --sample-rate with the width", ("--soapy", "driver=x", "--frequency", "1e9", "--scan")),
                                    ("cannot be combined with --symbol-rate", (one, *RATE, "--scan")),
                                    ("cannot be combined with --isi", (one, "--sample-rate", "2e6", "--isi", "1", "--scan")),
                                    ("--threads needs --all", (one, *RATE, "--info", "--threads", "2")),
                                    ("--backend needs --all", (one, *RATE, "--info", "--backend", "gpu")),
                                    ("--fallback needs --all", (one, *RATE, "--info", "--fallback")),
                                    ("--all receives all carriers of the band and cannot be combined with --symbol-rate", (one, *RATE, "--all")),
                                    ("--all writes a file for each carrier", (one, "--sample-rate", "2e6", "--all", "-o", "-")),
                                    ("--http abc: expected .host:.port", (one, *RATE, "--http", "abc")),
                                    ("--gain needs a radio", (one, *RATE, "--gain", "3", "--info")),
                                    ("--info writes no data", (one, *RATE, "--info", "-o", "x.ts")),
                                    ("expected an ISI of 0 .. 255, or all", (one, *RATE, "--isi", "256", "--info")),
                                    ("several streams can only be written to files", (one, *RATE, "--isi", "all", "-o", "-")),
                                    ("several streams can only be written to files", (one, *RATE, "--isi", "all", "--frames", "all.bbf", "-o", "-")),
                                    ("several streams can only be written to files", (one, *RATE, "--isi", "all", "--frames", "all.bbf", "--udp", "127.0.0.1:9")),
                                    ("sample rate 1000000 Hz out of range", (one, "--sample-rate", "1e6", "--symbol-rate", "1e6", "--info"))):
            self.assert_refused(sentence, "ldpc-dvbs2", *arguments)

    @staticmethod
    def receiving(isi, *frames):
        """Returns the reception, its PDUs and its baseband frames. Each of `frames` is (ISI, PDUs, broken)."""
        from libdvbs2.tools.reception import Reception as Receiving

        written, kept = {}, []
        receiving = Receiving(None, 2.0, 1.0, isi, lambda header: written.setdefault(header["isi"], []).append, kept.append)
        for number, pdus, broken in frames:
            header = {"isi": number, "ts_gs": "GCS"}
            receiving._add(types.SimpleNamespace(symbol=0, modulation="qpsk", code="dvbs2:16200:1/2", pilots=True, broken=broken, iterations=3, header=header,
                                                 bytes=b"frame", packets=np.zeros((0, 188), np.uint8), pdus=pdus))
        return receiving, written, kept

    def test_pdus(self):
        """The PDUs of GSE streams are output and counted. Frames with bit errors give no PDUs."""
        receiving, written, frames = self.receiving("all", (1, b"\0\2ab\0\0", False), (2, b"\0\1c", False), (1, b"", True))
        self.assertEqual(written, {1: [b"\0\2ab\0\0"], 2: [b"\0\1c"]})
        self.assertEqual((receiving.total("pdus"), receiving.total("failed_frames"), frames), (3, 1, [b"frame"] * 2))

    def test_capture_file(self):
        """PDUs in a pcap file: its header, then time and length before each PDU."""
        from libdvbs2.tools import pcap

        written = []
        pcap.writer(written.append, pcap.IP, lambda: 2.25)(b"\0\2ab\0\0\0\1c")
        data = b"".join(written)
        self.assertEqual(struct.unpack("<IHHiIII", data[:24]), (0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        at, pdus = 24, []
        while at < len(data):
            seconds, microseconds, stored, length = struct.unpack_from("<IIII", data, at)
            self.assertEqual((seconds, microseconds, stored), (2, 250000, length))
            pdus.append(data[at + 16:at + 16 + length])
            at += 16 + length
        self.assertEqual(pdus, [b"ab", b"", b"c"])

    def test_pdus_without_output(self):
        """PDUs are not sent over UDP: without --output, a GSE stream ends with a message and exit status 1."""
        import libdvbs2

        program = runpy.run_path(os.path.join(PROGRAMS, "ldpc-dvbs2"))
        source = types.SimpleNamespace(path="gse.cf32", sample_rate=2e6, frequency=None, format="cf32", samples=None, doubt=lambda data: "")
        note = "ldpc-dvbs2: PDUs are written to --output only\n"
        for paths, expected in (({"udp": "127.0.0.1:9"}, (1, note)), ({"udp": "127.0.0.1:9", "frames_path": "out.bbf"}, (0, note)),
                                ({"udp": "127.0.0.1:9", "output": "out.ts"}, (0, "")), ({"output": "out.ts"}, (0, ""))):
            given = {**dict.fromkeys(("output", "udp", "http", "frames_path", "json_path", "plot", "info", "isi", "offset", "gold")), "symbol_rate": 1e6, "quiet": True, **paths}
            receiving, errors = self.receiving(None, (1, b"\0\1c", False))[0], io.StringIO()
            receiving.receiver = libdvbs2.receiver(2e6, 1e6)
            with contextlib.redirect_stderr(errors):
                status = program["report_of"](source, given, receiving, "")
            self.assertEqual((status, errors.getvalue()), expected, paths)

    def test_isi_of_a_frame_with_bit_errors(self):
        """The ISI of a frame with bit errors may be wrong. Such a frame selects no stream and creates no stream."""
        for isi, streams in ((None, [1]), ("all", [1, 2])):
            receiving = self.receiving(isi, (7, b"", True), (1, b"\0\1c", False), (2, b"\0\1d", False), (7, b"", True), (1, b"", True))[0]
            self.assertEqual((list(receiving.streams), receiving.others), (streams, {2} - set(streams)))
            self.assertEqual((receiving.total("frames"), receiving.total("failed_frames")), (1 + len(streams), 1))


if __name__ == "__main__":
    unittest.main()
