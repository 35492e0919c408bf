#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the GPU decoder block in a flowgraph, and measures its speed. Needs only numpy and GNU Radio.

For each row of the table, the block first decodes known codewords, and the results are checked. Then a file source repeats the LLRs
for some seconds. Prints coded Mbit/s and the number of busy processors. With --cpu, measures the CPU block.
"""
import argparse
import tempfile
import time

import numpy as np
from gnuradio import blocks, gr, ldpc

from processor import shares, thread_seconds

CASES = (("dvbt2:64800:1/2", 20, 1.5), ("dvbt2:64800:3/4", 20, 3.0), ("dvbt2:16200:1/2", 20, 1.5), ("wimax:2304:1/2", 10, 2.5))
COMPILE_SECONDS = 30


def wrong_words(make, file, messages):
    graph, decoder, sink = gr.top_block(), make(packed=False), blocks.vector_sink_b()
    graph.connect(blocks.file_source(1, file, False), decoder, sink)
    graph.run()
    bits = np.array(sink.data(), np.uint8).reshape(-1, decoder.k())
    if len(bits) != len(messages):
        raise SystemExit(f"{len(bits)} of {len(messages)} words came out")
    return int((bits != messages).any(axis=1).sum())


def speed(make, file, packed, buffer, seconds):
    graph, decoder = gr.top_block(), make(packed=packed)
    source = blocks.file_source(1, file, True)  # a vector source copies single items and is slower than the block
    source.set_min_output_buffer(buffer << 20)
    graph.connect(source, decoder, blocks.null_sink(1))
    graph.start()
    time.sleep(seconds / 2)
    end = time.monotonic() + COMPILE_SECONDS
    while decoder.kernel() == "any" and time.monotonic() < end:  # until the code's kernel is compiled
        time.sleep(0.05)
    frames, busy, start = decoder.frames(), thread_seconds(), time.perf_counter()
    time.sleep(seconds)
    frames, elapsed = decoder.frames() - frames, time.perf_counter() - start
    busy = shares(busy, elapsed)
    graph.stop()
    graph.wait()
    return 1e-6 * frames * decoder.n() / elapsed, busy, decoder.kernel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true", help="measure the CPU block")
    parser.add_argument("--code", help="only this code")
    parser.add_argument("--devices", default="0", help="GPUs [0]")
    parser.add_argument("--streams", type=int, default=0, help="batches in flight on each GPU [automatic]")
    parser.add_argument("--batch", type=int, default=0, help="codewords of a batch [automatic]")
    parser.add_argument("--words", type=int, default=200, help="different codewords [200]")
    parser.add_argument("--buffer", type=int, default=16, help="MB of the source's output buffer [16]")
    parser.add_argument("--seconds", type=float, default=3.0, help="of a measurement [3]")
    options = parser.parse_args()
    print(f"{'code':18} {'iterations':>10} {'wrong':>9}  {'kernel':10} {'packed':>9} {'unpacked':>9}  coded Mbit/s")
    for name, iterations, ebn0 in [case for case in CASES if options.code in (None, case[0])]:
        def make(packed, name=name, iterations=iterations):
            common = {"max_iterations": iterations, "early_stop": False, "packed": packed, "stats_interval": 0.0}
            if options.cpu:
                return ldpc.ldpc_decoder_cpu_bb(name, **common)
            return ldpc.ldpc_decoder_gpu_bb(name, devices=options.devices, streams=options.streams, batch=options.batch,
                                            **common)

        messages, llrs = ldpc.noisy_frames(ldpc.code(name), ebn0=ebn0, count=options.words)
        with tempfile.NamedTemporaryFile() as file:
            llrs.tofile(file.name)
            try:
                wrong = wrong_words(make, file.name, messages)
            except RuntimeError as error:
                raise SystemExit(f"{name}: {error}") from None
            rates = [speed(make, file.name, packed, options.buffer, options.seconds) for packed in (True, False)]
        print(f"{name:18} {iterations:10} {wrong:4}/{len(llrs):4}  {rates[0][2]:10} {rates[0][0]:9.1f} {rates[1][0]:9.1f}",
              flush=True)
        for form, (_, busy, _) in zip(("packed", "unpacked"), rates):
            print(f"{form:>29}: " + ", ".join(f"{thread} {share:.2f}" for thread, share in busy.items()), flush=True)


if __name__ == "__main__":
    main()
