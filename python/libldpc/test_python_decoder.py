# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.decoder(), libldpc.simulate() and libldpc.noisy_frames()."""
import gc
import threading
import time
import unittest

import numpy as np

import libldpc

CODE = libldpc.code("wimax:576:1/2")


def strong_llrs(codewords, magnitude=20):
    return np.where(codewords, -magnitude, magnitude).astype(np.int8)


def encoded(count, seed=1):
    messages = np.random.default_rng(seed).integers(0, 2, (count, CODE.k), dtype=np.uint8)
    return messages, CODE.encode(messages)


class Decoding(unittest.TestCase):
    def test_shapes_and_info(self):
        messages, codewords = encoded(7)
        bits, info = libldpc.decoder("wimax:576:1/2").decode(strong_llrs(codewords))
        np.testing.assert_array_equal(bits, messages)
        self.assertEqual(info.dtype.names, ("iterations", "unsatisfied", "converged", "decoded"))
        self.assertEqual(info.shape, (7,))
        self.assertTrue(info["converged"].all() and info["decoded"].all())
        self.assertFalse(info["iterations"].any() or info["unsatisfied"].any())

    def test_one_codeword_has_no_codewords_axis(self):
        messages, codewords = encoded(1)
        bits, info, posteriors = libldpc.decoder(CODE).decode(strong_llrs(codewords[0]), posteriors=True)
        np.testing.assert_array_equal(bits, messages[0])
        self.assertEqual((posteriors.shape, posteriors.dtype), ((CODE.n,), np.int16))
        self.assertTrue(info["converged"])

    def test_codeword_and_posteriors(self):
        _, codewords = encoded(3)
        bits, _, posteriors = libldpc.decoder(CODE).decode(strong_llrs(codewords), output="codeword", posteriors=True)
        np.testing.assert_array_equal(bits, codewords)
        np.testing.assert_array_equal(posteriors < 0, codewords == 1)

    def test_packed(self):
        messages, codewords = encoded(3)
        decoder = libldpc.decoder(CODE, packed=True)
        np.testing.assert_array_equal(decoder.decode(strong_llrs(codewords))[0], np.packbits(messages, axis=1))
        np.testing.assert_array_equal(decoder.decode(strong_llrs(codewords), output="codeword")[0],
                                      np.packbits(codewords, axis=1))

    def test_more_codewords_than_a_batch(self):
        decoder = libldpc.decoder(CODE, max_batch=3)
        self.assertEqual(decoder.max_batch, 3)
        messages, llrs = libldpc.noisy_frames(CODE, 4.0, count=10)
        bits, info = decoder.decode(llrs)
        np.testing.assert_array_equal(bits, messages)
        everything = libldpc.decoder(CODE).decode(llrs)
        np.testing.assert_array_equal(info, everything[1])

    def test_an_unknown_kernel_leads_to_those_that_there_are(self):
        with self.assertRaisesRegex(ValueError, f'no kernel "avx": this machine runs {", ".join(libldpc.kernels("cpu"))}$'):
            libldpc.decoder(CODE, kernel="avx")

    def test_unconverged_codewords_are_results(self):
        llrs = np.random.default_rng(1).integers(-127, 128, (4, CODE.n)).astype(np.int8)
        _, info = libldpc.decoder(CODE, max_iterations=5).decode(llrs)
        self.assertFalse(info["converged"].any())
        self.assertTrue((info["iterations"] == 5).all() and (info["unsatisfied"] > 0).all())

    def test_every_kernel_equals_the_reference(self):
        _, llrs = libldpc.noisy_frames(CODE, 1.5, count=9)
        for arithmetic in ("i8", "i16"):
            bits, info, posteriors = libldpc.decoder(CODE, kernel="ref", arithmetic=arithmetic).decode(llrs, posteriors=True)
            for kernel in libldpc.kernels("cpu"):
                with self.subTest(kernel=kernel, arithmetic=arithmetic):
                    try:
                        decoder = libldpc.decoder(CODE, kernel=kernel, arithmetic=arithmetic)
                    except RuntimeError:  # "not supported" is valid
                        continue
                    self.assertEqual(decoder.kernel, kernel)
                    result = decoder.decode(llrs, posteriors=True)
                    np.testing.assert_array_equal(result[0], bits)
                    np.testing.assert_array_equal(result[1], info)
                    np.testing.assert_array_equal(result[2], posteriors)


