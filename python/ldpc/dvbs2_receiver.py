# SPDX-License-Identifier: GPL-3.0-or-later
"""DVB-S2 receiver and synchroniser blocks."""
import collections
import math
import threading
from numbers import Integral

import libdvbs2
import numpy as np
import pmt
from gnuradio import gr
from libdvb.services import Services
from libdvbs2.tools.pcap import pdus_of

from .ldpc_python import items_left

SAMPLES = {"cf32": np.complex64, "cs16": (np.int16, 2), "cs8": (np.int8, 2), "cu8": (np.uint8, 2)}
POINTS = 4096  # cells of a message on port constellation
FRAME, XFECFRAME, NOISE = map(pmt.intern, ("dvbs2_frame", "XFECFRAME", "noise"))  # keys of the tags
FIRST_S2X = 128  # first PLS code of S2X
TAGGED = ("symbol", "pls_code", "modulation", "code", "esn0_db", "broken")
SIGNALLED = ("ts_gs", "constant_coding", "issy", "null_deletion")
ALL, LAST_ISI = -1, 255  # of streams


def checked_streams(streams):
    if not streams or not all(isinstance(isi, Integral) and ALL <= isi <= LAST_ISI for isi in streams):
        raise ValueError(f"streams must be a list of integers {ALL} .. {LAST_ISI}, not {streams}")
    return list(streams)


def services_of(result):
    """Returns the values of a transport stream for port status, bit rates in bit/s."""
    services = [{"service_id": s["service_id"], "name": s["name"], "provider": s["provider"], "bit_rate": s["bit_rate"] or 0.0} for s in result["services"]]
    return {"bit_rate": result["bit_rate"] or 0.0, "null_share": result["null_share"], "services": services}


