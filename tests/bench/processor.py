# SPDX-License-Identifier: BSD-3-Clause
"""What the threads of this process cost."""
import glob


def thread_seconds():
    """Processor time of each block's thread so far, by name; Linux only."""
    times = {}
    for task in glob.glob("/proc/self/task/*/"):
        try:
            with open(task + "comm", encoding="utf-8") as comm, open(task + "schedstat", encoding="utf-8") as stat:
                name = comm.read().strip()[:12].rstrip("0123456789")  # cut, because a number follows and 15 fit
                times[name] = times.get(name, 0.0) + 1e-9 * int(stat.read().split()[0])
        except FileNotFoundError:  # a thread that has ended meanwhile
            pass
    return times


def shares(before, seconds):
    """Processors that were busy with each name since `before`, the greatest first; small ones are left out."""
    busy = {name: (value - before.get(name, 0.0)) / seconds for name, value in thread_seconds().items()}
    return {name: share for name, share in sorted(busy.items(), key=lambda item: -item[1]) if share > 0.005}
