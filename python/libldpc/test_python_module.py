# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the module: __init__, independence of NumPy's structures, docstrings, names of codes."""
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import docstrings
import libldpc

HERE = pathlib.Path(__file__).parent
CLASSES = sorted(name for name, value in vars(libldpc).items() if inspect.isclass(value) and value.__module__ == "libldpc._libldpc")

# Runs a separate process, because a defect would crash it.
USE_BEFORE_INIT = """
import libldpc
kind = libldpc.{name}
new = kind.__new__(kind)
for member in dir(kind):
    if not member.startswith("__"):
        try:
            value = getattr(new, member)
            value() if callable(value) else None
        except TypeError:
            continue
        raise SystemExit("libldpc.{name}." + member + " can be used before __init__")
"""


class BeforeInit(unittest.TestCase):
    def refused(self, script):
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_all_classes_refuse(self):
        self.assertIn("decoder", CLASSES)
        for name in CLASSES:
            with self.subTest(name):
                self.refused(USE_BEFORE_INIT.format(name=name))

    def test_the_sentence(self):
        self.refused("import libldpc\n"
                     "try: libldpc.decoder.__new__(libldpc.decoder).n\n"
                     "except TypeError as error: assert str(error) == 'this object cannot be used before its __init__', error\n"
                     "else: raise SystemExit('taken')\n")

    def test_arguments_are_refused(self):
        self.refused("import libldpc\n"
                     "try: libldpc.decoder(libldpc.code.__new__(libldpc.code))\n"
                     "except TypeError: pass\n"
                     "else: raise SystemExit('taken')\n")

    def test_a_derived_class_may_not_use_its_base_early(self):
        self.refused("import libldpc\n"
                     "class early(libldpc.decoder):\n"
                     "    def __init__(self):\n"
                     "        try: self.n\n"
                     "        except TypeError: super().__init__('wimax:576:1/2')\n"
                     "assert early().n == 576\n")


class Numpy(unittest.TestCase):
    """The bindings must work with every version of NumPy."""

    def sources(self):
        return {path.name: path.read_text(encoding="utf-8") for pattern in ("*.cc", "*.h") for path in HERE.glob(pattern)}

    def test_one_header_includes_numpy_and_forbids_what_depends_on_its_version(self):
        including = [name for name, text in self.sources().items() if "pybind11/numpy.h" in text]
        self.assertEqual(including, ["bindings.h"])
        after = self.sources()["bindings.h"].partition("pybind11/numpy.h")[2]
        self.assertIn("#pragma GCC poison itemsize nbytes", after)

    def test_arrays_are_made_by_helpers(self):
        """Arrays must be created with these helpers, because other constructors of pybind11 read NumPy's item size."""
        variable = re.compile(r"^ +(?:const )?(?:py::array(?:_t<.*?>)?|(?!new_)\w+_array) \w+[({](?!.* &\w)")
        temporary = re.compile(r"(?:return|[=(,:?]) (?:py::array(?:_t<.*?>)?|(?!new_)\w+_array)[({](?!new_array|std::move\(|\))")
        lines = [(name, line.strip()) for name, text in self.sources().items() for line in text.splitlines()
                 if variable.search(line) or temporary.search(line)]
        self.assertEqual(lines, [("bind_module.cc", "return py::array(type, shape, strides, memory, owner);"),
                                 ("bindings.h", "return py::array_t<Item>(shape, data);")])


class CacheFolder(unittest.TestCase):
    def test_a_folder_that_others_can_write_to(self):
        with tempfile.TemporaryDirectory() as folder:
            libldpc.check_cache_dir(folder)
            libldpc.check_cache_dir(folder + "/none")
            os.chmod(folder, 0o777)
            with self.assertRaisesRegex(OSError, "other users can write to it"):
                libldpc.check_cache_dir(folder)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                libldpc.decoder("wimax:576:1/2", backend="gpu", fallback=True, cache_dir=folder)
                libldpc.decoder("wimax:576:1/2", backend="cpu", cache_dir=folder)
            self.assertEqual(sum("other users can write to it" in str(warning.message) for warning in caught), 1)


class Docstrings(unittest.TestCase):
    def texts(self):
        for value in vars(libldpc).values():
            yield inspect.getdoc(value) or ""
            if inspect.isclass(value):
                yield from (inspect.getdoc(member) or "" for member in vars(value).values())

    def test_the_codes_they_name_exist(self):
        families = {name.split(":")[0] for name in libldpc.codes()}
        named = {name for text in self.texts() for name in re.findall(rf"\b(?:{'|'.join(families)}):[\w:/.]*\w", text)}
        self.assertIn("dvbt2:64800:1/2", named)
        for name in sorted(named):
            with self.subTest(name):
                libldpc.code(name)

    def test_they_are_complete(self):
        """Docstrings describe all parameters and exceptions."""
        self.assertEqual(list(docstrings.gaps(libldpc)), [])


class Page(unittest.TestCase):
    def test_the_examples_of_the_page_run(self):
        page = (HERE.parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertGreater(len(blocks), 2)
        for block in blocks:
            with tempfile.TemporaryDirectory() as folder:
                script = pathlib.Path(folder, "example.py")
                script.write_text(block, encoding="utf-8")
                result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
            self.assertEqual((result.returncode, result.stderr), (0, ""), block)


if __name__ == "__main__":
    unittest.main()
