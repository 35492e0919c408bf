# SPDX-License-Identifier: BSD-3-Clause
"""Runs the fuzz corpus of the result-file readers without a fuzzer. Checks the format of all corpora."""
import pathlib
import tempfile
import unittest

import corpus
import result_files

HERE = pathlib.Path(__file__).parent


class Corpora(unittest.TestCase):
    def test_inputs_are_read(self):
        inputs = corpus.read(HERE / "corpus" / "result_files.txt")[1]
        self.assertGreater(len(inputs), 3)
        for data in inputs:
            with self.subTest(data[:60]):
                result_files.one_input(data)

    def test_lines_are_read_as_they_were_written(self):
        for data in (b"#", b" a ", b"\\x41", b"\0\xff\n", bytes(range(256))):
            line = corpus.line_of(data)
            self.assertTrue(line.isprintable() and line == line.strip() and not line.startswith("#"), line)
            self.assertEqual(corpus.input_of(line), data)

    def test_golden_inputs_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path, found = pathlib.Path(folder) / "a.txt", pathlib.Path(folder) / "found"
            path.write_text("old\n# golden: broke it\ngone\\x00wrong\n")
            found.mkdir()
            for number, data in enumerate((b"longer", b"new")):
                (found / str(number)).write_bytes(data)
            corpus.pack(found, path, 1)
            self.assertEqual(corpus.read(path), (["# golden: broke it", "gone\\x00wrong"], [b"new", b"gone\0wrong"]))


if __name__ == "__main__":
    unittest.main()
