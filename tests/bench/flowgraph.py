#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the overhead of a flowgraph relative to the C API.

The throughput of "repeating source of noisy LLRs -> ldpc_decoder_cpu_bb -> null sink" is compared with a loop in C. The source needs
its own core. The CPU time of the block's thread is meaningful on a busy machine, too.

The latency from the last LLR of a codeword to its first output bit is compared with the decoding time. Source and sink are in Python.
"""
import glob
import json
import platform
import sys
import threading
import time

import click
import numpy as np
from gnuradio import blocks, gr, ldpc
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

CASES = (("dvbt2:64800:1/2", 20, 1.5, 10), ("dvbt2:64800:1/2", 50, 1.5, 10), ("dvbt2:64800:5/6", 20, 3.5, 10),
         ("dvbt2:16200:1/2", 20, 1.5, 10), ("wimax:2304:1/2", 10, 2.0, 25), ("wifi:1944:1/2", 10, 2.0, 25))
LATENCY_WORDS = 200


def options_of(iterations, threads, kernel):
    return {"max_iterations": iterations, "early_stop": False, "threads": threads, **({"kernel": kernel} if kernel else {})}


def speed_of_api(decoder, llrs, seconds):
    """Returns the coded Mbit/s of one thread that decodes all codewords in one batch with the C API."""
    return 1e-6 * llrs.size / float(np.median(decoder.time(llrs, seconds)))


def thread_seconds():
    """Returns the CPU seconds of the decoder block's thread (Linux)."""
    for task in glob.glob("/proc/self/task/*/"):
        with open(task + "comm", encoding="utf-8") as comm, open(task + "schedstat", encoding="utf-8") as times:
            if comm.read().startswith("ldpc_decoder"):
                return 1e-9 * int(times.read().split()[0])
    return 0.0


def speed_of_flowgraph(name, options, llrs, seconds):
    """Returns the coded Mbit/s of the block, per second of wall time and per second of CPU time."""
    graph = gr.top_block()
    decoder = ldpc.ldpc_decoder_cpu_bb(name, stats_interval=0.0, **options)
    source = blocks.vector_source_b(llrs.view(np.uint8).ravel().tolist(), True)
    graph.connect(source, decoder, blocks.null_sink(1))
    graph.start()
    time.sleep(seconds / 4)
    frames, start, busy = decoder.frames(), time.perf_counter(), thread_seconds()
    time.sleep(seconds)
    frames, elapsed, busy = decoder.frames() - frames, time.perf_counter() - start, thread_seconds() - busy
    graph.stop()
    graph.wait()
    megabits = 1e-6 * frames * decoder.n()
    return megabits / elapsed, megabits / max(busy, 1e-9)


class Source(gr.sync_block):
    """Sends a codeword on request. Records the time at which its last LLR was sent."""

    def __init__(self, word, go):
        super().__init__("one codeword", None, [np.int8])
        self.word, self.go, self.at, self.transmitted = word, go, 0, []

    def work(self, input_items, output_items):
        if self.at == 0 and (not self.go.acquire(timeout=30) or len(self.transmitted) == LATENCY_WORDS):
            return -1
        out = output_items[0]
        count = min(len(out), len(self.word) - self.at)
        out[:count] = self.word[self.at:self.at + count]
        self.at = (self.at + count) % len(self.word)
        if self.at == 0:
            self.transmitted.append(time.perf_counter())
        return count


class Sink(gr.sync_block):
    """Records the time of each codeword's first bit. Requests the next codeword."""

    def __init__(self, k, go):
        super().__init__("one result", [np.uint8], None)
        self.k, self.go, self.items, self.came = k, go, 0, []

    def work(self, input_items, output_items):
        now = time.perf_counter()
        if self.items % self.k == 0:
            self.came.append(now)
        self.items += len(input_items[0])
        if self.items % self.k == 0:
            threading.Timer(0.002, self.go.release).start()  # let all threads go to sleep first
        return len(input_items[0])


