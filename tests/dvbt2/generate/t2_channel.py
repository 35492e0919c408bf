# SPDX-License-Identifier: GPL-3.0-or-later
"""A channel and a receiver's front end: echoes, carrier and clock offset, noise, quantisation.

C/N is the mean power of the received signal per used carrier, relative to the noise power in one carrier spacing.
The signal includes pilots and P1, but not empty FEF samples. Es/N0 is the mean energy of data cells,
divided by N0.
"""
import itertools
import json
import math
import os

import numpy as np

FORMATS = {'cf32': (np.float32, 1), 'cs16': (np.int16, 32768), 'cs8': (np.int8, 128)}  # readable formats
BLOCK = 1 << 18


def read_blocks(path):
    """Yields blocks of complex64."""
    kind, full_scale = FORMATS[path.rsplit('.', 1)[-1]]
    with open(path, 'rb') as file:
        while True:
            block = np.fromfile(file, kind, 2 * BLOCK)
            if not len(block):
                return
            yield (block.astype(np.float32) / full_scale).view(np.complex64)


def quantise(y, fmt):
    """Returns interleaved I and Q. 1.0 is full scale."""
    v = np.empty(2 * len(y))
    v[0::2], v[1::2] = y.real, y.imag
    if fmt == 'cf32':
        return v.astype(np.float32)
    if fmt == 'cs16':
        return np.clip(np.rint(v * 32768), -32768, 32767).astype(np.int16)
    if fmt == 'cs8':
        return np.clip(np.rint(v * 128), -128, 127).astype(np.int8)
    if fmt == 'cu8':  # 127.5 is zero
        return np.clip(np.rint(v * 128 + 127.5), 0, 255).astype(np.uint8)
    raise ValueError('the output must end in .cf32, .cs16, .cs8 or .cu8')


