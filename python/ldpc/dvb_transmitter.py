# SPDX-License-Identifier: GPL-3.0-or-later
"""Transmitters for tests, built from gr-dtv blocks."""
from numbers import Integral

from gnuradio import blocks, digital, gr
from gnuradio.filter import fft_filter_ccf, firdes

from .dvbs2_framing import CONSTANT, ROLLOFFS, SINGLE, Order, bb_framer, frame_mux, two_frames
from .hier_blocks import hier_block
from .ldpc_python import dvb_bch_decoder_bb, dvb_demapper_cb, dvbs2_modcod_code


# Code rates of the constellations that only DVB-S2X has. A key is the constellation's name in this module and its name in gr-dtv.
S2X_POINTS = {
    ("16apsk", "8_8APSK"): ("90/180", "96/180", "100/180", "18/30", "20/30"),
    ("32apsk", "4_12_16APSK"): ("2/3", "32/45"),
    ("32apsk", "4_8_4_16APSK"): ("128/180", "132/180", "140/180"),
    ("64apsk", "8_16_20_20APSK"): ("7/9", "4/5", "5/6"),
    ("64apsk", "4_12_20_28APSK"): ("132/180",),
}


def _points(dtv, code, modulation):
    """Returns gr-dtv's constant for a constellation."""
    for (name, points), rates in S2X_POINTS.items():
        if name == modulation and code.split(":")[2] in rates:
            return getattr(dtv, "MOD_" + points)
    return getattr(dtv, "MOD_" + modulation.upper())


def _parameters(code):
    """Returns the module gr-dtv, and the constants of gr-dtv for a code."""
    from gnuradio import dtv

    code = str(code)
    if not code.startswith(("dvbt2:", "dvbs2:", "dvbs2x:")):
        raise ValueError(f"code must be a DVB-T2, DVB-S2 or S2X code such as \"dvbt2:64800:2/3\", not \"{code}\"")
    dvb_bch_decoder_bb(code)  # raises ValueError for an unknown code
    family, size, rate = code.split(":")
    frames = {"64800": dtv.FECFRAME_NORMAL, "61560": dtv.FECFRAME_NORMAL, "16200": dtv.FECFRAME_SHORT}
    if size not in frames:
        raise ValueError(f"code must have frames of 64800, 61560 or 16200 bits, not \"{code}\"")
    suffix = "_VLSNR" if size == "61560" else ""
    return (dtv, dtv.STANDARD_DVBT2 if family == "dvbt2" else dtv.STANDARD_DVBS2, frames[size],
            getattr(dtv, "C" + rate.replace("/", "_") + suffix))


class _padding(gr.hier_block2):
    """Appends the 6 zero bits of 128APSK to each codeword of 64800 bits."""

    def __init__(self):
        super().__init__("dvb_padding", gr.io_signature(1, 1, gr.sizeof_char), gr.io_signature(1, 1, gr.sizeof_char))
        both = blocks.stream_mux(gr.sizeof_char, (64800, 6))
        self.connect(self, both, self)
        self.connect(blocks.null_source(gr.sizeof_char), (both, 1))


def dvb_fec_encoder(code, high_efficiency=False, rolloff=0.35):
    """Return the blocks that convert transport stream bytes to LDPC codewords, one bit per byte.

    Args:
        code: such as "dvbt2:64800:2/3", "dvbs2:16200:8/9" or "dvbs2x:64800:135/180"
        high_efficiency: True for the high efficiency mode of DVB-T2, in which packets have no CRC-8
        rolloff: roll-off in the baseband headers of DVB-S2: 0.35, 0.25, 0.20, 0.15, 0.10 or 0.05

    Raises:
        ValueError: an argument is invalid
    """
    dtv, *what = _parameters(code)
    mode = dtv.INPUTMODE_HIEFF if high_efficiency else dtv.INPUTMODE_NORMAL
    return [dtv.dvb_bbheader_bb(*what, getattr(dtv, f"RO_0_{round(100 * rolloff):02}"), mode, dtv.INBAND_OFF, 168, 4000000), dtv.dvb_bbscrambler_bb(*what),
            dtv.dvb_bch_bb(*what), dtv.dvb_ldpc_bb(*what, dtv.MOD_OTHER)]


