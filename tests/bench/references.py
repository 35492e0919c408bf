#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares error rates with those of AFF3CT (https://github.com/aff3ct/error_rate_references).

Each curve of a known code is simulated at the same Eb/N0. Prints the distance of the curves in dB at frame error rates of 1e-1 to 1e-4.
The distance is positive if this library needs a higher Eb/N0.

    git clone https://github.com/aff3ct/error_rate_references
    PYTHONPATH=build/test_modules python3 tests/bench/references.py error_rate_references --minutes 5 > table.md

AFF3CT's layered schedule processes checks one by one. This library processes the checks of a circulant together. With --one-by-one,
layered DVB curves are also simulated in AFF3CT's order, on the CPU.

Both curves are interpolated on one grid (logarithm of the rate over dB). +- is one standard deviation of the frame errors.
"""
import json
import math
import os
import pathlib
import re
import sys
import time

import click

import libldpc
from libldpc.tools import cli, result_files

TARGETS = (1e-1, 1e-2, 1e-3, 1e-4)
FEWEST = 10  # minimum frame errors of a usable point
CODES = {  # (standard, n, k) in a file name
    ("DVB-S2", 16200, 11880): "dvbs2:16200:3/4", ("DVB-S2", 16200, 12600): "dvbs2:16200:4/5", ("DVB-S2", 16200, 13320): "dvbs2:16200:5/6",
    ("DVB-S2", 16200, 14400): "dvbs2:16200:8/9", ("WiMAX", 576, 288): "wimax:576:1/2", ("WiMAX", 576, 480): "wimax:576:5/6",
    ("Wi-Fi", 648, 540): "wifi:648:5/6", ("CCSDS", 128, 64): "ccsds:tc:128", ("eth_10Gbps", 2048, 1723): "ethernet:2048",
}
RULES = {"SPA": "sum-product", "NMS": "normalized"}
SCHEDULES = {"flooding": "flooding", "hlayered": "layered"}
NAME = re.compile(r"LDPC_N(\d+)_K(\d+)_(flooding|hlayered)_(SPA|NMS)_i(\d+)_(.+)")


class Reference:
    """A published curve and its decoder."""

    def __init__(self, path, match, code, one_by_one):
        n, k, schedule, rule, iterations, _ = match.groups()
        text = path.read_text(encoding="utf-8")
        facts = dict(re.findall(r"^#\s+\*\* (.*?) *= (.*?) *$", text, re.MULTILINE))
        self.file, self.code, self.n, self.one_by_one = path.stem, code, int(n), one_by_one
        self.parameters = {"algorithm": RULES[rule], "schedule": SCHEDULES[schedule], "max_iterations": int(iterations), "arithmetic": "float",
                           "early_stop": "--dec-no-synd" not in text.partition("[trace]")[0]}
        if rule == "NMS":
            self.parameters["factor"] = float(next(value for name, value in facts.items() if name.startswith("Normalize factor")))
        points = result_files.read(str(path))[0]["points"]
        first = max((i for i, p in enumerate(points) if p["fer"] >= TARGETS[0]), default=0)
        last = next((i for i, p in enumerate(points) if p["fer"] < TARGETS[-1]), len(points))
        self.points = [p for p in points[first:last + 1] if p["frame_errors"]]
        decoder = libldpc.code(code)
        if (decoder.n, decoder.k) != (int(n), int(k)):
            raise ValueError(f"{path}: {code} has n = {decoder.n}, k = {decoder.k}")

    def share(self, point):
        """Returns the weight of a point in the time budget: the square root of the cost of a frame error."""
        return math.sqrt(self.n * self.parameters["max_iterations"] / point["fer"])

    def decoder(self, backend, threads):
        code = libldpc.code(self.code)
        if self.one_by_one:
            code, backend = libldpc.code.from_edges(code.checks, code.columns, *code.parity_matrix()), "cpu"
        return libldpc.decoder(code, backend=backend, threads=threads, **self.parameters)

    @property
    def describes(self):
        p = self.parameters
        rule = p["algorithm"] + (f":{p['factor']:g}" if "factor" in p else "")
        return f"{rule}, {p['schedule']}, {p['max_iterations']}" + (", one by one" if self.one_by_one else "")


def references(folder, only, one_by_one):
    """Returns the published curves that can be simulated, sorted by name."""
    found = []
    for path in sorted(pathlib.Path(folder, "LDPC", "AWGN", "BPSK").glob("BP_*/*/*.txt")):
        match = NAME.fullmatch(path.stem)
        code = match and CODES.get((match.group(6), int(match.group(1)), int(match.group(2))))
        differs = code and match.group(3) == "hlayered" and match.group(6) == "DVB-S2"
        if code and (only is None or only in path.stem) and (differs or not one_by_one):
            found.append(Reference(path, match, code, one_by_one))
    return found


LOWEST = -10  # dB, lower limit of any point, so that point numbers are not negative


def simulated(decoder, ebn0, goal, seconds):
    """Simulates a point until it has enough frame errors, for at most `seconds`."""
    point = {"ebn0": ebn0, "frames": 0, "frame_errors": 0}
    start, frames = time.monotonic(), 64 * max(1, decoder.threads)
    while point["frame_errors"] < goal and time.monotonic() - start < seconds:
        begin = time.monotonic()
        part = libldpc.simulate(decoder, ebn0, max_frames=frames, max_frame_errors=goal - point["frame_errors"], first_frame=point["frames"],
                                point=round(1000 * (ebn0 - LOWEST)))
        point["frames"] += part.frames
        point["frame_errors"] += part.frame_errors
        fitting = frames * min(4.0, seconds / 10 / max(1e-4, time.monotonic() - begin))
        frames = 64 * max(1, int(fitting / 64))
    point["fer"] = point["frame_errors"] / point["frames"]
    return point


def at_rate(points, target):
    """Returns the Eb/N0 in dB at which the curve reaches this rate, and the standard deviation of this Eb/N0. Returns None if the curve
    does not reach the rate."""
    points = sorted((p for p in points if p["frame_errors"] >= FEWEST), key=lambda p: p["ebn0"])
    for one, other in zip(points, points[1:]):
        if one["fer"] >= target >= other["fer"] and one["fer"] > other["fer"]:
            logs = math.log(one["fer"]), math.log(other["fer"])
            slope = (logs[1] - logs[0]) / (other["ebn0"] - one["ebn0"])
            share = (math.log(target) - logs[0]) / (logs[1] - logs[0])
            spread = math.hypot((1 - share) / math.sqrt(one["frame_errors"]), share / math.sqrt(other["frame_errors"]))
            return one["ebn0"] + share * (other["ebn0"] - one["ebn0"]), abs(spread / slope)
    return None


def distance(ours, theirs, target):
    """Returns the difference to the Eb/N0 of AFF3CT in dB, as text."""
    found = at_rate(ours, target), at_rate(theirs, target)
    if None in found:
        return "-"
    (mine, my_spread), (other, other_spread) = found
    return f"{mine - other:+.3f} +- {math.hypot(my_spread, other_spread):.3f}"


def row(cells):
    return "| " + " | ".join(cells) + " |"


@click.command(context_settings=cli.SETTINGS)
@click.argument("checkout", type=click.Path(exists=True, file_okay=False))
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=5.0, help="For all curves together.")
@click.option("--errors", type=click.IntRange(1), default=400, help="Wrong frames after which a point ends.")
@click.option("--only", default=None, help="Curves whose file name has this in it.")
@click.option("--one-by-one", is_flag=True, help="Layered curves of DVB codes, with the checks one by one.")
@click.option("--backend", default="cpu", help="cpu or cuda.")
@click.option("--threads", type=click.IntRange(0), default=0, help="0 = one per core.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="Write all counts.")
def main(checkout, minutes, errors, only, one_by_one, backend, threads, json_file):
    """Simulate the curves in CHECKOUT and print a Markdown table."""
    curves = references(checkout, only, one_by_one)
    if not curves:
        raise click.UsageError(f"{checkout}: no curve of a code that is here")
    end, left = time.monotonic() + 60 * minutes, sum(curve.share(point) for curve in curves for point in curve.points)
    print(row(["code", "rule, schedule, iterations", *(f"{target:.0e}" for target in TARGETS), "wrong frames here"]))
    print(row(["---"] * (3 + len(TARGETS))))
    record = []
    for curve in curves:
        decoder = curve.decoder(backend, threads or cli.cores())
        ours = []
        for point in curve.points:
            share = curve.share(point)
            ours.append(simulated(decoder, point["ebn0"], errors, max(0.05, (end - time.monotonic()) * share / left)))
            left -= share
        counted = [point["frame_errors"] for point in ours]
        print(row([curve.code, curve.describes, *(distance(ours, curve.points, target) for target in TARGETS),
                   f"{min(counted, default=0)} .. {max(counted, default=0)}"]), flush=True)
        record.append({"file": curve.file, "code": curve.code, "parameters": curve.parameters, "points": ours})
    if json_file:
        pathlib.Path(json_file).write_text(json.dumps({"version": libldpc.__version__, "cores": os.cpu_count(), "curves": record}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(prog_name="references.py"))
