# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import json
import math
import os
import random
import tempfile

import numpy as np

import t2_loop
from t2_combinations import name_of
from t2_packets import Watch, compare
from t2_standard import GI, FFT

FRAMES = 6            # frames of the signal; the start of a further frame follows and completes the last one
FIRST_PACKET = 1.5    # maximum frames from the start of the first whole P1 to the first packet
CN = 35.0             # dB
LEAD = .4             # fraction of a frame before the first whole P1
RATES = 64e6 / 7, 10e6, 9.6e6


@dataclasses.dataclass
class Trial:
    name: str
    right: int          # correct packets
    wrong: int
    marked: int
    missing: int        # packets of whole frames not received
    first: float        # frames from the first whole P1 to the first packet
    carrier: float      # frames from the first whole P1 until the carrier offset was known
    carrier_error: float  # carrier error, Hz
    status: dict

    @property
    def passed(self):
        return self.right > 0 and not (self.wrong or self.marked or self.missing) and self.first <= FIRST_PACKET


def channel_of(p, d, rng):
    """Returns random paths (two per transmitter), carrier and clock offsets."""
    guard = FFT[p['fft']] * GI[p['gi']][0] / GI[p['gi']][1] / d['fs']
    rate = RATES[int(rng.random() * len(RATES))]

    def phase():
        return complex(math.cos(angle := 2 * math.pi * rng.random()), math.sin(angle))

    paths = [((delay * guard, phase()), ((delay + .3) * guard, .35 * phase())) for delay in (.05, .25)]
    most = min(500e3, (rate - d['cps'] / d['nfft'] * d['fs']) / 4)
    lowest = 160 * rng.random() - 100
    ppm = t2_loop.quick_ppm(lowest, lowest + 40, FRAMES * d['frame_samples'] * rate / d['fs'])
    return dict(paths=paths, rate=rate, ppm=ppm, carrier=(2 * rng.random() - 1) * most)


def transmit(p, seed, folder):
    """Returns parameters, signals and packets of FRAMES frames."""
    import t2_transmit  # needs GNU Radio
    stem = os.path.join(folder, 'signal')
    t2_transmit.make(p, FRAMES, seed, stem)
    d, inputs = t2_loop.read_signal(stem)
    return d, inputs, np.fromfile(stem + '.ts', np.uint8).reshape(-1, 188)


def frame_packets(d, frame, last=None):
    """Returns the range (first, last + 1) of the packets that lie within frames `frame` to `last`."""
    per_packet, carried = 187 if d['hem'] else 188, d['ts_bytes_per_frame']
    return -(-frame * carried // per_packet), (frame + 1 if last is None else last + 1) * carried // per_packet


def missing_packets(d, comparison, first_frame=0):
    first, _ = frame_packets(d, first_frame, d['frames'] - 1)
    came = np.zeros(d['ts_packets'], bool)
    for start, count in comparison.runs:
        came[start:start + count] = True
    return int(np.count_nonzero(~came[first:]))


def receive(loop, sent, name, seed=1, cn=CN):
    d, frame = loop.d, loop.frame_samples
    lead = int(LEAD * frame)
    watch = Watch(loop.rate)
    for block in loop.blocks(lead + len(loop.x) + int(.5 * frame), cn, seed, start=len(loop.x) - lead):
        watch.push(block)
    received = watch.finish()
    comparison = compare(received, sent)
    first = (watch.first_packet - lead) / frame if watch.first_packet else math.inf
    carrier = (watch.first_carrier - lead) / frame if watch.first_carrier else math.inf
    status = watch.receiver.status()
    return Trial(name, comparison.right, comparison.wrong, comparison.marked, missing_packets(d, comparison),
                 first, carrier, status['carrier_hz'] - loop.carrier, status)


def run(p, seed=1, cn=CN):
    """Returns the Trial at a C/N in dB. The seed makes it reproducible."""
    rng = random.Random(json.dumps([p, seed], sort_keys=True))
    with tempfile.TemporaryDirectory() as folder:
        d, inputs, sent = transmit(p, seed, folder)
    loop = t2_loop.through_channel(d, inputs, **channel_of(p, d, rng))
    return receive(loop, sent, name_of(p), seed, cn)
