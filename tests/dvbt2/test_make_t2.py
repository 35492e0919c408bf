# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that check_t2.py accepts signals of make_t2.py and detects errors."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import check_t2

HERE = os.path.dirname(os.path.abspath(__file__))


def make_t2(*arguments):
    subprocess.run([sys.executable, os.path.join(HERE, 'generate', 'make_t2.py'), *map(str, arguments)], check=True,
                   stdout=subprocess.DEVNULL)


def right(d, path, group=0):
    with contextlib.redirect_stdout(io.StringIO()):
        return check_t2.check(d, path, group)


class Signals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.name = os.path.join(cls.folder.name, 'sig')
        make_t2('tx', '--preset', '1k', '--frames', 2, '-o', cls.name)
        with open(cls.name + '.json') as file:
            cls.d = json.load(file)
        cls.x = np.fromfile(cls.name + '.cf32', np.complex64)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def spoiled(self, change):
        x, path = self.x.copy(), self.name + '-spoiled.cf32'
        change(x)
        x.tofile(path)
        return right(self.d, path)

    def test_clean_signal_is_right(self):
        self.assertEqual(len(self.x), 2 * self.d['frame_samples'])
        self.assertTrue(right(self.d, self.name + '.cf32'))

    def test_faults_are_found(self):
        nfft, guard = self.d['nfft'], self.d['guard']
        symbol = 2048 + 20 * (nfft + guard)

        def carrier(x):  # one carrier of one symbol is 10 % too strong
            body = np.fft.fft(x[symbol + guard:symbol + guard + nfft])
            body[12] *= 1.1
            x[symbol + guard:symbol + guard + nfft] = np.fft.ifft(body)

        def p1(x):
            x[100] = 0

        def late(x):
            x[1:] = x[:-1].copy()
        for fault in (carrier, p1, late):
            self.assertFalse(self.spoiled(fault), fault.__name__)

    def test_packets_have_their_index(self):
        ts = np.fromfile(self.name + '.ts', np.uint8).reshape(-1, 188)
        self.assertEqual(len(ts), self.d['ts_packets'])
        index = ts[:, 4].astype(int) << 24 | ts[:, 5].astype(int) << 16 | ts[:, 6].astype(int) << 8 | ts[:, 7]
        null = (ts[:, 1] & 0x1f == 0x1f) & (ts[:, 2] == 0xff)
        self.assertTrue((index[~null] == np.flatnonzero(~null)).all())

    def test_channel_without_faults_only_delays(self):
        out = self.name + '-rx.cf32'
        make_t2('chan', self.name + '.cf32', '-o', out, '--lead', 100)
        with open(out + '.json') as file:
            meta = json.load(file)
        y = np.fromfile(out, np.complex64)
        first = round(meta['first_sample'])
        self.assertLess(np.abs(y[first:first + len(self.x)] - meta['scale'] * self.x).max(), 1e-6)

    def test_noise_is_as_asked(self):
        out = self.name + '-noise.cf32'
        make_t2('chan', self.name + '.cf32', '-o', out, '--cn', 10)
        with open(out + '.json') as file:
            meta = json.load(file)
        y = np.fromfile(out, np.complex64) / meta['scale']
        first = round(meta['first_sample'])
        noise = np.mean(np.abs(y[first:first + len(self.x)] - self.x) ** 2)
        signal = np.mean(np.abs(self.x) ** 2)
        in_band = noise * self.d['cps'] / self.d['nfft']
        self.assertAlmostEqual(10 * np.log10(signal / in_band), 10, delta=.1)


if __name__ == '__main__':
    unittest.main()
