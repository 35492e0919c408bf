# SPDX-License-Identifier: BSD-3-Clause
"""Options and error handling of all programs."""
import contextlib
import math
import os
import re
import signal
import sys
import textwrap
import warnings

import click
from click.shell_completion import CompletionItem

import libldpc

from . import tuning

MOST_THREADS = 1024  # maximum of a decoder
SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}
WRONG_INPUT = 2  # exit codes
INTERRUPTED = 130


def printable(text):
    """Escapes control characters, which could move the cursor or change colours."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))


def sentence(error):
    """Returns one line with the message and the file of an exception."""
    if isinstance(error, OSError) and error.strerror:
        return printable(f"{error.filename}: {error.strerror}" if error.filename else error.strerror)
    return printable(error)


def fail(program, reason, code=WRONG_INPUT):
    """`reason`: text or exception."""
    click.echo(f"{program}: {sentence(reason)}", err=True)
    sys.exit(code)


@contextlib.contextmanager
def reported(program):
    """Prints an error in one line and exits. If the error is a closed pipe, prints nothing."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        fail(program, error)
    except MemoryError as error:
        fail(program, str(error) or "out of memory")


def open_closed_streams():
    """Reopens closed standard streams (ldpc-info >&-), so that no other file gets their descriptors."""
    for number, name, flags, mode in ((0, "stdin", os.O_WRONLY, "r"), (1, "stdout", os.O_RDONLY, "w"), (2, "stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, flags)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8"))


def end_on_interrupt(command, program):
    """After Ctrl-C, a program prints one line and returns its exit code. click alone would print "Aborted!"."""
    invoke = command.invoke

    def interruptible(context):
        try:
            return invoke(context)
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would print a traceback
            fail(program, "interrupted", INTERRUPTED)

    command.invoke = interruptible


def hint_at_options(command):
    """Adds the options for a code or a file to click's message."""
    offered = [option for parameter in command.params for option in parameter.opts]
    options = [option for option in offered if option in ("--code", "--input")]
    parse = command.parse_args

    def parse_args(context, arguments):
        try:
            return parse(context, arguments)
        except click.UsageError as error:
            if options and "unexpected extra argument" in error.message:
                error.message += f": expected options, such as {' and '.join(options)}"
            if getattr(error, "option_name", None) == "--arithmetic" and "--algorithm" in offered:
                error.message += "; append it to the algorithm, as in --algorithm corrected:i8."
            raise

    command.parse_args = parse_args


def run(command, program):
    """Runs a program until its last byte is written."""
    open_closed_streams()
    warnings.showwarning = lambda message, *_: click.echo(f"{program}: {printable(message)}", err=True)
    end_on_interrupt(command, program)
    hint_at_options(command)
    with reported(program):
        try:
            command(prog_name=program)
        finally:
            try:
                if not sys.stdout.closed:
                    sys.stdout.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python reports a second failure
                raise


def cores():
    """Returns the number of cores that mpirun, SLURM or taskset allows."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def choose_backend(options):
    """Sets options["backend"] from --backend and --fallback. Raises ValueError for --devices with --backend cpu."""
    if options.get("devices") is not None and options["backend"] == "cpu":
        raise ValueError(f"--devices {options['devices']}: expected --backend gpu, cuda or opencl")
    options["backend"] = libldpc.choose_backend(options["backend"], options["fallback"])


def finite(_context, _parameter, value):
    """Rejects "nan", because comparisons with limits would accept it."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number")
    return value


def examples(lines):
    """Returns the examples for help and manual page. A test runs them in this order."""
    return "\b\nExamples:\n" + textwrap.indent(textwrap.dedent(lines.strip("\n")), "  ")


ALGORITHMS = ("auto", "min-sum", "offset", "normalized", "corrected", "three-min", "sum-product", "min-max", "ems")
ARITHMETICS = ("auto", "i8", "i16", "float")
FILE_FORMATS = ("alist:", "qc:", "nbalist:")


class Choices(click.ParamType):
    """An option whose values the library checks. Shells complete the values."""

    name = "text"

    def __init__(self, choices):
        self.choices = choices

    def shell_complete(self, ctx, param, incomplete):
        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


class KernelName(Choices):
    """The name of a kernel. Shells complete it with the kernels of this machine."""

    def __init__(self):
        super().__init__(())

    def shell_complete(self, ctx, param, incomplete):
        self.choices = dict.fromkeys(kernel for backend in libldpc.backends() for kernel in libldpc.kernels(backend))
        return super().shell_complete(ctx, param, incomplete)


class CodeName(Choices):
    """The name of a code: from ldpc-info --list, or alist:FILE, qc:FILE, nbalist:FILE."""

    def __init__(self):
        super().__init__(())

    def shell_complete(self, ctx, param, incomplete):
        form, colon, path = incomplete.partition(":")
        if form + colon in FILE_FORMATS:
            folder, _, start = path.rpartition("/")
            with contextlib.suppress(OSError):
                names = sorted(os.listdir(folder or ("/" if path.startswith("/") else ".")))
                return [CompletionItem(form + colon + path[:len(path) - len(start)] + name) for name in names if name.startswith(start)]
        self.choices = (*libldpc.codes(), *FILE_FORMATS)
        return super().shell_complete(ctx, param, incomplete)


def why_no_messages(code):
    """Returns an error message, or "" if the code has message bits."""
    if code.k > 0:
        return ""
    return (f"{code.name} has no message bits (k = 0): is its parity-check matrix of {code.checks} rows and {code.columns} columns "
            "transposed?")


