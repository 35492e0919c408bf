#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the scaling of ldpc-ber's simulation with one thread, two threads, and two ranks of one thread.

The three variants run alternately, and the best run of each is printed. The ranks are processes with pipes instead of MPI.
On two cores:

  taskset -c 2,3 build/bin/ldpc-python tests/bench/ber_ranks.py
"""
import multiprocessing
import time

import click

import libldpc
from libldpc.tools import simulator, tuning

RUN = {"modulation": "bpsk", "fading": "none", "esn0": False, "zero_codeword": False, "seed": 1}


class Pipes:
    """Connects rank 0 with the other ranks by pipes."""

    def __init__(self, rank, size, pipes):
        self.rank, self.size, self.pipes = rank, size, pipes

    def gather(self, item):
        if self.rank:
            self.pipes[0].send(item)
            return None
        return [item] + [pipe.recv() for pipe in self.pipes]

    def broadcast(self, item):
        if self.rank:
            return self.pipes[0].recv()
        for pipe in self.pipes:
            pipe.send(item)
        return item


def work(team, threads, code, iterations, frames):
    """Runs one rank. Rank 0 returns the time in seconds and the bit errors of a point."""
    def make():
        return libldpc.decoder(code, max_iterations=iterations, early_stop=False, threads=threads)

    worker = simulator.Simulator(team, make, RUN, threads)
    for goal in (frames // 20, frames):  # the first run is a warm-up
        point = simulator.Point(2.0, {"max_frames": goal, "max_frame_errors": 0})
        worker.point(point)
    return point.seconds, point.counts.bit_errors


def measure(ranks, threads, *job):
    ends = [multiprocessing.Pipe() for _ in range(ranks - 1)]
    others = [multiprocessing.Process(target=work, args=(Pipes(rank + 1, ranks, [theirs]), threads, *job))
              for rank, (_, theirs) in enumerate(ends)]
    for process in others:
        process.start()
    result = work(Pipes(0, ranks, [mine for mine, _ in ends]), threads, *job)
    for process in others:
        process.join()
    return result


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--code", default="wimax:2304:1/2")
@click.option("--iterations", default=10)
@click.option("--frames", default=500_000)
@click.option("--turns", default=3)
def main(code, iterations, frames, turns):
    multiprocessing.set_start_method("spawn")
    ways = {"one thread": (1, 1), "two threads": (1, 2), "two ranks": (2, 1)}
    best, errors = {}, set()
    for _ in range(turns):
        for name, way in ways.items():
            seconds, wrong = measure(*way, code, iterations, frames)
            best[name] = min(seconds, best.get(name, seconds))
            errors.add(wrong)
            print(f"  {name}: {seconds:.3f} s", flush=True)
    print(f"best, {code}, {iterations} iterations, {frames} frames, {tuning.cpu_name()}, {time.strftime('%F')}; counts {'equal' if len(errors) == 1 else 'DIFFER'}")
    for name, seconds in best.items():
        print(f"  {name}: {seconds:.3f} s, {best['one thread'] / seconds:.2f} times one thread")


if __name__ == "__main__":
    main()
