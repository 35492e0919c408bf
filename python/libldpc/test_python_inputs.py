# SPDX-License-Identifier: BSD-3-Clause
"""Tests of arguments: matrices, paths, lists, integers, pickled objects, invalid values."""
import inspect
import multiprocessing
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np

import libldpc

try:
    import scipy.sparse
except ImportError:
    scipy = None

CODE = libldpc.code("wimax:576:1/2")
HAMMING = [[1, 1, 0, 1, 1, 0, 0], [1, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 0, 1]]


def same_matrix(one, other):
    return (one.checks, one.columns) == (other.checks, other.columns) and all(
        np.array_equal(a, b) for a, b in zip(one.parity_matrix(), other.parity_matrix()))


class Matrices(unittest.TestCase):
    def test_dense(self):
        expected = libldpc.code.from_edges(3, 7, *np.nonzero(HAMMING))
        for matrix in (HAMMING, tuple(map(tuple, HAMMING)), np.array(HAMMING, np.uint8), np.array(HAMMING, bool),
                       np.array(HAMMING, float), np.asfortranarray(HAMMING)):
            with self.subTest(type=type(matrix)):
                self.assertTrue(same_matrix(libldpc.code(matrix), expected))
        self.assertEqual(libldpc.decoder(HAMMING).n, 7)

    @unittest.skipIf(scipy is None, "no scipy")
    def test_sparse(self):
        expected = libldpc.code(HAMMING)
        for form in ("csr", "csc", "coo", "lil", "dok"):
            with self.subTest(form=form):
                self.assertTrue(same_matrix(libldpc.code(scipy.sparse.coo_matrix(HAMMING).asformat(form)), expected))
        stored_zero = scipy.sparse.csr_matrix(([1, 0, 1], [0, 1, 2], [0, 3]), shape=(1, 3))
        self.assertEqual(libldpc.code(stored_zero).edges, 2)
        twice = scipy.sparse.coo_matrix(([1, 1], ([0, 0], [1, 1])), shape=(1, 3))
        with self.assertRaisesRegex(ValueError, "zeros and ones"):
            libldpc.code(twice)

    def test_wrong_matrices(self):
        for wrong in ([[0, 2]], [[0, -1]], [[0.5, 1]]):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, "zeros and ones"):
                libldpc.code(wrong)
        for wrong in ([1, 0, 1], 3, None, [["a"]], np.zeros((2, 2, 2))):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(TypeError, "expected a name"):
                libldpc.code(wrong)

    def test_base_matrix(self):
        base = [[0, 1, -1], [2, -1, 0]]
        code = libldpc.code.from_base(base, 4, punctured=[0, 1], shortened=[11])
        self.assertEqual((code.lifting_size, code.columns, code.punctured, code.shortened, code.n), (4, 12, 2, 1, 9))
        expected = np.zeros((8, 12), int)
        for row, shifts in enumerate(base):
            for column, shift in enumerate(shifts):
                if shift >= 0:
                    expected[4 * row:4 * row + 4, 4 * column:4 * column + 4] = np.roll(np.eye(4, dtype=int), shift, axis=1)
        self.assertTrue(same_matrix(code, libldpc.code(expected)))
        for wrong, says in (([[4]], "a shift of 0 .. 3, not 4"), ([[-2]], "not -2")):
            with self.assertRaisesRegex(ValueError, says):
                libldpc.code.from_base(wrong, 4)
        for wrong in ([0, 1], [[0.0]], "x"):
            with self.assertRaisesRegex(TypeError, "matrix of integers"):
                libldpc.code.from_base(wrong, 4)
        with self.assertRaisesRegex(ValueError, "z 0: expected a lifting size of 1 or more"):
            libldpc.code.from_base([[0]], 0)
        for name in ("punctured", "shortened"):
            with self.assertRaisesRegex(ValueError, f'expected a {name} column, 0 .. 7, found "8"'):
                libldpc.code.from_base([[0, 1]], 4, **{name: [8]})

    def test_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, text in (("alist", CODE.to_alist()), ("qc", CODE.to_qc())):
                path = pathlib.Path(folder, "h." + ending)
                path.write_text(text, encoding="utf-8")
                self.assertTrue(same_matrix(libldpc.code(path), CODE))
            with self.assertRaises(OSError):
                libldpc.code(pathlib.Path(folder, "none.qc"))
            libldpc.check_cache_dir(pathlib.Path(folder))
            self.assertEqual(libldpc.decoder(CODE, cache_dir=pathlib.Path(folder)).parameters["cache_dir"], pathlib.Path(folder))
        with self.assertRaisesRegex(ValueError, "with suffix .alist, .qc or .nbalist"):
            libldpc.code(pathlib.Path("h.txt"))


