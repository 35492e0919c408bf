#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the BCH decoder and the baseband deframer with gr-dtv's transmitter."""
import unittest

import numpy as np
import pmt
from gnuradio import blocks, dtv, gr, ldpc

from qa_support import byte_source, output, run, tag, tags_of

STANDARDS = {"dvbs2": dtv.STANDARD_DVBS2, "dvbs2x": dtv.STANDARD_DVBS2, "dvbt2": dtv.STANDARD_DVBT2}
# gr-dtv's frame size and name suffix for each code length
SIZES = {"64800": (dtv.FECFRAME_NORMAL, ""), "16200": (dtv.FECFRAME_SHORT, ""), "61560": (dtv.FECFRAME_NORMAL, "_VLSNR"),
         "32400": (dtv.FECFRAME_MEDIUM, "_MEDIUM"), "30780": (dtv.FECFRAME_MEDIUM, "_MEDIUM"),
         "15390": (dtv.FECFRAME_SHORT, "_VLSNR_SF2"), "14976": (dtv.FECFRAME_SHORT, "_VLSNR")}
T2_LONG = [f"dvbt2:64800:{rate}" for rate in ("1/2", "3/5", "2/3", "3/4", "4/5", "5/6")]
T2_SHORT = ["dvbt2:16200:1/4", "dvbt2:16200:1/2", "dvbt2:16200:5/6"]
S2 = ["dvbs2:64800:1/4", "dvbs2:64800:2/3", "dvbs2:64800:9/10", "dvbs2:16200:1/4", "dvbs2:16200:8/9"]


def transport_stream(packets, seed=1):
    ts = np.random.default_rng(seed).integers(0, 256, (packets, 188), np.uint8)
    ts[:, 0], ts[:, 1] = 0x47, ts[:, 1] & 0x7F
    return ts


def parameters(code):
    standard, size, rate = code.split(":")
    frame, suffix = SIZES[size]
    return STANDARDS[standard], frame, getattr(dtv, "C" + rate.replace("/", "_") + suffix)


def transmitter(code, mode=dtv.INPUTMODE_NORMAL, inband=dtv.INBAND_OFF):
    """Returns the blocks that convert packets to BCH codewords."""
    what = parameters(code)
    return [dtv.dvb_bbheader_bb(*what, dtv.RO_0_35, mode, inband, 4, 4000000), dtv.dvb_bbscrambler_bb(*what),
            dtv.dvb_bch_bb(*what)]


def through(source, *chain):
    """Sends items through the chain. Returns the sink."""
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(source, *chain, sink)
    graph.run()
    return sink


def bch_codewords(code, ts, **options):
    """Returns the BCH codewords of the packets, one per row."""
    sink = through(byte_source(ts), *transmitter(code, **options))
    return output(sink).reshape(-1, ldpc.bch(code).n)


def whole_packets(code, frames, high_efficiency):
    bits = (ldpc.bch(code).k - 80) * frames
    return bits // 8 // (187 if high_efficiency else 188)


