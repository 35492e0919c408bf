#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Encode messages, add noise, decode: libldpc on numpy arrays, without GNU Radio."""
import numpy as np

import libldpc

code = libldpc.code("wifi:1944:1/2")
decoder = libldpc.decoder(code, max_iterations=20)
random = np.random.default_rng(1)

messages = random.integers(0, 2, (1000, code.k), dtype=np.uint8)
codewords = code.encode(messages)

ebn0 = 10 ** (1.8 / 10)  # 1.8 dB
sigma = np.sqrt(1 / (2 * code.rate * ebn0))
received = 1.0 - 2.0 * codewords + sigma * random.standard_normal(codewords.shape)
llrs = (2 / sigma**2 * received).astype(np.float32)  # in nat; positive favours bit 0

bits, info = decoder.decode(llrs)
print(decoder)
print(f"hard decisions: {np.mean((llrs < 0) != codewords):.3%} of the bits wrong")
print(f"decoded: {np.sum((bits != messages).any(axis=1))} of {len(bits)} words wrong, "
      f"{info['iterations'].mean():.1f} iterations on average")
