# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals that repeat seamlessly. Each repetition has new noise.

A loop consists of whole super-frames. A channel can therefore be applied exactly, as a product in the frequency domain. Noise and C/N are defined as in
t2_channel.py.
"""
import json
import math
import os

import numpy as np

BLOCK = 1 << 18
LOW = 1 << 10  # entries of a table
FULL_SCALE = {'cs16': (np.int16, 32768), 'cs8': (np.int8, 128), 'cu8': (np.uint8, 128)}


def generator(*seed):
    """Returns the fastest random generator of numpy."""
    return np.random.Generator(np.random.SFC64(seed))


def complex_noise(rng, count, power):
    noise = rng.standard_normal(2 * count, np.float32)
    noise *= np.float32(np.sqrt(power / 2))
    return noise.view(np.complex64)


def response(paths, frequency):
    """Returns the frequency response at frequencies in Hz. paths: (delay in seconds, complex gain)."""
    total = np.zeros(len(frequency), np.complex128)
    for delay, gain in paths:
        total += gain * np.exp(-2j * np.pi * frequency * delay)
    return total


def turning(first, count, turns):
    """Returns exp(-2 pi i turns k), k = first .. first + count - 1."""
    low = np.exp(-2j * np.pi * turns * np.arange(LOW))
    high = np.exp(-2j * np.pi * turns * np.arange(first, first + count, LOW))
    return np.outer(high, low).ravel()[:count]


def response_of_bins(paths, positive, negative, step):
    """Returns response() for the bins of numpy's FFT. step: bin spacing, Hz."""
    total = np.zeros(positive + negative, np.complex128)
    for delay, gain in paths:
        total[:positive] += gain * turning(0, positive, delay * step)
        total[positive:] += gain * turning(-negative, negative, delay * step)
    return total


def largest_factor(number):
    """Returns the largest prime factor."""
    factor, largest = 2, 1
    while factor * factor <= number:
        while number % factor == 0:
            number, largest = number // factor, factor
        factor += 1
    return max(number, largest)


def quick_ppm(lowest, highest, exact):
    """Returns a clock offset in ppm that gives a fast FFT length."""
    first, last = (exact * (1 + ppm * 1e-6) / 2 for ppm in (lowest, highest))
    return (2 * min(range(math.ceil(first), math.floor(last) + 1), key=largest_factor) / exact - 1) * 1e6


class Loop:
    """One turn of a signal at the receiver's sampling rate.

        x            complex64
        rate         nominal sampling rate of the receiver, Hz
        power        mean power
        d            parameters from make() of t2_transmit.py
        ppm          clock offset, rounded to whole samples per turn
        carrier      carrier offset, Hz of the receiver's clock; rounded to whole cycles per turn"""

    sample_format = 'cf32'  # format of the blocks from blocks()

    def __init__(self, x, rate, power, d, ppm=0., carrier=0.):
        self.x, self.rate, self.power, self.d, self.ppm, self.carrier = x, rate, power, d, ppm, carrier

    @property
    def turn_frames(self):
        return self.d['frames']

    @property
    def frame_samples(self):
        return len(self.x) / self.turn_frames

    def noise_power(self, cn):
        """Returns the noise power per sample at a C/N in dB, white over the sample rate."""
        return self.power / self.d['cps'] / 10 ** (cn / 10) * self.rate / (self.d['fs'] / self.d['nfft'])

    def clean(self, start, count):
        """Returns `count` samples without noise, beginning with sample `start`."""
        start %= len(self.x)
        if start + count <= len(self.x):
            return self.x[start:start + count]
        return self.x.take(np.arange(start, start + count), mode='wrap')

    def blocks(self, count, cn=None, seed=1, start=0, size=BLOCK):
        """Yields `count` samples with noise."""
        rng = generator(seed)
        power = self.noise_power(cn) if cn is not None else 0.
        for first in range(0, count, size):
            block = self.clean(start + first, min(size, count - first))
            yield block + complex_noise(rng, len(block), power) if power else block

    def save(self, path):
        np.save(path + '.npy', self.x)
        with open(path + '.meta', 'w') as file:
            json.dump(dict(rate=self.rate, power=self.power, d=self.d, ppm=self.ppm, carrier=self.carrier), file)


def load(path):
    with open(path + '.meta') as file:
        meta = json.load(file)
    return Loop(np.load(path + '.npy', mmap_mode='r'), meta['rate'], meta['power'], meta['d'], meta['ppm'], meta['carrier'])


def read_signal(stem):
    """Returns parameters and signals of all transmitters from files of make() in t2_transmit.py."""
    with open(stem + '.json') as file:
        d = json.load(file)
    folder = os.path.dirname(stem)
    return d, [np.fromfile(os.path.join(folder, name), np.complex64) for name in d['files']]


def even(count):
    return 2 * round(count / 2)


def through_channel(d, inputs, paths=(((0, 1),),), rate=None, ppm=0., carrier=0.):
    """Returns the received signal as a Loop.

        paths    for each transmitter, (delay in seconds, complex gain) of each path
        ppm      clock offset of the receiver; positive: faster than nominal
        carrier  carrier offset, Hz"""
    rate = rate or d['fs']
    n = len(inputs[0])
    count = even(n * rate * (1 + ppm * 1e-6) / d['fs'])
    most = (min(n, count) - 1) // 2
    k = np.concatenate([np.arange(most + 1), np.arange(-most, 0)])
    power, spectrum = 0., np.zeros(len(k), np.complex128)
    for x, own in zip(inputs, paths):
        spectrum += np.fft.fft(x)[k] * response_of_bins(own, most + 1, most, d['fs'] / n)
        power += np.mean(np.abs(x) ** 2) * sum(abs(gain) ** 2 for _, gain in own)
    shift = round(carrier * n / d['fs'])
    moved = np.zeros(count, np.complex128)
    moved[(k + shift) % count] = spectrum
    x = (np.fft.ifft(moved) * (count / n)).astype(np.complex64)
    faster = count / n * d['fs'] / rate
    return Loop(x, rate, float(power), d, (faster - 1) * 1e6, shift * d['fs'] / n / faster)


def quantise(x, sample_format, gain):
    """Returns I and Q times `gain`. Full scale is 1.0. In cu8, zero is 127.5."""
    values = x.view(np.float32) * np.float32(gain)
    if sample_format == 'cf32':
        return values
    kind, scale = FULL_SCALE[sample_format]
    values *= scale
    values += 127.5 if sample_format == 'cu8' else 0
    limits = np.iinfo(kind)
    return np.clip(np.rint(values, out=values), limits.min, limits.max, out=values).astype(kind)
