# SPDX-License-Identifier: BSD-3-Clause
"""Results of error-rate simulations: rates and intervals, JSON and CSV. result_files reads files; limits computes reference curves.

A run is a dictionary with the parameters of the simulation (code, algorithm, iterations ...) and with `points`, a list of
dictionaries. A file contains one run, or {"runs": [...]}.
"""
import csv
import io
import json
import math
import pathlib

import libldpc

SYMBOL_BITS = {"bpsk": 1, "qpsk": 2, "16qam": 4, "64qam": 6, "256qam": 8}
COLUMNS = ("ebn0", "esn0", "frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected",
           "iterations", "channel_errors", "ber", "fer", "ber_low", "ber_high", "fer_low", "fer_high", "seconds", "complete",
           "probability", "received_power")
RUN_COLUMNS = ("code", "n", "k", "algorithm", "arithmetic", "schedule", "max_iterations", "modulation", "fading", "seed",
               "llr_scale", "llr_limit", "channel")
# channels without Eb/N0
AXIS_OF_CHANNEL = {"bsc": "probability", "bec": "probability", "optical": "received_power"}
AXIS_LABELS = {"ebn0": "Eb/N0, dB", "probability": "probability of an error or erasure", "received_power": "received optical power, dB"}
Z = 1.959964  # two-sided 95 % quantile of the normal distribution


def axis_of(run):
    """Returns the field by which points are sorted."""
    return AXIS_OF_CHANNEL.get(run.get("channel"), "esn0" if run.get("esn0") else "ebn0")


def place(point):
    """Returns the value of a point on the horizontal axis, as text."""
    return f"{point['probability']:g}" if "probability" in point else f"{point.get('ebn0', point.get('received_power')):.3f} dB"


def db(ratio):
    return 10 * math.log10(ratio)


def interval(errors, trials):
    """Returns the 95 % score interval of a rate (Wilson 1927)."""
    if not trials:
        return 0.0, 1.0
    rate, z2 = errors / trials, Z * Z
    centre = rate + z2 / (2 * trials)
    half_width = Z * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials))
    low, high = ((centre + sign * half_width) / (1 + z2 / trials) for sign in (-1, 1))
    return max(0.0, low) if errors else 0.0, min(1.0, high)


def rates(point):
    """Adds bit and frame error rates and their intervals to a point. Only wrong frames have bit errors, so the relative interval is the
    same for both rates."""
    frames, errors = point["frames"], point["frame_errors"]
    point["fer"] = errors / frames if frames else point.get("fer", 0.0)
    point["ber"] = point["bit_errors"] / point["bits"] if point.get("bits") else point.get("ber", 0.0)
    if not frames and (point["ber"] or point["fer"]):  # rates of others, without counts
        return point | {rate + end: point[rate] for rate in ("ber", "fer") for end in ("_low", "_high")}
    point["fer_low"], point["fer_high"] = interval(errors, frames)
    for end in ("low", "high"):
        point["ber_" + end] = point["ber"] * point["fer_" + end] / point["fer"] if errors else 0.0
    return point


# ------------------------------------------------------------------------------------------------------- files


def decoder_of(run):
    """Describes decoder and channel."""
    parts = [run[key] for key in ("algorithm", "arithmetic") if run.get(key)]
    if run.get("program") == "aff3ct":
        parts.insert(0, run.get("title") or pathlib.Path(run["file"]).stem)
    if run.get("schedule") == "flooding":
        parts.append("flooding")
    if run.get("max_iterations"):
        parts.append(f"{run['max_iterations']} iterations")
    if run.get("llr_scale", libldpc.DEFAULT_LLR_SCALE) != libldpc.DEFAULT_LLR_SCALE:
        parts.append(f"{run['llr_scale']:g} steps per nat")
    if run.get("llr_limit", libldpc.DEFAULT_LLR_LIMIT) != libldpc.DEFAULT_LLR_LIMIT:
        parts.append(f"LLR limit {run['llr_limit']}")
    if run.get("modulation", "bpsk") != "bpsk":
        parts.append(run["modulation"])
    if run.get("fading", "none") != "none":
        parts.append(run["fading"])
    if run.get("channel"):
        parts.append(run["channel"].upper())
    return ", ".join(parts)


def name_of(run):
    """Describes a run for a legend."""
    return ", ".join(filter(None, (run.get("code"), decoder_of(run)))) or run.get("file", "?")


def to_json(runs):
    return json.dumps(runs[0] if len(runs) == 1 else {"runs": runs}, indent=1) + "\n"


def to_csv(runs):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(RUN_COLUMNS + COLUMNS)
    for run in runs:
        for point in run["points"]:
            writer.writerow([run.get(name, "") for name in RUN_COLUMNS] + [point.get(name, "") for name in COLUMNS])
    return text.getvalue()


def code_rate(run):
    """Returns k / n if known. Otherwise returns the rate given by Es/N0 - Eb/N0, or None if unknown."""
    if run.get("k") and run.get("n"):
        return run["k"] / run["n"]
    bits = SYMBOL_BITS.get(run.get("modulation", "bpsk"))
    point = next(iter(run["points"]), {})
    rate = 10 ** ((point["esn0"] - point["ebn0"]) / 10) / bits if bits and "esn0" in point else 0
    return rate if 0 < rate <= 1 else None
