#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the GPU decoder block with a GPU, with tests/fake_gpu, or without a GPU."""
import math
import os
import re
import threading
import time
import unittest

import numpy as np
from gnuradio import blocks, gr, ldpc

from qa_support import GPU_BACKEND, NO_GPU, Listener, OneByOne, byte_source, gpu_decoder, output, reference, rows, run, \
    run_program, tag, tags_of, noisy_codewords

SHORT = "wimax:576:1/2"
BATCHES = [{}, {"batch": 1}, {"batch": 7, "streams": 2}, {"batch": 5, "latency": 0.02}, {"batch": 1000, "latency": 0.001}]
FALLS_BACK = ("from qa_support import gpu_decoder, rows, run, noisy_codewords; "
              "message, llrs = noisy_codewords('wimax:576:1/2', 40); "
              "decoder = gpu_decoder('wimax:576:1/2', fallback=True, batch=3, tags=True); "
              "assert (rows(run(decoder, llrs), 288) == message).all(); "
              "assert decoder.frames() == 40 and decoder.failed() == 0; "
              "print(decoder.backend())")


def gpu_reference(llrs, **options):
    """Decodes on the CPU with the arithmetic of the GPU."""
    return reference(SHORT, llrs, backend="cpu", **{"arithmetic": "i16", **options})


class Options(unittest.TestCase):
    def test_wrong_options(self):
        wrong = [({"backend": "auto"}, "expected cpu, gpu, cuda or opencl"), ({"latency": -1.0}, "latency must be 0"),
                 ({"latency": 61.0}, "latency must be 0"), ({"gpu_timeout": math.nan}, "gpu_timeout must be 0 (no limit) .. 86400 seconds, not nan"),
                 ({"gpu_timeout": -1.0}, "gpu_timeout must be 0"), ({"gpu_timeout": 86401.0}, "gpu_timeout must be 0"), ({"batch": -1}, "batch must be 0"), ({"streams": -1}, "streams must be 0"),
                 ({"streams": 65}, "streams must be 0"), ({"code": "wimax:577:1/2"}, "wimax:577:1/2"),
                 ({"max_iterations": -1}, "max_iterations must be 0")]
        for options, part in wrong:
            with self.subTest(options):
                with self.assertRaises(ValueError) as caught:
                    ldpc.ldpc_decoder_gpu_bb(**{"code": SHORT, "fallback": True, **options})
                self.assertIn(part, str(caught.exception))

    def test_help_names_every_argument(self):
        signature = ldpc.ldpc_decoder_gpu_bb.__init__.__doc__.splitlines()[0]
        for name in ("code", "max_iterations", "stats_interval", "devices", "streams", "batch", "latency", "fallback", "gpu_timeout", "cache_dir"):
            self.assertIn(f" {name}: ", signature)
            self.assertIn(f"    {name}: ", ldpc.ldpc_decoder_gpu_bb.__doc__)


