# SPDX-License-Identifier: BSD-3-Clause
"""Encodes and decodes transport blocks of 5G NR on the shared channels (DL-SCH, UL-SCH), 3GPP TS 38.212, clauses 5.1, 5.2.2, 5.3.2,
5.4.2, 5.5 and 7.2.

    from libldpc import nr

    link = nr.transport_block(8424, rate=0.5, symbol_bits=4)
    bits = link.encode(block, 16800)                       # to the modulator
    received, right = link.decode(llrs)                    # from the demapper
    if not right:
        received, right = link.decode(more_llrs, version=2, combine=True)

A single call of encode() or decode() performs clauses 5.1 (CRC), 5.2.2 (segmentation), 5.3.2 (LDPC code), 5.4.2 (rate matching with
redundancy versions, repetition and limited buffer, bit interleaver) and 5.5 (concatenation). Code block groups and the polar codes of
the control channels are not supported.
"""
import functools
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _libldpc

LIFTING_SIZES = sorted(odd << shift for odd in (2, 3, 5, 7, 9, 11, 13, 15) for shift in range(8) if odd << shift <= 384)  # table 5.3.2-1
LARGEST = {1: 8448, 2: 3840}  # bits of a code block, clause 5.2.2
INFORMATION, COLUMNS = {1: 22, 2: 10}, {1: 66, 2: 50}  # columns of the base graph: information, transmitted
STARTS = {1: (0, 17, 33, 56), 2: (0, 13, 25, 43)}  # of redundancy versions in units of COLUMNS, table 5.4.2.1-2
POLYNOMIALS = {"16": (16, 0x1021), "24A": (24, 0x864CFB), "24B": (24, 0x800063)}  # clause 5.1: degree, polynomial without the highest term
SYMBOL_BITS = (1, 2, 4, 6, 8, 10)


@functools.lru_cache(maxsize=16)
def remainders(kind: str, count: int) -> NDArray[np.uint32]:
    """Returns x^(degree + i) modulo the polynomial for i = count - 1 .. 0. The CRC of a message is the XOR of the values at its one
    bits."""
    degree, polynomial = POLYNOMIALS[kind]
    values, value = np.empty(count, np.uint32), polynomial
    for i in reversed(range(count)):
        values[i] = value
        value = value << 1 & (1 << degree) - 1 ^ (polynomial if value >> degree - 1 else 0)
    return values


def crc(bits: ArrayLike, kind: str) -> NDArray[np.uint8]:
    """Return the CRC of messages (TS 38.212, clause 5.1).

    bits     array (..., length) of bits; the first bit has index 0
    kind     "16", "24A" or "24B"
    Returns  uint8 array (..., 16) or (..., 24). The CRC of a message followed by its CRC is zero.
    """
    if kind not in POLYNOMIALS:
        raise ValueError(f'CRC "{kind}": expected one of {", ".join(POLYNOMIALS)}')
    bits = np.asarray(bits)
    value = np.bitwise_xor.reduce(np.where(bits & 1, remainders(kind, bits.shape[-1]), np.uint32(0)), axis=-1)
    return (value[..., None] >> np.arange(POLYNOMIALS[kind][0])[::-1] & 1).astype(np.uint8)


def with_crc(bits: NDArray[Any], kind: str) -> NDArray[np.uint8]:
    return np.concatenate([bits, crc(bits, kind)], axis=-1)


def expect(condition: bool, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)


