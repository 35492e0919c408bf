# SPDX-License-Identifier: GPL-3.0-or-later
"""GNU Radio's own DVB transmitter blocks, from the transport stream to cells: what the decoders here are tested against."""


from .ldpc_python import dvb_bch_decoder_bb, dvb_demapper_cb


def _parameters(code):
    """gr-dtv's module, which not every GNU Radio has, and its names of standard, frame size and rate."""
    from gnuradio import dtv

    if not str(code).startswith(("dvbt2:", "dvbs2:")):
        raise ValueError(f"code must be one of DVB-T2 or DVB-S2 such as \"dvbt2:64800:2/3\", not \"{code}\"")
    dvb_bch_decoder_bb(code)  # says what is wrong with the rest of the name
    family, size, rate = code.split(":")
    return (dtv, dtv.STANDARD_DVBT2 if family == "dvbt2" else dtv.STANDARD_DVBS2,
            {"64800": dtv.FECFRAME_NORMAL, "16200": dtv.FECFRAME_SHORT}[size], getattr(dtv, "C" + rate.replace("/", "_")))


def dvb_fec_encoder(code, high_efficiency=False):
    """Blocks from transport stream bytes to LDPC codewords, one bit per byte.

    Args:
        code: such as "dvbt2:64800:2/3" or "dvbs2:16200:8/9"
        high_efficiency: mode of DVB-T2 without CRC-8 per packet
    """
    dtv, *what = _parameters(code)
    mode = dtv.INPUTMODE_HIEFF if high_efficiency else dtv.INPUTMODE_NORMAL
    return [dtv.dvb_bbheader_bb(*what, dtv.RO_0_35, mode, dtv.INBAND_OFF, 168, 4000000), dtv.dvb_bbscrambler_bb(*what),
            dtv.dvb_bch_bb(*what), dtv.dvb_ldpc_bb(*what, dtv.MOD_OTHER)]


def dvb_mapper(code, modulation, rotated=False):
    """Blocks from LDPC codewords to cells of mean power 1.

    Args:
        code: such as "dvbt2:64800:2/3" or "dvbs2:16200:8/9"
        modulation: "qpsk", "16qam", "64qam", "256qam" (T2); "qpsk", "8psk", "16apsk", "32apsk" (S2)
        rotated: rotated constellation of DVB-T2
    """
    dtv, standard, frame, rate = _parameters(code)
    dvb_demapper_cb(code, modulation, rotated=rotated)  # says whether the standard has that
    points = getattr(dtv, "MOD_" + modulation.upper())
    if standard == dtv.STANDARD_DVBT2:
        return [dtv.dvbt2_interleaver_bb(frame, rate, points),
                dtv.dvbt2_modulator_bc(frame, points, dtv.ROTATION_ON if rotated else dtv.ROTATION_OFF)]
    return [dtv.dvbs2_interleaver_bb(frame, rate, points),
            dtv.dvbs2_modulator_bc(frame, rate, points, dtv.INTERPOLATION_OFF)]
