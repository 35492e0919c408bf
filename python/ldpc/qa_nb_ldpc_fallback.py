#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""nb_ldpc_decoder runs on the failing GPU of tests/fake_gpu. After the failure, the CPU decodes."""
import unittest

from qa_support import run_program

CODE = "bds:b1c:88"
STREAM = ("from gnuradio import ldpc; from qa_support import rows, run, noisy_codewords; "
          f"message, llrs = noisy_codewords('{CODE}', 1000); "
          f"decoder = ldpc.nb_ldpc_decoder('{CODE}', backend='gpu', fallback=True, batch=200, latency=5.0); "
          "assert decoder.backend() == 'cuda'; "
          "assert (rows(run(decoder, llrs), decoder.k()) == message).all(); "
          "assert decoder.frames() == 1000 and decoder.failed() == 0; "
          "print(decoder.backend())")


class Fallback(unittest.TestCase):
    def test_the_cpu_takes_over(self):
        for launch in (1, 3, 5):
            with self.subTest(launch=launch):
                result = run_program(STREAM, FAKE_GPU_FAILS_AT=str(launch))
                log = result.stdout + result.stderr
                self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["cpu"]), log)
                self.assertEqual(log.count("falling back to the CPU"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
