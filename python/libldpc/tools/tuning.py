# SPDX-License-Identifier: BSD-3-Clause
"""Measures which batch size, and which number of streams or threads, is best for a decoder. Stores the result in a file.

    from libldpc.tools import tuning

    record, note = tuning.load("dvbt2:64800:1/2", "cuda")
    decoder = libldpc.decoder("dvbt2:64800:1/2", **tuning.arguments(record))

There is a JSON file for each device and code. Damaged files, and files of other library versions, are not used. load()
then returns a note with the reason.
"""
import errno
import json
import os
import pathlib
import platform
import re
import stat

import libldpc

from . import gpu, outputs, result_files

MOST_BYTES = 1 << 16  # maximum file size

FIELDS = {"version": str, "device": str, "code": str, "backend": str, "kernel": str, "arithmetic": str, "iterations": int,
          "early_stop": bool, "batch": int, "streams": int, "threads": int, "coded_mbps": float, "latency_us": float,
          "goal_mbps": float, "break_even": int}


# ---- paths and names

def cache_dir():
    """Returns the directory of compiled kernels and tuning files."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return pathlib.Path(cache if os.path.isabs(cache) else pathlib.Path.home() / ".cache") / "gr-ldpc"


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


GPUS = ("cuda", "opencl")


def device_name(backend):
    if backend == "opencl":
        return (libldpc.devices("opencl") or ["no OpenCL device"])[0]
    return gpu.name_of() if backend == "cuda" else f"{cpu_name()}, {os.cpu_count()} cores"


# ---- files

def path_of(code, backend, folder=None):
    parts = ("tuning", backend, device_name(backend), code)
    return pathlib.Path(folder or cache_dir()) / ("-".join(re.sub(r"[^\w.]+", "_", part) for part in parts) + ".json")


def store(record, folder=None):
    """Writes a record. Returns its path. Raises ValueError if other users can write there."""
    path = path_of(record["code"], record["backend"], folder)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    libldpc.check_cache_dir(str(path.parent))
    if path.is_symlink():
        path.unlink()
    outputs.write_whole(path, json.dumps(record, indent=2) + "\n")
    path.chmod(0o600)  # otherwise contents() might refuse it
    return path


def contents(path):
    """Returns the content of a file. Raises OSError if other users may have written the file or its directory."""
    libldpc.check_cache_dir(str(path.parent))
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, encoding="utf-8") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_mode & 0o022 or facts.st_uid not in (0, os.geteuid()):
            raise OSError(errno.EPERM, "other users could have written it", str(path))
        return file.read(MOST_BYTES)


def trouble(record, code, backend):
    """Returns why a record cannot be used, or ""."""
    if not isinstance(record, dict) or any(key not in record for key in FIELDS):
        return "is damaged"
    for key, kind in FIELDS.items():
        value = record[key]
        right = isinstance(value, (int, float)) if kind is float else type(value) is kind
        if not right or (kind in (int, float) and (isinstance(value, bool) or not 0 <= value < 1e15)):
            return "is damaged"
    if record["version"] != libldpc.__version__:
        return f"was written by version {record['version'][:40]}, this is version {libldpc.__version__}"
    if (record["code"], record["backend"], record["device"]) != (code, backend, device_name(backend)):
        return "was measured for another code or device"
    return ""


def load(code, backend, folder=None):
    """Returns (record, ""), or (None, reason)."""
    path = path_of(code, backend, folder)
    try:
        record = result_files.parsed_json(contents(path))
    except FileNotFoundError:
        return None, f"{code} has not been tuned on this machine"
    except OSError as error:
        return None, f"{path} is ignored: {error.strerror or error}"
    except ValueError:  # not JSON, or not text
        record = None
    why = trouble(record, code, backend)
    return (None, f"{path} is ignored: it {why}") if why else (record, "")


def arguments(record):
    """Returns arguments for libldpc.decoder()."""
    if record is None:
        return {}
    if record["backend"] == "cpu":
        return {"backend": "cpu", "kernel": record["kernel"], "max_batch": record["batch"], "threads": record["threads"]}
    chosen = {"max_batch": record["batch"], "streams": record["streams"]}
    if record["break_even"] > 1:
        return {**chosen, "backend": record["backend"], "min_gpu_batch": record["break_even"]}
    return {**chosen, "backend": record["backend"], "kernel": record["kernel"]}


def choices(code, backend, given=()):
    """Returns the stored arguments for a libldpc.code on this machine, and a note about an ignored file.

    The arguments do not affect results: max_batch, threads (CPU), streams (GPU). Arguments in `given` are left out.
    """
    if not code.standard:  # the name is only the file format
        return {}, ""
    record, note = load(code.name, backend)
    if record is None:
        return {}, note if "ignored" in note else ""
    stored = {"max_batch": record["batch"]}
    if record["backend"] == "cpu":
        stored["threads"] = min(record["threads"], len(os.sched_getaffinity(0)))
    else:
        stored["streams"] = record["streams"]
    return {name: value for name, value in stored.items() if value and name not in given}, ""


# ---- search over a measurement function

def score(result, goal_mbps):
    """Returns a score. A result with a larger score is better."""
    mbps, latency_us = result
    if goal_mbps and mbps >= goal_mbps:
        return (1, -latency_us)
    return (0, mbps)


def clearly_better(new, old):
    """Returns whether `new` is better than `old` by more than the measurement noise."""
    return new[0] > old[0] or new[0] == old[0] and new[1] > old[1] + 0.01 * abs(old[1])


def search(measure, space, start, goal_mbps=0.0):
    """Finds the best point of a space {name: [values in order]} by coordinate search.

    measure(point) returns (coded Mbit/s, latency in us), or None. No point is measured twice.
    """
    known = {}

    def result_of(point):
        key = tuple(point[name] for name in space)
        if key not in known:
            known[key] = measure(dict(point))
        return known[key]

    best, best_result = dict(start), result_of(start)
    improved = True
    while improved:
        improved = False
        for name, values in space.items():
            for value in values:
                point = {**best, name: value}
                result = result_of(point)
                if result is None:
                    continue
                if best_result is None or clearly_better(score(result, goal_mbps), score(best_result, goal_mbps)):
                    best, best_result, improved = point, result, True
    return (None, None) if best_result is None else (best, best_result)


def powers_of_two(most):
    """Returns 1, 2, 4 .. up to `most`."""
    values = [1 << i for i in range(most.bit_length()) if 1 << i < most]
    return values + [most]


def break_even(time_cpu, time_gpu, most):
    """Returns the smallest number of codewords for which the GPU is faster than the CPU, or 0 if there is none.

    time_cpu(codewords) and time_gpu(codewords) return seconds. Powers of two are tried first. Then numbers
    below the first power of two for which the GPU is faster are tried.
    """
    sizes = powers_of_two(most)
    faster = [time_gpu(codewords) < time_cpu(codewords) for codewords in sizes]
    if not faster[-1]:
        return 0
    first = len(sizes) - 1
    while first > 0 and faster[first - 1]:
        first -= 1
    if first == 0:
        return sizes[0]
    slow, fast = sizes[first - 1], sizes[first]
    while fast - slow > max(1, fast // 16):
        middle = (slow + fast) // 2
        if time_gpu(middle) < time_cpu(middle):
            fast = middle
        else:
            slow = middle
    return fast
