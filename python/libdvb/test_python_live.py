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


def packets(count):
    return np.zeros((count, live.PACKET), np.uint8)


class Udp(unittest.TestCase):
    def test_more_packets_than_may_wait(self):
        """put() blocks while the queue is full."""
        sent = np.random.default_rng(1).integers(0, 256, (40 * live.DATAGRAM, live.PACKET), np.uint8)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
            receiver.bind(("127.0.0.1", 0))
            receiver.settimeout(60)
            sender = live.Sender([udp.Datagrams(live.address("{}:{}".format(*receiver.getsockname())))], lambda: 0.0)

            def put():
                for part in np.split(sent, 20):
                    sender.put(part)
                sender.close()

            with unittest.mock.patch.object(live, "WAITING", 3 * live.BYTES):
                thread = threading.Thread(target=put, daemon=True)
                thread.start()
                thread.join(60)
            self.assertFalse(thread.is_alive())
            received = b"".join(receiver.recv(65536) for _ in range(40))
        self.assertEqual(received, sent.tobytes())

    @staticmethod
    def sender(*failures, failed=None):
        """Returns a sender whose datagrams raise `failures` in this order."""
        datagrams = udp.Datagrams(live.address("127.0.0.1:9"), failed)
        datagrams.socket.close()
        datagrams.socket = unittest.mock.Mock(**{"sendto.side_effect": itertools.chain(failures, itertools.repeat(live.BYTES))})
        return live.Sender([datagrams], lambda: 0.0)

    def test_a_failure_of_the_last_datagram(self):
        """close() raises an error that occurs after the last put()."""
        for count in (live.DATAGRAM, 1):
            sender = self.sender(OSError(errno.ENETUNREACH, "unreachable"))
            sender.put(packets(count))
            with self.assertRaisesRegex(OSError, "unreachable"):
                sender.close()

    def test_a_failure_is_raised_by_put(self):
        """close() does not repeat an error that put() has raised."""
        sender = self.sender(OSError(errno.ENETUNREACH, "unreachable"))
        with unittest.mock.patch.object(live, "WAITING", 1), self.assertRaisesRegex(OSError, "unreachable"):
            for _ in range(3):
                sender.put(packets(live.DATAGRAM))
        sender.close()

    def test_errors_beside_another_output(self):
        """A function takes the first error. The packets count as lost."""
        failed, error = unittest.mock.Mock(), OSError(errno.EACCES, "denied")
        sender = self.sender(error, error, failed=failed)
        sender.put(packets(3 * live.DATAGRAM))
        sender.close()
        failed.assert_called_once_with(error)
        self.assertEqual(sender.counts(), [{"to": "udp://127.0.0.1:9", "lost_packets": 2 * live.DATAGRAM}])

    def test_addresses(self):
        for text in ("host", "1.2.3.4:\u0663", ":1", "1.2.3.4:65536"):
            with self.assertRaisesRegex(ValueError, f"^{text}: expected host:port"):
                live.address(text)
        for address, shown in ((("::1", 9, 0, 0), "[::1]:9"), (("127.0.0.1", 8), "127.0.0.1:8"), (("0.0.0.0", 7), f"{socket.gethostname()}:7")):
            self.assertEqual(live.shown(address), shown)

    def test_no_room_for_a_moment(self):
        """Packets that do not fit in the system's buffer are counted as lost."""
        sender = self.sender(OSError(errno.ENOBUFS, "no room"), live.BYTES, OSError(errno.ENOBUFS, "no room"))
        sender.put(packets(5 * live.DATAGRAM))
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

    def counts(self):
        return {"lost_packets": 0}


