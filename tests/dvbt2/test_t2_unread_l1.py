# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames whose L1-post cannot be read: in-band signalling of type A, in the PLPs' own data, says where they are."""
import dataclasses
import unittest

import numpy as np

from t2_baseband import Format
from t2_broadcast import SMALL, Service, broadcast, check_packets, on_the_air, received
from t2_multiplex import TYPE_2, Multiplex, Plp

SUPER_FRAME = 4
FRAMES = 4 * SUPER_FRAME
QPSK, QAM16, QAM64 = Format('2/3', 'qpsk'), Format('1/2', '16qam'), Format('3/5', '64qam', rotated=True)


def changing_blocks(service, number):
    """Another number in each interleaving frame, so that places change too; an even one where two T2 frames share it."""
    return (1 + (number // service.plp.frame_interval + service.plp.plp_id) % 3) * service.plp.frames


def unread(number):
    """One in three, and five in a row."""
    return number % 3 == 2 or number in range(8, 13)


class UnreadL1(unittest.TestCase):
    def check(self, plps, **multiplex):
        """Nothing is lost of these PLPs."""
        multiplex, services = Multiplex(SUPER_FRAME, **multiplex, **SMALL), [Service(plp) for plp in plps]
        broadcast(multiplex, services, FRAMES, changing_blocks, lambda number: np.inf if unread(number) else 0)
        packets, receiver, decoders = received(on_the_air(multiplex.samples()), [plp.plp_id for plp in plps])
        self.assertGreaterEqual(receiver.status()['l1_errors'], sum(map(unread, range(1, FRAMES))))
        for service, own, decoder in zip(services, packets, decoders):
            check_packets(self, service, own)
            self.assertEqual(decoder.counters()['bch_failed'], 0)
            self.assertEqual(decoder.signalling()['in_band_frames'], decoder.counters()['frames'])

    def test_places_are_announced(self):
        self.check([Plp(1, QAM16, in_band_a=True), Plp(2, QAM64, in_band_a=True, high_efficiency=False)])

    def test_sub_slices_are_announced(self):
        self.check([Plp(1, QAM16, plp_type=TYPE_2, in_band_a=True), Plp(2, QPSK, in_band_a=True),
                    Plp(3, QAM64, plp_type=TYPE_2, in_band_a=True)], sub_slices=10)

    def test_interleaving_frames_are_announced(self):
        """Of two T2 frames, and not in every frame."""
        self.check([Plp(1, QAM16, frames=2, in_band_a=True), Plp(2, QAM64, frame_interval=2, first_frame=1, in_band_a=True),
                    Plp(3, QPSK, frames=2, frame_interval=2, first_frame=1, in_band_a=True)])

    def test_first_ti_block_of_several(self):
        self.check([Plp(1, dataclasses.replace(QAM16, ti_blocks=2), in_band_a=True), Plp(2, QAM16, in_band_a=True)])

    def test_a_plp_that_announces_nothing(self):
        """It loses the frames that cannot be read, and no other; the PLP beside it loses nothing."""
        multiplex = Multiplex(SUPER_FRAME, **SMALL)
        services = [Service(Plp(1, QAM16, in_band_a=True)), Service(Plp(2, QAM64))]
        stream, lost = services[1].stream, set()
        for number in range(FRAMES):
            readable, first = number < 3 or not unread(number), stream.at // stream.unit_bits
            broadcast(multiplex, services, 1, changing_blocks, lambda _number, readable=readable: 0 if readable else np.inf)
            lost.update(range(first, first if readable else stream.next_unit))
        packets, _receiver, decoders = received(on_the_air(multiplex.samples()), [1, 2])
        check_packets(self, services[0], packets[0])
        check_packets(self, services[1], packets[1], lost)
        self.assertEqual([decoder.counters()['bch_failed'] for decoder in decoders], [0, 0])

    def test_a_change_that_was_announced_long_before(self):
        """L1_CHANGE_COUNTER is read while it is 2. Then L1-post cannot be read until the first frame of the new configuration, which
        is lost: it is not taken for one of the old configuration."""
        multiplex, change = Multiplex(SUPER_FRAME, **SMALL), 2 * SUPER_FRAME
        service = Service(Plp(1, QAM16))
        options = {'l1_noise': lambda number: np.inf if number in range(SUPER_FRAME - 1, change + 1) else 0,
                   'change_counter': lambda number: max(0, 2 - number // SUPER_FRAME)}
        broadcast(multiplex, [service], change, lambda *_: 3, **options)
        before, service.plp = service.stream.at // service.stream.unit_bits, dataclasses.replace(service.plp, fmt=QAM64)
        broadcast(multiplex, [service], 1, lambda *_: 3, **options)
        after = service.stream.next_unit
        broadcast(multiplex, [service], change, lambda *_: 3, **options)
        (packets,), _receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
        check_packets(self, service, packets, range(before, after))
        self.assertEqual(decoder.counters()['bch_failed'], 0)

    def test_frames_that_are_received_later(self):
        """Places change once more, and from the next frame on L1-post of no single frame can be read. That of several frames together
        can: then they are received, and none of them counts as lost."""
        multiplex, change = Multiplex(SUPER_FRAME, **SMALL), 2 * SUPER_FRAME
        service = Service(Plp(1, QAM16))
        broadcast(multiplex, [service], FRAMES, lambda _service, number: 3 if number < change - 1 else 4,
                  l1_noise=lambda number: .7 if number >= change else 0)
        (packets,), receiver, (decoder,) = received(on_the_air(multiplex.samples()), [1])
        status = receiver.status()
        self.assertGreaterEqual(status['l1_errors'], 3)
        self.assertEqual((status['frames'], status['lost_frames']), (FRAMES, 1))  # behind the last one there is nothing
        check_packets(self, service, packets)
        self.assertEqual(decoder.counters()['bch_failed'], 0)


if __name__ == '__main__':
    unittest.main()
