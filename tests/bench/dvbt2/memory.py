# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the memory of ldpc-dvbt2 during reception."""
import os
import pathlib
import shutil
import subprocess

import libdvbt2
import t2_loop

from . import modes
from .cn import BEGIN, RATE, prepare
from .results import Result

QUICK = "1",
FRAMES = 80
TENTH = 10
MOST_MB, GROWTH_MB = 200, 1
CHUNK = 1 << 17


def resident_mb(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def program():
    """Returns the path of ldpc-dvbt2 from LDPC_PROGRAMS, from the build tree of this libdvbt2, or from PATH."""
    built = pathlib.Path(libdvbt2.__file__).parents[2] / "bin"
    folders = os.environ.get("LDPC_PROGRAMS", ""), str(built), os.environ.get("PATH", os.defpath)
    found = shutil.which("ldpc-dvbt2", path=os.pathsep.join(filter(None, folders)))
    if found is None:
        raise FileNotFoundError(f"ldpc-dvbt2 is neither in {built} nor in a folder of PATH")
    return found


def receive(loop, cn, frames, output):
    """Returns the resident memory in MB at the end of each frame. A pipe provides the samples. The packets go to a file."""
    command = [program(), "-", "--format", "cs16", "--sample-rate", str(RATE), "-o", output, "--quiet"]
    process, sizes, done = subprocess.Popen(command, stdin=subprocess.PIPE), [], 0
    for block in loop.blocks(round(frames * loop.frame_samples), cn, size=CHUNK):
        process.stdin.write(t2_loop.quantise(block, "cs16", .2).tobytes())
        done += len(block)
        while done // loop.frame_samples > len(sizes):  # a block may hold several frames
            sizes.append(resident_mb(process.pid))
    process.stdin.close()
    process.wait()
    return sizes


def growth(sizes):
    """Returns the growth in MB: maximum of the last third minus maximum of the earlier values."""
    after = sizes[TENTH:]
    last = max(1, len(after) // 3)
    return max(after[-last:]) - max(after[:-last])


def measure(settings):
    result = Result("Memory of ldpc-dvbt2", ["mode", "resident after frame 10, MB", f"after frame {FRAMES}, MB", "most, MB",
                                             "bytes of output", "rest of 188"])
    most, grown, rest = 0.0, 0.0, 0
    output = os.path.join(settings.folder, "memory.ts")
    for mode in settings.chosen(modes.NINE, QUICK):
        d, _inputs, _stem = modes.clean(settings.folder, mode)
        _mode, _name, path, _stem = prepare(settings.folder, mode, "awgn", (((0, 1),),), 0., 0.)
        sizes = receive(t2_loop.load(path), BEGIN[mode] + 1.5, 14 if settings.quick else FRAMES, output)
        size = os.path.getsize(output)
        most, grown = max(most, *sizes), max(grown, growth(sizes))
        rest += size % 188 + (size == 0)
        result.add(modes.describe(d), sizes[TENTH], sizes[-1], max(sizes), size, size % 188)
        settings.say(f"mode {mode}: {sizes[TENTH]:.1f} MB after frame 10, {sizes[-1]:.1f} MB at the end")
    result.judge("resident memory", f"at most {MOST_MB} MB", f"{most:.0f} MB", most <= MOST_MB)
    result.judge("growth after the tenth frame, the most in the last third against the most before", "none",
                 f"{grown:+.2f} MB", grown <= GROWTH_MB)
    result.judge("output", "whole packets of 188 bytes", "whole packets" if not rest else "not whole", not rest)
    return result
