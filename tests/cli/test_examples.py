# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples of the documentation: examples/python, examples in --help, and calls of the programs in docs. tests/docs runs the
examples of README.md and of the tutorial."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from libldpc.tools import plots  # pylint: disable=unused-import # loads matplotlib once for all programs
from programs import PROGRAMS, run

QUICKER = {"ber": " --max-frames 640", "bench": " --seconds 0.01 --iterations 3",
           "tune": " --seconds 0.001 --iterations 2 --backend cpu"}
ANYWHERE = {"bench": QUICKER["bench"] + " --batch 1 --backend cpu --transfers host", "tune": QUICKER["tune"],
            "ber": " --max-frames 1 --backend cpu"}
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def text_of(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def script_of(page):
    """Returns the program calls of the indented blocks of a page. Their runs are shortened and use the CPU."""
    calls = re.findall(r"^    (?:  )?(?:(?:ldpc-|[A-Z0-9]+=|\$[A-Z0-9]+ |tests/bench/gronroos).*|for i in .*|done)$",
                       text_of("docs", page), re.MULTILINE)
    lines = []
    for call in calls:
        program = re.match(r" *(?:ldpc-|\$[A-Z0-9]+)(\w*) ", call)
        lines.append(re.sub(r" +#.*", "", call) + (ANYWHERE.get(program.group(1) or "ber", "") if program else ""))
    return "\n".join(lines).replace("tests/bench/", f"{sys.executable} {SOURCE}/tests/bench/")


class Examples(unittest.TestCase):
    def run_it(self, command, **options):
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_python_example(self):
        text = self.run_it([sys.executable, os.path.join(SOURCE, "examples", "python", "decode.py")])
        hard = float(re.search(r"hard decisions: ([\d.]+)%", text).group(1))
        wrong = int(re.search(r"decoded: (\d+) of 1000 words", text).group(1))
        self.assertGreater(hard, 5)
        self.assertLess(wrong, 100)

    def test_packets_example(self):
        """At 3 dB all packets are received, and no wrong packet is output at any noise level."""
        text = self.run_it([sys.executable, os.path.join(SOURCE, "examples", "python", "packets.py")])
        self.assertEqual(re.findall(r"(\d+) wrong", text), ["0"] * 4)
        self.assertIn("3.0 dB: 200 of 200 packets right", text)

    def test_ci_takes_no_arguments(self):
        result = subprocess.run([os.path.join(SOURCE, ".ci", "run"), "--quick"], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"^usage: .*\n$")

    def shell(self, script, folder):
        """Runs commands. Uses the shell only for commands that need it."""
        script = script.strip("\n")
        environment = os.environ | {"PATH": PROGRAMS + os.pathsep + os.environ["PATH"], "XDG_CACHE_HOME": folder}
        if re.search(r"^(?! *ldpc-)|[|<>$*;&]", script, re.MULTILINE):
            self.run_it(["sh", "-e", "-c", script], cwd=folder, env=environment)
            return
        for line in script.splitlines():
            result = run(*shlex.split(line), folder=folder, XDG_CACHE_HOME=folder)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_examples_of_help(self):
        """Runs the examples of all programs in one folder, because some of them read files that others write."""
        with tempfile.TemporaryDirectory() as folder:
            for program in ("make", "info", "ber", "plot", "encode", "decode", "bench", "tune"):
                text = self.run_it([os.path.join(PROGRAMS, f"ldpc-{program}"), "--help"])
                examples = [line.strip() for line in text.split("Examples:\n")[1].splitlines()]
                self.assertLess(max(map(len, examples)), 77)
                self.assertGreater(len(examples), 2)
                for example in examples:
                    if "mpirun" not in example and "cuda" not in example:
                        with self.subTest(example):
                            self.shell(example + QUICKER.get(program, ""), folder)
            made = {"code.alist", "code.nbalist", "code.qc", "a.png", "failures.npz", "curves.pdf", "curves.png", "again"}
            self.assertEqual(made - set(os.listdir(folder)), set())

    def test_shell_of_docs_ber(self):
        """Runs all blocks of docs/ber.md and docs/measurements/ber.md in one folder, with fewer frames."""
        blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text_of("docs", "ber.md") + text_of("docs", "measurements", "ber.md"), re.DOTALL)
        self.assertGreater(len(blocks), 4)
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                with self.subTest(block=block):
                    self.shell(re.sub("^ldpc-ber .*", r"\g<0>" + QUICKER["ber"], block, flags=re.MULTILINE), folder)
            self.assertTrue({"wimax.png", "fer.svg", "both.csv", "long.json", "again", "n8192.qc"} <= set(os.listdir(folder)))

    def test_calls_of_other_pages(self):
        for page, calls, made in (("measurements/cpu.md", 2, ()), ("measurements/gpu.md", 2, ()), ("../CONTRIBUTING.md", 1, ()),
                                  ("ber.md", 1, ()), ("tuning.md", 4, ()), ("measurements/papers.md", 14, ("fig3.png", "fig4.png", "five_min_sum.json"))):
            with self.subTest(page), tempfile.TemporaryDirectory() as folder:
                script = script_of(page)
                self.assertGreaterEqual(len(script.splitlines()), calls)
                self.shell(script, folder)
                self.assertTrue(set(made) <= set(os.listdir(folder)))


if __name__ == "__main__":
    unittest.main()
