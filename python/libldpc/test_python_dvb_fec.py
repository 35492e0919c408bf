# SPDX-License-Identifier: BSD-3-Clause
"""Tests of libldpc.bch and libldpc.bb_deframer."""
import unittest

import numpy as np

import libldpc

NAME = "dvbs2:16200:1/2"


class Bch(unittest.TestCase):
    def setUp(self):
        self.bch = libldpc.bch(NAME)
        self.messages = np.random.default_rng(1).integers(0, 2, (3, self.bch.k), np.uint8)
        self.codewords = self.bch.encode(self.messages)

    def test_facts(self):
        self.assertEqual((self.bch.name, self.bch.n, self.bch.k, self.bch.t), (NAME, 7200, 7032, 12))
        self.assertEqual(repr(self.bch), "<libldpc.bch dvbs2:16200:1/2: n=7200, k=7032, t=12>")
        self.assertIn(NAME, libldpc.bch_codes())

    def test_corrects(self):
        self.codewords[1, [0, 7, 3000, 7199]] ^= 1
        self.codewords[2, ::9] ^= 1
        messages, corrected = self.bch.decode(self.codewords)
        self.assertEqual(corrected.tolist(), [0, 4, -1])
        np.testing.assert_array_equal(messages[:2], self.messages[:2])
        np.testing.assert_array_equal(messages[2], self.codewords[2, :self.bch.k])

    def test_packed_and_single(self):
        packed = np.packbits(self.codewords, axis=1)
        np.testing.assert_array_equal(self.bch.encode(np.packbits(self.messages, axis=1), packed=True), packed)
        packed[0, 5] ^= 0x18
        message, corrected = self.bch.decode(packed[0], packed=True)
        self.assertEqual(corrected, 2)
        np.testing.assert_array_equal(np.unpackbits(message), self.messages[0])

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, "wifi:648:1/2"):
            libldpc.bch("wifi:648:1/2")
        with self.assertRaisesRegex(ValueError, "n = 7200"):
            self.bch.decode(self.messages)
        with self.assertRaisesRegex(ValueError, "k = 7032"):
            self.bch.encode(self.codewords)
        with self.assertRaises(TypeError):
            self.bch.decode(self.codewords.astype(float))


def crc8(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0xD5 if crc & 0x80 else 0)) & 0xFF
    return crc


def scrambler(bits):
    stages, out = [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0], []
    for _ in range(bits):
        out.append(stages[13] ^ stages[14])
        stages = [out[-1], *stages[:-1]]
    return np.array(out, np.uint8)


def frames_of(packets, k, count):
    """Returns baseband frames in normal mode."""
    payload = (k - 80) // 8
    stream = bytearray()
    for i, packet in enumerate(packets):
        stream += bytes([crc8(packets[i - 1][1:]) if i else 0]) + packet[1:].tobytes()
    frames = []
    for f in range(count):
        header = bytes([0xF0, 0, *(1504).to_bytes(2, "big"), *(8 * payload).to_bytes(2, "big"), 0x47,
                        *(8 * (-f * payload % 188)).to_bytes(2, "big")])
        data = header + bytes([crc8(header)]) + stream[f * payload:(f + 1) * payload]
        frames.append(np.unpackbits(np.frombuffer(data, np.uint8)) ^ scrambler(k))
    return np.array(frames)


class Deframer(unittest.TestCase):
    def setUp(self):
        self.deframer = libldpc.bb_deframer(NAME)
        self.packets = np.random.default_rng(2).integers(0, 256, (30, 188), np.uint8)
        self.packets[:, 0], self.packets[:, 1] = 0x47, 0x01
        self.frames = frames_of(self.packets, self.deframer.k, 6)
        self.whole = 6 * (self.deframer.k - 80) // 8 // 188

    def test_packets(self):
        np.testing.assert_array_equal(self.deframer.deframe(self.frames), self.packets[:self.whole])
        self.assertEqual(self.deframer.counters["packets"], self.whole)
        self.assertEqual(self.deframer.header["dfl"], self.deframer.k - 80)
        self.deframer.reset()
        self.assertEqual(self.deframer.counters["frames"], 0)

    def test_packed_one_by_one(self):
        packed = np.packbits(self.frames, axis=1)
        got = [self.deframer.deframe(frame, packed=True) for frame in packed]
        np.testing.assert_array_equal(np.concatenate(got), self.packets[:self.whole])

    def test_broken(self):
        self.frames[2, 80 + 1500:80 + 1900] ^= 1
        got = self.deframer.deframe(self.frames, broken=[False, False, True, False, False, False])
        marked = got[:, 1] & 0x80 != 0  # transport_error_indicator of all packets of the broken frame
        got[:, 1] &= 0x7F
        wrong = (got != self.packets[:self.whole]).any(axis=1)
        self.assertTrue(0 < wrong.sum() < 4)
        self.assertTrue(marked[wrong].all() and wrong.sum() < marked.sum() < self.whole)
        counters = self.deframer.counters
        self.assertEqual((counters["broken_frames"], counters["crc_errors"]), (1, wrong.sum()))
        self.frames[3, :40] ^= 1
        self.deframer.deframe(self.frames[3])
        self.assertIsNone(self.deframer.header)

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(ValueError, "stream 300"):
            libldpc.bb_deframer(NAME, stream=300)
        with self.assertRaisesRegex(ValueError, "one bool for each of the 6"):
            self.deframer.deframe(self.frames, broken=[True])
        with self.assertRaisesRegex(ValueError, "k = 7032"):
            self.deframer.deframe(self.frames[:, 1:])


if __name__ == "__main__":
    unittest.main()
