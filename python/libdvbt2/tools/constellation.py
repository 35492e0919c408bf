# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells for a plot of the constellation."""
import math

import libldpc
import numpy as np

# Rotation angles in degrees (EN 302 755, clause 6.2.2, table 15).
ANGLES = {"QPSK": 29.0, "16QAM": 16.8, "64QAM": 8.6, "256QAM": math.degrees(math.atan(1 / 16))}


def derotated(cells, frame):
    """Removes rotation and cyclic Q delay from the cells of an interleaving frame."""
    plp = frame.plp
    code = f"dvbt2:{plp['code_length']}:{plp['plp_cod_name']}"
    blocks = libldpc.cell_deinterleaver(code, plp["plp_mod_name"].lower(), frame.ti_blocks).deinterleave(cells)
    together = blocks.real + 1j * np.roll(blocks.imag, -1, axis=1)  # cyclic Q delay: Q of a cell is sent in the next one
    return (together * np.exp(-1j * math.radians(ANGLES[plp["plp_mod_name"]]))).ravel()


class Collector:
    def __init__(self):
        self._parts, self._count, self._frame = [], 0, None
        self.whole = None  # (cells, frame) of the last complete frame

    def add(self, cells, frame, first):
        if first == 0:
            self._parts, self._count, self._frame = [], 0, frame
        if self._frame is None or frame.frames != 1 or first != self._count:
            return
        self._parts.append(cells.copy())  # a view would keep the whole array
        self._count += len(cells)
        if self._count == frame.cells:
            self.whole, self._frame = (self._parts, frame), None

    def points(self, most):
        """Returns at most `most` points and the name of the constellation, or None."""
        if self.whole is None:
            return None
        parts, frame = self.whole
        cells = np.concatenate(parts)
        return (derotated(cells, frame) if frame.plp["plp_rotation"] else cells)[:most], frame.plp["plp_mod_name"]
