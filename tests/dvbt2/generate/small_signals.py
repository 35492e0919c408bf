# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the small signals in signals/: samples at 64/7 MS/s and checksums of packets (make_signals.py)."""
import pathlib
import zlib

import numpy as np

SIGNALS = pathlib.Path(__file__).resolve().parents[1] / "signals"
RATE = 64e6 / 7
REPEATS = 3


def int8_samples(name, repeats=REPEATS):
    """Returns a signal as int8 (samples, 2). Its super-frame is repeated."""
    path = SIGNALS / f"{name}.cs4"
    if path.exists():
        codes = np.fromfile(path, np.uint8)
        pairs = (2 * np.stack([codes >> 4, codes & 15], axis=1).astype(np.int8) - 15) * 3
    else:
        pairs = np.fromfile(path.with_suffix(".cs8"), np.int8).reshape(-1, 2)
    return np.tile(pairs, (repeats, 1))


def complex_samples(name, repeats=REPEATS):
    """Returns int8_samples() as complex64."""
    return (int8_samples(name, repeats).astype(np.float32) / 128).reshape(-1).view(np.complex64)


def checksums(name, profile, plp):
    """Returns the CRC-32s of the packets that begin in a super-frame."""
    for line in (SIGNALS / f"{name}.txt").read_text().splitlines():
        what = line.split()
        if what[0] == "plp" and what[1] == profile and int(what[2]) == plp:
            return [int(crc, 16) for crc in what[4:]]
    raise LookupError(name, profile, plp)


def check_packets(case, ts, name, profile, plp, repeats=REPEATS):
    sent = checksums(name, profile, plp)
    got = [zlib.crc32(ts[i:i + 188]) for i in range(0, len(ts), 188)]
    case.assertEqual(len(ts) % 188, 0)
    case.assertEqual(set(sent[1:-1]) - set(got), set())
    case.assertLessEqual(sum(crc not in sent for crc in got), repeats)