class Arrays(unittest.TestCase):
    def setUp(self):
        self.messages = np.random.default_rng(1).integers(0, 2, (3, CODE.k), np.uint8)
        self.codewords = CODE.encode(self.messages)

    def test_messages_of_any_integer_type(self):
        for form in (np.int64, np.uint16, np.int8, bool):
            np.testing.assert_array_equal(CODE.encode(self.messages.astype(form)), self.codewords)
        np.testing.assert_array_equal(CODE.encode(self.messages.tolist()), self.codewords)
        np.testing.assert_array_equal(CODE.encode(self.messages[:, ::-1])[:, :4], self.messages[:, ::-1][:, :4])

    def test_other_values_than_bits(self):
        for form, value in ((np.uint8, 2), (np.int8, -1), (np.int64, 256), (np.int64, -1)):
            messages = self.messages.astype(form)
            messages[1, 7] = value
            with self.subTest(value=value, form=form), self.assertRaisesRegex(ValueError, f"expected values of 0 .. 1, not {value}"):
                CODE.encode(messages)
        with self.assertRaisesRegex(ValueError, "codewords: expected values of 0 .. 1, not 3"):
            CODE.syndrome_weight(3 * self.codewords)
        with self.assertRaisesRegex(ValueError, "message: expected values of 0 .. 1, not 2"):
            bch = libldpc.bch("dvbs2:16200:1/2")
            bch.encode(np.full(bch.k, 2, np.uint8))

    def test_llrs_of_any_signed_type(self):
        decoder, llrs = libldpc.decoder(CODE), libldpc.noisy_frames(CODE, 2.0, count=3)[1]
        expected = decoder.decode(llrs)[0]
        for same in (llrs.astype(np.int16), llrs.astype(np.int64), llrs.tolist()):
            np.testing.assert_array_equal(decoder.decode(same)[0], expected)
        wide = llrs.astype(int)
        for value in (128, -129, 10**12):
            wide[2, 5] = value
            with self.assertRaisesRegex(ValueError, f"llrs: expected values of -128 .. 127, not {value}"):
                decoder.decode(wide)

    def test_wrong_shapes_name_what_was_given(self):
        """The error message states the expected shape, and the type and shape of the argument."""
        decoder, code = libldpc.decoder("wimax:576:1/2"), libldpc.code("wimax:576:1/2")
        for dtype in (np.int8, np.int16, np.int64, np.float16, np.float32, np.float64):
            with self.subTest(dtype), self.assertRaisesRegex(ValueError, rf"n = 576.*not {np.dtype(dtype)} of shape \(2, 575\)"):
                decoder.decode(np.zeros((2, 575), dtype))
        for dtype in (bool, np.uint8, np.int8, np.int32, np.uint64):
            with self.subTest(dtype), self.assertRaisesRegex(ValueError, rf"k = 288.*not {np.dtype(dtype)} of shape \(289,\)"):
                code.encode(np.zeros(289, dtype))
            with self.subTest(dtype), self.assertRaisesRegex(ValueError, rf"columns = 576.*not {np.dtype(dtype)} of shape \(3, 5\)"):
                code.syndrome_weight(np.zeros((3, 5), dtype))
            with self.subTest(dtype), self.assertRaisesRegex(ValueError, rf"not {np.dtype(dtype)} of shape \(7,\)"):
                libldpc.bch("dvbt2:16200:1/2").encode(np.zeros(7, dtype))
        demapper = libldpc.demapper("dvbt2:16200:1/2", "qpsk")
        with self.assertRaisesRegex(ValueError, r"not complex128 of shape \(7,\)"):
            demapper.demap(np.zeros(7, np.complex128), 1.0)
        with self.assertRaisesRegex(ValueError, r"not int64 of shape \(3,\)"):
            demapper.demap(np.zeros(8100, np.complex64), np.zeros(3, np.int64))

    def test_masked_arrays_are_refused(self):
        decoder, code = libldpc.decoder("wimax:576:1/2"), libldpc.code("wimax:576:1/2")
        llrs = np.ma.masked_array(np.zeros(576, np.int8), mask=np.arange(576) < 9)
        demapper = libldpc.demapper("dvbt2:16200:1/2", "qpsk")
        for use in (lambda: decoder.decode(llrs), lambda: decoder.decode(llrs.astype(float)), lambda: decoder.submit(llrs),
                    lambda: code.encode(np.ma.zeros(288, np.uint8)), lambda: code.syndrome_weight(np.ma.zeros(576, np.uint8)),
                    lambda: libldpc.code(np.ma.masked_array(np.eye(4, 6), mask=np.eye(4, 6))),
                    lambda: demapper.demap(np.ma.zeros(8100, complex), 1.0),
                    lambda: demapper.demap(np.zeros(8100, complex), np.ma.ones(8100)),
                    lambda: libldpc.bch("dvbt2:16200:1/2").encode(np.ma.zeros(7032, np.uint8))):
            self.assertRaisesRegex(TypeError, "without a mask", use)
        self.assertEqual(decoder.decode(llrs.filled(0))[0].shape, (288,))

    def test_a_code_without_messages(self):
        transposed = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
        with self.assertWarnsRegex(UserWarning, r"the parity-check matrix has 7 rows and 3 columns \(k = 0\): is it transposed\?"):
            code = libldpc.code(transposed)
        sentence = "no message bits .k = 0.: is its parity-check matrix of 7 rows and 3 columns transposed"
        decoder, llrs = libldpc.decoder(code), np.full((2, 3), 9, np.int8)
        for use in (lambda: code.encode(np.zeros((1, 0), np.uint8)), lambda: code.encode(np.zeros((20, 4), np.uint8)),
                    lambda: decoder.decode(llrs), lambda: decoder.submit(llrs)):
            self.assertRaisesRegex(ValueError, sentence, use)
        for use in (lambda: libldpc.simulate(code, 1.0), lambda: libldpc.noisy_frames(code, 1.0, count=1)):
            self.assertRaisesRegex((ValueError, RuntimeError), sentence, use)
        bits, info = decoder.decode(llrs, output="codeword")
        self.assertEqual((bits.tolist(), info["converged"].tolist()), ([[0, 0, 0]] * 2, [True] * 2))

    def test_llrs_that_round_to_zero(self):
        """A warning is necessary, because the decoder returns zeros without an error."""
        decoder, llrs = libldpc.decoder(CODE), libldpc.noisy_frames(CODE, 5.0, count=2)[1].astype(np.float32)
        with self.assertWarnsRegex(UserWarning, "all values round to 0; expected LLRs in nats"):
            decoder.decode(1e-3 * llrs)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for scale in (0.0, 0.1):
                decoder.decode(scale * llrs)

    def test_more_rows_than_columns(self):
        """A transposed matrix may have message bits. Square matrices with redundant rows are usual for cyclic codes."""
        rows = np.zeros((5, 3), np.uint8)
        rows[:, 0] = 1
        with self.assertWarnsRegex(UserWarning, r"5 rows and 3 columns \(k = 2\): is it transposed\?"):
            libldpc.decoder(rows)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            libldpc.decoder(rows.T)
            libldpc.decoder(rows[:3])

    def test_nan_is_refused_in_every_arithmetic(self):
        llrs = np.ones(CODE.n, np.float32)
        llrs[5] = np.nan
        for arithmetic in ("i8", "i16", "float"):
            with self.subTest(arithmetic=arithmetic), self.assertRaisesRegex(ValueError, "NaN"):
                libldpc.decoder(CODE, arithmetic=arithmetic).decode(llrs)


