# SPDX-License-Identifier: GPL-3.0-or-later
"""Live transport streams to players, evenly paced."""
import queue
import socket
import threading
import time

PACKET = 188  # bytes
DATAGRAM = 7  # packets, 1316 bytes: maximum of an Ethernet frame
BYTES = DATAGRAM * PACKET
WAITING = 4 << 20  # bytes; maximum send queue: one second of the fastest streams
FIRST_RATE = 35000.0  # packets per second at first: 53 Mbit/s, above the maximum of DVB-T2
FASTER = 1.02  # relative to the stream, so that the queue does not grow


def address(text, kind=socket.SOCK_DGRAM):
    """Returns socket.getaddrinfo() for host:port. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text}: expected host:port with a port of 1 to 65535")
    host = host.strip("[]")
    try:
        return socket.getaddrinfo(host, int(port), type=kind)[0]
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{host}: {getattr(error, 'strerror', '') or error}") from None


class Sender:
    """Sends packets at the mean rate of the signal, because players lose packets from bursts."""

    def __init__(self, targets, seconds):
        """targets: objects such as udp.Datagrams, with send(data) and close(). seconds: function that returns the duration of the received
        signal."""
        self.targets, self.seconds = targets, seconds
        self.packets, self.started = 0, None
        self._waiting, self._bytes, self._room, self._failure = queue.SimpleQueue(), 0, threading.Condition(), None
        self._raised = False
        self._thread = threading.Thread(target=self._send_all, daemon=True)
        self._thread.start()

    def put(self, packets):
        """Queues an array (packets, 188). Blocks while the queue is full. Raises OSError."""
        self.started = self.seconds() if self.started is None else self.started
        self.packets += len(packets)
        with self._room:
            self._room.wait_for(lambda: self._failure or self._bytes < WAITING)
            if self._failure:
                self._raised = True
                raise self._failure
            self._bytes += packets.nbytes
        self._waiting.put(packets.tobytes())

    def close(self):
        """Sends the queued packets. Raises OSError if sending failed and put() has not raised the error."""
        self._waiting.put(None)
        self._thread.join()
        for target in self.targets:
            target.close()
        if self._failure and not self._raised:
            raise self._failure

    def rate(self):
        """Returns the rate in packets per second."""
        elapsed = self.seconds() - self.started
        return max(self.packets / elapsed, 1.0) * FASTER if elapsed > 0.5 else FIRST_RATE

    def _send_all(self):
        try:
            self._send_waiting()
        except OSError as error:
            with self._room:
                self._failure = error
                self._room.notify()

    def _send_waiting(self):
        rest, due = b"", time.monotonic()
        while True:
            starved = self._waiting.empty()
            data = self._waiting.get()
            if data is None:
                break
            if starved:  # the wait does not permit a burst
                due = max(due, time.monotonic())
            rest += data
            whole = len(rest) // (BYTES) * BYTES
            due = self._send(rest[:whole], due)
            rest = rest[whole:]
            with self._room:
                self._bytes -= len(data)
                self._room.notify()
        self._send(rest, due)

    def _send(self, data, due):
        """Sends seven packets at a time at the mean rate, starting at `due`. Returns the time of the next ones."""
        for start in range(0, len(data), BYTES):
            now = time.monotonic()
            if due > now:
                time.sleep(due - now)
            for target in self.targets:
                target.send(data[start:start + BYTES])
            due = max(due, now - 0.1) + DATAGRAM / self.rate()
        return due
