#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""LLRs that a GPU copies out of GNU Radio's buffer: that of tests/fake_gpu, which tells where it copies from."""
import ctypes
import threading
import unittest

import numpy as np
from gnuradio import blocks, gr

from qa_support import Listener, byte_source, gpu_decoder, noisy_codewords, output, reference, rows, run, run_program, tag, tags_of

SHORT = "wimax:576:1/2"
PROGRAM = """
import ctypes
import numpy as np
from gnuradio import blocks, gr
from qa_support import byte_source, gpu_decoder, noisy_codewords, rows
CODE = "wimax:576:1/2"
message, llrs = noisy_codewords(CODE, 40)
llrs, message = np.resize(llrs, (3000, 576)), np.resize(message, (3000, 288))
gpu = ctypes.CDLL("libcuda.so.1")

def graph_of(decoder):
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(byte_source(llrs), decoder, sink)
    return graph, sink
"""


class InPlace(unittest.TestCase):
    """LLRs that a GPU copies out of GNU Radio's buffer: sources of whole codewords have large ones."""

    def setUp(self):
        self.gpu = ctypes.CDLL("libcuda.so.1")

    def listen(self, source, *decoders):
        """A graph that runs, and a sink for each decoder."""
        graph, sinks = gr.top_block(), []
        for decoder in decoders:
            sinks.append(Listener(decoder.k(), threading.Semaphore(0)))
            graph.connect(source, decoder, sinks[-1])
        graph.start()
        return graph, sinks

    def test_large_batches_are_not_copied(self):
        """The same bytes as the CPU's; what comes and leaves is many times what the buffer holds, and no multiple of a batch."""
        message, llrs = noisy_codewords(SHORT, 211, ebn0=1.0)
        for count, left_over in ((1, 0), (454, 575), (455, 0), (3001, 1)):
            with self.subTest(count=count):
                many = np.resize(llrs, (count, 576))
                copies = self.gpu.fake_gpu_copies()
                sink = run(gpu_decoder(SHORT, batch=200), many, extra=np.zeros(left_over))
                bits, _ = reference(SHORT, llrs, backend="cpu", arithmetic="i16")
                np.testing.assert_array_equal(rows(sink, 288), np.resize(bits, (count, 288)))
                if count > 1:  # the chosen kernel reads a small batch itself, the one before it does not
                    self.assertGreater(self.gpu.fake_gpu_copies(), copies)

    def test_tags(self):
        _, llrs = noisy_codewords(SHORT, 3000)
        sink = run(gpu_decoder(SHORT, batch=200), llrs, tags=[tag(w * 576 + 1, "codeword", w) for w in range(3000)])
        self.assertEqual(sorted(tags_of(sink, "codeword")), [(w * 288, w) for w in range(3000)])

    def test_stop_while_batches_are_in_flight(self):
        """The buffer is registered from start to stop, each time."""
        message, llrs = noisy_codewords(SHORT, 400)
        decoder = gpu_decoder(SHORT, batch=200)
        for _ in range(3):
            graph, (sink,) = self.listen(byte_source(llrs, repeat=True), decoder)
            self.assertTrue(sink.seen.acquire(timeout=20))
            self.assertEqual(self.gpu.fake_gpu_registered(), 1)
            graph.stop()
            graph.wait()
            self.assertEqual(self.gpu.fake_gpu_registered(), 0)
        np.testing.assert_array_equal(rows(run(decoder, llrs), 288), message)

    def test_one_of_two_decoders_registers_the_buffer(self):
        _, llrs = noisy_codewords(SHORT, 400)
        graph, sinks = self.listen(byte_source(llrs, repeat=True), gpu_decoder(SHORT), gpu_decoder(SHORT))
        for sink in sinks:
            self.assertTrue(sink.seen.acquire(timeout=20))
        self.assertEqual(self.gpu.fake_gpu_registered(), 1)
        graph.stop()
        graph.wait()
        self.assertEqual(self.gpu.fake_gpu_registered(), 0)

    def test_what_is_copied(self):
        """Codewords that wait for others, and those that tags find."""
        message, llrs = noisy_codewords(SHORT, 400)
        for options in ({"latency": 0.001}, {"start_tag": "start"}, {"llr_sign": "negative"}):
            with self.subTest(options):
                copies = self.gpu.fake_gpu_copies()
                decoder = gpu_decoder(SHORT, batch=200, **options)
                sink = run(decoder, -llrs if "llr_sign" in options else llrs, tags=[tag(0, "start", 1)])
                np.testing.assert_array_equal(rows(sink, 288), message)
                self.assertEqual(self.gpu.fake_gpu_copies(), copies)

    def test_other_buffers_after_unlock(self):
        message, llrs = noisy_codewords(SHORT, 400)
        source, other, seen = byte_source(llrs, repeat=True), byte_source(llrs, repeat=True), threading.Semaphore(0)
        graph, decoder, listener, sink = gr.top_block(), gpu_decoder(SHORT, batch=200), Listener(288, seen), blocks.vector_sink_b()
        graph.connect(source, decoder, listener)
        graph.connect(decoder, sink)
        graph.start()
        self.assertTrue(seen.acquire(timeout=20))
        graph.lock()
        graph.disconnect(source, decoder)
        graph.connect(other, decoder)
        graph.unlock()
        while seen.acquire(blocking=False):
            pass
        for _ in range(500):
            self.assertTrue(seen.acquire(timeout=20))
        self.assertEqual(self.gpu.fake_gpu_registered(), 1)
        graph.stop()
        graph.wait()
        self.assertEqual(self.gpu.fake_gpu_registered(), 0)
        got = output(sink)
        got = got[:len(got) // 288 * 288].reshape(-1, 288)
        self.assertLessEqual({row.tobytes() for row in got}, {row.tobytes() for row in message})

    def check(self, program, **environment):
        """The program prints "good" at its end."""
        result = run_program(PROGRAM + program + "\nprint('good')", **environment)
        self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["good"]), result.stdout + result.stderr)

    def test_memory_that_cannot_be_registered(self):
        self.check("""
graph, sink = graph_of(gpu_decoder(CODE, batch=200))
graph.run()
assert (rows(sink, 288) == message).all()
assert gpu.fake_gpu_copies() == 0
""", FAKE_GPU_REGISTERS="400000")

    def test_the_cpu_takes_over(self):
        """It decodes what was in flight, and goes on in place."""
        for launch in (1, 3, 6):
            with self.subTest(launch=launch):
                self.check("""
decoder = gpu_decoder(CODE, fallback=True, batch=200)
graph, sink = graph_of(decoder)
graph.run()
assert (rows(sink, 288) == message).all()
assert gpu.fake_gpu_copies() > 0 and decoder.backend() == "cpu"
""", FAKE_GPU_FAILS_AT=str(launch))

    def test_a_gpu_that_hangs_keeps_the_buffer(self):
        """It may still read there, and the driver does not unregister without waiting for it."""
        self.check("""
decoder = gpu_decoder(CODE, fallback=True, batch=200)
graph, sink = graph_of(decoder)
graph.run()
assert (rows(sink, 288) == message).all()
del decoder, graph, sink
assert gpu.fake_gpu_copies() > 0 and gpu.fake_gpu_registered() == 1
gpu.fake_gpu_answer()
""", FAKE_GPU_HANGS_AT="3", GR_CONF_LDPC_GPU_TIMEOUT="0.3")


if __name__ == "__main__":
    unittest.main(verbosity=2)
