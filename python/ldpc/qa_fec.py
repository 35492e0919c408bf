#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of encoder and decoder in gr-fec's blocks and BER flowgraph."""
import unittest

import numpy as np
import pmt
from gnuradio import blocks, fec, gr, ldpc
from gnuradio.fec.fec_test import fec_test

from qa_support import noisy_codewords, output, reference, rows

NAME = "wimax:576:1/2"
N, K = 576, 288
MTU = 1440  # bytes: whole messages


def through(block, items, kind="f"):
    """Returns the output bytes."""
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    source = blocks.vector_source_f if kind == "f" else blocks.vector_source_b
    graph.connect(source(np.ascontiguousarray(items).ravel().tolist()), block, sink)
    graph.run()
    return output(sink)


def soft_bits(message, ebn0, seed=5):
    """Returns noisy soft bits of gr-fec (+1 for bit 1, -1 for bit 0), and 2 / noise variance."""
    code = ldpc.code(NAME).encode(message)
    variance = 10 ** (-ebn0 / 10)  # noise variance at rate 1/2
    noise = np.sqrt(variance) * np.random.default_rng(seed).standard_normal(code.shape)
    return (2.0 * code - 1.0 + noise).astype(np.float32), 2 / variance


class Decoder(unittest.TestCase):
    def test_extended_decoder(self):
        """Tests every threading mode. gr-fec's threaded block loses the end of the stream."""
        message, _ = noisy_codewords(NAME, 16)
        soft, gain = soft_bits(message, 4.0)
        self.assertGreater(((soft > 0) != ldpc.code(NAME).encode(message)).sum(), 0)
        for threading in (None, "ordinary", "capillary"):
            with self.subTest(threading=threading):
                decoders = [ldpc.fec_decoder(NAME, gain=gain) for _ in range(4 if threading else 1)]
                got = through(fec.extended_decoder(decoders, threading=threading), soft)
                self.assertGreaterEqual(len(got), 12 * K)
                np.testing.assert_array_equal(got, message.ravel()[:len(got)])

    def test_object_that_several_threads_share(self):
        message, _ = noisy_codewords(NAME, 400)
        soft, gain = soft_bits(message, 4.0)
        got = through(fec.extended_decoder([ldpc.fec_decoder(NAME, gain=gain)] * 4, threading="ordinary"), soft)
        self.assertGreaterEqual(len(got), 390 * K)
        np.testing.assert_array_equal(got, message.ravel()[:len(got)])

    def test_same_as_the_library(self):
        message, _ = noisy_codewords(NAME, 30)
        soft, gain = soft_bits(message, 1.0)
        for options in ({}, {"algorithm": "normalized", "factor": 0.75}, {"algorithm": "normalized:0.75"},
                        {"llr_scale": 2.0, "max_iterations": 5}, {"llr_limit": 5}):
            with self.subTest(options):
                scale = options.get("llr_scale", ldpc.DEFAULT_LLR_SCALE)
                factor = np.float32(-gain) * np.float32(scale)
                llrs = np.clip(np.rint(soft * factor), -128, 127).astype(np.int8)
                bits, info = reference(NAME, llrs, **options)
                decoder = ldpc.fec_decoder(NAME, gain=gain, **options)
                got = through(fec.decoder(decoder, gr.sizeof_float, gr.sizeof_char), soft)
                np.testing.assert_array_equal(got.reshape(-1, K), bits)
                self.assertEqual((decoder.frames(), decoder.failed()), (30, 30 - info["converged"].sum()))

    def test_polarity(self):
        """Positive soft bits mean bit 1."""
        message, _ = noisy_codewords(NAME, 1)
        clean = 2.0 * ldpc.code(NAME).encode(message) - 1.0
        decoder = ldpc.fec_decoder(NAME)
        np.testing.assert_array_equal(through(fec.extended_decoder(decoder, threading=None), clean), message[0])
        self.assertEqual(decoder.failed(), 0)

    def test_float_arithmetic(self):
        message, _ = noisy_codewords(NAME, 10)
        soft, gain = soft_bits(message, 4.0)
        decoder = ldpc.fec_decoder(NAME, gain=gain, algorithm="sum-product")
        np.testing.assert_array_equal(through(fec.extended_decoder(decoder, threading=None), soft), message.ravel())

    def test_frame_size(self):
        """A frame size of three codewords is accepted. Sizes that are not multiples of k are refused."""
        decoder = ldpc.fec_decoder(NAME)
        self.assertTrue(decoder.set_frame_size(3 * K))
        self.assertFalse(decoder.set_frame_size(3 * K + 1))
        self.assertFalse(decoder.set_frame_size(0))
        self.assertEqual((fec.get_decoder_input_size(decoder), fec.get_decoder_output_size(decoder)), (3 * N, 3 * K))

    def test_wrong_options(self):
        for wrong in ({"code": "no:such"}, {"gain": 0.0}, {"gain": float("nan")}, {"max_iterations": -1}, {"kernel": "abacus"}):
            self.assertRaises(ValueError, ldpc.fec_decoder, **{"code": NAME, **wrong})

    def test_facts(self):
        decoder, encoder = ldpc.fec_decoder(NAME), ldpc.fec_encoder(NAME)
        self.assertEqual((decoder.n(), decoder.k(), decoder.code()), (N, K, NAME))
        self.assertEqual((encoder.n(), encoder.k(), encoder.code()), (N, K, NAME))
        self.assertEqual((fec.get_decoder_input_size(decoder), fec.get_decoder_output_size(decoder)), (N, K))
        self.assertEqual((fec.get_encoder_input_size(encoder), fec.get_encoder_output_size(encoder)), (K, N))
        self.assertEqual(fec.get_shift(decoder), 0)


