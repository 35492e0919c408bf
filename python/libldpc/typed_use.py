# SPDX-License-Identifier: BSD-3-Clause
"""Calls that mypy must accept (test_python_stubs)."""
import pathlib

import numpy as np
from numpy.typing import NDArray

import libldpc
from libldpc import nr

code = libldpc.code("wifi:648:1/2")
own = libldpc.code(np.eye(3, dtype=np.uint8))
from_file = libldpc.code(pathlib.Path("h.alist"))
base = libldpc.code.from_base([[0, 1], [2, -1]], 4, punctured=[0])
messages, llrs = libldpc.noisy_frames(code, ebn0=2.0, count=10, modulation="16qam", point=3)
decoder = libldpc.decoder(code, max_iterations=20, algorithm="normalized:0.75", offset=None, cache_dir=pathlib.Path("cache"))
decoder.max_iterations = 30
bits = decoder.decode(llrs)[0]
again: libldpc.decoder = libldpc.decoder(decoder.code, **decoder.parameters)
codewords: NDArray[np.uint8] = code.encode(messages)
rows, columns = code.parity_matrix()
errors: float = libldpc.simulate("wifi:648:1/2", 2.0, max_frames=640).fer + libldpc.simulate(decoder, 2.0).ber
names: list[str] = libldpc.codes() + libldpc.kernels("cpu")
buffer = decoder.buffer((2, code.n), "float32")
if decoder.submit(llrs):
    collected = decoder.collect(timeout=1.0)
    assert collected is not None
    print(collected[0], code.n + code.k, code.name.upper())
own_points = libldpc.demapper(code, points=[1, 1j, -1, -1j])
cells = libldpc.mapper(code, points=pathlib.Path("points.txt")).map(codewords)
uncoded: int = libldpc.simulate(code, 2.0, modulation=own_points).channel_errors
link = nr.transport_block(1000, 0.5, symbol_bits=4, arithmetic="float")
right: bool = link.decode(1 - 2.0 * link.encode(np.zeros(1000), 1200), version=0)[1]
