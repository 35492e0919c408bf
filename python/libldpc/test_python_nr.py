# SPDX-License-Identifier: BSD-3-Clause
"""Compares libldpc.nr with another implementation and with the standard. Tests HARQ."""
import hashlib
import unittest

import numpy as np
from libldpc import nr

# (size, rate, symbol_bits, coded bits, redundancy version): start of the SHA-256 of the packed coded bits of message(size). Computed by
# py3gpp 0.6.0 (PyPI): nrCRCEncode, nrCodeBlockSegmentLDPC, nrLDPCEncode's _encode_thangaraj with the base matrix of the lifting size,
# nrRateMatchLDPC.
KNOWN = {
    (24, .3, 1, 300, 0): "b90b3b1cb2fcb670",
    (24, .3, 2, 60, 3): "78e74394841847dd",
    (288, .5, 2, 1200, 1): "841cdfd7515bc284",
    (304, .9, 6, 420, 0): "f4f93cfdc4dbe9f9",
    (552, .4, 2, 1104, 2): "3a40e21db5d14b50",
    (704, .5, 4, 1408, 0): "506b7818cff92d89",
    (1032, .2, 2, 9000, 0): "c51e3b10e024220b",
    (3824, .6, 4, 6000, 3): "216a14472ba2a649",
    (3824, .8, 8, 4800, 1): "6c0c05528f2fcb37",
    (3848, .5, 4, 8000, 2): "0fa834bab49d393e",
    (8424, .5, 4, 16800, 0): "2710bc9b674a49be",
    (8456, .9, 6, 9600, 1): "9bcb08e38056e676",
    (25624, .2, 2, 130000, 2): "ff820f1f071ccca4",
    (25608, .8, 8, 32000, 3): "c1362c9ce1283ae4",
}
SMALL = (24, 32, 192, 208, 304, 552, 640, 808, 2024, 3752, 3824)  # some sizes of TS 38.214, table 5.1.3.2-1


