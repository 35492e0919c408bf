#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of decoder blocks: results, end of stream, tags, messages, setters, restart."""
import os
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

import libldpc
from qa_support import Listener, OneByOne, byte_source, noisy_codewords, output, reference, rows, run, tag, tags_of

SHORT = "wimax:576:1/2"
FAMILIES = ["wimax:576:1/2", "wimax:2304:5/6", "wifi:648:2/3", "wifi:1944:3/4", "dvbs2:16200:1/2", "dvbs2x:16200:8/15",
            "dvbt2:16200:3/5", "dvbc2:16200:5/6", "dvbt2:64800:1/2", "nr:bg1:24:1584", "nr:bg2:384:7680", "ccsds:tc:512",
            "ccsds:c2:8160", "ccsds:ar4ja:1024:1/2", "ccsds:nb:cnbpb:256", "atsc3:16200:8/15", "wigig:672:3/4",
            "ethernet:2048", "bds:b1c:200"]
THREADS = [1, 2, 3]


class Results(unittest.TestCase):
    def test_every_family_end_to_end(self):
        """Tests the encoder and the decoder of each code family. The noise has a fixed seed."""
        tried = {name.split(":")[0] for name in FAMILIES}
        others = {name.split(":")[0]: name for name in ldpc.codes() if name.split(":")[0] not in tried}
        for name in FAMILIES + list(others.values()):
            with self.subTest(name):
                decoder = ldpc.ldpc_decoder_cpu_bb(name, tags=True)
                n, k, scale = decoder.n(), decoder.k(), ldpc.DEFAULT_LLR_SCALE
                rng = np.random.default_rng(7)
                message = rng.integers(0, 2, (3, k), np.uint8)
                code = rows(run(ldpc.ldpc_encoder_bb(name), message), n)
                sigma = np.sqrt(0.5 / (k / n)) * 10 ** (-4.5 / 20)
                received = 1.0 - 2.0 * code + sigma * rng.standard_normal(code.shape)
                llrs = np.clip(np.rint(received * 2 / sigma ** 2 * scale), -127, 127).astype(np.int8)
                sink = run(decoder, llrs)
                np.testing.assert_array_equal(rows(sink, k), message)
                self.assertEqual((decoder.frames(), decoder.failed()), (3, 0))
                self.assertGreater(((llrs < 0) != code).sum(), 0)

    def test_same_bits_and_iterations_as_the_library(self):
        options = [{}, {"max_iterations": 3}, {"early_stop": False, "max_iterations": 4}, {"schedule": "flooding"},
                   {"algorithm": "offset", "offset": 2.0}, {"algorithm": "normalized", "factor": 0.75},
                   {"algorithm": "min-sum"}, {"arithmetic": "i16"}, {"algorithm": "sum-product"},
                   {"llr_scale": 2.0}, {"llr_limit": 5}, {"kernel": "ref"}]
        _, llrs = noisy_codewords(SHORT, 40, ebn0=1.0)
        for chosen in options:
            with self.subTest(chosen):
                bits, info = reference(SHORT, llrs, **chosen)
                decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, tags=True, **chosen)
                sink = run(decoder, llrs)
                np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                iterations = [value for _, value in tags_of(sink, "ldpc_iterations")]
                self.assertEqual(iterations, info["iterations"].tolist())
                self.assertEqual(decoder.failed(), 40 - info["converged"].sum())
                self.assertAlmostEqual(decoder.mean_iterations(), info["iterations"].mean())

    def test_output_forms(self):
        name = "wifi:648:1/2"
        message, llrs = noisy_codewords(name, 5)
        code = ldpc.code(name)
        for threads in THREADS:
            for what, bits in (("message", message), ("codeword", code.encode(message))):
                for packed in (False, True):
                    with self.subTest(threads=threads, output=what, packed=packed):
                        decoder = ldpc.ldpc_decoder_cpu_bb(name, output=what, packed=packed, threads=threads)
                        expected = np.packbits(bits, axis=1) if packed else bits
                        np.testing.assert_array_equal(rows(run(decoder, llrs), expected.shape[1]), expected)

    def test_posteriors(self):
        """int8 posteriors are saturated. Float posteriors are in nats."""
        llrs = np.vstack([noisy_codewords(SHORT, count, ebn0=ebn0)[1] for count, ebn0 in ((20, 1.0), (2, 8.0))])
        for arithmetic in ("i8", "i16"):
            _, _, expected = libldpc.decoder(libldpc.code(SHORT), arithmetic=arithmetic).decode(llrs, posteriors=True)
            self.assertGreater(abs(expected).max(), 127)
            for threads in (1, 2):
                for sign, factor in (("positive", 1), ("negative", -1)):
                    with self.subTest(arithmetic=arithmetic, threads=threads, sign=sign):
                        options = {"output": "posterior", "arithmetic": arithmetic, "threads": threads, "llr_sign": sign}
                        sink = run(ldpc.ldpc_decoder_cpu_bb(SHORT, **options), np.array(factor * llrs, np.int8),
                                   tags=[tag(575, "last", 1)])
                        np.testing.assert_array_equal(output(sink).view(np.int8).reshape(llrs.shape),
                                                      factor * np.clip(expected, -127, 127))
                        self.assertEqual(tags_of(sink, "last"), [(575, 1)])
                        floats = run(ldpc.ldpc_decoder_cpu_fb(SHORT, llr_scale=4.0, **options),
                                     (factor * llrs / 4).astype(np.float32), sink=blocks.vector_sink_f())
                        scaled = libldpc.decoder(libldpc.code(SHORT), arithmetic=arithmetic, llr_scale=4.0)
                        np.testing.assert_array_equal(np.array(floats.data()).reshape(llrs.shape),
                                                      factor * scaled.decode(llrs, posteriors=True)[2] / 4)

    def test_posteriors_are_llrs_of_bits(self):
        self.assertRaises(ValueError, ldpc.ldpc_decoder_cpu_bb, SHORT, output="posterior", packed=True)
        self.assertRaises(ValueError, ldpc.ldpc_decoder_cpu_bb, "bds:b1c:88", output="posterior")
        self.assertRaises(ValueError, ldpc.nb_ldpc_decoder, "bds:b1c:88", output="posterior", backend="cpu")

    def test_negative_means_zero(self):
        _, llrs = noisy_codewords(SHORT, 5, ebn0=3.0)
        llrs[:, :7] = -127
        bits, _ = reference(SHORT, llrs)
        turned = -llrs
        llrs[:, :3], turned[:, 3:7] = -128, 127  # -128 is treated as -127
        for threads in THREADS:
            for sign, items in (("positive", llrs), ("negative", turned)):
                decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, llr_sign=sign, threads=threads)
                np.testing.assert_array_equal(rows(run(decoder, items), decoder.k()), bits)
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, llr_sign="negative", threads=threads)
            lowest = np.full(decoder.n(), -128, np.int8)
            np.testing.assert_array_equal(output(run(decoder, lowest)), np.zeros(decoder.k()))

    def test_failed_words_are_marked_and_stay(self):
        message, llrs = noisy_codewords(SHORT, 9)
        rng = np.random.default_rng(3)
        llrs[[2, 5]] = rng.integers(-20, 20, (2, llrs.shape[1]))
        for threads in THREADS:
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, tags=True, threads=threads)
            sink = run(decoder, llrs)
            good = [w for w in range(9) if w not in (2, 5)]
            np.testing.assert_array_equal(rows(sink, decoder.k())[good], message[good])
            self.assertEqual(tags_of(sink, "ldpc_converged"), [(w * decoder.k(), w in good) for w in range(9)])
            self.assertEqual(decoder.failed(), 2)

    def test_float_input(self):
        """Float input is rounded and clipped as by numpy.rint and numpy.clip."""
        message, llrs = noisy_codewords(SHORT, 20, ebn0=2.0)
        scale = 4.0
        nat = (llrs.astype(np.float32) + np.random.default_rng(5).uniform(-0.4, 0.4, llrs.shape)).astype(np.float32)
        nat[:, 0] *= 1000
        quantised = np.clip(np.rint(nat), -128, 127).astype(np.int8)
        bits, _ = reference(SHORT, quantised, llr_scale=scale)
        for sign, factor in (("positive", 1), ("negative", -1)):
            for threads in (1, 2):
                decoder = ldpc.ldpc_decoder_cpu_fb(SHORT, llr_scale=scale, llr_sign=sign, threads=threads)
                sink = run(decoder, (factor * nat / scale).astype(np.float32))
                np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                exact = ldpc.ldpc_decoder_cpu_fb(SHORT, algorithm="sum-product", llr_sign=sign, threads=threads)
                sink = run(exact, (factor * nat / scale).astype(np.float32))
                expected, _ = reference(SHORT, nat / np.float32(scale), algorithm="sum-product")
                np.testing.assert_array_equal(rows(sink, exact.k()), expected)


