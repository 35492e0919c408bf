# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests echoes outside the guard interval, with powers up to that of the signal."""
import cmath
import math

import t2_loop
from t2_packets import Watch, compare
from t2_trial import missing_packets

from . import modes
from .results import Result

CN = 30.0
BEYOND = 1.1, 1.5  # guard intervals
QUICK = "8k",


def receive(folder, preset, delay_gi, db, degrees, cn, turns=1.0):
    """Receives a signal with one echo. Returns parameters, Comparison, missing packets, status, frames before the first packet."""
    d, inputs, stem = modes.short(folder, preset)
    echo = delay_gi * modes.guard_seconds(d), 10 ** (db / 20) * cmath.exp(1j * math.radians(degrees))
    loop = t2_loop.through_channel(d, inputs, [((0, 1), echo)])
    watch, lead = Watch(loop.rate), int(.4 * loop.frame_samples)
    for block in loop.blocks(round(lead + turns * len(loop.x) + .5 * loop.frame_samples), cn, 1, start=-lead):
        watch.push(block)
    comparison = compare(watch.finish(), modes.packets(stem))
    first = (watch.first_packet - lead) / loop.frame_samples if watch.first_packet else math.inf
    return d, comparison, missing_packets(d, comparison, 3), watch.receiver.status(), first


def beyond(settings, result):
    """Tests echoes that are outside the guard interval but within the delay range of the pilots of one symbol."""
    bad = {"-15": [], "0": []}
    for preset in settings.chosen(modes.SHORT, QUICK):
        d, _inputs, _stem = modes.short(settings.folder, preset)
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


def measure(settings):
    result = Result("Echoes beyond the guard interval",
                    ["mode", "echo", "packets as sent", "missing", "marked", "wrong", "state at the end", "L1 errors"])
    beyond(settings, result)
    return result