class _receiver(gr.basic_block):
    """A block with a libdvbs2.receiver. A derived class passes the frames to the outputs."""

    def __init__(self, name, types, ports, status_interval, rolloff, **options):
        if not 0 <= status_interval < math.inf:
            raise ValueError(f"status_interval must be 0 or more seconds, not {status_interval:g}")
        self.options = {"roll_off": rolloff or None, **options}
        self.receiver = libdvbs2.receiver(**self.options)
        super().__init__(name, [SAMPLES[options["format"]]], types)
        self.lock = threading.Lock()  # of next_receiver and options
        self.finished = False
        self.next_receiver = None  # takes the place of the receiver in the next work()
        self.ports = {name: pmt.intern(name) for name in ports}
        for port in self.ports.values():
            self.message_port_register_out(port)
        self.outputs = [Output(kind) for kind in types]
        self.interval, self.due = status_interval, 0.0
        self.forget()

    def forget(self):
        """Forgets the counts of the last receiver."""
        self.modcods = {}  # by name and pilots: counts

    def start(self):
        """Restarts the item counts of the outputs at 0, as GNU Radio does at each start."""
        for output in self.outputs:
            output.restart()
        if self.finished:  # a finished receiver accepts no samples
            self.renew()
        return super().start()

    def status(self):
        """Return the receiver state and measurements as a dict."""
        return self.receiver.status()

    def locked(self):
        """Return whether the receiver has frame lock."""
        return self.receiver.status()["locked"]

    def set_rates(self, sample_rate, symbol_rate):
        """Change sample rate (Hz) and symbol rate (baud). The signal is acquired again. Raises ValueError for values that the constructor refuses."""
        self.change(sample_rate=sample_rate, symbol_rate=symbol_rate)

    def set_rolloff(self, rolloff):
        """Change the roll-off. The signal is acquired again. Raises ValueError for values that the constructor refuses."""
        self.change(roll_off=rolloff or None)

    def set_gold(self, gold):
        """Change the gold code. The signal is acquired again. Raises ValueError for values that the constructor refuses."""
        self.change(gold=gold)

    def set_offset(self, offset, offset_range):
        """Change the expected carrier offset and its maximum error (Hz). The signal is acquired again. Raises ValueError for values that the constructor refuses."""
        self.change(offset=offset, offset_range=offset_range)

    def change(self, **changes):
        options = {**self.options, **changes}
        if options != self.options:
            self.renew(options)

    def renew(self, options=None):
        """Makes the receiver of the next work()."""
        with self.lock:
            self.next_receiver = libdvbs2.receiver(**(options or self.options))
            self.options = options or self.options

    def forecast(self, _noutput_items, ninputs):
        """Requests two samples. general_work() keeps one sample until the end of the input, because it is not called after the end."""
        ended = items_left(self.gateway) >= 0
        return [0 if any(len(output.items) for output in self.outputs) else 1 if ended else 2] * ninputs

    def general_work(self, input_items, output_items):
        with self.lock:
            if self.next_receiver:
                self.receiver, self.next_receiver, self.due, self.finished = self.next_receiver, None, 0.0, False
                self.forget()
        samples = np.ascontiguousarray(input_items[0])
        if not any(len(output.items) for output in self.outputs) and len(samples):
            self.receive(samples)
        for port, (output, room) in enumerate(zip(self.outputs, output_items)):
            count = output.fill(room)
            for tag in output.tags_before(self.nitems_written(port) + count):
                self.add_item_tag(port, *tag)
            self.produce(port, count)
        return gr.WORK_CALLED_PRODUCE

    def receive(self, samples):
        """Passes samples to the receiver. Passes the frames of the receiver to the outputs."""
        end = items_left(self.gateway) == len(samples)
        taken = self.receiver.push(samples if end else samples[:-1])
        self.consume(0, taken)
        frames = list(iter(self.receiver.pull, None))
        if end and taken == len(samples):
            self.receiver.finish()
            self.finished = True
            frames += iter(self.receiver.pull, None)
        for frame in frames:
            self.take(frame)
        self.report()

    def counts_of(self, frame):
        """Counts the frame. Returns the counts of its MODCOD."""
        name = modcod_of(frame)
        counts = self.modcods.setdefault((name, frame.pilots), {"modcod": name, "pilots": frame.pilots, "frames": 0})
        counts["frames"] += 1
        return counts

    def lists(self):
        """Returns lists for the status message."""
        return {"modcods": list(self.modcods.values())}

    def report(self):
        """Publishes the status after each interval. Returns whether it was published."""
        status = self.receiver.status()
        if not self.interval or status["samples"] < self.due:
            return False
        self.due = status["samples"] + self.interval * self.options["sample_rate"]
        self.message_port_pub(self.ports["status"], pmt.to_pmt({**status, **self.lists()}))
        return True


