# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, packet identifiers (PIDs) and bit rates of the services of a transport stream (ISO/IEC 13818-1, EN 300 468)."""
import itertools
import unicodedata
import zlib

import numpy as np

PACKET = 188  # bytes
PIDS = 1 << 13
PAT, SDT, NULL = 0x0000, 0x0011, 0x1FFF
PAT_ID, PMT_ID, SDT_ID = 0x00, 0x02, 0x42  # table_id; SDT: actual transport stream
MOST_SECTION = 4096  # bytes
STUFFING = 0xFF  # after the last section of a packet
MOST_SERVICES = 1024
BATCH = 512  # packets that are counted at a time
FIXED = {PAT: "PAT", 0x01: "CAT", 0x10: "NIT", SDT: "SDT", 0x12: "EIT", 0x13: "RST", 0x14: "TDT", NULL: "null packets"}
STREAM_TYPES = {0x01: "MPEG-1 video", 0x02: "MPEG-2 video", 0x03: "MPEG audio", 0x04: "MPEG audio", 0x05: "sections", 0x06: "private data",
                0x0B: "DSM-CC", 0x0C: "DSM-CC", 0x0D: "DSM-CC", 0x0F: "AAC", 0x10: "MPEG-4 video", 0x11: "AAC", 0x15: "metadata", 0x1B: "H.264",
                0x1C: "AAC", 0x20: "H.264", 0x21: "JPEG 2000", 0x24: "H.265", 0x32: "JPEG XS", 0x33: "H.266", 0x81: "AC-3", 0x87: "E-AC-3"}
DESCRIPTORS = {0x45: "VBI data", 0x46: "teletext", 0x56: "teletext", 0x59: "subtitles", 0x6A: "AC-3", 0x7A: "E-AC-3", 0x7B: "DTS", 0x7C: "AAC"}
CA, REGISTRATION, SERVICE = 0x09, 0x05, 0x48  # descriptors
REGISTERED = {b"Opus": "Opus", b"HEVC": "H.265", b"AV01": "AV1", b"AC-3": "AC-3", b"EAC3": "E-AC-3", b"BSSD": "SMPTE 302M"}

REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
# Second half of the default character table, ISO 6937 with the Euro sign (EN 300 468, figure A.1). Spaces: not used. Characters 0xC0 .. 0xCF are
# accents of the character that follows.
LATIN = (" ¡¢£€¥ §¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿                ―¹®©™♪¬¦    ⅛⅜⅝⅞ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ\N{SOFT HYPHEN}")
ACCENTS = dict(zip(range(0xC1, 0xD0), "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0327 \u030b\u0328\u030c"))
CHARACTER_TABLES = {**{first: f"iso8859_{first + 4}" for first in (*range(0x01, 0x08), *range(0x09, 0x0C))},
                    0x11: "utf_16_be", 0x12: "euc_kr", 0x13: "gb2312", 0x14: "utf_16_be", 0x15: "utf_8"}


def latin(data):
    """Decodes text of the default character table."""
    decoded, accent = "", ""
    for byte in data:
        if byte in ACCENTS:
            accent = ACCENTS[byte]
            continue
        decoded += (chr(byte) if byte < 0xA0 else LATIN[byte - 0xA0]) + accent
        accent = ""
    return unicodedata.normalize("NFC", decoded)


def text(data):
    """Decodes a text of EN 300 468, annex A. Control codes are dropped."""
    first = data[:1]
    if not first or first[0] >= 0x20:
        decoded = latin(data)
    elif first[0] == 0x10 and data[1:2] == b"\0" and 1 <= int.from_bytes(data[2:3], "big") <= 15 and data[2] != 12:
        decoded = data[3:].decode(f"iso8859_{data[2]}", "replace")
    else:
        decoded = data[1:].decode(CHARACTER_TABLES.get(first[0], "ascii"), "replace")
    return "".join(c for c in decoded if c.isprintable()).strip()


def loop(data, head, length_at):
    """Yields the head and the body of each entry in a loop of descriptors, streams or services. The length of the body is the low 12 bits
    (8 bits if the head has two bytes) at `length_at` in the head. An incomplete entry ends the loop."""
    while len(data) >= head:
        length = data[1] if head == 2 else int.from_bytes(data[length_at:length_at + 2], "big") & 0xFFF
        if head + length > len(data):
            return
        yield data[:head], data[head:head + length]
        data = data[head + length:]


