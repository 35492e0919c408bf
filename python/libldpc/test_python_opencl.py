# SPDX-License-Identifier: BSD-3-Clause
"""Tests of OpenCL with PoCL: two devices, and a compiled kernel."""
import os
import subprocess
import sys
import unittest

BEGIN = """
import libldpc, sys
if libldpc.backends().get("opencl", "not in this build"):
    sys.exit(77)

def decoder_and_expected(code, llrs, **options):
    try:
        decoder = libldpc.decoder(code, backend="opencl", devices="portable computing language", max_iterations=5, **options)
    except ValueError:  # no such platform
        sys.exit(77)
    return decoder, libldpc.decoder(code, backend="cpu", arithmetic="i16", max_iterations=5).decode(llrs)

def same(result, expected, first=0, count=50):
    for mine, theirs in zip(result, expected):
        assert (mine == theirs[first:first + count]).all(), (first, count)
"""
TWO_DEVICES = BEGIN + """
code = "wifi:648:1/2"
_, llrs = libldpc.noisy_frames(code, ebn0=1.5, count=50)
decoder, expected = decoder_and_expected(code, llrs, streams=1)
assert (decoder.kernel, decoder.depth) == ("any", 2), decoder
same(decoder.decode(llrs), expected)
for first in (0, 20):
    parts = [(first, 20), (first + 20, 7)]
    for at, count in parts:
        assert decoder.submit(llrs[at:at + count])
    for at, count in parts:
        same(decoder.collect(), expected, at, count)
"""
STRAIGHT = BEGIN + """
code = libldpc.code.from_qc("6 3 7\\n0 1 -1 0 -1 -1\\n2 -1 3 0 0 -1\\n-1 4 5 -1 0 0\\n")
_, llrs = libldpc.noisy_frames(code, ebn0=3.0, count=50)
decoder, expected = decoder_and_expected(code, llrs, kernel="straight")
same(decoder.decode(llrs), expected)
"""


class Pocl(unittest.TestCase):
    def run_program(self, program, **environment):
        result = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True, timeout=900,
                                env={**os.environ, **environment})
        if result.returncode == 77:
            self.skipTest("PoCL is not installed")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_two_devices_share_the_batches_in_order(self):
        self.run_program(TWO_DEVICES, POCL_DEVICES="pthread pthread")

    def test_a_kernel_for_one_code(self):
        self.run_program(STRAIGHT)


if __name__ == "__main__":
    unittest.main()
