#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots figures 3 and 4 of Groenroos et al. 2012 from results of ldpc-ber: bit error rates over Es/N0.

usage: gronroos_curves.py {rates | iterations} PICTURE FILES...
  rates       a panel for each code, a curve for each decoder (figure 3)
  iterations  a curve for each number of iterations (figure 4)
"""
import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def crossing(points, target=1e-4):
    """Returns the Es/N0 at which the BER equals `target`. log10 BER is interpolated linearly. Returns None if the curve ends before this
    Es/N0, or has a point without errors before it."""
    seen = [(p["esn0"], p["ber"]) for p in points]
    for (x0, y0), (x1, y1) in zip(seen, seen[1:]):
        if y0 >= target >= y1 > 0:
            return x0 + (x1 - x0) * math.log(y0 / target) / math.log(y0 / y1)
    return None


def draw(axes, run, label):
    points = [p for p in run["points"] if p["bit_errors"]]
    bars = [[max(0.0, p["ber"] - p["ber_low"]) for p in points], [max(0.0, p["ber_high"] - p["ber"]) for p in points]]
    axes.errorbar([p["esn0"] for p in points], [p["ber"] for p in points], yerr=bars, marker="o", markersize=4, capsize=2,
                  label=label)
    at = crossing(run["points"])
    print(f"{run['code']}, {label}: BER 1e-4 " + (f"at {at:.2f} dB" if at else "not between two points with errors"))


def main(kind, picture, *files):
    runs = [json.load(open(path)) for path in files]
    codes = list(dict.fromkeys(run["code"] for run in runs))
    figure, panels = plt.subplots(1, len(codes), figsize=(6.5 * len(codes), 5), squeeze=False)
    for axes, code in zip(panels[0], codes):
        for run in (run for run in runs if run["code"] == code):
            decoder = f"{run['algorithm']}, {run['arithmetic']}"
            draw(axes, run, f"{run['max_iterations']} iterations" if kind == "iterations" else decoder)
        axes.set(title=f"{code}, {runs[0]['modulation']}", yscale="log", xlabel="Es/N0, dB", ylabel="bit error rate")
        axes.grid(True, which="both", alpha=0.3)
        axes.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("rates", "iterations"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
