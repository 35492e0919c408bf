#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the PDU blocks: results, vector types, metadata, dropped PDUs."""
import unittest

import numpy as np
import libldpc
import pmt
from gnuradio import blocks, gr, ldpc

from qa_support import PACKED_CODES, noisy_codewords, reference, run_program

NAME = "wifi:648:1/2"
N, K = 648, 324


def u8(items):
    return pmt.init_u8vector(len(items), np.asarray(items).view(np.uint8).tolist())


def s8(items):
    return pmt.init_s8vector(len(items), np.asarray(items, np.int8).tolist())


def f32(items):
    return pmt.init_f32vector(len(items), np.asarray(items, np.float32).tolist())


def array(vector):
    kinds = ((pmt.is_u8vector, pmt.u8vector_elements), (pmt.is_s8vector, pmt.s8vector_elements),
             (pmt.is_f32vector, pmt.f32vector_elements))
    return next(np.array(elements(vector)) for is_one, elements in kinds if is_one(vector))


def send(block, *pdus):
    """Returns (metadata, items) of each output PDU, and the statistics."""
    graph = gr.top_block()
    debug, stats = blocks.message_debug(), blocks.message_debug()
    graph.msg_connect(block, "pdus", debug, "store")
    if isinstance(block, ldpc.ldpc_decoder_base):
        graph.msg_connect(block, "stats", stats, "store")
    for message in pdus:
        block.to_basic_block()._post(pmt.intern("pdus"), message)
    block.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
    graph.run()
    got = [debug.get_message(i) for i in range(debug.num_messages())]
    return ([(pmt.to_python(pmt.car(m)), array(pmt.cdr(m))) for m in got],
            [pmt.to_python(stats.get_message(i)) for i in range(stats.num_messages())])


def pdu(vector, **metadata):
    return pmt.cons(pmt.to_pmt(metadata) if metadata else pmt.make_dict(), vector)


