# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for all block classes: a block that __new__ has made without __init__ is refused, with all its methods, those of
gr.block too."""
import inspect
import re
import subprocess
import sys
import unittest

from gnuradio import ldpc

BLOCKS = sorted(name for name, value in vars(ldpc).items()
                if inspect.isclass(value) and value.__module__.endswith("ldpc_python"))

# Run on its own: a defect ends the process.
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


if __name__ == "__main__":
    unittest.main()
