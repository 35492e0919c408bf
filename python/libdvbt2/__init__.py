# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-T2 reception on numpy arrays: a receiver converts samples to cells, a decoder converts cells to the transport stream.

    import libdvbt2

    receiver = libdvbt2.receiver(sample_rate=10e6, format="cs16")
    decoder = libdvbt2.plp_decoder(threads=2)
    for packets in libdvbt2.receive(receiver, decoder, chunks_of_samples):
        file.write(packets.tobytes())
    print(receiver.status(), decoder.counters())
"""
from collections.abc import Iterable, Iterator
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _libdvbt2
from .argument_errors import explain
explain(_libdvbt2)

from ._libdvbt2 import COMMON_PLP, FIRST_PLP, TS_PACKET, __version__, plp_decoder, plp_frame, receiver, sample_rate

__all__ = ["COMMON_PLP", "FIRST_PLP", "TS_PACKET", "cells_of", "plp_decoder", "plp_frame", "receive", "receiver", "sample_rate"]

_Samples = Union[bytes, bytearray, memoryview, NDArray[Any]]


def cells_of(receiver: receiver, samples: _Samples, output: int = 0) -> Iterator[tuple[NDArray[np.complex64], NDArray[np.float32], plp_frame, int]]:
    """Push samples, and yield what `receiver.pull(output)` returns until all samples are processed.

    receiver  a libdvbt2.receiver
    samples   a contiguous array of the receiver's format, or bytes; another type raises TypeError
    output    index of the PLP among the receiver's PLPs
    """
    start, total = 0, memoryview(samples).nbytes // receiver.sample_bytes
    while start < total:
        start += receiver.push(samples, start)
        while (cells := receiver.pull(output)) is not None:
            yield cells


def receive(receiver: receiver, decoder: plp_decoder, chunks: Iterable[_Samples]) -> Iterator[NDArray[np.uint8]]:
    """Yield arrays of transport stream packets, uint8 of shape (packets, 188), from chunks of samples.

    receiver  a libdvbt2.receiver, whose first PLP is received
    decoder   a libdvbt2.plp_decoder
    chunks    an iterable of arrays of the receiver's format, or bytes; another type raises TypeError

    At the end of the chunks, frames that are not complete are decoded as well.
    """
    for samples in chunks:
        for cells, noise, frame, first in cells_of(receiver, samples):
            decoder.feed(frame, first, cells, noise)
        yield from packets_of(decoder)
    decoder.finish()
    yield from packets_of(decoder)


def packets_of(decoder: plp_decoder) -> Iterator[NDArray[np.uint8]]:
    """Yield the decoded packets."""
    while len(packets := decoder.pull()):
        yield packets
