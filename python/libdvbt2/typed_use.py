# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that mypy must accept (test_python_stubs)."""
import numpy as np

import libdvbt2

samples = np.zeros(1000, np.complex64)
receiver = libdvbt2.receiver(libdvbt2.sample_rate(8), bandwidth=8, plps=[libdvbt2.FIRST_PLP, 3])
decoder = libdvbt2.plp_decoder(threads=2, devices=None)
accepted: int = receiver.push(samples) + receiver.push(bytes(8), start=0)
pulled = receiver.pull(output=1)
if pulled is not None:
    cells, noise, frame, first = pulled
    decoder.feed(frame, first, cells, noise)
    print(frame.cells_per_block, frame.plp["plp_id"])
for packets in libdvbt2.receive(receiver, decoder, [samples, b""]):
    print(packets.shape, packets.tobytes())
print(receiver.status()["state"], decoder.counters(), receiver.impulse_response()[0].max())
