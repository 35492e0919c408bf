# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes baseband frames of DVB-T2 (EN 302 755, clauses 5.1 and 5.2), independently of the receiver: deleted null packets, common
PLPs, ISSY with TTO and BUFS, in-band signalling, generic streams. Makes FEC blocks and cells with libldpc's encoders."""
import dataclasses
import functools
import hashlib

import libldpc
import numpy as np

from t2_standard import RATES

HEADER = 80
TS_PACKET = 188
MOST_DELETED = 255
NO_START = 0xFFFF
KINDS = {'GFPS': 0, 'GCS': 1, 'GSE': 2, 'TS': 3}  # TS/GS
MODULATIONS = ('qpsk', '16qam', '64qam', '256qam')


# ---- bits

def bits_of(value, count):
    return [int(value) >> i & 1 for i in range(count - 1, -1, -1)]


def crc8_step(byte):
    for _ in range(8):
        byte = (byte << 1 ^ (0xD5 if byte & 0x80 else 0)) & 0xFF
    return byte


CRC8 = [crc8_step(byte) for byte in range(256)]


def crc8(data):
    """Computes the CRC-8 with g(x) = x^8 + x^7 + x^6 + x^4 + x^2 + 1 (clause 5.1.4)."""
    crc = 0
    for byte in data:
        crc = CRC8[crc ^ byte]
    return crc


@functools.lru_cache
def scrambling(count):
    """Returns the scrambling sequence 1 + X^14 + X^15 with the initial state 100101010000000 (clause 5.2.4)."""
    register, out = [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0], np.empty(count, np.uint8)
    for i in range(count):
        out[i] = register[13] ^ register[14]
        register = [out[i]] + register[:14]
    return out


# ---- ISSY (annex C)

def iscr(time, count=3):
    """Returns the ISCR field. time: units of T."""
    if count == 2:
        return (int(time) % (1 << 15)).to_bytes(2, 'big')
    return (0x800000 | int(time) % (1 << 22)).to_bytes(3, 'big')


def bufs(kilobits, count=3):
    return (0xC00000 | 1 << 18 | kilobits << 8).to_bytes(3, 'big')[:count]


def tto(time, count=3):
    """Returns TTO and its field. TTO is the largest value <= time that the field can represent: 5 bits exponent, 15 bits mantissa (7
    bits in a field of two bytes)."""
    exponent = max(0, int(time).bit_length() - 7)
    mantissa = int(time) * 256 >> exponent
    if count == 2:
        mantissa &= 0x7F00
    return mantissa << exponent >> 8, (0xD00000 | exponent << 15 | mantissa).to_bytes(3, 'big')[:count]


# ---- transport streams

def null_packet():
    return bytes([0x47, 0x1F, 0xFF, 0x10]) + bytes([0xFF]) * (TS_PACKET - 4)


def is_null(packet):
    return packet[1] & 0x1F == 0x1F and packet[2] == 0xFF


def packet(pid, number):
    """Returns a packet with this number and PID."""
    head = bytes([0x47, pid >> 8, pid & 255, 0x10 | number % 16])
    return head + hashlib.shake_128(b'%d %d' % (pid, number)).digest(TS_PACKET - 4)  # faster than a seeded generator


def group_streams(count, seed=5, shares=(0.6, 0.15)):
    """Returns a transport stream, and its parts for the data PLP and the common PLP (annex D). shares: fractions of the packets in
    the two PLPs; all other packets are null packets."""
    whole, data, common, null = [], [], [], null_packet()
    kinds = np.random.default_rng(seed).choice(['data', 'common', 'null'], count, p=[*shares, 1 - sum(shares)])
    for number, kind in enumerate(kinds):
        kind = 'data' if number == count - 1 else kind  # null packets after the last one would not be sent
        one = null if kind == 'null' else packet(256 if kind == 'data' else 18, number)
        whole.append(one)
        data.append(one if kind == 'data' else null)
        common.append(one if kind == 'common' else null)
    return whole, data, common


