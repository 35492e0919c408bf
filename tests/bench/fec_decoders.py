#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares gr-fec's LDPC decoder and fec_decoder in fec.extended_decoder.

Error rates are measured in one flowgraph with equal noise. Speed is measured for each decoder alone, from a vector source to a null
sink.
"""
import time

import click
import numpy as np
from gnuradio import blocks, fec, gr, ldpc

CODES = "/usr/share/gnuradio/fec/ldpc"


def sides(path, sigma, assumed, iterations):
    """Returns {name: (encoder, decoder)}. gr-fec's decoder assumes a fixed noise power."""
    return {"gr-fec": (fec.ldpc_encoder_make(path), fec.ldpc_decoder.make(path, assumed, iterations)),
            "gr-ldpc": (ldpc.fec_encoder("alist:" + path),
                        ldpc.fec_decoder("alist:" + path, max_iterations=iterations, gain=2 / sigma**2))}


def encoded(encoder, message):
    graph, sink = gr.top_block(), blocks.vector_sink_b()
    graph.connect(blocks.vector_source_b(message.tolist()), fec.extended_encoder(encoder, threading=None, puncpat="11"), sink)
    graph.run()
    return np.array(sink.data(), np.uint8)


def decoded_together(soft, decoders):
    """Returns the output bits of both decoders in one flowgraph."""
    graph, sinks = gr.top_block(), {}
    for name, decoder in decoders.items():
        sinks[name] = blocks.vector_sink_b()
        graph.connect(blocks.vector_source_f(soft[name].tolist()), fec.extended_decoder(decoder, threading=None), sinks[name])
    graph.run()
    return {name: np.array(sink.data(), np.uint8) for name, sink in sinks.items()}


def seconds_alone(soft, decoder, times=1):
    """Measures for half a second. Returns the seconds per pass over the soft bits."""
    graph, items = gr.top_block(), len(soft)
    graph.connect(blocks.vector_source_f(soft.tolist(), True), blocks.head(gr.sizeof_float, items * times),
                  fec.extended_decoder(decoder, threading=None), blocks.null_sink(1))
    start = time.perf_counter()
    graph.run()
    seconds = time.perf_counter() - start
    return seconds / times if seconds > 0.5 else seconds_alone(soft, decoder, 4 * times)


@click.command(help=__doc__.splitlines()[0])
@click.option("--code", default="n_1800_k_0902_gap_28", show_default=True, help="Alist file, or one of gr-fec's by its name.")
@click.option("--ebn0", default=2.5, show_default=True, help="Eb/N0 in dB.")
@click.option("--count", default=500, show_default=True, help="Codewords.")
@click.option("--assumed", default=0.5, show_default=True, help="Sigma of gr-fec's decoder; 0.5 is its default.")
@click.option("--iterations", default=50, show_default=True, help="Maximum number of iterations.")
def main(code, ebn0, count, assumed, iterations):
    path = code if "/" in code else f"{CODES}/{code}.alist"
    rng = np.random.default_rng(1)
    k = fec.get_encoder_input_size(ldpc.fec_encoder("alist:" + path))
    n = fec.get_encoder_output_size(ldpc.fec_encoder("alist:" + path))
    sigma = float(np.sqrt(n / k / 2 * 10 ** (-ebn0 / 10)))
    noise = sigma * rng.standard_normal(count * n)
    pairs = sides(path, sigma, assumed, iterations)
    messages = {name: rng.integers(0, 2, count * fec.get_encoder_input_size(encoder), np.uint8)
                for name, (encoder, _) in pairs.items()}
    soft = {name: (2.0 * encoded(encoder, messages[name]) - 1.0 + noise) for name, (encoder, _) in pairs.items()}
    bits = decoded_together(soft, {name: decoder for name, (_, decoder) in pairs.items()})
    print(f"{path}: n = {n}, k = {k}, {count} codewords, Eb/N0 {ebn0} dB, up to {iterations} iterations")
    for name, (_, decoder) in pairs.items():
        wrong = (bits[name] != messages[name]).reshape(count, -1).any(axis=1).sum()
        megabits = 1e-6 * count * n / seconds_alone(soft[name], decoder)
        print(f"{name:8} {count - wrong} of {count} codewords right, {megabits:.2f} coded Mbit/s")


if __name__ == "__main__":
    main()
