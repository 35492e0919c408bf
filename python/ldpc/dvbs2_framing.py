# SPDX-License-Identifier: GPL-3.0-or-later
"""Baseband and PL frames of dvbs2_transmitter, whose MODCOD may change with every frame."""
from collections import deque

import numpy as np
import pmt
from gnuradio import gr

ROLLOFFS = 0.35, 0.25, 0.20, 0.15, 0.10, 0.05
TRANSPORT_STREAM, SINGLE, CONSTANT = 0xC0, 0x20, 0x10  # bits of MATYPE-1: TS, single input stream, constant coding and modulation (CCM)
PACKET, SYNC = 188, 0x47
HEADER = 10  # bytes of a baseband header
NO_START = 0xFFFF  # SYNCD of a data field in which no packet starts


def _crc_table():
    """Returns the CRC-8 of each byte: x^8 + x^7 + x^6 + x^4 + x^2 + 1."""
    crc = np.arange(256)
    for _ in range(8):
        crc = (crc << 1 ^ (crc >> 7) * 0xD5) & 0xFF
    return crc.astype(np.uint8)


CRC = _crc_table()


def crc8(rows):
    """Returns the CRC-8 of each row."""
    crc = np.zeros(len(rows), np.uint8)
    for column in rows.T:
        crc = CRC[crc ^ column]
    return crc


def two_frames(block, after):
    """Returns the size of an output buffer for two frames, in whole pages. The MODCOD of frames in buffers cannot change any more."""
    page = 4096 // block.output_signature().sizeof_stream_item(0)
    return -(-2 * (max(block.output_multiple(), after.output_multiple()) + 1) // page) * page


class Order:
    """The inputs of successive frames. `numbers` is repeated; another thread may replace it."""

    def __init__(self, numbers):
        self.numbers, self.at = numbers, 0

    def restart(self):
        self.at = 0

    def next(self):
        return self.numbers[self.at % len(self.numbers)]

    def advance(self):
        self.at = (self.at + 1) % len(self.numbers)


class bb_framer(gr.basic_block):
    """Converts a transport stream to baseband frames, one bit per byte. Output i has frames of sizes[i] bits. `order` selects the output of
    each frame. `made` lists the outputs of the frames that the multiplexer has not begun yet."""

    def __init__(self, sizes, matype, isi, rolloff, order):
        super().__init__("dvbs2_bb_framer", [np.uint8], [np.uint8] * len(sizes))
        self.sizes, self.matype, self.isi, self.order = sizes, TRANSPORT_STREAM | matype, isi, order
        self.rolloff = ROLLOFFS.index(rolloff)
        self.runs, self.made = 0, deque()
        self.empty()

    def empty(self):
        self.bits, self.port = np.zeros(0, np.uint8), 0  # rest of the frame
        self.field, self.crc, self.sent, self.frames = np.zeros(0, np.uint8), 0, 0, 0  # bytes for the next frames; CRC-8 of the last packet

    def start(self):
        """Begins with an empty frame. GNU Radio has emptied the buffers."""
        self.empty()
        self.order.restart()
        self.made.clear()
        self.runs += 1
        return super().start()

    def forget(self):
        """This block has no references to other blocks."""

    def bytes_of(self, port):
        """Returns the length of a data field."""
        return self.sizes[port] // 8 - HEADER

    def forecast(self, _noutput_items, ninputs):
        return [0 if len(self.bits) or len(self.field) >= self.bytes_of(self.order.next()) else PACKET] * ninputs

    def general_work(self, input_items, output_items):
        if not len(self.bits):
            self.make(self.order.next(), input_items[0])
        out = output_items[self.port]
        count = min(len(out), len(self.bits))
        out[:count] = self.bits[:count]
        self.bits = self.bits[count:]
        self.produce(self.port, count)
        return gr.WORK_CALLED_PRODUCE

    def make(self, port, samples):
        """Makes the bits of a frame, if there are enough packets."""
        count = self.bytes_of(port)
        self.read(samples, -((len(self.field) - count) // PACKET))
        if len(self.field) < count:
            return
        start = -self.sent % PACKET
        header = self.header(count, 8 * start if start < count else NO_START)
        self.bits, self.port = np.unpackbits(np.concatenate((header, self.field[:count]))), port
        self.made.append(port)
        self.order.advance()
        self.field = self.field[count:]
        self.sent += count
        self.frames += 1

    def read(self, samples, most):
        """Reads packets. Replaces the sync byte of each packet by the CRC-8 of the previous packet."""
        count = max(0, min(len(samples) // PACKET, most))
        if not count:
            return
        packets = samples[:count * PACKET].reshape(count, PACKET).copy()
        packets[:, 0] = np.roll(crc8(packets[:, 1:]), 1)
        self.crc, packets[0, 0] = packets[0, 0], self.crc
        self.field = np.concatenate((self.field, packets.ravel()))
        self.consume(0, count * PACKET)

    def header(self, count, syncd):
        """Roll-offs below 0.2 are signalled by the value 3 in every second frame."""
        rolloff = self.rolloff if self.rolloff < 3 else self.rolloff - 3 if self.frames % 2 else 3
        upl, dfl = 8 * PACKET, 8 * count
        header = np.array([self.matype | rolloff, self.isi, upl >> 8, upl & 255, dfl >> 8, dfl & 255, SYNC, syncd >> 8, syncd & 255], np.uint8)
        return np.append(header, crc8(header[None]))


class frame_mux(gr.basic_block):
    """Joins PL frames. A frame of input i has lengths[i] items. With a framer, the inputs are in the order of its frames; otherwise `order`
    selects them. A message on port modcod, a name or a pair with a name, replaces the order by the input of that name."""

    def __init__(self, lengths, names, order, framer=None):
        super().__init__("dvbs2_frame_mux", [np.complex64] * len(lengths), [np.complex64])
        self.lengths, self.names, self.order, self.framer = lengths, names, order, framer
        self.runs, self.port, self.left = 0, None, 0
        self.message_port_register_in(pmt.intern("modcod"))
        self.set_msg_handler(pmt.intern("modcod"), self.select)

    def select(self, message):
        name = pmt.to_python(pmt.cdr(message) if pmt.is_pair(message) else message)
        if name in self.names:
            self.order.numbers = [self.names.index(name)]
        else:
            self.logger.warn(f"ignoring a message on port modcod (expected one of {', '.join(self.names)}, found {name})")

    def start(self):
        """Begins with a whole frame. GNU Radio has emptied the buffers."""
        self.port = None
        self.runs += 1
        if not self.framer:
            self.order.restart()
        return super().start()

    def forget(self):
        self.framer = None

    def begin(self):
        """Begins a frame, unless the framer has not made it yet. The threads of both blocks start in any order."""
        if not self.framer:
            self.port = self.order.next()
            self.order.advance()
        elif self.framer.runs == self.runs and self.framer.made:
            self.port = self.framer.made.popleft()
        else:
            return
        self.left = self.lengths[self.port]

    def forecast(self, _noutput_items, ninputs):
        if self.port is None:
            self.begin()
        return [int(self.port in (None, port)) for port in range(ninputs)]

    def general_work(self, input_items, output_items):
        port, out = self.port, output_items[0]
        if port is None:
            return 0
        count = min(len(out), len(input_items[port]), self.left)
        out[:count] = input_items[port][:count]
        self.consume(port, count)
        self.left -= count
        if not self.left:
            self.port = None
        return count
