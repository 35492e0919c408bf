# SPDX-License-Identifier: GPL-3.0-or-later
"""Noiseless signals for the presets of make_t2.py, stored in a folder."""
import functools
import os

import numpy as np
import t2_loop
from t2_standard import DEFAULTS, DXY, PRESETS

from .processes import in_child

NINE = tuple("123456789")
# Modes for time-varying channels. Their frames last about 100 ms.
MOVING = {
    "32K PP2": dict(fft="32K", ext=1, qam="16QAM", rate="1/2", gi="1/8", pp=2, ndata=24),
    "32K PP4": dict(fft="32K", ext=1, qam="16QAM", rate="1/2", gi="1/16", pp=4, ndata=25),
    "32K PP7": dict(fft="32K", ext=1, qam="16QAM", rate="1/2", gi="1/128", pp=7, ndata=27),
    "32K PP4 256QAM": dict(fft="32K", ext=1, qam="256QAM", rate="3/5", gi="1/16", pp=4, ndata=25),
    "16K": dict(fft="16K", ext=1, qam="64QAM", rate="1/2", gi="1/8", pp=2, ndata=48),
    "8K": dict(fft="8K", ext=1, qam="64QAM", rate="1/2", gi="1/8", pp=3, ndata=96),
    "2K": dict(fft="2K", ext=0, qam="16QAM", rate="1/2", gi="1/8", pp=2, ndata=380),
}
# Required C/N in dB according to DIGITALEUROPE: in AWGN, and with the short echo profile.
TABLE_AWGN = dict(zip(NINE, (3.6, 11.5, 16.7, 19.5, 19.4, 19.9, 20.3, 20.9, 22.4)))
TABLE_SHORT_ECHO = {"5": 21.5, "6": 22.0, "7": 22.7, "8": 23.4, "9": 25.7}
ELEMENTARY_RATE = {1.7: 131e6 / 71, 5: 40e6 / 7, 6: 48e6 / 7, 7: 8e6, 8: 64e6 / 7, 10: 80e6 / 7}
# Number of data symbols of short frames. With 0, the number of the preset is used.
SHORT = {"1": 60, "2": 25, "3": 25, "4": 25, "5": 13, "7": 19, "6": 13, "8": 13, "9": 13, "8k": 0}
SHORT_FRAMES = 6


def parameters(preset, symbols=0):
    """Returns the parameters of a preset. symbols: number of data symbols; 0 selects the number of the preset."""
    p = {**DEFAULTS, **{**PRESETS, **MOVING}[preset]}
    return {**p, "ndata": symbols, "nblocks": 0, "ti": -1} if symbols else p


def transmit(p, frames, stem):
    import t2_transmit  # needs GNU Radio

    t2_transmit.make(p, frames, 1, stem, cells=True)


def clean(folder, preset, frames=2, symbols=0):
    """Returns parameters, signals, and the path without suffix."""
    stem = os.path.join(folder, f"{preset}-{frames}-{symbols}")
    if not os.path.exists(stem + ".json"):
        os.makedirs(folder, exist_ok=True)
        in_child(transmit, parameters(preset, symbols), frames, stem)
    return (*t2_loop.read_signal(stem), stem)


def short(folder, preset):
    return clean(folder, preset, SHORT_FRAMES, SHORT[preset])


@functools.lru_cache(maxsize=None)
def known(folder, preset):
    return clean(folder, preset)[0]


def packets(stem):
    return np.fromfile(stem + ".ts", np.uint8).reshape(-1, 188)


def cells(stem):
    return np.fromfile(stem + ".cells", np.complex64)


def describe(d):
    return f"{d['fft']}{' ext' if d['ext'] else ''} {d['qam']} {d['rate']}, {d['gi']}, PP{d['pp']}"


def guard_seconds(d):
    return d["guard"] / d["fs"]


def largest_delay(d):
    """Returns the delay range of the pilots of one symbol, Tu / Dx, in units of the guard interval."""
    return d["nfft"] / DXY[d["pp"]][0] / d["guard"]
