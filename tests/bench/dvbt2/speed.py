# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the speed in the UK mode, as a multiple of real time. The samples are cs16 at 10 and 20 MS/s.

The receiver converts samples to cells on one core, and samples to packets on two cores.
"""
import os
import time

import libdvbt2
import numpy as np
import t2_loop
from libdvbt2.tools.reception import Reception

from . import modes
from .cn import BEGIN, prepare
from .processes import in_child
from .results import Result

MODE = "7"
CN = BEGIN[MODE] + .2 + 1.0  # 1 dB above the threshold
LOOPS = 14                   # contiguous loops of the signal per run, at the first rate
TURNS = 5
# (samples per second, required speed as a multiple of real time)
RATES = (10e6, 4), (20e6, 1)
LEVEL = 10 ** (-12 / 20)
CHUNK = 1 << 18              # samples per push, as in ldpc-dvbt2


def samples(loop, loops):
    """Noisy samples in cs16."""
    power = np.sqrt(loop.power + loop.noise_power(CN))
    return np.concatenate([t2_loop.quantise(block, "cs16", LEVEL / power)
                           for block in loop.blocks(loops * len(loop.x), CN)])


def chunks(data):
    for first in range(0, len(data), 2 * CHUNK):
        yield data[first:first + 2 * CHUNK]


def front_end(data, rate, cores):
    """Returns the seconds that a locked receiver needs from samples to cells."""
    os.sched_setaffinity(0, cores)
    receiver = libdvbt2.receiver(rate, "cs16")
    times = []
    for _turn in range(1 + TURNS):  # the first turn is for acquisition
        start, cells = time.perf_counter(), 0
        for chunk in chunks(data):
            for found in libdvbt2.cells_of(receiver, chunk):
                cells += len(found[0])
        times.append(time.perf_counter() - start)
    return min(times[1:]), receiver.status(), {}


def whole(data, rate, cores):
    """Returns the seconds that a locked receiver needs from samples to packets. The receiver runs in the threads of ldpc-dvbt2."""
    os.sched_setaffinity(0, cores)
    receiver, decoder = libdvbt2.receiver(rate, "cs16"), libdvbt2.plp_decoder(threads=1, max_iterations=25)
    times, packets = [], []
    reception = Reception(receiver, rate, [decoder], [lambda p: packets.append(len(p))])
    start = time.perf_counter()
    for _turn in range(1 + TURNS):
        for chunk in chunks(data):
            reception.push(chunk)
        times.append(time.perf_counter() - start)
    reception.finish()
    times[-1] = time.perf_counter() - start  # includes data queued between the threads
    return (times[-1] - times[0]) / TURNS, receiver.status(), decoder.counters()


def measure_rate(settings, result, rate, target):
    name = "awgn" if rate == RATES[0][0] else f"awgn{rate / 1e6:g}"
    _mode, _name, path, _stem = prepare(settings.folder, MODE, name, (((0, 1),),), 0., 0., rate)
    data = samples(t2_loop.load(path), 3 if settings.quick else round(LOOPS * RATES[0][0] / rate))
    seconds = len(data) / 2 / rate
    available = sorted(os.sched_getaffinity(0))
    for what, function, n_cores in (("front end", front_end, 1), ("whole receiver", whole, 2), ("whole receiver", whole, 1)):
        took, status, counters = in_child(function, data, rate, set(available[:n_cores]))
        words = counters.get("codewords", 0)
        times = seconds / took
        result.add(rate / 1e6, what, n_cores, times, counters["iterations"] / words if words else "", words,
                   counters.get("bch_failed", ""))
        settings.say(f"{rate / 1e6:g} MS/s, {what} on {n_cores} cores: {times:.2f} times real time, locks {status['locks']}")
        if (what, n_cores) != ("whole receiver", 1):
            result.judge(f"{what} on {n_cores} core{'s' if n_cores > 1 else ''}, {rate / 1e6:g} MS/s",
                         "real time" if target == 1 else f"at least {target} times real time", f"{times:.2f}", times >= target)


def measure(settings):
    result = Result(f"Speed, mode {MODE}, cs16, C/N {CN:.1f} dB, at most 25 iterations",
                    ["MS/s", "what", "cores", "times real time", "iterations on average", "codewords", "wrong"])
    for rate, target in RATES:
        measure_rate(settings, result, rate, target)
    return result