def latency_of_flowgraph(name, options, word):
    """Returns the latencies in microseconds from a codeword's last LLR to its first output bit."""
    go = threading.Semaphore(1)
    decoder = ldpc.ldpc_decoder_cpu_bb(name, stats_interval=0.0, **options)
    source, sink, graph = Source(word, go), Sink(decoder.k(), go), gr.top_block()
    graph.connect(source, decoder, sink)
    graph.run()
    return 1e6 * (np.array(sink.came) - np.array(source.transmitted))[10:]


def measure(case, threads, kernel, seconds, rounds):
    name, iterations, ebn0, allowed = case
    options = options_of(iterations, threads, kernel)
    code = ldpc.code(name)
    _, llrs = ldpc.noisy_frames(code, ebn0=ebn0, count=max(4, 262144 // code.n))
    decoder = ldpc.decoder(code, **options)
    api, flow, thread = [], [], []
    for _ in range(rounds):
        api.append(speed_of_api(decoder, llrs, seconds))
        wall, busy = speed_of_flowgraph(name, options, llrs, seconds)
        flow.append(wall)
        thread.append(busy)
    delays = latency_of_flowgraph(name, options, llrs[0])
    decode = 1e6 * float(np.median(decoder.time(llrs[:1], seconds / 2, codewords=1)))
    return {
        "code": name, "iterations": iterations, "early_stop": False, "threads": threads, "kernel": decoder.kernel,
        "arithmetic": decoder.arithmetic, "api_mbps": max(api), "flowgraph_mbps": max(flow),
        "overhead_percent": 100 * (max(api) / max(flow) - 1), "allowed_percent": allowed,
        "thread_overhead_percent": 100 * (max(api) / max(thread) - 1) if threads == 1 else None,
        "latency_us_p50": float(np.median(delays)), "latency_us_p99": float(np.percentile(delays, 99)), "decode_us": decode,
        "machine": platform.processor() or platform.machine(),
    }


def table_of(results):
    table = Table(title=f"Flowgraph against C API, coded Mbit/s, {results[0]['threads']} thread(s)")
    for heading in ("\ncode", "\niter.", "\nkernel", "\nC API", "flow-\ngraph", "\noverhead", "of the\nthread", "latency us\np50 (p99)",
                    "decoding\nus"):
        table.add_column(heading, justify="left" if heading in ("\ncode", "\nkernel") else "right", no_wrap=True)
    for r in results:
        table.add_row(r["code"], str(r["iterations"]), r["kernel"], f"{r['api_mbps']:.1f}",
                      f"{r['flowgraph_mbps']:.1f}", f"{r['overhead_percent']:.1f} %",
                      "" if r["thread_overhead_percent"] is None else f"{r['thread_overhead_percent']:.1f} %",
                      f"{r['latency_us_p50']:.0f} ({r['latency_us_p99']:.0f})", f"{r['decode_us']:.0f}")
    return table


@click.command(help=__doc__)
@click.option("--code", "codes", multiple=True, help="Only these of the cases.")
@click.option("--threads", type=click.IntRange(0), default=1, show_default=True, help="Decoder threads.")
@click.option("--kernel", help="Force a kernel.")
@click.option("--seconds", type=click.FloatRange(0.05), default=1.0, show_default=True, help="Length of a measurement.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="Measurements; the best one counts.")
@click.option("--json", "file", type=click.File("w"), help="Write the results there too; - for standard output.")
@click.option("--check", is_flag=True, help="Fail when a flowgraph costs more than it may, or a word waits over 1 ms.")
def main(codes, threads, kernel, seconds, rounds, file, check):
    console = Console(width=140, stderr=file is not None and file.name == "<stdout>")
    cases = [case for case in CASES if not codes or case[0] in codes]
    if not cases:
        raise click.UsageError("no case has such a code; there are " + ", ".join(sorted({c[0] for c in CASES})))
    with Progress(console=console) as progress:
        results = [measure(case, threads, kernel, seconds, rounds) for case in progress.track(cases)]
    console.print(table_of(results))
    if file:
        json.dump(results, file, indent=1)
        file.write("\n")
    late = [r for r in results if r["overhead_percent"] > r["allowed_percent"]
            or r["latency_us_p50"] > r["decode_us"] + 1000]
    sys.exit(1 if check and late else 0)


if __name__ == "__main__":
    main()
