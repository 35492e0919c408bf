# SPDX-License-Identifier: BSD-3-Clause
"""Saves the wrong frames of an ldpc-ber run in a NumPy archive (.npz), which ldpc-decode reads.

    run       text: the run's result, as JSON, without points
    snr       float64 (frames,): Eb/N0 or Es/N0 in dB
    frame     uint64 (frames,): numbers of the frames in their points
    messages  uint8 (frames, k): the transmitted bits
    llrs      int8 or float32 (frames, n): the decoder's input

An archive unpacks to at most MOST_RATIO times its size plus 1 MiB. Data that would compress more than this are stored uncompressed.
"""
import io
import math
import zipfile
from typing import NamedTuple

import numpy as np

import libldpc

from . import result_files, results

MOST_BYTES = 1 << 30  # maximum size of an archive
MOST_RATIO = 64
ALLOWANCE = 1 << 20
# {array: (expected numpy kinds, expected number of axes)}
ARRAYS = {"run": ("U", 0), "snr": ("f", 1), "frame": ("iu", 1), "messages": ("u", 2), "llrs": ("if", 2)}


class Saved(NamedTuple):
    run: dict
    snr: np.ndarray
    frame: np.ndarray
    messages: np.ndarray
    llrs: np.ndarray


def packed(run, parts):
    """Returns the archive. `parts`: (SNR, numbers, messages, LLRs) of each point."""
    arrays = {"run": results.to_json([dict(run, points=[])]),
              "snr": np.concatenate([np.full(len(numbers), snr) for snr, numbers, _, _ in parts] or [[]]),
              "frame": np.array([number for part in parts for number in part[1]], dtype=np.uint64),
              "messages": np.array([message for part in parts for message in part[2]], dtype=np.uint8),
              "llrs": np.array([llrs for part in parts for llrs in part[3]])}
    for save in (np.savez_compressed, np.savez):
        file = io.BytesIO()
        save(file, **arrays)
        if unpacked_bytes(file) <= limit_of(file):
            break
    return file.getvalue()


def unpacked_bytes(file):
    with zipfile.ZipFile(file) as archive:
        return sum(member.file_size for member in archive.infolist())


def limit_of(file):
    return MOST_RATIO * file.getbuffer().nbytes + ALLOWANCE


def member_array(archive, name):
    """Reads an array. Compares its header with the member's size before any memory is allocated."""
    with archive.open(name + ".npy") as member:
        version = np.lib.format.read_magic(member)
        read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, _, kind = read_header(member)
        left = archive.getinfo(name + ".npy").file_size - member.tell()
        if math.prod(shape) * kind.itemsize != left or (kind.kind not in ARRAYS[name][0]) or len(shape) != ARRAYS[name][1]:
            raise ValueError(name)
    with archive.open(name + ".npy") as member:
        return np.lib.format.read_array(member, allow_pickle=False)


def arrays_of(file):
    if unpacked_bytes(file) > limit_of(file):
        raise ValueError(f"it unpacks to more than {MOST_RATIO} times its size")
    with zipfile.ZipFile(file) as archive:
        return {name: member_array(archive, name) for name in ARRAYS}


def checked(arrays):
    """Raises ValueError if the arrays are inconsistent."""
    run = result_files.checked_run(result_files.parsed_json(str(arrays.pop("run"))), "run", ())
    for name in ("code", "esn0", "seed"):
        if name not in run:
            raise ValueError(f"run: {name} is missing")
    saved = Saved(run, **arrays)
    if len({len(array) for array in arrays.values()}) != 1:
        raise ValueError("arrays of different lengths")
    if not np.isfinite(saved.snr).all() or not np.isfinite(saved.llrs).all() or (saved.messages > 1).any():
        raise ValueError("invalid values")
    return saved


def read(file, path):
    """Reads an archive. Raises ValueError for other content."""
    data = file.read(MOST_BYTES + 1)
    try:
        if len(data) > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES >> 30} GiB")
        return checked(arrays_of(io.BytesIO(data)))
    except Exception as reason:  # zipfile, zlib, tokenize and NumPy raise many types
        why = f" ({str(reason)[:result_files.MOST_OF_A_REASON]})" if isinstance(reason, ValueError) and str(reason) else ""
        raise ValueError(f"{path}: not saved failures of ldpc-ber{why}") from None


def standard_code(saved, path):
    """Returns the name of a standard code. Raises ValueError for other codes, which may be files."""
    name = saved.run["code"]
    if name.partition(":")[0] not in {known.partition(":")[0] for known in libldpc.codes()}:
        raise ValueError(f"{path} contains frames of the code {name}, which is not a standard code; use --code to name it")
    return name


def check_lengths(saved, decoder, path):
    """Raises ValueError if frames do not fit the decoder's code."""
    for array, length, what in ((saved.llrs, decoder.n, "LLRs"), (saved.messages, decoder.k, "message bits")):
        if array.shape[1] != length:
            raise ValueError(f"{path} contains frames of {array.shape[1]} {what}, but {decoder.code.name} has {length}")
