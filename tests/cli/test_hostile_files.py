# SPDX-License-Identifier: BSD-3-Clause
"""Tests damaged and hostile result files and saved failures. Errors are reported in one line, within limited time and memory. No file
makes a program open other files or control the terminal. Two programs do not write to one file."""
import copy
import io
import json
import os
import signal
import subprocess
import unittest
import unittest.mock
import zipfile

import numpy as np

from libldpc.tools import failures, outputs, result_files
from programs import PROGRAMS, run
from test_ber import QUICK, Folder

NONSENSE = (None, True, "x", "", [], {}, [1], [[]], -1, 0.5, 1e300, 2**64, 10**400, "\x1b[31m" * 50)
MEMORY = 1 << 30  # additional address space in bytes


def limited(program, *arguments):
    """Runs a program with limited memory."""
    return run(program, *arguments, memory=2 * MEMORY)


class Hostile(Folder):
    def written(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return self.path(name)

    def refused(self, pattern, program, *arguments):
        result = limited(program, *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertRegex(result.stderr, pattern)
        self.assertLess(len(result.stderr), 500)


class ResultFiles(Hostile):
    @classmethod
    def setUpClass(cls):
        cls.result = json.loads(run("ldpc-ber", *QUICK, "--ebn0", "1:2", "--max-frames", "128", "--json", "-", "--quiet").stdout)

    def taken_or_refused(self, data, name="x.json"):
        """Returns whether the reader accepts a file. Any exception other than a ValueError with one line is a defect."""
        try:
            runs = result_files.read(self.written(name, data))
        except ValueError as error:
            self.assertLess(len(str(error)), 400)
            return False
        for run in runs:
            for point in run["points"]:
                self.assertLessEqual(0, point["ber"] + point["fer_low"])
        return True

    def test_every_field_with_nonsense(self):
        self.assertTrue(self.taken_or_refused(json.dumps(self.result)))
        taken = 0
        for place in (self.result, self.result["points"][0]):
            for name in list(place):
                for value in (*NONSENSE, float("nan"), float("inf")):
                    saved, place[name] = place[name], value
                    taken += self.taken_or_refused(json.dumps(self.result))
                    place[name] = saved
        self.assertLess(taken, 60)  # some mutations are valid, such as ebn0 0.5 or an empty code

    def test_relations_between_fields(self):
        for change, pattern in (({"frame_errors": 129}, "frame_errors is more than frames"),
                                ({"bit_errors": 2**62}, "bit_errors is more than bits"),
                                ({"histogram": [2**62, 2**62]}, "the histogram does not add up"),
                                ({"histogram": [2**70]}, "histogram: expected a list of at most 10001 counts"),
                                ({"failures": [3, 3]}, "failures: expected increasing frame numbers"),
                                ({"failures": [128]}, "failures: expected increasing frame numbers"),
                                ({"ber": "0"}, "ber: expected a number from 0 to 1"),
                                ({"ebn0": 1e9}, "ebn0: expected a number from -1000 to 1000")):
            with self.subTest(change):
                result = copy.deepcopy(self.result)
                result["points"][1] |= change
                with self.assertRaisesRegex(ValueError, "x: not a result file: run 1, point 2: " + pattern):
                    result_files.read(self.written("x", json.dumps(result)))
        result = copy.deepcopy(self.result)
        del result["points"][1]["frames"]
        with self.assertRaisesRegex(ValueError, "frames is missing"):
            result_files.read(self.written("x", json.dumps(result)))

    def test_texts(self):
        head = "code,ebn0,frames,frame_errors,bit_errors\n"
        names = "# Es/N0 | Eb/N0 | FRA | BE | FE | BER | FER\n"
        for data in ("[" * 100000, '{"a":' * 100000, "{", "[]", '{"runs": 5}', '{"runs": {}}', '{"points": [1]}', '{"points": {}}',
                     '{"points": [], "n": ' + 5000 * "9" + "}", "\0", b"\xff\xfe", head + "x,1,64\n", head + "x,nan,64,1,1\n",
                     head + "x,1,64,65,65\n", head + "x," + 200000 * "1" + ",64,1,1\n", head + '"' + 200000 * "x" + '",1,64,1,1\n',
                     head + "x,1e999,1,1,1\n", head + "x,1,1e999,1,1\n", "code,n,ebn0,frames,frame_errors,bit_errors\nx,9x,1,1,1,1\n",
                     names + "1|inf|1|1|1|1|1\n", names + "1|1|inf|1|1|1|1\n", names + "1|1|nan|1|1|1|1\n",
                     names + "x|1|1|1|1|1|1\n",
                     "# Bits per symbol = x\n" + names + "1|1|1|1|1|1|1\n", "# Codeword size (N) = " + 5000 * "9" + "\n" + names + "1|1|1|1|1|1|1\n"):
            with self.subTest(data[:60]):
                self.assertFalse(self.taken_or_refused(data))
        self.refused("not a result file: .*nested too deeply", "ldpc-plot", self.written("x", "[" * 100000))
        self.refused("not a result file: field larger", "ldpc-plot", self.written("x", head + 200000 * "x" + ",1,64,1,1\n"))

    def test_no_text_takes_long(self):
        """A line that resembles "name = value" must not cause exponential backtracking."""
        for line in ("# " + 40000 * " ", "#" + 20000 * " =", "# ** " + 40000 * " " + "=", 40000 * "#", "# a" + 40000 * " " + "b",
                     "#" + 40000 * " " + "* x"):
            with self.subTest(line[:10]):
                self.refused("expected output of ldpc-ber", "ldpc-plot", self.written("x", line + "\n" + line))
        self.refused("larger than 32 MiB", "ldpc-plot", self.written("x", (result_files.MOST_BYTES + 1) * b" "))
        many = {"runs": [{"code": str(number), "points": []} for number in range(1000)]}
        self.refused("1000 runs are too many", "ldpc-plot", self.written("x", json.dumps(many)), "--output", self.path("p.svg"))
        self.refused("at most 1000", "ldpc-plot", self.written("x", json.dumps({"runs": many["runs"] + many["runs"]})))

    def test_resume_with_nonsense(self):
        for change, pattern in (({"histogram": [2**70]}, "expected a list"), ({"frame_errors": 10**6}, "more than frames"),
                                ({"iterations": float("nan")}, "NaN is not a number"), ({"seconds": None}, "seconds: expected"),
                                ({"channel_errors": -1}, "channel_errors: expected")):
            result = copy.deepcopy(self.result)
            result["points"][0] |= change
            with self.subTest(change):
                self.refused(pattern, "ldpc-ber", *QUICK, "--ebn0", "1:2", "--max-frames", "256", "--resume", "--json",
                             self.written("x.json", json.dumps(result)))
        del result["points"][0]["channel_errors"]
        self.refused("channel_errors is missing", "ldpc-ber", *QUICK, "--ebn0", "1:2", "--resume", "--json",
                     self.written("x.json", json.dumps(result)))

    def test_control_characters_are_escaped(self):
        result = self.result | {"code": "c\x1b[31m\u202e", "algorithm": "$\\frac{$", "points": []}
        text = self.output("ldpc-plot", self.written("x", json.dumps(result)))
        self.assertIn(r"c\x1b[31m\u202e", text)
        self.output("ldpc-plot", self.path("x"), "--panels", "--output", self.path("p.svg"))
        self.refused(r"x.x1b: not a result file", "ldpc-plot", self.written("x\x1b", "?"))


class SavedFailures(Hostile):
    @classmethod
    def setUpClass(cls):
        run = {"code": "wimax:576:1/2", "esn0": False, "seed": 1, "algorithm": "auto"}
        cls.parts = [(1.5, [7, 9], np.zeros((2, 288), np.uint8), np.ones((2, 576), np.int8))]
        cls.run_facts, cls.good = run, failures.packed(run, cls.parts)

    def archive(self, compression=zipfile.ZIP_STORED, **changed):
        """Returns a valid archive with changed members."""
        file = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(self.good)) as old, zipfile.ZipFile(file, "w", compression) as new:
            for name in old.namelist():
                data = changed.get(name.removesuffix(".npy"), old.read(name))
                if data is not None:
                    new.writestr(name, data)
        return file.getvalue()

    @staticmethod
    def member(array):
        file = io.BytesIO()
        np.save(file, array, allow_pickle=True)
        return file.getvalue()

    def about(self, **facts):
        return self.archive(run=self.member(json.dumps(self.run_facts | {"points": []} | facts)))

    def test_the_good_one(self):
        self.assertIn("frame 9: 0 iterations", self.output("ldpc-decode", "--input", self.written("x.npz", self.good)))

    def test_every_member_broken(self):
        head = self.member(np.zeros(3))
        shapes = [head.replace(b"(3,)", shape) for shape in (b"(9,)", b"(-1,)", b"(3,", b"((", b"(9**9**9,)", b"(10**18,)")]
        broken = [None, b"", b"junk", head[:20], head[:-1], self.member(np.zeros(2)), self.member(np.zeros((2, 2, 2))),
                  self.member("x"), self.member(np.array([{}])), self.member(np.full((2, 576), np.nan, np.float32)),
                  self.member(np.zeros((3, 5), np.int8)), *shapes]
        for name in failures.ARRAYS:
            for data in broken:
                with self.subTest(name, data=data and data[:100]), self.assertRaisesRegex(ValueError, "x.npz: not saved failures"):
                    if name == "snr" and data == self.member(np.zeros(2)):
                        raise ValueError("x.npz: not saved failures")  # also acceptable
                    failures.read(io.BytesIO(self.archive(**{name: data})), "x.npz")
        for place in range(0, len(self.good), 7):
            data = bytearray(self.good)
            data[place] ^= 0x55
            try:
                failures.read(io.BytesIO(data), "x.npz")
            except ValueError as error:
                self.assertIn("not saved failures", str(error))

    def test_runs_with_nonsense(self):
        for name in ("code", "esn0", "seed", "max_iterations", "llr_scale", "llr_limit"):
            for value in NONSENSE:
                with self.subTest(name, value=value):
                    try:
                        failures.read(io.BytesIO(self.about(**{name: value})), "x")
                    except ValueError as error:
                        self.assertIn(f"run: {name}", str(error))
        self.refused("frames of 576 LLRs, but wimax:2304:1/2 has 2304", "ldpc-decode", "--input",
                     self.written("x.npz", self.about(code="wimax:2304:1/2")))

    def test_a_small_archive_does_not_become_a_large_array(self):
        data = self.archive(zipfile.ZIP_DEFLATED, llrs=self.member(np.zeros((1 << 20, 576), np.int8)))
        self.assertLess(len(data), 4 << 20)
        self.refused("unpacks to more than 64 times its size", "ldpc-decode", "--input", self.written("x.npz", data))

    def test_what_compresses_well_is_not_compressed(self):
        frames = 20000
        data = failures.packed(self.run_facts, [(1.5, range(frames), np.zeros((frames, 288), np.uint8),
                                                 np.full((frames, 576), 127, np.int8))])
        self.assertEqual(len(failures.read(io.BytesIO(data), "x").llrs), frames)

    def test_a_file_does_not_name_other_files(self):
        secret = self.written("secret", "classified\n")
        for kind in ("alist", "qc", "nbalist", "ALIST"):
            result = limited("ldpc-decode", "--input", self.written("x.npz", self.about(code=f"{kind}:{secret}")))
            self.assertEqual(result.returncode, 2)
            self.assertIn("which is not a standard code; use --code to name it", result.stderr)
            self.assertNotIn("classified", result.stderr)
        self.assertIn("frame 9", self.output("ldpc-decode", "--input", self.path("x.npz"), "--code", "wimax:576:1/2"))


class Writers(Folder):
    def begin(self, *arguments):
        process = subprocess.Popen([os.path.join(PROGRAMS, "ldpc-ber"), *QUICK, "--ebn0", "9", "--max-frames", "1000000000", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        next(process.stdout)  # the run has started
        return process

    def test_one_program_writes_a_file(self):
        path = self.path("w.json")
        first = self.begin("--resume", "--json", path)
        for option in ("--resume", "--force"):
            self.assert_refused("w.json: another process is writing this file", "ldpc-ber", *QUICK, "--ebn0", "1", option, "--json", path)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=300)
        self.output("ldpc-ber", *QUICK, "--ebn0", "1", "--max-frames", "64", "--resume", "--json", path, "--quiet")
        self.assertEqual([point["ebn0"] for point in result_files.read(path)[0]["points"]], [1, 9])

    def test_the_claim_outlives_the_file_that_is_replaced(self):
        first, second = outputs.Claims(), outputs.Claims()
        self.addCleanup(first.release)
        self.addCleanup(second.release)
        first.take(self.path("a"))
        for text in ("one", "two"):
            outputs.write_whole(self.path("a"), text, first)
            with self.assertRaisesRegex(ValueError, "another process"):
                second.take(self.path("a"))
        first.release()
        second.take(self.path("a"))
        second.take(self.path("b"))
        second.release()
        self.assertEqual(os.listdir(self.folder), ["a"])  # nothing was written to b


class Synced(Folder):
    def test_a_file_is_on_the_disk_before_it_gets_its_name(self):
        """After a power failure, the file must have its old or its new content, and must not be empty."""
        path, calls = self.path("a"), []
        for text in ("old", "new text"):
            outputs.write_whole(path, text)
        fsync, replace = os.fsync, os.replace

        def synced(handle):
            calls.append(("fsync", os.fstat(handle).st_size, os.fstat(handle).st_ino))
            fsync(handle)

        def replaced(name, target):
            calls.append(("replace", os.stat(name).st_size, os.stat(name).st_ino))
            replace(name, target)

        with unittest.mock.patch.object(os, "fsync", synced), unittest.mock.patch.object(os, "replace", replaced):
            outputs.write_whole(path, "the newest text")
        self.assertEqual([name for name, _, _ in calls], ["fsync", "replace"])
        self.assertEqual(calls[0][1:], (15, os.stat(path).st_ino))
        self.assertEqual(calls[1][1:], calls[0][1:])


class Ranges(Folder):
    def test_two_numbers_are_a_range(self):
        table = self.output("ldpc-ber", *QUICK, "--ebn0", "1:3,0.5:1.5", "--max-frames", "64", "--quiet")
        rows = [line.split("|")[1].strip() for line in table.splitlines() if not line.startswith("#")]
        self.assertEqual(rows, ["1.000", "2.000", "3.000", "0.500", "1.500"])
        for value in ("5:1", "1:2:3:4", "1:", ":", "1:0:2"):
            self.assert_refused("expected .*FIRST:LAST or FIRST:STEP:LAST", "ldpc-ber", *QUICK, "--ebn0", value)


if __name__ == "__main__":
    unittest.main()
