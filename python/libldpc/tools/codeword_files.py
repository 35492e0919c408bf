# SPDX-License-Identifier: BSD-3-Clause
"""Codewords in files and pipes: bits, one per byte or packed, and LLRs, int8 or float32."""
import contextlib
import math
import os
import select
import stat
import sys
import time

import numpy as np

CODEWORDS_AT_ONCE = 256
FOLLOWS_SECONDS = 0.002  # so long a codeword may wait for others that are decoded with it


def bytes_of_codeword(length, kind):
    """Bytes of a codeword of so many bits or LLRs; packed codewords are padded to whole bytes."""
    return {"bits": length, "packed": -(-length // 8), "int8": length, "float32": 4 * length}[kind]


def read_codewords(file, length, kind, fill=False, noun="codeword", hint=""):
    """Arrays of codewords (or what the noun says), one per row, until the end of the file; all whole ones come before an error. A last one
    that is not whole is an error, unless it is to be filled up with zeros."""
    size = bytes_of_codeword(length, kind)
    data = b""
    while part := arrived(file, size * CODEWORDS_AT_ONCE):
        data += part
        whole = len(data) - len(data) % size
        if whole:
            yield codewords_from(data[:whole], length, kind)
            data = data[whole:]
    if data and not fill:
        raise ValueError(f"the input ends inside a {noun}: {noun}s have {size} bytes, {len(data)} are left at the end{hint}")
    if data:
        yield codewords_from(data.ljust(size, b"\0"), length, kind)


def arrived(file, most):
    """Bytes that are there and those that follow at once; waits for the first, and has none at the end of the file only."""
    parts, room, until = [], most, math.inf
    while room and (part := file.read1(room)):
        parts.append(part)
        room -= len(part)
        until = min(until, time.monotonic() + FOLLOWS_SECONDS)
        if not select.select([file], [], [], max(0.0, until - time.monotonic()))[0]:
            break
    return b"".join(parts)


def codewords_from(data, length, kind):
    if kind == "float32":
        return np.frombuffer(data, dtype="<f4").reshape(-1, length)
    if kind == "int8":
        return np.frombuffer(data, dtype=np.int8).reshape(-1, length)
    codewords = np.frombuffer(data, dtype=np.uint8).reshape(-1, bytes_of_codeword(length, kind))
    if kind == "bits" and codewords.max() > 1:
        raise ValueError(f"the input has a byte of value {codewords.max()}: expected bits, one per byte, 0 or 1")
    return np.unpackbits(codewords, axis=1, count=length) if kind == "packed" else codewords


def bytes_from(codewords, kind):
    """The bytes of codewords of bits."""
    return (np.packbits(codewords, axis=1) if kind == "packed" else np.ascontiguousarray(codewords)).tobytes()


def open_input(path):
    return sys.stdin.buffer if path == "-" else open(path, "rb")


def open_output(path, source):
    """What the codewords of an input that is open go to; to open that file for writing would empty it."""
    with contextlib.suppress(FileNotFoundError):
        there = os.stat(sys.stdout.fileno() if path == "-" else path)
        if stat.S_ISREG(there.st_mode) and os.path.samestat(there, os.fstat(source.fileno())):
            raise ValueError("input and output are the same file")
    return sys.stdout.buffer if path == "-" else open(path, "wb")