@unittest.skipUnless(NO_GPU, "there is a GPU")
class WithoutGpu(unittest.TestCase):
    def test_construction_fails_with_one_sentence(self):
        with self.assertRaises(RuntimeError) as caught:
            ldpc.ldpc_decoder_gpu_bb(SHORT)
        sentence = str(caught.exception)
        self.assertIn("\"gpu\"", sentence)
        self.assertIn("cuda: ", sentence)
        self.assertNotIn("\n", sentence)

    def test_the_advice_can_be_followed(self):
        for make, arguments in ((ldpc.ldpc_decoder_gpu_bb, {"code": SHORT}),
                                (ldpc.ldpc_decoder_pdu, {"code": SHORT, "backend": "cuda"}),
                                (ldpc.nb_ldpc_decoder, {"code": "bds:b1c:88", "backend": "cuda"}),
                                (ldpc.dvbs2_fec_decoder, {"code": "dvbs2:16200:1/2", "modulation": "qpsk", "backend": "cuda"})):
            with self.subTest(make.__name__):
                with self.assertRaises(RuntimeError) as caught:
                    make(**arguments)
                name, = re.findall(r"; with (\w+) the CPU decodes$", str(caught.exception))
                make(**{**arguments, name: True})

    def test_falls_back_to_the_cpu_with_a_warning(self):
        result = run_program(FALLS_BACK)
        self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["cpu"]), result.stdout + result.stderr)
        log = result.stdout + result.stderr
        self.assertEqual(log.count("the CPU decodes instead"), 1)
        self.assertIn("\"cuda\"", log)

    def test_the_fallback_is_the_cpu_block(self):
        _, llrs = noisy_codewords(SHORT, 60, ebn0=1.0)
        for options in ({}, {"threads": 2}, {"kernel": "straight"}, {"output": "codeword", "packed": True}, {"latency": 0.01}):
            gpu = ldpc.ldpc_decoder_gpu_bb(SHORT, fallback=True, **options)
            options = {key: value for key, value in options.items() if key not in ("kernel", "latency")}
            cpu = ldpc.ldpc_decoder_cpu_bb(SHORT, **options)
            np.testing.assert_array_equal(output(run(gpu, llrs)), output(run(cpu, llrs)))
            self.assertEqual((gpu.kernel(), gpu.failed()), (cpu.kernel(), cpu.failed()))

    def test_words_wait_for_others(self):
        """With a latency, batches are filled, and no codeword is lost."""
        message, llrs = noisy_codewords(SHORT, 40)
        for threads in (1, 2):
            decoder = ldpc.ldpc_decoder_gpu_bb(SHORT, fallback=True, latency=0.02, threads=threads)
            np.testing.assert_array_equal(rows(run(decoder, llrs), decoder.k()), message)


