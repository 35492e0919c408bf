# SPDX-License-Identifier: BSD-3-Clause
"""Tests of decoders in processes forked by multiprocessing."""
import multiprocessing
import threading
import unittest

import numpy as np

import libldpc

CODE = "wimax:576:1/2"
SECONDS = 60


def call_in_child(function, results):
    try:
        results.put(function())
    except RuntimeError as error:
        results.put(str(error))


def in_child(function):
    """Returns the function's result, or the message of its RuntimeError."""
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    child = context.Process(target=call_in_child, args=(function, results))
    child.start()
    child.join(SECONDS)
    if child.exitcode is None:
        child.kill()
        raise AssertionError("the child hangs")
    if child.exitcode:
        raise AssertionError(f"the child ended with {child.exitcode}")
    return results.get()


class Fork(unittest.TestCase):
    def setUp(self):
        self.messages, self.llrs = libldpc.noisy_frames(libldpc.code(CODE), 5.0, count=8)

    def is_right(self, decoder):
        return bool((decoder.decode(self.llrs)[0] == self.messages).all())

    def test_one_thread_works_in_a_child(self):
        decoder = libldpc.decoder(CODE)
        self.assertTrue(self.is_right(decoder))
        self.assertIs(in_child(lambda: self.is_right(decoder)), True)
        with multiprocessing.get_context("fork").Pool(2, set_decoder, (decoder,)) as pool:
            bits = pool.map_async(decode_one, list(self.llrs)).get(SECONDS)
        self.assertTrue((np.array(bits) == self.messages).all())
        self.assertTrue(self.is_right(decoder))

    def test_threads_stay_with_the_parent(self):
        decoder = libldpc.decoder(CODE, threads=2)
        self.assertTrue(decoder.submit(self.llrs))
        for call in (lambda: decoder.decode(self.llrs), lambda: decoder.submit(self.llrs), decoder.collect,
                     lambda: decoder.__setattr__("max_iterations", 5), lambda: decoder.buffer((4, 4))):
            with self.subTest(call=call):
                self.assertRegex(in_child(call), "forked")
        self.assertIs(in_child(lambda: self.is_right(libldpc.decoder(CODE, threads=2))), True)
        self.assertEqual(in_child(lambda: (decoder.max_batch, decoder.kernel)), (decoder.max_batch, decoder.kernel))
        self.assertTrue((decoder.collect()[0] == self.messages).all())

    def test_a_child_can_destroy(self):
        decoders = [libldpc.decoder(CODE, threads=2)]
        decoders[0].submit(self.llrs)
        self.assertIsNone(in_child(decoders.clear))
        self.assertTrue((decoders[0].collect()[0] == self.messages).all())

    def test_fork_while_another_thread_decodes(self):
        decoder = libldpc.decoder(CODE, max_iterations=100, early_stop=False)
        stop = threading.Event()

        def decode():
            while not stop.is_set():
                decoder.decode(np.repeat(self.llrs, 50, axis=0))

        thread = threading.Thread(target=decode)
        thread.start()
        try:
            for _ in range(5):
                result = in_child(lambda: self.is_right(decoder))
                self.assertTrue(result is True or "forked" in result, result)
        finally:
            stop.set()
            thread.join()


def set_decoder(decoder):
    set_decoder.decoder = decoder


def decode_one(llrs):
    return set_decoder.decoder.decode(llrs)[0]


if __name__ == "__main__":
    unittest.main()
