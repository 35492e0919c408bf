# SPDX-License-Identifier: GPL-3.0-or-later
"""Live transport streams to players in the network."""
import time

import numpy as np
from gnuradio import gr
from libdvb import live, udp


class dvbt2_udp_sink(gr.sync_block):
    """Sends a transport stream to players over UDP, seven packets per datagram, evenly paced.

    A receiver outputs whole T2 frames at once, and players lose packets from such bursts. This block sends the packets at the mean
    rate of the stream in real time: use it with live signals. Players open udp://@:PORT. A network error ends the flowgraph with an
    error in the log. The block never waits: packets are lost if the queue of 8 MiB or the system's send buffer is full. The first loss and
    the number of lost packets at the end are logged.

    Args:
        host: host name, IP address or multicast group
        port: UDP port, 1 .. 65535

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, host="127.0.0.1", port=1234):
        self.target = live.address(f"{host}:{port}")
        self.sender, self.lost = None, 0
        super().__init__("dvbt2_udp_sink", [np.uint8], None)
        self.set_output_multiple(live.PACKET)

    def start(self):
        self.sender, self.warned = live.Sender([udp.Datagrams(self.target)], time.monotonic, waits=False), False
        return True

    def stop(self):
        if self.sender:
            self.attempt(self.sender.close)
            self.lost = self.lost_packets()
            if self.lost:
                self.logger.warn(f"{self.lost} packets lost")
        self.sender = None
        return True

    def lost_packets(self):
        """Return how many packets were lost since the flowgraph has started, also after it has ended."""
        return self.sender.counts()[0]["lost_packets"] if self.sender else self.lost

    def attempt(self, call, *arguments):
        """Logs an OSError and returns False. An exception would stall the flowgraph."""
        try:
            call(*arguments)
            return True
        except OSError as error:
            self.logger.error(f"{live.shown(self.target[4])}: {error.strerror or error}")
            return False

    def work(self, input_items, output_items):
        packets = input_items[0].reshape(-1, live.PACKET)
        if not self.attempt(self.sender.put, packets):
            return -1
        if self.lost_packets() and not self.warned:
            self.logger.warn("packets are lost: they arrive faster than they can be sent")
            self.warned = True
        return len(input_items[0])
