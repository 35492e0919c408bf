# SPDX-License-Identifier: BSD-3-Clause
"""Tests ldpc-info and ldpc-bench. Every option runs. JSON has its keys. After invalid input, the program prints one line and exits with
status 2."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

import libldpc
from libldpc.tools import manual
from programs import PROGRAMS, run

KEYS = {"code", "backend", "kernel", "arithmetic", "threads", "batch", "iterations", "early_stop", "coded_mbps", "info_mbps",
        "latency_us_p50", "latency_us_p99", "frames", "frame_errors", "schedule", "algorithm", "ebn0", "device", "streams",
        "n_cw", "n_mcw", "transfers"}
FAKE_GPU = os.path.join(PROGRAMS, "..", "tests", "fake_gpu")


class Case(unittest.TestCase):
    def output(self, *arguments):
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stderr)
        return result.stdout

    def assert_refused(self, pattern, *arguments):
        """Checks exit code 2 and a one-line reason on standard error (after click's usage lines)."""
        result = run(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertNotIn("Traceback", result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1], pattern)
        return result.stderr

    def assert_all_options_tried(self, program, tried):
        heads = re.findall(r"^  (-\S.*?)(?:  |$)", self.output(program, "--help"), re.MULTILINE)
        offered = set(re.findall(r"--[a-z0-9-]+", " ".join(heads)))
        self.assertGreater(len(offered), 3)
        self.assertEqual(offered - {"--help", "--version"} - set(tried), set(), "options without a test")


class Streams(Case):
    """Tests standard streams that are closed, full, or have no reader."""

    CALLS = ("ldpc-info --list", "ldpc-info wifi:648:1/2", "ldpc-info --help", "ldpc-bench --code wimax:576:1/2 --seconds 0.01",
             "ldpc-bench --code wimax:576:1/2 --seconds 0.01 --json -", "ldpc-make random --n 60",
             "ldpc-tune --code wimax:576:1/2 --backend cpu --seconds 0.0001 --iterations 1 --json",
             "ldpc-ber --code wimax:576:1/2 --ebn0 5 --max-frames 64", "ldpc-ber --code wimax:576:1/2 --ebn0 5 --max-frames 64 --json -",
             "ldpc-plot docs/measurements/ber.csv", "ldpc-plot docs/measurements/ber.csv --csv -", "ldpc-encode --code wimax:576:1/2",
             "ldpc-decode --code wimax:576:1/2 --input-format hard-packed")
    ONE_EACH = tuple({call.split()[0]: call for call in CALLS}.values())
    # cli.run() handles the streams of all programs; these read, write codewords, draw tables, and handle a lost reader themselves.
    FEW = tuple(call for call in ONE_EACH if call.startswith(("ldpc-info", "ldpc-encode", "ldpc-decode", "ldpc-ber")))

    def shell(self, call, streams):
        """Runs a shell command with one message of zeros as input. Returns its exit status, standard output and standard error."""
        with tempfile.TemporaryDirectory() as cache:
            result = subprocess.run(["bash", "-c", f"head -c 72 /dev/zero | {PROGRAMS}/{call} {streams}; exit ${{PIPESTATUS[1]}}"],
                                    capture_output=True, text=True, timeout=300, errors="replace",
                                    cwd=os.path.join(os.path.dirname(__file__), "..", ".."),
                                    env={**os.environ, "XDG_CACHE_HOME": cache})
        return result.returncode, result.stdout, result.stderr

    def test_standard_output(self):
        for streams, reason, calls in ((">&-", "Bad file descriptor", self.ONE_EACH), (">/dev/full", "No space left on device", self.CALLS)):
            for call in calls:
                with self.subTest(call=call + streams):
                    code, _, errors = self.shell(call, streams)
                    self.assertEqual((code, errors.splitlines()[-1:]), (2, [f"{call.split()[0]}: {reason}"]))
                    self.assertNotIn("Traceback", errors)

    def test_standard_error(self):
        for call in self.FEW:
            with self.subTest(call=call):
                code, output, errors = self.shell(call, "2>&-")
                self.assertEqual((code, errors), (0, ""))
                self.assertTrue(output)
        self.assertEqual(self.shell("ldpc-info nosuch", "2>&-"), (2, "", ""))

    def test_standard_input(self):
        for call in self.FEW:
            with self.subTest(call=call):
                code, _, errors = self.shell(call, "<&-")
                reads = call.startswith(("ldpc-encode", "ldpc-decode"))
                self.assertEqual(code, 2 if reads else 0)
                if reads:
                    self.assertEqual(errors, f"{call.split()[0]}: Bad file descriptor\n")

    def test_a_closed_stream_is_no_file(self):
        """If a standard stream is closed, the next file that the program opens has the number of this stream. Output to the stream
        must not be written to this file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            code, _, errors = self.shell(f"ldpc-encode --code wimax:576:1/2 --output {path}", "<&0 >&- 2>&-")
            self.assertEqual((code, errors, os.path.getsize(path)), (0, "", 2 * 72))

    def test_a_reader_that_goes_away(self):
        for call in self.FEW:
            with self.subTest(call=call):
                code, _, errors = self.shell(call, "| true")
                self.assertIn(code, (0, 1))
                self.assertNotRegex(errors, "Traceback|Broken|interrupted")


class Replaced(Case):
    """Tests that the programs handle existing files in the way that docs/ber.md describes."""

    def test_what_a_command_makes_again(self):
        with tempfile.TemporaryDirectory() as folder:
            message, path = os.path.join(folder, "message"), os.path.join(folder, "there")
            pathlib.Path(message).write_bytes(bytes(72))
            for call in ("ldpc-make random --n 60", "ldpc-encode --code wimax:576:1/2 --input message",
                         "ldpc-decode --code wimax:576:1/2 --input-format hard-packed --input message",
                         "ldpc-bench --code wimax:576:1/2 --seconds 0.01 --json"):
                with self.subTest(call=call):
                    pathlib.Path(path).write_text("before")
                    os.link(path, path + ".old")
                    program, *words = call.replace("message", message).split()
                    result = run(program, *words, *([] if "--json" in words else ["--output"]), path)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertNotIn(b"before", pathlib.Path(path).read_bytes())
                    written_as_they_come = program in ("ldpc-encode", "ldpc-decode")
                    self.assertEqual(pathlib.Path(path + ".old").read_bytes() == b"before", not written_as_they_come)
                    os.unlink(path + ".old")


class Inputs(Case):
    """Tests codes that cannot be simulated: codes without message bits, and names of files that are not regular."""

    TRANSPOSED = "3 7\n4 3\n4 4 4\n1 1 2 1 2 2 3\n1 3 5 7\n2 3 6 7\n4 5 6 7\n1\n2\n1 2\n3\n1 3\n2 3\n1 2 3\n"
    CALLS = (("ldpc-encode",), ("ldpc-decode",), ("ldpc-ber", "--ebn0", "2", "--max-frames", "64", "--quiet"), ("ldpc-bench", "--seconds", "0.01"),
             ("ldpc-tune", "--backend", "cpu", "--seconds", "0.0001"))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_code_without_messages(self):
        code, sentence = self.folder / "t.alist", "no message bits .k = 0.: is its parity-check matrix of 7 rows and 3 columns transposed"
        code.write_text(self.TRANSPOSED)
        for call in self.CALLS:
            with self.subTest(call):
                self.assert_refused(sentence, *call, "--code", f"alist:{code}")
        info = run("ldpc-info", f"alist:{code}")
        self.assertEqual((info.returncode, len(info.stderr.splitlines())), (0, 1))
        self.assertRegex(info.stderr, sentence)
        llrs = self.folder / "llrs"
        llrs.write_bytes(bytes([9, 9, 9]))
        run("ldpc-decode", "--code", f"alist:{code}", "-i", llrs, "--what", "codeword", "-o", self.folder / "codeword")
        self.assertEqual((self.folder / "codeword").read_bytes(), b"\0")

    def test_names_open_regular_files_only(self):
        """Opening a pipe would wait for a writer."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for place, what in ((pipe, "a pipe"), (self.folder, "a folder|is a directory"), ("/dev/zero", "a device")):
            for form in ("alist:", "qc:", "nbalist:"):
                self.assert_refused(f"regular file, found ({what})", "ldpc-info", f"{form}{place}")
            for call in (("ldpc-encode", "--code", "wifi:648:1/2", "-i"), ("ldpc-decode", "--code", "wifi:648:1/2", "-i"), ("ldpc-decode", "-i"),
                         ("ldpc-plot",), ("ldpc-ber", "--code", "wifi:648:1/2", "--ebn0", "1", "--max-frames", "64", "--resume", "--json")):
                with self.subTest(place, call=call):
                    self.assert_refused(f"regular file, found ({what})|is a directory", *call, place)

    def test_pictures_without_matplotlib(self):
        """The error message names the missing package and appears before the program does any work."""
        (self.folder / "matplotlib.py").write_text("raise ImportError('not here')")
        result = self.folder / "r.csv"
        result.write_text(self.output("ldpc-plot", os.path.join(os.path.dirname(__file__), "../../docs/measurements/ber.csv"), "--csv", "-"))
        calls = [("ldpc-info", "wifi:648:1/2", "--plot"), ("ldpc-plot", result, "--output"),
                 ("ldpc-ber", "--code", "wifi:648:1/2", "--ebn0", "1", "--json", self.folder / "none.json", "--plot")]
        if os.path.exists(os.path.join(PROGRAMS, "ldpc-dvbt2")):
            calls.append(("ldpc-dvbt2", result, "--sample-rate", "9142857", "--info", "--plot"))
        for call in calls:
            with self.subTest(call):
                picture = self.folder / "h.png"
                refused = run(*call, picture, PYTHONPATH=os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH")))))
                self.assertEqual((refused.returncode, refused.stdout), (2, ""), refused.stderr)
                self.assertRegex(refused.stderr, r"\A.*: a picture needs matplotlib .*pip install matplotlib.*\n\Z")
                self.assertFalse(picture.exists() or (self.folder / "none.json").exists())


class Info(Case):
    def test_list(self):
        names = self.output("ldpc-info", "--list").splitlines()
        self.assertGreater(len(names), 100)
        self.assertIn("dvbt2:64800:1/2", names)
        self.assertEqual(len(names), len(set(names)))

    def test_list_takes_no_name(self):
        for extra in (("wifi:648:1/2",), ("--code", "wifi:648:1/2")):
            self.assert_refused("--list and wifi:648:1/2 cannot be combined", "ldpc-info", "--list", *extra)

    def test_table(self):
        text = self.output("ldpc-info", "wifi:648:1/2", "--girth", "6")
        for words in ("648 transmitted", "324 information", "0.5000", "27"):
            self.assertIn(words, text)

    def test_json(self):
        info = json.loads(self.output("ldpc-info", "wifi:648:1/2", "--json", "--girth", "8"))
        self.assertEqual((info["n"], info["k"], info["rate"], info["lifting_size"]), (648, 324, 0.5, 27))
        self.assertEqual(sum(int(degree) * count for degree, count in info["check_degrees"].items()), info["edges"])
        self.assertEqual(sum(int(degree) * count for degree, count in info["variable_degrees"].items()), info["edges"])
        self.assertIn(info["girth"], (0, 6, 8))

    def test_name_as_an_option(self):
        self.assertEqual(self.output("ldpc-info", "--code", "wifi:648:1/2"), self.output("ldpc-info", "wifi:648:1/2"))
        self.assert_refused("NAME and --code cannot be combined", "ldpc-info", "--code", "wifi:648:1/2", "wifi:648:1/2")

    def test_unusual_matrices(self):
        with tempfile.TemporaryDirectory() as folder:
            for sentence, edges in (("is the matrix transposed", [(c, c % 8) for c in range(20)] + [(8, 8), (0, 8), (16, 8)]),
                                    ("50% of the elements are not 0: .* is it a generator matrix", [(c, v) for c in range(10) for v in range(60) if (c + v) % 2])):
                path = os.path.join(folder, "a.alist")
                checks, variables = zip(*edges)
                with open(path, "w", encoding="ascii") as file:
                    file.write(libldpc.code.from_edges(max(checks) + 1, max(variables) + 1, checks, variables).to_alist())
                result = run("ldpc-info", f"alist:{path}")
                self.assertEqual(result.returncode, 0)
                self.assertRegex(result.stderr, sentence)

    def test_larger_fields(self):
        self.assertIn("GF(64), 6 bits per symbol, x^6 + x + 1", self.output("ldpc-info", "bds:b1c:200"))
        info = json.loads(self.output("ldpc-info", "bds:b1c:200", "--json"))
        self.assertEqual((info["n"], info["k"], info["order"], info["symbol_bits"]), (200, 100, 64, 6))

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("wimax:576:1/2", "dvbt2:64800:1/2"):
                path = os.path.join(folder, "h.png")
                self.output("ldpc-info", name, "--plot", path)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
                os.remove(path)

    def test_wrong_input_is_one_line(self):
        for pattern, *arguments in (("wimax:2304:1/2", "wimax:2304:1/3"), ("nosuch", "alist:/nosuch"),
                                    ("--list",), ("nosuchdir", "wifi:648:1/2", "--json", "--plot", "/nosuchdir/x.png")):
            with self.subTest(arguments=arguments):
                result = run("ldpc-info", *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertRegex(result.stderr, pattern)
        for limit in ("x", "99999999999"):
            self.assert_refused("--girth", "ldpc-info", "wifi:648:1/2", "--girth", limit)

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-info", ["--code", "--list", "--json", "--plot", "--girth"])


class Bench(Case):
    QUICK = ("--code", "wimax:576:1/2", "--seconds", "0.05")

    def report(self, *arguments):
        return json.loads(self.bench(*arguments, "--json", "-"))

    def bench(self, *arguments):
        result = run("ldpc-bench", *self.QUICK, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_table(self):
        text = self.bench()
        self.assertIn("wimax:576:1/2", text)
        self.assertIn("coded Mbit/s", text)

    @unittest.skipIf(shutil.which("script") is None, "no script")
    def test_table_of_a_narrow_terminal(self):
        def table(columns):
            call = (f"stty cols {columns}; {PROGRAMS}/ldpc-bench --code ccsds:tc:128 --batch 100000 --seconds 0.01 "
                    "--iterations 1 --ebn0 -2")
            result = subprocess.run(["script", "-qec", call, "/dev/null"], capture_output=True, text=True, timeout=300,
                                    stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
            return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]|\r", "", result.stdout)

        number = r"[\d.,]+"
        self.assertRegex(table(80), rf"(?m)^ *\w+ +100000 (?: *{number} ){{5}} *1 +\d+ of 100000 *$")
        self.assertRegex(table(30), rf"(?s)codewords +100000\ncoded Mbit/s +{number}\nbest +{number}\n.*\nwrong +\d+ of 100000\n")

    def test_keys(self):
        report = self.report()
        self.assertEqual(KEYS - set(report), set())
        self.assertAlmostEqual(report["info_mbps"] * 2, report["coded_mbps"], places=6)
        self.assertGreater(report["coded_mbps"], 0)
        self.assertLessEqual(report["latency_us_p50"], report["latency_us_p99"])

    def test_options_arrive(self):
        report = self.report("--backend", "cpu", "--fallback", "--algorithm", "normalized", "--arithmetic", "i16", "--schedule",
                             "flooding", "--iterations", "7", "--early-stop", "--ebn0", "5", "--batch", "3", "--threads",
                             "2", "--kernel", "ref")
        wanted = {"backend": "cpu", "algorithm": "normalized", "arithmetic": "i16", "schedule": "flooding",
                  "iterations": 7, "early_stop": True, "ebn0": 5.0, "batch": 3, "threads": 2, "kernel": "ref", "frames": 18}
        self.assertEqual({key: report[key] for key in wanted}, wanted)
        self.assertFalse(self.report("--no-early-stop")["early_stop"])
        self.assertTrue(self.report("--packed")["packed"])
        self.assertEqual(self.report("--threads", "0")["threads"], len(os.sched_getaffinity(0)))

    def test_frame_errors_are_counted(self):
        report = self.report("--ebn0", "-10", "--batch", "4", "--iterations", "2")
        self.assertEqual((report["frames"], report["frame_errors"]), (16, 16))
        self.assertEqual(self.report("--ebn0", "8", "--batch", "4")["frame_errors"], 0)

    @unittest.skipUnless(os.path.exists(os.path.join(FAKE_GPU, "libcuda.so.1")), "tests/fake_gpu has not been built")
    def test_gpu(self):
        for backend in ("cuda", "opencl"):
            with self.subTest(backend=backend), tempfile.TemporaryDirectory() as cache:
                self.measure_gpu(backend, cache)

    def measure_gpu(self, backend, cache):
        environment = {"LD_LIBRARY_PATH": FAKE_GPU, "FAKE_GPU_CODES": "wimax:576:1/2", "XDG_CACHE_HOME": cache}

        def bench(*arguments):
            return run("ldpc-bench", *self.QUICK, "--backend", backend, "--iterations", "3", "--batch", "40", "--json", "-",
                       *arguments, **environment)

        def report(*arguments):
            result = bench(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = json.loads(result.stdout)
            self.assertEqual(KEYS - set(found), set())
            self.assertEqual((found["batch"], found["n_mcw"]), (40, -(-40 // found["n_cw"])))
            self.assertLess(found["frame_errors"], 8)
            self.assertGreater(found["coded_mbps"], 0)
            self.assertGreaterEqual(1.001 * found["coded_mbps_best"], found["coded_mbps"])
            return [found[key] for key in ("device", "transfers", "streams", "packed")]

        self.assertEqual(report(), ["Fake GPU", "host", 1, True])
        if backend == "cuda":
            self.assertEqual(report("--transfers", "device"), ["Fake GPU", "device", 1, True])
        self.assertEqual(report("--in-flight", "--streams", "2", "--unpacked"), ["Fake GPU", "host", 2, False])
        self.assertEqual(report("--in-flight", "--devices", "all"), ["2 x Fake GPU", "host", 6, True])
        for arguments, part in ((("--devices", "7"), '"7"'), (("--transfers", "device", "--in-flight"), "--in-flight"),
                                *([(("--transfers", "device"), 'of the backend "cuda"')] if backend == "opencl" else [])):
            result = bench(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(part, result.stderr)

    def test_compare_has_a_row_for_each_kernel(self):
        rows = self.report("--compare", "--iterations", "5")
        self.assertIsInstance(rows, list)
        kernels = [row["kernel"] for row in rows]
        self.assertIn("ref", kernels)
        self.assertEqual(len(kernels), len(set(kernels)))
        self.assertNotIn("cannot decode", self.bench("--compare", "--iterations", "2"))

    def test_json_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            text = self.bench("--json", path)
            self.assertIn("coded Mbit/s", text)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(KEYS - set(json.load(file)), set())

    def test_wrong_input_is_one_line(self):
        for pattern, *arguments in (("wimax:2304:1/2", "--code", "wimax:2304:1/3"), ("magic", "--algorithm", "magic"),
                                    ("foo", "--kernel", "foo"), ("abacus", "--backend", "abacus"),
                                    ("abacus", "--backend", "abacus", "--compare"),
                                    ("-100 .. 100 dB", "--code", "wimax:576:1/2", "--ebn0", "nan"),
                                    ("--backend cuda", "--transfers", "device"),
                                    ("--devices 0,x: expected --backend gpu, cuda or opencl", "--devices", "0,x"),
                                    ("nosuchdir", "--code", "wimax:576:1/2", "--seconds", "0.05", "--json", "/nosuchdir/x")):
            with self.subTest(arguments=arguments):
                result = run("ldpc-bench", *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertRegex(result.stderr, pattern)
        for seconds in ("0", "nan", "inf", "4000", "soon"):
            self.assert_refused("--seconds", "ldpc-bench", "--seconds", seconds)
        for option, value in (("--batch", "-1"), ("--batch", "1000000000000000"), ("--threads", "99999999999")):
            self.assert_refused(option, "ldpc-bench", option, value)
        for option, value in (("--ebn0", "1:0:3"), ("--max-frames", "99999999999999999999"), ("--max-seconds", "nan"),
                              ("--max-frame-errors", "99999999999999999999"), ("--threads", "99999999999")):
            self.assert_refused(option, "ldpc-ber", option, value)
        self.assert_refused("--seconds", "ldpc-tune", "--seconds", "nan")

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-bench", [
            "--code", "--backend", "--fallback", "--algorithm", "--arithmetic", "--schedule", "--iterations", "--early-stop",
            "--no-early-stop", "--ebn0", "--batch", "--threads", "--kernel", "--compare", "--seconds", "--json",
            "--transfers", "--in-flight", "--streams", "--devices", "--packed", "--unpacked",
            "--tuning", "--no-tuning"])


class Make(Case):
    def made(self, *arguments):
        """Makes a code. Returns what ldpc-info prints about it, and the summary of ldpc-make."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "code")
            result = run("ldpc-make", *arguments, "--output", path)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            with open(path, encoding="utf-8") as file:
                first = file.readline().split()
            prefix = "alist" if len(first) == 2 else "nbalist" if "--order" in arguments else "qc"
            return json.loads(self.output("ldpc-info", f"{prefix}:{path}", "--json", "--girth", "12")), result.stderr

    def test_random(self):
        info, line = self.made("random", "--n", "200", "--dv", "3", "--dc", "6", "--seed", "1", "--tries", "3")
        self.assertEqual((info["n"], info["edges"], info["check_degrees"]), (200, 600, {"6": 100}))
        self.assertIn(f"girth {info['girth']},", line)
        self.assertGreaterEqual(info["girth"], 6)

    def test_larger_field(self):
        info, line = self.made("random", "--n", "100", "--dv", "2", "--dc", "4", "--order", "64")
        self.assertEqual((info["order"], info["variable_degrees"]), (64, {"2": 100}))
        self.assertIn("GF(64)", line)

    def test_standard_output(self):
        first, again, other = (self.text("--seed", seed) for seed in ("5", "5", "6"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def text(self, *arguments):
        result = run("ldpc-make", "random", "--n", "60", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_expand(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "protograph")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# two parallel edges\n1 2 1 1 0\n2 1 0 1 1\n1 1 1 0 1\n")
            for form in ("qc", "alist"):
                info, line = self.made("expand", path, "--z", "31", "--format", form, "--tries", "2")
                self.assertEqual((info["n"], info["edges"]), (155, 14 * 31))
                self.assertEqual(info["lifting_size"], 31 if form == "qc" else 1)
                self.assertGreaterEqual(info["girth"], 6)
                self.assertIn(f"girth {info['girth']},", line)

    def test_girth_of_a_lifting(self):
        program, draw, seen = manual.module_of(pathlib.Path(PROGRAMS, "ldpc-make")), random.Random(3), set()
        for size in (1, 2, 3, 5, 16, 31, 100) * 5:
            protograph = [[draw.choice((0, 1, 1, min(2, size), min(3, size))) for _ in range(4)] for _ in range(3)]
            lifting = program.Lifting(protograph, size).fill(draw)
            girth = libldpc.code.from_qc(lifting.text()).girth(program.SETTLED) or program.SETTLED + 2
            self.assertEqual(lifting.girth, girth, lifting.text())
            seen.add(girth)
        self.assertEqual(seen, {4, 6, 8, 10})

    def test_expand_over_a_larger_field(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "protograph")
            with open(path, "w", encoding="utf-8") as file:
                file.write("1 1 1 1\n1 1 1 1\n")
            info, line = self.made("expand", path, "--z", "11", "--order", "32", "--seed", "3")
            self.assertEqual((info["n"], info["order"], info["edges"]), (44, 32, 88))
            self.assertIn(f"GF(32), 88 elements, girth {info['girth']},", line)
            text = run("ldpc-make", "expand", path, "--z", "11", "--order", "32", "--seed", "3").stdout
            self.assertGreater(len(set(text.split("\n")[5].split()[1::2])), 1, "all values are the same")
            self.assert_refused("--format alist", "ldpc-make", "expand", path, "--z", "11", "--order", "32",
                                "--format", "qc")

    def test_wrong_input_is_one_line(self):
        self.assert_refused("multiple of dc", "ldpc-make", "random", "--n", "100", "--dc", "7")
        self.assert_refused("--order", "ldpc-make", "random", "--n", "100", "--order", "6")
        self.assert_refused("nosuchdir", "ldpc-make", "random", "--n", "60", "--output", "/nosuchdir/x")
        self.assert_refused("nosuch", "ldpc-make", "expand", "nosuch", "--z", "4")
        for ending, form, order in (("qc", "alist", "2"), ("alist", "nbalist", "4")):
            self.assert_refused(f"x.{ending}: the format of this code is {form}", "ldpc-make", "random", "--n", "60", "--order", order,
                                "--output", f"/nosuchdir/x.{ending}")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "protograph")
            for text, says in (("1 2\n1\n", "equal length"), ("1 x\n", "parallel edges"), ("1 9\n", "0 .. 4")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.assert_refused(says, "ldpc-make", "expand", path, "--z", "4")
            with open(path, "wb") as file:
                file.write(b"\xff\xfe\x80")
            self.assert_refused("not a protograph", "ldpc-make", "expand", path, "--z", "4")
            self.assert_refused("not a result file", "ldpc-plot", path)

    def test_options_are_complete(self):
        heads = " ".join(self.output("ldpc-make", command, "--help") for command in ("random", "expand"))
        offered = set(re.findall(r"(--[a-z]+)", heads))
        self.assertEqual(offered - {"--help", "--n", "--dv", "--dc", "--order", "--seed", "--tries", "--output", "--z",
                                    "--format"}, set(), "options without a test")


if __name__ == "__main__":
    unittest.main()
