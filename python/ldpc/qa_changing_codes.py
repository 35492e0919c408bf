#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of decoder blocks whose code changes."""
import os
import threading
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

from qa_support import Listener, byte_source, gpu_decoder, noisy_codewords, output, run, run_program, tag, tags_of

CODES = ["wimax:576:1/2", "wifi:1296:2/3", "wifi:648:3/4"]
WAYS = [{}, {"threads": 2}]
if os.environ.get("FAKE_GPU_CODES"):  # tests/fake_gpu simulates a GPU
    WAYS = [{"batch": 3}, {"batch": 1}, {"batch": 50, "latency": 0.002}]


def decoder(codes, block=None, **options):
    make = block or (gpu_decoder if "batch" in options else ldpc.ldpc_decoder_cpu_bb)
    return make(codes[0], codes=codes[1:], **options)


def code_tag(offset, name):
    return tag(offset, "ldpc_code", name)


class Stream:
    """A stream with noisy codewords of several codes. Tags mark each change of the code."""

    def __init__(self, codes, count, every=False, seed=1):
        rng = np.random.default_rng(seed)
        self.names = [codes[i] for i in rng.integers(0, len(codes), count)]
        self.messages, self.llrs, self.tags, at, before = [], [], [], 0, codes[0]
        made = {name: noisy_codewords(name, count, ebn0=6.0) for name in codes}
        for i, name in enumerate(self.names):
            self.messages.append(made[name][0][i])
            self.llrs.append(made[name][1][i])
            if every or name != before:
                self.tags.append(code_tag(at, name))
            at, before = at + len(self.llrs[-1]), name

    def expected(self, form="message", packed=False):
        bits = self.messages if form == "message" else [ldpc.code(name).encode(m) for name, m in zip(self.names, self.messages)]
        return np.concatenate([np.packbits(part) if packed else part for part in bits])


class ByName(unittest.TestCase):
    def test_each_codeword_is_decoded_with_its_code(self):
        stream = Stream(CODES, 60)
        for options in WAYS:
            for form, packed in (("message", False), ("codeword", True)):
                with self.subTest(options=options, output=form):
                    block = decoder(CODES, output=form, packed=packed, **options)
                    got = output(run(block, np.concatenate(stream.llrs), stream.tags))
                    np.testing.assert_array_equal(got, stream.expected(form, packed))
                    self.assertEqual((block.frames(), block.failed(), block.dropped()), (60, 0, 0))

    def test_a_tag_on_every_codeword(self):
        stream = Stream(CODES, 40, every=True)
        for options in WAYS:
            sink = run(decoder(CODES, tags=True, **options), np.concatenate(stream.llrs), stream.tags)
            np.testing.assert_array_equal(output(sink), stream.expected())
            begins = np.cumsum([0, *map(len, stream.messages)])[:-1]
            self.assertEqual(tags_of(sink, "ldpc_code"), list(zip(begins, stream.names)))
            self.assertEqual(tags_of(sink, "ldpc_converged"), [(begin, True) for begin in begins])

    def test_floats(self):
        stream = Stream(CODES, 20)
        block = decoder(CODES, ldpc.ldpc_decoder_cpu_fb)
        sink = run(block, np.concatenate(stream.llrs).astype(np.float32) / 3, stream.tags)
        np.testing.assert_array_equal(output(sink), stream.expected())

    def test_unknown_names_and_parts_are_dropped(self):
        stream = Stream(CODES, 4, every=True, seed=3)
        lost = np.full(1000, 5, np.int8)
        items = np.concatenate([stream.llrs[0], lost, stream.llrs[1], lost[:100], stream.llrs[2], stream.llrs[3]])
        at = np.cumsum([0, len(stream.llrs[0]), 1000, len(stream.llrs[1]), 100, len(stream.llrs[2])])
        sent = [code_tag(at[0], stream.names[0]), code_tag(at[1], "wifi:648:5/6"), code_tag(at[2], stream.names[1]),
                code_tag(at[4], stream.names[2]), code_tag(at[5], stream.names[3])]
        for options in WAYS:
            block = decoder(CODES, **options)
            np.testing.assert_array_equal(output(run(block, items, sent)), stream.expected())
            self.assertEqual(block.dropped(), 1100)

    def test_an_unknown_name_is_logged_once(self):
        done = run_program("from qa_changing_codes import *\n"
                           "run(ldpc.ldpc_decoder_cpu_bb('wimax:576:1/2', codes=['wifi:648:3/4']), np.zeros(3000, np.int8),\n"
                           "    [code_tag(0, 'x'), code_tag(700, 'y')])\n", GR_CONF_LOG_LOG_LEVEL="info")
        text = done.stdout + done.stderr
        self.assertEqual(text.count("it must be one of the block's codes"), 1, text)

    def test_the_last_codeword_is_short(self):
        message, llrs = noisy_codewords(CODES[0], 1)
        for part in (1, 700, 1295):
            items = np.concatenate([np.full(part, 3, np.int8), llrs[0]])
            for options in WAYS:
                block = decoder([CODES[1], CODES[0]] if "batch" not in options else CODES[1::-1], **options)
                sink = run(block, items, [code_tag(part, CODES[0])])
                np.testing.assert_array_equal(output(sink), message[0])
                self.assertEqual(block.dropped(), part)

    def test_statistics_count_bits(self):
        stream, graph, debug = Stream(CODES, 10), gr.top_block(), blocks.message_debug()
        block = decoder(CODES, **WAYS[0])
        graph.connect(byte_source(np.concatenate(stream.llrs), tags=stream.tags), block, blocks.null_sink(1))
        graph.msg_connect(block, "stats", debug, "store")
        graph.run()
        stats = pmt.to_python(debug.get_message(debug.num_messages() - 1))
        self.assertAlmostEqual(stats["coded_mbps"] * stats["seconds"] * 1e6, sum(map(len, stream.llrs)), delta=1)
        self.assertAlmostEqual(stats["info_mbps"] * stats["seconds"] * 1e6, len(stream.expected()), delta=1)

    def test_setters_reach_all_decoders(self):
        stream = Stream(CODES, 20)
        block = decoder(CODES, early_stop=False, max_iterations=9, **WAYS[0])
        block.set_max_iterations(4)
        run(block, np.concatenate(stream.llrs), stream.tags)
        self.assertEqual(block.mean_iterations(), 4)

    def test_wrong_options(self):
        for options, part in (({"codes": ["wifi:648:9/9"]}, "wifi:648:9/9"), ({"codes": CODES, "start_tag": "burst"}, "codes"),
                              ({"codes": CODES, "length_tag_name": "packet_len"}, "codes")):
            with self.assertRaisesRegex(ValueError, part):
                ldpc.ldpc_decoder_cpu_bb(CODES[0], **options)


