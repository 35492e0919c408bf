# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the PLPs of a multiplex (t2_multiplex.py) and compares the received packets."""
import libdvbt2
import numpy as np
from libdvbt2.tools.reception import Reception

import t2_baseband as t2

RATE = 64e6 / 7
SMALL = dict(fft='2K', gi='1/16', pp=4, ndata=30)  # a mode whose frames take 9.3 ms


def on_the_air(samples, cn_db=25.0, offset=31e3):
    samples = np.concatenate([samples, np.zeros(20000, np.complex64)])
    noise = np.random.default_rng(1).normal(0, np.sqrt(10 ** (-cn_db / 10) / 2), (2, len(samples)))
    turned = samples * np.exp(2j * np.pi * offset / RATE * np.arange(len(samples)))
    return (turned + noise[0] + 1j * noise[1]).astype(np.complex64)


class Service:
    """A PLP that transmits random packets."""

    def __init__(self, plp, packets=1000):
        self.plp, mode = plp, t2.Mode(plp.high_efficiency)
        self.packets = [t2.packet(256 + plp.plp_id, number) for number in range(packets)]
        self.stream = t2.Stream(t2.user_packets(self.packets, np.zeros(packets), mode), mode)

    def frames(self, count, in_band=()):
        frames = [self.stream.frame(self.plp.fmt.k, () if number else in_band) for number in range(count)]
        if self.stream.done:
            raise ValueError(f'PLP {self.plp.plp_id}: {len(self.packets)} packets are not enough')
        return frames

    @property
    def sent(self):
        """Returns the packets that were sent completely."""
        return self.packets[:self.stream.at // self.stream.unit_bits]


def announcement(multiplex, services, service, number, blocks):
    plp, first = service.plp, number + service.plp.frames * service.plp.frame_interval
    places = []
    for frame in range(first, first + plp.frames * plp.frame_interval, plp.frame_interval):
        parts = [one.plp.part(frame % multiplex.p['nt2']) for one in services]
        counts = [0 if part is None else blocks(one, frame - part * one.plp.frame_interval) for one, part in zip(services, parts)]
        places.append(multiplex.places([one.plp for one in services], counts))
    own = services.index(service)
    return t2.in_band_a(0, [(each.interval, 0, each.of_plp[own][0], each.type_2_start) for each in places], places[0].of_plp[own][1])


def broadcast(multiplex, services, frames, blocks, l1_noise=lambda number: 0, change_counter=lambda number: 0):
    """Adds frames with all services. blocks(service, number): number of FEC blocks in the interleaving frame. l1_noise(number),
    change_counter(number): arguments of Multiplex.add()."""
    for number in range(multiplex.count, multiplex.count + frames):
        own = []
        for service in services:
            begins = service.plp.part(multiplex.frame_idx) == 0
            in_band = announcement(multiplex, services, service, number, blocks) if begins and service.plp.in_band_a else ()
            own.append(service.frames(blocks(service, number), in_band) if begins else [])
        multiplex.add([service.plp for service in services], own, change_counter(number), l1_noise(number))


def received(samples, plps):
    """Returns the packets of each PLP, the receiver, and the decoders."""
    packets, decoders = [[] for _ in plps], [libdvbt2.plp_decoder() for _ in plps]
    receiver = libdvbt2.receiver(RATE, 'cf32', plps=list(plps))
    sinks = [lambda some, own=own: own.extend(map(bytes, some)) for own in packets]
    reception = Reception(receiver, RATE, decoders, sinks)
    reception.push(samples)
    reception.finish()
    return packets, receiver, decoders


def check_packets(test, service, packets, lost=()):
    expected = [packet for number, packet in enumerate(service.sent) if number not in lost]
    test.assertEqual(len(packets), len(expected), service.plp)
    wrong = [n for n, (have, want) in enumerate(zip(packets, expected)) if have != want]
    test.assertEqual(wrong, [], service.plp)
