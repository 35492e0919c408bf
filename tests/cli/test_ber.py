# SPDX-License-Identifier: BSD-3-Clause
"""ldpc-ber and ldpc-plot: counts that depend on the parameters alone, result files, resume, Ctrl-C, MPI."""
import csv
import fcntl
import json
import os
import pty
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import unittest.mock

import libldpc
from libldpc.tools import cli, results, simulator, team
from test_cli import FAKE_GPU, PROGRAMS, Case, run

COUNTS = ("frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected", "iterations",
          "channel_errors", "histogram", "failures", "ber", "fer")
QUICK = ("--code", "wimax:576:1/2", "--iterations", "8")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MPIRUN = shutil.which("mpirun")
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a script ignore it, and so would all they start
AFF3CT = """\
# ----------------------------------------------------
# * Simulation ------------------------------------
#    ** Type                    = BFER
# * Codec -----------------------------------------
#    ** Type                    = LDPC
#    ** Info. bits (K)          = 100 + 32 (CRC)
#    ** Codeword size (N)       = 200
# * Modem -----------------------------------------
#    ** Type                    = QAM
#    ** Bits per symbol         = 4
# ---------------------||------------------------------------------------------||---------------------
#     Es/N0 |    Eb/N0 ||      FRA |       BE |       FE |      BER |      FER ||  SIM_THR |    ET/RT
#      (dB) |     (dB) ||          |          |          |          |          ||   (Mb/s) | (hhmmss)
# ----------|----------||----------|----------|----------|----------|----------||----------|----------
      -2.01 |     1.00 ||      120 |     6000 |      100 | 5.00e-02 | 8.33e-01 ||    4.000 | 00h00'01
      -1.01 |     2.00 ||    50000 |     1200 |      100 | 2.40e-05 | 2.00e-03 ||    6.000 | 00h00'08
# End of the simulation.
"""


def counts(result):
    return [[point[name] for name in COUNTS] for point in result["points"]]


def mpi():
    """None, or why there is none."""
    if not MPIRUN:
        return "no mpirun"
    version = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return "mpirun is not Open MPI's"
    found = subprocess.run([sys.executable, "-c", "import mpi4py"], capture_output=True)
    return None if found.returncode == 0 else "no mpi4py"