@unittest.skipIf(NO_GPU, NO_GPU)
class WithGpu(unittest.TestCase):
    def test_it_is_the_gpu(self):
        decoder = gpu_decoder(SHORT, fallback=True)
        self.assertEqual(decoder.backend(), GPU_BACKEND)

    def test_same_bits_and_iterations_as_the_library(self):
        options = [{}, {"max_iterations": 3}, {"early_stop": False, "max_iterations": 4}, {"arithmetic": "i8"},
                   {"algorithm": "offset", "offset": 2.0}, {"algorithm": "min-sum"}]
        _, llrs = noisy_codewords(SHORT, 40, ebn0=1.0)
        for chosen in options:
            with self.subTest(chosen):
                bits, info = gpu_reference(llrs, **chosen)
                decoder = gpu_decoder(SHORT, tags=True, **chosen)
                sink = run(decoder, llrs)
                np.testing.assert_array_equal(rows(sink, decoder.k()), bits)
                iterations = [value for _, value in tags_of(sink, "ldpc_iterations")]
                self.assertEqual(iterations, info["iterations"].tolist())
                self.assertEqual(decoder.failed(), 40 - info["converged"].sum())

    def test_output_forms(self):
        message, llrs = noisy_codewords(SHORT, 12)
        for what, bits in (("message", message), ("codeword", ldpc.code(SHORT).encode(message))):
            for packed in (False, True):
                decoder = gpu_decoder(SHORT, output=what, packed=packed)
                expected = np.packbits(bits, axis=1) if packed else bits
                np.testing.assert_array_equal(rows(run(decoder, llrs), expected.shape[1]), expected)
        decoder = gpu_decoder(SHORT, llr_sign="negative")
        np.testing.assert_array_equal(rows(run(decoder, -llrs), decoder.k()), message)

    def test_nothing_is_lost_at_the_end(self):
        message, llrs = noisy_codewords(SHORT, 211)
        for options in BATCHES:
            for count in (1, 2, 17, 103, 211):
                for left_over in (0, 575):
                    with self.subTest(options=options, count=count, left_over=left_over):
                        decoder = gpu_decoder(SHORT, **options)
                        sink = run(decoder, llrs[:count], extra=np.zeros(left_over))
                        np.testing.assert_array_equal(rows(sink, decoder.k()), message[:count])

    def test_a_word_leaves_before_the_next_one_enters(self):
        """A live source waits for each result. A decoder that waits for a full batch would cause a deadlock."""
        message, llrs = noisy_codewords(SHORT, 25)
        for options in BATCHES:
            seen = threading.Semaphore(0)
            source, decoder = OneByOne(llrs, seen), gpu_decoder(SHORT, **options)
            sink = Listener(decoder.k(), seen)
            graph = gr.top_block()
            graph.connect(source, decoder, sink)
            graph.run()
            self.assertFalse(source.timed_out)
            self.assertEqual(sink.items, message.size)

    def test_no_spinning(self):
        """While codewords wait, the decoder uses little CPU time."""
        _, llrs = noisy_codewords(SHORT, 20)
        seen = threading.Semaphore(0)
        decoder = gpu_decoder(SHORT, batch=1000, latency=0.2)
        source, sink, graph = OneByOne(llrs[:5], seen), Listener(decoder.k(), seen), gr.top_block()
        graph.connect(source, decoder, sink)
        wall, processor = time.monotonic(), time.process_time()
        graph.run()
        wall, processor = time.monotonic() - wall, time.process_time() - processor
        self.assertGreater(wall, 0.8)  # each codeword waited for its batch
        self.assertLess(processor, wall / 2)

    def test_tags(self):
        _, llrs = noisy_codewords(SHORT, 150, ebn0=1.0)
        _, info = gpu_reference(llrs)
        sent = [tag(w * 576, "codeword", w) for w in range(150)]
        decoder = gpu_decoder(SHORT, tags=True, batch=11)
        sink = run(decoder, llrs, tags=sent)
        self.assertEqual(sorted(tags_of(sink, "codeword")), [(w * 288, w) for w in range(150)])
        self.assertEqual(tags_of(sink, "ldpc_converged"), [(w * 288, bool(c)) for w, c in enumerate(info["converged"])])

    def test_options_change_while_running(self):
        _, llrs = noisy_codewords(SHORT, 20, ebn0=0.0)
        seen = threading.Semaphore(0)
        decoder = gpu_decoder(SHORT, early_stop=False, max_iterations=5, tags=True)
        sink = Listener(decoder.k(), seen)
        graph = gr.top_block()
        graph.connect(byte_source(llrs, repeat=True), decoder, sink)
        graph.start()
        seen.acquire(timeout=20)
        decoder.set_max_iterations(2)
        while 2 not in sink.iterations and seen.acquire(timeout=20):
            pass
        graph.stop()
        graph.wait()
        self.assertEqual(set(sink.iterations[:sink.iterations.index(2)]), {5})

    def test_restart(self):
        message, llrs = noisy_codewords(SHORT, 31)
        decoder, sink, source = gpu_decoder(SHORT, batch=4), blocks.vector_sink_b(), byte_source(llrs)
        graph = gr.top_block()
        graph.connect(source, decoder, sink)
        for _ in range(3):
            graph.run()
            np.testing.assert_array_equal(rows(sink, decoder.k()), message)
            sink.reset()
            source.rewind()

    def test_cpu_and_gpu_side_by_side(self):
        message, llrs = noisy_codewords(SHORT, 203)
        graph, source = gr.top_block(), byte_source(llrs)
        made = [(block, blocks.vector_sink_b()) for block in
                (ldpc.ldpc_decoder_cpu_bb(SHORT), gpu_decoder(SHORT), gpu_decoder(SHORT, devices="all"))]
        for decoder, sink in made:
            graph.connect(source, decoder, sink)
        graph.run()
        for decoder, sink in made:
            np.testing.assert_array_equal(rows(sink, decoder.k()), message)

    def test_no_such_device(self):
        for devices in ("99", "", "first"):
            with self.assertRaises(ValueError) as caught:
                gpu_decoder(SHORT, devices=devices, fallback=True)
            self.assertIn("devices", str(caught.exception))


