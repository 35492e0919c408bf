# SPDX-License-Identifier: BSD-3-Clause
"""Tests the result files of ldpc-ber: atomic writes, resumed runs, Ctrl-C, closed pipes."""
import contextlib
import csv
import fcntl
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

from libldpc.tools import outputs, plots, result_files, results  # pylint: disable=unused-import # plots loads matplotlib once
from programs import PROGRAMS, run
from test_ber import QUICK, Folder, counts
from test_cli import FAKE_GPU

STEPS = ((os, "open"), (os, "dup"), (os, "close"), (os, "fsync"), (os, "fchmod"), (os, "replace"), (fcntl, "flock"))


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
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", *goals, "--max-frames", "3.2e2", "--json", path)
        self.output("ldpc-ber", *QUICK, "--ebn0", "1,2", *goals, "--max-frames", "1000", "--json", path, "--resume")
        with open(path, encoding="utf-8") as file:
            resumed = json.load(file)
        self.assertEqual(counts(resumed), counts(self.ber("--max-frame-errors", "0", "--max-frames", "1000", ebn0="1,2")))
        self.assert_refused(r"the run in this file has a different seed \(1, not 9\); choose another", "ldpc-ber", *QUICK, "--ebn0", "1", "--seed", "9",
                            "--json", path, "--resume")
        self.assert_refused("cannot be resumed after", "ldpc-ber", *QUICK, "--ebn0", "1", *goals, "--max-frames", "2000", "--json",
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

    def test_resume_goes_on_with_later_curves(self):
        path = self.path("l.json")
        one, both = ("--code", "wimax:576:1/2"), ("--code", "wimax:576:1/2", "--code", "wifi:648:1/2", "--iterations", "3", "--iterations", "5")
        common = ("ldpc-ber", "--ebn0", "1", "--max-frames", "64", "--json", path, "--quiet", "--resume")
        self.output(*common, *one, "--iterations", "3")
        self.output(*common, *both)
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        self.assertEqual([(run["code"], run["max_iterations"], run["points"][0]["frames"]) for run in runs],
                         [(code, iterations, 64) for code in both[1:4:2] for iterations in (3, 5)])

    def test_resume_of_a_float_file(self):
        """A file without llr_limit can belong to the same run in float arithmetic, where llr_limit has no effect."""
        path = self.path("f.json")
        common = (*QUICK, "--algorithm", "min-sum:float", "--ebn0", "1", "--json", path, "--quiet")
        self.output("ldpc-ber", *common, "--max-frames", "64")
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        saved.pop("llr_limit", None)  # format of earlier versions
        with open(path, "w", encoding="utf-8") as file:
            json.dump(saved, file)
        self.output("ldpc-ber", *common, "--max-frames", "128", "--llr-limit", "9", "--resume")
        self.assertEqual([point["frames"] for run in result_files.read(path) for point in run["points"]], [128])
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--json", self.path("i.json"), "--quiet", "--max-frames", "64")
        self.assert_refused("llr_limit", "ldpc-ber", *QUICK, "--ebn0", "1", "--json", self.path("i.json"), "--llr-limit", "9", "--resume")

    def test_resume_with_other_points(self):
        """Files of earlier versions have no checksum of the points."""
        path, points = self.path("p.json"), pathlib.Path(self.path("points.txt"))
        common = ("ldpc-ber", *QUICK, "--modulation", f"points:{points}", "--ebn0", "1", "--max-frame-errors", "0", "--json", path, "--quiet", "--resume", "--max-frames")
        points.write_text("1 1\n1 -1\n-1 1\n-1 -1\n", encoding="utf-8")
        self.output(*common, "64")
        points.write_text("# Gray\n1 1\n1 -1\n-1 1\n-1 -1\n", encoding="utf-8")
        self.output(*common, "128")
        points.write_text("2 1\n1 -1\n-1 1\n-1 -1\n", encoding="utf-8")
        self.assert_refused(r"different points_crc32 \([0-9a-f]{8}, not [0-9a-f]{8}\)", *common, "192")
        with open(path, encoding="utf-8") as file:
            saved = json.load(file)
        del saved["points_crc32"]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(saved, file)
        self.output(*common, "192")
        run, = result_files.read(path)
        self.assertEqual((run["points"][0]["frames"], "points_crc32" in run), (192, True))

    def test_curves_stay_apart_in_every_form(self):
        """CSV, table and JSON contain the same curves."""
        j, c = self.path("j.json"), self.path("c.csv")
        curves = [(*QUICK, "--llr-scale", "3", "--llr-scale", "8", "--llr-limit", "20", "--llr-limit", "30"),
                  ("--code", "wifi:648:1/2", "--code", "wifi:648:3/4", "--algorithm", "min-sum:float", "--algorithm", "corrected")]
        for arguments in curves:
            table = self.output("ldpc-ber", *arguments, "--ebn0", "1,2", "--max-frames", "64", "--json", j, "--csv", c, "--force")
            pathlib.Path(self.path("t.txt")).write_text(table, encoding="utf-8")
            forms = [result_files.read(path) for path in (j, c, self.path("t.txt"))]
            names, points = ([[part(run) for run in runs] for runs in forms]
                             for part in (results.name_of, lambda run: [(point["ebn0"], point["frame_errors"]) for point in run["points"]]))
            self.assertEqual(len(set(names[0])), 4)
            self.assertEqual(names[1:], names[:1] * 2)
            self.assertEqual(points[1:], points[:1] * 2)

    def test_resume_removes_what_a_killed_run_left(self):
        """A resumed run removes the incomplete files of a killed process. It removes no other files."""
        path = self.path("s.json")
        others = [path + ".original", self.path("other.json.12345678.unfinished"), path + ".bak.12345678.unfinished"]
        for other in others:
            pathlib.Path(other).write_text("keep")
        killed = ("import os, runpy, signal, sys\n"
                  "os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)\n"
                  "sys.argv.pop(0)\n"
                  "runpy.run_path(sys.argv[0], run_name='__main__')")
        common = (*QUICK, "--ebn0", "1", "--max-frames", "64", "--quiet", "--json", path, "--resume")
        result = subprocess.run([sys.executable, "-c", killed, os.path.join(PROGRAMS, "ldpc-ber"), *common], capture_output=True, timeout=300,
                                check=False)
        self.assertEqual(result.returncode, -signal.SIGKILL)
        self.assertEqual(len(list(pathlib.Path(path).parent.glob("s.json.*"))), 3)
        self.output("ldpc-ber", *common)
        self.assertEqual(set(map(str, pathlib.Path(path).parent.glob("s.json.*"))), {others[0], others[2]})
        self.assertTrue(all(map(os.path.exists, others)))

    def test_resume_of_an_empty_file(self):
        path = self.path("e.json")
        with open(path, "w", encoding="utf-8"):
            pass
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--quiet", "--json", path, "--resume")
        self.assertEqual([point["frames"] for point in result_files.read(path)[0]["points"]], [64])

    def test_resume_keeps_points_that_have_more(self):
        path = self.path("m.json")
        common = ("ldpc-ber", *QUICK, "--json", path, "--quiet", "--resume", "--ebn0")
        self.output(*common, "1,4", "--max-frames", "640")
        frames = [point["frames"] for point in result_files.read(path)[0]["points"]]
        for ebn0, *goals in (("1,4,5", "--max-frames", "64"), ("1,4,5", "--max-frames", "640", "--max-frame-errors", "1")):
            text = self.output(*common, ebn0, *goals)
            self.assertIn("# 1.000 dB: the file already has more frames than requested; they are kept\n", text)
            self.assertNotIn("5.000 dB: already", text)
            self.assertEqual([point["frames"] for point in result_files.read(path)[0]["points"]][:2], frames)
        self.assertNotIn("kept", self.output(*common, "1,4", "--max-frames", "640"))

    def test_results_are_not_overwritten(self):
        path = self.path("o.json")
        common = ("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--json", path, "--ebn0")
        self.output(*common, "1")
        with open(path, encoding="utf-8") as file:
            before = file.read()
        self.assert_refused("o.json already exists: --resume .* --force", *common, "2")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.output(*common, "2", "--force")
        self.assertEqual([point["ebn0"] for point in result_files.read(path)[0]["points"]], [2])
        self.output("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--json", "/dev/null", "--ebn0", "2")

    def test_files_of_numbers_are_not_overwritten(self):
        """Existing result files are not overwritten. Existing plots are overwritten."""
        paths = {"--json": self.path("o.json"), "--csv": self.path("o.csv"), "--save-failures": self.path("o.npz"),
                 "--plot": self.path("o.png")}
        common = ("ldpc-ber", *QUICK, "--quiet", "--max-frames", "64", "--ebn0", "1")
        files = [word for pair in paths.items() for word in pair]
        self.output(*common, *files)
        times = [os.stat(path).st_mtime_ns for path in paths.values()]
        for option in ("--csv", "--save-failures"):
            self.assert_refused(f"{paths[option]} already exists: --force replaces it$", *common, option, paths[option])
        self.assert_refused(f"{paths['--csv']} already exists: --force", "ldpc-plot", paths["--json"], "--csv", paths["--csv"])
        self.assertEqual([os.stat(path).st_mtime_ns for path in paths.values()], times)
        self.output(*common, "--plot", paths["--plot"])
        self.output("ldpc-plot", paths["--json"], "--output", paths["--plot"])
        for way in ("--resume", "--force"):
            before = [os.stat(path).st_mtime_ns for path in paths.values()]
            self.output(*common, *files, way)
            for path, time_before in zip(paths.values(), before):
                self.assertGreater(os.stat(path).st_mtime_ns, time_before)
        self.output("ldpc-plot", paths["--json"], "--csv", paths["--csv"], "--force")
        self.assert_refused("already exists", *common, "--json", self.path("new.json"), "--csv", paths["--csv"], "--resume")

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
            outputs.write_whole(self.path("w"), "all")
        self.assertEqual(os.listdir(self.folder), ["w"])

    def write_with_signal(self, number, moment):
        """Writes a file. Sends a signal after system call `number`. Returns False if there are fewer system calls."""
        calls = iter(range(1000))
        claims = outputs.Claims()

        def then_signal(function):
            def call(*arguments, **more):
                result = function(*arguments, **more)
                if next(calls) == moment:
                    signal.raise_signal(number)
                return result
            return call

        with contextlib.ExitStack() as stack:
            for module, name in STEPS:
                stack.enter_context(unittest.mock.patch.object(module, name, then_signal(getattr(module, name))))
            stack.callback(claims.release)
            claims.take(self.path("w"))
            outputs.write_whole(self.path("w"), "new", claims)
        return next(calls) > moment

    def test_a_signal_at_any_step_of_writing(self):
        """A signal arrives while a file is written. The signal must not be lost. The file must be complete. No descriptor may be closed
        twice. No descriptors or temporary files may remain."""
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.signal(number, signal.default_int_handler)
            self.addCleanup(signal.signal, number, before)
            open_files, moment, more = os.listdir("/proc/self/fd"), 0, True
            while more:
                with open(self.path("w"), "w", encoding="utf-8") as file:
                    file.write("old")
                try:
                    more = self.write_with_signal(number, moment)
                    self.assertFalse(more, f"signal {number} at step {moment} was lost")
                except KeyboardInterrupt:
                    moment += 1
                with open(self.path("w"), encoding="utf-8") as file:
                    self.assertIn(file.read(), ("old", "new"))
                self.assertEqual(os.listdir(self.folder), ["w"])
                self.assertEqual(os.listdir("/proc/self/fd"), open_files)
            self.assertGreater(moment, len(STEPS))

    def test_links_stay(self):
        """Writing to a symbolic link does not replace the link. With "> file", /dev/stdout is a symbolic link to a file."""
        folder, file, link = self.path("folder"), self.path("file"), self.path("folder/link")
        os.mkdir(folder)
        os.symlink(file, link)
        for text in ("first", "second"):
            outputs.check_writable(link)
            outputs.write_whole(link, text)
            self.assertTrue(os.path.islink(link))
            with open(file, encoding="utf-8") as written:
                self.assertEqual(written.read(), text)
        self.assertEqual(os.listdir(folder), ["link"])
        os.symlink(self.path("none/file"), self.path("lost"))
        with self.assertRaises(FileNotFoundError):
            outputs.check_writable(self.path("lost"))

    def test_a_file_that_fails_does_not_take_the_others_along(self):
        folder = self.path("folder")
        os.mkdir(folder)
        command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "9", "--max-frames", "1000000000", "--max-seconds", "7", "--threads", "1",
                   "--json", os.path.join(folder, "x"), "--csv", self.path("y"), "--save-failures", self.path("z.npz")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        next(process.stdout)  # the run has started
        shutil.rmtree(folder)
        _, errors = process.communicate(timeout=300)
        reason = f"ldpc-ber: {folder}/x: No such file or directory"
        self.assertEqual((process.returncode, set(errors.splitlines())), (2, {f"{reason}; retrying later", reason}))
        self.assertEqual(sorted(os.listdir(self.folder)), ["y", "z.npz"])

    def test_what_was_counted_before_a_failure_is_kept(self):
        files = {option: self.path(option[2:] + ending) for option, ending in (("--json", ".json"), ("--csv", ".csv"), ("--plot", ".png"))}
        failing = ("import itertools, runpy, sys, libldpc; simulate, calls = libldpc.simulate_blocks, itertools.count()\n"
                   "def once(*given, **named):\n"
                   "    if next(calls): raise RuntimeError('the device is lost')\n"
                   "    return simulate(*given, **named)\n"
                   "libldpc.simulate_blocks = once; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')")
        command = [sys.executable, "-c", failing, os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "9", "--max-frame-errors", "0"]
        result = subprocess.run(command + [word for pair in files.items() for word in pair], capture_output=True, text=True,
                                timeout=300, stdin=subprocess.DEVNULL)
        kept = f"ldpc-ber: ended by a failure; counts are in {files['--json']}, {files['--csv']}\n"
        self.assertEqual((result.returncode, result.stderr), (2, kept + "ldpc-ber: the device is lost\n"))
        for path in files.values():
            self.assertTrue(os.path.getsize(path))
        [saved] = result_files.read(files["--json"])
        self.assertTrue(saved["interrupted"])
        self.assertGreater(saved["points"][0]["frames"], 0)
        self.assertFalse(saved["points"][0]["complete"])

    def interrupted(self, *arguments, reader=True):
        """Runs ldpc-ber and sends Ctrl-C at the second point. Returns the printed rows and errors. Ctrl-C may also end the program that
        reads the rows."""
        command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "1,9", "--max-frames", "100000000000",
                   "--max-frame-errors", "20", "--threads", "1", *arguments]
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
        self.assertEqual(errors, f"ldpc-ber: interrupted; counts are in {path}\n")
        self.assertEqual([point["complete"] for point in result_files.read(path)[0]["points"]], [True, False])

    def test_a_reader_of_rows_that_goes_away(self):
        for path in ("", self.path("h.json")):
            # more rows than a pipe can hold: the program cannot finish before its reader exits
            command = [os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "0:0.002:1.99", "--max-frames", "64",
                       *(["--json", path] if path else [])]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            next(line for line in process.stdout if line.startswith(" "))
            process.stdout.close()
            process.stdout = None
            _, errors = process.communicate(timeout=300)
            said = f"ldpc-ber: the reader of the table has exited; counts are in {path}\n" if path else ""
            self.assertEqual((process.returncode, errors), (1, said))
        done = [point["complete"] for point in result_files.read(path)[0]["points"]]
        self.assertEqual(done, [True] * len(done))
        self.assertGreaterEqual(len(done), 2)

    def test_interrupt_keeps_what_is_there(self):
        path = self.path("i.json")
        _, errors = self.interrupted("--json", path, "--csv", path + ".csv")
        self.assertEqual(errors, f"ldpc-ber: interrupted; counts are in {path}, {path}.csv\n")
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
        self.assertIn("7 codewords, 7 not converged", text)
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
        self.assertIn("too large for an encoder: all frames are the all-zero codeword", result.stderr)
        said = json.loads(result.stdout)
        self.assertEqual((said["zero_codeword"], said["k"], said["points"][0]["frames"]), (True, n // 2, 2))
        self.assertIn("only be decoded", self.output("ldpc-info", f"alist:{path}"))
        refused = run("ldpc-encode", "--code", f"alist:{path}", "--input", str(path))
        self.assertEqual(refused.returncode, 2)
        self.assertIn("too large for an encoder", refused.stderr)

    def test_wrong_input(self):
        self.assert_refused("Missing option '--code'", "ldpc-ber", "--ebn0", "1")
        for pattern, *arguments in (("one of --ebn0, --esn0, --bsc and --bec",), ("one of --ebn0, --esn0, --bsc and --bec", "--ebn0", "1", "--esn0", "1"),
                                    ("--bsc 0.6: expected 0 .. 0.5", "--bsc", "0.1,0.6"),
                                    ("--bec: expected --modulation bpsk", "--bec", "0.4", "--modulation", "16qam"),
                                    ("expected a number, FIRST:LAST or FIRST:STEP:LAST", "--ebn0", "1:x"),
                                    ("'2:0.1:1': LAST is below FIRST", "--ebn0", "2:0.1:1"),
                                    ("append it to the algorithm, as in --algorithm corrected:i8", "--ebn0", "1", "--arithmetic", "i8"),
                                    ("1.5e0. is not a valid whole number", "--ebn0", "1", "--max-frames", "1.5e0"),
                                    (".png, .svg or .pdf", "--ebn0", "1", "--plot", "x.bmp"),
                                    ("magic", "--ebn0", "1", "--algorithm", "magic"),
                                    ("--ebn0 1e.09: expected -100 .. 100 dB", "--ebn0", "1e9"),
                                    ("--json FILE", "--ebn0", "1", "--resume"),
                                    ("expected at most one output on standard output", "--ebn0", "1", "--json", "-", "--csv", "-"),
                                    ("two outputs have the same name", "--ebn0", "1", "--json", "x.svg", "--plot", "./x.svg"),
                                    ("two outputs have the same name", "--ebn0", "1", "--csv", "x", "--save-failures", "x"),
                                    ("cannot be combined", "--ebn0", "1", "--json", "x", "--resume", "--force"),
                                    ("expected one value of --code, --iterations", "--ebn0", "1", "--code", "wifi:648:1/2", "--code",
                                     "wimax:576:1/2", "--iterations", "1", "--iterations", "2", "--save-failures", "x.npz"),
                                    ("expected one value of --algorithm", "--ebn0", "1", "--algorithm", "min-sum", "--algorithm",
                                     "corrected", "--save-failures", "x.npz"),
                                    ("--devices 0: expected --backend gpu, cuda or opencl", "--ebn0", "1", "--devices", "0"),
                                    ("nosuch", "--ebn0", "1", "--code", "nosuch"),
                                    ("nosuchdir", "--ebn0", "1", "--max-frames", "1", "--json", "/nosuchdir/x")):
            with self.subTest(arguments=arguments):
                result = run("ldpc-ber", *QUICK, "--max-frames", "1", *arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertNotIn("Traceback", result.stderr)
                self.assertRegex(result.stderr.splitlines()[-1], pattern)

    @unittest.skipUnless(os.path.exists(os.path.join(FAKE_GPU, "libcuda.so.1")), "tests/fake_gpu has not been built")
    def test_gpus_count_the_same(self):
        arguments = ("ldpc-ber", *QUICK, "--ebn0", "1.5", "--algorithm", "corrected:i16", "--max-frames", "400", "--json", "-")
        expected = json.loads(run(*arguments, "--backend", "cpu").stdout)
        for backend in ("cuda", "opencl"):
            result = run(*arguments, "--backend", backend, "--devices", "all", LD_LIBRARY_PATH=FAKE_GPU, FAKE_GPU_CODES=QUICK[1])
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["backend"], backend)
            self.assertEqual(counts(json.loads(result.stdout)), counts(expected))
            refused = run(*arguments, "--backend", backend, "--devices", "7", LD_LIBRARY_PATH=FAKE_GPU, FAKE_GPU_CODES=QUICK[1])
            self.assertEqual(refused.returncode, 2)
            self.assertIn('devices "7"', refused.stderr)

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-ber", [
            "--code", "--ebn0", "--esn0", "--modulation", "--fading", "--bsc", "--bec", "--algorithm", "--schedule", "--iterations",
            "--early-stop", "--no-early-stop", "--llr-scale", "--llr-limit", "--zero-codeword", "--backend", "--fallback", "--kernel", "--devices", "--threads",
            "--max-frame-errors", "--max-frames", "--max-seconds", "--seed", "--json", "--checkpoint", "--csv", "--plot", "--resume",
            "--force", "--save-failures", "--max-failures", "--quiet", "--tuning", "--no-tuning"])