class Folder(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def ber(self, *arguments, ebn0="1.5"):
        """The result as JSON."""
        energy = () if "--esn0" in arguments else ("--ebn0", ebn0)
        text = run("ldpc-ber", *QUICK, *energy, "--json", "-", *arguments)
        self.assertEqual(text.returncode, 0, text.stderr)
        return json.loads(text.stdout)


class Counts(Folder):
    def test_keys_and_goals(self):
        result = self.ber("--max-frame-errors", "20", "--max-frames", "1000", ebn0="0:0.5:1,6")
        points = result["points"]
        self.assertEqual([point["ebn0"] for point in points], [0, 0.5, 1, 6])
        self.assertEqual((result["code"], result["max_iterations"], result["seed"]), ("wimax:576:1/2", 8, 1))
        for point in points[:3]:
            self.assertGreaterEqual(point["frame_errors"], 20)
            self.assertEqual(point["frames"] % 64, 0)
        last = points[3]
        self.assertEqual((last["frames"], last["frame_errors"], last["bits"]), (1000, 0, 288000))
        self.assertAlmostEqual(last["esn0"], 6 - 3.0103, places=3)
        for point in points:
            self.assertEqual(sum(point["histogram"]), point["frames"])
            self.assertEqual(sum(i * n for i, n in enumerate(point["histogram"])), point["iterations"])
            self.assertEqual(len(point["failures"]), point["frame_errors"])
            self.assertTrue(point["fer_low"] <= point["fer"] <= point["fer_high"])
            self.assertTrue(point["complete"])

    def test_threads_do_not_matter(self):
        one, three = (self.ber("--threads", threads, "--max-frames", "2000", ebn0="1,2") for threads in ("1", "3"))
        self.assertEqual(counts(one), counts(three))
        self.assertNotEqual(counts(one), counts(self.ber("--seed", "2", "--max-frames", "2000", ebn0="1,2")))

    def test_channel_options_arrive(self):
        plain = self.ber("--max-frames", "64")["points"][0]["channel_errors"]
        seen = {plain}
        for arguments in (("--esn0", "1.5"), ("--modulation", "16qam"), ("--fading", "rayleigh"), ("--zero-word",)):
            seen.add(self.ber("--max-frames", "64", *arguments)["points"][0]["channel_errors"])
        self.assertEqual(len(seen), 5)

    def test_decoder_options_arrive(self):
        result = self.ber("--algorithm", "normalized:i16", "--schedule", "flooding", "--no-early-stop", "--llr-scale", "2",
                          "--kernel", "ref", "--backend", "cpu", "--max-frames", "64")
        wanted = {"algorithm": "normalized", "arithmetic": "i16", "schedule": "flooding", "early_stop": False,
                  "llr_scale": 2.0, "kernel": "ref", "backend": "cpu"}
        self.assertEqual({name: result[name] for name in wanted}, wanted)
        self.assertEqual(result["points"][0]["average_iterations"], 8)
        self.assertTrue(self.ber("--early-stop", "--max-frames", "64")["early_stop"])

    def test_several_algorithms(self):
        runs = self.ber("--algorithm", "corrected:i8", "--algorithm", "sum-product", "--max-frames", "64")["runs"]
        self.assertEqual([one["algorithm"] for one in runs], ["corrected", "sum-product"])
        self.assertEqual(runs[0]["points"][0]["channel_errors"], runs[1]["points"][0]["channel_errors"])

    def test_time_limit(self):
        start = time.monotonic()
        result = self.ber("--max-seconds", "0.2", "--max-frames", "1000000000", ebn0="8")
        self.assertLess(time.monotonic() - start, 120)
        self.assertFalse(result["points"][0]["complete"])
        self.assertGreater(result["points"][0]["frames"], 0)

    def test_few_frames_are_made_in_vain(self):
        made = []

        class Counting(simulator.Simulator):
            def blocks(self, snr, first_block, frames):
                made.append(frames)
                return super().blocks(snr, first_block, frames)

        options = {"modulation": "bpsk", "fading": "none", "esn0": False, "zero_word": False, "seed": 1}
        worker = Counting(team.Alone(), lambda: libldpc.decoder(QUICK[1], max_iterations=10, threads=2), options, 2)
        counted = 0
        for snr in (3, 1, 1.2, 1.4, 1.6, 1.8, 2):
            point = simulator.Point(snr, {"max_frames": 20000, "max_frame_errors": 100})
            worker.point(point)
            self.assertTrue(point.complete)
            self.assertLessEqual(point.counts.frames, sum(made))
            self.assertLessEqual(sum(made), 2 * point.counts.frames, snr)
            counted += point.counts.frames
            made.clear()
        self.assertGreater(counted, 20000)

    def test_a_round_keeps_everybody_busy(self):
        dealer = simulator.Dealer(size=2, fill=264)  # as for a GPU: 264 blocks at once take no longer than one
        point = simulator.Point(1, {"max_frames": 10**9, "max_frame_errors": 100})
        shares = dealer.deal(point)
        self.assertEqual(shares, [(0, 264 * 64), (264, 264 * 64)])
        dealer.learn(shares, [0.01, 0.01])
        self.assertEqual(dealer.deal(point), shares)
        point.counts.frames = 528 * 64
        self.assertEqual(dealer.deal(point), [(528, 792 * 64), (1320, 792 * 64)])
        point.counts.frame_errors = 99
        self.assertEqual(dealer.deal(point), [(528, 264 * 64), (792, 264 * 64)])
        end = simulator.Point(1, {"max_frames": 1000 * 64, "max_frame_errors": 0})
        self.assertEqual(dealer.deal(end), [(0, 500 * 64), (500, 500 * 64)])  # what is left is shared

    def test_nonbinary(self):
        text = run("ldpc-ber", "--code", "bds:b1c:88", "--ebn0", "1", "--max-frames", "64", "--iterations", "3", "--json", "-")
        point = json.loads(text.stdout)["points"][0]
        self.assertEqual((point["bits"], point["symbols"]), (64 * 264, 64 * 44))
        self.assertLess(point["symbol_errors"], point["bit_errors"])


class ResultFiles(Folder):
    def test_table_csv_and_plot(self):
        for ending, magic in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
            picture = self.path("p." + ending)
            text = self.output("ldpc-ber", *QUICK, "--ebn0", "1,4", "--max-frames", "128", "--csv", picture + ".csv",
                               "--plot", picture, "--quiet")
            with open(picture, "rb") as file:
                self.assertEqual(file.read(len(magic)), magic)
        rows = [line for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(len(rows), 2)
        self.assertRegex(rows[1], r"^ +0.990 \| +4.000 \|\| +128 \| +0 \| +0 \| 0.00e\+00")
        with open(picture + ".csv", newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([(line["ebn0"], line["frames"]) for line in lines], [("1.0", "128"), ("4.0", "128")])

    def test_resume_is_a_run_without_a_break(self):
        path = self.path("r.json")
        goals = ("--max-frame-errors", "0", "--quiet")
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", *goals, "--max-frames", "320", "--json", path)
        self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", *goals, "--max-frames", "1000", "--json", path, "--resume")
        with open(path, encoding="utf-8") as file:
            resumed = json.load(file)
        self.assertEqual(counts(resumed), counts(self.ber("--max-frame-errors", "0", "--max-frames", "1000", ebn0="1,2")))
        self.assert_refused("no run with the same", "ldpc-ber", *QUICK, "--ebn0", "1", "--seed", "9", "--json", path,
                            "--resume")
        self.assert_refused("inside a block", "ldpc-ber", *QUICK, "--ebn0", "1", *goals, "--max-frames", "2000", "--json",
                            path, "--resume")

    def test_resume_keeps_what_it_does_not_touch(self):
        path = self.path("k.json")
        first, second = ("--algorithm", "corrected"), ("--algorithm", "min-sum")
        common = ("ldpc-ber", *QUICK, "--max-frames", "64", "--json", path, "--quiet")
        self.output(*common, *first, "--ebn0", "1,3")
        self.output(*common, *second, "--ebn0", "2", "--resume")
        self.output(*common, *first, *second, "--ebn0", "2", "--resume")
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        self.assertEqual([(one["algorithm"], [point["ebn0"] for point in one["points"]]) for one in runs],
                         [("corrected", [1, 2, 3]), ("min-sum", [2])])

    def test_resume_of_an_empty_file(self):
        path = self.path("e.json")
        with open(path, "w", encoding="utf-8"):
            pass
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--quiet", "--json", path, "--resume")
        self.assertEqual([point["frames"] for point in results.read(path)[0]["points"]], [64])

    def test_resume_keeps_points_that_have_more(self):
        path = self.path("m.json")
        common = ("ldpc-ber", *QUICK, "--json", path, "--quiet", "--resume", "--ebn0")
        self.output(*common, "1,4", "--max-frames", "640")
        frames = [point["frames"] for point in results.read(path)[0]["points"]]
        for ebn0, *goals in (("1,4,5", "--max-frames", "64"), ("1,4,5", "--max-frames", "640", "--max-frame-errors", "1")):
            text = self.output(*common, ebn0, *goals)
            self.assertIn("# 1.000 dB: more than is asked for was there already and is kept\n", text)
            self.assertNotIn("5.000 dB: more", text)
            self.assertEqual([point["frames"] for point in results.read(path)[0]["points"]][:2], frames)
        self.assertNotIn("kept", self.output(*common, "1,4", "--max-frames", "640"))

    def test_results_are_not_overwritten(self):
        path = self.path("o.json")
        common = ("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--json", path, "--ebn0")
        self.output(*common, "1")
        with open(path, encoding="utf-8") as file:
            before = file.read()
        self.assert_refused("o.json is there already: --resume .* --force", *common, "2")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.output(*common, "2", "--force")
        self.assertEqual([point["ebn0"] for point in results.read(path)[0]["points"]], [2])
        self.output("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--json", "/dev/null", "--ebn0", "2")

    def test_files_of_numbers_are_not_overwritten(self):
        """Pictures are."""
        paths = {"--json": self.path("o.json"), "--csv": self.path("o.csv"), "--save-failures": self.path("o.npz"),
                 "--plot": self.path("o.png")}
        common = ("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--ebn0", "1")
        files = [word for pair in paths.items() for word in pair]
        self.output(*common, *files)
        times = [os.stat(path).st_mtime_ns for path in paths.values()]
        for option in ("--csv", "--save-failures"):
            self.assert_refused(f"{paths[option]} is there already: --force replaces it$", *common, option, paths[option])
        self.assert_refused(f"{paths['--csv']} is there already: --force", "ldpc-plot", paths["--json"], "--csv", paths["--csv"])
        self.assertEqual([os.stat(path).st_mtime_ns for path in paths.values()], times)
        self.output(*common, "--plot", paths["--plot"])
        self.output("ldpc-plot", paths["--json"], "--output", paths["--plot"])
        for way in ("--resume", "--force"):
            before = [os.stat(path).st_mtime_ns for path in paths.values()]
            self.output(*common, *files, way)
            for path, time_before in zip(paths.values(), before):
                self.assertGreater(os.stat(path).st_mtime_ns, time_before)
        self.output("ldpc-plot", paths["--json"], "--csv", paths["--csv"], "--force")
        self.assert_refused("is there already", *common, "--json", self.path("new.json"), "--csv", paths["--csv"], "--resume")

    def test_files_that_cannot_be_written_are_found_first(self):
        for option in ("--json", "--csv", "--plot", "--save-failures"):
            self.assert_refused("/nosuchdir/x.png: No such file or directory", "ldpc-ber", *QUICK, "--ebn0", "1", option,
                                "/nosuchdir/x.png")

    def test_files_are_replaced_as_a_whole(self):
        options = ("--json", "--csv", "--plot", "--save-failures")
        paths = [self.path(option[2:] + ".png") for option in options]
        for path in paths:
            with open(path, "w", encoding="utf-8") as file:
                file.write("before")
            os.link(path, path + ".old")
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--quiet", "--force",
                    *(word for pair in zip(options, paths) for word in pair))
        for path in paths:
            with open(path + ".old", encoding="utf-8") as old, open(path, "rb") as new:
                self.assertEqual(old.read(), "before")
                self.assertGreater(len(new.read()), 100)

    def test_an_interrupt_is_not_lost_while_a_file_is_written(self):
        def replace(*names, true=os.replace):
            true(*names)
            raise KeyboardInterrupt

        with unittest.mock.patch("os.replace", replace), self.assertRaises(KeyboardInterrupt):
            cli.write_whole(self.path("w"), "all")
        self.assertEqual(os.listdir(self.folder), ["w"])

    def test_links_stay(self):
        """As /dev/stdout must, which is one to a file with > file."""
        folder, file, link = self.path("folder"), self.path("file"), self.path("folder/link")
        os.mkdir(folder)
        os.symlink(file, link)
        for text in ("first", "second"):
            cli.check_writable(link)
            cli.write_whole(link, text)
            self.assertTrue(os.path.islink(link))
            with open(file, encoding="utf-8") as written:
                self.assertEqual(written.read(), text)
        self.assertEqual(os.listdir(folder), ["link"])
        os.symlink(self.path("none/file"), self.path("lost"))
        with self.assertRaises(FileNotFoundError):
            cli.check_writable(self.path("lost"))

    def test_a_file_that_fails_does_not_take_the_others_along(self):
        folder = self.path("folder")
        os.mkdir(folder)
        command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "9", "--max-frames", "1000000000", "--max-seconds", "7",
                   "--json", os.path.join(folder, "x"), "--csv", self.path("y"), "--save-failures", self.path("z.npz")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        next(process.stdout)  # it has begun
        os.rmdir(folder)
        _, errors = process.communicate(timeout=300)
        reason = f"ldpc-ber: {folder}/x: No such file or directory"
        self.assertEqual((process.returncode, set(errors.splitlines())), (2, {f"{reason}; it is tried again", reason}))
        self.assertEqual(sorted(os.listdir(self.folder)), ["y", "z.npz"])

    def interrupted(self, *arguments, reader=True):
        """Rows and errors of a run that gets Ctrl-C at its second point; so may who reads its rows."""
        command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "1,9", "--max-frames", "100000000000",
                   "--max-frame-errors", "20", *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        rows = [next(line for line in process.stdout if line.startswith(" "))]
        time.sleep(1)
        if not reader:
            process.stdout.close()
            process.stdout = None
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130, errors)
        return rows + (rest or "").splitlines(), errors

    def test_interrupt_shows_what_is_there(self):
        rows, errors = self.interrupted()
        self.assertEqual(errors, "ldpc-ber: interrupted\n")
        self.assertEqual([float(row.split("|")[1]) for row in rows], [1, 9])
        self.assertEqual([row.rstrip().endswith("*") for row in rows], [False, True])

    def test_interrupt_of_the_reader_too(self):
        path = self.path("t.json")
        _, errors = self.interrupted("--json", path, reader=False)
        self.assertEqual(errors, f"ldpc-ber: interrupted; what was counted is in {path}\n")
        self.assertEqual([point["complete"] for point in results.read(path)[0]["points"]], [True, False])

    def test_a_reader_of_rows_that_goes_away(self):
        """As with head -1: quiet, but for where the counts are."""
        for path in ("", self.path("h.json")):
            command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "1,1.5,2,9", "--max-frames", "100000000000",
                       "--max-frame-errors", "20", *(["--json", path] if path else [])]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            next(line for line in process.stdout if line.startswith(" "))
            process.stdout.close()
            process.stdout = None
            _, errors = process.communicate(timeout=300)
            said = f"ldpc-ber: nobody reads the table any more; what was counted is in {path}\n" if path else ""
            self.assertEqual((process.returncode, errors), (1, said))
        done = [point["complete"] for point in results.read(path)[0]["points"]]
        self.assertEqual(done, [True] * len(done))
        self.assertGreaterEqual(len(done), 2)

    def test_interrupt_keeps_what_is_there(self):
        path = self.path("i.json")
        _, errors = self.interrupted("--json", path, "--csv", path + ".csv")
        self.assertEqual(errors, f"ldpc-ber: interrupted; what was counted is in {path}, {path}.csv\n")
        with open(path + ".csv", newline="", encoding="utf-8") as file:
            self.assertEqual([line["complete"] for line in csv.DictReader(file)], ["True", "False"])
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        self.assertTrue(saved["interrupted"])
        self.assertEqual([point["complete"] for point in saved["points"]], [True, False])
        frames = saved["points"][1]["frames"] + 640
        self.output("ldpc-ber", *QUICK, "--ebn0", "1,9", "--max-frames", str(frames), "--json", path, "--resume",
                    "--max-frame-errors", "20", "--quiet")
        with open(path, encoding="utf-8") as file:
            self.assertEqual([point["frames"] for point in json.load(file)["points"]],
                             [saved["points"][0]["frames"], frames])

    def test_failures_are_replayed(self):
        path = self.path("f.npz")
        point = self.ber("--max-frames", "640", "--save-failures", path, "--max-failures", "7", ebn0="1.5")["points"][0]
        text = self.output("ldpc-decode", "--input", path, "--positions", "3")
        frames = [int(number) for number in re.findall(r"frame (\d+):", text)]
        self.assertEqual(frames, point["failures"][:7])
        self.assertIn("7 words, 7 not converged", text)
        self.assertIn("7 with wrong bits", text)
        better = self.output("ldpc-decode", "--input", path, "--iterations", "100", "--algorithm", "sum-product",
                             "--arithmetic", "float", "--positions", "0")
        self.assertLess(int(re.search(r"(\d+) with wrong bits", better).group(1)), 7)

    def test_a_code_too_large_for_an_encoder_gets_the_zero_word(self):
        draw, n, degree, path = random.Random(1), 1 << 17, 6, self.path("large.alist")
        columns = [sorted({draw.randrange(n // 2) for _ in range(degree)}) for _ in range(n)]
        checks = [[] for _ in range(n // 2)]
        for number, column in enumerate(columns, 1):
            for check in column:
                checks[check].append(number)
        lines = [[n, n // 2], [degree, max(map(len, checks))], map(len, columns), map(len, checks),
                 *([check + 1 for check in column] for column in columns), *checks]
        with open(path, "w", encoding="ascii") as file:
            file.writelines(" ".join(map(str, line)) + "\n" for line in lines)
        result = run("ldpc-ber", "--code", f"alist:{path}", "--ebn0", "8", "--max-frames", "2", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("too large for an encoder: all frames are the all-zero word", result.stderr)
        said = json.loads(result.stdout)
        self.assertEqual((said["zero_word"], said["k"], said["points"][0]["frames"]), (True, n // 2, 2))
        self.assertIn("decoding only", self.output("ldpc-info", f"alist:{path}"))
        refused = run("ldpc-encode", "--code", f"alist:{path}", "--input", "/dev/zero")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("too large for an encoder", refused.stderr)

    def test_wrong_input(self):
        for pattern, *arguments in (("one of --ebn0 and --esn0",), ("one of --ebn0 and --esn0", "--ebn0", "1", "--esn0", "1"),
                                    ("expected a number or FIRST:STEP:LAST", "--ebn0", "1:x"),
                                    ("expected a number or FIRST:STEP:LAST", "--ebn0", "2:0.1:1"),
                                    (".png, .svg or .pdf", "--ebn0", "1", "--plot", "x.bmp"),
                                    ("magic", "--ebn0", "1", "--algorithm", "magic"),
                                    ("Eb/N0 1e.09: expected -100 .. 100 dB", "--ebn0", "1e9"),
                                    ("--json FILE", "--ebn0", "1", "--resume"),
                                    ("takes one of them", "--ebn0", "1", "--json", "-", "--csv", "-"),
                                    ("two outputs have the same name", "--ebn0", "1", "--json", "x.svg", "--plot", "./x.svg"),
                                    ("two outputs have the same name", "--ebn0", "1", "--csv", "x", "--save-failures", "x"),
                                    ("give one of them", "--ebn0", "1", "--json", "x", "--resume", "--force"),
                                    ("give one --algorithm", "--ebn0", "1", "--algorithm", "min-sum", "--algorithm",
                                     "corrected", "--save-failures", "x.npz"),
                                    ("--devices 0: expected --backend cuda", "--ebn0", "1", "--devices", "0"),
                                    ("nosuch", "--ebn0", "1", "--code", "nosuch"),
                                    ("nosuchdir", "--ebn0", "1", "--max-frames", "1", "--json", "/nosuchdir/x")):
            with self.subTest(arguments=arguments):
                result = run("ldpc-ber", "--max-frames", "1", *arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertNotIn("Traceback", result.stderr)
                self.assertRegex(result.stderr.splitlines()[-1], pattern)

    @unittest.skipUnless(os.path.exists(os.path.join(FAKE_GPU, "libcuda.so.1")), "tests/fake_gpu has not been built")
    def test_gpus_count_the_same(self):
        arguments = ("ldpc-ber", *QUICK, "--ebn0", "1.5", "--algorithm", "corrected:i16", "--max-frames", "400", "--json", "-")
        expected = json.loads(run(*arguments, "--backend", "cpu").stdout)
        result = run(*arguments, "--backend", "cuda", "--devices", "all", LD_LIBRARY_PATH=FAKE_GPU, FAKE_GPU_CODES=QUICK[1])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["backend"], "cuda")
        self.assertEqual(counts(json.loads(result.stdout)), counts(expected))
        refused = run(*arguments, "--backend", "cuda", "--devices", "7", LD_LIBRARY_PATH=FAKE_GPU, FAKE_GPU_CODES=QUICK[1])
        self.assertEqual(refused.returncode, 2)
        self.assertIn('devices "7"', refused.stderr)

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-ber", [
            "--code", "--ebn0", "--esn0", "--modulation", "--fading", "--algorithm", "--schedule", "--iterations",
            "--early-stop", "--no-early-stop", "--llr-scale", "--zero-word", "--backend", "--kernel", "--devices", "--threads",
            "--max-frame-errors", "--max-frames", "--max-seconds", "--seed", "--json", "--csv", "--plot", "--resume", "--force",
            "--save-failures", "--max-failures", "--quiet"])


def screen(text):
    """Lines of a terminal that scrolls, after text with the movements of a progress bar in it."""
    lines, row, column = [""], 0, 0
    for control, plain in re.findall(r"(\x1b\[[?0-9;]*[A-Za-z]|[\r\n])|([^\x1b\r\n]+)", text):
        if plain:
            lines[row] = lines[row].ljust(column)[:column] + plain + lines[row][column + len(plain):]
            column += len(plain)
        elif control == "\r":
            column = 0
        elif control == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif control.endswith("A"):
            row -= int(control[2:-1] or 1)
        elif control == "\x1b[2K":
            lines[row] = ""
    return lines


class Terminal(Folder):
    def start(self, columns, *arguments):
        """ldpc-ber, and its terminal as a file to read and write."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, *arguments], stdin=slave, stdout=slave,
                                   stderr=slave, env=environment | {"TERM": "xterm"}, start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))  # so that ^C is a signal
        os.close(slave)
        self.addCleanup(process.kill)
        terminal = open(master, "r+b", buffering=0)
        self.addCleanup(terminal.close)
        return process, terminal

    def read(self, terminal, until=None):
        """What comes up to a pattern, or all of it."""
        text = ""
        while until is None or not re.search(until, text):
            try:
                part = os.read(terminal.fileno(), 65536)
            except OSError:  # Linux: the other end is closed
                part = b""
            if not part:
                self.assertIsNone(until, text)
                break
            text += part.decode(errors="replace")
        return text

    def on_terminal(self, columns, *arguments):
        """What the program writes on a terminal."""
        process, terminal = self.start(columns, *arguments)
        text = self.read(terminal)
        self.assertEqual(process.wait(300), 0)
        return text

    def test_ctrl_c(self):
        path = self.path("c.json")
        process, terminal = self.start(90, "--ebn0", "1,9", "--max-frames", "100000000000", "--max-frame-errors", "20",
                                       "--max-seconds", "60", "--json", path)
        text = self.read(terminal, r"9\.000 dB .* [1-9]")  # the bar of the second point has its first frames
        terminal.write(b"\x03")
        lines = screen(text + self.read(terminal))
        self.assertEqual(process.wait(300), 130)
        end = " ".join(lines[-4:])
        self.assertRegex(end, rf"ldpc-ber: interrupted; what was counted is in +{path}")
        rows = [line for line in lines if re.match(r" +-?\d+\.\d+ \|", line)]
        self.assertEqual([(float(row.split("|")[1]), row.endswith("*")) for row in rows], [(1, False), (9, True)])
        self.assertNotIn("━", "".join(lines))
        saved = results.read(path)[0]
        self.assertTrue(saved["interrupted"])
        self.assertEqual([point["frames"] for point in saved["points"]], [int(row.split("|")[3]) for row in rows])

    def test_every_point_has_its_row_and_no_bar_is_left(self):
        for columns, cells in ((36, 3), (50, 4), (60, 5), (75, 6), (80, 7), (150, 9)):
            with self.subTest(columns=columns):
                snrs = [*(round(i * 0.05, 3) for i in range(31 if columns >= 80 else 2)), 8.0]
                text = self.on_terminal(columns, "--ebn0", ",".join(map(str, snrs)), "--max-frame-errors", "10",
                                        "--max-seconds", "0.5", "--max-frames", "1000000000")
                lines = screen(text)
                self.assertLessEqual(max(map(len, lines)), columns)
                rows = [re.split(r" \|\|? ", line.strip()) for line in lines if not line.startswith("#") and line.strip()]
                self.assertEqual([float(row[cells > 5]) for row in rows], snrs)
                self.assertEqual({len(row) for row in rows}, {cells})
                self.assertEqual([row[-1].endswith("*") for row in rows], [False] * (len(snrs) - 1) + [True])
                bars = re.findall(r"8\.000 dB [^\r\n]*", text)
                self.assertGreater(len(bars), 2)
                self.assertNotIn("…", "".join(bars))
                self.assertRegex(bars[-1], r"wrong .*BER .*\de.\d\d.* FER .*\de.\d\d" if columns >= 80 else r"FER .*\de.\d\d")


class Slurm(Folder):
    SCRIPT = os.path.join(SOURCE, "examples", "slurm", "ldpc-ber.sbatch")

    def until_checkpoint(self):
        """The frames in the result file of a job that was ended after it had written that."""
        path = self.path("curve.json")
        environment = os.environ | {"PATH": os.pathsep.join((self.folder, PROGRAMS, os.environ["PATH"])),
                                    "SLURM_CPUS_PER_TASK": "2"}
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        job = subprocess.Popen(["sh", self.SCRIPT], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        until = time.monotonic() + 300
        while not (os.path.exists(path) and os.stat(path).st_mtime_ns > before):
            self.assertIsNone(job.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        job.terminate()
        _, errors = job.communicate(timeout=300)
        self.assertEqual((job.returncode, errors),
                         (130, "ldpc-ber: interrupted; what was counted is in curve.json, curve.csv\n"))
        return sum(point["frames"] for point in results.read(path)[0]["points"])

    def test_a_job_is_ended_and_goes_on(self):
        with open(self.path("srun"), "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\n[ "$1" = --mpi=pmix ] && shift && [ "$SRUN_CPUS_PER_TASK" = 2 ] && exec "$@"\n')
        os.chmod(self.path("srun"), 0o755)
        first = self.until_checkpoint()
        self.assertGreater(first, 0)
        self.assertGreater(self.until_checkpoint(), first)


@unittest.skipIf(mpi(), f"MPI: {mpi()}")
class Mpi(Folder):
    ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def command(self, *ranks):
        """mpirun of a rank for each list of arguments."""
        programs = [["-n", "1", "--oversubscribe", os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, *arguments] for arguments in ranks]
        return [MPIRUN, *(word for program in programs for word in (*program, ":"))][:-1]

    def start(self, ranks, *arguments):
        return self.start_each(*[arguments] * ranks)

    def start_each(self, *ranks):
        return subprocess.run(self.command(*ranks), capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                              env=self.ENVIRONMENT)

    def process_of(self, rank, mpirun):
        """The process id of a rank among the children of mpirun."""
        with open(f"/proc/{mpirun}/task/{mpirun}/children", encoding="ascii") as file:
            children = file.read().split()
        for child in children:
            with open(f"/proc/{child}/environ", "rb") as file:
                if f"OMPI_COMM_WORLD_RANK={rank}".encode() in file.read().split(b"\0"):
                    return int(child)
        return self.fail(f"rank {rank} is not among {children}")

    def test_ranks_do_not_matter(self):
        path = self.path("m.json")
        arguments = ("--ebn0", "1,2", "--max-frames", "3000", "--max-frame-errors", "50", "--threads", "1")
        result = self.start(2, *arguments, "--json", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(path, encoding="utf-8") as file:
            spread = json.load(file)
        self.assertEqual(spread["ranks"], 2)
        self.assertEqual(counts(spread), counts(self.ber("--max-frames", "3000", "--max-frame-errors", "50", ebn0="1,2")))
        self.assertEqual(len([line for line in result.stdout.splitlines() if line.startswith("  ")]), 2)

    def test_a_failure_ends_the_job_with_its_reason(self):
        result = self.start(2, "--ebn0", "1", "--algorithm", "magic")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"ldpc-ber: rank 0: .*magic")
        self.assertNotIn("Traceback", result.stderr)

    def test_one_rank_that_fails_ends_the_job_with_its_reason(self):
        path, arguments = self.path("one.json"), ("--ebn0", "1", "--max-frames", "1000000000", "--max-frame-errors", "0")
        result = self.start_each((*arguments, "--json", path), (*arguments, "--kernel", "magic"))
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"ldpc-ber: rank 1: .*magic")
        self.assertNotIn("Traceback", result.stderr)

    def test_checkpoints_outlive_a_rank_that_dies(self):
        path, arguments = self.path("dies.json"), ("--ebn0", "2", "--threads", "1", "--max-frame-errors", "0", "--json")
        with subprocess.Popen(self.command(*[[*arguments, path, "--max-frames", "1000000000"]] * 2), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=self.ENVIRONMENT) as job:
            until = time.monotonic() + 60
            while not os.path.exists(path) and time.monotonic() < until:
                time.sleep(0.1)
            os.kill(self.process_of(1, job.pid), signal.SIGKILL)
            _, told = job.communicate(timeout=300)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(told, r"(?s)rank 1\b.*signal 9\b")
        with open(path, encoding="utf-8") as file:
            [point] = json.load(file)["points"]
        frames = point["frames"] + 640
        self.assertGreater(point["frames"], 0)
        resumed = self.start(2, *arguments, path, "--max-frames", str(frames), "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(counts(json.load(file)), counts(self.ber("--max-frame-errors", "0", "--max-frames", str(frames), ebn0="2")))


class Plot(Folder):
    def results(self):
        """One file of ours, one of AFF3CT."""
        ours, theirs = self.path("ours.json"), self.path("theirs.txt")
        self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", "--max-frames", "256", "--json", ours, "--quiet")
        with open(theirs, "w", encoding="utf-8") as file:
            file.write(AFF3CT)
        return ours, theirs

    def test_files_together(self):
        ours, theirs = self.results()
        text = self.output("ldpc-plot", ours, theirs)
        self.assertIn("wimax:576:1/2, corrected, i8, 8 iterations", text)
        self.assertRegex(text, r"2\.000 dB +50,000 frames BER 2\.40e-05 FER 2\.00e-03")
        self.assertLess(max(map(len, text.partition("dB")[2].splitlines())), 80)
        rows = list(csv.DictReader(self.output("ldpc-plot", ours, theirs, "--csv", "-").splitlines()))
        self.assertEqual([row["frame_errors"] for row in rows[2:]], ["100", "100"])
        for arguments in (("--rate", "fer"), ("--title", "T", "--no-references"), ("--references",)):
            picture = self.path("p.png")
            self.output("ldpc-plot", ours, theirs, "--output", picture, *arguments)
            with open(picture, "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")
            os.remove(picture)

    def test_csv_is_read(self):
        path = self.path("c.csv")
        self.output("ldpc-ber", *QUICK, "--algorithm", "corrected", "--algorithm", "min-sum", "--ebn0", "1,2", "--max-frames",
                    "256", "--csv", path, "--json", self.path("j"), "--quiet")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.output("ldpc-plot", path, "--csv", "-"), text)
        read, true = results.read(path), results.read(self.path("j"))
        self.assertEqual([results.name_of(run) for run in read], [results.name_of(run) for run in true])
        self.assertEqual([run["rate"] for run in read], [0.5, 0.5])
        old = results.from_csv("code,ebn0,esn0,frames,frame_errors,bits,bit_errors\nx,1.0,-0.761,64,3,640,7\n", "o")[0]
        self.assertAlmostEqual(results.code_rate(old), 2 / 3, places=3)
        with open(path, "a", encoding="utf-8") as file:
            file.write("x,1\n")
        self.assert_refused("c.csv: not a table of ldpc-ber", "ldpc-plot", path)

    def test_standard_input_is_read(self):
        ours, _ = self.results()
        with open(ours, encoding="utf-8") as file:
            result = subprocess.run([os.path.join(PROGRAMS, "ldpc-plot"), "-"], stdin=file, capture_output=True, text=True, timeout=300)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, self.output("ldpc-plot", ours).replace(ours, "-"))

    def test_aff3ct_says_what_it_is(self):
        run = results.read(self.results()[1])[0]
        self.assertEqual(results.name_of(run), "LDPC, theirs, 16qam")
        self.assertEqual((run["n"], run["k"], run["rate"]), (200, 100, 0.5))

    def test_a_decoder_has_one_colour_in_all_panels(self):
        from libldpc.tools import plots  # needs matplotlib

        def names(*groups):
            runs = [[{"code": "c", "algorithm": one, "max_iterations": most} for one, most in group] for group in groups]
            name_of = plots.decoder_names(runs)
            return [[name_of(run) for run in group] for group in runs]

        self.assertEqual(names([("a", 10), ("b", 10)], [("a", 50)]), [["a", "b"], ["a"]])
        self.assertEqual(names([("a", 10), ("a", 50)], [("a", 50)]),
                         [["a, 10 iterations", "a, 50 iterations"], ["a, 50 iterations"]])

    def test_the_documented_curves_can_be_drawn(self):
        source = os.path.join(SOURCE, "docs", "ber.csv")
        self.output("ldpc-plot", source, "--panels", "--output", self.path("b.svg"))
        with open(self.path("b.svg"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("Shannon limit"), len({run["code"] for run in results.read(source)}))

    def test_the_table_of_ldpc_ber_is_read_like_aff3ct(self):
        path = self.path("table.txt")
        text = self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", "--max-frames", "256", "--json", self.path("j"), "--quiet")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        table, true = results.read(path)[0]["points"], results.read(self.path("j"))[0]["points"]
        for name in ("ebn0", "frames", "frame_errors", "bit_errors"):
            self.assertEqual([point[name] for point in table], [point[name] for point in true])
        self.assertIn("wimax:576:1/2, corrected, i8, 8 iterations\n", self.output("ldpc-plot", path))

    def test_wrong_input(self):
        path = self.path("x")
        for text, pattern in (("hello", "neither a result file"), ("{}", "not a result file"), ('{"points": [{}]}', "not a")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_refused(pattern, "ldpc-plot", path)
        self.assert_refused("nosuch", "ldpc-plot", "nosuch")
        ours, _ = self.results()
        self.assert_refused(".png, .svg or .pdf", "ldpc-plot", ours, "--output", self.path("x.gif"))
        self.assert_refused("two outputs have the same name", "ldpc-plot", ours, "--output", "x.png", "--csv", "./x.png")
        self.assert_refused("/nosuchdir/x.png: No such file", "ldpc-plot", ours, "--output", "/nosuchdir/x.png")

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-plot", ["--output", "--rate", "--title", "--references", "--no-references",
                                                    "--panels", "--csv", "--force"])


class Limits(unittest.TestCase):
    def test_shannon(self):
        """Values of Richardson and Urbanke for BPSK; spectral efficiency 2 with 16-QAM."""
        for rate, limit in ((1 / 2, 0.187), (3 / 4, 1.626), (5 / 6, 2.362), (1 / 4, -0.794)):
            self.assertAlmostEqual(results.shannon_limit(rate), limit, places=2)
        self.assertAlmostEqual(results.shannon_limit(0.5, "16qam"), 2.1, delta=0.3)
        self.assertGreater(results.shannon_limit(0.5, "16qam"), 1.7609)  # without a modulation: (2^2 - 1) / 2

    def test_uncoded(self):
        self.assertAlmostEqual(results.uncoded(9.588), 1e-5, delta=2e-7)
        self.assertAlmostEqual(results.uncoded(10, "rayleigh"), 0.02327, places=5)

    def test_intervals(self):
        low, high = results.interval(10, 100)
        self.assertAlmostEqual(low, 0.0552, places=4)
        self.assertAlmostEqual(high, 0.1744, places=4)
        self.assertEqual(results.interval(0, 100)[0], 0)
        self.assertAlmostEqual(results.interval(0, 100)[1], 0.0370, places=4)


if __name__ == "__main__":
    unittest.main()
