#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the packet blocks: packets, vector types, metadata, counters, noise."""
import os
import time
import unittest

import numpy as np
import libldpc
import pmt
from gnuradio import analog, blocks, digital, gr, ldpc, pdu as gr_pdu

from qa_pdus import f32, pdu, s8, send, u8

NAME = "wifi:648:1/2"
FER_1E3 = {NAME: 2.3, "dvbt2:16200:1/2": 1.0}  # Eb/N0 in dB for FER 1e-3, 50 iterations
OWN = np.array([[1, 1, 0, 1, 1, 0, 0], [1, 0, 1, 1, 0, 1, 0], [0, 1, 1, 1, 0, 0, 1]])  # k = 4
PACKETS = int(os.environ.get("PACKETS", "200"))


def payloads(count, longest, seed=1):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 256, size, np.uint8) for size in rng.integers(0, longest + 1, count)]


def strong(bits):
    return np.where(bits, -20, 20).astype(np.int8)


class over_noise:
    """Sends packets as BPSK symbols with white noise. `received` maps packet numbers to payloads."""

    def __init__(self, name, ebn0, sent, seed=1):
        code = libldpc.code(name)
        variance = 1 / (2 * code.rate * 10 ** (ebn0 / 10))
        graph, key = gr.top_block(), "packet_len"
        encoder, self.decoder, debug = ldpc.ldpc_packet_encoder(name), ldpc.ldpc_packet_decoder(name), blocks.message_debug()
        to_stream, to_pdu = gr_pdu.pdu_to_tagged_stream(gr.types.byte_t, key), gr_pdu.tagged_stream_to_pdu(gr.types.float_t, key)
        adder, llrs = blocks.add_ff(), blocks.multiply_const_ff(2 / variance)
        adder.set_alignment(1)  # otherwise the end of the last packet remains in this block on CPUs with AVX-512
        for block in (to_stream, llrs):
            block.set_min_output_buffer(1 << 17)  # room for a whole packet
        graph.msg_connect(encoder, "pdus", to_stream, "pdus")
        graph.connect(to_stream, digital.chunks_to_symbols_bf([1, -1]), adder, llrs, to_pdu)
        graph.connect(analog.noise_source_f(analog.GR_GAUSSIAN, variance ** .5, seed), (adder, 1))
        graph.msg_connect(to_pdu, "pdus", self.decoder, "pdus")
        graph.msg_connect(self.decoder, "pdus", debug, "store")
        for number, payload in enumerate(sent):
            encoder.to_basic_block()._post(pmt.intern("pdus"), pdu(u8(payload), number=number))
        graph.start()
        end = time.monotonic() + 60
        while self.decoder.packets() + self.decoder.crc_errors() < len(sent) and time.monotonic() < end:
            time.sleep(0.01)
        while debug.num_messages() < self.decoder.packets() and time.monotonic() < end:
            time.sleep(0.01)
        graph.stop()
        graph.wait()
        got = [debug.get_message(i) for i in range(debug.num_messages())]
        self.received = {pmt.to_python(pmt.car(one))["number"]: bytes(pmt.u8vector_elements(pmt.cdr(one))) for one in got}


