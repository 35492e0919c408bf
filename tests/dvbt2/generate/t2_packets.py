# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares received packets with transmitted packets, and runs a receiver."""
import dataclasses
import time

import libdvbt2
import numpy as np

NULL_PID = 0x1fff
DECODE_WAIT = 2.0  # time limit for decoding a frame's packets after its cells, s
LAST_WAIT = 60.0   # time limit for all frames at the end, s
CHUNK = 1 << 14


def indices(packets):
    p = packets.astype(np.int64)
    index = p[:, 4] << 24 | p[:, 5] << 16 | p[:, 6] << 8 | p[:, 7]
    pid = (p[:, 1] & 0x1f) << 8 | p[:, 2]
    return np.where((pid == NULL_PID) | marked(packets), -1, index)


def marked(packets):
    """Returns the transport_error_indicator of each packet."""
    return packets[:, 1] & 0x80 != 0


@dataclasses.dataclass
class Comparison:
    runs: list      # (index of the first packet, number) of each run of consecutive correct packets
    wrong: int      # wrong packets that are not marked
    marked: int     # packets marked as erroneous

    @property
    def right(self):
        return sum(count for _, count in self.runs)

    def covers(self, first, last):
        """Returns True if packets first .. last - 1 were received."""
        for start, count in sorted(self.runs):
            if start <= first < start + count:
                first = start + count
        return first >= last


def equal_run(received, sent):
    """Returns the number of equal packets before the first difference."""
    count = min(len(received), len(sent))
    different = (received[:count] != sent[:count]).any(axis=1)
    return int(different.argmax()) if different.any() else count


def compare(received, sent):
    index, errors = indices(received), marked(received)
    known = np.append(np.flatnonzero(index >= 0), len(received))
    result, i = Comparison([], 0, int(errors.sum())), 0
    while i < len(received):
        anchor = int(known[np.searchsorted(known, i)])  # the next packet with an index
        first = int(index[anchor]) - (anchor - i) if anchor < len(received) else -1
        run = equal_run(received[i:], sent[first:]) if 0 <= first < len(sent) else 0
        if run:
            result.runs.append((first, run))
            i += run
        else:
            result.wrong += int(not errors[i] and index[i] >= 0)  # a null packet after a gap matches anywhere
            i += 1
    return result


class Watch:
    """A receiver and PLP decoder that records outputs and their times."""

    def __init__(self, rate, sample_format='cf32', threads=1, iterations=25, **options):
        self.receiver = libdvbt2.receiver(rate, sample_format, **options)
        self.decoder = libdvbt2.plp_decoder(threads=threads, max_iterations=iterations)
        self.packets, self.samples, self.due = [], 0, 0  # due: codewords of the frames that are complete
        self.first_packet = None   # number of samples pushed before the first packet
        self.first_carrier = None  # number of samples pushed before the carrier offset was known
        self.first_tracking = None
        self.events = []           # (samples, status) after each change of the state or of the number of locks

    def push(self, samples):
        """Pushes any number of samples in the receiver's format."""
        step = CHUNK * (1 if samples.dtype == np.complex64 else 2)
        for first in range(0, len(samples), step):
            self._push_chunk(samples[first:first + step])

    def _push_chunk(self, chunk):
        complete = False
        for cells, noise, frame, first in libdvbt2.cells_of(self.receiver, chunk):
            self.decoder.feed(frame, first, cells, noise)
            if first + len(cells) == frame.cells and frame.part == frame.frames - 1:
                complete, self.due = True, self.due + frame.n_blocks
        self.samples += chunk.nbytes // self.receiver.sample_bytes
        self._note(self.receiver.status())
        self._take(DECODE_WAIT if complete and self.first_packet is None else 0)

    def _note(self, status):
        if self.first_carrier is None and status['state'] != 'search':
            self.first_carrier = self.samples
        if self.first_tracking is None and status['state'] == 'tracking':
            self.first_tracking = self.samples
        key = status['state'], status['locks'], status['lost_frames']
        if not self.events or self.events[-1][1:] != key:
            self.events.append((self.samples, *key))

    def _take(self, wait):
        """Appends decoded packets to self.packets. Waits up to `wait` seconds for the first packets."""
        end = time.monotonic() + wait
        while True:
            for packets in libdvbt2.packets_of(self.decoder):
                self.packets.append(packets.copy())
                self.first_packet = self.first_packet or self.samples
            if self.packets or time.monotonic() >= end:
                return
            time.sleep(.002)

    def finish(self):
        end = time.monotonic() + LAST_WAIT
        while self.decoder.counters()['codewords'] < self.due and time.monotonic() < end:
            self._take(0)
            time.sleep(.002)
        self._take(0)
        return np.concatenate(self.packets) if self.packets else np.zeros((0, 188), np.uint8)
