# SPDX-License-Identifier: BSD-3-Clause
"""Input and output files. Outputs are tested before long work, locked, and written atomically."""
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

UNFINISHED = ".unfinished"  # renamed when complete


def open_regular(path):
    """Opens a file for reading. Raises OSError for pipes, and for devices other than /dev/null."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(file).st_mode
    if not stat.S_ISREG(kind) and not os.path.samestat(os.fstat(file), os.stat(os.devnull)):
        os.close(file)
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind_of(kind)}", str(path))
    return open(file, "rb")


def kind_of(mode):
    """Returns the type of a file from its mode."""
    kinds = ((stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a pipe; redirect it to standard input"), (stat.S_ISSOCK, "a socket"))
    return next((name for is_kind, name in kinds if is_kind(mode)), "a device")


def check_distinct(*outputs):
    """Raises UsageError if two outputs are one file."""
    if outputs.count("-") > 1:
        raise click.UsageError('two outputs are "-" (expected at most one output on standard output)')
    files = [os.path.realpath(path) for path in outputs if path not in (None, "-")]
    files = [path for path in files if os.path.isfile(path) or not os.path.exists(path)]
    if len(set(files)) < len(files):
        raise click.UsageError("two outputs have the same name")


def picture_format(path):
    """Returns png, svg or pdf from the suffix. Raises ValueError for other suffixes."""
    form = str(path).rsplit(".", 1)[-1].lower()
    if form not in ("png", "svg", "pdf"):
        raise ValueError(f"{path}: expected a name that ends in .png, .svg or .pdf")
    return form


def check_picture(path):
    """Raises ValueError if the plot cannot be drawn. `path` may be None."""
    if path is None:
        return
    picture_format(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError as reason:
        raise ValueError(f"{path}: a picture needs matplotlib ({reason}): pip install matplotlib, or apt install "
                         "python3-matplotlib") from None


def check_writable(path):
    """Raises OSError if the output cannot be written. `path` is None if there is no output."""
    if path is None:
        return
    if path == "-":
        os.write(sys.stdout.fileno(), b"")  # fails if closed
        return
    place = path if os.path.exists(path) and not os.path.isfile(path) else os.path.dirname(os.path.realpath(path))
    reason = 0 if os.access(place, os.W_OK) else errno.EACCES if os.path.exists(place) else errno.ENOENT
    if reason:
        raise OSError(reason, os.strerror(reason), path)


def check_new(path, ways):
    """Raises ValueError if the result file is not empty."""
    if path not in (None, "-") and os.path.isfile(path) and os.path.getsize(path):
        raise ValueError(f"{path} already exists: {ways}")


class SignalsDeferred:
    """Defers Ctrl-C and SIGTERM, because exceptions might close a descriptor twice or leave a temporary file."""

    def __init__(self):
        self.deferring = False
        self.arrived = []
        self.handlers = {}

    def note(self, number, frame):
        if self.deferring:
            self.arrived.append(number)
        else:  # raised just before or after
            self.handlers[number](number, frame)

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(signal.getsignal(number)):  # neither ignored nor default
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
    """Output files. This process locks them before its work and releases them after its work.

    A new file is locked before it replaces a locked file. A process that waited for the lock of the old file sees that the file was
    replaced, and locks the new file.
    """

    def __init__(self):
        self.handles = {}

    def take(self, path):
        """Locks a regular file, created if missing. Raises ValueError if another process has locked it."""
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
                raise ValueError(f"{path}: another process is writing this file; wait for it to end, or choose another file") from None
            except OSError as error:
                if error.errno not in (errno.ENOLCK, errno.ENOTSUP):
                    raise
                os.close(handle)  # no locks on this file system
                return
            os.close(handle)

    def replace(self, name, data):
        """Replaces a locked file by a new locked file."""
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
        """Releases the locks, and removes files without content."""
        with SignalsDeferred():
            for name, handle in self.handles.items():
                if os.fstat(handle).st_size == 0:
                    with contextlib.suppress(OSError):
                        os.unlink(name)
                os.close(handle)
            self.handles = {}


def write_whole(path, data, claims=None):
    """Writes atomically. Follows symbolic links, such as /dev/stdout. "-" is standard output."""
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
    """The caller must hold the lock of the file."""
    if path not in (None, "-"):
        name = os.path.realpath(path)
        for left in glob.glob(glob.escape(name) + "." + "?" * 8 + UNFINISHED):
            with contextlib.suppress(OSError):
                os.unlink(left)


def replace(path, data, before_it_gets_its_name):
    """Writes a temporary file in the same directory, and renames it to `path`."""
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=os.path.basename(path) + ".", suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)  # a system crash might leave an empty file
            mask = os.umask(0)
            os.umask(mask)
            os.fchmod(handle, 0o666 & ~mask)
            before_it_gets_its_name(handle)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):  # Ctrl-C just after the rename
            os.unlink(name)
        raise
