#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the encoder block. Its codewords must equal those of gr-dtv's encoder."""
import unittest

import numpy as np
from gnuradio import dtv, ldpc

from qa_support import PACKED_CODES, output, rows, run, tag, tags_of

STANDARDS = {"dvbs2": dtv.STANDARD_DVBS2, "dvbs2x": dtv.STANDARD_DVBS2, "dvbt2": dtv.STANDARD_DVBT2}
# gr-dtv's frame size and suffix for each code length.
FRAMES = {"64800": (dtv.FECFRAME_NORMAL, ""), "16200": (dtv.FECFRAME_SHORT, ""), "61560": (dtv.FECFRAME_NORMAL, "_VLSNR"),
          "30780": (dtv.FECFRAME_MEDIUM, "_MEDIUM"), "15390": (dtv.FECFRAME_SHORT, "_VLSNR_SF2"),
          "14976": (dtv.FECFRAME_SHORT, "_VLSNR")}
UNKNOWN_TO_DTV = {"dvbs2x:64800:2/9", "dvbs2x:32400:1/5", "dvbs2x:32400:11/45", "dvbs2x:32400:1/3"}  # VL-SNR frames only


def messages(code, count, seed=1):
    return np.random.default_rng(seed).integers(0, 2, (count, code.k), np.uint8)


class Encoder(unittest.TestCase):
    def test_same_as_the_library(self):
        for name in ("wimax:576:1/2", "wimax:2304:3/4B", "wifi:1944:5/6", "dvbs2:64800:9/10", "dvbs2x:16200:4/15",
                     "dvbt2:16200:1/3", "dvbc2:64800:2/3"):
            code = ldpc.code(name)
            message = messages(code, 5)
            sink = run(ldpc.ldpc_encoder_bb(name), message, extra=np.ones(code.k - 1))
            np.testing.assert_array_equal(rows(sink, code.n), code.encode(message), name)

    def test_packed(self):
        for code in map(ldpc.code, PACKED_CODES):
            message = messages(code, 6)
            packed, expected = np.packbits(message, axis=1), np.packbits(code.encode(message), axis=1)
            width = packed.shape[1]
            sink = run(ldpc.ldpc_encoder_bb(code, packed=True), packed, extra=np.zeros(width - 1))
            np.testing.assert_array_equal(rows(sink, expected.shape[1]), expected)
            tags = [tag(first * width, "len", count * width) for first, count in ((0, 2), (2, 1), (3, 3))]
            sink = run(ldpc.ldpc_encoder_bb(code, "len", packed=True), packed, tags)
            np.testing.assert_array_equal(rows(sink, expected.shape[1]), expected)
            self.assertEqual(tags_of(sink, "len"), [(first * expected.shape[1], count * expected.shape[1]) for first, count in ((0, 2), (2, 1), (3, 3))])

    def test_padding_that_is_not_zero_is_dropped_and_counted(self):
        code = ldpc.code("wifi:648:1/2")  # 324 bits: the last of 41 bytes has 4
        message = messages(code, 5)
        packed = np.packbits(message, axis=1)
        packed[1, -1] |= 8
        for tags, kept in (((), [0, 2, 3, 4]), ([tag(0, "len", 41), tag(41, "len", 82), tag(123, "len", 82)], [0, 3, 4])):
            block = ldpc.ldpc_encoder_bb(code, "len" if tags else "", packed=True)
            sink = run(block, packed, tags)
            np.testing.assert_array_equal(rows(sink, 81), np.packbits(code.encode(message[kept]), axis=1))
            self.assertEqual(block.dropped(), 41 * (5 - len(kept)))

    def test_less_than_a_message(self):
        self.assertEqual(len(output(run(ldpc.ldpc_encoder_bb("wimax:576:1/2"), np.zeros(287, np.uint8)))), 0)

    def test_a_tag_belongs_to_its_own_codeword(self):
        for name in ("wimax:576:1/2", "dvbt2:16200:1/4", "wifi:648:5/6"):
            code = ldpc.code(name)
            sent = [tag(w * code.k + i, "place", w) for w in range(4) for i in (0, code.k - 1)]
            sink = run(ldpc.ldpc_encoder_bb(name), np.zeros((4, code.k), np.uint8), tags=sent)
            self.assertEqual([offset // code.n for offset, _ in tags_of(sink, "place")], [0, 0, 1, 1, 2, 2, 3, 3])

    def test_tags_move_with_their_message(self):
        code = ldpc.code("wifi:648:2/3")
        sent = [tag(w * code.k, "codeword", w) for w in range(50)]
        sink = run(ldpc.ldpc_encoder_bb("wifi:648:2/3"), messages(code, 50), tags=sent)
        self.assertEqual(tags_of(sink, "codeword"), [(w * code.n, w) for w in range(50)])

    def test_wrong_code(self):
        for name in ("dvbt2:64800:7/8", "", "qc:/no/such/file"):
            self.assertRaises(ValueError, ldpc.ldpc_encoder_bb, name)
        self.assertRaises(TypeError, ldpc.ldpc_encoder_bb)

    def test_getters(self):
        block = ldpc.ldpc_encoder_bb("wifi:648:2/3")
        self.assertEqual((block.n(), block.k(), block.code()), (648, 432, "wifi:648:2/3"))


class AgainstGrDtv(unittest.TestCase):
    def test_every_code_that_it_has(self):
        """Codewords equal those of gr-dtv."""
        checked = {family: 0 for family in STANDARDS}
        for name in ldpc.codes():
            family = name.split(":")[0]
            if family not in STANDARDS or name in UNKNOWN_TO_DTV:
                continue
            length, rate = name.split(":")[1:]
            frame, ending = FRAMES[length]
            code = ldpc.code(name)
            message = messages(code, 2, seed=sum(checked.values()))
            theirs = run(dtv.dvb_ldpc_bb(STANDARDS[family], frame, getattr(dtv, "C" + rate.replace("/", "_") + ending),
                                         dtv.MOD_OTHER), message)
            ours = run(ldpc.ldpc_encoder_bb(name), message)
            np.testing.assert_array_equal(rows(ours, code.n), rows(theirs, code.n), name)
            checked[family] += 1
        self.assertEqual(checked, {"dvbs2": 21, "dvbs2x": 39, "dvbt2": 15})


if __name__ == "__main__":
    unittest.main(verbosity=2)
