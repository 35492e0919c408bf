#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of ACM and VCM: the MODCOD changes from frame to frame."""
import unittest

import numpy as np
import pmt
from gnuradio import blocks, gr, ldpc

from qa_dvb_chain import packets_for, transport_stream
from qa_dvb_support import S2X, awgn, bb_frames, dtv_frames
from qa_support import byte_source, output, tag, tags_of

MODCODS = ["qpsk:16200:1/4", "8psk:64800:2/3", "16apsk:16200:3/4", "qpsk:64800:9/10", "32apsk:16200:4/5"]
NOISE = {"qpsk": 0.1, "8psk": 0.1, "16apsk": 0.05, "32apsk": 0.03}
NUMBERS = {name: number for number, name in enumerate((name for name in ldpc.dvbs2_modcods() if ":64800:" in name), 1)}


# PLS codes (EN 302 307-2, table 17a) of each constellation, code length and family.
S2X_NUMBERS = {"qpsk:64800:13/45": 132, "8apsk:64800:100/180": 138, "8psk:64800:13/18": 146, "16apsk:64800:18/30": 158, "16apsk:64800:3/5": 156,
               "32apsk:64800:2/3": 174, "64apsk:64800:7/9": 190, "64apsk:64800:5/6": 198, "128apsk:64800:135/180": 200,
               "256apsk:64800:124/180": 208, "qpsk:16200:11/45": 216, "8psk:16200:26/45": 232, "16apsk:16200:3/5": 242, "32apsk:16200:32/45": 248}


def xfecframe(offset, name):
    """Returns the tag of gr-dvbs2rx's PL synchroniser. Its value is a pair: the number of the MODCOD, and true for short frames."""
    made = tag(offset, "XFECFRAME", 0)
    number = S2X_NUMBERS.get(name) or NUMBERS[name.replace(":16200:", ":64800:")]
    made.value = pmt.cons(pmt.from_long(number), pmt.from_bool(":16200:" in name))
    return made


class Signal:
    """Noisy cells of one frame for each MODCOD name."""

    def __init__(self, names, seed=1, matype=0xE000, noise=None):
        codes = [ldpc.dvbs2_modcod_code(name) for name in names]
        self.names = names
        self.ts = transport_stream(sum(packets_for(code, 1) for code in codes), seed)
        cells = dtv_frames(names, bb_frames(self.ts, codes, matype))
        self.frames = [awgn(frame, noise or NOISE[name.partition(":")[0]], seed + i) for i, (frame, name) in enumerate(zip(cells, names))]

    def tags(self, names=None):
        begins = np.cumsum([0, *map(len, self.frames)])
        return [xfecframe(int(begin), name) for begin, name in zip(begins, names or self.names)]

    def receive(self, decoder, tags=None):
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(blocks.vector_source_c(np.concatenate(self.frames).tolist(), False, 1, tags or self.tags()), decoder, sink)
        graph.run()
        return output(sink).reshape(-1, 188), sink


def receiver(modcods=tuple(MODCODS), **options):
    first = modcods[0]
    return ldpc.dvbs2_fec_decoder(ldpc.dvbs2_modcod_code(first), first.partition(":")[0], modcods=modcods, **{"backend": "cpu", **options})


class Frames(unittest.TestCase):
    def test_the_test_makes_the_frames_of_gr_dtv(self):
        code = "dvbs2:16200:2/3"
        ts = transport_stream(60)
        graph, sink = gr.top_block(), blocks.vector_sink_b()
        graph.connect(byte_source(ts), ldpc.dvb_fec_encoder(code)[0], sink)
        graph.run()
        theirs = output(sink).reshape(-1, ldpc.bch(code).k)
        np.testing.assert_array_equal(bb_frames(ts, [code] * len(theirs), 0xF000), theirs)


