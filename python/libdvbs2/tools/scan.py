# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the carriers in the band of a recording or radio."""
import warnings

import numpy as np

import libdvbs2
from libdvb.radio import Gap
from libdvb.tables import counted, with_header
from libldpc.tools import recordings

SECONDS = 2.5  # of signal: three frames of 40 kbaud
MOST_SAMPLES = 1 << 24  # as many as libdvbs2.survey uses
LEAST_SAMPLES = 1 << 14  # as many as libdvbs2.survey needs
SETTLING = 1.0  # seconds in which the gain of a radio is adjusted
PATIENCE = 3  # maximum number of samples that are read, relative to the number needed
PICTURE_SAMPLES, PICTURE_POINTS = 1 << 21, 8192
SHOWN_MODCODS = 4  # in a table
RECEIVED = ("DVB-S2", "DVB-S2X")
UNKNOWN = "unknown"
SAME_RATE = 1e-3  # maximum relative difference of two symbol rates of the same carrier


def level_db(samples):
    """Returns the mean power of complex samples in dB of full scale."""
    return 10 * np.log10(max(float(np.mean(np.abs(samples) ** 2)), 1e-20))


def first_samples(source, chunks, adjust):
    """Returns a list of the first chunks without a gap between them. `adjust` is called with the level while a radio's gain settles.
    If a radio loses samples again and again, the longest run is returned."""
    most = min(MOST_SAMPLES, SECONDS * source.sample_rate)
    settling = SETTLING * source.sample_rate if getattr(source, "adjusts", False) else 0
    longest, taken, count, total = [], [], 0, 0
    for data in chunks:
        if isinstance(data, Gap):
            longest, taken, count = max(longest, taken, key=len), [], 0
            continue
        samples = memoryview(data).nbytes // recordings.sample_bytes(source.format)
        if settling > 0:
            settling -= samples
            adjust(level_db(recordings.complex_samples(data, source.format)))
            continue
        taken.append(data)
        count += samples
        total += samples
        if count >= most or total >= PATIENCE * most:
            break
    return max(longest, taken, key=len)


def joined(first, chunks):
    """Yields the chunks of a list, which it empties, and then the other chunks."""
    while first:
        yield first.pop(0)
    yield from chunks


class Scan:
    """The carriers in the first samples of a source. `keep` selects whether all samples that were read stay in self.chunks."""

    def __init__(self, source, chunks, gold, adjust, keep=True):
        self.source = source
        first = first_samples(source, chunks, adjust)
        self.chunks = first if keep else []
        samples = b"".join(memoryview(data).cast("B") for data in first)
        del first
        size = recordings.sample_bytes(source.format)
        self.samples = len(samples) // size
        self._pictured = samples[:PICTURE_SAMPLES * size]
        enough = self.samples >= LEAST_SAMPLES
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            self.carriers = libdvbs2.survey(samples, source.sample_rate, source.format, gold, more=self._more(samples, chunks, keep)) if enough else []
        self.notes = [str(note.message) for note in notes]

    def _more(self, samples, chunks, keep):
        """Yields the samples of SECONDS, for narrow carriers in a wide band."""
        left = SECONDS * self.source.sample_rate - self.samples
        if left <= 0:
            return
        yield samples
        for data in chunks:
            if isinstance(data, Gap):
                return
            if keep:
                self.chunks.append(data)
            yield data
            left -= memoryview(data).nbytes // recordings.sample_bytes(self.source.format)
            if left <= 0:
                return

    @property
    def seconds(self):
        return self.samples / self.source.sample_rate

    def result(self):
        """Returns the values for --json."""
        return {"file": self.source.path, "sample_rate": self.source.sample_rate, "frequency": self.source.frequency, "format": self.source.format,
                "seconds": self.seconds, "notes": self.notes, "carriers": self.carriers}

    def sentence(self):
        """Returns why there is no carrier, or ""."""
        if self.carriers:
            return ""
        if self.samples < LEAST_SAMPLES:
            return f"the input has {counted(self.samples, 'sample')}: a scan needs at least {LEAST_SAMPLES}"
        return f"no carrier was found within {self.seconds:.2f} s: expected one of 30 kbaud or more at Es/N0 of at least -2 dB (wrong --sample-rate or --format?)"

    def windows(self):
        """Returns the rows of samples for a picture of the spectrum."""
        from libdvb import pictures

        samples = recordings.complex_samples(self._pictured, self.source.format)
        return pictures.windows_of(samples, min(PICTURE_POINTS, pictures.SPECTRUM if len(samples) < 16 * PICTURE_POINTS else PICTURE_POINTS))