def sinc_taps(delay, count, cut):
    """Returns a low-pass filter for each delay (Kaiser window). cut: one-sided cut-off, cycles per sample."""
    k = np.arange(count) - (count // 2 - 1) - np.asarray(delay)[..., None]
    window = np.i0(10 * np.sqrt(np.maximum(0, 1 - (k / (count / 2)) ** 2))) / np.i0(10)
    return 2 * cut * np.sinc(2 * cut * k) * window


class Path:
    """One path of a channel: delay in samples, gain, and Doppler shift or Rayleigh fading."""

    def __init__(self, text, fs, rng, taps):
        part = text.split(',')
        delay = float(part[0]) * 1e-6 * fs
        phase = math.radians(float(part[2])) if len(part) > 2 else 0
        doppler = float(part[3]) if len(part) > 3 else 0.
        self.gain = 10 ** (float(part[1]) / 20) * np.exp(1j * phase)
        self.delay, self.doppler = int(delay), doppler / fs
        self.taps = sinc_taps(delay - int(delay), taps, .5).astype(np.float32) if delay % 1 else None
        self.oscillators = None
        if len(part) > 4 and part[4].startswith('r'):  # 16 oscillators: Jakes
            angles = 2 * np.pi * (np.arange(16) + rng.random(16)) / 16
            self.oscillators = self.doppler * np.cos(angles), rng.random(16)

    def gains(self, position, count):
        if self.oscillators is not None:
            t = np.arange(position, position + count + 64, 64)
            c = np.exp(2j * np.pi * (np.outer(t, self.oscillators[0]) % 1 + self.oscillators[1])).sum(1) / 4
            at = np.arange(position, position + count)
            return self.gain * (np.interp(at, t, c.real) + 1j * np.interp(at, t, c.imag))
        if self.doppler:
            return self.gain * np.exp(2j * np.pi * (np.arange(position, position + count) * self.doppler % 1))
        return self.gain


class Echoes:
    """Adds all paths. Delays the output by TAPS / 2 samples."""
    TAPS = 48

    def __init__(self, texts, fs, seed):
        rng = np.random.default_rng(seed)
        self.paths = [Path(text, fs, rng, self.TAPS) for text in texts]
        self.history = np.zeros(max(p.delay for p in self.paths) + self.TAPS + self.TAPS // 2, np.complex64)
        self.power = sum(abs(p.gain) ** 2 for p in self.paths)
        self.position = 0

    def __call__(self, x):
        x = np.concatenate([self.history, x])
        count, half = len(x) - len(self.history), self.TAPS // 2
        start, y = len(self.history) - half, np.zeros(count, np.complex64)
        for p in self.paths:
            at = start - p.delay
            if p.taps is None:
                v = x[at:at + count]
            else:
                v = np.convolve(x[at - half:at + count + half - 1], p.taps, 'valid')
            y += (v * p.gains(self.position, count)).astype(np.complex64)
        self.position += count
        self.history = x[count:]
        return y


class Resampler:
    """Resamples by any ratio: sinc with Kaiser window, 512 phases with linear interpolation."""
    PHASES = 512

    def __init__(self, ratio, occupied):
        """ratio: input samples per output sample. occupied: half of the occupied bandwidth, divided by the input rate."""
        stop = min(1, 1 / ratio) - occupied
        if stop <= occupied + 1e-3:
            raise ValueError('the output rate is too low for the signal')
        self.taps = int(min(1024, max(48, math.ceil(6.4 / (stop - occupied) / 2) * 2)))
        phases = np.arange(self.PHASES + 2) / self.PHASES
        self.filters = sinc_taps(phases, self.taps, (stop + occupied) / 2).astype(np.float32)
        self.ratio, self.done = ratio, 0
        self.start = -(self.taps // 2 - 1)  # index of buffer[0]
        self.buffer = np.zeros(-self.start, np.complex64)

    def interpolate(self, t):
        whole = np.floor(t).astype(np.int64)
        phase = (t - whole) * self.PHASES
        row = phase.astype(np.int64)
        weight = (phase - row).astype(np.float32)[:, None]
        taps = self.filters[row] * (1 - weight) + self.filters[row + 1] * weight
        windows = np.lib.stride_tricks.sliding_window_view(self.buffer, self.taps)
        return np.einsum('ij,ij->i', windows[whole - self.start - self.taps // 2 + 1], taps)

    def __call__(self, x):
        self.buffer, out = np.concatenate([self.buffer, x]), [np.zeros(0, np.complex64)]
        last = self.start + len(self.buffer) - self.taps // 2 - 1  # the last position that has all its taps
        while True:
            t = np.arange(self.done, self.done + 32768) * self.ratio
            t = t[t < last]
            if not len(t):
                break
            out.append(self.interpolate(t))
            self.done += len(t)
        cut = int(self.done * self.ratio) - self.taps // 2 + 1 - self.start
        if cut > 0:
            self.buffer, self.start = self.buffer[cut:], self.start + cut
        return np.concatenate(out)


class Receiver:
    """Front end of a receiver: oscillator, noise, gain, sample format."""

    def __init__(self, a, fs, sigma2, scale, rng):
        self.a, self.fs, self.sigma2, self.scale, self.rng = a, fs, sigma2, scale, rng
        self.position, self.phase_state = 0, 0.
        self.format = a.o.rsplit('.', 1)[-1]
        self.steps = [tuple(map(float, s.split(':'))) for s in a.gain]  # time (ms): dB

    def phase_noise(self, count):
        """Returns the phase noise in radians. Its level (dBc/Hz) is constant up to a corner frequency. Above it, the level falls
        by 20 dB per decade."""
        from scipy.signal import lfilter
        level, corner = map(float, self.a.pn.split(','))
        pole = math.exp(-2 * math.pi * corner / self.fs)
        white = self.rng.standard_normal(count) * math.sqrt(10 ** (level / 10) * self.fs) * (1 - pole)
        phase, state = lfilter([1], [1, -pole], white, zi=[self.phase_state])
        self.phase_state = state[0]
        return phase

    def gain(self, t):
        at, db = [s * 1e-3 * self.fs for s, _ in self.steps], [g for _, g in self.steps]
        if self.a.ramp:
            return 10 ** (np.interp(t, at, db) / 20)
        return 10 ** (np.array([0.] + db)[np.searchsorted(at, t, 'right')] / 20)

    def __call__(self, y):
        count = len(y)
        t, y = np.arange(self.position, self.position + count), y.astype(np.complex128)
        if self.a.cfo:
            y *= np.exp(2j * np.pi * (t * (self.a.cfo / self.fs) % 1))
        if self.a.pn:
            y *= np.exp(1j * self.phase_noise(count))
        if self.sigma2:
            noise = self.rng.standard_normal(count) + 1j * self.rng.standard_normal(count)
            y += math.sqrt(self.sigma2 / 2) * noise
        y *= self.scale
        if self.steps:
            y *= self.gain(t)
        self.position += count
        return quantise(y, self.format)


def parameters_of(a):
    """Returns the path of a signal's JSON file."""
    stem = a.input.rsplit('.', 1)[0]
    for path in (a.json, stem + '.json', a.input.rsplit('_tx', 1)[0] + '.json'):
        if path and os.path.exists(path):
            with open(path) as file:
                return json.load(file)
    return {}


def received_power(inputs):
    power = 0.
    for path, echoes in inputs:
        total, count = 0., 0
        for block in read_blocks(path):
            total += np.vdot(block, block).real
            count += np.count_nonzero(block)
        power += total / count * echoes.power
    return power


def noise_power(a, power, used, spacing, fs, first_gain):
    if a.cn is not None:
        return power / used / 10 ** (a.cn / 10) * fs / spacing
    if a.esn0 is not None:
        return 25 / 27 / used * first_gain / 10 ** (a.esn0 / 10) * fs / spacing
    return 0.


def channel(a):
    d, rng = parameters_of(a), np.random.default_rng(a.seed)
    fs_in = a.fs_in or d.get('fs', 64e6 / 7)
    fs, used, nfft = a.rate or fs_in, d.get('cps', a.cps), d.get('nfft', a.nfft)
    inputs = [(a.input, Echoes(a.echo or ['0,0'], fs_in, a.seed + 1))]
    if a.in2:
        inputs.append((a.in2, Echoes(a.echo2 or ['0,0'], fs_in, a.seed + 2)))
    power = received_power(inputs)
    sigma2 = noise_power(a, power, used, fs_in / nfft, fs, inputs[0][1].power)
    if a.level is None:  # L1 in BPSK has few ones: its peaks are 12 dB higher than others
        a.level = -24 if d.get('l1') == 'BPSK' else -12
    scale = 10 ** (a.level / 20) / math.sqrt(power + sigma2)
    ratio = fs_in / (fs * (1 + a.ppm * 1e-6))
    resampler = Resampler(ratio, used / nfft / 2) if abs(ratio - 1) > 1e-12 else None
    receiver = Receiver(a, fs, sigma2, scale, rng)
    lead = int(rng.integers(0, a.lead_max)) if a.lead_max else a.lead
    with open(a.o, 'wb') as out:
        receiver(np.zeros(lead, np.complex64)).tofile(out)
        flush = [np.zeros(4096, np.complex64)] * len(inputs)
        for parts in itertools.chain(zip(*(read_blocks(path) for path, _ in inputs)), [flush]):
            size = min(map(len, parts))
            y = sum(echoes(part[:size]) for part, (_, echoes) in zip(parts, inputs))
            receiver(resampler(y) if resampler else y).tofile(out)
    meta = {k: v for k, v in vars(a).items() if k != 'run'}
    meta.update(fs=fs, fs_in=fs_in, lead=lead, scale=scale, samples=receiver.position, signal_power=power,
                noise_power=sigma2, first_sample=lead + Echoes.TAPS // 2 / ratio, true_rate=fs * (1 + a.ppm * 1e-6),
                source_json=os.path.basename(a.input))
    with open(a.o + '.json', 'w') as file:
        json.dump(meta, file, indent=1)
    print('%s: %d samples at %.6f MHz; the signal starts at sample %.2f' % (a.o, receiver.position, fs / 1e6,
                                                                            meta['first_sample']))
