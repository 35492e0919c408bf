#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures performance and speed of the DVB-T2 receiver with gr-dtv's transmitter.

Each PART prints its figures and compares the worst figure with its target. Without PART, all parts run. Signals are made once and
kept in --folder. With --output, tables are written as Markdown and CSV.
"""
import dataclasses
import importlib
import os
import pathlib
import sys
import tempfile
import time

import click
from rich.console import Console

from dvbt2 import results

PARTS = {
    "combinations": "covering set of modes: packets out are packets in",
    "disturbances": "lost samples, gain steps, bursts of noise",
    "foreign": "signals that are not DVB-T2",
    "cn": "C/N of the nine modes in white noise, offsets of carrier and clock",
    "echoes": "C/N with the short echo profile",
    "zero_echo": "C/N with an echo of 0 dB at 90 % of the guard interval",
    "outside": "echoes beyond the guard interval",
    "phases": "echoes of 0 dB within the guard interval at all phases",
    "channels": "C/N over the Doppler frequency, TU-6 and two paths of 0 dB",
    "doppler": "the same in small steps near the limits with the threshold in white noise",
    "decision_directed": "decision-directed channel estimates in channels that move: wrong codewords, and their time",
    "tuner": "networks of several clocks, phase noise, impulses, neighbours, 8 bits, zero-IF tuners",
    "offsets": "what offsets of carrier and clock cost, channels of all bandwidths",
    "speed": "times real time on one core and on two",
    "hosts": "how many receivers run in real time on this host, with and without a GPU",
    "endless": "24 minutes of signal: every packet, and memory",
    "memory": "of ldpc-dvbt2, and whole packets",
}


class Settings:
    """Options of all parts."""

    def __init__(self, console, folder, jobs, seconds, quick, modes=(), errors=None, seeds=1):
        self.console, self.folder, self.jobs, self.seconds, self.quick = console, folder, jobs, seconds, quick
        self.modes, self.errors, self.seeds = modes, errors, seeds
        self.start = time.monotonic()

    def say(self, line):
        self.console.print(f"[dim]{time.monotonic() - self.start:6.1f} s  {line}[/dim]", highlight=False)

    def chosen(self, modes, quick):
        return tuple(quick) if self.quick else tuple(mode for mode in modes if not self.modes or mode in self.modes)

    def goal(self, goal, quick):
        return quick if self.quick else dataclasses.replace(goal, errors=self.errors or goal.errors)

    @property
    def left(self):
        """Returns the remaining time in seconds."""
        return self.seconds - (time.monotonic() - self.start)


@click.command(help=__doc__)
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
@click.option("--channels", is_flag=True, help="The same as the part channels.")
@click.option("--folder", default=None, type=click.Path(file_okay=False), help="For signals.  [default: a temporary one]")
@click.option("--output", default=None, type=click.Path(file_okay=False), help="Folder for tables.")
@click.option("--jobs", default=os.cpu_count(), show_default=True, help="Processes where a part uses several.")
@click.option("--seconds", default=3600.0, show_default=True, help="After which no measurement is begun.")
@click.option("--mode", "modes", multiple=True, help="Only this mode, in parts that measure several; may be given again.")
@click.option("--errors", type=click.IntRange(1), default=None, help="Wrong codewords at each C/N, after which it is measured.  [default: the part's]")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Different fadings at each point of the part channels.")
@click.option("--quick", is_flag=True, help="A tiny measurement of each part, to try the program.")
def main(parts, channels, folder, output, jobs, seconds, modes, errors, seeds, quick):
    parts += ("channels",) * channels
    console = Console(width=None if sys.stdout.isatty() else 160)
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        settings = Settings(console, folder or temporary, jobs, seconds, quick, modes, errors, seeds)
        for part in parts or PARTS:
            result = importlib.import_module(f"dvbt2.{part}").measure(settings)
            results.show(console, result)
            missed += sum(not row.met for row in result.rows)
            if output:
                results.save(pathlib.Path(output), part, result)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
