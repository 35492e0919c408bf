# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows the progress of a reception, as a bar or a status line."""
import contextlib
import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

BAR = 12  # characters
LINE_SECONDS = 5.0  # if the output is not a terminal


def line_of(reception, source):
    """Returns a line with signal quality and packets, or the receiver's state."""
    status = reception.receiver.status()
    parts = [reception.summary(status) if status["locked"] else status["state"]]
    if hasattr(source, "overflows"):
        parts += [f"level {reception.level_db():.0f} dB", f"gain {source.gain():.0f} dB", f"{source.overflows} overflows"]
    if status["message"]:
        parts.append(status["message"])
    return ", ".join(parts)


def lines(console, source):
    """Returns a function that prints a status line every LINE_SECONDS seconds."""
    last = time.monotonic()

    def show(reception):
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            console.print(f"{reception.seconds:8.1f} s  {line_of(reception, source)}", soft_wrap=True, highlight=False)

    return show


@contextlib.contextmanager
def shown(source, quiet):
    """Returns a function that displays the progress. The progress of a recording is displayed only on a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield (lambda reception: None) if quiet or source.samples else lines(console, source)
        return
    bar = [BarColumn(BAR), TextColumn("{task.percentage:>3.0f} %")] if source.samples else []
    text = TextColumn("{task.description}", table_column=Column(no_wrap=False))
    with Progress(*bar, TimeElapsedColumn(), text, console=console, transient=True) as progress:
        task = progress.add_task("search", total=source.samples)
        yield lambda reception: progress.update(task, completed=reception.samples, description=line_of(reception, source))
