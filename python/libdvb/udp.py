# SPDX-License-Identifier: GPL-3.0-or-later
"""Datagrams of transport stream packets."""
import errno
import socket

from libdvb import live
from libdvb.live import PACKET


class Datagrams:
    """Sends datagrams to the result of live.address()."""

    def __init__(self, target, failed=None):
        """failed: function that is called with the first OSError. If it returns, packets that cannot be sent are counted as lost."""
        family, kind, protocol, _, self.address = target
        self.socket = socket.socket(family, kind, protocol)
        self.lost_packets = 0  # in a full send buffer, or because of an error
        self._failed, self._reported = failed, False

    def send(self, data):
        """Raises OSError."""
        try:
            self.socket.sendto(data, self.address)
        except ConnectionRefusedError:  # no listener yet
            pass
        except OSError as error:
            if error.errno != errno.ENOBUFS:  # interface queue temporarily full
                self._report(error)
            self.lost_packets += len(data) // PACKET

    def _report(self, error):
        if not self._failed:
            raise error
        if not self._reported:
            self._failed(error)
        self._reported = True

    def close(self):
        self.socket.close()

    def counts(self):
        """Returns the counts for --json."""
        return {"to": f"udp://{live.shown(self.address)}", "lost_packets": self.lost_packets}