def large(information, rate):
    """Returns the transport block size for more than 3824 information bits (TS 38.214, clause 5.1.3.2, step 4)."""
    step = 2 ** (int(np.log2(information - 24)) - 5)
    bits = max(3840, step * round((information - 24) / step))
    blocks = -(-(bits + 24) // 3816) if rate <= .25 else -(-(bits + 24) // 8424) if bits > 8424 else 1
    return 8 * blocks * -(-(bits + 24) // (8 * blocks)) - 24


def message(size):
    return np.unpackbits(np.frombuffer(hashlib.shake_128(str(size).encode()).digest(-(-size // 8)), np.uint8))[:size]


def long_division(bits, degree, polynomial):
    register = 0
    for bit in [*bits, *[0] * degree]:
        register = register << 1 | int(bit)
        register ^= (1 << degree | polynomial) * (register >> degree)
    return register


def selected(link, codeword, count, version):
    """Returns the coded bits of a code block (clauses 5.4.2.1 and 5.4.2.2). Filler bits are None."""
    z, first = link.lifting_size, link.first_filler
    full = [*codeword[:first], *[None] * link.fillers, *codeword[first:]][:link.buffer]
    start = {1: (0, 17, 33, 56), 2: (0, 13, 25, 43)}[link.base_graph][version]
    k0 = start * link.buffer // ({1: 66, 2: 50}[link.base_graph] * z) * z
    e, j = [], 0
    while len(e) < count:
        bit = full[(k0 + j) % link.buffer]
        j += 1
        if bit is not None:
            e.append(bit)
    rows = count // link.symbol_bits
    return [e[i * rows + j] for j in range(rows) for i in range(link.symbol_bits)]


class Nr(unittest.TestCase):
    def test_known_answers(self):
        for (size, rate, symbol_bits, count, version), digest in KNOWN.items():
            bits = nr.transport_block(size, rate, symbol_bits).encode(message(size), count, version)
            self.assertEqual(hashlib.sha256(np.packbits(bits)).hexdigest()[:16], digest, size)

    def test_crc_is_the_remainder(self):
        bits = np.random.default_rng(1).integers(0, 2, (3, 100))
        for kind, (degree, polynomial) in nr.POLYNOMIALS.items():
            for one, found in zip(bits, nr.crc(bits, kind)):
                self.assertEqual(int("".join(map(str, found)), 2), long_division(one, degree, polynomial))
            self.assertFalse(nr.crc(nr.with_crc(bits, kind), kind).any())

    def test_limited_buffer_and_layers(self):
        for size, rate, layers, limit in ((1000, .5, 1, None), (1000, .5, 3, 1400), (4096, .8, 2, 6000), (4096, .8, 4, None)):
            link = nr.transport_block(size, rate, 4, layers, limit)
            codeword = link.code.encode(nr.with_crc(message(size), link.crc))
            self.assertEqual(link.buffer < nr.COLUMNS[link.base_graph] * link.lifting_size, limit is not None)
            for version in range(4):
                coded = link.encode(message(size), 4800, version)
                self.assertEqual(coded.tolist(), selected(link, codeword, 4800, version))

    def test_share_of_each_code_block(self):
        link = nr.transport_block(25608, .8, symbol_bits=4, layers=2)
        self.assertEqual(link.counts(8 * 4001), [8000, 8000, 8000, 8008])

    def test_all_sizes_go_around(self):
        random = np.random.default_rng(4)
        sizes = [(size, .5) for size in SMALL] + [(large(1_277_000, .9), .9)]
        sizes += [(large(information, rate), rate) for rate in (.2, .6, .9) for information in random.integers(3825, 100_000, 5).tolist()]
        for size, rate in sizes:
            link = nr.transport_block(size, rate, 2)
            coded = link.encode(message(size), 3 * size // 2 * 2)
            block, right = link.decode(np.where(coded, -2.0, 2.0))
            self.assertTrue(right and (block == message(size)).all(), size)

    def test_retransmissions_add_up(self):
        random = np.random.default_rng(2)
        link = nr.transport_block(1000, .5, symbol_bits=4)
        sent = message(1000)
        for kind, dtype in ((1.0, np.float32), (link.decoder.llr_scale, np.int8)):
            rights = []
            for version in (0, 2, 3, 1):
                noisy = 1 - 2.0 * link.encode(sent, 1200, version) + random.normal(0, .9, 1200)
                llrs = np.clip(kind * 2 / .9**2 * noisy, -127, 127).astype(dtype)
                block, right = link.decode(llrs, version, combine=version != 0)
                self.assertEqual(right, (block == sent).all())
                rights.append(right)
            self.assertFalse(rights[0])
            self.assertTrue(rights[-1])
        again, right = link.decode(np.where(link.encode(sent, 2400), -2.0, 2.0))  # a new block: the sum starts again
        self.assertTrue(right)

    def test_repetition_lowers_the_rate(self):
        random = np.random.default_rng(3)
        link = nr.transport_block(504, .1)
        for count, expected in ((2600, False), (26000, True)):
            noisy = 1 - 2.0 * link.encode(message(504), count) + random.normal(0, 4, count)
            self.assertEqual(link.decode(2 / 16 * noisy)[1], expected, count)

    def test_a_wrong_code_block_is_not_right(self):
        link = nr.transport_block(25608, .8, 2)
        llrs = np.where(link.encode(message(25608), 60000), -2.0, 2.0)
        self.assertTrue(link.decode(llrs)[1])
        llrs[:15000] *= -1
        self.assertFalse(link.decode(llrs)[1])

    def test_errors_name_the_value(self):
        for arguments, sentence in (((20000, .5), "size 20000: expected a size of TS 38.214, such as 20016"),
                                    ((0, .5), "size 0"), ((100, 1.5), "rate 1.5"), ((100, .5, 3), "symbol_bits 3"), ((100, .5, 2, 5), "layers 5"), ((8424, .5, 2, 1, 1000), "limit 1000")):
            with self.assertRaisesRegex(ValueError, sentence):
                nr.transport_block(*arguments)
        link = nr.transport_block(1000, .5, 4)
        for call, sentence in ((lambda: link.encode(np.zeros(999), 1200), r"block: expected shape \(1000,\), not \(999,\)"),
                               (lambda: link.encode(np.zeros(1000), 1201), "1201 coded bits: expected a multiple of 4"),
                               (lambda: link.decode(np.zeros(1200), 4), "version 4: expected 0 .. 3"), (lambda: nr.crc([1], "24C"), 'CRC "24C"')):
            with self.assertRaisesRegex(ValueError, sentence):
                call()


if __name__ == "__main__":
    unittest.main()
