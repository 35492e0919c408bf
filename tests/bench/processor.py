# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of the threads of this process."""
import glob


def thread_seconds():
    """Returns {block: CPU time of its thread} (Linux)."""
    times = {}
    for task in glob.glob("/proc/self/task/*/"):
        try:
            with open(task + "comm", encoding="utf-8") as comm, open(task + "schedstat", encoding="utf-8") as stat:
                name = comm.read().strip()[:12].rstrip("0123456789")  # names have at most 15 characters and end with a number
                times[name] = times.get(name, 0.0) + 1e-9 * int(stat.read().split()[0])
        except FileNotFoundError:  # the thread has ended
            pass
    return times


def shares(before, seconds):
    """Returns the CPU load of each block since `before`. The loads are sorted. Loads below 0.5 % are omitted."""
    busy = {name: (value - before.get(name, 0.0)) / seconds for name, value in thread_seconds().items()}
    return {name: share for name, share in sorted(busy.items(), key=lambda item: -item[1]) if share > 0.005}
