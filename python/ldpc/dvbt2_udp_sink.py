# SPDX-License-Identifier: GPL-3.0-or-later
"""The transport stream of a live reception to players in the network."""
import time

import numpy as np
from gnuradio import gr
from libdvbt2.tools import udp


class dvbt2_udp_sink(gr.sync_block):
    """Sends a transport stream over UDP as players take it: seven packets in a datagram, evenly over time.

    A receiver decodes whole T2 frames at once; players lose packets that come in such bursts. This block sends them at the mean
    rate of the stream, which takes real time: it is for live signals. Players open udp://@:PORT. A network that fails ends
    the flowgraph with an error in the log; datagrams for which the system has no room are lost, and counted there at the end.

    Args:
        host: name or address; a multicast group too
        port: 1 .. 65535

    Raises:
        ValueError: one sentence that says which argument is wrong and what was expected
    """

    def __init__(self, host="127.0.0.1", port=1234):
        self.target = udp.address(f"{host}:{port}")
        self.sender = None
        super().__init__("dvbt2_udp_sink", [np.uint8], None)
        self.set_output_multiple(udp.PACKET)

    def start(self):
        self.sender = udp.Sender(self.target, time.monotonic)
        return True

    def stop(self):
        if self.sender:
            self.attempt(self.sender.close)
            if self.sender.lost:
                self.logger.warn(f"{self.sender.lost} datagrams are lost: the system had no room for them")
        self.sender = None
        return True

    def attempt(self, call, *arguments):
        """An exception would leave the flowgraph standing still: returns False instead."""
        try:
            call(*arguments)
            return True
        except OSError as error:
            self.logger.error(f"{self.target[4][0]}:{self.target[4][1]}: {error.strerror or error}")
            return False

    def work(self, input_items, output_items):
        packets = input_items[0].reshape(-1, udp.PACKET)
        return len(input_items[0]) if self.attempt(self.sender.put, packets) else -1
