# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the loss caused by carrier and clock offsets, in all modes and bandwidths."""
import t2_loop

from . import modes
from .cell_errors import loss
from .cn import BEGIN
from .processes import pool
from .results import Result

RATE = 10e6
CARRIER, PPM = 500e3, 100.0
ABOVE = 1.0           # dB above the C/N for a codeword error rate of 1/2
PRESET = "8k"         # preset for the bandwidths
FACTORS = {1.7: 2.0}  # sample rate times T; others: as 10 MHz for 8 MHz channels


def signal(folder, mode, rate, carrier, ppm, cn, bandwidth=8):
    """Returns the loss in dB relative to perfect channel knowledge, the status, and the number of frames."""
    d, inputs, stem = modes.short(folder, mode)
    found = loss(t2_loop.through_channel(d, inputs, rate=rate, carrier=carrier, ppm=ppm), stem, cn, bandwidth=bandwidth)
    return found.db, found.status


def nine_modes(settings, result):
    chosen = settings.chosen(modes.NINE, quick="1")
    offsets = ((0, 0), (CARRIER, PPM)) if settings.quick else ((0, 0), (CARRIER, PPM), (-CARRIER, -PPM))
    wanted = [(settings.folder, mode, RATE, carrier, ppm, BEGIN[mode] + ABOVE) for mode in chosen for carrier, ppm in offsets]
    with pool(settings.jobs) as workers:
        list(workers.map(modes.short, [settings.folder] * len(chosen), chosen))
        found = dict(zip([(w[1], w[3]) for w in wanted], workers.map(signal, *zip(*wanted))))
    lost = []
    for mode in chosen:
        d = modes.short(settings.folder, mode)[0]
        for carrier, ppm in offsets:
            db, status = found[mode, carrier]
            more = db - found[mode, 0][0]
            lost.append(more)
            result.add(mode, modes.describe(d), f"{carrier / 1e3:+.0f} kHz, {ppm:+.0f} ppm", db, more,
                       f"{status['carrier_hz'] / 1e3:+.3f} kHz, {status['clock_ppm']:+.2f} ppm")
        settings.say(f"mode {mode}: {max(lost):.3f} dB maximum loss so far")
    return max(lost)


def bandwidths(settings, result):
    """Tests all bandwidths. If the same samples are sent at another rate, the signal has another bandwidth."""
    lost, cn = [], 20.0
    for bandwidth, elementary in modes.ELEMENTARY_RATE.items():
        if settings.quick and bandwidth != 1.7:
            continue
        ratio = elementary / modes.ELEMENTARY_RATE[8]
        rate = FACTORS[bandwidth] * modes.ELEMENTARY_RATE[8] if bandwidth in FACTORS else RATE
        d = modes.short(settings.folder, PRESET)[0]
        room = (rate - d["cps"] / d["nfft"] * d["fs"]) / 2
        most = min(CARRIER / ratio, room)  # scaled from a channel of 8 MHz
        plain, _status = signal(settings.folder, PRESET, rate, 0, 0, cn, bandwidth)
        for carrier, ppm in ((most, PPM), (-most, -PPM)):
            db, status = signal(settings.folder, PRESET, rate, carrier, ppm, cn, bandwidth)
            lost.append(db - plain)
            result.add(f"{bandwidth} MHz", modes.describe(d), f"{carrier * ratio / 1e3:+.0f} kHz, {ppm:+.0f} ppm", db, db - plain,
                       f"{status['carrier_hz'] / 1e3:+.3f} kHz, {status['clock_ppm']:+.2f} ppm")
        settings.say(f"{bandwidth} MHz: {max(lost):.3f} dB maximum loss so far")
    return max(lost)


def measure(settings):
    result = Result("Offsets of carrier and clock", ["mode", "parameters", "offsets", "against perfect knowledge, dB",
                                                     "lost by the offsets, dB", "measured"])
    worst = max(nine_modes(settings, result), bandwidths(settings, result))
    result.judge("lost by offsets of carrier and clock", "at most 0.1 dB", f"{worst:.3f} dB maximum", worst <= .1)
    return result