class dvbs2_receiver(_receiver):
    """DVB-S2 and S2X receiver (EN 302 307-1 and -2): samples in, transport stream out.

    The receiver finds carrier, clock, roll-off and spectrum, and follows the MODCOD of each frame (CCM, VCM, ACM). It reacquires a lost
    signal. Packets with bit errors have their transport_error_indicator set.

    Args:
        sample_rate: samples per second, at least 1.1 samples per symbol
        symbol_rate: symbols per second (baud), within 200 ppm
        format: format of the input samples: complex float, or interleaved I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
        rolloff: roll-off of the pulses, 0.05 .. 0.35; 0 = detected
        gold: gold code of the PL scrambling, 0 .. 262141
        streams: ISI of the input stream for each output, 0 .. 255. -1 = the packets of all streams; can be changed at run time
        max_iterations: maximum number of LDPC iterations per frame, 0 .. 10000
        status_interval: seconds of signal between messages on port status; 0 = no messages
        threads: 1, or 2: a second thread filters the samples and recovers the timing
        offset: expected carrier offset from the centre of the samples in Hz; can be changed at run time
        offset_range: maximum error of offset in Hz, which selects one of several carriers; 0 = the whole band; can be changed at run time

    The first packet of each frame has a tag "dvbs2_frame", a dict with symbol (number of the frame's first symbol), pls_code, modulation,
    code, esn0_db and broken (whether the frame has bit errors).

    Messages: port "status" carries the receiver state, measurements, and lists of the received MODCODs and of the streams with their services; "frames", the baseband
    frames without bit errors, header and data field, one PDU per frame; "pdus", the PDUs of GSE streams and the packets of generic streams;
    "constellation", cells of the last frame of each MODCOD for display, with the MODCOD in the metadata.

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, sample_rate, symbol_rate, format="cf32", rolloff=0.0, gold=0, streams=(-1,), max_iterations=50, status_interval=1.0,
                 threads=1, offset=0.0, offset_range=0.0):
        self.streams = checked_streams(streams)
        super().__init__("dvbs2_receiver", [np.uint8] * len(self.streams), ("status", "frames", "pdus", "constellation"), status_interval, rolloff,
                         sample_rate=sample_rate, symbol_rate=symbol_rate, format=format, gold=gold, max_iterations=max_iterations, threads=threads,
                         offset=offset, offset_range=offset_range)

    def forget(self):
        super().forget()
        self.headers = {}  # by ISI: signalling of the stream, and counts
        self.services = {}  # by ISI: services of the transport stream
        self.cells = {}  # by MODCOD: cells of its last frame

    def set_max_iterations(self, max_iterations):
        """Change the maximum number of LDPC iterations. The signal is acquired again. Raises ValueError for values that the constructor refuses."""
        self.change(max_iterations=max_iterations)

    def set_streams(self, streams):
        """Change the ISI of each output. Raises ValueError for values that the constructor refuses, or for another number of streams."""
        if len(streams) != len(self.streams):
            raise ValueError(f"streams must have {len(self.streams)} numbers, one for each output, not {len(streams)}")
        self.streams = checked_streams(streams)

    def take(self, frame):
        """Publishes the frame and its PDUs, keeps its cells, and passes its packets to the outputs of the stream."""
        self.count(frame)
        isi = None if frame.header is None else frame.header["isi"]
        if len(frame.packets):
            about = pmt.to_pmt({name: getattr(frame, name) for name in TAGGED})
            for stream, output in zip(self.streams, self.outputs):
                if isi is None or stream in (ALL, isi):
                    output.add(frame.packets.ravel(), {FRAME: about})
        if frame.header is not None and not frame.broken:
            about = pmt.to_pmt({"isi": -1 if isi is None else isi})
            self.publish("frames", about, frame.bytes)
            for pdu in pdus_of(frame.pdus):
                self.publish("pdus", about, pdu)

    def count(self, frame):
        """Counts the frame, and keeps its cells."""
        counts = self.counts_of(frame)
        counts["failed_frames"] = counts.get("failed_frames", 0) + frame.broken
        self.cells[counts["modcod"]] = frame.cells
        if frame.header and not frame.broken:
            isi = frame.header["isi"]
            stream = self.headers.setdefault(isi, {"frames": 0, "packets": 0})
            stream.update({name: frame.header[name] for name in SIGNALLED}, isi=-1 if isi is None else isi)
            stream["frames"] += 1
            stream["packets"] += len(frame.packets)
            if len(frame.packets):
                self.services.setdefault(isi, Services()).add(frame.packets, frame.symbol / self.options["symbol_rate"])

    def publish(self, name, about, data):
        if pmt.length(self.message_subscribers(self.ports[name])):
            self.message_port_pub(self.ports[name], pmt.cons(about, pmt.init_u8vector(len(data), list(data))))

    def lists(self):
        for isi, services in self.services.items():
            self.headers[isi].update(services_of(services.result()))
        return {**super().lists(), "streams": list(self.headers.values())}

    def report(self):
        """Publishes status and cells after each interval."""
        if not super().report():
            return
        for modcod, cells in self.cells.items():
            cells = cells[:POINTS]
            self.message_port_pub(self.ports["constellation"], pmt.cons(pmt.to_pmt({"modcod": modcod}), pmt.init_c32vector(len(cells), cells.tolist())))
        self.cells.clear()


class dvbs2_synchronizer(_receiver):
    """DVB-S2 and S2X synchroniser (EN 302 307-1 and -2): samples in, cells out. dvbs2_fec_decoder decodes the cells.

    The block is the first part of dvbs2_receiver. Each PL frame with data gives the cells of its XFECFRAME, equalised and descrambled, without
    PL header and pilots, and with a mean constellation power of 1. Without the results of the decoder, it needs a stronger signal than
    dvbs2_receiver if the PL frames have no pilots.

    Args:
        sample_rate: samples per second, at least 1.1 samples per symbol
        symbol_rate: symbols per second (baud), within 200 ppm
        format: format of the input samples: complex float, or interleaved I and Q as int16, int8 or uint8 ("cf32", "cs16", "cs8", "cu8")
        rolloff: roll-off of the pulses, 0.05 .. 0.35; 0 = detected
        gold: gold code of the PL scrambling, 0 .. 262141
        status_interval: seconds of signal between messages on port status; 0 = no messages
        threads: 1, or 2: a second thread filters the samples and recovers the timing
        offset: expected carrier offset from the centre of the samples in Hz; can be changed at run time
        offset_range: maximum error of offset in Hz, which selects one of several carriers; 0 = the whole band; can be changed at run time

    The first cell of each frame has the tags "XFECFRAME", a pair of the MODCOD number (for S2X the PLS code) and true for short frames; and
    "noise", the measured noise power per cell.

    Messages: port "status" carries the receiver state, measurements, and a list of the received MODCODs.

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, sample_rate, symbol_rate, format="cf32", rolloff=0.0, gold=0, status_interval=1.0, threads=1,
                 offset=0.0, offset_range=0.0):
        super().__init__("dvbs2_synchronizer", [np.complex64], ("status",), status_interval, rolloff, sample_rate=sample_rate,
                         symbol_rate=symbol_rate, format=format, gold=gold, threads=threads, offset=offset, offset_range=offset_range, cells_only=True)

    def take(self, frame):
        """Counts the frame, and passes its cells to the output."""
        self.counts_of(frame)
        self.outputs[0].add(frame.cells, {XFECFRAME: xfecframe_of(frame), NOISE: pmt.from_double(10 ** (-frame.esn0_db / 10))})


