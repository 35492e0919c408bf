#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two threads of Python that decode, beside two processes: what is lost to the interpreter's lock, and how soon Ctrl-C ends a call.

    PYTHONPATH=build/test_modules python3 tests/bench/python_threads.py [CODE [SECONDS]]
"""
import multiprocessing
import os
import signal
import sys
import threading
import time

import numpy as np

import libldpc

CODEWORDS = 256  # of a call
ROUNDS = 5  # of each kind, one after the other; the best of each is told


def decode_for(code, seconds, barrier, counts, place):
    """Count the codewords that one decoder decodes in that time, by calls of CODEWORDS each."""
    decoder = libldpc.decoder(code)
    llrs = libldpc.noisy_frames(code, 2.5, count=CODEWORDS)[1]
    decoder.decode(llrs)
    barrier.wait()
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        decoder.decode(llrs)
        count += len(llrs)
    counts[place] = count


def together(kind, barrier, counts, code, seconds):
    workers = [kind(target=decode_for, args=(code, seconds, barrier, counts, place)) for place in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / seconds


def after_interrupt(call):
    """Seconds from Ctrl-C to the end of the call."""
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
        threads.append(together(threading.Thread, threading.Barrier(2), [0, 0], code, seconds))
        processes.append(together(spawn.Process, spawn.Barrier(2), spawn.Array("q", 2), code, seconds))
    print(f"{code}: two threads {max(threads):,.0f} codewords/s, two processes {max(processes):,.0f}, "
          f"{100 * max(threads) / max(processes):.1f} %")
    decoder = libldpc.decoder(code)
    slow = libldpc.decoder(code, kernel="ref", max_iterations=10000, early_stop=False)
    calls = {"decode": lambda: slow.decode(np.ones((1000, slow.n), np.int8)),
             "time": lambda: decoder.time(np.ones((4, decoder.n), np.int8), seconds=3600),
             "simulate": lambda: libldpc.simulate(decoder, 9.0, max_frames=10**12, max_frame_errors=0)}
    for name, call in calls.items():
        print(f"{name}: ends {after_interrupt(call) * 1e3:.0f} ms after Ctrl-C")


if __name__ == "__main__":
    main(*sys.argv[1:])