class transport_block:
    """Encodes and decodes transport blocks of one size.

    size         number of bits in the transport block; a size that TS 38.214, clause 5.1.3.2, allows
    rate         code rate of the MCS table (TS 38.214), which determines the base graph (TS 38.212, clause 7.2.2)
    symbol_bits  number of bits in a modulation symbol, Q_m: 1, 2, 4, 6, 8 or 10
    layers       number of transmission layers of the transport block, N_L
    limit        TBS_LBRM if the size of the circular buffer is limited (TS 38.212, clause 5.4.2.1); None if it is not (I_LBRM = 0)
    options      arguments of libldpc.decoder; with base graph 1, llr_scale is 5 unless it is given

    Attributes: base_graph, code_blocks, lifting_size, and code, a libldpc.code with the whole circular buffer of one code block.
    """

    def __init__(self, size: int, rate: float, symbol_bits: int = 2, layers: int = 1, limit: Optional[int] = None, **options: Any) -> None:
        expect(size >= 1, f"size {size}: expected at least 1 bit")
        expect(0 < rate < 1, f"rate {rate}: expected a number between 0 and 1")
        expect(symbol_bits in SYMBOL_BITS, f"symbol_bits {symbol_bits}: expected one of {', '.join(map(str, SYMBOL_BITS))}")
        expect(1 <= layers <= 4, f"layers {layers}: expected 1 .. 4")
        self.size, self.symbol_bits, self.layers = size, symbol_bits, layers
        self.base_graph = graph = 2 if size <= 292 or size <= 3824 and rate <= 0.67 or rate <= 0.25 else 1
        self.options = ({"llr_scale": 5} if graph == 1 else {}) | options
        self.crc = "16" if size <= 3824 else "24A"
        data = size + POLYNOMIALS[self.crc][0]
        self.code_blocks = count = 1 if data <= LARGEST[graph] else -(-data // (LARGEST[graph] - 24))
        expect(data % count == 0, f"size {size}: expected a size of TS 38.214, such as {-(-data // (8 * count)) * 8 * count - 24}: "
                                  f"its {count} code blocks must be of equal size")
        k = data // count + (24 if count > 1 else 0)
        columns = 22 if graph == 1 else 10 if data > 640 else 9 if data > 560 else 8 if data > 192 else 6
        self.lifting_size = z = next(z for z in LIFTING_SIZES if columns * z >= k)
        self.buffer = COLUMNS[graph] * z
        if limit is not None:
            self.buffer = min(self.buffer, int(limit * 3 // (2 * count)))  # R_LBRM = 2/3
        self.first_filler, self.fillers = k - 2 * z, INFORMATION[graph] * z - k
        expect(self.buffer >= INFORMATION[graph] * z, f"limit {limit}: expected at least the size of the transport block and its CRCs")
        self.code = _libldpc.code(f"nr:bg{graph}:{z}:{self.buffer - self.fillers}:{k}")
        self.soft = np.zeros((count, self.code.n), np.float32)

    @functools.cached_property
    def decoder(self) -> _libldpc.decoder:
        return _libldpc.decoder(self.code, **self.options)

    def start(self, version: int) -> int:
        """Return the start position of a redundancy version in the circular buffer, without counting filler bits."""
        expect(version in range(4), f"version {version}: expected 0 .. 3")
        z, graph = self.lifting_size, self.base_graph
        first = STARTS[graph][version] * self.buffer // (COLUMNS[graph] * z) * z
        return first - min(max(first - self.first_filler, 0), self.fillers)

    def counts(self, total: int) -> list[int]:
        """Return the number of coded bits of each code block (TS 38.212, clause 5.4.2.1)."""
        unit = self.symbol_bits * self.layers
        expect(total % unit == 0 and total >= unit * self.code_blocks,
               f"{total} coded bits: expected a multiple of {unit} (symbol_bits * layers), at least {unit * self.code_blocks}")
        symbols, more = divmod(total // unit, self.code_blocks)
        return [unit * (symbols + (block >= self.code_blocks - more)) for block in range(self.code_blocks)]

    def encode(self, block: ArrayLike, count: int, version: int = 0) -> NDArray[np.uint8]:
        """Return the coded bits of a transport block.

        block    array (size,) of bits
        count    number of coded bits, G; a multiple of symbol_bits * layers
        version  redundancy version, 0 .. 3
        Returns  uint8 array (count,) in the order in which the modulator needs the bits
        """
        block = np.asarray(block)
        expect(block.shape == (self.size,), f"block: expected shape ({self.size},), not {block.shape}")
        counts, first = self.counts(count), self.start(version)
        blocks = with_crc(block, self.crc).reshape(self.code_blocks, -1)
        codewords = self.code.encode(with_crc(blocks, "24B") if self.code_blocks > 1 else blocks)
        selected = (codeword.take(np.arange(first, first + some), mode="wrap") for codeword, some in zip(codewords, counts))
        return np.concatenate([bits.reshape(self.symbol_bits, -1).T.ravel() for bits in selected])

    def decode(self, llrs: ArrayLike, version: int = 0, combine: bool = False) -> tuple[NDArray[np.uint8], bool]:
        """Decode a transport block from the LLRs of its coded bits.

        llrs     array (count,) in the order of encode(): floats in nats, or integers in steps of 1/decoder.llr_scale nats; positive LLRs
                 favour bit 0
        version  redundancy version, 0 .. 3
        combine  True for a retransmission (HARQ), whose LLRs are added to those of the earlier calls; False for the first transmission
        Returns  (block, right): block is a uint8 array (size,); right is True if all CRCs are correct
        """
        llrs = np.asarray(llrs)
        expect(llrs.ndim == 1, f"llrs: expected one dimension, not shape {llrs.shape}")
        counts, first = self.counts(llrs.size), self.start(version)
        nats = llrs.astype(np.float32) / (self.decoder.llr_scale if llrs.dtype.kind in "iu" else 1)
        if not combine:
            self.soft[:] = 0
        n = self.code.n
        for soft, part in zip(self.soft, np.split(nats, np.cumsum(counts)[:-1])):
            rounds = np.zeros(-(-part.size // n) * n, np.float32)  # a row for each pass through the circular buffer
            rounds[:part.size] = part.reshape(-1, self.symbol_bits).T.ravel()
            soft += np.roll(rounds.reshape(-1, n).sum(axis=0), first)
        blocks, _ = self.decoder.decode(self.soft)
        right = self.code_blocks == 1 or not crc(blocks, "24B").any()
        data = blocks[:, :-24].ravel() if self.code_blocks > 1 else blocks[0]
        return data[:self.size], right and not crc(data, self.crc).any()
