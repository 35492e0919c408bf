# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples from files, pipes and SigMF recordings, in chunks."""
import contextlib
import json
import os
import pathlib
import sys

from libldpc.tools import outputs

FORMATS = {"cf32": 8, "cs16": 4, "cs8": 2, "cu8": 2}  # bytes of a sample
SIGMF_TYPES = {"cf32_le": "cf32", "ci16_le": "cs16", "ci8": "cs8", "cu8": "cu8"}
MOST_METADATA = 1 << 20  # bytes
MOST_RATE = 1e12  # Hz; integers in JSON may be too large for a float
CHUNK = 1 << 18  # samples
PLAUSIBLE_LEVELS = (-100.0, 20.0)  # dB of full scale, of float samples


class Recording:
    """A source of samples: `path` (- is standard input), `format`, `sample_rate` in Hz (None: unknown) and `samples`, their number
    (None: unknown)."""

    def __init__(self, path, sample_format, sample_rate):
        self.path, self.format, self.sample_rate = path, sample_format, sample_rate
        self.samples, self.note = None, ""  # note: a message for the user
        if path != "-" and os.path.isfile(path):
            self.samples = os.path.getsize(path) // FORMATS[sample_format]

    def doubt(self, level_db):
        """Returns a message if the samples are unlikely to have this format, otherwise "". In a wrong format, floats are extremely small,
        extremely large or NaN; integers look like noise."""
        lowest, highest = PLAUSIBLE_LEVELS
        if self.format != "cf32" or lowest < level_db < highest:
            return ""
        return (f"{self.path}: the level is {level_db:+.1f} dB of full scale, which is implausible for cf32 samples; select another "
                f"format with --format")

    def chunks(self):
        """Yields bytes of whole samples. Drops an incomplete sample at the end."""
        size = CHUNK * FORMATS[self.format]
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if self.path == "-" else stack.enter_context(open(self.path, "rb"))
            rest = b""
            while data := file.read(size):
                data = rest + data
                whole = len(data) // FORMATS[self.format] * FORMATS[self.format]
                rest = data[whole:]
                if whole:
                    yield data[:whole]


def is_sigmf(path):
    return pathlib.Path(path).suffix in (".sigmf-meta", ".sigmf-data")


def read_metadata(path):
    """Returns sample format and rate from the metadata of a SigMF recording; raises ValueError if they are invalid."""
    meta = pathlib.Path(path).with_suffix(".sigmf-meta")
    try:
        with outputs.open_regular(meta) as file:
            text = file.read(MOST_METADATA + 1).decode()
        if len(text) > MOST_METADATA:
            raise ValueError(f"more than {MOST_METADATA} bytes")
        parsed = json.loads(text)
        info = parsed.get("global") if isinstance(parsed, dict) else None
        if not isinstance(info, dict):
            raise ValueError("there is no object \"global\"")
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{meta}: invalid SigMF metadata: {error}") from None
    datatype, rate, channels = info.get("core:datatype"), info.get("core:sample_rate"), info.get("core:num_channels", 1)
    if not isinstance(datatype, str) or datatype not in SIGMF_TYPES:
        raise ValueError(f"{meta}: core:datatype is {datatype!r:.40}; expected one of {', '.join(SIGMF_TYPES)}")
    if channels != 1:
        raise ValueError(f"{meta}: core:num_channels is {channels!r:.40}; expected 1")
    if rate is not None and (isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 < rate < MOST_RATE):
        raise ValueError(f"{meta}: core:sample_rate is {rate!r:.40}; expected a number of Hz")
    return SIGMF_TYPES[datatype], rate


def open_recording(path, sample_format=None, sample_rate=None):
    """Opens a recording. Missing arguments come from SigMF metadata; the format also from the file's suffix, default cf32."""
    data, note = path, ""
    if path != "-" and is_sigmf(path):
        meta_format, meta_rate = read_metadata(path)
        if sample_rate and meta_rate and sample_rate != meta_rate:
            note = f"{path}: using sample rate {sample_rate:g}, although the metadata contain {meta_rate:g}"
        sample_format, sample_rate = sample_format or meta_format, sample_rate or meta_rate
        data = str(pathlib.Path(path).with_suffix(".sigmf-data"))
    if data != "-" and not os.path.exists(data):
        raise FileNotFoundError(2, os.strerror(2), data)
    if sample_rate is None:
        raise ValueError(f"{path}: unknown sample rate (expected --sample-rate, or a SigMF recording)")
    suffix = pathlib.Path(data).suffix[1:]
    if not sample_format and suffix not in FORMATS:
        note = f"{path}: unknown sample format, using cf32; select another one with --format"
    recording = Recording(data, sample_format or (suffix if suffix in FORMATS else "cf32"), float(sample_rate))
    recording.note = note
    return recording