class Floats(unittest.TestCase):
    def test_rounding_rule(self):
        """LLRs are rounded and saturated at +-127. Ties are rounded to even."""
        values = np.zeros(CODE.n, np.float32)
        values[:10] = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 1e9, -1e9, np.inf, -np.inf]
        steps = np.zeros(CODE.n, np.int8)
        steps[:10] = [0, 2, 2, 0, -2, 0, 127, -127, 127, -127]
        decoder = libldpc.decoder(CODE, llr_scale=1.0, llr_limit=127, max_iterations=0)
        np.testing.assert_array_equal(decoder.decode(values, posteriors=True)[2], steps)
        decoder = libldpc.decoder(CODE, llr_scale=4.0, llr_limit=127, max_iterations=0)
        np.testing.assert_array_equal(decoder.decode(values / 4, posteriors=True)[2], steps)
        np.testing.assert_array_equal(decoder.decode(values.astype(float) / 4, posteriors=True)[2], steps)

    def test_limit(self):
        """Channel LLRs, including -128, are clipped to llr_limit, except in float arithmetic."""
        values = np.arange(CODE.n).astype(np.int8)
        for limit in (1, 30, 126, 127):
            posteriors = libldpc.decoder(CODE, llr_limit=limit, max_iterations=0).decode(values, posteriors=True)[2]
            np.testing.assert_array_equal(posteriors, np.clip(values.astype(int), -limit, limit))
        exact = libldpc.decoder(CODE, arithmetic="float", llr_limit=30, max_iterations=0)
        np.testing.assert_array_equal(exact.decode(values, posteriors=True)[2], np.maximum(values, -127))

    def test_float_frames_become_the_int8_frames(self):
        messages, llrs = libldpc.noisy_frames(CODE, 1.5, count=20)
        same_messages, nats = libldpc.noisy_frames(CODE, 1.5, count=20, dtype="float32")
        np.testing.assert_array_equal(messages, same_messages)
        decoder = libldpc.decoder(CODE)
        for left, right in zip(decoder.decode(llrs), decoder.decode(nats)):
            np.testing.assert_array_equal(left, right)

    def test_float_arithmetic(self):
        messages, nats = libldpc.noisy_frames(CODE, 4.0, count=20, dtype="float32")
        decoder = libldpc.decoder(CODE, algorithm="sum-product")
        self.assertEqual((decoder.algorithm, decoder.arithmetic), ("sum-product", "float"))
        np.testing.assert_array_equal(decoder.decode(nats)[0], messages)

    def test_nan_is_refused(self):
        with self.assertRaisesRegex(ValueError, "NaN"):
            libldpc.decoder(CODE).decode(np.full(CODE.n, np.nan, np.float32))


