# SPDX-License-Identifier: BSD-3-Clause
"""LDPC codes, encoders and fast decoders on numpy arrays.

    import libldpc

    code = libldpc.code("wifi:1944:1/2")
    messages, llrs = libldpc.noisy_frames(code, ebn0=2.0, count=100)
    bits, info = libldpc.decoder(code, max_iterations=20).decode(llrs)
    print((bits != messages).any(axis=1).sum(), "of 100 codewords wrong,", info["iterations"].mean(), "iterations")

LLRs are ln(P(bit = 0) / P(bit = 1)): positive favours bit 0. Codewords are rows of arrays, one bit or LLR per item.
"""
from . import _libldpc
from .argument_errors import explain
explain(_libldpc)

from ._libldpc import cell_deinterleaver, demapper, demapper_kernels
from ._libldpc import (DEFAULT_LLR_LIMIT, DEFAULT_LLR_SCALE, SIM_BLOCK, __version__, backends, bb_deframer, bch, bch_codes, check_cache_dir, choose_backend, code,
                       codes, decoder, devices, iterations_histogram, kernels, noisy_frames, simulate, simulate_blocks, simulation)
from .device_memory import device_array
from .mapper import mapper

__all__ = ["cell_deinterleaver", "demapper", "demapper_kernels",
           "DEFAULT_LLR_LIMIT", "DEFAULT_LLR_SCALE", "SIM_BLOCK", "backends", "bb_deframer", "bch", "bch_codes", "check_cache_dir", "choose_backend", "code", "codes",
           "decoder", "device_array", "devices", "iterations_histogram", "kernels", "mapper", "noisy_frames", "simulate", "simulate_blocks", "simulation"]
