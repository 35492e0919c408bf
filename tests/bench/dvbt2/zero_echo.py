# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the required C/N with an echo of 0 dB at 90 % of the guard interval. At higher C/N there must be no errors."""
import math

import t2_loop

from . import modes
from .echoes import QUICK, signals, unit, walks_of
from .results import Result
from .walk import Goal, Measurements

FLOOR = Goal(1e-3, 10**9, 6000, 1000)  # one point with this number of codewords
FLOOR_ABOVE = 2.0                      # dB above the threshold


def zero_db(d, seed):
    rng = t2_loop.generator(seed, 21)
    return (((0, 1), (.9 * modes.guard_seconds(d), unit(rng))),)


def measure(settings):
    result = Result("An echo of 0 dB at 90 % of the guard interval",
                    ["mode", "parameters", "C/N for one codeword in 100 wrong, dB", f"wrong codewords {FLOOR_ABOVE:g} dB higher"])
    chosen = settings.chosen(modes.NINE, quick="2")
    wanted = [(mode, "zero", zero_db(modes.known(settings.folder, mode), 1)) for mode in chosen]
    found = signals(settings, wanted)
    walks = walks_of(settings, found)
    floors = Measurements(settings)
    for name, (mode, _paths, condition) in found.items():
        threshold = walks[name].threshold()
        if not math.isnan(threshold):
            floors.add(name, condition, round(threshold + FLOOR_ABOVE, 2), QUICK if settings.quick else FLOOR)
            floors.walks[name].one_point = True
    floors.run()
    wrong = 0
    for name, (mode, _paths, _condition) in found.items():
        d = modes.known(settings.folder, mode)
        counts = list(floors.walks[name].points.values()) if name in floors.walks else []
        floor = f"{counts[0].wrong} of {counts[0].codewords}" if counts else "not measured"
        wrong += counts[0].wrong if counts else 1
        result.add(mode, modes.describe(d), walks[name].threshold(), floor)
    result.judge("0 dB echo at 90 % of the guard interval", f"no wrong codeword {FLOOR_ABOVE:g} dB above the threshold",
                 f"{wrong} wrong", not wrong)
    return result