class Parameters(unittest.TestCase):
    def test_value_after_the_algorithm(self):
        llrs = libldpc.noisy_frames(CODE, 1.0, count=50)[1]
        for text, name, parameter in (("normalized:0.75", "normalized", {"factor": 0.75}), ("offset:1", "offset", {"offset": 1}),
                                      ("offset:2", "offset", {"offset": 2})):
            one, other = libldpc.decoder(CODE, algorithm=text), libldpc.decoder(CODE, algorithm=name, **parameter)
            self.assertEqual((one.algorithm, one.factor, one.offset), (name, other.factor, other.offset))
            for a, b in zip(one.decode(llrs), other.decode(llrs)):
                np.testing.assert_array_equal(a, b)
        for wrong, says in (("normalized:x", "a number of 0.0625 .. 1 after"), ("normalized:", "a number"), ("offset:nan", "a number of 0 .. 63"),
                            ("min-sum:1", "only offset and normalized"), ("normalized:2", "factor"), ("none:1", "algorithm: expected")):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, says):
                libldpc.decoder(CODE, algorithm=wrong)
        with self.assertRaisesRegex(ValueError, "given twice"):
            libldpc.decoder(CODE, algorithm="offset:1", offset=1)

    def test_wrong_types_are_one_sentence(self):
        for name, value, expected in (("max_iterations", "20", "int"), ("algorithm", 3, "str"), ("early_stop", "no", "bool"),
                                      ("llr_scale", "x", "float"), ("packed", [1, 2], "bool")):
            with self.subTest(name=name), self.assertRaises(TypeError) as caught:
                libldpc.decoder(CODE, **{name: value})
            self.assertEqual(str(caught.exception), f"{name}: expected {expected}, not {value!r}")

    def test_wrong_arguments_are_one_sentence(self):
        make, decoder = libldpc.decoder, libldpc.decoder(CODE)
        for call, sentence in ((lambda: make(CODE, iterations=3), "decoder() has no parameter iterations, did you mean max_iterations?"),
                               (lambda: make(CODE, wings=2), "decoder() has no parameter wings. Its parameters are code, max_"),
                               (lambda: make(CODE, n=2), "decoder() has no parameter n. Its parameters are code, max_"),
                               (make, "decoder() needs code"),
                               (lambda: make(CODE, code=CODE), "decoder() got code twice"),
                               (lambda: libldpc.bch("x", 2), "bch() takes name; 2 arguments were given"),
                               (lambda: libldpc.codes(2), "codes() takes no arguments"),
                               (lambda: libldpc.simulate(CODE, "1"), "ebn0: expected float, not '1'"),
                               (lambda: libldpc.code.from_edges(1, 2), "from_edges() needs checks and variables"),
                               (lambda: decoder.decode(llr=[1]), "decode() has no parameter llr, did you mean llrs?")):
            with self.subTest(sentence), self.assertRaises(TypeError) as raised:
                call()
            self.assertTrue(str(raised.exception).startswith(sentence), raised.exception)
            self.assertEqual(len(str(raised.exception).splitlines()), 1)

    def test_negative_numbers_are_one_sentence(self):
        for call, name in ((lambda: libldpc.simulate(CODE, 1.0, seed=-1), "seed -1"),
                           (lambda: libldpc.simulate(CODE, 1.0, -5), "max_frames -5"),
                           (lambda: libldpc.simulate_blocks(CODE, 1.0, frames=-64), "frames -64"),
                           (lambda: libldpc.noisy_frames(CODE, 1.0, count=-1), "count -1")):
            with self.subTest(name), self.assertRaises(ValueError) as raised:
                call()
            self.assertEqual(str(raised.exception), name + ": expected 0 or more")

    def test_no_frames_are_no_simulation(self):
        with self.assertRaisesRegex(ValueError, "^max_frames 0: expected 1 or more frames$"):
            libldpc.simulate(CODE, 1.0, max_frames=0)

    def test_type_of_noisy_frames(self):
        for given, expected in ((np.float32, np.float32), ("float32", np.float32), (np.dtype("int8"), np.int8)):
            self.assertEqual(libldpc.noisy_frames(CODE, 1.0, dtype=given)[1].dtype, expected)
        for wrong in (np.float64, "int16"):
            with self.assertRaisesRegex(ValueError, "int8"):
                libldpc.noisy_frames(CODE, 1.0, dtype=wrong)

    def test_simulate_shows_its_parameters(self):
        for function in (libldpc.simulate, libldpc.simulate_blocks, libldpc.noisy_frames):
            head = inspect.getdoc(function).splitlines()[0]
            for name in ("modulation: object = 'bpsk'", "fading: str = 'none'", "esn0: bool", "zero_codeword: bool"):
                self.assertIn(name, head)
            # pybind11 3 writes typing.SupportsInt | typing.SupportsIndex instead of int
            self.assertRegex(head, r"point: (int|[^,=]*SupportsInt[^,=]*) = 0\b")
            self.assertNotIn("kwargs", head)

    def test_simulate_takes_a_name_or_a_code(self):
        expected = repr(libldpc.simulate(libldpc.decoder(CODE), 1.5, max_frames=128))
        for same in (CODE.name, CODE):
            self.assertEqual(repr(libldpc.simulate(same, 1.5, max_frames=128)), expected)
        blocks = libldpc.simulate_blocks(CODE.name, 1.5)
        np.testing.assert_array_equal(blocks, libldpc.simulate_blocks(libldpc.decoder(CODE), 1.5))


