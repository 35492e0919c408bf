# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of a reception (files, standard output, UDP, HTTP), and the handling of Ctrl-C."""
import contextlib
import os
import pathlib
import signal
import sys

import click
from libdvb import http_server, live, udp
from libldpc.tools import cli


@contextlib.contextmanager
def uninterrupted(sender=None):
    """Ctrl-C ends the with statement, and interrupts a live.Sender. The program continues after it."""
    try:
        yield
    except KeyboardInterrupt:
        if sender:
            sender.interrupt()


@contextlib.contextmanager
def delayed_interrupt():
    """Ctrl-C takes effect at the end of the with statement. A second one takes effect at once, because an output may block."""
    handler, came = signal.getsignal(signal.SIGINT), []

    def note(*arguments):
        came.append(arguments)
        if len(came) > 1:
            handler(*arguments)

    if not callable(handler):  # Ctrl-C is ignored
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])


def ignore_interrupts():
    """From now on, Ctrl-C has no effect: the reception has ended, and its report takes a short time and must be complete."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_inputs_stay(source, *paths):
    """Raises ValueError if an output would overwrite the recording."""
    for path in paths:
        if path not in (None, "-") and os.path.isfile(path) and os.path.isfile(source.path) and os.path.samefile(path, source.path):
            raise ValueError(f"{path}: the output is the recording itself; choose another name")


def path_of(output, part, suffix=None):
    """Returns the path for a part of the output. Example: out.plp0.ts if part is plp0, out.ts if part is empty. A device, such as
    /dev/null, is used for all parts."""
    path = pathlib.Path(output)
    if output == "-" or path.is_char_device():
        return output
    suffix = suffix or path.suffix
    return str(path.with_suffix(f".{part}{suffix}" if part else suffix))


class Output:
    """An output file, or standard output if the path is "-". The file is created when the first data arrives."""

    def __init__(self, path):
        self.path, self.file = path, sys.stdout.buffer if path == "-" else None

    def write(self, data):
        """Writes packets or bytes."""
        self.file = self.file or open(self.path, "wb")
        self.file.write(data if isinstance(data, bytes) else data.tobytes())

    def close(self):
        if self.path != "-" and self.file:
            self.file.close()
        elif self.file:
            self.file.flush()


def file_of(stack, path):
    """Returns a function that writes to the file `path`. If `path` is None, the function does nothing."""
    return stack.enter_context(contextlib.closing(Output(path))).write if path else lambda data: None


def targets_of(given):
    """Returns the targets of a live.Sender for --udp and --http. Raises ValueError if an address cannot be used."""
    targets, program = [], click.get_current_context().info_name

    def failed(error):
        """Names the option in an error of --udp, and raises the error if there is no other output."""
        error.filename = f"--udp {given['udp']}"
        if not (given["output"] or given["http"] or given["frames_path"]):
            raise error
        click.echo(f"{program}: {cli.sentence(error)}; packets for this address are lost", err=True)

    if given["udp"]:
        targets.append(udp.Datagrams(live.address(given["udp"]), failed))
    if given["http"]:
        try:
            targets.append(http_server.Server(http_server.address(given["http"])))
        except OSError as error:
            raise ValueError(f"--http {given['http']}: {error.strerror or error}") from None
        if not given["quiet"]:
            click.echo(f"{program}: players open {targets[-1].counts()['to']}", err=True)
    return targets


def sender_of(stack, given, targets, seconds):
    """Returns the live.Sender for the result of targets_of(), or None."""
    if not targets:
        return None
    sender = live.Sender(targets, seconds, waits=given["soapy"] is None)
    stack.callback(sender.close)
    return sender


def sink_of(stack, path, sender):
    """Returns a function that writes packets to a file, passes them to a live.Sender, or both."""
    to_file = file_of(stack, path)
    return (lambda packets: (to_file(packets), sender.put(packets))) if sender else to_file
