# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives samples and passes packets, PDUs and baseband frames of each stream to sinks."""
import libdvbs2
import numpy as np
from libdvb import reception
from libdvb.services import Services

from libdvbs2.tools import pcap

ERROR_INDICATOR = 0x80  # transport_error_indicator, in byte 1 of a packet


class Stream:
    """Counts the frames of an input stream. `put` is called with the packets or PDUs of the stream."""

    def __init__(self, header, put):
        self.put, self.services = put, Services()
        self.counts = {"isi": header["isi"], "ts_gs": header["ts_gs"], "frames": 0, "failed_frames": 0, "packets": 0, "ts_errors": 0, "pdus": 0}

    def add(self, frame, seconds):
        """`seconds` is the time of the frame in the signal."""
        counts = self.counts
        counts["frames"] += 1
        counts["failed_frames"] += frame.broken
        counts["packets"] += len(frame.packets)
        counts["ts_errors"] += int(np.count_nonzero(frame.packets[:, 1] & ERROR_INDICATOR))
        counts["pdus"] += sum(1 for _ in pcap.pdus_of(frame.pdus))
        if len(frame.packets):
            self.services.add(frame.packets, seconds)
            self.put(frame.packets)
        if frame.pdus:
            self.put(frame.pdus)


class Reception(reception.Reception):
    """Receives the samples given to push(). `isi` selects the stream: a number, "all", or None for the first stream that is
    received. `sink` is called with the header of a baseband frame, and returns the function that takes the packets or PDUs of
    this stream. `take_frame` is called with the header and the data field of each baseband frame without bit errors. `pictures`
    keeps the cells of the last frame for plots."""

    def __init__(self, receiver, sample_rate, symbol_rate, isi=None, sink=lambda header: lambda data: None, take_frame=lambda data: None, pictures=False):
        super().__init__(receiver, sample_rate)
        self.symbol_rate, self.isi = symbol_rate, isi
        self._sink, self._take_frame, self._pictures = sink, take_frame, pictures
        self.streams = {}  # by ISI; None: a single stream
        self.others = set()  # ISIs that are not selected
        self.modcods = {}  # by (modulation, code, pilots): counts
        self.interrupted = True  # False: the samples ended, or enough were received
        self.points = None  # (cells, name of the constellation) of the last frame

    def gap(self, _gap):
        """Reports missing samples."""
        self.receiver.gap()

    def receive(self, data):
        """Receives whole samples."""
        for frame in libdvbs2.frames_of(self.receiver, data):
            self._add(frame)

    def quality_db(self):
        """Returns Es/N0."""
        return self.receiver.status()["esn0_db"]

    def finish(self):
        """Receives the frames that are left at the end of the signal."""
        self.receiver.finish()
        for frame in iter(self.receiver.pull, None):
            self._add(frame)

    def total(self, name):
        """Returns the sum of a count over all selected streams."""
        return sum(stream.counts[name] for stream in self.streams.values())

    def summary(self, status):
        """Returns a line about signal quality and packets."""
        pdus = f", {status['pdus']} PDUs" if status["pdus"] else ""
        return f"Es/N0 {status['esn0_db']:.1f} dB, {status['frames']} frames, {status['packets']} packets, {status['ts_errors']} errors{pdus}"

    def _add(self, frame):
        counts = self.modcods.setdefault((frame.modulation, frame.code, frame.pilots), {"frames": 0, "failed_frames": 0, "iterations": 0})
        counts["frames"] += 1
        counts["failed_frames"] += frame.broken
        counts["iterations"] += frame.iterations
        if self._pictures:
            self.points = (frame.cells, frame.modulation.upper())
        if frame.header is None:
            return
        if not frame.broken:
            self._take_frame(frame.bytes)
        isi = frame.header["isi"]
        if frame.broken and isi not in self.streams:  # the ISI may be wrong
            return
        if isi is not None and self.isi is None:
            self.isi = isi
        if isi is not None and self.isi not in ("all", isi):
            self.others.add(isi)
            return
        if isi not in self.streams:
            self.streams[isi] = Stream(frame.header, self._sink(frame.header))
        self.streams[isi].add(frame, frame.symbol / self.symbol_rate)