def check_messages(code):
    """Raises ValueError if the code has no message bits."""
    if code.k == 0:
        raise ValueError(why_no_messages(code))


def code_with_messages(name):
    """Raises ValueError if the code has no message bits."""
    code = libldpc.code(name)
    check_messages(code)
    return code


def algorithm_of(decoder):
    """Returns the algorithm in the notation of the command line, such as "normalized:0.75"."""
    given = decoder.parameters
    value = {"offset": given["offset"], "normalized": given["factor"]}.get(decoder.algorithm)
    return decoder.algorithm if value is None else f"{decoder.algorithm}:{value:g}"


def given_options(context):
    """Returns the options on the command line."""
    chosen = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) == chosen}


def tuned(program, code, backend, given, wanted=True):
    """Returns the arguments stored by ldpc-tune, or {}. Prints why a file cannot be used."""
    if not wanted:
        return {}
    stored, note = tuning.choices(code, backend, given)
    if note:
        click.echo(f"{program}: {printable(note)}", err=True)
    return stored


# Arguments of click.option() for each option of a decoder.
DECODER_OPTIONS = {
    "code": ("--code", {"type": CodeName(), "help": "Name of the code (ldpc-info --list), alist:FILE, qc:FILE or nbalist:FILE."}),
    "algorithm": ("--algorithm", {"default": "auto", "type": Choices(ALGORITHMS), "help": f"Check-node algorithm: {', '.join(ALGORITHMS)}. A "
                                  "value may follow: offset:1 (LLR steps), normalized:0.75 (factor)."}),
    "arithmetic": ("--arithmetic", {"default": "auto", "type": Choices(ARITHMETICS), "help": "Number format of the messages: auto, i8, i16, float."}),
    "schedule": ("--schedule", {"default": "auto", "type": Choices(("auto", "layered", "flooding")), "help": "Decoding schedule: auto, layered, flooding."}),
    "iterations": ("--iterations", {"type": click.IntRange(0, 10000), "default": 50, "help": "Maximum number of iterations per codeword."}),
    "early_stop": ("--early-stop/--no-early-stop", {"default": True, "help": "Stop decoding a codeword as soon as its syndrome is zero."}),
    "llr_scale": ("--llr-scale", {"type": float, "default": libldpc.DEFAULT_LLR_SCALE, "help": "Int8 LLR steps per nat."}),
    "llr_limit": ("--llr-limit", {"type": click.IntRange(1, 127), "default": libldpc.DEFAULT_LLR_LIMIT, "help": "Clip channel LLRs to this number of steps, with integer arithmetic; 127 = no clipping. For codes of high rate increase it with --llr-scale."}),
    "backend": ("--backend", {"default": "cpu", "type": Choices(("cpu", "gpu", "cuda", "opencl")), "help": "Decoder backend: cpu, gpu (CUDA or OpenCL), cuda or opencl."}),
    "fallback": ("--fallback", {"is_flag": True, "help": "Warn and decode on the CPU if the GPU cannot be used."}),
    "kernel": ("--kernel", {"default": None, "type": KernelName(), "help": "Name of the kernel.  [default: the fastest]"}),
    "devices": ("--devices", {"default": None, "help": "GPUs that share the batches: 0, 0,1 or all; with OpenCL also gpu, cpu or a part of a device name.  [default: 0]"}),
    "threads": ("--threads", {"type": click.IntRange(0, MOST_THREADS), "default": 0, "help": "CPU threads; 0 = one per core."}),
    "tuning": ("--tuning/--no-tuning", {"default": True, "help": "Use the batch size, threads and streams that ldpc-tune has stored "
                                        "for this code and machine; options override them."}),
}


def decoder_option(name, *names, more="", **changes):
    """Returns an option of DECODER_OPTIONS with changes. `more` is appended to its help."""
    declaration, attributes = DECODER_OPTIONS[name]
    attributes = {**attributes, **changes}
    return click.option(declaration, *names, **{**attributes, "help": attributes["help"] + more})


class Count(click.IntRange):
    """An integer, written as digits or as in 1e6."""

    name = "whole number"

    def convert(self, value, param, ctx):
        if isinstance(value, str) and re.fullmatch(r"\d(\.\d+)?e\d\d?", value) and float(value).is_integer():
            value = int(float(value))
        return super().convert(value, param, ctx)


class WrongOrder(ValueError):
    """A range ends below its start."""


class Numbers(click.ParamType):
    """Numbers and inclusive ranges: 1,1.5 or 1:3 or 1.0:0.1:2.0 (steps of 0.1)."""

    name = "numbers"
    MOST = 1000

    def convert(self, value, param, ctx):
        if isinstance(value, list):
            return value
        numbers = []
        for part in value.split(","):
            try:
                numbers += self.span(*map(float, part.split(":")))
            except WrongOrder:
                self.fail(f"{part!r}: LAST is below FIRST: expected FIRST:LAST or FIRST:STEP:LAST", param, ctx)
            except (ValueError, TypeError, ZeroDivisionError):
                self.fail(f"{part!r}: expected a number, FIRST:LAST or FIRST:STEP:LAST, fewer than {self.MOST} numbers from FIRST to "
                          "LAST", param, ctx)
        return numbers

    def span(self, first, *step_and_last):
        *step, last = step_and_last or [first]
        step, = step or [1.0]
        count = (last - first) / step
        if count < 0 < step:
            raise WrongOrder
        if not 0 <= count < self.MOST:
            raise ValueError
        return [round(first + i * step, 9) + 0.0 for i in range(int(count + 1e-6) + 1)]
