# SPDX-License-Identifier: BSD-3-Clause
"""Reads results of ldpc-ber and AFF3CT as runs (schemas RUN and POINT). Raises ValueError for other content."""
import contextlib
import csv
import io
import json
import math
import re
import sys

from . import outputs
from .results import AXIS_OF_CHANNEL, COLUMNS, RUN_COLUMNS, SYMBOL_BITS, axis_of, code_rate, db, rates

MOST_BYTES = 32 << 20  # maximum file size
MOST_RUNS = 1000  # in a file
MOST_POINTS = 100_000  # in a file; also lines of a table
MOST_COUNT = 2**63 - 1
MOST_OF_A_REASON = 200  # characters; Python's messages quote the invalid text


class Wrong(ValueError):
    """A value that violates the schema. read() adds the file name to the message."""


# ------------------------------------------------------------------------------------------------------ schema


def text(value):
    if not isinstance(value, str) or len(value) > 200:
        raise Wrong("a text of at most 200 characters")
    return value


def flag(value):
    if not isinstance(value, bool):
        raise Wrong("true or false")
    return value


def number(least, most, kind=(int, float)):
    """Returns a function that accepts numbers, but neither bool nor NaN."""
    what = "an integer" if kind is int else "a number"

    def check(value):
        if isinstance(value, bool) or not isinstance(value, kind) or not least <= value <= most:
            raise Wrong(f"{what} from {least:g} to {most:g}")
        return value

    return check


def numbers(most_items):
    """Returns a function that checks a list of counts."""
    def check(values):
        if not isinstance(values, list) or len(values) > most_items or any(type(value) is not int or not 0 <= value <= MOST_COUNT
                                                                           for value in values):
            raise Wrong(f"a list of at most {most_items} counts")
        return values

    return check


def or_none(check):
    return lambda value: None if value is None else check(value)


count, share, decibel = number(0, MOST_COUNT, int), number(0, 1), number(-1000, 1000)
time_or_speed = number(0, 1e18)

RUN = {
    **dict.fromkeys(("program", "version", "date", "title", "code", "backend", "kernel", "algorithm", "arithmetic", "schedule", "modulation",
                     "points_crc32", "fading", "channel"), text),
    **dict.fromkeys(("early_stop", "esn0", "zero_codeword", "interrupted"), flag),
    **dict.fromkeys(("n", "k", "max_iterations", "threads", "ranks", "max_frames", "max_frame_errors"), count),
    "seed": number(0, 2**64 - 1, int), "rate": or_none(number(0, 1)), "llr_scale": number(0, 1e6), "llr_limit": number(1, 127, int),
    "max_seconds": or_none(time_or_speed),
}
POINT = {
    "ebn0": decibel, "esn0": decibel, "received_power": decibel, "probability": share,
    **dict.fromkeys(("frames", "frame_errors", "bits", "bit_errors", "symbols", "symbol_errors", "undetected", "iterations",
                     "channel_errors"), count),
    **dict.fromkeys(("ber", "fer", "ber_low", "ber_high", "fer_low", "fer_high"), share),
    **dict.fromkeys(("seconds", "coded_mbps", "average_iterations"), time_or_speed),
    "complete": flag, "histogram": numbers(10001), "failures": numbers(1000),
}
NEEDED = ("frames", "frame_errors", "bit_errors")
AT_MOST = (("frame_errors", "frames"), ("undetected", "frame_errors"), ("bit_errors", "bits"), ("symbol_errors", "symbols"),
           ("k", "n"))  # (a, b): a <= b if both are present


def checked(values, schema, what):
    """Returns the entries that are in the schema. Raises Wrong for an invalid value."""
    if not isinstance(values, dict):
        raise Wrong(f"{what}: expected an object")
    known = {}
    for name in filter(schema.__contains__, values):
        try:
            known[name] = schema[name](values[name])
        except Wrong as expected:
            raise Wrong(f"{what}: {name}: expected {expected}") from None
    for part, whole in AT_MOST:
        if part in known and whole in known and known[part] > known[whole]:
            raise Wrong(f"{what}: {part} is more than {whole}")
    return known


def checked_point(values, what, needed):
    point = checked(values, POINT, what)
    for name in needed:
        if name not in point:
            raise Wrong(f"{what}: {name} is missing")
    if "histogram" in point and sum(point["histogram"]) != point["frames"]:
        raise Wrong(f"{what}: the histogram does not add up to the number of frames")
    failures = point.get("failures", [])
    if any(second <= first for first, second in zip([-1, *failures], [*failures, point["frames"]])):
        raise Wrong(f"{what}: failures: expected increasing frame numbers")
    return rates(point)


