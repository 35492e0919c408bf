# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-T2 reception on numpy arrays: a receiver converts samples to cells, a decoder converts cells to the transport stream.

    import libdvbt2

    receiver = libdvbt2.receiver(sample_rate=10e6, format="cs16")
    decoder = libdvbt2.plp_decoder(threads=2)
    for packets in libdvbt2.receive(receiver, decoder, chunks_of_samples):
        file.write(packets.tobytes())
    print(receiver.status(), decoder.counters())
"""
from . import _libdvbt2
from .argument_errors import explain
explain(_libdvbt2)

from ._libdvbt2 import COMMON_PLP, FIRST_PLP, TS_PACKET, __version__, plp_decoder, plp_frame, receiver, sample_rate

__all__ = ["COMMON_PLP", "FIRST_PLP", "TS_PACKET", "cells_of", "plp_decoder", "plp_frame", "receive", "receiver", "sample_rate"]


def cells_of(receiver, samples, output=0):
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


def receive(receiver, decoder, chunks):
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


def packets_of(decoder):
    """Yield the decoded packets."""
    while len(packets := decoder.pull()):
        yield packets