def dvb_mapper(code, modulation, rotated=False):
    """Return the blocks that convert LDPC codewords to cells with a mean power of 1.

    Args:
        code: such as "dvbt2:64800:2/3", "dvbs2:16200:8/9" or "dvbs2x:64800:135/180"
        modulation: "qpsk", "16qam", "64qam", "256qam" (T2); "qpsk", "8psk", "8apsk", "16apsk", "32apsk", "64apsk", "128apsk",
            "256apsk" (S2 and S2X; not every code allows every constellation)
        rotated: rotated constellation (DVB-T2 only)

    Raises:
        ValueError: an argument is invalid
    """
    dtv, standard, frame, rate = _parameters(code)
    code = str(code)
    dvb_demapper_cb(code, modulation, rotated=rotated)  # raises ValueError for an undefined combination
    points = _points(dtv, code, modulation)
    if standard == dtv.STANDARD_DVBT2:
        return [dtv.dvbt2_interleaver_bb(frame, rate, points),
                dtv.dvbt2_modulator_bc(frame, points, dtv.ROTATION_ON if rotated else dtv.ROTATION_OFF)]
    padding = [_padding()] if modulation == "128apsk" else []
    return [*padding, dtv.dvbs2_interleaver_bb(frame, rate, points),
            dtv.dvbs2_modulator_bc(frame, rate, points, dtv.INTERPOLATION_OFF)]


class dvbt2_transmitter(gr.hier_block2):
    """A DVB-T2 transmitter for receiver tests, made of gr-dtv blocks. It converts a transport stream to samples.

    The frame structure is fixed: one PLP, 4K FFT, guard interval 1/32, PP7, 40 data symbols, 8 MHz. A T2 frame lasts 20.55 ms.
    The output has RATE samples per second and a mean power of 1.

    Args:
        code: a code with short FEC frames, such as "dvbt2:16200:2/3"
        modulation: "qpsk", "16qam", "64qam", "256qam"
        rotated: rotated constellation

    Raises:
        ValueError: an argument is invalid
    """

    RATE = 64e6 / 7  # samples/s
    DATA_SYMBOLS = 40
    CELLS = 139312  # per frame, without L1: 4 P2 symbols, 39 data symbols, frame-closing symbol

    def __init__(self, code="dvbt2:16200:2/3", modulation="64qam", rotated=False):
        dtv, standard, frame, rate = _parameters(code)
        if (standard, frame) != (dtv.STANDARD_DVBT2, dtv.FECFRAME_SHORT):
            raise ValueError(f"code must be a DVB-T2 code with short FEC frames such as \"dvbt2:16200:2/3\", not \"{code}\"")
        super().__init__("dvbt2_transmitter", gr.io_signature(1, 1, gr.sizeof_char), gr.io_signature(1, 1, gr.sizeof_gr_complex))
        bits = {"qpsk": 2, "16qam": 4, "64qam": 6, "256qam": 8}.get(modulation)
        if not bits:
            raise ValueError(f"modulation must be \"qpsk\", \"16qam\", \"64qam\" or \"256qam\", not \"{modulation}\"")
        points = getattr(dtv, "MOD_" + modulation.upper())
        rotation = dtv.ROTATION_ON if rotated else dtv.ROTATION_OFF
        fec_blocks = self.CELLS // (16200 // bits)
        cells = [*dvb_fec_encoder(code, high_efficiency=True), *dvb_mapper(code, modulation, rotated),
                 dtv.dvbt2_cellinterleaver_cc(frame, points, fec_blocks, 1),
                 dtv.dvbt2_framemapper_cc(
                     frame, rate, points, rotation, fec_blocks, 1, dtv.CARRIERS_NORMAL, dtv.FFTSIZE_4K, dtv.GI_1_32,
                     dtv.L1_MOD_16QAM, dtv.PILOT_PP7, 2, self.DATA_SYMBOLS, dtv.PAPR_OFF, dtv.VERSION_111,
                     dtv.PREAMBLE_T2_SISO, dtv.INPUTMODE_HIEFF, dtv.RESERVED_OFF, dtv.L1_SCRAMBLED_OFF, dtv.INBAND_OFF)]
        self.connect(self, *cells, *self._ofdm(dtv), self)

    def _ofdm(self, dtv):
        """Converts cells of frames to samples."""
        mode = dtv.CARRIERS_NORMAL, dtv.FFTSIZE_4K, dtv.PILOT_PP7, dtv.GI_1_32, self.DATA_SYMBOLS, dtv.PAPR_OFF, dtv.VERSION_111
        return [dtv.dvbt2_freqinterleaver_cc(*mode, dtv.PREAMBLE_T2_SISO),
                dtv.dvbt2_pilotgenerator_cc(*mode, dtv.PREAMBLE_T2_SISO, dtv.MISO_TX1, dtv.EQUALIZATION_OFF,
                                            dtv.BANDWIDTH_8_0_MHZ, 4096),
                digital.ofdm_cyclic_prefixer(4096, 4096 + 128, 0, ""),
                dtv.dvbt2_p1insertion_cc(dtv.CARRIERS_NORMAL, dtv.FFTSIZE_4K, dtv.GI_1_32, self.DATA_SYMBOLS,
                                         dtv.PREAMBLE_T2_SISO, dtv.SHOWLEVELS_OFF, 3.3)]


