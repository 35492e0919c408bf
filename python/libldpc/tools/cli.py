# SPDX-License-Identifier: BSD-3-Clause
"""Command lines: one sentence for whatever goes wrong, ranges of numbers."""
import contextlib
import math
import os
import sys
import textwrap

import click

import libldpc

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


# The options of a decoder, the same in all programs: declaration, then what click.option() takes.
DECODER_OPTIONS = {
    "code": ("--code", {"help": "Name of the code (ldpc-info --list), alist:FILE, qc:FILE or nbalist:FILE."}),
    "algorithm": ("--algorithm", {"default": "auto", "help": "auto, min-sum, offset, normalized, corrected, three-min, sum-product, "
                                                             "min-max, ems."}),
    "arithmetic": ("--arithmetic", {"default": "auto", "help": "auto, i8, i16, float."}),
    "schedule": ("--schedule", {"default": "auto", "help": "auto, layered, flooding."}),
    "iterations": ("--iterations", {"type": click.IntRange(0, 10000), "default": 50, "help": "Most iterations of a codeword."}),
    "early_stop": ("--early-stop/--no-early-stop", {"default": True, "help": "Stop a codeword at its first zero syndrome."}),
    "llr_scale": ("--llr-scale", {"type": float, "default": libldpc.DEFAULT_LLR_SCALE, "help": "int8 LLR steps per nat."}),
    "backend": ("--backend", {"default": "auto", "help": "auto, cpu, cuda."}),
    "kernel": ("--kernel", {"default": None, "help": "Force a kernel by name.  [default: the best]"}),
    "devices": ("--devices", {"default": None, "help": "GPUs that share the batches: 0, 0,1 or all.  [default: 0]"}),
    "threads": ("--threads", {"type": click.IntRange(0, MOST_THREADS), "default": 0, "help": "CPU threads; 0 = one per core."}),
}


def decoder_option(name, *names, more="", **changes):
    """One of DECODER_OPTIONS, with what this program changes, and more at the end of its help."""
    declaration, attributes = DECODER_OPTIONS[name]
    attributes = {**attributes, **changes}
    return click.option(declaration, *names, **{**attributes, "help": attributes["help"] + more})


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