class Encoder(unittest.TestCase):
    def test_extended_encoder(self):
        message, _ = noisy_codewords(NAME, 7)
        for threading in (None, "capillary"):
            encoders = [ldpc.fec_encoder(NAME) for _ in range(4 if threading else 1)]
            got = through(fec.extended_encoder(encoders, threading=threading, puncpat="11"), message, "b")
            self.assertGreaterEqual(len(got), 4 * N)
            np.testing.assert_array_equal(got, ldpc.code(NAME).encode(message).ravel()[:len(got)])

    def test_wrong_code(self):
        self.assertRaises(ValueError, ldpc.fec_encoder, "dvbt2:64800:7/8")


class Messages(unittest.TestCase):
    def test_async(self):
        """PDUs with one and three codewords."""
        for count in (1, 3):
            message, _ = noisy_codewords(NAME, count)
            graph, debug = gr.top_block(), blocks.message_debug()
            encoder = fec.async_encoder(ldpc.fec_encoder(NAME), mtu=MTU)
            decoder = fec.async_decoder(ldpc.fec_decoder(NAME), mtu=MTU)
            received = blocks.message_debug()
            graph.msg_connect(encoder, "out", received, "store")
            bits = pmt.init_u8vector(count * K, message.ravel().tolist())
            encoder.to_basic_block()._post(pmt.intern("in"), pmt.cons(pmt.make_dict(), bits))
            encoder.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
            graph.run()
            code = np.array(pmt.u8vector_elements(pmt.cdr(received.get_message(0))), np.uint8)
            np.testing.assert_array_equal(code, ldpc.code(NAME).encode(message).ravel())
            graph = gr.top_block()
            graph.msg_connect(decoder, "out", debug, "store")
            soft = pmt.init_f32vector(count * N, (2.0 * code - 1.0).tolist())
            decoder.to_basic_block()._post(pmt.intern("in"), pmt.cons(pmt.make_dict(), soft))
            decoder.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
            graph.run()
            self.assertEqual(pmt.u8vector_elements(pmt.cdr(debug.get_message(0))), message.ravel().tolist())

    def test_tagged(self):
        """Packets of two codewords in fec.tagged_decoder."""
        message, _ = noisy_codewords(NAME, 4)
        soft, gain = soft_bits(message, 5.0)
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        decoder = fec.tagged_decoder(ldpc.fec_decoder(NAME, gain=gain), gr.sizeof_float, gr.sizeof_char, "packet_len", MTU)
        graph.connect(blocks.vector_source_f(soft.ravel().tolist()),
                      blocks.stream_to_tagged_stream(gr.sizeof_float, 1, 2 * N, "packet_len"), decoder, sink)
        graph.run()
        np.testing.assert_array_equal(output(sink), message.ravel())


class ErrorRate(unittest.TestCase):
    def test_ber_flowgraph(self):
        """Above the waterfall region, gr-fec's chain has no errors. Below this region, the chain has many errors."""
        for esno, right in ((3.0, True), (-6.0, False)):
            graph, sent, got = gr.top_block(), blocks.vector_sink_b(), blocks.vector_sink_b()
            chain = fec_test([ldpc.fec_encoder(NAME)], [ldpc.fec_decoder(NAME)], esno=esno, samp_rate=1e6,
                             threading=None, puncpat="11", seed=3)
            data = np.random.default_rng(2).integers(0, 256, 36 * 20).tolist()
            graph.connect(blocks.vector_source_b(data), chain)
            graph.connect((chain, 0), sent)
            graph.connect((chain, 1), got)
            graph.run()
            count = min(len(sent.data()), len(got.data()))
            self.assertGreaterEqual(count, 36 * 18)
            self.assertEqual(sent.data()[:count] == got.data()[:count], right)


if __name__ == "__main__":
    unittest.main(verbosity=2)
