#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check clean signals of make_t2.py with numpy and perfect timing.

    check_t2.py SIGNAL.json...

Checks the parts of P1, cyclic prefixes, all pilots, empty carriers, and number and mean power of the data cells.
"""
import json
import os
import sys

import numpy as np

from t2_standard import C_DATA, C_FC, C_P2, DXY, KEXT, TR, pilot_amplitudes

TOLERANCE = 1e-3


def prbs_signs(count, skip):
    """Returns the signs of the reference sequence (polynomial X^11 + X^2 + 1). The first `skip` signs are omitted."""
    register, signs = np.ones(11, int), np.empty(count + skip)
    for n in range(count + skip):
        signs[n] = 1 - 2 * register[10]
        register = np.concatenate([[register[10] ^ register[8]], register[:10]])
    return signs[skip:]


class Checker:
    def __init__(self, d, path, group):
        self.d, self.group = d, group
        self.problems, self.powers, self.pilots_seen, self.continual = [], [], 0, 0
        self.data = np.memmap(path, np.complex64, 'r')
        self.k = np.arange(d['cps'])
        self.dx, self.dy = DXY[d['pp']]
        self.a_p2, self.a_sp, self.a_cp = pilot_amplitudes(d['fft'], d['pp'], d['miso'])
        self.signs = prbs_signs(d['cps'], KEXT.get(d['fft'], 0) - d['kext'])
        self.invert = np.where(self.k % (2 * self.dx) == self.dx, -1, 1) if group else 1
        self.edge = np.isin(self.k, [0, d['cps'] - 1])
        self.used = self.pn = None

    def need(self, ok, what, *values):
        if not ok:
            self.problems.append(what % values)

    def kind(self, l):
        if l < self.d['np2']:
            return 'P2'
        return 'closing' if self.d['fc'] and l == self.d['l_f'] - 1 else 'normal'

    def p2_pilots(self, y):
        """Returns the pilot carriers of a P2 symbol and their values without PN sign."""
        d, k, kext = self.d, self.k, self.d['kext']
        pilot = (k % (6 if d['fft'] == '32K' and not d['miso'] else 3) == 0) | (k < kext) | (k >= d['cps'] - kext)
        tones = np.abs(y) < TOLERANCE  # reserved tones are empty here
        if d['miso']:
            last = d['cps'] - 1 - kext
            pilot |= np.isin(k, [kext + 1, kext + 2, last - 2, last - 1])
            t = np.flatnonzero(tones) - kext
            pilot[t[t % 3 == 1] + 1 + kext] = pilot[t[t % 3 == 2] - 1 + kext] = True
            pilot &= ~tones
        if not d['tr']:
            self.need(tones.sum() == TR[d['fft']], 'reserved tones in P2: %d', tones.sum())
        return pilot, self.signs * self.a_p2 * (np.where(k % 6 == 3, -1, 1) if self.group else 1)

    def data_pilots(self, l):
        """Returns the scattered pilots of a normal symbol, or the pilots of a frame-closing symbol."""
        d, k = self.d, self.k
        if self.kind(l) == 'closing':
            pilot = k % self.dx == 0
            pilot[-2] |= (d['fft'], d['pp']) in (('1K', 4), ('1K', 5), ('2K', 7))
        else:
            pilot = (k - d['kext']) % (self.dx * self.dy) == self.dx * (l % self.dy)
        return pilot & ~self.edge, self.signs * self.a_sp * self.invert

    def symbol(self, frame, l, y):
        """Checks the pilots of a symbol. Their median gives the PN sign."""
        kind = self.kind(l)
        pilot, value = self.p2_pilots(y) if kind == 'P2' else self.data_pilots(l)
        ratio = y[pilot] / value[pilot]
        self.pn[l] = 1 if np.median(ratio.real) > 0 else -1
        ok = np.abs(ratio * self.pn[l] - 1) < TOLERANCE
        if kind == 'normal':  # where a continual pilot coincides with a scattered one
            ok |= np.abs(ratio * self.pn[l] - self.a_cp / self.a_sp) < TOLERANCE
        self.need(ok.all(), '%s pilots, frame %d, symbol %d: %d of %d wrong', kind, frame, l, (~ok).sum(), ok.size)
        self.used[l] |= pilot
        self.pilots_seen += ok.size
        if kind == 'P2':
            return
        edge = self.signs[self.edge] * self.a_sp * self.pn[l] * (-1 if self.group and l % 2 else 1)
        self.need((np.abs(y[self.edge] / edge - 1) < TOLERANCE).all(), 'edge pilots, frame %d, symbol %d', frame, l)
        self.used[l] |= self.edge

    def normal_symbols(self, y):
        d = self.d
        first, last = d['np2'], d['l_f'] - d['fc']
        if first == last:
            return
        value = self.signs * self.invert * self.a_cp
        on = np.abs(y[first:last] - value[None] * self.pn[first:last, None]) < TOLERANCE
        continual = (on | self.used[first:last]).all(0) & (on.sum(0) > 0)
        self.continual = int(continual.sum())
        data = ~(self.used[first:last] | continual)
        want = C_DATA[d['fft'], d['ext']][d['pp'] - 1]
        self.need((data.sum(1) == want).all(), 'data cells of normal symbols: %s, standard %d', set(data.sum(1)), want)
        self.powers.append(np.mean(np.abs(y[first:last][data]) ** 2))
        empty = (np.abs(y[first:last]) < TOLERANCE).sum(1)
        self.need(empty.max() <= (TR[d['fft']] if d['tr'] else 0), 'empty cells in normal symbols: %d', empty.max())

    def other_symbols(self, y):
        d = self.d
        if d['tr']:
            return
        cells = (~self.used & (np.abs(y) > TOLERANCE)).sum(1)
        want = C_P2['MISO' if d['miso'] else 'SISO'][d['fft']]
        self.need((cells[:d['np2']] == want).all(), 'P2 data cells: %s, standard %d', cells[:d['np2']], want)
        if d['fc']:
            want = C_FC[d['fft'], d['ext']][d['pp'] - 1]
            self.need(cells[-1] == want, 'cells of the closing symbol: %d, standard %d', cells[-1], want)

    def frame(self, number):
        d, nfft, guard = self.d, self.d['nfft'], self.d['guard']
        x = self.data[number * d['frame_samples']:(number + 1) * d['frame_samples']].astype(np.complex128)
        a = x[542:1566]
        shifted = a * np.exp(2j * np.pi * np.arange(1024) / 1024)
        error = np.abs(np.concatenate([x[:542], x[1566:2048]]) - shifted).max()
        self.need(error < TOLERANCE * np.abs(a).max(), 'P1, frame %d', number)
        s = x[2048:].reshape(d['l_f'], nfft + guard)
        self.need(np.abs(s[:, :guard] - s[:, nfft:]).max() < 1e-5, 'cyclic prefix, frame %d', number)
        z = np.fft.fftshift(np.fft.fft(s[:, guard:], axis=1), axes=1) * (27 * d['cps']) ** .5 / 5 / nfft
        low = nfft // 2 - (d['cps'] - 1) // 2
        y = z[:, low:low + d['cps']]
        outside = max(np.abs(z[:, :low]).max(), np.abs(z[:, low + d['cps']:]).max())
        self.need(outside < TOLERANCE, 'carriers outside, frame %d', number)
        self.used, self.pn = np.zeros(y.shape, bool), np.zeros(d['l_f'], int)
        for l in range(d['l_f']):
            self.symbol(number, l, y[l])
        self.normal_symbols(y)
        self.other_symbols(y)
        return self.pn

    def run(self):
        frames = len(self.data) // self.d['frame_samples']
        pn = [self.frame(number) for number in range(frames)]
        self.need(all((p == pn[0]).all() for p in pn), 'PN differs between frames')
        if self.powers:
            self.need(abs(np.mean(self.powers) - 1) < .02, 'mean power of data cells %.4f', np.mean(self.powers))
        return frames


def check(d, path, group):
    checker = Checker(d, path, group)
    frames = checker.run()
    print('%s: %s; %d frames, %d pilots checked, %d continual pilots' % (
        os.path.basename(path), 'WRONG' if checker.problems else 'all right', frames, checker.pilots_seen, checker.continual))
    for problem in checker.problems[:8]:
        print('   ', problem)
    return not checker.problems


def main():
    right = True
    for name in sys.argv[1:]:
        with open(name) as file:
            d = json.load(file)
        for group, path in enumerate(d['files']):
            right &= check(d, os.path.join(os.path.dirname(name), path), group)
    sys.exit(not right)


if __name__ == '__main__':
    main()
