# SPDX-License-Identifier: GPL-3.0-or-later
"""Adaptive coding and modulation (ACM) of DVB-S2: the MODCOD follows the measured Es/N0."""
import math

import pmt
from gnuradio import gr

from .ldpc_python import dvb_bch_decoder_bb, dvbs2_modcod_code

# Required Es/N0 in dB over AWGN of normal DVB-S2 frames, by constellation and rate: EN 302 307-1, table 13 (PER 1e-7).
S2 = {"qpsk": {"1/4": -2.35, "1/3": -1.24, "2/5": -0.30, "1/2": 1.00, "3/5": 2.23, "2/3": 3.10, "3/4": 4.03, "4/5": 4.68,
               "5/6": 5.18, "8/9": 6.20, "9/10": 6.42},
      "8psk": {"3/5": 5.50, "2/3": 6.62, "3/4": 7.91, "5/6": 9.35, "8/9": 10.69, "9/10": 10.98},
      "16apsk": {"2/3": 8.97, "3/4": 10.21, "4/5": 11.03, "5/6": 11.61, "8/9": 12.89, "9/10": 13.13},
      "32apsk": {"3/4": 12.73, "4/5": 13.64, "5/6": 14.28, "8/9": 15.69, "9/10": 16.05}}
SHORT = 0.3  # dB; short DVB-S2 frames need more Es/N0
# S2X, by constellation and code: EN 302 307-2, clause 6.
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
BITS = {"qpsk": 2, "8psk": 3, "8apsk": 3, "16apsk": 4, "32apsk": 5, "64apsk": 6, "128apsk": 7, "256apsk": 8}


def dvbs2_threshold(modcod):
    """Return the Es/N0 in dB that a MODCOD needs over AWGN (EN 302 307-1 and -2, clause 6).

    Args:
        modcod: such as "qpsk:64800:1/2"; ldpc.dvbs2_modcods(s2x=True) lists all names

    Raises:
        ValueError: the name is unknown
    """
    code, (modulation, size, rate) = dvbs2_modcod_code(modcod), modcod.split(":")
    known = S2X.get(modulation, {}).get(code)
    return S2[modulation][rate] + (SHORT if size == "16200" else 0) if known is None else known


def efficiency(modcod):
    """Returns the bits of baseband frames per symbol, without headers and pilots."""
    code, (modulation, size, _) = dvbs2_modcod_code(modcod), modcod.split(":")
    return dvb_bch_decoder_bb(code).k() / math.ceil(int(size) / BITS[modulation])


class dvbs2_acm(gr.basic_block):
    """Selects the MODCOD of an ACM link from the Es/N0 that the receiver measures.

    The block selects the MODCOD with the highest efficiency whose threshold plus margin is not above the measured Es/N0. If there is none, or if
    the receiver has no lock, it selects the MODCOD with the lowest threshold.

    Args:
        modcods: names of the possible MODCODs, such as "qpsk:64800:1/2"; ldpc.dvbs2_modcods(s2x=True) lists all names
        margin: margin in dB between the measured Es/N0 and the threshold of the MODCOD, for measurement errors and changes during the delay of the link; can be changed at run time
        hysteresis: additional margin in dB that a more efficient MODCOD needs, 0 or more

    Messages: port "status" takes the messages of dvbs2_receiver or dvbs2_synchronizer, dictionaries with locked and esn0_db. Port "modcod" sends
    a pair, the symbol modcod and the name of the MODCOD, first and after each change, for dvbs2_transmitter.

    Raises:
        ValueError: an argument is invalid
    """

    def __init__(self, modcods=("qpsk:64800:1/2",), margin=1.0, hysteresis=0.5):
        if not modcods:
            raise ValueError("modcods must have at least one name")
        if not 0 <= hysteresis < math.inf:
            raise ValueError(f"hysteresis must be 0 or more dB, not {hysteresis:g}")
        super().__init__("dvbs2_acm", [], [])
        self.hysteresis, self.modcod = hysteresis, None
        self.set_margin(margin)
        self.table = sorted(((efficiency(name), dvbs2_threshold(name), name) for name in modcods), reverse=True)
        self.lowest = min((threshold, name) for _, threshold, name in self.table)[1]
        self.ports = {name: pmt.intern(name) for name in ("status", "modcod")}
        self.message_port_register_in(self.ports["status"])
        self.message_port_register_out(self.ports["modcod"])
        self.set_msg_handler(self.ports["status"], self.take)

    def set_margin(self, margin):
        """Change the margin, in dB. Raises ValueError if it is not finite."""
        if not math.isfinite(margin):
            raise ValueError(f"margin must be a finite number of dB, not {margin:g}")
        self.margin = margin

    def take(self, message):
        """Selects a MODCOD for a status message."""
        status = pmt.to_python(message)
        if not isinstance(status, dict) or "locked" not in status or not isinstance(status.get("esn0_db"), (int, float)):
            self.logger.warn("ignoring a message on port status (expected a dictionary with locked and the number esn0_db)")
            return
        modcod = self.select(status["esn0_db"] if status["locked"] else -math.inf)
        if modcod != self.modcod:
            self.modcod = modcod
            self.message_port_pub(self.ports["modcod"], pmt.cons(self.ports["modcod"], pmt.intern(modcod)))

    def select(self, esn0_db):
        """Returns the MODCOD for an Es/N0. MODCODs that are less efficient than the present one need no hysteresis."""
        needed = self.hysteresis
        for _, threshold, name in self.table:
            if name == self.modcod:
                needed = 0
            if esn0_db >= threshold + self.margin + needed:
                return name
        return self.lowest