def frame_errors(decoder):
    return libldpc.simulate(decoder, 1.0, max_frames=128, max_frame_errors=0).frame_errors


class Equality(unittest.TestCase):
    def test_same_code(self):
        base = [[0, 1, -1], [2, -1, 0]]
        for make in (lambda: libldpc.code(CODE.name), lambda: libldpc.code(HAMMING), lambda: libldpc.code.from_base(base, 4),
                     lambda: libldpc.code.random(60, 2, 4, order=16)):
            one, other = make(), make()
            self.assertTrue(one == other and not one != other, one)
            self.assertEqual(hash(one), hash(other))
            self.assertEqual(pickle.loads(pickle.dumps(one)), one)
        self.assertEqual(libldpc.decoder(CODE.name).code, CODE)

    def test_other_code(self):
        swapped = np.array(HAMMING)[:, [1, 0, 2, 3, 4, 5, 6]]
        shifts = [[0, 1, -1], [2, -1, 0]]
        for one, other in ((CODE, libldpc.code("wimax:576:2/3A")), (CODE, libldpc.code.from_alist(CODE.to_alist())),
                           (libldpc.code(HAMMING), libldpc.code(swapped)),
                           (libldpc.code.from_base(shifts, 4, punctured=[0]), libldpc.code.from_base(shifts, 4, punctured=[1])),
                           (libldpc.code.random(60, 2, 4, order=16), libldpc.code.random(60, 2, 4, order=16, seed=2)),
                           (CODE, CODE.name), (CODE, None)):
            self.assertFalse(one == other, (one, other))
            self.assertTrue(one != other, (one, other))


