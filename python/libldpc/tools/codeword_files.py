# SPDX-License-Identifier: BSD-3-Clause
"""Codewords in files and pipes: bits (one per byte, packed) or LLRs (int8, float32)."""
import contextlib
import math
import os
import select
import stat
import sys
import time

import numpy as np

from . import outputs

CODEWORDS_AT_ONCE = 256
FOLLOWS_SECONDS = 0.002  # maximum wait of a codeword for others
ITEMS = {"bits": np.dtype(np.uint8), "packed": np.dtype(np.uint8), "int8": np.dtype(np.int8), "float32": np.dtype("<f4")}


def read_codewords(file, length, kind, hint=""):
    """Yields arrays with one codeword per row. Raises ValueError if the last codeword is incomplete."""
    items, rest = yield from whole_rows(file, length, kind)
    if kind == "packed":
        if len(items) >= 8 or items.any():
            raise ValueError(f"the input ends inside a codeword: codewords have {length} bits, the last one has {len(items)} (only "
                             f"zero padding of the last byte is allowed){hint}")
    elif len(items) or rest:
        raise ValueError(f"the input ends inside a codeword: codewords have {length * items.itemsize} bytes, the last one has "
                         f"{items.nbytes + len(rest)}{hint}")


def read_messages(file, length, kind, note):
    """Yields arrays with one message per row. If the last message is incomplete, pads it and calls note(number of zeros)."""
    bits, _ = yield from whole_rows(file, length, kind)
    if len(bits):
        zeros = length - len(bits)
        yield np.pad(checked(bits, kind), (0, zeros)).reshape(1, length)
        note(zeros)


def whole_rows(file, length, kind):
    """Yields arrays of rows with `length` items. Returns the items of an incomplete last row, and the bytes of an incomplete last item."""
    items, data = np.zeros(0, ITEMS[kind]), b""
    while part := arrived(file, -(-length * ITEMS[kind].itemsize * CODEWORDS_AT_ONCE // (8 if kind == "packed" else 1))):
        data += part
        whole = len(data) - len(data) % ITEMS[kind].itemsize
        items, data = np.concatenate([items, items_from(data[:whole], kind)]), data[whole:]
        end = len(items) - len(items) % length
        if end:
            yield checked(items[:end], kind).reshape(-1, length)
            items = items[end:]
    return items, data


def arrived(file, most):
    """Waits for the first byte. Returns all available bytes. At the end of the input, returns no bytes."""
    parts, room, until = [], most, math.inf
    while room and (part := file.read1(room)):
        parts.append(part)
        room -= len(part)
        until = min(until, time.monotonic() + FOLLOWS_SECONDS)
        if not select.select([file], [], [], max(0.0, until - time.monotonic()))[0]:
            break
    return b"".join(parts)


def items_from(data, kind):
    """Converts bytes to bits or LLRs."""
    items = np.frombuffer(data, ITEMS[kind])
    return np.unpackbits(items) if kind == "packed" else items


def checked(items, kind):
    """Raises ValueError for bits other than 0 and 1."""
    if kind == "bits" and items.max() > 1:
        raise ValueError(f"the input has a byte of value {items.max()}: expected bits, one per byte, 0 or 1")
    return items


class BitWriter:
    """Writes bits, one per byte or packed and zero-padded. Omits the last `cut` bits."""

    def __init__(self, file, kind, cut=0):
        self.file, self.packed, self.cut = file, kind == "packed", cut
        self.bits = np.zeros(0, np.uint8)  # not written yet

    def write(self, rows):
        self.bits = np.concatenate([self.bits, rows.ravel()])
        count = len(self.bits) - self.cut
        self.put(count - count % 8 if self.packed else count)

    def end(self):
        self.put(len(self.bits) - self.cut)

    def put(self, count):
        if count > 0:
            bits, self.bits = self.bits[:count], self.bits[count:]
            self.file.write((np.packbits(bits) if self.packed else bits).tobytes())
            self.file.flush()


def open_input(path):
    return sys.stdin.buffer if path == "-" else outputs.open_regular(path)


def open_output(path, source):
    """Fails if the output is also the input."""
    with contextlib.suppress(FileNotFoundError):
        there = os.stat(sys.stdout.fileno() if path == "-" else path)
        if stat.S_ISREG(there.st_mode) and os.path.samestat(there, os.fstat(source.fileno())):
            raise ValueError("input and output are the same file")
    return sys.stdout.buffer if path == "-" else open(path, "wb")
