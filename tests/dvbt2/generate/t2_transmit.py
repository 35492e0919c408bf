# SPDX-License-Identifier: GPL-3.0-or-later
"""GNU Radio's DVB-T2 transmitter. Sends one PLP of type 1 as complex float32 at the elementary rate."""
import json
import os

import numpy as np
from gnuradio import blocks, digital, dtv, gr

from t2_standard import DEFAULTS, PRESETS, derive

CHUNK = 4096


def packets(count, seed):
    """Returns a random transport stream with the PIDs 0x100 and 0x101. One packet in nine is a null packet. Bytes 4 to 7 of all
    others hold their index. A packet depends only on seed and index."""
    index = np.arange(count)
    generators = [np.random.default_rng([seed, c]) for c in range(0, count, CHUNK)]
    p = np.concatenate([g.integers(0, 256, (CHUNK, 188), dtype=np.uint8) for g in generators])[:count]
    choice = np.concatenate([g.random(CHUNK) for g in generators])[:count]
    null = choice < 1 / 9
    pid = np.where(null, 0x1fff, np.where(choice < .8, 0x100, 0x101))
    counter = np.zeros(count, int)
    for one in (0x100, 0x101):
        counter[pid == one] = np.arange((pid == one).sum()) % 16
    p[:, 0], p[:, 1], p[:, 2], p[:, 3] = 0x47, pid >> 8, pid & 255, 0x10 | counter
    for byte in range(4):
        p[:, 4 + byte] = (index >> (24 - 8 * byte)) & 255
    p[null, 4:] = 0xff
    return p


def constant(prefix, value):
    """Returns the constant of gr-dtv for a value, for example dtv.PREFIX_1_2 for '1/2'."""
    return getattr(dtv, prefix + str(value).replace('/', '_').replace('.', ''))


def fft_constant(p):
    new = p['gi'] in ('1/128', '19/256', '19/128')
    with_variant = p['fft'] in ('8K', '32K') or (p['fft'] == '16K' and p['lite'])
    return constant('FFTSIZE_', p['fft'] + ('_T2GI' if new and with_variant else ''))


class Transmitter:
    """The transmitter's blocks for a set of parameters."""

    def __init__(self, p, d):
        self.p, self.d = p, d
        self.frame, self.rate, self.qam = constant('FECFRAME_', p['fec'].upper()), constant('C', p['rate']), constant('MOD_', p['qam'])
        self.rotation = dtv.ROTATION_ON if p['rot'] else dtv.ROTATION_OFF
        self.carriers = dtv.CARRIERS_EXTENDED if p['ext'] else dtv.CARRIERS_NORMAL
        self.fft, self.guard, self.pattern = fft_constant(p), constant('GI_', p['gi']), constant('PILOT_PP', p['pp'])
        self.papr = dtv.PAPR_TR if p['tr'] else dtv.PAPR_OFF
        self.version = constant('VERSION_', p['version'])
        self.preamble = constant('PREAMBLE_T2_LITE_' if p['lite'] else 'PREAMBLE_T2_', 'MISO' if p['miso'] else 'SISO')
        self.mode = dtv.INPUTMODE_HIEFF if p['hem'] else dtv.INPUTMODE_NORMAL
        self.inband = dtv.INBAND_ON if p['inband'] else dtv.INBAND_OFF

    def fec(self):
        """Returns the blocks that convert a transport stream to cells of FEC blocks."""
        t2, d = dtv.STANDARD_DVBT2, self.d
        return [dtv.dvb_bbheader_bb(t2, self.frame, self.rate, dtv.RO_0_35, self.mode, self.inband, d['nblocks'],
                                    int(d['ts_rate'])),
                dtv.dvb_bbscrambler_bb(t2, self.frame, self.rate), dtv.dvb_bch_bb(t2, self.frame, self.rate),
                dtv.dvb_ldpc_bb(t2, self.frame, self.rate, dtv.MOD_OTHER),
                dtv.dvbt2_interleaver_bb(self.frame, self.rate, self.qam),
                dtv.dvbt2_modulator_bc(self.frame, self.qam, self.rotation),
                dtv.dvbt2_cellinterleaver_cc(self.frame, self.qam, d['nblocks'], d['ti'])]

    def frame_mapper(self):
        p, d = self.p, self.d
        return dtv.dvbt2_framemapper_cc(
            self.frame, self.rate, self.qam, self.rotation, d['nblocks'], d['ti'], self.carriers, self.fft, self.guard,
            constant('L1_MOD_', p['l1']), self.pattern, p['nt2'], d['ndata'], self.papr, self.version, self.preamble,
            self.mode, dtv.RESERVED_ON if p['bias'] else dtv.RESERVED_OFF,
            dtv.L1_SCRAMBLED_ON if p['l1scr'] else dtv.L1_SCRAMBLED_OFF, self.inband)

    def frequency_interleaver(self):
        return dtv.dvbt2_freqinterleaver_cc(self.carriers, self.fft, self.pattern, self.guard, self.d['ndata'], self.papr,
                                            self.version, self.preamble)

    def miso(self):
        return dtv.dvbt2_miso_cc(self.carriers, self.fft, self.pattern, self.guard, self.d['ndata'], self.papr)

    def pilot_generator(self, group):
        """Returns the block that converts cells to symbols in the time domain, for transmitter group 0 or 1."""
        bandwidth = {'1.7': '1_7'}.get(self.p['bw'], self.p['bw'] + '_0')
        return dtv.dvbt2_pilotgenerator_cc(
            self.carriers, self.fft, self.pattern, self.guard, self.d['ndata'], self.papr, self.version, self.preamble,
            dtv.MISO_TX2 if group else dtv.MISO_TX1, dtv.EQUALIZATION_OFF, constant('BANDWIDTH_', bandwidth + '_MHZ'),
            self.d['nfft'])

    def ofdm(self, group):
        """Connects cells to samples."""
        d, tail = self.d, [self.pilot_generator(group)]
        if self.p['tr']:
            tail.append(dtv.dvbt2_paprtr_cc(self.carriers, self.fft, self.pattern, self.guard, d['ndata'], self.papr,
                                            self.version, 3.05, 9, d['nfft']))
        return tail + [digital.ofdm_cyclic_prefixer(d['nfft'], d['nfft'] + d['guard'], 0, ''),
                       dtv.dvbt2_p1insertion_cc(self.carriers, self.fft, self.guard, d['ndata'], self.preamble,
                                                dtv.SHOWLEVELS_OFF, 3.3)]


