# SPDX-License-Identifier: BSD-3-Clause
"""Two devices of OpenCL in one decoder: PoCL's, which compile for the CPU, a small code, and the reference's results."""
import os
import subprocess
import sys
import unittest

PROGRAM = """
import libldpc, sys
code = "wifi:648:1/2"
_, llrs = libldpc.noisy_frames(code, ebn0=1.5, count=50)
if libldpc.backends().get("opencl", "not in this build"):
    sys.exit(77)
try:
    decoder = libldpc.decoder(code, backend="opencl", devices="portable computing language", streams=1, max_iterations=5)
except ValueError:  # no such platform
    sys.exit(77)
assert (decoder.backend, decoder.depth) == ("opencl", 2), decoder
expected = libldpc.decoder(code, backend="cpu", arithmetic="i16", max_iterations=5).decode(llrs)

def same(first, count, result):
    for mine, theirs in zip(result, expected):
        assert (mine == theirs[first:first + count]).all(), (first, count)

same(0, 50, decoder.decode(llrs))
for first in (0, 20):
    parts = [(first, 20), (first + 20, 7)]
    for at, count in parts:
        assert decoder.submit(llrs[at:at + count])
    for at, count in parts:
        same(at, count, decoder.collect())
"""


class TwoDevices(unittest.TestCase):
    def test_batches_are_shared_and_in_order(self):
        result = subprocess.run([sys.executable, "-B", "-c", PROGRAM], capture_output=True, text=True, timeout=900,
                                env={**os.environ, "POCL_DEVICES": "pthread pthread"})
        if result.returncode == 77:
            self.skipTest("PoCL is not installed")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