class Decoder(unittest.TestCase):
    def test_same_bits_and_iterations_as_the_library(self):
        _, llrs = noisy_codewords(NAME, 40, ebn0=1.0)
        bits, info = reference(NAME, llrs)
        self.assertGreater(40 - info["converged"].sum(), 0)
        for threads in (1, 2):
            for count in (1, 8, 40):
                block = ldpc.ldpc_decoder_pdu(NAME, threads=threads)
                got, _ = send(block, *(pdu(s8(part.ravel())) for part in llrs.reshape(-1, count * N)))
                np.testing.assert_array_equal(np.concatenate([items for _, items in got]), bits.ravel())
                self.assertEqual([m for m, _ in got],
                                 [{"ldpc_converged": bool(part["converged"].all()), "ldpc_iterations": part["iterations"].max()}
                                  for part in info.reshape(-1, count)])
                self.assertEqual((block.frames(), block.failed()), (40, 40 - info["converged"].sum()))

    def test_kinds_of_vectors(self):
        message, llrs = noisy_codewords(NAME, 3)
        nat = llrs.ravel() / 3
        for sign, factor in (("positive", 1), ("negative", -1)):
            for arithmetic in ("auto", "float"):
                with self.subTest(sign=sign, arithmetic=arithmetic):
                    block = ldpc.ldpc_decoder_pdu(NAME, llr_sign=sign, arithmetic=arithmetic)
                    turned = (factor * llrs.ravel()).astype(np.int8)
                    got, _ = send(block, pdu(s8(turned)), pdu(u8(turned)), pdu(f32(factor * nat)))
                    self.assertEqual(len(got), 3)
                    for _, items in got:
                        np.testing.assert_array_equal(items, message.ravel())

    def test_output_forms(self):
        message, llrs = noisy_codewords(NAME, 3)
        for form, bits in (("message", message), ("codeword", ldpc.code(NAME).encode(message))):
            for packed in (False, True):
                [(_, items)], _ = send(ldpc.ldpc_decoder_pdu(NAME, output=form, packed=packed), pdu(s8(llrs.ravel())))
                np.testing.assert_array_equal(items, (np.packbits(bits, axis=1) if packed else bits).ravel())

    def test_posteriors(self):
        """Posteriors have the vector type of the input."""
        _, llrs = noisy_codewords(NAME, 3, ebn0=2.0)
        _, _, expected = libldpc.decoder(libldpc.code(NAME)).decode(llrs, posteriors=True)
        expected = expected.ravel()
        block = ldpc.ldpc_decoder_pdu(NAME, output="posterior")
        got, _ = send(block, pdu(s8(llrs.ravel())), pdu(f32(llrs.ravel() / 3)))
        np.testing.assert_array_equal(got[0][1], np.clip(expected, -127, 127))
        np.testing.assert_allclose(got[1][1], expected / 3, rtol=1e-6)

    def test_metadata_is_kept(self):
        _, llrs = noisy_codewords(NAME, 1)
        [(metadata, _)], _ = send(ldpc.ldpc_decoder_pdu(NAME), pdu(s8(llrs[0]), channel=5, ldpc_iterations=999))
        self.assertEqual((metadata["channel"], metadata["ldpc_converged"]), (5, True))
        self.assertLess(metadata["ldpc_iterations"], 50)
        [(metadata, _)], _ = send(ldpc.ldpc_decoder_pdu(NAME), pmt.cons(pmt.PMT_NIL, s8(llrs[0])))
        self.assertEqual(set(metadata), {"ldpc_converged", "ldpc_iterations"})

    def test_others_are_dropped_and_counted(self):
        message, llrs = noisy_codewords(NAME, 1)
        block = ldpc.ldpc_decoder_pdu(NAME, stats_interval=1e-9)  # one message per PDU
        wrong = [pdu(s8(llrs[0][:-1])), pdu(s8([])), pmt.intern("text"), pdu(pmt.init_s32vector(N, [1] * N)), pmt.PMT_NIL]
        got, stats = send(block, *wrong, pdu(s8(llrs[0])))
        np.testing.assert_array_equal([items for _, items in got], message)
        self.assertEqual((block.dropped(), stats[0]["total_dropped"], stats[0]["total_frames"]), (5, 5, 1))

    def test_a_dropped_one_is_logged_once(self):
        done = run_program("from qa_pdus import *\nsend(ldpc.ldpc_decoder_pdu(NAME), *[pdu(s8([1] * 100))] * 3)\n")
        self.assertEqual((done.stdout + done.stderr).count("dropped a PDU of 100 items"), 1, done)

        done = run_program("from qa_pdus import *\nsend(ldpc.ldpc_decoder_pdu(NAME), pdu(pmt.init_s32vector(N, [1] * N)))\n")
        self.assertIn("dropped a PDU (expected whole blocks of", done.stdout + done.stderr)

    def test_hard_bits_without_the_option_are_noticed_once(self):
        for options, warnings in (("", 1), (", input='hard'", 0)):
            done = run_program(f"from qa_pdus import *\nsend(ldpc.ldpc_decoder_pdu(NAME{options}), *[pdu(u8([0, 1] * (N // 2)))] * 3)\n")
            self.assertEqual((done.stdout + done.stderr).count('for hard bits, set input="hard"'), warnings, done)

    def test_larger_fields(self):
        name = "bds:b1c:88"
        message, llrs = noisy_codewords(name, 2, ebn0=6.0)
        [(_, items)], _ = send(ldpc.ldpc_decoder_pdu(name), pdu(s8(llrs.ravel())))
        np.testing.assert_array_equal(items, message.ravel())

    def test_wrong_options(self):
        for wrong in ({"code": "no:such"}, {"backend": "abacus"}, {"llr_sign": "up"}, {"output": "noise"}):
            self.assertRaises(ValueError, ldpc.ldpc_decoder_pdu, **{"code": NAME, **wrong})
        self.assertRaises(TypeError, ldpc.ldpc_decoder_pdu, NAME, length_tag_name="x")