class Vcm(unittest.TestCase):
    def test_a_modcod_for_each_frame(self):
        order = [MODCODS[i] for i in np.random.default_rng(5).integers(0, len(MODCODS), 40)]
        signal = Signal(order)
        for options in ({}, {"threads": 2}):
            decoder = receiver(**options)
            got, sink = signal.receive(decoder)
            self.assertEqual(len(got), sum(ldpc.bch(ldpc.dvbs2_modcod_code(name)).k - 80 for name in order) // 8 // 188)
            np.testing.assert_array_equal(got, signal.ts[:len(got)])
            counters = decoder.counters()
            self.assertEqual((counters["frames"], counters["header_errors"], counters["bch_failed"], counters["lost_packets"]),
                             (len(order), 0, 0, 0))
            self.assertTrue(0.001 < counters["raw_ber"] < 0.1)
            self.assertEqual(len(tags_of(sink, "XFECFRAME")), len(order))

    def test_all_modcods(self):
        """Selects every MODCOD by its number. Short frames have no rate 9/10."""
        self.assertEqual((len(NUMBERS), len(ldpc.dvbs2_modcods())), (28, 52))
        signal = Signal(ldpc.dvbs2_modcods(), noise=0.003)
        decoder = receiver(ldpc.dvbs2_modcods())
        got, _ = signal.receive(decoder)
        np.testing.assert_array_equal(got, signal.ts[:len(got)])
        counters = decoder.counters()
        self.assertEqual((counters["frames"], counters["bch_failed"], counters["lost_packets"]), (52, 0, 0))

    def test_s2x(self):
        """S2X frames between DVB-S2 frames."""
        every = ldpc.dvbs2_modcods(s2x=True)
        self.assertEqual((len(every), len(set(every))), (107, 107))
        names = [name for pair in zip(S2X_NUMBERS, MODCODS * 3) for name in pair]
        signal = Signal(names, noise=0.002)
        decoder = receiver([*MODCODS, *S2X_NUMBERS])
        got, _ = signal.receive(decoder)
        np.testing.assert_array_equal(got, signal.ts[:len(got)])
        counters = decoder.counters()
        self.assertEqual((counters["frames"], counters["bch_failed"], counters["lost_packets"]), (len(names), 0, 0))

    def test_the_codes_of_all_are_those_of_the_standard(self):
        of_s2x = {f"{modulation}:{code.partition(':')[2]}": code for modulation, codes in S2X.items() for code in codes if ":61560:" not in code}
        added = ldpc.dvbs2_modcods(s2x=True)[52:]
        self.assertEqual({name: ldpc.dvbs2_modcod_code(name) for name in added}, of_s2x)

    def test_other_modcods_are_dropped(self):
        """Frames of other MODCODs are dropped. All frames before and after a dropped frame are received."""
        order = [MODCODS[0]] * 3 + [MODCODS[1]] + [MODCODS[2]] * 3
        signal = Signal(order)
        decoder = receiver([MODCODS[0], MODCODS[2]])
        got, _ = signal.receive(decoder)
        sent = {packet.tobytes() for packet in signal.ts}
        self.assertTrue(all(packet.tobytes() in sent for packet in got))
        self.assertEqual(decoder.counters()["frames"], 6)
        self.assertEqual(decoder.counters()["lost_packets"], 1)

    def test_a_part_of_a_frame_is_dropped(self):
        """A PL synchroniser that loses lock outputs an incomplete frame. This frame is dropped."""
        signal = Signal([MODCODS[0], MODCODS[1], MODCODS[2], MODCODS[2]])
        signal.frames[1] = signal.frames[1][:7000]
        decoder = receiver()
        got, _ = signal.receive(decoder)
        self.assertEqual(decoder.counters()["frames"], 3)
        self.assertEqual(decoder.counters()["ts_errors"], 0)
        self.assertGreater(len(got), 10)

    def test_one_of_two_streams(self):
        one, two = Signal([MODCODS[0]] * 6, 1, 0xC001), Signal([MODCODS[2]] * 6, 2, 0xC002)
        both = Signal.__new__(Signal)
        both.names = [name for pair in zip(one.names, two.names) for name in pair]
        both.frames = [frame for pair in zip(one.frames, two.frames) for frame in pair]
        for stream, signal in ((1, one), (2, two)):
            got, _ = both.receive(receiver(stream=stream))
            self.assertGreater(len(got), 8)
            np.testing.assert_array_equal(got, signal.ts[:len(got)])

    def test_generic_frames_are_messages(self):
        """The signal has GSE frames of ISI 1 and 2, a transport stream, and a damaged frame. Only undamaged GSE frames of ISI 1 become
        PDUs."""
        name, matypes = MODCODS[0], (0x4001, 0x4002, 0xC001, 0x4001, 0x4001)
        code = ldpc.dvbs2_modcod_code(name)
        frames = [bb_frames(transport_stream(packets_for(code, 1), seed), [code], matype)[0] for seed, matype in enumerate(matypes)]
        signal, messages = Signal.__new__(Signal), blocks.message_debug()
        signal.names = [name] * len(frames)
        signal.frames = [awgn(cells, 30 if i == 3 else 0.1, i) for i, cells in enumerate(dtv_frames(signal.names, frames))]
        decoder, graph = receiver(stream=1), gr.top_block()
        graph.connect(blocks.vector_source_c(np.concatenate(signal.frames).tolist(), False, 1, signal.tags()), decoder, blocks.null_sink(1))
        graph.msg_connect(decoder, "frames", messages, "store")
        graph.run()
        received = [messages.get_message(i) for i in range(messages.num_messages())]
        self.assertEqual([bytes(pmt.u8vector_elements(pmt.cdr(pdu))) for pdu in received], [np.packbits(frames[i]).tobytes() for i in (0, 4)])
        self.assertEqual([pmt.to_python(pmt.car(pdu)) for pdu in received], [{"isi": 1}] * 2)

    def test_before_the_first_tag(self):
        signal = Signal([MODCODS[0]] * 4)
        got, _ = signal.receive(receiver(), signal.tags()[2:])
        np.testing.assert_array_equal(got, signal.ts[:len(got)])

    def test_wrong_options(self):
        with self.assertRaisesRegex(ValueError, "qpsk:64800:1/7"):
            receiver(["qpsk:64800:1/2", "qpsk:64800:1/7"])
        with self.assertRaisesRegex(ValueError, "noise_input and modcods"):
            ldpc.dvb_demapper_cb("dvbs2:64800:1/2", "qpsk", noise_input=True, modcods=MODCODS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
