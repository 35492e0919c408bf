# SPDX-License-Identifier: BSD-3-Clause
"""Tests ldpc-ber: reproducible counts, terminal output, SLURM, MPI."""
import fcntl
import itertools
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

import libldpc
from libldpc.tools import result_files, results, simulator, team
from programs import PROGRAMS, run
from test_cli import Case

COUNTS = ("frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected", "iterations",
          "channel_errors", "histogram", "failures", "ber", "fer")
QUICK = ("--code", "wimax:576:1/2", "--iterations", "8")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MPIRUN = shutil.which("mpirun")
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a script inherit an ignored SIGINT


def counts(result):
    return [[point[name] for name in COUNTS] for point in result["points"]]


def mpi():
    """Returns the reason why MPI cannot be used, or None if it can be used."""
    if not MPIRUN:
        return "no mpirun"
    version = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
    if "Open MPI" not in version and "OpenRTE" not in version:
        return "mpirun is not Open MPI's"
    found = subprocess.run([sys.executable, "-c", "import mpi4py"], capture_output=True)
    return None if found.returncode == 0 else "no mpi4py"


def has_content(path):
    """Returns True if a result file contains counts. A run creates an empty file at its start."""
    return os.path.exists(path) and os.path.getsize(path) > 0


class Folder(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def ber(self, *arguments, ebn0="1.5"):
        """Runs ldpc-ber and returns its result from the JSON file."""
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
        for arguments in (("--esn0", "1.5"), ("--modulation", "16qam"), ("--fading", "rayleigh"), ("--zero-codeword",)):
            seen.add(self.ber("--max-frames", "64", *arguments)["points"][0]["channel_errors"])
        self.assertEqual(len(seen), 5)

    def test_binary_channels(self):
        files = [self.path(name) for name in ("a.json", "b.csv", "c.svg")]
        table = self.output("ldpc-ber", *QUICK, "--bec", "0.3,0.5", "--max-frames", "128", "--json", files[0], "--csv", files[1], "--plot", files[2])
        saved, = result_files.read(files[0])
        self.assertEqual([(point["probability"], point["frames"], point["frame_errors"]) for point in saved["points"]],
                         [(0.3, 128, 0), (0.5, 128, 128)])
        self.assertTrue(0.3 * 128 * 576 * 0.97 < saved["points"][0]["channel_errors"] < 0.3 * 128 * 576 * 1.03)
        again, = result_files.read(files[1])
        self.assertEqual(again["channel"], "bec")
        self.assertEqual([point["probability"] for point in again["points"]], [0.3, 0.5])
        with open(self.path("d.txt"), "w", encoding="utf-8") as file:
            file.write(table)
        of_table, = result_files.read(self.path("d.txt"))
        self.assertEqual(of_table["points"][1]["fer"], 1.0)
        self.output("ldpc-ber", *QUICK, "--bec", "0.3,0.4", "--max-frames", "192", "--json", files[0], "--resume")
        resumed, = result_files.read(files[0])
        self.assertEqual([point["frames"] for point in resumed["points"]], [192, 192, 128])
        self.assertRegex(self.output("ldpc-plot", files[0]), r"0\.3 +192 frames")
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--json", self.path("e.json"))
        self.assert_refused("expected one axis in a plot", "ldpc-plot", files[0], self.path("e.json"), "-o", files[2])

    def test_decoder_options_arrive(self):
        result = self.ber("--algorithm", "normalized:i16", "--schedule", "flooding", "--no-early-stop", "--llr-scale", "2",
                          "--llr-limit", "5", "--kernel", "ref", "--backend", "cpu", "--fallback", "--max-frames", "64")
        wanted = {"algorithm": "normalized", "arithmetic": "i16", "schedule": "flooding", "early_stop": False,
                  "llr_scale": 2.0, "llr_limit": 5, "kernel": "ref", "backend": "cpu"}
        self.assertEqual({name: result[name] for name in wanted}, wanted)
        self.assertNotEqual(counts(self.ber("--llr-limit", "5", "--max-frames", "640")), counts(self.ber("--max-frames", "640")))
        self.assertEqual(result["points"][0]["average_iterations"], 8)
        self.assertTrue(self.ber("--early-stop", "--max-frames", "64")["early_stop"])

    def test_llr_limit_where_it_has_an_effect(self):
        for arguments in (("--algorithm", "min-sum:float"), ("--code", "bds:b1c:88")):
            result = self.ber(*arguments, "--max-frames", "64")
            self.assertNotIn("llr_limit", result)
            self.assertNotIn("limit", results.name_of(result))

    def test_several_algorithms(self):
        runs = self.ber("--algorithm", "corrected:i8", "--algorithm", "sum-product", "--max-frames", "64")["runs"]
        self.assertEqual([one["algorithm"] for one in runs], ["corrected", "sum-product"])
        self.assertEqual(runs[0]["points"][0]["channel_errors"], runs[1]["points"][0]["channel_errors"])

    def test_a_curve_for_each_combination(self):
        """Options that describe a curve may be repeated. Each combination of values gives one curve, even if the combination occurs
        twice."""
        options = {"code": ("wimax:576:1/2", "wifi:648:1/2"), "modulation": ("bpsk", "16qam"), "fading": ("none", "rayleigh"),
                   "schedule": ("layered", "flooding"), "iterations": ("5", "10"), "llr_scale": ("2", "3"), "llr_limit": ("20", "30"),
                   "algorithm": ("offset", "min-sum")}
        names = {"iterations": "max_iterations"}
        for first, second in (("code", "iterations"), ("modulation", "fading"), ("schedule", "algorithm"), ("iterations", "llr_scale"),
                              ("llr_scale", "llr_limit")):
            chosen = [(f"--{name.replace('_', '-')}", value) for name in (first, second) for value in (*options[name], options[name][0])]
            result = run("ldpc-ber", "--code", options["code"][0], *itertools.chain(*chosen), "--ebn0", "2", "--max-frames", "64", "--json", "-", "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            runs = json.loads(result.stdout)["runs"]
            got = [tuple(str(run[names.get(name, name)]).removesuffix(".0") for name in (first, second)) for run in runs]
            self.assertEqual(got, list(itertools.product(options[first], options[second])))
            self.assertEqual(len({results.name_of(run) for run in runs}), 4)

    def test_constellations(self):
        """The standard's QPSK has no interleaver, so it must have the same counts as the QPSK points in a file."""
        path = self.path("qpsk.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{i} {q}\n" for i in (1, -1) for q in (1, -1))
        result = run("ldpc-ber", "--code", "dvbs2:16200:1/2", "--iterations", "5", "--modulation", "dvb:qpsk", "--modulation", f"points:{path}", "--ebn0", "1",
                     "--max-frames", "64", "--json", "-", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        runs = json.loads(result.stdout)["runs"]
        self.assertEqual(counts(runs[0]), counts(runs[1]))
        self.assertEqual([run["modulation"] for run in runs], ["dvb:qpsk", f"points:{path}"])
        result = run("ldpc-ber", "--code", "dvbs2:16200:2/3", "--modulation", "dvb:16apsk", "--esn0", "9.5", "--max-frames", "64", "--json", "-", "--quiet")
        point = json.loads(result.stdout)["points"][0]
        self.assertAlmostEqual(point["esn0"] - point["ebn0"], results.db(4 * 2 / 3), places=2)
        self.assertEqual((point["frame_errors"], point["channel_errors"] > 10000), (0, True))
        for modulation, sentence in (("8psk", "expected bpsk, qpsk, 16qam, 64qam, 256qam, dvb:NAME or points:FILE"), ("dvb:8psk", "code wimax:576:1/2: expected dvbt2:"),
                                     (f"points:{self.path('none')}", "not found")):
            result = run("ldpc-ber", *QUICK, "--modulation", modulation, "--ebn0", "1")
            self.assertEqual(result.returncode, 2)
            self.assertIn(sentence, result.stderr)

    def test_a_wrong_algorithm_is_found_before_the_first_frame(self):
        path = self.path("w.json")
        for second, pattern in (("sum-product:i8", "expected float"), ("magic", "magic"), ("normalized:7", "factor 7"), ("ems", "expected a code over GF")):
            self.assert_refused(pattern, "ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--json", path, "--algorithm",
                                "corrected", "--algorithm", second)
            self.assertFalse(os.path.exists(path))

    def test_one_decoder_at_a_time(self):
        """Only the decoder of the current curve may hold memory, because on a GPU each decoder takes half of the free memory."""
        counting = ("import runpy, sys, libldpc\n"
                    "class Counted(libldpc.decoder):\n"
                    "    alive = most = 0\n"
                    "    def __init__(self, *given, **named):\n"
                    "        super().__init__(*given, **named)\n"
                    "        Counted.alive += 1\n"
                    "        Counted.most = max(Counted.most, Counted.alive)\n"
                    "    def __del__(self):\n"
                    "        Counted.alive -= 1\n"
                    "libldpc.decoder = Counted\n"
                    "sys.argv.pop(0)\n"
                    "try: runpy.run_path(sys.argv[0], run_name='__main__')\n"
                    "finally: print('most', Counted.most)")
        command = [sys.executable, "-c", counting, os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "1", "--max-frames", "64",
                   *itertools.chain(*(("--algorithm", name) for name in ("corrected", "min-sum", "offset", "normalized")))]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, check=True)
        self.assertEqual(result.stdout.split()[-2:], ["most", "1"], result.stdout)

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

        options = {"modulation": "bpsk", "fading": "none", "channel": "awgn", "esn0": False, "zero_codeword": False, "seed": 1}
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

    def test_the_next_round_is_made_while_one_is_counted(self):
        begun, changed = [], threading.Condition()

        class Watched(simulator.Simulator):
            def blocks(self, snr, first_block, frames):
                with changed:
                    begun.append(first_block)
                    changed.notify_all()
                return super().blocks(snr, first_block, frames)

            def count(self, point, counted, gathered):
                (first, frames), = counted.shares
                if first * libldpc.SIM_BLOCK + frames < point.goals["max_frames"]:
                    with changed:
                        followed.append(changed.wait_for(lambda: begun[-1] > first, timeout=60))
                super().count(point, counted, gathered)

        options = {"modulation": "bpsk", "fading": "none", "channel": "awgn", "esn0": False, "zero_codeword": False, "seed": 1}
        worker = Watched(team.Alone(), lambda: libldpc.decoder(QUICK[1], max_iterations=10, threads=2), options, 2)
        point, followed = simulator.Point(3, {"max_frames": 100000, "max_frame_errors": 0}), []
        worker.point(point)
        self.assertEqual(point.counts.frames, 100000)
        self.assertTrue(followed and all(followed))
        again = libldpc.simulate(worker.decoder, 3, max_frames=100000, max_frame_errors=0, point=simulator.point_number(3, options))
        self.assertEqual(again.frame_errors, point.counts.frame_errors)

    def test_a_round_keeps_everybody_busy(self):
        dealer = simulator.Dealer(size=2, fill=264)  # as for a GPU: 264 concurrent blocks take as long as one
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
        self.assertEqual(dealer.deal(end), [(0, 500 * 64), (500, 500 * 64)])  # the ranks share the remaining blocks

    def test_nonbinary(self):
        text = run("ldpc-ber", "--code", "bds:b1c:88", "--ebn0", "1", "--max-frames", "64", "--iterations", "3", "--json", "-")
        point = json.loads(text.stdout)["points"][0]
        self.assertEqual((point["bits"], point["symbols"]), (64 * 264, 64 * 44))
        self.assertLess(point["symbol_errors"], point["bit_errors"])


def screen(text):
    """Returns the lines that a scrolling terminal shows after this text. The text contains the cursor movements of a progress bar."""
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
        """Starts ldpc-ber. Returns the process, and its terminal as a file."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, *arguments], stdin=slave, stdout=slave,
                                   stderr=slave, env=environment | {"TERM": "xterm"}, start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))  # so that ^C sends a signal
        os.close(slave)
        self.addCleanup(process.kill)
        terminal = open(master, "r+b", buffering=0)
        self.addCleanup(terminal.close)
        return process, terminal

    def read(self, terminal, until=None):
        """Reads until the pattern `until` appears, or until the end of the output."""
        text = ""
        while until is None or not re.search(until, text):
            try:
                part = os.read(terminal.fileno(), 65536)
            except OSError:  # Linux: other end closed
                part = b""
            if not part:
                self.assertIsNone(until, text)
                break
            text += part.decode(errors="replace")
        return text

    def on_terminal(self, columns, *arguments):
        """Runs the program on a terminal and returns its output."""
        process, terminal = self.start(columns, *arguments)
        text = self.read(terminal)
        self.assertEqual(process.wait(300), 0)
        return text

    def test_ctrl_c(self):
        path = self.path("c.json")
        process, terminal = self.start(90, "--ebn0", "1,9", "--max-frames", "100000000000", "--max-frame-errors", "20",
                                       "--max-seconds", "60", "--json", path)
        text = self.read(terminal, r"9\.000 dB .* / [1-9]")  # the bar of the second point has its first frames
        terminal.write(b"\x03")
        lines = screen(text + self.read(terminal))
        self.assertEqual(process.wait(300), 130)
        end = " ".join(lines[-4:])
        self.assertRegex(end, rf"ldpc-ber: interrupted; counts are in +{path}")
        rows = [line for line in lines if re.match(r" +-?\d+\.\d+ \|", line)]
        self.assertEqual([(float(row.split("|")[1]), row.endswith("*")) for row in rows], [(1, False), (9, True)])
        self.assertNotIn("━", "".join(lines))
        saved = result_files.read(path)[0]
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
        """Runs a job until it has written its result file, then ends the job. Returns the number of frames in the file."""
        path = self.path("curve.json")
        environment = os.environ | {"PATH": os.pathsep.join((self.folder, PROGRAMS, os.environ["PATH"])),
                                    "SLURM_CPUS_PER_TASK": "2"}
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        job = subprocess.Popen(["sh", self.SCRIPT], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        until = time.monotonic() + 300
        while not (has_content(path) and os.stat(path).st_mtime_ns > before):
            self.assertIsNone(job.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        job.terminate()
        _, errors = job.communicate(timeout=300)
        self.assertEqual((job.returncode, errors),
                         (130, "ldpc-ber: interrupted; counts are in curve.json, curve.csv\n"))
        return sum(point["frames"] for point in result_files.read(path)[0]["points"])

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
        """Runs mpirun with one rank for each list of arguments."""
        programs = [["-n", str(len(list(same))), "--oversubscribe", os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, *arguments]
                    for arguments, same in itertools.groupby(ranks)]
        return [MPIRUN, *(word for program in programs for word in (*program, ":"))][:-1]

    def start(self, ranks, *arguments):
        return self.start_each(*[arguments] * ranks)

    def start_each(self, *ranks):
        return subprocess.run(self.command(*ranks), capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                              env=self.ENVIRONMENT)

    def process_of(self, rank, mpirun):
        """Returns the process ID of a rank among the children of mpirun."""
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
        two = [MPIRUN, "-n", "1", "--oversubscribe", "true", ":", "-n", "1", "--oversubscribe", "true"]
        if subprocess.run(two, capture_output=True, check=False, env=self.ENVIRONMENT).returncode:
            self.skipTest("this mpirun cannot start two programs (Open MPI 5.0.7 of Debian 13 crashes)")
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
            while not has_content(path) and time.monotonic() < until:
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
