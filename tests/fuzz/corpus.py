#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Converts the corpus of a fuzz target between a folder and a text file.

A line of the text file is an input; bytes that are not printable are \\xNN. A line that begins with # is a comment on the following
inputs. Inputs after a comment "# golden: REASON" found a defect and are always kept.

    corpus.py unpack FILE FOLDER        writes one file for each input
    corpus.py pack FOLDER FILE [MOST]   keeps the golden inputs of FILE, and adds the MOST shortest inputs of FOLDER
"""
import hashlib
import pathlib
import re
import sys

MOST_INPUTS = 400
GOLDEN = "# golden:"
HEAD = "# SPDX-License-Identifier: BSD-3-Clause\n# Inputs of a fuzz target; tests/fuzz/corpus.py describes the format.\n"


def line_of(data):
    """Returns the line of text for an input."""
    text = "".join(chr(byte) if 0x21 <= byte < 0x7F and chr(byte) not in "\\" or byte == 0x20 else f"\\x{byte:02x}" for byte in data)
    if text.startswith((" ", "#")):
        text = f"\\x{ord(text[0]):02x}" + text[1:]
    if text.endswith(" "):
        text = text[:-1] + r"\x20"
    return text


def input_of(line):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes([int(byte.group(1), 16)]), line.encode())


def read(path):
    """Returns the golden lines with their comments, and the inputs."""
    golden, inputs, kept = [], [], False
    for line in pathlib.Path(path).read_text().splitlines() if pathlib.Path(path).exists() else []:
        if line.startswith("#"):
            kept = line.startswith(GOLDEN)
        elif line:
            inputs.append(input_of(line))
        if kept and line:
            golden.append(line)
    return golden, inputs


def unpack(path, folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for data in read(path)[1]:
        (pathlib.Path(folder) / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(folder, path, most=MOST_INPUTS):
    golden = read(path)[0]
    inputs = sorted({entry.read_bytes() for entry in pathlib.Path(folder).iterdir()}, key=lambda data: (len(data), data))
    lines = [line_of(data) for data in inputs if data][:int(most)]
    text = HEAD + "".join(line + "\n" for line in lines)
    if golden:
        text += "".join(line + "\n" for line in golden)
    pathlib.Path(path).write_text(text)
    print(f"{path}: {len(lines)} of {len(inputs)} inputs, and the golden ones")


if __name__ == "__main__":
    {"unpack": unpack, "pack": pack}[sys.argv[1]](*sys.argv[2:])