# --------------------------------------------------------------------------------------------------------------------------- DVB-S2

class dvbs2_transmitter(hier_block):
    """A DVB-S2 and S2X transmitter for receiver tests, made of gr-dtv blocks. It converts transport streams to samples.

    Each input is a transport stream with its own MODCOD. With one input, the signal is a single stream with CCM. With more inputs, input i
    becomes the stream with ISI i + 1, and the MODCOD changes from PL frame to PL frame (VCM). With `acm`, one transport stream is sent with
    all MODCODs. The output has two samples per symbol and a mean power of 1.

    Args:
        modcods: names of the MODCODs, one for each input (with acm, all for one input), such as "qpsk:64800:1/2"; ldpc.dvbs2_modcods(s2x=True) lists all names
        pilots: whether the PL frames have pilots (True: on)
        rolloff: roll-off of the pulses: 0.35, 0.25, 0.2, 0.15, 0.1 or 0.05
        gold: gold code of the PL scrambling, 0 .. 262141
        order: numbers of the MODCODs (0 = first) of successive PL frames, repeated until the first message on port modcod; [] = one frame of each MODCOD; can be changed at run time
        acm: one input for each MODCOD (CCM, VCM), or one input that is sent with all MODCODs (ACM) (True: one for all MODCODs (ACM))

    Messages: a name of `modcods` on port "modcod", or a pair with this name (of dvbs2_acm), is the MODCOD of all next frames. Frames that are
    in the buffers of the blocks, up to about 30, are sent first.

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, modcods=("qpsk:64800:1/2",), pilots=True, rolloff=0.2, gold=0, order=(), acm=False):
        if not 1 <= len(modcods) <= 255:
            raise ValueError(f"modcods must have 1 .. 255 names, not {len(modcods)}")
        if rolloff not in ROLLOFFS:
            raise ValueError(f"rolloff must be one of {', '.join(map(str, ROLLOFFS))}, not {rolloff}")
        if not 0 <= gold <= 262141:
            raise ValueError(f"gold must be 0 .. 262141, not {gold}")
        count, codes = len(modcods), [dvbs2_modcod_code(modcod) for modcod in modcods]
        inputs = 1 if acm else count
        super().__init__("dvbs2_transmitter", gr.io_signature(inputs, inputs, gr.sizeof_char), gr.io_signature(1, 1, gr.sizeof_gr_complex))
        self._count = count
        self._order = Order(self._checked(order))
        sizes = [dvb_bch_decoder_bb(code).k() for code in codes]
        if acm:
            framers = [bb_framer(sizes, SINGLE, 0, rolloff, self._order)]
        else:
            framers = [bb_framer([size], SINGLE | CONSTANT if count == 1 else 0, 0 if count == 1 else isi, rolloff, Order([0]))
                       for isi, size in enumerate(sizes, 1)]
        for port, framer in enumerate(framers):
            self.connect((self, port), framer)
        branches = [self._branch((framers[0], i) if acm else framers[i], modcod, pilots, gold) for i, modcod in enumerate(modcods)]
        self._mux = frame_mux([branch.output_multiple() for branch in branches], list(modcods), self._order, framers[0] if acm else None)
        for i, branch in enumerate(branches):
            self.connect(branch, (self._mux, i))
        pulses = firdes.root_raised_cosine(2, 2, 1, rolloff, 100)
        self.connect(self._mux, fft_filter_ccf(1, pulses), self)
        self.accept("modcod", self._mux)
        self.free_when_unused(self._mux, *framers)

    def set_order(self, order):
        """Change the order of the MODCODs. Raises ValueError for values that the constructor refuses."""
        self._order.numbers = self._checked(order)

    def _checked(self, order):
        if not all(isinstance(i, Integral) and 0 <= i < self._count for i in order):
            raise ValueError(f"order must be integers 0 .. {self._count - 1}, not {list(order)}")
        return list(order) or list(range(self._count))

    def _branch(self, framer, modcod, pilots, gold):
        """Connects the blocks of a MODCOD. Returns the last block, whose output is PL frames with a zero after each symbol."""
        code, modulation = dvbs2_modcod_code(modcod), modcod.split(":")[0]
        dtv, _, frame, rate = _parameters(code)
        framing = dtv.dvbs2_physical_cc(frame, rate, _points(dtv, code, modulation), dtv.PILOTS_ON if pilots else dtv.PILOTS_OFF, gold)
        chain = [*dvb_fec_encoder(code)[1:], *dvb_mapper(code, modulation), framing]
        for block, after in zip(chain, [*chain[1:], framing]):
            block.set_max_output_buffer(two_frames(block, after))
        self.connect(framer, *chain)
        return framing