class EndOfStream(unittest.TestCase):
    def test_nothing_is_lost(self):
        message, llrs = noisy_codewords(SHORT, 211)
        for threads in THREADS:
            for count in (1, 2, 3, 17, 64, 103, 211):
                for left_over in (0, 1, 17, 575):
                    with self.subTest(threads=threads, count=count, left_over=left_over):
                        decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads)
                        sink = run(decoder, llrs[:count], extra=np.zeros(left_over))
                        np.testing.assert_array_equal(rows(sink, decoder.k()), message[:count])

    def test_long_words(self):
        name = "dvbt2:64800:3/4"
        message, llrs = noisy_codewords(name, 7)
        for threads in THREADS:
            for form in ("message", "codeword"):
                decoder = ldpc.ldpc_decoder_cpu_bb(name, threads=threads, output=form)
                out = rows(run(decoder, llrs, extra=np.zeros(64799)), decoder.k() if form == "message" else 64800)
                np.testing.assert_array_equal(out[:, :decoder.k()], message)

    def test_less_than_a_word(self):
        for threads in THREADS:
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads)
            self.assertEqual(len(output(run(decoder, np.zeros(575, np.int8)))), 0)
            self.assertEqual((decoder.frames(), decoder.dropped()), (0, 575))

    def test_what_is_left_over_is_logged_once(self):
        program = ("import numpy as np; from gnuradio import ldpc; from qa_support import run; "
                   "run(ldpc.ldpc_decoder_cpu_bb('wimax:576:1/2', threads={}), np.zeros(3 * 576 + 17, np.int8))")
        for threads in THREADS:
            result = subprocess.run([sys.executable, "-B", "-c", program.format(threads)], capture_output=True, text=True,
                                    cwd=os.path.dirname(os.path.abspath(__file__)), check=True)
            self.assertEqual((result.stdout + result.stderr).count("dropped its first 17 of 576 items"), 1)

    def test_a_word_leaves_before_the_next_one_enters(self):
        """A live source waits for each result. A decoder that waits for a full batch would cause a deadlock."""
        message, llrs = noisy_codewords(SHORT, 25)
        for threads in THREADS:
            seen = threading.Semaphore(0)
            source, decoder = OneByOne(llrs, seen), ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads)
            sink = Listener(decoder.k(), seen)
            graph = gr.top_block()
            graph.connect(source, decoder, sink)
            graph.run()
            self.assertFalse(source.timed_out)
            self.assertEqual(sink.items, message.size)


