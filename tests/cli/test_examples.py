# SPDX-License-Identifier: BSD-3-Clause
"""What the documentation shows works: examples/python, the Python text and the program calls of the README."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = os.path.abspath(os.environ["LDPC_PROGRAMS"])
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def readme():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        return file.read()


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

    def test_python_of_the_readme(self):
        blocks = [block for block in re.findall(r"```python\n(.*?)```", readme(), re.DOTALL) if "libldpc" in block]
        self.assertEqual(len(blocks), 1)
        wrong = re.match(r"(\d+) of 100 words wrong", self.run_it([sys.executable, "-c", blocks[0]]))
        self.assertLess(int(wrong.group(1)), 10)

    def test_program_calls_of_the_readme(self):
        section = readme().split("## Programs")[1].split("\n## ")[0]
        calls = re.findall(r"^    (ldpc-.*?)(?:   |$)", section, re.MULTILINE)
        self.assertGreater(len(calls), 3)
        with tempfile.TemporaryDirectory() as folder:
            for call in calls:
                program, *arguments = shlex.split(call)
                if program == "ldpc-bench":
                    arguments += ["--seconds", "0.01", "--iterations", "3"]
                with self.subTest(call=call):
                    self.assertTrue(self.run_it([os.path.join(PROGRAMS, program), *arguments], cwd=folder))

    def test_shell_of_docs_ber(self):
        """Every block of docs/ber.md, one after the other in one folder."""
        with open(os.path.join(SOURCE, "docs", "ber.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```sh\n(.*?)```", file.read(), re.DOTALL)
        self.assertGreater(len(blocks), 4)
        environment = os.environ | {"PATH": PROGRAMS + os.pathsep + os.environ["PATH"]}
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                with self.subTest(block=block):
                    self.run_it(["sh", "-e", "-c", block], cwd=folder, env=environment)
            self.assertTrue({"wimax.png", "fer.svg", "both.csv", "long.json", "again"} <= set(os.listdir(folder)))


if __name__ == "__main__":
    unittest.main()
