# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops with fading paths. Each path is a delayed copy of the signal, multiplied by a time-varying gain.

Gains are computed every STEP samples and interpolated linearly (error below -70 dB at 1 kHz and 64/7 MHz).
"""
import dataclasses
import json
import os

import numpy as np
import t2_loop

STEP = 64          # samples between two gain values; divides a block
OSCILLATORS = 24   # per Rayleigh path


@dataclasses.dataclass(frozen=True)
class Tap:
    """A path of a fading channel. doppler: Doppler frequency relative to the Doppler frequency of the measurement. "jakes" is Rayleigh
    fading with this maximum Doppler shift. "shift" has this single Doppler shift."""

    delay: float  # s
    db: float
    motion: str
    doppler: float = 1.0


def profile(delays_us, powers_db):
    return tuple(Tap(us * 1e-6, db, "jakes") for us, db in zip(delays_us, powers_db))


# COST 207, typical urban, six taps.
TU6 = profile((0, .2, .5, 1.6, 2.3, 5.0), (-3, 0, -2, -6, -8, -10))


def two_paths(delay):
    """Two paths of equal power and opposite Doppler shifts."""
    return (Tap(0, 0, "shift", -1.0), Tap(delay, 0, "shift", 1.0))


class Gain:
    """Gain of a tap over time."""

    def __init__(self, tap, doppler, power, rng):
        self.amplitude = np.sqrt(power)
        if tap.motion == "shift":
            self.frequencies = np.array([tap.doppler * doppler])
        else:  # distinct angles of arrival
            angles = 2 * np.pi * (np.arange(OSCILLATORS) + rng.random(OSCILLATORS)) / OSCILLATORS
            self.frequencies = tap.doppler * doppler * np.cos(angles)
        self.phases = rng.random(len(self.frequencies))
        self.amplitude /= np.sqrt(len(self.frequencies))

    def at(self, times):
        turns = np.outer(times, self.frequencies) + self.phases
        return (self.amplitude * np.exp(2j * np.pi * (turns % 1)).sum(1)).astype(np.complex64)


class FadedLoop(t2_loop.Loop):
    """A Loop over a fading channel. The mean total power of the taps is 1."""

    doppler = 0.0  # Hz

    def __init__(self, copies, taps, rate, power, d):
        super().__init__(copies[0], rate, power, d)
        self.copies, self.taps = copies, taps
        powers = np.array([10 ** (tap.db / 10) for tap in taps])
        self.powers = powers / powers.sum()

    def blocks(self, count, cn=None, seed=1, start=0, size=t2_loop.BLOCK):
        rng = t2_loop.generator(seed, 30)
        gains = [Gain(tap, self.doppler, power, rng) for tap, power in zip(self.taps, self.powers)]
        ramp = (np.arange(STEP, dtype=np.float32) / STEP)[None, :]
        noise = self.noise_power(cn) if cn is not None else 0.
        for first in range(0, count, size):
            length = min(size, count - first)
            steps = -(-length // STEP)
            times = (first + np.arange(steps + 1) * STEP) / self.rate
            block = t2_loop.complex_noise(rng, steps * STEP, noise).reshape(steps, STEP)
            for gain, self.x in zip(gains, self.copies):
                g = gain.at(times)[:, None]
                block += self.clean(start + first, steps * STEP).reshape(steps, STEP) * (g[:-1] + (g[1:] - g[:-1]) * ramp)
            yield block.reshape(-1)[:length]


def prepare(d, signal, taps, path):
    if os.path.exists(path + ".meta"):
        return
    spectrum, f = np.fft.fft(signal), np.fft.fftfreq(len(signal), 1 / d["fs"])
    copies = np.empty((len(taps), len(signal)), np.complex64)
    for copy, tap in zip(copies, taps):
        copy[:] = np.fft.ifft(spectrum * np.exp(-2j * np.pi * f * tap.delay))
    np.save(path + ".npy", copies)
    with open(path + ".meta", "w", encoding="ascii") as file:
        json.dump({"power": float(np.mean(np.abs(signal) ** 2)), "d": d}, file)


def parameters(path):
    with open(path + ".meta", encoding="ascii") as file:
        return json.load(file)["d"]


def load(path, taps, doppler):
    with open(path + ".meta", encoding="ascii") as file:
        meta = json.load(file)
    loop = FadedLoop(np.load(path + ".npy", mmap_mode="r"), taps, meta["d"]["fs"], meta["power"], meta["d"])
    loop.doppler = doppler
    return loop
