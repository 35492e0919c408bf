# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls that mypy must accept (test_python_stubs)."""
import numpy as np

import libdvbs2

samples = np.zeros(1000, np.complex64)
receiver = libdvbs2.receiver(2e6, 1e6, format="cf32", roll_off=0.2, stream=3, threads=2)
accepted: int = receiver.push(samples) + receiver.push(bytes(8), start=0)
for frame in libdvbs2.receive(receiver, [samples, b""]):
    print(frame.packets.shape, frame.header and frame.header["isi"], frame.cells.real, len(frame.pdus))
print(receiver.status()["state"], receiver.sample_bytes)
for carrier in libdvbs2.survey(np.zeros(20000, np.complex64), 2e6, gold=[5], more=[samples, b""]):
    print(carrier["symbol_rate"])
band = libdvbs2.band([{"frequency": 0.0, "symbol_rate": 1e6}], 2e6, threads=1)
band.push(samples)
band.finish()
print(band.pull(), band.status(0)["locks"], band.sample_bytes)
