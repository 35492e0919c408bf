#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of decoder blocks with hard bits as input, packed or one per byte."""
import unittest

import numpy as np
from gnuradio import ldpc

from qa_pdus import f32, pdu, send, u8
from qa_support import PACKED_CODES, output, reference, rows, run, run_program, tag, tags_of


def received(name, count, wrong=8):
    """Returns messages and their codewords. Each codeword has `wrong` bit errors."""
    code = ldpc.code(name)
    rng = np.random.default_rng(1)
    messages = rng.integers(0, 2, (count, code.k), np.uint8)
    bits = code.encode(messages)
    for word in bits:
        word[rng.choice(code.n, wrong, replace=False)] ^= 1
    return messages, bits


class HardBits(unittest.TestCase):
    NAME = "wimax:576:1/2"

    def forms(self, bits):
        return (("hard", bits), ("hard-packed", np.packbits(bits, axis=1)))

    def test_errors_are_corrected(self):
        messages, bits = received(self.NAME, 30)
        for options in ({}, {"threads": 2}):
            for form, items in self.forms(bits):
                block = ldpc.ldpc_decoder_cpu_bb(self.NAME, input=form, **options)
                np.testing.assert_array_equal(rows(run(block, items), messages.shape[1]), messages)
                self.assertEqual((block.failed(), block.frames()), (0, 30))

    def test_the_level(self):
        """A hard bit becomes an LLR of 4 nats, for every scale and sign convention."""
        _, bits = received(self.NAME, 20, wrong=40)  # some codewords fail
        for scale in (3.0, 1.0, 64.0):
            llrs = (1 - 2 * bits.astype(np.int32)) * min(round(4 * scale), 127)
            expected, info = reference(self.NAME, llrs.astype(np.int8), llr_scale=scale)
            for form, items in self.forms(bits):
                block = ldpc.ldpc_decoder_cpu_bb(self.NAME, input=form, llr_scale=scale, llr_sign="negative")
                np.testing.assert_array_equal(rows(run(block, items), expected.shape[1]), expected)
                self.assertEqual(block.failed(), int((~info["converged"]).sum()))

    def test_codewords_are_padded(self):
        """Packed codewords are zero-padded to whole bytes. The unit of packet lengths is bytes."""
        name = next(name for name in ldpc.codes() if ldpc.code(name).n % 8 and ldpc.code(name).order == 2)
        code = ldpc.code(name)
        messages = np.random.default_rng(2).integers(0, 2, (6, code.k), np.uint8)
        items = np.packbits(code.encode(messages), axis=1)
        width = items.shape[1]
        sent = [tag(0, "packet_len", 4 * width), tag(4 * width, "packet_len", 2 * width)]
        block = ldpc.ldpc_decoder_cpu_bb(name, input="hard-packed", length_tag_name="packet_len")
        sink = run(block, items, sent)
        np.testing.assert_array_equal(rows(sink, code.k), messages)
        self.assertEqual(tags_of(sink, "packet_len"), [(0, 4 * code.k), (4 * code.k, 2 * code.k)])

    def test_padding_that_is_not_zero(self):
        """A codeword with nonzero padding is dropped together with its packet."""
        rng = np.random.default_rng(4)
        for code in map(ldpc.code, PACKED_CODES):
            messages = rng.integers(0, 2, (60, code.k), np.uint8)
            items = np.packbits(code.encode(messages), axis=1)
            wrong = sorted(rng.choice(60, 7, replace=False).tolist()) if code.n % 8 else []
            if wrong:
                items[wrong, -1] |= 1 << int(rng.integers(0, 8 - code.n % 8))
            width, packet = items.shape[1], 5
            packets = sorted({row // packet for row in wrong})
            whole = np.delete(messages.reshape(-1, packet, code.k), packets, axis=0)
            lengths = [tag(at, "packet_len", packet * width) for at in range(0, items.size, packet * width)]
            for threads in (1, 2):
                block = ldpc.ldpc_decoder_cpu_bb(code.name, input="hard-packed", threads=threads)
                np.testing.assert_array_equal(rows(run(block, items), code.k), np.delete(messages, wrong, axis=0))
                self.assertEqual(block.dropped(), len(wrong) * width)
                block = ldpc.ldpc_decoder_cpu_bb(code.name, input="hard-packed", threads=threads, start_tag="begin")
                sink = run(block, items, [tag(width, "begin", True)])
                np.testing.assert_array_equal(rows(sink, code.k), np.delete(messages, sorted({0, *wrong}), axis=0))
                block = ldpc.ldpc_decoder_cpu_bb(code.name, input="hard-packed", threads=threads, length_tag_name="packet_len")
                sink = run(block, items, lengths)
                np.testing.assert_array_equal(rows(sink, code.k), whole.reshape(-1, code.k))
                self.assertEqual(block.dropped(), len(packets) * packet * width)
                self.assertEqual([length for _, length in tags_of(sink, "packet_len")], [packet * code.k] * len(whole))
            block = ldpc.ldpc_decoder_pdu(code.name, input="hard-packed")
            got, _ = send(block, *(pdu(u8(part.ravel())) for part in items.reshape(-1, packet, width)))
            np.testing.assert_array_equal([bits for _, bits in got], whole.reshape(len(whole), -1))
            self.assertEqual(block.dropped(), len(packets))

    def test_packets_longer_than_a_buffer(self):
        name = PACKED_CODES[1]
        code = ldpc.code(name)
        messages = np.random.default_rng(5).integers(0, 2, (1, code.k), np.uint8)
        items = np.packbits(code.encode(messages), axis=1)
        count = 1000000 // items.shape[1]
        block = ldpc.ldpc_decoder_cpu_bb(name, input="hard-packed", length_tag_name="packet_len", packed=True)
        sink = run(block, np.tile(items, (count, 1)), [tag(0, "packet_len", count * items.shape[1])])
        got = rows(sink, -(-code.k // 8))
        self.assertEqual(len(got), count)
        np.testing.assert_array_equal(np.unique(got, axis=0), np.packbits(messages, axis=1))

    def test_padding_is_logged_once(self):
        done = run_program("""
from qa_hard_bits import *
run(ldpc.ldpc_decoder_cpu_bb(PACKED_CODES[1], input="hard-packed"), np.full(20 * 19, 255, np.uint8))
""")
        self.assertEqual((done.stdout + done.stderr).count("a codeword is dropped: the last byte of each packed codeword of"), 1, done)

    def test_only_the_lowest_bit_counts(self):
        messages, bits = received(self.NAME, 3)
        block = ldpc.ldpc_decoder_cpu_bb(self.NAME, input="hard")
        np.testing.assert_array_equal(rows(run(block, bits | 0x30), messages.shape[1]), messages)

    def test_larger_fields(self):
        name = "bds:b1c:88"
        code = ldpc.code(name)
        messages = np.random.default_rng(1).integers(0, 2, (4, 6 * code.k), np.uint8)
        bits = output(run(ldpc.nb_ldpc_encoder(name), messages)).reshape(4, -1)
        bits[:, 7] ^= 1
        for form, items in self.forms(bits):
            sink = run(ldpc.nb_ldpc_decoder(name, input=form, backend="cpu"), items)
            np.testing.assert_array_equal(rows(sink, messages.shape[1]), messages)

    def test_pdus(self):
        messages, bits = received(self.NAME, 4)
        for form, items in self.forms(bits):
            block = ldpc.ldpc_decoder_pdu(self.NAME, input=form)
            got, _ = send(block, pdu(u8(items.ravel())), pdu(f32(np.ones(576))))
            np.testing.assert_array_equal([bits for _, bits in got], [messages.ravel()])
            self.assertEqual(block.dropped(), 1)

    def test_other_names(self):
        for make in (ldpc.ldpc_decoder_cpu_bb, ldpc.ldpc_decoder_pdu):
            with self.assertRaisesRegex(ValueError, '"hard-packed", not "soft"'):
                make(self.NAME, input="soft")
        with self.assertRaisesRegex(ValueError, "input"):
            ldpc.ldpc_decoder_cpu_bb(self.NAME, input="costs")


if __name__ == "__main__":
    unittest.main(verbosity=2)
