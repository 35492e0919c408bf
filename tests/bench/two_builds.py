#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the speed of two builds, for example gcc and clang, as Markdown.

The ldpc-bench of each build runs alternately, with one thread. The table contains the best run of each build.

  tests/bench/two_builds.py build build-clang
"""
import json
import subprocess
from pathlib import Path

import click

CODES = (("wimax:2304:1/2", 10), ("wifi:1944:5/6", 10), ("dvbt2:16200:1/2", 20), ("dvbt2:64800:1/2", 20), ("dvbt2:64800:5/6", 20))


def measure(build, code, iterations, kernel, seconds):
    """Coded Mbit/s of the fastest run, or None if the build lacks the kernel."""
    call = (build / "bin/ldpc-bench", "--backend", "cpu", "--kernel", kernel, "--code", code, "--iterations", str(iterations),
            "--seconds", str(seconds), "--no-tuning", "--json", "-")
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if "kernel" in done.stderr and done.returncode:
        return None
    done.check_returncode()
    return json.loads(done.stdout)["coded_mbps_best"]


def best_of_turns(builds, rounds, *case):
    turns = [[measure(build, *case) for build in builds] for _ in range(rounds)]
    return [max(speeds) if all(speeds) else None for speeds in zip(*turns)]


@click.command(help=__doc__)
@click.argument("first", type=click.Path(exists=True, path_type=Path))
@click.argument("second", type=click.Path(exists=True, path_type=Path))
@click.option("--kernel", "kernels", multiple=True, default=("avx512", "avx2", "sse41"), show_default=True, help="Kernels; may be repeated.")
@click.option("--seconds", default=0.15, show_default=True, help="Duration of a run.")
@click.option("--rounds", default=6, show_default=True, help="Runs of each build.")
def main(first, second, kernels, seconds, rounds):
    print(f"| code, iterations, kernel | {first.name}, Mbit/s | {second.name}, Mbit/s | ratio |\n|---|---|---|---|")
    for kernel in kernels:
        for code, iterations in CODES:
            a, b = best_of_turns((first, second), rounds, code, iterations, kernel, seconds)
            if a and b:
                print(f"| {code}, {iterations}, {kernel} | {a:.0f} | {b:.0f} | {b / a:.2f} |", flush=True)


if __name__ == "__main__":
    main()
