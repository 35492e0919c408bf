# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C ends every long call. Other threads run during a call."""
import os
import signal
import threading
import time
import unittest

import numpy as np

import libldpc

CODE = libldpc.code("wimax:576:1/2")
LONG = 1_000_000  # seconds, or frames: longer than any test
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a script inherit an ignored SIGINT


def slow_decoder(**more):
    """Returns a slow decoder. It has many iterations and the slowest kernel."""
    return libldpc.decoder(CODE, kernel="ref", max_iterations=1000, early_stop=False, **{"max_batch": 1, **more})


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.llrs = np.resize(libldpc.noisy_frames(CODE, 1.0, count=8)[1], (2000, CODE.n))
        self.decoder = slow_decoder()

    def assert_ends(self, call):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            timer.start()
            call()
        timer.join()

    def test_decode(self):
        self.assert_ends(lambda: self.decoder.decode(self.llrs))
        self.decoder.max_iterations = 1
        bits, info = self.decoder.decode(self.llrs[:2])
        expected = libldpc.decoder(CODE, kernel="ref", max_iterations=1, early_stop=False).decode(self.llrs[:2])
        np.testing.assert_array_equal(bits, expected[0])
        np.testing.assert_array_equal(info, expected[1])

    def test_measurements(self):
        self.assert_ends(lambda: self.decoder.time(self.llrs[:4], seconds=LONG))
        self.assert_ends(lambda: self.decoder.time_stream(self.llrs[:4], seconds=LONG, codewords=1))
        self.assertEqual(self.decoder.in_flight, 0)

    def test_collect(self):
        decoder = slow_decoder(max_batch=64)
        self.assertTrue(decoder.submit(self.llrs[:64]))
        self.assert_ends(decoder.collect)
        self.assertEqual(decoder.in_flight, 1)
        self.assertEqual(decoder.collect()[0].shape, (64, CODE.k))

    def test_simulation(self):
        decoder = libldpc.decoder(CODE)
        expected = repr(libldpc.simulate(decoder, 1.0, max_frames=320))
        self.assert_ends(lambda: libldpc.simulate(decoder, 9.0, max_frames=10**12, max_frame_errors=0))
        self.assert_ends(lambda: libldpc.simulate_blocks(decoder, 1.0, frames=64 * LONG))
        self.assertEqual(repr(libldpc.simulate(decoder, 1.0, max_frames=320)), expected)

    def test_encode(self):
        code = libldpc.code("dvbs2:64800:1/2")
        messages = np.zeros((64, code.k), np.uint8)
        self.assert_ends(lambda: [code.encode(messages) for _ in range(LONG)])

    def test_codes_around_the_code(self):
        """The arrays of a large batch are kept until the work has ended."""
        bch = libldpc.bch("dvbt2:16200:1/2")
        messages = np.random.default_rng(1).integers(0, 2, (400, bch.k), np.uint8)
        codewords = bch.encode(messages)
        self.assert_ends(lambda: [bch.decode(codewords) for _ in range(LONG)])
        np.testing.assert_array_equal(bch.decode(codewords)[0], messages)
        demapper = libldpc.demapper("dvbt2:64800:1/2", "64qam")
        cells = np.ones((200, demapper.cells), np.complex64)
        self.assert_ends(lambda: [demapper.demap(cells, 0.1) for _ in range(LONG)])

    def test_a_handler_of_ones_own(self):
        """A signal handler that raises no exception does not end the call."""
        seen = []
        before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        runs = libldpc.decoder(CODE).time(self.llrs[:4], seconds=0.3)
        timer.join()
        self.assertEqual(seen, [1])
        self.assertGreater(len(runs), 1)

    def test_a_waiting_thread_can_be_interrupted(self):
        worker = threading.Thread(target=lambda: self.decoder.decode(self.llrs[:40]))
        worker.start()
        while threading.active_count() < 2 or not worker.is_alive():
            time.sleep(0.001)
        self.assert_ends(lambda: [self.decoder.decode(self.llrs[:1]) for _ in range(LONG)])
        worker.join()


class OtherThreads(unittest.TestCase):
    def test_the_interpreter_is_free(self):
        for call in (lambda: libldpc.decoder(CODE).time(np.zeros((4, CODE.n), np.int8), seconds=0.5),
                     lambda: libldpc.simulate(slow_decoder(), 1.0, max_frames=64)):
            count, done = [0], threading.Event()

            def run():
                while not done.is_set():
                    count[0] += 1

            thread = threading.Thread(target=run)
            thread.start()
            before = count[0]
            call()
            after = count[0]
            done.set()
            thread.join()
            self.assertGreater(after, before + 1000)


if __name__ == "__main__":
    unittest.main()
