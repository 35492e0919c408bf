# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the stored stubs match the signatures of the module, and that mypy accepts them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
MODULES = pathlib.Path(os.environ.get("PYTHONPATH", "").rpartition(os.pathsep)[2])
MYPY = shutil.which("mypy")
WRONG = """import libldpc
libldpc.decoder("x", max_iterations="20")
libldpc.code("x").encode(3).upper()
libldpc.simulate("x", 1.0, modulaton="qpsk")
libldpc.code("x").n = 3
"""


class Stubs(unittest.TestCase):
    def test_stored_stub(self):
        result = subprocess.run([sys.executable, HERE.parents[1] / "scripts" / "make_stubs"], capture_output=True, text=True, check=True)
        self.assertEqual((HERE / "_libldpc.pyi").read_text(encoding="utf-8"), result.stdout, "run scripts/make_stubs")

    def test_installed_beside_the_module(self):
        for name in ("_libldpc.pyi", "py.typed"):
            self.assertTrue((MODULES / "libldpc" / name).exists())

    def mypy(self, file):
        with tempfile.TemporaryDirectory() as cache:
            return subprocess.run([MYPY, "--strict", "--follow-imports=silent", "--cache-dir", cache, "--python-executable", sys.executable, file],
                                  capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(MODULES)})

    @unittest.skipIf(MYPY is None, "mypy is not installed")
    def test_right_calls(self):
        result = self.mypy(HERE / "typed_use.py")
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1:]), (0, ["Success: no issues found in 1 source file"]), result.stdout)

    @unittest.skipIf(MYPY is None, "mypy is not installed")
    def test_wrong_calls(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "wrong.py")
            file.write_text(WRONG, encoding="utf-8")
            found = self.mypy(file).stdout
        self.assertEqual([line.split(":")[1] for line in found.splitlines() if ": error:" in line], ["2", "3", "4", "5"], found)


if __name__ == "__main__":
    unittest.main()