class OneByOne(gr.sync_block):
    """A live source: sends a codeword, then waits for the result."""

    def __init__(self, stream, seen):
        super().__init__("one by one", None, [np.int8])
        self.parts, self.names, self.seen, self.at, self.left, self.timed_out = stream.llrs, stream.names, seen, 0, None, False

    def work(self, input_items, output_items):
        if self.left is None or len(self.left) == 0:
            if self.at > 0 and not self.seen.acquire(timeout=20):
                self.timed_out = True
                return -1
            if self.at == len(self.parts):
                return -1
            self.left = self.parts[self.at]
            self.add_item_tag(0, self.nitems_written(0), pmt.intern("ldpc_code"), pmt.intern(self.names[self.at]))
            self.at += 1
        count = min(len(output_items[0]), len(self.left))
        output_items[0][:count] = self.left[:count]
        self.left = self.left[count:]
        return count


class Live(unittest.TestCase):
    def test_a_short_codeword_waits_for_no_other(self):
        stream = Stream(CODES, 12)
        for options in WAYS:
            graph, seen = gr.top_block(), threading.Semaphore(0)
            source, listener = OneByOne(stream, seen), Listener(1, threading.Semaphore(0))
            block = decoder(CODES, **options)
            waiting = [sum(map(len, stream.messages[:i + 1])) for i in range(len(stream.messages))]

            def tell(reached=[0], listener=listener, waiting=waiting, seen=seen):
                while reached[0] < len(waiting) and listener.items >= waiting[reached[0]]:
                    reached[0] += 1
                    seen.release()

            listener.seen.release = tell
            graph.connect(source, block, listener)
            graph.run()
            self.assertFalse(source.timed_out)
            self.assertEqual(listener.items, waiting[-1])


@unittest.skipUnless("FAKE_GPU_CODES" in os.environ, "a real GPU does not hang at will")
class Hangs(unittest.TestCase):
    def test_all_decoders_give_way_to_the_cpu(self):
        for launch in (1, 2, 6):
            done = run_program("from qa_changing_codes import *\n"
                               "stream, block = Stream(CODES, 60), decoder(CODES, batch=3, fallback=True, gpu_timeout=0.3)\n"
                               "got = output(run(block, np.concatenate(stream.llrs), stream.tags))\n"
                               "assert (got == stream.expected()).all() and block.backend() == 'cpu'\n",
                               FAKE_GPU_HANGS_AT=str(launch))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual((done.stdout + done.stderr).count("falling back to the CPU"), 1)

    def test_without_fallback_the_flowgraph_ends(self):
        done = run_program("from qa_changing_codes import *\n"
                           "stream, block = Stream(CODES, 60), decoder(CODES, batch=3, gpu_timeout=0.3)\n"
                           "for _ in range(2):\n"
                           "    run(block, np.concatenate(stream.llrs), stream.tags)\n",
                           FAKE_GPU_HANGS_AT="4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("decoding stopped"), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