def descriptors(data):
    """Yields the tag and the content of each descriptor."""
    return ((head[0], body) for head, body in loop(data, 2, 1))


def kind_of(stream_type, info):
    """Returns the name of an elementary stream from its stream_type and descriptors."""
    if stream_type == 0x06:
        for tag, body in descriptors(info):
            if name := REGISTERED.get(body[:4]) if tag == REGISTRATION else DESCRIPTORS.get(tag):
                return name
    return STREAM_TYPES.get(stream_type, f"stream type 0x{stream_type:02X}")


def kinds_of(body):
    """Returns {PID: kind} from the body of a PMT."""
    end = 4 + (int.from_bytes(body[2:4], "big") & 0xFFF)
    streams, kinds = list(loop(body[end:], 5, 3)), {}
    for tag, content in (item for info in (body[4:end], *(info for _, info in streams)) for item in descriptors(info)):
        if tag == CA and len(content) >= 4:
            kinds[int.from_bytes(content[2:4], "big") & 0x1FFF] = "ECM"
    kinds[int.from_bytes(body[:2], "big") & 0x1FFF] = "PCR"  # a stream of the list has its own kind
    kinds.update({int.from_bytes(head[1:3], "big") & 0x1FFF: kind_of(head[0], info) for head, info in streams})
    kinds.pop(NULL, None)  # no PCR
    return kinds


class Sections:
    """Assembles the sections of a PID."""

    def __init__(self):
        self.data = None  # begins with a section; None: until the next start

    def add(self, payload, starts):
        """Takes the payload of a packet. `starts` is its payload_unit_start_indicator. Yields complete sections."""
        if starts:
            start = 1 + payload[0]
            yield from self._complete(payload[1:start])
            self.data = b""
            payload = payload[start:]
        yield from self._complete(payload)

    def _complete(self, payload):
        if self.data is None:
            return
        self.data += payload
        while len(self.data) >= 3 and self.data[0] != STUFFING:
            length = 3 + (int.from_bytes(self.data[1:3], "big") & 0xFFF)
            if length > MOST_SECTION:
                self.data = None
                return
            if length > len(self.data):
                return
            yield self.data[:length]
            self.data = self.data[length:]
        if self.data and self.data[0] == STUFFING:
            self.data = None


def payload_of(packet):
    """Returns the payload of a packet."""
    control = packet[3] >> 4 & 3
    start = 4 if control == 1 else 5 + packet[4] if control == 3 else PACKET
    return packet[start:]


