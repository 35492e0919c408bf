# SPDX-License-Identifier: GPL-3.0-or-later
"""Datagrams of transport stream packets."""
import errno
import socket

from libdvb.live import PACKET


class Datagrams:
    """Sends datagrams to the result of live.address()."""

    def __init__(self, target):
        family, kind, protocol, _, self.address = target
        self.socket = socket.socket(family, kind, protocol)
        self.lost_packets = 0  # in a full send buffer

    def send(self, data):
        """Raises OSError."""
        try:
            self.socket.sendto(data, self.address)
        except ConnectionRefusedError:  # no listener yet
            pass
        except OSError as error:
            if error.errno != errno.ENOBUFS:  # interface queue temporarily full
                raise
            self.lost_packets += len(data) // PACKET

    def close(self):
        self.socket.close()

    def counts(self):
        """Returns the counts for --json."""
        return {"to": f"udp://{self.address[0]}:{self.address[1]}", "lost_packets": self.lost_packets}
