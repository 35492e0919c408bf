# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures codeword error rates over C/N, with the receiver and with perfect channel knowledge. Finds the C/N of a target rate. A
codeword is wrong if BCH decoding fails or its frame is lost."""
import dataclasses
import functools
import math
import time

import libdvbt2
import numpy as np
import t2_loop

from . import modes

ITERATIONS = 25
WARM_UP = 2        # output frames before codewords are counted
NOISE_BLOCK = 1 << 16


@dataclasses.dataclass(frozen=True)
class Condition:
    """A mode and a channel."""

    mode: str
    path: str            # path of a saved Loop
    perfect: str = ""    # path of the transmitter's files, for noisy transmitted cells instead of received ones


@dataclasses.dataclass
class Count:
    codewords: int = 0
    wrong: int = 0       # wrong codewords after BCH
    unsolved: int = 0    # codewords that did not converge
    iterations: int = 0
    seconds: float = 0.0

    def __iadd__(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    @property
    def rate(self):
        return self.wrong / self.codewords if self.codewords else math.nan

    @property
    def smoothed(self):
        """Returns an estimate of the error rate that is never 0, so that it has a logarithm."""
        return max(self.wrong, .5) / self.codewords


def count_of(decoder, lost, start):
    """Returns the Count of a finished decoder. lost: number of codewords that were not received."""
    decoder.finish()
    for _ in libdvbt2.packets_of(decoder):
        pass
    c = decoder.counters()
    return Count(c["codewords"] + lost, c["bch_failed"] + lost, c["failed_codewords"] + lost, c["iterations"],
                 time.monotonic() - start)


def drain(decoder):
    for _ in libdvbt2.packets_of(decoder):
        pass


def missing(frames, handed, first, loop, total):
    """Returns the number of lost frames after the first received frame. If no frame was received, returns `frames`. first: start of the
    first received frame in seconds, or None. total: number of samples."""
    if first is None:
        return frames
    there = math.floor((total / loop.rate - first) * loop.rate / loop.frame_samples - .1)
    return max(0, min(frames, there - WARM_UP) - max(0, handed - WARM_UP))


def receive(loop, cn, seed, codewords, decision_directed=0):
    """Returns the receiver's Count for about `codewords` codewords."""
    start, blocks = time.monotonic(), loop.d["nblocks"]
    frames = max(2, math.ceil(codewords / blocks))
    receiver = libdvbt2.receiver(loop.rate, loop.sample_format, decision_directed=decision_directed)
    decoder = libdvbt2.plp_decoder(max_iterations=ITERATIONS)
    total = round((frames + WARM_UP + 3.2) * loop.frame_samples)
    handed, begin, parts = 0, None, []  # output frames; start of the first one, seconds; parts of the current frame
    for block in loop.blocks(total, cn, seed, start=int(seed * 7919), size=NOISE_BLOCK):
        for cells, noise, frame, first in libdvbt2.cells_of(receiver, block):
            begin = frame.start / loop.d["fs"] if begin is None else begin
            parts = [*(parts if first else ()), (frame, first, cells, noise)]
            if first + len(cells) < frame.cells:
                continue
            for part in parts if WARM_UP <= handed < WARM_UP + frames else ():  # the last frame of the signal is incomplete
                decoder.feed(*part)
            handed += 1
        drain(decoder)
    return count_of(decoder, missing(frames, handed, begin, loop, total) * blocks, start)


@functools.lru_cache(maxsize=4)
def frame_descriptions(path):
    """Returns plp_frame descriptions of two noiseless frames."""
    loop = t2_loop.load(path)
    receiver, found = libdvbt2.receiver(loop.rate, "cf32"), {}
    for block in loop.blocks(round(4.5 * loop.frame_samples)):
        for _cells, _noise, frame, _first in libdvbt2.cells_of(receiver, block):
            found[frame.frame] = frame
    return list(found.values())[:2]


def decode(condition, loop, cn, seed, codewords):
    """Adds noise to ideal cells and decodes them, without a receiver. Returns a Count."""
    frames = frame_descriptions(condition.path)
    cells, start = modes.cells(condition.perfect), time.monotonic()
    rng, size = t2_loop.generator(seed), frames[0].cells
    decoder = libdvbt2.plp_decoder(max_iterations=ITERATIONS)
    power = 27 / 25 * loop.power / 10 ** (cn / 10)  # noise power per cell: a data cell has 25/27 of the power over K
    noise = np.full(size, power, np.float32)
    for i in range(max(2, math.ceil(codewords / loop.d["nblocks"]))):
        sent = cells[i % loop.turn_frames * size:][:size]
        decoder.feed(frames[i % 2], 0, sent + t2_loop.complex_noise(rng, size, power), noise)
        drain(decoder)
    return count_of(decoder, 0, start)


def measure_point(condition, cn, seed, codewords):
    """Runs in a separate process. Returns a Count."""
    loop = t2_loop.load(condition.path)
    if condition.perfect:
        return decode(condition, loop, cn, seed, codewords)
    return receive(loop, cn, seed, codewords)
