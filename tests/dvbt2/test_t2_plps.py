# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests PLPs of all kinds, together with rare elements of frames and L1 (t2_multiplex.py). Compares every packet."""
import unittest

import numpy as np

from t2_baseband import Format
from t2_broadcast import SMALL, Service, broadcast, check_packets, on_the_air, received
from t2_multiplex import COMMON, PADDING, TYPE_2, Multiplex, Plp

SUPER_FRAME = 4
FRAMES = 3 * SUPER_FRAME
QPSK, QAM16, QAM64 = Format('2/3', 'qpsk'), Format('1/2', '16qam'), Format('3/5', '64qam', rotated=True)


class Plps(unittest.TestCase):
    def check(self, multiplex, services):
        """Checks all packets. Returns the receiver."""
        plps = [service.plp.plp_id for service in services]
        packets, receiver, _decoders = received(on_the_air(multiplex.samples()), plps)
        for service, own in zip(services, packets):
            check_packets(self, service, own)
        return receiver

    def test_sub_slices_and_auxiliary_streams(self):
        """The frame contains a common PLP, a PLP of type 1, two PLPs of type 2, two auxiliary streams, dummy cells and an extension
        field. The number of FEC blocks of type 2 varies."""
        extension = [(3, list(np.random.default_rng(4).integers(0, 2, 133))), (PADDING, [0] * 20)]
        multiplex = Multiplex(SUPER_FRAME, sub_slices=10, aux=(701, 300), extension=extension, **SMALL)
        services = [Service(Plp(2, QAM64, plp_type=TYPE_2)), Service(Plp(9, QPSK, plp_type=COMMON)),
                    Service(Plp(3, QAM16, plp_type=TYPE_2, high_efficiency=False)), Service(Plp(1, QAM16))]
        broadcast(multiplex, services, FRAMES, lambda service, number: 1 + (number + service.plp.plp_id) % 3)
        post = self.check(multiplex, services).l1_post()
        self.assertEqual([(aux['aux_stream_type'], aux['aux_private_conf']) for aux in post['aux']], [(15, 1000), (15, 1001)])
        self.assertEqual([block['length'] for block in post['extensions']], [133, 20])

    def test_l1_repetition(self):
        """FEC blocks change with each frame. L1 repetition replaces L1-post of every third frame."""
        multiplex = Multiplex(SUPER_FRAME, repetition=True, aux=(500,), **SMALL)
        services = [Service(Plp(1, QAM16)), Service(Plp(2, QAM64))]
        broadcast(multiplex, services, FRAMES, lambda service, number: 1 + (number + service.plp.plp_id) % 3,
                  l1_noise=lambda number: np.inf if number % 3 == 2 else 0)
        receiver = self.check(multiplex, services)
        self.assertGreaterEqual(receiver.status()['l1_errors'], FRAMES // 3)

    def test_plps_that_are_not_in_every_frame(self):
        multiplex = Multiplex(2 * SUPER_FRAME, **SMALL)
        services = [Service(Plp(1, QPSK, frame_interval=2, first_frame=1)), Service(Plp(2, QAM16)),
                    Service(Plp(3, QAM64, frame_interval=4, first_frame=2)),
                    Service(Plp(4, QAM16, frame_interval=2, first_frame=0, frames=2)),
                    Service(Plp(5, QPSK, frame_interval=2, first_frame=1, frames=2, high_efficiency=False))]
        broadcast(multiplex, services, 4 * SUPER_FRAME,
                  lambda service, number: 1 + number // 2 % 2 if service.plp.frames == 1 else 2 + 2 * (number % 8 < 4))
        self.check(multiplex, services)

    def change_of_l1_pre(self, **after):
        """The mode changes with the third super-frame."""
        first, second = Multiplex(SUPER_FRAME, **SMALL), Multiplex(SUPER_FRAME, **{**SMALL, **after})
        service = Service(Plp(1, QAM16))
        broadcast(first, [service], 2 * SUPER_FRAME, lambda *_: 3, change_counter=lambda number: 2 - number // SUPER_FRAME)
        broadcast(second, [service], SUPER_FRAME + 1, lambda *_: 3)
        packets = received(on_the_air(np.concatenate([first.samples(), second.samples()])), [1])[0][0]
        return packets, service

    def test_another_pilot_pattern_and_frame_length(self):
        packets, service = self.change_of_l1_pre(pp=5, ndata=21)
        check_packets(self, service, packets)

    def test_another_guard_interval(self):
        packets, service = self.change_of_l1_pre(gi='1/8', pp=3)
        check_packets(self, service, packets)

    def test_255_plps(self):
        """PLP_IDs in random order."""
        ids = np.random.default_rng(7).permutation(256)[:255]
        plps = [Plp(int(plp_id), (QPSK, QAM16, QAM64)[plp_id % 3]) for plp_id in ids]
        mode = dict(fft='32K', gi='1/32', pp=4, ndata=3, l1='64QAM')
        multiplex = Multiplex(2, **mode)
        services = [Service(plp) for plp in plps]
        with_cells = {services[n].plp.plp_id: services[n] for n in (0, 1, 100, 200, 253, 254)}
        broadcast(multiplex, services, 6, lambda service, number: 1 + number % 2 if service.plp.plp_id in with_cells else 0)
        receiver = self.check(multiplex, list(with_cells.values()))
        self.assertEqual([plp['plp_id'] for plp in receiver.l1_post()['plps']], list(ids))


if __name__ == '__main__':
    unittest.main()
