#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of docs/measurements/ber.md from ber.csv and further results of ldpc-ber.

If several results contain a point, the result with the most frames is used.

  build/bin/ldpc-python tests/bench/ber_table.py docs/measurements/ber.csv [RESULTS.json ...]
  build/bin/ldpc-plot docs/measurements/ber.csv --rate fer --panels --output docs/images/ber.png
"""
import sys
from pathlib import Path

import libldpc
from libldpc.tools import result_files, results

COLUMNS = {("corrected", "i8"): "i8", ("corrected", "i16"): "i16", ("min-sum", "float"): "min-sum, float", ("sum-product", "float"): "sum-product"}


def key_of(run):
    return tuple(run[name] for name in ("code", "algorithm", "arithmetic", "schedule", "max_iterations", "modulation", "fading", "seed"))


def merged(files):
    runs = {}
    for path in files:
        for run in result_files.read(path):
            code = libldpc.code(run["code"])
            kept = runs.setdefault(key_of(run), run | {"n": code.n, "k": code.k, "points": {}})["points"]
            for point in run["points"]:
                if point["frames"] > kept.get(point["ebn0"], {"frames": 0})["frames"]:
                    kept[point["ebn0"]] = point
    codes = list(dict.fromkeys(key[0] for key in runs))
    order = sorted(runs, key=lambda key: (codes.index(key[0]), list(COLUMNS).index(key[1:3])))
    return [runs[key] | {"points": [point for _, point in sorted(runs[key]["points"].items())]} for key in order]


def table(runs):
    rows = {}
    for run in runs:
        for point in run["points"]:
            row = rows.setdefault((run["code"], run["max_iterations"]), {}).setdefault(point["ebn0"], {})
            row[COLUMNS[run["algorithm"], run["arithmetic"]]] = f"{point['frame_errors']} / {point['frames']}"
    print(f"| code, iterations | Eb/N0, dB | {' | '.join(COLUMNS.values())} |\n|---|---|{'---|' * len(COLUMNS)}")
    for (code, iterations), points in rows.items():
        for ebn0, row in sorted(points.items()):
            print(f"| {code}, {iterations} | {ebn0:g} | {' | '.join(row.get(name, '-') for name in COLUMNS.values())} |")


def last_points(runs):
    """Prints the lowest error rate of every integer decoder."""
    print("| code, iterations | decoder | Eb/N0, dB | wrong / frames | FER, 95 % interval | BER | bits | seconds |\n|---|---|---|---|---|---|---|---|")
    for run in (run for run in runs if run["arithmetic"] != "float"):
        point = run["points"][-1]
        print(f"| {run['code']}, {run['max_iterations']} | {run['arithmetic']} | {point['ebn0']:g} | {point['frame_errors']} / {point['frames']} | "
              f"{point['fer']:.2e}, {point['fer_low']:.2e} .. {point['fer_high']:.2e} | {point['ber']:.1e} | "
              f"{point['bit_errors'] / max(1, point['frame_errors']):.1f} | {point['seconds']:.1f} |")


def main(target, *more):
    runs = merged((target, *more))
    Path(target).write_text(results.to_csv(runs), encoding="utf-8")
    last_points(runs)
    print()
    table(runs)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
