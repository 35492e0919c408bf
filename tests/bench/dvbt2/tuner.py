# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the loss of C/N in dB caused by networks, tuners and converters, in the UK mode."""
import math

import numpy as np
import t2_loop

from . import fading, modes
from .cn import BEGIN, RATE
from .codewords import receive
from .processes import pool
from .results import Result

MODE = "7"
SECONDS = 1.5
STEP_DB = .2
WIDEST = 12.0
CARRIER = 650e6   # Hz, centre of the channel
# Three transmitters: delay in s, level in dB, relative clock offset.
NETWORK = (0, 0, 0.), (8e-6, -1, 5e-9), (17e-6, -3, -7e-9)


class Impaired(t2_loop.Loop):
    """A Loop with an impairment. spoil(samples, index of the first sample) returns the impaired samples."""

    def __init__(self, loop, spoil, sample_format="cf32"):
        super().__init__(loop.x, loop.rate, loop.power, loop.d, loop.ppm, loop.carrier)
        self.inner, self.spoil, self.sample_format = loop, spoil, sample_format

    def blocks(self, count, cn=None, seed=1, start=0, size=t2_loop.BLOCK):
        first = 0
        for block in self.inner.blocks(count, cn, seed, start, size):
            yield self.spoil(block, first)
            first += len(block)


def phase_noise(loop):
    """Returns periodic phase noise. Its level is -80 dBc/Hz up to 10 kHz. Above 10 kHz it falls by 20 dB per decade."""
    f = np.fft.rfftfreq(len(loop.x), 1 / loop.rate)
    density = np.where(f < 10e3, 1e-8, 1e-8 * (10e3 / np.maximum(f, 1)) ** 2)
    rng = t2_loop.generator(5)
    values = rng.standard_normal(len(f)) + 1j * rng.standard_normal(len(f))
    # a phase density is twice the single-sideband density
    phase = np.fft.irfft(values * np.sqrt(density * loop.rate * len(loop.x) / 2), len(loop.x))
    turn = np.exp(1j * phase).astype(np.complex64)
    return lambda x, first: x * turn.take(np.arange(first, first + len(x)), mode="wrap")


def impulses(loop, per_second, seconds, db):
    """Adds noise bursts. Level: dB relative to the signal."""
    every, length = round(loop.rate / per_second), round(loop.rate * seconds)
    rng, power = t2_loop.generator(6), loop.power * 10 ** (db / 10)

    def spoil(x, first):
        hit = (first + np.arange(len(x))) % every < length
        return x + t2_loop.complex_noise(rng, len(x), power) * hit

    return spoil


