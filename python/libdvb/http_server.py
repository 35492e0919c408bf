# SPDX-License-Identifier: GPL-3.0-or-later
"""An HTTP server for players: GET / returns the transport stream from now on."""
import http.server
import queue
import socket
import socketserver
import threading
import time

from libdvb import live
from libdvb.live import BYTES, DATAGRAM, PACKET, WAITING

MOST_CLIENTS = 32
SILENCE = 30.0  # seconds until a client that takes no data is disconnected
END_SECONDS = 2.0  # for the queued packets at the end


def address(text):
    """Returns socket.getaddrinfo() for [host:]port. Raises ValueError."""
    return live.address(text if ":" in text else f"127.0.0.1:{text}", socket.SOCK_STREAM)


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = SILENCE

    def do_HEAD(self):
        """Answers without the stream."""
        if self.path.partition("?")[0] != "/":
            self.send_error(404)
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
            for data in self.server.stream():
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
        self.clients = self.lost_packets = 0  # all clients; packets that slow clients have lost
        self._connections, self._queues, self._lock = 0, set(), threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def server_bind(self):
        """Binds without HTTPServer's search for the name of the host, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def verify_request(self, request, client_address):
        return self._connections < MOST_CLIENTS

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

    def stream(self):
        """Yields packets for a new client until the end of the stream."""
        waiting = queue.Queue(WAITING // BYTES)
        with self._lock:
            self.clients += 1
            self._queues.add(waiting)
        try:
            yield from iter(waiting.get, b"")
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
        host = f"[{self.server_name}]" if ":" in self.server_name else self.server_name
        return {"to": f"http://{host}:{self.server_port}/", "clients": self.clients, "lost_packets": self.lost_packets}
