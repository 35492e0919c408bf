# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests status and counters: reasons for losses, missing packets. A counter never decreases, and never increases without cause."""
import itertools
import os
import unittest

import libdvbt2
import numpy as np

from small_signals import complex_samples
from t2_baseband import Format
from t2_broadcast import RATE, SMALL, Service, broadcast, on_the_air
from t2_multiplex import Multiplex, Plp

QAM16 = Format('1/2', '16qam')
COUNTS = ('samples', 'frames_seen', 'frames', 'lost_frames', 'fef_parts', 'l1_errors', 'locks')


def signal(frames, unread=lambda number: False, in_band=False, blocks=lambda number: 1 + number % 3):
    """Returns samples, packets and the number of samples per frame."""
    multiplex, service = Multiplex(4, **SMALL), Service(Plp(1, QAM16, in_band_a=in_band))
    broadcast(multiplex, [service], frames, lambda _service, number: blocks(number), lambda number: np.inf if unread(number) else 0)
    samples = multiplex.samples()
    return on_the_air(samples), len(service.sent), len(samples) // frames


def noise(count):
    return np.random.default_rng(5).normal(0, np.sqrt(.5), (2, count)).astype(np.float32).T.reshape(-1).view(np.complex64).copy()


def losses(status):
    return {name.removeprefix('losses_'): count for name, count in status.items() if name.startswith('losses_') and count}


def receive(samples, look=lambda status: None, gap_at=None, missing=0, plp=-1, **options):
    """Returns the final status and counters."""
    receiver, decoder = libdvbt2.receiver(RATE, 'cf32', plps=[plp], **options), libdvbt2.plp_decoder()
    for at in range(0, len(samples), 5000):
        piece, done = samples[at:at + 5000], 0
        if gap_at is not None and at <= gap_at < at + 5000:
            receiver.gap(missing)
        while done < len(piece):
            done += receiver.push(piece[done:])
            look(receiver.status())
            for cells, cell_noise, frame, first in iter(receiver.pull, None):
                decoder.feed(frame, first, cells, cell_noise)
        for _packets in libdvbt2.packets_of(decoder):
            pass
        look(receiver.status())
    decoder.finish()
    return receiver.status(), decoder.counters()


