# SPDX-License-Identifier: BSD-3-Clause
"""LLRs in a GPU's memory: tests/device/device_arrays.py on the GPU of tests/fake_gpu."""
import os
import pathlib
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"
FAKE_GPU = pathlib.Path(os.environ.get("LDPC_PROGRAMS", "/")).parent / "tests" / "fake_gpu"


@unittest.skipUnless((FAKE_GPU / "libcuda.so.1").exists(), "tests/fake_gpu has not been built")
class DeviceArrays(unittest.TestCase):
    def test_device_arrays(self):
        result = subprocess.run([sys.executable, "-B", TESTS / "device" / "device_arrays.py"], capture_output=True, text=True, timeout=600,
                                env={**os.environ, "LD_LIBRARY_PATH": str(FAKE_GPU), "FAKE_GPU_CODES": "wimax:576:1/2"})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, "^Fake GPU: passed interface, the_default_stream, dlpack, results_are_lent, a_buffer_of_the_caller, wrong_arrays")


if __name__ == "__main__":
    unittest.main()