@dataclasses.dataclass
class Mode:
    """Format of the baseband frames of a stream."""
    high_efficiency: bool = True
    issy: int = 0         # bytes of an ISSY field, 0 = none
    deletion: bool = False  # null packet deletion
    plp_id: int = 0


@dataclasses.dataclass
class Unit:
    data: bytes
    time: float  # arrival time, T
    issy: bytes = b''


def user_packets(slots, times, mode):
    """Returns the transmitted packets with DNP and ISSY. In normal mode, ISSY follows each packet; in high efficiency mode, it is in
    the header."""
    units, deleted, last = [], 0, 0
    for slot, time in zip(slots, times):
        if mode.deletion and is_null(slot) and deleted < MOST_DELETED:
            deleted += 1
            continue
        field = iscr(time, mode.issy) if mode.issy else b''
        count = bytes([deleted]) if mode.deletion else b''
        deleted = 0
        if mode.high_efficiency:
            units.append(Unit(slot[1:] + count, time, field))
            continue
        body = slot[1:] + field + count
        units.append(Unit(bytes([last]) + body, time, field))
        last = crc8(body)
    return units


def header(mode, kind, dfl, syncd, unit_bits=0, issy=b''):
    """Returns the 80-bit header (clause 5.1.7)."""
    matype = KINDS[kind] << 6 | 1 << 5 | 1 << 4 | bool(mode.issy) << 3 | mode.deletion << 2
    upl, sync = unit_bits.to_bytes(2, 'big'), bytes([0x47 if kind == 'TS' else 0])
    if mode.high_efficiency:
        field = issy or bytes(3)
        upl, sync = field[:2], field[2:]
    body = bytes([matype, mode.plp_id]) + upl + dfl.to_bytes(2, 'big') + sync + syncd.to_bytes(2, 'big')
    return body + bytes([crc8(body) ^ mode.high_efficiency])


def frame(k, head, field, in_band=()):
    """Returns a scrambled frame: header, data field, in-band signalling, padding."""
    out = np.zeros(k, np.uint8)
    parts = np.concatenate([np.unpackbits(np.frombuffer(head, np.uint8)), field, np.array(in_band, np.uint8)])
    out[:len(parts)] = parts
    return out ^ scrambling(k)


