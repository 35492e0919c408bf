# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the required C/N in AWGN. Compares it with perfect channel knowledge and with published figures."""
import os

import t2_loop

from . import modes
from .codewords import Condition
from .processes import pool
from .results import Result
from .walk import Goal, Measurements

RATE = 10e6
GOAL = Goal(1e-3, 100, 120000, 4000)
QUICK = Goal(.3, 10, 300, 100)
# C/N in dB at which a search begins. With perfect channel knowledge, the codeword error rate is about 1/2 there.
BEGIN = dict(zip(modes.NINE, (1.35, 9.2, 13.8, 17.4, 17.4, 17.25, 18.4, 18.55, 20.4)))
OFFSETS = {"carrier +500 kHz, clock +100 ppm": (500e3, 100.0), "carrier -500 kHz, clock -100 ppm": (-500e3, -100.0)}
OFFSET_MODES = "7", "2"


def prepare(folder, mode, name, paths, carrier, ppm, rate=RATE):
    """Saves a Loop and returns its path."""
    d, inputs, stem = modes.clean(folder, mode)
    path = f"{stem}-{name}"
    if not os.path.exists(path + ".meta"):
        t2_loop.through_channel(d, inputs, paths, rate, ppm, carrier).save(path)
    return mode, name, path, stem


def conditions(settings, chosen):
    """Returns (mode, name, path, files) of each loop. Generates missing loops in parallel."""
    alone = (((0, 1),),)
    wanted = [(mode, "awgn", alone, 0., 0.) for mode in chosen]
    with pool(settings.jobs) as workers:
        found = list(workers.map(prepare, *zip(*[(settings.folder, *w) for w in wanted])))
        offsets = [(mode, f"offset{i}", alone, *offset) for mode in OFFSET_MODES if mode in chosen and not settings.quick
                   for i, offset in enumerate(OFFSETS.values())]
        return found + list(workers.map(prepare, *zip(*[(settings.folder, *w) for w in offsets])))


def measure(settings):
    chosen, goal = settings.chosen(modes.NINE, quick="2"), settings.goal(GOAL, QUICK)
    measurements = Measurements(settings)
    for mode, name, path, stem in conditions(settings, chosen):
        measurements.add(f"mode {mode} {name}", Condition(mode, path), BEGIN[mode], goal)
        if name == "awgn":
            measurements.add(f"mode {mode} perfect", Condition(mode, path, stem), BEGIN[mode], goal)
    settings.say("signals are made")
    measurements.run()
    return report(settings, chosen, measurements.walks)


def points_of(walk):
    return ", ".join(f"{cn:.2f}: {count.wrong}/{count.codewords}" for cn, count in sorted(walk.points.items()))


def report(settings, chosen, walks):
    result = Result("C/N in white noise", ["mode", "parameters", "perfect knowledge, dB", "receiver, dB", "above it, dB", "table, dB",
                                           "better than the table, dB", "receiver: wrong of codewords at C/N", "perfect: wrong of codewords at C/N"])
    above, better, lost = [], [], []
    for mode in chosen:
        d = modes.known(settings.folder, mode)
        perfect, receiver = (walks[f"mode {mode} {name}"] for name in ("perfect", "awgn"))
        p, r = perfect.threshold(), receiver.threshold()
        above.append(r - p)
        better.append(modes.TABLE_AWGN[mode] - r)
        result.add(mode, modes.describe(d), p, r, r - p, modes.TABLE_AWGN[mode], modes.TABLE_AWGN[mode] - r, points_of(receiver),
                   points_of(perfect))
        for i, name in enumerate(OFFSETS):
            if f"mode {mode} offset{i}" in walks:
                walk = walks[f"mode {mode} offset{i}"]
                lost.append(walk.threshold() - r)
                result.add(mode, name, "", walk.threshold(), f"{lost[-1]:+.3f} against none", "", "", points_of(walk), "")
    result.judge("C/N above the FEC chain's with perfect knowledge", "at most 0.5 dB", f"{max(above):.2f} dB maximum",
                 all(a <= .5 for a in above))
    result.judge("C/N below the table", "at least 1 dB", f"{min(better):.2f} dB at the least", all(b >= 1 for b in better))
    if lost:
        result.judge("lost by carrier and clock offset", "at most 0.1 dB", f"{max(lost):.3f} dB maximum",
                     all(x <= .1 for x in lost))
    return result
