# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import unittest

import numpy as np

from t2_baseband import Format
from t2_broadcast import SMALL, Service, broadcast, check_packets, on_the_air, received
from t2_multiplex import Multiplex, Plp

SUPER_FRAME = 4
FRAMES = 4 * SUPER_FRAME
QAM16, QAM64 = Format('1/2', '16qam'), Format('3/5', '64qam', rotated=True)


class UnreadL1(unittest.TestCase):
    def test_two_frames_in_a_row(self):
        """L1 concealment allows the reception of at most two consecutive frames."""
        for unread in 1, 2, 3:
            multiplex, service = Multiplex(SUPER_FRAME, **SMALL), Service(Plp(1, QAM16))
            first = SUPER_FRAME + 1
            lost = range(first + 2, first + unread)
            packets_lost = set()
            for number in range(FRAMES):
                before = service.stream.at // service.stream.unit_bits
                noise = np.inf if number in range(first, first + unread) else 0
                broadcast(multiplex, [service], 1, lambda *_: 3, l1_noise=lambda _number, noise=noise: noise)
                packets_lost.update(range(before, service.stream.next_unit) if number in lost else ())
            (packets,), receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
            check_packets(self, service, packets, packets_lost)
            status = receiver.status()
            self.assertEqual(status['lost_frames'], len(lost) + 1)  # and the frame expected after the end
            self.assertEqual(status['losses_l1_post'], len(lost))
            self.assertEqual(decoder.counters()['bch_failed'], 0)

    def test_echo_that_disturbs_p1(self):
        multiplex, service = Multiplex(SUPER_FRAME, fft='32K', gi='1/16', pp=4, ndata=4), Service(Plp(1, QAM16))
        broadcast(multiplex, [service], 14, lambda *_: 3, l1_noise=lambda number: np.inf if number in (5, 7, 9, 11) else 0)
        samples = multiplex.samples()
        samples[400:] += np.complex64(.98) * samples[:-400]
        (packets,), receiver, _decoders = received(on_the_air(samples), [1])
        check_packets(self, service, packets)
        self.assertEqual(receiver.status()['losses_l1_post'], 0)

    def test_places_that_change(self):
        multiplex, service = Multiplex(SUPER_FRAME, **SMALL), Service(Plp(1, QAM16))
        packets_lost = set()
        for number in range(FRAMES):
            unread, before = number % 3 == 2, service.stream.at // service.stream.unit_bits
            broadcast(multiplex, [service], 1, lambda _service, n: 1 + n % 3, l1_noise=lambda _number, unread=unread: np.inf if unread else 0)
            packets_lost.update(range(before, service.stream.next_unit) if unread else ())
        (packets,), _receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
        check_packets(self, service, packets, packets_lost)
        self.assertEqual(decoder.counters()['bch_failed'], 0)

    def test_a_change_that_was_announced_long_before(self):
        multiplex, change = Multiplex(SUPER_FRAME, **SMALL), 2 * SUPER_FRAME
        service = Service(Plp(1, QAM16))
        options = {'l1_noise': lambda number: np.inf if number in range(SUPER_FRAME - 1, change + 1) else 0,
                   'change_counter': lambda number: max(0, 2 - number // SUPER_FRAME)}
        broadcast(multiplex, [service], SUPER_FRAME + 1, lambda *_: 3, **options)
        before = service.stream.at // service.stream.unit_bits
        broadcast(multiplex, [service], change - SUPER_FRAME - 1, lambda *_: 3, **options)
        service.plp = dataclasses.replace(service.plp, fmt=QAM64)
        broadcast(multiplex, [service], 1, lambda *_: 3, **options)
        after = service.stream.next_unit
        broadcast(multiplex, [service], change, lambda *_: 3, **options)
        (packets,), _receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
        check_packets(self, service, packets, range(before, after))
        self.assertEqual(decoder.counters()['bch_failed'], 0)

    def test_frames_that_are_received_later(self):
        multiplex, change = Multiplex(SUPER_FRAME, **SMALL), 2 * SUPER_FRAME
        service = Service(Plp(1, QAM16))
        broadcast(multiplex, [service], FRAMES, lambda _service, number: 3 if number < change - 1 else 4,
                  l1_noise=lambda number: .7 if number >= change else 0)
        (packets,), receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
        status = receiver.status()
        self.assertGreaterEqual(status['l1_errors'], 3)
        self.assertEqual((status['frames'], status['lost_frames']), (FRAMES, 1))  # nothing follows the last one
        check_packets(self, service, packets)
        self.assertEqual(decoder.counters()['bch_failed'], 0)


if __name__ == '__main__':
    unittest.main()
