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


def sentence(error):
    """What went wrong, with the file that it is about; a standard stream has no name."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


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
                self.fail(f"{part!r}: expected a number or FIRST:STEP:LAST, fewer than {self.MOST} numbers from FIRST to LAST", param, ctx)
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
    """OSError before long work whose result would go there; None is no output."""
    if path is None:
        return
    if path == "-":
        os.write(sys.stdout.fileno(), b"")  # fails where it is closed
        return
    place = path if os.path.exists(path) and not os.path.isfile(path) else os.path.dirname(os.path.realpath(path))
    reason = 0 if os.access(place, os.W_OK) else errno.EACCES if os.path.exists(place) else errno.ENOENT
    if reason:
        raise OSError(reason, os.strerror(reason), path)


def check_new(path, ways):
    """ValueError where a file of results is there already, with the ways to go on; /dev/null and empty files may be."""
    if path not in (None, "-") and os.path.isfile(path) and os.path.getsize(path):
        raise ValueError(f"{path} is there already: {ways}")


def write_whole(path, data):
    """Write a text or bytes; whoever reads the file meanwhile sees the old or the new one, never a part. A link stays one
    (/dev/stdout may be one to a file). - is standard output."""
    binary = isinstance(data, bytes)
    if path == "-":
        stream = sys.stdout.buffer if binary else sys.stdout
        stream.write(data)
        stream.flush()
        return
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():  # /dev/null, a pipe
        path.write_bytes(data if binary else data.encode())
        return
    try:
        replace(pathlib.Path(os.path.realpath(path)), data if binary else data.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def replace(path, data):
    """Write bytes to a file beside it, which then gets its name."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):  # Ctrl-C just after it got its name
            os.unlink(name)
        raise
