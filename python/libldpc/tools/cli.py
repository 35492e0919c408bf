# SPDX-License-Identifier: BSD-3-Clause
"""Command lines: one sentence for whatever goes wrong, ranges of numbers."""
import contextlib
import math
import os
import sys
import textwrap

import click

MOST_THREADS = 1024  # that a decoder takes
SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}
WRONG_INPUT = 2  # exit code


def printable(text):
    """A text from a file or a name as a terminal may see it: control characters, which could move its cursor or change its
    colours, are escaped."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))


def sentence(error):
    """What went wrong, with the file that it is about, in one line; a standard stream has no name."""
    if isinstance(error, OSError) and error.strerror:
        return printable(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    return printable(error)


def fail(program, reason, code=WRONG_INPUT):
    """End with a sentence, or with what an exception says."""
    click.echo(f"{program}: {sentence(reason)}", err=True)
    sys.exit(code)


@contextlib.contextmanager
def reported(program):
    """Failures of the library and of files as one line; click ends quietly where the reader of a pipe is gone."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        fail(program, error)
    except MemoryError as error:
        fail(program, str(error) or "out of memory")


def open_closed_streams():
    """Standard streams that were closed (ldpc-info >&-) fail when they are read or written, no file takes their number, and what
    is said to standard error is lost."""
    for number, name, flags, mode in ((0, "stdin", os.O_WRONLY, "r"), (1, "stdout", os.O_RDONLY, "w"), (2, "stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, flags)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8"))


def run(command, program):
    """A program, from its arguments to its last byte on standard output."""
    open_closed_streams()
    with reported(program):
        try:
            command(prog_name=program)
        finally:
            try:
                if not sys.stdout.closed:
                    sys.stdout.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try again and say so
                raise


def cores():
    """Cores that this process may use: fewer than there are under mpirun, SLURM or taskset."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_devices(devices, backend):
    """ValueError where GPUs are listed that nobody asks for."""
    if devices is not None and backend in ("auto", "cpu"):
        raise ValueError(f"--devices {devices}: expected --backend cuda")


def finite(_context, _parameter, value):
    """For options: not every comparison with a limit catches "nan"."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number")
    return value


def examples(lines):
    """The end of a program's help and of its manual page: commands that work one after the other, which a test runs."""
    return "\b\nExamples:\n" + textwrap.indent(textwrap.dedent(lines.strip("\n")), "  ")


class Numbers(click.ParamType):
    """Numbers and ranges, both ends included: 1,1.5 or 1:3 (in steps of 1) or 1.0:0.1:2.0."""

    name = "numbers"
    MOST = 1000

    def convert(self, value, param, ctx):
        if isinstance(value, list):
            return value
        numbers = []
        for part in value.split(","):
            try:
                numbers += self.span(*map(float, part.split(":")))
            except (ValueError, TypeError, ZeroDivisionError):
                self.fail(f"{part!r}: expected a number, FIRST:LAST or FIRST:STEP:LAST, fewer than {self.MOST} numbers from FIRST to "
                          "LAST", param, ctx)
        return numbers

    def span(self, first, *step_and_last):
        *step, last = step_and_last or [first]
        step, = step or [1.0]
        count = (last - first) / step
        if not 0 <= count < self.MOST:
            raise ValueError
        return [round(first + i * step, 9) + 0.0 for i in range(int(count + 1e-6) + 1)]
