# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the live outputs: UDP, and HTTP with clients in this process."""
import errno
import http.client
import itertools
import socket
import threading
import time
import unittest
import unittest.mock

import numpy as np
from libdvb import http_server, live, udp


class Udp(unittest.TestCase):
    def test_more_packets_than_may_wait(self):
        """put() blocks while the queue is full."""
        packets = np.random.default_rng(1).integers(0, 256, (40 * live.DATAGRAM, live.PACKET), np.uint8)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
            receiver.bind(("127.0.0.1", 0))
            receiver.settimeout(60)
            sender = live.Sender([udp.Datagrams(live.address("{}:{}".format(*receiver.getsockname())))], lambda: 0.0)

            def put():
                for part in np.split(packets, 20):
                    sender.put(part)
                sender.close()

            with unittest.mock.patch.object(live, "WAITING", 3 * live.BYTES):
                thread = threading.Thread(target=put, daemon=True)
                thread.start()
                thread.join(60)
            self.assertFalse(thread.is_alive())
            received = b"".join(receiver.recv(65536) for _ in range(40))
        self.assertEqual(received, packets.tobytes())

    @staticmethod
    def sender(*failures):
        """Returns a sender whose datagrams raise `failures` in this order."""
        datagrams = udp.Datagrams(live.address("127.0.0.1:9"))
        datagrams.socket.close()
        datagrams.socket = unittest.mock.Mock(**{"sendto.side_effect": itertools.chain(failures, itertools.repeat(live.BYTES))})
        return live.Sender([datagrams], lambda: 0.0)

    def test_a_failure_of_the_last_datagram(self):
        """close() raises an error that occurs after the last put()."""
        for packets in (live.DATAGRAM, 1):
            sender = self.sender(OSError(errno.ENETUNREACH, "unreachable"))
            sender.put(np.zeros((packets, live.PACKET), np.uint8))
            with self.assertRaisesRegex(OSError, "unreachable"):
                sender.close()

    def test_a_failure_is_raised_by_put(self):
        """close() does not repeat an error that put() has raised."""
        sender = self.sender(OSError(errno.ENETUNREACH, "unreachable"))
        with unittest.mock.patch.object(live, "WAITING", 1), self.assertRaisesRegex(OSError, "unreachable"):
            for _ in range(3):
                sender.put(np.zeros((live.DATAGRAM, live.PACKET), np.uint8))
        sender.close()

    def test_no_room_for_a_moment(self):
        """Packets that do not fit in the system's buffer are counted as lost."""
        sender = self.sender(OSError(errno.ENOBUFS, "no room"), live.BYTES, OSError(errno.ENOBUFS, "no room"))
        sender.put(np.zeros((5 * live.DATAGRAM, live.PACKET), np.uint8))
        sender.close()
        self.assertEqual((sender.targets[0].socket.sendto.call_count, sender.targets[0].lost_packets), (5, 2 * live.DATAGRAM))


class Clock:
    """A simulated clock and target. The time advances while the sender sleeps."""

    def __init__(self):
        self.now, self.sent = 0.0, []

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds

    def send(self, _data):
        self.sent.append(self.now)

    def close(self):
        pass


class Pace(unittest.TestCase):
    def test_packets_that_arrive_in_bursts(self):
        """Frames of 0.13 s of a signal arrive at once. Their packets are spread over that time, after the first half second."""
        clock, burst, interval = Clock(), 25, 0.13
        with unittest.mock.patch.object(live, "time", clock):
            sender = live.Sender([clock], clock.monotonic)
            for number in range(20):
                clock.now = max(clock.now, number * interval)
                sender.put(np.zeros((burst * live.DATAGRAM, live.PACKET), np.uint8))
                end = time.monotonic() + 60
                while sender._bytes and time.monotonic() < end:
                    time.sleep(0.001)
                time.sleep(0.01)  # the sender waits again
            sender.close()
        self.assertEqual(len(clock.sent), 20 * burst)
        self.assertLess(np.diff(clock.sent[-10 * burst:]).max(), 4 * interval / burst)


class Http(unittest.TestCase):
    def setUp(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.server = http_server.Server(http_server.address(self.port))
        self.addCleanup(self.server.close)
        self.sent = np.random.default_rng(1).integers(0, 256, (300, live.BYTES), np.uint8)

    def request(self, method="GET", path="/"):
        client = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        self.addCleanup(client.close)
        client.request(method, path)
        return client.getresponse()

    def wait_for_clients(self, number):
        end = time.monotonic() + 60
        while len(self.server._queues) != number and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(len(self.server._queues), number)

    def test_clients(self):
        """Each client receives the stream from its request to the end. One client leaves early."""
        first, leaves = self.request(), self.request()
        self.assertEqual((first.status, first.getheader("Content-Type")), (200, "video/mp2t"))
        self.wait_for_clients(2)
        self.server.send(self.sent[0].tobytes())
        leaves.close()
        second = self.request()
        self.wait_for_clients(3)
        for data in self.sent[1:]:
            self.server.send(data.tobytes())
        self.server.close()
        self.assertEqual((first.read(), second.read()), (self.sent.tobytes(), self.sent[1:].tobytes()))
        self.assertEqual(self.server.counts(), {"to": f"http://127.0.0.1:{self.port}/", "clients": 3, "lost_packets": 0})

    def test_a_slow_client_loses_whole_packets(self):
        """The client does not read. The server does not wait, and the client receives whole packets only."""
        slow = self.request()
        self.wait_for_clients(1)
        packets = np.arange(7 * 18000, dtype=">u4").repeat(live.PACKET // 4).view(np.uint8).reshape(-1, live.BYTES)  # 24 MB
        for data in packets:
            self.server.send(data.tobytes())
        self.assertGreater(self.server.lost_packets, 0)
        closing = threading.Thread(target=self.server.close)
        closing.start()
        received = np.frombuffer(slow.read(), ">u4").reshape(-1, live.PACKET // 4)
        closing.join()
        self.assertTrue((received == received[:, :1]).all())
        self.assertEqual(len(received) + self.server.lost_packets, packets.size // live.PACKET)

    def test_other_requests(self):
        self.assertEqual(self.request(path="/other").status, 404)
        self.assertEqual((self.request("HEAD").status, self.request("HEAD").read()), (200, b""))
        self.assertEqual(self.request("POST").status, 501)
        self.assertEqual(self.server.clients, 0)
        with self.assertRaises(OSError):
            http_server.Server(http_server.address(self.port))  # in use
        with unittest.mock.patch.object(http_server, "MOST_CLIENTS", 0), self.assertRaises(http.client.RemoteDisconnected):
            self.request()
        for text in ("0", "host:", "::1:80:x", "1:2:-3"):
            with self.assertRaises(ValueError):
                http_server.address(text)


if __name__ == "__main__":
    unittest.main()
