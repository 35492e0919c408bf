# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the names and bit rates of services with streams that the test builds, and with damaged streams."""
import io
import json
import unittest

import numpy as np
from libdvb import services, tables
from rich.console import Console

NULL_PACKET = bytes([0x47, 0x1F, 0xFF, 0x10]) + bytes(184)
H264, MPEG_AUDIO, PRIVATE = 0x1B, 0x03, 0x06


def crc32(data):
    """CRC-32 of ISO/IEC 13818-1, annex A, bit by bit."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte << 24
        for _ in range(8):
            register = register << 1 & 0xFFFFFFFF ^ (0x04C11DB7 if register >> 31 else 0)
    return register.to_bytes(4, "big")


def section(table, extension, body, current=1, version=0, number=0, last=0):
    length = 5 + len(body) + 4
    head = bytes([table, 0xB0 | length >> 8, length & 0xFF]) + extension.to_bytes(2, "big") + bytes([0xC0 | version << 1 | current, number, last])
    return head + body + crc32(head + body)


def packets_of(pid, data, adaptation=0):
    """Returns the packets of a section. `adaptation`: length of an adaptation field in the first packet."""
    data, packets = b"\0" + data, b""
    while data:
        head = bytes([0x47, (0x40 if not packets else 0) | pid >> 8, pid & 0xFF, 0x30 if adaptation else 0x10])
        if adaptation:
            head += bytes([adaptation]) + bytes(adaptation)
        packets += (head + data).ljust(188, b"\xff")[:188]
        data, adaptation = data[188 - len(head):], 0
    return packets


def descriptor(tag, body):
    return bytes([tag, len(body)]) + body


def pmt(number, pcr, streams, info=b""):
    loop = b"".join(bytes([kind, 0xE0 | pid >> 8, pid & 0xFF, 0xF0, len(about)]) + about for kind, pid, about in streams)
    return section(services.PMT_ID, number, (0xE000 | pcr).to_bytes(2, "big") + bytes([0xF0, len(info)]) + info + loop)


def sdt(*named):
    """`named`: service_id, provider, name."""
    body = b""
    for number, provider, name in named:
        about = descriptor(services.SERVICE, bytes([1, len(provider)]) + provider + bytes([len(name)]) + name)
        body += number.to_bytes(2, "big") + bytes([0xFC, 0x80, len(about)]) + about
    return section(services.SDT_ID, 1, b"\0\1\xff" + body)


def element(pid, scrambled=0):
    return bytes([0x47, pid >> 8, pid & 0xFF, 0x10 | scrambled << 6]) + bytes(184)


PROGRAMS = b"\0\0\0\x10" + b"\0\7\xe1\0" + b"\1\1\xe1\1"  # NIT, 7: PMT 256, 257: PMT 257
NAMED = sdt((7, b"\x15" + "Провайдер".encode(), b"Caf\xc2e"), (257, b"\x01\xbf\xe0\xde", b"[/red] " + 200 * b"x"))
SIGNALLING = (packets_of(services.PAT, section(services.PAT_ID, 1, PROGRAMS), adaptation=180)
              + packets_of(256, pmt(7, 512, ((H264, 512, b""), (MPEG_AUDIO, 513, b""), (PRIVATE, 514, descriptor(0x56, b"")))))
              + packets_of(257, pmt(257, 600, ((PRIVATE, 513, descriptor(0x05, b"Opus")), (0x99, 601, b"")), descriptor(0x09, b"\0\0\xe2\x5b")))
              + packets_of(services.SDT, NAMED))
STREAM = SIGNALLING + 6 * element(512) + 2 * element(513) + element(601, 3) + 4 * NULL_PACKET + element(1000)


def received(data, batch=10, seconds=0.1):
    counted = services.Services()
    packets = np.frombuffer(data, np.uint8).reshape(-1, 188)
    for number, at in enumerate(range(0, len(packets), batch)):
        counted.add(packets[at:at + batch], seconds * number)
    return counted.result()


def printed(result):
    file = io.StringIO()
    Console(file=file, width=200).print(tables.service_table("", result))
    return file.getvalue()


class Services(unittest.TestCase):
    def test_services(self):
        """Names, kinds and rates, of sections that span packets."""
        result = received(5 * STREAM, batch=len(STREAM) // 188, seconds=0.5)
        per_packet = 188 * 8 / 0.5  # bit/s of one packet in each copy of the stream
        self.assertAlmostEqual(result["bit_rate"], per_packet * len(STREAM) / 188)
        first, second = result["services"]
        self.assertEqual((first["service_id"], first["name"], first["provider"]), (7, "Café", "Провайдер"))
        self.assertEqual((second["service_id"], second["name"], second["provider"]), (257, "[/red] " + 200 * "x", "Про"))
        self.assertEqual({entry["pid"]: entry["kind"] for entry in first["pids"]}, {256: "PMT", 512: "H.264", 513: "MPEG audio", 514: "teletext"})
        self.assertEqual({entry["pid"]: entry["kind"] for entry in second["pids"]}, {257: "PMT", 600: "PCR", 603: "ECM", 513: "Opus", 601: "stream type 0x99"})
        self.assertAlmostEqual(first["bit_rate"], per_packet * 9)
        self.assertEqual([entry["pid"] for entry in second["pids"] if entry["scrambled"]], [601])
        self.assertEqual([(entry["pid"], entry["kind"]) for entry in result["other_pids"]], [(0, "PAT"), (17, "SDT"), (1000, "")])
        self.assertAlmostEqual(result["null_share"], 4 * 188 / len(STREAM))
        text = printed(result)
        for word in ("Café", "[/red]", "H.264 512", "stream type 0x99 601 (scrambled)", "PAT 0, SDT 17, 1000"):
            self.assertIn(word, text)

    def test_no_rate_of_packets_at_one_time(self):
        result = received(STREAM, batch=1000)
        self.assertIsNone(result["bit_rate"])
        self.assertIsNone(result["services"][0]["bit_rate"])
        self.assertIn("Café", printed(result))
        self.assertEqual(received(b"")["services"], [])

    def test_sections_that_are_ignored(self):
        """Sections with a wrong CRC-32, of a later time (current_next_indicator 0), in marked packets, or without their first packet."""
        pat = packets_of(services.PAT, section(services.PAT_ID, 1, PROGRAMS))
        wrong = bytearray(pat)
        wrong[20] ^= 1
        marked = bytearray(pat)
        marked[1] |= 0x80
        for data in (bytes(wrong), packets_of(services.PAT, section(services.PAT_ID, 1, PROGRAMS, current=0)), bytes(marked)):
            self.assertEqual(received(data)["services"], [])
        names = packets_of(services.SDT, NAMED)
        self.assertEqual(received(pat + names[188:] + names[:188])["services"][0]["name"], "")
        self.assertEqual(received(pat + names[:188] + pat + names[188:])["services"][0]["name"], "Café")

    def test_damaged_streams(self):
        """Any bytes give a result that can be printed and written as JSON."""
        random = np.random.default_rng(45)
        for _ in range(150):
            data = np.frombuffer(STREAM, np.uint8).copy()
            at = random.integers(0, len(data), random.integers(1, 60))
            data[at] = random.integers(0, 256, len(at))
            json.dumps(received(data.tobytes(), 7))
        noise = random.integers(0, 256, 188 * 3000, dtype=np.uint8)
        noise[::188] = 0x47
        printed(received(noise.tobytes(), 50))
        for _ in range(300):  # sections with a right CRC-32 and random content
            table, pid = ((services.PAT_ID, 0), (services.SDT_ID, services.SDT), (services.PMT_ID, 256))[random.integers(3)]
            body = random.integers(0, 256, random.integers(0, 170), dtype=np.uint8).tobytes()
            result = received(SIGNALLING + packets_of(pid, section(table, 7, body)))
            json.dumps(result)
            printed(result)

    def test_stuffing_at_a_start(self):
        """A section start with stuffing stores nothing until the next start."""
        sections = services.Sections()
        self.assertEqual(list(sections.add(b"\0" + 183 * b"\xff", True)) + list(sections.add(184 * b"\xff", False)), [])
        self.assertIsNone(sections.data)

    def test_a_new_pat(self):
        """A version of the PAT with two sections replaces the programs when both sections have arrived."""
        def parts(version, *programs):
            for number, program in enumerate(programs):
                yield packets_of(services.PAT, section(services.PAT_ID, 1, program, version=version, number=number, last=len(programs) - 1))

        first, second = parts(1, b"\0\7\xe1\0", b"\0\x08\xe1\1")
        third, = parts(2, b"\0\x08\xe1\1")
        for data, expected in ((first, []), (second + first, [7, 8]), (first + second + third, [8]), (first + third, [8]), (first + third + first, [8])):
            self.assertEqual([service["service_id"] for service in received(data)["services"]], expected)

    def test_many_services(self):
        programs = np.arange(1, 1201, dtype=">u2")
        pairs = np.stack([programs, np.full_like(programs, 0xE100)], axis=1)
        data = b"".join(packets_of(services.PAT, section(services.PAT_ID, 1, pairs[at:at + 200].tobytes(), number=at // 200, last=5)) for at in range(0, 1200, 200))
        data += b"".join(packets_of(services.SDT, sdt(*((int(number), b"", b"") for number in programs[at:at + 50]))) for at in range(0, 1200, 50))
        counted = services.Services()
        counted.add(np.frombuffer(data, np.uint8).reshape(-1, 188), 0.0)
        self.assertEqual((len(counted.result()["services"]), len(counted.names)), (services.MOST_SERVICES, services.MOST_SERVICES))

    def test_texts(self):
        """Character tables of EN 300 468, annex A."""
        for data, expected in ((b"", ""), (b"plain", "plain"), (b"\x86Em\x87\x8a", "Em"), (b"Gr\xc8un \xfb\xa4", "Grün ß€"), (b"\xc2", ""),
                               (b"\x01\xbf\xe0\xde", "Про"), (b"\x05\xfd", "ı"), (b"\x0b\xa4", "€"), (b"\x10\x00\x02\xb1", "ą"), (b"\x10\x00\x0c\xb1", None),
                               (b"\x11\x04\x16", "Ж"), (b"\x11\x04", None), (b"\x12\xc7\xd1", "한"), (b"\x13\xd6\xd0", "中"), (b"\x15\xe4\xb8\xad", "中"),
                               (b"\x15\xff", None), (b"\x1f\x01abc", None), (b"\x10", None)):
            got = services.text(data)
            self.assertTrue(got.isprintable())
            if expected is not None:
                self.assertEqual(got, expected, data)


if __name__ == "__main__":
    unittest.main()
