# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests a second path of equal power in the guard interval, at all phases. Measures the time until reception."""
import math

import numpy as np

from . import modes
from .outside import receive
from .processes import pool
from .results import Result

PRESETS = "8k", "4", "7"
DELAYS = .1, .5, .9  # guard intervals
PHASES = 24
CN = 25.0
TURNS = 3.2          # frames after the first complete P1
LATEST = 3.1         # frames until the first packet, with a margin for blocks of samples


def one_phase(folder, preset, delay, degrees):
    _d, comparison, _missing, status, first = receive(folder, preset, delay, 0, degrees, CN, turns=TURNS / modes.SHORT_FRAMES)
    return first, comparison.wrong, status["frames_seen"]


def measure(settings):
    result = Result("Echoes of 0 dB within the guard interval, at all phases",
                    ["mode", "echo", "phases", "first packet after at most, frames", "wrong packets", "late or never at degrees"])
    late, wrong = 0, 0
    angles = np.arange(0, 360, 360 / (2 if settings.quick else PHASES))
    with pool(settings.jobs) as workers:
        for preset in PRESETS[:1] if settings.quick else PRESETS:
            d, _inputs, _stem = modes.short(settings.folder, preset)
            for delay in DELAYS[1:2] if settings.quick else DELAYS:
                found = list(workers.map(one_phase, *zip(*[(settings.folder, preset, delay, a) for a in angles])))
                failed = [f"{a:.0f}" for a, (first, _wrong, _seen) in zip(angles, found) if not first <= LATEST]
                late, wrong = late + len(failed), wrong + sum(w for _f, w, _s in found)
                firsts = [first for first, _wrong, _seen in found]
                result.add(modes.describe(d), f"{delay:g} guard intervals", len(angles), max(firsts, default=math.inf),
                           sum(w for _f, w, _s in found), ", ".join(failed) or "none")
                settings.say(f"mode {preset}, {delay:g} guard intervals: late at {', '.join(failed) or 'no phase'}")
    result.judge("0 dB echo within the guard interval: first packet within 3 frames", "at every phase",
                 f"{late} phases late or never", not late)
    result.judge("the same: wrong packets", "none", f"{wrong}", not wrong)
    return result
