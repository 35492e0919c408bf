# SPDX-License-Identifier: BSD-3-Clause
"""Tests recordings in the layouts of other programs. Samples, sample rate and centre frequency must be read. Damaged files must be
refused."""
import io
import itertools
import json
import pathlib
import struct
import tarfile
import tempfile
import unittest

import numpy as np
from libldpc.tools import recordings

RATE = 9142857
CENTRE = 546000000
IN_DATA = b"data\x08\0\0\0"  # the bytes of a chunk header


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def fmt(bits, tag=1, channels=2, rate=RATE, extensible=False):
    """Returns a format chunk of a WAV file."""
    block = channels * bits // 8
    plain = struct.pack("<HHIIHH", 0xFFFE if extensible else tag, channels, rate, rate * block % (1 << 32), block, bits)
    more = struct.pack("<HHIH", 22, bits, 3, tag) + bytes.fromhex("000000001000800000aa00389b71") if extensible else b""
    return chunk(b"fmt ", plain + more)


def auxi(centre, size):
    """Returns the binary auxi chunk of SpectraVue: start and end time, centre frequency, rate of the converter, other values, name
    of the next file."""
    times = struct.pack("<16H", 2026, 7, 3, 29, 19, 59, 30, 0, 2026, 7, 3, 29, 19, 59, 59, 0)
    return chunk(b"auxi", (times + struct.pack("<2I", centre, RATE)).ljust(size, b"\0"))


def xml(text, encoding):
    return chunk(b"auxi", f'<?xml version="1.0"?><SDR-XML-Root XMLLevel="XMLLevel003"><Definition {text}/>'.encode(encoding).ljust(1914, b"\0"))


def riff(chunks, data, size=None, after=b""):
    """Returns a WAV file. `size` becomes the size field of its data chunk."""
    body = b"WAVE" + b"".join(chunks) + b"data" + struct.pack("<I", len(data) if size is None else size) + data + after
    return b"RIFF" + struct.pack("<I", len(body) % (1 << 32)) + body