def modcods_of(carrier):
    """Returns the MODCODs of a carrier as text, most frequent first."""
    names = [f"{m['modulation'].upper()} {m['code'].split(':')[2]}{' short' if m['code'].split(':')[1] == '16200' else ''}{'' if m['pilots'] else ' no pilots'}"
             for m in carrier["modcods"]]
    names += ["dummy frames"] if carrier["dummy_frames"] else []
    names += ["VL-SNR"] if carrier["vlsnr_frames"] else []
    more = len(names) - SHOWN_MODCODS
    return ", ".join(names[:SHOWN_MODCODS]) + (f" and {more} more" if more > 0 else "") or (f"QPSK {carrier['code_rate']}" if carrier["code_rate"] else "")


def name_of(carrier):
    """Returns the name of a carrier in one line."""
    words = [carrier["standard"], f"{carrier['symbol_rate'] * 1e-3:.1f} kbaud", modcods_of(carrier)]
    return ", ".join(word for word in words if word)


def table(scan):
    centre = scan.source.frequency
    def details(c):
        return ", ".join(text for text in (modcods_of(c), "mirrored" if c["mirrored"] else "", "" if c["standard"] in (*RECEIVED, UNKNOWN) else "not received") if text)

    rows = ([str(number), *([f"{(centre + c['frequency']) * 1e-6:.3f}"] if centre else []), f"{c['frequency'] * 1e-6:+.4f}",
             f"{c['symbol_rate'] * 1e-3:.1f}", c["standard"], f"{c['roll_off']:.2f}", f"{c['esn0_db']:.1f}", "" if c["gold"] is None else str(c["gold"]),
             details(c)]
            for number, c in enumerate(scan.carriers, 1))
    columns = ("", *(("MHz",) if centre else ()), "offset", "kbaud", "standard", "roll-off", "Es/N0", "gold", "MODCODs")
    return with_header("Carriers (offset in MHz, Es/N0 in dB)", columns, rows)


def save_picture(path, scan):
    """Plots the spectrum with the names of all carriers."""
    from libdvb import pictures

    windows = scan.windows()
    bands = [(c["frequency"], c["symbol_rate"] * (1 + c["roll_off"]), f"{number}: {name_of(c)}") for number, c in enumerate(scan.carriers, 1)]
    pictures.save(path, [lambda axes: pictures.spectrum(axes, windows, scan.source.sample_rate, bands)] if len(windows) else [], scan.sentence())


def chosen(scan, offset):
    """Returns the carrier nearest to `offset`, or if it is None, the strongest carrier that can be received."""
    received = [c for c in scan.carriers if c["standard"] in RECEIVED]
    if offset is not None:
        return min(scan.carriers, key=lambda c: abs(c["frequency"] - offset), default=None)
    return max(received or scan.carriers, key=lambda c: c["level_db"], default=None)


def problem(scan, carrier):
    """Returns why a carrier is not received, or ""."""
    if carrier and carrier["standard"] not in RECEIVED:
        return f"the carrier at {carrier['frequency'] * 1e-6:+.4f} MHz is not received: {name_of(carrier)}"
    return scan.sentence()


def reason(scan, symbol_rate, offset):
    """Returns why the receiver found no PL header of a carrier with this symbol rate, or "" if it is unknown."""
    same = [c for c in scan.carriers if abs(c["symbol_rate"] - symbol_rate) < SAME_RATE * symbol_rate and c["standard"] not in (*RECEIVED, UNKNOWN)]
    return problem(scan, min(same, key=lambda c: abs(c["frequency"] - offset))) if same else ""


def note(scan, carrier):
    """Returns a line about the carrier that will be received."""
    others = len(scan.carriers) - 1
    more = f"; {counted(others, 'other carrier')}: --scan lists them, --offset selects one" if others else ""
    return f"the carrier at {carrier['frequency'] * 1e-6:+.4f} MHz is received: {name_of(carrier)}{more}"
