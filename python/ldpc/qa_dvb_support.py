# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of DVB-T2 and DVB-S2 as GNU Radio's own transmitter blocks make them, for tests."""
import numpy as np
from gnuradio import blocks, gr, ldpc

T2_MODULATIONS = ("qpsk", "16qam", "64qam", "256qam")
S2_RATES = {"8psk": ("3/5", "2/3", "3/4", "5/6", "8/9", "9/10"), "16apsk": ("2/3", "3/4", "4/5", "5/6", "8/9", "9/10"),
            "32apsk": ("3/4", "4/5", "5/6", "8/9", "9/10")}


def modulations(code):
    """Names of the modulations that go with a code."""
    standard, _, rate = code.split(":")
    if standard == "dvbt2":
        return [] if rate == "1/4" else list(T2_MODULATIONS)
    return ["qpsk"] + [name for name, rates in S2_RATES.items() if rate in rates]


def dtv_cells(code, modulation, rotated=False, codewords=1, seed=1, after=()):
    """Random codewords through gr-dtv's encoder, interleaver, modulator and the blocks `after` them.

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


def awgn(cells, noise, seed=1):
    """The cells with complex noise of that mean power."""
    generator = np.random.default_rng(seed)
    both = generator.standard_normal((2, *cells.shape), np.float32) * np.float32(np.sqrt(noise / 2))
    return cells + both[0] + 1j * both[1]
