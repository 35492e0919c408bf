#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Send payloads of any length as packets through noise: libldpc on numpy arrays, without GNU Radio."""
import numpy as np

import libldpc

code = libldpc.code("wifi:648:1/2")
decoder = libldpc.decoder(code)
random = np.random.default_rng(1)

for ebn0 in (0.0, 1.0, 2.0, 3.0):
    sigma = np.sqrt(10 ** (-ebn0 / 10) / (2 * code.rate))
    right = lost = sent = 0
    for _ in range(200):
        payload = random.bytes(random.integers(1, 200))
        bits = code.encode_packet(payload, multiple=2)  # an even number of bits, for QPSK
        received = 1.0 - 2.0 * bits + sigma * random.standard_normal(bits.size)
        arrived, info = decoder.decode_packet(2 / sigma**2 * received)  # LLRs in nat; positive favours bit 0
        lost += arrived is None
        right += arrived == payload
        sent += bits.size
    print(f"{ebn0:.1f} dB: {right} of 200 packets right, {lost} lost, {200 - right - lost} wrong, {sent / 200:.0f} bits on average")
