#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the loss and the benefit of clipping channel LLRs (llr_limit). All decoders decode the same frames.

Table 1: ratio of the frame error rates with and without limit, and loss in dB, with 95 % intervals.

  a         number of frames that are wrong with and without limit
  b         number of frames that are wrong only without limit
  c         number of frames that are wrong only with limit
  ratio     (a + c) / (a + b)
  variance  (b + c) / ((a + b) (a + c)), of the ratio's natural logarithm
  loss      log10(ratio) / slope; slope of the curve in decades per dB

Table 2: frame error rates if some LLRs are wrong or too large, without limit, with limit, and for sum-product in float.

    build/bin/ldpc-python tests/bench/llr_limit.py --backend cuda > tables.md
    build/bin/ldpc-python tests/bench/llr_limit.py --limit 24 --limit 31 --limit 40 --rate 1e-2 --errors 200 --code wimax:2304:1/2
"""
import datetime
import math
import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np

import libldpc
from libldpc.tools import cli
from rules import CODES

NO_LIMIT = FULL_SCALE = 127
LOW_RATE = 1e-5
LOW_RATE_CODES = (  # one of each family
    "wimax:2304:1/2", "wifi:1944:1/2", "wigig:672:1/2", "dvbs2:16200:1/2", "dvbt2:16200:1/2", "dvbc2:64800:9/10", "dvbs2x:16200:8/15",
    "nr:bg2:64:1280", "ccsds:ar4ja:1024:1/2", "atsc3:16200:8/15", "ethernet:2048",
)
DISTURBED_CODES = ("wimax:2304:1/2", "wifi:648:5/6", "dvbs2:16200:1/2", "dvbs2:64800:3/5", "nr:bg1:32:2112", "ethernet:2048")
STEP = .1                  # dB between points of a curve
HIGHEST = 6.0              # dB; most frames of all codes converge there
FEW = 20                   # frame errors of a point that only searches for the rate
ROUND = {"cpu": 1 << 25}   # bits simulated at once; 2^30 on a GPU
SIGMAS = 1.96              # half of a 95 % interval
ABOVE, FAR_ABOVE = 1, 3    # dB above the Eb/N0 for a frame error rate of 1e-2: for partly wrong LLRs, and for LLRs reduced to signs
WRONG = .1, .5, 1, 2       # percent of the bits


def row(cells):
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def head(*names):
    row(names)
    row(["---"] * len(names))


class Code:
    """Decoders of one code, one for each limit. All decode the same frames."""

    def __init__(self, name, limits, options):
        self.name, self.iterations, self.backend, self.limits = name, CODES[name], options["backend"], limits
        self.decoders = {limit: self.decoder(options, llr_limit=limit) for limit in limits}

    def decoder(self, options, **more):
        decoder = libldpc.decoder(self.name, max_iterations=self.iterations, threads=options["threads"],
                                  **{"backend": self.backend, "arithmetic": options["arithmetic"], **more})
        decoder.wait_kernel()
        return decoder

    def rate(self, ebn0, target):
        return libldpc.simulate(self.decoders[NO_LIMIT], ebn0, max_frames=int(2 * FEW / target), max_frame_errors=FEW, seed=2).fer

    def find(self, target):
        """Returns the Eb/N0 in dB at a frame error rate. Also returns the slope of the curve in decades per dB."""
        ebn0, curve = HIGHEST, []
        while self.rate(ebn0, .1) < .5:
            ebn0 -= 2 * STEP
        while not curve or (curve[-1][1] > target and ebn0 < 2 * HIGHEST):
            curve.append((ebn0, self.rate(ebn0, target)))
            ebn0 = round(ebn0 + STEP, 3)
        (_, before), (last, after) = curve[-2:]
        after = max(after, target / 10)
        slope = max(math.log10(before / after) / STEP, .1)
        return last - math.log10(target / after) / slope, slope

    def failed(self, ebn0, errors, end):
        """Returns the number of wrong frames for each limit, and the number of all frames."""
        round_ = max(1, ROUND.get(self.backend, 1 << 30) // self.decoders[NO_LIMIT].n // libldpc.SIM_BLOCK)
        masks, blocks = {limit: [] for limit in self.limits}, 0
        while not blocks or (sum(map(ones, masks[NO_LIMIT])) < errors and time.monotonic() < end):
            for limit, decoder in self.decoders.items():
                masks[limit].append(libldpc.simulate_blocks(decoder, ebn0, blocks, round_ * libldpc.SIM_BLOCK)["failed"].copy())
            blocks += round_
        return {limit: np.concatenate(parts) for limit, parts in masks.items()}, blocks * libldpc.SIM_BLOCK


def ones(masks):
    return int(np.unpackbits(masks.view(np.uint8)).sum())


def interval(middle, half, digits):
    return f"{middle:.{digits}f} ({middle - half:.{digits}f} .. {middle + half:.{digits}f})"


def compare(code, target, errors, end):
    """Prints table 1 with a row for each limit."""
    ebn0, slope = code.find(target)
    failed, frames = code.failed(ebn0, errors, end)
    without = ones(failed[NO_LIMIT])
    for limit in code.limits[1:]:
        wrong, differ = ones(failed[limit]), ones(failed[limit] ^ failed[NO_LIMIT])
        if not without or not wrong:
            row([f"{code.name}, {code.iterations}", limit, f"{ebn0:.2f}", frames, without, wrong, "-", "-"])
            continue
        log, sigma = math.log10(wrong / without), math.sqrt(max(differ, 1) / (without * wrong)) / math.log(10)
        ratio = f"{10**log:.3f} ({10**(log - SIGMAS * sigma):.3f} .. {10**(log + SIGMAS * sigma):.3f})"
        row([f"{code.name}, {code.iterations}", limit, f"{ebn0:.2f}", frames, without, wrong, ratio,
             interval(log / slope, SIGMAS * sigma / slope, 4)])


def disturbances(code, ebn0, frames):
    """Yields name, messages and LLRs of each row of table 2."""
    random = np.random.default_rng(1)
    code = libldpc.code(code)

    def with_wrong(percent, llrs):
        return np.where(random.random(llrs.shape) < percent / 100, -certain, llrs)

    messages, llrs = libldpc.noisy_frames(code, ebn0 + ABOVE, count=frames)
    certain = np.where(code.encode(messages).reshape(llrs.shape), -FULL_SCALE, FULL_SCALE).astype(np.int8)
    yield f"{ABOVE} dB above", messages, llrs
    for percent in WRONG:
        yield f"{ABOVE} dB above, {percent} % wrong at +-{FULL_SCALE}", messages, with_wrong(percent, llrs)
    for percent in WRONG:
        yield f"hard bits +-{FULL_SCALE}, {percent} % wrong", messages, with_wrong(percent, certain)
    messages, llrs = libldpc.noisy_frames(code, ebn0 + FAR_ABOVE, count=frames)
    for factor in (10, 40):
        yield f"{FAR_ABOVE} dB above, LLRs x {factor}", messages, np.clip(factor * llrs.astype(int), -FULL_SCALE, FULL_SCALE).astype(np.int8)
    yield f"{FAR_ABOVE} dB above, hard bits +-{FULL_SCALE}", messages, np.where(llrs < 0, -FULL_SCALE, FULL_SCALE).astype(np.int8)


def disturbed_rates(code, frames, options):
    """Yields the name and the error rates of each row of table 2."""
    ebn0, _ = code.find(1e-2)
    decoders = [*code.decoders.values(), code.decoder(options, algorithm="sum-product", arithmetic="float")]
    for name, messages, llrs in disturbances(code.name, ebn0, frames if decoders[0].n < 20000 else frames // 4):
        rates = [(decoder.decode(llrs)[0] != messages).any(axis=1).mean() for decoder in decoders]
        yield name, ", ".join(f"{rate:.2g}" for rate in rates)


@click.command(context_settings=cli.SETTINGS, help=__doc__)
@click.option("--code", "codes", multiple=True, type=click.Choice(list(CODES)), help="Only this code; may be given again.")
@click.option("--limit", "limits", multiple=True, type=click.IntRange(1, NO_LIMIT), help="Limits to compare with none.  [default: the library's]")
@click.option("--rate", "rates", multiple=True, type=float, help="Frame error rates; may be given again.  [default: 1e-2, and 1e-5 for a code of each family]")
@click.option("--errors", type=click.IntRange(1), help="Wrong frames of a point.  [default: 1000, below 1e-4 100]")
@click.option("--frames", type=click.IntRange(0), default=2000, show_default=True, help="Of a cell of table 2; 0 = no table 2.")
@click.option("--backend", default="cpu", show_default=True, help="cpu or cuda.")
@click.option("--arithmetic", type=click.Choice(["i8", "i16"]), default="i8", show_default=True)
@click.option("--threads", type=int, default=0, help="CPU threads.  [default: all cores]")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=8.0, show_default=True, help="For table 1.")
def main(codes, limits, rates, errors, frames, minutes, **options):
    options["threads"] = options["threads"] or cli.cores()
    limits = (NO_LIMIT, *(limits or (libldpc.DEFAULT_LLR_LIMIT,)))
    names, now, disturbed = codes or tuple(CODES), time.monotonic(), {}
    print(f"llr_limit, {options['arithmetic']}, {options['backend']}, libldpc {libldpc.__version__}, {datetime.date.today()}\n")
    head("code, iterations", "limit", "Eb/N0, dB", "frames", "wrong without", "wrong with", "ratio", "loss, dB")
    with ThreadPoolExecutor() as pool:  # compiles kernels in parallel
        for i, code in enumerate(pool.map(lambda name: Code(name, limits, options), names)):
            end = time.monotonic() + max(5, 3 * (60 * minutes + now - time.monotonic()) / (len(names) - i))
            for rate in rates or (1e-2, *[LOW_RATE] * (code.name in LOW_RATE_CODES)):
                compare(code, rate, errors or (1000 if rate >= 1e-4 else 100), end)
            if frames and (codes or code.name in DISTURBED_CODES):
                disturbed[f"{code.name}, {code.iterations}"] = dict(disturbed_rates(code, frames, options))
    if disturbed:
        print()
        head("LLRs", *disturbed)
        for name in next(iter(disturbed.values())):
            row([name, *(rates[name] for rates in disturbed.values())])


if __name__ == "__main__":
    main()
