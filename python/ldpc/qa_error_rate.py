#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of ldpc_error_rate: rates, tags, text, frames larger than a buffer."""
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

from qa_support import byte_source, tags_of


def measure(sent, received, frame, outputs=2, **options):
    """Returns the block, its sinks, its tags and its log lines."""
    graph = gr.top_block()
    block, text = ldpc.ldpc_error_rate(frame, **options), blocks.message_debug()
    sinks = [blocks.vector_sink_f() for _ in range(outputs)]
    graph.connect(byte_source(sent), (block, 0))
    graph.connect(byte_source(received), (block, 1))
    for port, sink in enumerate(sinks):
        graph.connect((block, port), sink)
    graph.msg_connect(block, "text", text, "store")
    graph.run()
    return (block, [np.array(sink.data()) for sink in sinks], tags_of(sinks[0], "ldpc_bit_errors") if sinks else [],
            [pmt.symbol_to_string(text.get_message(i)) for i in range(text.num_messages())])


def with_errors(frames, frame, seed=1):
    rng = np.random.default_rng(seed)
    sent = rng.integers(0, 2, (frames, frame), np.uint8)
    wrong = ((rng.random((frames, frame)) < 0.1) & (rng.random((frames, 1)) < 0.3)).astype(np.uint8)
    return sent, sent ^ wrong, wrong.sum(axis=1, dtype=int)


class Rates(unittest.TestCase):
    def check(self, frame, packed, window):
        sent, received, errors = with_errors(50, frame)
        pack = (lambda bits: np.packbits(bits, axis=1)) if packed else (lambda bits: bits)
        block, (ber, fer), tags, text = measure(pack(sent), pack(received), frame, window=window, packed=packed, text_interval=1e-9)
        expected = [[np.sum(errors[max(0, i + 1 - window):i + 1]) / frame / min(window, i + 1),
                     np.mean(errors[max(0, i + 1 - window):i + 1] > 0)] for i in range(50)]
        np.testing.assert_allclose(np.transpose([ber, fer]), expected, rtol=1e-6)
        self.assertEqual(tags, [(i, count) for i, count in enumerate(errors) if count])
        self.assertEqual((block.frames(), block.bit_errors(), block.frame_errors()), (50, errors.sum(), (errors > 0).sum()))
        self.assertAlmostEqual(block.ber(), errors.sum() / frame / 50)
        self.assertAlmostEqual(block.fer(), (errors > 0).mean())
        self.assertIn(f"BER {ber[-1]:.2e}, FER {fer[-1]:.2e} over {min(window, 50)} frames; {(errors > 0).sum()} of 50 frames wrong", text[-1])

    def test_rates(self):
        for frame in (1, 7, 100, 64800):  # 64800 bits: more than a buffer
            for packed in (False, True):
                for window in (1, 20, 1000):
                    with self.subTest(frame=frame, packed=packed, window=window):
                        self.check(frame, packed, window)

    def test_an_incomplete_frame_and_the_longer_stream_do_not_count(self):
        sent, received, errors = with_errors(4, 10)
        block, (ber, _), _, _ = measure(sent, np.append(received, [[1] * 10] * 3), 12, text_interval=0)
        self.assertEqual((block.frames(), len(ber)), (3, 3))

    def test_without_outputs(self):
        sent, received, errors = with_errors(2000, 10)
        block, _, _, text = measure(sent, received, 10, outputs=0, text_interval=1e-9)
        self.assertEqual((block.frames(), block.bit_errors()), (2000, errors.sum()))
        self.assertIn("of 2000 frames wrong", text[-1])

    def test_the_last_rates_are_logged(self):
        for interval, logged in ((1000, True), (0, False)):
            program = f"from qa_error_rate import *; print(measure(np.uint8([0, 1, 1, 1]), np.uint8([0, 1, 1, 0]), 2, text_interval={interval})[3])"
            result = subprocess.run([sys.executable, "-B", "-c", program], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, check=True)
            self.assertIn("[]", result.stdout)
            self.assertEqual("BER 2.50e-01, FER 5.00e-01 over 2 frames; 1 of 2 frames wrong" in result.stdout + result.stderr, logged)

    def test_only_bit_0_counts(self):
        block, _, _, text = measure([2, 3], [0, 1], 1, text_interval=0)
        self.assertEqual((block.bit_errors(), text), (0, []))

    def test_wrong_arguments(self):
        for wrong in ({"frame": 0}, {"window": 0}, {"text_interval": -1}):
            self.assertRaises(ValueError, ldpc.ldpc_error_rate, **{"frame": 10, **wrong})


if __name__ == "__main__":
    unittest.main(verbosity=2)
