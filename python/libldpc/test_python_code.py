# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.code: names, matrices, files, encoding."""
import os
import pickle
import tempfile
import unittest

import numpy as np

import libldpc

HAMMING = np.array([[1, 1, 0, 1, 1, 0, 0], [1, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 0, 1]], dtype=np.uint8)


def dense(code):
    matrix = np.zeros((code.checks, code.columns), dtype=np.uint8)
    matrix[code.parity_matrix()] = 1
    return matrix


class Names(unittest.TestCase):
    def test_facts(self):
        code = libldpc.code("dvbt2:16200:1/2")
        self.assertEqual((code.n, code.k, code.rate), (16200, 7200, 7200 / 16200))
        self.assertEqual((code.checks, code.columns, code.order), (9000, 16200, 2))
        self.assertEqual((code.name, code.punctured, code.shortened), ("dvbt2:16200:1/2", 0, 0))
        self.assertIn("EN 302 755", code.standard)
        self.assertEqual(code.lifting_size, 360)
        self.assertEqual(repr(code), "<libldpc.code dvbt2:16200:1/2: n=16200, k=7200>")

    def test_every_listed_name_can_be_made(self):
        names = libldpc.codes()
        self.assertEqual(len(names), len(set(names)))
        for name in names[:: max(1, len(names) // 40)]:
            self.assertEqual(libldpc.code(name).name, name)

    def test_unknown_name_suggests_near_ones(self):
        with self.assertRaisesRegex(ValueError, "wimax:2304:1/2"):
            libldpc.code("wimax:2304:1/3")

    def test_wrong_type_and_missing_file(self):
        with self.assertRaises(TypeError):
            libldpc.code(17)
        with self.assertRaisesRegex(ValueError, "null character"):
            libldpc.code("wimax:576:1/2\0junk")
        with self.assertRaisesRegex(ValueError, "dv -3: "):
            libldpc.code.random(96, -3, 6)
        with self.assertRaises(OSError):
            libldpc.code("alist:/nonexistent.alist")

    def test_a_file_of_other_bytes(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\x89PNG\r\n\x1a\n\xff")
            file.flush()
            for form in ("alist", "qc", "nbalist"):
                with self.subTest(form), self.assertRaisesRegex(ValueError, r'line 1: expected .*, found ".PNG"'):
                    libldpc.code(f"{form}:{file.name}")


class Matrices(unittest.TestCase):
    def test_edges_make_the_matrix(self):
        code = libldpc.code.from_edges(*HAMMING.shape, *HAMMING.nonzero())
        np.testing.assert_array_equal(dense(code), HAMMING)
        self.assertEqual((code.n, code.k, code.edges), (7, 4, HAMMING.sum()))
        np.testing.assert_array_equal(code.check(1), [0, 2, 3, 5])
        with self.assertRaises(IndexError):
            code.check(3)

    def test_bad_edges(self):
        for rows, columns, exception in (([0, 1], [0], ValueError), ([0, 0], [1, 1], ValueError),
                                         ([0, -1], [0, 1], ValueError), ([0, 2**40], [0, 1], ValueError),
                                         ([0, 3], [0, 1], ValueError), ([0.0], [1.0], TypeError),
                                         ([[0]], [[1]], TypeError)):
            with self.subTest(rows=rows, columns=columns), self.assertRaises(exception):
                libldpc.code.from_edges(3, 7, np.array(rows), np.array(columns))

    def test_alist_round_trip(self):
        code = libldpc.code("wimax:576:3/4A")
        again = libldpc.code.from_alist(code.to_alist())
        np.testing.assert_array_equal(dense(again), dense(code))
        self.assertEqual(again.name, "alist")

    def test_qc_round_trip(self):
        code = libldpc.code("wifi:648:2/3")
        again = libldpc.code.from_qc(code.to_qc())
        np.testing.assert_array_equal(dense(again), dense(code))
        self.assertEqual(again.lifting_size, 27)

    def test_files_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hamming.alist")
            with open(path, "w", encoding="ascii") as file:
                file.write(libldpc.code.from_edges(*HAMMING.shape, *HAMMING.nonzero()).to_alist())
            np.testing.assert_array_equal(dense(libldpc.code("alist:" + path)), HAMMING)

    def test_bad_text_names_the_line(self):
        with self.assertRaisesRegex(ValueError, "line"):
            libldpc.code.from_alist("7 3\nnonsense\n")

    def test_girth(self):
        self.assertEqual(libldpc.code.from_edges(*HAMMING.shape, *HAMMING.nonzero()).girth(), 4)
        self.assertEqual(libldpc.code("wifi:648:1/2").girth(4), 0)


class Changes(unittest.TestCase):
    """Tests the choice of message, punctured and shortened columns."""

    def setUp(self):
        self.random = np.random.default_rng(5)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "a.alist")
        with open(self.file, "w", encoding="ascii") as file:
            file.write(libldpc.code.random(120, 3, 6, seed=3).to_alist())  # H has a redundant row

    def encoded(self, code):
        messages = self.random.integers(0, 2, (9, code.k), np.uint8)
        columns = np.zeros((9, code.columns), np.uint8)
        columns[:, code.transmitted_columns] = code.encode(messages)
        return messages, columns

    def test_message_columns(self):
        first = libldpc.code(dense(libldpc.code("alist:" + self.file)))
        for message in ("first", "last", np.flip(first.message_columns), self.random.permutation(first.message_columns)):
            code = libldpc.code(first, message=message)
            wanted = first.message_columns if isinstance(message, str) and message == "first" else message
            messages, columns = self.encoded(code)
            self.assertFalse(code.syndrome_weight(columns).any())
            self.assertTrue((columns[:, code.message_columns] == messages).all())
            if not isinstance(message, str) or message == "first":
                self.assertEqual(code.message_columns.tolist(), np.asarray(wanted).tolist())
            bits, info = libldpc.decoder(code).decode(np.where(columns, -10, 10).astype(np.int8))
            self.assertTrue((bits == messages).all() and info["converged"].all())
            self.assertEqual(pickle.loads(pickle.dumps(code)), code)
        self.assertNotEqual(libldpc.code(first, message="last"), first)

    def test_last_is_first_of_the_mirrored_matrix(self):
        matrix = dense(libldpc.code("alist:" + self.file))
        last = libldpc.code(matrix, message="last").message_columns
        self.assertEqual(last.tolist(), np.sort(119 - libldpc.code(matrix[:, ::-1]).message_columns).tolist())

    def test_message_stays_with_other_changes(self):
        code = libldpc.code(f"alist:{self.file},message=last")
        chosen = np.flip(code.message_columns)
        changed = libldpc.code(libldpc.code(code, message=chosen), punctured=[5], shortened=[int(chosen[3])])
        self.assertEqual(changed.message_columns.tolist(), np.delete(chosen, 3).tolist())
        self.assertEqual(pickle.loads(pickle.dumps(changed)), changed)

    def test_names(self):
        code = libldpc.code(f"alist:{self.file},message=last,punctured=3+50-59,shortened=0-1")
        self.assertEqual((code.n, code.punctured, code.shortened), (107, 11, 2))
        self.assertEqual(code, libldpc.code(libldpc.code("alist:" + self.file), punctured=[3, *range(50, 60)], shortened=[0, 1], message="last"))
        self.assertEqual(pickle.loads(pickle.dumps(code)), code)
        wifi = libldpc.code("wifi:648:1/2,shortened=0-99")
        self.assertEqual((wifi.n, wifi.k, wifi.lifting_size), (548, 224, 27))
        self.assertEqual(pickle.loads(pickle.dumps(wifi)), wifi)

    def test_punctured_bits_are_recovered(self):
        code = libldpc.code(libldpc.code("wifi:648:1/2"), punctured=range(8), shortened=range(100, 120))
        messages, llrs = libldpc.noisy_frames(code, ebn0=4.0, count=50)
        bits, info = libldpc.decoder(code).decode(llrs)
        self.assertTrue((bits == messages).all() and info["converged"].all())
        base = libldpc.code.from_base([[0, 3, 1, 0], [2, 7, -1, 0]], 16, punctured=range(16))
        self.assertEqual(base, libldpc.code(libldpc.code.from_base([[0, 3, 1, 0], [2, 7, -1, 0]], 16), punctured=range(16)))

    def test_wrong_columns(self):
        for changes, sentence in (({"punctured": [7]}, "0 .. 6, found \"7\""), ({"punctured": [1], "shortened": [1]}, "column 1 is already punctured"),
                                  ({"message": [0, 1]}, "has 2 columns: expected k = 4"), ({"message": [0, 1, 2, 2]}, "column 2 is listed twice"),
                                  ({"message": [3, 4, 0, 1]}, "column 1 depends on others"), ({"message": "middle"}, "a message column, first or last, 0 .. 6, found \"middle\"")):
            with self.assertRaisesRegex(ValueError, sentence):
                libldpc.code(HAMMING, **changes)
        with self.assertRaisesRegex(RuntimeError, r"GF\(64\)"):
            libldpc.code("bds:b1c:200,message=last")


class Encoding(unittest.TestCase):
    def test_codewords_satisfy_all_checks(self):
        code = libldpc.code("wimax:576:1/2")
        messages = np.random.default_rng(1).integers(0, 2, (5, code.k), dtype=np.uint8)
        codewords = code.encode(messages)
        self.assertEqual((codewords.shape, codewords.dtype), ((5, code.n), np.uint8))
        self.assertFalse((dense(code) @ codewords.T % 2).any())
        np.testing.assert_array_equal(codewords[:, code.message_columns], messages)
        np.testing.assert_array_equal(code.syndrome_weight(codewords), np.zeros(5))
        codewords[2, 0] ^= 1
        self.assertEqual(code.syndrome_weight(codewords[2]), dense(code)[:, 0].sum())

    def test_too_large_for_an_encoder(self):
        checks, variables, degree = 2**16, 2**17, 6
        sockets = np.random.default_rng(1).permutation(variables * degree)
        ones = np.unique(sockets % checks * variables + np.arange(len(sockets)) // degree)
        code = libldpc.code.from_edges(checks, variables, ones // variables, ones % variables)
        self.assertFalse(code.has_encoder)
        self.assertTrue(libldpc.code("wifi:648:1/2").has_encoder)
        self.assertTrue(libldpc.code("bds:b1c:88").has_encoder)
        self.assertEqual(code.k, variables - checks)
        np.testing.assert_array_equal(code.message_columns, np.arange(code.k))
        with self.assertRaisesRegex(ValueError, "too large for an encoder"):
            code.encode(np.zeros(code.k, dtype=np.uint8))
        messages, llrs = libldpc.noisy_frames(code, 8.0, count=1)
        self.assertFalse(messages.any())
        bits, _ = libldpc.decoder(code).decode(llrs)
        np.testing.assert_array_equal(bits, messages)
        with self.assertRaisesRegex(RuntimeError, "16qam"):
            libldpc.noisy_frames(code, 8.0, count=1, modulation="16qam")

    def test_larger_field(self):
        code = libldpc.code("bds:b1c:88")
        self.assertEqual((code.n, code.k, code.order, code.symbol_bits, code.polynomial), (88, 44, 64, 6, 0b1000011))
        self.assertIn("GF(64)", repr(code))
        values = code.parity_values()
        self.assertEqual((values.dtype, values.shape), (np.uint16, (code.edges,)))
        self.assertTrue(((values > 0) & (values < 64)).all())
        messages = np.random.default_rng(4).integers(0, 2, (3, 44 * 6), dtype=np.uint8)
        codewords = code.encode(messages)
        self.assertEqual(codewords.shape, (3, 88 * 6))
        np.testing.assert_array_equal(codewords[:, :44 * 6], messages)
        self.assertEqual(list(code.syndrome_weight(codewords)), [0, 0, 0])
        codewords[1, 7] ^= 1
        self.assertEqual(code.syndrome_weight(codewords[1]), 2)  # a symbol is in two checks
        again = libldpc.code.from_nbalist(code.to_alist())
        np.testing.assert_array_equal(again.parity_values(), values)
        with self.assertRaisesRegex(ValueError, "line 1"):
            libldpc.code.from_nbalist("4 2 5")

    def test_random(self):
        code = libldpc.code.random(120, 3, 6, seed=2)
        self.assertEqual((code.n, code.checks, code.edges, code.order), (120, 60, 360, 2))
        wide = libldpc.code.random(120, 3, 6, order=32, seed=2)
        np.testing.assert_array_equal(code.parity_matrix(), wide.parity_matrix())
        with self.assertRaisesRegex(ValueError, "multiple of dc"):
            libldpc.code.random(121, 3, 7)

    def test_one_word_has_no_words_axis(self):
        code = libldpc.code("wimax:576:1/2")
        message = np.random.default_rng(2).integers(0, 2, code.k).astype(bool)
        self.assertEqual(code.encode(message).shape, (code.n,))

    def test_strided_messages(self):
        code = libldpc.code("wimax:576:1/2")
        messages = np.random.default_rng(3).integers(0, 2, (code.k, 4), dtype=np.uint8)
        np.testing.assert_array_equal(code.encode(messages.T), code.encode(np.ascontiguousarray(messages.T)))

    def test_columns_over_a_larger_field_are_symbols(self):
        code = libldpc.code("bds:b1c:88")
        self.assertEqual((code.transmitted_columns.shape, code.message_columns.shape), ((88,), (44,)))
        self.assertEqual(sorted(code.transmitted_columns), list(range(88)))

    def test_wrong_arrays(self):
        code = libldpc.code("wimax:576:1/2")
        for shape in ((287,), (2, 289), (0, 288), (1, 1, 288), ()):
            with self.subTest(shape=shape), self.assertRaisesRegex(ValueError, "k = 288"):
                code.encode(np.zeros(shape, np.uint8))
        for dtype in (np.float32, complex):
            with self.subTest(dtype=dtype), self.assertRaisesRegex(TypeError, "integers or bool"):
                code.encode(np.zeros(288, dtype))


if __name__ == "__main__":
    unittest.main()
