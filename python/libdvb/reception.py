# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the samples and gaps of a reception, and keeps values for plots."""
import collections

from libdvb.radio import Gap

HISTORY = 4000  # status values kept for plots


class Reception:
    """Base class for receptions. A subclass defines receive(data), gap(gap) and quality_db()."""

    def __init__(self, receiver, sample_rate):
        self.receiver, self.sample_rate = receiver, sample_rate
        self.samples = self.gaps = self.lost_samples = 0
        self.sender = None  # live.Sender
        self.history = collections.deque(maxlen=HISTORY)  # (seconds of signal, quality in dB) while locked
        self.last = b""  # the last whole chunk of samples

    @property
    def seconds(self):
        """Returns the duration of the received signal in seconds."""
        return self.samples / self.sample_rate

    def push(self, data):
        """Receives whole samples or a Gap."""
        if isinstance(data, Gap):
            self.gaps += 1
            self.lost_samples += data.samples
            self.gap(data)
            return
        self.receive(data)
        self.samples += memoryview(data).nbytes // self.receiver.sample_bytes
        if memoryview(data).nbytes >= memoryview(self.last).nbytes:  # the last chunk of a recording is too short for a spectrum
            self.last = data
        quality = self.quality_db()
        if quality and self.receiver.status()["locked"]:
            self.history.append((self.seconds, quality))

    def level_db(self):
        """Returns the mean level of the samples in dB relative to full scale."""
        return self.receiver.status()["level_db"]

    def losses(self):
        """Returns the losses of samples and the counts of live outputs for --json."""
        return {"gaps": self.gaps, "lost_samples": self.lost_samples, "live": self.sender.counts() if self.sender else []}
