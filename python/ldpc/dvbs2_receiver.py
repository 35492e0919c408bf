# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-S2 receiver block."""
import collections
import math

import libdvbs2
import numpy as np
import pmt
from gnuradio import gr

SAMPLES = {"cf32": np.complex64, "cs16": (np.int16, 2), "cs8": (np.int8, 2), "cu8": (np.uint8, 2)}
POINTS = 4096  # cells of a message on port constellation
FRAME = pmt.intern("dvbs2_frame")  # key of the tags
TAGGED = ("symbol", "pls_code", "modulation", "code", "esn0_db", "broken")
PORTS = ("status", "frames", "pdus", "constellation")


class dvbs2_receiver(gr.basic_block):
    """DVB-S2 and S2X receiver (EN 302 307-1 and -2): samples in, transport stream out.

    The receiver finds carrier, clock, roll-off and spectrum, and follows the MODCOD of each frame (CCM, VCM, ACM). It reacquires a lost
    signal. Packets with bit errors have their transport_error_indicator set. `stream` selects one of several streams; with -1, the packets
    of all streams are interleaved. At the end of the samples, the last frame may be missing.

    Args:
        sample_rate: samples per second, at least 1.1 samples per symbol
        symbol_rate: symbols per second (Baud), within 200 ppm
        format: format of the input samples: complex float, or interleaved I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
        rolloff: roll-off of the pulses, 0.05 .. 0.35; 0 = detected
        gold: gold code of the PL scrambling, 0 .. 262141
        stream: ISI of the input stream to output, 0 .. 255, if the signal carries several input streams; -1 = all streams
        max_iterations: maximum number of LDPC iterations per frame, 0 .. 10000
        status_interval: seconds of signal between messages on port status; 0 = no messages

    The first packet of each frame has a tag "dvbs2_frame", a dict with symbol (number of the frame's first symbol), pls_code, modulation,
    code, esn0_db and broken (whether the frame has bit errors).

    Messages: port "status" carries the receiver state and measurements; "frames", the baseband frames without bit errors, header and data
    field, one PDU per frame; "pdus", the PDUs of GSE streams; "constellation", cells of the last frame, for display.

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, sample_rate, symbol_rate, format="cf32", rolloff=0.0, gold=0, stream=-1, max_iterations=25, status_interval=1.0):
        if not 0 <= status_interval < math.inf:
            raise ValueError(f"status_interval must be 0 or more seconds, not {status_interval:g}")
        self.receiver = libdvbs2.receiver(sample_rate, symbol_rate, format, rolloff or None, gold, stream, max_iterations)
        super().__init__("dvbs2_receiver", [SAMPLES[format]], [np.uint8])
        self.ports = {name: pmt.intern(name) for name in PORTS}
        for port in self.ports.values():
            self.message_port_register_out(port)
        self.packets, self.cells = np.zeros(0, np.uint8), None
        self.made, self.tags = 0, collections.deque()  # bytes of all packets; tags that are not output yet
        self.interval, self.due = status_interval * sample_rate, 0.0  # in samples

    def start(self):
        """GNU Radio's count of items restarts, too."""
        output = self.made - len(self.packets)
        self.tags = collections.deque((at - output, *tag) for at, *tag in self.tags)
        self.made -= output
        return super().start()

    def status(self):
        """Return the receiver state and measurements as a dict."""
        return self.receiver.status()

    def locked(self):
        """Return whether the receiver has frame lock."""
        return self.receiver.status()["locked"]

    def forecast(self, _noutput_items, ninputs):
        return [0 if len(self.packets) else 1] * ninputs

    def general_work(self, input_items, output_items):
        samples = np.ascontiguousarray(input_items[0])
        if not len(self.packets) and len(samples):
            self.consume(0, self.receiver.push(samples))
            parts = [self.take(frame) for frame in iter(self.receiver.pull, None)]
            self.packets = np.concatenate(parts) if parts else self.packets
            self.report()
        count = min(len(self.packets), len(output_items[0]))
        output_items[0][:count] = self.packets[:count]
        self.packets = self.packets[count:]
        while self.tags and self.tags[0][0] < self.nitems_written(0) + count:
            self.add_item_tag(0, *self.tags.popleft())
        return count

    def take(self, frame):
        """Publishes the frame. Returns its packets."""
        self.cells = frame.cells
        if len(frame.packets):
            about = {name: getattr(frame, name) for name in TAGGED}
            self.tags.append((self.made, FRAME, pmt.to_pmt(about)))
            self.made += frame.packets.size
        if frame.header is not None and not frame.broken:
            about = pmt.to_pmt({"isi": -1 if frame.header["isi"] is None else frame.header["isi"]})
            self.publish("frames", about, frame.bytes)
            at = 0
            while at < len(frame.pdus):
                start = at + 2
                at = start + int.from_bytes(frame.pdus[at:start], "big")
                self.publish("pdus", about, frame.pdus[start:at])
        return frame.packets.ravel()

    def publish(self, port, about, data):
        self.message_port_pub(self.ports[port], pmt.cons(about, pmt.init_u8vector(len(data), list(data))))

    def report(self):
        """Publishes status and cells after each interval."""
        status = self.receiver.status()
        if not self.interval or status["samples"] < self.due:
            return
        self.due = status["samples"] + self.interval
        self.message_port_pub(self.ports["status"], pmt.to_pmt(status))
        if self.cells is not None:
            cells = self.cells[:POINTS]
            self.message_port_pub(self.ports["constellation"], pmt.cons(pmt.PMT_NIL, pmt.init_c32vector(len(cells), cells.tolist())))
