# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures Doppler limits near 80 % of the expected limit, in smaller steps than channels.py."""
from . import modes
from .channels import THRESHOLDS, cell, limit, reached, walk
from .results import Result

CHOSEN = "32K PP4 256QAM", "16K", "2K"  # modes for which the steps of the part channels are too coarse
LADDER = .9, 1.0, 1.1


def measure(settings):
    ladder = (1.0,) if settings.quick else LADDER
    result = Result("Doppler limits with the C/N threshold in white noise: C/N in dB for one packet error per second, for each fading",
                    ["mode", "parameters", "channel", "limit, Hz", "set by"] + [f"at {100 * x:.0f} %" for x in ladder] + ["reached, Hz"])
    short, total = [], 0

    def limit_of(d, profile):
        return limit(d, profile, THRESHOLDS[d["qam"], d["rate"]])

    def frequencies_of(d, profile):
        return [step * limit_of(d, profile)[0] for step in ladder]

    for name, d, profile, frequencies, needed in walk(settings, settings.chosen(CHOSEN, ("2K",)), frequencies_of):
        (most, why), highest, cells = limit_of(d, profile), reached(frequencies, needed), list(map(cell, needed))
        result.add(name, modes.describe(d), profile, most, why, *cells, highest)
        settings.say(f"{name}, {profile}: {' | '.join(cells)}; limit {most:.1f} Hz, reached {highest:.1f} Hz")
        short += [f"{name} {profile}"] if highest < most else []
        total += 1
    result.judge("80 % of the Doppler limit with the threshold in white noise", f"reached by all {total}",
                 f"{total - len(short)}; missed by: {', '.join(short) or 'none'}", not short)
    return result
