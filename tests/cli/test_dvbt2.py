# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests ldpc-dvbt2 with short signals of a transmitter that shares no code with the receiver (tests/dvbt2/generate/make_signals.py)."""
import json
import os
import pathlib
import random
import re
import struct
import sys
import tempfile
import threading
import types
import unittest

import libldpc
import numpy as np
from programs import PROGRAMS, interrupted_reports, run
from test_cli import Case

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "dvbt2/generate"))
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
        """Ctrl-C while the report is written does not shorten it."""
        ts, values, picture = (self.path / name for name in ("out.ts", "status.json", "out.png"))
        with interrupted_reports():
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
        self.assertTrue(text.startswith("Transport stream"), text)  # the result is first
        self.assertNotIn("L1_REPETITION_FLAG", text)

    def test_other_plp_through_pipes(self):
        """Half a sample at the end of the input is ignored. The output consists of whole packets."""
        data = self.recording.read_bytes()
        result = run("ldpc-dvbt2", "-", *self.arguments[1:], "--plp", "1", "-o", "-", "-q", data=data + b"\1", text=False)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        check_packets(self, result.stdout, "lite", "lite", 1)

    def test_all_plps(self):
        """The program writes one file for each PLP, or for each PLP in a list. The input is a pipe or a file."""
        for name, plps, standard_input in (("piped", "all", True), ("listed", "1,0", False)):
            with self.subTest(name):
                source = "-" if standard_input else str(self.recording)
                result = run("ldpc-dvbt2", source, *self.arguments[1:], "--plp", plps, "-o", str(self.path / f"{name}.ts"),
                             "--json", str(self.path / f"{name}.json"), data=self.recording.read_bytes(), text=False)
                self.assertEqual((result.returncode, result.stderr if not standard_input else b""), (0, b""))
                streams = json.loads((self.path / f"{name}.json").read_text())["streams"]
                self.assertEqual([stream["plp"] for stream in streams], [1, 0] if plps == "1,0" else [0, 1])
                self.assertIn(b"Transport stream of PLP 1", result.stdout)
                for stream in streams:
                    ts = (self.path / f"{name}.plp{stream['plp']}.ts").read_bytes()
                    check_packets(self, ts, "lite", "lite", stream["plp"])
                    self.assertEqual(stream["counters"]["packets"], len(ts) // 188)

    def test_info_only_looks(self):
        """--info prints all of L1 and makes a plot on request, but decodes no data."""
        picture = self.path / "info.png"
        text = self.output("ldpc-dvbt2", *self.arguments, "--info", "--plot", str(picture))
        self.assertNotIn("codewords", text)
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        for field in ("T2-Lite", "L1_REPETITION_FLAG", "GUARD_INTERVAL", "NETWORK_ID", "FEF_INTERVAL", "SUB_SLICES_PER_FRAME", "PLP_GROUP_ID",
                      "TIME_IL_LENGTH", "FRAME_IDX", "PLP_NUM_BLOCKS"):
            self.assertRegex(text, rf"{field}\b", field)
        self.assertRegex(text, r"GUARD_INTERVAL +│ \d \(1/16\)")

    def test_recordings_of_other_programs(self):
        """Sample rate and format are read from SigMF metadata or a WAV header. --frequency is relative to the frequency of the
        recording."""
        meta, data, wav = (self.path / name for name in ("x.sigmf-meta", "x.sigmf-data", "SDRSharp_20260729_195930Z_545500kHz_IQ.wav"))
        data.write_bytes(self.recording.read_bytes())
        meta.write_text(json.dumps({"global": {"core:datatype": "ci8", "core:sample_rate": RATE, "core:version": "1.0.0"}}))
        self.assertIn("T2-Lite", self.output("ldpc-dvbt2", str(meta), "--info"))
        result = run("ldpc-dvbt2", str(meta), "--info", "--sample-rate", "9e6")
        self.assertRegex(result.stderr, "using sample rate 9000000, although the recording contains 9142857.143")
        samples = int8_samples("lite").astype(np.float32).view(np.complex64)[:, 0] / 128
        samples *= np.exp(2j * np.pi * 0.5e6 / RATE * np.arange(len(samples)))
        values = samples.astype(np.complex64).view("<f4").tobytes()
        header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(values), b"WAVE", b"fmt ", 16, 3, 2, round(RATE), round(8 * RATE), 8, 32, b"data", len(values))
        wav.write_bytes(header + values)
        self.output("ldpc-dvbt2", str(wav), "--frequency", "546e6", "--info", "--json", str(self.path / "wav.json"))
        result = json.loads((self.path / "wav.json").read_text())
        self.assertEqual((result["frequency"], result["format"], result["status"]["profile"]), (545.5e6, "cf32", "T2-Lite"))
        self.assertLess(abs(result["status"]["carrier_hz"]), 1000)
        self.assert_refused("x.sigmf-meta does not contain its centre frequency .expected --offset", "ldpc-dvbt2", str(meta), "--info", "--frequency", "546e6")
        meta.write_text("{")
        self.assert_refused("invalid SigMF metadata", "ldpc-dvbt2", str(meta), "--info")

    def test_narrow_channels(self):
        """Receives channels of 500 and 333 kHz, and refuses wrong units."""
        for bandwidth in ("0.5", "0.333"):
            with self.subTest(bandwidth):
                ts, rate = self.path / "narrow.ts", float(bandwidth) * 8e6 / 7
                self.output("ldpc-dvbt2", *self.arguments[:3], "--sample-rate", str(rate), "--bandwidth", bandwidth, "-o", str(ts))
                check_packets(self, ts.read_bytes(), "lite", "lite", 0)
        self.assert_refused("bandwidth 500 MHz out of range .expected more than 0, at most 10 MHz", "ldpc-dvbt2", *self.arguments, "--bandwidth", "500", "--info")
        self.assert_refused("a channel of 0.5 MHz needs 0.5 .. 1.571 MHz", "ldpc-dvbt2", *self.arguments, "--bandwidth", "0.5", "--info")

    def test_nothing_on_the_air(self):
        noise, ts = self.path / "noise.cs8", self.path / "none.ts"
        np.random.default_rng(1).integers(-60, 60, 1 << 21, np.int8).tofile(noise)
        for source in (noise, "/dev/null"):
            result = run("ldpc-dvbt2", str(source), *self.arguments[1:], "--output", str(ts))
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertFalse(ts.exists())
            self.assertRegex(result.stderr, "nothing was received within|no samples|no P1")
            self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_outputs_replace_nothing_else(self):
        """The recording is never overwritten. An existing output file is overwritten only if there are packets."""
        copy, ts = self.path / "copy.cs8", self.path / "kept.ts"
        copy.write_bytes(self.recording.read_bytes())
        ts.write_bytes(b"kept")
        for option in ("-o", "--json"):
            other = () if option == "-o" else ("-o", str(ts))
            self.assert_refused("recording itself", "ldpc-dvbt2", str(copy), *self.arguments[1:], option, str(copy), *other)
        self.assertEqual(copy.read_bytes(), self.recording.read_bytes())
        result = run("ldpc-dvbt2", *self.arguments, "--plp", "9", "-o", str(ts))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "9.*0.*1")  # lists the available PLPs
        self.assertEqual(ts.read_bytes(), b"kept")

    def test_why_nothing_came(self):
        """Checks the messages for too much noise and for a recording that is too short."""
        ts, noisy, short = self.path / "none.ts", self.path / "noisy.cs16", self.path / "short.cs8"
        clean = int8_samples("lite").astype(float)
        noise = np.random.default_rng(1).normal(0, 1.3 * np.sqrt((clean ** 2).mean()), clean.shape)
        np.clip(np.rint((clean + noise) * 64), -32768, 32767).astype(np.int16).tofile(noisy)
        short.write_bytes(self.recording.read_bytes()[:20000])
        for file, sentence in ((noisy, "LDPC codewords failed: C/N is too low"),
                               (short, "nothing was received within 0.00 s: the last state.*a recording should have at least 0.5 s")):
            result = run("ldpc-dvbt2", str(file), "--sample-rate", str(RATE), "--plp", "1", "-o", str(ts))  # format from the suffix
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, sentence)

    def test_why_codewords_failed(self):
        """The message names a low C/N only if constellation and code rate require a higher one."""
        from libdvbt2.tools import report  # pylint: disable=import-outside-toplevel  # not in every build
        for cn_db, modulation, rate, low in ((19.1, "16QAM", "1/2", False), (23.7, "256QAM", "2/3", False), (18.0, "256QAM", "2/3", True),
                                             (5.0, "16QAM", "1/2", True), (0.5, "QPSK", "1/3", False), (-1.5, "QPSK", "1/3", True)):
            status = {"message": "", "samples": 1, "frames": 9, "locked": True, "cn_db": cn_db, "last_loss": "step", "losses_step": 2, "losses_gap": 0}
            plp = {"plp_id": 3, "plp_type": 1, "plp_mod_name": modulation, "plp_cod_name": rate, "frame_interval": 1, "time_il_type": False}
            counters = {"packets": 0, "ts_errors": 0, "gse_frames": 0, "gcs_frames": 0, "gfps_frames": 0, "codewords": 80, "failed_codewords": 80}
            result = {"bandwidth": 8, "status": status, "l1_post": {"plps": [plp]}, "streams": [{"plp": None, "counters": counters}]}
            text = report.sentence(result, 2.0, True, False)
            self.assertEqual("too low" in text, low, text)
            self.assertIn(f"{modulation} {rate}", text)
            self.assertEqual("lock was lost 2 times: step 2; last: step" in text, not low)

    def test_the_profile_beside(self):
        """T2-Lite is sent in the FEF parts of T2-base. If no profile was selected, a message names the other profile."""
        recording = self.path / "both.cs8"
        int8_samples("base_lite").tofile(recording)
        for profile, sentence in ("auto", "the signal also has T2-Lite frames, which are not received with T2-base: --profile lite receives them"), ("base", ""):
            result = run("ldpc-dvbt2", str(recording), "--sample-rate", str(RATE), "--profile", profile, "--plp", "all", "-o", str(self.path / "both.ts"))
            self.assertEqual(result.returncode, 0)
            self.assertEqual(sentence in result.stderr and bool(result.stderr), bool(sentence), result.stderr)
            self.assertRegex(result.stdout, "lock lost +. never")
            self.assertRegex(result.stdout, "baseband frames with wrong headers +. 0")

    def test_packets_with_error_marks_only(self):
        """Without iterations, the BCH decoder cannot correct the errors. Packets with errors are written, but the exit status is 1."""
        noisy, ts, values = (self.path / name for name in ("marked.cs16", "marked.ts", "marked.json"))
        clean = int8_samples("lite").astype(float)
        noise = np.random.default_rng(1).normal(0, 0.17 * np.sqrt((clean ** 2).mean()), clean.shape)
        np.clip(np.rint((clean + noise) * 64), -32768, 32767).astype(np.int16).tofile(noisy)
        for iterations, status in (("0", 1), ("25", 0)):
            result = run("ldpc-dvbt2", str(noisy), "--sample-rate", str(RATE), "--plp", "1", "-o", str(ts), "--json", str(values), "-q",
                         "--iterations", iterations)
            counters = json.loads(values.read_text())["streams"][0]["counters"]
            self.assertGreater(counters["packets"], 0)
            self.assertEqual(counters["packets"] == counters["ts_errors"], status == 1)
            self.assertEqual((result.returncode, bool(result.stderr)), (status, status == 1), result.stderr)

    def test_end_inside_the_first_frame(self):
        """Codewords with missing cells cannot be decoded. The message must not blame noise."""
        short = self.path / "first_frame.cs8"
        int8_samples("ti2")[:round(RATE * 0.028)].tofile(short)  # an interleaving frame takes two T2 frames
        result = run("ldpc-dvbt2", str(short), *self.arguments[1:], "-o", str(self.path / "none.ts"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "the 0.028 s of samples end before the T2 frames of the first codewords:")

    def test_another_format(self):
        file = self.path / "recording.iq"
        for samples in (int8_samples("lite"), int8_samples("lite").astype(np.int16) * 256):
            samples.tofile(file)
            result = run("ldpc-dvbt2", str(file), "--sample-rate", str(RATE), "--info")
            self.assertEqual(result.returncode, 0)
            self.assertRegex(result.stderr, r"recording.iq: unknown sample format, using cs(8|16), judging by the samples; .*--format$")
            result = run("ldpc-dvbt2", str(file), "--sample-rate", str(RATE), "--format", "cf32", "--info")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"^ldpc-dvbt2: \S+recording.iq: the samples look like cs(8|16), not cf32; --format cs(8|16) selects it\n$")
        int8_samples("lite").tofile(file)
        result = run("ldpc-dvbt2", str(file), "--sample-rate", str(RATE), "--format", "cu8", "--plp", "1", "-o", str(self.path / "cu8.ts"), "-q")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "the samples look like cs8, not cu8")

    def test_clock_offset(self):
        """The given sample rate is rounded. The table shows the clock offset, and a message shows the true sample rate."""
        result = run("ldpc-dvbt2", *self.arguments[:3], "--sample-rate", "9.14e6", "-o", str(self.path / "rounded.ts"))
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"^ldpc-dvbt2: the clock offset is \+31\d ppm \(corrected\): the true sample rate is near 91428\d\d, not 9140000\n$")

    def test_frames_of_a_transport_stream(self):
        """Without samples, the program writes no file and its exit status is not 0."""
        frames, ts = self.path / "none.bbf", self.path / "beside.ts"
        result = run("ldpc-dvbt2", *self.arguments, "--frames", str(frames), "-q")
        self.assertEqual((result.returncode, result.stderr), (1, "ldpc-dvbt2: the stream is a transport stream: --output writes its packets\n"))
        result = run("ldpc-dvbt2", *self.arguments, "--frames", str(frames), "-o", str(ts), "-q")
        self.assertEqual((result.returncode, result.stderr, frames.exists()), (0, "", False))
        self.assertEqual(ts.stat().st_size % 188, 0)

    def test_the_other_profile(self):
        """Receives a T2-base signal with --profile lite, and a T2-Lite signal with --profile base."""
        base = self.path / "base.cs8"
        int8_samples("type2").tofile(base)
        for file, profile, sentence in ((base, "lite", "this is T2-base; there is no T2-Lite"), (self.recording, "base", "this is T2-Lite; there is no T2-base")):
            result = run("ldpc-dvbt2", str(file), *self.arguments[1:], "--profile", profile, "--info")
            self.assertEqual(result.returncode, 1)
            self.assertIn(sentence, result.stderr)

    def test_all_plps_of_nothing(self):
        """If L1 cannot be decoded, --plp all prints the same reason as --info. All known values are still written."""
        values, picture = self.path / "nothing.json", self.path / "nothing.png"
        result = run("ldpc-dvbt2", *self.arguments, "--profile", "base", "--plp", "all", "-o", str(self.path / "nothing.ts"),
                     "--json", str(values), "--plot", str(picture))
        self.assertEqual((result.returncode, result.stderr), (1, "ldpc-dvbt2: this is T2-Lite; there is no T2-base\n"))
        self.assertEqual(json.loads(values.read_text())["l1_post"], None)
        self.assertTrue(picture.exists())

    def test_line_while_samples_come(self):
        """The status line shows at once why nothing is received."""
        from libdvb import progress
        from libdvbt2.tools.reception import Reception

        source = types.SimpleNamespace(samples=None)
        for message, expected in (("", "C/N 20.0, MER 19.0 dB, 3 packets, 1 errors"),
                                  ("there is no PLP 9", "C/N 20.0, MER 19.0 dB, 3 packets, 1 errors, there is no PLP 9")):
            receiver = types.SimpleNamespace(status=lambda: {"locked": True, "cn_db": 20.0, "message": message})
            reception = types.SimpleNamespace(receiver=receiver, mer_db=lambda: 19.0, counters=lambda: {"packets": 3, "ts_errors": 1})
            reception.summary = Reception.summary.__get__(reception)
            self.assertEqual(progress.line_of(reception, source), expected)

    def test_output_that_fails_at_the_end(self):
        """The disk is full when the last packets are written, after all cells were decoded. finish() must raise an exception and
        must not wait."""
        from libdvbt2.tools import reception

        class Decoder:
            def __init__(self, full_in):
                self.full_in, self.set_common, self.counters = full_in, lambda common: None, dict
                self.feed, self.finish, self.pull = (self.fail_in(name) for name in ("feed", "finish", "pull"))

            def fail_in(self, name):
                def call(*arguments):
                    if name == self.full_in:
                        raise OSError(28, "No space left on device")
                    return ()
                return call

        for full_in in ("feed", "finish", "pull"):
            with self.subTest(full_in):
                receiving, said = reception.Reception(None, RATE, [Decoder(full_in)], [len]), []

                def finish(receiving=receiving, said=said):
                    try:
                        receiving.finish()
                    except OSError as error:
                        said.append(error.errno)

                if full_in == "feed":
                    receiving._cells.put((0, None, None, None, 0))
                ending = threading.Thread(target=finish, daemon=True)
                ending.start()
                ending.join(60)
                self.assertEqual(said, [28])

    def test_in_band_signalling_and_issy(self):
        """Checks the in-band signalling (types A and B) and the ISSY (TTO, BUFS, ISCR) of PLPs from another transmitter."""
        file, values = self.path / "issy.cs8", self.path / "issy.json"
        int8_samples("issy").tofile(file)
        text = self.output("ldpc-dvbt2", str(file), *self.arguments[1:], "--plp", "all", "-o", str(self.path / "issy.ts"), "--json", str(values), "-v")
        result = json.loads(values.read_text())
        first, second = (stream["signalling"] for stream in result["streams"])
        self.assertGreater(first["in_band_frames"], 2)
        self.assertEqual((first["in_band_errors"], second["in_band_frames"]), (0, 0))
        plp = result["l1_post"]["dynamic"]["plps"][0]
        self.assertEqual(first["in_band_a"]["current_plp_num_blocks"], plp["plp_num_blocks"])
        self.assertEqual(first["in_band_a"]["frames"][0]["current_plp_start"], plp["plp_start"])
        self.assertGreater(first["in_band_b"]["ts_rate"], 0)
        for said in (first, second):
            self.assertEqual(said["iscr_bits"], 22)
            self.assertGreater(said["tto"], 0)
            self.assertGreater(said["bufs"], 0)
        for word in ("L1_REPETITION_FLAG", "CURRENT_PLP_NUM_BLOCKS", "TS_RATE", "ISSY TTO"):
            self.assertIn(word, text)

    def test_wrong_input(self):
        output = ("--output", str(self.path / "x.ts"))
        for pattern, arguments in (
                ("expected --output", self.arguments), ("--sample-rate", (str(self.recording), *output)),
                ("No such file", ("missing.cs16", "--sample-rate", "10e6", *output)),
                ("3e\\+06|3000000|3 MHz|3\\.0", (*self.arguments[:3], "--sample-rate", "3e6", *output)),
                ("expected Hz, such as 9.14e6", (*self.arguments[:3], "--sample-rate", "9.14", *output)),
                ("not a finite", (*self.arguments[:3], "--sample-rate", "nan", *output)),
                ("'cs12'", (*self.arguments[:1], "--format", "cs12", *self.arguments[3:], *output)),
                ("0 .. 255", (*self.arguments, *output, "--plp", "256")), ("1,1.: the same PLP_ID occurs twice", (*self.arguments, *output, "--plp", "1,1")),
                ("several PLPs", (*self.arguments, "-o", "-", "--plp", "all")), ("several PLPs", (*self.arguments, "--frames", "-", "--plp", "0,1")), ("same name", (*self.arguments, *output, "--json", output[1])),
                ("--info writes no data", (*self.arguments, *output, "--info")),
                ("expected at most one output on standard output", (*self.arguments, "-o", "-", "--json", "-")),
                ("expected at most one output on standard output", (*self.arguments, "-o", "-", "--frames", "-")),
                *(("ends in .png, .svg or .pdf", (*self.arguments, *output, "--plot", str(self.path / name))) for name in ("x.bmp", "png")),
                ("backend", (*self.arguments, *output, "--backend", "tpu"))):
            with self.subTest(pattern):
                self.assert_refused(pattern, "ldpc-dvbt2", *arguments)

    def test_a_backend_is_refused_before_there_is_a_signal(self):
        noise = self.path / "noise.cs8"
        noise.write_bytes(random.Random(1).randbytes(100000))
        for backend, pattern in (("tpu", 'no backend "tpu": expected cpu, '), ("cuda", 'backend "cuda"')):
            result = run("ldpc-dvbt2", str(noise), "--sample-rate", "10e6", "--backend", backend, "--output", str(self.path / "n.ts"))
            if backend == "cuda" and not libldpc.backends().get("cuda", "not built"):
                continue
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(pattern, result.stderr)

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
