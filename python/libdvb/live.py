# SPDX-License-Identifier: GPL-3.0-or-later
"""Live transport streams to players, evenly paced."""
import collections
import contextlib
import queue
import socket
import threading
import time

PACKET = 188  # bytes
DATAGRAM = 7  # packets, 1316 bytes: maximum of an Ethernet frame
BYTES = DATAGRAM * PACKET
WAITING = 8 << 20  # bytes; maximum send queue: one second at 67 Mbit/s
FIRST_RATE = 35000.0  # packets per second at first: 53 Mbit/s, above the maximum of DVB-T2
FASTER = 1.02  # relative to the stream, so that the queue does not grow
WINDOW = 5.0  # seconds of signal for the rate, without outages
STEP = 0.05  # seconds; minimum distance of two points of the window
OUTAGE = 0.3  # seconds without packets that can be an outage: longer than a T2 frame
DELAY = 1.0  # seconds; longest delay in the queue of packets from a radio
END_SECONDS = 2.0  # for the queued packets after Ctrl-C, and for those of HTTP clients at the end


def address(text, kind=socket.SOCK_DGRAM, default=""):
    """Returns socket.getaddrinfo() for host:port, or for a port of the host `default`. Raises ValueError."""
    host, _, port = text.rpartition(":") if ":" in text else (default, "", text)
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"{text}: expected {'[host:]port' if default else 'host:port'} with a port of 1 to 65535")
    host = host.strip("[]")
    try:
        return socket.getaddrinfo(host, int(port), type=kind)[0]
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{host}: {getattr(error, 'strerror', '') or error}") from None


def shown(target):
    """Returns host:port of a socket's address as players expect it: with the name of this computer instead of 0.0.0.0 or ::."""
    host = socket.gethostname() if target[0] in ("0.0.0.0", "::") else target[0]
    return f"[{host}]:{target[1]}" if ":" in host else f"{host}:{target[1]}"


class Rate:
    """Measures the rate of packets over the last seconds of signal. Outages count only in part."""

    def __init__(self):
        self._seconds, self._clock, self._packets = None, 0.0, 0  # _clock: seconds of signal, without outages
        self._points = collections.deque()  # pairs of _clock and _packets

    def add(self, packets, seconds):
        """Counts packets that arrive at `seconds` of the signal. Returns the rate in packets per second."""
        points, passed = self._points, 0.0 if self._seconds is None else seconds - self._seconds
        if len(points) > 2:
            passed = min(passed, max(OUTAGE, 4 * (points[-1][0] - points[0][0]) / (len(points) - 1)))
        self._seconds, self._clock = seconds, self._clock + passed
        if not points or self._clock >= points[-1][0] + STEP:
            points.append((self._clock, self._packets))
        while len(points) > 2 and points[1][0] <= self._clock - WINDOW:
            points.popleft()
        self._packets += packets
        elapsed = points[-1][0] - points[0][0]
        return max((points[-1][1] - points[0][1]) / elapsed, 1.0) if elapsed > 0.5 else FIRST_RATE


class Sender:
    """Sends packets at the rate of the signal, because players lose packets from bursts."""

    def __init__(self, targets, seconds, waits=True):
        """targets: objects such as udp.Datagrams, with send(data), close() and counts(). seconds: function that returns the duration of the
        received signal. waits: put() waits while the queue is full. False, for a radio: put() drops packets then, and a long queue is
        sent faster."""
        self.targets, self.seconds, self.waits = targets, seconds, waits
        self.lost_packets = 0  # never sent to the targets
        self._rate, self._end = Rate(), None  # _end: time after which queued packets are lost
        self._waiting, self._bytes, self._room, self._failure = queue.SimpleQueue(), 0, threading.Condition(), None
        self._raised, self._sent = False, threading.Event()
        self._thread = threading.Thread(target=self._send_all, daemon=True)
        self._thread.start()

    def put(self, packets):
        """Queues an array (packets, 188). Raises OSError."""
        rate = self._rate.add(len(packets), self.seconds())
        with self._room:
            self._room.wait_for(lambda: self._failure or self._bytes < WAITING or not self.waits or self._end)
            if self._failure:
                self._raised = True
                raise self._failure
            if self._bytes >= WAITING:
                self.lost_packets += len(packets)
                return
            self._bytes += packets.nbytes
        self._waiting.put((packets.tobytes(), rate))

    def interrupt(self):
        """Sends queued packets for two more seconds at most; a second call drops them at once."""
        with self._room:
            self._end = time.monotonic() + (0.0 if self._end else END_SECONDS)
            self._room.notify()

    def close(self):
        """Sends the queued packets. Ctrl-C calls interrupt(). Raises OSError if sending failed and put() has not raised the error."""
        self._waiting.put(None)
        while not self._sent.is_set():  # an interrupt of Thread.join() makes Python 3.11 forget the thread
            try:
                self._sent.wait()
            except KeyboardInterrupt:
                self.interrupt()
        for target in self.targets:
            with contextlib.suppress(KeyboardInterrupt):
                target.close()
        if self._failure and not self._raised:
            raise self._failure

    def counts(self):
        """Returns the counts of each target for --json."""
        counts = [target.counts() for target in self.targets]
        return [{**count, "lost_packets": count["lost_packets"] + self.lost_packets} for count in counts]

    def _send_all(self):
        try:
            self._send_waiting()
        except OSError as error:
            with self._room:
                self._failure = error
                self._room.notify()
        finally:
            self._sent.set()

    def _send_waiting(self):
        rest, due, rate = b"", time.monotonic(), FIRST_RATE
        while True:
            starved = self._waiting.empty()
            item = self._waiting.get()
            if item is None:
                break
            data, rate = item
            if starved:  # the wait does not permit a burst
                due = max(due, time.monotonic())
            rest += data
            whole = len(rest) // (BYTES) * BYTES
            due = self._send(rest[:whole], due, rate)
            rest = rest[whole:]
            with self._room:
                self._bytes -= len(data)
                self._room.notify()
        self._send(rest, due, rate)

    def _send(self, data, due, rate):
        """Sends seven packets at a time at `rate` or a little faster, starting at `due`. Returns the time of the next ones."""
        for start in range(0, len(data), BYTES):
            now = time.monotonic()
            if due > now:
                time.sleep(due - now)
            if self._end and time.monotonic() >= self._end:
                with self._room:
                    self.lost_packets += (len(data) - start) // PACKET
                break
            for target in self.targets:
                target.send(data[start:start + BYTES])
            least = 0.0 if self.waits else self._bytes / PACKET / DELAY
            due = max(due, now - 0.1) + DATAGRAM / max(rate * FASTER, least)
        return due
