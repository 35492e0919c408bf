# SPDX-License-Identifier: BSD-3-Clause
"""Command lines: one sentence for whatever goes wrong, ranges of numbers, files that are whole or not there."""
import contextlib
import errno
import math
import os
import pathlib
import sys
import tempfile
import textwrap

import click

MOST_THREADS = 1024  # that a decoder takes
SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}
WRONG_INPUT = 2  # exit code


def fail(program, reason, code=WRONG_INPUT):
    click.echo(f"{program}: {reason}", err=True)
    sys.exit(code)


def sentence(error):
    """What went wrong, with the file that it is about."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


@contextlib.contextmanager
def reported(program):
    """Failures of the library and of files as one line."""
    try:
        yield
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except (OSError, ValueError, RuntimeError) as error:
        fail(program, sentence(error))
    except MemoryError as error:
        fail(program, str(error) or "out of memory")


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
    """Numbers and ranges: 1,1.5 or 1.0:0.1:2.0, both ends included."""

    name = "numbers"
    MOST = 1000

    def convert(self, value, param, ctx):
        if isinstance(value, list):
            return value
        numbers = []
        for part in value.split(","):
            try:
                ends = [float(text) for text in part.split(":")]
                numbers += self.span(*ends)
            except (ValueError, TypeError, ZeroDivisionError):
                self.fail(f"{part!r}: expected a number or FIRST:STEP:LAST", param, ctx)
        return numbers

    def span(self, first, step=1.0, last=None):
        last = first if last is None else last
        count = (last - first) / step
        if not 0 <= count < self.MOST:
            raise ValueError
        return [round(first + i * step, 9) + 0.0 for i in range(int(count + 1e-6) + 1)]


def check_distinct(*outputs):
    """UsageError where a later output would replace an earlier one; what is no file, as /dev/null, takes several."""
    files = [os.path.realpath(path) for path in outputs if path not in (None, "-")]
    files = [path for path in files if os.path.isfile(path) or not os.path.exists(path)]
    if len(set(files)) < len(files):
        raise click.UsageError("two outputs have the same name")


def check_writable(path):
    """Before long work whose result goes there; - and None always can."""
    if path in (None, "-"):
        return
    place = path if os.path.exists(path) and not os.path.isfile(path) else os.path.dirname(path) or "."
    reason = 0 if os.access(place, os.W_OK) else errno.EACCES if os.path.exists(place) else errno.ENOENT
    if reason:
        raise OSError(reason, os.strerror(reason), path)


def check_new(path, ways):
    """ValueError where a file of results is there already, with the ways to go on; /dev/null and empty files may be."""
    if path not in (None, "-") and os.path.isfile(path) and os.path.getsize(path):
        raise ValueError(f"{path} is there already: {ways}")


def write_whole(path, data):
    """Write a text or bytes; whoever reads the file meanwhile sees the old or the new one, never a part. - is standard
    output."""
    binary = isinstance(data, bytes)
    if path == "-":
        (sys.stdout.buffer if binary else sys.stdout).write(data)
        return
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():  # /dev/null, a pipe
        path.write_bytes(data if binary else data.encode())
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent or ".", prefix=path.name + ".")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data if binary else data.encode())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):  # Ctrl-C just after it got its name
            os.unlink(name)
        raise
