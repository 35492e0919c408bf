#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard bits into the decoder blocks, one per byte or packed."""
import unittest

import numpy as np
from gnuradio import ldpc

from qa_pdus import f32, pdu, send, u8
from qa_support import output, reference, rows, run, tag, tags_of


def received(name, count, wrong=8):
    """Messages, and the hard bits of their codewords with some of them wrong."""
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
        """A bit counts as 4 nat, whatever the scale and the sign of LLRs are."""
        _, bits = received(self.NAME, 20, wrong=40)  # some codewords fail
        for scale in (3.0, 1.0, 64.0):
            llrs = (1 - 2 * bits.astype(np.int32)) * min(round(4 * scale), 127)
            expected, info = reference(self.NAME, llrs.astype(np.int8), llr_scale=scale)
            for form, items in self.forms(bits):
                block = ldpc.ldpc_decoder_cpu_bb(self.NAME, input=form, llr_scale=scale, llr_sign="negative")
                np.testing.assert_array_equal(rows(run(block, items), expected.shape[1]), expected)
                self.assertEqual(block.failed(), int((~info["converged"]).sum()))

    def test_codewords_are_padded(self):
        """To whole bytes; lengths of packets count bytes."""
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
