#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Regenerate l1.txt: L1-pre and L1-post cells of two transmitters, and their fields.

    make_l1.py l1.txt [CSP-FOLDER]      (GNU Radio with gr-dtv, numpy)

CSP-FOLDER holds signals of the DVB-T2 Common Simulation Platform (NAME.cs8 and NAME.json). Format of a record:

    frame NAME P2-symbols
    FIELD VALUE ...                     the known fields, names as in test_t2_l1.c
    pre HEX                             the 1840 bits of L1-pre
    post HEX                            cells of L1-post: I and Q, a signed byte each, 100 is 1.0
"""
import json
import os
import sys

import numpy as np
from gnuradio import blocks, gr

import make_symbols
from t2_standard import BITS, DEFAULTS, L1BITS, N_FC, NP2, PRESETS, RATES, TR, derive
from t2_transmit import Transmitter

S2 = {'2K': 0, '8K': 1, '4K': 2, '1K': 3, '16K': 4, '32K': 5}
GUARDS = ('1/32', '1/16', '1/8', '1/4', '1/128', '19/128', '19/256')


def mapped_frames(p, d, frames):
    """Returns the output of the frame mapper, one row per frame."""
    tb, sink = gr.top_block(), blocks.vector_sink_c()
    size = d['frame_cells'] + (d['n_fc'] - d['c_fc'] if d['fc'] else 0)
    source = blocks.vector_source_c(np.zeros(d['nblocks'] * d['cell'] * (frames + 2), np.complex64), False)
    source.set_min_output_buffer(d['nblocks'] * d['cell'] * 4)
    tb.connect(source, Transmitter(p, d).frame_mapper(), blocks.head(8, size * frames), sink)
    tb.run()
    return np.array(sink.data(), np.complex64).reshape(frames, size)


def zigzag(p2_cells, count):
    """Returns the L1 cells in order."""
    return p2_cells[:, :count // len(p2_cells)].T.ravel()


def write(out, name, n_p2, fields, cells):
    out.write('frame %s %d\n' % (name, n_p2))
    line = ''
    for key, value in fields.items():
        item = ' %s %d' % (key, value)
        if len(line + item) > 118:
            out.write(line[1:] + '\n')
            line = ''
        line += item
    out.write(line[1:] + '\n')
    out.write('pre %s\n' % np.packbits(cells[:1840].real < 0).tobytes().hex())
    parts = np.stack([cells[1840:].real, cells[1840:].imag], 1)
    out.write('post %s\n' % np.clip(np.rint(parts * 100), -127, 127).astype(np.int8).tobytes().hex())


def gr_fields(p, d, index):
    """Returns the L1 fields of a gr-dtv signal."""
    new = p['version'] == '1.3.1'
    bias = bool(p['bias'] and new)
    s2 = S2[p['fft']] + 5 * (p['fft'] == '8K' and p['gi'] in GUARDS[4:]) + 2 * (p['fft'] == '32K' and p['gi'] in GUARDS[4:])
    if p['lite'] and p['fft'] == '16K' and p['gi'] in GUARDS[4:]:
        s2 = 3
    return {
        'pre.type': 0, 'pre.bwt_ext': p['ext'], 'pre.s1': p['miso'] + 3 * p['lite'], 'pre.s2': 2 * s2, 'pre.l1_rep': 0,
        'pre.gi': GUARDS.index(p['gi']), 'pre.papr': 2 * p['tr'], 'pre.l1_mod': list(L1BITS).index(p['l1']),
        'pre.l1_cod': 0, 'pre.l1_fec': 0, 'pre.post_size': d['l1_cells'] - 1840, 'pre.post_info': 318,
        'pre.pp': p['pp'] - 1, 'pre.txid': 0, 'pre.cell': 0, 'pre.net': 0x3085, 'pre.sys': 0x8001,
        'pre.frames': p['nt2'], 'pre.nd': d['ndata'], 'pre.regen': 0, 'pre.ext': 0, 'pre.nrf': 1, 'pre.rfidx': 0,
        'pre.ver': 2 if new else 0, 'pre.scr': int(p['l1scr'] and new), 'pre.bl': 0, 'pre.res': 15 * bias,
        'subslices': 1, 'num_plp': 1, 'num_aux': 0, 'aux_rfu': 0, 'rf0.idx': 0, 'rf0.frequency': 729833333,
        'plp0.id': 0, 'plp0.type': 1, 'plp0.payload': 3, 'plp0.ff': 0, 'plp0.frf': 0, 'plp0.first': 0, 'plp0.group': 1,
        'plp0.cod': RATES.index(p['rate']), 'plp0.mod': list(BITS).index(p['qam']), 'plp0.rot': p['rot'],
        'plp0.fec': int(p['fec'] == 'normal'), 'plp0.max': d['nblocks'], 'plp0.interval': 1, 'plp0.til': d['ti'],
        'plp0.tit': 0, 'plp0.iba': 0, 'plp0.ibb': int(p['inband'] and new), 'plp0.res': 2047 * bias,
        'plp0.mode': p['hem'] + 1 if new else 0, 'plp0.static': 0, 'plp0.pad': 0,
        'reserved_2': (0x3fffffff if new else 0) * bias, 'frame_idx': index, 'sub_slice_interval': 0, 'type_2_start': 0,
        'change_counter': 0, 'start_rf': 0, 'reserved_1': 255 * bias, 'plp0.dyn_id': 0, 'plp0.start': 0,
        'plp0.blocks': d['nblocks'], 'plp0.dyn_res': 255 * bias, 'reserved_3': 255 * bias}


def gr_parameters():
    small = [('1k', dict(l1='BPSK', ndata=50)), ('1k', dict(l1='64QAM', ndata=50, miso=1, pp=3)), ('2k', dict(nt2=3)),
             ('4k', dict(version='1.3.1', l1scr=1, bias=1)), ('8k', {}), ('8k', dict(l1='BPSK', pp=4, gi='19/256')),
             ('lite', {}), ('miso', dict(version='1.3.1')), ('papr', {}), ('inband', {}),
             ('4', dict(ndata=3, l1='64QAM', version='1.3.1', l1scr=1)),
             ('7', dict(ndata=3, nblocks=0, ti=-1, l1='QPSK')), ('9', dict(ndata=3, miso=1, pp=4, gi='1/128'))]
    for preset, changes in small:
        yield preset, {**DEFAULTS, **PRESETS[preset], **changes}


def gr_records(out):
    for i, (preset, p) in enumerate(gr_parameters()):
        d = derive(p)
        d['n_fc'] = N_FC[p['fft'], p['ext']][p['pp'] - 1] - (TR[p['fft']] if p['tr'] else 0)
        for index, frame in enumerate(mapped_frames(p, d, p['nt2'])):
            p2 = frame[:d['np2'] * d['c_p2']].reshape(d['np2'], d['c_p2'])
            write(out, 'gr-%d-%s-%d' % (i, preset, index), d['np2'], gr_fields(p, d, index), zigzag(p2, d['l1_cells']))


def demodulate_p2(x, d):
    """Returns the P2 cells of the frame at x[0] after the frequency deinterleaver."""
    nfft, guard, n_p2 = d['nfft'], d['guard'], NP2[d['fft']]
    symbols = x[2048:2048 + n_p2 * (nfft + guard)].reshape(n_p2, nfft + guard)[:, guard:]
    carriers = d['cps']
    low = nfft // 2 - (carriers - 1) // 2
    y = np.fft.fftshift(np.fft.fft(symbols, axis=1), axes=1)[:, low:low + carriers] * (27 * carriers) ** .5 / 5 / nfft
    mode = make_symbols.Mode(d['fft'], d['ext'], d['gi'], d['pp'], 0, d['tr'], 3 + d['ndata'] % 2)
    pilots, data = (part[0] for part in mode.pilots(0))
    y = y[:, data] / np.sqrt(np.mean(np.abs(y[:, pilots != 0]) ** 2)) * np.abs(pilots).max()
    order = mode.interleave(np.arange(sum(mode.sizes)).astype(np.complex64)).real.astype(int)
    size, cells = mode.sizes[0], np.empty_like(y)
    for l in range(n_p2):
        cells[l, order[l * size:(l + 1) * size] - l * size] = y[l]
    return cells


def csp_fields(d, frame):
    fields = {'pre.' + k: v for k, v in d['l1_pre'].items() if k != 'crc'}
    fields.update({'subslices': d['l1_config']['subslices'], 'num_plp': d['l1_config']['num_plp']})
    if d['l1_config']['fef']:
        fields.update(zip(('fef.type', 'fef.length', 'fef.interval'), d['l1_config']['fef']))
    schedule = d['schedule'][frame]
    for i, plp in enumerate(d['l1_config']['plp']):
        fields.update({'plp%d.%s' % (i, k): v for k, v in plp.items()})
        fields['plp%d.start' % i] = schedule['plp_start'][i]
        fields['plp%d.blocks' % i] = schedule['plp_num_blocks'][i]
    fields.update({k: schedule[k] for k in ('frame_idx', 'sub_slice_interval', 'type_2_start')})
    return fields


def csp_records(out, folder):
    for name, frames in (('2plp', 1), ('type2', 2), ('ti2', 2), ('fef', 2), ('lite', 1), ('issy', 1), ('16kpp1', 1),
                         ('base_lite', 1)):
        d = json.load(open(os.path.join(folder, name + '.json')))
        x = np.fromfile(os.path.join(folder, name + '.cs8'), np.int8).astype(np.float32).view(np.complex64) / d['scale']
        signals = [(name, d, 0)]
        if 'lite_signal' in d:
            lite = dict(d['lite_signal'], nfft=2048, guard=128, cps=1705, frame_samples=0)
            signals.append((name + '-lite', lite, d['frame_samples']))
        for label, s, start in signals:
            for frame in range(frames):
                at = start + frame * d['frame_samples']
                p2 = demodulate_p2(x[at:at + s['nfft'] * 40], s)
                count = 1840 + s['l1_pre']['post_size']
                write(out, 'csp-%s-%d' % (label, frame), NP2[s['fft']], csp_fields(s, frame), zigzag(p2, count))


if __name__ == '__main__':
    with open(sys.argv[1], 'w') as output:
        gr_records(output)
        if len(sys.argv) > 2:
            csp_records(output, sys.argv[2])
