# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes cells of DVB-T2, DVB-S2 and S2X with gr-dtv."""
import numpy as np
from gnuradio import blocks, gr, ldpc

T2_MODULATIONS = ("qpsk", "16qam", "64qam", "256qam")
S2_RATES = {"8psk": ("3/5", "2/3", "3/4", "5/6", "8/9", "9/10"), "16apsk": ("2/3", "3/4", "4/5", "5/6", "8/9", "9/10"),
            "32apsk": ("3/4", "4/5", "5/6", "8/9", "9/10")}

# S2X: required Es/N0 in dB over AWGN, EN 302 307-2, clause 6.
S2X = {
    "qpsk": {"dvbs2x:64800:13/45": -2.03, "dvbs2x:64800:9/20": 0.22, "dvbs2x:64800:11/20": 1.45,
             "dvbs2x:16200:11/45": -2.50, "dvbs2x:16200:4/15": -2.24, "dvbs2x:16200:14/45": -1.46, "dvbs2x:16200:7/15": 0.60,
             "dvbs2x:16200:8/15": 1.45, "dvbs2x:16200:32/45": 3.66, "dvbs2x:61560:2/9": -2.85},
    "8psk": {"dvbs2x:64800:23/36": 6.12, "dvbs2x:64800:25/36": 7.02, "dvbs2x:64800:13/18": 7.49,
             "dvbs2x:16200:7/15": 3.83, "dvbs2x:16200:8/15": 4.71, "dvbs2x:16200:26/45": 5.52, "dvbs2x:16200:32/45": 7.54},
    "8apsk": {"dvbs2x:64800:100/180": 4.73, "dvbs2x:64800:104/180": 5.13},
    "16apsk": {"dvbs2x:64800:90/180": 5.97, "dvbs2x:64800:96/180": 6.55, "dvbs2x:64800:100/180": 6.84,
               "dvbs2x:64800:18/30": 7.41, "dvbs2x:64800:20/30": 8.43, "dvbs2x:64800:26/45": 7.51, "dvbs2:64800:3/5": 7.80,
               "dvbs2x:64800:28/45": 8.10, "dvbs2x:64800:23/36": 8.38, "dvbs2x:64800:25/36": 9.27,
               "dvbs2x:64800:13/18": 9.71, "dvbs2x:64800:140/180": 10.65, "dvbs2x:64800:154/180": 11.99,
               "dvbs2x:16200:7/15": 5.99, "dvbs2x:16200:8/15": 6.93, "dvbs2x:16200:26/45": 7.66, "dvbs2:16200:3/5": 8.05,
               "dvbs2x:16200:32/45": 9.81},
    "32apsk": {"dvbs2:64800:2/3": 11.10, "dvbs2:16200:2/3": 11.41, "dvbs2x:16200:32/45": 12.18, "dvbs2x:64800:128/180": 11.75,
               "dvbs2x:64800:132/180": 12.17, "dvbs2x:64800:140/180": 13.05},
    "64apsk": {"dvbs2x:64800:128/180": 13.98, "dvbs2x:64800:132/180": 14.81, "dvbs2x:64800:7/9": 15.47, "dvbs2:64800:4/5": 15.87,
               "dvbs2:64800:5/6": 16.55},
    "128apsk": {"dvbs2x:64800:135/180": 17.73, "dvbs2x:64800:140/180": 18.53},
    "256apsk": {"dvbs2x:64800:116/180": 16.98, "dvbs2x:64800:20/30": 17.24, "dvbs2x:64800:124/180": 18.10,
                "dvbs2x:64800:128/180": 18.59, "dvbs2x:64800:22/30": 18.84, "dvbs2x:64800:135/180": 19.57},
}


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