class TransportStream(unittest.TestCase):
    def check(self, code, ts, received, frames, high_efficiency=False):
        got = output(received).reshape(-1, 188)
        self.assertGreater(frames, 1)
        self.assertEqual(len(got), whole_packets(code, frames, high_efficiency), code)
        np.testing.assert_array_equal(got, ts[:len(got)], code)

    def through_everything(self, code, mode):
        """Sends packets through the whole transmitter, and receives them without noise."""
        k = ldpc.bch(code).k
        ts = transport_stream(3 * k // 1496 + 2)
        decoder = ldpc.ldpc_decoder_cpu_bb(code, max_iterations=5, packed=True)
        bch = ldpc.dvb_bch_decoder_bb(code, packed=True)
        deframer = ldpc.dvb_bb_deframer_bb(code, packed=True)
        llrs = [blocks.char_to_float(), blocks.multiply_const_ff(-20), blocks.add_const_ff(10), blocks.float_to_char()]
        sink = through(byte_source(ts), *transmitter(code, mode), dtv.dvb_ldpc_bb(*parameters(code), dtv.MOD_OTHER), *llrs,
                       decoder, bch, deframer)
        self.assertEqual((decoder.failed(), bch.failed(), bch.corrected_bits()), (0, 0, 0))
        self.assertEqual(bch.frames(), decoder.frames())
        self.check(code, ts, sink, bch.frames(), mode == dtv.INPUTMODE_HIEFF)

    def test_t2_normal_mode(self):
        for code in T2_LONG[:2] + T2_SHORT:
            self.through_everything(code, dtv.INPUTMODE_NORMAL)

    def test_t2_high_efficiency_mode(self):
        for code in T2_LONG + T2_SHORT[:1]:
            self.through_everything(code, dtv.INPUTMODE_HIEFF)

    def test_s2(self):
        for code in S2:
            self.through_everything(code, dtv.INPUTMODE_NORMAL)

    def test_s2x(self):
        """Tests data fields that end inside a byte, and frames shorter than four packets."""
        for code in ("dvbs2x:30780:1/5", "dvbs2x:30780:1/3", "dvbs2x:14976:1/5", "dvbs2x:64800:154/180"):
            ts = transport_stream(9 * ldpc.bch(code).k // 1496 + 2)
            sent = bch_codewords(code, ts)
            for packed in (False, True):
                items = np.packbits(sent, axis=1) if packed else sent
                sink = through(byte_source(items), ldpc.dvb_bch_decoder_bb(code, packed),
                               ldpc.dvb_bb_deframer_bb(code, packed))
                self.check(code, ts, sink, len(sent))

    def test_codewords_of_the_ldpc_code(self):
        for code in ("dvbt2:16200:1/2", "dvbs2:16200:8/9"):
            sent = bch_codewords(code, transport_stream(60))
            n, k = ldpc.ldpc_encoder_bb(code).n(), ldpc.bch(code).k
            complete = np.concatenate([sent, np.ones((len(sent), n - sent.shape[1]), np.uint8)], axis=1)
            for packed in (False, True):
                message, whole = (np.packbits(x, axis=1) if packed else x for x in (sent, complete))
                width, frame = whole.shape[1], k // 8 if packed else k
                places = [(w, i) for w in range(len(sent)) for i in (0, 1, width // 2, width - 2, width - 1)]
                tags = [tag(w * width + i, "place", n) for n, (w, i) in enumerate(places)]
                expected = output(through(byte_source(message), ldpc.dvb_bch_decoder_bb(code, packed)))
                sink = run(ldpc.dvb_bch_decoder_bb(code, packed, codewords=True), whole, tags=tags)
                np.testing.assert_array_equal(output(sink), expected)
                self.assertEqual(sorted(tags_of(sink, "place")),
                                 sorted((w * frame + i * frame // width, n) for n, (w, i) in enumerate(places)))

    def test_in_band_signalling(self):
        """In-band signalling shortens the data field."""
        code = "dvbt2:16200:1/2"
        ts = transport_stream(60)
        sent = bch_codewords(code, ts, inband=dtv.INBAND_ON)
        got = output(through(byte_source(sent), ldpc.dvb_bch_decoder_bb(code), ldpc.dvb_bb_deframer_bb(code))).reshape(-1, 188)
        self.assertGreater(len(got), 30)
        np.testing.assert_array_equal(got, ts[:len(got)])


class Bch(unittest.TestCase):
    CODE = "dvbt2:16200:1/2"

    def setUp(self):
        self.transmitted = bch_codewords(self.CODE, transport_stream(60))

    def test_every_encoder_of_dtv(self):
        """Codewords equal those of gr-dtv. Up to t bit errors are corrected."""
        generator = np.random.default_rng(5)
        for code in ldpc.bch_codes():
            if code.startswith("dvbc2") or code == "dvbs2x:64800:2/9":  # gr-dtv has 2/9 for VL-SNR frames only
                continue
            bch = ldpc.bch(code)
            messages = generator.integers(0, 2, (2, bch.k), np.uint8)
            sent = output(through(byte_source(messages), dtv.dvb_bch_bb(*parameters(code)))).reshape(-1, bch.n)
            np.testing.assert_array_equal(sent, bch.encode(messages), code)
            for codeword in sent:
                codeword[generator.choice(bch.n, bch.t, replace=False)] ^= 1
            decoded, corrected = bch.decode(sent)
            self.assertEqual(corrected.tolist(), [bch.t] * 2, code)
            np.testing.assert_array_equal(decoded, messages, code)

    def test_a_tag_belongs_to_its_own_frame(self):
        for packed in (False, True):
            block = ldpc.dvb_bch_decoder_bb("dvbt2:16200:1/4", packed)
            n, k = (block.n() // 8, block.k() // 8) if packed else (block.n(), block.k())
            sent = [tag(w * n + i, "place", w) for w in range(3) for i in (0, n - 1)]
            sink = run(block, np.zeros((3, n), np.uint8), tags=sent)
            self.assertEqual([offset // k for offset, _ in tags_of(sink, "place")], [0, 0, 1, 1, 2, 2])

    def test_corrects_and_tags(self):
        received = self.transmitted.copy()
        received[1, [3, 700, 7199]] ^= 1
        received[2, ::30] ^= 1
        block = ldpc.dvb_bch_decoder_bb(self.CODE)
        sink = run(block, received, tags=[tag(block.n(), "mine", 7)], extra=np.ones(block.n() - 1))
        got = output(sink).reshape(-1, block.k())
        np.testing.assert_array_equal(got[[0, 1]], self.transmitted[[0, 1], :block.k()])
        np.testing.assert_array_equal(got[2], received[2, :block.k()])
        self.assertEqual(len(got), len(received))
        corrected = [0, 3, -1] + [0] * (len(received) - 3)
        self.assertEqual(tags_of(sink, "bch_corrected"), [(i * block.k(), c) for i, c in enumerate(corrected)])
        self.assertEqual(tags_of(sink, "mine"), [(block.k(), 7)])
        self.assertEqual((block.frames(), block.failed(), block.corrected_bits()), (len(received), 1, 3))

    def test_stats(self):
        block, messages = ldpc.dvb_bch_decoder_bb(self.CODE, stats_interval=100), blocks.message_debug()
        self.transmitted[0, 5] ^= 1
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(byte_source(self.transmitted), block, sink)
        graph.msg_connect(block, "stats", messages, "store")
        graph.run()
        self.assertEqual(messages.num_messages(), 1)
        stats = pmt.to_python(messages.get_message(0))
        self.assertEqual((stats["code"], stats["frames"], stats["failed"], stats["corrected_bits"]),
                         (self.CODE, len(self.transmitted), 0, 1))

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, "wifi:648:1/2"):
            ldpc.dvb_bch_decoder_bb("wifi:648:1/2")
        with self.assertRaisesRegex(ValueError, "stats_interval must be"):
            ldpc.dvb_bch_decoder_bb(self.CODE, stats_interval=-1)


class Deframer(unittest.TestCase):
    CODE = "dvbt2:16200:1/2"

    def receive(self, sent, mode):
        self.bch, self.deframer = ldpc.dvb_bch_decoder_bb(self.CODE), ldpc.dvb_bb_deframer_bb(self.CODE)
        sink = through(byte_source(sent), self.bch, self.deframer)
        return sink, output(sink).reshape(-1, 188)

    def test_burst(self):
        """Noise in a frame affects only packets of that frame. Packets with errors are marked."""
        for mode, size in ((dtv.INPUTMODE_NORMAL, 188), (dtv.INPUTMODE_HIEFF, 187)):
            ts = transport_stream(200)
            sent = bch_codewords(self.CODE, ts, mode=mode)
            k = ldpc.bch(self.CODE).k
            begin, end = 5 * k + 2000, 8 * k + 3000  # frame 5 in part, 6 and 7 with headers, 8 in part
            noise = np.random.default_rng(3).integers(0, 2, sent.shape, np.uint8)
            noise[:5] = noise[9:] = 0
            noise[5, :2000] = noise[8, 3000:] = 0
            sink, got = self.receive(sent ^ noise, mode)
            data = (k - 80) // 8
            clean = {i for i in range(len(ts)) if (i + 1) * size <= 5 * data or i * size >= 9 * data}
            clean = [ts[i].tobytes() for i in sorted(clean) if (i + 1) * size <= len(sent) * data]
            right = [p.tobytes() for p in got if not p[1] & 0x80]
            self.assertEqual([p for p in right if p in set(clean)], clean)
            self.assertEqual(set(right) - {p.tobytes() for p in ts}, set())
            counters = self.deframer.counters()
            self.assertEqual((counters["broken_frames"], self.bch.failed()), (4, 4))
            self.assertGreaterEqual(counters["header_errors"], 2)
            self.assertEqual(counters["ts_errors"], len(got) - len(right))
            self.assertGreaterEqual(len(tags_of(sink, "bb_broken")), 3)

    def test_tags(self):
        ts = transport_stream(60)
        sent = bch_codewords(self.CODE, ts)
        k, data = ldpc.bch(self.CODE).k, (ldpc.bch(self.CODE).k - 80) // 8
        frames = sent[:, :k]
        block = ldpc.dvb_bb_deframer_bb(self.CODE)
        sink = run(block, frames, tags=[tag(2 * k, "mine", 5)])
        starts = [i * data // 188 * 188 for i in range(len(sent))]
        self.assertEqual(tags_of(sink, "bb_frame"), [(start, i) for i, start in enumerate(starts)])
        self.assertEqual(tags_of(sink, "mine"), [(starts[2], 5)])
        self.assertEqual(tags_of(sink, "bch_corrected") + tags_of(sink, "bb_broken"), [])

    def test_small_output_buffer(self):
        """Packets wait for room in the output."""
        ts = transport_stream(400)
        frames = bch_codewords("dvbt2:64800:5/6", ts)[:, :ldpc.bch("dvbt2:64800:5/6").k]
        block = ldpc.dvb_bb_deframer_bb("dvbt2:64800:5/6")
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(byte_source(frames), block, sink)
        graph.run(200)  # at most 200 output items at a time
        got = output(sink).reshape(-1, 188)
        self.assertEqual(len(got), whole_packets("dvbt2:64800:5/6", len(frames), False))
        np.testing.assert_array_equal(got, ts[:len(got)])

    def test_stats(self):
        block, messages = ldpc.dvb_bb_deframer_bb(self.CODE, stats_interval=100), blocks.message_debug()
        frames = bch_codewords(self.CODE, transport_stream(60))[:, :block.k()]
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(byte_source(frames), block, sink)
        graph.msg_connect(block, "stats", messages, "store")
        graph.run()
        self.assertEqual(messages.num_messages(), 1)
        stats = pmt.to_python(messages.get_message(0))
        self.assertEqual({key: stats[key] for key in block.counters()}, block.counters())
        self.assertEqual(stats["packets"], len(output(sink)) // 188)

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, "stream 300"):
            ldpc.dvb_bb_deframer_bb(self.CODE, stream=300)


class RawBer(unittest.TestCase):
    def test_counts(self):
        code = ldpc.code("wifi:648:1/2")
        message, llrs = ldpc.noisy_frames(code, ebn0=3.0, count=20)
        sent = code.encode(message)
        block, graph = ldpc.raw_ber_bb(code.n), gr.top_block()
        graph.connect(byte_source(llrs), block)
        graph.connect(byte_source(np.packbits(sent, axis=1)), (block, 1))
        graph.run()
        self.assertEqual(block.frames(), 20)
        self.assertEqual(block.errors(), ((llrs < 0) != sent).sum())
        self.assertAlmostEqual(block.ber(), ((llrs < 0) != sent).mean())
        with self.assertRaisesRegex(ValueError, "n must be"):
            ldpc.raw_ber_bb(0)

    def test_raw_ber_of_words_larger_than_the_buffers(self):
        n, count = 200003, 3
        generator = np.random.default_rng(1)
        llrs = generator.integers(-127, 128, (count, n), np.int8)
        sent = generator.integers(0, 2, (count, n), np.uint8)
        block, graph = ldpc.raw_ber_bb(n), gr.top_block()
        graph.connect(byte_source(np.append(llrs, llrs[0, :-1])), block)  # the last codeword is incomplete
        graph.connect(byte_source(np.packbits(np.append(sent, sent[:1], axis=0), axis=1)), (block, 1))
        graph.run()
        self.assertEqual(block.frames(), count)
        self.assertEqual(block.errors(), ((llrs < 0) != sent).sum())


class Padding(unittest.TestCase):
    def test_padding_that_is_not_zero(self):
        """Packed frames with nonzero padding are dropped."""
        for code in ("dvbs2x:30780:1/5", "dvbs2x:32400:11/45"):
            bch = ldpc.bch(code)
            for make, bits in ((ldpc.dvb_bch_decoder_bb, bch.n), (ldpc.dvb_bb_deframer_bb, bch.k)):
                frames = np.zeros((6, -(-bits // 8)), np.uint8)
                frames[2, -1] = 1
                block = make(code, packed=True)
                run(block, frames)
                counted = block.counters()["frames"] if make is ldpc.dvb_bb_deframer_bb else block.frames()
                self.assertEqual(counted, 6 - (bits % 8 > 0), (code, bits))


if __name__ == "__main__":
    unittest.main(verbosity=2)