class Counters(unittest.TestCase):
    def test_cells_that_say_nothing(self):
        samples, _sent, length = signal(3)
        receiver, decoder = libdvbt2.receiver(RATE, 'cf32'), libdvbt2.plp_decoder()
        receiver.push(samples[:2 * length])
        frame = next(frame for _cells, _noise, frame, first in iter(receiver.pull, None) if first == 0)
        decoder.feed(frame, 0, np.zeros(frame.cells, np.complex64), np.full(frame.cells, 1e30, np.float32))
        decoder.finish()
        counters = decoder.counters()
        self.assertEqual([counters[name] for name in ('codewords', 'failed_codewords', 'bch_failed', 'bits', 'bit_errors', 'packets')],
                         [frame.n_blocks] * 3 + [0] * 3)

    def test_packets_that_are_missing(self):
        frames = 30
        samples, sent, length = signal(frames, blocks=lambda _number: 3)
        clean = receive(samples)[1]
        self.assertEqual(clean['lost_packets'], 0)
        for first, count in (8, 1), (9, 7), (12, 12):
            damaged = samples.copy()
            damaged[first * length:(first + count) * length] = noise(count * length)
            status, counters = receive(damaged)
            self.assertGreater(clean['packets'] - counters['packets'], count * sent / frames * .6)
            self.assertAlmostEqual(counters['packets'] + counters['lost_packets'], clean['packets'], delta=2 + count / 2)
            self.assertGreaterEqual(status['lost_frames'], 1)

    def test_packets_in_a_gap(self):
        frames, rng = 30, np.random.default_rng(6)
        samples, _sent, length = signal(frames, blocks=lambda _number: 3)
        clean = receive(samples)[1]
        for missing in [100, length, *rng.integers(1000, 12 * length, 4)]:
            at = 5000 * int(rng.integers(8 * length, 14 * length) // 5000)
            status, counters = receive(np.delete(samples, slice(at, at + missing)), gap_at=at, missing=int(missing))
            self.assertEqual((status['losses_gap'], counters['ts_errors']), (1, 0))
            self.assertAlmostEqual(counters['packets'] + counters['lost_packets'], clean['packets'], delta=3, msg=f'{missing} samples')

    def test_packets_in_a_gap_of_unknown_length(self):
        """FRAME_IDX gives the length of a gap shorter than a super-frame."""
        frames, rng = 30, np.random.default_rng(7)
        samples, _sent, length = signal(frames, blocks=lambda _number: 3)
        clean = receive(samples)[1]
        for missing in rng.integers([2.2 * length, 1.2 * length, length / 2, 3000], [2.8 * length, 1.8 * length, length, length / 2]):
            for called in 1, 0:
                at = 5000 * int(rng.integers(8 * length, 14 * length) // 5000)
                _status, counters = receive(np.delete(samples, slice(at, at + missing)), gap_at=at if called else None)
                self.assertEqual(counters['ts_errors'], 0)
                self.assertAlmostEqual(counters['packets'] + counters['lost_packets'], clean['packets'], delta=3, msg=f'{missing} samples')

    def test_another_multiplex_with_the_same_ids(self):
        samples, _sent, length = signal(6, blocks=lambda _number: 3)
        other = Multiplex(4, **{**SMALL, 'ndata': 24})
        broadcast(other, [Service(Plp(1, QAM16))], 7, lambda *_: 3)
        per_frame = receive(samples)[1]['packets'] / 6
        _status, counters = receive(np.concatenate([samples[:int(4.5 * length)], on_the_air(other.samples())]))
        self.assertLess(counters['lost_packets'], 1.5 * per_frame)

    def test_counts_never_go_back(self):
        clean, _sent, length = signal(16)
        signals = [signal(16, lambda number: number % 3 == 2 or number in range(8, 13))[0], signal(16, lambda number: number < 5)[0]]
        for seed in range(8):
            rng, samples = np.random.default_rng(seed), clean.copy()
            for _ in range(4):
                at, count = int(rng.integers(0, len(samples) - length)), int(rng.integers(1000, length))
                kind = rng.integers(0, 4)
                if kind == 0:
                    samples[at:at + count] = 0
                elif kind == 1:
                    samples[at:at + count] = noise(count)
                elif kind == 2:
                    samples = np.delete(samples, slice(at, at + count))
                else:
                    samples = np.insert(samples, at, samples[at:at + count])
            signals.append(samples)
        for power in .95, 1., 1.06:
            multiplex = Multiplex(4, **SMALL)
            broadcast(multiplex, [Service(Plp(1, QAM16))], 16, lambda *_: 2, l1_noise=lambda _number, power=power: power)
            signals.append(on_the_air(multiplex.samples()))
        for number, samples in enumerate(signals):
            seen = []
            receive(samples, lambda status, seen=seen: seen.append([status[name] for name in (*COUNTS, *(n for n in status if n.startswith('losses_')))]))
            back = [pair for pair in itertools.pairwise(seen) if any(now < before for before, now in zip(*pair))]
            self.assertEqual(back, [], f'signal {number}')

    def test_no_thread(self):
        samples, before, most = signal(12, lambda number: number % 3 == 2, in_band=True)[0], len(os.listdir('/proc/self/task')), 0
        receiver = libdvbt2.receiver(RATE, 'cf32')
        for at in range(0, len(samples), 5000):
            piece, done = samples[at:at + 5000], 0
            while done < len(piece):
                done += receiver.push(piece[done:])
                while receiver.pull() is not None:
                    pass
            most = max(most, len(os.listdir('/proc/self/task')))
        self.assertGreater(receiver.status()['frames'], 6)
        self.assertEqual(most, before)


class Losses(unittest.TestCase):
    def check(self, expected, *arguments, **options):
        status, _counters = receive(*arguments, **options)
        self.assertEqual((status['last_loss'], losses(status)), expected)
        self.assertEqual(sum(losses(status).values()), status['locks'] - status['locked'])
        return status

    def test_no_loss(self):
        samples, _sent, length = signal(6)
        self.check(('', {}), samples[:6 * length])

    def test_end_of_the_signal(self):
        samples, _sent, length = signal(6)
        self.check(('pilots', {'pilots': 1}), np.concatenate([samples[:4 * length + length // 2], noise(3 * length)]))
        self.check(('P1', {'p1': 1}), np.concatenate([samples[:4 * length], noise(3 * length)]))

    def test_gap(self):
        samples, _sent, length = signal(10)
        at = 5 * length + length // 2
        self.check(('gap', {'gap': 1}), np.delete(samples[:10 * length], slice(at, at + 3000)), gap_at=at)

    def test_l1(self):
        samples, _sent, length = signal(10, lambda number: number in (5, 8))
        self.check(('L1-post', {'l1_post': 2}), samples[:10 * length])

    def test_step(self):
        samples, _sent, length = signal(10)
        at = 4 * length + length // 2
        samples[at:] *= np.exp(2j * np.pi * 3000 / RATE * np.arange(len(samples) - at))
        status = receive(samples[:10 * length])[0]
        self.assertIn(losses(status), ({'step': 1}, {'pilots': 1}))
        self.assertGreaterEqual(status['frames'] + status['lost_frames'], 9)

    def test_l1_pre_gives_another_guard_interval(self):
        """L1-pre signals a guard interval of 1/8 instead of 1/16."""
        class Wrong(Multiplex):
            def _l1_pre(self, *arguments):
                right, self.p['gi'] = self.p['gi'], '1/8'
                try:
                    return super()._l1_pre(*arguments)
                finally:
                    self.p['gi'] = right
        for mode in SMALL, {'fft': '16K', 'gi': '1/16', 'pp': 4, 'ndata': 4}:
            multiplex = Wrong(4, **mode)
            broadcast(multiplex, [Service(Plp(1, QAM16))], 6, lambda *_: 2)
            seen = set()
            status, _counters = receive(on_the_air(multiplex.samples()), lambda status, seen=seen: seen.add(status['guard_interval']))
            self.assertEqual(seen, {'', '1/16'})
            self.assertEqual(status['last_loss'], 'guard interval contradicts L1-pre')
            self.assertGreater(status['losses_guard_interval'], 0)
            self.assertEqual(status['message'], 'L1-pre gives guard interval 1/8, but the signal has 1/16')


class Mer(unittest.TestCase):
    def test_echo_of_0_db(self):
        """An echo keeps the mean power. The MER is close to the C/N despite the notches."""
        samples, _sent, length = signal(10)
        echo = samples.copy()
        echo[40:] += samples[:-40] * np.exp(1j)
        for received in samples, echo:
            status, counters = receive(received[:10 * length])
            self.assertEqual(counters['bch_failed'], 0)
            self.assertAlmostEqual(counters['mer_db'], status['cn_db'], delta=3)
            self.assertAlmostEqual(status['expected_mer_db'], counters['mer_db'], delta=1.5)


class OtherProfile(unittest.TestCase):
    def test_t2_lite_in_fef_parts(self):
        for name, plp, there in ('base_lite', 0, 1), ('fef', 0, 0), ('lite', 1, 0):
            status, _counters = receive(complex_samples(name), plp=plp)
            self.assertEqual(status['other_profile'], bool(there), name)


if __name__ == '__main__':
    unittest.main()
