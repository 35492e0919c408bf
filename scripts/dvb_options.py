# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the DVB decoder blocks, in argument order."""
from block_options import Option, switch
from dvbt2_options import LDPC, STATS, STREAM

QAM = {"qpsk": "QPSK", "16qam": "16-QAM", "64qam": "64-QAM", "256qam": "256-QAM"}
APSK = {"8psk": "8PSK", "8apsk": "8APSK", "16apsk": "16APSK", "32apsk": "32APSK", "64apsk": "64APSK", "128apsk": "128APSK",
        "256apsk": "256APSK"}


def code_of(block):
    example = "dvbs2:64800:2/3" if block.startswith("DVBS2") else "dvbt2:64800:2/3"
    return Option("code", "", "", f'name of the LDPC code, such as "{example}"; libldpc.bch_codes() lists all names')


def modulation(default, choices, meaning="constellation"):
    return [Option("modulation", default, "Constellation", meaning, choices, hide="")]


def packed(label, where):
    return [Option("packed", False, label, f"one bit per byte{where}, or 8 bits per byte, MSB first; must match the previous block",
                   switch("Unpacked (1 bit per byte)", "Packed (8 bits per byte)"))]


CODES = [
    Option("codes", [], "Additional codes", "names of additional LDPC codes (ACM, VCM). A tag ldpc_code selects one of them for the tagged item and "
           "all items up to the next such tag. Items after a tag with any other value are dropped", category="Advanced"),
]
MODCODS = [
    Option("modcods", [], "MODCODs", "names of the possible MODCODs (ACM, VCM), such as \"qpsk:64800:1/2\"; ldpc.dvbs2_modcods(s2x=True) lists all "
           "names. A tag XFECFRAME of dvbs2_synchronizer or gr-dvbs2rx selects the MODCOD of the tagged cell and of all cells up to the next such tag. The value of the "
           "tag is a pair: the number of the MODCOD (for S2X the PLS code), and true for short frames. Cells after a tag with a MODCOD that is not "
           "listed are dropped. Before the first tag, the arguments code and modulation apply",
           category="Advanced"),
]
OF_BOTH = modulation("64qam", {**QAM, **APSK}, "constellation: QPSK and QAM of DVB-T2, or QPSK, 8PSK and APSK of DVB-S2 and S2X. Not every code can "
                     "be used with every constellation")
NOISE = [
    Option("noise", 0.0, "Noise power", "noise power per cell, 10 ** (-MER / 10); 0 = estimated from the cells of each FEC block; can be changed at "
           "run time", hide="${ 'all' if noise_input else 'part' }"),
]
ONE_NOISE = [NOISE[0]._replace(meaning="noise power per cell, 10 ** (-MER / 10); 0 = estimated from the cells of each FEC block", hide="part")]
KNOWN_NOISE = [Option("noise", 0.01, "Noise power", "noise power per cell, 10 ** (-MER / 10), above 0; can be changed at run time", hide="")]
EXACT = [option for option in LDPC if option.name == "exact"]
DECODER = [option for option in LDPC if option.name != "exact"]
T2_INTERLEAVING = [
    Option("fec_blocks", 202, "FEC blocks per frame", "number of FEC blocks per interleaving frame (PLP_NUM_BLOCKS), 1 .. 1023", hide=""),
    Option("ti_blocks", 1, "TI blocks per frame", "number of TI blocks per interleaving frame, 1 .. 255; 1 if an interleaving frame spans several T2 "
           "frames (TIME_IL_TYPE 1); 0 = no time interleaving", hide=""),
]

GROUPS = {
    "DVB_DEMAPPER_CB": OF_BOTH + [
        Option("rotated", False, "Rotated constellation", "rotated constellation with cyclic Q delay (DVB-T2 only)", switch("No", "Yes")),
        *NOISE,
        Option("noise_input", False, "Noise source", "source of the noise power: the parameter, for all cells, or a second input with the noise "
               "power of each cell (float)",
               switch("Parameter", "Second input")),
        Option("noise_tag", "noise", "Noise tag key",
               'key of a tag whose value, a number, sets the noise power of the tagged FEC block and all later blocks; "" = no such tag',
               category="Advanced"),
        *EXACT,
        Option("deinterleave", True, "LLR order", "order of the LLRs: deinterleaved for the LDPC decoder, or cell by cell for "
               "dvb_bit_deinterleaver_bb",
               switch("Cell by cell", "Deinterleaved", first=True), "Advanced"),
        Option("llr_scale", 0.0, "LLR scale (steps per nat)", "number of LLR steps per nat, 0.25 .. 64; must be the llr_scale of the LDPC decoder",
               category="Advanced"),  # make_grc inserts the library's default
        *STATS, *MODCODS,
    ],
    "DVB_BIT_DEINTERLEAVER_BB": OF_BOTH,
    "DVB_BCH_DECODER_BB": packed("Packing", " in input and output") + STATS + [
        Option("codewords", False, "Input", "BCH codewords, which are the message bits of the LDPC decoder; or LDPC codewords, whose parity bits are "
               "ignored", switch("Message bits", "LDPC codewords")),
        *CODES,
    ],
    "DVB_BB_DEFRAMER_BB": packed("Input packing", "") + [STREAM[0]._replace(category="")] + STATS + CODES,
    "DVBT2_FEC_DECODER": modulation("256qam", QAM) + [
        Option("rotated", True, "Rotated constellation", "rotated constellation with cyclic Q delay", switch("No", "Yes", first=True), hide="")] +
    T2_INTERLEAVING + KNOWN_NOISE + DECODER + EXACT + STREAM + STATS,
    "DVBS2_FEC_DECODER": modulation("qpsk", {"qpsk": "QPSK", **APSK}) + DECODER + ONE_NOISE + EXACT + STREAM + STATS + MODCODS,
}

IN_PYTHON = ("DVBS2_FEC_DECODER",)  # blocks in Python; the others have bindings
IN_HEADERS = [name for name in GROUPS if name not in (*IN_PYTHON, "DVB_DEMAPPER_CB", "DVBT2_FEC_DECODER")]  # make() with single arguments
