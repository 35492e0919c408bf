#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that decoder blocks find codewords by length tags or start tags."""
import time
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc, pdu

import libldpc
from qa_support import byte_source, noisy_codewords, output, rows, run, run_program, tag, tags_of

NAME = "wifi:648:1/2"
N, K = 648, 324
KEY = "packet_len"
THREADS = [1, 2]


def decoder(**options):
    return ldpc.ldpc_decoder_cpu_bb(NAME, length_tag_name=KEY, **options)


def lengths(sizes):
    """Returns the length tags of contiguous packets."""
    return [tag(offset, KEY, size) for offset, size in zip(np.cumsum([0, *sizes]), sizes)]


def pdus(make_source, *chain):
    """Returns the PDUs of tagged_stream_to_pdu at the end of a chain, as arrays."""
    graph = gr.top_block()
    collect, debug = pdu.tagged_stream_to_pdu(gr.types.byte_t, KEY), blocks.message_debug()
    graph.connect(make_source, *chain, collect)
    graph.msg_connect(collect, "pdus", debug, "store")
    graph.run()
    return [np.array(pmt.u8vector_elements(pmt.cdr(debug.get_message(i))), np.uint8) for i in range(debug.num_messages())]


class LengthTags(unittest.TestCase):
    def test_output_forms(self):
        message, llrs = noisy_codewords(NAME, 8)
        code = ldpc.code(NAME)
        for threads in THREADS:
            for form, bits in (("message", message), ("codeword", code.encode(message))):
                for packed in (False, True):
                    with self.subTest(threads=threads, output=form, packed=packed):
                        expected = np.packbits(bits, axis=1) if packed else bits
                        source = blocks.stream_to_tagged_stream(gr.sizeof_char, 1, 2 * N, KEY)
                        got = pdus(byte_source(llrs), source, decoder(output=form, packed=packed, threads=threads))
                        np.testing.assert_array_equal(got, expected.reshape(4, -1))

    def test_floats(self):
        message, llrs = noisy_codewords(NAME, 6)
        block = ldpc.ldpc_decoder_cpu_fb(NAME, length_tag_name=KEY)
        sink = run(block, llrs.astype(np.float32) / 3, lengths([3 * N, N, 2 * N]))
        np.testing.assert_array_equal(rows(sink, K), message)
        self.assertEqual(tags_of(sink, KEY), [(0, 3 * K), (3 * K, K), (4 * K, 2 * K)])

    def test_symbols(self):
        name = "bds:b1c:88"
        code = libldpc.code(name)
        width, n, k = int(np.log2(code.order)), code.n, code.k
        _, llrs = noisy_codewords(name, 2, ebn0=6.0)
        block = ldpc.nb_ldpc_decoder(name, symbols=True, length_tag_name=KEY, backend="cpu")
        sink = run(block, llrs, lengths([2 * n * width]))
        self.assertEqual(tags_of(sink, KEY), [(0, 2 * k)])
        self.assertEqual(len(output(sink)), 2 * k)
        encoder = ldpc.nb_ldpc_encoder(name, symbols=True, length_tag_name=KEY)
        sink = run(encoder, output(sink), lengths([k, k]))
        self.assertEqual(tags_of(sink, KEY), [(0, n), (n, n)])

    def test_there_and_back(self):
        """PDUs return unchanged from encoder and decoder."""
        rng = np.random.default_rng(4)
        sent = [rng.integers(0, 2, count * K, np.uint8) for count in (1, 3, 1, 7)]
        graph = gr.top_block()
        feed, collect = pdu.pdu_to_tagged_stream(gr.types.byte_t, KEY), pdu.tagged_stream_to_pdu(gr.types.byte_t, KEY)
        debug = blocks.message_debug()
        graph.connect(feed, ldpc.ldpc_encoder_bb(NAME, KEY), blocks.char_to_float(), blocks.multiply_const_ff(-20), blocks.add_const_ff(10),
                      ldpc.ldpc_decoder_cpu_fb(NAME, length_tag_name=KEY), collect)
        graph.msg_connect(collect, "pdus", debug, "store")
        for bits in sent:
            feed.to_basic_block()._post(pmt.intern("pdus"), pmt.cons(pmt.make_dict(), pmt.init_u8vector(len(bits), bits.tolist())))
        feed.to_basic_block()._post(pmt.intern("system"), pmt.cons(pmt.intern("done"), pmt.from_long(1)))
        graph.run()
        got = [pmt.u8vector_elements(pmt.cdr(debug.get_message(i))) for i in range(debug.num_messages())]
        self.assertEqual(got, [bits.tolist() for bits in sent])

    def test_longer_than_a_buffer(self):
        message, llrs = noisy_codewords(NAME, 700)
        for threads in THREADS:
            sink = run(decoder(threads=threads), np.vstack([llrs, llrs]), lengths([1100 * N, 300 * N]))
            np.testing.assert_array_equal(rows(sink, K), np.vstack([message, message]))
            self.assertEqual(tags_of(sink, KEY), [(0, 1100 * K), (1100 * K, 300 * K)])

    def test_lengths_of_other_kinds(self):
        """Lengths may be unsigned 64-bit values. Other PMT types are not valid lengths."""
        message, llrs = noisy_codewords(NAME, 3)
        sent = lengths([N, N, N])
        sent[0].value, sent[1].value = pmt.from_uint64(N), pmt.intern("648")
        block = decoder()
        sink = run(block, llrs, sent)
        np.testing.assert_array_equal(rows(sink, K), message[[0, 2]])
        self.assertEqual((tags_of(sink, KEY), block.dropped()), ([(0, K), (K, K)], N))

    def test_wrong_lengths_are_dropped_and_counted(self):
        message, llrs = noisy_codewords(NAME, 5)
        items = llrs.ravel()
        sizes = [N, N - 1, N, 1, 2 * N]
        stream = np.concatenate([items[:N], items[:N - 1], items[N:2 * N], items[:1], items[2 * N:4 * N]])
        for threads in THREADS:
            block = decoder(threads=threads)
            sink = run(block, stream, lengths(sizes))
            np.testing.assert_array_equal(rows(sink, K), message[:4])
            self.assertEqual(tags_of(sink, KEY), [(0, K), (K, K), (2 * K, 2 * K)])
            self.assertEqual((block.dropped(), block.frames()), (N, 4))
        block = ldpc.ldpc_encoder_bb(NAME, length_tag_name=KEY)
        sink = run(block, np.zeros(3 * K + 5, np.uint8), lengths([K, K + 5, K]))
        self.assertEqual((tags_of(sink, KEY), block.dropped()), ([(0, N), (N, N)], K + 5))

    def test_a_wrong_length_costs_its_packet(self):
        """After a packet of wrong length, the next plausible tag starts a packet."""
        message, llrs = noisy_codewords(NAME, 20)
        codewords = libldpc.code(NAME).encode(message)
        blocks_ = [(lambda: ldpc.ldpc_encoder_bb(NAME, length_tag_name=KEY), message, codewords),
                   (lambda: ldpc.ldpc_decoder_cpu_fb(NAME, length_tag_name=KEY), llrs.astype(np.float32), message),
                   *((lambda threads=threads: decoder(threads=threads), llrs, message) for threads in THREADS)]
        for make, items, expected in blocks_:
            n, k = items.shape[1], expected.shape[1]
            for length in (2**62, 2**63 - 1, n * (2**62 // n), n * 10**6, 7 * n, n + 1, 3 * n - 1, 1, 0, -n):
                for at in (0, 1, 10):
                    with self.subTest(length=length, at=at, width=n):
                        sent = [tag(i * n, KEY, length if i == at else n) for i in range(20)]
                        block = make()
                        sink = run(block, items, sent)
                        lost = [at] if length % n or length <= 0 else []
                        np.testing.assert_array_equal(rows(sink, k), np.delete(expected, lost, axis=0))
                        self.assertEqual(block.dropped(), n * len(lost))
                        places = [i for i in range(20) if i not in lost]
                        got = dict(tags_of(sink, KEY))
                        self.assertEqual({offset for offset in got}, {i * k for i in range(len(places))})
                        self.assertEqual({got[i * k] for i, place in enumerate(places) if place != at}, {k})

    def test_a_wrong_length_and_lost_items(self):
        """An incomplete codeword before a tag is dropped."""
        message, llrs = noisy_codewords(NAME, 6)
        stream = np.concatenate([llrs[0], llrs[1][:100], *llrs[2:]])
        sent = [tag(offset, KEY, length) for offset, length in ((0, 20 * N), (N + 100, N), (2 * N + 100, 3 * N))]
        for threads in THREADS:
            block = decoder(threads=threads)
            np.testing.assert_array_equal(rows(run(block, stream, sent), K), np.delete(message, 1, axis=0))
            self.assertEqual(block.dropped(), 100)

    def test_a_packet_that_is_cut_short_is_logged_once(self):
        done = run_program("from qa_packets import *\n"
                           "run(decoder(), np.zeros((30, N), np.int8), [tag(i * N, KEY, 100 * N) for i in range(30)])\n")
        text = done.stdout + done.stderr
        self.assertEqual(text.count("a packet of 64800 items is cut short by the tag of the next one, after 648"), 1, text)

    def test_no_packet(self):
        """Items outside packets are dropped."""
        message, llrs = noisy_codewords(NAME, 3)
        gap = np.full(700, 5, np.int8)
        stream = np.concatenate([gap, llrs[0], gap, llrs[1], llrs[2], gap])
        sent = [tag(700, KEY, N), tag(1400 + N, KEY, 2 * N), tag(1400 + 2 * N, KEY, N)]  # the last tag is inside a packet
        for threads in THREADS:
            block = decoder(threads=threads)
            sink = run(block, stream, sent)
            np.testing.assert_array_equal(rows(sink, K), message)
            self.assertEqual((tags_of(sink, KEY), block.dropped()), ([(0, K), (K, 2 * K)], 2100))

    def test_a_wrong_length_is_logged_once(self):
        done = run_program("from qa_packets import *\n"
                           "run(decoder(), np.zeros(30 * 100, np.uint8), lengths([100] * 30))\n", GR_CONF_LOG_LOG_LEVEL="info")
        text = done.stdout + done.stderr
        self.assertEqual(text.count("dropping a packet of 100 items"), 1, text)
        self.assertIn("multiple of the codeword's 648", text)

    def test_other_tags(self):
        """Tags stay with their codewords, even on the last item."""
        _, llrs = noisy_codewords(NAME, 3)
        stream = np.concatenate([np.zeros(10, np.int8), llrs.ravel()])
        sent = [tag(10, KEY, 3 * N), tag(5, "place", 0), *(tag(10 + w * N + i, "place", w) for w in range(3) for i in (0, N - 1))]
        for threads in THREADS:
            sink = run(decoder(threads=threads), stream, sent)
            self.assertEqual(tags_of(sink, "place"), [(w * K + i, w) for w in range(3) for i in (0, K - 1)])

    def test_the_stream_ends_inside_a_packet(self):
        """The stream ends in the first or a later codeword of a packet."""
        for packet, there, frames in ((N, 100, 0), (100, 100, 0), (3 * N, N + 7, 1)):
            block = decoder()
            run(block, noisy_codewords(NAME, 2)[1].ravel()[:there], [tag(0, KEY, packet)])
            self.assertEqual((block.frames(), block.dropped()), (frames, there - frames * N))

    def test_statistics_tell(self):
        graph = gr.top_block()
        _, llrs = noisy_codewords(NAME, 2)
        block, debug = decoder(), blocks.message_debug()
        graph.connect(byte_source(llrs, tags=[tag(N, KEY, N)]), block, blocks.null_sink(1))
        graph.msg_connect(block, "stats", debug, "store")
        graph.run()
        stats = pmt.to_python(debug.get_message(debug.num_messages() - 1))
        self.assertEqual((stats["total_frames"], stats["total_dropped"], stats["backend"]), (1, N, "cpu"))

    def test_without_the_option_nothing_changes(self):
        _, llrs = noisy_codewords(NAME, 2)
        sink = run(ldpc.ldpc_decoder_cpu_bb(NAME), llrs, lengths([N, N]))
        self.assertEqual(tags_of(sink, KEY), [(0, N), (K, N)])


class PacketByPacket(gr.sync_block):
    """A live source: one packet in each call of work()."""

    def __init__(self, items, sizes):
        super().__init__("packet by packet", None, [np.uint8])
        self.items, self.sizes = items, iter(sizes)

    def work(self, input_items, output_items):
        size = next(self.sizes, None)
        if size is None:
            return -1
        at, width = self.nitems_written(0), self.items.shape[1]
        self.add_item_tag(0, at, pmt.intern(KEY), pmt.from_long(size))
        output_items[0][:width] = self.items[at // width]
        time.sleep(0.002)  # the next block mostly receives each packet alone
        return width


class PaddedPackets(unittest.TestCase):
    """Packets of padded codewords are output when complete."""
    NAME = "nr:bg2:10:151:65"

    def setUp(self):
        code = libldpc.code(self.NAME)
        self.messages = np.random.default_rng(3).integers(0, 2, (20, code.k), np.uint8)
        self.items = np.packbits(code.encode(self.messages), axis=1)
        self.width = self.items.shape[1]

    def blocks(self):
        for threads in THREADS:
            with self.subTest(threads=threads):
                yield ldpc.ldpc_decoder_cpu_bb(self.NAME, input="hard-packed", length_tag_name=KEY, threads=threads)

    def check(self, sink, block, dropped=0):
        np.testing.assert_array_equal(rows(sink, self.messages.shape[1]), self.messages)
        self.assertEqual(block.dropped(), dropped)

    def test_wrong_lengths(self):
        """If a length tag is wrong, the packet ends at the next length tag."""
        for at in (0, 7, 19):
            sizes = [self.width] * 20
            sizes[at] = self.width * (2**62 // self.width)
            for block in self.blocks():
                graph, source, sink = gr.top_block(), PacketByPacket(self.items, sizes), blocks.vector_sink_b()
                graph.connect(source, block, sink)
                graph.run()
                self.check(sink, block)

    def test_the_stream_ends_inside_a_packet(self):
        """Whole codewords of an incomplete packet are output."""
        for rest in (0, 5):
            stream = np.concatenate([self.items.ravel(), np.zeros(rest, np.uint8)])
            for length in (25, 10**9):
                for block in self.blocks():
                    self.check(run(block, stream, [tag(0, KEY, length * self.width)]), block, rest)

    def test_padding_in_a_packet_without_an_end(self):
        """An incomplete packet is dropped if any codeword has nonzero padding."""
        self.items[11, -1] |= 1
        for block in self.blocks():
            sink = run(block, self.items, [tag(0, KEY, 25 * self.width)])
            self.assertEqual((len(output(sink)), block.dropped()), (0, self.items.size))


class StartTags(unittest.TestCase):
    def block(self, **options):
        return ldpc.ldpc_decoder_cpu_bb(NAME, start_tag="burst", **options)

    def test_bursts(self):
        """A burst of contiguous codewords follows each start tag. Incomplete codewords are dropped."""
        message, llrs = noisy_codewords(NAME, 5)
        noise = np.full(N, 3, np.int8)
        stream = np.concatenate([noise[:100], llrs[0], llrs[1], noise[:N - 1], llrs[2], llrs[3], llrs[4]])
        sent = [tag(offset, "burst", True) for offset in (100, 99 + 3 * N, 99 + 4 * N)]
        for threads in THREADS:
            block = self.block(threads=threads)
            sink = run(block, stream, sent)
            np.testing.assert_array_equal(rows(sink, K), message)
            self.assertEqual(tags_of(sink, "burst"), [(place * K, True) for place in (0, 2, 3)])
            self.assertEqual(block.dropped(), 100 + N - 1)

    def test_no_tag_no_codeword(self):
        block = self.block()
        self.assertEqual(len(output(run(block, noisy_codewords(NAME, 4)[1]))), 0)
        self.assertEqual(block.dropped(), 4 * N)

    def test_restart_forgets(self):
        graph = gr.top_block()
        _, llrs = noisy_codewords(NAME, 3)
        source, block, sink = byte_source(llrs, tags=[tag(N, "burst", 1)]), self.block(), blocks.vector_sink_b()
        graph.connect(source, block, sink)
        for _ in range(2):
            graph.run()
            self.assertEqual((block.dropped(), len(sink.data())), (N, 2 * K))
            source.rewind()
            sink.reset()

    def test_encoder(self):
        message, _ = noisy_codewords(NAME, 3)
        block = ldpc.ldpc_encoder_bb(NAME, start_tag="burst")
        sink = run(block, np.concatenate([[1, 1, 1], message.ravel()]).astype(np.uint8), [tag(3, "burst", True)])
        np.testing.assert_array_equal(rows(sink, N), ldpc.code(NAME).encode(message))
        self.assertEqual(block.dropped(), 3)

    def test_not_both(self):
        for make in (ldpc.ldpc_decoder_cpu_bb, ldpc.ldpc_decoder_cpu_fb, ldpc.ldpc_encoder_bb):
            with self.assertRaisesRegex(ValueError, "length_tag_name and start_tag"):
                make(NAME, length_tag_name=KEY, start_tag="burst")


if __name__ == "__main__":
    unittest.main(verbosity=2)
