#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the frame errors of two check-node rules and of their combination, in which the second rule decodes the failures of the
first rule.

    build/bin/ldpc-python tests/bench/second_rule.py wimax:2304:1/2 1.8 2.0 2.2

A GPU generates the frames and counts the errors. All decoders get the same frames. A point ends when --errors frames are wrong with
both rules, or after --frames frames.
"""
import click
import numpy as np

import libldpc

ROUND = 1 << 24  # frames, half a second for WiMAX on a fast GPU


def wrong(masks):
    return int(np.unpackbits(masks.view(np.uint8)).sum())


@click.command(help=__doc__)
@click.argument("code")
@click.argument("ebn0", type=float, nargs=-1, required=True)
@click.option("--rules", nargs=2, default=("corrected", "three-min"), show_default=True)
@click.option("--iterations", default=50, show_default=True)
@click.option("--errors", default=100, show_default=True)
@click.option("--frames", default=8 * ROUND, show_default=True)
@click.option("--backend", default="cuda", show_default=True)
def main(code, ebn0, rules, iterations, errors, frames, backend):
    decoders = [libldpc.decoder(code, backend=backend, algorithm=rule, max_iterations=iterations) for rule in rules]
    print("| Eb/N0, dB | frames |", " | ".join(rules), "| both |\n| --- | --- | --- | --- | --- |")
    for point in ebn0:
        made, counts = 0, [0, 0, 0]
        while made < frames and counts[2] < errors:
            count = min(ROUND, frames - made)
            failed = [libldpc.simulate_blocks(decoder, point, made // libldpc.SIM_BLOCK, count)["failed"].copy() for decoder in decoders]
            counts = [before + wrong(masks) for before, masks in zip(counts, [*failed, failed[0] & failed[1]])]
            made += count
        print("|", " | ".join(map(str, (point, made, *counts))), "|", flush=True)


if __name__ == "__main__":
    main()