class Pace(unittest.TestCase):
    def sent(self, bursts, waits=True):
        """Puts bursts, pairs of the time and the number of datagrams. Returns the times of the datagrams."""
        clock = Clock()
        with unittest.mock.patch.object(live, "time", clock):
            sender = live.Sender([clock], clock.monotonic, waits)
            for when, datagrams in bursts:
                clock.now = max(clock.now, when)
                sender.put(packets(datagrams * live.DATAGRAM))
                end = time.monotonic() + 60
                while sender._bytes and time.monotonic() < end:
                    time.sleep(0.001)
                time.sleep(0.003)  # the sender waits again
            sender.close()
        self.assertEqual((len(clock.sent), sender.counts()), (sum(datagrams for _, datagrams in bursts), [{"lost_packets": 0}]))
        return np.array(clock.sent)

    def test_packets_that_arrive_in_bursts(self):
        """Frames of 0.13 s or 10 s of a signal arrive at once. Their packets are spread over that time, after the first half second."""
        for interval, burst, number in ((0.13, 25, 20), (10, 150, 4)):
            sent = self.sent([(interval * i, burst) for i in range(number)])
            self.assertLess(np.diff(sent[-number // 2 * burst:]).max(), 4 * interval / burst)
            np.testing.assert_allclose(np.diff(sent[-burst:]), interval / burst / live.FASTER, rtol=0.05)

    def test_an_outage(self):
        """The signal is absent for 20 s. Then packets are not delayed."""
        for waits in (True, False):
            sent = self.sent([(0.1 * i + 20 * (i >= 30), 20) for i in range(70)], waits)
            due = 23 + 0.1 * np.arange(40)
            self.assertLess((sent[30 * 20 + 19::20] - due).max(), 0.5)

    def test_a_faster_stream(self):
        """The stream becomes ten times faster. Its rate is measured within 6 s."""
        when = np.concatenate([0.1 * np.arange(60), np.repeat(6 + 0.1 * np.arange(60), 10)])
        rate = live.Rate()
        for at in when:
            measured = rate.add(7, at)
        self.assertAlmostEqual(measured, 700, delta=7)

    def test_the_queue_of_a_radio(self):
        """put() does not wait. It drops and counts packets that do not fit."""
        sender, held = self.blocked(waits=False)
        with unittest.mock.patch.object(live, "WAITING", 2 * live.BYTES):
            for _ in range(5):
                sender.put(packets(live.DATAGRAM))
        held.set()
        sender.close()
        self.assertEqual(sender.lost_packets, 3 * live.DATAGRAM)

    def test_interrupts(self):
        """After two calls of interrupt(), close() drops the queue, and a full queue does not block put()."""
        sender, held = self.blocked(waits=True)
        sender.put(packets(live.DATAGRAM))
        self.assertTrue(sender.targets[0].called.wait(60))
        for _ in range(4):
            sender.put(packets(live.DATAGRAM))
        sender.interrupt()
        sender.interrupt()
        with unittest.mock.patch.object(live, "WAITING", 1):
            sender.put(packets(live.DATAGRAM))
        held.set()
        sender.close()
        self.assertEqual(sender.lost_packets, 5 * live.DATAGRAM)

    def test_an_interrupt_of_close(self):
        """Ctrl-C during close() drops the queue after END_SECONDS. close() returns without an exception."""
        sender, held = self.blocked(waits=True)
        sender.put(packets(3 * live.DATAGRAM))

        def interrupted():
            sender._sent.wait = threading.Event.wait.__get__(sender._sent)
            held.set()
            raise KeyboardInterrupt

        sender._sent.wait = interrupted
        with unittest.mock.patch.object(live, "END_SECONDS", 1e-9):
            sender.close()
        self.assertGreaterEqual(sender.lost_packets, live.DATAGRAM)

    @staticmethod
    def blocked(waits):
        """Returns a sender that cannot send until the returned event is set."""
        held, target = threading.Event(), Clock()
        target.called = threading.Event()
        target.send = lambda _data: (target.called.set(), held.wait(60))
        return live.Sender([target], lambda: 0.0, waits), held


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
        self.assertEqual(self.server.counts(), {"to": f"http://127.0.0.1:{self.port}/", "clients": 3, "refused": 0, "lost_packets": 0})

    def test_a_client_leaves_without_a_stream(self):
        leaves, stays = self.request(), self.request()
        self.wait_for_clients(2)
        leaves.close()
        self.wait_for_clients(1)
        self.server.send(self.sent[0].tobytes())
        self.assertEqual(stays.read(live.BYTES), self.sent[0].tobytes())

    def test_a_slow_client_loses_whole_packets(self):
        """The client does not read. The server does not wait, and the client receives whole packets only."""
        slow = self.request()
        self.wait_for_clients(1)
        sent = np.arange(7 * 18000, dtype=">u4").repeat(live.PACKET // 4).view(np.uint8).reshape(-1, live.BYTES)  # 24 MB
        for data in sent:
            self.server.send(data.tobytes())
        self.assertGreater(self.server.lost_packets, 0)
        closing = threading.Thread(target=self.server.close)
        closing.start()
        received = np.frombuffer(slow.read(), ">u4").reshape(-1, live.PACKET // 4)
        closing.join()
        self.assertTrue((received == received[:, :1]).all())
        self.assertEqual(len(received) + self.server.lost_packets, sent.size // live.PACKET)

    def test_other_requests(self):
        self.assertEqual(self.request(path="/other").status, 404)
        self.assertEqual((self.request("HEAD").status, self.request("HEAD").read()), (200, b""))
        self.assertEqual(self.request("POST").status, 501)
        self.assertEqual(self.server.clients, 0)
        with self.assertRaises(OSError):
            http_server.Server(http_server.address(self.port))  # in use
        for number, limit in enumerate(("MOST_CLIENTS", "MOST_CONNECTIONS"), 1):
            with self.subTest(limit), unittest.mock.patch.object(http_server, limit, 0):
                answer = self.request()
                self.assertEqual(answer.status, 503)
                self.assertIn(http_server.FULL, answer.read().decode())
                self.assertEqual(self.server.counts()["refused"], number)
        for text in ("0", "host:", "::1:80:x", "1:2:-3", "abc"):
            with self.assertRaisesRegex(ValueError, f"^{text}: expected .host:.port"):
                http_server.address(text)


if __name__ == "__main__":
    unittest.main()