@unittest.skipUnless("FAKE_GPU_CODES" in os.environ, "a real GPU cannot be lost at will")
class Lost(unittest.TestCase):
    """Tests GPUs that fail at a kernel launch."""

    def test_decoding_goes_on_on_the_cpu(self):
        for launch in range(1, 15):  # 40 codewords, at most 3 per launch
            with self.subTest(launch=launch):
                result = run_program(FALLS_BACK, FAKE_GPU_FAILS_AT=str(launch))
                self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["cpu"]), result.stdout + result.stderr)
                self.assertEqual((result.stdout + result.stderr).count("falling back to the CPU"), 1)

    @unittest.skipUnless(GPU_BACKEND == "cuda", "numbers of CUDA")
    def test_after_a_time_out_and_without_a_context(self):
        for number in ("702", "709"):
            with self.subTest(number):
                result = run_program(FALLS_BACK, FAKE_GPU_FAILS_AT="2", FAKE_GPU_RESULT=number)
                self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["cpu"]), result.stdout + result.stderr)
                self.assertRegex(result.stdout + result.stderr, rf"CUDA: .* \({number}\); falling back to the CPU")

    def test_without_fallback_decoding_stops(self):
        result = run_program("from qa_support import gpu_decoder, output, run, noisy_codewords; "
                             "print(len(output(run(gpu_decoder('wimax:576:1/2', batch=3), "
                             "noisy_codewords('wimax:576:1/2', 40)[1]))) % 288)", FAKE_GPU_FAILS_AT="4")
        self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["0"]), result.stdout + result.stderr)
        self.assertIn("decoding stopped", result.stdout + result.stderr)


HANGING = """
import ctypes
import threading
from gnuradio import blocks, gr, ldpc
import numpy as np
import pmt
from qa_support import GPU_BACKEND, OneByOne, Listener, byte_source, gpu_decoder, noisy_codewords, output, rows
CODE = "wimax:576:1/2"
message, llrs = noisy_codewords(CODE, 40)
gpu = ctypes.CDLL("libcuda.so.1")  # the library of tests/fake_gpu

def limited_decoder(**options):
    return gpu_decoder(CODE, **{"gpu_timeout": 0.3, **options})

def live_graph_of(decoder):
    seen = threading.Semaphore(0)
    graph, source, sink = gr.top_block(), OneByOne(llrs[:3], seen), Listener(288, seen)
    graph.connect(source, decoder, sink)
    return graph, source, sink

def graph_of(decoder, repeat=False):
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(byte_source(llrs, repeat), decoder, sink)
    return graph, sink

def refused(call):
    try:
        call()
    except RuntimeError as error:
        return "was abandoned" in str(error)
    return False

def decode_pdus(decoder):
    answers, made = blocks.message_debug(), pmt.cons(pmt.PMT_NIL, pmt.init_s8vector(llrs.size, llrs.ravel().tolist()))
    graph = gr.top_block()
    graph.msg_connect(decoder, "pdus", answers, "store")
    for _ in range(2):
        decoder.to_basic_block()._post(pmt.intern("pdus"), made)
    decoder.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
    graph.run()
    return [np.array(pmt.u8vector_elements(pmt.cdr(answers.get_message(i)))) for i in range(answers.num_messages())]
"""


