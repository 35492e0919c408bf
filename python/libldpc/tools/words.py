# SPDX-License-Identifier: BSD-3-Clause
"""Words in files and pipes: bits, one per byte or packed, and LLRs, int8 or float32."""
import sys

import numpy as np

WORDS_AT_ONCE = 256


def bytes_of_word(length, kind):
    """Bytes of a word of so many bits or LLRs; packed words are padded to whole bytes."""
    return {"bits": length, "packed": -(-length // 8), "int8": length, "float32": 4 * length}[kind]


def read_words(file, length, kind):
    """Arrays of words, one word per row, until the end of the file; all whole ones come before an error."""
    size = bytes_of_word(length, kind)
    while True:
        data = read_full(file, size * WORDS_AT_ONCE)
        rest = len(data) % size
        if len(data) > rest:
            yield words_from(data[:len(data) - rest], length, kind)
        if rest:
            raise ValueError(f"the input ends inside a word: {rest} bytes after the last whole one of {size}")
        if not data:
            return


def read_full(file, size):
    """As many bytes as asked for, fewer only at the end: a pipe gives what it has."""
    parts = []
    while size:
        part = file.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def words_from(data, length, kind):
    if kind == "float32":
        return np.frombuffer(data, dtype="<f4").reshape(-1, length)
    if kind == "int8":
        return np.frombuffer(data, dtype=np.int8).reshape(-1, length)
    words = np.frombuffer(data, dtype=np.uint8).reshape(-1, bytes_of_word(length, kind))
    return np.unpackbits(words, axis=1, count=length) if kind == "packed" else words


def words_to(words, kind):
    """The bytes of words of bits."""
    return (np.packbits(words, axis=1) if kind == "packed" else np.ascontiguousarray(words)).tobytes()


def open_input(path):
    return sys.stdin.buffer if path == "-" else open(path, "rb")


def open_output(path):
    return sys.stdout.buffer if path == "-" else open(path, "wb")
