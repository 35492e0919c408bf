#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the speed of two Python threads with that of two processes. Measures the reaction time to Ctrl-C.

    PYTHONPATH=build/test_modules python3 tests/bench/python_threads.py [CODE [SECONDS]]

The rates are equal if no thread waits for a lock. Voluntary context switches are counted, because decoding has no other waits.
"""
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time

import numpy as np

import libldpc

CODEWORDS = 256  # per call
ROUNDS = 5  # per kind, interleaved; reports the best of each


def decode_for(code, seconds, barrier, counts, place):
    """Decodes for some seconds. Writes codewords, CPU time in ns, and context switches to `counts`."""
    decoder = libldpc.decoder(code)
    llrs = libldpc.noisy_frames(code, 2.5, count=CODEWORDS)[1]
    decoder.decode(llrs)
    barrier.wait()
    begun, waits = time.thread_time_ns(), resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        decoder.decode(llrs)
        count += len(llrs)
    waits = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - waits
    counts[3 * place:3 * place + 3] = [count, time.thread_time_ns() - begun, waits]


def in_a_process(*arguments):
    """Decodes in another process. In this process, long calls run in a thread, so that Ctrl-C can interrupt them."""
    worker = threading.Thread(target=decode_for, args=arguments)
    worker.start()
    worker.join()


def together(kind, target, barrier, counts, code, seconds):
    """Runs two threads or processes. Returns codewords per second, codewords per CPU second, and voluntary context switches per call."""
    workers = [kind(target=target, args=(code, seconds, barrier, counts, place)) for place in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    codewords, busy, waits = (sum(counts[what::3]) for what in range(3))
    return codewords / seconds, 2e9 * codewords / busy, waits * CODEWORDS / codewords


def after_interrupt(call):
    """Returns the seconds from Ctrl-C to the end of the call."""
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    raise RuntimeError("the call ended before the signal")


def main(code="wimax:2304:1/2", seconds="1"):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seconds, spawn = float(seconds), multiprocessing.get_context("spawn")
    threads, processes = [], []
    for _ in range(ROUNDS):
        threads.append(together(threading.Thread, decode_for, threading.Barrier(2), [0] * 6, code, seconds))
        processes.append(together(spawn.Process, in_a_process, spawn.Barrier(2), spawn.Array("q", 6), code, seconds))
    print(f"{code}, codewords/s of two threads and of two processes")
    for what, name in enumerate(("by the clock on the wall", "by processor time")):
        best = [max(result[what] for result in results) for results in (threads, processes)]
        print(f"{name}: {best[0]:,.0f} {best[1]:,.0f}, {100 * best[0] / best[1]:.1f} %")
    print(f"waits in a call: {min(result[2] for result in threads):.3f} {min(result[2] for result in processes):.3f}")
    decoder = libldpc.decoder(code)
    slow = libldpc.decoder(code, kernel="ref", max_iterations=10000, early_stop=False)
    calls = {"decode": lambda: slow.decode(np.ones((1000, slow.n), np.int8)),
             "time": lambda: decoder.time(np.ones((4, decoder.n), np.int8), seconds=3600),
             "simulate": lambda: libldpc.simulate(decoder, 9.0, max_frames=10**12, max_frame_errors=0)}
    for name, call in calls.items():
        print(f"{name}: ends {after_interrupt(call) * 1e3:.0f} ms after Ctrl-C")


if __name__ == "__main__":
    main(*sys.argv[1:])
