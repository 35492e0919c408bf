# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the C/N for one packet error per second over the Doppler frequency fd, in TU-6 and with two paths of 0 dB.

The target is 80 % of the lower of two limits:
    pilots        fd = 1 / (2 Dy (Tu + Tg))
    interference  intercarrier interference 3 dB below the C/N threshold of the mode in this channel. The interference is
                  (pi fd Tu)^2 / 6 in TU-6, and (pi fd Tu)^2 / 3 with paths of +fd and -fd."""
import itertools
import math

import numpy as np
from t2_standard import DXY

from . import fading, modes
from .codewords import receive
from .processes import pool
from .results import Result

# C/N in dB for a codeword error rate of 1e-3 in AWGN with perfect channel knowledge.
THRESHOLDS = {("QPSK", "1/2"): 1.5, ("16QAM", "1/2"): 6.6, ("64QAM", "1/2"): 10.6, ("64QAM", "2/3"): 14.0,
              ("256QAM", "3/5"): 17.6, ("256QAM", "2/3"): 18.7}
CHOSEN = "32K PP2", "32K PP4", "32K PP7", "32K PP4 256QAM", "16K", "8K", "2K"
ECHO = 20e-6         # s, delay of the second path; at most 90 % of the guard interval
LADDER = .2, .6, 1.0, 1.25, 1.6
SECONDS = 2.5        # signal time per C/N
MOST_ABOVE = 18      # dB; end of the search above the first point


def paths_of(profile, d):
    return fading.TU6 if profile == "TU-6" else fading.two_paths(min(ECHO, .9 * modes.guard_seconds(d)))


def pilots_limit(d):
    return d["fs"] / (2 * DXY[d["pp"]][1] * (d["nfft"] + d["guard"]))


def interference_limit(d, profile, db):
    """Returns the Doppler frequency in Hz at which the power of the intercarrier interference is `db` dB relative to the signal."""
    share = 6 if profile == "TU-6" else 3
    return math.sqrt(share * 10 ** (db / 10)) / math.pi * d["fs"] / d["nfft"]


def threshold(d, profile):
    """Returns the required C/N in dB, averaged over all phases of the paths."""
    levels = (np.arange(2000) + .5) / 2000
    power = -np.log(levels) if profile == "TU-6" else 1 + np.cos(np.pi * levels)
    needed = np.log2(1 + 10 ** (THRESHOLDS[d["qam"], d["rate"]] / 10))
    return next(cn for cn in np.arange(0, 40, .02) if np.log2(1 + 10 ** (cn / 10) * power).mean() >= needed)


def limit(d, profile, needed):
    """Returns 80 % of the maximum Doppler frequency at the required C/N, and the name of the limiting effect."""
    pilots, carriers = pilots_limit(d), interference_limit(d, profile, -needed - 3)
    return .8 * min(pilots, carriers), "pilots" if pilots < carriers else "carriers"


def wanted(d, profile):
    """Returns the target Doppler frequency, and the name of the limiting effect."""
    return limit(d, profile, threshold(d, profile))


def packet_errors(count, d):
    """Converts codeword errors to wrong packets per second."""
    seconds = count.codewords / d["nblocks"] / (d["fs"] / d["frame_samples"])
    packets = d["ts_packets"] / d["frames"] / d["nblocks"]
    return count.wrong * packets / seconds


def search(path, profile, doppler, seed, seconds):
    """Returns the lowest C/N (1 dB steps) with at most one wrong packet per second, or infinity."""
    d = fading.parameters(path)
    loop = fading.load(path, paths_of(profile, d), doppler)
    codewords = math.ceil(seconds * d["fs"] / d["frame_samples"]) * d["nblocks"]

    def errors(cn):
        return packet_errors(receive(loop, cn, 1000 * seed + round(doppler * 8) + 1, codewords), d)

    first = cn = math.floor(threshold(d, profile)) + 2
    while (bad := errors(cn)) > 1:
        cn += 4 if bad > 2000 else 2
        if cn > first + MOST_ABOVE:
            return math.inf
    while cn > first - 3 and errors(cn - 1) <= 1:
        cn -= 1
    return cn


def prepare(folder, name, profile):
    d, inputs, stem = modes.clean(folder, name)
    path = f"{stem}-{profile}"
    fading.prepare(d, inputs[0], paths_of(profile, d), path)
    return path


def cell(values):
    """Formats the required C/N of all fading realisations in ascending order. "-": no C/N is sufficient."""
    return ", ".join("-" if math.isinf(cn) else str(cn) for cn in sorted(values))


def reached(frequencies, needed):
    """Returns the highest Doppler frequency at which reception is possible in all fading realisations, or 0."""
    received = itertools.takewhile(lambda point: math.isfinite(max(point[1])), zip(frequencies, needed))
    return max((frequency for frequency, _ in received), default=0.0)


def walk(settings, chosen, frequencies_of):
    """Yields (mode, parameters, profile, frequencies, C/N). The C/N has a value for each fading realisation and frequency."""
    pairs = list(itertools.product(chosen, ("TU-6", "two paths")))
    seconds = .5 if settings.quick else SECONDS
    with pool(settings.jobs) as workers:
        list(workers.map(modes.clean, [settings.folder] * len(chosen), chosen))
        paths = list(workers.map(prepare, [settings.folder] * len(pairs), *zip(*pairs)))
        settings.say("signals are made")
        ladders = [frequencies_of(modes.known(settings.folder, name), profile) for name, profile in pairs]
        running = [[[workers.submit(search, path, profile, f, seed, seconds) for seed in range(settings.seeds)] for f in ladder]
                   for (_, profile), path, ladder in zip(pairs, paths, ladders)]
        for (name, profile), ladder, points in zip(pairs, ladders, running):
            yield name, modes.known(settings.folder, name), profile, ladder, [[future.result() for future in point] for point in points]


def measure(settings):
    ladder = (1.0,) if settings.quick else LADDER
    result = Result("Channels that move: C/N in dB for one packet error per second, for each fading, at parts of the wanted Doppler limit",
                    ["mode", "parameters", "channel", "needs, dB", "wanted, Hz", "set by"] + [f"at {100 * x:.0f} %" for x in ladder]
                    + ["reached, Hz"])
    short, total = [], 0

    def frequencies_of(d, profile):
        return [step * wanted(d, profile)[0] for step in ladder]

    for name, d, profile, frequencies, needed in walk(settings, settings.chosen(CHOSEN, ("2K",)), frequencies_of):
        (most, why), highest, cells = wanted(d, profile), reached(frequencies, needed), list(map(cell, needed))
        result.add(name, modes.describe(d), profile, threshold(d, profile), most, why, *cells, highest)
        settings.say(f"{name}, {profile}: {' | '.join(cells)}; wanted {most:.1f} Hz, reached {highest:.1f} Hz")
        short += [f"{name} {profile}"] if highest < .999 * most else []
        total += 1
    result.judge("Doppler limit, 80 % of what pilots and interference allow", f"reached by all {total}",
                 f"{total - len(short)}; missed by: {', '.join(short) or 'none'}", not short)
    return result
