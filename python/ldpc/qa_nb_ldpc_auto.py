#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The automatic backend of nb_ldpc_decoder where there is a GPU, that of tests/fake_gpu: large batches go to it, all others stay
on the CPU, and so do all when it is lost."""
import unittest

import libldpc
import numpy as np
from gnuradio import ldpc

from qa_support import noisy_codewords, rows, run, run_program

CODE = "bds:b1c:88"
GATHERS = {"batch": 200, "latency": 5.0}  # full batches only
STREAM = ("from gnuradio import ldpc; from qa_support import rows, run, noisy_codewords; "
          f"message, llrs = noisy_codewords('{CODE}', 1000); "
          f"decoder = ldpc.nb_ldpc_decoder('{CODE}', **{GATHERS}); "
          "assert (rows(run(decoder, llrs), decoder.k()) == message).all(); "
          "assert decoder.frames() == 1000 and decoder.failed() == 0; "
          "print(decoder.backend())")
ONE_BY_ONE = ("import threading; from gnuradio import gr, ldpc; from qa_support import Listener, OneByOne, noisy_codewords; "
              f"message, llrs = noisy_codewords('{CODE}', 20); "
              f"decoder, seen = ldpc.nb_ldpc_decoder('{CODE}'), threading.Semaphore(0); "
              "source, sink, graph = OneByOne(llrs, seen), Listener(decoder.k(), seen), gr.top_block(); "
              "graph.connect(source, decoder, sink); graph.run(); "
              "assert sink.items == message.size and decoder.failed() == 0; "
              "print(decoder.backend())")


class Auto(unittest.TestCase):
    def ends_on(self, backend, program, launch):
        result = run_program(program, FAKE_GPU_FAILS_AT=str(launch))
        log = result.stdout + result.stderr
        self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, [backend]), log)
        return log.count("decoding goes on on the CPU")

    def test_both_decode(self):
        message, llrs = noisy_codewords(CODE, 500)
        for options in ({}, GATHERS, {"threads": 2}, {"latency": 0.01}, {"early_stop": False}):
            with self.subTest(options):
                decoder = ldpc.nb_ldpc_decoder(CODE, **options)
                self.assertEqual(decoder.backend(), "cpu+cuda")
                np.testing.assert_array_equal(rows(run(decoder, llrs), decoder.k()), message)

    def test_what_only_the_cpu_does(self):
        for options in ({"backend": "cpu"}, {"algorithm": "ems"}, {"kernel": "scalar"}):
            with self.subTest(options):
                self.assertEqual(ldpc.nb_ldpc_decoder(CODE, **options).backend(), "cpu")

    def test_what_the_cpu_decodes_at_once_stays_there(self):
        """As many codewords as its threads have lanes, which depends on the instruction set."""
        lanes = libldpc.decoder(CODE, backend="cpu").lanes
        for threads in (1, 2):
            for more, backend in ((0, "cpu"), (1, "cpu+cuda")):
                decoder = ldpc.nb_ldpc_decoder(CODE, threads=threads, batch=lanes * threads + more)
                self.assertEqual(decoder.backend(), backend, (lanes, threads, more))

    def test_large_batches_are_the_gpus(self):
        """It is lost at some launch, and the CPU decodes what it has left."""
        for launch in (1, 3, 5):
            with self.subTest(launch=launch):
                self.assertEqual(self.ends_on("cpu", STREAM, launch), 1)

    def test_single_words_are_the_cpus(self):
        """A GPU that fails at its first launch is never asked."""
        self.assertEqual(self.ends_on("cpu+cuda", ONE_BY_ONE, 1), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