class Stream:
    """Divides packets among data fields of any length."""

    def __init__(self, units, mode):
        self.units, self.mode = units, mode
        self.bits = np.unpackbits(np.frombuffer(b''.join(unit.data for unit in units), np.uint8))
        self.unit_bits = 8 * len(units[0].data)
        self.at = 0

    @property
    def next_unit(self):
        return -(-self.at // self.unit_bits)

    def say_tto(self, delay):
        """Sets the TTO of the next frame's first packet to the packet's time plus `delay`. Returns the ISSY field, which frame() needs
        in high efficiency mode."""
        number = self.next_unit
        if delay is None or number >= len(self.units) or not self.units[number].issy or self.units[number].time + delay <= 0:
            return None
        field = tto(self.units[number].time + delay, len(self.units[number].issy))[1]
        if self.mode.high_efficiency:
            return field
        start, end = number * self.unit_bits, (number + 1) * self.unit_bits
        self.bits[start + 8 * TS_PACKET:][:8 * len(field)] = np.unpackbits(np.frombuffer(field, np.uint8))
        self.bits[end:end + 8] = bits_of(crc8(np.packbits(self.bits[start + 8:end])), 8)[:len(self.bits[end:end + 8])]
        return None

    def frame(self, k, in_band=(), issy=None):
        """Returns the next frame. issy: ISSY field that replaces the ISCR in high efficiency mode."""
        first, start = self.next_unit, self.at
        dfl = min(k - HEADER - len(in_band), len(self.bits) - start)
        self.at += dfl
        begins = first < len(self.units) and first * self.unit_bits < self.at
        syncd = first * self.unit_bits - start if begins else NO_START
        field = issy or (self.units[first].issy if begins else b'')
        head = header(self.mode, 'TS', dfl, syncd, self.unit_bits, field)
        return frame(k, head, self.bits[start:self.at], in_band)

    @property
    def done(self):
        return self.at == len(self.bits)


def generic_frame(k, kind, data, plp_id=0):
    """Returns a generic stream's frame, as a receiver outputs it."""
    mode = Mode(high_efficiency=False, plp_id=plp_id)
    head = header(mode, kind, 8 * len(data), 0, 0)
    return frame(k, head, np.unpackbits(np.frombuffer(data, np.uint8))), head + data


# ---- in-band signalling (clause 5.2.3)

def in_band_a(change_counter, frames, num_blocks, others=()):
    """In-band signalling of type A. frames: (SUB_SLICE_INTERVAL, START_RF_IDX, PLP_START, TYPE_2_START) of each T2 frame. others:
    (id, start, blocks) of each other PLP."""
    bits = bits_of(0, 2) + bits_of(change_counter, 8) + bits_of(0, 8)
    for interval, rf, start, _type_2 in frames:
        bits += bits_of(interval, 22) + bits_of(rf, 3) + bits_of(start, 22) + bits_of(0, 8)
    bits += bits_of(num_blocks, 10) + bits_of(len(others), 8)
    for plp, start, blocks in others:
        bits += bits_of(plp, 8) + bits_of(start, 22) + bits_of(blocks, 10) + bits_of(0, 8)
    for *_rest, type_2 in frames:
        bits += bits_of(type_2, 22)
    return bits


def in_band_b(time, first_iscr, unit, size, rate):
    return (bits_of(1, 2) + bits_of(time, 31) + bits_of(first_iscr, 22) + bits_of(unit, 2) + bits_of(size, 10)
            + bits_of(rate, 27) + bits_of(0, 8))


# ---- FEC blocks and cells (clause 6)

@dataclasses.dataclass(frozen=True)
class Format:
    """Coding parameters of a PLP."""
    rate: str = '1/2'
    modulation: str = '16qam'
    rotated: bool = False
    length: int = 16200
    ti_blocks: int = 1

    @property
    def code(self):
        return f'dvbt2:{self.length}:{self.rate}'

    @property
    def k(self):
        return encoders(self)[0].k

    def fields(self):
        """Returns the fields of L1."""
        return {'plp_cod': RATES.index(self.rate), 'plp_mod': MODULATIONS.index(self.modulation), 'plp_rotation': self.rotated,
                'plp_fec_type': int(self.length == 64800), 'time_il_length': self.ti_blocks, 'ti_blocks': self.ti_blocks}


@functools.lru_cache
def encoders(fmt):
    return (libldpc.bch(fmt.code), libldpc.code(fmt.code), libldpc.demapper(fmt.code, fmt.modulation, fmt.rotated),
            libldpc.cell_deinterleaver(fmt.code, fmt.modulation, fmt.ti_blocks))


def cells_of(fmt, frames):
    bch, code, demapper, deinterleaver = encoders(fmt)
    codewords = np.atleast_2d(code.encode(bch.encode(np.stack(frames))))
    placed = np.empty_like(codewords)
    placed[:, demapper.order] = codewords
    weights = 1 << np.arange(demapper.bits - 1, -1, -1)
    points = np.asarray(demapper.points)[placed.reshape(len(frames), demapper.cells, demapper.bits) @ weights]
    if fmt.rotated:
        points = points.real + 1j * np.roll(points.imag, 1, axis=1)
    source = deinterleaver.deinterleave(np.arange(points.size).astype(np.complex64)).real.astype(int)
    cells = np.empty(points.size, np.complex64)
    cells[source.ravel()] = points.ravel()
    return cells


def received(cells, noise, seed=1):
    """Adds white noise. power: noise power. Returns cells and their noise."""
    normal = np.random.default_rng(seed).normal(0, np.sqrt(noise / 2), (2, len(cells)))
    return (cells + normal[0] + 1j * normal[1]).astype(np.complex64), np.full(len(cells), noise, np.float32)
