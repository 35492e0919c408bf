#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the blocks for nonbinary codes."""
import unittest

import numpy as np
from gnuradio import blocks, gr, ldpc

from qa_support import NO_GPU, byte_source, noisy_codewords, output, reference, rows, run, tag, tags_of

CODES = ["bds:b1c:200", "bds:b1c:88", "bds:b2b:162", "ccsds:nb:cnbpb:128", "standin:gf32:620"]
B1C = "bds:b1c:88"


def symbols_of(code, bits):
    """Converts bits (codewords, n * width) to symbols (codewords, n), MSB first."""
    weights = 1 << np.arange(code.symbol_bits)[::-1]
    return (bits.reshape(len(bits), -1, code.symbol_bits) * weights).sum(axis=2).astype(np.uint8)


def costs_of(code, llrs):
    """Converts bit LLRs to symbol costs ln P(best) - ln P(a)."""
    values = np.arange(code.order)
    bits = values[:, None] >> np.arange(code.symbol_bits)[::-1] & 1
    by_symbol = llrs.astype(int).reshape(len(llrs), -1, 1, code.symbol_bits)
    lost = np.where((by_symbol < 0) != bits.astype(bool), np.abs(by_symbol), 0).sum(axis=3)
    return np.minimum(lost, 255).astype(np.uint8)


class Encoder(unittest.TestCase):
    def test_same_as_the_library(self):
        for name in CODES:
            with self.subTest(name):
                code = ldpc.code(name)
                message = np.random.default_rng(1).integers(0, 2, (5, code.k * code.symbol_bits), np.uint8)
                codeword = code.encode(message)
                block = ldpc.nb_ldpc_encoder(name)
                self.assertEqual((block.n(), block.k()), (codeword.shape[1], message.shape[1]))
                np.testing.assert_array_equal(rows(run(block, message, extra=np.ones(7)), block.n()), codeword)
                sink = run(ldpc.nb_ldpc_encoder(name, symbols=True), symbols_of(code, message))
                np.testing.assert_array_equal(rows(sink, code.n), symbols_of(code, codeword))

    def test_binary_codes_are_refused(self):
        for block in (ldpc.nb_ldpc_encoder, ldpc.nb_ldpc_decoder):
            with self.assertRaises(ValueError) as caught:
                block("wimax:576:1/2")
            self.assertIn("binary", str(caught.exception))
            self.assertRaises(ValueError, block, "bds:b1c:89")


