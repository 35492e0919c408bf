# SPDX-License-Identifier: GPL-3.0-or-later
"""Displays the messages of a DVB-T2 receiver as curves and tables."""
import collections
import html
import queue

import numpy as np
import pmt
from gnuradio import gr
from libdvb.tables import SERVICE_COLUMNS, service_rows, yes
from libdvbs2.tools import report
from libdvbt2.tools import rows

MODCOD_COLUMNS = "MODCOD", "pilots", "frames", "failed"
STREAM_COLUMNS = "ISI", "format", "coding", "ISSY", "null packets deleted", "frames", "packets"
LEAST_DB = -60.0  # lower limit of the impulse response, dB


class dvbt2_curves(gr.sync_block):
    """Converts messages of dvbt2_receiver or dvbt2_demodulator to curves for the QT GUI Vector Sink.

    The outputs are vectors of `points` floats; the oldest value is first:
        impulse_response: power relative to the strongest tap in dB, for delays from -span_us / 4 to span_us * 3 / 4
        cn: C/N in dB, one value per message on port "status"
        mer: MER in dB, one value per message on port "stats"
        errors: packets with errors in percent, one value per message on port "stats"

    Args:
        points: number of points of a curve and length of the output vectors
        span_us: range of delays that the impulse response shows, in microseconds. Delay 0 is at a quarter of the range; it is the middle of the tolerance of the FFT window

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, points=200, span_us=80.0):
        if points < 2 or not span_us > 0:
            raise ValueError(f"points must be 2 or more and span_us positive, not {points} and {span_us}")
        super().__init__("dvbt2_curves", None, [(np.float32, points)] * 4)
        self.grid = span_us * (np.arange(points) / points - 0.25)
        self.impulse = np.full(points, LEAST_DB)
        self.history = {name: collections.deque([0.0] * points, points) for name in ("cn_db", "mer_db", "errors")}
        self.counted = collections.Counter()
        self.changed = queue.Queue()
        for port, handler in (("status", self.take_status), ("stats", self.take_stats), ("impulse_response", self.take_impulse)):
            self.message_port_register_in(pmt.intern(port))
            self.set_msg_handler(pmt.intern(port), handler)

    def take_status(self, message):
        status = pmt.to_python(message)
        self.history["cn_db"].append(status["cn_db"] if status["locked"] else 0.0)
        self.changed.put(None)

    def take_stats(self, message):
        stats = pmt.to_python(message)
        plp = stats["plp_id"]
        self.history["mer_db"].append(stats["mer_db"])
        names = ("codewords", "packets", "ts_errors")
        codewords, packets, errors = (stats[name] - self.counted[plp, name] for name in names)
        self.counted.update({(plp, name): stats[name] - self.counted[plp, name] for name in names})
        nothing = 100.0 if codewords > 0 else 0.0
        self.history["errors"].append(100.0 * errors / packets if packets > 0 else nothing)
        self.changed.put(None)

    def take_impulse(self, message):
        axis, taps = pmt.to_python(pmt.car(message)), np.asarray(pmt.f32vector_elements(pmt.cdr(message)))
        if len(taps):
            delays = axis["first_us"] + axis["step_us"] * np.arange(len(taps))
            self.impulse = strongest(delays, taps, self.grid)
        self.changed.put(None)

    def work(self, input_items, output_items):
        try:
            self.changed.get(timeout=0.1)
        except queue.Empty:
            return 0
        for out, curve in zip(output_items, (self.impulse, *self.history.values())):
            out[0] = curve
        return 1


def strongest(delays, taps, grid):
    """Returns the power of the taps on a grid of delays, in dB relative to the strongest tap."""
    taps = taps - taps.max()
    curve = np.interp(grid, delays, taps, LEAST_DB, LEAST_DB)
    at = np.rint((delays - grid[0]) / (grid[1] - grid[0])).astype(int)
    inside = (at >= 0) & (at < len(grid))
    np.maximum.at(curve, at[inside], taps[inside])
    return np.maximum(curve, LEAST_DB)


# ------------------------------------------------------------------------------------------------------------ table


def html_table(title, lines):
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}&nbsp;&nbsp;</td>" for cell in line) + "</tr>" for line in lines)
    return f"<b>{html.escape(title)}</b><table>{cells}</table>"


def side_by_side(*columns):
    return "<table><tr>" + "".join(f"<td style='padding-right: 24px'>{column}</td>" for column in columns) + "</tr></table>"


def isi_of(stream):
    return "single" if stream["isi"] < 0 else stream["isi"]


def without_pids(row):
    """Returns a row of services without the column of streams and PIDs, which the status of dvbs2_receiver does not have."""
    return *row[:3], row[4]


def dvbs2_html_of(status):
    """Returns the tables of dvbs2_receiver. dvbs2_synchronizer decodes no frames."""
    modcods = [(m["modcod"], yes(m["pilots"]), m["frames"], m.get("failed_frames", "")) for m in status["modcods"]]
    signal, tables = report.channel_rows(status), [html_table("MODCODs", [MODCOD_COLUMNS, *sorted(modcods)])]
    if "streams" in status:
        streams = sorted(status["streams"], key=lambda s: s["isi"])
        about = [(isi_of(s), report.FORMATS[s["ts_gs"]], "CCM" if s["constant_coding"] else "VCM or ACM",
                  yes(s["issy"]), yes(s["null_deletion"]), s["frames"], s["packets"]) for s in streams]
        tables[0] += html_table("Streams", [STREAM_COLUMNS, *about])
        services = [(isi_of(s), *without_pids(row)) for s in streams if "services" in s for row in service_rows(s)]
        tables.append(html_table("Services", [("ISI", *without_pids(SERVICE_COLUMNS)), *services]))
        signal = [*signal, ("packets, marked", f"{status['packets']}, {status['ts_errors']}")]
    return side_by_side(html_table("DVB-S2", signal), *tables)


def html_of(status, l1, stats):
    """Returns the tables as HTML. `stats` maps each PLP_ID to a message."""
    if not status:
        return "no messages yet"
    if "esn0_db" in status:  # of dvbs2_receiver or dvbs2_synchronizer
        return dvbs2_html_of(status)
    streams = [html_table(f"Transport stream of PLP {plp}" if plp >= 0 else "Transport stream",
                          rows.stream_rows(counters, counters["kernel"])) for plp, counters in sorted(stats.items())]
    parts = [side_by_side(html_table("Signal", rows.signal_rows(status, l1["pre"] if l1 else None)),
                          html_table("Channel", rows.channel_rows(status)) + "".join(streams))]
    if l1:
        parts.append(html_table("PLPs", [rows.PLP_COLUMNS[:-1], *(row[:-1] for row in rows.plp_rows(l1["post"]))]))
    if status["message"]:
        parts.append(f"<p><b>{html.escape(status['message'])}</b></p>")
    return "".join(parts)


class dvbt2_table(gr.basic_block):
    """A Qt widget for the messages of dvbt2_receiver about signal, PLPs, channel and transport stream, or the status of dvbs2_receiver.

    Attribute `widget` is the Qt widget. Messages may arrive on any thread."""

    def __init__(self):
        from PyQt5 import QtCore, QtWidgets  # only needed with a window

        super().__init__("dvbt2_table", None, None)

        class Label(QtWidgets.QLabel):
            shown = QtCore.pyqtSignal(str)  # sets the text in Qt's thread

        label = Label("no messages yet")
        label.setAlignment(QtCore.Qt.AlignTop | QtCore.Qt.AlignLeft)
        label.setTextInteractionFlags(QtCore.Qt.TextSelectableByMouse)
        label.setMargin(6)
        font = label.font()
        font.setPointSize(font.pointSize() - 1)
        label.setFont(font)
        label.shown.connect(label.setText)
        self.widget = QtWidgets.QScrollArea()
        self.widget.setWidgetResizable(True)
        self.widget.setWidget(label)
        self.label, self.status, self.l1, self.stats = label, None, None, {}
        for port, handler in (("l1", self.take_l1), ("status", self.take_status), ("stats", self.take_stats)):
            self.message_port_register_in(pmt.intern(port))
            self.set_msg_handler(pmt.intern(port), handler)

    def take_l1(self, message):
        self.l1 = pmt.to_python(message)
        self.show()

    def take_status(self, message):
        self.status = pmt.to_python(message)
        self.show()

    def take_stats(self, message):
        stats = pmt.to_python(message)
        self.stats.pop(-1, None)  # from before the PLP_ID was known
        self.stats[stats["plp_id"]] = stats
        self.show()

    def show(self):
        self.label.shown.emit(html_of(self.status, self.l1, self.stats))

    def text(self):
        """Return the displayed text as HTML."""
        return self.label.text()
