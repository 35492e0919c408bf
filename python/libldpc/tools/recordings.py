# SPDX-License-Identifier: BSD-3-Clause
"""Reads recordings of complex samples: files without header, WAV, RF64 and SigMF."""
import contextlib
import json
import os
import pathlib
import re
import struct
import sys
import tarfile
from typing import NamedTuple, Optional

import numpy as np

from libldpc.tools import outputs

# numpy type of each format; "" for cs24, because numpy has no type of 24 bits
FORMATS = {"cf32": "<f4", "cs16": "<i2", "cs8": "i1", "cu8": "u1", "cf64": "<f8", "cs32": "<i4", "cs24": "", "cu16": "<u2",
           "cf32_be": ">f4", "cf64_be": ">f8", "cs16_be": ">i2", "cs32_be": ">i4", "cu16_be": ">u2"}
RECEIVED = ("cf32", "cs16", "cs8", "cu8")  # formats of receivers; chunks() converts others to cf32
SUFFIXES = {**{name: name for name in FORMATS}, "fc32": "cf32", "cfile": "cf32", "c64": "cf32", "fc64": "cf64", "sc8": "cs8", "ci8": "cs8",
            "sc16": "cs16", "ci16": "cs16", "sc32": "cs32", "ci32": "cs32", "uc8": "cu8"}
WAV_FORMATS = {(1, 8): "cu8", (1, 16): "cs16", (1, 24): "cs24", (1, 32): "cs32", (3, 32): "cf32", (3, 64): "cf64"}  # by format tag and bits
EXTENSIBLE = 0xFFFE  # the format tag is in the subformat
UNKNOWN_SIZE = 0xFFFFFFFF  # in chunk ds64, or unknown
SIGMF_TYPE = re.compile(r"c([fiu])(8|16|32|64)(_le|_be)?")
# Frequency and sample rate in file names.
GQRX_NAME = re.compile(r"gqrx_\d+_\d+_(\d+)_(\d+)_fc\.raw$")
RATE_IN_NAME = re.compile(r"(?<![0-9a-z.])(\d+)SPS(?![a-z])", re.IGNORECASE)
FREQUENCY_IN_NAME = re.compile(r"(?<![0-9a-z.])(\d+(?:\.\d+)?)([kMG]?)Hz(?![a-z])", re.IGNORECASE)
UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}  # Hz
COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip", ".7z")
LOWEST_FREQUENCY = 1e5  # Hz; lower values are not the frequency of a radio
MOST_METADATA = 1 << 20  # bytes
MOST_HERTZ = 1e12  # JSON integers may be too large for a float
CHUNK = 1 << 18  # samples
JUDGED = 1 << 18  # bytes from which a format is judged
EQUAL_POWER = 2.0  # maximum ratio of the powers of even and odd bytes, 8-bit samples
FLOAT_OCTAVES = 10.0  # maximum standard deviation of the exponents of float samples; a Gaussian signal has 1.6
FINITE = 0.95  # minimum share of finite numbers, float samples
WIDE = 0.25  # maximum share of a sixteenth of all values, samples that use the whole range
EQUAL_SHARES = 0.2  # maximum sum of the differences of these shares between even and odd bytes, 8-bit samples
CLIPPED = (0, 127, 128, 129, 255)  # bytes of clipped cs8 and cu8 samples


class Contents(NamedTuple):
    """Location and properties of the samples in a recording. Unknown properties are None."""

    path: str
    format: Optional[str] = None
    sample_rate: Optional[float] = None  # Hz
    frequency: Optional[float] = None  # Hz; centre frequency
    start: int = 0  # bytes before the first sample
    size: Optional[int] = None  # bytes; None: to the end of the file
    frequencies: int = 1  # number of different centre frequencies, if the radio was retuned


def sample_bytes(sample_format):
    """Returns the size of a sample (I and Q) in bytes."""
    return 6 if sample_format == "cs24" else 2 * np.dtype(FORMATS[sample_format]).itemsize