class Decoder(unittest.TestCase):
    def test_same_bits_as_the_library(self):
        options = [{}, {"algorithm": "min-max"}, {"algorithm": "ems", "kept": 8}, {"algorithm": "sum-product"},
                   {"schedule": "flooding"}, {"early_stop": False, "max_iterations": 3}, {"llr_scale": 2.0}]
        _, llrs = noisy_codewords(B1C, 12, ebn0=1.0)
        for chosen in options:
            for threads in (1, 2):
                with self.subTest(chosen, threads=threads):
                    bits, info = reference(B1C, llrs, backend="cpu", **chosen)
                    decoder = ldpc.nb_ldpc_decoder(B1C, backend="cpu", tags=True, threads=threads, **chosen)
                    sink = run(decoder, llrs)
                    np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                    self.assertEqual([value for _, value in tags_of(sink, "ldpc_iterations")], info["iterations"].tolist())

    def test_every_family(self):
        for name in CODES:
            message, llrs = noisy_codewords(name, 4, ebn0=6.0)
            decoder = ldpc.nb_ldpc_decoder(name)
            np.testing.assert_array_equal(rows(run(decoder, llrs), decoder.k()), message)

    def test_output_forms(self):
        code = ldpc.code(B1C)
        message, llrs = noisy_codewords(B1C, 9)
        forms = [({}, lambda bits: bits), ({"packed": True}, lambda bits: np.packbits(bits, axis=1)),
                 ({"symbols": True}, lambda bits: symbols_of(code, bits))]
        for what, bits in (("message", message), ("codeword", code.encode(message))):
            for options, form in forms:
                for threads in (1, 2):
                    with self.subTest(output=what, threads=threads, **options):
                        sink = run(ldpc.nb_ldpc_decoder(B1C, output=what, threads=threads, **options), llrs,
                                   tags=[tag(w * llrs.shape[1], "codeword", w) for w in range(9)])
                        expected = form(bits)
                        np.testing.assert_array_equal(rows(sink, expected.shape[1]), expected)
                        self.assertEqual(sorted(tags_of(sink, "codeword")), [(w * expected.shape[1], w) for w in range(9)])

    def test_costs_of_symbols(self):
        for name in (B1C, "standin:gf32:620"):
            _, llrs = noisy_codewords(name, 7, ebn0=2.0)
            llrs = np.clip(llrs, -40, 40)
            code = ldpc.code(name)
            bits, info = reference(name, llrs, backend="cpu")
            for options in ({}, {"threads": 2}, {"llr_sign": "negative"}):
                with self.subTest(name, **options):
                    decoder = ldpc.nb_ldpc_decoder(name, input="costs", backend="cpu", tags=True, **options)
                    sink = run(decoder, costs_of(code, llrs), extra=np.zeros(code.n * code.order - 1))
                    np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                    self.assertEqual([value for _, value in tags_of(sink, "ldpc_iterations")], info["iterations"].tolist())

    def test_nothing_is_lost_at_the_end(self):
        message, llrs = noisy_codewords(B1C, 41)
        for threads in (1, 2):
            for count in (1, 2, 17, 41):
                decoder = ldpc.nb_ldpc_decoder(B1C, threads=threads, symbols=True)
                out = rows(run(decoder, llrs[:count], extra=np.zeros(527)), decoder.k() // 6)
                np.testing.assert_array_equal(out, symbols_of(ldpc.code(B1C), message[:count]))

    def test_encoder_to_decoder_in_symbols(self):
        code = ldpc.code(B1C)
        sent = np.random.default_rng(2).integers(0, code.order, (20, code.k), np.uint8)
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(byte_source(sent), ldpc.nb_ldpc_encoder(B1C, symbols=True), blocks.unpack_k_bits_bb(6),
                      blocks.char_to_float(1, 1.0), blocks.multiply_const_ff(-16.0), blocks.add_const_ff(8.0),
                      blocks.float_to_char(1, 1.0), ldpc.nb_ldpc_decoder(B1C, symbols=True), sink)
        graph.run()
        np.testing.assert_array_equal(rows(sink, code.k), sent)

    def test_backends(self):
        _, llrs = noisy_codewords(B1C, 5)
        decoder = ldpc.nb_ldpc_decoder(B1C, backend="gpu", fallback=True)
        self.assertEqual(len(output(run(decoder, llrs))), 5 * decoder.k())
        self.assertEqual(ldpc.nb_ldpc_decoder(B1C, backend="cpu").backend(), "cpu")

    @unittest.skipUnless(NO_GPU, "there is a GPU")
    def test_no_gpu(self):
        self.assertEqual(ldpc.nb_ldpc_decoder(B1C, backend="cuda", fallback=True).backend(), "cpu")
        with self.assertRaises(RuntimeError) as caught:
            ldpc.nb_ldpc_decoder(B1C, backend="cuda")
        self.assertIn("cuda", str(caught.exception))

    @unittest.skipIf(NO_GPU, NO_GPU)
    def test_on_a_gpu(self):
        """GPU and CPU give equal bits and iterations."""
        for name in (B1C, "standin:gf32:620"):
            message, llrs = noisy_codewords(name, 100, ebn0=3.0)
            llrs, code = np.clip(llrs, -40, 40), ldpc.code(name)
            bits, info = reference(name, llrs, backend="cpu")
            for input_, items in (("llrs", llrs), ("costs", costs_of(code, llrs))):
                decoder = ldpc.nb_ldpc_decoder(name, input=input_, backend="cuda", tags=True)
                sink = run(decoder, items)
                self.assertEqual(decoder.backend(), "cuda")
                np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                self.assertEqual([value for _, value in tags_of(sink, "ldpc_iterations")], info["iterations"].tolist())
            decoder = ldpc.nb_ldpc_decoder(name, backend="cuda", symbols=True, batch=7)
            np.testing.assert_array_equal(rows(run(decoder, llrs), code.k), symbols_of(code, bits))

    def test_wrong_options(self):
        wrong = [({"backend": "auto"}, "expected cpu, gpu, cuda or opencl"),
                 ({"input": "symbols"}, "\"hard-packed\" or \"costs\", not \"symbols\""), ({"kept": -1}, "kept must be 0"),
                 ({"algorithm": "ems", "kept": 65}, "kept"), ({"packed": True, "symbols": True}, "symbols cannot be packed"),
                 ({"latency": 99.0}, "latency must be")]
        for options, part in wrong:
            with self.subTest(options):
                with self.assertRaises(ValueError) as caught:
                    ldpc.nb_ldpc_decoder(B1C, **options)
                self.assertIn(part, str(caught.exception))

    def test_help_names_every_argument(self):
        signature = ldpc.nb_ldpc_decoder.__init__.__doc__.splitlines()[0]
        for name in ("kept", "backend", "fallback", "gpu_timeout", "input", "symbols", "devices", "streams", "batch", "latency", "cache_dir"):
            self.assertIn(f" {name}: ", signature)
            self.assertIn(f"    {name}: ", ldpc.nb_ldpc_decoder.__doc__)


if __name__ == "__main__":
    unittest.main(verbosity=2)
