#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The encoder block, also against GNU Radio's own DVB encoder."""
import unittest

import numpy as np
from gnuradio import dtv, ldpc

from qa_support import output, rows, run, tag, tags_of

FRAMES = {"64800": dtv.FECFRAME_NORMAL, "16200": dtv.FECFRAME_SHORT}
STANDARDS = {"dvbs2": dtv.STANDARD_DVBS2, "dvbt2": dtv.STANDARD_DVBT2}


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

    def test_less_than_a_message(self):
        self.assertEqual(len(output(run(ldpc.ldpc_encoder_bb("wimax:576:1/2"), np.zeros(287, np.uint8)))), 0)

    def test_tags_move_with_their_message(self):
        code = ldpc.code("wifi:648:2/3")
        sent = [tag(w * code.k, "word", w) for w in range(50)]
        sink = run(ldpc.ldpc_encoder_bb("wifi:648:2/3"), messages(code, 50), tags=sent)
        self.assertEqual(tags_of(sink, "word"), [(w * code.n, w) for w in range(50)])

    def test_wrong_code(self):
        for name in ("dvbt2:64800:7/8", "", "qc:/no/such/file"):
            self.assertRaises(ValueError, ldpc.ldpc_encoder_bb, name)
        self.assertRaises(TypeError, ldpc.ldpc_encoder_bb)

    def test_getters(self):
        block = ldpc.ldpc_encoder_bb("wifi:648:2/3")
        self.assertEqual((block.n(), block.k(), block.code()), (648, 432, "wifi:648:2/3"))


class AgainstGrDtv(unittest.TestCase):
    def test_every_s2_and_t2_code(self):
        """Random messages through gr-dtv's encoder and ours: the same codewords, bit for bit."""
        checked = 0
        for name in ldpc.codes():
            if name.split(":")[0] not in STANDARDS:
                continue
            family, length, rate = name.split(":")
            code = ldpc.code(name)
            message = messages(code, 2, seed=checked)
            theirs = run(dtv.dvb_ldpc_bb(STANDARDS[family], FRAMES[length], getattr(dtv, "C" + rate.replace("/", "_")),
                                         dtv.MOD_OTHER), message)
            ours = run(ldpc.ldpc_encoder_bb(name), message)
            np.testing.assert_array_equal(rows(ours, code.n), rows(theirs, code.n), name)
            checked += 1
        self.assertGreaterEqual(checked, 21 + 15)


if __name__ == "__main__":
    unittest.main(verbosity=2)
