# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how many receivers run in real time on this host, with CPU decoding and, if present, with a GPU. Estimates the gain of a
GPU front end. Each receiver is a process."""
import os
import time

import libdvbt2
import libldpc
import t2_loop
from libdvbt2.tools.reception import Reception

from . import modes, speed
from .cn import RATE, prepare
from .processes import CONTEXT, in_child
from .results import Result

LOOPS = 3           # loops of the signal in memory
SECONDS = 5.0       # duration of each measurement
ON_EACH_CORE = {"cpu": (1, 2), "cuda": (2, 3, 4)}  # receivers per core in a measurement of the whole host
MOST_TRIES = 6      # maximum numbers of receivers tested around the estimate
KEEPS_UP = 0.98     # required share of real time; the last chunks of the signal may be pending
FRAME = 0.25        # seconds, approximately; receivers of different signals receive their frames at different times
LINK = 25e9         # assumed bandwidth to a GPU, bytes per second
SAMPLE_BYTES = 4    # cs16


def receive(data, backend, seconds, in_real_time, delay, barrier, results):
    """Runs several receivers. Returns the speed of one receiver, as a multiple of real time. delay: time from lock to the measurement.
    in_real_time: samples arrive at the rate of the signal."""
    receiver = libdvbt2.receiver(RATE, "cs16")
    decoder = libdvbt2.plp_decoder(backend=backend, max_iterations=25)
    reception = Reception(receiver, RATE, [decoder], [lambda packets: None])
    for chunk in speed.chunks(data):  # locks, and makes what decoding needs
        reception.push(chunk)
    barrier.wait()
    time.sleep(delay)
    start, before = time.monotonic(), reception.seconds
    while time.monotonic() < start + seconds:
        for chunk in speed.chunks(data):
            reception.push(chunk)
            now = time.monotonic()
            if now >= start + seconds:
                break
            if in_real_time:
                time.sleep(max(0., start + reception.seconds - before - now))
    took, passed = time.monotonic() - start, reception.seconds - before
    reception.finish()
    results.put((passed / took, decoder.counters()["bch_failed"]))


def together(data, backend, count, seconds, in_real_time):
    """Runs `count` receivers. Returns their total speed and the lowest speed, as multiples of real time, and the number of wrong
    codewords."""
    barrier, results = CONTEXT.Barrier(count), CONTEXT.Queue()
    processes = [CONTEXT.Process(target=receive, args=(data, backend, seconds, in_real_time, FRAME * i / count, barrier, results))
                 for i in range(count)]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(rate for rate, _ in found), min(rate for rate, _ in found), sum(wrong for _, wrong in found)


def most_in_real_time(keep_up, start):
    """Returns the largest `count` near `start` for which keep_up(count) is true, or 0."""
    count = start
    if keep_up(count):
        while count < start + MOST_TRIES and keep_up(count + 1):
            count += 1
        return count
    for count in range(start - 1, max(0, start - 1 - MOST_TRIES), -1):
        if keep_up(count):
            return count
    return 0


def has_gpu():
    return libldpc.backends()["cuda"] == ""


def measure(settings):
    cores = len(os.sched_getaffinity(0))
    result = Result(f"Receivers in real time on a host of {cores} cores, mode {speed.MODE}, cs16 at 10 MS/s",
                    ["LDPC decoder", "receivers", "samples come", "times real time together", "slowest",
                     "wrong codewords, at the signal's seams"])
    modes.clean(settings.folder, speed.MODE)
    _mode, _name, path, _stem = prepare(settings.folder, speed.MODE, "awgn", (((0, 1),),), 0., 0.)
    data = speed.samples(t2_loop.load(path), 1 if settings.quick else LOOPS)
    seconds = 1.0 if settings.quick else SECONDS
    most = {}
    for backend in ("cpu", "cuda")[:1 + in_child(has_gpu)]:
        def run(count, in_real_time):
            total, slowest, wrong = together(data, backend, count, seconds, in_real_time)
            result.add(backend, count, "a tuner's" if in_real_time else "at once", total, slowest, wrong)
            settings.say(f"{backend}: {count} receivers, {total:.1f} times real time together, slowest {slowest:.3f}")
            return total, slowest
        counts = [each * cores for each in ON_EACH_CORE[backend][:1 if settings.quick else None]]
        estimate = max(int(run(count, False)[0]) for count in counts)
        most[backend] = most_in_real_time(lambda count: run(count, True)[1] >= KEEPS_UP, max(1, estimate))
    took, _status, _counters = in_child(speed.front_end, data, RATE, {min(os.sched_getaffinity(0))})
    front = took / (len(data) / 2 / RATE)
    result.add("front end alone", 1, "at once", 1 / front, 1 / front, "")
    for backend, count in most.items():
        rest = cores / max(count, 1) - front
        result.judge(f"receivers in real time, LDPC decoder on {backend}", "run", f"{count} of {cores} cores", count > 0)
        result.judge(f"the same with a front end on a GPU, estimated, LDPC decoder on {backend}", "estimated",
                     f"{cores / max(rest, 1e-3):.0f} by the cores, {LINK / (RATE * SAMPLE_BYTES):.0f} by the link to the GPU", True)
    return result
