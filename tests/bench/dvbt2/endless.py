# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives 24 minutes of signal at full speed. Checks the order of packets and the memory of the process.

The signal is repeated. A packet that is cut at the end of a repetition does not count as lost."""
import os
import time

import libdvbt2
import numpy as np
import t2_loop
from libdvbt2.tools.reception import Reception
from t2_packets import indices

from . import modes, speed
from .cn import RATE, prepare
from .memory import resident_mb
from .processes import in_child
from .results import Result

MINUTES = 24.0
MOST_THREADS = 8 # of the LDPC decoder, where --jobs asks for more
GROWTH_MB = 1.0
PROGRESS = 60    # repetitions of the signal between two lines


class Order:
    """Counts packets out of order."""

    def __init__(self, period):
        self.period, self.count, self.offset, self.jumps = period, 0, None, 0

    def __call__(self, packets):
        index = indices(packets)
        known = np.flatnonzero(index >= 0)
        offset = (index[known] - self.count - known) % self.period
        if len(offset) and self.offset is None:
            self.offset = offset[0]
        self.jumps += np.count_nonzero(np.diff(offset, prepend=offset[:1] if self.offset is None else self.offset))
        self.offset = offset[-1] if len(offset) else self.offset
        self.count += len(packets)


def run(data, period, minutes, most_seconds, threads):
    """Returns the length of the signal in minutes, the run time in seconds, the Order of the packets, the counters, the status, and the
    memory in MB over time."""
    receiver, decoder, order = libdvbt2.receiver(RATE, "cs16"), libdvbt2.plp_decoder(threads=threads, max_iterations=25), Order(period)
    reception = Reception(receiver, RATE, [decoder], [order])
    start, sizes = time.monotonic(), []
    while reception.seconds < 60 * minutes and time.monotonic() < start + most_seconds:
        for chunk in speed.chunks(data):
            reception.push(chunk)
        if len(sizes) % PROGRESS == 0:
            print(f"{reception.seconds / 60:6.1f} minutes of signal in {time.monotonic() - start:.0f} s", flush=True)
        sizes.append(resident_mb(os.getpid()))
    reception.finish()
    return reception.seconds / 60, time.monotonic() - start, order, decoder.counters(), receiver.status(), sizes


def measure(settings):
    d, _inputs, stem = modes.clean(settings.folder, speed.MODE)
    _mode, _name, path, _stem = prepare(settings.folder, speed.MODE, "awgn", (((0, 1),),), 0., 0.)
    data = speed.samples(t2_loop.load(path), 4)
    period = len(modes.packets(stem))
    minutes, seconds, order, counters, status, sizes = in_child(run, data, period, .05 if settings.quick else MINUTES, settings.left,
                                                                min(settings.jobs, MOST_THREADS))
    growth = max(sizes[len(sizes) // 2:]) - max(sizes[:len(sizes) // 2 + 1])
    result = Result(f"{minutes:.1f} minutes of mode {speed.MODE} without a pause",
                    ["minutes", "times real time", "packets", "out of order", "codewords", "wrong", "frames lost", "locks", "MB"])
    result.add(minutes, minutes * 60 / seconds, order.count, order.jumps, counters["codewords"], counters["bch_failed"],
               status["lost_frames"], status["locks"], max(sizes))
    lost = order.jumps + counters["bch_failed"] + status["lost_frames"]
    result.judge("length", f"{MINUTES:g} minutes", f"{minutes:.1f} minutes", minutes >= MINUTES or settings.quick)
    result.judge("packets lost or out of order", "none", f"{lost}", not lost)
    result.judge("growth of resident memory from the first half to the second", "none", f"{growth:+.2f} MB", growth <= GROWTH_MB)
    return result
