# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes cells of DVB-T2, DVB-S2 and S2X with gr-dtv."""
import numpy as np
from gnuradio import blocks, gr, ldpc
from gnuradio.ldpc.dvbs2_acm import S2X

T2_MODULATIONS = ("qpsk", "16qam", "64qam", "256qam")
S2_RATES = {"8psk": ("3/5", "2/3", "3/4", "5/6", "8/9", "9/10"), "16apsk": ("2/3", "3/4", "4/5", "5/6", "8/9", "9/10"),
            "32apsk": ("3/4", "4/5", "5/6", "8/9", "9/10")}


def modulations(code):
    """Returns the modulations that the standard allows with a code."""
    standard, _, rate = code.split(":")
    if standard == "dvbt2":
        return [] if rate == "1/4" else list(T2_MODULATIONS)
    names = ["qpsk"] + [name for name, rates in S2_RATES.items() if rate in rates] if standard == "dvbs2" else []
    return names + [name for name, thresholds in S2X.items() if code in thresholds]


def dtv_cells(code, modulation, rotated=False, codewords=1, seed=1, after=()):
    """Sends random codewords through gr-dtv's encoder, interleaver and modulator, then through `after`.

    Returns (codewords, cells): uint8 array (codewords, n) and complex64 array (cells,).
    """
    k = ldpc.code(code).k
    message = np.random.default_rng(seed).integers(0, 2, codewords * k, np.uint8)
    graph = gr.top_block()
    coded, cells = blocks.vector_sink_b(), blocks.vector_sink_c()
    first = ldpc.dvb_fec_encoder(code)[-1]
    graph.connect(blocks.vector_source_b(message.tolist()), first, coded)
    graph.connect(first, *ldpc.dvb_mapper(code, modulation, rotated), *after, cells)
    graph.run()
    return np.array(coded.data(), np.uint8).reshape(codewords, -1), np.array(cells.data(), np.complex64)


def crc8(data):
    """Returns the CRC-8 of each row: x^8 + x^7 + x^6 + x^4 + x^2 + 1."""
    crc = np.zeros(data.shape[:-1], np.int64)
    for byte in np.moveaxis(data.astype(np.int64), -1, 0):
        crc ^= byte
        for _ in range(8):
            crc = np.where(crc & 0x80, crc << 1 ^ 0xD5, crc << 1) & 0xFF
    return crc.astype(np.uint8)


def bb_frames(ts, codes, matype=0xE000):
    """Packs one transport stream into baseband frames whose length varies from frame to frame (EN 302 307-1, 5.1). Returns one frame,
    as an array of bits, for each element of `codes`.

    Args:
        ts: packets, an array of (count, 188) bytes
        codes: name of the LDPC code for each frame
        matype: the two MATYPE bytes; the default means a single transport stream, ACM or VCM, and roll-off 0.35
    """
    units = ts.copy()  # the CRC-8 replaces the next packet's sync byte
    units[:, 0] = np.concatenate([[0], crc8(ts[:-1, 1:])])
    stream, at, frames = units.ravel(), 0, []
    for code in codes:
        field = ldpc.bch(code).k // 8 - 10
        header = np.array([matype >> 8, matype & 0xFF, 1504 >> 8, 1504 & 0xFF, 8 * field >> 8, 8 * field & 0xFF, 0x47,
                           8 * (-at % 188) >> 8, 8 * (-at % 188) & 0xFF], np.uint8)
        frames.append(np.unpackbits(np.concatenate([header, [crc8(header)], stream[at:at + field]]).astype(np.uint8)))
        at += field
    if at > stream.size:
        raise ValueError(f"{at // 188 + 1} packets are needed")
    return frames


def dtv_frames(names, frames, after=lambda code, modulation: ()):
    """Sends baseband frames through gr-dtv. Frame i has the MODCOD names[i], such as "qpsk:64800:1/2". Returns the cells of each frame.

    `after` creates blocks after the modulator, such as the PL framer. All frames of a MODCOD must have the same number of cells."""
    made = [None] * len(names)
    for name in dict.fromkeys(names):
        modulation = name.partition(":")[0]
        code, places = ldpc.dvbs2_modcod_code(name), [i for i, each in enumerate(names) if each == name]
        graph, sink = gr.top_block(), blocks.vector_sink_c()
        graph.connect(blocks.vector_source_b(np.concatenate([frames[i] for i in places]).tolist()),
                      *ldpc.dvb_fec_encoder(code)[1:], *ldpc.dvb_mapper(code, modulation), *after(code, modulation), sink)
        graph.run()
        for place, cells in zip(places, np.array(sink.data(), np.complex64).reshape(len(places), -1)):
            made[place] = cells
    return made


def awgn(cells, noise, seed=1):
    """Adds complex noise of mean power `noise`."""
    generator = np.random.default_rng(seed)
    both = generator.standard_normal((2, *cells.shape), np.float32) * np.float32(np.sqrt(noise / 2))
    return cells + both[0] + 1j * both[1]
