# SPDX-License-Identifier: GPL-3.0-or-later
"""An HTTP server for players: GET / returns the transport stream from now on."""
import contextlib
import http.server
import queue
import socket
import socketserver
import threading
import time

from libdvb import live
from libdvb.live import BYTES, DATAGRAM, END_SECONDS, PACKET, WAITING

MOST_CLIENTS = 32
MOST_CONNECTIONS = 64  # the others receive an error
SILENCE = 30.0  # seconds until a client that takes no data is disconnected
REQUEST_SECONDS = 0.2  # for the request of a client that receives an error
FULL = "All connections of this server are in use. Try again later."
REFUSAL = f"HTTP/1.0 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: {len(FULL)}\r\n\r\n{FULL}".encode()


def address(text):
    """Returns socket.getaddrinfo() for [host:]port. Raises ValueError."""
    return live.address(text, socket.SOCK_STREAM, "127.0.0.1")


def departed(connection):
    """Returns whether the client has closed the connection."""
    connection.settimeout(0)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    finally:
        connection.settimeout(SILENCE)


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = SILENCE

    def do_HEAD(self):
        """Answers without the stream."""
        if self.path.partition("?")[0] != "/":
            self.send_error(404)
            return False
        if self.server.full():
            self.server.refused += 1
            self.send_error(503, explain=FULL)
            return False
        self.send_response(200)
        self.send_header("Content-Type", "video/mp2t")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        return True

    def do_GET(self):
        if not self.do_HEAD():
            return
        try:
            for data in self.server.stream(self.connection):
                self.wfile.write(data)
        except OSError:  # the client has closed the connection, or takes no data
            self.close_connection = True

    def log_message(self, *_):
        """Prints nothing: stdout may be the transport stream, stderr shows the progress."""


class Server(http.server.ThreadingHTTPServer):
    """Sends packets to all clients. A client that is too slow loses whole packets."""

    daemon_threads = True

    def __init__(self, target):
        """target: result of address(). Raises OSError if the address cannot be used."""
        self.address_family = target[0]
        super().__init__(target[4], Handler)
        self.clients = self.refused = self.lost_packets = 0  # all clients; answers 503; packets that slow clients have lost
        self._connections, self._queues, self._lock = 0, set(), threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def server_bind(self):
        """Binds without HTTPServer's search for the name of the host, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def verify_request(self, request, client_address):
        """Returns whether a thread may serve the connection. Otherwise answers 503."""
        if self._connections < MOST_CONNECTIONS:
            return True
        self.refused += 1
        request.settimeout(REQUEST_SECONDS)
        with contextlib.suppress(OSError):
            request.recv(65536)  # a request that was not read would reset the connection, and the answer would be lost
        with contextlib.suppress(OSError):
            request.sendall(REFUSAL)
        return False

    def full(self):
        return len(self._queues) >= MOST_CLIENTS

    def process_request_thread(self, request, client_address):
        with self._lock:
            self._connections += 1
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._connections -= 1

    def handle_error(self, request, client_address):
        """Ignores failed connections."""

    def stream(self, connection):
        """Yields packets for a new client until the end of the stream, or until the client has left."""
        waiting = queue.Queue(WAITING // BYTES)
        with self._lock:
            self.clients += 1
            self._queues.add(waiting)
        try:
            while True:
                try:
                    data = waiting.get(timeout=1)
                except queue.Empty:
                    if departed(connection):
                        return
                    continue
                if not data:
                    return
                yield data
        finally:
            with self._lock:
                self._queues.discard(waiting)

    def send(self, data):
        """Queues whole packets for each client."""
        with self._lock:
            for waiting in self._queues:
                try:
                    waiting.put_nowait(data)
                except queue.Full:
                    self.lost_packets += len(data) // PACKET

    def close(self):
        """Sends the queued packets to clients that take them, and ends the server."""
        self.shutdown()
        with self._lock:
            for waiting in self._queues:
                if waiting.full():
                    waiting.get_nowait()
                    self.lost_packets += DATAGRAM
                waiting.put_nowait(b"")
        end = time.monotonic() + END_SECONDS
        while self._queues and time.monotonic() < end:
            time.sleep(0.01)
        self.server_close()

    def counts(self):
        """Returns the counts for --json."""
        return {"to": f"http://{live.shown(self.server_address)}/", "clients": self.clients, "refused": self.refused, "lost_packets": self.lost_packets}
