# SPDX-License-Identifier: BSD-3-Clause
"""Tests OpenCL with PoCL: a kernel for one code, on one device and on two. PoCL compiles this kernel in 6 s, "any" in 30 s."""
import os
import subprocess
import sys
import unittest

PROGRAM = """
import libldpc, sys
if libldpc.backends().get("opencl", "not in this build"):
    sys.exit(77)
code = libldpc.code.from_qc("6 3 7\\n0 1 -1 0 -1 -1\\n2 -1 3 0 0 -1\\n-1 4 5 -1 0 0\\n")
_, llrs = libldpc.noisy_frames(code, ebn0=3.0, count=50)
try:
    decoder = libldpc.decoder(code, backend="opencl", devices="portable computing language", kernel="straight", max_iterations=5, streams=1)
except ValueError:  # no such platform
    sys.exit(77)
expected = libldpc.decoder(code, backend="cpu", arithmetic="i16", max_iterations=5).decode(llrs)

def same(result, first=0, count=50):
    for mine, theirs in zip(result, expected):
        assert (mine == theirs[first:first + count]).all(), (first, count)

assert decoder.depth == 2, decoder
same(decoder.decode(llrs))
for first in (0, 20):
    parts = [(first, 20), (first + 20, 7)]
    for at, count in parts:
        assert decoder.submit(llrs[at:at + count])
    for at, count in parts:
        same(decoder.collect(), at, count)
"""


class Pocl(unittest.TestCase):
    def test_two_devices_share_the_batches_in_order(self):
        result = subprocess.run([sys.executable, "-B", "-c", PROGRAM], capture_output=True, text=True, timeout=900,
                                env={**os.environ, "POCL_DEVICES": "pthread pthread"})
        if result.returncode == 77:
            self.skipTest("PoCL is not installed")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