def checked_run(values, what, needed):
    run = checked(values, RUN, what)
    points = values.get("points")
    if not isinstance(points, list):
        raise Wrong(f"{what}: points: expected a list")
    needed = (*needed, AXIS_OF_CHANNEL.get(run.get("channel"), "ebn0"), axis_of(run))
    run["points"] = [checked_point(point, f"{what}, point {number}", needed) for number, point in enumerate(points, 1)]
    run["points"].sort(key=lambda point: point[axis_of(run)])
    return run


def checked_runs(runs, needed=NEEDED):
    if not isinstance(runs, list) or len(runs) > MOST_RUNS:
        raise Wrong(f"runs: expected a list of at most {MOST_RUNS}")
    all_points = [run["points"] for run in runs if isinstance(run, dict) and isinstance(run.get("points"), list)]
    if sum(map(len, all_points)) > MOST_POINTS:
        raise Wrong(f"it has more than {MOST_POINTS} points")
    return [checked_run(run, f"run {number}", needed) for number, run in enumerate(runs, 1)]


# ------------------------------------------------------------------------------------------------------- files


def refuse(constant):
    raise Wrong(f"{constant} is not a number")


def parsed_json(data):
    """Raises ValueError for any invalid JSON."""
    try:
        return json.loads(data, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def from_json(data, needed=NEEDED):
    content = parsed_json(data)
    runs = content["runs"] if isinstance(content, dict) and "runs" in content else [content]
    return checked_runs(runs, needed)


def number_from(cell):
    """Returns the int or float in a table cell."""
    value = float(cell)
    return int(cell) if re.fullmatch(r"[+-]?\d{1,20}", cell) else value


RUN_KINDS = {"llr_scale": float, **dict.fromkeys(("n", "k", "max_iterations", "seed", "llr_limit"), int)}


def run_facts(texts):
    return {name: RUN_KINDS.get(name, str)(texts[name]) for name in RUN_COLUMNS if texts.get(name)}


def from_csv(data):
    """Reads the output of to_csv(), also of older versions with fewer columns."""
    runs = {}
    for line in csv.DictReader(io.StringIO(data)):
        facts = run_facts(line)
        point = {name: number_from(line[name]) for name in COLUMNS if line.get(name) and name != "complete"}
        point["complete"] = line.get("complete") != "False"
        runs.setdefault(tuple(facts.items()), facts | {"points": []})["points"].append(point)
    return checked_runs(list(runs.values()))


def plain_csv_head(data):
    """Returns the delimiter and the names of the columns, for example ebn0 for "Eb/N0 (dB)" and "EbN0_dB"."""
    names = data.partition("\n")[0].lower()
    delimiter = next((mark for mark in ";\t" if mark in names), ",")
    names = [name.strip(' "\r') for name in names.split(delimiter)]
    return delimiter, [next((axis for axis in ("ebn0", "esn0") if axis == re.sub(r"[^a-z0-9]|db", "", name)), name) for name in names]


def from_plain_csv(data):
    """Reads error rates without counts. If semicolons separate the columns, a comma is a decimal point."""
    delimiter, names = plain_csv_head(data)
    data = data.lower().replace(",", ".") if delimiter == ";" else data.lower()
    lines = csv.DictReader(io.StringIO(data.partition("\n")[2]), names, delimiter=delimiter, skipinitialspace=True)
    run = {"points": []}
    for line in lines:
        run |= run_facts(line)
        point = {name: number_from(line[name].strip()) for name in ("ebn0", "esn0", "ber", "fer") if line.get(name)}
        if "ebn0" not in point and "esn0" in point:
            if not run.get("n") or not run.get("k"):
                raise Wrong("esn0 without ebn0: expected the columns n and k too")
            point["ebn0"] = point["esn0"] - db(run["k"] / run["n"] * SYMBOL_BITS.get(run.get("modulation", "bpsk"), 1))
        run["points"].append(dict.fromkeys(("frames", "frame_errors", "bit_errors"), 0) | point)
    return checked_runs([run])


def is_plain_csv(data):
    names = {*plain_csv_head(data)[1]}
    return bool({"ebn0", "esn0"} & names and {"ber", "fer"} & names)


AFF3CT_AXES = {"Eb/N0": "ebn0", "EP": "probability", "ROP": "received_power"}
AFF3CT_KEYS = {"FRA": "frames", "BE": "bit_errors", "FE": "frame_errors", "Es/N0": "esn0", "BER": "ber", "FER": "fer", **AFF3CT_AXES}
PUBLISHED = "[metadata]"  # first line of files in AFF3CT's collection
QAM = {bits: name for name, bits in SYMBOL_BITS.items()}


def aff3ct_facts(about):
    """Returns the run parameters in the output of AFF3CT or in the comments of ldpc-ber's table."""
    def first(*names, default=""):
        return next((about[name] for name in names if name in about), default)

    if about.get("program") == "ldpc-ber":
        return run_facts(about)
    bits = int(first("Bits per symbol", default="1"))
    kind = first("Modem Type", "Modulator Type", default="BPSK").lower()
    facts = {"code": first("Code type (C)", "Code type", "Codec Type", "Code Type"),
             "modulation": QAM.get(bits, kind) if kind in ("bpsk", "qam") else kind}
    if first("Channel Type").lower() in AXIS_OF_CHANNEL:
        facts["channel"] = about["Channel Type"].lower()
    sizes = [re.match(r"\d+", first(*names)) for names in (("Codeword size (N)", "Frame size (N)"), ("Info. bits (K)",))]
    return facts | {name: int(size.group()) for name, size in zip("nk", sizes) if size}


def aff3ct_fact(line, section, about):
    """Stores a line "# ** NAME = VALUE"."""
    name, equals, value = line.lstrip("#").strip().partition("=")
    name, value = name.removeprefix("**").strip(), value.strip()
    if equals and name and value:
        about[name] = about[f"{section} {name}"] = value


def aff3ct_point(names, cells):
    """Converts a table line to a simulated point."""
    values = {AFF3CT_KEYS[name]: float(cell) for name, cell in zip(names, cells) if name in AFF3CT_KEYS}
    for name in ("frames", "bit_errors", "frame_errors"):
        if not math.isfinite(values.get(name, 0)):
            raise Wrong(f"{name}: expected a count")
        values[name] = int(values.get(name, 0))
    if values["bit_errors"] and values.get("ber", 0) >= 1e-30:
        values["bits"] = round(values["bit_errors"] / values["ber"])
    return values


def aff3ct_run(data):
    """Returns a run of AFF3CT, or None. The last comment line with Es/N0 or Eb/N0 contains the names of the columns."""
    names, points, about, section = [], [], {}, ""
    for line in data.splitlines():
        if line.startswith("#"):
            cells = [cell.strip() for cell in line.lstrip("# ").split("|")]
            names = cells if AFF3CT_AXES.keys() & {*cells} else names
            heading = re.match(r"#\s*\*\s+(\w+)", line)
            section = heading.group(1) if heading else section
            aff3ct_fact(line, section, about)
            continue
        cells = [cell.strip(" *") for cell in line.split("|")]
        if len(cells) >= 4 and len(cells) == len(names):
            points.append(aff3ct_point(names, cells))
    found = re.search(r"^(?:title\s*=|Curve name:$)\s*(.+)$", data, re.MULTILINE)  # of AFF3CT's collection
    title = {"title": found.group(1).strip()[:200]} if found else {}
    return {"program": about.get("program", "aff3ct")} | title | aff3ct_facts(about) | {"points": points} if points else None


def from_aff3ct(data):
    """Reads the output of AFF3CT for one run, or tables of ldpc-ber."""
    runs = list(filter(None, map(aff3ct_run, re.split(r"^(?=# program = ldpc-ber\s*$)", data, flags=re.MULTILINE))))
    if not runs:
        raise Wrong("expected output of ldpc-ber or AFF3CT, or CSV with the columns ebn0 (or esn0) and ber or fer")
    return checked_runs(runs)


def contents(path):
    """"-" is standard input."""
    with contextlib.nullcontext(sys.stdin.buffer) if path == "-" else outputs.open_regular(path) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Wrong(f"it is larger than {MOST_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Wrong("expected text") from None


def read(path, needed=NEEDED):
    """Returns the runs of a file, or of standard input if the path is "-". `needed`: fields that each point must have."""
    try:
        data = contents(path)
        if data.lstrip()[:1] in ("{", "[") and not data.startswith(PUBLISHED):
            runs = from_json(data, needed)
        elif data.count("\n") > MOST_POINTS:
            raise Wrong(f"it has more than {MOST_POINTS} lines")
        elif data.startswith(RUN_COLUMNS[0] + ","):
            runs = from_csv(data)
        elif is_plain_csv(data):
            runs = from_plain_csv(data)
        else:
            runs = from_aff3ct(data)
    except (ValueError, csv.Error) as reason:
        raise ValueError(f"{path}: not a result file: {str(reason)[:MOST_OF_A_REASON]}") from None
    return [{"rate": code_rate(run)} | run | {"file": str(path)} for run in runs]
