# SPDX-License-Identifier: BSD-3-Clause
"""Displays the progress of ldpc-ber: a bar for the current point, and a table row for each finished point."""
import contextlib
import os
import re
import stat
import sys
import time

import click
from rich.console import Console
from rich.constrain import Constrain
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column

from . import results

READER_SECONDS = 0.05  # for tee or less to write a row before the bar returns

TABLE_HEAD = """\
# ---------------------||------------------------------------------------------||---------------------
#  Signal to noise     ||  Bit error rate (BER) and frame error rate (FER)      ||  Coded throughput
#  ratio               ||                                                       ||  and time
# ----------|----------||----------|----------|----------|----------|----------||----------|----------
#     Es/N0 |    Eb/N0 ||      FRA |       BE |       FE |      BER |      FER ||  SIM_THR |    ET/RT
#      (dB) |     (dB) ||          |          |          |          |          ||   (Mb/s) | (hhmmss)
# ----------|----------||----------|----------|----------|----------|----------||----------|----------"""


PROBABILITY_HEAD = "\n".join(left + line[line.index("||"):] for left, line in zip((
    "# ---------------", "#  Probability  ", "#  of an event  ", "# ---------------", "#            EP ", "#               ", "# ---------------"),
    TABLE_HEAD.splitlines()))


def clock(seconds):
    return f"{int(seconds // 3600):02d}h{int(seconds // 60 % 60):02d}'{int(seconds % 60):02d}"


def table_row(point):
    axis = f"  {point['probability']:14.6g}" if "probability" in point else f"  {point['esn0']:9.3f} | {point['ebn0']:8.3f}"
    return (f"{axis} || {point['frames']:8d} | {point['bit_errors']:8d} | "
            f"{point['frame_errors']:8d} | {point['ber']:8.2e} | {point['fer']:8.2e} || {point['coded_mbps']:8.2f} | "
            f"{clock(point['seconds'])}")


# (minimum terminal width, cells shown only from this width). "other" is the ratio that was not requested: Es/N0 or Eb/N0.
LEFT_OUT = ((104, (7, 8)), (80, (3,)), (70, ("other",)), (58, (4,)), (48, (2,)))


def narrowed(line, columns, other):
    """Returns the line without the cells that do not fit."""
    parts = re.split(r"(\|+)", line)
    cells, bars = parts[::2], ["", *parts[1::2]]
    gone = [other if cell == "other" else cell for width, some in LEFT_OUT if columns < width for cell in some]
    if not gone or len(cells) not in (3, 9):
        return line
    if len(cells) == 3:  # titles of groups
        return "||".join(cells[:2]) if len(gone) == 2 else ""
    kept = [number for number in range(9) if number not in gone]
    text = cells[kept[0]] + "".join(bars[number] + cells[number] for number in kept[1:])
    return ("# " + text[2:] if line.startswith("#") else text) + "*" * line.endswith("*")


class Line:
    """Shortens a line, so that the terminal's ^C fits after it."""

    def __init__(self, content):
        self.content = content

    def __rich_console__(self, console, options):
        yield Constrain(self.content, options.max_width - len("^C "))


class Bars(Progress):
    def get_renderables(self):
        yield Line(self.make_tasks_table(self.tasks))


class Display:
    """Progress bar and table rows."""

    NARROW = ("{task.fields[place]}", BarColumn, "{task.fields[errors]:,d} / {task.fields[frames]:,d} wrong",
              "BER {task.fields[ber]:.1e}", "FER {task.fields[fer]:.1e}", TimeRemainingColumn)
    WIDE = ("{task.description} {task.fields[place]}", BarColumn, "{task.fields[frames]:,d} frames",
            "{task.fields[errors]:,d} wrong", "BER {task.fields[ber]:.2e}", "FER {task.fields[fer]:.2e}",
            "{task.fields[mbps]:.1f} Mbit/s", TimeElapsedColumn, TimeRemainingColumn)
    TINY = ("{task.fields[place]}", BarColumn, "FER {task.fields[fer]:.1e}", TimeRemainingColumn)
    WIDE_FROM, NARROW_FROM = 120, 80  # columns of a terminal

    def __init__(self, quiet, to_stderr, esn0):
        self.to_stderr = to_stderr
        self.other = 1 if esn0 else 0  # cell of the ratio that was not requested
        self.console = Console(stderr=True)
        self.bars = self.console.is_terminal and not quiet
        self.on_screen = sys.stderr.isatty() if to_stderr else sys.stdout.isatty()
        columns = next(columns for columns, least in ((self.WIDE, self.WIDE_FROM), (self.NARROW, self.NARROW_FROM), (self.TINY, 0))
                       if self.console.width >= least)
        self.progress = Bars(*map(self.column, columns), console=self.console, expand=True, transient=True,
                             disable=not self.bars, redirect_stdout=self.on_screen)

    @staticmethod
    def column(what):
        one_line = Column(no_wrap=True)
        if what is BarColumn:
            return BarColumn(bar_width=None)
        return TextColumn(what, table_column=one_line) if isinstance(what, str) else what(table_column=one_line)

    def say(self, text):
        """Prints a text. On a terminal with a progress bar, the text appears above the bar."""
        if self.on_screen:
            lines = (narrowed(line, self.console.width, self.other) for line in text.splitlines())
            text = "\n".join(filter(None, lines))
        if self.on_screen and self.bars:
            self.console.out(text, highlight=False)
        else:
            click.echo(text, err=self.to_stderr)
            if self.bars and stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode):
                time.sleep(READER_SECONDS)

    def head(self, run):
        facts = [f"# {name} = {value}" for name, value in run.items() if name not in ("points", "date")]
        self.say("\n".join(facts + [PROBABILITY_HEAD if "channel" in run else TABLE_HEAD]))

    def row(self, point, beyond):
        if beyond:
            self.say(f"# {results.place(point)}: the file already has more frames than requested; they are kept")
        self.say(table_row(point) + ("" if point["complete"] else " *"))

    @contextlib.contextmanager
    def bar(self, point, run):
        """Returns a context manager that shows a progress bar for the point."""
        name = run["channel"].upper() if "channel" in run else "Es/N0" if run["esn0"] else "Eb/N0"
        place = f"{point.snr:g}" if "channel" in run else f"{point.snr:6.3f} dB"
        task = self.progress.add_task(name, total=1.0, place=place, frames=0, errors=0,
                                      ber=0.0, fer=0.0, mbps=0.0)

        def show(record, share):
            self.progress.update(task, completed=share, frames=record["frames"], errors=record["frame_errors"],
                                 ber=record["ber"], fer=record["fer"], mbps=record["coded_mbps"])

        try:
            yield show
        finally:
            self.progress.remove_task(task)
            self.progress.refresh()
