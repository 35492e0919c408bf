#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the speed of DVB decoding in a flowgraph, from cells to the transport stream.

GNU Radio's transmitter blocks make noisy cells once. A file source repeats them at full rate through dvbt2_fec_decoder (or
dvbs2_fec_decoder). The packets of the first pass are checked.

The default is the UK's mode (32K, rotated 256-QAM 2/3) with a C/N of 18.8 dB and at most 25 iterations. This mode has 202 codewords
per T2 frame of 217 ms: 931 codewords per second, 60.3 coded Mbit/s. All codewords are decoded if the C/N is at least 18.3 dB.
"""
import pathlib
import sys
import tempfile
import time

import click
import numpy as np
from gnuradio import blocks, dtv, gr, ldpc
from rich.console import Console
from rich.table import Table

from processor import shares, thread_seconds

MULTIPLEX = 931  # codewords per second


def make_cells(code, modulation, rotated, snr, words):
    """Returns transmitted packets and their noisy cells."""
    generator = np.random.default_rng(1)
    data = (ldpc.bch(code).k - 80) // 8
    ts = generator.integers(0, 256, ((words + 2) * data // 187 + 2, 188), np.uint8)
    ts[:, 0], ts[:, 1] = 0x47, ts[:, 1] & 0x7F
    graph, sink, is_t2 = gr.top_block(), blocks.vector_sink_c(), code.startswith("dvbt2")
    size = dtv.FECFRAME_NORMAL if ":64800:" in code else dtv.FECFRAME_SHORT
    interleaver = [dtv.dvbt2_cellinterleaver_cc(size, getattr(dtv, "MOD_" + modulation.upper()), words, 1)] if is_t2 else []
    graph.connect(blocks.vector_source_b(ts.ravel().tolist()), *ldpc.dvb_fec_encoder(code, is_t2),
                  *ldpc.dvb_mapper(code, modulation, rotated), *interleaver, sink)
    graph.run()
    cells = np.array(sink.data(), np.complex64)
    noise = generator.normal(0, np.sqrt(10 ** (-snr / 10) / 2), (2, len(cells)))
    return ts, cells + (noise[0] + 1j * noise[1]).astype(np.complex64)


def receiver(code, modulation, rotated, snr, words, **options):
    if code.startswith("dvbt2"):
        return ldpc.dvbt2_fec_decoder(code, modulation, rotated, words, 1, 10 ** (-snr / 10), **options)
    return ldpc.dvbs2_fec_decoder(code, modulation, **options)


def verify(decoder, file, ts):
    """Decodes the cells once and checks that every packet is correct."""
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(blocks.file_source(gr.sizeof_gr_complex, file, False), decoder, sink)
    graph.run()
    got = np.array(sink.data(), np.uint8).reshape(-1, 188)
    if len(got) == 0 or (got != ts[:len(got)]).any():
        sys.exit("the packets that came out are not those that went in")
    return len(got)


def codewords(decoder):
    """Returns the number of decoded codewords."""
    return decoder.counters()["codewords"] if isinstance(decoder, ldpc.dvbt2_plp_decoder) else decoder.deframer.counters()["frames"]


def measure(decoders, file, seconds):
    """Returns the codewords per second of each receiver, and the CPU load of each thread."""
    graph = gr.top_block()
    for decoder in decoders:
        graph.connect(blocks.file_source(gr.sizeof_gr_complex, file, True), decoder, blocks.null_sink(gr.sizeof_char))

    def frames():
        return np.array([codewords(decoder) for decoder in decoders])

    graph.start()
    time.sleep(1 + 0.02 * len(decoders))
    words, busy, start = frames(), thread_seconds(), time.perf_counter()
    time.sleep(seconds)
    words, elapsed = frames() - words, time.perf_counter() - start
    busy = shares(busy, elapsed)
    graph.stop()
    graph.wait()
    return words / elapsed, busy


def show(console, rates, busy, n):
    """Prints result and thread table."""
    total = rates.sum()
    console.print(f"{len(rates)} receivers: {total:.0f} codewords/s, {1e-6 * total * n:.1f} coded Mbit/s, "
                  f"{total / MULTIPLEX:.2f} multiplexes; the slowest receiver {rates.min():.0f} codewords/s")
    table = Table("threads", "processors")
    for name, share in busy.items():
        table.add_row(name, f"{share:.2f}")
    table.add_row("all", f"{sum(busy.values()):.2f}")
    console.print(table)


@click.command(help=__doc__)
@click.option("--code", default="dvbt2:64800:2/3", show_default=True)
@click.option("--modulation", default="256qam", show_default=True)
@click.option("--rotated/--no-rotated", default=True, show_default=True)
@click.option("--snr", default=18.8, show_default=True, help="Es/N0 of the cells in dB.")
@click.option("--iterations", default=25, show_default=True, help="Of the LDPC decoder, at most.")
@click.option("--backend", default="cpu", show_default=True)
@click.option("--threads", default=1, show_default=True, help="Of the LDPC decoder.")
@click.option("--receivers", "counts", multiple=True, type=int, default=[1], show_default=True,
              help="That work at the same time, as for several multiplexes; may be given several times.")
@click.option("--words", default=202, show_default=True, help="Codewords that are sent again and again.")
@click.option("--seconds", default=10.0, show_default=True, help="Time of the measurement.")
@click.option("--check", is_flag=True, help=f"Fail below {MULTIPLEX} codewords a second.")
def main(code, modulation, rotated, snr, iterations, backend, threads, counts, words, seconds, check):
    console = Console()
    ts, cells = make_cells(code, modulation, rotated, snr, words)
    options = {"backend": backend, "max_iterations": iterations, "threads": threads, "stats_interval": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder) / "cells")
        cells.tofile(file)
        packets = verify(receiver(code, modulation, rotated, snr, words, **options), file, ts)
        console.print(f"{code} {modulation}{' rotated' if rotated else ''}, Es/N0 {snr:g} dB, at most {iterations} iterations: "
                      f"{packets} packets as sent")
        slowest = []
        for count in counts:
            rates, busy = measure([receiver(code, modulation, rotated, snr, words, **options) for _ in range(count)], file, seconds)
            show(console, rates, busy, ldpc.code(code).n)
            slowest.append(rates.min())
    sys.exit(1 if check and min(slowest) < MULTIPLEX else 0)


if __name__ == "__main__":
    main()
