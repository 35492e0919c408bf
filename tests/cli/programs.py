# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs in forks of the test's process. This process has already imported their modules."""
import contextlib
import json
import multiprocessing
import os
import resource
import runpy
import signal
import subprocess
import sys
import tempfile
from unittest import mock

import click  # pylint: disable=unused-import
import libldpc  # pylint: disable=unused-import
from libldpc.tools import cli, codeword_files, display, simulator, speed  # pylint: disable=unused-import

PROGRAMS = os.path.abspath(os.environ["LDPC_PROGRAMS"])
SECONDS = 300  # a program that takes longer hangs
BEFORE_THE_START = ("LD_", "PYTHON", "OPENBLAS_")  # environment that is read before the program


# Forked programs skip the start and the end of the interpreter. Other tests run each program in its own process.


def child(command, streams, folder, memory, environment):
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    os.chdir(folder)
    os.environ.update(environment)
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sys.argv = command
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode, closefd=False) for number, mode in enumerate(("r", "w", "w")))
    runpy.run_path(command[0], run_name="__main__")


@contextlib.contextmanager
def interrupted_reports():
    """Programs that run() starts receive Ctrl-C when they begin to write a result as JSON."""
    def dumps(*arguments, original=json.dumps, **named):
        signal.raise_signal(signal.SIGINT)
        return original(*arguments, **named)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with mock.patch("json.dumps", dumps):
        yield
    signal.signal(signal.SIGINT, before)


def run(program, *arguments, data=b"", text=True, folder=".", memory=None, **environment):
    """Returns a subprocess.CompletedProcess. memory: limit of the address space, bytes."""
    command = [os.path.join(PROGRAMS, program), *map(str, arguments)]
    if any(name.startswith(BEFORE_THE_START) for name in environment):
        return subprocess.run(command, input=data.decode() if text else data, capture_output=True, text=text, timeout=SECONDS, cwd=folder,
                              check=False, env={**os.environ, **environment})
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(data)
        given.seek(0)
        process = multiprocessing.get_context("fork").Process(target=child, args=(command, (given, output, errors), folder, memory, environment))
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(command, SECONDS)
        written = [file.seek(0) or file.read() for file in (output, errors)]
    return subprocess.CompletedProcess(command, process.exitcode, *(part.decode() if text else part for part in written))
