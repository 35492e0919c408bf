#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Regenerate symbols.txt: digests of all carriers of GNU Radio's DVB-T2 transmitter.

    make_symbols.py symbols.txt          (GNU Radio with gr-dtv, numpy; some minutes)

A short frame of known cells passes through gr-dtv's frequency interleaver and pilot generator, for all modes of the standard.
Every second mode has tone reservation. A line of symbols.txt holds:

    FFT size, N or E (normal or extended carriers), guard interval, pilot pattern, SISO or MISO, TR or -, number of data symbols
    CRC-32s of the P2, normal and frame-closing symbols of transmitter group 1
    MISO: the same CRC-32s of transmitter group 2

A CRC covers a little-endian int32 for each active carrier, symbol after symbol:

    0              reserved tone
    100000 + n     data: cell n of the symbol before the frequency interleaver (group 2: always 100000)
    else           pilot: 1000 times its value, rounded

gr-dtv's continual pilot of 16K PP1 extended on 3636 is moved to 13636.
"""
import sys
import zlib

import numpy as np
from gnuradio import blocks, gr

from t2_standard import ALLOWED, C_DATA, C_P2, DEFAULTS, DXY, FFT, KEXT, N_FC, NP2, TR, closing_symbol
from t2_transmit import Transmitter

DATA = 100000


class Mode:
    def __init__(self, fft, ext, guard, pp, miso, tr, ndata):
        self.fft, self.ext, self.guard, self.pp, self.miso, self.tr, self.ndata = fft, ext, guard, pp, miso, tr, ndata
        self.closing = closing_symbol(fft, guard, pp, miso)
        tones = TR[fft] if tr else 0
        self.n_p2 = NP2[fft]
        self.kext = KEXT.get(fft, 0) if ext else 0
        self.carriers = FFT[fft] // 1024 * 852 + 1 + 2 * self.kext
        self.sizes = [C_P2['MISO' if miso else 'SISO'][fft]] * self.n_p2
        self.sizes += [C_DATA[fft, ext][pp - 1] - tones] * (ndata - self.closing)
        self.sizes += [N_FC[fft, ext][pp - 1] - tones] * self.closing

    def transmitter(self):
        p = {**DEFAULTS, 'fft': self.fft, 'ext': self.ext, 'gi': self.guard, 'pp': self.pp, 'miso': self.miso, 'tr': self.tr,
             'version': '1.3.1'}
        return Transmitter(p, {'ndata': self.ndata, 'nfft': FFT[self.fft]})

    def source(self, cells):
        """Returns a source block that sends the cells twice, because later blocks read ahead."""
        source = blocks.vector_source_c(np.concatenate([cells, cells]), False)
        source.set_min_output_buffer(4 * len(cells))
        return source

    def interleave(self, cells):
        """Passes a frame's cells through the frequency interleaver."""
        tb, sink = gr.top_block(), blocks.vector_sink_c()
        tb.connect(self.source(cells), self.transmitter().frequency_interleaver(), blocks.head(8, len(cells)), sink)
        tb.run()
        return np.array(sink.data(), np.complex64)

    def insert_pilots(self, cells, group):
        tb, symbols, length = gr.top_block(), self.n_p2 + self.ndata, FFT[self.fft]
        sink = blocks.vector_sink_c(length)
        tb.connect(self.source(cells), self.transmitter().pilot_generator(group), blocks.head(8 * length, symbols), sink)
        tb.run()
        time = np.array(sink.data(), np.complex64).reshape(symbols, length)
        low = length // 2 - (self.carriers - 1) // 2
        scale = (27 * self.carriers) ** .5 / 5 / length
        return np.fft.fftshift(np.fft.fft(time, axis=1), axes=1)[:, low:low + self.carriers] * scale

    def pilots(self, group):
        ones = np.ones(sum(self.sizes), np.complex64) * 1j
        values = self.insert_pilots(ones, group)
        data = np.abs(values.imag - 1) < 1e-2
        pilots = np.where(data, 0, values.real)
        if (self.fft, self.ext, self.pp) == ('16K', 1, 1):
            self.move_continual_pilot(pilots, data, group)
        return pilots, data

    def move_continual_pilot(self, pilots, data, group):
        """gr-dtv places this continual pilot on carrier 3636 instead of 13636."""
        shift = np.ones(11, int)
        signs = np.empty(self.carriers)
        for k in range(self.carriers):  # X^11 + X^2 + 1
            signs[k] = 1 - 2 * shift[10]
            shift = np.concatenate([[shift[10] ^ shift[8]], shift[:10]])
        dx, dy = DXY[self.pp]
        for l in range(self.n_p2, self.n_p2 + self.ndata - self.closing):
            pn = np.sign(pilots[l, 0]) * signs[0] * (-1) ** (l % 2 * group)  # group 2 inverts odd edge pilots
            if (3636 - self.kext) % (dx * dy) != dx * (l % dy):
                pilots[l, 3636], data[l, 3636] = 0, True
            pilots[l, 13636], data[l, 13636] = pn * signs[13636] * 8 / 3, False

    def codes(self, group):
        index = np.concatenate([np.arange(n) for n in self.sizes])
        order = self.interleave((index + 1).astype(np.complex64)).real.astype(int) - 1
        pilots, data = self.pilots(group)
        codes = np.rint(pilots * 1000).astype('<i4')
        codes[data] = DATA + (0 if group else order)
        return codes

    def line(self):
        out = [self.fft, 'E' if self.ext else 'N', self.guard, 'PP%d' % self.pp, 'MISO' if self.miso else 'SISO',
               'TR' if self.tr else '-', '%d' % self.ndata]
        for group in range(2 if self.miso else 1):
            codes = self.codes(group)
            last = len(codes) - self.closing
            for part in (codes[:self.n_p2], codes[self.n_p2:last], codes[last:]):
                out.append('%08x' % zlib.crc32(np.ascontiguousarray(part).tobytes()))
        return ' '.join(out)


def modes():
    for miso in (0, 1):
        for fft, guards in ALLOWED['MISO' if miso else 'SISO'].items():
            for i, (guard, patterns) in enumerate(guards.items()):
                for pp in patterns:
                    for ext in (0, 1) if fft in KEXT else (0,):
                        odd = (i + pp + ext) % 2  # tone reservation, and an odd number of symbols, in every other mode
                        yield Mode(fft, ext, guard, pp, miso, odd, DXY[pp][1] + 3 + (i % 2 if fft != '32K' else 0))


if __name__ == '__main__':
    with open(sys.argv[1], 'w') as out:
        out.write('# made by make_symbols.py; FFT carriers guard pilots antennas tones symbols '
                  'P2 normal closing [group 2]\n')
        for mode in modes():
            out.write(mode.line() + '\n')
