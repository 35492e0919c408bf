# SPDX-License-Identifier: GPL-3.0-or-later
"""T2 frames with any PLPs and any L1, as samples. gr-dtv's frame mapper cannot make them.

    baseband frames ── t2_baseband.cells_of() ──> cells of each PLP ┐
    L1-pre, L1-post ── here, from the standard ──> cells of L1 ─────┴── here ──> frames ── gr-dtv's OFDM ──> samples

Frame mapper and L1 follow EN 302 755, clauses 7 and 8, independently of the receiver. L1-post is QPSK, or 64QAM with padding,
without shortening and puncturing.
"""
import dataclasses
import functools
import itertools

import libldpc
import numpy as np
from gnuradio import blocks, gr

import t2_baseband
from t2_baseband import bits_of
from t2_standard import BITS, DEFAULTS, N_FC, derive
from t2_transmit import Transmitter

GROUP = 360       # bits shortened or punctured together
L1_PRE_CELLS = 1840
PAYLOADS = {'GFPS': 0, 'GCS': 1, 'GSE': 2, 'TS': 3}
S2 = {'2K': 0, '8K': 1, '4K': 2, '1K': 3, '16K': 4, '32K': 5}
GUARDS = ('1/32', '1/16', '1/8', '1/4')

# Orders of clause 7.3.3: puncturing of L1-pre; shortening and puncturing of L1-post in QPSK.
PRE_PUNCTURING = (27, 13, 29, 32, 5, 0, 11, 21, 33, 20, 25, 28, 18, 35, 8, 3, 9, 31, 22, 24, 7, 14, 17, 4, 2, 26, 16, 34, 19, 10,
                  12, 23, 1, 6, 30, 15)
SHORTENING = (18, 17, 16, 15, 14, 13, 12, 11, 4, 10, 9, 8, 3, 2, 7, 6, 5, 1, 19, 0)
PUNCTURING = (6, 4, 18, 9, 13, 8, 15, 20, 5, 17, 2, 24, 10, 22, 12, 3, 16, 23, 1, 14, 0, 21, 19, 7, 11)
DEMULTIPLEXER = (11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0)  # for 64QAM: position among the bits of two cells
EXTENSION_HEAD = 24                                     # bits of type and length
PADDING = 0xFF                                          # type of a padding extension block
DATA, TYPE_2, COMMON = 1, 2, 0                          # PLP_TYPE


@dataclasses.dataclass(frozen=True)
class Plp:
    plp_id: int
    fmt: t2_baseband.Format
    kind: str = 'TS'
    plp_type: int = DATA
    high_efficiency: bool = True
    in_band_a: bool = False
    group: int = 1
    frame_interval: int = 1  # interval between frames of a super-frame that contain the PLP
    first_frame: int = 0     # the first of them
    frames: int = 1          # T2 frames per interleaving frame

    def bits(self):
        """Returns the bits of the PLP in the configurable part (clause 7.2.3.1)."""
        f = self.fmt.fields()
        spread = self.frames > 1
        fields = ((self.plp_id, 8), (self.plp_type, 3), (PAYLOADS[self.kind], 5), (0, 1), (0, 3), (self.first_frame, 8),
                  (self.group, 8), (f['plp_cod'], 3), (f['plp_mod'], 3), (f['plp_rotation'], 1), (f['plp_fec_type'], 2), (64, 10),
                  (self.frame_interval, 8), (self.frames if spread else f['time_il_length'], 8), (spread, 1),
                  (self.in_band_a, 1), (0, 1), (0, 11), (1 + self.high_efficiency, 2), (0, 1), (0, 1))
        return [bit for value, count in fields for bit in bits_of(value, count)]

    def part(self, frame_idx):
        """Returns the index of this T2 frame in the interleaving frame, or None if the T2 frame has no cells of the PLP."""
        behind = frame_idx - self.first_frame
        return None if behind < 0 or behind % self.frame_interval else behind // self.frame_interval % self.frames

    def cells(self, blocks_of_plp):
        """Returns the number of cells per T2 frame for this number of FEC blocks."""
        return blocks_of_plp * self.fmt.length // (2 * (self.fmt.fields()['plp_mod'] + 1)) // self.frames


@dataclasses.dataclass
class Places:
    """Positions of the PLPs in a frame: PLP_START, PLP_NUM_BLOCKS. Sub-slices of type 2 begin at `type_2_start`, `interval` cells
    apart. Cells before `end` are used."""
    of_plp: list
    type_2_start: int = 0
    interval: int = 0
    end: int = 0


