# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-S2 and S2X reception on numpy arrays: samples to baseband frames, transport stream packets and PDUs.

    import libdvbs2

    receiver = libdvbs2.receiver(sample_rate=60e6, symbol_rate=27.5e6, format="cs16")
    for frame in libdvbs2.receive(receiver, chunks_of_samples):
        file.write(frame.packets.tobytes())
    print(receiver.status())
"""
from collections.abc import Iterable, Iterator
from typing import Any, Union

from numpy.typing import NDArray

from . import _libdvbs2
from .argument_errors import explain
explain(_libdvbs2)

from ._libdvbs2 import __version__, band, frame, receiver, survey

__all__ = ["band", "frame", "frames_of", "receive", "receiver", "survey"]

_Samples = Union[bytes, bytearray, memoryview, NDArray[Any]]


def frames_of(receiver: receiver, samples: _Samples) -> Iterator[frame]:
    """Push samples and yield the decoded frames until all samples are processed.

    receiver  a libdvbs2.receiver
    samples   a contiguous array of the receiver's format, or bytes; another type raises TypeError
    Raises    ValueError if the receiver is finished: it takes no more samples
    """
    start, total = 0, memoryview(samples).nbytes // receiver.sample_bytes
    while start < total:
        yield from iter(receiver.pull, None)  # then there is room for samples
        taken = receiver.push(samples, start)
        if not taken:
            raise ValueError("the receiver is finished: it takes no more samples")
        start += taken
    yield from iter(receiver.pull, None)


def receive(receiver: receiver, chunks: Iterable[_Samples]) -> Iterator[frame]:
    """Yield frames from chunks of samples.

    receiver  a libdvbs2.receiver
    chunks    an iterable of arrays of the receiver's format, or bytes; another type raises TypeError

    When the chunks end, the last frames are decoded too.
    """
    for samples in chunks:
        yield from frames_of(receiver, samples)
    receiver.finish()
    yield from iter(receiver.pull, None)
