# SPDX-License-Identifier: BSD-3-Clause
"""Maps bits to cells, the reverse of libldpc.demapper."""
import os
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._libldpc import demapper


def read_points(path: Union[str, "os.PathLike[str]"]) -> NDArray[np.complex64]:
    """Returns the points in a file. Line i: I and Q for the bits of i, MSB first."""
    try:
        rows = np.loadtxt(path, ndmin=2)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: expected two numbers per line, I and Q: {error}") from None
    count, columns = rows.shape
    if columns != 2 or not 2 <= count <= 256 or count & (count - 1):
        raise ValueError(f"{os.fspath(path)}: expected 2, 4, 8 .. 256 lines of two numbers, I and Q, not {count} of {columns}")
    return (rows[:, 0] + 1j * rows[:, 1]).astype(np.complex64)


class mapper:
    """Maps codewords to cells in the order and with the scale that libldpc.demapper expects.

    code, modulation  as for libldpc.demapper: "dvbs2:64800:3/4" and "8psk", "dvbs2x:64800:104/180" and "32apsk", "dvbt2:16200:1/2" and "64qam";
                      the ring ratios of APSK depend on the code rate (EN 302 307-1, 5.4; EN 302 307-2, 5.4)
    rotated           True for the rotated constellation of DVB-T2 with its cyclic Q delay
    points            constellation points instead of modulation, as for libldpc.demapper. Any code is then allowed
    Raises            ValueError in the same cases as libldpc.demapper

    Attributes: n, cells, bits, points.
    """

    def __init__(self, code: Any, modulation: Optional[str] = None, rotated: bool = False,
                 points: Union[ArrayLike, "os.PathLike[str]", None] = None) -> None:
        demap = demapper(code, modulation, rotated=rotated, points=points)
        self.n, self.cells, self.bits, self.points, self.rotated = demap.n, demap.cells, demap.bits, demap.points, rotated
        self.order = demap.order

    def map(self, codewords: ArrayLike) -> NDArray[np.complex64]:
        """Return the cells of codewords.

        codewords  array (codewords, n) or (n,) of bits
        Returns    complex64 array (codewords, cells) or (cells,) with mean power 1
        """
        codewords = np.asarray(codewords)
        if codewords.ndim not in (1, 2) or codewords.shape[-1] != self.n:
            raise ValueError(f"codewords: expected shape (codewords, {self.n}) or ({self.n},), not {codewords.shape}")
        bits = np.zeros((*codewords.shape[:-1], self.cells * self.bits), np.intp)
        bits[..., self.order] = codewords & 1
        labels = bits.reshape(*bits.shape[:-1], self.cells, self.bits) @ (1 << np.arange(self.bits)[::-1])
        cells = self.points[labels]
        return cells.real + 1j * np.roll(cells.imag, 1, axis=-1) if self.rotated else cells
