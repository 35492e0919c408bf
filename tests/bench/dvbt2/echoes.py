# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the C/N with the short echo profile of DIGITALEUROPE's requirements, for random phases of the paths.

C is the sum of the path powers (t2_channel.py). The received power depends on the phases, because two paths are only 0.05 us apart.
Therefore the median relative to the received power is printed, too. Each phase takes 20 evenly spaced values in random order. This
reduces the deviation of the median from 0.45 dB to 0.12 dB."""
import cmath
import math
import statistics

import numpy as np
import t2_loop

from . import cell_errors, modes
from .cn import BEGIN, prepare
from .codewords import Condition
from .processes import pool
from .results import Result
from .walk import Goal, Measurements

DELAYS_US = 0, .05, .4, 1.45, 2.3, 2.8
ATTENUATIONS_DB = 2.8, 0, 3.8, .1, 2.6, 1.3
SETS = 20
GOAL = Goal(1e-2, 30, 3000, 500)
QUICK = Goal(.3, 10, 300, 100)
MARGIN = .1                             # dB; start of a search above the C/N from information theory


def unit(rng):
    return cmath.exp(2j * math.pi * rng.random())


def short_profiles(sets=SETS, seed=20):
    """Returns random sets of phases for the paths (Latin hypercube)."""
    rng = t2_loop.generator(seed)
    turns = [np.zeros(sets)] + [(rng.permutation(sets) + .5) / sets for _ in DELAYS_US[1:]]
    return [(tuple((us * 1e-6, 10 ** (-db / 20) * cmath.exp(2j * math.pi * turn))
                   for us, db, turn in zip(DELAYS_US, ATTENUATIONS_DB, one)),) for one in zip(*turns)]


def gains(d, paths):
    """Returns |H|^2 over the active carriers for a total path power of 1."""
    f = np.linspace(-.5, .5, 4096) * d["cps"] / d["nfft"] * d["fs"]
    return np.abs(t2_loop.response(paths[0], f)) ** 2 / sum(abs(g) ** 2 for _, g in paths[0])


def actual_gain(d, paths):
    """Returns the received power in dB relative to the sum of the path powers."""
    return 10 * math.log10(np.mean(gains(d, paths)))


def expected(d, paths, cn):
    """Returns the C/N at which the capacity of a channel with these paths equals that of AWGN at C/N `cn`."""
    power, wanted = gains(d, paths), math.log2(1 + 10 ** (cn / 10))
    for candidate in np.arange(cn - 6, cn + 15, .05):
        if np.mean(np.log2(1 + 10 ** (candidate / 10) * power)) >= wanted:
            return candidate
    return cn


def signals(settings, wanted):
    """Generates the signals in parallel. Returns {name: (mode, paths, Condition)}."""
    for mode in {mode for mode, *_ in wanted}:
        modes.clean(settings.folder, mode)
    with pool(settings.jobs) as workers:
        arguments = [(settings.folder, *w, 0., 0.) for w in wanted]
        found = list(workers.map(prepare, *zip(*arguments)))
    return {f"mode {mode} {name}": (mode, w[2], Condition(mode, path))
            for (mode, name, path, _stem), w in zip(found, wanted)}


def walks_of(settings, found):
    measurements = Measurements(settings)
    goal = settings.goal(GOAL, QUICK)
    for name, (mode, paths, condition) in found.items():
        d = modes.known(settings.folder, mode)
        measurements.add(name, condition, expected(d, paths, BEGIN[mode]) + MARGIN, goal)
    measurements.run()
    return measurements.walks


def one_loss(path, stem, cn, mean_gain):
    return cell_errors.loss(t2_loop.load(path), stem, cn, cell_errors.gains(path), mean_gain).db


def losses_of(settings, mode, found, values):
    """Returns the loss in dB at the threshold, relative to perfect channel knowledge."""
    d, _inputs, stem = modes.clean(settings.folder, mode)
    wanted = [(condition.path, stem, values[name], np.mean(gains(d, paths)) * sum(abs(g) ** 2 for _, g in paths[0]))
              for name, (paths, condition) in found.items() if not math.isnan(values[name])]
    with pool(settings.jobs) as workers:
        return list(workers.map(one_loss, *zip(*wanted)))


def short_echo(settings, result):
    chosen = settings.chosen(modes.TABLE_SHORT_ECHO, quick="7")
    profiles = list(enumerate(short_profiles()))
    wanted = [(mode, f"profile{i}", paths) for mode in chosen for i, paths in (profiles[:1] if settings.quick else profiles)]
    found = signals(settings, wanted)
    settings.say("signals with short echoes are made")
    walks = walks_of(settings, found)
    better, by_received, losses = [], [], []
    for mode in chosen:
        d = modes.known(settings.folder, mode)
        values = {name: walks[name].threshold() for name, (m, _p, _c) in found.items() if m == mode}
        known = sorted(value for value in values.values() if not math.isnan(value))
        if not known:
            continue
        median, table = statistics.median(known), modes.TABLE_SHORT_ECHO[mode]
        actual = statistics.median(values[name] + actual_gain(d, found[name][1]) for name in values
                                   if not math.isnan(values[name]))
        lost = losses_of(settings, mode, {name: (paths, c) for name, (m, paths, c) in found.items() if m == mode}, values)
        losses += lost
        better.append(table - median)
        by_received.append(table - actual)
        result.add(mode, modes.describe(d), f"{len(known)} of {len(values)}", median, known[-1], known[0],
                   statistics.median(lost), max(lost), actual, table, table - median, table - actual)
    if losses:
        result.judge("lost against perfect knowledge of the channel", "at most 0.5 dB", f"{max(losses):.2f} dB maximum",
                     max(losses) <= .5)
    if better:
        result.judge("C/N with the short echo profile, median, below the table", "at least 1 dB",
                     f"{min(better):.2f} dB at the least", min(better) >= 1)
        result.judge("the same with C as the power that is received", "at least 1 dB",
                     f"{min(by_received):.2f} dB at the least", min(by_received) >= 1)


def measure(settings):
    result = Result("Short echoes", ["mode", "parameters", "sets of phases", "C/N, dB (median)", "worst", "best",
                                     "lost against perfect knowledge, dB (median)", "most", "median by the power that is received", "table", "better than the table",
                                     "better by the power that is received"])
    short_echo(settings, result)
    return result