# ---- L1

def crc32(bits):
    """Computes the CRC-32 with g(x) of clause 7.3. The initial value is all ones."""
    crc = 0xFFFFFFFF
    for bit in bits:
        crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 ^ bit else 0)) & 0xFFFFFFFF
    return crc


@functools.lru_cache
def encoder(name):
    return libldpc.bch(name), libldpc.code(name)


def coded(name, bits, zero, punctured):
    """Returns the transmitted bits of a codeword. bits: message bits for the positions where `zero` is not set. punctured: indices
    of parity bits."""
    bch, code = encoder(name)
    message = np.zeros(bch.k, np.uint8)
    message[~zero] = bits
    codeword = code.encode(bch.encode(message))
    sent = np.ones(code.n, bool)
    sent[:bch.k] = ~zero
    sent[code.k + punctured] = False
    return codeword[sent]


def parity_groups(order, groups, count):
    return np.concatenate([g + groups * np.arange(GROUP) for g in order])[:count]


def l1_pre_cells(bits):
    bits = list(bits) + bits_of(crc32(bits), 32)
    bch, code = encoder('dvbt2:16200:1/4')
    zero = np.arange(bch.k) >= len(bits)
    sent = coded('dvbt2:16200:1/4', bits, zero, parity_groups(PRE_PUNCTURING, (code.n - code.k) // GROUP, 11488))
    return 1.0 - 2.0 * sent


def shortened(k, count):
    """Returns the mask of the shortened message bits."""
    zero = np.zeros(k, bool)
    for group in SHORTENING:
        bits = np.arange(group * GROUP, min(k, group * GROUP + GROUP))
        zero[bits[max(0, len(bits) - (count - zero.sum())):]] = True
    return zero


def l1_post_blocks(info):
    """Returns the codewords of L1-post and their signalling bits with CRC and padding (clause 7.3.1.2)."""
    bch, _code = encoder('dvbt2:16200:1/2')
    count = -(-(info + 32) // bch.k)
    return count, -(-(info + 32) // count)


def l1_post_size(info, n_p2, bits_per_cell=2):
    """Returns the numbers of transmitted bits and of punctured parity bits in each codeword."""
    bch, code = encoder('dvbt2:16200:1/2')
    missing = bch.k - l1_post_blocks(info)[1]
    punctured = 6 * missing // 5
    unit = bits_per_cell * max(2, n_p2)
    size = -(-(code.n - missing - punctured) // unit) * unit
    return size, punctured - (size - (code.n - missing - punctured))


def modulated(bits, bits_per_cell):
    """Returns the cells of an L1-post codeword (clause 7.3.3.4). Only QPSK has no bit interleaver."""
    if bits_per_cell == 6:
        rows = bits.reshape(len(DEMULTIPLEXER), -1).T  # written by columns, read by rows
        cells = np.empty_like(rows)
        cells[:, DEMULTIPLEXER] = rows
        bits = cells.ravel()
    sign = 1 - 2.0 * bits.reshape(-1, bits_per_cell)
    axes = [sign[:, 0], sign[:, 1]]
    if bits_per_cell == 6:
        axes = [sign[:, i] * (4 + sign[:, 2 + i] * (2 + sign[:, 4 + i])) for i in range(2)]
    return (axes[0] + 1j * axes[1]) / np.sqrt({2: 2, 6: 42}[bits_per_cell])


def l1_post_cells(bits, n_p2, bits_per_cell=2):
    bch, code = encoder('dvbt2:16200:1/2')
    count, size = l1_post_blocks(len(bits))
    if bits_per_cell == 6 and size < bch.k:
        raise ValueError(f'{size} signalling bits in each codeword of L1-post (64QAM needs {bch.k})')
    punctured = l1_post_size(len(bits), n_p2, bits_per_cell)[1]
    zero, holes = shortened(bch.k, bch.k - size), parity_groups(PUNCTURING, (code.n - code.k) // GROUP, punctured)
    bits = list(bits) + bits_of(crc32(bits), 32)
    bits += [0] * (count * size - len(bits))
    return np.concatenate([modulated(coded('dvbt2:16200:1/2', bits[i:i + size], zero, holes), bits_per_cell)
                           for i in range(0, len(bits), size)])


def extension_bits(extension):
    return [bit for kind, content in extension for bit in [*bits_of(kind, 8), *bits_of(len(content), 16), *content]]


def filling(info):
    bch, _code = encoder('dvbt2:16200:1/2')
    return PADDING, [0] * (-(info + EXTENSION_HEAD + 32) % bch.k)


# ---- frames

class Multiplex:
    """Frames of a mode: fft, gi, pp, ndata, l1 as in t2_standard.PRESETS. n_rf > 1: L1 signals TFS over several RF channels; the
    frames are those of one channel.

        sub_slices   per frame for each PLP of type 2
        aux          cells of each auxiliary stream in a frame
        repetition   L1 also contains the next frame's dynamic part
        extension    (type, bits) of each block of L1's extension field"""

    def __init__(self, super_frame=4, n_rf=1, sub_slices=1, aux=(), repetition=False, extension=(), **mode):
        self.p = {**DEFAULTS, 'version': '1.3.1', 'l1': 'QPSK', 'fec': 'short', 'qam': 'QPSK', 'nt2': super_frame, **mode}
        self.d, self.n_rf, self.sub_slices, self.aux = derive(self.p), n_rf, sub_slices, aux
        self.repetition, self.extension = repetition, extension
        self.has_extension = len(extension) > 0 or self.p['l1'] == '64QAM'
        self.added = []       # (PLPs, positions, cells of each PLP, L1_CHANGE_COUNTER, noise on L1-post) of each frame
        self.interleaved = {}  # by PLP_ID: number of blocks, and cells of the current interleaving frame
        self.random = np.random.default_rng(len(aux))
        self.frame_samples = self.d['frame_samples']

    @property
    def count(self):
        """Returns the number of frames."""
        return len(self.added)

    @property
    def frame_idx(self):
        """Next FRAME_IDX."""
        return self.count % self.p['nt2']

    # ---- L1

    def _l1_pre(self, post_info, post_cells):
        p, d = self.p, self.d
        fields = ((0, 8), (p['ext'], 1), (0, 3), (2 * S2[p['fft']], 4), (self.repetition, 1), (GUARDS.index(p['gi']), 3), (0, 4),
                  (BITS[p['l1']] // 2, 4), (0, 2), (0, 2), (post_cells, 18), (post_info, 18), (p['pp'] - 1, 4), (0, 8), (0, 16),
                  (0x3085, 16), (0x8001, 16), (p['nt2'], 8), (d['ndata'], 12), (0, 3), (self.has_extension, 1), (self.n_rf, 3),
                  (0, 3), (2, 4), (0, 1), (0, 1), (0, 4))
        return [bit for value, count in fields for bit in bits_of(value, count)]

    def _configurable(self, plps):
        bits = bits_of(self.sub_slices, 15) + bits_of(len(plps), 8) + bits_of(len(self.aux), 4) + bits_of(0, 8)
        for rf in range(self.n_rf):
            bits += bits_of(rf, 3) + bits_of(546000000 + 8000000 * rf, 32)
        for plp in plps:
            bits += plp.bits()
        bits += bits_of(0, 32)
        for number, _cells in enumerate(self.aux):
            bits += bits_of(15, 4) + bits_of(1000 + number, 28)
        return bits

    def _dynamic(self, number):
        plps, places, _cells, change_counter, _noise = self.added[min(number, self.count - 1)]
        bits = bits_of(number % self.p['nt2'], 8) + bits_of(places.interval, 22) + bits_of(places.type_2_start, 22)
        bits += bits_of(change_counter, 8) + bits_of(0, 3) + bits_of(0, 8)
        for plp, (start, blocks_of_plp) in zip(plps, places.of_plp):
            bits += bits_of(plp.plp_id, 8) + bits_of(start, 22) + bits_of(blocks_of_plp, 10) + bits_of(0, 8)
        bits += bits_of(0, 8)
        for stream, _cells in enumerate(self.aux):
            bits += bits_of(1000 * number + stream, 48)
        return bits

    def _l1_post(self, number):
        bits = self._configurable(self.added[number][0]) + self._dynamic(number)
        if self.repetition:
            bits += self._dynamic(number + 1)
        bits += extension_bits(self.extension)
        return bits + extension_bits([filling(len(bits))] if self.p['l1'] == '64QAM' else [])

    # ---- PLPs

    def places(self, plps, block_counts):
        of_plp, start = [None] * len(plps), 0
        order = sorted(range(len(plps)), key=lambda i: (COMMON, DATA, TYPE_2).index(plps[i].plp_type))
        for i in order:
            if plps[i].plp_type != TYPE_2:
                of_plp[i] = start if block_counts[i] else 0, block_counts[i]
                start += plps[i].cells(block_counts[i])
        interval = 0
        for i in order:
            if plps[i].plp_type == TYPE_2:
                length, rest = divmod(plps[i].cells(block_counts[i]), self.sub_slices)
                if rest:
                    raise ValueError(f'{plps[i].cells(block_counts[i])} cells cannot be divided into {self.sub_slices} sub-slices')
                of_plp[i] = start + interval if block_counts[i] else 0, block_counts[i]
                interval += length
        return Places(of_plp, start if interval else 0, interval, start + interval * self.sub_slices)

    def _cells_of_frame(self, plp, frames):
        """Returns PLP_NUM_BLOCKS and the PLP's cells in the next frame."""
        part = plp.part(self.frame_idx)
        if part is None or part > 0:
            if frames:
                raise ValueError(f'PLP {plp.plp_id} does not begin an interleaving frame in frame {self.frame_idx}')
            if part is None:
                return 0, np.zeros(0, np.complex64)
        if part == 0:
            self.interleaved[plp.plp_id] = len(frames), t2_baseband.cells_of(plp.fmt, frames) if frames else np.zeros(0, np.complex64)
        count, cells = self.interleaved[plp.plp_id]
        return count, cells.reshape(plp.frames, -1)[part]

    def add(self, plps, plp_frames, change_counter=0, l1_noise=0):
        """Adds the next frame. l1_noise: noise power on the L1-post cells."""
        counts, cells = zip(*itertools.starmap(self._cells_of_frame, zip(plps, plp_frames)))
        self.added.append((plps, self.places(plps, counts), cells, change_counter, l1_noise))

    # ---- frames

    def _noise(self, count):
        """Returns random cells with the power of data cells."""
        return self.random.choice([-1, 1], (count, 2)) @ np.array([1, 1j]) / np.sqrt(2)

    def _gaussian(self, power, count):
        return self.random.normal(0, np.sqrt(power / 2), (count, 2)) @ np.array([1, 1j])

    def _data_cells(self, number, room):
        plps, places, cells, *_rest = self.added[number]
        data = (1 - 2.0 * t2_baseband.scrambling(room)).astype(np.complex64)  # dummy cells
        if places.end + sum(self.aux) > room:
            raise ValueError(f'{places.end + sum(self.aux)} cells do not fit into a frame of {room}')
        data[places.end:places.end + sum(self.aux)] = self._noise(sum(self.aux))
        for plp, (start, _count), own in zip(plps, places.of_plp, cells):
            slices = self.sub_slices if plp.plp_type == TYPE_2 else 1
            for i, piece in enumerate(own.reshape(slices, -1)):
                data[start + i * places.interval:][:len(piece)] = piece
        return data

    def _frame(self, number):
        d = self.d
        bits = self._l1_post(number)
        post = l1_post_cells(bits, d['np2'], BITS[self.p['l1']])
        pre = l1_pre_cells(self._l1_pre(len(bits), len(post)))
        noise = self.added[number][-1]
        l1 = np.concatenate([pre, self._noise(len(post)) if noise == np.inf else post + self._gaussian(noise, len(post))])
        thinning = N_FC[self.p['fft'], self.p['ext']][self.p['pp'] - 1] - d['c_fc'] if d['fc'] else 0
        data = self._data_cells(number, d['frame_cells'] - len(l1))
        p2_room = d['c_p2'] - len(l1) // d['np2']
        p2 = np.concatenate([l1.reshape(-1, d['np2']).T, data[:d['np2'] * p2_room].reshape(d['np2'], p2_room)], axis=1)
        return np.concatenate([p2.ravel(), data[d['np2'] * p2_room:], np.zeros(thinning)]).astype(np.complex64)

    def samples(self):
        """Samples of all frames at 1/T."""
        graph, sink, transmitter = gr.top_block(), blocks.vector_sink_c(), Transmitter(self.p, self.d)
        frames = [self._frame(number) for number in range(self.count)]
        cells = np.concatenate(frames + frames[:1] * 2)  # gr-dtv's blocks read ahead
        source = blocks.vector_source_c(cells, False)
        graph.connect(source, transmitter.frequency_interleaver(), *transmitter.ofdm(0),
                      blocks.head(gr.sizeof_gr_complex, self.count * self.frame_samples), sink)
        graph.run()
        return np.array(sink.data(), np.complex64)