class WrongArguments(unittest.TestCase):
    def test_arrays(self):
        decoder = libldpc.decoder(CODE)
        for shape in ((575,), (2, 577), (0, 576), (1, 1, 576), ()):
            with self.subTest(shape=shape), self.assertRaisesRegex(ValueError, "n = 576"):
                decoder.decode(np.zeros(shape, np.int8))
        for dtype in (np.uint16, np.uint8, bool, complex):
            with self.subTest(dtype=dtype), self.assertRaisesRegex(TypeError, "int8"):
                decoder.decode(np.zeros(576, dtype))
        with self.assertRaisesRegex(ValueError, "message.*codeword"):
            decoder.decode(np.zeros(576, np.int8), output="bits")

    def test_parameters(self):
        for changes in ({"algorithm": "magic"}, {"arithmetic": "i7"}, {"schedule": "random"}, {"llr_scale": 0.0},
                        {"llr_scale": float("nan")}, {"llr_limit": 128}, {"llr_limit": -1}, {"factor": 2.0, "algorithm": "normalized"},
                        {"max_iterations": 10001}, {"kernel": "foo"},
                        {"algorithm": "sum-product", "arithmetic": "i8"}):
            with self.subTest(**changes), self.assertRaises((ValueError, RuntimeError)) as caught:
                libldpc.decoder(CODE, **changes)
            self.assertGreater(len(str(caught.exception)), 20)
        for changes in ({"backend": "abacus"}, {"backend": ""}, {"kernel": "abacus"}):
            with self.subTest(**changes), self.assertRaises(ValueError):
                libldpc.decoder(CODE, **changes)
        for name in ("max_iterations", "threads", "max_batch", "kept"):
            for value in (-1, 2**40):
                with self.subTest(name), self.assertRaisesRegex(ValueError, f"{name} {value}: "):
                    libldpc.decoder(CODE, **{name: value})
        with self.assertRaisesRegex(TypeError, "expected a name"):
            libldpc.decoder(None)


class Pipeline(unittest.TestCase):
    def test_results_come_in_order(self):
        decoder = libldpc.decoder(CODE)
        sent = [encoded(2, seed) for seed in range(5)]
        received = []
        for _, codewords in sent:
            while not decoder.submit(strong_llrs(codewords)):
                received.append(decoder.collect())
        while (result := decoder.collect()) is not None:
            received.append(result)
        self.assertEqual(decoder.in_flight, 0)
        self.assertEqual(len(received), 5)
        for (messages, _), (bits, info) in zip(sent, received):
            np.testing.assert_array_equal(bits, messages)
            self.assertTrue(info["converged"].all())

    def test_full_pipeline_and_blocking_call(self):
        decoder = libldpc.decoder(CODE)
        llrs = strong_llrs(encoded(1)[1])
        accepted = 0
        while decoder.submit(llrs):
            accepted += 1
        self.assertEqual((accepted, decoder.in_flight), (decoder.depth, decoder.depth))
        with self.assertRaises(ValueError):
            decoder.decode(llrs)
        for _ in range(accepted):
            self.assertIsNotNone(decoder.collect(timeout=10))
        self.assertIsNone(decoder.collect())
        self.assertEqual(decoder.decode(llrs)[1]["iterations"], 0)

    def test_abandoned(self):
        """All calls raise after abandon(). Arrays in flight live as long as the decoder."""
        code = libldpc.code("wifi:648:1/2")
        llrs = np.full((3, code.n), 20, np.int8)
        for batches in range(2):
            decoder = libldpc.decoder(code)
            for _ in range(batches):
                self.assertTrue(decoder.submit(llrs))
            decoder.abandon()
            for _ in range(2):
                for call in (decoder.collect, lambda: decoder.decode(llrs), lambda: decoder.submit(llrs)):
                    with self.assertRaisesRegex(RuntimeError, "was abandoned"):
                        call()

    def test_uncollected_batches_are_no_trouble(self):
        decoder = libldpc.decoder(CODE)
        decoder.submit(strong_llrs(encoded(3)[1]))
        del decoder
        gc.collect()


class Threads(unittest.TestCase):
    def test_the_interpreter_runs_while_decoding(self):
        decoder = libldpc.decoder("dvbt2:16200:1/2", max_iterations=200, early_stop=False)
        llrs = libldpc.noisy_frames(decoder.code, 1.0, count=40)[1]
        worker = threading.Thread(target=decoder.decode, args=(llrs,))
        ticks = 0
        worker.start()
        while worker.is_alive():
            ticks += 1
            time.sleep(0.0002)
        self.assertGreater(ticks, 5)

    def test_one_decoder_in_many_threads(self):
        decoder = libldpc.decoder(CODE)
        messages, llrs = libldpc.noisy_frames(CODE, 4.0, count=4)
        wrong = []

        def work():
            for _ in range(50):
                if (decoder.decode(llrs)[0] != messages).any():
                    wrong.append(1)

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])


