# SPDX-License-Identifier: BSD-3-Clause
"""Stored stubs match the modules' signatures, and mypy accepts them."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PYTHON = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = [name for name in ("libldpc", "libdvbt2", "libdvbs2") if importlib.util.find_spec(name)]
MODULES = pathlib.Path(os.environ.get("PYTHONPATH", "").rpartition(os.pathsep)[2])
MYPY = shutil.which("mypy")
WRONG = {"libldpc": """import libldpc
libldpc.decoder("x", max_iterations="20")
libldpc.code("x").encode(3).upper()
libldpc.simulate("x", 1.0, modulaton="qpsk")
libldpc.code("x").n = 3
""", "libdvbt2": """import libdvbt2
libdvbt2.receiver("10e6")
libdvbt2.receiver(10e6).pull()[0]
libdvbt2.receive(libdvbt2.receiver(10e6), 3, [])
libdvbt2.plp_decoder().pull().upper()
""", "libdvbs2": """import libdvbs2
libdvbs2.receiver("10e6", 1e6)
libdvbs2.receiver(2e6, 1e6).pull().packets
libdvbs2.receive(libdvbs2.receiver(2e6, 1e6), 3)
libdvbs2.receiver(2e6, 1e6).gap(3)
"""}


class Stubs(unittest.TestCase):
    def test_stored_stub(self):
        for package in PACKAGES:
            result = subprocess.run([sys.executable, PYTHON.parent / "scripts" / "make_stubs", package], capture_output=True, text=True, check=True)
            self.assertEqual((PYTHON / package / f"_{package}.pyi").read_text(encoding="utf-8"), result.stdout, f"run scripts/make_stubs {package}")

    def test_installed_beside_the_module(self):
        for package in PACKAGES:
            for name in (f"_{package}.pyi", "py.typed"):
                self.assertTrue((MODULES / package / name).exists(), (package, name))

    @classmethod
    def setUpClass(cls):
        cache = tempfile.TemporaryDirectory()  # NumPy's stubs take most of the time
        cls.addClassCleanup(cache.cleanup)
        cls.cache = cache.name

    def mypy(self, file):
        return subprocess.run([MYPY, "--strict", "--follow-imports=silent", "--cache-dir", self.cache, "--python-executable", sys.executable, file],
                              capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(MODULES)})

    @unittest.skipIf(MYPY is None, "mypy is not installed")
    def test_right_calls(self):
        for package in PACKAGES:
            result = self.mypy(PYTHON / package / "typed_use.py")
            self.assertEqual((result.returncode, result.stdout.splitlines()[-1:]), (0, ["Success: no issues found in 1 source file"]), result.stdout)

    @unittest.skipIf(MYPY is None, "mypy is not installed")
    def test_wrong_calls(self):
        for package in PACKAGES:
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "wrong.py")
                file.write_text(WRONG[package], encoding="utf-8")
                found = self.mypy(file).stdout
            self.assertEqual([line.split(":")[1] for line in found.splitlines() if ": error:" in line], ["2", "3", "4", "5"], found)


if __name__ == "__main__":
    unittest.main()