def run(transmitter, ts_file, outputs, samples, cells_file=None):
    tb = gr.top_block()
    chain = [blocks.file_source(1, ts_file, True)] + transmitter.fec()
    if cells_file:
        d = transmitter.d
        cells = samples // d['frame_samples'] * d['nblocks'] * d['cell']
        tb.connect(chain[-1], blocks.head(8, cells), blocks.file_sink(8, cells_file))
    chain += [transmitter.frame_mapper(), transmitter.frequency_interleaver()]
    if len(outputs) == 2:
        chain.append(transmitter.miso())
    tb.connect(*chain)
    for group, name in enumerate(outputs):
        tail = transmitter.ofdm(group) + [blocks.head(8, samples), blocks.file_sink(8, name)]
        tb.connect((chain[-1], group), (tail[0], 0))
        tb.connect(*tail)
    tb.run()


def make(p, frames, seed, name, cells=False):
    d = derive(p)
    per_packet, total = 187 if p['hem'] else 188, d['ts_bytes_per_frame'] * frames
    spare = 2 * d['ts_bytes_per_frame'] // per_packet + 4000  # the blocks read ahead
    ts, ts_file = packets(total // per_packet + spare, seed), name + '.ts.tmp'
    ts.tofile(ts_file)
    outputs = [name + s for s in (('_tx1.cf32', '_tx2.cf32') if p['miso'] else ('.cf32',))]
    run(Transmitter(p, d), ts_file, outputs, d['frame_samples'] * frames, name + '.cells' if cells else None)
    os.remove(ts_file)
    d['ts_packets'] = total // per_packet
    ts[:d['ts_packets']].tofile(name + '.ts')
    d.update(frames=frames, seed=seed, files=[os.path.basename(o) for o in outputs],
             ts_bytes_carried=total, format='cf32', source='gr-dtv')
    with open(name + '.json', 'w') as file:
        json.dump(d, file, indent=1)
    return d


def transmit(a):
    p = {**DEFAULTS, **(PRESETS[a.preset] if a.preset else {})}
    p.update({k: getattr(a, k) for k in DEFAULTS if getattr(a, k) is not None})
    d = make(p, a.frames, a.seed, a.o)
    print('%s: %d frames of %.1f ms, %d symbols, %d FEC blocks in %d TI blocks, %d TS packets, %.3f Mbit/s' % (
        a.o, a.frames, d['frame_ms'], d['l_f'], d['nblocks'], d['ti'], d['ts_packets'], d['ts_rate'] / 1e6))