class Properties(unittest.TestCase):
    def test_facts(self):
        decoder = libldpc.decoder(CODE, max_iterations=7, early_stop=False, threads=2)
        self.assertEqual((decoder.n, decoder.k, decoder.code.name), (576, 288, "wimax:576:1/2"))
        self.assertEqual((decoder.max_iterations, decoder.early_stop, decoder.threads), (7, False, 2))
        self.assertEqual((decoder.llr_scale, decoder.packed), (libldpc.DEFAULT_LLR_SCALE, False))
        self.assertEqual(decoder.llr_limit, libldpc.DEFAULT_LLR_LIMIT)
        self.assertEqual(libldpc.decoder(CODE, llr_limit=20).llr_limit, 20)
        self.assertEqual(libldpc.decoder(CODE, llr_limit=20, arithmetic="float").llr_limit, 127)
        self.assertEqual(libldpc.decoder("bds:b1c:88", llr_limit=20).llr_limit, 127)
        self.assertIn(decoder.backend, libldpc.backends())
        self.assertIn(decoder.kernel, libldpc.kernels(decoder.backend))
        self.assertNotIn("auto", (decoder.algorithm, decoder.arithmetic, decoder.schedule))
        self.assertGreaterEqual(decoder.max_batch, decoder.good_batch)
        self.assertIn("wimax:576:1/2", repr(decoder))

    def test_changes_between_batches(self):
        decoder = libldpc.decoder(CODE, max_iterations=50)
        llrs = strong_llrs(encoded(1)[1])
        decoder.early_stop = False
        decoder.max_iterations = 3
        self.assertEqual(decoder.decode(llrs)[1]["iterations"][0], 3)
        self.assertEqual(decoder.max_iterations, 3)
        with self.assertRaises(ValueError):
            decoder.max_iterations = 10001
        self.assertEqual(decoder.max_iterations, 3)

    def test_lists(self):
        self.assertEqual(libldpc.backends()["cpu"], "")
        self.assertIn("ref", libldpc.kernels())
        self.assertEqual(libldpc.kernels("abacus"), [])
        self.assertRegex(libldpc.__version__, r"^\d+\.\d+\.\d+$")

    def test_signatures_show_in_help(self):
        # pybind11 3 writes typing.SupportsInt | typing.SupportsIndex instead of int
        self.assertRegex(libldpc.decoder.__init__.__doc__, r"max_iterations: (int|[^,=]*SupportsInt[^,=]*) = 50\b")
        self.assertIn("output: str = 'message'", libldpc.decoder.decode.__doc__)


