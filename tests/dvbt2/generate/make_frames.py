#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Regenerate frames.txt: digests of P1 symbols, frame cells and MISO pairs of GNU Radio's transmitter.

    make_frames.py frames.txt            (GNU Radio with gr-dtv, numpy)

    p1 S1 S2 CRC        signs (int8) of the 384 active carriers of a P1 symbol
    frame FFT E|N GI PPn MISO|SISO TR|- SYMBOLS L1 CELLS CRC
                        output of the frame mapper for one PLP of CELLS cells, an int32 for each cell:
                        1000 + n: cell n of the PLP; 0: thinning cell; 1: other cell
    miso A0 A1 B0 B1    a pair of cells, and the pair of transmitter group 2; each value: real part, imaginary part
"""
import sys
import zlib

import numpy as np
from gnuradio import blocks, dtv, gr

from t2_standard import DEFAULTS, N_FC, TR, derive
from t2_transmit import Transmitter

PREAMBLES = {0: dtv.PREAMBLE_T2_SISO, 1: dtv.PREAMBLE_T2_MISO, 3: dtv.PREAMBLE_T2_LITE_SISO, 4: dtv.PREAMBLE_T2_LITE_MISO}
FFT_CODES = (dtv.FFTSIZE_2K, dtv.FFTSIZE_8K, dtv.FFTSIZE_4K, dtv.FFTSIZE_1K, dtv.FFTSIZE_16K, dtv.FFTSIZE_32K,
             dtv.FFTSIZE_8K_T2GI, dtv.FFTSIZE_32K_T2GI)
FFT_LENGTHS = (2048, 8192, 4096, 1024, 16384, 32768, 8192, 32768)

FRAMES = [  # every FFT size, with and without frame-closing symbol, MISO, tone reservation
    dict(fft='1K', pp=4, gi='1/16', ndata=8, l1='BPSK'), dict(fft='1K', pp=3, gi='1/16', miso=1, ndata=9, l1='64QAM'),
    dict(fft='2K', pp=7, gi='1/32', ndata=6, l1='QPSK'), dict(fft='4K', pp=4, gi='1/32', ndata=5, tr=1),
    dict(fft='8K', ext=1, pp=5, gi='19/256', ndata=4), dict(fft='8K', pp=8, gi='1/4', ndata=20, l1='64QAM'),
    dict(fft='16K', ext=1, pp=2, gi='19/128', ndata=3, tr=1), dict(fft='16K', pp=8, gi='1/16', miso=1, ndata=3),
    dict(fft='32K', ext=1, pp=7, gi='1/128', ndata=3, l1='QPSK'), dict(fft='32K', pp=2, gi='1/8', ndata=3),
    dict(fft='32K', ext=1, pp=6, gi='1/128', miso=1, ndata=3)]


def p1_lines():
    carriers = None
    for s1, preamble in PREAMBLES.items():
        for code, fft in enumerate(FFT_CODES):
            length, n_p2 = FFT_LENGTHS[code], max(1, 16384 // FFT_LENGTHS[code])
            tb, sink = gr.top_block(), blocks.vector_sink_c()
            symbols = (1 + n_p2) * (length + length // 32)
            source = blocks.vector_source_c(np.zeros(2 * symbols, np.complex64), False)
            source.set_min_output_buffer(4 * symbols)
            tb.connect(source, dtv.dvbt2_p1insertion_cc(dtv.CARRIERS_NORMAL, fft, dtv.GI_1_32, 1, preamble,
                                                        dtv.SHOWLEVELS_OFF, 3.3), blocks.head(8, 2048), sink)
            tb.run()
            spectrum = np.fft.fftshift(np.fft.fft(np.array(sink.data())[542:1566])).real
            active = np.flatnonzero(np.abs(spectrum) > .5 * np.abs(spectrum).max())
            assert len(active) == 384 and (carriers is None or (carriers == active).all())
            carriers = active
            yield 'p1 %d %d %08x' % (s1, 2 * code, zlib.crc32(np.sign(spectrum[active]).astype(np.int8).tobytes()))
    yield 'p1-carriers %08x' % zlib.crc32((carriers - 86).astype('<u2').tobytes())


def frame_line(changes):
    p = {**DEFAULTS, 'fec': 'short', 'qam': 'QPSK', 'rate': '1/2', **changes}
    d = derive(p)
    n_fc = N_FC[p['fft'], p['ext']][p['pp'] - 1] - (TR[p['fft']] if p['tr'] else 0) if d['fc'] else 0
    size, cells = d['frame_cells'] + (n_fc - d['c_fc'] if d['fc'] else 0), d['nblocks'] * d['cell']
    numbers = np.arange(cells) + 10.
    out = []
    for sign in (1, -1):
        tb, sink = gr.top_block(), blocks.vector_sink_c()
        source = blocks.vector_source_c(np.tile(sign * numbers, 3).astype(np.complex64), False)
        source.set_min_output_buffer(6 * cells)
        tb.connect(source, Transmitter(p, d).frame_mapper(), blocks.head(8, size), sink)
        tb.run()
        out.append(np.array(sink.data()))
    codes = np.where(np.abs(out[0]) == 0, 0, 1)
    of_plp = (out[0] == -out[1]) & (np.abs(out[0]) > 5)
    codes[of_plp] = 1000 + np.rint(out[0].real[of_plp]).astype(int) - 10
    return 'frame %s %s %s PP%d %s %s %d %d %d %08x' % (
        p['fft'], 'E' if p['ext'] else 'N', p['gi'], p['pp'], 'MISO' if p['miso'] else 'SISO', 'TR' if p['tr'] else '-',
        d['ndata'], d['l1_cells'] - 1840, cells, zlib.crc32(codes.astype('<i4').tobytes()))


def miso_lines():
    p = {**DEFAULTS, 'fft': '2K', 'gi': '1/16', 'pp': 3, 'miso': 1, 'fec': 'short', 'ndata': 4}
    d = derive(p)
    size = d['frame_cells'] + N_FC['2K', 0][2] - d['c_fc']
    rng = np.random.default_rng(1)
    cells = (rng.integers(-9, 10, 2 * size) + 1j * rng.integers(-9, 10, 2 * size)).astype(np.complex64)
    tb, sinks = gr.top_block(), [blocks.vector_sink_c(), blocks.vector_sink_c()]
    source, miso = blocks.vector_source_c(cells, False), Transmitter(p, d).miso()
    source.set_min_output_buffer(4 * size)
    tb.connect(source, miso)
    for group in range(2):
        tb.connect((miso, group), blocks.head(8, size), sinks[group])
    tb.run()
    first, second = (np.array(s.data()) for s in sinks)
    assert (first == cells[:size]).all()
    for pair in range(0, 16, 2):
        values = [*cells[pair:pair + 2], *second[pair:pair + 2]]
        yield 'miso ' + ' '.join('%d %d' % (v.real, v.imag) for v in values)


if __name__ == '__main__':
    with open(sys.argv[1], 'w') as output:
        for line in [*p1_lines(), *map(frame_line, FRAMES), *miso_lines()]:
            output.write(line + '\n')