class Services:
    """Counts packets by PID, and reads the services of the stream from PAT, PMT and SDT. Marked packets (transport_error_indicator) count
    only for the bit rate of the whole stream."""

    def __init__(self):
        self.packets = self.first_packets = 0  # first_packets: of the first call of add()
        self.first = self.last = None  # times of the first and the last call, s
        self.counts, self.scrambled = np.zeros(PIDS, np.int64), np.zeros(PIDS, np.int64)  # packets
        self.programs = {}  # by program_number: PID of the PMT
        self._version, self._pat = None, {}  # transport_stream_id, version_number and number of sections; by section_number: programs
        self.streams = {}  # by program_number: {PID: kind}
        self.names = {}  # by program_number: (name, provider)
        self._waiting, self._uncounted = [], 0  # arrays and their number of packets
        self._sections = {PAT: Sections(), SDT: Sections()}  # by PID

    def add(self, packets, seconds):
        """Takes an array (packets, 188). `seconds` is the time in the signal."""
        if self.first is None:
            self.first, self.first_packets = seconds, len(packets)
        self.last = seconds
        self.packets += len(packets)
        self._waiting.append(packets.copy())  # may be a small part of a large array
        self._uncounted += len(packets)
        if self._uncounted >= BATCH:
            self._count()

    def _count(self):
        """Counts the packets that wait, and reads their sections."""
        packets = np.concatenate(self._waiting)
        self._waiting, self._uncounted = [], 0
        right = packets[(packets[:, 0] == 0x47) & (packets[:, 1] < 0x80)]
        pids = (right[:, 1].astype(int) & 0x1F) << 8 | right[:, 2]
        self.counts += np.bincount(pids, minlength=PIDS)
        self.scrambled += np.bincount(pids[right[:, 3] >= 0x80], minlength=PIDS)
        self._read(right, pids, [PAT])
        self._read(right, pids, list(self._sections.keys() - {PAT}))

    def _read(self, packets, pids, chosen):
        """Reads the sections in packets of the chosen PIDs."""
        for at in np.flatnonzero(np.isin(pids, chosen) & (packets[:, 3] & 0x10 > 0)):
            if payload := payload_of(packets[at].tobytes()):
                self._read_sections(int(pids[at]), payload, packets[at, 1] & 0x40)

    def _read_sections(self, pid, payload, starts):
        for section in self._sections[pid].add(payload, starts):
            if len(section) >= 12 and zlib.crc32(section.translate(REVERSED)) == 0xFFFFFFFF and section[5] & 1:  # CRC-32 and current_next_indicator
                if (pid, section[0]) == (PAT, PAT_ID):
                    self._take_pat(section)
                else:
                    self._take(pid, section[0], int.from_bytes(section[3:5], "big"), section[8:-4])

    def _take_pat(self, section):
        """Replaces the programs when all sections of a version of the PAT have arrived."""
        body, version = section[8:-4], (section[3:6], section[7])
        if version != self._version:
            self._version, self._pat = version, {}
        pairs = ((int.from_bytes(body[at:at + 2], "big"), int.from_bytes(body[at + 2:at + 4], "big") & 0x1FFF) for at in range(0, len(body) - 3, 4))
        self._pat[section[6]] = {program: pmt for program, pmt in pairs if program}  # 0: NIT
        if len(self._pat) <= section[7]:
            return
        programs = {program: pmt for number in sorted(self._pat) for program, pmt in self._pat[number].items()}
        self.programs = dict(itertools.islice(programs.items(), MOST_SERVICES))
        self.streams = {program: kinds for program, kinds in self.streams.items() if program in self.programs}
        self._sections = {pid: self._sections.get(pid) or Sections() for pid in (PAT, SDT, *self.programs.values())}

    def _take(self, pid, table, number, body):
        """Reads the body of a section of the SDT or of a PMT. `number` is transport_stream_id or program_number."""
        if (pid, table) == (SDT, SDT_ID):
            for head, body in loop(body[3:], 5, 3):
                for tag, service in descriptors(body):
                    known = int.from_bytes(head[:2], "big") in self.names
                    if tag == SERVICE and len(service) >= 3 and (known or len(self.names) < MOST_SERVICES):
                        end = 2 + service[1]
                        name = service[end + 1:end + 1 + service[end]] if end < len(service) else b""
                        self.names[int.from_bytes(head[:2], "big")] = text(name), text(service[2:end])
        elif table == PMT_ID and self.programs.get(number) == pid and len(body) >= 4:
            self.streams[number] = kinds_of(body)

    def result(self):
        """Returns services, PIDs and bit rates in bit/s in the format of --json. The bit rates are None if all packets came at once."""
        if self._waiting:
            self._count()
        packets = self.packets - self.first_packets
        rate = 8 * PACKET * packets / (self.last - self.first) if packets and self.last > self.first else None

        def rate_of(pids):
            return rate and rate * float(self.counts[list(pids)].sum()) / self.packets

        def entry(pid, kind):
            return {"pid": pid, "kind": kind, "packets": int(self.counts[pid]), "bit_rate": rate_of([pid]), "scrambled": bool(self.scrambled[pid])}

        services, named = [], {NULL}
        for program, pmt in sorted(self.programs.items()):
            kinds = {pmt: "PMT", **self.streams.get(program, {})}
            named |= set(kinds)
            name, provider = self.names.get(program, ("", ""))
            services.append({"service_id": program, "name": name, "provider": provider, "bit_rate": rate_of(kinds),
                             "pids": [entry(pid, kind) for pid, kind in kinds.items()]})
        others = [entry(pid, FIXED.get(pid, "")) for pid in np.flatnonzero(self.counts).tolist() if pid not in named]
        return {"bit_rate": rate, "null_share": float(self.counts[NULL]) / self.packets if self.packets else 0.0, "services": services, "other_pids": others}
