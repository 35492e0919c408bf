# SPDX-License-Identifier: GPL-3.0-or-later
"""Reception in two threads: samples to cells in one, cells to packets in the other."""
import queue
import threading

import libdvbt2

WAITING = 64  # pieces of cells between the threads: some 30 MB
HISTORY = 4000  # status values that are kept for plots


class Reception:
    """Samples in by push(), packets out through `sink`, a function of an array of shape (packets, 188)."""

    def __init__(self, receiver, decoder, sink):
        self.receiver, self.decoder, self.sink = receiver, decoder, sink
        self.history = []  # (seconds of signal, MER in dB) while locked
        self.constellation = None  # cells of the last piece
        self._cells = queue.Queue(WAITING)
        self._failure = None
        self._thread = threading.Thread(target=self._decode, daemon=True)
        self._thread.start()

    def push(self, samples, seconds):
        """Bytes of whole samples that end `seconds` after the first one. Raises what the decoder has raised."""
        for cells, noise, frame, first in libdvbt2.cells_of(self.receiver, samples):
            self.constellation = (cells, frame.plp["plp_mod_name"])
            self._cells.put((cells, noise, frame, first))
            self._raise_failure()
        status = self.receiver.status()
        if status["locked"] and len(self.history) < HISTORY:
            self.history.append((seconds, status["mer_db"]))

    def finish(self):
        """Decode what is left."""
        self._cells.put(None)
        self._thread.join()
        self._raise_failure()

    def _raise_failure(self):
        if self._failure:
            raise self._failure

    def _decode(self):
        try:
            while (piece := self._cells.get()) is not None:
                cells, noise, frame, first = piece
                self.decoder.feed(frame, first, cells, noise)
                self._write()
            self.decoder.finish()
            self._write()
        except Exception as error:  # pylint: disable=broad-except
            self._failure = error
            while self._cells.get() is not None:  # the other thread must not wait for room
                pass

    def _write(self):
        for packets in libdvbt2.packets_of(self.decoder):
            self.sink(packets)
