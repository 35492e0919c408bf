# SPDX-License-Identifier: GPL-3.0-or-later
"""T2 frames with any PLPs and any L1, as samples: what gr-dtv's frame mapper cannot make.

    baseband frames ── t2_baseband.cells_of() ──> cells of each PLP ┐
    L1-pre, L1-post ── here, from the standard ──> cells of L1 ─────┴── here ──> frames ── gr-dtv's OFDM ──> samples

The frame mapper and L1 are written from EN 302 755, clauses 7 and 8, independently of the receiver. Frequency interleaver, pilots,
OFDM and P1 are gr-dtv's. L1-post is sent in QPSK.
"""
import dataclasses
import functools

import libldpc
import numpy as np
from gnuradio import blocks, gr

import t2_baseband
from t2_baseband import bits_of
from t2_standard import DEFAULTS, N_FC, derive
from t2_transmit import Transmitter

GROUP = 360       # bits that are shortened or punctured together
L1_PRE_CELLS = 1840
PAYLOADS = {'GFPS': 0, 'GCS': 1, 'GSE': 2, 'TS': 3}
S2 = {'2K': 0, '8K': 1, '4K': 2, '1K': 3, '16K': 4, '32K': 5}
GUARDS = ('1/32', '1/16', '1/8', '1/4')

# Clause 7.3.3: parity groups of L1-pre in the order of puncturing; of L1-post, message groups in the order of shortening and
# parity groups in the order of puncturing for QPSK.
PRE_PUNCTURING = (27, 13, 29, 32, 5, 0, 11, 21, 33, 20, 25, 28, 18, 35, 8, 3, 9, 31, 22, 24, 7, 14, 17, 4, 2, 26, 16, 34, 19, 10,
                  12, 23, 1, 6, 30, 15)
SHORTENING = (18, 17, 16, 15, 14, 13, 12, 11, 4, 10, 9, 8, 3, 2, 7, 6, 5, 1, 19, 0)
PUNCTURING = (6, 4, 18, 9, 13, 8, 15, 20, 5, 17, 2, 24, 10, 22, 12, 3, 16, 23, 1, 14, 0, 21, 19, 7, 11)


@dataclasses.dataclass(frozen=True)
class Plp:
    """What L1 says about a PLP, apart from its place."""
    plp_id: int
    fmt: t2_baseband.Format
    kind: str = 'TS'
    plp_type: int = 1            # 0: common
    high_efficiency: bool = True
    in_band_a: bool = False

    def bits(self):
        """The fields of the configurable part (clause 7.2.3.1)."""
        f = self.fmt.fields()
        fields = ((self.plp_id, 8), (self.plp_type, 3), (PAYLOADS[self.kind], 5), (0, 1), (0, 3), (0, 8), (1, 8), (f['plp_cod'], 3),
                  (f['plp_mod'], 3), (f['plp_rotation'], 1), (f['plp_fec_type'], 2), (64, 10), (1, 8), (f['time_il_length'], 8),
                  (0, 1), (self.in_band_a, 1), (0, 1), (0, 11), (1 + self.high_efficiency, 2), (0, 1), (0, 1))
        return [bit for value, count in fields for bit in bits_of(value, count)]


# ---- L1

def crc32(bits):
    """g(x) of clause 7.3 with a register of ones."""
    crc = 0xFFFFFFFF
    for bit in bits:
        crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 ^ bit else 0)) & 0xFFFFFFFF
    return crc


@functools.lru_cache
def encoder(name):
    return libldpc.bch(name), libldpc.code(name)


def coded(name, bits, zero, punctured):
    """Codeword of the bits, which stand where the message is not shortened; `punctured` counts from the first parity bit."""
    bch, code = encoder(name)
    message = np.zeros(bch.k, np.uint8)
    message[~zero] = bits
    codeword = code.encode(bch.encode(message))
    sent = np.ones(code.n, bool)
    sent[:bch.k] = ~zero
    sent[code.k + punctured] = False
    return codeword[sent]


def parity_groups(order, groups, count):
    """The first `count` parity bits of the groups in that order: group g has the bits g, g + groups, g + 2 groups ..."""
    return np.concatenate([g + groups * np.arange(GROUP) for g in order])[:count]


