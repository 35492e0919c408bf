#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Regenerate signals/: a super-frame of signals of the DVB-T2 Common Simulation Platform, in 4 or 8 bits.

    make_signals.py CSP-FOLDER signals      (numpy; CSP-FOLDER holds NAME.cs8, NAME.json, NAME_plpN.ts)

NAME.cs4 has one byte per sample at 64/7 MHz: I in the upper four bits, Q in the lower four bits. Code c has the value
(c - 7.5) * 0.3352 rms. The quantisation noise is -20 dB. 2plp is in 8 bits (NAME.cs8, rms 22.7), because 256QAM 3/4 needs less
noise. The first sample is the first of P1. NAME.txt has lines of names and values. Each PLP has a line

    plp PROFILE ID COUNT CRC...     CRC-32s of the COUNT packets that begin in the super-frame
"""
import json
import math
import os
import sys
import zlib

import numpy as np

STEP = .3352  # optimum for 16 levels of a Gaussian signal
EIGHT_BITS = ('2plp',)
NAMES = ('2plp', 'type2', 'ti2', 'fef', 'lite', 'base_lite', 'miso', '16kpp1', 'issy')


def superframe_samples(d):
    fefs = d['nt2'] // d['fef']['interval'] if d['fef'] else 0
    return d['nt2'] * d['frame_samples'] + (fefs * d['fef']['length'] if d['fef'] else 0)


def quantise(x):
    v = x.astype(np.float64)
    step = STEP * math.sqrt(np.mean(v[v != 0] ** 2))
    code = np.clip(np.floor(v / step) + 8, 0, 15).astype(np.uint8)
    return code[0::2] << 4 | code[1::2]


def plp_line(d, plp, profile, folder):
    ts = np.fromfile(os.path.join(folder, plp['file']), np.uint8).reshape(-1, 188)
    count = math.ceil(len(ts) * d['nt2'] / d['frames'])
    plp_id = 0 if d['name'] == 'base_lite' else plp['plp_id']  # both profiles have PLP 0
    crcs = ' '.join('%08x' % zlib.crc32(packet.tobytes()) for packet in ts[:count])
    return 'plp %s %d %d %s\n' % (profile, plp_id, count, crcs)


def convert(name, folder, out):
    with open(os.path.join(folder, name + '.json')) as file:
        d = json.load(file)
    samples = superframe_samples(d)
    x = np.fromfile(os.path.join(folder, name + '.cs8'), np.int8)[:2 * samples]
    bits = 8 if name in EIGHT_BITS else 4
    (x if bits == 8 else quantise(x)).tofile(os.path.join(out, '%s.cs%d' % (name, bits)))
    with open(os.path.join(out, name + '.txt'), 'w') as text:
        text.write('samples %d\nbits %d\nframes %d\nframe_samples %d\n' % (samples, bits, d['nt2'], d['frame_samples']))
        for i, plp in enumerate(d['plp']):
            profile = 'lite' if d['lite'] or (name == 'base_lite' and i == 1) else 'base'
            text.write(plp_line(d, plp, profile, folder))


if __name__ == '__main__':
    for signal in NAMES:
        convert(signal, *sys.argv[1:])