def neighbours(loop, db):
    """Adds channels 8 MHz above and below the signal. Each channel is a delayed copy of the signal, filtered to the width of the
    carriers."""
    n = len(loop.x)
    outside = np.abs(np.fft.fftfreq(n, 1 / loop.rate)) > loop.d["cps"] / loop.d["nfft"] / 2 * loop.d["fs"] * 1.001
    spectrum = np.fft.fft(loop.x)
    spectrum[outside] = 0
    x = np.fft.ifft(spectrum)
    shift = round(8e6 * n / loop.rate)
    gain = np.float32(10 ** (db / 20))
    t = np.arange(n)
    turn = np.exp(2j * np.pi * (t * shift % n) / n)
    both = (np.roll(x, n // 3) * turn + np.roll(x, n // 5) * turn.conj()).astype(np.complex64) * gain
    return lambda x, first: x + both.take(np.arange(first, first + len(x)), mode="wrap")


def converter(loop, kind, db):
    """Quantises to a number of bits. Level: dB relative to full scale."""
    gain = 10 ** (db / 20) / math.sqrt(loop.power)
    return lambda x, first: t2_loop.quantise(x.astype(np.complex64), kind, gain)


def zero_if(loop, gain_db, degrees, dc_db):
    """Adds imbalance of I and Q and a DC offset, in dB relative to the signal."""
    a, angle = 10 ** (gain_db / 20), math.radians(degrees)
    dc = math.sqrt(loop.power) * 10 ** (dc_db / 20) * (.8 + .6j)

    def spoil(x, first):
        q = a * (x.imag * math.cos(angle) + x.real * math.sin(angle))
        return (x.real + 1j * q + dc).astype(np.complex64)

    return spoil


def signal(folder, rate=RATE, carrier=0.):
    d, inputs, stem = modes.clean(folder, MODE)
    return t2_loop.through_channel(d, inputs, rate=rate, ppm=3., carrier=carrier), stem


def network(folder, moving):
    """Returns the sum of the signals of several transmitters. moving: each carrier has a frequency offset."""
    d, inputs, stem = modes.clean(folder, MODE)
    taps = tuple(fading.Tap(delay, db, "shift", CARRIER * clock * moving) for delay, db, clock in NETWORK)
    path = f"{stem}-network"
    fading.prepare(d, inputs[0], taps, path)
    return fading.load(path, taps, 1.0)


def case(folder, name):
    """Returns the Loop with this name."""
    kind, *values = name.split("|")
    if kind == "network":
        return network(folder, float(values[0]))
    loop, _stem = signal(folder, 20e6 if kind in ("neighbours", "wide") else RATE, 20e3 if kind == "zero-IF" else 0.)
    spoil = {"plain": lambda loop: lambda x, first: x, "wide": lambda loop: lambda x, first: x, "phase noise": phase_noise,
             "impulses": impulses, "neighbours": neighbours, "zero-IF": zero_if}.get(kind)
    if kind == "converter":
        return Impaired(loop, converter(loop, values[0], float(values[1])), values[0])
    return Impaired(loop, spoil(loop, *map(float, values)))


# (impairment, case, reference case, maximum loss in dB)
CASES = (
    ("single-frequency network, 3 transmitters, carriers +3.3 and -4.6 Hz", "network|1", "network|0", 1.),
    ("phase noise, -80 dBc/Hz to 10 kHz, then -20 dB a decade", "phase noise", "plain", .5),
    ("impulses of 1 us, 100 a second, +20 dB", "impulses|100|1e-6|20", "plain", 4.),
    ("impulses of 20 us, 10 a second, +20 dB", "impulses|10|20e-6|20", "plain", 2.),
    ("neighbours at +35 dB, 20 MS/s", "neighbours|35", "wide", .5),
    ("8 bits, -24 dB of full scale", "converter|cs8|-24", "plain", 1.),
    ("8 bits, -30 dB of full scale", "converter|cs8|-30", "plain", 4.5),
    ("IQ imbalance 1 dB, 5 degrees, DC -10 dB", "zero-IF|1|5|-10", "plain", .3),
)


def threshold(folder, name, seconds):
    """Returns the lowest C/N without wrong codewords, or infinity."""
    loop = case(folder, name)
    codewords = math.ceil(seconds * loop.d["fs"] / loop.d["frame_samples"]) * loop.d["nblocks"]
    for step in range(round(WIDEST / STEP_DB)):
        cn = BEGIN[MODE] + .2 + step * STEP_DB
        if not receive(loop, cn, 1, codewords if step % 4 == 0 else codewords // 2).wrong:
            return cn
    return math.inf


def measure(settings):
    result = Result(f"Networks, tuners and converters, mode {MODE}: C/N without a wrong codeword in {SECONDS:g} s",
                    ["what", "C/N, dB", "without it, dB", "costs, dB", "at most, dB"])
    chosen = CASES[:1] if settings.quick else CASES
    signal(settings.folder)
    network(settings.folder, 1)
    names = list(dict.fromkeys(name for _what, *both, _most in chosen for name in both))
    with pool(settings.jobs) as workers:
        found = dict(zip(names, workers.map(threshold, *zip(*[(settings.folder, name, .3 if settings.quick else SECONDS)
                                                             for name in names]))))
    missed = []
    for what, name, without, most in chosen:
        costs = found[name] - found[without]
        result.add(what, found[name], found[without], costs, most)
        missed += [] if costs <= most + 1e-6 else [what]
        settings.say(f"{what}: {costs:.2f} dB")
    result.judge("C/N that each costs", "as in the table", f"more by: {'; '.join(missed) or 'none'}", not missed)
    return result
