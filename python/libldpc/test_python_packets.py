# SPDX-License-Identifier: BSD-3-Clause
"""Tests of packets: format, every kind of code, noise, invalid arguments."""
import unittest
import zlib

import numpy as np

import libldpc

OWN = np.array([[1, 1, 0, 1, 1, 0, 0], [1, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 0, 1]])  # k = 4
CODES = ["wifi:648:1/2", "dvbs2:16200:1/2", "nr:bg2:10:153:67", "ccsds:c2:8160", "bds:b1c:88", OWN]


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc ^ 0xFFFF


def as_specified(code, payload, crc, multiple):
    """Returns the bits of a packet (include/ldpc/packet.h)."""
    length, rest = b"", len(payload)
    while rest >= 128:
        length, rest = length + bytes([rest % 128 + 128]), rest // 128
    data = length + bytes([rest]) + payload
    data += zlib.crc32(data).to_bytes(4, "little") if crc == 32 else crc16(data).to_bytes(2, "little")
    message = np.unpackbits(np.frombuffer(data, np.uint8))
    complete, left = divmod(message.size, code.k)
    bits = complete * code.n + (code.n - code.k + left if left else 0)
    bits += -bits % multiple
    codewords = -(-bits // code.n)
    filled = np.zeros(codewords * code.k, np.uint8)
    filled[:message.size] = message
    encoded = code.encode(filled.reshape(codewords, code.k))
    sent = code.n - (codewords * code.n - bits)  # bits of the last codeword
    last = np.delete(encoded[-1], np.s_[code.k - (code.n - sent):code.k])
    return np.concatenate([encoded[:-1].ravel(), last])


def strong(bits):
    return np.where(bits, -20, 20).astype(np.int8)


def noisy(bits, ebn0, rate, rng):
    """Returns the LLRs of BPSK in white noise. The unit is nats."""
    variance = 1 / (2 * rate * 10 ** (ebn0 / 10))
    return ((1 - 2.0 * bits + rng.normal(0, np.sqrt(variance), bits.size)) * 2 / variance).astype(np.float32)


class Format(unittest.TestCase):
    def test_as_specified(self):
        rng = np.random.default_rng(1)
        for name in ("wifi:648:1/2", "wimax:576:5/6", "dvbt2:16200:3/4"):
            code = libldpc.code(name)
            for size in [0, 1, 127, 128, 16384, *rng.integers(0, code.k, 10).tolist()]:
                for crc in (16, 32):
                    for multiple in (1, 8, 6):
                        payload = rng.bytes(size)
                        np.testing.assert_array_equal(code.encode_packet(payload, crc, multiple), as_specified(code, payload, crc, multiple))

    def test_there_and_back(self):
        rng = np.random.default_rng(2)
        for code in map(libldpc.code, CODES):
            for packed in (False, True):
                decoder = libldpc.decoder(code, packed=packed)
                width = code.order.bit_length() - 1
                for size in [*range(6), *rng.integers(0, 3 * code.k * width // 8 + 9, 10).tolist()]:
                    crc, multiple = (16, 32)[size % 2], int(rng.integers(1, 25))
                    payload = rng.bytes(size)
                    bits = code.encode_packet(payload, crc, multiple)
                    self.assertEqual(bits.size % multiple, 0)
                    received, info = decoder.decode_packet(strong(bits), crc)
                    self.assertEqual(received, payload)
                    self.assertTrue(info["converged"].all())

    def test_bytes_like(self):
        code = libldpc.code(CODES[0])
        expected = code.encode_packet(b"\x01\x02").tolist()
        for payload in (bytearray([1, 2]), memoryview(b"\x01\x02"), np.array([1, 2], np.uint8)):
            self.assertEqual(code.encode_packet(payload).tolist(), expected)


class Noise(unittest.TestCase):
    def test_short_packets_are_not_weaker(self):
        rng = np.random.default_rng(3)
        for name, ebn0 in (("wifi:648:1/2", 3.0), ("nr:bg2:52:2600:520", 2.5), ("dvbs2:16200:1/2", 2.0)):
            code = libldpc.code(name)
            for arithmetic in ("auto", "float"):
                decoder = libldpc.decoder(code, arithmetic=arithmetic)
                for size in [1, *rng.integers(1, code.k // 4, 9).tolist()]:
                    payload = rng.bytes(size)
                    llrs = noisy(code.encode_packet(payload), ebn0, code.k / code.n, rng)
                    self.assertEqual(decoder.decode_packet(llrs)[0], payload)

    def test_nothing_wrong_is_delivered(self):
        rng = np.random.default_rng(4)
        code = libldpc.code("wifi:648:1/2")
        decoder = libldpc.decoder(code, max_iterations=5)
        delivered = 0
        for ebn0 in (-20.0, 0.0, 1.0, 1.5, 2.0):
            for _ in range(60):
                payload = rng.bytes(int(rng.integers(1, 100)))
                received, _ = decoder.decode_packet(noisy(code.encode_packet(payload), ebn0, .5, rng))
                self.assertIn(received, (payload, None))
                delivered += received is not None
        self.assertTrue(0 < delivered < 300)

    def test_no_signal(self):
        """All-zero LLRs converge to the all-zero codeword, which is no packet."""
        for crc in (16, 32):
            received, info = libldpc.decoder("wifi:648:1/2").decode_packet(np.zeros(1000, np.int8), crc)
            self.assertTrue(info["converged"].all())
            self.assertIsNone(received)

    def test_wrong_crc_or_missing_bits(self):
        code = libldpc.code("wifi:648:1/2")
        decoder = libldpc.decoder(code)
        llrs = strong(code.encode_packet(b"payload" * 20, crc=32))
        self.assertIsNone(decoder.decode_packet(llrs, crc=16)[0])
        self.assertIsNone(decoder.decode_packet(llrs[:-8])[0])
        self.assertEqual(decoder.decode_packet(llrs)[0], b"payload" * 20)


class Arguments(unittest.TestCase):
    def test_wrong_arguments(self):
        code = libldpc.code("wifi:648:1/2")
        with self.assertRaisesRegex(ValueError, "crc 8: expected 16 or 32"):
            code.encode_packet(b"", crc=8)
        with self.assertRaisesRegex(ValueError, "multiple must be 1 or more, not 0"):
            code.encode_packet(b"", multiple=0)
        for payload in (5, "text"):
            self.assertRaises(TypeError, code.encode_packet, payload)
        with self.assertRaisesRegex(TypeError, "not items of 8 bytes"):
            code.encode_packet(np.zeros(3))
        decoder = libldpc.decoder(code)
        with self.assertRaisesRegex(ValueError, r"at least 364 bits, the shortest packet, not int8 of shape \(363,\)"):
            decoder.decode_packet(np.zeros(363, np.int8))
        self.assertRaises(ValueError, decoder.decode_packet, np.zeros((2, 648), np.int8))
        self.assertRaises(ValueError, libldpc.code(OWN.T).encode_packet, b"")


if __name__ == "__main__":
    unittest.main()
