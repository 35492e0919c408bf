# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the DVB-S2 receiver with VL-SNR frames of gr-dtv."""
import unittest

import libdvbs2
import numpy as np
from gnuradio import blocks, dtv, filter, gr

# MODCOD: constants of gr-dtv, bits of a baseband frame
MODCODS = {
    "qpsk dvbs2x:61560:2/9": (dtv.FECFRAME_NORMAL, dtv.C2_9_VLSNR, dtv.MOD_QPSK, 14208),
    "bpsk dvbs2x:30780:1/5": (dtv.FECFRAME_MEDIUM, dtv.C1_5_MEDIUM, dtv.MOD_BPSK, 5660),
    "bpsk dvbs2x:30780:11/45": (dtv.FECFRAME_MEDIUM, dtv.C11_45_MEDIUM, dtv.MOD_BPSK, 7740),
    "bpsk dvbs2x:30780:1/3": (dtv.FECFRAME_MEDIUM, dtv.C1_3_MEDIUM, dtv.MOD_BPSK, 10620),
    "bpsk-s dvbs2x:15390:1/5": (dtv.FECFRAME_SHORT, dtv.C1_5_VLSNR_SF2, dtv.MOD_BPSK_SF2, 2512),
    "bpsk-s dvbs2x:15390:11/45": (dtv.FECFRAME_SHORT, dtv.C11_45_VLSNR_SF2, dtv.MOD_BPSK_SF2, 3792),
    "bpsk dvbs2x:14976:1/5": (dtv.FECFRAME_SHORT, dtv.C1_5_VLSNR, dtv.MOD_BPSK, 3072),
    "bpsk dvbs2x:14976:4/15": (dtv.FECFRAME_SHORT, dtv.C4_15_VLSNR, dtv.MOD_BPSK, 4152),
    "bpsk dvbs2x:14976:1/3": (dtv.FECFRAME_SHORT, dtv.C1_3_VLSNR, dtv.MOD_BPSK, 5232),
}
GOLD = 7
FRAMES = 2  # of each MODCOD


def crc_8(data):
    """Returns the CRC-8 of a baseband header."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0xD5 if crc & 0x80 else 0)) & 0xFF
    return crc


def baseband_frame(random, size):
    """Returns the bits of a generic continuous frame with a random data field."""
    field = (size - 80) // 8 * 8
    header = bytes([0x72, 0, 0, 0, field >> 8, field & 255, 0, 0, 0])
    bits = np.zeros(size, np.uint8)
    bits[:80 + field] = np.unpackbits(np.frombuffer(header + bytes([crc_8(header)]) + random.bytes(field // 8), np.uint8))
    return bits


def symbols(modcod, frames):
    """Returns gr-dtv's symbols of baseband frames, zeros between them."""
    size, rate, points, _ = MODCODS[modcod]
    what = (dtv.STANDARD_DVBS2, size, rate)
    length = 33282 if " dvbs2x:14976:" not in modcod else 16686
    more = [np.zeros_like(frames[0])] * 2  # gr-dtv keeps the last medium frames
    graph, sink = gr.top_block(), blocks.vector_sink_c()
    graph.connect(blocks.vector_source_b(np.concatenate(frames + more).tolist()), dtv.dvb_bbscrambler_bb(*what), dtv.dvb_bch_bb(*what),
                  dtv.dvb_ldpc_bb(*what, points), dtv.dvbs2_interleaver_bb(size, rate, points),
                  dtv.dvbs2_modulator_bc(size, rate, points, dtv.INTERPOLATION_OFF),
                  dtv.dvbs2_physical_cc(size, rate, points, dtv.PILOTS_ON, GOLD), sink)
    graph.run()
    return np.array(sink.data(), np.complex64)[:2 * length * len(frames)]


class qa_dvbs2_vlsnr(unittest.TestCase):
    def test_frames_of_gr_dtv(self):
        random = np.random.default_rng(1)
        sent = {modcod: [baseband_frame(random, row[3]) for _ in range(FRAMES)] for modcod, row in MODCODS.items()}
        pairs = np.concatenate([symbols(modcod, frames) for modcod, frames in sent.items()])
        pulse = filter.firdes.root_raised_cosine(1, 2, 1, 0.2, 129)
        samples = np.convolve(pairs, np.array(pulse) / np.linalg.norm(pulse) * np.sqrt(2))
        noise = random.normal(size=(2, len(samples)))
        samples = samples * np.exp(0.02j * np.arange(len(samples))) + 0.7 * (noise[0] + 1j * noise[1])
        receiver = libdvbs2.receiver(2e6, 1e6, gold=GOLD)
        got = {}
        for frame in libdvbs2.receive(receiver, [samples.astype(np.complex64)]):
            self.assertFalse(frame.broken)
            got.setdefault(f"{frame.modulation} {frame.code}", []).append(bytes(frame.bytes))
        self.assertEqual(receiver.status()["vlsnr_frames"], FRAMES * len(MODCODS))
        for modcod, frames in sent.items():
            with self.subTest(modcod):
                fields = [np.packbits(bits[:80 + (len(bits) - 80) // 8 * 8]).tobytes() for bits in frames]
                self.assertEqual(got[modcod], fields)


if __name__ == "__main__":
    unittest.main()