class Simulation(unittest.TestCase):
    def test_counts(self):
        decoder = libldpc.decoder(CODE, max_iterations=10)
        result = libldpc.simulate(decoder, 1.0, max_frames=200, max_frame_errors=0, seed=5)
        self.assertEqual((result.frames, result.bits), (200, 200 * CODE.k))
        self.assertAlmostEqual(result.fer, result.frame_errors / 200)
        self.assertAlmostEqual(result.ber, result.bit_errors / result.bits)
        self.assertTrue(0 < result.frame_errors < 200 and result.bit_errors >= result.frame_errors)
        self.assertGreater(result.channel_errors, 0)

    def test_counts_equal_those_of_the_frames(self):
        decoder = libldpc.decoder(CODE, max_iterations=10)
        result = libldpc.simulate(decoder, 1.0, max_frames=100, max_frame_errors=0, seed=9, first_frame=50)
        messages, llrs = libldpc.noisy_frames(CODE, 1.0, count=100, seed=9, first_frame=50)
        bits, info = decoder.decode(llrs)
        self.assertEqual(result.bit_errors, (bits != messages).sum())
        self.assertEqual(result.frame_errors, (bits != messages).any(axis=1).sum())
        self.assertEqual(result.iterations, info["iterations"].sum())

    def test_stops_with_the_block_that_reaches_the_errors(self):
        result = libldpc.simulate(libldpc.decoder(CODE), -3.0, max_frame_errors=7)
        self.assertEqual((result.frames, result.frame_errors), (libldpc.SIM_BLOCK, libldpc.SIM_BLOCK))

    def test_timing(self):
        decoder = libldpc.decoder(CODE)
        llrs = strong_llrs(encoded(6)[1])
        self.assertEqual(decoder.time(llrs, seconds=0.0).shape, (1,))
        runs = decoder.time(llrs, seconds=0.0, codewords=2)
        self.assertEqual(runs.shape, (3,))
        self.assertTrue((runs > 0).all())
        self.assertGreater(len(decoder.time(llrs, seconds=0.05)), 1)
        with self.assertRaisesRegex(ValueError, "divisor of 6"):
            decoder.time(llrs, codewords=4)

    def test_timing_with_batches_in_flight(self):
        decoder = libldpc.decoder(CODE, packed=True)
        messages, codewords = encoded(6)
        llrs = strong_llrs(codewords)
        begins, ends = decoder.time_stream(llrs, seconds=0.01, codewords=2).T
        self.assertGreater(len(ends), decoder.depth)
        self.assertTrue((ends > begins).all())
        self.assertTrue((np.diff(begins) >= 0).all() and (np.diff(ends) >= 0).all())
        self.assertTrue((begins[decoder.depth:] >= ends[:-decoder.depth]).all())
        self.assertEqual(decoder.in_flight, 0)
        bits = decoder.buffer((decoder.depth * 6, messages.shape[1] // 8), "uint8")
        decoder.time_stream(llrs, 0.01, 6, bits)
        for number in range(decoder.depth):
            self.assertTrue((bits[6 * number:6 * number + 6] == np.packbits(messages, axis=1)).all())
        for wrong in (bits[1:], bits[:, 1:], bits.astype("int16"), bits[:, ::-1]):
            with self.assertRaisesRegex(ValueError, "bits: expected a writable uint8 array"):
                decoder.time_stream(llrs, 0.01, 6, wrong)
        with self.assertRaisesRegex(ValueError, "divisor of 6"):
            decoder.time_stream(llrs, codewords=4)

    def test_memory_of_a_decoder(self):
        decoder = libldpc.decoder(CODE)
        buffer = decoder.buffer((2, decoder.n))
        del decoder  # the array keeps the decoder alive
        self.assertEqual((buffer.dtype, buffer.shape, buffer.any()), (np.int8, (2, 576), False))
        buffer[:] = 1
        self.assertEqual(libldpc.decoder(CODE).buffer((3,), "float32").dtype, np.float32)
        for shape in ((-1,), (2, -3)):
            with self.assertRaises(ValueError):
                libldpc.decoder(CODE).buffer(shape)

    def test_the_cpu_has_no_memory_of_a_gpu(self):
        with self.assertRaisesRegex(RuntimeError, "decode_device needs a decoder of the backend .cuda."):
            libldpc.decoder(CODE).decode_device(1, 2, 3)
        with self.assertRaisesRegex(TypeError, "__cuda_array_interface__"):
            libldpc.decoder(CODE).decode_device(np.zeros(4), 2, 3)


class LargerField(unittest.TestCase):
    def test_every_algorithm(self):
        code = libldpc.code("bds:b1c:88")
        messages, llrs = libldpc.noisy_frames(code, 5.0, count=70)
        self.assertEqual((messages.shape, llrs.shape), ((70, 264), (70, 528)))
        for algorithm, arithmetic in (("auto", "i8"), ("min-max", "i8"), ("ems", "float"), ("sum-product", "float")):
            with self.subTest(algorithm=algorithm):
                decoder = libldpc.decoder(code, algorithm=algorithm, max_batch=40)
                self.assertEqual((decoder.n, decoder.k, decoder.arithmetic), (528, 264, arithmetic))
                bits, info, posteriors = decoder.decode(llrs, posteriors=True)
                np.testing.assert_array_equal(bits, messages)
                self.assertTrue(info["converged"].all())
                self.assertEqual(posteriors.shape, llrs.shape)
                codewords, _ = decoder.decode(llrs, output="codeword")
                self.assertFalse(code.syndrome_weight(codewords).any())

    def test_packed(self):
        messages, llrs = libldpc.noisy_frames("ccsds:nb:cnbpb:128", 8.0, count=3)
        bits, _ = libldpc.decoder("ccsds:nb:cnbpb:128", packed=True).decode(llrs)
        np.testing.assert_array_equal(bits, np.packbits(messages, axis=1))

    def test_costs_of_symbols(self):
        code = libldpc.code("bds:b1c:88")
        _, llrs = libldpc.noisy_frames(code, 2.0, count=9)
        bits_of = np.arange(64)[:, None] >> np.arange(6)[::-1] & 1
        llrs = np.clip(llrs, -40, 40)
        by_symbol = llrs.astype(int).reshape(9, 88, 1, 6)
        costs = np.where((by_symbol < 0) != bits_of.astype(bool), np.abs(by_symbol), 0).sum(axis=3).astype(np.uint8)
        decoder = libldpc.decoder(code, max_batch=4)
        expected, info = decoder.decode(llrs)
        bits, info_of_costs = decoder.decode(costs, input="costs")
        np.testing.assert_array_equal(bits, expected)
        np.testing.assert_array_equal(info_of_costs, info)
        np.testing.assert_array_equal(decoder.decode(costs[2], "codeword", input="costs")[0], decoder.decode(llrs[2], "codeword")[0])
        self.assertTrue(decoder.submit(costs[4:8], input="costs"))
        np.testing.assert_array_equal(decoder.collect()[0], expected[4:8])
        exact = libldpc.decoder(code, algorithm="sum-product")
        shifted = costs[::2] / np.float64(exact.llr_scale) + 7
        np.testing.assert_array_equal(exact.decode(shifted, input="costs")[0], exact.decode(llrs[::2])[0])

    def test_wrong_costs(self):
        decoder, costs = libldpc.decoder("bds:b1c:88"), np.zeros((2, 88, 64), np.uint8)
        for wrong in (costs[:, :, :63], costs[:, 1:], costs[0, 0], costs[:0], costs[None]):
            with self.assertRaisesRegex(ValueError, r"expected shape \(codewords, symbols, q\)"):
                decoder.decode(wrong, input="costs")
        with self.assertRaisesRegex(TypeError, "uint8"):
            decoder.decode(costs.astype(np.int8), input="costs")
        with self.assertRaisesRegex(ValueError, "float arithmetic"):
            decoder.decode(costs.astype(np.float32), input="costs")
        with self.assertRaisesRegex(ValueError, "\"llrs\" or \"costs\", not \"symbols\""):
            decoder.decode(costs, input="symbols")
        with self.assertRaisesRegex(ValueError, "expected a code over GF"):
            libldpc.decoder(CODE).decode(np.zeros((1, 576, 2), np.uint8), input="costs")

    def test_refusals(self):
        for arguments, says in (({"algorithm": "corrected"}, "GF"), ({"arithmetic": "i16"}, "GF")):
            with self.assertRaisesRegex(RuntimeError, says):
                libldpc.decoder("bds:b1c:88", **arguments)
        with self.assertRaisesRegex(ValueError, "is binary"):
            libldpc.decoder("wimax:576:1/2", algorithm="min-max")
        with self.assertRaisesRegex(ValueError, "kept 65"):
            libldpc.decoder("bds:b1c:88", algorithm="ems", kept=65)


if __name__ == "__main__":
    unittest.main()
