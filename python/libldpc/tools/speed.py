# SPDX-License-Identifier: BSD-3-Clause
"""How fast a decoder is, in three ways: one call at a time, batches in flight, or all on the GPU.

Each returns the same facts: coded Mbit/s of the median run or of the steady state, of the best one, and how long codewords are
on their way.
"""
import time

import numpy as np

import libldpc

DISTINCT = 512  # codewords that are made; more are these again
WINDOW = 64  # runs at least that the best rate of a stream is taken from


def frames(code, ebn0, count):
    """(messages, LLRs) of `count` encoded, noisy codewords."""
    messages, llrs = libldpc.noisy_frames(code, ebn0, count=min(count, DISTINCT))
    return np.resize(messages, (count, messages.shape[1])), np.resize(llrs, (count, llrs.shape[1]))


def lend(decoder, array):
    """The array in memory that a GPU copies from by itself."""
    buffer = decoder.buffer(array.shape, array.dtype)
    buffer[:] = array
    return buffer


def message_bytes(decoder):
    return -(-decoder.k // 8) if decoder.packed else decoder.k


def facts(bits, rate_seconds, best_seconds, latencies):
    """`bits` of a run, seconds from run to run, seconds that each run was on its way."""
    return {
        "coded_mbps": bits / rate_seconds / 1e6,
        "coded_mbps_best": bits / best_seconds / 1e6,
        "latency_us_p50": float(np.median(latencies)) * 1e6,
        "latency_us_p99": float(np.percentile(latencies, 99)) * 1e6,
        "runs": len(latencies),
    }


def of_runs(bits, runs):
    return facts(bits, float(np.median(runs)), float(runs.min()), runs)


def of_stream(bits, depth, runs):
    """Of the steady state: without the runs that filled and emptied the stream."""
    begins, ends = runs.T
    steady = ends[depth:] if len(ends) > 3 * depth + WINDOW else ends
    if len(steady) < 2:
        return facts(bits, float(ends[-1]), float(ends[-1]), ends - begins)
    window = min(max(WINDOW, len(steady) // 8), len(steady) - 1)
    mean = float(steady[-1] - steady[0]) / (len(steady) - 1)
    best = float((steady[window:] - steady[:-window]).min()) / window
    return facts(bits, mean, min(best, mean), ends - begins)  # a window is slower than the mean where both ends were quick


def calls(decoder, llrs, seconds, codewords, pinned=False):
    """One blocking call after the other, of `codewords` codewords each."""
    bits = decoder.buffer((len(llrs), message_bytes(decoder)), "uint8") if pinned else None
    return of_runs(codewords * decoder.n, decoder.time(lend(decoder, llrs) if pinned else llrs, seconds, codewords, bits))


def stream(decoder, llrs, seconds, codewords, pinned=False):
    """As many batches of `codewords` codewords in flight as the decoder takes."""
    rows = max(len(llrs), decoder.depth * codewords)
    bits = decoder.buffer((rows, message_bytes(decoder)), "uint8") if pinned else None
    runs = decoder.time_stream(lend(decoder, llrs) if pinned else llrs, seconds, codewords, bits)
    return of_stream(codewords * decoder.n, decoder.depth, runs)


def on_device(decoder, device, llrs, seconds, codewords):
    """LLRs and bits stay on a gpu.Device, which must be the decoder's: (facts, the packed bits of the first codewords)."""
    bytes_of_codeword = -(-decoder.k // 8)
    inputs, outputs = device.put(llrs[:codewords]), device.room(codewords * bytes_of_codeword)
    floats, runs = llrs.dtype == np.float32, []
    try:
        for _ in range(2):
            decoder.decode_device(inputs, outputs, codewords, floats=floats, stream=device.stream)
        device.wait()
        begin = time.perf_counter()
        while not runs or time.perf_counter() - begin < seconds:
            start = time.perf_counter()
            decoder.decode_device(inputs, outputs, codewords, floats=floats, stream=device.stream)
            device.wait()
            runs.append(time.perf_counter() - start)
        return of_runs(codewords * decoder.n, np.array(runs)), device.get(outputs, (codewords, bytes_of_codeword))
    finally:
        device.give_back(inputs, outputs)
