# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests libdvbt2.plp_decoder with baseband frames that no available transmitter sends (t2_baseband.py)."""
import unittest

import libdvbt2
import numpy as np
from libdvbt2.tools.reception import Reception

import t2_baseband as t2

FORMATS = (t2.Format('1/2', '16qam'), t2.Format('3/5', '64qam', rotated=True), t2.Format('2/3', 'qpsk', ti_blocks=2))
QUIET = 1e-3  # noise: the cells decode without effort


class Plp:
    """Passes interleaving frames of a PLP to a decoder."""

    def __init__(self, noise=QUIET, **fields):
        self.decoder, self.fields, self.noise, self.number = None, fields, noise, 0

    def feed(self, decoder, fmt, frames, start=0, **fields):
        cells, noise = t2.received(t2.cells_of(fmt, frames), self.noise, seed=self.number)
        about = {**fmt.fields(), **self.fields, **fields}
        frame = libdvbt2.plp_frame(frame=self.number, n_blocks=len(frames), cells=len(cells), start=start,
                                   cells_per_block=len(cells) // len(frames), **about)
        decoder.feed(frame, 0, cells, noise)
        self.number += 1


def pulled(decoder):
    return [bytes(packet) for packets in libdvbt2.packets_of(decoder) for packet in packets]


def decoded(decoder):
    decoder.finish()
    return pulled(decoder)


class OneDeframer(unittest.TestCase):
    def test_packets_go_on_across_formats(self):
        """Code and constellation change with every interleaving frame."""
        for mode in (t2.Mode(), t2.Mode(high_efficiency=False), t2.Mode(deletion=True), t2.Mode(False, issy=2, deletion=True)):
            with self.subTest(mode=mode):
                sent = [t2.packet(256, n) if n % 5 else t2.null_packet() for n in range(60)]
                sent[40:40] = [t2.null_packet()] * 300  # more than the range of the counter
                stream = t2.Stream(t2.user_packets(sent, 900 * np.arange(len(sent)), mode), mode)
                plp, decoder = Plp(), libdvbt2.plp_decoder()
                for number in range(1000):
                    if stream.done:
                        break
                    fmt = FORMATS[number % len(FORMATS)]
                    plp.feed(decoder, fmt, [stream.frame(fmt.k) for _ in range(2)])
                self.assertEqual(decoded(decoder), sent)
                counters = decoder.counters()
                self.assertEqual([counters[name] for name in ("lost_packets", "crc_errors", "ts_errors", "header_errors")], [0] * 4)

    def test_a_format_that_comes_back_has_no_stale_packet(self):
        """A format ends with half of a packet, and later begins with half of another packet."""
        mode, fmt, other = t2.Mode(), FORMATS[0], FORMATS[2]
        sent = [t2.packet(256, n) for n in range(40)]
        stream = t2.Stream(t2.user_packets(sent, np.zeros(len(sent)), mode), mode)
        frames = [stream.frame(fmt.k) for _ in range(6)]
        plp, decoder = Plp(), libdvbt2.plp_decoder()
        plp.feed(decoder, fmt, frames[:1])
        plp.feed(decoder, other, [t2.generic_frame(other.k, "GSE", b"x")[0]])
        decoder.lose_packet()
        plp.feed(decoder, fmt, frames[3:])
        got = decoded(decoder)
        self.assertLessEqual(set(got), set(sent))
        self.assertGreater(len(got), 15)


class Signalling(unittest.TestCase):
    def test_in_band_and_issy(self):
        fmt, mode = FORMATS[0], t2.Mode(issy=3)
        times = 1000 * np.arange(12)
        stream = t2.Stream(t2.user_packets([t2.packet(256, n) for n in range(12)], times, mode), mode)
        a = t2.in_band_a(3, [(77, 1, 1234, 5678)], 9, [(8, 70000, 5), (9, 80000, 6)])
        b = t2.in_band_b(400000, 54321, 1, 512, 12345678)
        latest, field = t2.tto(654321)
        frames = [stream.frame(fmt.k, a + b, field), stream.frame(fmt.k, (), t2.bufs(300))]
        third = stream.next_unit
        frames.append(stream.frame(fmt.k))
        decoder = libdvbt2.plp_decoder()
        self.assertEqual(decoder.signalling()["in_band_frames"], 0)
        Plp(in_band_a_flag=True, in_band_b_flag=True).feed(decoder, fmt, frames)
        decoded(decoder)
        said = decoder.signalling()
        self.assertEqual((said["in_band_frames"], said["in_band_errors"]), (1, 0))
        self.assertEqual((said["tto"], said["bufs"], said["iscr_bits"]), (latest, 300 * 1024, 22))
        self.assertLess(654321 - latest, 654321 / 128)
        self.assertEqual(said["iscr"], times[third])
        self.assertEqual(said["in_band_a"]["plp_l1_change_counter"], 3)
        self.assertEqual(said["in_band_a"]["current_plp_num_blocks"], 9)
        self.assertEqual(said["in_band_a"]["frames"], [{"sub_slice_interval": 77, "start_rf_idx": 1, "current_plp_start": 1234,
                                                         "reserved_2": 0, "type_2_start": 5678}])
        self.assertEqual([(plp["plp_id"], plp["plp_start"], plp["plp_num_blocks"]) for plp in said["in_band_a"]["other_plps"]],
                         [(8, 70000, 5), (9, 80000, 6)])
        want = {"tto": 400000, "first_iscr": 54321, "bufs_unit": 1, "bufs": 512, "ts_rate": 12345678}
        self.assertEqual({name: said["in_band_b"][name] for name in want}, want)

    def test_in_band_that_is_not_there(self):
        fmt, mode = FORMATS[0], t2.Mode()
        stream = t2.Stream(t2.user_packets([t2.packet(256, n) for n in range(12)], np.zeros(12), mode), mode)
        frames = [[stream.frame(fmt.k, bits)] for bits in (t2.in_band_b(1, 2, 0, 3, 4), ())]
        decoder, plp = libdvbt2.plp_decoder(), Plp(in_band_a_flag=True)
        for blocks in frames:
            plp.feed(decoder, fmt, blocks)
        decoded(decoder)
        said = decoder.signalling()
        self.assertEqual((said["in_band_frames"], said["in_band_errors"]), (0, 2))
        self.assertNotIn("in_band_a", said)

    def test_mer_is_measured(self):
        for fmt in FORMATS:
            for noise in (0.01, 0.001):
                with self.subTest(fmt=fmt, noise=noise):
                    decoder = libdvbt2.plp_decoder()
                    frames = [t2.generic_frame(fmt.k, "GSE", bytes(100))[0]] * 2
                    Plp(noise).feed(decoder, fmt, frames)
                    decoded(decoder)
                    self.assertAlmostEqual(decoder.counters()["mer_db"], -10 * np.log10(noise), delta=0.25)
        cells = t2.cells_of(FORMATS[0], [t2.generic_frame(FORMATS[0].k, "GSE", bytes(100))[0]])
        cells.real *= 1.1
        decoder = libdvbt2.plp_decoder()
        frame = libdvbt2.plp_frame(n_blocks=1, cells=len(cells), cells_per_block=len(cells), **FORMATS[0].fields())
        decoder.feed(frame, 0, cells, np.full(len(cells), 1e-3, np.float32))
        decoded(decoder)
        self.assertAlmostEqual(decoder.counters()["mer_db"], 10 * np.log10(2 / 0.01), delta=0.2)


class CommonPlp(unittest.TestCase):
    """Two transport streams of a group. The common PLP contains the packets that both streams share; null packets replace them in
    the data PLPs."""

    PERIOD = 1234.5  # packet period, T

    def send(self, mode, count=500, delays=(0, 0), blocks=(6, 2), offset=0, lose=(), latency=3000000, shares=(0.6, 0.15), period=PERIOD,
             frame_time=100000):
        """Returns merged packets, stream and counters. delays: delay of each PLP in T2 frames. latency: time from ISCR to output, in
        units of T. It is signalled as TTO. None: no TTO."""
        whole, data, common = t2.group_streams(count, shares=shares)
        times = offset + np.floor(period * np.arange(count)).astype(int)
        decoders = [libdvbt2.plp_decoder(), libdvbt2.plp_decoder()]
        decoders[0].set_common(decoders[1])
        formats = (FORMATS[0], FORMATS[2])
        plps = [Plp(has_common=True, plp_id=1), Plp(plp_type=0, plp_id=2)]
        streams = [t2.Stream(t2.user_packets(slots, times, mode), mode) for slots in (data, common)]
        got, number = [], 0
        while number < 600 and not (number > max(delays) and all(stream.done for stream in streams)):
            for which in (0, 1):
                stream, fmt = streams[which], formats[which]
                if stream.done or number < delays[which]:
                    continue
                start = number * frame_time
                frames = [stream.frame(fmt.k, (), stream.say_tto(None if latency is None else latency - offset - start) if block == 0 else None)
                          for block in range(blocks[which])]
                plps[which].number = number
                lost = sum(number > frame for plp, frame in lose if plp == which)
                if (which, number) not in lose:
                    plps[which].feed(decoders[which], fmt, frames, start=start, lost=lost)
            got += pulled(decoders[0])
            number += 1
        return got + decoded(decoders[0]), whole, decoders[0].counters()

    def test_streams_are_put_together(self):
        for mode in (t2.Mode(issy=3), t2.Mode(issy=3, deletion=True), t2.Mode(False, issy=3), t2.Mode(False, issy=3, deletion=True)):
            with self.subTest(mode=mode):
                got, whole, counters = self.send(mode)
                self.assertEqual(counters["unplaced_packets"], 0)
                self.assert_most(got, whole)

    def test_short_issy(self):
        """A 15-bit ISCR wraps every 3.6 ms, several times between two packets."""
        for deletion, shares in ((False, (0.6, 0.15)), (True, (0.6, 0.15)), (True, (0.05, 0.02))):
            with self.subTest(deletion=deletion, shares=shares):
                mode = t2.Mode(False, issy=2, deletion=deletion)
                got, whole, counters = self.send(mode, count=400 if shares[0] > 0.5 else 8000, latency=600000, offset=20000, shares=shares,
                                                 frame_time=40000)
                self.assertEqual(counters['unplaced_packets'], 0)
                self.assert_most(got, whole, 20 if shares[0] > 0.5 else 200)

    def test_short_issy_without_an_exact_time(self):
        for latency in (None, 1 << 30):
            with self.subTest(latency=latency):
                got, whole, counters = self.send(t2.Mode(False, issy=2), latency=latency)
                self.assertEqual(len(got), len(whole))
                self.assertEqual(counters['common_packets'], 0)
                self.assertTrue(all(have == want or t2.is_null(have) for have, want in zip(got, whole)))

    def test_buffer_of_the_standard(self):
        got, whole, counters = self.send(t2.Mode(issy=3, deletion=True), count=80000, delays=(0, 48), shares=(0.02, 0.01), period=200,
                                         frame_time=260000, latency=30000000)
        self.assertEqual(counters['unplaced_packets'], 0)
        self.assert_most(got, whole, 1000)

    def test_beyond_the_buffer(self):
        got, whole, counters = self.send(t2.Mode(issy=3, deletion=True), count=200000, delays=(0, 150), shares=(0.01, 0.002),
                                         period=200, frame_time=260000, latency=60000000)
        self.assertEqual(len(got), len(whole))
        common = [n for n, packet in enumerate(whole) if packet[1:3] == bytes([0, 18])]
        missing = [n for n in common if got[n] != whole[n]]
        self.assertEqual([n for n, (have, want) in enumerate(zip(got, whole)) if have != want], missing)
        self.assertGreater(counters['common_packets'], 100)
        self.assertEqual(counters['common_packets'], len(common) - len(missing))
        self.assertAlmostEqual(counters['unplaced_packets'], len(missing), delta=10)  # no ISCR follows the last ones
        self.assertLess(max(missing), len(whole) - (1 << 17) + 1000)

    def test_counters_that_turn_over_and_late_plps(self):
        """A 22-bit ISCR wraps every 0.46 s. The common PLP is several frames early or late."""
        mode = t2.Mode(issy=3, deletion=True)
        for delays, offset in (((0, 3), (1 << 22) - 200000), ((4, 0), 0), ((0, 5), 3 << 21)):
            with self.subTest(delays=delays, offset=offset):
                got, whole, _counters = self.send(mode, count=4000, delays=delays, offset=offset)
                self.assert_most(got, whole)

    def test_lost_frames(self):
        for lose in ({(0, 3)}, {(1, 3)}, {(0, 2), (1, 4)}):
            with self.subTest(lose=lose):
                got, whole, _counters = self.send(t2.Mode(issy=3, deletion=True), count=900, lose=lose)
                real = [packet for packet in got if not t2.is_null(packet)]
                self.assertLessEqual(set(real), set(whole))
                self.assertEqual(got[-100:-20], whole[-100:-20])

    def assert_most(self, got, whole, ends=20):
        self.assertEqual(len(got), len(whole))
        self.assertEqual([n for n in range(ends, len(whole) - 2 * ends) if got[n] != whole[n]], [])
        for n in (*range(ends), *range(len(whole) - 2 * ends, len(whole))):
            self.assertTrue(got[n] == whole[n] or t2.is_null(got[n]), n)

    def test_without_issy_the_data_plp_stays_as_it_is(self):
        got, whole, counters = self.send(t2.Mode(), count=200)
        self.assertEqual(len(got), len(whole))
        self.assertEqual(counters["common_packets"], 0)
        for have, want in zip(got, whole):
            self.assertTrue(have == want or t2.is_null(have))


class GenericStreams(unittest.TestCase):
    def test_frames_come_out(self):
        fmt, decoder, plp = FORMATS[0], libdvbt2.plp_decoder(generic_frames=True), Plp()
        random, sent, blocks = np.random.default_rng(1), [], []
        for kind, length in (("GSE", 700), ("GCS", 868), ("GFPS", 1), ("GSE", 0), ("GSE", 333)):
            bits, whole = t2.generic_frame(fmt.k, kind, random.bytes(length), plp_id=7)
            sent.append(whole)
            blocks.append(bits)
        plp.feed(decoder, fmt, blocks[:3])
        plp.feed(decoder, fmt, blocks[3:])
        self.assertEqual(decoded(decoder), [])
        self.assertEqual(list(iter(decoder.pull_frame, None)), sent)
        counters = decoder.counters()
        self.assertEqual([counters[f"{name}_frames"] for name in ("gse", "gcs", "gfps", "other")], [3, 1, 1, 5])

    def test_ldpc_dvbt2_writes_them(self):
        """Tests that Reception, the core of ldpc-dvbt2, passes each frame to a callback and feeds the decoder of the common PLP."""
        fmt, decoder, common = FORMATS[0], libdvbt2.plp_decoder(generic_frames=True), libdvbt2.plp_decoder()
        bits, whole = t2.generic_frame(fmt.k, "GSE", b"a frame of GSE")
        cells, noise = t2.received(t2.cells_of(fmt, [bits]), QUIET)
        frame = libdvbt2.plp_frame(n_blocks=1, cells=len(cells), cells_per_block=len(cells), **fmt.fields())

        class Receiver:
            sample_bytes = 1
            left = [(cells, noise, frame, 0), (cells, noise, frame, 0)]

            def push(self, data, start):
                return len(data) - start

            def pull(self, output):
                piece, self.left[output] = self.left[output], None
                return piece

            def status(self):
                return {"locked": True}

        frames = []
        reception = Reception(Receiver(), 1.0, [decoder], [lambda packets: self.fail("no packets")], [common], [frames.append])
        reception.push(b"12345")
        reception.finish()
        self.assertEqual(frames, [whole])
        self.assertEqual((reception.frame_count(), common.counters()["gse_frames"]), (1, 1))

    def test_broken_frames_stay(self):
        fmt, decoder = FORMATS[0], libdvbt2.plp_decoder(generic_frames=True)
        Plp(noise=3.0).feed(decoder, fmt, [t2.generic_frame(fmt.k, "GSE", bytes(500))[0]] * 2)
        decoded(decoder)
        self.assertIsNone(decoder.pull_frame())
        self.assertEqual(decoder.counters()["bch_failed"], 2)


if __name__ == "__main__":
    unittest.main()