@unittest.skipUnless("FAKE_GPU_CODES" in os.environ, "a real GPU does not hang at will")
class Hangs(unittest.TestCase):
    """A GPU hangs in a launch, and the driver reports no error."""

    def check(self, program, log, hangs_at=1, **options):
        """The program must print "good" at its end. `log`: expected texts and counts."""
        self.run_with(program, log, FAKE_GPU_HANGS_AT=str(hangs_at), **options)

    def run_with(self, program, log, **variables):
        result = run_program(HANGING + program + "\nprint('good')", **variables)
        said = result.stdout + result.stderr
        self.assertEqual((result.returncode, result.stdout.split()[-1:]), (0, ["good"]), said)
        for part, times in log.items():
            self.assertEqual(said.count(part), times, said)

    def test_decoding_goes_on_on_the_cpu(self):
        for launch in (1, 2, 4, 9):  # 40 codewords, at most 3 per launch
            with self.subTest(launch=launch):
                self.check("""
decoder = limited_decoder(fallback=True, batch=3)
for _ in range(2):
    graph, sink = graph_of(decoder)
    graph.run()
    assert (rows(sink, 288) == message).all() and decoder.backend() == "cpu"
""", {"has not finished its work within 0.3 s": 1, "falling back to the CPU": 1}, launch, own_process=launch == 1)

    def test_without_fallback_decoding_stops(self):
        self.check("""
decoder = limited_decoder(batch=3)
for turn in range(3):
    graph, sink = graph_of(decoder)
    graph.run()
    got = rows(sink, 288)
    assert (3 if turn == 0 else 0) <= len(got) < (40 if turn == 0 else 1), len(got)
    assert (got == message[:len(got)]).all()
    assert refused(lambda: decoder.set_max_iterations(3))
del graph, decoder
""", {"decoding stopped: ": 3, "dropped codewords: ": 3}, 4)

    def test_stop_comes_back(self):
        """stop() returns while a live source waits. Dropped codewords are not decoded."""
        self.check("""
decoder = limited_decoder(fallback=True, gpu_timeout=20)  # longer than a loaded machine takes to call stop()
graph, source, sink = live_graph_of(decoder)
graph.start()
gpu.fake_gpu_wait_for_hang()
graph.stop()  # before another codeword, because general_work() then waits for the GPU
source.seen.release()
graph.wait()
assert sink.items == 0
""", {"dropped codewords: ": 1, "falling back to the CPU": 0})

    def test_the_limit_needs_no_more_codewords(self):
        self.check("""
decoder = limited_decoder(fallback=True)
graph, source, sink = live_graph_of(decoder)
graph.run()
assert not source.timed_out and sink.items == 3 * 288
""", {"falling back to the CPU": 1})

    def test_setters(self):
        self.check("""
decoder = limited_decoder(batch=3)
graph, sink = graph_of(decoder, True)
graph.start()
gpu.fake_gpu_wait_for_hang()
assert refused(lambda: decoder.set_max_iterations(3))
assert decoder.backend() == GPU_BACKEND
graph.stop()
graph.wait()
""", {"falling back to the CPU": 0})

    def test_a_fallback_in_a_setter(self):
        self.check("""
decoder = limited_decoder(fallback=True)
graph, source, sink = live_graph_of(decoder)
graph.start()
gpu.fake_gpu_wait_for_hang()
decoder.set_max_iterations(3)
assert decoder.backend() == "cpu" and decoder.max_iterations() == 3
graph.wait()
assert not source.timed_out and sink.items == 3 * 288
""", {"falling back to the CPU": 1})

    def test_a_late_answer_is_harmless(self):
        """A batch may complete after the end of the flowgraph without harm."""
        self.check("""
decoder = limited_decoder(fallback=True, batch=3)
graph, sink = graph_of(decoder)
graph.run()
assert (rows(sink, 288) == message).all()
del decoder, graph, sink
gpu.fake_gpu_answer()
graph, sink = graph_of(gpu_decoder(CODE))
graph.run()
assert (rows(sink, 288) == message).all()
""", {"falling back to the CPU": 1})

    def test_pdus(self):
        self.check("""
decoder = ldpc.ldpc_decoder_pdu(CODE, backend=GPU_BACKEND, gpu_timeout=0.3, fallback=True)
answers = decode_pdus(decoder)
assert len(answers) == 2 and all((answer.reshape(-1, 288) == message).all() for answer in answers)
""", {"has not finished its work": 1, "falling back to the CPU": 1})
        self.check("""
decoder = ldpc.ldpc_decoder_pdu(CODE, backend=GPU_BACKEND, gpu_timeout=0.3)
assert decode_pdus(decoder) == []
assert refused(lambda: decoder.set_max_iterations(3))
""", {"dropped a PDU: ": 2, "has not finished its work": 1, "was abandoned": 1})

    def test_pdus_after_an_error_of_the_gpu(self):
        """A GPU fails and recovers. PDUs that arrive before the recovery are dropped."""
        self.run_with("""
decoder = ldpc.ldpc_decoder_pdu(CODE, backend=GPU_BACKEND)
assert decode_pdus(decoder) == []
gpu.fake_gpu_answer()
answers = decode_pdus(decoder)
assert len(answers) == 2 and all((answer.reshape(-1, 288) == message).all() for answer in answers)
""", {"dropped a PDU: ": 2}, FAKE_GPU_FAILS_AT="1")


if __name__ == "__main__":
    unittest.main(verbosity=2)
