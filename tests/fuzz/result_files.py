#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Passes any bytes to the readers of result files and saved failures. The bytes are accepted, or give a ValueError with one
sentence. Target for atheris (libFuzzer options): scripts/fuzz result_files SECONDS."""
import io
import os
import sys
import tempfile

try:
    import atheris
except ModuleNotFoundError:  # the corpus is replayed without it
    atheris = None

if atheris:
    with atheris.instrument_imports(include=["libldpc.tools"]):
        from libldpc.tools import failures, result_files
else:
    from libldpc.tools import failures, result_files

MOST_SENTENCE = 400
folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
path = os.path.join(folder.name, "input")


def read_results(data):
    """Checks that the counts of an accepted file are consistent."""
    with open(path, "wb") as file:
        file.write(data)
    for run in result_files.read(path):
        for point in run["points"]:
            assert point["frame_errors"] <= point["frames"] and 0 <= point["ber"] <= 1


def read_failures(data):
    saved = failures.read(io.BytesIO(data), "input")
    assert len(saved.frame) == len(saved.snr) == len(saved.messages) == len(saved.llrs)


def one_input(data):
    """Runs one input. Its first byte selects the reader."""
    try:
        (read_failures if data[:1] == b"\1" else read_results)(data[1:])
    except ValueError as error:
        assert len(str(error)) < MOST_SENTENCE, error
        assert str(error).isprintable(), error


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
