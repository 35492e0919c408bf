# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives a signal in two threads. The first thread converts samples to cells. The second thread converts cells to packets."""
import queue
import threading

import libdvbt2
from libdvb import reception
from libdvb.services import Services
from libdvbt2.tools.constellation import Collector

WAITING = 24  # queued cell arrays, 11 MB: more than a TI block of any mode


class Reception(reception.Reception):
    """Receives samples, and passes packets to sinks.

    decoders  one decoder for each PLP; empty: receives only the signalling
    sinks     one function for each decoder, for arrays of shape (packets, 188)
    commons   decoders of common PLPs; their receiver outputs follow those of `decoders`
    frames    one function for each decoder, for baseband frames of generic streams; may be empty
    pictures  True: keeps about 30 MB of data for plots.save()
    added     function for receivers of all PLPs. It gets the PLP_ID of a new PLP. It returns the decoder, the decoder of the common PLP,
              the sink, and the function for baseband frames (None if `frames` is empty).
    """

    def __init__(self, receiver, sample_rate, decoders=(), sinks=(), commons=(), frames=(), pictures=False, added=None):
        super().__init__(receiver, sample_rate)
        self.decoders, self.sinks = [*decoders], [*sinks]
        self.frames, self.added = [*frames], added
        self._routes = [*enumerate(decoders), *enumerate(commons)]  # (stream, decoder) of each output
        for decoder, common in zip(decoders, commons):
            decoder.set_common(common)
        self.constellation = Collector() if pictures else None  # cells of the first PLP
        self._cells = queue.Queue(WAITING)
        # called before the thread starts, because counters() waits for a working decoder
        self._counters = [decoder.counters() for decoder in decoders]
        self.services = [Services() for _ in decoders]
        self._failure = None
        self._thread = threading.Thread(target=self._decode, daemon=True) if decoders else None
        if self._thread:
            self._thread.start()

    def gap(self, gap):
        """Reports missing samples."""
        self.receiver.gap(gap.samples)

    def receive(self, data):
        """Receives whole samples. Raises the decoders' exceptions."""
        start, total = 0, memoryview(data).nbytes // self.receiver.sample_bytes
        while start < total:
            start += self.receiver.push(data, start)
            if self.added:
                self._add(self.receiver.plps)
            for output in range(max(1, len(self._routes))):
                self._pull(output)

    def quality_db(self):
        """Returns the MER."""
        return self.mer_db()

    def finish(self):
        """Decodes the remaining cells."""
        if self._thread:
            self._cells.put(None)
            self._thread.join()
        self._raise_failure()

    def counters(self):
        """Returns the numbers of packets and of packets with errors, over all PLPs."""
        return {name: sum(c[name] for c in self._counters) for name in ("packets", "ts_errors")}

    def summary(self, status):
        """Returns a line about signal quality and packets."""
        counters = self.counters()
        return f"C/N {status['cn_db']:.1f}, MER {self.mer_db():.1f} dB, {counters['packets']} packets, {counters['ts_errors']} errors"

    def frame_count(self):
        """Returns the number of baseband frames of generic streams."""
        return sum(c[f"{kind}_frames"] for c in self._counters for kind in ("gse", "gcs", "gfps"))

    def mer_db(self):
        """Returns the MER of the first PLP in dB, or 0 before the first frame."""
        return self._counters[0]["mer_db"] if self.decoders else 0.0

    def _add(self, plps):
        """Adds decoders and outputs for new PLPs. _routes grows last, because another thread reads it."""
        for output in range(len(self._routes), len(plps), 2):
            decoder, common, sink, frames = self.added(plps[output])
            decoder.set_common(common)
            self.sinks.append(sink)
            if self.frames:
                self.frames.append(frames)
            self._counters.append(decoder.counters())
            self.services.append(Services())
            self.decoders.append(decoder)
            self._routes += [(len(self.decoders) - 1, decoder), (len(self.decoders) - 1, common)]

    def _pull(self, output):
        while (piece := self.receiver.pull(output)) is not None:
            if output == 0 and self.constellation:
                self.constellation.add(piece[0], *piece[2:])
            if self._thread:
                self._cells.put((output, *piece))
            self._raise_failure()

    def _raise_failure(self):
        if self._failure:
            raise self._failure

    def _decode(self):
        pieces = iter(self._cells.get, None)  # ends with None, the last item of the queue
        try:
            for output, cells, noise, frame, first in pieces:
                stream, decoder = self._routes[output]
                decoder.feed(frame, first, cells, noise)
                self._write(stream)
            for stream, decoder in enumerate(self.decoders):
                decoder.finish()
                self._write(stream)
        except Exception as error:  # pylint: disable=broad-except
            self._failure = error
            for _ in pieces:  # the other thread must not block on a full queue
                pass

    def _write(self, stream):
        for packets in libdvbt2.packets_of(self.decoders[stream]):
            self.services[stream].add(packets, self.seconds)
            self.sinks[stream](packets)
        self._counters[stream] = self.decoders[stream].counters()
        if self.frames:
            for frame in iter(self.decoders[stream].pull_frame, None):
                self.frames[stream](frame)
