#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests a GPU without free memory, and a context that is destroyed with batches in flight.

Calls must raise errors and must not hang. Decoded results must be correct. New decoders must work.

    PYTHONPATH=build/test_modules python3 tests/device/gpu_faults.py

With GNU Radio, the tests also run in a flowgraph, which falls back to the CPU. The program fills the memory of the first GPU and
resets its primary context.
"""
import ctypes
import sys
import threading
import time

import numpy as np

import libldpc

CODE = "wimax:576:1/2"
COUNT = 4096
LEAST_CONVERGED = 0.9  # minimum share of codewords, at high SNR
LIMIT = 60.0  # maximum duration of a call, seconds
PIECES = [1 << bits for bits in range(36, 15, -1)]  # bytes; the remainder is smaller than any decoder buffer

code = libldpc.code(CODE)
message, llrs = libldpc.noisy_frames(code, ebn0=4.0, count=COUNT)


class Driver:
    """The primary context of the first GPU. Decoders use it, too."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.check(self.cuda.cuInit(0))
        self.context, self.pieces = ctypes.c_void_p(), []
        self.enter()

    def check(self, result):
        if result:
            sys.exit(f"the driver returned {result}")

    def enter(self):
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), 0))
        self.check(self.cuda.cuCtxSetCurrent(self.context))

    def fill(self):
        """Allocates all free memory. Returns the number of bytes."""
        for size in PIECES:
            piece = ctypes.c_uint64()
            while self.cuda.cuMemAlloc_v2(ctypes.byref(piece), ctypes.c_size_t(size)) == 0:
                self.pieces.append((piece.value, size))
        return sum(size for _, size in self.pieces)

    def empty(self):
        for piece, _ in self.pieces:
            self.check(self.cuda.cuMemFree_v2(ctypes.c_uint64(piece)))
        self.pieces = []

    def destroy_context(self):
        """Destroys memory, modules and streams of this process."""
        self.check(self.cuda.cuDevicePrimaryCtxReset_v2(0))


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")
    print("ok:", what, flush=True)


def failure_of(call):
    """Returns the name and the message of the exception. Returns None without an exception. If the call hangs, ends the program."""
    result = []

    def body():
        try:
            call()
            result.append(None)
        except Exception as error:  # the caller checks the type
            result.append((type(error).__name__, str(error)))

    thread = threading.Thread(target=body, daemon=True)
    thread.start()
    thread.join(LIMIT)
    if not result:
        sys.exit(f"FAILED: a call took more than {LIMIT:g} s")
    return result[0]


def works(decoder):
    bits, info = decoder.decode(llrs)
    converged = info["converged"].astype(bool)
    return bool(info["decoded"].all()) and converged.mean() > LEAST_CONVERGED and np.array_equal(bits[converged], message[converged])


def make(**options):
    return libldpc.decoder(code, **{"backend": "cuda", "max_batch": COUNT, **options})


def without_memory(driver):
    decoder = make()
    expect(works(decoder), "a decoder works")
    print(f"memory filled: {driver.fill() / 2**30:.1f} GiB")
    failed = failure_of(make)
    expect(failed and "memory" in failed[1].lower(), f"no memory for another decoder: {failed}")
    expect(works(decoder), "the first one still works")
    failed = failure_of(lambda: decoder.decode(llrs, posteriors=True))
    expect(failed and "memory" in failed[1].lower(), f"no memory for posteriors: {failed}")
    expect(works(decoder), "without posteriors it works again")
    failed = failure_of(lambda: setattr(decoder, "early_stop", False))
    print("a setter, which compiles and loads a program:", failed or "worked")
    expect(works(decoder), "after the setter it works")
    driver.empty()
    expect(failure_of(lambda: decoder.decode(llrs, posteriors=True)) is None, "with memory again it returns posteriors")
    expect(works(make()), "another decoder works")


def without_context(driver):
    decoder = make()
    expect(works(decoder), "a decoder works before the context is destroyed")
    while decoder.submit(llrs):
        pass
    driver.destroy_context()
    failures = []
    while len(failures) <= decoder.depth:
        got = []
        failed = failure_of(lambda: got.append(decoder.collect()))
        if failed is None and got[0] is None:
            break
        failures.append(failed)
        if failed is None:  # already decoded
            bits, info = got[0]
            good = info["decoded"].astype(bool) & info["converged"].astype(bool)
            expect(np.array_equal(bits[good], message[good]), "what counts as decoded is right")
    expect(len(failures) <= decoder.depth, f"{len(failures)} batches were collected after the end of the context: {[f for f in failures if f][:1]}")
    failed = failure_of(lambda: decoder.decode(llrs))
    expect(failed, f"the decoder reports a device failure: {failed}")
    del decoder
    driver.enter()
    expect(works(make()), "a decoder that is made afterwards works")


def flowgraph(driver):
    """Returns True if GNU Radio is available."""
    try:
        from gnuradio import blocks, gr, ldpc
    except ImportError:
        return False
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    decoder = ldpc.ldpc_decoder_gpu_bb(CODE, fallback=True, batch=64)
    items = np.ascontiguousarray(llrs).view(np.uint8).ravel().tolist()
    graph.connect(blocks.vector_source_b(items * 8), blocks.throttle(1, 5e6), decoder, sink)
    graph.start()
    while len(sink.data()) < 64 * code.k:
        time.sleep(0.01)
    driver.destroy_context()
    expect(failure_of(graph.wait) is None, "the flowgraph ends")
    got = np.array(sink.data(), np.uint8).reshape(-1, code.k)
    expect(len(got) == 8 * COUNT, f"no codeword is missing: {len(got)}")
    wrong = (got != np.tile(message, (8, 1))).any(axis=1).sum()
    expect(wrong <= 8 * COUNT * 0.001 + 128 and decoder.backend() == "cpu", f"decoding continued on the CPU; {wrong} codewords are wrong")
    driver.enter()
    return True


def main():
    driver = Driver()
    without_memory(driver)
    without_context(driver)
    if flowgraph(driver):
        print("all as it should be")
    else:
        print("all others as they should be; skipped: the flowgraph, because there is no GNU Radio for this Python")


if __name__ == "__main__":
    main()