def modcod_of(frame):
    """Returns the name of the MODCOD, as in dvbs2_modcods()."""
    return f"{frame.modulation}:{frame.code.split(':', 1)[1]}"


def xfecframe_of(frame):
    """Returns the value of the tag: the number of the MODCOD, and whether the frame is short."""
    code = frame.pls_code
    return pmt.cons(pmt.from_long(code & ~1 if code >= FIRST_S2X else code >> 2), pmt.from_bool(":16200:" in frame.code))


class Output:
    """Items and tags that still have to be output on a port."""

    def __init__(self, kind):
        self.items, self.made, self.tags = np.zeros(0, kind), 0, collections.deque()  # made: number of all items

    def restart(self):
        """Counts the output from 0."""
        output = self.made - len(self.items)
        self.tags = collections.deque((at - output, key, value) for at, key, value in self.tags)
        self.made -= output

    def add(self, items, tags):
        self.tags.extend((self.made, key, value) for key, value in tags.items())
        self.made += len(items)
        self.items = np.concatenate((self.items, items))

    def fill(self, room):
        """Moves items to `room`. Returns the number of moved items."""
        count = min(len(self.items), len(room))
        room[:count] = self.items[:count]
        self.items = self.items[count:]
        return count

    def tags_before(self, end):
        """Yields offset, key and value of the tags of the items that were output."""
        while self.tags and self.tags[0][0] < end:
            yield self.tags.popleft()
