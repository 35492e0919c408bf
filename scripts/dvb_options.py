# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the DVB blocks behind synchronisation, each described once, in the order of each block's arguments; see
block_options.py. The code comes before them."""
from block_options import Option, switch
from dvbt2_options import LDPC, STATS, STREAM

QAM = {"qpsk": "QPSK", "16qam": "16-QAM", "64qam": "64-QAM", "256qam": "256-QAM"}
APSK = {"8psk": "8PSK", "8apsk": "8APSK", "16apsk": "16APSK", "32apsk": "32APSK", "64apsk": "64APSK", "128apsk": "128APSK",
        "256apsk": "256APSK"}


def code_of(block):
    """The option "code" of a block of GROUPS."""
    example = "dvbs2:64800:2/3" if block.startswith("DVBS2") else "dvbt2:64800:2/3"
    return Option("code", "", "", f'name of the LDPC code, such as "{example}"; libldpc.bch_codes() lists all')


def modulation(default, choices, meaning="constellation of the cells"):
    return [Option("modulation", default, "Constellation", meaning, choices, hide="")]


def packed(label, where):
    return [Option("packed", False, label, f"one bit per byte{where}, or 8 bits per byte with the first bit in the most significant "
                   "place; the same choice as in the block before it", switch("One bit per byte", "8 bits per byte"))]


CODES = [
    Option("codes", [], "Further codes", "names of further LDPC codes, which tags ldpc_code choose from their item on; items "
           "after a tag with another name are dropped", category="Advanced"),
]
MODCODS = [
    Option("modcods", [], "MODCODs", "names such as \"qpsk:64800:1/2\" of those that may come (ACM, VCM); ldpc.dvbs2_modcods(s2x=True) lists all. "
           "From a cell with a tag XFECFRAME on, a pair of the MODCOD's number (S2X: PLS code) and whether the frame is short as gr-dvbs2rx has it, "
           "cells are of that MODCOD; what follows a tag with another one is dropped. Up to the first tag code and modulation hold",
           category="Advanced"),
]
OF_BOTH = modulation("64qam", {**QAM, **APSK}, "constellation of the cells: QPSK and QAM of DVB-T2; QPSK, 8PSK and APSK of "
                     "DVB-S2 and S2X, each with some codes")
NOISE = [
    Option("noise", 0.0, "Noise of a cell", "mean power of a cell's error, 10 ** (-MER / 10); 0 = measured from the cells of each FEC "
           "block; may change while the flowgraph runs", hide="${ 'all' if noise_input else 'part' }"),
]
ONE_NOISE = [NOISE[0]._replace(meaning="mean power of a cell's error, 10 ** (-MER / 10); 0 = measured", hide="part")]
KNOWN_NOISE = [Option("noise", 0.01, "Noise of a cell", "mean power of a cell's error, 10 ** (-MER / 10), above 0; may change while the "
                      "flowgraph runs", hide="")]
EXACT = [option for option in LDPC if option.name == "exact"]
DECODER = [option for option in LDPC if option.name != "exact"]
T2_INTERLEAVING = [
    Option("fec_blocks", 202, "FEC blocks of a frame", "FEC blocks of an interleaving frame (PLP_NUM_BLOCKS), 1 .. 1023", hide=""),
    Option("ti_blocks", 1, "TI blocks of a frame", "TI blocks of an interleaving frame, 1 .. 255; 1 where a frame spans several T2 "
           "frames (TIME_IL_TYPE 1); 0 = no time interleaving", hide=""),
]

GROUPS = {
    "DVB_DEMAPPER_CB": OF_BOTH + [
        Option("rotated", False, "Rotated", "rotated constellation of DVB-T2, with cyclic Q delay", switch("No", "Yes")),
        *NOISE,
        Option("noise_input", False, "Noise comes", "noise as one value, or the noise of each cell (float) on a second input",
               switch("As one value", "On a second input")),
        Option("noise_tag", "noise", "Noise tag", 'number tags with this key set the noise, from the FEC block they are in on; "" = none',
               category="Advanced"),
        *EXACT,
        Option("deinterleave", True, "Order", "order of the LLRs: that of the LDPC code, or cell after cell for "
               "dvb_bit_deinterleaver_bb",
               switch("Of the cells", "Of the code", first=True), "Advanced"),
        Option("llr_scale", 0.0, "LLR steps per nat", "LLR steps per nat, 0.25 .. 64; the same as in the LDPC decoder",
               category="Advanced"),  # make_grc knows the library's default
        *STATS, *MODCODS,
    ],
    "DVB_BIT_DEINTERLEAVER_BB": OF_BOTH,
    "DVB_BCH_DECODER_BB": packed("Bytes", " on both sides") + STATS + [
        Option("codewords", False, "Input", "the BCH codewords, which are the LDPC decoder's message bits, or whole LDPC codewords, whose "
               "parity bits are left out", switch("Message bits", "LDPC codewords")),
        *CODES,
    ],
    "DVB_BB_DEFRAMER_BB": packed("Input bytes", "") + [STREAM[0]._replace(category="")] + STATS + CODES,
    "DVBT2_FEC_DECODER": modulation("256qam", QAM) + [
        Option("rotated", True, "Rotated", "rotated constellation with cyclic Q delay", switch("No", "Yes", first=True), hide="")] +
    T2_INTERLEAVING + KNOWN_NOISE + DECODER + EXACT + STREAM + STATS,
    "DVBS2_FEC_DECODER": modulation("qpsk", {"qpsk": "QPSK", **APSK}) + DECODER + ONE_NOISE + EXACT + STREAM + STATS + MODCODS,
}

IN_PYTHON = ("DVBS2_FEC_DECODER",)  # blocks with their own docstring, the others have bindings
IN_HEADERS = [name for name in GROUPS if name not in (*IN_PYTHON, "DVB_DEMAPPER_CB", "DVBT2_FEC_DECODER")]  # make() with single arguments