class Encoder(unittest.TestCase):
    def test_bits_and_bytes(self):
        """Messages and codewords are padded separately."""
        message, _ = noisy_codewords(NAME, 5)
        codewords = ldpc.code(NAME).encode(message)
        [(metadata, items)], _ = send(ldpc.ldpc_encoder_pdu(NAME), pdu(u8(message.ravel()), channel=3))
        np.testing.assert_array_equal(items, codewords.ravel())
        self.assertEqual(metadata, {"channel": 3})
        [(_, items)], _ = send(ldpc.ldpc_encoder_pdu(NAME, packed=True), pdu(u8(np.packbits(message, axis=1).ravel())))
        np.testing.assert_array_equal(items, np.packbits(codewords, axis=1).ravel())

    def test_others_are_dropped_and_counted(self):
        block = ldpc.ldpc_encoder_pdu(NAME)
        got, _ = send(block, pdu(u8(np.zeros(K + 1, np.uint8))), pdu(f32(np.zeros(K))), pdu(u8(np.zeros(K, np.uint8))))
        self.assertEqual((len(got), block.dropped()), (1, 2))

    def test_items_other_than_bits_are_dropped_and_counted(self):
        bits = np.full(K, 1, np.uint8)
        bytes_ = np.packbits(bits)
        for packed, right, wrong in ((False, bits, bits + 1), (True, bytes_, None)):
            block = ldpc.ldpc_encoder_pdu(NAME, packed)
            got, _ = send(block, *(pdu(u8(items)) for items in (wrong, right) if items is not None))
            self.assertEqual((len(got), block.dropped()), (1, int(wrong is not None)))

    def test_padding_that_is_not_zero_is_dropped_and_counted(self):
        """A PDU with nonzero padding in any message is dropped."""
        rng = np.random.default_rng(3)
        for code in map(ldpc.code, PACKED_CODES):
            left = code.k % 8
            message = rng.integers(0, 2, (3, code.k), np.uint8)
            packed = np.packbits(message, axis=1)
            block = ldpc.ldpc_encoder_pdu(code.name, packed=True)
            wrong = [(row, bit) for row in range(3) for bit in range(8 - left)] if left else []
            pdus = [pdu(u8(packed.ravel()))]
            for row, bit in wrong:
                changed = packed.copy()
                changed[row, -1] |= 1 << bit
                pdus.append(pdu(u8(changed.ravel())))
            got, _ = send(block, *pdus)
            self.assertEqual((len(got), block.dropped()), (1, len(wrong)))
            np.testing.assert_array_equal(got[0][1], np.packbits(code.encode(message), axis=1).ravel())

    def test_packed_there_and_back(self):
        rng = np.random.default_rng(5)
        for code in map(ldpc.code, PACKED_CODES):
            sent = [np.packbits(rng.integers(0, 2, (count, code.k), np.uint8), axis=1).ravel() for count in (1, 3)]
            encoded, _ = send(ldpc.ldpc_encoder_pdu(code.name, packed=True), *(pdu(u8(items)) for items in sent))
            self.assertEqual([len(items) for _, items in encoded], [count * -(-code.n // 8) for count in (1, 3)])
            decoder = ldpc.ldpc_decoder_pdu(code.name, input="hard-packed", packed=True)
            received, _ = send(decoder, *(pdu(u8(items.astype(np.uint8))) for _, items in encoded))
            self.assertEqual([items.tolist() for _, items in received], [items.tolist() for items in sent])

    def test_padding_is_logged_once(self):
        done = run_program("from qa_pdus import *\nsend(ldpc.ldpc_encoder_pdu(NAME, True), *[pdu(u8(np.full(41, 255, np.uint8)))] * 3)\n")
        text = "the last byte of each packed message of 324 bits must end in 4 padding bits of value 0, but one is 255"
        self.assertEqual((done.stdout + done.stderr).count(text), 1, done)

    def test_wrong_code(self):
        self.assertRaises(ValueError, ldpc.ldpc_encoder_pdu, "dvbt2:64800:7/8")


if __name__ == "__main__":
    unittest.main(verbosity=2)
