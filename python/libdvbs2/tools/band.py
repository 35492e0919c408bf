# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives all carriers of a band (ldpc-dvbs2 --all)."""
import time

import libdvbs2
import numpy as np
from libdvb.outputs import delayed_interrupt
from libdvb.reception import Reception
from libdvb.tables import counted, with_header
from libldpc.tools import cli

from libdvbs2.tools import pcap, scan as scanning
from libdvbs2.tools.reception import ERROR_INDICATOR

STATUS_SECONDS = 0.5  # between two measurements for the progress
LEAST_OVERSAMPLING = 1.1  # samples per symbol
BEYOND = 0.05  # maximum part of a carrier outside of the band, in symbol rates; libdvbs2.band refuses more


def name_of(carrier, centre):
    """Returns the frequency of a carrier in MHz for file names: 11023.500MHz, or +1.250MHz if the centre of the band is unknown."""
    megahertz = round(((centre or 0) + carrier["frequency"]) * 1e-6, 3) + 0.0  # no -0.000
    return f"{megahertz:{'' if centre else '+'}.3f}MHz"


def refusal(carrier, sample_rate):
    """Returns why a carrier of a scan is not received, or ""."""
    symbol_rate = carrier["symbol_rate"]
    most = (sample_rate - symbol_rate) / 2 + BEYOND * symbol_rate
    if carrier["standard"] not in scanning.RECEIVED:
        return f"not received: {scanning.name_of(carrier)}"
    if sample_rate < LEAST_OVERSAMPLING * symbol_rate:
        return f"{sample_rate / symbol_rate:.3f} samples per symbol are not enough (expected at least {LEAST_OVERSAMPLING})"
    if abs(carrier["frequency"]) > most:
        return f"it is only partly in the band (expected an offset of at most {most * 1e-6:.4f} MHz for {symbol_rate * 1e-3:.1f} kbaud)"
    return ""


class Carrier:
    """The streams of a carrier. `sink` is called with its name and the values of libdvbs2.band.pull() of the first frames of a
    stream. It returns the function that takes the data. `isi` as in Reception. If an output fails, the reception goes on."""

    def __init__(self, found, name, isi, sink):
        self.found, self.name, self.isi, self._sink = found, name, isi, sink
        self.streams, self.others, self.error = {}, set(), ""
        self._put = {}

    def add(self, data):
        isi = data["isi"]
        if isi not in self.streams and data["frames"] == data["failed_frames"]:  # the ISI may be wrong
            return
        if isi is not None and self.isi is None:
            self.isi = isi
        if isi is not None and self.isi not in ("all", isi):
            self.others.add(isi)
            return
        counts = self.streams.setdefault(isi, {"isi": isi, "ts_gs": data["ts_gs"], "frames": 0, "failed_frames": 0, "packets": 0, "ts_errors": 0, "pdus": 0})
        packets = np.frombuffer(data["packets"], np.uint8).reshape(-1, 188)
        for name in ("frames", "failed_frames"):
            counts[name] += data[name]
        counts["packets"] += len(packets)
        counts["ts_errors"] += int(np.count_nonzero(packets[:, 1] & ERROR_INDICATOR))
        counts["pdus"] += sum(1 for _ in pcap.pdus_of(data["pdus"]))
        self._write(isi, data)

    def _write(self, isi, data):
        if self.error or not (data["packets"] or data["pdus"]):
            return
        try:
            if isi not in self._put:
                self._put[isi] = self._sink(self.name, data)
            for values in filter(None, (data["packets"], data["pdus"])):
                self._put[isi](values)
        except OSError as error:
            self.error = cli.sentence(error)

    def total(self, name):
        """Returns the sum of a count over all selected streams."""
        return sum(counts[name] for counts in self.streams.values())


class BandReception(Reception):
    """Receives the carriers of a scan that can be received. The others are in `refused`, with the reason. options: those of
    libdvbs2.band."""

    def __init__(self, scan, isi, sink, **options):
        source = scan.source
        super().__init__(self, source.sample_rate)
        named = [(c, name_of(c, source.frequency), refusal(c, source.sample_rate)) for c in scan.carriers]
        self.carriers = [Carrier(c, name, isi, sink) for c, name, reason in named if not reason]
        self.refused = [{**c, "name": name, "received": False, "error": reason} for c, name, reason in named if reason]
        found = [c.found for c in self.carriers]
        self._band = libdvbs2.band(found, source.sample_rate, source.format, **options) if found else None
        self._status, self._measured = {}, None

    @property
    def sample_bytes(self):
        return self._band.sample_bytes

    def receive(self, data):
        self._band.push(data)
        self._take()

    def gap(self, gap):
        self._band.gap()

    def quality_db(self):
        """Returns None: several carriers have no common Es/N0."""

    def finish(self):
        try:
            self._band.finish()
        finally:
            self._take()

    def _take(self):
        with delayed_interrupt():
            for data in self._band.pull():
                self.carriers[data["carrier"]].add(data)

    def all_status(self):
        """Returns the status of each carrier."""
        return [self._band.status(i) for i in range(len(self.carriers))]

    def status(self):
        """Returns values of all carriers for the progress."""
        if self._measured is None or time.monotonic() - self._measured > STATUS_SECONDS:
            self._measured, every = time.monotonic(), self.all_status()
            self._status = {"locked": any(s["locked"] for s in every), "state": "search", "locked_carriers": sum(s["locked"] for s in every),
                            "level_db": max(s["level_db"] for s in every), "message": next((s["message"] for s in every if s["message"]), ""),
                            **{name: sum(s[name] for s in every) for name in ("frames", "failed_frames", "packets")}}
        return self._status

    def summary(self, status):
        return (f"{status['locked_carriers']} of {counted(len(self.carriers), 'carrier')} received, {status['frames']} frames, "
                f"{status['failed_frames']} failed, {status['packets']} packets")

    def total(self, name):
        return sum(carrier.total(name) for carrier in self.carriers)


def result(reception):
    """Returns the values of all carriers for --json."""
    received = [{**c.found, "name": c.name, "received": True, "status": {k: v for k, v in status.items() if k != "modcods"}, "modcods": status["modcods"],
                 "streams": list(c.streams.values()), "other_streams": sorted(c.others), "error": c.error}
                for c, status in zip(reception.carriers, reception.all_status())]
    return sorted(received + reception.refused, key=lambda c: c["frequency"])


def _row(c):
    cells = [c["name"], f"{c['symbol_rate'] * 1e-3:.1f}"]
    if not c["received"]:
        return [*cells, f"{c['standard']}, not received", *5 * [""]]
    status, total = c["status"], {name: sum(s[name] for s in c["streams"]) for name in ("packets", "ts_errors", "pdus")}
    return [*cells, c["error"] or status["state"], f"{status['esn0_db']:.1f}" if status["locks"] else "", str(status["frames"]), str(status["failed_frames"]),
            str(total["packets"] + total["pdus"]), str(total["ts_errors"])]


def table(carriers):
    """Returns a row for each carrier of result()."""
    columns = ("carrier", "kbaud", "state", "Es/N0", "frames", "failed", "packets", "marked")
    return with_header("Carriers (Es/N0 in dB)", columns, map(_row, carriers))
