# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of DVB-T2 and DVB-S2 as GNU Radio's own transmitter blocks make them, for tests."""
import numpy as np
from gnuradio import blocks, dtv, gr, ldpc

FRAMES = {"64800": dtv.FECFRAME_NORMAL, "16200": dtv.FECFRAME_SHORT}
T2_MODULATIONS = ("qpsk", "16qam", "64qam", "256qam")
S2_RATES = {"8psk": ("3/5", "2/3", "3/4", "5/6", "8/9", "9/10"), "16apsk": ("2/3", "3/4", "4/5", "5/6", "8/9", "9/10"),
            "32apsk": ("3/4", "4/5", "5/6", "8/9", "9/10")}


def modulations(code):
    """Names of the modulations that go with a code."""
    standard, _, rate = code.split(":")
    if standard == "dvbt2":
        return [] if rate == "1/4" else list(T2_MODULATIONS)
    return ["qpsk"] + [name for name, rates in S2_RATES.items() if rate in rates]


def parameters(code, modulation):
    """Frame size, rate and constellation as gr-dtv names them."""
    _, size, rate = code.split(":")
    return FRAMES[size], getattr(dtv, "C" + rate.replace("/", "_")), getattr(dtv, "MOD_" + modulation.upper())


def encoder(code, modulation):
    """gr-dtv's LDPC encoder."""
    standard = dtv.STANDARD_DVBT2 if code.startswith("dvbt2") else dtv.STANDARD_DVBS2
    return dtv.dvb_ldpc_bb(standard, *parameters(code, modulation)[:2], dtv.MOD_OTHER)


def mapper(code, modulation, rotated=False):
    """Codewords in, cells out: gr-dtv's bit interleaver and modulator."""
    size, rate, constellation = parameters(code, modulation)
    if code.startswith("dvbt2"):
        rotation = dtv.ROTATION_ON if rotated else dtv.ROTATION_OFF
        return [dtv.dvbt2_interleaver_bb(size, rate, constellation), dtv.dvbt2_modulator_bc(size, constellation, rotation)]
    return [dtv.dvbs2_interleaver_bb(size, rate, constellation),
            dtv.dvbs2_modulator_bc(size, rate, constellation, dtv.INTERPOLATION_OFF)]


def dtv_cells(code, modulation, rotated=False, words=1, seed=1, after=()):
    """Random words through gr-dtv's encoder, interleaver, modulator and the blocks `after` them.

    Returns (codewords, cells): uint8 array (words, n) and complex64 array (cells,).
    """
    k = ldpc.code(code).k
    message = np.random.default_rng(seed).integers(0, 2, words * k, np.uint8)
    graph = gr.top_block()
    coded, cells = blocks.vector_sink_b(), blocks.vector_sink_c()
    first = encoder(code, modulation)
    graph.connect(blocks.vector_source_b(message.tolist()), first, coded)
    graph.connect(first, *mapper(code, modulation, rotated), *after, cells)
    graph.run()
    return np.array(coded.data(), np.uint8).reshape(words, -1), np.array(cells.data(), np.complex64)


def awgn(cells, noise, seed=1):
    """The cells with complex noise of that mean power."""
    generator = np.random.default_rng(seed)
    both = generator.standard_normal((2, *cells.shape), np.float32) * np.float32(np.sqrt(noise / 2))
    return cells + both[0] + 1j * both[1]
