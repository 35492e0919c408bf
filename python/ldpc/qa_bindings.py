# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of all block classes: accepted codes, missing __init__."""
import inspect
import re
import subprocess
import sys
import unittest

import numpy as np
from gnuradio import blocks, gr, ldpc

BLOCKS = sorted(name for name, value in vars(ldpc).items()
                if inspect.isclass(value) and value.__module__.endswith("ldpc_python"))

# A defect would crash the process.
USE_BEFORE_INIT = """
from gnuradio import ldpc
kind = ldpc.{name}
new = kind.__new__(kind)
for member in dir(kind):
    if not member.startswith("__") and callable(getattr(kind, member)):
        try:
            getattr(new, member)()
        except TypeError:
            continue
        raise SystemExit("ldpc.{name}." + member + " can be used before __init__")
"""


class Bindings(unittest.TestCase):
    def test_wrong_arguments_are_one_sentence(self):
        for options, sentence in (({"iterations": 3}, "has no parameter iterations, did you mean max_iterations?"),
                                  ({"max_iterations": "3"}, "max_iterations: expected int, not '3'"), ({"tags": "yes"}, "tags: expected bool, not 'yes'"),
                                  ({"codes": "wifi:648:1/2"}, "codes: expected a list of names, not 'wifi:648:1/2'"),
                                  ({"codes": [17]}, "codes: expected a list of names, not [17]")):
            self.assertRaisesRegex(TypeError, re.escape(sentence), ldpc.ldpc_decoder_cpu_bb, "wimax:576:1/2", **options)

    def test_numbers_in_place_of_modcods(self):
        with self.assertRaisesRegex(TypeError, r"modcods: expected a list of names, not \[4\]"):
            ldpc.dvbs2_fec_decoder("dvbs2:64800:1/2", "qpsk", modcods=[4])

    def test_all_blocks_refuse_use_before_init(self):
        self.assertIn("ldpc_decoder_cpu_bb", BLOCKS)
        for name in BLOCKS:
            with self.subTest(name):
                result = subprocess.run([sys.executable, "-c", USE_BEFORE_INIT.format(name=name)], capture_output=True, text=True,
                                        timeout=300)
                self.assertEqual((result.returncode, result.stderr), (0, ""))


class CodeArgument(unittest.TestCase):
    """Tests codes, names of codes, and matrices."""

    def test_code_and_name_are_the_same(self):
        binary = (ldpc.ldpc_decoder_cpu_bb, ldpc.ldpc_decoder_cpu_fb, ldpc.ldpc_decoder_pdu, ldpc.ldpc_encoder_bb, ldpc.ldpc_encoder_pdu,
                  ldpc.ldpc_packet_decoder, ldpc.ldpc_packet_encoder,
                  *(getattr(ldpc, name) for name in ("fec_decoder", "fec_encoder") if hasattr(ldpc, name)))
        for name, makers in (("wimax:576:1/2", binary), ("bds:b1c:88", (ldpc.nb_ldpc_decoder, ldpc.nb_ldpc_encoder)),
                             ("dvbs2:16200:1/2", (ldpc.dvb_bch_decoder_bb, ldpc.dvb_bb_deframer_bb))):
            for block in makers:
                self.assertEqual((block(ldpc.code(name)).code(), block(name).code()), (name, name), block.__name__)
        code = ldpc.code("dvbs2:16200:2/3")
        for block in (ldpc.dvb_demapper_cb, ldpc.dvb_bit_deinterleaver_bb):
            self.assertEqual(block(code, "qpsk").n(), code.n)
        self.assertEqual(ldpc.dvbs2_fec_decoder(code, "qpsk", backend="cpu").ldpc.code(), code.name)

    def test_codes_without_a_name(self):
        """Tests the text of every kind of code file."""
        hamming = np.array([[1, 1, 1, 0, 1, 0, 0], [1, 1, 0, 1, 0, 1, 0], [1, 0, 1, 1, 0, 0, 1]], np.uint8)
        base = [[1, 2, 0, -1], [3, 0, 0, 0], [2, 1, -1, 0]]
        for given in (hamming, hamming.tolist(), ldpc.code.from_base(base, 8, punctured=[0]), ldpc.code.random(40, 2, 4, order=4)):
            code = ldpc.code(given)
            encoder = (ldpc.nb_ldpc_encoder if code.order > 2 else ldpc.ldpc_encoder_bb)(given)
            self.assertEqual((encoder.n(), encoder.k()), (code.n * code.symbol_bits, code.k * code.symbol_bits))
            messages = np.random.default_rng(1).integers(0, 2, (5, encoder.k()), np.uint8)
            graph, sink = gr.top_block(), blocks.vector_sink_b()
            graph.connect(blocks.vector_source_b(messages.ravel().tolist()), encoder, sink)
            graph.run()
            np.testing.assert_array_equal(np.array(sink.data()).reshape(5, -1), code.encode(messages))

    def test_what_is_no_code(self):
        for wrong in (17, None, object()):
            self.assertRaises((TypeError, ValueError), ldpc.ldpc_encoder_bb, wrong)
        self.assertRaisesRegex(ValueError, "wimax:576:1/3", ldpc.ldpc_encoder_bb, "wimax:576:1/3")
        self.assertRaises(ValueError, ldpc.ldpc_encoder_bb, "alist:\n7 3")


if __name__ == "__main__":
    unittest.main()