class Pickles(unittest.TestCase):
    def test_code_whose_file_is_gone(self):
        texts = {"alist": CODE.to_alist(), "qc": CODE.to_qc(), "nbalist": libldpc.code.random(60, 2, 4, order=16).to_alist()}
        for ending, text in texts.items():
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "h." + ending)
                path.write_text(text, encoding="utf-8")
                code = libldpc.code(path)
                pickled = pickle.dumps(code)
            self.assertEqual(pickle.loads(pickled), code)

    def test_codes(self):
        base = libldpc.code.from_base([[0, 1, -1], [2, -1, 0]], 4, punctured=[0])
        for code in (CODE, libldpc.code(HAMMING), base, libldpc.code.random(60, 3, 6), libldpc.code.random(60, 2, 4, order=16),
                     libldpc.code("nr:bg2:10:500"), libldpc.code.from_alist(CODE.to_alist())):
            again = pickle.loads(pickle.dumps(code))
            self.assertTrue(same_matrix(again, code))
            self.assertEqual((again.n, again.k, again.order), (code.n, code.k, code.order))
            np.testing.assert_array_equal(again.parity_values(), code.parity_values())
            np.testing.assert_array_equal(again.transmitted_columns, code.transmitted_columns)

    def test_decoders(self):
        decoder = libldpc.decoder(CODE, max_iterations=7, algorithm="normalized:0.75", arithmetic="i16", packed=True)
        decoder.max_iterations, decoder.early_stop = 9, False
        again = pickle.loads(pickle.dumps(decoder))
        self.assertEqual(repr(again), repr(decoder))
        self.assertEqual((again.max_iterations, again.early_stop, again.factor, again.packed), (9, False, 0.75, True))
        self.assertEqual(again.parameters, decoder.parameters)

    def test_processes(self):
        decoders = [libldpc.decoder(CODE, max_iterations=most) for most in (1, 3, 10)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(frame_errors, decoders), list(map(frame_errors, decoders)))


if __name__ == "__main__":
    unittest.main()
