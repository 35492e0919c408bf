# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives a set of modes that covers all pairs of options. Received packets must equal the transmitted packets."""
import t2_combinations
import t2_trial

from .processes import pool
from .results import Result


def trial(number):
    return number, t2_trial.run(t2_combinations.combinations()[number])


def measure(settings):
    result = Result("Combinations of parameters", ["number", "combination", "packets as sent", "wrong", "marked", "missing",
                                                   "first packet, frames", "carrier found, frames", "C/N, dB"])
    numbers = range(0, t2_combinations.COMBINATIONS, 20 if settings.quick else 1)
    failed, firsts, carriers, trials = [], [], [], {}
    with pool(settings.jobs) as workers:
        for number, one in workers.map(trial, numbers):
            trials[number] = one
            settings.say(f"{number}: {'right' if one.passed else 'WRONG'}, first packet after {one.first:.2f} frames: {one.name}")
    for number, one in trials.items():
        result.add(number, one.name, one.right, one.wrong, one.marked, one.missing, one.first, one.carrier,
                   one.status["cn_db"])
        failed += [] if one.passed else [number]
        firsts.append(one.first)
        carriers.append(one.carrier)
    failures = ", ".join(map(str, failed)) or "none"
    result.judge("combinations with every packet as sent", f"{len(trials)} of {len(trials)}",
                 f"{len(trials) - len(failed)}; failed: {failures}", not failed)
    result.judge("first packet, frames after the start of the first whole P1", f"at most {t2_trial.FIRST_PACKET}",
                 f"{max(firsts):.2f} maximum, {sum(firsts) / len(firsts):.2f} on average", max(firsts) <= t2_trial.FIRST_PACKET)
    result.judge("carrier offset found, frames after it", "at most 1", f"{max(carriers):.2f} maximum", max(carriers) <= 1)
    return result