def rf64(chunks, data, signature=b"RF64", after=b""):
    """Returns an RF64 file. The first chunk contains the sizes."""
    size = struct.pack("<QQQI", 0, len(data), len(data) // 4, 0)
    return signature + b"\xff" * 4 + riff([chunk(b"ds64", size), *chunks], data, 0xFFFFFFFF, after)[8:]


class Recordings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        values = np.random.default_rng(1).normal(0, 0.2, (5000, 2)).clip(-0.99, 0.99)
        self.samples = values.astype(np.float32).view(np.complex64)[:, 0]

    def encoded(self, sample_format):
        """Returns the samples as bytes in this format."""
        values = self.samples.view(np.float32).astype(float)
        if sample_format == "cs24":
            return np.rint(values * (1 << 23)).astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
        dtype = np.dtype(recordings.FORMATS[sample_format])
        if dtype.kind == "f":
            return values.astype(dtype).tobytes()
        scale = 2.0 ** (8 * dtype.itemsize - 1)
        whole = np.rint(values * scale + (scale - 0.5 if dtype.kind == "u" else 0))
        return whole.clip(np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype).tobytes()

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return str(self.folder / name)

    def check(self, path, expected, rate=RATE, frequency=CENTRE, notes=0, **arguments):
        """Opens a recording and compares its samples and properties."""
        recording = recordings.open_recording(path, **arguments)
        self.assertEqual((recording.sample_rate, recording.frequency, len(recording.notes)), (rate, frequency, notes), recording.notes)
        self.assertEqual(recording.format, expected if expected in recordings.RECEIVED else "cf32")
        read = np.concatenate([recordings.complex_samples(data, recording.format) for data in recording.chunks()])
        self.assertEqual(len(read), recording.samples)
        self.assertEqual(len(read), len(self.samples))
        self.assertLess(np.abs(read - self.samples).max(), 0.01)

    def refused(self, path, sentence, **arguments):
        with self.assertRaisesRegex(ValueError, sentence) as caught:
            recordings.open_recording(path, **arguments)
        self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_wav_files_of_programs(self):
        """Tests the layouts of SDR#, SDR++, HDSDR, SDRuno, SDRconnect, SDRangel and SDR Console, and a WAV file with an extensible
        format."""
        s16, s24 = self.encoded("cs16"), self.encoded("cs24")
        console = f'CurrentTimeUTC="29-07-2026 19:59:30" RadioCenterFreq="{CENTRE}" SampleRate="{RATE}" BitsPerSample="16"'
        tags = chunk(b"LIST", b"INFO" + chunk(b"INAM", IN_DATA))
        for name, content, sample_format in (
                ("SDRSharp_20260729_195930Z_546000000Hz_IQ.wav", riff([fmt(16)], s16), "cs16"),
                ("SDRSharp_20260729_195930Z_546000kHz_IQ.wav", riff([fmt(8)], self.encoded("cu8")), "cu8"),
                ("SDRSharp_20260729_195930Z_546000000Hz-IQ.WAV", rf64([fmt(32, 3)], self.encoded("cf32")), "cf32"),
                ("baseband_546000000Hz_19-59-30_29-07-2026.wav", riff([fmt(32)], self.encoded("cs32")), "cs32"),
                ("baseband_546000000Hz_not_finished.wav", riff([fmt(16)], s16, 0), "cs16"),
                ("baseband_546000000Hz_truncated.wav", riff([fmt(16)], s16, 2 * len(s16)), "cs16"),
                ("HDSDR_20260729_195930Z_546001kHz_RF.wav", riff([fmt(16), auxi(CENTRE, 164)], s16), "cs16"),
                ("SDRuno_20260729_195930Z_546000kHz.wav", riff([fmt(16), auxi(0, 68)], s16), "cs16"),
                ("SDRconnect_IQ_20260729_195930_546000000HZ.wav", rf64([fmt(16), auxi(CENTRE, 164)], s16, after=chunk(b"JUNK", IN_DATA)), "cs16"),
                ("rec0_2026-07-29T19_59_30_000.wav", riff([fmt(16), auxi(CENTRE, 164)], s16, after=tags), "cs16"),
                ("29-Jul-2026 195930.000 546.000MHz.wav", rf64([fmt(16), xml(console, "utf-16-le")], s16), "cs16"),
                ("console.wav", riff([xml(console, "latin-1"), fmt(24)], s24), "cs24"),
                ("large_546MHz.wav", rf64([fmt(64, 3, extensible=True)], self.encoded("cf64"), b"BW64"), "cf64")):
            with self.subTest(name):
                self.check(self.write(name, content), sample_format)

    def test_wav_longer_than_its_size_field(self):
        """Beyond 4 GiB, the size field of 32 bits holds the size modulo 4 GiB. All samples must be read."""
        data = self.encoded("cs16")
        path = self.write("baseband_546000000Hz.wav", riff([fmt(16)], data, size=len(data)))
        with open(path, "r+b") as file:
            file.truncate(44 + (1 << 32) + len(data))
        self.assertEqual(recordings.open_recording(path).samples, ((1 << 32) + len(data)) // 4)

    def test_wav_is_found_by_its_content(self):
        self.check(self.write("recording.dat", riff([fmt(16), auxi(CENTRE, 164)], self.encoded("cs16"))), "cs16")
        path = self.write("no_centre.wav", riff([chunk(b"JUNK", bytes(27)), fmt(16)], self.encoded("cs16")))
        self.check(path, "cs16", frequency=None)
        self.check(path, "cs16", rate=9e6, frequency=None, notes=1, sample_rate=9e6)

    def test_damaged_wav(self):
        data = self.encoded("cs16")
        for content, sentence in ((riff([fmt(16, channels=1)], data), r"1 channel \(expected 2, I and Q"), (riff([fmt(16, channels=4)], data), "4 channels"),
                                  (riff([fmt(8, tag=7)], data), "8 bits in 2 bytes, format 7"), (riff([fmt(64)], data), "64 bits in 16 bytes, format 1"),
                                  (riff([], data), "without a format"), (riff([fmt(16)], data)[:40], "without samples"), (riff([fmt(16)], b"")[:12], "without samples"),
                                  (riff([fmt(16, rate=0)], data), "unknown sample rate")):
            with self.subTest(sentence):
                self.refused(self.write("x.wav", content), sentence)

    def test_suffixes_and_names(self):
        for suffix, sample_format in (("cf32", "cf32"), ("fc32", "cf32"), ("cfile", "cf32"), ("c64", "cf32"), ("fc64", "cf64"), ("CS16", "cs16"), ("sc16", "cs16"),
                                      ("cs8", "cs8"), ("SC8", "cs8"), ("cu8", "cu8"), ("cu16", "cu16"), ("cs32", "cs32"), ("cs16_be", "cs16_be")):
            with self.subTest(suffix):
                self.check(self.write(f"x.{suffix}", self.encoded(sample_format)), sample_format, frequency=None, sample_rate=float(RATE))
        self.check(self.write("gqrx_20260729_195930_546000000_9142857_fc.raw", self.encoded("cf32")), "cf32")
        self.check(self.write("2026-07-29_19-59-30_9142857SPS_546000000Hz.cs8", self.encoded("cs8")), "cs8")
        self.check(self.write("two_1MHz_2MHz.cs8", self.encoded("cs8")), "cs8", frequency=None, sample_rate=float(RATE))
        self.refused(self.write("x.cs8", b""), "unknown sample rate")
        self.refused(self.write("x.cs8.gz", self.encoded("cs8")), r"x\.cs8\.gz: a compressed file \(expected samples\)", sample_rate=float(RATE))

    def test_judged_by_the_samples(self):
        """The suffix of the file name determines the format. If the suffix is unknown, the format is determined from the samples."""
        for name, sample_format in (("a.iq", "cf32"), ("b.raw", "cs16"), ("c.iq", "cs8"), ("d.bin", "cu8")):
            with self.subTest(name):
                path = self.write(name, self.encoded(sample_format))
                self.check(path, sample_format, frequency=None, notes=1, sample_rate=float(RATE))
                self.check(path, sample_format, frequency=None, sample_rate=float(RATE), sample_format=sample_format)

    def test_wrong_format(self):
        """If the given format is wrong, the message names the true format. This holds at all levels, and for clipped samples."""
        formats = ("cf32", "cs16", "cs8", "cu8")
        for scale in (0.05, 1.0, 2.2, 3.0, 4.0, 12.0):
            self.samples = (np.random.default_rng(2).normal(0, 0.2 * scale, (20000, 2)).clip(-1, 1).astype(np.float32)).view(np.complex64)[:, 0]
            for true, given in itertools.product(formats, formats):
                with self.subTest(true=true, given=given, scale=scale):
                    recording = recordings.open_recording(self.write("x." + true, self.encoded(true)), given, RATE)
                    doubt = recording.doubt(next(recording.chunks()))
                    expected = "" if true == given else f"{recording.path}: the samples look like {true}, not {given}; --format {true} selects it"
                    self.assertEqual(doubt, expected)
        for values in np.float32(1e-6) * self.samples, np.float32(32768) * self.samples:  # units of other programs
            recording = recordings.open_recording(self.write("y.cf32", values.tobytes()), None, RATE)
            self.assertEqual(recording.doubt(next(recording.chunks())), "")
        recording = recordings.open_recording(self.write("z.cf32", bytes(80000)), None, RATE)
        self.assertEqual(recording.doubt(next(recording.chunks())), f"{recording.path}: all bytes of the samples are 0; expected a signal")
        recording = recordings.open_recording(self.write("w.cs32", self.encoded("cs32")), None, RATE)
        self.assertEqual(recording.doubt(next(recording.chunks())), "")

    def metadata(self, datatype, captures=True, **fields):
        """Returns SigMF metadata. A field core_x becomes core:x."""
        info = {"core:datatype": datatype, "core:version": "1.2.0", "core:sample_rate": RATE, **{name.replace("core_", "core:"): v for name, v in fields.items()}}
        first = {"core:sample_start": 0, "core:frequency": CENTRE}
        return {"global": info, "captures": [first] if captures is True else captures, "annotations": []}

    def test_sigmf_types(self):
        for datatype, sample_format in (("cf32_le", "cf32"), ("cf64_le", "cf64"), ("ci8", "cs8"), ("ci16_le", "cs16"), ("ci32_le", "cs32"), ("cu8", "cu8"),
                                        ("cu16_le", "cu16"), ("cf32_be", "cf32_be"), ("cf64_be", "cf64_be"), ("ci16_be", "cs16_be"), ("ci32_be", "cs32_be"),
                                        ("cu16_be", "cu16_be")):
            with self.subTest(datatype):
                meta = self.write("x.sigmf-meta", json.dumps(self.metadata(datatype)).encode())
                data = self.write("x.sigmf-data", self.encoded(sample_format))
                self.check(meta, sample_format)
                self.check(data, sample_format)

    def test_sigmf_with_two_frequencies(self):
        self.write("x.sigmf-data", self.encoded("cs8"))
        for second, notes in ((CENTRE, 0), (CENTRE + 8e6, 1)):
            captures = [{"core:sample_start": 0, "core:frequency": CENTRE}, {"core:sample_start": 100, "core:frequency": second}, {"core:sample_start": 200}]
            self.check(self.write("x.sigmf-meta", json.dumps(self.metadata("ci8", captures)).encode()), "cs8", notes=notes)

    def test_sigmf_with_a_byte_order_mark(self):
        meta = self.write("x.sigmf-meta", b"\xef\xbb\xbf" + json.dumps(self.metadata("ci8")).encode())
        self.write("x.sigmf-data", self.encoded("cs8"))
        self.check(meta, "cs8")

    def test_sigmf_dataset(self):
        """The samples are in a file of another program, between a header and a trailer."""
        data = b"h" * 36 + self.encoded("cs16") + b"t" * 7
        self.write("other.bin", data)
        capture = [{"core:sample_start": 0, "core:header_bytes": 36}]
        meta = self.write("x.sigmf-meta", json.dumps(self.metadata("ci16_le", capture, core_dataset="other.bin", core_trailing_bytes=7)).encode())
        self.check(meta, "cs16", frequency=None)
        for name in ("../other.bin", "/etc/passwd", 5, ""):
            meta = self.write("x.sigmf-meta", json.dumps(self.metadata("ci16_le", core_dataset=name)).encode())
            self.refused(meta, "core:dataset is .*expected the name of a file in the same folder")
        meta = self.write("x.sigmf-meta", json.dumps(self.metadata("ci16_le", core_dataset="missing")).encode())
        with self.assertRaisesRegex(FileNotFoundError, "missing"):
            recordings.open_recording(meta)

    def archive(self, members, mode="w"):
        path = self.folder / "x.sigmf"
        with tarfile.open(path, mode) as archive:
            for name, content in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        return str(path)

    def test_sigmf_archive(self):
        meta, data = json.dumps(self.metadata("ci16_le")).encode(), self.encoded("cs16")
        self.check(self.archive({"x/x.sigmf-meta": meta, "x/x.sigmf-data": data}), "cs16")
        self.check(self.archive({"x.sigmf-data": data, "x.sigmf-collection": b"{}", "x.sigmf-meta": meta}), "cs16")
        self.refused(self.archive({"x.sigmf-meta": meta}), "x.sigmf: a SigMF archive without x.sigmf-data")
        self.refused(self.archive({"x.sigmf-meta": b"{", "x.sigmf-data": data}), "x.sigmf: x.sigmf-meta: invalid SigMF metadata")
        self.refused(self.archive({"a.sigmf-meta": meta, "b.sigmf-meta": meta}), r"2 recordings \(expected 1\)")
        self.refused(self.archive({"x.sigmf-meta": meta, "x.sigmf-data": data}, "w:gz"), "not a SigMF archive, a tar file without compression")
        self.refused(self.write("x.sigmf", data), "not a SigMF archive")

    def test_damaged_metadata(self):
        self.write("x.sigmf-data", self.encoded("cs8"))
        good = self.metadata("ci8")
        for text, sentence in (("{", "invalid SigMF metadata"), ("[" * 99999, "invalid SigMF"), ("[]", "no object \"global\""), ("\xff", "invalid SigMF"),
                               (" " * (1 << 20) + "{}", "more than 1048576 bytes"), ('{"global": null}', "no object \"global\""), ('{"global": {}}', "core:datatype is None"),
                               *((json.dumps({**good, "global": {**good["global"], **fields}}), sentence) for fields, sentence in (
                                   ({"core:datatype": "rf64_le"}, "rf64_le"), ({"core:datatype": "ri16_le"}, "expected complex samples: cf32_le"),
                                   ({"core:datatype": ["ci8"]}, "expected complex"), ({"core:sample_rate": "x"}, "'x'"),
                                   ({"core:sample_rate": 10 ** 400}, "1000.*expected a number of Hz"), ({"core:sample_rate": float("nan")}, "nan"),
                                   ({"core:sample_rate": -1}, "-1"), ({"core:num_channels": 2}, "core:num_channels is 2; expected 1"),
                                   ({"core:trailing_bytes": -1}, "core:trailing_bytes is -1; expected a number of bytes"))),
                               *((json.dumps({**good, "captures": [capture]}), sentence) for capture, sentence in (
                                   ({"core:frequency": "x"}, "core:frequency is 'x'"), ({"core:header_bytes": 1.5}, "core:header_bytes is 1.5")))):
            with self.subTest(sentence):
                self.refused(self.write("x.sigmf-meta", text.encode("latin-1")), sentence)
        for captures in ([], None, 5, [None]):
            self.check(self.write("x.sigmf-meta", json.dumps(self.metadata("ci8", captures)).encode()), "cs8", frequency=None)


if __name__ == "__main__":
    unittest.main()