def l1_pre_cells(bits):
    bits = list(bits) + bits_of(crc32(bits), 32)
    bch, code = encoder('dvbt2:16200:1/4')
    zero = np.arange(bch.k) >= len(bits)
    sent = coded('dvbt2:16200:1/4', bits, zero, parity_groups(PRE_PUNCTURING, (code.n - code.k) // GROUP, 11488))
    return 1.0 - 2.0 * sent


def shortened(k, count):
    """Message bits that are zero: whole groups, and the last bits of one more. The last group is cut off."""
    zero = np.zeros(k, bool)
    for group in SHORTENING:
        bits = np.arange(group * GROUP, min(k, group * GROUP + GROUP))
        zero[bits[max(0, len(bits) - (count - zero.sum())):]] = True
    return zero


def l1_post_size(info, n_p2):
    """Bits of the coded L1-post, and how many parity bits are punctured."""
    bch, code = encoder('dvbt2:16200:1/2')
    missing = bch.k - (info + 32)
    punctured = 6 * missing // 5
    unit = 2 * max(2, n_p2)
    size = -(-(code.n - missing - punctured) // unit) * unit
    return size, punctured - (size - (code.n - missing - punctured))


def l1_post_cells(bits, n_p2):
    bch, code = encoder('dvbt2:16200:1/2')
    _size, punctured = l1_post_size(len(bits), n_p2)
    bits = list(bits) + bits_of(crc32(bits), 32)
    sent = coded('dvbt2:16200:1/2', bits, shortened(bch.k, bch.k - len(bits)),
                 parity_groups(PUNCTURING, (code.n - code.k) // GROUP, punctured))
    return (1 - 2.0 * sent[0::2] + 1j * (1 - 2.0 * sent[1::2])) / np.sqrt(2)


# ---- frames

class Multiplex:
    """Frames of a mode: fft, gi, pp, ndata as in t2_standard.PRESETS. With n_rf > 1 L1 says that the PLPs are spread over so many RF
    channels (TFS); the frames are those of one channel all the same."""

    def __init__(self, super_frame=4, n_rf=1, **mode):
        self.p = {**DEFAULTS, 'version': '1.3.1', 'l1': 'QPSK', 'fec': 'short', 'qam': 'QPSK', 'nt2': super_frame, **mode}
        self.d, self.n_rf, self.count, self.frames = derive(self.p), n_rf, 0, []
        self.frame_samples = self.d['frame_samples']

    def _l1_pre(self, post_info, post_cells):
        p, d = self.p, self.d
        fields = ((0, 8), (p['ext'], 1), (0, 3), (2 * S2[p['fft']], 4), (0, 1), (GUARDS.index(p['gi']), 3), (0, 4), (1, 4), (0, 2),
                  (0, 2), (post_cells, 18), (post_info, 18), (p['pp'] - 1, 4), (0, 8), (0, 16), (0x3085, 16), (0x8001, 16),
                  (p['nt2'], 8), (d['ndata'], 12), (0, 3), (0, 1), (self.n_rf, 3), (0, 3), (2, 4), (0, 1), (0, 1), (0, 4))
        return [bit for value, count in fields for bit in bits_of(value, count)]

    def _l1_post(self, plps, places, change_counter):
        """No FEF part, no auxiliary stream. places: (PLP_START, PLP_NUM_BLOCKS)."""
        bits = bits_of(1, 15) + bits_of(len(plps), 8) + bits_of(0, 4) + bits_of(0, 8)
        for rf in range(self.n_rf):
            bits += bits_of(rf, 3) + bits_of(546000000 + 8000000 * rf, 32)
        for plp in plps:
            bits += plp.bits()
        bits += bits_of(0, 32) + bits_of(self.count % self.p['nt2'], 8) + bits_of(0, 22) + bits_of(0, 22)
        bits += bits_of(change_counter, 8) + bits_of(0, 3) + bits_of(0, 8)
        for plp, (start, blocks_of_plp) in zip(plps, places):
            bits += bits_of(plp.plp_id, 8) + bits_of(start, 22) + bits_of(blocks_of_plp, 10) + bits_of(0, 8)
        return bits + bits_of(0, 8)

    def places(self, plps, block_counts):
        """PLPs one behind the other: (PLP_START, PLP_NUM_BLOCKS) of each."""
        places, start = [], 0
        for plp, count in zip(plps, block_counts):
            places.append((start, count))
            start += count * plp.fmt.length // (2 * (plp.fmt.fields()['plp_mod'] + 1))
        return places

    def add(self, plps, plp_frames, change_counter=0):
        """The next frame: the baseband frames of each PLP."""
        d = self.d
        places = self.places(plps, map(len, plp_frames))
        post_bits = self._l1_post(plps, places, change_counter)
        post = l1_post_cells(post_bits, d['np2'])
        l1 = np.concatenate([l1_pre_cells(self._l1_pre(len(post_bits), len(post))), post])
        thinning = N_FC[self.p['fft'], self.p['ext']][self.p['pp'] - 1] - d['c_fc'] if d['fc'] else 0
        room = d['frame_cells'] - len(l1)
        data = (1 - 2.0 * t2_baseband.scrambling(room)).astype(np.complex64)  # dummy cells
        for plp, frames, (start, _blocks) in zip(plps, plp_frames, places):
            cells = t2_baseband.cells_of(plp.fmt, frames) if frames else data[:0]
            if start + len(cells) > room:
                raise ValueError(f'{start + len(cells)} cells in a frame of {room}')
            data[start:start + len(cells)] = cells
        p2_room = d['c_p2'] - len(l1) // d['np2']
        p2 = np.concatenate([l1.reshape(-1, d['np2']).T, data[:d['np2'] * p2_room].reshape(d['np2'], p2_room)], axis=1)
        self.frames.append(np.concatenate([p2.ravel(), data[d['np2'] * p2_room:], np.zeros(thinning)]).astype(np.complex64))
        self.count += 1

    def samples(self):
        """All frames, at 1/T."""
        graph, sink, transmitter = gr.top_block(), blocks.vector_sink_c(), Transmitter(self.p, self.d)
        cells = np.concatenate(self.frames + self.frames[:1] * 2)  # gr-dtv's blocks read ahead
        source = blocks.vector_source_c(cells, False)
        graph.connect(source, transmitter.frequency_interleaver(), *transmitter.ofdm(0),
                      blocks.head(gr.sizeof_gr_complex, self.count * self.frame_samples), sink)
        graph.run()
        return np.array(sink.data(), np.complex64)
