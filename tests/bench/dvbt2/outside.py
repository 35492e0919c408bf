# SPDX-License-Identifier: GPL-3.0-or-later
"""Echoes beyond the guard interval, weak and as strong as the signal, and echoes of 0 dB within it at any phase."""
import cmath
import math

import numpy as np
import t2_loop
from t2_packets import Watch, compare
from t2_trial import missing_packets

from . import modes
from .processes import pool
from .results import Result

FRAMES = 6
CN = 30.0
SYMBOLS = {"1": 60, "2": 25, "3": 25, "4": 25, "5": 13, "7": 19, "6": 13, "8": 13, "8k": 0}  # of a frame, so that it is short
BEYOND = 1.1, 1.5  # guard intervals
WITHIN = .1, .5, .9
PHASES = 24
LOCK_CN = 25.0


def receive(folder, preset, delay_gi, db, degrees, cn, turns=1.0):
    """(parameters, Comparison, missing packets, status, frames to the first packet) with one echo."""
    d, inputs, stem = modes.clean(folder, preset, FRAMES, SYMBOLS[preset])
    echo = delay_gi * modes.guard_seconds(d), 10 ** (db / 20) * cmath.exp(1j * math.radians(degrees))
    loop = t2_loop.through_channel(d, inputs, [((0, 1), echo)])
    watch, lead = Watch(loop.rate), int(.4 * loop.frame_samples)
    for block in loop.blocks(round(lead + turns * len(loop.x) + .5 * loop.frame_samples), cn, 1, start=-lead):
        watch.push(block)
    comparison = compare(watch.finish(), modes.packets(stem))
    first = (watch.first_packet - lead) / loop.frame_samples if watch.first_packet else math.inf
    return d, comparison, missing_packets(d, comparison, 3), watch.receiver.status(), first


def beyond(settings, result):
    """Echoes outside the guard interval that the pilots of a symbol can tell from others."""
    bad = {"-15": [], "0": []}
    for preset in SYMBOLS:
        d, _inputs, _stem = modes.clean(settings.folder, preset, FRAMES, SYMBOLS[preset])
        for delay in BEYOND:
            if delay >= modes.largest_delay(d):
                continue
            for db in (-15, 0):
                d, comparison, missing, status, _first = receive(settings.folder, preset, delay, db, 70, CN)
                locked = status["state"] == "tracking" and status["locks"] == 1 and not status["l1_errors"]
                good = locked and not comparison.wrong and (db == 0 or not missing)
                result.add(modes.describe(d), f"{delay:g} guard intervals, {db} dB, 70 degrees", comparison.right, missing,
                           comparison.marked, comparison.wrong, status["state"], status["l1_errors"])
                bad[str(db)] += [] if good else [f"{preset} at {delay:g}"]
                settings.say(f"mode {preset}, {delay:g} guard intervals, {db} dB: {'right' if good else 'WRONG'}")
    result.judge("echo of -15 dB at 1.1 and 1.5 guard intervals", "every packet", f"missed by: {', '.join(bad['-15']) or 'none'}",
                 not bad["-15"])
    result.judge("echo of 0 dB there", "lock and L1 stay, no wrong packet that is not marked",
                 f"missed by: {', '.join(bad['0']) or 'none'}", not bad["0"])


def one_phase(folder, preset, delay, degrees):
    _d, comparison, _missing, status, first = receive(folder, preset, delay, 0, degrees, LOCK_CN, turns=3.2 / FRAMES)
    return first, comparison.wrong, status["frames_seen"]


def phases(settings, result):
    """A second path as strong as the first one: locked in time at every phase?"""
    late, worst = 0, 0.0
    angles = np.arange(0, 360, 360 / (4 if settings.quick else PHASES))
    with pool(settings.jobs) as workers:
        for preset in ("8k", "4", "7"):
            d, _inputs, _stem = modes.clean(settings.folder, preset, FRAMES, SYMBOLS[preset])
            for delay in WITHIN:
                found = list(workers.map(one_phase, *zip(*[(settings.folder, preset, delay, a) for a in angles])))
                firsts = [first for first, _wrong, _seen in found]
                failed = [f"{a:.0f}" for a, first in zip(angles, firsts) if first > 3.1]
                late, worst = late + len(failed), max(worst, *firsts)
                result.add(modes.describe(d), f"{delay:g} guard intervals, 0 dB, {len(angles)} phases",
                           f"first packet after at most {max(firsts):.2f} frames", "", "", sum(w for _f, w, _s in found),
                           f"late or never at degrees: {', '.join(failed) or 'none'}", "")
                settings.say(f"mode {preset}, {delay:g} guard intervals: late at {', '.join(failed) or 'no phase'}")
    result.judge("0 dB echo within the guard interval: first packet within 3 frames", "at every phase",
                 f"{late} phases late or never", not late)


def measure(settings):
    result = Result("Echoes beyond the guard interval, and phases of echoes within it",
                    ["mode", "echo", "packets as sent", "missing", "marked", "wrong", "state at the end", "L1 errors"])
    beyond(settings, result)
    phases(settings, result)
    return result
