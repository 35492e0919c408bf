# SPDX-License-Identifier: BSD-3-Clause
"""Tests ldpc-encode and ldpc-decode: every format, files and pipes, and error messages of one line."""
import contextlib
import io
import itertools
import os
import pathlib
import re
import runpy
import subprocess
import tempfile
import threading
import unittest

import numpy as np

import libldpc
from programs import PROGRAMS, run
from test_cli import Case

CODE = libldpc.code("wifi:648:1/2")  # k = 324: 41 bytes with four bits of padding
NAME = ("--code", CODE.name)


def pipe(data, program, *arguments):
    return run(program, *arguments, data=data, text=False)


class Words(Case):
    def through(self, data, program, *arguments):
        result = pipe(data, program, *NAME, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, pattern, data, program, *arguments):
        result = pipe(data, program, *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr.decode().splitlines()[-1], pattern)

    def setUp(self):
        self.messages = np.random.default_rng(1).integers(0, 2, (300, CODE.k), dtype=np.uint8)
        self.codewords = CODE.encode(self.messages)

    def test_encode_formats(self):
        packed = np.packbits(self.messages).tobytes()
        for data, form in ((packed, "packed"), (self.messages.tobytes(), "bits")):
            for wanted, out in ((np.packbits(self.codewords), "packed"), (self.codewords, "bits"),
                                (127 - 254 * self.codewords.astype(int), "int8")):
                got = self.through(data, "ldpc-encode", "--input-format", form, "--output-format", out)
                self.assertEqual(got, wanted.astype(np.int8 if out == "int8" else np.uint8).tobytes())
        nats = np.frombuffer(self.through(packed, "ldpc-encode", "--output-format", "float32", "--llr-scale", "4"), "<f4")
        self.assertTrue((np.abs(nats) == 127 / 4).all())
        self.assertTrue(((nats < 0) == self.codewords.ravel()).all())

    def test_fill(self):
        result = pipe(b"\xff", "ldpc-encode", *NAME, "--output-format", "bits")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"added 316 zeros to the last message; remove them with ldpc-decode --cut 316", result.stderr)
        got = result.stdout
        message = np.zeros(CODE.k, dtype=np.uint8)
        message[:8] = 1
        self.assertEqual(got, CODE.encode(message).tobytes())
        whole = pipe(self.messages[:2].tobytes(), "ldpc-encode", *NAME, "--input-format", "bits")
        self.assertEqual((whole.returncode, whole.stderr), (0, b""))
        empty = pipe(b"", "ldpc-encode", *NAME)
        self.assertEqual((empty.returncode, empty.stdout, empty.stderr), (0, b"", b""))

    def test_bytes_come_back(self):
        """Packed bits are a contiguous bit stream. Tests k and n with every remainder modulo 8. Also tests LLRs and unpacked bits."""
        seed = int.from_bytes(os.urandom(4), "little")
        random = np.random.default_rng(seed)
        encode, decode = (runpy.run_path(os.path.join(PROGRAMS, f"ldpc-{name}"))["main"] for name in ("encode", "decode"))
        forms = (("packed", "hard-packed"), ("bits", "hard"), ("int8", "int8"), ("float32", "float32"))
        with tempfile.TemporaryDirectory() as folder:
            code, data, coded, back = (os.path.join(folder, name) for name in ("code", "data", "coded", "back"))
            for k_rest, n_rest in itertools.product(range(8), repeat=2):
                k, written = 8 * int(random.integers(1, 5)) + k_rest, random.bytes(int(random.integers(1, 300)))
                n = k + 8 + (n_rest - k) % 8
                with self.subTest(seed=seed, k=k, n=n, bytes=len(written)):
                    parity = random.integers(0, 2, (n - k, k))
                    rows = (" ".join(str(one - 1) for one in (*row, *np.eye(n - k, dtype=int)[i])) for i, row in enumerate(parity))
                    pathlib.Path(code).write_text(f"{n} {n - k} 1\n" + "\n".join(rows))
                    pathlib.Path(data).write_bytes(written)
                    self.assertEqual((libldpc.code("qc:" + code).k, libldpc.code("qc:" + code).n), (k, n))
                    zeros = -8 * len(written) % k
                    for out, into in (forms[0], forms[1 + (k + n) % 3]):
                        with contextlib.redirect_stderr(io.StringIO()) as said:
                            encode(["--code", "qc:" + code, "-i", data, "-o", coded, "--output-format", out], standalone_mode=False)
                        self.assertEqual(re.findall(r"--cut (\d+)", said.getvalue()), [str(zeros)] if zeros else [])
                        decode(["--code", "qc:" + code, "-i", coded, "-o", back, "--input-format", into, "--cut", str(zeros), "--quiet"],
                               standalone_mode=False)
                        self.assertEqual(pathlib.Path(back).read_bytes(), written)
                        decode(["--code", "qc:" + code, "-i", coded, "-o", back, "--input-format", into, "--quiet"], standalone_mode=False)
                        uncut = pathlib.Path(back).read_bytes()
                        self.assertEqual((uncut[:len(written)], set(uncut[len(written):]) - {0}), (written, set()))
                        self.assertEqual(len(uncut), -(-(8 * len(written) + zeros) // 8))

    def test_cut(self):
        coded = self.through(b"\xff" * 41, "ldpc-encode")
        self.refused("--cut 324: expected fewer bits than a message has, 0 .. 323", coded, "ldpc-decode", *NAME, "--input-format",
                     "hard-packed", "--cut", "324")
        self.refused("cannot be combined with --what codeword", coded, "ldpc-decode", *NAME, "--input-format", "hard-packed", "--cut", "4", "--what",
                     "codeword")

    def test_padding_is_zeros(self):
        """If each codeword is padded to whole bytes, the input is not a contiguous bit stream and must be rejected."""
        three = np.packbits(self.codewords[:3]).tobytes()
        self.assertEqual(len(three) * 8 % CODE.n, 0)
        self.refused("ends inside a codeword: codewords have 648 bits, the last one has 8", three + b"\0", "ldpc-decode", *NAME, "--input-format",
                     "hard-packed")
        odd = np.packbits(np.append(self.codewords[0], 1)).tobytes()
        self.refused("only zero padding of the last byte is allowed", odd, "ldpc-decode", *NAME, "--input-format", "hard-packed")

    def test_decode_formats(self):
        messages, llrs = libldpc.noisy_frames(CODE, 4.0, count=300)
        nats = libldpc.noisy_frames(CODE, 4.0, count=300, dtype="float32")[1]
        codewords = CODE.encode(messages)
        for data, form in ((llrs.tobytes(), "int8"), (nats.astype("<f4").tobytes(), "float32"),
                           (codewords.tobytes(), "hard"), (np.packbits(codewords).tobytes(), "hard-packed")):
            for bits, what in ((messages, "message"), (codewords, "codeword")):
                got = self.through(data, "ldpc-decode", "--input-format", form, "--what", what, "--output-format", "bits")
                self.assertEqual(got, bits.tobytes(), (form, what))
        packed = self.through(llrs.tobytes(), "ldpc-decode", "--quiet")
        self.assertEqual(packed, np.packbits(messages).tobytes())

    def test_decoder_options_arrive(self):
        llrs = libldpc.noisy_frames(CODE, 2.0, count=20)[1].tobytes()
        result = pipe(llrs, "ldpc-decode", *NAME, "--algorithm", "offset", "--arithmetic", "i16", "--schedule", "flooding",
                      "--iterations", "3", "--no-early-stop", "--llr-scale", "3", "--llr-limit", "12", "--backend", "cpu", "--fallback",
                      "--kernel", "ref", "--threads", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr.decode(), r"^20 codewords, \d+ not converged, 3\.000 iterations on average")
        early = pipe(llrs, "ldpc-decode", *NAME, "--iterations", "3", "--early-stop").stderr.decode()
        self.assertNotIn("3.000 iterations", early)
        weak = pipe(self.codewords.tobytes(), "ldpc-decode", *NAME, "--input-format", "hard", "--certainty", "1")
        doubtful = pipe(self.codewords.tobytes(), "ldpc-decode", *NAME)
        self.assertIn(b"all LLRs are 0 or 1: expected LLRs of both signs; are they bits, --input-format hard?", doubtful.stderr)
        self.assertIn(b"300 codewords, 0 not converged, 0.000", weak.stderr)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            source, coded, target = (os.path.join(folder, name) for name in "abc")
            with open(source, "wb") as file:
                file.write(np.packbits(self.messages).tobytes())
            self.output("ldpc-encode", *NAME, "--input", source, "--output", coded)
            self.output("ldpc-decode", *NAME, "--input", coded, "--output", target, "--input-format", "hard-packed", "--quiet")
            with open(source, "rb") as first, open(target, "rb") as second:
                self.assertEqual(first.read(), second.read())

    def test_code_and_files_without_their_options(self):
        """If a code or a file is given without its option, the error message names the option."""
        for program in ("ldpc-encode", "ldpc-decode"):
            self.refused("unexpected extra argument.*--code and --input", b"", program, *NAME, CODE.name)

    def test_wrong_input(self):
        self.refused("ends inside a codeword.*read as --input-format int8, other formats are float32, hard, hard-packed", b"abc", "ldpc-decode", *NAME)
        self.refused("ends inside a codeword.*hard-packed, other formats are int8", b"abc", "ldpc-decode", *NAME, "--input-format", "hard-packed")
        self.refused("expected --code", b"", "ldpc-decode")
        self.refused("nosuch", b"", "ldpc-encode", "--code", "nosuch")
        self.refused("/nosuch", b"", "ldpc-decode", *NAME, "--input", "/nosuch")
        self.refused("magic", b"", "ldpc-decode", *NAME, "--algorithm", "magic")

    def test_the_input_is_not_overwritten(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = (os.path.join(folder, name) for name in "ml")
            data = self.codewords.tobytes()
            with open(path, "wb") as file:
                file.write(data)
            os.symlink(path, link)
            for program in ("ldpc-encode", "ldpc-decode"):
                for arguments in (("--input", path, "--output", path), ("--input", path, "--output", link), ("--output", path)):
                    with self.subTest(program, arguments=arguments), open(path, "rb") as file:
                        result = subprocess.run([os.path.join(PROGRAMS, program), *NAME, *arguments], stdin=file,
                                                capture_output=True, text=True, timeout=300)
                        self.assertEqual((result.returncode, result.stderr),
                                         (2, f"{program}: input and output are the same file\n"))
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), data)
            self.output("ldpc-encode", *NAME, "--input", "/dev/null", "--output", "/dev/null")

    def test_whole_codewords_come_before_the_error(self):
        bits = 10 * self.codewords[0].tobytes()
        result = pipe(bits + b"abc", "ldpc-decode", *NAME, "--input-format", "hard", "--output-format", "bits")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"codewords have 648 bytes, the last one has 3", result.stderr)
        self.assertEqual(result.stdout, 10 * self.messages[0].tobytes())

    def test_codewords_pass_as_they_come(self):
        for program, data, answer in (("ldpc-encode", self.messages, self.codewords),
                                      ("ldpc-decode", self.codewords, self.messages)):
            form = "bits" if program == "ldpc-encode" else "hard"
            command = [os.path.join(PROGRAMS, program), *NAME, "--input-format", form, "--output-format", "bits"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                wakes = threading.Timer(60, process.kill)
                wakes.start()
                for codeword, expected in zip(data[:3], answer):
                    process.stdin.write(codeword[:100].tobytes())
                    process.stdin.flush()
                    process.stdin.write(codeword[100:].tobytes())
                    process.stdin.flush()
                    self.assertEqual(process.stdout.read(expected.size), expected.tobytes())
                process.stdin.close()
                self.assertEqual(process.wait(60), 0)
                wakes.cancel()

    def test_bits_are_bits(self):
        bits = self.codewords.copy()
        bits[290, 5] = 2
        self.refused("byte of value 2: expected bits", bits.tobytes(), "ldpc-decode", *NAME, "--input-format", "hard")
        self.refused("byte of value 2: expected bits", bits.tobytes(), "ldpc-encode", *NAME, "--input-format", "bits")

    def test_failures_by_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "saved")
            self.output("ldpc-ber", *NAME, "--ebn0", "1", "--max-frames", "64", "--save-failures", path, "--quiet")
            text = self.output("ldpc-decode", "--input", path)
            self.assertRegex(text, r"(?m)^\d+ codewords, .* with wrong bits$")
            with open(path, "rb") as file:
                self.assertEqual(pipe(file.read(), "ldpc-decode").stdout.decode(), text)

    def test_llrs_may_look_like_saved_failures(self):
        message = self.messages[0]
        llrs = np.where(CODE.encode(message), -70, 70).astype(np.int8)
        llrs[:4] = np.frombuffer(b"PK\3\4", dtype=np.int8)  # magic number of ZIP files
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "llrs")
            with open(path, "wb") as file:
                file.write(llrs.tobytes())
            for source in ((), ("--input", path)):
                self.assertEqual(self.through(llrs.tobytes(), "ldpc-decode", "--output-format", "bits", *source), message.tobytes())
            self.refused("not saved failures", llrs.tobytes(), "ldpc-decode")

    def test_junk_is_no_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npz")
            for data in (b"", b"junk", b"PK\3\4junk", b"\x80\4junk"):
                with open(path, "wb") as file:
                    file.write(data)
                self.refused("not saved failures", b"", "ldpc-decode", "--input", path)
            np.savez(path, other=[1])
            self.refused("not saved failures", b"", "ldpc-decode", "--input", path)
            with open(path, "wb") as file:
                np.save(file, [1])
            self.refused("not saved failures", b"", "ldpc-decode", "--input", path)
        self.refused("No such file", b"", "ldpc-decode", "--input", path)

    def test_options_are_complete(self):
        self.assert_all_options_tried("ldpc-encode", ["--code", "--input", "--output", "--input-format", "--output-format",
                                                      "--llr-scale"])
        self.assert_all_options_tried("ldpc-decode", [
            "--code", "--input", "--output", "--input-format", "--output-format", "--certainty", "--what", "--algorithm",
            "--arithmetic", "--schedule", "--iterations", "--early-stop", "--no-early-stop", "--llr-scale", "--llr-limit", "--backend", "--fallback",
            "--kernel", "--threads", "--positions", "--quiet", "--cut", "--tuning", "--no-tuning"])


if __name__ == "__main__":
    unittest.main()
