# SPDX-License-Identifier: BSD-3-Clause
"""Files: inputs are regular ones; outputs are checked before long work, written by one process alone, whole or not there."""
import contextlib
import errno
import fcntl
import glob
import os
import pathlib
import signal
import stat
import sys
import tempfile
import threading

import click

UNFINISHED = ".unfinished"  # end of the name of a file that gets another name when it is whole


def open_regular(path):
    """A file to read, binary. OSError for others: to open a pipe waits for its writer, and a device may have no end."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(file).st_mode
    if not stat.S_ISREG(kind) and not os.path.samestat(os.fstat(file), os.stat(os.devnull)):
        os.close(file)
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind_of(kind)}", str(path))
    return open(file, "rb")


def kind_of(mode):
    """The kind of a file that is not regular, by its mode."""
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe; give it to standard input"), (stat.S_ISSOCK, "a socket"))
    return next((name for is_kind, name in kinds if is_kind(mode)), "a device")


def check_distinct(*outputs):
    """UsageError where a later output would replace an earlier one, or follow it on standard output; what is no file, as /dev/null,
    takes several."""
    if outputs.count("-") > 1:
        raise click.UsageError("two outputs are -: standard output takes one of them")
    files = [os.path.realpath(path) for path in outputs if path not in (None, "-")]
    files = [path for path in files if os.path.isfile(path) or not os.path.exists(path)]
    if len(set(files)) < len(files):
        raise click.UsageError("two outputs have the same name")


def picture_format(path):
    """png, svg or pdf, by the end of the name; ValueError for others."""
    form = str(path).rsplit(".", 1)[-1].lower()
    if form not in ("png", "svg", "pdf"):
        raise ValueError(f"{path}: expected a name that ends in .png, .svg or .pdf")
    return form


def check_picture(path):
    """ValueError before any work where no picture can be drawn; None is no picture."""
    if path is None:
        return
    picture_format(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError as reason:
        raise ValueError(f"{path}: a picture needs matplotlib ({reason}): pip install matplotlib, or apt install "
                         "python3-matplotlib") from None


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


class SignalsDeferred:
    """Ctrl-C and SIGTERM take effect at the end of what is within. A handler that raises between two steps would leave a descriptor
    that is closed twice, or a file that nobody removes. Python runs handlers on the main thread: others have nothing to defer."""

    def __init__(self):
        self.deferring = False
        self.arrived = []
        self.handlers = {}

    def note(self, number, frame):
        if self.deferring:
            self.arrived.append(number)
        else:  # just before or after
            self.handlers[number](number, frame)

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(signal.getsignal(number)):  # neither ignored nor left to the system
                    self.handlers[number] = signal.getsignal(number)
                    signal.signal(number, self.note)
            self.deferring = True

    def __exit__(self, *_):
        self.deferring = False
        for number, handler in self.handlers.items():
            signal.signal(number, handler)
        for number in self.arrived:
            self.handlers[number](number, None)


class Claims:
    """Files that this process alone writes, from before its work to its end.

    The lock is on the file itself, and a file that replaces it is locked before it gets the name. Another process that has
    opened the old file meanwhile gets its lock in the end, finds that the name is another file's, and tries that one."""

    def __init__(self):
        self.handles = {}

    def take(self, path):
        """ValueError where another process has claimed the file. One that is not there is made: it is empty until it is
        written. None, standard output and what is no file need no claim."""
        if path in (None, "-") or os.path.exists(path) and not os.path.isfile(path):
            return
        name = os.path.realpath(path)
        with SignalsDeferred():
            self.take_file(path, name)

    def take_file(self, path, name):
        while name not in self.handles:
            handle = os.open(name, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.exists(name) and os.path.samestat(os.fstat(handle), os.stat(name)):
                    self.handles[name] = handle
                    continue
            except BlockingIOError:
                os.close(handle)
                raise ValueError(f"{path}: another process is writing it; wait for its end, or give another file") from None
            except OSError as error:
                if error.errno not in (errno.ENOLCK, errno.ENOTSUP):
                    raise
                os.close(handle)  # no locks on this file system
                return
            os.close(handle)

    def replace(self, name, data):
        """Write bytes to a file that has the lock, and then the name, of a claimed one."""
        with SignalsDeferred():
            self.replace_file(name, data)

    def replace_file(self, name, data):
        locked = []

        def lock(handle):
            if name in self.handles:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                locked.append(os.dup(handle))

        try:
            replace(name, data, lock)
        except BaseException:
            for handle in locked:
                os.close(handle)
            raise
        for handle in locked:
            os.close(self.handles[name])
            self.handles[name] = handle

    def release(self):
        """The locks end, and with them files that nothing was written to."""
        with SignalsDeferred():
            for name, handle in self.handles.items():
                if os.fstat(handle).st_size == 0:
                    with contextlib.suppress(OSError):
                        os.unlink(name)
                os.close(handle)
            self.handles = {}


def write_whole(path, data, claims=None):
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
        (claims or Claims()).replace(os.path.realpath(path), data if binary else data.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def remove_unfinished(path):
    """Remove the files beside a file that a process which was killed has left there: for the process that has claimed the file."""
    if path not in (None, "-"):
        name = os.path.realpath(path)
        for left in glob.glob(glob.escape(name) + "." + "?" * 8 + UNFINISHED):
            with contextlib.suppress(OSError):
                os.unlink(left)


def replace(path, data, before_it_gets_its_name):
    """Write bytes to a file beside it, which then gets its name."""
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=os.path.basename(path) + ".", suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)  # else a crash of the system may leave the new name with nothing in it
            mask = os.umask(0)
            os.umask(mask)
            os.fchmod(handle, 0o666 & ~mask)
            before_it_gets_its_name(handle)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):  # Ctrl-C just after it got its name
            os.unlink(name)
        raise