class Blocks(unittest.TestCase):
    def test_bits_of_the_library(self):
        for code in map(libldpc.code, (NAME, "dvbs2:16200:1/2", "nr:bg2:10:153:67", OWN)):
            sent = payloads(20, 3 * code.k // 8 + 9)
            for crc, multiple in ((32, 8), (16, 1), (16, 6)):
                got, _ = send(ldpc.ldpc_packet_encoder(code, crc, multiple), *(pdu(u8(payload), channel=3) for payload in sent))
                for payload, (metadata, bits) in zip(sent, got, strict=True):
                    np.testing.assert_array_equal(bits, code.encode_packet(payload, crc, multiple))
                    self.assertEqual(metadata, {"channel": 3})
            got, _ = send(ldpc.ldpc_packet_encoder(code, packed=True), *(pdu(u8(payload)) for payload in sent))
            for payload, (_, bits) in zip(sent, got, strict=True):
                np.testing.assert_array_equal(bits, np.packbits(code.encode_packet(payload)))

    def test_there_and_back(self):
        """Tests payloads from 0 bytes to several codewords, with every type of input."""
        for code in map(libldpc.code, (NAME, "dvbs2:16200:1/2", "nr:bg2:10:153:67", OWN)):
            sent = payloads(8, 3 * code.k // 8 + 9) + [np.zeros(0, np.uint8)]
            for crc, multiple in ((32, 8), (16, 1)):
                bits = [code.encode_packet(payload, crc, multiple) for payload in sent]
                for options, convert in (({}, lambda b: s8(strong(b))), ({}, lambda b: u8(strong(b))), ({}, lambda b: f32(strong(b) / 3)),
                                         ({"llr_sign": "negative"}, lambda b: s8(-strong(b))), ({"threads": 2}, lambda b: s8(strong(b))),
                                         ({"arithmetic": "float"}, lambda b: f32(strong(b))), ({"input": "hard"}, u8),
                                         *([({"input": "hard-packed"}, lambda b: u8(np.packbits(b)))] if multiple == 8 else [])):
                    decoder = ldpc.ldpc_packet_decoder(code, crc=crc, **options)
                    got, _ = send(decoder, *(pdu(convert(b), channel=3) for b in bits))
                    self.assertEqual([items.tolist() for _, items in got], [payload.tolist() for payload in sent], (code.name, options))
                    self.assertEqual({tuple(sorted(metadata)) for metadata, _ in got}, {("channel", "ldpc_converged", "ldpc_iterations")})
                    self.assertEqual((decoder.packets(), decoder.crc_errors(), decoder.dropped()), (len(sent), 0, 0))

    def test_wrong_packets_are_counted_and_not_output(self):
        code = libldpc.code(NAME)
        llrs = strong(code.encode_packet(b"1" * 100))
        damaged = llrs.copy()
        damaged[:400] = -20
        decoder = ldpc.ldpc_packet_decoder(NAME, stats_interval=1e-9)
        got, stats = send(decoder, pdu(s8(damaged)), pdu(s8(0 * llrs)), pdu(s8(llrs[:100])), pdu(pmt.init_s32vector(4, [1] * 4)), pmt.PMT_NIL,
                          pdu(s8(llrs)))
        self.assertEqual([bytes(items.astype(np.uint8)) for _, items in got], [b"1" * 100])
        self.assertEqual((decoder.packets(), decoder.crc_errors(), decoder.dropped()), (1, 2, 3))
        self.assertEqual([stats[-1][key] for key in ("total_packets", "total_crc_errors", "total_dropped")], [1, 2, 3])

    def test_others_are_dropped_and_counted(self):
        encoder = ldpc.ldpc_packet_encoder(NAME)
        got, _ = send(encoder, pdu(f32([1, 2])), pmt.PMT_NIL, pdu(u8([1])))
        self.assertEqual((len(got), encoder.dropped()), (1, 2))

    def test_wrong_options(self):
        for wrong in ({"code": "no:such"}, {"crc": 8}, {"multiple": 0}, {"multiple": 12, "packed": True}, {"code": OWN.T}):
            self.assertRaises(ValueError, ldpc.ldpc_packet_encoder, **{"code": NAME, **wrong})
        for wrong in ({"crc": -1}, {"input": "noise"}, {"backend": "abacus"}):
            self.assertRaises(ValueError, ldpc.ldpc_packet_decoder, **{"code": NAME, **wrong})
        self.assertRaises(TypeError, ldpc.ldpc_packet_decoder, NAME, output="codeword")


class Noise(unittest.TestCase):
    """Sends packets with noise. With PACKETS=10000 in the environment, the test takes minutes."""

    def test_none_is_lost_a_decibel_above_the_threshold(self):
        for name, packets, longest in ((NAME, PACKETS, 200), ("dvbt2:16200:1/2", PACKETS // 10, 2000)):
            for first in range(0, packets, 1000):
                sent = payloads(min(1000, packets - first), longest, seed=first)
                run = over_noise(name, FER_1E3[name] + 1, sent, seed=first + 1)
                self.assertEqual(run.received, {number: payload.tobytes() for number, payload in enumerate(sent)})
                self.assertEqual(run.decoder.crc_errors(), 0)

    def test_nothing_wrong_is_delivered(self):
        lost = 0
        for ebn0 in (-10, 0, 1, 1.5, 2):
            sent = payloads(PACKETS // 4, 100, seed=int(10 * ebn0) + 200)
            run = over_noise(NAME, ebn0, sent)
            for number, payload in run.received.items():
                self.assertEqual(payload, sent[number].tobytes())
            self.assertEqual(run.decoder.packets() + run.decoder.crc_errors(), len(sent))
            lost += run.decoder.crc_errors()
        self.assertGreater(lost, PACKETS // 4)
        self.assertLess(lost, 5 * (PACKETS // 4))


if __name__ == "__main__":
    unittest.main(verbosity=2)