def complex_samples(data, sample_format):
    """Converts whole samples to complex64. Full scale of integers becomes 1."""
    if sample_format == "cs24":
        values = np.zeros((memoryview(data).nbytes // 3, 4), np.uint8)
        values[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        values = values.reshape(-1).view("<i4")
    else:
        values = np.frombuffer(data, FORMATS[sample_format])
    if values.dtype.kind == "f":
        return values.astype(np.float32).view(np.complex64)
    scale = 2.0 ** (8 * values.dtype.itemsize - 1)
    zero = scale - 0.5 if values.dtype.kind == "u" else 0.0
    return ((values.astype(np.float32) - zero) / scale).astype(np.float32).view(np.complex64)


class Recording:
    """A source of samples.

    path         file, or "-" for standard input
    format       format of the samples that chunks() yields, one of RECEIVED
    sample_rate  Hz
    frequency    centre frequency, Hz, or None
    samples      number of samples, or None
    notes        messages for the user
    """

    def __init__(self, contents, notes=()):
        self.path, self.sample_rate, self.frequency = contents.path, contents.sample_rate, contents.frequency
        self.format = contents.format if contents.format in RECEIVED else "cf32"
        self.notes, self._contents = list(notes), contents
        self.samples = None
        if contents.path != "-" and os.path.isfile(contents.path):
            size = max(0, os.path.getsize(contents.path) - contents.start)
            self.samples = min(size, size if contents.size is None else contents.size) // sample_bytes(contents.format)

    def doubt(self, data):
        """Returns a warning if the samples `data` probably have another format, otherwise ""."""
        if self._contents.format not in RECEIVED:
            return ""
        data = memoryview(data).cast("B")[:JUDGED]
        if not np.ptp(np.frombuffer(data, np.uint8)):
            return f"{self.path}: all bytes of the samples are {data[0]}; expected a signal"
        likely = judged_format(data)
        return "" if likely == self.format else f"{self.path}: the samples look like {likely}, not {self.format}; --format {likely} selects it"

    def chunks(self):
        """Yields whole samples as bytes or arrays."""
        given, size = self._contents.format, sample_bytes(self._contents.format)
        rest = b""
        for data in self._pieces(CHUNK * size):
            data = rest + data
            whole = len(data) // size * size
            rest = data[whole:]
            if whole:
                yield data[:whole] if given in RECEIVED else complex_samples(data[:whole], given)

    def _pieces(self, most):
        """Yields the bytes of the samples, at most `most` at a time."""
        left = float("inf") if self._contents.size is None else self._contents.size
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if self.path == "-" else stack.enter_context(open(self.path, "rb"))
            if self._contents.start:
                file.seek(self._contents.start)
            while data := file.read(min(most, left)):
                left -= len(data)
                yield data


# -------------------------------------------------------------------------------------------------------- WAV and RF64


def is_wav(path):
    """Returns whether a file is WAV, RF64 or BW64."""
    with open(path, "rb") as file:
        head = file.read(12)
    return head[:4] in (b"RIFF", b"RF64", b"BW64") and head[8:] == b"WAVE"


def wav_chunks(file):
    """Returns {name: content} of the chunks before the samples. Also returns the size of the data, or None."""
    chunks, place = {}, 12
    while True:
        file.seek(place)
        head = file.read(8)
        if len(head) < 8:
            return chunks, None
        name, size = struct.unpack("<4sI", head)
        if name == b"data":
            return chunks, size
        chunks[name] = file.read(min(size, MOST_METADATA))
        place += 8 + size + size % 2


def auxi_frequency(auxi):
    """Returns the centre frequency in Hz of an auxi chunk, or None. SDR Console writes XML. SpectraVue, HDSDR, SDRuno, SDRconnect and
    SDRangel write a struct."""
    if auxi[:1] == b"<":
        found = re.search(rb'RadioCenterFreq="(\d{1,12})"', auxi.replace(b"\0", b""))  # UTF-16 in some versions
        return float(found[1]) if found else None
    return float(struct.unpack_from("<I", auxi, 32)[0]) or None if len(auxi) >= 36 else None


def wav_contents(path):
    """Raises ValueError unless the samples are I and Q of a known format."""
    with outputs.open_regular(path) as file:
        chunks, size = wav_chunks(file)
        start, present = file.tell(), os.fstat(file.fileno()).st_size - file.tell()
    header = chunks.get(b"fmt ", b"")
    if size is None or len(header) < 16:
        raise ValueError(f"{path}: a WAV file without {'samples' if size is None else 'a format'} (expected the chunks \"fmt \" and \"data\")")
    tag, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", header)
    if tag == EXTENSIBLE and len(header) >= 26:
        tag = struct.unpack_from("<H", header, 24)[0]
    sample_format = WAV_FORMATS.get((tag, bits))
    if channels != 2:
        raise ValueError(f"{path}: a WAV file of {channels} channel{'' if channels == 1 else 's'} (expected 2, I and Q)")
    if not sample_format or block != sample_bytes(sample_format):
        raise ValueError(f"{path}: a WAV file with samples of {bits} bits in {block} bytes, format {tag} (expected integers of 8, 16, 24 or 32 "
                         "bits, format 1, or floats of 32 or 64 bits, format 3)")
    if size == UNKNOWN_SIZE and len(chunks.get(b"ds64", b"")) >= 16:
        size = struct.unpack_from("<Q", chunks[b"ds64"], 8)[0]
    # A size of 0 means an unfinished recording. Sizes of 4 GiB and more are stored modulo 4 GiB.
    if size in (0, UNKNOWN_SIZE) or present - size >= 1 << 32:
        size = present
    frequency = auxi_frequency(chunks.get(b"auxi", b"")) or frequency_in_name(path)
    return Contents(path, sample_format, float(rate) or None, frequency, start, size)


# ------------------------------------------------------------------------------------------------------------- SigMF


def hertz(value, where):
    """Returns a frequency in Hz, or None. Raises ValueError for other values."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < MOST_HERTZ:
        raise ValueError(f"{where} is {value!r:.40}; expected a number of Hz")
    return float(value)


def count_of(value, where):
    """Returns a number of bytes, or 0. Raises ValueError for other values."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62):
        raise ValueError(f"{where} is {value!r:.40}; expected a number of bytes")
    return value or 0


def parsed(text, where):
    """Returns `global` and `captures` of SigMF metadata. Raises ValueError if the metadata are invalid."""
    try:
        if len(text) > MOST_METADATA:
            raise ValueError(f"more than {MOST_METADATA} bytes")
        metadata = json.loads(text.decode("utf-8-sig"))  # some editors write a byte order mark
        info = metadata.get("global") if isinstance(metadata, dict) else None
        if not isinstance(info, dict):
            raise ValueError("there is no object \"global\"")
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{where}: invalid SigMF metadata: {error}") from None
    captures = metadata.get("captures")
    captures = [capture for capture in captures if isinstance(capture, dict)] if isinstance(captures, list) else []
    return info, captures or [{}]


def sigmf_format(datatype, where):
    """Returns the format of a core:datatype. Raises ValueError for real samples."""
    found = SIGMF_TYPE.fullmatch(datatype) if isinstance(datatype, str) else None
    name = found and f"c{found[1].replace('i', 's')}{found[2]}{'_be' if found[3] == '_be' else ''}"
    if name not in FORMATS:
        raise ValueError(f"{where}: core:datatype is {datatype!r:.40}; expected complex samples: cf32_le, cf64_le, ci8, ci16_le, ci32_le, cu8, "
                         "cu16_le, or _be")
    return name


def sigmf_contents(text, where, data_of):
    """Returns the contents of a SigMF recording. Raises ValueError. data_of(name) returns path, start and size of the data file."""
    info, captures = parsed(text, where)
    capture = captures[0]
    sample_format = sigmf_format(info.get("core:datatype"), where)
    channels, dataset = info.get("core:num_channels", 1), info.get("core:dataset")
    if channels != 1:
        raise ValueError(f"{where}: core:num_channels is {channels!r:.40}; expected 1")
    if dataset is not None and (not isinstance(dataset, str) or not dataset or "/" in dataset or "\0" in dataset):
        raise ValueError(f"{where}: core:dataset is {dataset!r:.40}; expected the name of a file in the same folder")
    rate = hertz(info.get("core:sample_rate"), f"{where}: core:sample_rate")
    frequency = hertz(capture.get("core:frequency"), f"{where}: core:frequency")
    before = count_of(capture.get("core:header_bytes"), f"{where}: core:header_bytes")
    after = count_of(info.get("core:trailing_bytes"), f"{where}: core:trailing_bytes")
    path, start, size = data_of(dataset)
    frequencies = len({repr(each.get("core:frequency", capture.get("core:frequency"))) for each in captures}) if frequency else 1
    return Contents(path, sample_format, rate, frequency, start + before, max(0, size - before - after), frequencies)


def recording_contents(path):
    """`path` is the metadata file or the data file of a SigMF recording."""
    meta = pathlib.Path(path).with_suffix(".sigmf-meta")
    with outputs.open_regular(meta) as file:
        text = file.read(MOST_METADATA + 1)

    def data_of(dataset):
        data = meta.with_name(dataset) if dataset else meta.with_suffix(".sigmf-data")
        return str(data), 0, os.path.getsize(data)

    return sigmf_contents(text, meta, data_of)


def archive_contents(path):
    """Contents of a SigMF archive with one recording. The archive is not unpacked."""
    try:
        with outputs.open_regular(path) as file, tarfile.open(fileobj=file, mode="r:") as archive:
            members = {member.name: member for member in archive if member.isreg()}
            metas = [name for name in members if name.endswith(".sigmf-meta")]
            if len(metas) != 1:
                raise ValueError(f"{path}: a SigMF archive with {len(metas)} recordings (expected 1); tar -xf extracts them")
            text = archive.extractfile(metas[0]).read(MOST_METADATA + 1)
    except tarfile.TarError as error:
        raise ValueError(f"{path}: not a SigMF archive, a tar file without compression: {error}") from None
    meta = pathlib.PurePosixPath(metas[0])

    def data_of(dataset):
        name = str(meta.with_name(dataset) if dataset else meta.with_suffix(".sigmf-data"))
        if name not in members:
            raise ValueError(f"{path}: a SigMF archive without {name}")
        return path, members[name].offset_data, members[name].size

    return sigmf_contents(text, f"{path}: {meta}", data_of)


# --------------------------------------------------------------------------------------------------- files without header


def frequency_in_name(path):
    """Returns the centre frequency in Hz in a name such as HDSDR_20260101_120000Z_546000kHz_RF.wav, or None."""
    found = {float(number) * UNITS[unit.lower()] for number, unit in FREQUENCY_IN_NAME.findall(os.path.basename(path))}
    found = {value for value in found if LOWEST_FREQUENCY <= value < MOST_HERTZ}
    return found.pop() if len(found) == 1 else None


def plain_contents(path):
    """Returns format, sample rate and frequency from the name of a file without a header."""
    name = os.path.basename(path)
    if gqrx := GQRX_NAME.search(name):
        return Contents(path, "cf32", float(gqrx[2]) or None, float(gqrx[1]))
    rate = RATE_IN_NAME.search(name)
    return Contents(path, SUFFIXES.get(pathlib.Path(path).suffix[1:].lower()), float(rate[1]) or None if rate else None, frequency_in_name(path))


def judged_format(data):
    """Returns the most likely format: cf32, cs16, cs8 or cu8."""
    data = data[:len(data) // 8 * 8]
    floats = np.abs(np.frombuffer(data, "<f4"))
    finite = floats[np.isfinite(floats)]
    spread = np.std(np.log2(finite[finite > 0], dtype=float)) if finite.any() else 0.0
    if len(finite) >= FINITE * len(floats) and spread < FLOAT_OCTAVES:
        return "cf32"
    values = np.frombuffer(data, "u1")
    even, odd = np.var(values.view("i1").reshape(-1, 2), axis=0)
    shares = np.array([np.bincount(column // 16, minlength=16) / len(column) for column in values.reshape(-1, 2).T])
    if max(even, odd) > EQUAL_POWER * min(even, odd) or shares.max() < WIDE and np.abs(shares[0] - shares[1]).sum() > EQUAL_SHARES:
        return "cs16"
    inner = values[~np.isin(values, CLIPPED)]
    inner = inner if len(inner) else values
    return "cs8" if np.mean(inner.view("i1").astype(float) ** 2) < np.mean((inner - 127.5) ** 2) else "cu8"


# --------------------------------------------------------------------------------------------------------------------- all


def contents_of(path):
    suffix = pathlib.Path(path).suffix.lower()
    if path == "-":
        return Contents(path)
    if suffix in (".sigmf-meta", ".sigmf-data"):
        return recording_contents(path)
    if os.path.isfile(path) and suffix == ".sigmf":
        return archive_contents(path)
    if os.path.isfile(path) and is_wav(path):
        return wav_contents(path)
    if not os.path.exists(path):
        raise FileNotFoundError(2, os.strerror(2), path)
    if suffix in COMPRESSED:
        raise ValueError(f"{path}: a compressed file (expected samples); decompress it first")
    return plain_contents(path)


def open_recording(path, sample_format=None, sample_rate=None):
    """Opens a recording. Missing arguments are determined from its header, its metadata, its name or its samples. Raises ValueError
    without a sample rate."""
    contents, notes = contents_of(path), []
    rate = sample_rate or contents.sample_rate
    if rate is None:
        raise ValueError(f"{path}: unknown sample rate (expected --sample-rate, or a file with the sample rate in its header, metadata or name)")
    if rate != (contents.sample_rate or rate):
        notes.append(f"{path}: using sample rate {sample_rate:.10g}, although the recording contains {contents.sample_rate:.10g}")
    if contents.frequencies > 1:
        notes.append(f"{path}: the radio was tuned to {contents.frequencies} frequencies; only the samples at the first one, {contents.frequency:.10g} Hz, are useful")
    given = sample_format or contents.format
    if not given:
        given = "cf32"
        if os.path.isfile(path):
            with open(path, "rb") as file:
                given = judged_format(file.read(JUDGED))
        judged = ", judging by the samples" if os.path.isfile(path) else ""
        notes.append(f"{path}: unknown sample format, using {given}{judged}; select another one with --format")
    return Recording(contents._replace(format=given, sample_rate=float(rate)), notes)
