# SPDX-License-Identifier: BSD-3-Clause
"""Measures throughput and latency of a decoder: one call at a time, several batches in flight, or all data on the GPU.

Each function returns three values: coded Mbit/s of the median run or of the steady state, coded Mbit/s of the best run, latencies.
"""
import time

import numpy as np

import libldpc

DISTINCT = 512  # codewords; larger batches repeat them
WINDOW = 64  # minimum number of runs for the best rate of a stream


def frames(code, ebn0, count):
    """Returns (messages, LLRs) of `count` noisy codewords."""
    messages, llrs = libldpc.noisy_frames(code, ebn0, count=min(count, DISTINCT))
    return np.resize(messages, (count, messages.shape[1])), np.resize(llrs, (count, llrs.shape[1]))


def lend(decoder, array):
    """Returns a copy in pinned memory."""
    buffer = decoder.buffer(array.shape, array.dtype)
    buffer[:] = array
    return buffer


def message_bytes(decoder):
    return -(-decoder.k // 8) if decoder.packed else decoder.k


def facts(bits, rate_seconds, best_seconds, latencies):
    """bits: number of bits per run. rate_seconds: mean time between runs. best_seconds: shortest time between runs."""
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
    """Returns the results of a stream. The start and the end of the stream are not measured."""
    begins, ends = runs.T
    steady = ends[depth:] if len(ends) > 3 * depth + WINDOW else ends
    if len(steady) < 2:
        return facts(bits, float(ends[-1]), float(ends[-1]), ends - begins)
    window = min(max(WINDOW, len(steady) // 8), len(steady) - 1)
    mean = float(steady[-1] - steady[0]) / (len(steady) - 1)
    best = float((steady[window:] - steady[:-window]).min()) / window
    return facts(bits, mean, min(best, mean), ends - begins)  # a window can be slower than the mean


def calls(decoder, llrs, seconds, codewords, pinned=False):
    bits = decoder.buffer((len(llrs), message_bytes(decoder)), "uint8") if pinned else None
    return of_runs(codewords * decoder.n, decoder.time(lend(decoder, llrs) if pinned else llrs, seconds, codewords, bits))


def stream(decoder, llrs, seconds, codewords, pinned=False):
    """Measures batches of `codewords` codewords, as many in flight as possible."""
    rows = max(len(llrs), decoder.depth * codewords)
    bits = decoder.buffer((rows, message_bytes(decoder)), "uint8") if pinned else None
    runs = decoder.time_stream(lend(decoder, llrs) if pinned else llrs, seconds, codewords, bits)
    return of_stream(codewords * decoder.n, decoder.depth, runs)


def on_device(decoder, device, llrs, seconds, codewords):
    """Measures decoding with data in GPU memory. Also returns the bits of the first run."""
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
