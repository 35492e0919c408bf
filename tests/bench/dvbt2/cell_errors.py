# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the loss of the receiver relative to perfect channel knowledge, from the errors of cells.

With perfect channel knowledge, the mean of |error|^2 |H|^2 is N0. The receiver's mean is larger by a fraction of a dB. Counting
codeword errors instead would need a million codewords.
"""
import dataclasses
import functools
import math

import libdvbt2
import numpy as np
import t2_loop

from . import modes

CLEAN_CN = 60.0  # dB; C/N for measuring the carriers' gains
LOCK = 2.2       # frames until the first complete frame of cells, with a margin
SETTLE = 1       # frames of cells not counted


@dataclasses.dataclass(frozen=True)
class Loss:
    db: float
    cells: int  # number of compared cells
    status: dict


def frames_of(loop, cn, seed, frames, bandwidth=8):
    """Returns cells and noise of each complete frame, and the receiver's status."""
    scale = modes.ELEMENTARY_RATE[bandwidth] / modes.ELEMENTARY_RATE[8]
    receiver, found = libdvbt2.receiver(loop.rate * scale, "cf32", bandwidth=bandwidth), []
    lead = round(.4 * loop.frame_samples)
    parts = []
    for block in loop.blocks(lead + round((frames + LOCK) * loop.frame_samples), cn, seed, start=-lead):
        for cells, noise, frame, first in libdvbt2.cells_of(receiver, block):
            parts = [] if first == 0 else parts
            parts.append((cells.copy(), noise.copy()))
            if first + len(cells) == frame.cells:
                found.append(tuple(np.concatenate(half) for half in zip(*parts)))
    return found, receiver.status()


@functools.lru_cache(maxsize=4)
def gains(path):
    """Returns |H|^2 of each cell of a frame. The mean is 1. Cell positions are constant."""
    found, _status = frames_of(t2_loop.load(path), CLEAN_CN, 1, 1)
    gain = 1 / found[-1][1]
    return gain / gain.mean()


def nearest(cells, sent):
    size = len(cells)
    rows = sent[:len(sent) // size * size].reshape(-1, size)
    return rows[np.argmin([np.mean(np.abs(row[:4000] - cells[:4000]) ** 2) for row in rows])]


def loss(loop, stem, cn, gain=1.0, mean_gain=1.0, frames=2, bandwidth=8):
    """`gain`: |H|^2 of each cell; its mean is 1. `mean_gain`: mean of |H|^2 over the carriers."""
    found, status = frames_of(loop, cn, 1, frames + SETTLE, bandwidth)
    if len(found) <= SETTLE:
        return Loss(math.inf, 0, status)
    sent, error, count = modes.cells(stem), 0.0, 0
    for cells, _noise in found[SETTLE:]:
        error += np.sum(np.abs(cells - nearest(cells, sent)) ** 2 * gain, dtype=float)
        count += len(cells)
    noise = 27 / 25 * loop.power / 10 ** (cn / 10)  # noise power per cell; a cell has 25/27 of a carrier's power in the transmitter
    return Loss(10 * math.log10(error / count * mean_gain / noise), count, status)
