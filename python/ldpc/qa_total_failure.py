#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""If all codewords fail, a flowgraph logs one warning."""
import unittest

import numpy as np
from gnuradio import blocks, gr, ldpc

from qa_dvb_fec import bch_codewords, transport_stream, whole_packets
from qa_pdus import f32, pdu, s8, send
from qa_support import log_of, noisy_codewords, run

NAME = "wifi:648:1/2"
NONBINARY = "bds:b1c:88"
CODE = "dvbs2:16200:1/4"
ENOUGH = 50


def llrs(count, good=0, name=NAME):
    """Returns LLRs of codewords. Only the last `good` codewords can be decoded."""
    received = noisy_codewords(name, count, ebn0=8.0)[1].copy()
    received[:count - good, ::2] *= -1
    return received


def bch_bits(count, good=0):
    """Returns BCH codewords. The last `good` codewords are correct. All other codewords have every seventh bit inverted."""
    codewords = bch_codewords(CODE, transport_stream(whole_packets(CODE, count + 1, False) + 1))[:count].copy()
    codewords[:count - good, ::7] ^= 1
    return codewords


def frames(count, good=0):
    return np.ascontiguousarray(bch_bits(count, good)[:, :ldpc.bch(CODE).k])


def pdus(received, vector):
    return [pdu(vector(codeword)) for codeword in received]


def receive_noise(count):
    """Sends noise through a receiver, so that the LDPC decoder, the BCH decoder and the deframer fail."""
    cells = np.random.default_rng(1).standard_normal(count * 2 * 8100).astype(np.float32).view(np.complex64)
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(blocks.vector_source_c(cells), ldpc.dvbs2_fec_decoder(CODE, "qpsk", backend="cpu", max_iterations=2), sink)
    graph.run()
    return sink


class Warnings(unittest.TestCase):
    def check(self, function, *texts):
        """Asserts that one warning is logged after ENOUGH failures, and no warning after an early success."""
        for count, good, times in ((3 * ENOUGH, 0, 1), (ENOUGH, 1, 0), (ENOUGH - 1, 0, 0)):
            lines = [line for line in log_of(lambda: function(count, good)).splitlines() if "none of the first" in line]
            self.assertEqual(len(lines), times, (count, good, lines))
            for line in lines:
                for text in texts:
                    self.assertIn(text, line)

    def test_decoders_of_streams(self):
        for options in ({}, {"threads": 2}, {"packed": True, "output": "codeword"}):
            self.check(lambda count, good: run(ldpc.ldpc_decoder_cpu_bb(NAME, **options), llrs(count, good)),
                       "llr_sign", "llr_scale", NAME, "wrong codeword alignment")
        self.check(lambda count, good: run(ldpc.ldpc_decoder_cpu_fb(NAME), llrs(count, good).astype(np.float32)), "llr_sign", NAME)
        self.check(lambda count, good: run(ldpc.nb_ldpc_decoder(NONBINARY, backend="cpu"), llrs(count, good, NONBINARY)), NONBINARY)
        self.check(lambda count, good: run(ldpc.ldpc_decoder_cpu_bb(NAME, input="hard"), (llrs(count, good) < 0).view(np.int8)), "inverted")

    def test_the_decoder_of_pdus(self):
        for vector in (s8, f32):
            self.check(lambda count, good: send(ldpc.ldpc_decoder_pdu(NAME), *pdus(llrs(count, good), vector)), "llr_sign", NAME)

    def test_llrs_that_round_to_zero(self):
        """One warning is logged, because the decoder returns zeros without an error."""
        strong = llrs(4, 4).astype(np.float32)
        for scale, times in ((1e-3, 1), (0.1, 0), (0, 0)):
            for run_decoder in (lambda: run(ldpc.ldpc_decoder_cpu_fb(NAME), scale * strong),
                                lambda: send(ldpc.ldpc_decoder_pdu(NAME), *pdus(scale * strong, f32))):
                lines = [line for line in log_of(run_decoder).splitlines() if "all input values round to 0" in line]
                self.assertEqual(len(lines), times, (scale, lines))

    def test_bch_decoder_and_deframer(self):
        self.check(lambda count, good: run(ldpc.dvb_bch_decoder_bb(CODE), bch_bits(count, good)), "could be corrected", CODE)
        self.check(lambda count, good: run(ldpc.dvb_bb_deframer_bb(CODE), frames(count, good)), "header", CODE)

    @unittest.skipUnless(hasattr(ldpc, "fec_decoder"), "built without gr-fec")
    def test_decoders_in_the_blocks_of_gr_fec(self):
        """In gr-fec, soft bits are positive for bit 1."""
        from gnuradio import fec

        strong = llrs(4, 4).astype(np.float32)
        self.assertIn("all input values round to 0", log_of(lambda: run(fec.extended_decoder(ldpc.fec_decoder(NAME, gain=1e-3), None), strong)))

        def decode(count, good):
            soft = -llrs(count, good).astype(np.float32) / 12
            run(fec.extended_decoder(ldpc.fec_decoder(NAME), threading=None), soft)

        self.check(decode, "gain", "positive for bit 1", NAME)

    def test_each_run_warns(self):
        """A restarted flowgraph counts from 0."""
        graph = gr.top_block()
        source = blocks.vector_source_b(llrs(ENOUGH).view(np.uint8).ravel().tolist())
        graph.connect(source, ldpc.ldpc_decoder_cpu_bb(NAME), blocks.null_sink(1))

        def twice():
            for _ in range(2):
                graph.run()
                source.rewind()

        self.assertEqual(log_of(twice).count("none of the first"), 2)

    def test_one_warning_for_a_chain(self):
        said = log_of(lambda: receive_noise(2 * ENOUGH))
        self.assertEqual(said.count("none of the first"), 1, said)
        self.assertIn("codewords could be decoded", said)
        graph = gr.top_block()
        bits = bch_bits(2 * ENOUGH)
        graph.connect(blocks.vector_source_b(bits.ravel().tolist()), ldpc.dvb_bch_decoder_bb(CODE), ldpc.dvb_bb_deframer_bb(CODE),
                      blocks.null_sink(1))
        self.assertEqual(log_of(graph.run).count("none of the first"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