class TagsAndMessages(unittest.TestCase):
    def test_tags_move_with_their_word(self):
        _, llrs = noisy_codewords(SHORT, 150)
        n = llrs.shape[1]
        sent = [tag(w * n, "codeword", w) for w in range(150)]
        for threads in THREADS:
            for options, width in (({}, n // 2), ({"packed": True}, n // 16), ({"output": "codeword"}, n)):
                sink = run(ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads, **options), llrs, tags=sent)
                self.assertEqual(sorted(tags_of(sink, "codeword")), [(w * width, w) for w in range(150)])

    def test_a_tag_belongs_to_its_own_codeword(self):
        """Tags stay with their codewords, even on the last LLR."""
        for name in (SHORT, "ccsds:ar4ja:1024:4/5", "dvbt2:16200:1/4"):
            _, llrs = noisy_codewords(name, 5)
            n, k = llrs.shape[1], libldpc.code(name).k
            places = [(w, i) for w in range(5) for i in (0, 1, n // 2, n - 2, n - 1)]
            for threads in THREADS:
                for options, width in (({}, k), ({"packed": True}, -(-k // 8)), ({"output": "codeword"}, n)):
                    sent = [tag(w * n + i, "place", w * n + i) for w, i in places]
                    sink = run(ldpc.ldpc_decoder_cpu_bb(name, threads=threads, **options), llrs, tags=sent)
                    self.assertEqual(sorted(tags_of(sink, "place"), key=lambda each: each[1]),
                                     [(w * width + i * width // n, w * n + i) for w, i in places])

    def test_word_tags(self):
        _, llrs = noisy_codewords(SHORT, 150, ebn0=1.0)
        _, info = reference(SHORT, llrs)
        for threads in THREADS:
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads, tags=True)
            sink = run(decoder, llrs)
            k = decoder.k()
            self.assertEqual(tags_of(sink, "ldpc_iterations"), [(w * k, i) for w, i in enumerate(info["iterations"])])
            self.assertEqual(tags_of(sink, "ldpc_converged"), [(w * k, bool(c)) for w, c in enumerate(info["converged"])])

    def test_no_tags_by_default(self):
        _, llrs = noisy_codewords(SHORT, 3)
        self.assertEqual(len(run(ldpc.ldpc_decoder_cpu_bb(SHORT), llrs).tags()), 0)

    def statistics(self, llrs, **options):
        graph, debug = gr.top_block(), blocks.message_debug()
        decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, **options)
        graph.connect(byte_source(llrs), decoder, blocks.null_sink(1))
        graph.msg_connect(decoder, "stats", debug, "store")
        graph.run()
        deadline = time.monotonic() + 10
        while debug.num_messages() == 0 and options["stats_interval"] and time.monotonic() < deadline:
            time.sleep(0.01)
        return decoder, [pmt.to_python(debug.get_message(i)) for i in range(debug.num_messages())]

    def test_statistics(self):
        _, llrs = noisy_codewords(SHORT, 333, ebn0=1.0)
        _, info = reference(SHORT, llrs)
        for threads in THREADS:
            decoder, messages = self.statistics(llrs, threads=threads, stats_interval=1000.0)
            self.assertEqual(len(messages), 1)
            last = messages[0]
            self.assertEqual(set(last), {"code", "backend", "kernel", "seconds", "frames", "failed", "mean_iterations", "coded_mbps",
                                         "info_mbps", "total_frames", "total_failed", "total_dropped"})
            self.assertEqual((last["code"], last["kernel"]), (SHORT, decoder.kernel()))
            failed = 333 - int(info["converged"].sum())
            self.assertEqual((last["frames"], last["total_frames"]), (333, 333))
            self.assertEqual((last["failed"], last["total_failed"]), (failed, failed))
            self.assertAlmostEqual(last["mean_iterations"], info["iterations"].mean())
            self.assertAlmostEqual(last["coded_mbps"], 333 * 576e-6 / last["seconds"])
            self.assertAlmostEqual(last["info_mbps"], 333 * 288e-6 / last["seconds"])

    def test_statistics_every_interval(self):
        _, llrs = noisy_codewords(SHORT, 333)
        _, messages = self.statistics(llrs, stats_interval=1e-6)
        self.assertGreater(len(messages), 1)
        self.assertEqual(sum(m["frames"] for m in messages), 333)
        self.assertEqual(messages[-1]["total_frames"], 333)

    def test_statistics_can_be_off(self):
        _, messages = self.statistics(noisy_codewords(SHORT, 9)[1], stats_interval=0.0)
        self.assertEqual(messages, [])


class Changes(unittest.TestCase):
    def test_options_change_while_running(self):
        _, llrs = noisy_codewords(SHORT, 20, ebn0=0.0)
        for threads in THREADS:
            seen = threading.Semaphore(0)
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, early_stop=False, max_iterations=5, tags=True, threads=threads)
            sink = Listener(decoder.k(), seen)
            graph = gr.top_block()
            graph.connect(byte_source(llrs, repeat=True), decoder, sink)
            graph.start()
            seen.acquire(timeout=20)
            decoder.set_max_iterations(2)
            deadline = time.monotonic() + 20
            while 2 not in sink.iterations and time.monotonic() < deadline:
                time.sleep(0.001)
            decoder.set_max_iterations(9)
            decoder.set_early_stop(True)
            graph.stop()
            graph.wait()
            first = sink.iterations.index(2)
            self.assertEqual(set(sink.iterations[:first]), {5})
            self.assertEqual((decoder.max_iterations(), decoder.early_stop()), (9, True))

    def test_offset_and_factor(self):
        _, llrs = noisy_codewords(SHORT, 20, ebn0=1.0)
        offset = ldpc.ldpc_decoder_cpu_bb(SHORT, algorithm="offset", offset=0)
        offset.set_offset(3)
        factor = ldpc.ldpc_decoder_cpu_bb(SHORT, algorithm="normalized", factor=0.5)
        factor.set_factor(0.875)
        for decoder, options in ((offset, {"algorithm": "offset", "offset": 3.0}),
                                 (factor, {"algorithm": "normalized", "factor": 0.875})):
            bits, _ = reference(SHORT, llrs, **options)
            np.testing.assert_array_equal(rows(run(decoder, llrs), decoder.k()), bits)

    def test_offset_and_factor_behind_the_algorithm(self):
        _, llrs = noisy_codewords(SHORT, 20, ebn0=1.0)
        changed = ldpc.ldpc_decoder_cpu_bb(SHORT, algorithm="normalized:0.5")
        changed.set_factor(0.875)
        for decoder, options in ((ldpc.ldpc_decoder_cpu_bb(SHORT, algorithm="offset:3"), {"algorithm": "offset", "offset": 3.0}),
                                 (ldpc.ldpc_decoder_cpu_bb(SHORT, algorithm="normalized:0.5"), {"algorithm": "normalized", "factor": 0.5}),
                                 (changed, {"algorithm": "normalized", "factor": 0.875})):
            bits, _ = reference(SHORT, llrs, **options)
            np.testing.assert_array_equal(rows(run(decoder, llrs), decoder.k()), bits)
        for wrong, sentence in (({"algorithm": "min-sum:1"}, 'only offset and normalized take a value after a colon'),
                                ({"algorithm": "normalized:x"}, '"normalized:x": expected a number of 0.0625 .. 1 after the colon'),
                                ({"algorithm": "offset:-1"}, '"offset:-1": expected a number of 0 .. 63'),
                                ({"algorithm": "offset:"}, '"offset:": expected a number of 0 .. 63'),
                                ({"algorithm": "normalized:0.75,"}, "expected a number"), ({"algorithm": "normalized:2"}, "factor 2"),
                                ({"algorithm": "normalized:0.5", "factor": 0.75}, "the factor is given twice")):
            self.assertRaisesRegex(ValueError, sentence, ldpc.ldpc_decoder_cpu_bb, SHORT, **wrong)

    def test_wrong_changes(self):
        decoder = ldpc.ldpc_decoder_cpu_bb(SHORT)
        for call in (lambda: decoder.set_max_iterations(-1), lambda: decoder.set_max_iterations(10001),
                     lambda: decoder.set_offset(2.0), lambda: decoder.set_factor(0.5)):
            self.assertRaises(ValueError, call)
        self.assertEqual(decoder.max_iterations(), 50)

    def test_wrong_options(self):
        """Every invalid option raises an exception."""
        wrong = [({"code": "wimax:577:1/2"}, "wimax:577:1/2"), ({"code": ""}, "code"),
                 ({"code": "alist:/no/such/file"}, "/no/such/file"), ({"max_iterations": -1}, "max_iterations must be 0"),
                 ({"max_iterations": 10001}, "10001"), ({"algorithm": "viterbi"}, "algorithm: expected auto, min-sum"),
                 ({"arithmetic": "i4"}, "arithmetic must be \"auto\""), ({"schedule": "x"}, "schedule must be \"auto\""),
                 ({"llr_scale": 0.0}, "llr_scale"), ({"llr_scale": float("nan")}, "llr_scale"),
                 ({"llr_limit": 128}, "llr_limit"), ({"llr_limit": -1}, "llr_limit"),
                 ({"llr_sign": "plus"}, "llr_sign must be \"positive\" or \"negative\""),
                 ({"output": "bits"}, "output must be \"message\", \"codeword\" or \"posterior\""), ({"threads": -1}, "threads must be"),
                 ({"threads": 100000}, "threads"), ({"kernel": "fast"}, "fast"),
                 ({"algorithm": "normalized", "factor": 2.0}, "factor"), ({"algorithm": "offset", "offset": 1000.0}, "offset"),
                 ({"algorithm": "sum-product", "arithmetic": "i8"}, "float"), ({"stats_interval": -1.0}, "stats_interval")]
        for block in (ldpc.ldpc_decoder_cpu_bb, ldpc.ldpc_decoder_cpu_fb):
            for options, part in wrong:
                with self.subTest(options):
                    with self.assertRaises(ValueError) as caught:
                        block(**{"code": SHORT, **options})
                    self.assertIn(part, str(caught.exception))
            self.assertRaises(TypeError, block)
            self.assertRaises(TypeError, block, SHORT, iterations=5)

    def test_help_names_every_argument(self):
        for block in (ldpc.ldpc_decoder_cpu_bb, ldpc.ldpc_decoder_cpu_fb):
            signature = block.__init__.__doc__.splitlines()[0]
            for name in ("code", "max_iterations", "algorithm", "arithmetic", "schedule", "early_stop", "llr_scale", "llr_limit",
                         "llr_sign", "output", "packed", "threads", "kernel", "offset", "factor", "tags", "stats_interval"):
                self.assertIn(f" {name}: ", signature)
                self.assertIn(f"    {name}: ", block.__doc__)


class Flowgraphs(unittest.TestCase):
    def test_restart(self):
        message, llrs = noisy_codewords(SHORT, 31)
        for threads in THREADS:
            decoder, sink, source = (ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads), blocks.vector_sink_b(),
                                     byte_source(llrs))
            graph = gr.top_block()
            graph.connect(source, decoder, sink)
            for _ in range(3):
                graph.run()
                np.testing.assert_array_equal(rows(sink, decoder.k()), message)
                self.assertEqual(decoder.frames(), 31)
                sink.reset()
                source.rewind()

    def test_stop_in_the_middle_and_start_again(self):
        _, llrs = noisy_codewords(SHORT, 31)
        for threads in THREADS:
            seen = threading.Semaphore(0)
            decoder = ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads)
            sink = Listener(decoder.k(), seen)
            graph = gr.top_block()
            graph.connect(byte_source(llrs, repeat=True), decoder, sink)
            for _ in range(3):
                graph.start()
                self.assertTrue(seen.acquire(timeout=20))
                graph.stop()
                graph.wait()

    def test_lock_and_unlock(self):
        """lock() and unlock() drop buffered codewords. All later output is correct."""
        message, llrs = noisy_codewords(SHORT, 64)
        n, k = llrs.shape[1], message.shape[1]
        known = {row.tobytes() for row in message}
        for threads in THREADS:
            source, decoder, sink = (byte_source(llrs, repeat=True), ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads),
                                     blocks.vector_sink_b())
            source.set_output_multiple(n)  # the stream restarts at a codeword
            seen = threading.Semaphore(0)
            graph = gr.top_block()
            listener = Listener(k, seen)  # GNU Radio does not keep Python blocks alive
            graph.connect(source, decoder, listener)
            head = blocks.head(1, 200 * k)
            graph.start()
            self.assertTrue(seen.acquire(timeout=20))
            graph.lock()
            graph.connect(decoder, head, sink)
            graph.unlock()
            deadline = time.monotonic() + 20
            while len(sink.data()) < 200 * k and time.monotonic() < deadline:
                time.sleep(0.01)
            graph.stop()
            graph.wait()
            self.assertEqual(len(sink.data()), 200 * k)
            self.assertLessEqual({row.tobytes() for row in rows(sink, k)}, known)

    def test_buffers(self):
        """The input buffer has room for many codewords. A small buffer works, too."""
        class Source(gr.sync_block):
            def __init__(self, items):
                super().__init__("source", None, [np.int8])
                self.items, self.room = items, 0

            def work(self, input_items, output_items):
                out = output_items[0]
                self.room = max(self.room, len(out))
                count = min(len(out), len(self.items))
                out[:count], self.items = self.items[:count], self.items[count:]
                return count or -1

        for small in (False, True):
            message, llrs = noisy_codewords(SHORT, 900)
            source, decoder, sink = Source(llrs.ravel()), ldpc.ldpc_decoder_cpu_bb(SHORT), blocks.vector_sink_b()
            if small:
                decoder.set_max_output_buffer(4096 // decoder.k() * decoder.k())
            graph = gr.top_block()
            graph.connect(source, decoder, sink)
            graph.run()
            np.testing.assert_array_equal(rows(sink, decoder.k()), message)
            self.assertEqual(decoder.output_multiple(), decoder.k())
            if not small:
                self.assertGreaterEqual(source.room, 200 * decoder.n())

    def test_different_codes_in_one_flowgraph(self):
        graph, made = gr.top_block(), []
        for name, threads in (("wimax:576:1/2", 1), ("wifi:1944:5/6", 2), ("dvbt2:16200:2/3", 1), ("dvbs2:16200:1/4", 2)):
            message, llrs = noisy_codewords(name, 15, ebn0=6.0)
            decoder, sink = ldpc.ldpc_decoder_cpu_bb(name, threads=threads), blocks.vector_sink_b()
            graph.connect(byte_source(llrs), decoder, sink)
            made.append((decoder, sink, message))
        graph.run()
        for decoder, sink, message in made:
            np.testing.assert_array_equal(rows(sink, decoder.k()), message, decoder.code())

    def test_two_decoders_on_one_stream(self):
        message, llrs = noisy_codewords(SHORT, 203)
        graph, source = gr.top_block(), byte_source(llrs)
        made = [(ldpc.ldpc_decoder_cpu_bb(SHORT, threads=threads), blocks.vector_sink_b()) for threads in THREADS]
        for decoder, sink in made:
            graph.connect(source, decoder, sink)
        graph.run()
        for decoder, sink in made:
            np.testing.assert_array_equal(rows(sink, decoder.k()), message)

    def test_cascade(self):
        message, llrs = noisy_codewords(SHORT, 77)
        for threads in THREADS:
            first = ldpc.ldpc_decoder_cpu_bb(SHORT, output="codeword", threads=threads)
            second = ldpc.ldpc_decoder_cpu_fb(SHORT, threads=threads)
            graph, sink = gr.top_block(), blocks.vector_sink_b()
            graph.connect(byte_source(llrs), first, blocks.char_to_float(1, 1.0), blocks.multiply_const_ff(-8.0),
                          blocks.add_const_ff(4.0), second, sink)
            graph.run()
            np.testing.assert_array_equal(rows(sink, second.k()), message)


if __name__ == "__main__":
    unittest.main(verbosity=2)
