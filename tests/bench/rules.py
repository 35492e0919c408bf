#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares check-node rules: Eb/N0 for frame error rates of 1e-2 and 1e-5, and speed relative to corrected min-sum. All rules decode the
same frames.

    build/bin/ldpc-python tests/bench/rules.py --backend cuda --minutes 8 > table.md

The points of a curve are 0.1 dB apart. A rate of 1e-5 needs about 2e6 frames for each rule: use a GPU or a short code.
"""
import time

import click

import libldpc
from libldpc.tools import cli
from references import at_rate, row, simulated

CODES = {  # one or two codes per family, with iterations
    "wimax:2304:1/2": 20, "wimax:576:5/6": 20, "wifi:1944:1/2": 20, "wifi:648:5/6": 20, "wigig:672:1/2": 20,
    "dvbs2:16200:1/2": 50, "dvbs2:64800:3/5": 50, "dvbt2:16200:1/2": 50, "dvbt2:64800:3/4": 50, "dvbc2:64800:9/10": 50,
    "dvbs2x:64800:13/18": 50, "dvbs2x:16200:8/15": 50, "nr:bg1:384:16896": 20, "nr:bg1:32:2112": 20, "nr:bg2:64:1280": 20, "nr:bg2:52:2600": 20,
    "ccsds:tc:128": 20, "ccsds:tc:512": 20, "ccsds:c2:8160": 20, "ccsds:ar4ja:1024:1/2": 20, "ccsds:ar4ja:4096:4/5": 20,
    "atsc3:16200:8/15": 50, "atsc3:64800:10/15": 50, "ethernet:2048": 20,
}
RULES = {"sum-product": {"arithmetic": "float"}, "corrected": {}, "three-min": {}, "offset": {}, "normalized": {}}
TARGETS = 1e-2, 1e-5
STEP = .1    # dB
HIGH = .7    # maximum frame error rate of sum-product at the start of a curve
FEW = 200    # frames to find the start
SPEED = .2   # s


class Curve:
    """Points of a check-node rule."""

    def __init__(self, code, rule, iterations, where):
        self.decoder = libldpc.decoder(code, algorithm=rule, max_iterations=iterations, threads=cli.cores(), **where | RULES[rule])
        self.points = []

    def measure(self, ebn0, errors, seconds):
        self.points.append(simulated(self.decoder, ebn0, errors, seconds))

    @property
    def ended(self):
        return bool(self.points) and self.points[-1]["fer"] < TARGETS[-1]

    def at(self, target):
        found = at_rate(self.points, target)
        return f"{found[0]:.3f} +- {found[1]:.3f}" if found else "-"


def beginning(code, iterations, where):
    """Returns the Eb/N0 in dB (multiple of STEP) at which most frames fail."""
    decoder = libldpc.decoder(code, algorithm="sum-product", max_iterations=iterations, threads=cli.cores(), **where | RULES["sum-product"])
    ebn0 = 5.0
    while ebn0 > -1 and libldpc.simulate(decoder, ebn0, max_frames=FEW).fer < HIGH:
        ebn0 -= STEP
    return ebn0


def speed(code, rule, iterations, where):
    """Returns the coded Mbit/s of a batch in which each codeword takes all iterations."""
    decoder = libldpc.decoder(code, algorithm=rule, max_iterations=iterations, early_stop=False, **where | RULES[rule])
    words = decoder.good_batch
    _, llrs = libldpc.noisy_frames(code, 2.5, count=words)
    return 1e-6 * words * decoder.n / float(decoder.time(llrs, SPEED, codewords=words).min())


def measure(name, rules, errors, where, end):
    """Prints the table rows of a code."""
    code, iterations = libldpc.code(name), CODES[name]
    curves, ebn0 = {rule: Curve(code, rule, iterations, where) for rule in rules}, beginning(code, iterations, where)
    while time.monotonic() < end and not all(curve.ended for curve in curves.values()):
        running = [curve for curve in curves.values() if not curve.ended]
        for curve in running:
            curve.measure(round(ebn0, 2), errors, max(.05, (end - time.monotonic()) / 4 / len(running)))
        ebn0 += STEP
    default = speed(code, "corrected", iterations, where)
    for rule, curve in curves.items():
        share = 1 if rule == "corrected" else speed(code, rule, iterations, where) / default
        print(row([f"{name}, {iterations}", rule, *(curve.at(target) for target in TARGETS), f"{share:.2f}"]), flush=True)


@click.command(context_settings=cli.SETTINGS, help=__doc__)
@click.option("--code", "codes", multiple=True, type=click.Choice(list(CODES)), help="Only this code; may be given again.")
@click.option("--rule", "rules", multiple=True, type=click.Choice(list(RULES)), help="Only this rule; may be given again.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True, help="For all codes together.")
@click.option("--errors", type=click.IntRange(1), default=50, show_default=True, help="Wrong frames after which a point ends.")
@click.option("--backend", default="cpu", show_default=True, help="cpu or cuda.")
@click.option("--arithmetic", type=click.Choice(["auto", "i8", "i16"]), default="auto", show_default=True, help="Of all rules but sum-product.")
def main(codes, rules, minutes, errors, backend, arithmetic):
    print(row(["code, iterations", "rule", *(f"dB for {target:.0e}" for target in TARGETS), "speed"]))
    print(row(["---"] * (3 + len(TARGETS))))
    codes, now = codes or tuple(CODES), time.monotonic()
    for i, name in enumerate(codes):
        left = now + 60 * minutes - time.monotonic()
        measure(name, rules or tuple(RULES), errors, {"backend": backend, "arithmetic": arithmetic}, time.monotonic() + left / (len(codes) - i))


if __name__ == "__main__":
    main(prog_name="rules.py")
